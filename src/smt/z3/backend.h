// SPDX-License-Identifier: Apache-2.0
// Z3 behind the Backend interface. Sees no header of Z3, so that the list of solvers can use it.
#pragma once

#include <memory>

#include "smt/backend.h"

namespace whittle::smt {

[[nodiscard]] std::unique_ptr<Backend> make_z3_backend(ExprPool& pool, const Needs& needs);
[[nodiscard]] std::string z3_version();

}  // namespace whittle::smt
