// SPDX-License-Identifier: Apache-2.0
#include "witness/obligation.h"

#include <fmt/format.h>

namespace whittle {

Problem refuted(smt::Solver& solver, Expr condition, const std::string& obligation,
                const std::string& event) {
  smt::Scope scope(solver);
  solver.require(condition);
  const smt::CheckResult result = solver.check();
  switch (result.answer) {
    case smt::Answer::Unsat:
      return std::nullopt;
    case smt::Answer::Sat:
      return Unexpected{RejectedWitness{
          fmt::format("the invariant fails {} according to {}", obligation, solver.name()), event}};
    case smt::Answer::Unknown:
      return WitnessCheck::unchecked({solver.name(), obligation, result.reason});
  }
  return std::nullopt;
}

}  // namespace whittle
