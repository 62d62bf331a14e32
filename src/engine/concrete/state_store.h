// SPDX-License-Identifier: Apache-2.0
// Many states, each a list of numbers of the same length, each kept once and known by its number.
// A state is cut into blocks; equal blocks are kept once, too, since most steps change few of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace whittle {

// Lists of so many numbers, each once.
class TupleTable {
 public:
  explicit TupleTable(std::size_t width) : width_(width), places_(16, kNone) {}
  // The number of the list, and whether it is new.
  std::pair<std::uint32_t, bool> add(const std::int32_t* tuple);
  // The number of the list, if it is there.
  [[nodiscard]] std::optional<std::uint32_t> find(const std::int32_t* tuple) const;
  [[nodiscard]] const std::int32_t* operator[](std::uint32_t number) const {
    return tuples_.data() + static_cast<std::size_t>(number) * width_;
  }
  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const {
    return tuples_.capacity() * sizeof(std::int32_t) + places_.capacity() * sizeof(std::uint32_t);
  }

 private:
  [[nodiscard]] std::size_t hash(const std::int32_t* tuple) const;
  void grow();

  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::size_t width_;
  std::uint32_t count_ = 0;
  std::vector<std::int32_t> tuples_;
  std::vector<std::uint32_t> places_;  // open addressing; a power of two
};

class StateStore {
 public:
  explicit StateStore(std::size_t words);
  // requires: every word fits 32 bits
  std::pair<std::uint32_t, bool> add(std::span<const std::int64_t> words);
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const std::int64_t> words);
  void get(std::uint32_t number, std::int64_t* words) const;
  [[nodiscard]] std::uint32_t size() const { return states_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void cut(std::span<const std::int64_t> words, std::size_t block);  // into block_

  static constexpr std::size_t kBlock = 16;
  std::size_t words_;
  std::vector<TupleTable> blocks_;
  TupleTable states_;  // of numbers of blocks
  std::vector<std::int32_t> block_, numbers_;
};

}  // namespace whittle
