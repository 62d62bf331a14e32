// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "driver/tests/asking.h"
#include "driver/tests/borders.h"
#include "driver/tests/paths.h"
#include "driver/tests/walk.h"
#include "expr/print.h"
#include "ir/notation.h"
#include "report/shown.h"

namespace whittle {

namespace {

using tests::Cover;
using tests::CoverageGoal;

class SuiteBuilder {
 public:
  SuiteBuilder(const Model& model, UniverseId universe, const SuiteOptions& options,
               DecideContext& context)
      : parsed_(model.network),
        universe_(universe),
        options_(options),
        asking_(model.path, std::make_shared<Network>(*model.network), universe, context),
        context_(context) {
    suite_.file = model.path;
    suite_.network = parsed_;
    suite_.universe = universe;
    suite_.cover = options.words;
  }

  TestSuite run() {
    if (options_.cover == Cover::Paths) {
      cover_paths();
    } else {
      goals_ = goals();
      cover_goals();
      drop_superfluous();
    }
    if (options_.borders) add_borders();
    return std::move(suite_);
  }

 private:
  std::vector<CoverageGoal> goals() {
    switch (options_.cover) {
      case Cover::Locations:
        return tests::location_goals(*parsed_, universe_);
      case Cover::Branches:
        return tests::branch_goals(*parsed_, universe_);
      case Cover::Conditions: {
        // A program whose conditions are taken apart decides each part by itself.
        if (parsed_->language == "c") return tests::branch_goals(*parsed_, universe_);
        return tests::condition_goals(asking_.network(), universe_);
      }
      case Cover::Errors:
        return tests::error_goals(*parsed_, universe_);
      case Cover::Paths:
        break;
    }
    throw InternalError("paths are no goals");
  }

  // A run as a test, taken on to its end.
  SuiteTest test_of(std::string about, const Trace& found) {
    SuiteTest test;
    test.about = std::move(about);
    test.trace = tests::without_probes(found, *parsed_);
    test.end = tests::complete(*parsed_, test.trace);
    test.inputs = tests::inputs_of(*parsed_, test.trace);
    auto replayed = replay(*parsed_, test.trace);
    WHITTLE_REQUIRE(replayed, "the trace of a test is a run");
    test.replay = std::move(*replayed);
    return test;
  }

  void add_goal(const CoverageGoal& goal) {
    TestGoal shown;
    shown.kind = goal.kind;
    shown.name = goal.name;
    shown.origin = goal.origin;
    suite_.goals.push_back(std::move(shown));
  }

  [[nodiscard]] bool over() const {
    return context_.cancel.cancelled() || context_.deadline.passed();
  }

  void cover_goals() {
    for (const CoverageGoal& goal : goals_) add_goal(goal);
    tests::Coverage coverage(*parsed_, asking_.network(), universe_, goals_);
    for (std::size_t i = 0; i < goals_.size(); ++i) {
      TestGoal& goal = suite_.goals[i];
      if (goal.status == TestGoal::Status::Covered) continue;
      if (over()) {
        goal.why = "the time was over";
        continue;
      }
      const tests::Answer answer = asking_.about(goals_[i]);
      goal.why = answer.why;
      if (answer.dead) goal.status = TestGoal::Status::Dead;
      if (answer.trace) add_test(i, *answer.trace, coverage);
    }
  }

  void add_test(std::size_t goal, const Trace& trace, tests::Coverage& coverage) {
    SuiteTest test = test_of(suite_.goals[goal].name, trace);
    std::string violates;
    std::set<std::size_t> covered = coverage.of(test.trace, &violates);
    // What is tried at the end of the run shows the goal, too.
    const bool tried =
        trace.steps.size() > 0 && trace.steps.back().event.index() >= parsed_->events().size();
    if (tried) covered.insert(goal);
    if (!violates.empty()) {
      test.end = SuiteTest::End::Error;
      test.violates = violates;
    }
    WHITTLE_REQUIRE(covered.contains(goal), "a run to a goal covers it");
    for (const std::size_t other : covered)
      suite_.goals[other].status = TestGoal::Status::Covered, suite_.goals[other].why.clear();
    suite_.tests.push_back(std::move(test));
    covers_.push_back(std::move(covered));
  }

  // The test that covers most of what the others before it leave, again and again.
  void drop_superfluous() {
    std::vector<std::size_t> kept;
    std::set<std::size_t> done;
    while (true) {
      std::size_t best = 0;
      std::size_t most = 0;
      for (std::size_t t = 0; t < covers_.size(); ++t) {
        const auto news = static_cast<std::size_t>(
            std::count_if(covers_[t].begin(), covers_[t].end(),
                          [&](std::size_t goal) { return !done.contains(goal); }));
        if (news > most) {
          most = news;
          best = t;
        }
      }
      if (most == 0) break;
      done.insert(covers_[best].begin(), covers_[best].end());
      kept.push_back(best);
    }
    std::sort(kept.begin(), kept.end());
    std::vector<SuiteTest> tests;
    for (const std::size_t t : kept) {
      tests.push_back(std::move(suite_.tests[t]));
      for (const std::size_t goal : covers_[t]) suite_.goals[goal].tests.push_back(tests.size());
    }
    suite_.tests = std::move(tests);
  }

  // ----- paths

  void cover_paths() {
    if (!tests::has_paths(*parsed_, universe_)) {
      suite_.notes.emplace_back("paths are those of programs with one machine");
      return;
    }
    const tests::PathsFound found = tests::paths(parsed_, universe_, options_.turns, asking_);
    if (!found.complete) suite_.notes.emplace_back("there are more paths than were looked at");
    for (const tests::PathFound& path : found.paths) {
      TestGoal goal{"path", path.name};
      goal.why = path.answer.why;
      if (path.answer.dead) goal.status = TestGoal::Status::Dead;
      if (path.answer.trace) {
        SuiteTest test = test_of(path.name, *path.answer.trace);
        tests::Coverage coverage(*parsed_, asking_.network(), universe_, goals_);
        static_cast<void>(coverage.of(test.trace, &test.violates));
        if (!test.violates.empty()) test.end = SuiteTest::End::Error;
        suite_.tests.push_back(std::move(test));
        goal.status = TestGoal::Status::Covered;
        goal.why.clear();
        goal.tests = {suite_.tests.size()};
      }
      suite_.goals.push_back(std::move(goal));
    }
  }

  // ----- borders

  void add_borders() {
    // Conditions may have added events of their own to the network that is asked about them.
    tests::Asking asking(suite_.file, std::make_shared<Network>(*parsed_), universe_, context_);
    const auto points = tests::border_points(asking.network(), universe_);
    for (const tests::BorderPoint& point : points) {
      add_goal(point.goal);
      TestGoal& goal = suite_.goals.back();
      if (over()) {
        goal.why = "the time was over";
        continue;
      }
      const tests::Answer answer = asking.about(point.goal);
      goal.why = answer.why;
      if (answer.dead) goal.status = TestGoal::Status::Dead;
      if (!answer.trace) continue;
      suite_.tests.push_back(border_test(point, *answer.trace));
      goal.status = TestGoal::Status::Covered;
      goal.tests = {suite_.tests.size()};
    }
  }

  // The run to the point, what is tried there, and what becomes of it.
  SuiteTest border_test(const tests::BorderPoint& point, const Trace& found) {
    WHITTLE_REQUIRE(!found.steps.empty(), "a point is tried with a step");
    const TraceStep tried = found.steps.back();
    Trace to_point = tests::without_probes(found, *parsed_);
    SuiteTest::Attempt attempt;
    attempt.event = parsed_->event(point.event).name;
    const auto before = follow(*parsed_, to_point);
    WHITTLE_REQUIRE(before, "the trace of a test is a run");
    Stepper stepper(*parsed_, universe_);
    attempt.possible = stepper.enabled(before->final, tried.instance, point.event, tried.arguments);
    if (attempt.possible != point.inside)
      suite_.notes.push_back(fmt::format("{}: the event is {}", point.goal.name,
                                         attempt.possible ? "possible" : "not possible"));
    attempt.arguments = arguments_of(point.event, tried.arguments);
    const auto way = way_on(stepper, before->final, tried, point.event, attempt.possible);
    if (way) {
      to_point.steps.push_back(*way);
      if (way->event != point.event) attempt.instead = parsed_->event(way->event).name;
    }
    SuiteTest test = test_of(point.goal.name, to_point);
    tests::Coverage coverage(*parsed_, asking_.network(), universe_, goals_);
    static_cast<void>(coverage.of(test.trace, &test.violates));
    if (!test.violates.empty()) test.end = SuiteTest::End::Error;
    test.attempt = std::move(attempt);
    return test;
  }

  // The step that is taken with these arguments: the event itself, or in a program another outcome.
  std::optional<TraceStep> way_on(Stepper& stepper, const State& state, const TraceStep& tried,
                                  EventId event, bool possible) {
    std::optional<TraceStep> result;
    const auto take = [&](EventId id) {
      stepper.each_step(state, tried.instance, id, tried.arguments,
                        [&](const TraceStep& step, const State&) {
                          result = step;
                          return false;
                        });
      return result.has_value();
    };
    if (possible) {
      take(event);
      return result;
    }
    if (!traits_of(*parsed_).programs) return std::nullopt;
    const LocationId from =
        state.locations[StateLayout(*parsed_, universe_).position(tried.instance)];
    for (const EventId id : parsed_->machine(parsed_->instance(tried.instance).machine).events) {
      const Event& other = parsed_->event(id);
      const bool here = std::any_of(other.arcs.begin(), other.arcs.end(),
                                    [&](const whittle::Arc& arc) { return arc.from == from; });
      if (other.root && here && other.parameters.size() == tried.arguments.size() && take(id))
        return result;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<Shown> arguments_of(EventId event,
                                                const std::vector<Value>& values) const {
    if (parsed_->notation) return parsed_->notation->arguments(*parsed_, event, values);
    std::vector<Shown> result;
    const auto& parameters = parsed_->event(event).parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      result.push_back(
          {parameters[i].name, to_string(parsed_->pool(), values[i], parameters[i].type)});
    return result;
  }

  std::shared_ptr<Network> parsed_;
  UniverseId universe_;
  const SuiteOptions& options_;
  tests::Asking asking_;
  DecideContext& context_;
  std::vector<CoverageGoal> goals_;
  TestSuite suite_;
  std::vector<std::set<std::size_t>> covers_;  // by test: goals
};

}  // namespace

TestSuite test_suite(const Model& model, UniverseId universe, const SuiteOptions& options,
                     DecideContext& context) {
  return SuiteBuilder(model, universe, options, context).run();
}

}  // namespace whittle
