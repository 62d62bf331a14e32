// SPDX-License-Identifier: Apache-2.0
// Simple facts about a state, and conjunctions of them: what a search over sets of states
// (backward_search.h) is made of.
//
// A fact says that a term lies between two numbers. The term is a variable, a sum of variables with
// factors, or a condition that is not taken apart any further; truth values count as 0 and 1,
// values of an enumeration by their position. Facts are numbered, so equal ones are equal numbers,
// and a cube is a list of numbers.
//
//   Facts facts(pool);
//   facts.ways(x == 3 && (p || y < x));      // two cubes: {x in 3..3, p}, {x in 3..3, y in ..2}
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

using FactId = std::uint32_t;
// All of these facts: ascending by term, at most one about each.
using Cube = std::vector<FactId>;

struct Fact {
  std::uint32_t term = 0;
  std::int64_t low = 0;   // Facts::kLeast: no bound
  std::int64_t high = 0;  // Facts::kMost: no bound
  bool operator==(const Fact&) const = default;
};

// What a fact can be about.
struct FactTerm {
  Expr expr;                      // Bool, Enum or Int
  std::vector<SymbolId> symbols;  // that occur in it, ascending
  bool variable = false;          // it is one
  // `sum != number`, as a condition that is false: which sum and number; invalid: something else
  Expr unequal_sum;
  std::int64_t unequal_number = 0;
};

class Facts {
 public:
  static constexpr std::int64_t kLeast = INT64_MIN;
  static constexpr std::int64_t kMost = INT64_MAX;

  explicit Facts(ExprPool& pool) : pool_(pool) {}

  // Cubes, at least one of which holds in a state exactly if the condition does there. Empty: there
  // are too many, or numbers are too large. requires: the condition is defined in every state, or
  // guarded by its definedness
  [[nodiscard]] std::optional<std::vector<Cube>> ways(Expr condition);

  // Adds facts to a cube; false if they contradict each other.
  [[nodiscard]] bool meet(Cube& cube, std::span<const FactId> more);
  // Every state of the first cube is one of the second, as far as their bounds tell.
  [[nodiscard]] bool implies(const Cube& cube, const Cube& other) const;
  // The cube with known values put into its other terms. Empty: as for `ways`.
  [[nodiscard]] std::optional<std::vector<Cube>> settled(Cube cube);

  [[nodiscard]] const Fact& fact(FactId id) const { return facts_[id]; }
  [[nodiscard]] const FactTerm& term(FactId id) const { return terms_[facts_[id].term]; }
  [[nodiscard]] std::size_t size() const { return facts_.size(); }
  [[nodiscard]] Expr condition(FactId id);
  // How many terms were looked at so far.
  [[nodiscard]] std::uint64_t work() const { return all_work_; }

 private:
  using Ways = std::optional<std::vector<Cube>>;

  [[nodiscard]] Ways ways(Expr condition, bool truth, unsigned nesting);
  [[nodiscard]] Ways all_of(std::span<const Expr> conditions, bool truth, unsigned nesting);
  [[nodiscard]] Ways some_of(std::span<const Expr> conditions, bool truth, unsigned nesting);
  [[nodiscard]] Ways both(const Ways& a, const Ways& b);
  [[nodiscard]] Ways either(Ways a, const Ways& b);
  [[nodiscard]] Ways atom(Expr condition, bool truth, unsigned nesting);
  [[nodiscard]] Ways comparison(Expr condition, bool truth);
  [[nodiscard]] Ways known(Expr term, std::int64_t low, std::int64_t high);
  [[nodiscard]] Ways different(Expr sum, std::int64_t number);
  [[nodiscard]] Expr choice_in(Expr condition);
  [[nodiscard]] bool narrow_by_differences(Cube& cube);
  [[nodiscard]] std::vector<FactId> values_for(FactId id, const Cube& cube) const;
  [[nodiscard]] const Ways& with_values(FactId id, const std::vector<FactId>& values);
  [[nodiscard]] std::uint32_t number_of(Expr term);
  [[nodiscard]] FactId id_of(const Fact& fact);
  [[nodiscard]] Expr value_at(Type type, std::int64_t number);

  struct Hash {
    std::size_t operator()(const Fact& fact) const;
    std::size_t operator()(const std::vector<FactId>& ids) const;
  };

  ExprPool& pool_;
  std::size_t work_ = 0;        // done for the condition at hand
  std::uint64_t all_work_ = 0;  // for all before it
  std::vector<FactTerm> terms_;
  ExprMap<std::uint32_t> numbers_;  // by term
  std::vector<Fact> facts_;
  std::unordered_map<Fact, FactId, Hash> ids_;
  std::unordered_map<std::vector<FactId>, Ways, Hash> with_values_;  // values, then the fact
};

}  // namespace whittle
