// SPDX-License-Identifier: Apache-2.0
// A test suite for a model, as plain data: what was to be covered, and the runs that cover it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "ir/network.h"
#include "ir/notation.h"
#include "ir/outside.h"
#include "ir/run/interpreter.h"
#include "ir/trace.h"

namespace whittle {

struct TestGoal {
  enum class Status { Covered, Dead, Unknown };
  std::string kind;  // "branch", "location", "condition", "error", "path", "on", "off"
  std::string name;
  Span origin = {};
  Status status = Status::Unknown;
  std::vector<std::size_t> tests = {};  // numbers of those that cover it, from 1
  std::string why = {};  // Dead: an invariant that excludes it, or how it was shown; Unknown: why
};
[[nodiscard]] std::string_view to_string(TestGoal::Status status);

struct SuiteTest {
  // How its run ends: the program ends by itself, an error is reached, an assumption stops it, it
  // asks for more inputs than the test has, nobody has to move, or it was not followed further.
  enum class End { Final, Error, Assumption, Inputs, Open, Long };
  std::string about;  // the goal that it was made for
  Trace trace;
  Replay replay;
  std::vector<Value> inputs = {};  // from outside of a program, in order
  End end = End::Open;
  std::string violates = {};  // End::Error: the property
  // An event that is tried after the run, and what becomes of it.
  struct Attempt {
    std::string event;
    std::vector<Shown> arguments;
    bool possible = false;
    std::string instead = {};  // what the run does
  };
  std::optional<Attempt> attempt = {};
};
[[nodiscard]] std::string_view to_string(SuiteTest::End end);

struct TestSuite {
  std::string file;
  std::shared_ptr<Network> network;
  UniverseId universe;
  std::string cover;  // as it was asked for
  std::vector<TestGoal> goals;
  std::vector<SuiteTest> tests;
  std::vector<std::string> notes = {};

  [[nodiscard]] std::size_t count(TestGoal::Status status) const;
  // Functions that a harness has to define; empty: the language has none.
  [[nodiscard]] std::vector<CallsOutside::Function> outside() const;
};

// For people: figures, what is dead and what is not known.
[[nodiscard]] std::string suite_text(const TestSuite& suite, const Sources& sources);
// One entry of the list `suites`.
[[nodiscard]] std::string suite_document(const std::vector<TestSuite>& suites,
                                         std::string_view version, const Diagnostics& diagnostics,
                                         const Sources& sources);

struct SuiteFile {
  std::string path;  // below the folder of the suite
  std::string text;
};
// requires: a C program of this text
[[nodiscard]] std::vector<SuiteFile> suite_as_c(const TestSuite& suite, std::string_view text);
[[nodiscard]] std::vector<SuiteFile> suite_as_testcomp(const TestSuite& suite,
                                                       std::string_view text,
                                                       std::string_view version, bool ilp32);

}  // namespace whittle
