// SPDX-License-Identifier: Apache-2.0
#include "ir/property_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace whittle {
namespace {

TEST(PropertyKinds, EachHasOneEntryUnderItsOwnId) {
  std::set<std::string_view> ids;
  std::uint32_t number = 0;
  for (const PropertyKindInfo& entry : property_kinds()) {
    EXPECT_EQ(static_cast<std::uint32_t>(entry.kind), number++) << entry.id;
    EXPECT_EQ(&info(entry.kind), &entry);
    EXPECT_EQ(to_string(entry.kind), entry.id);
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
  }
  EXPECT_EQ(number, static_cast<std::uint32_t>(PropertyKind::Recoverable) + 1);
}

TEST(PropertyKinds, AnswersToQuestionsAndDemandsAreDifferentWords) {
  for (const PropertyKindInfo& entry : property_kinds()) {
    const bool question = entry.goal == GoalKind::ConditionHolds;
    using Words = std::set<VerdictKind>;
    const Words expected = question ? Words{VerdictKind::Reachable, VerdictKind::Unreachable}
                                    : Words{VerdictKind::Holds, VerdictKind::Violated};
    EXPECT_EQ((Words{entry.reached, entry.unreached}), expected) << entry.id;
    EXPECT_EQ(is_safety(entry.kind), entry.goal == GoalKind::ConditionFails) << entry.id;
  }
}

}  // namespace
}  // namespace whittle
