// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/step_equations.h"

#include <algorithm>
#include <optional>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr int kMaxRounds = 50;

}  // namespace

void flatten(ExprPool& pool, const Part& part, Parts& result) {
  std::vector<Part> open{part};
  while (!open.empty()) {
    const Part p = open.back();
    open.pop_back();
    const auto push = [&](Expr e) { open.push_back({e, p.span, p.common}); };
    const Op op = pool.op(p.term);
    if (op == Op::And) {
      const auto children = pool.children(p.term);
      for (std::size_t i = children.size(); i-- > 0;) push(children[i]);
      continue;
    }
    if (op == Op::Not) {
      const Expr inner = pool.child(p.term, 0);
      const auto children = pool.children(inner);
      if (pool.op(inner) == Op::Or) {
        for (std::size_t i = children.size(); i-- > 0;) push(pool.negate(children[i]));
        continue;
      }
      if (pool.op(inner) == Op::Implies) {
        push(pool.negate(children[1]));
        push(children[0]);
        continue;
      }
    }
    if (!pool.is_true(p.term)) result.push_back(p);
  }
}

Parts with_facts_known(ExprPool& pool, Parts parts) {
  const auto is_fact = [&](Expr e) {
    const Op op = pool.op(e);
    return op != Op::Or && op != Op::Implies && op != Op::Ite && !pool.is_false(e);
  };
  std::unordered_map<Expr, bool> known;
  while (true) {
    const std::size_t before = known.size();
    for (const Part& part : parts) {
      if (!is_fact(part.term)) continue;
      known.emplace(part.term, true);
      known.emplace(pool.negate(part.term), false);
    }
    if (known.size() == before) return parts;
    Rewriter rewrite(pool, [&](Expr e, std::span<const Expr>) -> Expr {
      const auto it = known.find(e);
      return it == known.end() ? Expr() : pool.boolean(it->second);
    });
    Parts rest;
    std::unordered_set<Expr> said;
    for (Part& part : parts) {
      if (is_fact(part.term)) {
        if (said.insert(part.term).second) rest.push_back(part);
      } else {
        flatten(pool, {rewrite(part.term), part.span, part.common}, rest);
      }
    }
    parts = std::move(rest);
  }
}

const StepEquations::Solution* StepEquations::solution(SymbolId unknown) const {
  const auto it = solved_.find(unknown);
  return it == solved_.end() ? nullptr : &it->second;
}

void StepEquations::solve(Parts parts) {
  parts_ = std::move(parts);
  for (int i = 0; i < kMaxRounds; ++i) {
    if (!round() && !settle_pure()) return;
  }
}

// Inputs that conditions mention only as they are, or only negated, get the value that makes these
// true; nothing else looks at them. False: there are none.
bool StepEquations::settle_pure() {
  constexpr std::uint8_t kPositive = 1, kNegative = 2;
  ExprMap<std::uint8_t> seen;
  std::vector<std::pair<Expr, std::uint8_t>> open;
  std::vector<SymbolId> found;
  for (const Part& part : parts_) open.emplace_back(part.term, kPositive);
  for (const auto& [symbol, solution] : solved_) {
    if (next_.contains(symbol)) open.emplace_back(solution.value, kPositive | kNegative);
  }
  while (!open.empty()) {
    const auto [e, how] = open.back();
    open.pop_back();
    const bool fresh = !seen.contains(e);
    std::uint8_t& before = seen[e];
    if ((before | how) == before) continue;
    before = static_cast<std::uint8_t>(before | how);
    if (fresh && is_free_input(e)) found.push_back(pool_.symbol_of(e));
    const std::uint8_t opposite = how == kPositive   ? kNegative
                                  : how == kNegative ? kPositive
                                                     : kPositive | kNegative;
    const auto children = pool_.children(e);
    switch (pool_.op(e)) {
      case Op::And:
      case Op::Or:
        for (const Expr child : children) open.emplace_back(child, how);
        break;
      case Op::Not:
        open.emplace_back(children[0], opposite);
        break;
      case Op::Implies:
        open.emplace_back(children[0], opposite);
        open.emplace_back(children[1], how);
        break;
      default:
        for (const Expr child : children) open.emplace_back(child, kPositive | kNegative);
        break;
    }
  }
  bool any = false;
  for (const SymbolId symbol : found) {
    const Expr e = pool_.symbol(symbol);
    const std::uint8_t how = *seen.find(e);
    if (how == (kPositive | kNegative)) continue;
    parts_.push_back({how == kPositive ? e : pool_.negate(e), Span{}, false});
    any = true;
  }
  return any && round();
}

std::vector<Expr> StepEquations::choice() const {
  const auto is_literal = [&](Expr e) {
    return is_free_input(pool_.op(e) == Op::Not ? pool_.child(e, 0) : e);
  };
  for (const Part& part : parts_) {
    if (pool_.op(part.term) != Op::Or) continue;
    const auto alternatives = pool_.children(part.term);
    const bool choice = std::all_of(alternatives.begin(), alternatives.end(), [&](Expr e) {
      const std::vector<Expr> literals = conjuncts(pool_, e);
      return std::all_of(literals.begin(), literals.end(), is_literal);
    });
    if (choice) return {alternatives.begin(), alternatives.end()};
  }
  return {};
}

// False: nothing was solved.
bool StepEquations::round() {
  definitions_.clear();
  done_ = {};
  find_definitions();
  if (definitions_.empty()) find_cases();
  if (definitions_.empty()) return false;
  // Cycles are found on the way, wherever it begins.
  for (const Part& part : parts_) (void)rewritten(part.term);
  for (auto& [symbol, definition] : definitions_) (void)rewritten(pool_.symbol(symbol));
  std::vector<char> used(parts_.size(), 0);
  bool any = false;
  for (auto& [symbol, definition] : definitions_) {
    if (definition.circular) continue;
    any = true;
    for (const std::size_t part : definition.parts) used[part] = 1;
  }
  if (!any) return false;
  for (auto& [symbol, solution] : solved_) solution.value = rewritten(solution.value);
  for (auto& [symbol, definition] : definitions_) {
    if (definition.circular) continue;
    solved_.emplace(symbol, Solution{rewritten(pool_.symbol(symbol)), definition.solution.span});
  }
  Parts rest;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (used[i] != 0) continue;
    Part part = parts_[i];
    part.term = rewritten(part.term);
    flatten(pool_, part, rest);
  }
  parts_ = std::move(rest);
  return true;
}

bool StepEquations::is_unknown(Expr e) const {
  if (!pool_.is_variable(e)) return false;
  const SymbolId symbol = pool_.symbol_of(e);
  return (inputs_.contains(symbol) || next_.contains(symbol)) && !solved_.contains(symbol);
}

bool StepEquations::is_free_input(Expr e) const {
  return pool_.type(e) == Type::boolean() && is_unknown(e) && inputs_.contains(pool_.symbol_of(e));
}

void StepEquations::find_definitions() {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Expr e = parts_[i].term;
    if (define(e, pool_.boolean(true), i)) continue;
    if (pool_.op(e) == Op::Not) (void)define(pool_.child(e, 0), pool_.boolean(false), i);
    if (pool_.op(e) == Op::Eq) (void)define_by(e, i);
  }
}

bool StepEquations::define(Expr unknown, Expr value, std::size_t part) {
  if (!is_unknown(unknown)) return false;
  Definition definition;
  definition.solution = {value, parts_[part].span};
  definition.parts = {part};
  return definitions_.emplace(pool_.symbol_of(unknown), definition).second;
}

bool StepEquations::define_by(Expr equation, std::size_t part) {
  const Expr left = pool_.child(equation, 0);
  const Expr right = pool_.child(equation, 1);
  return define(left, right, part) || define(right, left, part) ||
         (is_number(pool_, left) && define_by_sum(equation, part));
}

// f u + rest = 0: u is rest times -1/f.
bool StepEquations::define_by_sum(Expr equation, std::size_t part) {
  const Expr left = pool_.child(equation, 0);
  const bool integer = pool_.type(left) == Type::integer();
  const auto sum = summands(pool_, left, pool_.child(equation, 1));
  const auto place = solvable_place(sum, integer, [&](Expr e) {
    return is_unknown(e) && !definitions_.contains(pool_.symbol_of(e));
  });
  if (!place) return false;
  return define(sum[*place].term, solved_for(sum, *place, integer), part);
}

// What the summand at the place is, if the sum is zero.
Expr StepEquations::solved_for(const std::vector<Summand>& sum, std::size_t place, bool integer) {
  const auto number = [&](const Rational& r) {
    return integer ? pool_.integer(r.numerator()) : pool_.real(r);
  };
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (i == place) continue;
    const Rational factor = -sum[i].factor / sum[place].factor;
    terms.push_back(pool_.mul(number(factor), sum[i].term));
  }
  return terms.empty()       ? number(Rational())
         : terms.size() == 1 ? terms[0]
                             : pool_.make(Op::Add, terms);
}

// ----- cases

// The parts of a disjunction; an implication is one.
std::vector<Expr> StepEquations::alternatives(Expr e) {
  std::vector<Expr> result, open{e};
  while (!open.empty()) {
    const Expr d = open.back();
    open.pop_back();
    const auto children = pool_.children(d);
    const Op op = pool_.op(d);
    if (op == Op::Or) {
      for (std::size_t i = children.size(); i-- > 0;) open.push_back(children[i]);
    } else if (op == Op::Implies) {
      open.push_back(children[1]);
      open.push_back(pool_.negate(children[0]));
    } else if (op == Op::Not && pool_.op(children[0]) == Op::And) {
      const auto negated = pool_.children(children[0]);
      for (std::size_t i = negated.size(); i-- > 0;) open.push_back(pool_.negate(negated[i]));
    } else {
      result.push_back(d);
    }
  }
  return result;
}

// What the condition says next values are, one way or another; an equation of an input may as well
// be a question.
std::vector<std::pair<SymbolId, Expr>> StepEquations::equations(Expr e) {
  const auto is_next = [&](Expr unknown) {
    return is_unknown(unknown) && next_.contains(pool_.symbol_of(unknown));
  };
  std::vector<std::pair<SymbolId, Expr>> result;
  if (pool_.op(e) != Op::Eq) {
    const bool negated = pool_.op(e) == Op::Not;
    const Expr unknown = negated ? pool_.child(e, 0) : e;
    if (is_next(unknown)) result.emplace_back(pool_.symbol_of(unknown), pool_.boolean(!negated));
    return result;
  }
  const Expr left = pool_.child(e, 0), right = pool_.child(e, 1);
  if (is_next(left)) result.emplace_back(pool_.symbol_of(left), right);
  if (is_next(right)) result.emplace_back(pool_.symbol_of(right), left);
  if (!result.empty() || !is_number(pool_, left)) return result;
  const bool integer = pool_.type(left) == Type::integer();
  const auto sum = summands(pool_, left, right);
  std::unordered_set<Expr> tried;
  while (const auto place = solvable_place(
             sum, integer, [&](Expr term) { return is_next(term) && !tried.contains(term); })) {
    tried.insert(sum[*place].term);
    result.emplace_back(pool_.symbol_of(sum[*place].term), solved_for(sum, *place, integer));
  }
  return result;
}

// (or c (and d e)) is (or c d) and (or c e), where one of these is an equation.
void StepEquations::distribute() {
  Parts result;
  for (const Part& part : parts_) {
    const std::vector<Expr> all = alternatives(part.term);
    std::vector<Expr> others;
    std::vector<Expr> several;  // of the only alternative that has equations
    for (const Expr alternative : all) {
      const std::vector<Expr> inner = conjuncts(pool_, alternative);
      const bool here = inner.size() > 1 && std::any_of(inner.begin(), inner.end(), [&](Expr e) {
                          return !equations(e).empty();
                        });
      if (here && several.empty()) {
        several = inner;
      } else {
        others.push_back(alternative);
      }
    }
    if (all.size() < 2 || several.empty()) {
      result.push_back(part);
      continue;
    }
    const Expr rest = pool_.disj(others);
    for (const Expr e : several) result.push_back({pool_.disj(rest, e), part.span, part.common});
  }
  parts_ = std::move(result);
}

void StepEquations::find_cases() {
  distribute();
  std::unordered_map<SymbolId, std::vector<Case>> cases;
  std::vector<SymbolId> order;
  for (std::size_t i = 0; i < parts_.size(); ++i) collect_cases(i, order, cases);
  in_cases_.assign(parts_.size(), 0);
  for (const SymbolId unknown : order) {
    if (!define_by_cases(unknown, cases[unknown])) define_by_pair(unknown, cases[unknown]);
  }
}

void StepEquations::collect_cases(std::size_t part, std::vector<SymbolId>& order,
                                  std::unordered_map<SymbolId, std::vector<Case>>& cases) {
  const std::vector<Expr> all = alternatives(parts_[part].term);
  if (all.size() < 2) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = equations(all[i]);
    if (found.empty()) continue;
    std::vector<Expr> conditions;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (j != i) conditions.push_back(pool_.negate(all[j]));
    }
    for (const auto& [unknown, value] : found) {
      std::vector<Case>& of_unknown = cases[unknown];
      if (of_unknown.empty()) order.push_back(unknown);
      of_unknown.push_back({pool_.conj(conditions), value, part});
    }
  }
}

// A conjunction, or the negation of one, as one of many that are written differently.
Expr StepEquations::in_order(Expr e) {
  if (pool_.op(e) == Op::Not && pool_.op(pool_.child(e, 0)) == Op::And)
    return pool_.negate(in_order(pool_.child(e, 0)));
  if (pool_.op(e) != Op::And) return e;
  std::vector<Expr> parts = conjuncts(pool_, e);
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return pool_.conj(parts);
}

// Two of them that are for all cases, where the others are only conditions.
void StepEquations::define_by_pair(SymbolId unknown, const std::vector<Case>& cases) {
  constexpr std::size_t kMaxCases = 16;
  if (cases.size() < 3 || cases.size() > kMaxCases) return;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = i + 1; j < cases.size(); ++j) {
      if (define_by_cases(unknown, {cases[i], cases[j]})) return;
    }
  }
}

// If the last one is for all that the others are not for. Each part is taken for one unknown only:
// an equation of two of them does not define both.
bool StepEquations::define_by_cases(SymbolId unknown, const std::vector<Case>& cases) {
  constexpr std::size_t kMaxCases = 64;
  if (cases.size() < 2 || cases.size() > kMaxCases) return false;
  if (std::any_of(cases.begin(), cases.end(),
                  [&](const Case& c) { return in_cases_[c.part] != 0; }))
    return false;
  const bool by_itself = std::any_of(cases.begin(), cases.end(), [&](const Case& c) {
    const std::vector<SymbolId> used = symbols(pool_, std::vector<Expr>{c.condition, c.value});
    return std::find(used.begin(), used.end(), unknown) != used.end();
  });
  if (by_itself) return false;
  // What holds where none of the others is meant, in parts.
  std::unordered_set<Expr> none;
  for (std::size_t i = 0; i + 1 < cases.size(); ++i) {
    for (const Expr part : conjuncts(pool_, pool_.negate(in_order(cases[i].condition))))
      none.insert(in_order(part));
  }
  const std::vector<Expr> last = conjuncts(pool_, cases.back().condition);
  const bool otherwise =
      std::all_of(last.begin(), last.end(), [&](Expr e) { return none.contains(in_order(e)); });
  if (!otherwise) return false;
  Definition definition;
  definition.solution = {cases.back().value, parts_[cases.front().part].span};
  for (std::size_t i = cases.size() - 1; i-- > 0;) {
    definition.solution.value =
        pool_.ite(cases[i].condition, cases[i].value, definition.solution.value);
  }
  // What follows from the choice need not be said again: a case that no earlier one can overrule.
  for (std::size_t i = 0; i < cases.size(); ++i) {
    bool alone = true;
    for (std::size_t j = 0; j < i && alone; ++j)
      alone = exclude_each_other(cases[i].condition, cases[j].condition);
    if (alone) definition.parts.push_back(cases[i].part);
  }
  for (const Case& c : cases) in_cases_[c.part] = 1;
  return definitions_.emplace(unknown, std::move(definition)).second;
}

// Some part of `a` is the negation of a conjunction all of whose parts are among those of `b`.
bool StepEquations::denies(Expr a, Expr b) {
  std::unordered_set<Expr> parts;
  for (const Expr e : conjuncts(pool_, b)) parts.insert(in_order(e));
  const std::vector<Expr> denials = conjuncts(pool_, a);
  return std::any_of(denials.begin(), denials.end(), [&](Expr e) {
    const std::vector<Expr> denied = conjuncts(pool_, pool_.negate(in_order(e)));
    return std::all_of(denied.begin(), denied.end(),
                       [&](Expr d) { return parts.contains(in_order(d)); });
  });
}

// They have contrary parts, or parts that say that one term is two numbers, or one of them contains
// what another denies.
bool StepEquations::exclude_each_other(Expr a, Expr b) {
  if (denies(a, b) || denies(b, a)) return true;
  std::unordered_set<Expr> negated;
  std::unordered_map<Expr, Expr> constants;
  const auto compared = [&](Expr e) -> std::optional<std::pair<Expr, Expr>> {
    if (pool_.op(e) != Op::Eq) return std::nullopt;
    const Expr left = pool_.child(e, 0), right = pool_.child(e, 1);
    if (pool_.is_const(right)) return {{left, right}};
    if (pool_.is_const(left)) return {{right, left}};
    return std::nullopt;
  };
  for (const Expr e : conjuncts(pool_, a)) {
    negated.insert(pool_.negate(e));
    if (const auto c = compared(e)) constants.insert(*c);
  }
  for (const Expr e : conjuncts(pool_, b)) {
    if (negated.contains(e)) return true;
    const auto c = compared(e);
    if (!c) continue;
    const auto other = constants.find(c->first);
    if (other != constants.end() && other->second != c->second) return true;
  }
  return false;
}

// ----- rewriting: terms and, through unknowns, what they are

Expr StepEquations::rewritten(Expr root) {
  visit(root);
  while (!stack_.empty()) step();
  return *done_.find(root);
}

void StepEquations::visit(Expr e) {
  if (done_.contains(e)) return;
  if (is_unknown(e)) {
    const auto it = definitions_.find(pool_.symbol_of(e));
    if (it == definitions_.end()) {
      done_.insert(e, e);
    } else if (it->second.state == Definition::State::Open) {
      it->second.circular = true;
      done_.insert(e, e);
    } else {
      it->second.state = Definition::State::Open;
      stack_.push_back({e, 0, &it->second});
    }
    return;
  }
  if (pool_.children(e).empty()) {
    done_.insert(e, e);
    return;
  }
  stack_.push_back({e, 0, nullptr});
}

void StepEquations::step() {
  Frame& frame = stack_.back();
  if (frame.definition != nullptr) {
    Definition& definition = *frame.definition;
    if (frame.child == 0) {
      frame.child = 1;
      return visit(definition.solution.value);
    }
    definition.state = Definition::State::Done;
    if (!definition.circular) done_.insert(frame.term, *done_.find(definition.solution.value));
    stack_.pop_back();
    return;
  }
  const auto children = pool_.children(frame.term);
  if (frame.child < children.size()) return visit(children[frame.child++]);
  const Expr e = frame.term;
  stack_.pop_back();
  arguments_.clear();
  bool changed = false;
  for (const Expr child : children) {
    arguments_.push_back(*done_.find(child));
    changed = changed || arguments_.back() != child;
  }
  done_.insert(e, changed ? pool_.with_arguments(e, arguments_) : e);
}

}  // namespace whittle::simplify
