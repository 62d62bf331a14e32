// SPDX-License-Identifier: Apache-2.0
#include "report/machine_drawing.h"

#include <gtest/gtest.h>

#include "support/violated_system.h"

namespace whittle {
namespace {

using MachineDrawing = test::ViolatedSystem;

TEST_F(MachineDrawing, NamesAreQuotedAndEffectsShown) {
  load("x < 5");
  const std::string dot = machines_dot(*model_.network, {}, *model_.sources);
  EXPECT_NE(dot.find("l0 -> l1 [label=\"go\\nx' == n\"]"), std::string::npos) << dot;
  EXPECT_NE(dot.find("[label=\"<B>\", peripheries=2]"), std::string::npos);
  const std::string mermaid = machines_mermaid(*model_.network, {});
  EXPECT_NE(mermaid.find("state \"#60;B#62;\" as l1"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("l0 --> l1: go\n"), std::string::npos);
  EXPECT_EQ(mermaid.find("gone"), std::string::npos);
}

TEST_F(MachineDrawing, WhatIsNotNeededIsGrey) {
  load("x < 5");
  DrawnSlice slice;
  slice.machines = {1};
  slice.locations = {1, 0};
  slice.arcs = {{0}};
  const std::string dot = machines_dot(*model_.network, slice, *model_.sources);
  EXPECT_NE(dot.find("x' == n\", color=\"#b0b8c0\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("l1 [label=\"<B>\", peripheries=2, color=\"#b0b8c0\""), std::string::npos);
  EXPECT_NE(dot.find("l0 [label=\"A\"];"), std::string::npos);
  const std::string mermaid = machines_mermaid(*model_.network, slice);
  EXPECT_NE(mermaid.find("l0 --> l1: (go)\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("class l1 gone\n"), std::string::npos);
}

}  // namespace
}  // namespace whittle
