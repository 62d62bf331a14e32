// SPDX-License-Identifier: Apache-2.0
#include "report/test_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "report/json.h"
#include "report/json_document.h"
#include "report/shown.h"

namespace whittle {

namespace {

using Json = nlohmann::ordered_json;

// "line 12: ", where the goal stands somewhere.
std::string place_of(const TestGoal& goal, const Sources& sources) {
  if (!goal.origin.valid()) return "";
  return fmt::format("line {}: ", sources.file(goal.origin.file).position(goal.origin.begin).line);
}

Json goal_entry(const TestGoal& goal, const Sources& sources) {
  const Json place = json_place(goal.origin, sources);
  return {{"kind", goal.kind},
          {"name", goal.name},
          {"line", place["line"]},
          {"column", place["column"]},
          {"status", to_string(goal.status)},
          {"tests", goal.tests},
          {"why", goal.why.empty() ? Json(nullptr) : Json(goal.why)}};
}

Json attempt_entry(const SuiteTest& test) {
  if (!test.attempt) return nullptr;
  Json arguments = Json::object();
  for (const Shown& shown : test.attempt->arguments) arguments[shown.name] = shown.value;
  return {{"event", test.attempt->event},
          {"arguments", std::move(arguments)},
          {"possible", test.attempt->possible},
          {"instead", test.attempt->instead.empty() ? Json(nullptr) : Json(test.attempt->instead)}};
}

// Whole numbers that every reader keeps exact are numbers.
Json number(const Value& value) {
  if (value.is_integer())
    if (const auto small = value.as_integer().to_int64();
        small && *small < (1LL << 53) && *small > -(1LL << 53))
      return *small;
  return value.is_bit_vector() ? value.as_bit_vector().bits.to_string()
                               : value.as_integer().to_string();
}

Json test_entry(const TestSuite& suite, const SuiteTest& test, std::size_t n) {
  Json inputs = nullptr;
  if (!suite.outside().empty()) {
    inputs = Json::array();
    for (const Value& value : test.inputs) inputs.push_back(number(value));
  }
  return {{"test", n},
          {"about", test.about},
          {"inputs", std::move(inputs)},
          {"end", to_string(test.end)},
          {"violates", test.violates.empty() ? Json(nullptr) : Json(test.violates)},
          {"attempt", attempt_entry(test)},
          {"trace", json_trace(*suite.network, test.trace, test.replay, false)}};
}

Json suite_entry(const TestSuite& suite, const Sources& sources) {
  Json goals = Json::array();
  for (const TestGoal& goal : suite.goals) goals.push_back(goal_entry(goal, sources));
  Json tests = Json::array();
  for (std::size_t i = 0; i < suite.tests.size(); ++i)
    tests.push_back(test_entry(suite, suite.tests[i], i + 1));
  return {{"file", suite.file},
          {"cover", suite.cover},
          {"goals_all", suite.goals.size()},
          {"goals_covered", suite.count(TestGoal::Status::Covered)},
          {"goals_dead", suite.count(TestGoal::Status::Dead)},
          {"goals_unknown", suite.count(TestGoal::Status::Unknown)},
          {"goals", std::move(goals)},
          {"tests", std::move(tests)},
          {"notes", suite.notes}};
}

}  // namespace

std::string_view to_string(TestGoal::Status status) {
  switch (status) {
    case TestGoal::Status::Covered:
      return "covered";
    case TestGoal::Status::Dead:
      return "dead";
    case TestGoal::Status::Unknown:
      return "unknown";
  }
  throw InternalError("unknown status of a goal");
}

std::string_view to_string(SuiteTest::End end) {
  switch (end) {
    case SuiteTest::End::Final:
      return "ends";
    case SuiteTest::End::Error:
      return "error";
    case SuiteTest::End::Assumption:
      return "assumption";
    case SuiteTest::End::Inputs:
      return "inputs";
    case SuiteTest::End::Open:
      return "open";
    case SuiteTest::End::Long:
      return "long";
  }
  throw InternalError("unknown end of a test");
}

std::size_t TestSuite::count(TestGoal::Status status) const {
  return static_cast<std::size_t>(std::count_if(
      goals.begin(), goals.end(), [&](const TestGoal& goal) { return goal.status == status; }));
}

std::vector<CallsOutside::Function> TestSuite::outside() const {
  const auto* calls = dynamic_cast<const CallsOutside*>(network->notation.get());
  return calls == nullptr ? std::vector<CallsOutside::Function>() : calls->outside();
}

std::string suite_text(const TestSuite& suite, const Sources& sources) {
  using Status = TestGoal::Status;
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  std::string text =
      fmt::format("{}\n  {} test{} cover{} {} of {} goals ({})", suite.file, suite.tests.size(),
                  plural(suite.tests.size()), suite.tests.size() == 1 ? "s" : "",
                  suite.count(Status::Covered), suite.goals.size(), suite.cover);
  if (const std::size_t dead = suite.count(Status::Dead); dead > 0)
    text += fmt::format(", {} {} dead", dead, dead == 1 ? "is" : "are");
  if (const std::size_t unknown = suite.count(Status::Unknown); unknown > 0)
    text += fmt::format(", {} {} not known", unknown, unknown == 1 ? "is" : "are");
  text += "\n";
  for (const Status status : {Status::Dead, Status::Unknown}) {
    for (const TestGoal& goal : suite.goals) {
      if (goal.status != status) continue;
      text += fmt::format("  {}  {}{} {}\n", status == Status::Dead ? "dead   " : "unknown",
                          place_of(goal, sources), goal.kind, safe_text(goal.name));
      if (!goal.why.empty())
        text += fmt::format("           {}\n", ellipsized(safe_text(goal.why), 100));
    }
  }
  for (std::size_t i = 0; i < suite.tests.size(); ++i)
    if (const SuiteTest& test = suite.tests[i]; test.end == SuiteTest::End::Error)
      text += fmt::format("  test {} violates '{}'\n", i + 1, safe_text(test.violates));
  for (const std::string& note : suite.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

std::string suite_document(const std::vector<TestSuite>& suites, std::string_view version,
                           const Diagnostics& diagnostics, const Sources& sources) {
  Json entries = Json::array();
  for (const TestSuite& suite : suites) entries.push_back(suite_entry(suite, sources));
  return json_document(version, "suites", entries, diagnostics, sources);
}

}  // namespace whittle
