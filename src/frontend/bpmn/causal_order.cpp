// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/causal_order.h"

#include <fmt/format.h>

namespace whittle::bpmn {

CausalOrder::CausalOrder(Network& network, std::vector<Message> messages, std::size_t pools,
                         std::size_t places, Span origin)
    : network_(network), pool_(network.pool()), messages_(std::move(messages)) {
  std::vector<std::string> names{"none"};
  for (const Message& message : messages_)
    names.push_back(fmt::format("{} (from {} to {})", message.name,
                                network.machines()[message.from].name,
                                network.machines()[message.to].name));
  type_ = pool_.enum_type("messages in transit", distinct(std::move(names)));
  const auto flag = [&](std::string name) {
    const VariableId id = network.add_variable(kOwn + std::move(name), Type::boolean(), {}, origin);
    network.variable(id).initial = pool_.boolean(false);
    return id;
  };
  for (std::size_t k = 0; k < places; ++k) {
    const VariableId id =
        network.add_variable(fmt::format("in transit {}", k + 1), type_, {}, origin);
    network.variable(id).initial = pool_.constant(EnumValue{0}, type_);
    places_.push_back(id);
  }
  before_.resize(places);
  for (std::size_t i = 0; i < places; ++i)
    for (std::size_t j = 0; j < places; ++j)
      before_[i].push_back(i < j ? flag(fmt::format("{} before {}", i + 1, j + 1)) : VariableId());
  knows_.resize(pools);
  for (std::size_t p = 0; p < pools; ++p)
    for (std::size_t k = 0; k < places; ++k)
      knows_[p].push_back(flag(fmt::format("{} knows {}", network.machines()[p].name, k + 1)));
}

Expr CausalOrder::now(VariableId variable) const {
  return pool_.symbol(network_.variable(variable).current);
}

Expr CausalOrder::holds(std::size_t place, std::uint32_t message) const {
  return pool_.eq(now(places_[place]), pool_.constant(EnumValue{message + 1}, type_));
}

Expr CausalOrder::free(std::size_t place) const {
  return pool_.eq(now(places_[place]), pool_.constant(EnumValue{0}, type_));
}

Expr CausalOrder::first(std::size_t place, std::uint32_t message) const {
  std::vector<Expr> parts{holds(place, message)};
  for (std::size_t i = 0; i < place; ++i) parts.push_back(pool_.negate(holds(i, message)));
  return pool_.conj(parts);
}

Expr CausalOrder::before(std::size_t i, std::size_t j) const {
  return j < size() ? now(before_[i][j]) : pool_.boolean(false);
}

Expr CausalOrder::knows(std::size_t pool, std::size_t place) const {
  return place < size() ? now(knows_[pool][place]) : pool_.boolean(false);
}

Expr CausalOrder::is_to(std::size_t place, std::size_t pool) const {
  std::vector<Expr> parts;
  for (std::uint32_t m = 0; m < messages_.size(); ++m)
    if (messages_[m].to == pool) parts.push_back(holds(place, m));
  return pool_.disj(parts);
}

Expr CausalOrder::arrives(std::uint32_t message) const {
  std::vector<Expr> places;
  for (std::size_t k = 0; k < size(); ++k) {
    std::vector<Expr> parts{first(k, message)};
    for (std::size_t i = 0; i < k; ++i)
      parts.push_back(pool_.negate(pool_.conj(is_to(i, messages_[message].to), before(i, k))));
    places.push_back(pool_.conj(parts));
  }
  return pool_.disj(places);
}

Expr CausalOrder::full() const { return pool_.negate(free(size() - 1)); }

// The message goes to the first free place; what its sender knows of was before it.
void CausalOrder::send(Step& step, const std::vector<Use>& uses) const {
  std::vector<Expr> chosen;
  Expr sent = pool_.constant(EnumValue{0}, type_);
  for (const Use& use : uses) {
    chosen.push_back(use.chosen);
    sent = pool_.ite(use.chosen, pool_.constant(EnumValue{use.message + 1}, type_), sent);
  }
  if (uses.empty()) return;
  const std::size_t sender = messages_[uses[0].message].from;
  const Expr sends = pool_.disj(chosen);
  step.guard(pool_.implies(sends, free(size() - 1)));
  for (std::size_t k = 0; k < size(); ++k) {
    std::vector<Expr> here{sends, free(k)};
    if (k > 0) here.push_back(pool_.negate(free(k - 1)));
    const Expr to = pool_.conj(here);
    step.set(places_[k], pool_.ite(to, sent, now(places_[k])));
    step.set(knows_[sender][k], pool_.disj(to, knows(sender, k)));
    for (std::size_t i = 0; i < k; ++i)
      step.set(before_[i][k], pool_.ite(to, knows(sender, i), before(i, k)));
  }
}

// The place is given up, and those behind it move up; the receiver then knows what the sender knew.
void CausalOrder::take(Step& step, const std::vector<Use>& uses) const {
  if (uses.empty()) return;
  const std::size_t receiver = messages_[uses[0].message].to;
  std::vector<Expr> taken;  // by place
  std::vector<Expr> up_to;  // this place or one before it
  for (std::size_t k = 0; k < size(); ++k) {
    std::vector<Expr> parts;
    for (const Use& use : uses) parts.push_back(pool_.conj(use.chosen, first(k, use.message)));
    taken.push_back(pool_.disj(parts));
    up_to.push_back(k == 0 ? taken[k] : pool_.disj(up_to[k - 1], taken[k]));
  }
  const Expr none = pool_.constant(EnumValue{0}, type_);
  for (std::size_t k = 0; k < size(); ++k) {
    const Expr next = k + 1 < size() ? now(places_[k + 1]) : none;
    step.set(places_[k], pool_.ite(up_to[k], next, now(places_[k])));
    for (std::size_t p = 0; p < knows_.size(); ++p) {
      Expr stays = knows(p, k);
      if (p == receiver) {
        std::vector<Expr> learnt{stays};
        for (std::size_t j = k + 1; j < size(); ++j)
          learnt.push_back(pool_.conj(taken[j], before(k, j)));
        stays = pool_.disj(learnt);
      }
      step.set(knows_[p][k], pool_.ite(up_to[k], knows(p, k + 1), stays));
    }
    for (std::size_t i = 0; i < k; ++i) {
      const Expr moved = k + 1 < size()
                             ? pool_.ite(up_to[i], before(i + 1, k + 1), before(i, k + 1))
                             : pool_.boolean(false);
      step.set(before_[i][k], pool_.ite(up_to[k], moved, before(i, k)));
    }
  }
}

}  // namespace whittle::bpmn
