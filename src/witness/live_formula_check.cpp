// SPDX-License-Identifier: Apache-2.0
#include "witness/live_formula_check.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "expr/traverse.h"
#include "witness/automaton_check.h"

namespace whittle {

namespace {

// Reads the variables of past operators back into the formula.
class PastCheck {
 public:
  PastCheck(LtlPool& ltl, ExprPool& pool, const std::vector<HistoryVariable>& history)
      : ltl_(ltl), pool_(pool), history_(history) {}

  // The formula with a condition of the present for each past operator; invalid: the variables are
  // others than it needs.
  LtlFormula operator()(LtlFormula f) {
    std::unordered_map<LtlFormula, LtlFormula> done;
    for (LtlFormula g : ltl_.subformulas(f)) {
      std::vector<LtlFormula> parts;
      for (LtlFormula child : ltl_.children(g)) parts.push_back(done.at(child));
      const LtlOp op = ltl_.op(g);
      if (op == LtlOp::Atom) {
        done[g] = g;
      } else if (op == LtlOp::Since || op == LtlOp::Trigger) {
        const LtlFormula now = remembered(op, parts[0], parts[1]);
        if (!now.valid()) return {};
        done[g] = now;
      } else {
        done[g] = ltl_.make(op, parts);
      }
    }
    return next_ == history_.size() ? done.at(f) : LtlFormula();
  }

 private:
  LtlFormula remembered(LtlOp op, LtlFormula a, LtlFormula b) {
    if (next_ == history_.size()) return {};
    const HistoryVariable& variable = history_[next_++];
    const bool since = op == LtlOp::Since;
    if (variable.first == since) return {};
    const LtlFormula before = ltl_.atom(pool_.symbol(variable.symbol));
    const LtlFormula now =
        since ? ltl_.either(b, ltl_.both(a, before)) : ltl_.both(b, ltl_.either(a, before));
    return condition(now) == variable.next ? now : LtlFormula();
  }

  // Without temporal operators, as a condition; invalid: it has some.
  Expr condition(LtlFormula f) {
    std::unordered_map<LtlFormula, Expr> of;
    for (LtlFormula g : ltl_.subformulas(f)) {
      std::vector<Expr> parts;
      for (LtlFormula child : ltl_.children(g)) parts.push_back(of.at(child));
      switch (ltl_.op(g)) {
        case LtlOp::True:
        case LtlOp::False:
          of[g] = pool_.boolean(ltl_.is_true(g));
          break;
        case LtlOp::Atom:
          of[g] = ltl_.condition(g);
          break;
        case LtlOp::Not:
          of[g] = pool_.negate(parts[0]);
          break;
        case LtlOp::And:
          of[g] = pool_.conj(parts);
          break;
        case LtlOp::Or:
          of[g] = pool_.disj(parts);
          break;
        default:
          return {};
      }
    }
    return of.at(f);
  }

  LtlPool& ltl_;
  ExprPool& pool_;
  const std::vector<HistoryVariable>& history_;
  std::size_t next_ = 0;
};

// A cycle through states outside `sinks` that meets every acceptance set.
bool accepts_outside(const Automaton& automaton, const std::vector<std::uint32_t>& sinks) {
  const std::size_t n = automaton.size();
  std::vector<char> inside(n, 1);
  for (std::uint32_t q : sinks) inside[q] = 0;
  const auto reached = [&](std::uint32_t from) {  // in one step or more
    std::vector<char> seen(n, 0);
    std::vector<std::uint32_t> open = {from};
    while (!open.empty()) {
      const std::uint32_t q = open.back();
      open.pop_back();
      for (const Automaton::Edge& edge : automaton.edges[q]) {
        if (inside[edge.target] == 0 || seen[edge.target] != 0) continue;
        seen[edge.target] = 1;
        open.push_back(edge.target);
      }
    }
    return seen;
  };
  std::vector<std::vector<char>> reach;
  for (std::uint32_t q = 0; q < n; ++q)
    reach.push_back(inside[q] != 0 ? reached(q) : std::vector<char>(n, 0));
  for (std::uint32_t q = 0; q < n; ++q) {
    if (reach[q][q] == 0) continue;
    std::vector<char> met(automaton.acceptance, 0);
    for (std::uint32_t p = 0; p < n; ++p) {
      if (reach[q][p] == 0 || reach[p][q] == 0) continue;
      for (const Automaton::Edge& edge : automaton.edges[p]) {
        if (inside[edge.target] == 0 || reach[q][edge.target] == 0 || reach[edge.target][q] == 0)
          continue;
        for (std::uint32_t mark : edge.marks) met[mark] = 1;
      }
    }
    if (std::count(met.begin(), met.end(), 0) == 0) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> live_formula_problem(LtlPool& ltl, ExprPool& pool, LtlFormula refuting,
                                                const LiveFormula& formula,
                                                const AutomatonCertificate& certificate,
                                                const TransitionSystem& system) {
  std::unordered_set<SymbolId> known;
  for (const StateVariable& variable : system.variables) known.insert(variable.current);
  for (Expr atom : ltl.atoms(refuting)) {
    for (SymbolId symbol : symbols(pool, atom)) known.insert(symbol);
  }
  if (formula.variables.size() != 1 + formula.history.size())
    return "the product has other variables than it needs";
  for (std::size_t i = 0; i < formula.variables.size(); ++i) {
    const SymbolId symbol = formula.variables[i].current;
    if (!known.insert(symbol).second) return "a variable of the product is not new";
    if (i > 0 && symbol != formula.history[i - 1].symbol)
      return "the product has other variables than the past operators need";
  }
  const LtlFormula now = PastCheck(ltl, pool, formula.history)(refuting);
  if (!now.valid()) return "the variables of past operators are not those of the formula";
  if (now != certificate.formula) return "the automaton is one of another formula";
  if (auto problem = automaton_problem(ltl, formula.automaton, certificate)) return problem;
  if (formula.sinks && accepts_outside(formula.automaton, *formula.sinks))
    return "the automaton accepts outside of the states that are looked for";
  return std::nullopt;
}

}  // namespace whittle
