// SPDX-License-Identifier: Apache-2.0
// The formats for machines: well formed, and with what matters at its place.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/report.h"
#include "report/verdict_text.h"
#include "support/systems.h"

namespace whittle {
namespace {

// A counter of which one demand is not met and one is undecided.
struct Fixture {
  Fixture() {
    const test::CounterSystem system = test::counter_system(3);
    const FileId file = sources.add("counter <1>.sts", "system Counter\nsafety below: x < 3\n");
    PropertyResult violated;
    violated.file = "counter <1>.sts";
    violated.network = system.network;
    violated.property = system.below;
    system.network->property(system.below).origin = {file, 15, 35};
    violated.verdict.asked = PropertyKind::Invariant;
    violated.verdict.found = TraceFound{};
    PropertyResult open = violated;
    open.property = system.below_or_at;
    open.verdict.found = Undecided{{Reason::Kind::Timeout, "& more"}};
    results = {violated, open};
    diagnostics.report("sts-013", {file, 0, 6}, "the variable `y` is not used", "remove it");
  }
  std::string written(std::string_view format) {
    ReportStyle style;
    style.version = "1.2.3";
    return find_report_format(format)->make(style)->finish(results, diagnostics, sources);
  }
  Sources sources;
  std::vector<PropertyResult> results;
  Diagnostics diagnostics;
};

TEST(Sarif, PutsResultsAtTheirLines) {
  const auto log = nlohmann::json::parse(Fixture().written("sarif"));
  EXPECT_EQ(log["version"], "2.1.0");
  const auto& run = log["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  ASSERT_EQ(run["results"].size(), 3U);
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][0]["ruleId"], "invariant");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(run["results"][1]["level"], "warning");
  EXPECT_FALSE(run["results"][1].contains("locations"));
  EXPECT_EQ(run["results"][2]["ruleId"], "sts-013");
}

TEST(Junit, CountsFailuresAndErrors) {
  const std::string xml = Fixture().written("junit");
  EXPECT_NE(xml.find("<testsuite name=\"counter &lt;1&gt;.sts\" tests=\"2\" failures=\"1\" "
                     "errors=\"1\""),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("timeout &amp; more"), std::string::npos);
  EXPECT_EQ(xml.find("timeout & more"), std::string::npos);
}

TEST(Formats, AllHaveAWriterAndAnId) {
  for (const ReportFormat& format : report_formats()) {
    EXPECT_EQ(find_report_format(format.id), &format);
    EXPECT_NE(format.make({}), nullptr);
  }
  EXPECT_EQ(find_report_format("nonsense"), nullptr);
}

// "Within 7 steps" would be wrong where shorter runs do not count.
TEST(StepsCovered, SaysWhichRunsCount) {
  Fixture fixture;
  PropertyResult& result = fixture.results[0];
  NoTrace& none = result.verdict.found.emplace<NoTrace>();
  EXPECT_EQ(steps_covered(result), "");
  StepBound& asked = result.network->property(result.property).bound;
  none.bound = asked.max = 1;
  EXPECT_EQ(steps_covered(result), " within 1 step");
  asked = {7, 7};
  none.bound = 7;
  EXPECT_EQ(steps_covered(result), " in exactly 7 steps");
  asked = {7, 9};
  none.bound = 9;
  EXPECT_EQ(steps_covered(result), " between 7 and 9 steps");
  EXPECT_NE(fixture.written("junit").find("holds between 7 and 9 steps"), std::string::npos);
  const auto json = nlohmann::json::parse(fixture.written("json"));
  EXPECT_EQ(json["results"][0]["bound"], 9);
  EXPECT_EQ(json["results"][0]["bound_min"], 7);
  EXPECT_TRUE(json["results"][1]["bound_min"].is_null());
}

}  // namespace
}  // namespace whittle
