// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

using std::chrono::milliseconds;

TEST(Process, ArgumentsNeedNoQuotes) {
  EXPECT_EQ(output_of({"printf", "%s|%s", "it's \"here\"", "$HOME; *"}), "it's \"here\"|$HOME; *");
}

TEST(Process, ThereIsNoneOrItFails) {
  EXPECT_EQ(output_of({"whittle-has-no-such-program"}), std::nullopt);
  EXPECT_EQ(output_of({"false"}), std::nullopt);
  EXPECT_EQ(output_of({}), std::nullopt);
}

TEST(Process, ReadsNothingAndRunsWhereItShould) {
  EXPECT_EQ(output_of({"cat"}), "");
  EXPECT_EQ(output_of({"pwd"}, {"/", Deadline::never()}), "/\n");
}

TEST(Process, ErrorsAreKeptIfAskedFor) {
  const std::vector<std::string> command = {"sh", "-c", "echo out; echo error >&2"};
  EXPECT_EQ(output_of(command), "out\n");
  EXPECT_EQ(output_of(command, {{}, Deadline::never(), true}), "out\nerror\n");
}

TEST(Process, LongOutputIsRead) {
  const auto text = output_of({"head", "-c", "1000000", "/dev/zero"});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->size(), 1'000'000U);
}

TEST(Process, IsKilledWithWhatItStarted) {
  const Clock::time_point begun = Clock::now();
  EXPECT_EQ(
      output_of({"sh", "-c", "sleep 100 & sleep 100"}, {{}, Deadline::after(milliseconds(50))}),
      std::nullopt);
  EXPECT_LT(Clock::now() - begun, milliseconds(20'000));
}

}  // namespace
}  // namespace whittle
