// SPDX-License-Identifier: Apache-2.0
#include "engine/concrete/state_store.h"

#include <algorithm>

#include "base/error.h"

namespace whittle {

std::size_t TupleTable::hash(const std::int32_t* tuple) const {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (std::size_t i = 0; i < width_; ++i) {
    h = (h ^ static_cast<std::uint32_t>(tuple[i])) * 0xff51afd7ed558ccdULL;
    h ^= h >> 32;
  }
  return static_cast<std::size_t>(h);
}

std::pair<std::uint32_t, bool> TupleTable::add(const std::int32_t* tuple) {
  if ((static_cast<std::size_t>(count_) + 1) * 2 > places_.size()) grow();
  const std::size_t mask = places_.size() - 1;
  std::size_t at = hash(tuple) & mask;
  for (; places_[at] != kNone; at = (at + 1) & mask) {
    if (std::equal(tuple, tuple + width_, (*this)[places_[at]])) return {places_[at], false};
  }
  if (count_ == INT32_MAX) throw ResourceError("too many states");
  places_[at] = count_;
  tuples_.insert(tuples_.end(), tuple, tuple + width_);
  return {count_++, true};
}

std::optional<std::uint32_t> TupleTable::find(const std::int32_t* tuple) const {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = hash(tuple) & mask; places_[at] != kNone; at = (at + 1) & mask) {
    if (std::equal(tuple, tuple + width_, (*this)[places_[at]])) return places_[at];
  }
  return std::nullopt;
}

void TupleTable::grow() {
  places_.assign(places_.size() * 2, kNone);
  const std::size_t mask = places_.size() - 1;
  for (std::uint32_t number = 0; number < count_; ++number) {
    std::size_t at = hash((*this)[number]) & mask;
    while (places_[at] != kNone) at = (at + 1) & mask;
    places_[at] = number;
  }
}

StateStore::StateStore(std::size_t words)
    : words_(words),
      states_((words + kBlock - 1) / kBlock),
      block_(kBlock, 0),
      numbers_((words + kBlock - 1) / kBlock) {
  for (std::size_t first = 0; first < words; first += kBlock)
    blocks_.emplace_back(std::min(kBlock, words - first));
}

std::pair<std::uint32_t, bool> StateStore::add(std::span<const std::int64_t> words) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    cut(words, b);
    numbers_[b] = static_cast<std::int32_t>(blocks_[b].add(block_.data()).first);
  }
  return states_.add(numbers_.data());
}

std::optional<std::uint32_t> StateStore::find(std::span<const std::int64_t> words) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    cut(words, b);
    const auto number = blocks_[b].find(block_.data());
    if (!number) return std::nullopt;
    numbers_[b] = static_cast<std::int32_t>(*number);
  }
  return states_.find(numbers_.data());
}

void StateStore::cut(std::span<const std::int64_t> words, std::size_t block) {
  const std::size_t first = block * kBlock;
  const std::size_t count = std::min(kBlock, words_ - first);
  for (std::size_t i = 0; i < count; ++i) block_[i] = static_cast<std::int32_t>(words[first + i]);
}

void StateStore::get(std::uint32_t number, std::int64_t* words) const {
  const std::int32_t* numbers = states_[number];
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t first = b * kBlock;
    const std::int32_t* block = blocks_[b][static_cast<std::uint32_t>(numbers[b])];
    std::copy_n(block, std::min(kBlock, words_ - first), words + first);
  }
}

std::size_t StateStore::bytes() const {
  std::size_t sum = states_.bytes();
  for (const TupleTable& block : blocks_) sum += block.bytes();
  return sum;
}

}  // namespace whittle
