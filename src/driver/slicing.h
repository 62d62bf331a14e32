// SPDX-License-Identifier: Apache-2.0
// `whittle slice` and `whittle explain`: slices as texts for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "driver/pipelines.h"
#include "driver/questions.h"

namespace whittle {

// What is decided, in its own language: the simplified slice, or where the language takes away from
// the text only, the slice before that. A language that cannot print gets the annotated original.
[[nodiscard]] std::vector<PrintedFile> printed_slice(const Model& model, PropertyId property,
                                                     const Preparation& shown,
                                                     const Sources& sources);

// The original with a mark in front of every line: what it declares stays (`+`), goes (`-`), or is
// none of both; and beside what stays the reason.
[[nodiscard]] std::string annotated_slice(const Preparation& shown, const Sources& sources,
                                          Color color);

// A line of a source, and what becomes of what it declares: the sign as above.
struct MarkedLine {
  FileId file;
  std::uint32_t line = 0;
  char sign = ' ';
  std::string reason;
};
// Only lines that declare something.
[[nodiscard]] std::vector<MarkedLine> marked_lines(const Preparation& shown,
                                                   const Sources& sources);

// "kept 2 of 5 transitions, ...": one line per kind.
[[nodiscard]] std::string slice_summary(const Preparation& shown);
// "simplified: 1 constant, ...; left: ..." as a line; empty where nothing was simplified.
[[nodiscard]] std::string simplified_summary(const Preparation& shown);
// The same for every machine, one line each; nothing where there is only one.
[[nodiscard]] std::string machine_summary(const Preparation& shown);
// Figures, names and the printed slice, as an entry of a JSON document.
[[nodiscard]] nlohmann::ordered_json slice_json(const Model& model, PropertyId property,
                                                const Preparation& shown, const Sources& sources);

// Why something is in the slice, or that it is not.
struct Explanation {
  std::string name;  // in full
  bool needed = false;
  bool simplified = false;           // needed, but what is left after simplifying does not have it
  std::vector<std::string> because;  // one sentence per dependence; none: nothing was sliced
};
// Of the elements of that name. Reports a name that nothing has.
[[nodiscard]] std::vector<Explanation> explanations(const Preparation& shown,
                                                    const Sources& sources, const std::string& name,
                                                    Diagnostics& diagnostics);
[[nodiscard]] std::string explanation_text(const std::string& question,
                                           const std::vector<Explanation>& found);
[[nodiscard]] nlohmann::ordered_json explanation_json(const Model& model, PropertyId property,
                                                      const std::vector<Explanation>& found,
                                                      const Sources& sources);

}  // namespace whittle
