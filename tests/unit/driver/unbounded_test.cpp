// SPDX-License-Identifier: Apache-2.0
// Proofs for any number of steps and lint, from text to checked verdict.
#include <gtest/gtest.h>

#include "bench/models/sts.h"
#include "driver/lint.h"
#include "engine/engines.h"
#include "expr/traverse.h"
#include "report/verdict_text.h"
#include "support/answer.h"
#include "support/load.h"
#include "witness/invariant_check.h"

namespace whittle {
namespace {

PropertyResult decided(const std::shared_ptr<Network>& network, PropertyId property,
                       const std::string& engine) {
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set(engine);
  deciding.timeout.set(20);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide("test", network, property, context);
}

PropertyResult result(const std::string& text, const std::string& property,
                      const std::string& engine) {
  test::Loaded loaded = test::load("sts", text);
  EXPECT_TRUE(loaded.network) << loaded.messages();
  for (std::size_t p = 0; p < loaded.network->properties().size(); ++p) {
    if (loaded.network->properties()[p].name == property) {
      return decided(loaded.network, PropertyId(p), engine);
    }
  }
  ADD_FAILURE() << "no property " << property;
  return {};
}

Verdict verdict(const std::string& text, const std::string& property, const std::string& engine) {
  return result(text, property, engine).verdict;
}

constexpr const char* kAccount = R"(
system Account
enum Status { OPEN, FROZEN }
var balance: Real
var status: Status
node Open, Frozen
start Open: balance == 0 && status == OPEN
transition withdraw: Open -> Open (amount: Real)
  when amount > 0 && amount <= balance then balance' == balance - amount
transition deposit: Open -> Open (amount: Real) when amount > 0 then balance' == balance + amount
transition interest: Open -> Open (rate: Real)
  when rate > 0 && rate < 0.1 then balance' == balance + balance * rate
transition freeze: Open -> Frozen then status' == FROZEN
transition never: Frozen -> Open when balance < 0 then status' == OPEN
safety valid: balance >= 0
safety invalid: balance < 1000
safety frozen: status == FROZEN -> balance >= 0
constraint Open: balance > 0
)";

class Unbounded : public ::testing::TestWithParam<std::string> {
 protected:
  static const Capabilities& engine() { return find_engine(GetParam())->can; }
};

TEST_P(Unbounded, ProvesAndRefutes) {
  const Verdict valid = verdict(kAccount, "valid", GetParam());
  EXPECT_EQ(valid.kind(), VerdictKind::Holds) << test::why_unknown(valid);
  EXPECT_TRUE(valid.witness.checked) << checked_by(valid.witness);
  EXPECT_TRUE(valid.invariant().valid());
  const Verdict invalid = verdict(kAccount, "invalid", GetParam());
  EXPECT_NE(invalid.kind(), VerdictKind::Holds);
  if (engine().traces) {
    EXPECT_EQ(invalid.kind(), VerdictKind::Violated) << test::why_unknown(invalid);
  }
  EXPECT_NE(verdict(kAccount, "constraint Open", GetParam()).kind(), VerdictKind::Holds);
}

std::vector<std::string> provers() {
  std::vector<std::string> result;
  for (const EngineInfo* engine : engines())
    if (engine->can.proofs && !engine->can.concurrent_only) result.emplace_back(engine->id);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Engines, Unbounded, ::testing::ValuesIn(provers()),
                         [](const auto& instance) { return instance.param; });

TEST(Rsc, FollowsChains) {
  const std::string chain = sts::chain(200, sts::ChainKind::Add);
  EXPECT_EQ(verdict(chain, "positive", "rsc").kind(), VerdictKind::Holds);
  EXPECT_EQ(verdict(chain, "small", "rsc").kind(), VerdictKind::Holds);
  EXPECT_NE(verdict(sts::chain(200, sts::ChainKind::Add, 1000), "small", "rsc").kind(),
            VerdictKind::Holds);
}

TEST(KInduction, PassesTheNumberOfFibonacci) {
  const Verdict found = verdict(sts::fibonacci(1'000'000), "other", "kinduction");
  EXPECT_EQ(found.kind(), VerdictKind::Holds) << test::why_unknown(found);
  ASSERT_TRUE(found.because<Inductive>());
  EXPECT_GT(found.because<Inductive>()->k, 1);
  EXPECT_TRUE(found.witness.checked) << checked_by(found.witness);
  // 13 is in the sequence.
  EXPECT_EQ(verdict(sts::fibonacci(13), "other", "kinduction").kind(), VerdictKind::Violated);
}

TEST(Rsc, FindsRemainders) {
  constexpr const char* kSteps = R"(
system Steps
var x, y: Int
node P, Q
start P: x == 1 && y == 0
transition up: P -> P then x' == x + 6 && y' == y + 2
transition go: P -> Q when x > 20
transition down: Q -> Q when y > 0 then y' == y - 4
safety odd: x != 12
safety even: y != 7
safety third: y != 6
)";
  EXPECT_EQ(verdict(kSteps, "odd", "rsc").kind(), VerdictKind::Holds);
  EXPECT_EQ(verdict(kSteps, "even", "rsc").kind(), VerdictKind::Holds);
  EXPECT_EQ(verdict(kSteps, "third", "auto").kind(), VerdictKind::Violated);
}

// The bounds of the rate have nothing to do with it.
TEST(Rsc, LeavesOutWhatTheProofDoesNotNeed) {
  test::Loaded loaded = test::load("sts", R"(
system Loan
var amount, part, rate: Real
var terms: Int
node Open
start Open: terms > 0 && part >= 0 && amount == terms * part && rate >= 0.05 && rate < 1
transition pay: Open -> Open (r: Real)
  when terms > 0 && r >= 0.05 && r < 1
  then amount' == amount - part && terms' == terms - 1 && rate' == r
safety paid: terms == 0 -> amount == 0 || rate > 2
)");
  ASSERT_TRUE(loaded.network) << loaded.messages();
  const Verdict found = decided(loaded.network, PropertyId(0), "rsc").verdict;
  ASSERT_EQ(found.kind(), VerdictKind::Holds) << test::why_unknown(found);
  EXPECT_TRUE(found.witness.checked) << checked_by(found.witness);
  EXPECT_LE(conjuncts(loaded.network->pool(), found.invariant()).size(), 2U);
}

TEST(Constraints, SayWhatBreaksThem) {
  EXPECT_EQ(reason(result(kAccount, "constraint Open", "auto")), "broken by a start");
  constexpr const char* kSwap = R"(
system Swap
var x, y: Int
node A, B
start A: x == 0 && y == 1
transition swap: A -> A then x' == y && y' == x
transition go: A -> B then x' == x + 5
constraint A: x <= 1
constraint A: x >= 0 && y >= 0
constraint B: x < 6
)";
  test::Loaded loaded = test::load("sts", kSwap);
  ASSERT_TRUE(loaded.network) << loaded.messages();
  auto reason_of = [&](std::uint32_t property) {
    return reason(decided(loaded.network, PropertyId(property), "auto"));
  };
  EXPECT_EQ(reason_of(0).find("right, but not inductive by itself"), 0U) << reason_of(0);
  EXPECT_EQ(reason_of(1), "inductive by itself");
  EXPECT_EQ(reason_of(2), "broken by go");
}

TEST(InvariantCheck, RejectsWhatIsNoInvariant) {
  test::Loaded loaded = test::load("sts", R"(
system Count
var x: Int
node A, B
start A: x == 0
transition up: A -> B then x' == x + 1
transition back: B -> A then x' == x - 1
safety low: x <= 1
)");
  ASSERT_TRUE(loaded.network) << loaded.messages();
  Network& network = *loaded.network;
  ExprPool& pool = network.pool();
  const InstanceId instance(0);
  const Expr x = pool.symbol(network.of_instance(instance, VariableId(0)));
  const Expr at_a = pool.symbol(network.at_instance(instance, LocationId(0)));
  const Expr at_b = pool.symbol(network.at_instance(instance, LocationId(1)));
  const smt::SolverFactory solvers{smt::SolverFactory::Settings{}};
  auto accepted = [&](Expr invariant, std::uint64_t k) {
    return check_invariant(network, PropertyId(0), {invariant, k}, solvers).has_value();
  };
  const Expr zero = pool.integer(0);
  const Expr one = pool.integer(1);
  const Expr good =
      pool.conj(pool.implies(at_a, pool.eq(x, zero)), pool.implies(at_b, pool.eq(x, one)));
  EXPECT_TRUE(accepted(good, 1));
  EXPECT_FALSE(accepted(pool.le(x, one), 1));                       // consecution
  EXPECT_FALSE(accepted(pool.eq(x, one), 1));                       // initiation
  EXPECT_FALSE(accepted(pool.boolean(true), 1));                    // sufficiency
  EXPECT_FALSE(accepted(pool.implies(at_a, pool.eq(x, zero)), 1));  // says nothing about B
  EXPECT_FALSE(accepted(pool.conj(good, pool.negate(at_b)), 1));    // B is reached
  EXPECT_TRUE(accepted(pool.conj(good, pool.ge(x, zero)), 2));
  EXPECT_FALSE(accepted(pool.eq(x, zero), 2));
  EXPECT_FALSE(accepted(pool.boolean(true), 2));
}

TEST(Lint, DecidesEveryElement) {
  test::Loaded text = test::load("sts", kAccount);
  ASSERT_TRUE(text.network) << text.messages();
  LoadedModels loaded;
  loaded.models.push_back({"account", text.network});
  std::map<std::string, std::string> verdicts;
  for (const Question& question : lint_questions(loaded)) {
    const PropertyResult result = decided(question.network, question.property, "auto");
    verdicts[question.what().name] = std::string(to_string(result.verdict.kind())) +
                                     (result.verdict.witness.checked ? "" : " unchecked");
  }
  EXPECT_EQ(verdicts["start Open"], "holds");
  EXPECT_EQ(verdicts["transition withdraw"], "holds");
  EXPECT_EQ(verdicts["transition interest"], "holds");
  EXPECT_EQ(verdicts["transition freeze"], "holds");
  EXPECT_EQ(verdicts["transition never"], "violated");
  EXPECT_EQ(verdicts["node Open"], "holds");
  EXPECT_EQ(verdicts["node Frozen"], "violated");
  EXPECT_EQ(verdicts["constraint Open"], "violated");
}

}  // namespace
}  // namespace whittle
