// SPDX-License-Identifier: Apache-2.0
// The examples load without a complaint, and survive being printed. Runs from the repository's top.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/read_file.h"
#include "support/load.h"

namespace whittle {
namespace {

using test::everything_in;
using test::Loaded;

TEST(Examples, EveryLanguageHasOne) {
  for (const Language& language : languages()) {
    EXPECT_TRUE(std::filesystem::exists(language.example)) << language.example;
    EXPECT_EQ(language_of_path(language.example), &language) << language.example;
  }
}

// Loads and prints every example of a language, of which there are so many.
void expect_examples(const std::string& language, int least) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("examples/" + language)) {
    if (entry.path().extension() != "." + language) continue;
    ++count;
    const std::string path = entry.path().string();
    const auto text = read_file(path);
    ASSERT_TRUE(text.has_value()) << path;
    const Loaded first = test::load(language, *text, path);
    ASSERT_NE(first.network, nullptr) << first.messages();
    EXPECT_FALSE(first.diagnostics.has_errors()) << first.messages();
    for (const Diagnostic& d : first.diagnostics.all()) {
      // Programs as their authors printed them read variables that nothing sets.
      EXPECT_EQ(d.id, "cfa-020") << first.messages();
    }
    const auto problems = well_formedness_problems(*first.network);
    EXPECT_TRUE(problems.empty()) << path << ": " << problems[0];
    const auto printed = find_language(language)->print(*first.network, *first.sources);
    const Loaded second = test::load(language, printed[0].text, path);
    ASSERT_NE(second.network, nullptr) << second.messages() << printed[0].text;
    EXPECT_EQ(everything_in(*first.network), everything_in(*second.network)) << path;
  }
  EXPECT_GE(count, least);
}

TEST(Examples, SymbolicTransitionSystems) { expect_examples("sts", 20); }

TEST(Examples, VmtLib) { expect_examples("vmt", 5); }

TEST(Examples, ConcurrentPrograms) { expect_examples("proc", 5); }

TEST(Examples, ProgramsWithErrors) { expect_examples("cfa", 2); }

TEST(Examples, Flowcharts) { expect_examples("fcl", 4); }

}  // namespace
}  // namespace whittle
