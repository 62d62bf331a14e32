// SPDX-License-Identifier: Apache-2.0
// What an Integer points to when it does not fit a machine word.
#pragma once

#include <gmpxx.h>

namespace whittle {

struct BigInteger {
  mpz_class value;
};

}  // namespace whittle
