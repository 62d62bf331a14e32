// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "frontend/bpmn/message_bounds.h"

namespace whittle::bpmn {

namespace {

// More places than this make too many states to be of use.
constexpr std::uint64_t kMostPlaces = 12;

}  // namespace

Channels::Channels(Network& network, const Diagram& diagram, const BpmnOptions& options)
    : network_(network),
      pool_(network.pool()),
      diagram_(diagram),
      model_(*options.network),
      most_(*options.messages) {
  for (const auto& bound : message_bounds(diagram)) bounded_.push_back(bound.has_value());
  std::vector<std::string> names;
  for (const MessageFlow& flow : diagram.messages) names.push_back("message " + flow.name);
  names = distinct(std::move(names));
  for (std::size_t i = 0; i < diagram.messages.size(); ++i) {
    const MessageFlow& flow = diagram.messages[i];
    if (!flow.source || !flow.target) {
      count_.emplace_back();
      continue;
    }
    const VariableId id = network.add_variable(names[i], Type::integer(), {}, flow.span);
    network.variable(id).initial = pool_.integer(0);
    count_.emplace_back(id);
    counted_.push_back(id);
    if (!bounded_[i] && model_ == Communication::Bag)
      incomplete_ = fmt::format("more than {} messages `{}` may be in transit (--bpmn-messages)",
                                most_, flow.name);
  }
  queue_.assign(diagram.messages.size(), kNone);
  message_.assign(diagram.messages.size(), 0);
  if (model_ == Communication::Causal)
    make_causal_order();
  else if (model_ != Communication::Bag && model_ != Communication::Rsc)
    make_queues();
}

std::string Channels::queue_name(const MessageFlow& flow, Communication model) const {
  const std::string from = diagram_.processes[diagram_.process_of(*flow.source)].name;
  const std::string to = diagram_.processes[diagram_.process_of(*flow.target)].name;
  switch (model) {
    case Communication::FifoPair:
      return fmt::format("from {} to {}", from, to);
    case Communication::Inbox:
      return "to " + to;
    case Communication::Outbox:
      return "from " + from;
    default:
      return "in transit";
  }
}

void Channels::make_queues() {
  // Messages of one name between the same pools are one message.
  std::unordered_map<std::string, std::size_t> by_name;
  std::vector<std::uint64_t> most;
  const auto bounds = message_bounds(diagram_);
  for (std::size_t i = 0; i < diagram_.messages.size(); ++i) {
    if (!count_[i]) continue;
    const MessageFlow& flow = diagram_.messages[i];
    const auto [it, fresh] = by_name.emplace(queue_name(flow, model_), queues_.size());
    if (fresh) {
      queues_.push_back({it->first, {}, {}, {"none"}});
      most.push_back(0);
    }
    Queue& queue = queues_[it->second];
    std::string message =
        fmt::format("{} ({})", flow.name, queue_name(flow, Communication::FifoPair));
    const auto known = std::find(queue.messages.begin(), queue.messages.end(), message);
    message_[i] = static_cast<std::uint32_t>(known - queue.messages.begin());
    if (known == queue.messages.end()) queue.messages.push_back(std::move(message));
    queue_[i] = it->second;
    most[it->second] += bounds[i].value_or(kMostPlaces + 1);
  }
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    Queue& queue = queues_[q];
    most[q] = places_for(most[q], queue.name, queue.bounded);
    queue.type = pool_.enum_type("messages " + queue.name, queue.messages);
    for (std::uint64_t k = 0; k < most[q]; ++k) {
      const VariableId id = network_.add_variable(fmt::format("{} {}", queue.name, k + 1),
                                                  queue.type, {}, diagram_.processes[0].span);
      network_.variable(id).initial = pool_.constant(EnumValue{0}, queue.type);
      queue.places.push_back(id);
    }
  }
}

std::uint64_t Channels::places_for(std::uint64_t most, const std::string& where, bool& bounded) {
  if (most <= kMostPlaces) return std::max<std::uint64_t>(1, most);
  bounded = false;
  incomplete_ =
      fmt::format("more than {} messages {} may be in transit (--bpmn-messages)", most_, where);
  return static_cast<std::uint64_t>(most_);
}

void Channels::make_causal_order() {
  std::vector<CausalOrder::Message> messages;
  std::uint64_t most = 0;
  const auto bounds = message_bounds(diagram_);
  for (std::size_t i = 0; i < diagram_.messages.size(); ++i) {
    if (!count_[i]) continue;
    const MessageFlow& flow = diagram_.messages[i];
    CausalOrder::Message message{flow.name, diagram_.process_of(*flow.source),
                                 diagram_.process_of(*flow.target)};
    const auto known = std::find(messages.begin(), messages.end(), message);
    message_[i] = static_cast<std::uint32_t>(known - messages.begin());
    if (known == messages.end()) messages.push_back(std::move(message));
    most += bounds[i].value_or(kMostPlaces + 1);
  }
  if (messages.empty()) return;
  const std::uint64_t places = places_for(most, "at all", causal_bounded_);
  causal_.emplace(network_, std::move(messages), diagram_.processes.size(), places,
                  diagram_.processes[0].span);
}

std::vector<CausalOrder::Use> Channels::causal_uses(const std::vector<Alternative>& from) const {
  std::vector<CausalOrder::Use> uses;
  for (const Alternative& one : from)
    if (count_[one.flow]) uses.push_back({message_[one.flow], one.chosen});
  return uses;
}

Expr Channels::empty() const {
  std::vector<Expr> parts;
  for (const VariableId id : counted_)
    parts.push_back(pool_.eq(pool_.symbol(network_.variable(id).current), pool_.integer(0)));
  return pool_.conj(parts);
}

Expr Channels::full() const {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < count_.size(); ++i)
    if (count_[i] && !bounded_[i] && model_ == Communication::Bag)
      parts.push_back(
          pool_.ge(pool_.symbol(network_.variable(*count_[i]).current), pool_.integer(most_)));
  for (const Queue& queue : queues_)
    if (!queue.bounded) parts.push_back(pool_.negate(place(queue, queue.places.size() - 1, 0)));
  if (causal_ && !causal_bounded_) parts.push_back(causal_->full());
  return pool_.disj(parts);
}

std::vector<Channels::Alternative> Channels::alternatives(Step& step,
                                                          std::vector<std::size_t> flows) {
  std::vector<std::string> names;
  for (const std::size_t f : flows) names.push_back(diagram_.messages[f].name);
  const std::vector<Expr> chosen = step.choose("message", names);
  std::vector<Alternative> result;
  for (std::size_t i = 0; i < flows.size(); ++i) result.push_back({flows[i], chosen[i]});
  return result;
}

void Channels::send(Step& step, std::size_t node) {
  std::vector<std::size_t> flows;
  for (std::size_t f = 0; f < diagram_.messages.size(); ++f)
    if (diagram_.messages[f].source == node) flows.push_back(f);
  if (flows.empty()) return;
  const std::vector<Alternative> all = alternatives(step, std::move(flows));
  for (const Alternative& one : all) {
    if (!count_[one.flow]) continue;
    const VariableId count = *count_[one.flow];
    step.add(count, pool_.ite(one.chosen, pool_.integer(1), pool_.integer(0)));
    if (!bounded_[one.flow] && model_ == Communication::Bag)
      step.guard(pool_.implies(one.chosen, pool_.lt(step.value(count), pool_.integer(most_))));
  }
  if (model_ == Communication::Rsc) step.guard(empty());
  enqueue(step, all);
  if (causal_) causal_->send(step, causal_uses(all));
}

void Channels::receive(Step& step, std::size_t node) {
  std::vector<std::size_t> flows;
  for (std::size_t f = 0; f < diagram_.messages.size(); ++f)
    if (diagram_.messages[f].target == node) flows.push_back(f);
  if (flows.empty()) return;
  const std::vector<Alternative> all = alternatives(step, std::move(flows));
  std::vector<Expr> possible;
  for (const Alternative& one : all) {
    if (!count_[one.flow]) {
      possible.push_back(one.chosen);
      continue;
    }
    const VariableId count = *count_[one.flow];
    std::vector<Expr> parts{one.chosen, pool_.ge(step.value(count), pool_.integer(1))};
    if (queue_[one.flow] != kNone)
      parts.push_back(place(queues_[queue_[one.flow]], 0, message_[one.flow]));
    if (causal_) parts.push_back(causal_->arrives(message_[one.flow]));
    possible.push_back(pool_.conj(parts));
    step.add(count, pool_.ite(one.chosen, pool_.integer(-1), pool_.integer(0)));
  }
  step.guard(pool_.disj(possible));
  dequeue(step, all);
  if (causal_) causal_->take(step, causal_uses(all));
}

Expr Channels::place(const Queue& queue, std::size_t index, std::uint32_t message) const {
  return pool_.eq(pool_.symbol(network_.variable(queue.places[index]).current),
                  pool_.constant(EnumValue{message}, queue.type));
}

void Channels::enqueue(Step& step, const std::vector<Alternative>& from) {
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    const Queue& queue = queues_[q];
    std::vector<Expr> chosen;
    Expr sent = pool_.constant(EnumValue{0}, queue.type);
    for (const Alternative& one : from) {
      if (queue_[one.flow] != q) continue;
      chosen.push_back(one.chosen);
      sent = pool_.ite(one.chosen, pool_.constant(EnumValue{message_[one.flow]}, queue.type), sent);
    }
    if (chosen.empty()) continue;
    const Expr sends = pool_.disj(chosen);
    // It goes to the first place that is free.
    step.guard(pool_.implies(sends, place(queue, queue.places.size() - 1, 0)));
    for (std::size_t k = 0; k < queue.places.size(); ++k) {
      std::vector<Expr> here{sends, place(queue, k, 0)};
      if (k > 0) here.push_back(pool_.negate(place(queue, k - 1, 0)));
      step.set(queue.places[k], pool_.ite(pool_.conj(here), sent, step.value(queue.places[k])));
    }
  }
}

void Channels::dequeue(Step& step, const std::vector<Alternative>& from) {
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    const Queue& queue = queues_[q];
    std::vector<Expr> chosen;
    for (const Alternative& one : from)
      if (queue_[one.flow] == q) chosen.push_back(one.chosen);
    if (chosen.empty()) continue;
    const Expr takes = pool_.disj(chosen);
    const Expr none = pool_.constant(EnumValue{0}, queue.type);
    for (std::size_t k = 0; k < queue.places.size(); ++k) {
      const Expr next = k + 1 < queue.places.size() ? step.value(queue.places[k + 1]) : none;
      step.set(queue.places[k], pool_.ite(takes, next, step.value(queue.places[k])));
    }
  }
}

}  // namespace whittle::bpmn
