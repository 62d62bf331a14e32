// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/pools.h"

#include <fmt/format.h>

#include <unordered_map>

#include "frontend/bpmn/step.h"

namespace whittle::bpmn {

namespace {

std::string_view word_for(NodeKind kind) {
  switch (kind) {
    case NodeKind::Start:
      return "start";
    case NodeKind::End:
      return "end";
    case NodeKind::Exclusive:
    case NodeKind::Parallel:
    case NodeKind::Inclusive:
    case NodeKind::EventBased:
      return "gateway";
    case NodeKind::Catch:
    case NodeKind::Throw:
    case NodeKind::Boundary:
      return "event";
    case NodeKind::SubProcess:
    case NodeKind::EventSubProcess:
      return "sub-process";
    default:
      return "task";
  }
}

}  // namespace

Pools::Pools(Network& network, UniverseId universe, const Diagram& diagram, SymbolIndex& symbols)
    : network_(network), diagram_(diagram) {
  std::vector<std::string> pool_names;
  for (const Process& process : diagram.processes) pool_names.push_back(process.name);
  pool_names = distinct(std::move(pool_names));
  for (std::size_t p = 0; p < diagram.processes.size(); ++p) {
    const Process& process = diagram.processes[p];
    Pool pool;
    pool.machine = network.add_machine(pool_names[p], process.span);
    pool.instance = network.add_instance(universe, pool.machine, Value(), pool_names[p]);
    pool.waiting = network.add_location("not started", pool.machine, process.span);
    pool.running = network.add_location("running", pool.machine, process.span);
    pool.complete = network.add_location("complete", pool.machine, process.span);
    network.location(pool.waiting).final = true;
    network.location(pool.complete).final = true;
    symbols.declare(SymbolKind::Machine, pool_names[p], process.span);
    pools_.push_back(pool);
  }
  std::unordered_map<std::string, unsigned> seen;
  for (const FlowNode& node : diagram.nodes) {
    std::string name =
        node.name.empty() ? fmt::format("{} {}", word_for(node.kind), node.id) : node.name;
    if (++seen[name] > 1 && !node.id.empty()) name += fmt::format(" ({})", node.id);
    names_.push_back(std::move(name));
  }
  std::unordered_map<std::string, unsigned> flows;
  for (std::size_t f = 0; f < diagram.flows.size(); ++f) {
    const SequenceFlow& flow = diagram.flows[f];
    std::string name = flow_name(f);
    if (++flows[name] > 1) name += fmt::format(" ({})", flow.id);
    tokens_.push_back(count(std::move(name), of_node(flow.target).machine, flow.span));
  }
  for (Pool& pool : pools_) {
    pool.ended = network.add_variable("ended", Type::boolean(), pool.machine,
                                      network.machine(pool.machine).origin);
    network.variable(pool.ended).initial = network.pool().boolean(false);
  }
  std::vector<bool> watched(diagram.nodes.size(), false);
  for (const FlowNode& node : diagram.nodes)
    if (node.host) watched[*node.host] = true;
  for (std::size_t n = 0; n < diagram.nodes.size(); ++n) {
    const FlowNode& node = diagram.nodes[n];
    const MachineId machine = of_node(n).machine;
    active_.emplace_back();
    fired_.emplace_back();
    if (node.has_inside() || watched[n] || node.converses())
      active_[n] = count("active: " + names_[n], machine, node.span);
    if (node.kind == NodeKind::Boundary && !node.interrupting && node.trigger == Trigger::Timer)
      fired_[n] = count("over: " + names_[n], machine, node.span);
  }
}

VariableId Pools::count(std::string name, MachineId machine, Span span) {
  const VariableId id = network_.add_variable(std::move(name), Type::integer(), machine, span);
  network_.variable(id).initial = network_.pool().integer(0);
  return id;
}

std::string Pools::flow_name(std::size_t flow) const {
  const SequenceFlow& it = diagram_.flows[flow];
  if (!it.source) return it.name;
  const std::string ends = fmt::format("{} → {}", names_[*it.source], names_[it.target]);
  return it.name.empty() ? ends : fmt::format("{} ({})", ends, it.name);
}

std::vector<VariableId> Pools::inside(std::size_t scope) const {
  std::vector<VariableId> result;
  std::vector<std::size_t> open{scope};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::size_t f : diagram_.scopes[open[i]].flows) result.push_back(tokens_[f]);
    for (const std::size_t n : diagram_.scopes[open[i]].nodes) {
      if (active_[n]) result.push_back(*active_[n]);
      if (diagram_.nodes[n].own) open.push_back(*diagram_.nodes[n].own);
    }
  }
  return result;
}

}  // namespace whittle::bpmn
