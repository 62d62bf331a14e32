// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/currencies.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "expr/traverse.h"

namespace whittle::rebel {

namespace {

// What a term can be: nothing yet, one constant, or anything.
struct Known {
  enum class Kind : std::uint8_t { Nothing, One, Anything };
  Kind kind = Kind::Nothing;
  Expr constant;

  static Known one(Expr constant) { return {Kind::One, constant}; }
  static Known anything() { return {Kind::Anything, {}}; }
  // Whether it changed.
  bool join(const Known& other) {
    if (other.kind == Kind::Nothing || kind == Kind::Anything) return false;
    if (kind == Kind::One && other.kind == Kind::One && constant == other.constant) return false;
    *this = kind == Kind::Nothing ? other : anything();
    return true;
  }
};

constexpr int kRounds = 8;          // fields that get their currency from one another
constexpr std::size_t kTerms = 64;  // alternatives of one conditional value

class Currencies {
 public:
  explicit Currencies(const Network& network) : network_(network), pool_(network.pool()) {
    for (const Event& event : network.events()) {
      for (const Guard& guard : event.guards) fix(guard.condition);
    }
    known_ = settle();
  }

  [[nodiscard]] Known of(Expr currency) const { return of(currency, known_); }

 private:
  using ByVariable = std::unordered_map<VariableId, Known>;

  // A precondition that says what currency a parameter has.
  void fix(Expr condition) {
    for (const Expr e : conjuncts(pool_, condition)) {
      if (pool_.op(e) != Op::Eq) continue;
      Expr term = pool_.child(e, 0);
      Expr constant = pool_.child(e, 1);
      if (pool_.is_const(term)) std::swap(term, constant);
      if (!pool_.is_const(constant) || !pool_.is_variable(term)) continue;
      const SymbolId symbol = pool_.symbol_of(term);
      if (network_.role(symbol).kind == RoleKind::Input) fixed_.try_emplace(symbol, constant);
    }
  }

  [[nodiscard]] ByVariable settle() const {
    ByVariable result;
    for (int round = 0; round < kRounds; ++round) {
      bool changed = false;
      for (const Event& event : network_.events()) {
        for (const Effect& effect : event.effects) {
          for (const VariableId variable : effect.writes) {
            const Known value =
                effect.kind == EffectKind::Assign ? of(effect.expr, result) : Known::anything();
            changed = result[variable].join(value) || changed;
          }
        }
      }
      if (!changed) return result;
    }
    return {};
  }

  [[nodiscard]] Known of(Expr currency, const ByVariable& known) const {
    Known result;
    std::vector<Expr> open{currency};
    for (std::size_t looked_at = 0; !open.empty(); ++looked_at) {
      if (looked_at > kTerms) return Known::anything();
      const Expr e = open.back();
      open.pop_back();
      if (pool_.op(e) == Op::Ite) {
        open.push_back(pool_.child(e, 1));
        open.push_back(pool_.child(e, 2));
      } else {
        result.join(leaf(e, known));
      }
    }
    return result;
  }

  [[nodiscard]] Known leaf(Expr e, const ByVariable& known) const {
    if (pool_.is_const(e)) return Known::one(e);
    if (pool_.op(e) != Op::Apply) return Known::anything();
    const Role role = network_.role(pool_.symbol_of(e));
    switch (role.kind) {
      case RoleKind::Input: {
        const auto it = fixed_.find(pool_.symbol_of(e));
        return it == fixed_.end() ? Known::anything() : Known::one(it->second);
      }
      case RoleKind::Current:
      case RoleKind::Next:
      case RoleKind::RemoteCurrent:
      case RoleKind::RemoteNext:
      case RoleKind::InstanceCurrent: {
        const auto it = known.find(VariableId(role.id));
        return it == known.end() ? Known() : it->second;
      }
      default:
        return Known::anything();
    }
  }

  const Network& network_;
  const ExprPool& pool_;
  std::unordered_map<SymbolId, Expr> fixed_;  // parameters
  ByVariable known_;
};

}  // namespace

std::vector<EventId> warn_about_currencies(const Network& network, const Encoder& encoder,
                                           const std::vector<MoneyPair>& pairs,
                                           Diagnostics& diagnostics) {
  std::vector<EventId> found;
  if (pairs.empty()) return found;
  const Currencies currencies(network);
  for (const MoneyPair& pair : pairs) {
    const Known left = currencies.of(pair.left);
    const Known right = currencies.of(pair.right);
    if (left.kind != Known::Kind::One || right.kind != Known::Kind::One) continue;
    if (left.constant == right.constant) continue;
    const auto name = [&](const Known& one) {
      return encoder.show(Kind::Currency, network.pool().value(one.constant), nullptr);
    };
    diagnostics.report(
        "rebel-092", pair.place,
        fmt::format("this {} {} {} {}", pair.sum ? "adds or subtracts" : "compares", name(left),
                    pair.sum ? "and" : "with", name(right)),
        pair.sum ? "such a sum has no value, so what needs it never happens; use one currency"
                 : "money of two currencies is never equal, less or greater; use one currency");
    if (pair.event.valid()) found.push_back(pair.event);
  }
  return found;
}

}  // namespace whittle::rebel
