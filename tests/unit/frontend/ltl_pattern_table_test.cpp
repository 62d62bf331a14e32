// SPDX-License-Identifier: Apache-2.0
#include "frontend/ltl_pattern_table.h"

#include <gtest/gtest.h>

#include "frontend/ltl_patterns.h"

namespace whittle::frontend {
namespace {

TEST(LtlPatternTable, EveryPatternIsThere) {
  const std::string table = pattern_table();
  for (const PatternBodyInfo& body : pattern_bodies())
    EXPECT_NE(table.find("\n" + std::string(body.text)), std::string::npos) << body.text;
  EXPECT_NE(table.find("  globally            [](P -> <>S)\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  after Q             [](Q -> []!P)\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace whittle::frontend
