// SPDX-License-Identifier: Apache-2.0
// A map from terms that costs as much as the terms it holds, not as the pool: pages of consecutive
// handles, made on demand. Many short-lived solvers share one large pool.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "expr/expr.h"

namespace whittle::smt {

template <class T>
class TermMap {
 public:
  // The entry of `e`, default-constructed on first use. Stays where it is.
  T& operator[](Expr e) {
    std::size_t page = e.id() / kPage;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<std::array<T, kPage>>();
    return (*pages_[page])[e.id() % kPage];
  }
  // requires: the entry was made before
  const T& at(Expr e) const { return (*pages_[e.id() / kPage])[e.id() % kPage]; }
  void clear() { pages_.clear(); }

 private:
  static constexpr std::size_t kPage = 256;
  std::vector<std::unique_ptr<std::array<T, kPage>>> pages_;
};

}  // namespace whittle::smt
