// SPDX-License-Identifier: Apache-2.0
#include "base/checkpoint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "base/memory.h"
#include "base/watchdog.h"
#include "base/worker.h"

namespace whittle {
namespace {

using std::chrono::milliseconds;

void pass_many() {
  for (int i = 0; i < 10'000; ++i) checkpoint();
}

TEST(Checkpoint, ThrowsNothingWithoutALimit) { EXPECT_NO_THROW(pass_many()); }

TEST(Checkpoint, ThrowsAfterTheDeadline) {
  const LimitScope scope(Deadline::after(milliseconds(0)), CancelToken());
  EXPECT_THROW(pass_many(), LimitReached);
}

TEST(Checkpoint, SaysWhyItWasCancelled) {
  const CancelToken outer;
  const LimitScope scope(Deadline::never(), CancelToken::within(outer));
  EXPECT_NO_THROW(pass_many());
  outer.cancel(Reason::Kind::Memory);
  try {
    pass_many();
    FAIL() << "nothing was thrown";
  } catch (const LimitReached& limit) {
    EXPECT_EQ(limit.what(), std::string("memory"));
  }
}

TEST(Checkpoint, InnermostScopeCounts) {
  const LimitScope outer(Deadline::after(milliseconds(0)), CancelToken());
  {
    const LimitScope inner(Deadline::never(), CancelToken());
    EXPECT_NO_THROW(pass_many());
  }
  EXPECT_THROW(pass_many(), LimitReached);
}

TEST(Checkpoint, IsAboutOneThread) {
  const LimitScope scope(Deadline::after(milliseconds(0)), CancelToken());
  std::thread([] { EXPECT_NO_THROW(pass_many()); }).join();
}

TEST(CancelToken, InnerOneLeavesTheOuterOneAlone) {
  const CancelToken outer;
  const CancelToken inner = CancelToken::within(outer);
  inner.cancel();
  EXPECT_TRUE(inner.cancelled());
  EXPECT_FALSE(outer.cancelled());
}

std::string reason_of(const std::function<void(Watchdog&)>& work,
                      std::optional<std::uint64_t> memory) {
  std::atomic<std::optional<Reason::Kind>> reason;
  Watchdog watchdog(memory, [&](Reason::Kind why) { reason = why; });
  work(watchdog);
  const std::optional<Reason::Kind> barked = reason;
  return barked ? std::string(to_string(*barked)) : "";
}

TEST(Watchdog, BarksAtWorkThatGoesOnForTooLong) {
  EXPECT_EQ(reason_of(
                [](Watchdog& watchdog) {
                  const Watchdog::Guard guard(&watchdog, Deadline::after(milliseconds(10)), {});
                  std::this_thread::sleep_for(milliseconds(500));
                },
                std::nullopt),
            "timeout");
}

TEST(Watchdog, IsQuietAboutWorkThatEnds) {
  EXPECT_EQ(reason_of(
                [](Watchdog& watchdog) {
                  { const Watchdog::Guard guard(&watchdog, Deadline::after(milliseconds(50)), {}); }
                  std::this_thread::sleep_for(milliseconds(300));
                },
                std::uint64_t{1} << 40U),
            "");
}

TEST(Watchdog, TellsWorkToStopWhereMemoryRunsOut) {
  const CancelToken cancel;
  EXPECT_EQ(reason_of(
                [&](Watchdog& watchdog) {
                  const Watchdog::Guard guard(&watchdog, Deadline::never(), cancel);
                  std::this_thread::sleep_for(milliseconds(500));
                },
                1),
            "memory");
  ASSERT_TRUE(cancel.cancelled());
  EXPECT_EQ(cancel.reason(), Reason::Kind::Memory);
}

TEST(Watchdog, EndsTheLargestWorkerFirst) {
  Worker worker("large",
                [](const ProgressSink&) {
                  std::string much(std::size_t{256} << 20U, 'x');
                  std::this_thread::sleep_for(std::chrono::seconds(60));
                  return much.substr(0, 1);
                },
                {});
  const std::uint64_t allowed = resident_bytes() + (std::uint64_t{128} << 20U);
  EXPECT_EQ(reason_of(
                [&](Watchdog&) {
                  while (worker.read_some()) {
                  }
                },
                allowed),
            "");
  const Worker::Outcome outcome = worker.finish();
  EXPECT_FALSE(outcome.bytes.has_value());
  EXPECT_FALSE(outcome.killed);  // it would do no better the next time
  EXPECT_EQ(outcome.exit_reason, "used too much memory");
}

TEST(Memory, SharesAreAtMostWhatIsResident) {
  EXPECT_GT(memory_bytes(::getpid(), MemoryKind::Proportional), 0U);
  EXPECT_LE(memory_bytes(::getpid(), MemoryKind::Proportional), resident_bytes() * 11 / 10);
}

}  // namespace
}  // namespace whittle
