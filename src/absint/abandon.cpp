// SPDX-License-Identifier: Apache-2.0
#include "absint/abandon.h"

namespace whittle::absint {

namespace ppl = Parma_Polyhedra_Library;

WatchedWork::WatchedWork(const std::function<bool()>& stop, std::uint64_t effort)
    : stop_(stop), effort_(effort), outer_(ppl::abandon_expensive_computations) {
  ppl::abandon_expensive_computations = this;
}

WatchedWork::~WatchedWork() { ppl::abandon_expensive_computations = outer_; }

void WatchedWork::throw_me() const {
  if (++looks_ > effort_) throw Abandoned{true};
  if (stop_()) throw Abandoned{false};
}

}  // namespace whittle::absint
