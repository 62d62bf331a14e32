// SPDX-License-Identifier: Apache-2.0
// The list of benchmarks.
#include <array>

#include "bench/bench.h"

namespace whittle::bench {

extern const Benchmark kAuto;
extern const Benchmark kExpr;
extern const Benchmark kDeepSearch;
extern const Benchmark kLoading;
extern const Benchmark kModelSize;
extern const Benchmark kIngSurvey;
extern const Benchmark kProjections;
extern const Benchmark kProofSlicing;
extern const Benchmark kSliceScale;
extern const Benchmark kChains;
extern const Benchmark kFibonacci;
extern const Benchmark kCycleUnfolding;

std::span<const Benchmark> benchmarks() {
  static const std::array list = {kAuto,      kExpr,           kDeepSearch,  kLoading,
                                  kModelSize, kIngSurvey,      kSliceScale,  kChains,
                                  kFibonacci, kCycleUnfolding, kProjections, kProofSlicing};
  return list;
}

const Benchmark* find_benchmark(std::string_view id) {
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.id == id) return &benchmark;
  }
  return nullptr;
}

}  // namespace whittle::bench
