// SPDX-License-Identifier: Apache-2.0
// A term that a solver cannot take. Does not leave the smt layer: a Session turns it into Unknown.
#pragma once

#include <stdexcept>

namespace whittle::smt {

class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace whittle::smt
