// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/remarks.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "frontend/expectation.h"

namespace whittle::c {

namespace {

constexpr std::string_view kBlanks = " \t\r\n*";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Takes the word from the beginning of the text, if it is there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text = without_blanks(text.substr(word.size()));
  return true;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

class Expecting {
 public:
  Expecting(const SourceFile& source, bool all, Network& network, Diagnostics& diagnostics)
      : source_(source), all_(all), network_(network), diagnostics_(diagnostics) {}

  void remark(const Remark& remark) {
    std::string_view words = remark.text;
    if (!take(words, "expect")) {
      diagnostics_.report("c-021", remark.span, "this remark says nothing that whittle knows",
                          "as in `whittle: expect violated`");
      return;
    }
    if (const auto expected = expectation_of_words(words)) {
      const std::uint32_t line = line_of(remark.span);
      tell(remark, *expected, fmt::format("line {}", line), [&](const Property& property) {
        return property.kind == PropertyKind::Assert &&
               source_.position(property.origin.begin).line == line;
      });
      return;
    }
    const auto by_name = frontend::expectations_by_name(words);
    if (!by_name || by_name->empty()) {
      diagnostics_.report("parse-008", remark.span, "this is no list of expectations",
                          "as in `whittle: expect violated`, or by name `whittle: expect bounds: "
                          "holds; division: violated`");
      return;
    }
    for (const auto& [name, expected] : *by_name)
      tell(remark, expected, fmt::format("'{}'", name),
           [&, &name = name](const Property& property) { return property.name == name; });
  }

 private:
  // Which the remark is about.
  [[nodiscard]] std::uint32_t line_of(Span span) const {
    const std::uint32_t first = source_.position(span.begin).line;
    const std::uint32_t last = source_.position(span.end).line;
    const auto before =
        source_.text().substr(source_.line_start(first), span.begin - source_.line_start(first));
    const std::string_view whole = source_.text().substr(span.end);
    if (!is_blank(before)) return first;
    if (!is_blank(whole.substr(0, whole.find('\n')))) return last;
    std::uint32_t line = last + 1;
    while (line <= source_.line_count() && is_blank(source_.line(line))) ++line;
    return line;
  }

  void tell(const Remark& remark, Expectation expected, const std::string& what,
            const std::function<bool(const Property&)>& meant) {
    expected.origin = remark.span;
    bool any = false;
    for (std::size_t i = 0; i < network_.properties().size(); ++i) {
      Property& property = network_.property(PropertyId(i));
      if (!meant(property)) continue;
      any = true;
      frontend::expect_of(property, expected, diagnostics_);
    }
    if (!any && all_)
      diagnostics_.report("c-021", remark.span, fmt::format("nothing is asked about {}", what),
                          "errors and assertions of a line are asked about where `main` can reach "
                          "them; other questions have names, as in `expect bounds: holds`");
  }

  const SourceFile& source_;
  bool all_;
  Network& network_;
  Diagnostics& diagnostics_;
};

}  // namespace

void note_remark(std::string_view comment, Span span, std::vector<Remark>& remarks) {
  comment.remove_prefix(2);
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  std::string_view text = without_blanks(comment);
  if (take(text, "whittle:")) remarks.push_back({span, text});
}

void expect(const std::vector<Remark>& remarks, const SourceFile& source, bool all,
            Network& network, Diagnostics& diagnostics) {
  Expecting expecting(source, all, network, diagnostics);
  for (const Remark& remark : remarks) expecting.remark(remark);
}

}  // namespace whittle::c
