// SPDX-License-Identifier: Apache-2.0
// Files by the authors of the language, where they are at hand.
#include <filesystem>

#include "base/read_file.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> corpus() {
  std::error_code ignored;
  for (fs::path top = fs::current_path(); top.has_relative_path(); top = top.parent_path()) {
    for (const char* place : {"shared/corpus/rebel", "../shared/corpus/rebel"}) {
      if (fs::is_directory(top / place, ignored)) return top / place;
    }
  }
  return std::nullopt;
}

struct FileModel {
  Sources sources;
  std::map<std::string, FileId> read;
  std::shared_ptr<Network> network;
  Diagnostics diagnostics;

  explicit FileModel(const fs::path& path) {
    LoadOptions options;
    options.read = [this](const std::string& name) -> Expected<FileId, Diagnostic> {
      const std::string key = fs::weakly_canonical(name).string();
      if (const auto it = read.find(key); it != read.end()) return it->second;
      auto text = read_file(name);
      if (!text) return Unexpected{text.error()};
      return read[key] = sources.add(name, std::move(*text));
    };
    LoadedModel result = load(sources, *options.read(path.string()), options);
    if (result.complete()) network = result.network;
    diagnostics = std::move(result.diagnostics);
  }
};

TEST(RebelCorpus, LoadsUnchanged) {
  const auto top = corpus();
  if (!top) GTEST_SKIP() << "the corpus is not beside the repository";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(*top)) {
    const std::string end = entry.path().extension().string();
    if (end != ".ebl" && end != ".tebl") continue;
    ++files;
    const FileModel model(entry.path());
    if (entry.path().filename() == "AccountTest.tebl") {
      // As written: it checks a configuration that does not exist.
      ASSERT_EQ(model.diagnostics.errors(), 1U);
      for (const Diagnostic& d : model.diagnostics.all()) {
        if (d.severity != Severity::Error) continue;
        EXPECT_EQ(d.id, "rebel-085");
        EXPECT_NE(d.hint.find("accountBelowZero"), std::string::npos) << d.hint;
      }
    } else {
      EXPECT_FALSE(model.diagnostics.has_errors())
          << entry.path() << "\n"
          << render(model.diagnostics, model.sources, Color::Off);
    }
  }
  EXPECT_EQ(files, 13U);
}

TEST(RebelCorpus, RiverCrossingTakesElevenSteps) {
  const auto top = corpus();
  if (!top) GTEST_SKIP() << "the corpus is not beside the repository";
  const FileModel model(*top / "rivercrossing" / "Problem.tebl");
  ASSERT_TRUE(model.network) << render(model.diagnostics, model.sources, Color::Off);
  ASSERT_EQ(model.network->properties().size(), 1U);
  const Property& p = model.network->properties()[0];
  EXPECT_EQ(p.bound, (StepBound{0, 11}));
  EXPECT_FALSE(p.demand);
  Search search(*model.network, p.universe, {0});
  EXPECT_EQ(search.depth(p.condition(), 12), 11);
}

TEST(RebelCorpus, TransactionTakesFiveSteps) {
  const auto top = corpus();
  if (!top) GTEST_SKIP() << "the corpus is not beside the repository";
  const FileModel model(*top / "simple_transaction" / "TransactionTest.tebl");
  ASSERT_TRUE(model.network) << render(model.diagnostics, model.sources, Color::Off);
  const Property& p = model.network->properties().at(0);
  // Amounts of 50 Euro and interest of -101 %; currency 0 is EUR. The two accounts are told apart
  // by their keys.
  std::vector<long> numbers{0, 5000, -101};
  for (InstanceId i : model.network->universe(p.universe).instances) {
    const Value& key = model.network->instance(i).key;
    if (*key.as_integer().to_int64() > 10) numbers.push_back(*key.as_integer().to_int64());
  }
  EXPECT_EQ(numbers.size(), 5U);
}

}  // namespace
}  // namespace whittle::rebel
