// SPDX-License-Identifier: Apache-2.0
#include "slice/control_flow.h"

#include <gtest/gtest.h>

#include <string>

namespace whittle::slice {
namespace {

// Events by number and who synchronises with whom.
class Calls {
 public:
  explicit Calls(std::size_t events)
      : network_(std::make_shared<ExprPool>()), machine_(network_.add_machine("M", {})) {
    for (std::size_t i = 0; i < events; ++i)
      network_.add_event("e" + std::to_string(i), machine_, {});
  }
  Calls& call(std::uint32_t from, std::uint32_t to, bool negated = false) {
    Sync sync;
    sync.machine = machine_;
    sync.event = EventId(to);
    sync.negated = negated;
    network_.event(EventId(from)).syncs.push_back(std::move(sync));
    return *this;
  }
  // One letter per event: `2` for those that one step may reach twice.
  [[nodiscard]] std::string twice() const {
    const ControlFlow flow(network_);
    std::string result;
    for (std::uint32_t e = 0; e < network_.events().size(); ++e)
      result += flow.reached_twice(EventId(e)) ? '2' : '1';
    return result;
  }

 private:
  Network network_;
  MachineId machine_;
};

TEST(ReachedTwice, NotByDifferentSteps) {
  EXPECT_EQ(Calls(3).call(0, 2).call(1, 2).twice(), "111");
  EXPECT_EQ(Calls(3).call(0, 1).call(1, 2).twice(), "111");
}

TEST(ReachedTwice, ByTwoSynchronisationsOfOneEvent) {
  EXPECT_EQ(Calls(2).call(0, 1).call(0, 1).twice(), "12");
}

TEST(ReachedTwice, ThroughDifferentCallers) {
  EXPECT_EQ(Calls(4).call(0, 1).call(0, 2).call(1, 3).call(2, 3).twice(), "1112");
  EXPECT_EQ(Calls(3).call(0, 1).call(0, 2).call(1, 2).twice(), "112");
}

TEST(ReachedTwice, PassesToWhatIsReachedFromThere) {
  EXPECT_EQ(Calls(3).call(0, 1).call(0, 1).call(1, 2).twice(), "122");
}

TEST(ReachedTwice, ByCycles) {
  EXPECT_EQ(Calls(1).call(0, 0).twice(), "2");
  EXPECT_EQ(Calls(3).call(0, 1).call(1, 0).call(1, 2).twice(), "222");
}

TEST(ReachedTwice, ForbiddenEventsAreNotReached) {
  EXPECT_EQ(Calls(2).call(0, 1).call(0, 1, true).twice(), "11");
}

TEST(ReachedTwice, IsCarefulInLargeWebs) {
  // Every event calls the next two: every one from the third on is reached twice.
  constexpr std::uint32_t kEvents = 2'000;
  Calls calls(kEvents);
  for (std::uint32_t e = 0; e + 2 < kEvents; ++e) calls.call(e, e + 1).call(e, e + 2);
  EXPECT_EQ(calls.twice(), "11" + std::string(kEvents - 2, '2'));
}

}  // namespace
}  // namespace whittle::slice
