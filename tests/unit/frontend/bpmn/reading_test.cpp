// SPDX-License-Identifier: Apache-2.0
// What is read of a diagram, and what is said about the rest; its drawing.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "frontend/bpmn/completion.h"
#include "ir/drawing.h"
#include "support/load.h"

namespace whittle {
namespace {

std::string definitions(const std::string& inside) {
  return "<definitions xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\" "
         "xmlns:di=\"http://www.omg.org/spec/BPMN/20100524/DI\">" +
         inside + "</definitions>";
}

std::string process(const std::string& inside) {
  return definitions("<process id=\"p\">" + inside + "</process>");
}

std::string node(const std::string& kind, const std::string& id, const std::string& inside = "") {
  return "<" + kind + " id=\"" + id + "\">" + inside + "</" + kind + ">";
}

std::string flow(const std::string& from, const std::string& to) {
  return "<sequenceFlow id=\"" + from + to + "\" sourceRef=\"" + from + "\" targetRef=\"" + to +
         "\"/>";
}

std::vector<std::string> ids(const std::string& text) {
  const test::Loaded loaded = test::load("bpmn", text, "x.bpmn");
  std::vector<std::string> result;
  for (const Diagnostic& d : loaded.diagnostics.all()) result.emplace_back(d.id);
  if (loaded.network != nullptr) {
    EXPECT_TRUE(well_formedness_problems(*loaded.network).empty());
  }
  return result;
}

using Ids = std::vector<std::string>;

TEST(BpmnReading, WhatIsNotSupportedMattersWhereTokensCome) {
  const std::string dead = node("complexGateway", "c");
  EXPECT_EQ(ids(process(node("startEvent", "s") + dead + flow("s", "c"))),
            (Ids{"bpmn-unsupported"}));
  const std::string behind = node("startEvent", "s") + node("task", "t") + flow("s", "t");
  EXPECT_EQ(ids(process(behind + node("task", "u") +
                        "<boundaryEvent id=\"b\" attachedToRef=\"u\"><escalationEventDefinition/>"
                        "</boundaryEvent>" +
                        flow("t", "u"))),
            (Ids{"bpmn-unsupported"}));
  EXPECT_EQ(ids(process(behind + node("subProcess", "sub") +
                        "<boundaryEvent id=\"b\" attachedToRef=\"sub\"><cancelEventDefinition/>"
                        "</boundaryEvent>" +
                        flow("sub", "sub"))),
            (Ids{"bpmn-ignored"}));
}

TEST(BpmnReading, FlowsStayInTheirScope) {
  EXPECT_EQ(ids(process(node("startEvent", "s") +
                        node("subProcess", "sub", node("startEvent", "i")) + flow("s", "i"))),
            (Ids{"bpmn-007"}));
  // Written at another place, but within one scope.
  EXPECT_EQ(ids(process(node("startEvent", "s") +
                        node("subProcess", "sub", node("startEvent", "i") + node("endEvent", "e")) +
                        flow("s", "sub") + flow("i", "e"))),
            Ids{});
}

TEST(BpmnReading, ConditionsAndSignalsAreMentionedOnce) {
  const std::string condition = "<conditionExpression>x</conditionExpression>";
  std::string body = node("startEvent", "s") + node("exclusiveGateway", "x") + node("task", "a") +
                     node("task", "b") + flow("s", "x");
  for (const char* to : {"a", "b"})
    body += "<sequenceFlow id=\"x" + std::string(to) + "\" sourceRef=\"x\" targetRef=\"" + to +
            "\">" + condition + "</sequenceFlow>";
  EXPECT_EQ(ids(process(body)), (Ids{"bpmn-condition"}));
}

TEST(BpmnReading, CalledProcessesRunInside) {
  const std::string text = definitions(
      "<process id=\"p\">" + node("startEvent", "s") +
      "<callActivity id=\"c\" calledElement=\"q\"/>" +
      "<callActivity id=\"d\" calledElement=\"q\"/>" + node("endEvent", "e") + flow("s", "c") +
      flow("c", "d") + flow("d", "e") + "</process><process id=\"q\">" + node("startEvent", "i") +
      "<task id=\"t\" name=\"Work\"/>" + node("endEvent", "o") + flow("i", "t") + flow("t", "o") +
      "</process>");
  const test::Loaded loaded = test::load("bpmn", text, "x.bpmn");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->machines().size(), 1u);
  const auto& events = loaded.network->events();
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const Event& event) { return event.name.starts_with("Work"); }),
            2);
  EXPECT_EQ(ids(definitions("<process id=\"p\">" + node("startEvent", "s") +
                            "<callActivity id=\"c\" calledElement=\"p\"/>" + flow("s", "c") +
                            "</process>")),
            (Ids{"bpmn-unsupported"}));
}

TEST(BpmnReading, PrefixesAndOlderNamespaces) {
  for (const std::string& prefix : {std::string("a"), std::string("bpmn2")}) {
    const std::string p = prefix + ":";
    EXPECT_EQ(ids("<" + p + "definitions xmlns:" + prefix +
                  "=\"http://schema.omg.org/spec/BPMN/2.0\"><" + p + "process id=\"p\"><" + p +
                  "task id=\"t\"/></" + p + "process></" + p + "definitions>"),
              Ids{});
  }
}

TEST(BpmnReading, DrawingsAreKept) {
  const std::string shape =
      "<di:BPMNDiagram><di:BPMNPlane><di:BPMNShape bpmnElement=\"t\"><Bounds x=\"10\" y=\"20\" "
      "width=\"100\" height=\"80\"/></di:BPMNShape><di:BPMNEdge bpmnElement=\"st\"><waypoint "
      "x=\"0\" "
      "y=\"0\"/><waypoint x=\"10\" y=\"20\"/></di:BPMNEdge></di:BPMNPlane></di:BPMNDiagram>";
  const test::Loaded loaded =
      test::load("bpmn",
                 definitions("<process id=\"p\">" + node("startEvent", "s") + node("task", "t") +
                             flow("s", "t") + "</process>" + shape),
                 "x.bpmn");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  const auto& drawing = loaded.network->drawing;
  ASSERT_NE(drawing, nullptr);
  ASSERT_EQ(drawing->shapes.size(), 1u);
  ASSERT_EQ(drawing->lines.size(), 1u);
  EXPECT_EQ(drawing->shapes[0].form, Drawing::Form::Box);
  EXPECT_EQ(drawing->shapes[0].incoming, std::vector<std::size_t>{0});
  EXPECT_TRUE(drawing->lines[0].tokens.valid());
}

}  // namespace
}  // namespace whittle
