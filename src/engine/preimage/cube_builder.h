// SPDX-License-Identifier: Apache-2.0
// Bound literals and cubes, that is conjunctions of them: what backward reachability
// (backward_search.h) is made of.
//
// A bound literal says that a term lies between two numbers. The term is a variable, a sum of
// variables with factors, or an atom that has no other form; truth values count as 0 and 1,
// values of an enumeration by their position. CubeBuilder are numbered, so equal ones are equal
// numbers, and a cube is a list of numbers.
//
//   CubeBuilder builder(pool);
//   builder.to_dnf(x == 3 && (p || y < x));      // two cubes: {x in 3..3, p}, {x in 3..3, y in
//   ..2}
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

using LiteralId = std::uint32_t;
// All of these literals: ascending by term, at most one about each.
using Cube = std::vector<LiteralId>;

struct BoundLiteral {
  std::uint32_t term = 0;
  std::int64_t low = 0;   // CubeBuilder::kLeast: no bound
  std::int64_t high = 0;  // CubeBuilder::kMost: no bound
  bool operator==(const BoundLiteral&) const = default;
};

// What a literal can be about.
struct LiteralTerm {
  Expr expr;                      // Bool, Enum or Int
  std::vector<SymbolId> symbols;  // that occur in it, ascending
  bool variable = false;          // it is one
  // `sum != number`, as a condition that is false: which sum and number; invalid: something else
  Expr unequal_sum;
  std::int64_t unequal_number = 0;
};

class CubeBuilder {
 public:
  static constexpr std::int64_t kLeast = INT64_MIN;
  static constexpr std::int64_t kMost = INT64_MAX;

  explicit CubeBuilder(ExprPool& pool) : pool_(pool) {}

  // Disjunctive normal form: cubes, at least one of which holds in a state exactly if the condition
  // does there. Empty: there
  // are too many, or numbers are too large. requires: the condition is defined in every state, or
  // guarded by its definedness
  [[nodiscard]] std::optional<std::vector<Cube>> to_dnf(Expr condition);

  // Adds literals to a cube; false if they contradict each other.
  [[nodiscard]] bool meet(Cube& cube, std::span<const LiteralId> more);
  // Every state of the first cube is one of the second, as far as their bounds tell.
  [[nodiscard]] bool implies(const Cube& cube, const Cube& other) const;
  // Constant propagation: the cube with known values put into its other terms. Empty: as for
  // `to_dnf`.
  [[nodiscard]] std::optional<std::vector<Cube>> propagated(Cube cube);

  [[nodiscard]] const BoundLiteral& literal(LiteralId id) const { return literals_[id]; }
  [[nodiscard]] const LiteralTerm& term(LiteralId id) const { return terms_[literals_[id].term]; }
  [[nodiscard]] std::size_t size() const { return literals_.size(); }
  [[nodiscard]] Expr condition(LiteralId id);
  // How many terms were looked at so far.
  [[nodiscard]] std::uint64_t work() const { return all_work_; }

 private:
  using Dnf = std::optional<std::vector<Cube>>;

  [[nodiscard]] Dnf to_dnf(Expr condition, bool truth, unsigned nesting);
  [[nodiscard]] Dnf all_of(std::span<const Expr> conditions, bool truth, unsigned nesting);
  [[nodiscard]] Dnf some_of(std::span<const Expr> conditions, bool truth, unsigned nesting);
  [[nodiscard]] Dnf conjunction(const Dnf& a, const Dnf& b);
  [[nodiscard]] Dnf disjunction(Dnf a, const Dnf& b);
  [[nodiscard]] Dnf atom(Expr condition, bool truth, unsigned nesting);
  [[nodiscard]] Dnf comparison(Expr condition, bool truth);
  [[nodiscard]] Dnf in_range(Expr term, std::int64_t low, std::int64_t high);
  [[nodiscard]] Dnf disequality(Expr sum, std::int64_t number);
  [[nodiscard]] Expr choice_in(Expr condition);
  [[nodiscard]] bool narrow_by_disequalities(Cube& cube);
  [[nodiscard]] std::vector<LiteralId> values_for(LiteralId id, const Cube& cube) const;
  [[nodiscard]] const Dnf& instantiated(LiteralId id, const std::vector<LiteralId>& values);
  [[nodiscard]] std::uint32_t number_of(Expr term);
  [[nodiscard]] LiteralId id_of(const BoundLiteral& literal);
  [[nodiscard]] Expr value_at(Type type, std::int64_t number);

  struct Hash {
    std::size_t operator()(const BoundLiteral& literal) const;
    std::size_t operator()(const std::vector<LiteralId>& ids) const;
  };

  ExprPool& pool_;
  std::size_t work_ = 0;        // done for the condition at hand
  std::uint64_t all_work_ = 0;  // for all before it
  std::vector<LiteralTerm> terms_;
  ExprMap<std::uint32_t> numbers_;  // by term
  std::vector<BoundLiteral> literals_;
  std::unordered_map<BoundLiteral, LiteralId, Hash> ids_;
  std::unordered_map<std::vector<LiteralId>, Dnf, Hash> instantiated_;  // values, then the literal
};

}  // namespace whittle
