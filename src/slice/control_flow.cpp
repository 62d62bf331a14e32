// SPDX-License-Identifier: Apache-2.0
#include "slice/control_flow.h"

namespace whittle::slice {

namespace {

template <class Size>
std::vector<std::uint32_t> prefix_sums(const Network& network, Size&& size) {
  std::vector<std::uint32_t> sums{0};
  sums.reserve(network.events().size() + 1);
  for (const Event& e : network.events())
    sums.push_back(sums.back() + static_cast<std::uint32_t>(size(e)));
  return sums;
}

template <class Emit>
void each_arc(const Network& network, Emit&& emit) {
  for (std::uint32_t e = 0; e < network.events().size(); ++e) {
    const Event& event = network.events()[e];
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      emit(event.arcs[a], ArcRef{EventId(e), a});
  }
}

// Backwards from the event, each way in with a mark of its own: an event that gets two marks, or
// the event itself met again, starts a step with two paths. What is reached twice passes that on,
// as its two instances may synchronise with one. The walks share a purse that is linear in the
// network; when it is empty, the answer is the safe one.
class TwicePaths {
 public:
  TwicePaths(const Network& network, const Grouped<SyncRef>& callers)
      : network_(network),
        callers_(callers),
        twice_(network.events().size(), 0),
        stamp_(network.events().size(), 0),
        mark_(network.events().size(), 0) {
    std::size_t syncs = 0;
    for (const Event& e : network.events()) syncs += e.syncs.size();
    work_budget_ = 1024 + 16 * (network.events().size() + syncs);
  }

  std::vector<char> find() {
    for (std::uint32_t e = 0; e < twice_.size(); ++e)
      if (twice_[e] == 0 && starts_two_paths(e)) pass_on(e);
    return std::move(twice_);
  }

 private:
  bool starts_two_paths(std::uint32_t event) {
    pending_.clear();
    bool met = false;
    std::uint32_t way = 0;
    for (const SyncRef& caller : callers_.of(event))
      met = met || meets(caller.event.index(), ++way, event);
    while (!met && !pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      for (const SyncRef& caller : callers_.of(at))
        met = met || meets(caller.event.index(), mark_[at], event);
    }
    return met;
  }

  bool meets(std::uint32_t caller, std::uint32_t way, std::uint32_t event) {
    if (work_budget_ == 0 || caller == event) return true;
    --work_budget_;
    if (stamp_[caller] == event + 1) return mark_[caller] != way;
    stamp_[caller] = event + 1;
    mark_[caller] = way;
    pending_.push_back(caller);
    return false;
  }

  void pass_on(std::uint32_t event) {
    pending_.assign(1, event);
    while (!pending_.empty()) {
      const std::uint32_t at = pending_.back();
      pending_.pop_back();
      if (twice_[at] != 0) continue;
      twice_[at] = 1;
      for (const Sync& sync : network_.events()[at].syncs)
        if (!sync.negated) pending_.push_back(static_cast<std::uint32_t>(sync.event.index()));
    }
  }

  const Network& network_;
  const Grouped<SyncRef>& callers_;
  std::vector<char> twice_;
  std::vector<std::uint32_t> stamp_;  // by event: the walk it was met in
  std::vector<std::uint32_t> mark_;   // by event: the way in it was met on
  std::vector<std::uint32_t> pending_;
  std::size_t work_budget_ = 0;
};

}  // namespace

ControlFlow::ControlFlow(const Network& network)
    : network_(network),
      first_arc_(prefix_sums(network, [](const Event& e) { return e.arcs.size(); })),
      first_effect_(prefix_sums(network, [](const Event& e) { return e.effects.size(); })),
      first_sync_(prefix_sums(network, [](const Event& e) { return e.syncs.size(); })),
      in_(network.locations().size(),
          [&](auto emit) {
            each_arc(network, [&](const Arc& arc, ArcRef ref) { emit(arc.to.index(), ref); });
          }),
      out_(network.locations().size(),
           [&](auto emit) {
             each_arc(network, [&](const Arc& arc, ArcRef ref) { emit(arc.from.index(), ref); });
           }),
      writers_(network.variables().size(),
               [&](auto emit) {
                 for (std::uint32_t e = 0; e < network.events().size(); ++e) {
                   const auto& effects = network.events()[e].effects;
                   for (std::uint32_t j = 0; j < effects.size(); ++j)
                     for (VariableId v : effects[j].writes)
                       emit(v.index(), EffectRef{EventId(e), j});
                 }
               }),
      callers_(network.events().size(),
               [&](auto emit) {
                 for (std::uint32_t e = 0; e < network.events().size(); ++e) {
                   const auto& syncs = network.events()[e].syncs;
                   for (std::uint32_t j = 0; j < syncs.size(); ++j)
                     if (!syncs[j].negated) emit(syncs[j].event.index(), SyncRef{EventId(e), j});
                 }
               }),
      reached_twice_(TwicePaths(network, callers_).find()) {}

}  // namespace whittle::slice
