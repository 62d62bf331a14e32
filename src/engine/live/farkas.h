// SPDX-License-Identifier: Apache-2.0
// Functions of the numbers at each node of a component, looked for by Farkas' lemma: an affine
// inequality follows from linear constraints that have a solution exactly if it is a sum of them
// with factors that are not negative, and something that is not negative. So "such functions exist"
// is a question about the coefficients and the factors, linear in both.
//
// Lexicographic functions after Alias, Darte, Feautrier, Gonnord: "Multi-dimensional Rankings,
// Program Termination, and Complexity Bounds of Flowchart Programs", SAS 2010, where each function
// has to be bounded only before the steps that lower it (Bradley, Manna, Sipma: "Linear Ranking
// with Reachability", CAV 2005). Nested functions after Leike, Heizmann: "Ranking Templates for
// Linear Loops", TACAS 2014.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/env.h"
#include "engine/live/linear_steps.h"

namespace whittle::live {

using Functions = std::map<std::uint32_t, LinearForm>;  // by node

// A step between nodes of the component. All with the same group are lowered or none is.
struct RankedStep {
  const LinearStep* step = nullptr;
  std::uint32_t from = 0, to = 0;
  std::uint32_t group = 0;
};

struct LoweredSteps {
  Functions functions;
  std::vector<std::uint32_t> groups;  // that they lower
};

class RankingSearch {
 public:
  // `integers`: all numbers are.
  RankingSearch(ExprPool& pool, std::size_t numbers, bool integers,
                const std::vector<RankedStep>& steps, Env& env);

  // Functions that no step raises and as many groups as possible lower. Empty: there are none, or
  // the solver gave up.
  [[nodiscard]] std::optional<LoweredSteps> lexicographic();
  // f1, ..., fd such that every step lowers f1, and f(i+1) where f(i) is negative. The phases of
  // the loop are where the first ones are not negative. Empty: there are none.
  [[nodiscard]] std::optional<std::vector<Functions>> nested(unsigned depth);

 private:
  // Coefficients of an unknown function: by number, then the constant.
  using Unknown = std::vector<Expr>;
  using Unknowns = std::map<std::uint32_t, Unknown>;
  // A form whose coefficients are terms.
  struct Target {
    std::map<std::size_t, Expr> factors;
    Expr constant;
  };

  [[nodiscard]] Unknowns unknowns();
  void add_before(Target& target, const Unknown& function);
  void take_after(Target& target, const Unknown& function, const LinearStep& step);
  // The target is not negative wherever the step is possible.
  [[nodiscard]] Expr follows(const LinearStep& step, const Target& target);
  [[nodiscard]] Expr fresh(const char* name) {
    return pool_.symbol(pool_.declare(name, Type::real()));
  }
  [[nodiscard]] Expr number(const Rational& r) { return pool_.real(r); }
  [[nodiscard]] Expr sum(const std::vector<Expr>& parts);
  [[nodiscard]] Functions read(const Unknowns& unknowns, smt::Solver& solver);
  // Leaves numbers out of the functions as long as there are some.
  void simplify(const std::vector<const Unknowns*>& unknowns, smt::Solver& solver);

  ExprPool& pool_;
  std::size_t numbers_;
  bool integers_;
  const std::vector<RankedStep>& steps_;
  Env& env_;
};

}  // namespace whittle::live
