// SPDX-License-Identifier: Apache-2.0
// A dense numbering of the terms somebody works with, for tables without hashing. Systems have few
// terms among the many of their pool.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/expr.h"

namespace whittle {

class TermPlaces {
 public:
  explicit TermPlaces(const ExprPool& pool) : pool_(pool) {}

  // The number of the term: the same at every call, the next free one at the first.
  std::uint32_t operator[](Expr term) {
    if (term.id() >= places_.size()) places_.resize(pool_.size(), kNowhere);
    std::uint32_t& place = places_[term.id()];
    if (place == kNowhere) place = count_++;
    return place;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  const ExprPool& pool_;
  std::vector<std::uint32_t> places_;  // by term
  std::uint32_t count_ = 0;
};

}  // namespace whittle
