// SPDX-License-Identifier: Apache-2.0
// The reports that look at states: why a condition fails, tables of results, pages.
#include "report/html.h"

#include <gtest/gtest.h>

#include "report/html_page.h"
#include "report/summary.h"
#include "support/violated_system.h"

namespace whittle {
namespace {

using test::ViolatedSystem;

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
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i].file =
        "folder/" + std::string(i < 20 ? "a" : "b") + "/" + std::to_string(i) + ".sts";
  const std::string folders = summary_table(results, style);
  EXPECT_NE(folders.find("✓ a/ (20 files)  20 properties  20 violated"), std::string::npos)
      << folders;
  EXPECT_NE(folders.find("✓ b/ (40 files)  40 properties  40 violated"), std::string::npos);
}

TEST_F(ViolatedSystem, ThePageHasNamesAsDataOnly) {
  load("x < 5");
  HtmlReport report(ReportStyle{});
  report.add(result_, {{FileId(0), 2, '+', "</script><b>"}}, {});
  const std::string page = report.document(*model_.sources);
  EXPECT_EQ(page.find("<B>"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("\\u003cB\\u003e"), std::string::npos);
  EXPECT_NE(page.find("\"n\",\"7\""), std::string::npos);
  EXPECT_EQ(kPageScript.find("innerHTML"), std::string_view::npos);
  EXPECT_EQ(kPageScript.find("</"), std::string_view::npos);
  EXPECT_EQ(kPageStyle.find("</"), std::string_view::npos);
}

}  // namespace
}  // namespace whittle
