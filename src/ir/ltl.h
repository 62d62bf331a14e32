// SPDX-License-Identifier: Apache-2.0
// Formulas of linear temporal logic with past, hash-consed: a formula is a 32-bit handle, equal
// formulas have equal handles, and children have smaller handles than their parents. Atoms are
// conditions, Bool terms over one state (and, where a language has `taken`, the step that leaves
// it); places of a control graph are such terms already (Network::at).
//
//   LtlPool ltl;
//   LtlFormula served = ltl.always(ltl.implies(ltl.atom(request),
//   ltl.eventually(ltl.atom(reply))));
//
// Meaning, on an infinite word of states: `Next` speaks of the next position, `Until` (a U b) and
// `Since` (a S b) are strong, `Release` (a R b) and `Trigger` (a T b) are their duals. The other
// operators are built from these: <>f = true U f, []f = false R f, a W b = b R (a || b),
// once f = true S f, historically f = false T f.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "ir/ltl_formula.h"

namespace whittle {

enum class LtlOp : std::uint8_t {
  True,
  False,
  Atom,
  Not,
  And,  // two or more
  Or,   // two or more
  Next,
  Until,
  Release,
  Since,
  Trigger,
};

class LtlPool {
 public:
  LtlPool();

  // ----- building; folds constants, flattens and sorts And and Or, nothing else
  [[nodiscard]] LtlFormula constant(bool value) const { return value ? true_ : false_; }
  LtlFormula atom(Expr condition);
  LtlFormula negation(LtlFormula f);
  LtlFormula conjunction(std::span<const LtlFormula> parts) { return junction(LtlOp::And, parts); }
  LtlFormula disjunction(std::span<const LtlFormula> parts) { return junction(LtlOp::Or, parts); }
  LtlFormula both(LtlFormula a, LtlFormula b) { return junction(LtlOp::And, {{a, b}}); }
  LtlFormula either(LtlFormula a, LtlFormula b) { return junction(LtlOp::Or, {{a, b}}); }
  LtlFormula next(LtlFormula f);
  LtlFormula until(LtlFormula a, LtlFormula b) { return binary(LtlOp::Until, a, b); }
  LtlFormula release(LtlFormula a, LtlFormula b) { return binary(LtlOp::Release, a, b); }
  LtlFormula since(LtlFormula a, LtlFormula b) { return binary(LtlOp::Since, a, b); }
  LtlFormula trigger(LtlFormula a, LtlFormula b) { return binary(LtlOp::Trigger, a, b); }
  LtlFormula implies(LtlFormula a, LtlFormula b) { return either(negation(a), b); }
  LtlFormula equivalent(LtlFormula a, LtlFormula b);
  LtlFormula eventually(LtlFormula f) { return until(true_, f); }
  LtlFormula always(LtlFormula f) { return release(false_, f); }
  LtlFormula weak_until(LtlFormula a, LtlFormula b) { return release(b, either(a, b)); }
  LtlFormula once(LtlFormula f) { return since(true_, f); }
  LtlFormula historically(LtlFormula f) { return trigger(false_, f); }
  // The operator on other arguments, folded as above. requires: not Atom
  LtlFormula make(LtlOp op, std::span<const LtlFormula> arguments);

  // ----- looking
  [[nodiscard]] LtlOp op(LtlFormula f) const { return nodes_[f.index()].op; }
  [[nodiscard]] std::span<const LtlFormula> children(LtlFormula f) const {
    return nodes_[f.index()].children;
  }
  [[nodiscard]] LtlFormula child(LtlFormula f, std::size_t i) const { return children(f)[i]; }
  [[nodiscard]] Expr condition(LtlFormula f) const;   // requires: Atom
  [[nodiscard]] bool is_literal(LtlFormula f) const;  // an atom or its negation
  [[nodiscard]] bool is_true(LtlFormula f) const { return f == true_; }
  [[nodiscard]] bool is_false(LtlFormula f) const { return f == false_; }
  [[nodiscard]] bool is_eventually(LtlFormula f) const;  // true U f
  [[nodiscard]] bool is_always(LtlFormula f) const;      // false R f
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // The formula and all below it, children before parents.
  [[nodiscard]] std::vector<LtlFormula> subformulas(LtlFormula f) const;
  // Conjuncts of a conjunction, in the order of handles; another formula is its own only one.
  [[nodiscard]] std::vector<LtlFormula> conjuncts(LtlFormula f) const;
  // The conditions of its atoms, in the order of their first occurrence in `subformulas`.
  [[nodiscard]] std::vector<Expr> atoms(LtlFormula f) const;
  // Does one of these operators occur?
  [[nodiscard]] bool mentions(LtlFormula f, std::initializer_list<LtlOp> operators) const;

 private:
  struct Node {
    LtlOp op = LtlOp::True;
    Expr condition;  // of an Atom
    std::vector<LtlFormula> children;

    auto operator<=>(const Node&) const = default;
  };

  LtlFormula intern(Node node);
  LtlFormula binary(LtlOp op, LtlFormula a, LtlFormula b);
  LtlFormula junction(LtlOp op, std::span<const LtlFormula> parts);
  LtlFormula junction(LtlOp op, std::initializer_list<LtlFormula> parts) {
    return junction(op, std::span<const LtlFormula>(parts.begin(), parts.size()));
  }

  std::vector<Node> nodes_;
  std::map<Node, LtlFormula> index_;
  LtlFormula true_;
  LtlFormula false_;
};

// Negation normal form: `f`, or its negation if not `positive`, with negations in front of atoms
// only. `literal` says what stands for an atom or for its negation (none: just these).
using LtlLiteral = std::function<LtlFormula(Expr condition, bool positive)>;
[[nodiscard]] LtlFormula negation_normal_form(LtlPool& ltl, LtlFormula f, bool positive = true,
                                              const LtlLiteral& literal = {});

// What a property demands of a run, in negation normal form: an atom that is undefined counts
// against the property in either polarity, so `a` becomes `defined(a) && a` and `!a` becomes the
// atom `defined(a) && !a`. Conditions that are total are split at their Boolean operators; the
// others stay in one piece, because they are evaluated lazily. Past and future alike. What refutes
// a property is the negation of this, not this of the negation.
//
// definedness() does not know references that dangle: who evaluates an atom takes "undefined" for
// false, which is right because such atoms occur without negation only.
[[nodiscard]] LtlFormula demanded(LtlPool& ltl, ExprPool& pool, LtlFormula f);

// The runs that refute a property: they satisfy the assumption (invalid: there is none) and not the
// property. An assumption is false where one of its atoms is undefined, so it excuses nothing.
[[nodiscard]] LtlFormula refuting(LtlPool& ltl, ExprPool& pool, LtlFormula property,
                                  LtlFormula assumption = {});

}  // namespace whittle
