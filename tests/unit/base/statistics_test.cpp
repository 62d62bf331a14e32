// SPDX-License-Identifier: Apache-2.0
#include "base/statistics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/error.h"

namespace whittle {
namespace {

// How a class keeps its figures.
class Worker {
 public:
  explicit Worker(Statistics& all) : counts_(all) {}
  void work() {
    const auto timing = counts_.working.measure();
    ++counts_.calls;
    counts_.deepest.raise_to(7);
    counts_.deepest.raise_to(3);
  }

 private:
  struct Counts {
    explicit Counts(Statistics& all)
        : calls(all.counter("worker.calls")),
          deepest(all.counter("worker.deepest")),
          working(all.timer("worker.working")) {}
    Counter& calls;
    Counter& deepest;
    Timer& working;
  } counts_;
};

TEST(Statistics, FiguresOutliveAndAddUp) {
  Statistics all;
  Worker(all).work();
  Worker(all).work();
  EXPECT_EQ(all.counter("worker.calls").value(), 2U);
  EXPECT_EQ(all.counter("worker.deepest").value(), 7U);
  EXPECT_GT(all.timer("worker.working").seconds(), 0.0);
  const auto values = all.values();
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(std::get<std::uint64_t>(values.at("worker.calls")), 2U);
}

TEST(Statistics, MergesWhatAWorkerSends) {
  Statistics all;
  all.counter("a") += 2;
  all.add({{"a", std::uint64_t{3}}, {"t", 1.5}});
  EXPECT_EQ(all.counter("a").value(), 5U);
  EXPECT_NEAR(all.timer("t").seconds(), 1.5, 1e-6);
}

TEST(Statistics, PrintsWhatIsNotZero) {
  Statistics all;
  all.counter("zero");
  all.counter("bmc.calls") += 12;
  all.timer("t").add(std::chrono::milliseconds(250));
  EXPECT_EQ(all.to_text(), "bmc.calls  12\nt          0.250 s\n");
}

TEST(Statistics, NameIsCounterOrTimer) {
  Statistics all;
  all.counter("a");
  EXPECT_THROW(all.timer("a"), InternalError);
}

TEST(Statistics, CountsFromThreads) {
  Statistics all;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&all] {
      for (int j = 0; j < 1000; ++j) ++all.counter("a");
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(all.counter("a").value(), 4000U);
}

}  // namespace
}  // namespace whittle
