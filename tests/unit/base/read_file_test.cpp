// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace whittle {
namespace {

class ReadFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("whittle-read-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) { return (folder_ / name).string(); }
  std::string file(const std::string& content) {
    std::ofstream(path("f"), std::ios::binary) << content;
    return path("f");
  }
  static std::string error_id(const std::string& path) {
    const auto result = read_file(path);
    return result ? "" : result.error().id;
  }

  std::filesystem::path folder_;
};

TEST_F(ReadFile, GivesTheText) {
  EXPECT_EQ(*read_file(file("one\ntwo")), "one\ntwo");
  EXPECT_EQ(*read_file(file("")), "");
  EXPECT_EQ(*read_file(file("\xEF\xBB\xBFtext")), "text");
  EXPECT_EQ(*read_file(file("caf\xE9 in Latin-1 is left to the lexer")),
            "caf\xE9 in Latin-1 is left to the lexer");
}

TEST_F(ReadFile, SaysWhyNot) {
  EXPECT_EQ(error_id(path("missing")), "file-001");
  EXPECT_EQ(error_id(file("x") + "/below"), "file-001");
  EXPECT_EQ(error_id(folder_.string()), "file-002");
  EXPECT_EQ(error_id(file(std::string("a\0b", 3))), "file-006");
  EXPECT_EQ(error_id(file("\x01\x02\xFE\xFFrubbish")), "file-006");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_id(path("pipe")), "file-004");
  EXPECT_EQ(error_id("/dev/null"), "file-004");
  const auto large = read_file(file("12345"), 4);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().id, "file-005");
  EXPECT_NE(large.error().message.find("5 bytes"), std::string::npos);
}

TEST_F(ReadFile, NoPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string name = file("secret");
  ::chmod(name.c_str(), 0);
  EXPECT_EQ(error_id(name), "file-003");
}

}  // namespace
}  // namespace whittle
