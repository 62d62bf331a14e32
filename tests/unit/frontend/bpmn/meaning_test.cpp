// SPDX-License-Identifier: Apache-2.0
// What elements of BPMN mean, by searching all states of small diagrams. Whole diagrams, and random
// ones, are compared with a second reading in tests/bpmn/differential.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "frontend/bpmn/message_bounds.h"
#include "frontend/bpmn/reader.h"
#include "ir/run/explicit_search.h"
#include "support/load.h"

namespace whittle {
namespace {

std::string diagram(const std::string& body, const std::string& pools = "") {
  return "<b:definitions xmlns:b=\"http://www.omg.org/spec/BPMN/20100524/MODEL\">" + pools +
         "<b:process id=\"p\">" + body + "</b:process></b:definitions>";
}

std::string node(const std::string& kind, const std::string& id) {
  return "<b:" + kind + " id=\"" + id + "\"/>";
}

std::string flow(const std::string& from, const std::string& to) {
  return "<b:sequenceFlow id=\"" + from + to + "\" sourceRef=\"" + from + "\" targetRef=\"" + to +
         "\"/>";
}

// Least number of steps to a state in which the invariant fails; empty: it holds.
std::optional<std::uint64_t> violated(const std::string& text, const std::string& property) {
  const test::Loaded loaded = test::load("bpmn", text, "small.bpmn");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return {};
  const Network& network = *loaded.network;
  EXPECT_TRUE(well_formedness_problems(network).empty());
  for (const Property& asked : network.properties()) {
    if (asked.name != property) continue;
    ExprPool& pool = network.pool();
    SearchOptions search;
    search.candidates = finite_candidates(pool);
    const SearchResult found =
        explicit_search(network, asked.universe, pool.negate(asked.condition()), {}, search);
    if (found.trace) return found.trace->length();
    EXPECT_TRUE(found.exhausted);
    return std::nullopt;
  }
  ADD_FAILURE() << "no property " << property;
  return {};
}

std::string branches(const std::string& split, const std::string& join) {
  return diagram(node("startEvent", "s") + node(split, "x") + node("task", "a") +
                 node("task", "b") + node(join, "y") + node("task", "c") + node("endEvent", "e") +
                 flow("s", "x") + flow("x", "a") + flow("x", "b") + flow("a", "y") +
                 flow("b", "y") + flow("y", "c") + flow("c", "e"));
}

TEST(BpmnMeaning, JoinsThatDoNotFitTheirSplits) {
  EXPECT_EQ(violated(branches("parallelGateway", "exclusiveGateway"), "no doubled token"), 5U);
  EXPECT_EQ(violated(branches("parallelGateway", "parallelGateway"), "no doubled token"),
            std::nullopt);
  EXPECT_EQ(violated(branches("inclusiveGateway", "inclusiveGateway"), "no doubled token"),
            std::nullopt);
  EXPECT_EQ(violated(branches("inclusiveGateway", "exclusiveGateway"), "no doubled token"), 5U);
  EXPECT_EQ(violated(branches("exclusiveGateway", "inclusiveGateway"), "ends once"), std::nullopt);
}

TEST(BpmnMeaning, EndsOnce) {
  const auto ends = [](const std::string& end) {
    return diagram(node("startEvent", "s") + node("parallelGateway", "x") + node("task", "a") +
                   node("endEvent", "e") + "<b:endEvent id=\"f\">" + end + "</b:endEvent>" +
                   flow("s", "x") + flow("x", "a") + flow("a", "e") + flow("x", "f"));
  };
  EXPECT_EQ(violated(ends(""), "ends once"), 2U);
  EXPECT_EQ(violated(ends("<b:terminateEventDefinition/>"), "ends once"), 3U);
}

TEST(BpmnReader, OtherPrefixesAndElementsOfEditors) {
  Sources sources;
  const FileId file = sources.add(
      "x.bpmn",
      "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" "
      "xmlns:y=\"urn:y\"><process id=\"p\"><y:task id=\"no\"/><userTask id=\"t\" name=\"Do\n it\"/>"
      "</process></definitions>");
  Diagnostics diagnostics;
  const bpmn::Diagram read = bpmn::read_diagram(sources, file, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(read.nodes.size(), 1U);
  EXPECT_EQ(read.nodes[0].name, "Do it");
  ASSERT_EQ(read.flows.size(), 1U);  // it begins with the process
  EXPECT_FALSE(read.flows[0].source.has_value());
}

TEST(BpmnReader, SaysWhatIsWrong) {
  const auto ids = [](const std::string& text) {
    Sources sources;
    const FileId file = sources.add("x.bpmn", text);
    Diagnostics diagnostics;
    (void)bpmn::read_diagram(sources, file, diagnostics);
    std::string result;
    for (const Diagnostic& d : diagnostics.all()) result += d.id + " ";
    return result;
  };
  EXPECT_EQ(ids("process p"), "bpmn-001 ");
  EXPECT_EQ(ids("<definitions><process/></definitions>"), "bpmn-002 ");
  EXPECT_EQ(ids("<b:definitions xmlns:b=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"/>"),
            "bpmn-003 ");
  EXPECT_EQ(ids(diagram(node("task", "a") + node("task", "a"))), "bpmn-004 ");
  EXPECT_EQ(ids(diagram(node("task", "a") + flow("a", "z"))), "bpmn-005 ");
  EXPECT_EQ(ids(diagram(node("complexGateway", "g"))), "bpmn-unsupported ");
}

TEST(BpmnMessageBounds, LoopsHaveNone) {
  const std::string pools =
      "<b:collaboration id=\"c\"><b:participant id=\"q\"/>"
      "<b:messageFlow id=\"m\" sourceRef=\"t\" targetRef=\"q\"/></b:collaboration>";
  const auto bound = [&](const std::string& body) {
    Sources sources;
    const FileId file = sources.add("x.bpmn", diagram(body, pools));
    Diagnostics diagnostics;
    const auto bounds = bpmn::message_bounds(bpmn::read_diagram(sources, file, diagnostics));
    EXPECT_EQ(bounds.size(), 1U);
    return bounds.at(0);
  };
  const std::string once = node("startEvent", "s") + node("sendTask", "t") + flow("s", "t");
  EXPECT_EQ(bound(once), 1U);
  EXPECT_EQ(bound(once + node("parallelGateway", "x") + flow("s", "x") + flow("x", "t")), 2U);
  EXPECT_EQ(bound(once + flow("t", "t")), std::nullopt);
}

}  // namespace
}  // namespace whittle
