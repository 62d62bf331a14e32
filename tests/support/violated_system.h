// SPDX-License-Identifier: Apache-2.0
// A system of one step, after which its property does not hold: what reports show.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "report/false_parts.h"
#include "support/load.h"

namespace whittle::test {

class ViolatedSystem : public ::testing::Test {
 protected:
  void load(const std::string& condition, const std::string& expected = "") {
    model_ = test::load("sts",
                        "system S\nvar x: Int\nvar y: Int\nnode A\nfinal node \"<B>\"\n"
                        "start A: x == 1 && y == 2\n"
                        "transition go: A -> \"<B>\" (n: Int) then x' == n\n"
                        "safety p: " +
                            condition + expected + "\n",
                        "folder/model.sts");
    ASSERT_NE(model_.network, nullptr) << model_.messages();
    const Network& network = *model_.network;
    Trace trace;
    trace.universe = UniverseId(0);
    trace.initial.locations = {LocationId(0)};
    trace.initial.values = {Value(Integer(1)), Value(Integer(2))};
    trace.steps.resize(1);
    trace.steps[0].instance = InstanceId(0);
    trace.steps[0].event = EventId(0);
    trace.steps[0].arguments = {Value(Integer(7))};
    auto replayed = replay(network, trace);
    ASSERT_TRUE(replayed.has_value()) << replayed.error().message;
    result_.file = "folder/model.sts";
    result_.network = model_.network;
    result_.property = PropertyId(0);
    result_.verdict.asked = PropertyKind::Invariant;
    result_.verdict.found = TraceFound{trace, true};
    result_.replay = std::move(*replayed);
  }
  [[nodiscard]] std::string parts() const {
    ReportStyle style;
    return false_parts_text(result_, style, 0);
  }

  test::Loaded model_;
  PropertyResult result_;
};

}  // namespace whittle::test
