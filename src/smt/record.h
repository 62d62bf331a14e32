// SPDX-License-Identifier: Apache-2.0
// A solver that writes down what it is asked: an SMT-LIB 2 file for the stand-alone programs
// (`z3 file`, `cvc5 --incremental file`), with the answers and times as comments. Assumptions
// become assertions in a scope of their own. Each query is on disk before the solver starts on it.
#pragma once

#include <memory>
#include <string>

#include "smt/solver.h"

namespace whittle::smt {

// Throws ResourceError when the file cannot be written.
[[nodiscard]] std::unique_ptr<Solver> recorded(std::unique_ptr<Solver> solver, ExprPool& pool,
                                               const std::string& path);

}  // namespace whittle::smt
