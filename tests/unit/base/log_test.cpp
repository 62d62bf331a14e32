// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace whittle {
namespace {

TEST(Log, DeliversUpToItsLevel) {
  std::string seen;
  Logger log(LogLevel::Info, [&](LogLevel level, std::string_view text) {
    seen += std::to_string(static_cast<int>(level)) + std::string(text) + ";";
  });
  log.warning("w {}", 1);
  log.info("i {}", 2);
  log.debug("d {}", 3);
  log.trace("t {}", 4);
  EXPECT_EQ(seen, "1w 1;2i 2;");
  EXPECT_FALSE(log.enabled(LogLevel::Debug));
}

TEST(Log, SaysNothingByDefault) {
  Logger log;
  EXPECT_FALSE(log.enabled(LogLevel::Warning));
  log.warning("nobody hears {}", "this");
}

}  // namespace
}  // namespace whittle
