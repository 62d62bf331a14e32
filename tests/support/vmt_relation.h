// SPDX-License-Identifier: Apache-2.0
// VMT-LIB systems of two numbers and an input, given by their relation.
#pragma once

#include <string>

#include "support/load.h"

namespace whittle::test {

inline constexpr const char* kVmtNumbers = R"(
(declare-fun x () Int) (declare-fun x.next () Int)
(declare-fun y () Int) (declare-fun y.next () Int)
(declare-fun in () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun .y () Int (! y :next y.next))
)";

// x begins with 0 and is to stay non-negative; y and `in` are anything.
inline Loaded vmt_relation(const std::string& trans, const std::string& more = "") {
  return load("vmt", std::string(kVmtNumbers) + "(define-fun .i () Bool (! (= x 0) :init true))" +
                         "(define-fun .t () Bool (! " + trans + " :trans true))" +
                         "(define-fun p () Bool (! (>= x 0) :invar-property 0))" + more);
}

}  // namespace whittle::test
