// SPDX-License-Identifier: Apache-2.0
#include "base/source.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace whittle {

namespace {

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

Span join(Span first, Span last) {
  if (!first.valid()) return last;
  if (!last.valid()) return first;
  WHITTLE_REQUIRE(first.file == last.file, "spans of two files cannot be joined");
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
  WHITTLE_REQUIRE(text_.size() < std::numeric_limits<std::uint32_t>::max(),
                  "source text does not fit 32-bit offsets");
  line_starts_.push_back(0);
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  for (const char* at = begin; at != end;) {
    const auto* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) break;
    at = newline + 1;
    line_starts_.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

LineColumn SourceFile::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  const std::uint32_t start = line_starts_[line - 1];
  const auto characters =
      std::count_if(text_.begin() + start, text_.begin() + offset, starts_character);
  return {line, static_cast<std::uint32_t>(characters) + 1};
}

std::uint32_t SourceFile::line_count() const {
  return static_cast<std::uint32_t>(line_starts_.size());
}

std::uint32_t SourceFile::line_start(std::uint32_t number) const {
  WHITTLE_REQUIRE(number >= 1 && number <= line_starts_.size(), "no such line");
  return line_starts_[number - 1];
}

std::string_view SourceFile::line(std::uint32_t number) const {
  const std::uint32_t start = line_start(number);
  const std::size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  std::string_view result = std::string_view(text_).substr(start, end - start);
  if (result.ends_with('\n')) result.remove_suffix(1);
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

FileId Sources::add(std::string path, std::string text) {
  const FileId id(files_.size());
  files_.emplace_back(std::move(path), std::move(text));
  return id;
}

const SourceFile& Sources::file(FileId id) const {
  WHITTLE_REQUIRE(id.valid() && id.index() < files_.size(), "no such source file");
  return files_[id.index()];
}

std::string_view Sources::text(Span span) const {
  if (!span.valid()) return {};
  const std::string_view text = file(span.file).text();
  WHITTLE_REQUIRE(span.begin <= span.end && span.end <= text.size(), "span outside its file");
  return text.substr(span.begin, span.end - span.begin);
}

}  // namespace whittle
