// SPDX-License-Identifier: Apache-2.0
// What has to be shown so that a verdict is right, as SMT-LIB files with their expected answers:
//
//   a trace         the values are those of a run: init, each step, and the goal at the end    sat
//   an invariant    initiation, consecution and safety                                       unsat
//   k-induction     the first k states of every run, k states in a row and the next, safety  unsat
//   a bound         the goal is not reached after 0, 1, ..., n steps: an unrolling for each  unsat
//
// Where the model says "is not possible" of steps with parameters or open next values (deadlocks,
// sinkholes, relations without a solution, negated synchronisations), the model has a formula from
// quantifier elimination; two more obligations say that it means the same as the quantified one.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "smt/solver.h"

namespace whittle::certificate {

struct Obligation {
  std::string file;
  std::string says;      // in words
  std::string expected;  // "sat", "unsat"
  std::string text;
};

struct Certificate {
  std::string kind;  // "trace", "invariant", "k-induction", "unrollings"
  std::string logic;
  std::string model;      // model.vmt
  std::string invariant;  // the definition of the function `invariant`; empty: there is none
  std::vector<Obligation> obligations;
  std::uint64_t steps = 0;  // of a trace
};

// About the network as parsed. Throws ResourceError: why there is none.
[[nodiscard]] Certificate certificate_of(const PropertyResult& result, const smt::Limits& limits);

}  // namespace whittle::certificate
