// SPDX-License-Identifier: Apache-2.0
#include "smt/solver.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/error.h"
#include "support/effort.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

using namespace std::chrono_literals;

class SolverTest : public EverySolver {
 protected:
  // x, y > 1 with x * x * x + y * y * y = z * z * z has no solution, which no solver finds quickly.
  void require_hard(Solver& solver) {
    auto cube = [&](Expr e) { return pool.make(Op::Pow, {e, number(3)}); };
    for (Expr e : {x, y, z}) solver.require(pool.gt(e, number(1)));
    solver.require(pool.eq(pool.add(cube(x), cube(y)), cube(z)));
  }
};

INSTANTIATE_TEST_SUITE_P(All, SolverTest, ::testing::Values(SolverId::Z3, SolverId::Cvc5),
                         solver_name);

TEST_P(SolverTest, NothingRequiredIsSatisfiable) {
  auto solver = make();
  EXPECT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(x), Value(0));
}

TEST_P(SolverTest, ModelsSatisfyWhatIsRequired) {
  auto solver = make();
  solver->require(pool.lt(x, y));
  solver->require(pool.lt(y, number(10)));
  solver->require(pool.gt(x, number(7)));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(x), Value(8));
  EXPECT_EQ(solver->value(y), Value(9));
  EXPECT_EQ(solver->value(pool.add(x, y)), Value(17));
  EXPECT_EQ(solver->value(pool.lt(x, y)), Value(true));
}

TEST_P(SolverTest, PopForgets) {
  auto solver = make();
  solver->require(pool.gt(x, number(0)));
  solver->push();
  solver->require(pool.lt(x, number(1)));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  solver->push();
  EXPECT_EQ(solver->scopes(), 2U);
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  solver->pop(2);
  EXPECT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_THROW(solver->pop(), InternalError);
}

TEST_P(SolverTest, TheModelStaysUntilTheNextCheck) {
  auto solver = make();
  solver->push();
  solver->require(pool.eq(x, number(3)));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  solver->pop();
  solver->require(pool.eq(x, number(4)));
  EXPECT_EQ(solver->value(x), Value(3));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(x), Value(4));
}

TEST_P(SolverTest, AssumptionsAreForgottenAndExplainUnsat) {
  auto solver = make();
  solver->require(pool.implies(p, pool.lt(x, number(0))));
  Expr positive = pool.gt(x, number(0));
  Expr small = pool.lt(y, number(5));
  ASSERT_EQ(solver->check_assuming(std::vector{small, p, q, positive}).answer, Answer::Unsat);
  std::vector<Expr> core = solver->unsat_core();
  std::sort(core.begin(), core.end());
  std::vector<Expr> expected{p, positive};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(core, expected);
  EXPECT_EQ(solver->check_assuming(std::vector{small, p, q}).answer, Answer::Sat);
  EXPECT_EQ(solver->check().answer, Answer::Sat);
}

TEST_P(SolverTest, ACoreNeedsNoAssumptionsWhenNoneAreNeeded) {
  auto solver = make();
  solver->require(pool.lt(x, x));
  ASSERT_EQ(solver->check_assuming(std::vector{p, pool.negate(q)}).answer, Answer::Unsat);
  EXPECT_TRUE(solver->unsat_core().empty());
}

TEST_P(SolverTest, ContradictoryAssumptionsAreTheCore) {
  auto solver = make();
  ASSERT_EQ(solver->check_assuming(std::vector{p, q, pool.negate(p), p}).answer, Answer::Unsat);
  EXPECT_EQ(solver->unsat_core(), (std::vector{p, pool.negate(p)}));
}

TEST_P(SolverTest, EnumerationsHaveTheirValuesInEveryScope) {
  Type color = pool.enum_type("Color", {"Red", "Green", "Blue"});
  Expr c = variable("c", color);
  auto differs = [&](std::uint32_t i) {
    return pool.ne(c, pool.constant(Value(EnumValue{i}), color));
  };
  auto solver = make();
  solver->push();
  solver->require(differs(0));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  solver->pop();
  // The range was asserted inside the scope that is gone.
  solver->require(differs(0));
  solver->require(differs(1));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(c), Value(EnumValue{2}));
  solver->require(differs(2));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
}

TEST_P(SolverTest, EnumerationsInArraysHaveTheirValues) {
  Type two = pool.enum_type("Two", {"A", "B"});
  Expr c = variable("c", two);
  Expr a = variable("a", pool.array_type(Type::integer(), two));
  Expr b = variable("b", pool.array_type(two, Type::integer()));
  Expr first = pool.constant(Value(EnumValue{0}), two);
  Expr second = pool.constant(Value(EnumValue{1}), two);
  auto solver = make();
  // First as an integer, then inside an array: the solver changes its representation.
  solver->require(pool.ne(c, first));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  solver->require(pool.eq(pool.select(a, x), c));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(pool.select(a, x)), Value(EnumValue{1}));
  solver->push();
  solver->require(pool.ne(pool.select(a, y), first));
  solver->require(pool.ne(pool.select(a, y), second));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  solver->pop();
  // Two arrays that agree everywhere are equal.
  Expr other = variable("other", pool.array_type(two, Type::integer()));
  solver->require(pool.eq(pool.select(b, first), pool.select(other, first)));
  solver->require(pool.eq(pool.select(b, second), pool.select(other, second)));
  solver->require(pool.ne(b, other));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
}

TEST_P(SolverTest, SymbolsOfOneNameAreDifferent) {
  Expr again = variable("x", Type::integer());
  Expr odd = variable("|a b;(\n", Type::integer());
  auto solver = make();
  solver->require(pool.lt(x, again));
  solver->require(pool.lt(again, odd));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_LT(solver->value(x), solver->value(again));
  EXPECT_LT(solver->value(again), solver->value(odd));
}

TEST_P(SolverTest, FunctionsAreFunctions) {
  SymbolId f = pool.declare("f", Type::integer(), {Type::integer(), Type::boolean()});
  auto apply = [&](Expr a, Expr b) { return pool.apply(f, std::vector{a, b}); };
  auto solver = make();
  solver->require(pool.eq(x, y));
  solver->require(pool.eq(apply(x, p), number(5)));
  solver->require(pool.eq(apply(number(3), pool.boolean(true)), number(-7)));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(apply(y, p)), Value(5));
  EXPECT_EQ(solver->value(apply(number(3), pool.boolean(true))), Value(-7));
  solver->require(pool.ne(apply(y, p), number(5)));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
}

TEST_P(SolverTest, BigNumbersAndFractionsAreExact) {
  Integer big = *Integer::parse("123456789012345678901234567890");
  auto solver = make();
  solver->require(pool.eq(x, pool.integer(big)));
  solver->require(
      pool.eq(pool.mul(pool.real(Rational(Integer(3))), r), pool.real(Rational(Integer(-1)))));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(x), Value(big));
  EXPECT_EQ(solver->value(r), Value(Rational(Integer(-1), Integer(3))));
}

TEST_P(SolverTest, StringsKeepEveryCharacter) {
  Expr a = variable("a", Type::string());
  Expr b = variable("b", Type::string());
  std::string odd = "quote \" backslash \\u{41} tab \t é 水";
  auto solver = make();
  solver->require(pool.eq(a, pool.string(odd)));
  solver->require(pool.eq(pool.make(Op::Concat, {pool.string("<"), a, pool.string(">")}), b));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(a), Value::string(odd));
  EXPECT_EQ(solver->value(b), Value::string("<" + odd + ">"));
}

TEST_P(SolverTest, SetsAreFinite) {
  Type set = pool.set_type(Type::integer());
  Expr a = variable("a", set);
  Expr b = variable("b", set);
  auto solver = make();
  solver->require(pool.make(Op::Member, {number(3), a}));
  solver->require(pool.negate(pool.make(Op::Member, {number(4), a})));
  Expr five[] = {number(5)};
  solver->require(pool.eq(b, pool.make(Op::Union, {a, pool.set_of(set, five)})));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(pool.make(Op::Member, {number(5), b})), Value(true));
  EXPECT_EQ(solver->value(pool.make(Op::Subset, {a, b})), Value(true));
  EXPECT_EQ(solver->value(pool.make(Op::Member, {number(4), b})), Value(false));
  solver->require(pool.negate(pool.make(Op::Subset, {a, b})));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
}

TEST_P(SolverTest, WhatASolverCannotTakeMakesSatUnknownAndLeavesUnsat) {
  Expr a = variable("a", pool.set_type(Type::integer()));
  auto solver = make();
  solver->push();
  solver->require(pool.lt(number(3), pool.make(Op::Card, {a})));
  CheckResult result = solver->check();
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason.text(), "unsupported: size of a set of unknown elements");
  solver->require(pool.lt(x, x));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  solver->pop();
  EXPECT_EQ(solver->check().answer, Answer::Sat);
}

TEST_P(SolverTest, TimeLimitsEndChecks) {
  Limits limits;
  limits.time_per_check = 100ms;
  auto solver = make(limits);
  require_hard(*solver);
  auto begin = Clock::now();
  CheckResult result = solver->check();
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason.kind, Reason::Kind::Timeout);
  // The solver is as good as before.
  solver->set_time_per_check(std::nullopt);
  solver->require(pool.lt(x, number(0)));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
}

TEST_P(SolverTest, ADeadlineThatPassedLetsNothingStart) {
  Limits limits;
  limits.deadline = Deadline::after(0ms);
  auto solver = make(limits);
  CheckResult result = solver->check();
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.reason.kind, Reason::Kind::Timeout);
}

TEST_P(SolverTest, ATokenEndsChecks) {
  Limits limits;
  auto solver = make(limits);
  require_hard(*solver);
  std::thread canceller([&] {
    std::this_thread::sleep_for(100ms);
    limits.cancel.cancel();
  });
  auto begin = Clock::now();
  CheckResult result = solver->check();
  EXPECT_LT(Clock::now() - begin, 5s);
  canceller.join();
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(solver->check().reason.kind, Reason::Kind::Interrupted);
}

TEST_P(SolverTest, AnInterruptEndsOneCheck) {
  auto solver = make();
  solver->push();
  require_hard(*solver);
  std::thread other([&] {
    std::this_thread::sleep_for(100ms);
    solver->interrupt();
  });
  EXPECT_EQ(solver->check().answer, Answer::Unknown);
  other.join();
  solver->pop();
  solver->require(pool.eq(x, number(1)));
  EXPECT_EQ(solver->check().answer, Answer::Sat);
}

// Words of 20 bits, each one the square of the one before plus a constant.
class BitsTest : public SolverTest {
 protected:
  static constexpr std::uint32_t kWidth = 20;

  Expr bits(int n) {
    return pool.constant(Value(BitVectorValue{Integer(n), kWidth}), pool.bit_vector_type(kWidth));
  }
  Expr word(int n) { return variable("w" + std::to_string(n), pool.bit_vector_type(kWidth)); }
  std::unique_ptr<Solver> make_for_bits() {
    Logic logic;
    logic.bit_vectors = true;
    logic.few_hard_checks = true;
    return make_solver(GetParam(), pool, {}, logic);
  }
  static std::int64_t number(const Value& value) { return *value.as_bit_vector().bits.to_int64(); }
};

INSTANTIATE_TEST_SUITE_P(All, BitsTest, ::testing::Values(SolverId::Z3, SolverId::Cvc5),
                         solver_name);

TEST_P(BitsTest, HardChecksAreAnsweredInEveryOrder) {
  auto solver = make_for_bits();
  const Expr a = word(0), b = word(1);
  solver->require(pool.make(Op::BvULt, {bits(1), a}));
  solver->require(pool.make(Op::BvULe, {a, b}));
  solver->require(pool.make(Op::BvULt, {b, bits(1'000)}));
  const Expr product = pool.make(Op::BvMul, {a, b});
  const std::pair<int, bool> numbers[] = {{15, true},       {997, false},     {359 * 967, true},
                                          {611 * 2, true},  {611'953, false}, {613 * 941, true},
                                          {524'287, false}, {21, true}};
  for (const auto& [n, composite] : numbers) {
    const Expr assumption = pool.eq(product, bits(n));
    EXPECT_EQ(solver->check_assuming({&assumption, 1}).answer,
              composite ? Answer::Sat : Answer::Unsat)
        << n;
    if (!composite) continue;
    EXPECT_EQ(number(solver->value(a)) * number(solver->value(b)), n);
  }
}

TEST_P(BitsTest, InterruptedChecksForgetNothing) {
  auto solver = make_for_bits();
  constexpr int kWords = 40;
  std::vector<Expr> words;
  for (int n = 0; n < kWords; ++n) words.push_back(word(n));
  solver->require(pool.eq(words[0], bits(3)));
  for (int n = 0; n + 1 < kWords; ++n) {
    const Expr square = pool.make(Op::BvMul, {words[n], words[n]});
    solver->require(pool.eq(words[n + 1], pool.make(Op::BvAdd, {square, bits(n)})));
    solver->set_time_per_check(std::chrono::milliseconds(n % 4));
    const CheckResult result = solver->check();
    EXPECT_NE(result.answer, Answer::Unsat);
  }
  solver->set_time_per_check(std::nullopt);
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  std::int64_t expected = 3;
  for (int n = 0; n < kWords; ++n) {
    EXPECT_EQ(number(solver->value(words[n])), expected) << n;
    expected = (expected * expected + n) % (1 << kWidth);
  }
}

// Z3's procedures for products rewrite formulas step by step. Interrupted, it must not take what
// they had so far for what was required.
TEST_P(SolverTest, InterruptedProductsForgetNothing) {
  std::vector<Expr> required;
  auto require = [&](Expr condition) { required.push_back(condition); };
  auto fresh = [&](Type type) { return pool.symbol(pool.declare("v", type)); };
  auto rest = [&](Expr e) { return pool.make(Op::Mod, {e, number(5)}); };
  Expr a = fresh(Type::integer()), b = fresh(Type::integer());
  require(pool.eq(a, number(2)));
  require(pool.eq(b, number(3)));
  for (int n = 0; n < 6; ++n) {
    const Expr divided = fresh(Type::boolean()), multiplied = fresh(Type::boolean());
    const Expr next_a = fresh(Type::integer()), next_b = fresh(Type::integer());
    const Expr quotient = rest(pool.make(Op::IDiv, {number(17), b}));
    require(pool.eq(next_a, pool.ite(divided, quotient, rest(pool.add(a, b)))));
    require(pool.eq(next_b, pool.ite(multiplied, rest(pool.mul(a, b)), b)));
    require(pool.gt(next_b, number(0)));
    a = next_a;
    b = next_b;
  }
  require(pool.eq(pool.add(a, b), number(7)));
  for (auto limit : {100ms, 170ms, 240ms}) {
    auto solver = make();
    for (Expr condition : required) solver->require(condition);
    solver->set_time_per_check(limit);
    for (int n = 0; n < 3; ++n) EXPECT_NE(solver->check().answer, Answer::Unsat);
    solver->set_time_per_check(std::nullopt);
    ASSERT_EQ(solver->check().answer, Answer::Sat);
    for (Expr condition : required) EXPECT_EQ(solver->value(condition), Value(true));
  }
}

// Z3 begins checks with quotients anew when they take long; scopes and what is required stay.
TEST_P(SolverTest, ChecksWithQuotientsThatTakeLongForgetNothing) {
  constexpr int kHoles = 6;
  auto solver = make();
  std::vector<Expr> required, pigeons;
  auto require = [&](Expr condition) {
    required.push_back(condition);
    solver->require(condition);
  };
  for (int n = 0; n < kHoles; ++n) {
    const Expr pigeon = pool.symbol(pool.declare("pigeon", Type::integer()));
    const Expr hole = pool.make(Op::Mod, {pigeon, number(kHoles)});
    for (Expr other : pigeons) require(pool.ne(hole, pool.make(Op::Mod, {other, number(kHoles)})));
    pigeons.push_back(pigeon);
  }
  const Expr late = pool.symbol(pool.declare("late", Type::integer()));
  const Expr last = pool.make(Op::Mod, {late, number(kHoles)});
  solver->push();
  for (Expr other : pigeons)
    solver->require(pool.ne(last, pool.make(Op::Mod, {other, number(kHoles)})));
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  EXPECT_EQ(solver->check().answer, Answer::Unsat);
  solver->pop();
  require(pool.eq(last, pool.make(Op::Mod, {pigeons.front(), number(kHoles)})));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  for (Expr condition : required) EXPECT_EQ(solver->value(condition), Value(true));
}

TEST_P(SolverTest, LimitsHoldInAForkedChild) {
  Limits limits;
  limits.time_per_check = 50ms;
  auto before = make(limits);
  require_hard(*before);
  EXPECT_EQ(before->check().reason.kind, Reason::Kind::Timeout);
  pid_t child = fork();
  if (child == 0) {
    auto inside = make(limits);
    require_hard(*inside);
    _exit(inside->check().reason.kind == Reason::Kind::Timeout ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_P(SolverTest, CountsItsChecks) {
  auto solver = make();
  solver->check();
  solver->require(pool.boolean(false));
  solver->check();
  SolverStatistics statistics = solver->statistics();
  EXPECT_EQ(statistics.checks, 2U);
  EXPECT_EQ(statistics.sat, 1U);
  EXPECT_EQ(statistics.unsat, 1U);
  EXPECT_FALSE(statistics.native.empty());
}

TEST_P(SolverTest, DeepTermsGoThrough) {
  auto solver = make();
  Expr sum = x;
  Expr chain = p;
  Expr choice = y;
  int depth = 3000 * whittle::test::effort();
  for (int i = 0; i < depth; ++i) {
    sum = pool.add(pool.make(Op::Neg, {sum}), y);
    chain = i % 2 == 0 ? pool.disj(pool.lt(x, number(i)), pool.negate(chain))
                       : pool.conj(pool.negate(chain), q);
    choice = pool.ite(pool.eq(x, number(i)), number(i), choice);
  }
  solver->require(pool.eq(sum, number(7)));
  solver->require(pool.negate(chain));
  solver->require(pool.eq(choice, number(7)));
  solver->require(pool.eq(x, number(7)));
  ASSERT_EQ(solver->check().answer, Answer::Sat);
  EXPECT_EQ(solver->value(sum), Value(7));
  EXPECT_EQ(solver->value(chain), Value(false));
}

}  // namespace
}  // namespace whittle::smt::test
