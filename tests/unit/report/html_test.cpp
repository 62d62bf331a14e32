// SPDX-License-Identifier: Apache-2.0
// The reports that look at states: why a condition fails, tables of results, pages, drawings.
#include "report/html.h"

#include <gtest/gtest.h>

#include "report/false_parts.h"
#include "report/html_page.h"
#include "report/machine_drawing.h"
#include "report/summary.h"
#include "support/load.h"

namespace whittle {
namespace {

// The system after one step, in which its property is violated.
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

TEST_F(ViolatedSystem, FalsePartsHaveTheirValues) {
  load("y == 2 && x < 5 && x + y < 100");
  EXPECT_EQ(parts(), "in the last state\n  ✗ x < 5    x = 7\n");
  load("x < 5 || y > x");
  EXPECT_EQ(parts(), "in the last state\n  ✗ x < 5    x = 7\n  ✗ x < y    x = 7, y = 2\n");
}

TEST_F(ViolatedSystem, AnImplicationFailsWhereItsLeftSideHolds) {
  load("@\"<B>\" -> x == 1 && y == 2");
  EXPECT_EQ(parts(), "in the last state\n  ✓ @\"<B>\"\n  ✗ x == 1    x = 7\n");
  load("@A");
  EXPECT_EQ(parts(), "in the last state\n  ✗ @A    at <B>\n");
}

TEST_F(ViolatedSystem, TheSummaryHasARowPerPropertyOrPerFile) {
  load("x < 5", " expect violated");
  PropertyResult other = result_;
  other.file = "folder/other.sts";
  std::vector<PropertyResult> results{result_, result_, other};
  ReportStyle style;
  EXPECT_EQ(summary_table(results, style),
            "  in folder/  property  verdict                steps   time\n"
            "✓ model.sts   p         violated, as expected      1  0.0 s\n"
            "✓             p         violated, as expected      1  0.0 s\n"
            "✓ other.sts   p         violated, as expected      1  0.0 s\n");
  EXPECT_EQ(totals(results, style), "3 properties in 2 files: 3 met (3 violated)\n");
  results.resize(60, other);
  const std::string many = summary_table(results, style);
  EXPECT_NE(many.find("✓ other.sts   58 properties  58 violated"), std::string::npos) << many;
}

TEST_F(ViolatedSystem, ThePageHasNamesAsDataOnly) {
  load("x < 5");
  HtmlReport report(ReportStyle{});
  report.add(result_, {{FileId(0), 2, '+', "</script><b>"}});
  const std::string page = report.document(*model_.sources);
  EXPECT_EQ(page.find("<B>"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003cB\\u003e"), std::string::npos);
  EXPECT_NE(page.find("\"n\",\"7\""), std::string::npos);
  EXPECT_EQ(kPageScript.find("innerHTML"), std::string_view::npos);
  EXPECT_EQ(kPageScript.find("</"), std::string_view::npos);
  EXPECT_EQ(kPageStyle.find("</"), std::string_view::npos);
}

TEST_F(ViolatedSystem, MachinesAreDrawnWithTheirNamesQuoted) {
  load("x < 5");
  EXPECT_NE(machines_dot(*model_.network).find("l0 -> l1 [label=\"go\"]"), std::string::npos);
  EXPECT_NE(machines_dot(*model_.network).find("[label=\"<B>\", peripheries=2]"),
            std::string::npos);
  const std::string mermaid = machines_mermaid(*model_.network);
  EXPECT_NE(mermaid.find("state \"#60;B#62;\" as l1"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("l0 --> l1: go"), std::string::npos);
}

}  // namespace
}  // namespace whittle
