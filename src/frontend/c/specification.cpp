// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/specification.h"

#include <cctype>

namespace whittle::c {

namespace {

// The text without blanks.
std::string dense(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  return result;
}

// What stands between `before` and the next `)` or `(`; empty: it is not there.
std::string word_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return std::string(text.substr(0, text.find_first_of("()")));
}

}  // namespace

Specification read_specification(std::string_view text, Span whole, Diagnostics& diagnostics) {
  using Kind = Specification::Kind;
  const std::string line = dense(text);
  if (std::string name = word_after(line, "LTL(G!call("); !name.empty())
    return {Kind::Calls, std::move(name)};
  if (std::string name = word_after(line, "LTL(G!label("); !name.empty())
    return {Kind::Label, std::move(name)};
  if (line.find("COVEREDGES(@CALL(") != std::string::npos)
    return {Kind::Calls, word_after(line, "@CALL(")};
  if (line.find("LTL(G!overflow)") != std::string::npos) return {Kind::Overflow, {}};
  if (line.find("LTL(Fend)") != std::string::npos) return {Kind::Terminates, {}};
  diagnostics.report("c-008", whole, "this specification is not one that whittle can ask",
                     "`G ! call(f())`, `G ! label(L)`, `G ! overflow` and `F end` are known");
  return {};
}

}  // namespace whittle::c
