// SPDX-License-Identifier: Apache-2.0
// The solver as refinements see it: so many questions, so much time for each.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ir/network.h"
#include "smt/solvers.h"

namespace whittle::simplify {

class Queries {
 public:
  struct Budget {
    std::uint64_t queries = 200;
    std::chrono::milliseconds per_query{100};
    std::chrono::milliseconds all{1000};
  };

  Queries(ExprPool& pool, const smt::SolverFactory& solvers, Budget budget);

  // Certainly no values satisfy all of these. False also where the solver or the budget gives up.
  // Conditions that differ only in their symbols, as those of a thousand similar events do, are
  // asked about once.
  [[nodiscard]] bool unsatisfiable(std::span<const Expr> conditions);
  // Values of the symbols that satisfy the conditions; empty: none, or none found. Not limited by
  // the number of queries: traces are worth it.
  [[nodiscard]] std::optional<std::vector<Value>> solution(std::span<const Expr> conditions,
                                                           std::span<const SymbolId> wanted);
  // What is left of a condition when some values of these symbols satisfy it; empty: not found.
  [[nodiscard]] std::optional<Expr> eliminated(Expr condition, std::span<const SymbolId> symbols);

  [[nodiscard]] std::uint64_t asked() const { return asked_; }
  [[nodiscard]] const smt::SolverFactory& solvers() const { return solvers_; }

 private:
  [[nodiscard]] bool spent() const { return asked_ >= budget_.queries || deadline_.passed(); }
  smt::Solver& solver();
  // The same with numbered symbols in place of its own.
  [[nodiscard]] std::vector<Expr> shape(std::span<const Expr> conditions);

  ExprPool& pool_;
  smt::SolverFactory solvers_;
  Budget budget_;
  Deadline deadline_;
  std::unique_ptr<smt::Solver> solver_;  // made when first needed
  std::uint64_t asked_ = 0;
  std::map<std::pair<Type, std::size_t>, Expr> numbered_;  // symbols of shapes
  std::map<std::vector<Expr>, bool> known_;                // by shape: unsatisfiable
};

}  // namespace whittle::simplify
