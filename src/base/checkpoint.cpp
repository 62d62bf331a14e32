// SPDX-License-Identifier: Apache-2.0
#include "base/checkpoint.h"

#include <utility>

namespace whittle {

LimitScope::LimitScope(Deadline deadline, CancelToken cancel)
    : deadline_(deadline),
      cancel_(std::move(cancel)),
      outer_(std::exchange(checkpoint_detail::state.scope, this)) {}

LimitScope::~LimitScope() { checkpoint_detail::state.scope = outer_; }

void LimitScope::look() const {
  if (cancel_.cancelled()) throw LimitReached(cancel_.reason());
  if (deadline_.passed()) throw LimitReached(Reason::Kind::Timeout);
}

}  // namespace whittle
