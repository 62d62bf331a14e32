// SPDX-License-Identifier: Apache-2.0
// Options of the engine `ranking`; what it does stands in ranking.cpp.
#pragma once

#include "base/options.h"
#include "engine/engine.h"

namespace whittle {

struct RankingOptions : OptionGroup {
  RankingOptions() : OptionGroup("Ranking functions") {}
  Option<unsigned> rounds{*this, "ranking-rounds", 6, {0, 100}, "times that nodes are split"};
  Option<unsigned> splits{
      *this, "ranking-splits", 7, {0, 16}, "conditions that nodes are split by, at most"};
};

extern const EngineInfo kRankingInfo;

}  // namespace whittle
