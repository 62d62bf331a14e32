// SPDX-License-Identifier: Apache-2.0
// What a model with errors gives: the part that was understood, well-formed, and no answers.
#include "frontend/load_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/read_file.h"
#include "frontend/consequences.h"
#include "support/load.h"

namespace whittle {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names(const std::vector<Property>& properties) {
  std::vector<std::string> result;
  for (const Property& p : properties) result.push_back(p.name);
  return result;
}

TEST(PartialModels, SymbolicTransitionSystem) {
  const test::Loaded model = test::load("sts",
                                        "system S\n"
                                        "var x: Int\n"
                                        "node A\n"
                                        "start A: x == 0\n"
                                        "transition t: A -> A when x < unknown then x' == x + 1\n"
                                        "safety good: x >= 0\n"
                                        "safety bad: y >= 0\n");
  EXPECT_EQ(model.network, nullptr);
  EXPECT_EQ(model.diagnostics.errors(), 2U);
  ASSERT_NE(model.partial, nullptr);
  EXPECT_TRUE(well_formedness_problems(*model.partial).empty());
  EXPECT_EQ(model.partial->variables().size(), 1U);
  EXPECT_EQ(model.partial->events().size(), 1U);
  EXPECT_EQ(names(model.partial->properties()), std::vector<std::string>{"good"});
}

TEST(PartialModels, ConcurrentProgram) {
  const test::Loaded model = test::load("proc",
                                        "program p\n"
                                        "shared a: Int = 0\n"
                                        "process P { a := 1; b := 2; a := 3; }\n"
                                        "property good: a >= 0\n"
                                        "property bad: c >= 0\n");
  EXPECT_EQ(model.network, nullptr);
  ASSERT_NE(model.partial, nullptr);
  EXPECT_EQ(model.partial->events().size(), 2U);
  EXPECT_EQ(names(model.partial->properties()), std::vector<std::string>{"good"});
}

TEST(PartialModels, VmtLib) {
  const test::Loaded model =
      test::load("vmt",
                 "(declare-fun x () Int)\n"
                 "(declare-fun after () Int)\n"
                 "(define-fun state () Int (! x :next after))\n"
                 "(define-fun begin () Bool (! (= after 0) :init true))\n"  // a next value
                 "(define-fun steps () Bool (! (= after (+ x 1)) :trans true))\n"
                 "(define-fun good () Bool (! (>= x 0) :invar-property 0))\n"
                 "(define-fun bad () Bool (! (>= y 0) :invar-property 1))\n");
  EXPECT_EQ(model.network, nullptr);
  EXPECT_EQ(model.diagnostics.errors(), 2U);
  ASSERT_NE(model.partial, nullptr);
  EXPECT_EQ(model.partial->variables().size(), 1U);
  EXPECT_EQ(names(model.partial->properties()), std::vector<std::string>{"good"});
}

TEST(PartialModels, Rebel) {
  const test::Loaded model =
      test::load("rebel",
                 "module acc\n"
                 "event open() { postconditions { new this.n == 1; } }\n"
                 "event more() { postconditions { new this.m == 2; } }\n"
                 "specification Account {\n"
                 "  fields { nr: Integer @key n: Integer }\n"
                 "  events { open[] more[] }\n"
                 "  lifeCycle { initial a -> b: open b -> b: more final b }\n"
                 "}\n",
                 "acc.ebl");
  EXPECT_EQ(model.network, nullptr);
  ASSERT_NE(model.partial, nullptr) << model.messages();
  EXPECT_EQ(model.partial->machines().size(), 1U);
  EXPECT_EQ(model.partial->events().size(), 2U);
}

// Whatever is wrong with a file: what is left of it makes sense, and the index of names is there.
TEST(PartialModels, AreWellFormed) {
  int files = 0;
  int partial = 0;
  int indexed = 0;
  LoadOptions options;
  options.symbols = true;
  for (const Language& language : languages()) {
    // Nothing is made of a broken program or diagram (docs/known-issues.md).
    if (language.id == "c" || language.id == "bpmn" || language.id == "owls") continue;
    const fs::path folder = fs::path("tests/regress") / language.id / "error";
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = entry.path().string();
      if (path.find("too_large") != path.npos) continue;  // takes long, to see that it is too much
      if (language_of_path(path) != &language) continue;
      const auto text = read_file(path);
      if (!text) continue;  // no text at all
      ++files;
      const test::Loaded model = test::load(language.id, *text, path, options);
      EXPECT_EQ(model.network, nullptr) << path;
      if (!model.symbols.symbols().empty()) ++indexed;
      EXPECT_NE(model.partial, nullptr) << path;
      if (model.partial == nullptr) continue;
      ++partial;
      EXPECT_TRUE(well_formedness_problems(*model.partial).empty()) << path;
    }
  }
  EXPECT_GE(files, 20);
  EXPECT_EQ(partial, files);
  EXPECT_GE(indexed, files / 2);
}

// ----- the steps of loading

LoadedModel made_by(Network&& network, bool with_error) {
  return frontend::load_text(
      {},
      [&](Diagnostics& diagnostics) {
        if (with_error) diagnostics.report("sts-002", {}, "something is wrong");
        return 0;
      },
      [&](int, LoadedModel&) { return std::make_shared<Network>(std::move(network)); });
}

Network malformed() {
  Network network(std::make_shared<ExprPool>());
  network.language = "test";
  const MachineId machine = network.add_machine("m", {});
  network.add_location("l", machine, {});  // but no start
  return network;
}

TEST(LoadText, AMalformedNetworkIsADefect) {
  EXPECT_THROW(static_cast<void>(made_by(malformed(), false)), InternalError);
  const LoadedModel model = made_by(malformed(), true);
  EXPECT_EQ(model.network, nullptr);
  EXPECT_FALSE(model.complete());
}

TEST(LoadText, StopsWhereThereAreTooManyErrors) {
  bool built = false;
  const LoadedModel model = frontend::load_text(
      {},
      [](Diagnostics& diagnostics) {
        for (std::uint32_t i = 0; i < Diagnostics::kMaxErrors; ++i)
          diagnostics.report("sts-002", {FileId(0), i, i + 1}, "unknown");
        return 0;
      },
      [&](int, LoadedModel&) {
        built = true;
        return std::shared_ptr<Network>();
      });
  EXPECT_FALSE(built);
  EXPECT_EQ(model.network, nullptr);
  const auto& all = model.diagnostics.all();
  EXPECT_TRUE(
      std::any_of(all.begin(), all.end(), [](const Diagnostic& d) { return d.id == "parse-007"; }));
}

// ----- what only follows from other problems

std::vector<std::string> ids(const Diagnostics& diagnostics) {
  std::vector<std::string> result;
  for (const Diagnostic& d : diagnostics.all()) result.push_back(d.id);
  return result;
}

TEST(Consequences, OfTextThatCouldNotBeRead) {
  using Nature = Diagnostic::Nature;
  const auto filtered = [](std::string_view cause, Nature nature) {
    Diagnostics all;
    all.report(cause, {FileId(0), 0, 1}, "the cause").nature = nature;
    all.report("rebel-054", {FileId(0), 5, 6}, "missing").nature = Nature::Absence;
    Diagnostic& misspelt = all.report("rebel-057", {FileId(0), 7, 8}, "misspelt");
    misspelt.nature = Nature::Absence;
    misspelt.suggestion = "balance";
    all.report("rebel-051", {FileId(0), 9, 10}, "of the wrong type");
    return ids(frontend::without_consequences(std::move(all)));
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(filtered("parse-001", Nature::Plain), (Ids{"parse-001", "rebel-057", "rebel-051"}));
  EXPECT_EQ(filtered("parse-001", Nature::Confined),
            (Ids{"parse-001", "rebel-054", "rebel-057", "rebel-051"}));
  EXPECT_EQ(filtered("rebel-022", Nature::Unread), (Ids{"rebel-022", "rebel-057", "rebel-051"}));
  EXPECT_EQ(filtered("rebel-056", Nature::Plain),
            (Ids{"rebel-056", "rebel-054", "rebel-057", "rebel-051"}));
}

TEST(Consequences, SyntaxBehindAStringWithoutEnd) {
  Diagnostics all;
  all.report("parse-001", {FileId(0), 1, 2}, "before");
  all.report("lex-002", {FileId(0), 5, 6}, "not closed");
  all.report("parse-001", {FileId(0), 8, 9}, "behind");
  all.report("parse-001", {FileId(1), 8, 9}, "in another file");
  EXPECT_EQ(ids(frontend::without_consequences(std::move(all))),
            (std::vector<std::string>{"parse-001", "lex-002", "parse-001"}));
}

}  // namespace
}  // namespace whittle
