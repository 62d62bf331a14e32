// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/drawing.h"

#include <unordered_map>

namespace whittle::bpmn {

namespace {

using Form = Drawing::Form;

Form form_of(const FlowNode& node) {
  switch (node.kind) {
    case NodeKind::Start:
      return Form::Circle;
    case NodeKind::End:
      return Form::ThickCircle;
    case NodeKind::Catch:
    case NodeKind::Throw:
    case NodeKind::Boundary:
      return Form::RingCircle;
    case NodeKind::Exclusive:
    case NodeKind::Parallel:
    case NodeKind::Inclusive:
    case NodeKind::EventBased:
      return Form::Diamond;
    default:
      return Form::Box;
  }
}

std::string sign_of(const FlowNode& node) {
  switch (node.kind) {
    case NodeKind::Exclusive:
      return "×";
    case NodeKind::Parallel:
      return "+";
    case NodeKind::Inclusive:
      return "○";
    case NodeKind::EventBased:
      return "⬠";
    default:
      break;
  }
  switch (node.trigger) {
    case Trigger::Message:
      return "✉";
    case Trigger::Timer:
    case Trigger::Cycle:
      return "◷";
    case Trigger::Signal:
      return "△";
    case Trigger::Error:
      return "↯";
    case Trigger::Terminate:
      return "●";
    default:
      return "";
  }
}

}  // namespace

std::shared_ptr<const Drawing> drawing_of(const Diagram& diagram, const Pools& pools) {
  const Picture& picture = diagram.picture;
  if (picture.shapes.empty()) return nullptr;
  auto result = std::make_shared<Drawing>();
  std::unordered_map<std::string, std::size_t> nodes;
  for (std::size_t n = 0; n < diagram.nodes.size(); ++n) nodes.emplace(diagram.nodes[n].id, n);
  std::unordered_map<std::string, std::size_t> flows;
  for (std::size_t f = 0; f < diagram.flows.size(); ++f) flows.emplace(diagram.flows[f].id, f);
  std::unordered_map<std::string, const MessageFlow*> messages;
  for (const MessageFlow& flow : diagram.messages) messages.emplace(flow.id, &flow);

  std::unordered_map<std::size_t, std::size_t> lines;  // by flow
  for (const Picture::Edge& edge : picture.edges) {
    Drawing::Line line;
    for (const Picture::Point& point : edge.points) line.points.push_back({point.x, point.y});
    if (const auto flow = flows.find(edge.element); flow != flows.end()) {
      line.label = diagram.flows[flow->second].name;
      line.tokens = pools.tokens(flow->second);
      lines.emplace(flow->second, result->lines.size());
    } else {
      line.dashed = true;
      const auto message = messages.find(edge.element);
      if (message != messages.end() && message->second->name != message->second->id)
        line.label = message->second->name;
    }
    result->lines.push_back(std::move(line));
  }
  for (const Picture::Shape& drawn : picture.shapes) {
    Drawing::Shape shape;
    shape.x = drawn.corner.x;
    shape.y = drawn.corner.y;
    shape.width = drawn.size.x;
    shape.height = drawn.size.y;
    if (const auto found = nodes.find(drawn.element); found != nodes.end()) {
      const FlowNode& node = diagram.nodes[found->second];
      shape.form = form_of(node);
      shape.label = node.name;
      shape.sign = sign_of(node);
      if (const auto active = pools.active(found->second)) shape.active = *active;
      for (const std::size_t f : node.incoming)
        if (const auto line = lines.find(f); line != lines.end())
          shape.incoming.push_back(line->second);
    } else {
      shape.form = drawn.frame ? Form::Frame : Form::Note;
      shape.label = drawn.name;
    }
    result->shapes.push_back(std::move(shape));
  }
  return result;
}

}  // namespace whittle::bpmn
