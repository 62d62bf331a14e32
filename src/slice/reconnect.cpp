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
    std::unordered_map<LocationId, std::uint32_t> distance;
    std::vector<LocationId> queue{from};
    distance[from] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      LocationId l = queue[next];
      std::uint32_t length = distance[l] + 1;
      for (ArcRef ref : flow.leaving(l)) {
        if (++work > work_limit) return std::nullopt;
        if (kept[flow.arc_number(ref)]) continue;
        LocationId to = flow.arc(ref).to;
        if (!distance.emplace(to, length).second) continue;
        if (in_slice[to.index()])
          found.push_back({from, to, length});
        else
          queue.push_back(to);
      }
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
