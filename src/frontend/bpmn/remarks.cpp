// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/remarks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace whittle::bpmn {

namespace {

constexpr std::size_t kMostRemarks = 6;

std::int64_t tokens_in(const Remarks::Values& value_of, InstanceId instance, VariableId variable) {
  const Value value = value_of(instance, variable);
  return value.is_integer() ? value.as_integer().to_int64().value_or(0) : 0;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(fmt::format("`{}`", name));
  return fmt::format("{}", fmt::join(quoted, " and "));
}

}  // namespace

Remarks::Remarks(const Network& network, const Diagram& diagram, const Pools& pools) {
  for (std::size_t n = 0; n < diagram.nodes.size(); ++n) {
    const FlowNode& node = diagram.nodes[n];
    nodes_.push_back({pools.name(n), node.kind, pools.of_node(n).instance, node.incoming, {}});
  }
  for (std::size_t f = 0; f < diagram.flows.size(); ++f) {
    const SequenceFlow& flow = diagram.flows[f];
    flows_.push_back({pools.tokens(f),
                      flow.source ? pools.name(*flow.source) : std::string("the start"),
                      pools.name(flow.target), flow.source.value_or(SIZE_MAX)});
  }
  for (const MessageFlow& flow : diagram.messages)
    if (flow.target && flow.source) nodes_[*flow.target].messages.push_back(flow.name);
  for (std::size_t v = 0; v < network.variables().size(); ++v) {
    const Variable& variable = network.variables()[v];
    constexpr std::string_view prefix = "message ";
    if (!variable.machine.valid() && variable.name.starts_with(prefix))
      messages_.emplace_back(VariableId(static_cast<std::uint32_t>(v)),
                             variable.name.substr(prefix.size()));
  }
}

std::vector<std::string> Remarks::on(PropertyKind kind, const Values& value_of) const {
  std::vector<std::string> result;
  if (kind == PropertyKind::Deadlock || kind == PropertyKind::Recoverable)
    result = waiting(value_of);
  else if (kind == PropertyKind::Invariant)
    result = doubled(value_of);
  if (result.size() > kMostRemarks) {
    const std::size_t more = result.size() - kMostRemarks;
    result.resize(kMostRemarks);
    result.push_back(fmt::format("... and {} more", more));
  }
  return result;
}

std::string Remarks::named(const Node& node) {
  switch (node.kind) {
    case NodeKind::Parallel:
      return fmt::format("the parallel gateway `{}`", node.name);
    case NodeKind::Inclusive:
      return fmt::format("the inclusive gateway `{}`", node.name);
    case NodeKind::Exclusive:
      return fmt::format("the exclusive gateway `{}`", node.name);
    case NodeKind::EventBased:
      return fmt::format("the event-based gateway `{}`", node.name);
    default:
      return fmt::format("`{}`", node.name);
  }
}

// Empty: no token is before it.
std::string Remarks::waits(const Node& node, const Values& value_of) const {
  std::vector<std::string> come;
  std::vector<std::string> missing;
  for (const std::size_t f : node.in) {
    const bool here = tokens_in(value_of, node.instance, flows_[f].tokens) > 0;
    (here ? come : missing).push_back(flows_[f].from);
  }
  if (come.empty()) return {};
  if (node.kind == NodeKind::Parallel && !missing.empty())
    return fmt::format("{} waits: a token came from {}, none from {}", named(node),
                       quoted_list(come), quoted_list(missing));
  if (node.kind == NodeKind::Inclusive && !missing.empty())
    return fmt::format("{} waits: a token came from {}, and one may still come from {}",
                       named(node), quoted_list(come), quoted_list(missing));
  if (!node.messages.empty())
    return fmt::format("{} waits for the message {}", named(node), quoted_list(node.messages));
  return fmt::format("a token is before {}", named(node));
}

std::vector<std::string> Remarks::waiting(const Values& value_of) const {
  std::vector<std::string> result;
  for (const Node& node : nodes_)
    if (std::string text = waits(node, value_of); !text.empty()) result.push_back(std::move(text));
  for (const auto& [variable, name] : messages_)
    if (tokens_in(value_of, {}, variable) > 0)
      result.push_back(fmt::format("the message `{}` is in transit, and nobody takes it", name));
  return result;
}

std::vector<std::string> Remarks::doubled(const Values& value_of) const {
  std::vector<std::string> result;
  for (const Node& node : nodes_) {
    for (const std::size_t f : node.in) {
      const Flow& flow = flows_[f];
      if (tokens_in(value_of, node.instance, flow.tokens) < 2) continue;
      if (flow.source != SIZE_MAX && nodes_[flow.source].in.size() > 1 &&
          nodes_[flow.source].kind != NodeKind::Parallel)
        result.push_back(fmt::format(
            "{} lets every token through: they double behind it; a parallel gateway would join "
            "them",
            named(nodes_[flow.source])));
      else
        result.push_back(
            fmt::format("two tokens are on the flow from `{}` to `{}`", flow.from, flow.to));
    }
  }
  if (!result.empty()) return result;
  // The process has come to an end event.
  for (const Node& node : nodes_)
    for (const std::size_t f : node.in)
      if (tokens_in(value_of, node.instance, flows_[f].tokens) > 0)
        result.push_back(fmt::format("a token is left before {}", named(node)));
  return result;
}

}  // namespace whittle::bpmn
