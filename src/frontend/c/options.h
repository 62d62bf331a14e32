// SPDX-License-Identifier: Apache-2.0
// Options that only C has.
#pragma once

#include <string>

#include "base/options.h"
#include "frontend/c/types.h"

namespace whittle::c {

enum class Overflow : std::uint8_t { Wrap, Trap };
enum class Numbers : std::uint8_t { Auto, Integers, Bits };
enum class Checks : std::uint8_t { Usual, Overflow };
enum class Conditions : std::uint8_t { Whole, Parts };

struct COptions : OptionGroup {
  COptions() : OptionGroup("Language C") {}
  Option<DataModel> model{*this,
                          "c-model",
                          DataModel::Lp64,
                          {{"lp64", DataModel::Lp64}, {"ilp32", DataModel::Ilp32}},
                          "how wide `long` and pointers are"};
  Option<Overflow> overflow{*this,
                            "c-overflow",
                            Overflow::Wrap,
                            {{"wrap", Overflow::Wrap}, {"trap", Overflow::Trap}},
                            "a signed overflow goes on with the wrapped value, or ends the run"};
  Option<Numbers> numbers{
      *this,
      "c-numbers",
      Numbers::Auto,
      {{"auto", Numbers::Auto}, {"integers", Numbers::Integers}, {"bits", Numbers::Bits}},
      "integers as numbers, as bits, or as bits where bit operations meet them"};
  Option<Checks> check{*this,
                       "check",
                       Checks::Usual,
                       {{"usual", Checks::Usual}, {"overflow", Checks::Overflow}},
                       "also ask whether signed arithmetic overflows"};
  Option<std::uint64_t> recursion{*this,
                                  "c-recursion",
                                  32,
                                  {0, 1'000},
                                  "calls of one recursive function inside each other that there is "
                                  "room for; 0: recursion is refused"};
  Option<Conditions> conditions{
      *this,
      "c-conditions",
      Conditions::Whole,
      {{"whole", Conditions::Whole}, {"parts", Conditions::Parts}},
      "a condition is one step, or each part of `&&`, `||` and `?:` is one, as compilers do it"};
  Option<std::string> spec{*this, "spec", "", "FILE.prp",
                           "ask the one question of this SV-COMP property file"};
};

}  // namespace whittle::c
