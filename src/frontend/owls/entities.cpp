// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/entities.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/checkpoint.h"

namespace whittle::owls {

namespace {

constexpr std::size_t kMaxValue = 100'000;      // of one entity, in bytes
constexpr std::size_t kMaxGrowth = 32'000'000;  // of the document, in bytes
constexpr std::string_view kBlanks = " \t\r\n";

class Entities {
 public:
  explicit Entities(std::string_view document) : text_(document) {}

  Expanded run() {
    const std::size_t behind = declarations();
    copy(0, behind);
    std::size_t at = behind;
    while (at < text_.size() && !result_.too_large) {
      checkpoint();
      const std::size_t next = text_.find_first_of("&<", at);
      if (next == std::string_view::npos) break;
      copy(at, next);
      at = text_[next] == '&' ? reference(next) : markup(next);
    }
    if (!result_.too_large) copy(at, text_.size());
    return std::move(result_);
  }

 private:
  void copy(std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    result_.origins.emplace_back(static_cast<std::uint32_t>(result_.text.size()),
                                 static_cast<std::uint32_t>(begin));
    result_.text.append(text_.substr(begin, end - begin));
  }

  // Comments and character data are as they are.
  std::size_t markup(std::size_t at) {
    std::size_t end = at + 1;
    for (const auto& [open, close] :
         {std::pair<std::string_view, std::string_view>{"<!--", "-->"}, {"<![CDATA[", "]]>"}}) {
      if (text_.substr(at, open.size()) != open) continue;
      const std::size_t found = text_.find(close, at);
      end = found == std::string_view::npos ? text_.size() : found + close.size();
    }
    copy(at, end);
    return end;
  }

  std::size_t reference(std::size_t at) {
    const std::size_t end = text_.find_first_of("; \t\r\n<>\"'&", at + 1);
    if (end != std::string_view::npos && text_[end] == ';') {
      if (const auto value = expanded(std::string(text_.substr(at + 1, end - at - 1)), 0)) {
        if (result_.text.size() + value->size() > text_.size() + kMaxGrowth)
          result_.too_large = true;
        result_.origins.emplace_back(static_cast<std::uint32_t>(result_.text.size()),
                                     static_cast<std::uint32_t>(at));
        if (!result_.too_large) result_.text += *value;
        return end + 1;
      }
    }
    copy(at, at + 1);
    return at + 1;
  }

  // What it stands for, as text within XML; empty: it is not declared here.
  std::optional<std::string> expanded(const std::string& name, unsigned depth) {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    Value& value = found->second;
    if (value.done) return value.text;
    if (value.open || depth > 30) {
      result_.too_large = true;  // it contains itself
      return std::string();
    }
    value.open = true;
    std::string text;
    for (std::size_t at = 0; at < value.raw.size();) {
      const std::size_t next = std::min(value.raw.find('&', at), value.raw.size());
      text += escaped(value.raw.substr(at, next - at));
      if (next == value.raw.size()) break;
      const std::size_t end = value.raw.find(';', next);
      const auto inner = end == std::string::npos
                             ? std::nullopt
                             : expanded(value.raw.substr(next + 1, end - next - 1), depth + 1);
      text += inner ? *inner : "&";
      at = inner ? end + 1 : next + 1;
      if (text.size() > kMaxValue) result_.too_large = true;
      if (result_.too_large) return std::string();
    }
    value.text = std::move(text);
    value.done = true;
    return value.text;
  }

  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '<')
        result += "&lt;";
      else if (c == '"')
        result += "&quot;";
      else if (c == '\'')
        result += "&apos;";
      else
        result += c;
    }
    return result;
  }

  // Reads those of the document type; the place behind it, or 0.
  std::size_t declarations() {
    const std::size_t begin = text_.find("<!DOCTYPE");
    if (begin == std::string_view::npos) return 0;
    // Elements before it: it stands in a text or a comment.
    const std::size_t element = first_element();
    if (element < begin) return 0;
    std::size_t at = begin;
    bool inside = false;
    while (at < text_.size()) {
      checkpoint();
      const char c = text_[at];
      if (c == '"' || c == '\'') {
        at = std::min(text_.find(c, at + 1), text_.size() - 1);
      } else if (text_.substr(at, 4) == "<!--") {
        at = std::min(text_.find("-->", at), text_.size() - 1);
      } else if (text_.substr(at, 8) == "<!ENTITY") {
        at = declaration(at + 8);
        continue;
      } else if (c == '[') {
        inside = true;
      } else if (c == ']') {
        inside = false;
      } else if (c == '>' && !inside) {
        return at + 1;
      }
      ++at;
    }
    return text_.size();
  }

  [[nodiscard]] std::size_t first_element() const {
    std::size_t at = text_.find('<');
    while (at != std::string_view::npos && at + 1 < text_.size()) {
      if (text_.substr(at, 4) == "<!--")
        at = text_.find("-->", at);
      else if (text_[at + 1] != '?' && text_[at + 1] != '!')
        return at;
      else if (text_[at + 1] == '!')
        return SIZE_MAX;  // the document type stands before all elements
      if (at != std::string_view::npos) at = text_.find('<', at + 1);
    }
    return SIZE_MAX;
  }

  // ` name "value">`; others (of parameters, or elsewhere) are passed over.
  std::size_t declaration(std::size_t at) {
    const std::size_t name = text_.find_first_not_of(kBlanks, at);
    if (name == std::string_view::npos) return text_.size();
    const std::size_t end = text_.find_first_of(" \t\r\n>", name);
    if (end == std::string_view::npos) return text_.size();
    const std::size_t quote = text_.find_first_not_of(kBlanks, end);
    if (quote == std::string_view::npos) return text_.size();
    if (text_[quote] != '"' && text_[quote] != '\'') return end;
    const std::size_t close = text_.find(text_[quote], quote + 1);
    if (close == std::string_view::npos) return text_.size();
    values_.try_emplace(
        std::string(text_.substr(name, end - name)),
        Value{std::string(text_.substr(quote + 1, close - quote - 1)), {}, false, false});
    return close + 1;
  }

  struct Value {
    std::string raw;
    std::string text;
    bool done = false;
    bool open = false;  // it is being expanded
  };

  std::string_view text_;
  std::unordered_map<std::string, Value> values_;
  Expanded result_;
};

}  // namespace

std::uint32_t Expanded::origin(std::uint32_t offset) const {
  auto after =
      std::upper_bound(origins.begin(), origins.end(), offset,
                       [](std::uint32_t value, const auto& piece) { return value < piece.first; });
  if (after == origins.begin()) return offset;
  --after;
  return after->second + (offset - after->first);
}

Expanded expand_entities(std::string_view document) { return Entities(document).run(); }

}  // namespace whittle::owls
