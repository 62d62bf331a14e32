// SPDX-License-Identifier: Apache-2.0
// cvc5 behind the Backend interface. Sees no header of cvc5, so that the list of solvers can use
// it.
#pragma once

#include <memory>

#include "smt/backend.h"

namespace whittle::smt {

[[nodiscard]] std::unique_ptr<Backend> make_cvc5_backend(ExprPool& pool, const Needs& needs);
[[nodiscard]] std::string cvc5_version();

}  // namespace whittle::smt
