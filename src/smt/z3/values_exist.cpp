// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/values_exist.h"

#include "smt/watch.h"
#include "smt/z3/context.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

CheckResult z3_without_values(ExprPool& pool, Expr condition, Expr body,
                              std::span<const SymbolId> bound, const Limits& limits) {
  Deadline deadline = limits.deadline;
  if (limits.time_per_check) deadline = deadline.earlier(Deadline::after(*limits.time_per_check));
  if (limits.cancel.cancelled() || deadline.passed())
    return {Answer::Unknown, {Reason::Kind::Timeout}};
  Z3Context z3;
  std::vector<Z3_ast> facts;  // ranges of enumerations, of free and of bound ones
  const Expr terms[] = {condition, body};
  Z3Terms translate(pool, z3, logic_of(pool, terms).datatypes,
                    [&](Z3_ast fact) { facts.push_back(fact); });
  translate.refuse_deep_terms();
  std::vector<Z3_ast> inside{translate(body)};
  const Z3_ast where = translate(condition);
  inside.insert(inside.end(), facts.begin(), facts.end());
  const Z3_ast whole = z3.keep(Z3_mk_and(z3, static_cast<unsigned>(inside.size()), inside.data()));
  std::vector<Z3_app> variables;
  for (SymbolId symbol : bound) {
    if (!translate.knows(symbol)) continue;
    const Z3_ast variable = z3.keep(Z3_mk_app(z3, translate.declaration(symbol), 0, nullptr));
    variables.push_back(Z3_to_app(z3, variable));
  }
  Z3_ast none = z3.keep(Z3_mk_not(z3, whole));
  if (!variables.empty()) {
    none = z3.keep(Z3_mk_forall_const(z3, 0, static_cast<unsigned>(variables.size()),
                                      variables.data(), 0, nullptr, none));
  }
  Z3Ref<Z3_solver> solver(z3, Z3_mk_solver(z3), Z3_solver_inc_ref, Z3_solver_dec_ref);
  z3.check();
  Z3_solver_assert(z3, solver.get(), where);
  for (Z3_ast fact : facts) Z3_solver_assert(z3, solver.get(), fact);
  Z3_solver_assert(z3, solver.get(), none);
  z3.check();
  Watch watch(deadline, limits.cancel, nullptr, [&] { Z3_interrupt(z3); });
  switch (Z3_solver_check(z3, solver.get())) {
    case Z3_L_TRUE:
      return {Answer::Sat};
    case Z3_L_FALSE:
      return {Answer::Unsat};
    default:
      return {Answer::Unknown, watch.cause() == Watch::Cause::None
                                   ? z3_reason(Z3_solver_get_reason_unknown(z3, solver.get()))
                                   : Reason{Reason::Kind::Timeout}};
  }
}

}  // namespace whittle::smt
