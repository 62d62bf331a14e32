// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/sexpr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/text.h"

namespace whittle::vmt {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::array<bool, 256> make_symbol_characters() {
  std::array<bool, 256> result{};
  for (int c = 0; c < 128; ++c) {
    result[static_cast<std::size_t>(c)] =
        is_digit(static_cast<char>(c)) || is_letter(static_cast<char>(c));
  }
  for (char c : std::string_view("~!@$%^&*_-+=<>.?/")) result[static_cast<unsigned char>(c)] = true;
  // Not in the standard, but in files of tools that take names from programs.
  for (char c : std::string_view("'[]{}`,")) result[static_cast<unsigned char>(c)] = true;
  return result;
}

constexpr std::array<bool, 256> kSymbolCharacters = make_symbol_characters();

bool in_symbol(char c) { return kSymbolCharacters[static_cast<unsigned char>(c)]; }

// Fills the tree's array: nodes and their links.
class Reader {
 public:
  Reader(std::string_view text, FileId file, Diagnostics& diagnostics, std::vector<Node>& nodes)
      : text_(text), file_(file), diagnostics_(diagnostics), nodes_(nodes) {
    WHITTLE_REQUIRE(text.size() < UINT32_MAX, "file too large for 32-bit offsets");
    nodes_.reserve(text.size() / 6 + 1);
  }

  NodeId run() {
    while (at_ < text_.size()) {
      if (diagnostics_.saturated()) {
        diagnostics_.report("parse-007", span(at_, at_ + 1),
                            "too many errors; the rest of the file is not read");
        break;
      }
      checkpoint();
      step();
    }
    for (const Open& open : open_) {
      nodes_[open.list].end = size();
      nodes_[open.list].closed = false;
    }
    if (!open_.empty()) {
      // One message: the outermost is the one that swallows the rest of the file.
      const std::uint32_t begin = nodes_[open_.front().list].begin;
      diagnostics_.report("parse-005", span(begin, begin + 1), "this parenthesis is never closed",
                          "every `(` needs its `)`");
    }
    return top_;
  }

 private:
  struct Open {
    NodeId list;
    NodeId last = kNoNode;  // its last child so far
  };

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  [[nodiscard]] Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(std::min(end, text_.size()))};
  }

  void step() {
    const char c = text_[at_];
    switch (c) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
      case '\f':
      case '\v':
        ++at_;
        return;
      case ';':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '(':
        open_.push_back({add(NodeKind::List, at_, at_ + 1)});
        ++at_;
        return;
      case ')':
        close();
        return;
      case '|':
        bars();
        return;
      case '"':
        string();
        return;
      case ':':
        word(NodeKind::Keyword, at_ + 1);
        return;
      case '#':
        bits();
        return;
      default:
        break;
    }
    if (is_digit(c)) return number();
    if (in_symbol(c)) return word(NodeKind::Symbol, at_);
    bad_character();
  }

  NodeId add(NodeKind kind, std::size_t begin, std::size_t end) {
    const auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({kind, true, static_cast<std::uint32_t>(begin),
                      static_cast<std::uint32_t>(end), kNoNode, kNoNode});
    NodeId& last = open_.empty() ? last_top_ : open_.back().last;
    if (last != kNoNode) {
      nodes_[last].next = id;
    } else if (open_.empty()) {
      top_ = id;
    } else {
      nodes_[open_.back().list].first = id;
    }
    last = id;
    return id;
  }

  void close() {
    if (open_.empty()) {
      diagnostics_.report("parse-001", span(at_, at_ + 1), "nothing is open that `)` could close",
                          "remove it");
    } else {
      nodes_[open_.back().list].end = static_cast<std::uint32_t>(at_ + 1);
      open_.pop_back();
    }
    ++at_;
  }

  void word(NodeKind kind, std::size_t from) {
    const std::size_t begin = at_;
    at_ = from;
    while (at_ < text_.size() && in_symbol(text_[at_])) ++at_;
    if (kind == NodeKind::Keyword && at_ == from) {
      diagnostics_.report("lex-001", span(begin, at_), "a `:` that no name follows",
                          "an annotation is written like `:next`");
      return;
    }
    add(kind, begin, at_);
  }

  void bars() {
    const std::size_t begin = at_;
    const std::size_t end = text_.find('|', begin + 1);
    if (end == std::string_view::npos) {
      diagnostics_.report("lex-002", span(begin, begin + 1), "the name in bars is not closed",
                          "add `|` after it");
      at_ = std::min(text_.find('\n', begin), text_.size());
      return;
    }
    check_text(begin + 1, end);
    at_ = end + 1;
    add(NodeKind::Symbol, begin, at_);
  }

  void string() {
    const std::size_t begin = at_;
    std::size_t end = begin + 1;
    while (true) {
      end = text_.find('"', end);
      if (end == std::string_view::npos) {
        diagnostics_.report("lex-002", span(begin, begin + 1), "the string is not closed",
                            "add `\"` after it");
        at_ = std::min(text_.find('\n', begin), text_.size());
        return;
      }
      if (end + 1 >= text_.size() || text_[end + 1] != '"') break;
      end += 2;
    }
    check_text(begin + 1, end);
    at_ = end + 1;
    add(NodeKind::String, begin, at_);
  }

  void check_text(std::size_t begin, std::size_t end) {
    const std::size_t bad = find_invalid_utf8(text_.substr(begin, end - begin));
    if (bad == std::string_view::npos) return;
    diagnostics_.report("lex-006", span(begin + bad, begin + bad + 1), "this byte is not UTF-8",
                        "save the file as UTF-8");
  }

  void number() {
    const std::size_t begin = at_;
    NodeKind kind = NodeKind::Numeral;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) {
      kind = NodeKind::Decimal;
      ++at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
    if (at_ < text_.size() && in_symbol(text_[at_])) {
      while (at_ < text_.size() && in_symbol(text_[at_])) ++at_;
      diagnostics_.report("lex-004", span(begin, at_), "neither a number nor a name",
                          "names do not begin with a digit; numbers are written like 12 or 1.5");
      return;
    }
    add(kind, begin, at_);
  }

  void bits() {
    const std::size_t begin = at_;
    const char form = begin + 1 < text_.size() ? text_[begin + 1] : ' ';
    at_ = std::min(begin + 2, text_.size());
    while (at_ < text_.size() && in_symbol(text_[at_])) ++at_;
    const std::string_view digits = text_.substr(std::min(begin + 2, at_), at_ - begin - 2);
    const auto hex = [](char c) {
      return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    const auto bit = [](char c) { return c == '0' || c == '1'; };
    if (form == 'x' && !digits.empty() && std::all_of(digits.begin(), digits.end(), hex)) {
      add(NodeKind::Hex, begin, at_);
    } else if (form == 'b' && !digits.empty() && std::all_of(digits.begin(), digits.end(), bit)) {
      add(NodeKind::Binary, begin, at_);
    } else {
      at_ = std::max(at_, begin + 1);
      diagnostics_.report("lex-004", span(begin, at_), "not a constant of bits",
                          "constants of bits are written like #x1f or #b0101");
    }
  }

  void bad_character() {
    const Character c = decode_utf8(text_.substr(at_));
    const Span place = span(at_, at_ + c.bytes);
    const std::string shown_text = shown(c, text_[at_]).text;
    at_ += c.bytes;
    if (!c.valid) {
      diagnostics_.report("lex-006", place, "this byte is not UTF-8", "save the file as UTF-8");
    } else if (c.code < 0x20 || c.code == 0x7f) {
      diagnostics_.report("lex-007", place, fmt::format("the control character {}", shown_text),
                          "remove it");
    } else {
      diagnostics_.report("lex-001", place,
                          fmt::format("the character `{}` does not occur here", shown_text),
                          "names with such characters are written in bars: |name|");
    }
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  std::vector<Node>& nodes_;
  std::size_t at_ = 0;
  std::vector<Open> open_;
  NodeId top_ = kNoNode;
  NodeId last_top_ = kNoNode;
};

}  // namespace

SexprTree::SexprTree(std::string_view text, FileId file, Diagnostics& diagnostics)
    : text_(text), file_(file) {
  top_ = Reader(text, file, diagnostics, nodes_).run();
}

Span SexprTree::head_span(NodeId id) const {
  const Node& list = nodes_[id];
  if (list.kind != NodeKind::List) return span(id);
  if (list.first == kNoNode) return span(id);
  const Node& head = nodes_[list.first];
  if (head.kind == NodeKind::List) return {file_, list.begin, list.begin + 1};
  return {file_, list.begin, head.end};
}

std::string_view SexprTree::name(NodeId id) const {
  std::string_view result = text(id);
  if (result.size() >= 2 && result.front() == '|') result = result.substr(1, result.size() - 2);
  return result;
}

NodeId SexprTree::child(NodeId list, std::uint32_t index) const {
  NodeId at = nodes_[list].first;
  while (at != kNoNode && index-- > 0) at = nodes_[at].next;
  return at;
}

std::uint32_t SexprTree::size(NodeId list) const {
  std::uint32_t result = 0;
  for (NodeId at = nodes_[list].first; at != kNoNode; at = nodes_[at].next) ++result;
  return result;
}

std::string SexprTree::string(NodeId id) const {
  std::string_view inner = text(id);
  inner = inner.substr(1, inner.size() - 2);
  std::string result;
  result.reserve(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    result.push_back(inner[i]);
    if (inner[i] == '"') ++i;
  }
  return result;
}

bool is_plain_symbol(std::string_view name) {
  constexpr std::string_view kReserved[] = {"_",       "!",           "as",     "let",    "exists",
                                            "forall",  "par",         "STRING", "BINARY", "DECIMAL",
                                            "NUMERAL", "HEXADECIMAL", "match"};
  if (name.empty() || is_digit(name.front())) return false;
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved)) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return in_symbol(c) && std::string_view("'[]{}`,").find(c) == std::string_view::npos;
  });
}

std::string written(std::string_view name) {
  if (is_plain_symbol(name)) return std::string(name);
  std::string result = "|";
  for (char c : name) result.push_back(c == '|' || c == '\\' ? '_' : c);
  return result + "|";
}

}  // namespace whittle::vmt
