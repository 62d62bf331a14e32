// SPDX-License-Identifier: Apache-2.0
// Of the preprocessor there is what small programs need: headers of which we know what they declare
// (headers.h), macros without parameters, `#pragma` and line markers, which are skipped. Anything
// else is for a preprocessor, whose line markers are followed (line_map.h).
#include <cctype>
#include <optional>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/checkpoint.h"
#include "frontend/c/headers.h"
#include "frontend/c/line_map.h"
#include "frontend/c/token.h"

namespace whittle::c {

namespace {

bool is_word_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool is_word_part(char c) {
  return is_word_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Lexer {
 public:
  Lexer(const Sources& sources, FileId file, Diagnostics& diagnostics, std::vector<Remark>& remarks)
      : file_(file),
        diagnostics_(diagnostics),
        remarks_(remarks),
        text_(sources.file(file).text()) {}

  // Of a preprocessed text.
  Lexer(const Sources& sources, FileId file, FileId written, Diagnostics& diagnostics,
        std::vector<Remark>& remarks)
      : Lexer(sources, file, diagnostics, remarks) {
    map_.emplace(sources, written);
  }

  std::vector<Token> run() {
    scan();
    tokens_.push_back({TokenKind::End, "", here(text_.size(), text_.size())});
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] Span here(std::size_t begin, std::size_t end) const {
    if (outer_.valid()) return outer_;
    if (map_) return map_->place(begin, text_.substr(begin, end - begin));
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  void scan() {
    bool line_begins = true;
    while (at_ < text_.size() && !diagnostics_.saturated()) {
      checkpoint();
      const char c = text_[at_];
      if (c == '\n') {
        line_begins = true;
        ++at_;
        if (map_) map_->line_begins(at_);
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (comment()) {
        continue;
      } else if (c == '#' && line_begins) {
        directive();
      } else if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') {
        at_ += 2;
      } else {
        line_begins = false;
        token();
      }
    }
  }

  bool comment() {
    if (text_[at_] != '/' || at_ + 1 >= text_.size()) return false;
    const std::size_t begin = at_;
    if (text_[at_ + 1] == '/') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      commented(begin);
      return true;
    }
    if (text_[at_ + 1] != '*') return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) {
      diagnostics_.report("lex-003", here(at_, at_ + 2), "this comment is not closed",
                          "close it with `*/`");
      at_ = text_.size();
    } else {
      at_ = end + 2;
      commented(begin);
    }
    return true;
  }

  void commented(std::size_t begin) {
    if (!outer_.valid()) note_remark(text_.substr(begin, at_ - begin), here(begin, at_), remarks_);
  }

  // ----- tokens

  void put(TokenKind kind, std::size_t begin, std::size_t end) {
    const std::string_view word = text_.substr(begin, end - begin);
    at_ = end;
    if (kind == TokenKind::Word && !outside_macros_) {
      if (const auto macro = macros_.find(word); macro != macros_.end()) {
        expand(macro->second, word, here(begin, end));
        return;
      }
    }
    tokens_.push_back({kind, word, here(begin, end)});
  }

  // A macro inside its own expansion stands for itself.
  void expand(const std::vector<Token>& body, std::string_view name, Span place) {
    if (!open_.insert(name).second) return;
    for (const Token& token : body) {
      const auto inner = token.kind == TokenKind::Word ? macros_.find(token.text) : macros_.end();
      if (inner != macros_.end() && !open_.contains(token.text))
        expand(inner->second, token.text, place);
      else
        tokens_.push_back({token.kind, token.text, place});
    }
    open_.erase(name);
  }

  void token() {
    const std::size_t begin = at_;
    std::size_t end = at_ + 1;
    const char c = text_[at_];
    if (is_word_start(c)) {
      while (end < text_.size() && is_word_part(text_[end])) ++end;
      if (end < text_.size() && (text_[end] == '\'' || text_[end] == '"') && end - begin == 1 &&
          (c == 'L' || c == 'u' || c == 'U'))
        return quoted(begin, end);
      return put(TokenKind::Word, begin, end);
    }
    const auto digit = [&](std::size_t i) {
      return i < text_.size() && std::isdigit(static_cast<unsigned char>(text_[i])) != 0;
    };
    if (digit(at_) || (c == '.' && digit(at_ + 1))) {
      while (end < text_.size() && (is_word_part(text_[end]) || text_[end] == '.' ||
                                    ((text_[end] == '+' || text_[end] == '-') &&
                                     (text_[end - 1] == 'e' || text_[end - 1] == 'E' ||
                                      text_[end - 1] == 'p' || text_[end - 1] == 'P') &&
                                     !(text_[begin] == '0' && (text_[begin + 1] | 32) == 'x' &&
                                       (text_[end - 1] | 32) == 'e'))))
        ++end;
      return put(TokenKind::Number, begin, end);
    }
    if (c == '\'' || c == '"') return quoted(begin, begin);
    symbol();
  }

  void quoted(std::size_t begin, std::size_t open) {
    std::size_t end = open + 1;
    while (end < text_.size() && text_[end] != text_[open] && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] == '\n') {
      end = std::min(end, text_.size());
      diagnostics_.report("lex-002", here(begin, end), "this is not closed",
                          fmt::format("close it with `{}`", text_[open]));
      at_ = end;
      return;
    }
    put(text_[open] == '"' ? TokenKind::String : TokenKind::Character, begin, end + 1);
  }

  void symbol() {
    static constexpr std::string_view kLong[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                                 "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                                 "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
    for (const std::string_view known : kLong)
      if (text_.substr(at_, known.size()) == known)
        return put(TokenKind::Symbol, at_, at_ + known.size());
    static constexpr std::string_view kShort = "{}[]();:,.?~!%^&*-+=|<>/";
    if (kShort.find(text_[at_]) != std::string_view::npos)
      return put(TokenKind::Symbol, at_, at_ + 1);
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    diagnostics_.report(
        "lex-001", here(at_, end),
        fmt::format("`{}` means nothing here",
                    std::isprint(static_cast<unsigned char>(text_[at_])) != 0
                        ? std::string(text_.substr(at_, end - at_))
                        : fmt::format("\\x{:02x}", static_cast<unsigned char>(text_[at_]))),
        "remove it");
    at_ = end;
  }

  // ----- directives

  // The rest of the line, continued lines included.
  std::string_view rest_of_line() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n')
      at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
    return text_.substr(begin, at_ - begin);
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_part(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void directive() {
    const std::size_t begin = at_++;
    blanks();
    const std::string_view name = word();
    const bool marker = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0;
    if (name.empty() || marker || name == "pragma" || name == "line" || name == "ident") {
      rest_of_line();
      if (map_ && (marker || name == "line")) map_->marker(text_.substr(begin, at_ - begin));
    } else if (name == "define") {
      define(begin);
    } else if (name == "undef") {
      blanks();
      macros_.erase(word());
      rest_of_line();
    } else if (name == "include") {
      include(begin);
    } else {
      rest_of_line();
      preprocess(begin, fmt::format("`#{}`", name));
    }
  }

  void preprocess(std::size_t begin, const std::string& what) {
    diagnostics_.report("c-preprocess", here(begin, at_),
                        fmt::format("{} is left to the preprocessor", what),
                        "install a C compiler, or run `gcc -E x.c -o x.i` and check `x.i`");
  }

  void define(std::size_t begin) {
    blanks();
    const std::string_view name = word();
    if (at_ < text_.size() && text_[at_] == '(') {
      rest_of_line();
      return preprocess(begin, fmt::format("the macro `{}` with parameters", name));
    }
    const std::size_t first = at_;
    const std::size_t end = first + rest_of_line().size();
    // The body is read like any text, and taken away again.
    const std::size_t count = tokens_.size();
    const std::string_view whole = text_;
    text_ = text_.substr(0, end);
    at_ = first;
    outside_macros_ = true;
    scan();
    outside_macros_ = false;
    text_ = whole;
    at_ = end;
    const auto body = tokens_.begin() + static_cast<std::ptrdiff_t>(count);
    macros_[name].assign(body, tokens_.end());
    tokens_.erase(body, tokens_.end());
  }

  void include(std::size_t begin) {
    blanks();
    const std::string_view what = rest_of_line();
    const std::size_t close = what.find_first_of(">\"", 1);
    const std::string_view name =
        close == std::string_view::npos ? what : what.substr(1, close - 1);
    const std::optional<std::string_view> header = built_in_header(name);
    if (!header) return preprocess(begin, fmt::format("`#include {}`", what));
    if (!included_.insert(name).second) return;
    const Span place = here(begin, at_);
    const Span outer = std::exchange(outer_, place);
    const std::string_view text = std::exchange(text_, *header);
    const std::size_t at = std::exchange(at_, 0);
    scan();
    outer_ = outer;
    text_ = text;
    at_ = at;
  }

  FileId file_;
  Diagnostics& diagnostics_;
  std::vector<Remark>& remarks_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<LineMap> map_;
  Span outer_;  // valid: in a built-in header, which is included there
  bool outside_macros_ = false;
  std::vector<Token> tokens_;
  std::unordered_map<std::string_view, std::vector<Token>> macros_;
  std::set<std::string_view> open_;
  std::set<std::string_view> included_;
};

}  // namespace

std::vector<Token> tokenize(const Sources& sources, FileId file, Diagnostics& diagnostics,
                            std::vector<Remark>& remarks) {
  return Lexer(sources, file, diagnostics, remarks).run();
}

std::vector<Token> tokenize_preprocessed(const Sources& sources, FileId preprocessed,
                                         FileId written, Diagnostics& diagnostics) {
  std::vector<Remark> none;  // comments are gone
  return Lexer(sources, preprocessed, written, diagnostics, none).run();
}

}  // namespace whittle::c
