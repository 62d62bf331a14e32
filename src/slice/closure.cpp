// SPDX-License-Identifier: Apache-2.0
#include "slice/closure.h"

#include "base/checkpoint.h"

namespace whittle::slice {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

}  // namespace

// The slot that holds the key or the free one where it belongs.
std::size_t Closure::probe(std::uint64_t key) const {
  const std::size_t mask = table_.size() - 1;
  const std::uint64_t hash = mix(key);
  const std::uint32_t tag = tag_of(hash);
  std::size_t slot = hash & mask;
  while (table_[slot].entry != 0 &&
         (table_[slot].tag != tag || entries_[table_[slot].entry - 1].instance.key() != key))
    slot = (slot + 1) & mask;
  return slot;
}

std::optional<std::uint32_t> Closure::find(Instance instance) const {
  const std::uint32_t found = table_[probe(instance.key())].entry;
  return found == 0 ? std::nullopt : std::optional<std::uint32_t>(found - 1);
}

bool Closure::add(Instance instance, std::uint32_t parent, DependenceKind kind, Span origin) {
  const std::size_t slot = probe(instance.key());
  if (table_[slot].entry != 0) return false;
  checkpoint();
  entries_.push_back({instance, parent, kind, origin});
  table_[slot] = {static_cast<std::uint32_t>(entries_.size()), tag_of(mix(instance.key()))};
  if (entries_.size() * 2 > table_.size()) grow();
  return true;
}

// Every entry has a place of its own, so that a free slot is all that is looked for.
void Closure::grow() {
  table_.assign(table_.size() * 2, {});
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t hash = mix(entries_[i].instance.key());
    std::size_t slot = hash & mask;
    while (table_[slot].entry != 0) slot = (slot + 1) & mask;
    table_[slot] = {i + 1, tag_of(hash)};
  }
}

std::string_view to_string(DependenceKind kind) {
  switch (kind) {
    case DependenceKind::Criterion:
      return "criterion";
    case DependenceKind::UseDef:
      return "use-def";
    case DependenceKind::DefUse:
      return "def-use";
    case DependenceKind::Control:
      return "control";
    case DependenceKind::NestedControl:
      return "nested-control";
    case DependenceKind::DefExecution:
      return "def-execution";
    case DependenceKind::ParameterData:
      return "parameter-data";
    case DependenceKind::Synchronisation:
      return "synchronisation";
    case DependenceKind::Atomicity:
      return "atomicity";
    case DependenceKind::BlockingEffect:
      return "blocking-effect";
    case DependenceKind::CrossRead:
      return "cross-read";
    case DependenceKind::Interference:
      return "interference";
    case DependenceKind::EnterLocation:
      return "enter-location";
    case DependenceKind::OnlyByCall:
      return "only-by-call";
    case DependenceKind::MovesTogether:
      return "moves-together";
    case DependenceKind::Initial:
      return "initial";
    case DependenceKind::Reconnection:
      return "reconnection";
    case DependenceKind::EveryStep:
      return "every-step";
    case DependenceKind::Decides:
      return "decides";
    case DependenceKind::Divergence:
      return "divergence";
    case DependenceKind::NextObservable:
      return "next-observable";
    case DependenceKind::Separator:
      return "separator";
    case DependenceKind::Neighbour:
      return "neighbour";
    case DependenceKind::WholeEvent:
      return "whole-event";
  }
  return "?";
}

}  // namespace whittle::slice
