// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace whittle {
namespace {

// The recurrence as it is defined, on the full matrix.
std::size_t slow_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

TEST(Nearest, DistanceAgreesWithItsDefinition) {
  std::mt19937 random(1);
  const auto word = [&] {
    std::string text(random() % 9, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string a = word();
    const std::string b = word();
    const std::size_t limit = random() % 6;
    ASSERT_EQ(edit_distance(a, b, limit), std::min(slow_distance(a, b), limit + 1))
        << a << ' ' << b << ' ' << limit;
  }
}

TEST(Nearest, FindsTheMeantName) {
  const std::vector<std::string> names = {"amount", "balance", "status", "OPEN"};
  EXPECT_EQ(nearest("balanse", names), "balance");
  EXPECT_EQ(nearest("balacne", names), "balance");
  EXPECT_EQ(nearest("Status", names), "status");
  EXPECT_EQ(nearest("open", names), "OPEN");
  EXPECT_EQ(nearest("interest", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("x", {"y", "z"}), std::nullopt);
  EXPECT_EQ(nearest("aa1", {"aa2", "aa3"}), "aa2");  // the first of equals
  EXPECT_EQ(nearest("counter", {"countre1", "counter1"}), "counter1");
}

}  // namespace
}  // namespace whittle
