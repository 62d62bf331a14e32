// SPDX-License-Identifier: Apache-2.0
// Can conditions hold together? First by folding (first values put in, bounds of linear terms),
// then from memory, then by a solver; only the last is a call. All configurations of `lazy` ask
// here, so that their numbers of calls mean the same.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/env.h"
#include "expr/traverse.h"

namespace whittle::proofs {

class Queries {
 public:
  Queries(ExprPool& pool, Env& env, bool remember);

  // Conditions on first states; asked about by its number. There are few.
  std::uint32_t add_start(Expr condition);
  static constexpr std::uint32_t kAnywhere = UINT32_MAX;

  struct Answer {
    smt::Answer answer = smt::Answer::Unknown;
    std::vector<std::uint32_t> core = {};  // Unsat: which conditions suffice, ascending
    Reason reason = {};                    // Unknown
  };
  // `start`: in such a first state, or kAnywhere. With a model, values can be asked for after Sat.
  Answer together(std::span<const Expr> conditions, std::uint32_t start, bool model = false);
  // Unsat without a call, or Unknown.
  Answer folded(std::span<const Expr> conditions, std::uint32_t start);
  // The condition follows from the clauses.
  smt::Answer implied(std::span<const Expr> clauses, Expr condition, bool free);

  [[nodiscard]] Value value(Expr term) { return last_->value(term); }
  [[nodiscard]] std::uint64_t calls() const { return counts_.calls.value(); }

 private:
  struct Start {
    Expr condition;
    std::vector<Expr> parts;
    std::unique_ptr<Substitution> values;  // of variables that it gives one
    std::unique_ptr<smt::Solver> solver;
  };
  struct Counts {
    explicit Counts(Statistics& all)
        : calls(all.counter("lazy.calls")),
          folded(all.counter("lazy.folded")),
          cached(all.counter("lazy.cached")),
          weighted(all.counter("lazy.weighted_calls")) {}
    Counter& calls;
    Counter& folded;
    Counter& cached;
    Counter& weighted;
  };

  smt::Solver& solver(std::uint32_t start);
  std::uint64_t literals(Expr condition);
  Answer ask(std::span<const Expr> conditions, std::uint32_t start);

  ExprPool& pool_;
  Env& env_;
  bool remember_;
  std::vector<Start> starts_;
  std::unique_ptr<smt::Solver> anywhere_;
  unsigned asked_ = 0;  // of the solvers there are
  smt::Solver* last_ = nullptr;
  // By start and conditions, ascending: the core; empty: they hold together.
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> known_;
  std::unordered_map<Expr, std::uint64_t> literals_;
  Counts counts_;
};

}  // namespace whittle::proofs
