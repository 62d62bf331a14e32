// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/spacer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "driver/export/export.h"
#include "driver/verdict_of.h"
#include "ir/lower.h"
#include "smt/simplify.h"

namespace whittle::bench {

namespace {

// A file with a text in it, for as long as the object lives.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    const char* folder = std::getenv("TMPDIR");
    path_ = fmt::format("{}/whittle-XXXXXX", folder != nullptr ? folder : "/tmp");
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) throw ResourceError("no temporary file can be made");
    FILE* file = fdopen(descriptor, "w");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  ~TextFile() { unlink(path_.c_str()); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) text += line.data();
  pclose(pipe);
  return text;
}

}  // namespace

Alternative spacer(std::function<std::shared_ptr<Network>()> network, PropertyId property) {
  auto run = [network = std::move(network), property](Deadline deadline) -> Measurement {
    const std::shared_ptr<Network> model = network();
    LowerOptions options;
    options.eliminate = smt::elimination(model->pool(), {});
    const Lowered lowered = lower(*model, property, options);
    const TextFile file(export_chc(lowered.system, "benchmark", {}));
    const auto left = deadline.remaining();
    const long seconds = left ? 1 + left->count() / 1000 : 600;
    const double begun = processor_seconds();
    const std::string answer =
        output_of(fmt::format("z3 -T:{} '{}' 2>/dev/null", seconds, file.path()));
    Measurement measured;
    measured.seconds = processor_seconds() - begun;
    const PropertyKind kind = model->property(property).kind;
    // A solution of the clauses is an invariant.
    if (answer.starts_with("sat")) measured.label = to_string(verdict_of(kind, Outcome::Unreached));
    if (answer.starts_with("unsat")) measured.label = to_string(verdict_of(kind, Outcome::Reached));
    return measured;
  };
  return {"z3 spacer", std::move(run)};
}

}  // namespace whittle::bench
