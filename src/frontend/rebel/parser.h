// SPDX-License-Identifier: Apache-2.0
// From the text of a Rebel file to its syntax. All problems of the file are reported; what could be
// read is returned in any case.
#pragma once

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/rebel/ast.h"
#include "frontend/rebel/names.h"

namespace whittle::rebel {

// requires: the file's text outlives `names`
[[nodiscard]] ModuleAst parse(const Sources& sources, FileId file, bool test, Names& names,
                              Diagnostics& diagnostics);

}  // namespace whittle::rebel
