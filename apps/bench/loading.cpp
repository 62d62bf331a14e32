// SPDX-License-Identifier: Apache-2.0
// Reading models of many megabytes, stage by stage: tokens, syntax trees, the whole way to a
// network. Each stage includes those before it; all must be linear.
#include <fmt/format.h>

#include "bench/deciding.h"
#include "bench/models/rebel.h"
#include "frontend/rebel/lexer.h"
#include "frontend/rebel/parser.h"

namespace whittle::bench {

namespace {

using Files = std::vector<PrintedFile>;

double bytes_of(const Files& files) {
  double bytes = 0;
  for (const PrintedFile& file : files) bytes += static_cast<double>(file.text.size());
  return bytes;
}

// The files as sources, then the stage on each of them.
Measurement each_file(std::uint32_t copies,
                      const std::function<void(const Sources&, FileId, bool test)>& stage) {
  return measured_alone("load", [&] {
    const Files files = rebel::model_size(copies);
    Sources sources;
    std::vector<std::pair<FileId, bool>> all;
    for (const PrintedFile& file : files) {
      all.emplace_back(sources.add(file.path, file.text), file.path.ends_with(".tebl"));
    }
    Measurement result = timed([&] {
      for (const auto& [file, test] : all) stage(sources, file, test);
    });
    result.units = bytes_of(files);
    return result;
  });
}

void tokens(const Sources& sources, FileId file, bool) {
  Diagnostics diagnostics;
  rebel::Lexer lexer(sources.file(file).text(), file, diagnostics);
  for (rebel::Token token = lexer.next(0); token.kind != rebel::TokenKind::End;) {
    token = lexer.next(token.end);
  }
}

void trees(const Sources& sources, FileId file, bool test) {
  Diagnostics diagnostics;
  rebel::Names names;
  (void)rebel::parse(sources, file, test, names, diagnostics);
}

std::vector<Case> cases() {
  std::vector<Case> result;
  const double one_copy = bytes_of(rebel::model_size(63)) / 64;  // the run knows better
  for (std::uint32_t factor : {64U, 1024U, 16'384U, 65'536U}) {
    Case one{fmt::format("factor {}", factor), factor, one_copy * factor, {}};
    one.alternatives.push_back(
        {"tokens", [factor](Deadline) { return each_file(factor - 1, tokens); }});
    one.alternatives.push_back(
        {"trees", [factor](Deadline) { return each_file(factor - 1, trees); }});
    one.alternatives.push_back({"network", [factor](Deadline) {
                                  return measured_alone("load", [&] {
                                    const Files files = rebel::model_size(factor - 1);
                                    Measurement whole = timed([&] { (void)loaded(files); });
                                    whole.units = bytes_of(files);
                                    return whole;
                                  });
                                }});
    result.push_back(std::move(one));
  }
  return result;
}

// Megabytes per second at the largest size that was measured.
std::string rates(std::span<const Row> rows) {
  std::string result;
  if (rows.empty()) return result;
  const Row& last = rows.back();
  for (const Cell& cell : last.cells) {
    if (!cell.median || *cell.median <= 0) continue;
    result += fmt::format("{}{} {:.0f} MB/s", result.empty() ? "" : ", ", cell.alternative,
                          (cell.units > 0 ? cell.units : last.units) / 1e6 / *cell.median);
  }
  return result.empty() ? result : last.name + ": " + result + "\n";
}

}  // namespace

extern const Benchmark kLoading;
const Benchmark kLoading = {
    "loading", "reading large models: tokens, syntax trees, the network; memory",
    "byte",    cases,
    true,      rates};

}  // namespace whittle::bench
