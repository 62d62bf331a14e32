// SPDX-License-Identifier: Apache-2.0
// Backward reachability in the dependence graph (Eilers 2018, algorithm 2), with a parent per
// instance: following the parents from an instance to the question is its explanation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "slice/instance.h"

namespace whittle::slice {

// Instances in the order in which they were found, each once.
class Closure {
 public:
  static constexpr std::uint32_t kNoParent = UINT32_MAX;

  struct Entry {
    Instance instance;
    std::uint32_t parent = kNoParent;  // index of the entry that depends on this one
    DependenceKind kind = DependenceKind::Criterion;
    Span origin;  // the text that makes it so
  };

  // False if it was there already.
  bool add(Instance instance, std::uint32_t parent, DependenceKind kind, Span origin);
  [[nodiscard]] bool contains(Instance instance) const { return find(instance).has_value(); }
  [[nodiscard]] std::optional<std::uint32_t> find(Instance instance) const;
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  [[nodiscard]] std::size_t probe(std::uint64_t key) const;
  void grow();

  std::vector<Entry> entries_;
  // Open addressing; the upper half of the hash spares a look at the entry in most collisions.
  struct Slot {
    std::uint32_t entry = 0;  // index + 1; 0 = free
    std::uint32_t tag = 0;
  };
  std::vector<Slot> table_ = std::vector<Slot>(64);
};

}  // namespace whittle::slice
