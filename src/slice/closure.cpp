// SPDX-License-Identifier: Apache-2.0
#include "slice/closure.h"

namespace whittle::slice {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

}  // namespace

// The slot that holds the key or the free one where it belongs.
std::size_t Closure::probe(std::uint64_t key) const {
  std::size_t mask = table_.size() - 1;
  std::size_t slot = mix(key) & mask;
  while (table_[slot] != 0 && entries_[table_[slot] - 1].instance.key() != key)
    slot = (slot + 1) & mask;
  return slot;
}

std::optional<std::uint32_t> Closure::find(Instance instance) const {
  std::uint32_t found = table_[probe(instance.key())];
  return found == 0 ? std::nullopt : std::optional<std::uint32_t>(found - 1);
}

bool Closure::add(Instance instance, std::uint32_t parent, DependenceKind kind, Span origin) {
  std::size_t slot = probe(instance.key());
  if (table_[slot] != 0) return false;
  entries_.push_back({instance, parent, kind, origin});
  table_[slot] = static_cast<std::uint32_t>(entries_.size());
  if (entries_.size() * 2 > table_.size()) {
    table_.assign(table_.size() * 2, 0);
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
      table_[probe(entries_[i].instance.key())] = i + 1;
  }
  return true;
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
    case DependenceKind::WholeEvent:
      return "whole-event";
  }
  return "?";
}

}  // namespace whittle::slice
