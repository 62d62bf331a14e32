// SPDX-License-Identifier: Apache-2.0
#include "base/write_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/temporary_folder.h"

namespace whittle {
namespace {

TEST(WriteFile, MakesTheFoldersAbove) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a" / "b" / "text";
  write_file(path, "one\ntwo");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "one\ntwo");
}

TEST(WriteFile, SaysWhatCannotBeWritten) {
  try {
    write_file("/proc/no-such-place/file", "");
    FAIL();
  } catch (const CannotWrite& problem) {
    EXPECT_STREQ(problem.what(), "'/proc/no-such-place/file' cannot be written");
  }
}

}  // namespace
}  // namespace whittle
