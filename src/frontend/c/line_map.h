// SPDX-License-Identifier: Apache-2.0
// Where a preprocessed text was written: its line markers (`# 12 "x.c"`) say of which file and line
// the next line is.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/source.h"

namespace whittle::c {

class LineMap {
 public:
  LineMap(const Sources& sources, FileId written)
      : written_(sources.file(written)), file_(written) {}

  // The next line is the one that the marker names; the rest of its line, without the `#`.
  void marker(std::string_view rest);
  // A line begins at this offset of the preprocessed text.
  void line_begins(std::size_t offset);
  // Of what stands at this offset: the same text at the same place if it stands there, else all of
  // the line; of what comes from another file, the line that names it.
  [[nodiscard]] Span place(std::size_t offset, std::string_view text) const;

 private:
  const SourceFile& written_;
  FileId file_;
  std::size_t begin_ = 0;   // of the line at hand, in the preprocessed text
  std::uint32_t line_ = 1;  // in its file, from 1
  bool inside_ = true;      // its file is the one that was written
  std::uint32_t last_ = 1;  // line of the written file that was seen last
  bool marked_ = false;     // the marker's line is not over yet
};

}  // namespace whittle::c
