// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/completion.h"

#include <fmt/format.h>

#include "base/checkpoint.h"
#include "base/text.h"

namespace whittle::bpmn {

namespace {

class Completion {
 public:
  Completion(Diagram& diagram, Diagnostics& diagnostics)
      : diagram_(diagram),
        diagnostics_(diagnostics),
        reached_(diagram.nodes.size(), false),
        begun_(diagram.scopes.size(), false) {}

  void run() {
    for (MessageFlow& flow : diagram_.messages) message(flow);
    for (const MessageFlow& flow : diagram_.messages) {
      if (flow.source) diagram_.nodes[*flow.source].sends = true;
      if (flow.target) diagram_.nodes[*flow.target].receives = true;
    }
    reach();
    for (std::size_t n = 0; n < diagram_.nodes.size(); ++n) unsupported(n);
    conditions();
    signals();
  }

 private:
  // ----- messages

  void message(MessageFlow& flow) {
    if (flow.source && !can_send(diagram_.nodes[*flow.source])) {
      not_followed(flow, *flow.source, "comes from", "any number of them may arrive");
      flow.source.reset();
    }
    if (flow.target && !can_receive(diagram_.nodes[*flow.target])) {
      not_followed(flow, *flow.target, "leads to", "it is sent, and forgotten");
      flow.target.reset();
    }
  }

  static bool can_send(FlowNode& node) {
    if (node.kind == NodeKind::Task || node.kind == NodeKind::SendTask) return true;
    if (node.kind != NodeKind::Throw && node.kind != NodeKind::End) return false;
    if (node.trigger == Trigger::None) node.trigger = Trigger::Message;
    return node.trigger == Trigger::Message;
  }

  bool can_receive(FlowNode& node) const {
    switch (node.kind) {
      case NodeKind::Task:
      case NodeKind::ReceiveTask:
        return true;
      case NodeKind::Start:
        if (node.trigger == Trigger::None && !diagram_.scopes[node.scope].node)
          node.trigger = Trigger::Message;
        return node.trigger == Trigger::Message;
      case NodeKind::Catch:
      case NodeKind::Boundary:
        if (node.trigger == Trigger::None) node.trigger = Trigger::Message;
        return node.trigger == Trigger::Message;
      default:
        return false;
    }
  }

  void not_followed(const MessageFlow& flow, std::size_t node, std::string_view how,
                    std::string_view so) {
    const FlowNode& end = diagram_.nodes[node];
    const std::string& name = end.name.empty() ? end.id : end.name;
    diagnostics_.report(
        "bpmn-ignored", flow.span,
        fmt::format("the message flow `{}` {} `{}`, which is no task and no "
                    "message event: {}",
                    ellipsized(safe_text(flow.name), 60), how, ellipsized(safe_text(name), 60), so),
        "connect it with the task or the event that sends or receives it");
  }

  // ----- where tokens can come to

  void reach() {
    for (const Process& process : diagram_.processes) begin(process.scope);
    reach_on();
    // An event at a border can happen where its activity goes on, which may lead to others.
    for (bool more = true; more;) {
      more = false;
      for (std::size_t n = 0; n < diagram_.nodes.size(); ++n) {
        const FlowNode& node = diagram_.nodes[n];
        if (reached_[n] || !node.host || !reached_[*node.host]) continue;
        enter(n);
        more = true;
      }
      if (more) reach_on();
    }
  }

  void reach_on() {
    while (!open_.empty()) {
      checkpoint();
      const std::size_t n = open_.back();
      open_.pop_back();
      const FlowNode& node = diagram_.nodes[n];
      for (const std::size_t f : node.outgoing) enter(diagram_.flows[f].target);
      if (node.own) begin(*node.own);
      if (node.kind == NodeKind::Throw && node.trigger == Trigger::Link) links(node.scope);
    }
  }

  void enter(std::size_t node) {
    if (reached_[node]) return;
    reached_[node] = true;
    open_.push_back(node);
  }

  void begin(std::size_t scope) {
    if (begun_[scope]) return;
    begun_[scope] = true;
    for (const std::size_t f : diagram_.scopes[scope].flows)
      if (!diagram_.flows[f].source) enter(diagram_.flows[f].target);
    for (const std::size_t n : diagram_.scopes[scope].nodes)
      if (diagram_.nodes[n].kind == NodeKind::Start ||
          diagram_.nodes[n].kind == NodeKind::EventSubProcess)
        enter(n);
  }

  void links(std::size_t scope) {
    for (const std::size_t n : diagram_.scopes[scope].nodes)
      if (diagram_.nodes[n].kind == NodeKind::Catch && diagram_.nodes[n].trigger == Trigger::Link)
        enter(n);
  }

  // ----- what is not followed

  void unsupported(std::size_t n) {
    const FlowNode& node = diagram_.nodes[n];
    if (node.unsupported.empty()) return;
    if (reached_[n])
      diagnostics_.report("bpmn-unsupported", node.span,
                          fmt::format("{} is not supported", node.unsupported),
                          "see docs/languages/bpmn.md for what is read");
    else
      diagnostics_.report(
          "bpmn-ignored", node.span,
          fmt::format("{} is not supported; no token comes there", node.unsupported), "");
  }

  void conditions() {
    std::size_t count = 0;
    const SequenceFlow* first = nullptr;
    for (const SequenceFlow& flow : diagram_.flows) {
      if (!flow.condition) continue;
      ++count;
      if (first == nullptr) first = &flow;
    }
    if (first == nullptr) return;
    diagnostics_.report(
        "bpmn-condition", first->condition_span,
        count == 1 ? "the condition of a flow is not read: its branch may be taken or not"
                   : fmt::format("the conditions of {} flows are not read: each branch may be "
                                 "taken or not",
                                 count),
        "a violation may need branches that exclude each other");
  }

  void signals() {
    for (const FlowNode& node : diagram_.nodes) {
      if (node.trigger != Trigger::Signal || node.kind == NodeKind::Throw ||
          node.kind == NodeKind::End)
        continue;
      diagnostics_.report("bpmn-ignored", node.span,
                          "signals are not followed: what waits for one can go on at any time", "");
      return;
    }
  }

  Diagram& diagram_;
  Diagnostics& diagnostics_;
  std::vector<bool> reached_;  // by node
  std::vector<bool> begun_;    // by scope
  std::vector<std::size_t> open_;
};

}  // namespace

void complete(Diagram& diagram, Diagnostics& diagnostics) {
  Completion(diagram, diagnostics).run();
}

}  // namespace whittle::bpmn
