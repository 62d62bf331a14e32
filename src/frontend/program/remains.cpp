// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/remains.h"

#include <algorithm>

namespace whittle::program {

RemainsOfText::RemainsOfText(const Network& whole, const Network& left)
    : whole_(pieces(whole)), left_(pieces(left)) {
  for (const Property& property : left.properties())
    if (property.origin.valid()) asked_.insert(key(property.origin));
}

std::map<RemainsOfText::Key, RemainsOfText::Piece> RemainsOfText::pieces(const Network& network) {
  std::map<Key, Piece> result;
  for (const Event& event : network.events()) {
    // Steps of a shortcut: passed, no more.
    for (const Arc& arc : event.arcs)
      if (arc.origin.valid()) result[key(arc.origin)].events = true;
    if (!event.origin.valid()) continue;
    Piece& piece = result[key(event.origin)];
    piece.events = true;
    piece.guards |= !event.guards.empty();
    piece.acts |= !event.effects.empty() || !event.syncs.empty() ||
                  std::any_of(event.arcs.begin(), event.arcs.end(),
                              [&](const Arc& arc) { return network.location(arc.to).error; });
  }
  return result;
}

Remains RemainsOfText::of(Span piece) const {
  if (!whole_.contains(key(piece))) return Remains::Unreached;
  const auto left = left_.find(key(piece));
  if (left == left_.end()) return Remains::Gone;
  return left->second.guards || left->second.acts ? Remains::Stays : Remains::Idle;
}

bool RemainsOfText::undecided(Span piece) const {
  const auto whole = whole_.find(key(piece));
  const auto left = left_.find(key(piece));
  return whole != whole_.end() && whole->second.guards && left != left_.end() &&
         !left->second.guards;
}

}  // namespace whittle::program
