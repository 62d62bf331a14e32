// SPDX-License-Identifier: Apache-2.0
// What the tests of solvers share: a pool with a few symbols, and every test once per solver.
#pragma once

#include <gtest/gtest.h>

#include "smt/solvers.h"

namespace whittle::smt::test {

struct Symbols {
  ExprPool pool;
  Expr x = variable("x", Type::integer());
  Expr y = variable("y", Type::integer());
  Expr z = variable("z", Type::integer());
  Expr r = variable("r", Type::real());
  Expr s = variable("s", Type::real());
  Expr p = variable("p", Type::boolean());
  Expr q = variable("q", Type::boolean());

  Expr variable(const std::string& name, Type type) {
    return pool.symbol(pool.declare(name, type));
  }
  Expr number(int n) { return pool.integer(n); }
};

class EverySolver : public ::testing::TestWithParam<SolverId>, protected Symbols {
 protected:
  std::unique_ptr<Solver> make(const Limits& limits = {}) {
    return make_solver(GetParam(), pool, limits);
  }
};

inline std::string solver_name(const ::testing::TestParamInfo<SolverId>& info) {
  return std::string(whittle::smt::info(info.param).name);
}

}  // namespace whittle::smt::test
