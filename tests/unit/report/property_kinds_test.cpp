// SPDX-License-Identifier: Apache-2.0
// What is said about kinds of properties agrees with the table of kinds.
#include "ir/property_kinds.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace whittle {
namespace {

std::string text_of(const char* path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

std::set<std::string> words(const nlohmann::json& list) {
  std::set<std::string> result;
  for (const auto& word : list) {
    if (word.is_string()) result.insert(word.get<std::string>());
  }
  return result;
}

TEST(PropertyKinds, TheSchemaOfReportsHasThemAll) {
  const auto schema = nlohmann::json::parse(text_of("src/report/schema.json"));
  const auto& result = schema["$defs"]["result"]["properties"];
  const std::set<std::string> kinds = words(result["kind"]["enum"]);
  const std::set<std::string> verdicts = words(result["verdict"]["enum"]);
  for (const PropertyKindInfo& entry : property_kinds()) {
    EXPECT_TRUE(kinds.contains(std::string(entry.id))) << entry.id;
    for (const VerdictKind verdict : {entry.reached, entry.unreached})
      EXPECT_TRUE(verdicts.contains(std::string(to_string(verdict)))) << to_string(verdict);
  }
}

TEST(PropertyKinds, TheManualNamesThemAll) {
  const std::string manual = text_of("docs/outputs.md");
  for (const PropertyKindInfo& entry : property_kinds()) {
    EXPECT_NE(manual.find("`" + std::string(entry.id) + "`"), std::string::npos) << entry.id;
    EXPECT_FALSE(entry.summary.empty()) << entry.id;
  }
}

}  // namespace
}  // namespace whittle
