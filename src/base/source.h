// SPDX-License-Identifier: Apache-2.0
// Source texts and places in them. A Span is 12 bytes and says where something was written; line
// and column are computed on demand.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace whittle {

using FileId = StrongId<struct FileTag>;

// Half-open range of byte offsets in one file. An invalid file means "nowhere".
struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool valid() const { return file.valid(); }
  bool operator==(const Span&) const = default;
};

// From the beginning of `first` to the end of `last`; both in one file. Joining with "nowhere"
// gives the other one.
[[nodiscard]] Span join(Span first, Span last);

struct LineColumn {
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in characters (UTF-8 code points)
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] LineColumn position(std::uint32_t offset) const;
  [[nodiscard]] std::string_view line(std::uint32_t number) const;  // without its line end
  [[nodiscard]] std::uint32_t line_start(std::uint32_t number) const;
  [[nodiscard]] std::uint32_t line_count() const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;  // offset of line i + 1; never empty
};

// All files of a run. References stay valid while the table lives.
class Sources {
 public:
  FileId add(std::string path, std::string text);
  [[nodiscard]] const SourceFile& file(FileId id) const;
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] std::string_view text(Span span) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace whittle
