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
      callers_(network.events().size(), [&](auto emit) {
        for (std::uint32_t e = 0; e < network.events().size(); ++e) {
          const auto& syncs = network.events()[e].syncs;
          for (std::uint32_t j = 0; j < syncs.size(); ++j)
            if (!syncs[j].negated) emit(syncs[j].event.index(), SyncRef{EventId(e), j});
        }
      }) {}

}  // namespace whittle::slice
