// SPDX-License-Identifier: Apache-2.0
// What comments say to whittle about a program, since C has no words for it:
//
//   assert(balance >= 0);  // whittle: expect violated
//   /* whittle: expect bounds: holds; division: violated in 3 */
//
// Without a name it is about the errors and assertions of its line, or, where it stands alone, of
// the next line that is not blank.
#pragma once

#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "ir/network.h"

namespace whittle::c {

// Of the whole comment, with its marks.
struct Remark {
  Span span;
  std::string_view text;  // behind `whittle:`
};

// Takes the comment where it is one.
void note_remark(std::string_view comment, Span span, std::vector<Remark>& remarks);

// Tells the properties of the network what is expected of them. An expectation of what nobody asks
// is warned about where `all` properties of the program are asked.
void expect(const std::vector<Remark>& remarks, const SourceFile& source, bool all,
            Network& network, Diagnostics& diagnostics);

}  // namespace whittle::c
