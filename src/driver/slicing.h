// SPDX-License-Identifier: Apache-2.0
// `whittle slice` and `whittle explain`: slices as texts for people.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/questions.h"
#include "slice/slice.h"

namespace whittle {

// The slice in its own language; a language that cannot print gets the annotated original.
[[nodiscard]] std::vector<PrintedFile> printed_slice(const Model& model,
                                                     const slice::SliceResult& result,
                                                     const Sources& sources);

// The original with a mark in front of every line: what it declares stays (`+`), goes (`-`), or is
// none of both; and beside what stays the reason.
[[nodiscard]] std::string annotated_slice(const Model& model, const slice::SliceResult& result,
                                          const Sources& sources, Color color);

// "kept 2 of 5 transitions, ...": one line per kind.
[[nodiscard]] std::string slice_summary(const slice::SliceResult& result);
// The same for every machine, one line each; nothing where there is only one.
[[nodiscard]] std::string machine_summary(const Model& model, const slice::SliceResult& result);
[[nodiscard]] std::string slice_json(const Model& model, PropertyId property,
                                     const slice::SliceResult& result);

// Why the element of that name is in the slice, or that it is not. Reports a name that nothing has.
[[nodiscard]] std::string explanation(const Model& model, PropertyId property,
                                      const slice::SliceResult& result, const Sources& sources,
                                      const std::string& name, Diagnostics& diagnostics);

}  // namespace whittle
