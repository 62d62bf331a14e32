// SPDX-License-Identifier: Apache-2.0
// Messages in transit between pools, in one of the models of communication. How many messages of
// each flow there are is a number; where they arrive in order, queues of places say which is first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/bpmn/causal_order.h"
#include "frontend/bpmn/diagram.h"
#include "frontend/bpmn/options.h"
#include "frontend/bpmn/step.h"

namespace whittle::bpmn {

class Channels {
 public:
  Channels(Network& network, const Diagram& diagram, const BpmnOptions& options);

  // The step sends one of the messages of the node, if it has any.
  void send(Step& step, std::size_t node);
  // The step takes one of the messages that the node waits for; without message flows: it can
  // happen at any time. Also adds to the guard that there is one.
  void receive(Step& step, std::size_t node);
  // No message is in transit. Over shared variables.
  [[nodiscard]] Expr empty() const;
  [[nodiscard]] bool any() const { return !counted_.empty(); }
  // As many messages are in transit as are followed: what would come then is not known. Over
  // shared variables.
  [[nodiscard]] Expr full() const;
  // Why a "no" would be wrong; empty: nothing is left out.
  [[nodiscard]] const std::string& incomplete() const { return incomplete_; }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Queue {
    std::string name;
    std::vector<VariableId> places;  // the first is the next to arrive
    Type type;                       // "none" and the messages
    std::vector<std::string> messages;
    bool bounded = true;
  };
  struct Alternative {
    std::size_t flow = 0;
    Expr chosen;
  };

  void make_queues();
  void make_causal_order();
  // The places for so many messages; nothing is left out where that is not many.
  [[nodiscard]] std::uint64_t places_for(std::uint64_t most, const std::string& where,
                                         bool& bounded);
  [[nodiscard]] std::vector<CausalOrder::Use> causal_uses(
      const std::vector<Alternative>& from) const;
  [[nodiscard]] std::string queue_name(const MessageFlow& flow, Communication model) const;
  [[nodiscard]] std::vector<Alternative> alternatives(Step& step, std::vector<std::size_t> flows);
  void enqueue(Step& step, const std::vector<Alternative>& from);
  void dequeue(Step& step, const std::vector<Alternative>& from);
  [[nodiscard]] Expr place(const Queue& queue, std::size_t index, std::uint32_t message) const;

  Network& network_;
  ExprPool& pool_;
  const Diagram& diagram_;
  Communication model_;
  std::vector<std::optional<VariableId>> count_;  // by message flow; none: one end is not shown
  std::vector<VariableId> counted_;
  std::vector<bool> bounded_;           // by message flow: by the shape of the diagram
  std::int64_t most_ = 0;               // messages of a flow that nothing bounds
  std::vector<std::size_t> queue_;      // by message flow
  std::vector<std::uint32_t> message_;  // by message flow: its value in the queue
  std::vector<Queue> queues_;
  std::optional<CausalOrder> causal_;
  bool causal_bounded_ = true;
  std::string incomplete_;
};

}  // namespace whittle::bpmn
