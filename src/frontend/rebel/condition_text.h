// SPDX-License-Identifier: Apache-2.0
// Conditions over the parts of fields (amounts, currencies, day numbers) as Rebel writes them, so
// that they can be pasted into an invariant: `this.balance >= EUR 0.00`, `this instate opened`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/rebel/encode.h"
#include "ir/network.h"

namespace whittle::rebel {

// What a variable stands for: a field, or a part of one.
struct PartOfField {
  Kind kind = Kind::Integer;  // of the part: the amount of Money is an Integer
  bool amount = false;        // of Money
  bool currency = false;      // of Money
  std::string field;          // `balance`, without the part
};

class ConditionText {
 public:
  // By the symbol of the variable in its machine; empty: nothing special.
  using Parts = std::function<std::optional<PartOfField>(SymbolId)>;

  ConditionText(const Network& network, const Encoder& encoder, Parts parts)
      : network_(network), pool_(network.pool()), encoder_(encoder), parts_(std::move(parts)) {}

  [[nodiscard]] std::string operator()(Expr condition);
  // Each conjunct for itself; those that are one thing for users together.
  [[nodiscard]] std::vector<std::string> conjuncts(Expr condition);

 private:
  // From weak to strong, as Rebel's expressions bind.
  enum class Strength : int {
    Choice,
    Implies,
    Or,
    And,
    Not,
    Comparison,
    In,
    Sum,
    Product,
    Sign,
    Atom
  };
  struct Text {
    std::string text;
    Strength strength = Strength::Atom;
  };
  struct Named {
    std::string owner;  // `this`, `Account[2]`; empty: shared
    std::string name;   // of the variable, with its part
    PartOfField part;
  };

  [[nodiscard]] std::string in(Expr e, Strength needs) const;
  [[nodiscard]] Text text(Expr e) const;
  [[nodiscard]] Text symbol(Expr e) const;
  [[nodiscard]] Text constant(Expr e, Kind kind) const;
  [[nodiscard]] Text junction(Expr e, Op op) const;
  [[nodiscard]] Text disjunction(std::span<const Expr> parts) const;
  [[nodiscard]] std::optional<Text> once_initialized(std::span<const Expr> parts) const;
  [[nodiscard]] std::optional<Text> needs_initialized(std::span<const Expr> parts) const;
  [[nodiscard]] std::string elsewhere(Expr e) const;
  [[nodiscard]] std::vector<std::string> conjuncts_text(std::span<const Expr> parts,
                                                        Strength needs) const;
  void quantify(std::span<const Expr> parts, std::vector<std::string>& texts, Strength needs) const;
  [[nodiscard]] Text comparison(Expr e, bool negated) const;
  [[nodiscard]] Text sum(Expr e) const;
  [[nodiscard]] std::string operand(Expr e, Kind kind, Strength needs) const;
  [[nodiscard]] std::optional<Named> named(Expr e) const;
  [[nodiscard]] Kind kind_of(Expr e) const;
  [[nodiscard]] std::string owner(InstanceId instance) const;
  // Whose initial state the atom says it is in; empty: it says something else.
  [[nodiscard]] std::optional<std::string> uninitialized(Expr e) const;
  [[nodiscard]] static Text infix(std::vector<std::string> parts, std::string_view op,
                                  Strength own);

  const Network& network_;
  const ExprPool& pool_;
  const Encoder& encoder_;
  Parts parts_;
  std::unordered_map<Expr, Text> done_;
};

}  // namespace whittle::rebel
