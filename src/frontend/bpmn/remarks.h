// SPDX-License-Identifier: Apache-2.0
// Where tokens are in the last state of a trace, in the words of the diagram: which gateway waits,
// and for what.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/bpmn/diagram.h"
#include "frontend/bpmn/pools.h"
#include "ir/network.h"

namespace whittle::bpmn {

class Remarks {
 public:
  using Values = std::function<Value(InstanceId, VariableId)>;

  Remarks(const Network& network, const Diagram& diagram, const Pools& pools);

  [[nodiscard]] std::vector<std::string> on(PropertyKind kind, const Values& value_of) const;

 private:
  struct Flow {
    VariableId tokens;
    std::string from;
    std::string to;
    std::size_t source = SIZE_MAX;  // node; none: it begins with its scope
  };
  struct Node {
    std::string name;
    NodeKind kind = NodeKind::Task;
    InstanceId instance;
    std::vector<std::size_t> in;        // flows
    std::vector<std::string> messages;  // that it waits for
  };

  [[nodiscard]] std::vector<std::string> waiting(const Values& value_of) const;
  [[nodiscard]] std::vector<std::string> doubled(const Values& value_of) const;
  [[nodiscard]] std::string waits(const Node& node, const Values& value_of) const;
  [[nodiscard]] static std::string named(const Node& node);

  std::vector<Node> nodes_;
  std::vector<Flow> flows_;
  std::vector<std::pair<VariableId, std::string>> messages_;
};

}  // namespace whittle::bpmn
