// SPDX-License-Identifier: Apache-2.0
// People write `x' == x + 1 && x' <= 10`. Every engine is better off with the assignment `x := x +
// 1` and the condition `x + 1 <= 10`, which mean the same: where x + 1 is undefined, both forbid
// the step. A definition may make another one possible (`y' == x' + 1`), so this goes in rounds;
// values are only put in while they are small, so that the terms printed back stay readable.
#include "frontend/sts/effects.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "expr/traverse.h"

namespace whittle::sts {

namespace {

constexpr int kRounds = 64;
constexpr std::size_t kMaxValue = 200;  // operators and leaves of a value that is put in

// A conjunct on its way to an effect.
struct Part {
  Expr expr;
  Span span;
  std::vector<VariableId> next;      // variables whose next value it speaks of
  std::optional<VariableId> target;  // it defines this one, by `expr`
};

class Effects {
 public:
  explicit Effects(Network& network) : network_(network), pool_(network.pool()) {}

  void add(const Conjunct& conjunct) { split(conjunct.expr, conjunct.span, parts_); }

  void find_definitions() {
    for (int round = 0; round < kRounds; ++round) {
      bool found = false;
      for (Part& part : parts_) found = define(part) || found;
      if (!found || !put_in()) return;
    }
  }

  std::vector<Effect> take(const std::vector<Freed>& mentioned) {
    std::vector<Effect> effects;
    std::unordered_map<VariableId, bool> restricted;
    for (Part& part : parts_) {
      Effect effect;
      effect.kind = part.target ? EffectKind::Assign : EffectKind::Relation;
      effect.writes = part.target ? std::vector{*part.target} : std::move(part.next);
      effect.expr = part.expr;
      effect.origin = part.span;
      for (const VariableId variable : effect.writes) restricted[variable] = true;
      effects.push_back(std::move(effect));
    }
    for (const Freed& freed : mentioned) {
      // Each variable once, at its first place.
      if (!restricted.emplace(freed.variable, true).second) continue;
      Effect effect;
      effect.kind = EffectKind::Free;
      effect.writes = {freed.variable};
      effect.origin = freed.span;
      effects.push_back(std::move(effect));
    }
    return effects;
  }

 private:
  void split(Expr conjunction, Span span, std::vector<Part>& parts) const {
    for (const Expr e : whittle::conjuncts(pool_, conjunction)) {
      if (!pool_.is_true(e)) parts.push_back({e, span, next_variables(e), {}});
    }
  }

  [[nodiscard]] std::vector<VariableId> next_variables(Expr e) const {
    std::vector<VariableId> result;
    for (const SymbolId symbol : symbols(pool_, e)) {
      const Role role = network_.role(symbol);
      if (role.kind == RoleKind::Next) result.emplace_back(role.id);
    }
    return result;
  }

  [[nodiscard]] bool is_next(Expr e) const {
    return pool_.is_variable(e) && network_.role(pool_.symbol_of(e)).kind == RoleKind::Next;
  }

  // `x' == e`, `e == x'`, `b'` or `!b'`: the value, if that is what the conjunct is.
  [[nodiscard]] std::optional<Expr> value_in(const Part& part) const {
    if (part.next.size() != 1) return std::nullopt;
    const Expr e = part.expr;
    if (is_next(e)) return pool_.boolean(true);
    if (pool_.op(e) == Op::Not && is_next(pool_.child(e, 0))) return pool_.boolean(false);
    if (pool_.op(e) != Op::Eq) return std::nullopt;
    const Expr left = pool_.child(e, 0);
    const Expr right = pool_.child(e, 1);
    if (is_next(left) && next_variables(right).empty()) return right;
    if (is_next(right) && next_variables(left).empty()) return left;
    return std::nullopt;
  }

  // Makes the part a definition if it is one and its variable has none yet.
  bool define(Part& part) {
    if (part.target) return false;
    const auto value = value_in(part);
    if (!value || !values_.emplace(part.next[0], *value).second) return false;
    part.target = part.next[0];
    part.expr = *value;
    part.next.clear();
    return true;
  }

  // Defined variables disappear from the other parts. Returns whether anything changed.
  bool put_in() {
    std::optional<Substitution> substitution;
    const auto defined = [&](VariableId id) { return values_.contains(id); };
    bool changed = false;
    std::vector<Part> parts;
    for (Part& part : parts_) {
      if (part.target || std::none_of(part.next.begin(), part.next.end(), defined)) {
        parts.push_back(std::move(part));
        continue;
      }
      if (!substitution) {
        substitution.emplace(pool_);
        for (const auto& [variable, value] : values_) {
          if (small(value)) substitution->set(network_.variable(variable).next, value);
        }
      }
      const Expr after = (*substitution)(part.expr);
      changed = changed || after != part.expr;
      split(after, part.span, parts);
    }
    parts_ = std::move(parts);
    // A definition too large to be put in shares its variable with relations and has to be one.
    for (Part& part : parts_) {
      if (part.target && !small(part.expr)) undefine(part);
    }
    return changed;
  }

  void undefine(Part& part) {
    const VariableId id = *part.target;
    const bool shared = std::any_of(parts_.begin(), parts_.end(), [&](const Part& other) {
      return std::find(other.next.begin(), other.next.end(), id) != other.next.end();
    });
    if (!shared) return;
    part.expr = pool_.eq(pool_.symbol(network_.variable(id).next), part.expr);
    part.next = {id};
    part.target.reset();
    // Stays in values_, so that it is not tried again.
  }

  // Whether the term, written out, has at most kMaxValue operators and leaves.
  [[nodiscard]] bool small(Expr value) const {
    std::size_t count = 0;
    std::vector<Expr> open{value};
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      if (++count > kMaxValue) return false;
      const auto children = pool_.children(e);
      open.insert(open.end(), children.begin(), children.end());
    }
    return true;
  }

  Network& network_;
  ExprPool& pool_;
  std::vector<Part> parts_;
  std::unordered_map<VariableId, Expr> values_;
};

}  // namespace

std::vector<Effect> make_effects(Network& network, const std::vector<Conjunct>& conjuncts,
                                 const std::vector<Freed>& mentioned) {
  Effects effects(network);
  for (const Conjunct& conjunct : conjuncts) effects.add(conjunct);
  effects.find_definitions();
  return effects.take(mentioned);
}

}  // namespace whittle::sts
