// SPDX-License-Identifier: Apache-2.0
// Languages are told apart by the first words that are no comment. CFA has no word to begin with: a
// text is CFA when it has one of its statements, and no other language begins so.
#include "driver/wrong_language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "frontend/languages.h"

namespace whittle {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

// Blanks and comments of any language; `#` and what follows is no comment, but C.
std::size_t first_word(std::string_view text) {
  std::size_t at = 0;
  while (true) {
    at = text.find_first_not_of(kBlank, at);
    if (at == std::string_view::npos) return text.size();
    const std::string_view rest = text.substr(at);
    std::size_t end = std::string_view::npos;
    if (rest.starts_with("/*")) {
      end = text.find("*/", at + 2);
      if (end != std::string_view::npos) end += 2;
    } else if (rest.starts_with("//") || rest.starts_with(";")) {
      end = text.find('\n', at);
    } else {
      return at;
    }
    if (end == std::string_view::npos) return text.size();
    at = end;
  }
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
                               text[end] == '_' || text[end] == '-'))
    ++end;
  return text.substr(at, end - at);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

// A word and another one on the same line behind it: `system Name`.
bool names_something(std::string_view text, std::size_t after) {
  const std::size_t next = text.find_first_not_of(" \t", after);
  return next != std::string_view::npos && next > after && !word_at(text, next).empty();
}

}  // namespace

std::string_view looks_like(std::string_view text) {
  const std::size_t at = first_word(text);
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("<")) {
    if (has_any(rest, {"BPMN/20100524"})) return "bpmn";
    return has_any(rest, {"services/owl-s/"}) ? "owls" : "";
  }
  if (rest.starts_with("#")) return has_any(rest, {"#include", "#define", "main"}) ? "c" : "";
  if (rest.starts_with("(")) {
    const std::string_view word = word_at(rest, 1);
    for (const std::string_view command :
         {"declare-fun", "declare-const", "define-fun", "set-logic", "set-info", "set-option",
          "declare-datatypes", "define-sort", "assert"})
      if (word == command) return "vmt";
    // The parameters and the first block: `(m n) (init)`.
    const std::size_t close = rest.find(')');
    const std::size_t next =
        close == std::string_view::npos ? close : rest.find_first_not_of(kBlank, close + 1);
    return next != std::string_view::npos && rest[next] == '(' ? "fcl" : "";
  }
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kFirst = {
      {{"system", "sts"},
       {"program", "proc"},
       {"module", "rebel"},
       {"import", "rebel"},
       {"specification", "rebel"},
       {"abstract", "rebel"},
       {"external", "rebel"},
       {"typedef", "c"},
       {"extern", "c"}}};
  const std::string_view word = word_at(text, at);
  for (const auto& [first, language] : kFirst)
    if (word == first && names_something(text, at + word.size())) return language;
  if (has_any(rest, {"int main(", "void main(", "reach_error(", "__VERIFIER_"})) return "c";
  if (has_any(rest, {"= *;", "choice {", "error;", "error \""})) return "cfa";
  return {};
}

std::optional<Diagnostic> wrong_language(const SourceFile& file, FileId id,
                                         std::string_view language) {
  const Language* found = find_language(looks_like(file.text()));
  if (found == nullptr || found->id == language) return std::nullopt;
  const Language* expected = find_language(language);
  const auto at = static_cast<std::uint32_t>(first_word(file.text()));
  const auto length =
      static_cast<std::uint32_t>(std::max<std::size_t>(word_at(file.text(), at).size(), 1));
  const auto in_capitals = [](std::string_view text) {
    std::string name(text);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name == "REBEL" ? "Rebel" : name;
  };
  return make_diagnostic(
      "file-012", Span{id, at, at + length},
      fmt::format("this is {}, not {}", in_capitals(found->id),
                  expected == nullptr ? std::string(language) : in_capitals(expected->id)),
      fmt::format("give the file the ending {}, or --language {}", found->extensions.front(),
                  found->id));
}

}  // namespace whittle
