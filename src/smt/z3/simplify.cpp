// SPDX-License-Identifier: Apache-2.0
// Z3's tactics behind smt/elimination/quantifier_elimination.h.
#include "smt/elimination/quantifier_elimination.h"

#include "expr/traverse.h"
#include "smt/elimination/equation_elimination.h"
#include "smt/elimination/expand.h"
#include "smt/elimination/reduce.h"
#include "smt/unsupported.h"
#include "smt/watch.h"
#include "smt/z3/context.h"
#include "smt/z3/reader.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

namespace {

// One formula on its way through Z3 and back.
class Z3Rewriting {
 public:
  Z3Rewriting(ExprPool& pool, Expr formula, const Limits& limits)
      : pool_(pool),
        plain_(Expander(pool)(formula)),
        terms_(pool, z3_, logic_of(pool, {&plain_, 1}).datatypes,
               [this](Z3_ast fact) { parts_.push_back(fact); }),
        limits_(limits) {
    terms_.refuse_deep_terms();
    deadline_ = limits.deadline;
    if (limits.time_per_check)
      deadline_ = deadline_.earlier(Deadline::after(*limits.time_per_check));
    parts_.push_back(terms_(plain_));
  }

  // The formula with the ranges of its enumerations.
  Z3_ast term() {
    return z3_.keep(Z3_mk_and(z3_, static_cast<unsigned>(parts_.size()), parts_.data()));
  }

  Z3_ast exists(std::span<const SymbolId> bound) {
    Z3_ast body = term();
    std::vector<Z3_app> variables;
    for (SymbolId symbol : bound) {
      if (!terms_.knows(symbol)) continue;
      Z3_ast variable = z3_.keep(Z3_mk_app(z3_, terms_.declaration(symbol), 0, nullptr));
      variables.push_back(Z3_to_app(z3_, variable));
    }
    if (variables.empty()) return body;
    return z3_.keep(Z3_mk_exists_const(z3_, 0, static_cast<unsigned>(variables.size()),
                                       variables.data(), 0, nullptr, body));
  }

  // The formula after these tactics, one after the other; empty: stopped or not readable.
  std::optional<Expr> after(Z3_ast formula, std::initializer_list<const char*> tactics) {
    if (limits_.cancel.cancelled() || deadline_.passed()) return std::nullopt;
    Z3Ref goal(z3_, Z3_mk_goal(z3_, false, false, false), Z3_goal_inc_ref, Z3_goal_dec_ref);
    Z3_goal_assert(z3_, goal.get(), formula);
    std::vector<Z3Ref<Z3_tactic>> chain;
    for (const char* name : tactics) {
      Z3Ref next(z3_, Z3_mk_tactic(z3_, name), Z3_tactic_inc_ref, Z3_tactic_dec_ref);
      if (!chain.empty())
        next = Z3Ref(z3_, Z3_tactic_and_then(z3_, chain.back().get(), next.get()),
                     Z3_tactic_inc_ref, Z3_tactic_dec_ref);
      chain.push_back(std::move(next));
    }
    z3_.check();
    Z3_apply_result raw = nullptr;
    {
      Watch watch(deadline_, limits_.cancel, nullptr, [this] { Z3_interrupt(z3_); });
      // Z3 takes SIGINT for itself meanwhile; tactics do not let one say otherwise.
      raw = Z3_tactic_apply(z3_, chain.back().get(), goal.get());
    }
    if (raw == nullptr || Z3_get_error_code(z3_) != Z3_OK) return std::nullopt;
    Z3Ref result(z3_, raw, Z3_apply_result_inc_ref, Z3_apply_result_dec_ref);
    return disjunction(result.get());
  }

 private:
  // A tactic may split a goal; each part is a conjunction.
  std::optional<Expr> disjunction(Z3_apply_result result) {
    Z3Reader reader(pool_, z3_, terms_);
    std::vector<Expr> cases;
    for (unsigned i = 0; i < Z3_apply_result_get_num_subgoals(z3_, result); ++i) {
      Z3Ref goal(z3_, Z3_apply_result_get_subgoal(z3_, result, i), Z3_goal_inc_ref,
                 Z3_goal_dec_ref);
      std::vector<Expr> parts;
      for (unsigned j = 0; j < Z3_goal_size(z3_, goal.get()); ++j) {
        auto part = reader.formula(z3_.keep(Z3_goal_formula(z3_, goal.get(), j)));
        if (!part) return std::nullopt;
        parts.push_back(*part);
      }
      cases.push_back(pool_.conj(parts));
    }
    return pool_.disj(cases);
  }

  ExprPool& pool_;
  Expr plain_;
  Z3Context z3_;
  std::vector<Z3_ast> parts_;
  Z3Terms terms_;
  Limits limits_;
  Deadline deadline_;
};

// Whatever fails on the way: there is no result.
template <class Action>
std::optional<Expr> attempt(Action&& action) {
  try {
    return action();
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const ResourceError&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace

// What costs no solver first; Z3 gets the rest.
std::optional<Expr> eliminated(ExprPool& pool, Expr formula, std::span<const SymbolId> bound,
                               const Limits& limits) {
  const PartlyEliminated partly = eliminated_by_equations(pool, formula, bound);
  if (partly.left.empty()) return partly.formula;
  return attempt([&]() -> std::optional<Expr> {
    Z3Rewriting rewriting(pool, partly.formula, limits);
    auto found = rewriting.after(rewriting.exists(partly.left),
                                 {"simplify", "qe-light", "qe2", "simplify", "ctx-simplify"});
    if (!found) return std::nullopt;
    for (SymbolId symbol : symbols(pool, *found))
      for (SymbolId gone : partly.left)
        if (symbol == gone) return std::nullopt;
    return found;
  });
}

std::function<std::optional<Expr>(Expr, std::span<const SymbolId>)> elimination(
    ExprPool& pool, const Limits& limits) {
  return [&pool, limits](Expr formula, std::span<const SymbolId> bound) {
    return eliminated(pool, formula, bound, limits);
  };
}

std::optional<Expr> simplified(ExprPool& pool, Expr formula, Effort effort, const Limits& limits) {
  return attempt([&]() -> std::optional<Expr> {
    Z3Rewriting rewriting(pool, formula, limits);
    switch (effort) {
      case Effort::Rewrite:
        return rewriting.after(rewriting.term(), {"simplify"});
      case Effort::Context:
        return rewriting.after(rewriting.term(), {"simplify", "propagate-values", "ctx-simplify"});
      case Effort::Solver: {
        auto result = rewriting.after(rewriting.term(), {"simplify", "propagate-values"});
        return result ? reduced(pool, *result, limits) : std::nullopt;
      }
    }
    return std::nullopt;
  });
}

}  // namespace whittle::smt
