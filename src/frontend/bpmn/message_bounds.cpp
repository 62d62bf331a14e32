// SPDX-License-Identifier: Apache-2.0
// Bounds are propagated along flows until nothing changes; whatever is still growing after as many
// rounds as there are nodes stands in a loop. They are sums of what comes in, so they are too large
// where branches exclude each other, never too small.
#include "frontend/bpmn/message_bounds.h"

#include <algorithm>

#include "base/checkpoint.h"

namespace whittle::bpmn {

namespace {

constexpr std::uint64_t kUnbounded = 1'000;  // more than any queue holds

class Bounds {
 public:
  explicit Bounds(const Diagram& diagram) : diagram_(diagram), passes_(diagram.nodes.size(), 0) {}

  std::vector<std::optional<std::uint64_t>> run() {
    changed_ = true;
    for (std::size_t round = 0; changed_; ++round) {
      checkpoint();
      changed_ = false;
      for (std::size_t n = 0; n < diagram_.nodes.size(); ++n) update(n);
      // Only what is in a loop, or behind one, still grows.
      if (round == diagram_.nodes.size()) grow_ = true;
    }
    std::vector<std::optional<std::uint64_t>> result;
    for (const MessageFlow& flow : diagram_.messages)
      if (!flow.source || passes_[*flow.source] >= kUnbounded)
        result.emplace_back();
      else
        result.emplace_back(passes_[*flow.source]);
    return result;
  }

 private:
  // How often the node can happen.
  [[nodiscard]] std::uint64_t passes(std::size_t n) const {
    const FlowNode& node = diagram_.nodes[n];
    std::uint64_t sum = 0;
    for (const std::size_t f : node.incoming) {
      const SequenceFlow& flow = diagram_.flows[f];
      sum += flow.source ? passes_[*flow.source] : begins(flow.scope);
    }
    switch (node.kind) {
      case NodeKind::Start:
        return node.trigger == Trigger::Message && !diagram_.scopes[node.scope].node
                   ? starts(n)
                   : begins(node.scope);
      case NodeKind::Boundary: {
        if (!node.host) return kUnbounded;
        // One that does not interrupt may happen again while its activity goes on.
        const bool again = !node.interrupting && node.trigger != Trigger::Timer;
        if (again && node.trigger == Trigger::Message) return starts(n);
        return again ? kUnbounded : passes_[*node.host];
      }
      case NodeKind::EventSubProcess:
        return kUnbounded;
      case NodeKind::Catch:
        return node.trigger == Trigger::Link ? kUnbounded : sum;
      default:
        return node.repeated ? (sum > 0 ? kUnbounded : 0) : sum;
    }
  }

  [[nodiscard]] std::uint64_t begins(std::size_t scope) const {
    const auto& node = diagram_.scopes[scope].node;
    if (node) return passes_[*node];
    // A process that messages start may run more than once.
    std::uint64_t sum = 1;
    for (const std::size_t n : diagram_.scopes[scope].nodes)
      if (diagram_.nodes[n].kind == NodeKind::Start &&
          diagram_.nodes[n].trigger == Trigger::Message)
        sum += starts(n);
    return sum;
  }

  // As often as messages to the node are sent.
  [[nodiscard]] std::uint64_t starts(std::size_t n) const {
    std::uint64_t sum = 0;
    bool any = false;
    for (const MessageFlow& flow : diagram_.messages) {
      if (flow.target != n) continue;
      any = true;
      sum += flow.source ? passes_[*flow.source] : kUnbounded;
    }
    return any ? sum : kUnbounded;
  }

  void update(std::size_t n) {
    std::uint64_t now = std::min(passes(n), kUnbounded);
    if (now == passes_[n]) return;
    if (grow_) now = kUnbounded;
    passes_[n] = now;
    changed_ = true;
  }

  const Diagram& diagram_;
  std::vector<std::uint64_t> passes_;
  bool changed_ = false;
  bool grow_ = false;
};

}  // namespace

std::vector<std::optional<std::uint64_t>> message_bounds(const Diagram& diagram) {
  return Bounds(diagram).run();
}

}  // namespace whittle::bpmn
