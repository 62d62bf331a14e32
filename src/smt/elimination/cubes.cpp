// SPDX-License-Identifier: Apache-2.0
// A formula as a disjunction of implicants: take a model, the literals of the formula as they are
// in it, drop those that do not matter (a core against the negation), exclude what that covers,
// repeat.
#include "expr/traverse.h"
#include "smt/elimination/quantifier_elimination.h"
#include "smt/solvers.h"

namespace whittle::smt {

namespace {

bool is_connective(const ExprPool& pool, Expr e) {
  switch (pool.op(e)) {
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return true;
    case Op::Ite:
      return pool.type(e) == Type::boolean();
    case Op::Eq:
      return pool.type(pool.child(e, 0)) == Type::boolean();
    default:
      return false;
  }
}

// The Bool subterms under connectives only.
std::vector<Expr> atoms(const ExprPool& pool, Expr formula) {
  std::vector<Expr> result;
  ExprMap<bool> seen;
  std::vector<Expr> stack{formula};
  while (!stack.empty()) {
    Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(e, true) || pool.is_const(e)) continue;
    if (is_connective(pool, e)) {
      for (Expr child : pool.children(e)) stack.push_back(child);
    } else {
      result.push_back(e);
    }
  }
  return result;
}

}  // namespace

std::optional<std::vector<Expr>> cubes(ExprPool& pool, Expr formula, std::size_t max_cubes,
                                       const Limits& limits) {
  auto models = make_solver(SolverId::Z3, pool, limits);
  auto implicants = make_solver(SolverId::Z3, pool, limits);
  models->require(formula);
  implicants->require(pool.negate(formula));
  std::vector<Expr> parts = atoms(pool, formula);
  std::vector<Expr> result;
  for (;;) {
    switch (models->check().answer) {
      case Answer::Unsat:
        return result;
      case Answer::Unknown:
        return std::nullopt;
      case Answer::Sat:
        break;
    }
    if (result.size() == max_cubes) return std::nullopt;
    std::vector<Expr> literals;
    try {
      for (Expr atom : parts)
        literals.push_back(models->value(atom).as_bool() ? atom : pool.negate(atom));
    } catch (const NoValue&) {
      return std::nullopt;
    }
    // Not unsatisfiable: the solver and we disagree on the model, or it gave up.
    if (implicants->check_assuming(literals).answer != Answer::Unsat) return std::nullopt;
    Expr cube = pool.conj(implicants->unsat_core());
    models->require(pool.negate(cube));
    result.push_back(cube);
  }
}

}  // namespace whittle::smt
