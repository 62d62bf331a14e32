// SPDX-License-Identifier: Apache-2.0
// Files from loading to exit code: in which order results arrive, and what wrong calls lead to.
#include "driver/check.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "base/write_file.h"

namespace whittle {
namespace {

constexpr const char* kCounter = R"(
system Counter
var x: Int
node P
start P: x == 0
transition up: P -> P when x < 5 then x' == x + 1
safety large: x < 5
safety small: x <= 5
reach far: x == 3
)";

class Check : public ::testing::Test {
 protected:
  Check() {
    declare_check_options(options_);
    write_file(path(), kCounter);
  }
  [[nodiscard]] std::string path() const { return (folder_.path() / "counter.sts").string(); }
  CheckReport check() {
    DecideContext context{options_, Deadline::never(), {}, log_, progress_};
    CheckListener listener;
    listener.on_questions = [this](std::span<const PropertyResult> all) { asked_ = all.size(); };
    listener.on_result = [this](const PropertyResult& result) {
      order_.push_back(result.question().name);
    };
    return check_files({path()}, context, listener);
  }
  TemporaryFolder folder_;
  OptionSet options_;
  Logger log_;
  IgnoreProgress progress_;
  std::size_t asked_ = 0;
  std::vector<std::string> order_;
};

using Names = std::vector<std::string>;

TEST_F(Check, ResultsComeInTheOrderOfTheFile) {
  const CheckReport report = check();
  EXPECT_EQ(asked_, 3U);
  EXPECT_EQ(order_, (Names{"large", "small", "far"}));
  ASSERT_EQ(report.results.size(), 3U);
  EXPECT_EQ(report.results[0].verdict.kind(), VerdictKind::Violated);
  EXPECT_EQ(report.results[1].verdict.kind(), VerdictKind::Holds);
  EXPECT_EQ(report.results[2].verdict.kind(), VerdictKind::Reachable);
  EXPECT_EQ(report.exit, ExitCode::NotMet);
}

TEST_F(Check, CountsTheSolverCallsOfProofChecks) {
  write_file(path(),
             "system Up\nvar x: Int\nnode P\nstart P: x >= 0\n"
             "transition up: P -> P then x' == x + 1\nsafety natural: x >= 0\n");
  const CheckReport report = check();
  ASSERT_EQ(report.results.size(), 1U);
  const Verdict& verdict = report.results[0].verdict;
  EXPECT_EQ(verdict.kind(), VerdictKind::Holds);
  EXPECT_TRUE(verdict.invariant().valid());
  EXPECT_GT(verdict.solver_calls, 0U);
}

TEST_F(Check, ABoundLeavesDemandsOpen) {
  options_.add<CheckGroup>().property.add("small");
  options_.add<DecideOptions>().bound.set("3");
  const CheckReport report = check();
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].question().bound.max, 3U);
  EXPECT_EQ(report.results[0].asked, StepBound{});
  // A proof may be found all the same; otherwise nobody knows about longer runs.
  EXPECT_EQ(report.exit,
            report.results[0].verdict.bound() ? ExitCode::Undecided : ExitCode::Success);
}

TEST_F(Check, WrongCallsDecideNothing) {
  options_.add<DecideOptions>().bound.set("many");
  const CheckReport report = check();
  EXPECT_TRUE(report.results.empty());
  EXPECT_TRUE(report.loaded.diagnostics.has_errors());
  EXPECT_EQ(report.exit, ExitCode::BadInput);
}

TEST_F(Check, AnUnknownEngineIsAWrongCall) {
  options_.add<DecideOptions>().engine.set("bmd");
  EXPECT_EQ(check().exit, ExitCode::BadInput);
  EXPECT_TRUE(order_.empty());
}

}  // namespace
}  // namespace whittle
