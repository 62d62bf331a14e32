// SPDX-License-Identifier: Apache-2.0
#include "ir/ltl.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/checkpoint.h"
#include "expr/traverse.h"

namespace whittle {

LtlPool::LtlPool() {
  true_ = intern({LtlOp::True, {}, {}});
  false_ = intern({LtlOp::False, {}, {}});
}

LtlFormula LtlPool::intern(Node node) {
  const auto known = index_.find(node);
  if (known != index_.end()) return known->second;
  const LtlFormula f(nodes_.size());
  nodes_.push_back(node);
  index_.emplace(std::move(node), f);
  return f;
}

LtlFormula LtlPool::atom(Expr condition) {
  WHITTLE_REQUIRE(condition.valid(), "an atom needs a condition");
  return intern({LtlOp::Atom, condition, {}});
}

LtlFormula LtlPool::negation(LtlFormula f) {
  if (f == true_) return false_;
  if (f == false_) return true_;
  if (op(f) == LtlOp::Not) return child(f, 0);
  return intern({LtlOp::Not, {}, {f}});
}

LtlFormula LtlPool::next(LtlFormula f) {
  if (f == true_ || f == false_) return f;
  return intern({LtlOp::Next, {}, {f}});
}

// With `strong` for U and S: a U false = false, a U true = true, false U b = b, and dually.
LtlFormula LtlPool::binary(LtlOp op, LtlFormula a, LtlFormula b) {
  const bool strong = op == LtlOp::Until || op == LtlOp::Since;
  if (b == true_ || b == false_) return b;
  if (a == constant(!strong)) return b;
  if (a == b) return b;
  return intern({op, {}, {a, b}});
}

LtlFormula LtlPool::junction(LtlOp op, std::span<const LtlFormula> parts) {
  const LtlFormula neutral = constant(op == LtlOp::And);
  const LtlFormula absorbing = constant(op == LtlOp::Or);
  std::vector<LtlFormula> flat;
  for (LtlFormula part : parts) {
    if (this->op(part) == op) {
      const auto inner = children(part);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else if (part != neutral) {
      flat.push_back(part);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  // `a || !a` stays: where `a` is undefined it counts as false.
  if (std::binary_search(flat.begin(), flat.end(), absorbing)) return absorbing;
  if (flat.empty()) return neutral;
  if (flat.size() == 1) return flat.front();
  return intern({op, {}, std::move(flat)});
}

LtlFormula LtlPool::equivalent(LtlFormula a, LtlFormula b) {
  return either(both(a, b), both(negation(a), negation(b)));
}

LtlFormula LtlPool::make(LtlOp op, std::span<const LtlFormula> arguments) {
  switch (op) {
    case LtlOp::True:
    case LtlOp::False:
      return constant(op == LtlOp::True);
    case LtlOp::Not:
      return negation(arguments[0]);
    case LtlOp::And:
    case LtlOp::Or:
      return junction(op, arguments);
    case LtlOp::Next:
      return next(arguments[0]);
    case LtlOp::Until:
    case LtlOp::Release:
    case LtlOp::Since:
    case LtlOp::Trigger:
      return binary(op, arguments[0], arguments[1]);
    case LtlOp::Atom:
      break;
  }
  throw InternalError("an atom is not made of formulas");
}

Expr LtlPool::condition(LtlFormula f) const {
  WHITTLE_REQUIRE(op(f) == LtlOp::Atom, "only atoms have conditions");
  return nodes_[f.index()].condition;
}

bool LtlPool::is_literal(LtlFormula f) const {
  return op(f) == LtlOp::Atom || (op(f) == LtlOp::Not && op(child(f, 0)) == LtlOp::Atom);
}

bool LtlPool::is_eventually(LtlFormula f) const {
  return op(f) == LtlOp::Until && child(f, 0) == true_;
}

bool LtlPool::is_always(LtlFormula f) const {
  return op(f) == LtlOp::Release && child(f, 0) == false_;
}

// Handles of children are smaller, so going through the handles downwards meets every parent
// before its children.
std::vector<LtlFormula> LtlPool::subformulas(LtlFormula f) const {
  std::vector<bool> below(f.index() + 1, false);
  below[f.index()] = true;
  std::vector<LtlFormula> result;
  for (std::uint32_t i = f.index() + 1; i-- > 0;) {
    if (!below[i]) continue;
    result.emplace_back(i);
    for (LtlFormula child : nodes_[i].children) below[child.index()] = true;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<LtlFormula> LtlPool::conjuncts(LtlFormula f) const {
  if (op(f) == LtlOp::And) return nodes_[f.index()].children;
  if (f == true_) return {};
  return {f};
}

std::vector<Expr> LtlPool::atoms(LtlFormula f) const {
  std::vector<Expr> result;
  for (LtlFormula g : subformulas(f)) {
    if (op(g) == LtlOp::Atom) result.push_back(condition(g));
  }
  return result;
}

bool LtlPool::mentions(LtlFormula f, std::initializer_list<LtlOp> operators) const {
  const auto all = subformulas(f);
  return std::any_of(all.begin(), all.end(), [&](LtlFormula g) {
    return std::find(operators.begin(), operators.end(), op(g)) != operators.end();
  });
}

namespace {

LtlOp dual(LtlOp op) {
  switch (op) {
    case LtlOp::True:
      return LtlOp::False;
    case LtlOp::False:
      return LtlOp::True;
    case LtlOp::And:
      return LtlOp::Or;
    case LtlOp::Or:
      return LtlOp::And;
    case LtlOp::Until:
      return LtlOp::Release;
    case LtlOp::Release:
      return LtlOp::Until;
    case LtlOp::Since:
      return LtlOp::Trigger;
    case LtlOp::Trigger:
      return LtlOp::Since;
    case LtlOp::Next:
    case LtlOp::Atom:
    case LtlOp::Not:
      return op;
  }
  return op;
}

// The forms of a formula in positive [1] and negative [0] polarity, where they are needed.
struct Polarities {
  std::optional<LtlFormula> form[2];
  bool needed[2] = {false, false};
};

class Normalizer {
 public:
  Normalizer(LtlPool& ltl, const LtlLiteral& literal) : ltl_(ltl), literal_(literal) {}

  LtlFormula operator()(LtlFormula f, bool positive) {
    const auto below = ltl_.subformulas(f);
    polarities_[f].needed[positive] = true;
    for (auto g = below.rbegin(); g != below.rend(); ++g) mark_children(*g);
    for (LtlFormula g : below) {
      for (const bool sign : {false, true}) {
        if (polarities_[g].needed[sign]) polarities_[g].form[sign] = form(g, sign);
      }
    }
    return *polarities_[f].form[positive];
  }

 private:
  void mark_children(LtlFormula g) {
    for (const bool sign : {false, true}) {
      if (!polarities_[g].needed[sign]) continue;
      for (LtlFormula child : ltl_.children(g))
        polarities_[child].needed[ltl_.op(g) == LtlOp::Not ? !sign : sign] = true;
    }
  }

  LtlFormula form(LtlFormula g, bool sign) {
    const LtlOp op = ltl_.op(g);
    if (op == LtlOp::Not) return *polarities_[ltl_.child(g, 0)].form[!sign];
    if (op == LtlOp::Atom) {
      if (literal_) return literal_(ltl_.condition(g), sign);
      return sign ? g : ltl_.negation(g);
    }
    std::vector<LtlFormula> arguments;
    for (LtlFormula child : ltl_.children(g)) arguments.push_back(*polarities_[child].form[sign]);
    return ltl_.make(sign ? op : dual(op), arguments);
  }

  LtlPool& ltl_;
  const LtlLiteral& literal_;
  std::unordered_map<LtlFormula, Polarities> polarities_;
};

// A total condition as a formula whose atoms have no Boolean operator outside.
LtlFormula split(LtlPool& ltl, const ExprPool& pool, Expr condition) {
  std::unordered_map<Expr, LtlFormula> done;
  for_each_subterm(pool, condition, [&](Expr e) {
    if (pool.type(e) != Type::boolean()) return;
    std::vector<LtlFormula> parts;
    for (Expr child : pool.children(e)) {
      const auto part = done.find(child);
      if (part != done.end()) parts.push_back(part->second);
    }
    switch (pool.op(e)) {
      case Op::Not:
        done[e] = ltl.negation(parts[0]);
        break;
      case Op::And:
        done[e] = ltl.conjunction(parts);
        break;
      case Op::Or:
        done[e] = ltl.disjunction(parts);
        break;
      case Op::Implies:
        done[e] = ltl.implies(parts[0], parts[1]);
        break;
      default:
        done[e] = pool.is_const(e) ? ltl.constant(pool.is_true(e)) : ltl.atom(e);
        break;
    }
  });
  return done.at(condition);
}

}  // namespace

LtlFormula negation_normal_form(LtlPool& ltl, LtlFormula f, bool positive,
                                const LtlLiteral& literal) {
  return Normalizer(ltl, literal)(f, positive);
}

LtlFormula demanded(LtlPool& ltl, ExprPool& pool, LtlFormula f) {
  const auto literal = [&](Expr condition, bool positive) {
    const Expr claim = positive ? condition : pool.negate(condition);
    // The parts of a condition that can be undefined guard each other, so it stays in one piece.
    if (!pool.total(condition)) return ltl.atom(pool.conj(definedness(pool, condition), claim));
    return negation_normal_form(ltl, split(ltl, pool, claim));
  };
  return negation_normal_form(ltl, f, true, literal);
}

LtlFormula refuting(LtlPool& ltl, ExprPool& pool, LtlFormula property, LtlFormula assumption) {
  const LtlFormula against = negation_normal_form(ltl, demanded(ltl, pool, property), false);
  return assumption.valid() ? ltl.both(demanded(ltl, pool, assumption), against) : against;
}

}  // namespace whittle
