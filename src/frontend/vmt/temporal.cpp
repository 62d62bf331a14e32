// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/temporal.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle::vmt {

namespace {

constexpr std::array<std::string_view, 5> kNames = {"ltl.G", "ltl.F", "ltl.X", "ltl.U", "ltl.R"};
constexpr std::array<std::size_t, 5> kArity = {1, 1, 1, 2, 2};

// From children to parents: terms without temporal operators become atoms when a formula needs
// them.
class Reading {
 public:
  Reading(LtlPool& ltl, ExprPool& pool) : ltl_(ltl), pool_(pool) {}

  [[nodiscard]] bool temporal(Expr e) const { return made_.contains(e); }
  void put(Expr e, LtlFormula f) { made_[e] = f; }
  LtlFormula of(Expr e) {
    if (const auto found = made_.find(e); found != made_.end()) return found->second;
    return pool_.is_const(e) ? ltl_.constant(pool_.is_true(e)) : ltl_.atom(e);
  }

  // Invalid: no connective.
  LtlFormula connective(Expr e) {
    const auto children = pool_.children(e);
    switch (pool_.op(e)) {
      case Op::Not:
        return ltl_.negation(of(children[0]));
      case Op::And:
      case Op::Or:
        return junction(e);
      case Op::Implies:
        return ltl_.implies(of(children[0]), of(children[1]));
      case Op::Eq:
        if (pool_.type(children[0]) != Type::boolean()) return {};
        return ltl_.equivalent(of(children[0]), of(children[1]));
      case Op::Ite:
        if (pool_.type(e) != Type::boolean()) return {};
        return ltl_.both(ltl_.implies(of(children[0]), of(children[1])),
                         ltl_.either(of(children[0]), of(children[2])));
      default:
        return {};
    }
  }

 private:
  // Conditions side by side are one.
  LtlFormula junction(Expr e) {
    const bool all = pool_.op(e) == Op::And;
    std::vector<Expr> conditions;
    std::vector<LtlFormula> parts;
    for (const Expr child : pool_.children(e)) {
      if (temporal(child)) {
        parts.push_back(of(child));
      } else {
        conditions.push_back(child);
      }
    }
    if (!conditions.empty())
      parts.push_back(of(all ? pool_.conj(conditions) : pool_.disj(conditions)));
    return all ? ltl_.conjunction(parts) : ltl_.disjunction(parts);
  }

  LtlPool& ltl_;
  ExprPool& pool_;
  std::unordered_map<Expr, LtlFormula> made_;
};

}  // namespace

TemporalOperators::TemporalOperators(ExprPool& pool) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    symbols_[i] = pool.declare(std::string(kNames[i]), Type::boolean(),
                               std::vector<Type>(kArity[i], Type::boolean()));
  }
}

std::size_t TemporalOperators::arity(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return found == kNames.end() ? 0 : kArity[static_cast<std::size_t>(found - kNames.begin())];
}

Expr TemporalOperators::apply(ExprPool& pool, std::string_view name,
                              std::span<const Expr> arguments) const {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  return pool.apply(symbols_[static_cast<std::size_t>(found - kNames.begin())], arguments);
}

std::optional<TemporalOperators::Position> TemporalOperators::position(const ExprPool& pool,
                                                                       Expr e) const {
  if (pool.op(e) != Op::Apply) return std::nullopt;
  const auto found = std::find(symbols_.begin(), symbols_.end(), pool.symbol_of(e));
  if (found == symbols_.end()) return std::nullopt;
  return static_cast<Position>(found - symbols_.begin());
}

bool TemporalOperators::mentioned(const ExprPool& pool, Expr e) const {
  const std::vector<SymbolId> all = whittle::symbols(pool, e);
  return std::any_of(all.begin(), all.end(), [&](SymbolId symbol) {
    return std::find(symbols_.begin(), symbols_.end(), symbol) != symbols_.end();
  });
}

LtlFormula TemporalOperators::formula(LtlPool& ltl, ExprPool& pool, Expr root) const {
  Reading made(ltl, pool);
  bool whole = true;
  for_each_subterm(pool, root, [&](Expr e) {
    if (!whole) return;
    const auto children = pool.children(e);
    const auto at = position(pool, e);
    LtlFormula f;
    if (!at) {
      const bool temporal = std::any_of(children.begin(), children.end(),
                                        [&](Expr child) { return made.temporal(child); });
      if (!temporal) return;
      f = made.connective(e);
    } else if (*at == G) {
      f = ltl.always(made.of(children[0]));
    } else if (*at == F) {
      f = ltl.eventually(made.of(children[0]));
    } else if (*at == X) {
      f = ltl.next(made.of(children[0]));
    } else if (*at == U) {
      f = ltl.until(made.of(children[0]), made.of(children[1]));
    } else {
      f = ltl.release(made.of(children[0]), made.of(children[1]));
    }
    whole = f.valid();
    made.put(e, f);
  });
  return whole ? made.of(root) : LtlFormula();
}

Expr TemporalOperators::term(const LtlPool& ltl, ExprPool& pool, LtlFormula root) const {
  std::unordered_map<std::size_t, Expr> made;
  const auto applied = [&](Position at, std::initializer_list<Expr> arguments) {
    return pool.apply(symbols_[at], std::span(arguments.begin(), arguments.size()));
  };
  for (const LtlFormula f : ltl.subformulas(root)) {
    std::vector<Expr> parts;
    for (const LtlFormula child : ltl.children(f)) parts.push_back(made.at(child.index()));
    Expr e;
    switch (ltl.op(f)) {
      case LtlOp::True:
      case LtlOp::False:
        e = pool.boolean(ltl.is_true(f));
        break;
      case LtlOp::Atom:
        e = ltl.condition(f);
        break;
      case LtlOp::Not:
        e = pool.negate(parts[0]);
        break;
      case LtlOp::And:
        e = pool.conj(parts);
        break;
      case LtlOp::Or:
        e = pool.disj(parts);
        break;
      case LtlOp::Next:
        e = applied(X, {parts[0]});
        break;
      case LtlOp::Until:
        e = ltl.is_eventually(f) ? applied(F, {parts[1]}) : applied(U, {parts[0], parts[1]});
        break;
      case LtlOp::Release:
        e = ltl.is_always(f) ? applied(G, {parts[1]}) : applied(R, {parts[0], parts[1]});
        break;
      case LtlOp::Since:
      case LtlOp::Trigger:
        throw InternalError("VMT-LIB has no operators about the past");
    }
    made.emplace(f.index(), e);
  }
  return made.at(root.index());
}

}  // namespace whittle::vmt
