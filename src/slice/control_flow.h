// SPDX-License-Identifier: Apache-2.0
// The control-flow graph of a network (Eilers 2018, section 4.1), as indices rather than as
// objects: a node per location; per event a guard node, an effect node per effect and a sync node
// per synchronisation. The chain of an event is entered from the sources of its arcs and left to
// their targets. Built in one pass, linear in the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/network.h"

namespace whittle::slice {

struct ArcRef {
  EventId event;
  std::uint32_t arc = 0;  // index in Event::arcs
  auto operator<=>(const ArcRef&) const = default;
};

struct EffectRef {
  EventId event;
  std::uint32_t effect = 0;  // index in Event::effects
};

struct SyncRef {
  EventId event;
  std::uint32_t sync = 0;  // index in Event::syncs
};

// Lists per key in one block of memory.
template <class T>
class Grouped {
 public:
  // `fill(emit)` is called twice and must call emit(key, item) in the same order both times.
  template <class Fill>
  Grouped(std::size_t keys, Fill&& fill) : first_(keys + 1, 0) {
    fill([&](std::uint32_t key, const T&) { ++first_[key + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    items_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    fill([&](std::uint32_t key, const T& item) { items_[next[key]++] = item; });
  }
  [[nodiscard]] std::span<const T> of(std::uint32_t key) const {
    return {items_.data() + first_[key], items_.data() + first_[key + 1]};
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<T> items_;
};

class ControlFlow {
 public:
  explicit ControlFlow(const Network& network);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] std::span<const ArcRef> entering(LocationId l) const { return in_.of(l.index()); }
  [[nodiscard]] std::span<const ArcRef> leaving(LocationId l) const { return out_.of(l.index()); }
  // Effects that define a variable (in every event that has one).
  [[nodiscard]] std::span<const EffectRef> writers(VariableId v) const {
    return writers_.of(v.index());
  }
  // Positive synchronisations with an event.
  [[nodiscard]] std::span<const SyncRef> callers(EventId e) const { return callers_.of(e.index()); }

  // One step may synchronise with the event along two paths (or along a cycle of synchronisations),
  // so that one instance may be asked twice to take it.
  [[nodiscard]] bool reached_twice(EventId e) const { return reached_twice_[e.index()] != 0; }

  [[nodiscard]] const Arc& arc(ArcRef a) const { return network_.event(a.event).arcs[a.arc]; }
  // Place of an arc among all arcs of the network.
  [[nodiscard]] std::uint32_t arc_number(ArcRef a) const {
    return first_arc_[a.event.index()] + a.arc;
  }
  [[nodiscard]] std::uint32_t effect_number(EventId e, std::uint32_t effect) const {
    return first_effect_[e.index()] + effect;
  }
  [[nodiscard]] std::uint32_t sync_number(EventId e, std::uint32_t sync) const {
    return first_sync_[e.index()] + sync;
  }
  [[nodiscard]] std::uint32_t arc_count() const { return first_arc_.back(); }
  [[nodiscard]] std::uint32_t effect_count() const { return first_effect_.back(); }
  [[nodiscard]] std::uint32_t sync_count() const { return first_sync_.back(); }

 private:
  const Network& network_;
  std::vector<std::uint32_t> first_arc_;  // by event, one more at the end
  std::vector<std::uint32_t> first_effect_;
  std::vector<std::uint32_t> first_sync_;
  Grouped<ArcRef> in_;
  Grouped<ArcRef> out_;
  Grouped<EffectRef> writers_;
  Grouped<SyncRef> callers_;
  std::vector<char> reached_twice_;  // by event
};

}  // namespace whittle::slice
