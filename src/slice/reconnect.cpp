// SPDX-License-Identifier: Apache-2.0
// Reconnection. What the text of Eilers 2018 asks for (its printed algorithm 3 never fills the set
// that it returns): every node on a path between two different in-slice nodes comes back; a detour
// from an in-slice node to itself stays out. Eilers walks from every in-slice node; here one pass
// each way suffices, because of a location x outside the slice only this matters: do ways from one,
// from several or from no location of the slice lead to x, and likewise onwards. Each location
// changes its mark at most twice, so a pass is linear.
#include "slice/reconnect.h"

#include <algorithm>
#include <unordered_map>

namespace whittle::slice {

namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;
constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

// Which in-slice location(s) a location is connected to through locations outside the slice.
struct Mark {
  std::uint32_t who = kNobody;  // one location's index, kNobody or kSeveral
  std::uint32_t example = kNobody;
};

using Marks = std::unordered_map<LocationId, Mark>;

template <class Step>
Marks spread(const Network& network, MachineId machine, const std::vector<char>& in_slice,
             Step&& each_neighbour) {
  Marks marks;
  std::vector<LocationId> work;
  auto arrive = [&](LocationId at, Mark from) {
    if (in_slice[at.index()]) return;
    Mark& mark = marks[at];
    if (mark.who == from.who || mark.who == kSeveral) return;
    mark.who = mark.who == kNobody ? from.who : kSeveral;
    if (mark.example == kNobody) mark.example = from.example;
    work.push_back(at);
  };
  for (LocationId l : network.machine(machine).locations)
    if (in_slice[l.index()])
      each_neighbour(l, [&](LocationId next) { arrive(next, Mark{l.index(), l.index()}); });
  while (!work.empty()) {
    LocationId l = work.back();
    work.pop_back();
    Mark mark = marks[l];
    each_neighbour(l, [&](LocationId next) { arrive(next, mark); });
  }
  return marks;
}

// Whatever the state: the event asks for nothing, and what it does is defined and possible.
bool unconditional(const Network& network, EventId id) {
  const Event& event = network.event(id);
  const ExprPool& pool = network.pool();
  return event.root && event.syncs.empty() &&
         std::all_of(event.guards.begin(), event.guards.end(),
                     [&](const Guard& guard) { return pool.is_true(guard.condition); }) &&
         std::all_of(event.effects.begin(), event.effects.end(), [&](const Effect& effect) {
           return effect.kind == EffectKind::Free ||
                  (effect.kind == EffectKind::Assign && pool.total(effect.expr));
         });
}

// Breadth-first from one location of the slice to others, along arcs that are not in the slice.
class Walk {
 public:
  Walk(const ControlFlow& flow, const std::vector<char>& in_slice, const std::vector<char>& kept,
       LocationId from, bool only_unconditional)
      : flow_(flow),
        in_slice_(in_slice),
        kept_(kept),
        from_(from),
        only_unconditional_(only_unconditional) {}

  // False when it takes more than the limit.
  bool run(std::uint64_t& work, std::uint64_t work_limit) {
    std::vector<LocationId> queue{from_};
    reached_[from_] = {};
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const LocationId l = queue[next];
      const std::uint32_t length = reached_[l].distance + 1;
      for (ArcRef ref : flow_.leaving(l)) {
        if (++work > work_limit) return false;
        if (kept_[flow_.arc_number(ref)]) continue;
        if (only_unconditional_ && !unconditional(flow_.network(), ref.event)) continue;
        const LocationId to = flow_.arc(ref).to;
        if (!reached_.emplace(to, Reached{length, ref}).second) continue;
        (in_slice_[to.index()] ? ends_ : queue).push_back(to);
      }
    }
    return true;
  }

  [[nodiscard]] const std::vector<LocationId>& ends() const { return ends_; }
  // 0: it is not reached.
  [[nodiscard]] std::uint32_t distance(LocationId to) const {
    const auto it = reached_.find(to);
    return it == reached_.end() ? 0 : it->second.distance;
  }
  [[nodiscard]] std::vector<ArcRef> way(LocationId to) const {
    std::vector<ArcRef> result;
    for (LocationId at = to; at != from_; at = flow_.arc(result.back()).from)
      result.push_back(reached_.at(at).last);
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  struct Reached {
    std::uint32_t distance = 0;
    ArcRef last = {};  // the arc that leads here
  };
  const ControlFlow& flow_;
  const std::vector<char>& in_slice_;
  const std::vector<char>& kept_;
  LocationId from_;
  bool only_unconditional_;
  std::unordered_map<LocationId, Reached> reached_;
  std::vector<LocationId> ends_;
};

}  // namespace

std::vector<MissingArc> missing_arcs(const ControlFlow& flow, MachineId machine,
                                     const std::vector<char>& in_slice) {
  const Network& network = flow.network();
  Marks before = spread(network, machine, in_slice, [&](LocationId l, auto&& visit) {
    for (ArcRef a : flow.leaving(l)) visit(flow.arc(a).to);
  });
  Marks after = spread(network, machine, in_slice, [&](LocationId l, auto&& visit) {
    for (ArcRef a : flow.entering(l)) visit(flow.arc(a).from);
  });
  auto mark = [&](const Marks& marks, LocationId l) {
    if (in_slice[l.index()]) return Mark{l.index(), l.index()};
    auto it = marks.find(l);
    return it == marks.end() ? Mark{} : it->second;
  };
  std::vector<MissingArc> missing;
  for (LocationId l : network.machine(machine).locations) {
    Mark source = mark(before, l);
    if (source.who == kNobody) continue;
    for (ArcRef ref : flow.leaving(l)) {
      LocationId to = flow.arc(ref).to;
      if (to == l) continue;
      Mark target = mark(after, to);
      if (target.who == kNobody || (source.who == target.who && source.who != kSeveral)) continue;
      missing.push_back({ref, LocationId(target.example)});
    }
  }
  return missing;
}

std::optional<std::vector<Shortcut>> shortcuts(const ControlFlow& flow, MachineId machine,
                                               const std::vector<char>& in_slice,
                                               const std::vector<char>& kept,
                                               std::uint64_t work_limit) {
  const Network& network = flow.network();
  std::vector<Shortcut> found;
  std::uint64_t work = 0;
  for (LocationId from : network.machine(machine).locations) {
    if (!in_slice[from.index()]) continue;
    Walk any(flow, in_slice, kept, from, false);
    Walk unconditional(flow, in_slice, kept, from, true);
    if (!any.run(work, work_limit) || !unconditional.run(work, work_limit)) return std::nullopt;
    for (LocationId to : any.ends()) {
      Shortcut shortcut{from, to, any.distance(to)};
      if (unconditional.distance(to) == shortcut.length) shortcut.way = unconditional.way(to);
      found.push_back(std::move(shortcut));
    }
  }
  return found;
}

Region region(const ControlFlow& flow, MachineId machine, const std::vector<char>& in_slice,
              std::size_t limit) {
  const Machine& m = flow.network().machine(machine);
  std::unordered_map<LocationId, std::size_t> position;
  for (std::size_t i = 0; i < m.locations.size(); ++i) position[m.locations[i]] = i;
  Region result;
  result.sources.resize(m.locations.size());
  std::vector<std::pair<LocationId, LocationId>> work;  // at a location, coming from a source
  auto leave = [&](LocationId at, LocationId source) {
    for (ArcRef ref : flow.leaving(at)) {
      LocationId to = flow.arc(ref).to;
      if (in_slice[to.index()]) continue;
      auto& list = result.sources[position[to]];
      if (std::find(list.begin(), list.end(), source) != list.end()) continue;
      if (list.size() >= limit) {
        result.complete = false;
        continue;
      }
      list.push_back(source);
      work.emplace_back(to, source);
    }
  };
  for (LocationId l : m.locations)
    if (in_slice[l.index()]) leave(l, l);
  while (!work.empty()) {
    auto [at, source] = work.back();
    work.pop_back();
    leave(at, source);
  }
  return result;
}

}  // namespace whittle::slice
