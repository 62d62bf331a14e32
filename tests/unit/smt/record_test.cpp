// SPDX-License-Identifier: Apache-2.0
// What is recorded must be read by the stand-alone programs and get the same answers from them.
#include "smt/record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "smt/fixedpoint.h"
#include "smt/solvers.h"
#include "support/effort.h"
#include "support/random_terms.h"
#include "unit/smt/fixture.h"

namespace whittle::smt::test {
namespace {

using namespace std::chrono_literals;
using whittle::test::effort;
using whittle::test::RandomTermOptions;
using whittle::test::RandomTerms;

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (pipe != nullptr) {
    std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe);
    if (count == 0) break;
    text.append(buffer.data(), count);
  }
  if (pipe != nullptr) pclose(pipe);
  return text;
}

bool installed(const std::string& program) {
  return output_of("command -v " + program).find(program) != std::string::npos;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class RecordTest : public ::testing::Test, protected Symbols {
 protected:
  RecordTest() {
    folder_ =
        std::filesystem::temp_directory_path() / ("whittle-record-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~RecordTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Both programs, on the recording, say what the solver said.
  void expect_replays(const std::filesystem::path& path, const std::string& answers) {
    for (std::string command : {"z3 -T:60 ", "cvc5 --incremental --tlimit=60000 "}) {
      if (!installed(command.substr(0, command.find(' ')))) {
        GTEST_SKIP() << "not installed: " << command;
      }
      EXPECT_EQ(output_of(command + path.string()), answers) << command << "\n" << text_of(path);
    }
  }

  std::filesystem::path folder_;
};

TEST_F(RecordTest, RecordsScopesAssumptionsAndAnswers) {
  std::filesystem::path path = folder_ / "a.smt2";
  Type color = pool.enum_type("Color", {"Red", "dark green", "select"});
  Expr c = variable("c", color);
  Expr odd = variable("exp", Type::integer());
  Expr again = variable("exp", Type::real());
  Expr text = variable("a text|", Type::string());
  SymbolId f = pool.declare("f", color, {Type::integer()});
  Expr arguments[] = {x};
  std::string answers;
  {
    auto solver = recorded(make_solver(SolverId::Z3, pool), pool, path.string());
    auto check = [&](std::span<const Expr> assumptions) {
      answers += std::string(to_string(solver->check_assuming(assumptions).answer)) + "\n";
    };
    solver->require(pool.lt(x, odd));
    solver->require(pool.eq(pool.apply(f, arguments), c));
    check({});
    solver->push();
    solver->require(pool.ne(c, pool.constant(Value(EnumValue{0}), color)));
    solver->require(pool.lt(again, pool.real(Rational(Integer(-1), Integer(3)))));
    solver->require(pool.eq(text, pool.string("say \"hi\" \\ é")));
    check({});
    Expr assumptions[] = {pool.eq(c, pool.constant(Value(EnumValue{1}), color)), pool.ge(x, odd)};
    check(assumptions);
    check(std::span(assumptions).first(1));
    solver->pop();
    Expr a = variable("array", pool.array_type(Type::integer(), Type::boolean()));
    solver->require(pool.select(pool.store(a, x, p), odd));
    solver->require(pool.negate(pool.select(a, odd)));
    check({});
  }
  EXPECT_EQ(answers, "sat\nsat\nunsat\nsat\nunsat\n");
  expect_replays(path, answers);
}

TEST_F(RecordTest, DeepTermsAreReadable) {
  std::filesystem::path path = folder_ / "deep.smt2";
  {
    auto solver = recorded(make_solver(SolverId::Z3, pool), pool, path.string());
    Expr sum = x;
    for (int i = 0; i < 3000; ++i) sum = pool.add(pool.make(Op::Neg, {sum}), y);
    solver->push();
    solver->require(pool.eq(sum, pool.add(x, number(1))));
    EXPECT_EQ(solver->check().answer, Answer::Unsat);
    solver->pop();
    solver->require(pool.eq(sum, x));
    EXPECT_EQ(solver->check().answer, Answer::Sat);
  }
  expect_replays(path, "unsat\nsat\n");
}

TEST_F(RecordTest, RandomFormulasReplay) {
  if (!installed("z3") || !installed("cvc5")) GTEST_SKIP() << "z3 or cvc5 not installed";
  int decided = 0;
  int rounds = 10 * effort();
  for (int round = 0; round < rounds; ++round) {
    ExprPool own;
    RandomTermOptions options;
    options.partial = options.nonlinear = options.sets = false;
    RandomTerms random(own, 300 + static_cast<std::uint64_t>(round), options);
    std::filesystem::path path = folder_ / "random.smt2";
    Answer answer = Answer::Unknown;
    {
      Limits limits;
      limits.time_per_check = 1s;
      auto solver = recorded(make_solver(SolverId::Z3, own, limits), own, path.string());
      for (int i = 0; i < 3; ++i) solver->require(random.term(Type::boolean(), 12));
      answer = solver->check().answer;
    }
    if (answer == Answer::Unknown || text_of(path).find("cannot say") != std::string::npos)
      continue;
    ++decided;
    std::string expected = std::string(to_string(answer)) + "\n";
    EXPECT_EQ(output_of("z3 -T:20 " + path.string()), expected) << text_of(path);
    std::string other = output_of("cvc5 --incremental --tlimit=5000 " + path.string());
    if (other.find("interrupted by timeout") == std::string::npos && other != "unknown\n") {
      EXPECT_EQ(other, expected) << text_of(path);
    }
  }
  EXPECT_GE(decided * 2, rounds);
}

TEST_F(RecordTest, FactoriesNumberTheirRecordingsAndCount) {
  SolverFactory factory({SolverId::Cvc5, {}, (folder_ / "runs").string()});
  {
    auto first = factory.make(pool, "base case");
    EXPECT_EQ(first->name(), "cvc5");
    EXPECT_EQ(first->check().answer, Answer::Sat);
    auto second = factory.with(SolverId::Z3).make(pool);
    second->require(pool.boolean(false));
    EXPECT_EQ(second->check().answer, Answer::Unsat);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "runs" / "0001-cvc5-base-case.smt2"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "runs" / "0002-z3.smt2"));
  CallCounts counts = factory.counts();
  EXPECT_EQ(counts.solvers, 2U);
  EXPECT_EQ(counts.checks, 2U);
  EXPECT_EQ(counts.sat, 1U);
  EXPECT_EQ(counts.unsat, 1U);
  EXPECT_GT(counts.time.count(), 0);
}

TEST_F(RecordTest, FactoriesCountWhatIsMadeWithTheirLimits) {
  const SolverFactory factory({SolverId::Z3, {}, ""});
  (void)make_solver(SolverId::Cvc5, pool, factory.settings().limits)->check();
  auto horn = make_fixedpoint(pool, factory.with(SolverId::Cvc5).settings().limits);
  const RelationId reach = horn->relation("reach", {});
  horn->rule({"start", {reach, {}}, {}, pool.boolean(true)});
  const CallCounts before = factory.counts();
  EXPECT_EQ(horn->query({{reach, {}}}, pool.boolean(true)).answer, Derivability::Derivable);
  EXPECT_EQ(before.checks, 1U);
  EXPECT_GE(factory.counts().since(before).sat, 1U);
}

TEST_F(RecordTest, AFolderThatCannotBeWrittenIsAnError) {
  SolverFactory factory({SolverId::Z3, {}, "/proc/no-such-place"});
  EXPECT_THROW((void)factory.make(pool), ResourceError);
}

}  // namespace
}  // namespace whittle::smt::test
