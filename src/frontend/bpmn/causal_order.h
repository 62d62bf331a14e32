// SPDX-License-Identifier: Apache-2.0
// Messages that arrive in causal order: none before another one to the same receiver whose sending
// its own sending depended on. What depends on what is kept for messages in transit only: each pool
// knows of some of them (it sent them, or took a message whose sender knew of them), and each
// message carries what its sender knew.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/bpmn/step.h"

namespace whittle::bpmn {

class CausalOrder {
 public:
  // A message in transit; those of one name between the same two pools are one.
  struct Message {
    std::string name;
    std::size_t from = 0;  // pools
    std::size_t to = 0;
    bool operator==(const Message&) const = default;
  };
  // A message that a step may send or take, and when it does.
  struct Use {
    std::uint32_t message = 0;
    Expr chosen;
  };

  CausalOrder(Network& network, std::vector<Message> messages, std::size_t pools,
              std::size_t places, Span origin);

  // Whether the message can be taken now.
  [[nodiscard]] Expr arrives(std::uint32_t message) const;
  void send(Step& step, const std::vector<Use>& uses) const;
  void take(Step& step, const std::vector<Use>& uses) const;
  // No place is free.
  [[nodiscard]] Expr full() const;

  // What is only kept for the order begins so.
  static constexpr const char* kOwn = "order: ";

 private:
  [[nodiscard]] Expr now(VariableId variable) const;
  [[nodiscard]] Expr holds(std::size_t place, std::uint32_t message) const;
  [[nodiscard]] Expr free(std::size_t place) const;
  // It is the first place that holds the message.
  [[nodiscard]] Expr first(std::size_t place, std::uint32_t message) const;
  [[nodiscard]] Expr before(std::size_t i, std::size_t j) const;
  [[nodiscard]] Expr knows(std::size_t pool, std::size_t place) const;
  [[nodiscard]] Expr is_to(std::size_t place, std::size_t pool) const;
  [[nodiscard]] std::size_t size() const { return places_.size(); }

  Network& network_;
  ExprPool& pool_;
  std::vector<Message> messages_;
  Type type_;                       // "none" and the messages
  std::vector<VariableId> places_;  // in the order of sending; free ones behind the others
  // [i][j], i < j: the sending of the message at place j depended on that of the one at i.
  std::vector<std::vector<VariableId>> before_;
  std::vector<std::vector<VariableId>> knows_;  // [pool][place]
};

}  // namespace whittle::bpmn
