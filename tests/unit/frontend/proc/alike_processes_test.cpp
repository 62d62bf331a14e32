// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/alike_processes.h"

#include <gtest/gtest.h>

#include "support/load.h"

namespace whittle::proc {
namespace {

using Texts = std::vector<std::string>;

std::string program(int processes, const std::string& condition) {
  return "program p\nshared m: Bool = false\nshared n: Int = 0\n"
         "process P[i: 0.." +
         std::to_string(processes - 1) +
         "] {\n  var r: Int = 0;\n  a: n := n + 1;\n  b: n := n - 1;\n  c: r := 1;\n}\n"
         "process Q { n := 2; }\nproperty q: " +
         condition + "\n";
}

// How the condition is written; the same again when it is read again.
Texts written(int processes, const std::string& condition) {
  const test::Loaded loaded = test::load("proc", program(processes, condition), "p.proc");
  EXPECT_NE(loaded.network, nullptr) << loaded.messages();
  if (loaded.network == nullptr) return {};
  Texts texts = conjunct_texts(*loaded.network, loaded.network->properties().front().condition());
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "(" : " && (") + text + ")";
  const test::Loaded again = test::load("proc", program(processes, all), "p.proc");
  EXPECT_NE(again.network, nullptr) << all << again.messages();
  if (again.network == nullptr) return {};
  EXPECT_EQ(conjunct_texts(*again.network, again.network->properties().front().condition()), texts);
  return texts;
}

TEST(AlikeProcesses, WhatIsSaidAboutAllIsSaidOnce) {
  EXPECT_EQ(written(2, "(P[0]@a -> m) && n < 3 && (P[1]@a -> m)"),
            (Texts{"forall t in 0..1: P[t]@a -> m", "n < 3"}));
  EXPECT_EQ(written(3, "P[0].r <= 1 && P[1].r <= 1 && P[2].r <= 1"),
            (Texts{"forall t in 0..2: P[t].r <= 1"}));
}

TEST(AlikeProcesses, WhatIsSaidAboutSomeStays) {
  EXPECT_EQ(written(3, "P[0].r <= 1 && P[2].r <= 1"), (Texts{"P[0].r <= 1", "P[2].r <= 1"}));
  EXPECT_EQ(written(2, "(P[0]@a -> m) && (P[1]@b -> m)"), (Texts{"P[0]@a -> m", "P[1]@b -> m"}));
}

TEST(AlikeProcesses, AlternativesAreTakenApart) {
  EXPECT_EQ(written(2, "P[0]@a || P[1]@b || P[1]@a || P[0]@b -> m && n >= 0"),
            (Texts{"forall t in 0..1: P[t]@a || P[t]@b -> m && n >= 0"}));
}

TEST(AlikeProcesses, PairsOfThree) {
  EXPECT_EQ(written(3,
                    "(P[0]@a || P[0]@b -> !P[1]@a && !P[1]@b && !P[2]@a && !P[2]@b) && "
                    "(P[1]@a || P[1]@b -> !P[2]@a && !P[2]@b)"),
            (Texts{"forall t in 0..2: forall u in 0..2: t < u && (P[t]@a || P[t]@b) -> "
                   "!P[u]@a && !P[u]@b"}));
  // One of them is missing.
  EXPECT_EQ(written(3, "(P[0]@a -> !P[1]@a) && (P[0]@a -> !P[2]@a)"),
            (Texts{"P[0]@a -> !P[1]@a", "P[0]@a -> !P[2]@a"}));
}

TEST(AlikeProcesses, ProcessesOfTheirOwnStay) {
  EXPECT_EQ(written(2, "Q@end -> n >= 2"), (Texts{"Q@end -> n >= 2"}));
}

}  // namespace
}  // namespace whittle::proc
