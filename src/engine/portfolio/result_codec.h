// SPDX-License-Identifier: Apache-2.0
// Results of engines as bytes, to cross from a worker process to its parent. The worker's pool is a
// copy of the parent's at the time of the fork, plus what the worker added: terms that both have
// cross as their handles, the others node by node.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/statistics.h"
#include "engine/engine.h"

namespace whittle {

// What parent and worker have in common.
struct PoolMark {
  std::uint32_t terms = 0;
  std::uint32_t symbols = 0;
};
[[nodiscard]] PoolMark mark(const ExprPool& pool);

// With the counters and timers of the worker. Throws ResourceError where an invariant speaks of
// symbols that the parent does not have.
[[nodiscard]] std::string encoded(const EngineResult& result, const Statistics& statistics,
                                  const ExprPool& pool, PoolMark mark);
// Adds the counters and timers to those given. Throws InternalError on bytes that `encoded` did not
// write.
[[nodiscard]] EngineResult decoded(std::string_view bytes, ExprPool& pool, Statistics& statistics);

}  // namespace whittle
