// SPDX-License-Identifier: Apache-2.0
#include "driver/proof.h"

#include <algorithm>

#include "expr/readable.h"
#include "ir/lowering/lower.h"
#include "simplify/flat/minimise_invariant.h"
#include "smt/elimination/quantifier_elimination.h"

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kMostTime{4000};
constexpr int kShare = 4;  // of the time that there is for the check

}  // namespace

Expr minimised(Network& network, PropertyId property, Expr invariant,
               const smt::SolverFactory& solvers) {
  smt::Limits limits = solvers.settings().limits;
  std::chrono::milliseconds time = kMostTime;
  if (const auto left = limits.deadline.remaining()) time = std::min(time, *left / kShare);
  limits.deadline = Deadline::after(time);
  LowerOptions options;
  options.eliminate = smt::elimination(network.pool(), limits);
  const Lowered lowered = lower(network, property, options);
  const Expr flat = lowered.back->flat_condition(invariant);
  const Expr smaller = simplify::minimised_invariant(lowered.system, flat, solvers.with(limits));
  return readable(network.pool(), smaller == flat ? invariant : lowered.back->condition(smaller));
}

}  // namespace whittle
