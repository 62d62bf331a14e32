// SPDX-License-Identifier: Apache-2.0
// Integers as numbers of GMP and back, for the few files that compute with GMP themselves.
#pragma once

#include "expr/big_integer.h"
#include "expr/number.h"

namespace whittle {

[[nodiscard]] inline mpz_class to_mpz(const Integer& value) { return value.to_big().value; }
[[nodiscard]] inline Integer from_mpz(const mpz_class& value) { return Integer(BigInteger{value}); }

}  // namespace whittle
