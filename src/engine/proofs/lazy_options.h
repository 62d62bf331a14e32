// SPDX-License-Identifier: Apache-2.0
// Options of the engine `lazy`.
#pragma once

#include "base/options.h"

namespace whittle {

// Who says what is known at a node (docs/engines/lazy.md).
enum class LazyConfig : std::uint8_t { Slicing, Abstraction, Craig, Minimum };
// Which of the slices of a refuted path go into its proof.
enum class LazyPick : std::uint8_t { All, Core, Connected };
// What is known of a new node.
enum class LazyPost : std::uint8_t { Cartesian, None };

struct LazyOptions : OptionGroup {
  LazyOptions() : OptionGroup("Lazy: proof slices as interpolants") {}
  Option<LazyConfig> config{*this,
                            "lazy-config",
                            LazyConfig::Slicing,
                            {{"slicing", LazyConfig::Slicing},
                             {"abstraction", LazyConfig::Abstraction},
                             {"craig", LazyConfig::Craig},
                             {"minimum", LazyConfig::Minimum}},
                            "how paths are refuted and what is learned of it"};
  Option<LazyPick> pick{
      *this,
      "lazy-pick",
      LazyPick::Connected,
      {{"all", LazyPick::All}, {"core", LazyPick::Core}, {"connected", LazyPick::Connected}},
      "with slicing: which slices a proof is made of at first"};
  Option<LazyPost> post{*this,
                        "lazy-post",
                        LazyPost::Cartesian,
                        {{"cartesian", LazyPost::Cartesian}, {"none", LazyPost::None}},
                        "with craig: predicates of each location, or interpolants as they are"};
  Option<unsigned> patience{*this,
                            "lazy-patience",
                            6,
                            {1, 1'000'000},
                            "times in a row that a loop learns something before another way of "
                            "making proofs is tried"};
  Option<bool> no_cache{*this, "lazy-no-cache", "ask again what was asked before"};
  Option<bool> check{*this, "lazy-check", "prove the tree sound again after every step (slow)"};
};

}  // namespace whittle
