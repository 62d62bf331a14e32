// SPDX-License-Identifier: Apache-2.0
// Each claim here fails one obligation and meets the others: a check that leaves one out accepts
// it.
#include "witness/invariant_check.h"

#include <gtest/gtest.h>

#include "support/systems.h"

namespace whittle {
namespace {

class InvariantCheck : public testing::TestWithParam<smt::SolverId> {
 protected:
  // x counts from 0 in steps of at most 3 up to 5, or goes back to 0; is x <= 5?
  test::CounterSystem s = test::counter_system(5);
  ExprPool& pool = s.network->pool();
  Expr x = pool.symbol(s.network->of_instance(s.instance, s.x));

  Expected<WitnessCheck, RejectedWitness> check(Expr claim, std::uint64_t k) {
    smt::SolverFactory::Settings settings;
    settings.id = GetParam();
    return check_invariant(*s.network, s.below_or_at, {claim, k}, smt::SolverFactory(settings));
  }
  void expect_rejected(Expr claim, std::uint64_t k, const std::string& obligation) {
    const auto checked = check(claim, k);
    ASSERT_FALSE(checked) << obligation << ", k " << k;
    EXPECT_NE(checked.error().reason.find(obligation), std::string::npos) << checked.error().reason;
  }
};

TEST_P(InvariantCheck, AcceptsProofs) {
  const Expr proof = pool.conj(pool.le(pool.integer(0), x), pool.le(x, pool.integer(5)));
  for (const std::uint64_t k : {1U, 2U, 3U}) {
    const auto checked = check(proof, k);
    ASSERT_TRUE(checked) << checked.error().reason;
    EXPECT_TRUE(checked->checked);
  }
}

TEST_P(InvariantCheck, Initiation) {
  expect_rejected(pool.boolean(false), 1, "initiation");
  expect_rejected(pool.boolean(false), 2, "initiation");
  // Nothing leads from 0 to 0, so that only the second state of a run tells.
  expect_rejected(pool.eq(x, pool.integer(0)), 2, "initiation after 1");
}

TEST_P(InvariantCheck, Consecution) {
  expect_rejected(pool.eq(x, pool.integer(0)), 1, "consecution");
  expect_rejected(pool.le(x, pool.integer(3)), 2, "consecution");
}

TEST_P(InvariantCheck, Sufficiency) {
  expect_rejected(pool.boolean(true), 1, "sufficiency");
  expect_rejected(pool.boolean(true), 2, "sufficiency");
}

INSTANTIATE_TEST_SUITE_P(Solvers, InvariantCheck,
                         testing::Values(smt::SolverId::Z3, smt::SolverId::Cvc5));

}  // namespace
}  // namespace whittle
