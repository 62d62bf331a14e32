// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

namespace whittle {
namespace {

TEST(Memory, KnowsWhatIsUsed) {
  EXPECT_GT(resident_bytes(), 100'000U);
  EXPECT_GE(peak_resident_bytes(), 100'000U);
}

TEST(Memory, LimitThrowsWithAReason) {
  MemoryLimit generous = MemoryLimit::bytes(1ULL << 50U);
  EXPECT_FALSE(generous.exceeded());
  generous.check("testing");
  MemoryLimit tight = MemoryLimit::bytes(1);
  EXPECT_TRUE(tight.exceeded());
  try {
    tight.check("reading 'a.sts'");
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("out of memory while reading 'a.sts': "))
        << error.what();
  }
  MemoryLimit::none().check("anything");
}

TEST(Memory, LimitsHoldForTheProcess) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    rlimit now{};
    const bool ok = forbid_core_files() && limit_processor_time(1000) &&
                    ::getrlimit(RLIMIT_CPU, &now) == 0 && now.rlim_cur == 1000;
    ::_exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace whittle
