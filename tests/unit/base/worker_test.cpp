// SPDX-License-Identifier: Apache-2.0
#include "base/worker.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace whittle {
namespace {

Worker::Outcome outcome_of(Worker& worker) {
  const Worker* list[] = {&worker};
  for (int i = 0; i < 500; ++i) {
    if (wait_for(list, 20).empty()) continue;
    if (!worker.read_some()) return worker.finish();
  }
  Worker::Outcome slow;
  slow.exit_reason = "too slow";
  return slow;
}

TEST(Worker, HandsBackBytes) {
  const std::string bytes(1'000'000, 'x');
  Worker worker("w", [&](const ProgressSink&) { return bytes + std::string(1, '\0') + "end"; }, {});
  const Worker::Outcome outcome = outcome_of(worker);
  ASSERT_TRUE(outcome.bytes.has_value()) << outcome.exit_reason;
  EXPECT_EQ(*outcome.bytes, bytes + std::string(1, '\0') + "end");
}

TEST(Worker, SaysHowItDied) {
  Worker killed("w",
                [](const ProgressSink&) -> std::string {
                  raise(SIGKILL);
                  return "";
                },
                {});
  EXPECT_NE(outcome_of(killed).exit_reason.find("signal 9"), std::string::npos);
  Worker left("w", [](const ProgressSink&) -> std::string { _exit(7); }, {});
  EXPECT_NE(outcome_of(left).exit_reason.find("code 7"), std::string::npos);
  Worker threw("w", [](const ProgressSink&) -> std::string { throw std::runtime_error("no idea"); },
               {});
  EXPECT_EQ(outcome_of(threw).exit_reason, "no idea");
}

TEST(Worker, SaysHowFarItIs) {
  Worker worker("w",
                [](const ProgressSink& report) -> std::string {
                  report("one");
                  report("two");
                  return "end";
                },
                {});
  const Worker* list[] = {&worker};
  std::string last;
  for (int i = 0; i < 500; ++i) {
    if (wait_for(list, 20).empty()) continue;
    const bool more = worker.read_some();
    if (auto text = worker.take_report()) last = *text;
    if (!more) break;
  }
  EXPECT_EQ(last, "two");
  EXPECT_EQ(worker.finish().bytes, "end");
}

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer needs more address space than any limit leaves
TEST(Worker, HasAMemoryLimit) {
  WorkerLimits limits;
  limits.memory_mb = 300;
  Worker worker(
      "w",
      [](const ProgressSink&) -> std::string {
        std::vector<char> much(std::size_t{1} << 30, 'x');
        return std::string(1, much[12345]);
      },
      limits);
  EXPECT_EQ(outcome_of(worker).exit_reason, "memory");
}
#endif

TEST(Worker, StopsAndGoesOn) {
  Worker worker("w", [](const ProgressSink&) -> std::string { return "end"; }, {});
  worker.stop();
  worker.resume();
  EXPECT_EQ(outcome_of(worker).bytes, "end");
  Worker stopped("w",
                 [](const ProgressSink&) -> std::string {
                   for (;;) pause();
                 },
                 {});
  stopped.stop();  // and ended with its object all the same
}

TEST(Worker, IsEndedWithItsObject) {
  pid_t child = 0;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Worker worker("w",
                  [&](const ProgressSink&) -> std::string {
                    const pid_t me = getpid();
                    if (write(ends[1], &me, sizeof me) != sizeof me) return "";
                    for (;;) pause();
                  },
                  {});
    ASSERT_EQ(read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
    EXPECT_EQ(kill(child, 0), 0);
  }
  EXPECT_NE(kill(child, 0), 0);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace whittle
