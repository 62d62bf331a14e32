// SPDX-License-Identifier: Apache-2.0
// The index of names: by hand, and filled by each language. In the models here every name means one
// thing, so all places where it stands in the text belong together, whichever of them one asks for.
#include "frontend/symbol_index.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "support/load.h"

namespace whittle {
namespace {

constexpr FileId kFile{0};

Span at(std::uint32_t begin, std::uint32_t end) { return {kFile, begin, end}; }

TEST(SymbolIndex, FromAUseToItsDeclarationAndToAllUses) {
  SymbolIndex index;
  index.use(at(0, 1), at(20, 21));  // before it is declared
  index.declare(SymbolKind::Variable, "x", at(0, 1));
  index.use(at(0, 1), at(10, 11));
  index.use(at(0, 1), at(10, 11));  // the same again
  index.use(at(0, 1), at(0, 1));    // the declaration is no use
  index.use(at(5, 6), at(30, 31));  // of nothing that is declared
  index.declare(SymbolKind::Event, "x again", at(0, 1));
  index.finish();
  ASSERT_EQ(index.symbols().size(), 1U);
  const DeclaredSymbol* found = index.at(kFile, 20);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "x");
  EXPECT_EQ(found->kind, SymbolKind::Variable);
  EXPECT_EQ(found->declaration, at(0, 1));
  EXPECT_EQ(found->uses, (std::vector<Span>{at(10, 11), at(20, 21)}));
  EXPECT_EQ(index.at(kFile, 0), found);
  EXPECT_EQ(index.at(kFile, 11), found);  // behind the word
  EXPECT_EQ(index.at(kFile, 12), nullptr);
  EXPECT_EQ(index.at(kFile, 30), nullptr);
  EXPECT_EQ(index.at(FileId(1), 10), nullptr);
}

TEST(SymbolIndex, TheInnermostOfNamesInsideEachOther) {
  SymbolIndex index;
  index.declare(SymbolKind::Module, "M", at(0, 1));
  index.declare(SymbolKind::Event, "e", at(2, 3));
  index.use(at(0, 1), at(10, 13));
  index.use(at(2, 3), at(12, 13));
  index.finish();
  EXPECT_EQ(index.at(kFile, 10)->name, "M");
  EXPECT_EQ(index.at(kFile, 12)->name, "e");
}

TEST(SymbolIndex, RecordsNothingUnlessItIsWanted) {
  SymbolIndex index(false);
  index.declare(SymbolKind::Variable, "x", at(0, 1));
  index.use(at(0, 1), at(10, 11));
  index.finish();
  EXPECT_TRUE(index.symbols().empty());
  EXPECT_EQ(index.at(kFile, 0), nullptr);
}

// ----- the languages

LoadOptions with_symbols() {
  LoadOptions options;
  options.symbols = true;
  return options;
}

bool part_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the word stands by itself.
std::vector<Span> places_of(std::string_view text, std::string_view word, FileId file) {
  std::vector<Span> result;
  for (std::size_t i = text.find(word); i != text.npos; i = text.find(word, i + 1)) {
    const std::size_t end = i + word.size();
    if (i > 0 && part_of_a_word(text[i - 1])) continue;
    if (end < text.size() && part_of_a_word(text[end])) continue;
    result.push_back({file, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)});
  }
  return result;
}

struct Expectation {
  std::string name;
  SymbolKind kind;
  std::size_t uses;
};

// The first place of each name is its declaration, the others are its uses, and every place leads
// to all of them.
void expect_symbols(const test::Loaded& model, const std::vector<Expectation>& expected) {
  const std::string_view text = model.sources->file(model.file).text();
  for (const Expectation& e : expected) {
    const std::vector<Span> places = places_of(text, e.name, model.file);
    ASSERT_EQ(places.size(), e.uses + 1) << e.name;
    for (const Span& place : places) {
      const DeclaredSymbol* found = model.symbols.at(model.file, place.begin);
      ASSERT_NE(found, nullptr) << e.name << " at " << place.begin;
      EXPECT_EQ(found->name, e.name);
      EXPECT_EQ(found->kind, e.kind) << e.name << " is a " << to_string(found->kind);
      EXPECT_EQ(found->declaration, places[0]) << e.name;
      EXPECT_EQ(found->uses, (std::vector<Span>(places.begin() + 1, places.end()))) << e.name;
    }
  }
  EXPECT_EQ(model.symbols.symbols().size(), expected.size());
}

TEST(SymbolIndex, SymbolicTransitionSystems) {
  const test::Loaded model = test::load("sts",
                                        "system Bank\n"
                                        "const limit = 10\n"
                                        "enum Status { ON, OFF }\n"
                                        "var balance: Int\n"
                                        "var status: Status\n"
                                        "node Open\n"
                                        "final node Closed\n"
                                        "start Open: balance == limit && status == ON\n"
                                        "transition deposit: Open -> Open (amount: Int)\n"
                                        "  when forall i in 0..limit: amount > 0 - i\n"
                                        "  then balance' == balance + amount\n"
                                        "transition close: Open -> Closed\n"
                                        "  then status' == OFF && any balance\n"
                                        "safety small @Open: balance < limit\n"
                                        "reach off: @Closed && status == OFF\n",
                                        "model.sts", with_symbols());
  ASSERT_NE(model.network, nullptr) << model.messages();
  expect_symbols(model, {{"Bank", SymbolKind::Machine, 0},
                         {"limit", SymbolKind::Constant, 3},
                         {"Status", SymbolKind::Type, 1},
                         {"ON", SymbolKind::Constant, 1},
                         {"OFF", SymbolKind::Constant, 2},
                         {"balance", SymbolKind::Variable, 5},
                         {"status", SymbolKind::Variable, 3},
                         {"Open", SymbolKind::Location, 5},
                         {"Closed", SymbolKind::Location, 2},
                         {"deposit", SymbolKind::Event, 0},
                         {"amount", SymbolKind::Parameter, 2},
                         {"i", SymbolKind::Bound, 1},
                         {"close", SymbolKind::Event, 0},
                         {"small", SymbolKind::Property, 0},
                         {"off", SymbolKind::Property, 0}});
}

TEST(SymbolIndex, ConcurrentPrograms) {
  const test::Loaded model = test::load("proc",
                                        "program locks\n"
                                        "const last = 2\n"
                                        "shared held: Bool = false\n"
                                        "shared seen: Int[3]\n"
                                        "process P[me: 0..last] {\n"
                                        "  var mine: Int = 0;\n"
                                        "  lock(held);\n"
                                        "  inside: mine := me + seen[me];\n"
                                        "  seen[me] := mine;\n"
                                        "  unlock(held);\n"
                                        "}\n"
                                        "init forall k in 0..last: seen[k] == 0\n"
                                        "property alone: !(P[0]@inside && P[1]@inside)\n"
                                        "property zero: P[0].mine == 0\n",
                                        "model.proc", with_symbols());
  ASSERT_NE(model.network, nullptr) << model.messages();
  expect_symbols(model, {{"last", SymbolKind::Constant, 2},
                         {"held", SymbolKind::Variable, 2},
                         {"seen", SymbolKind::Variable, 3},
                         {"P", SymbolKind::Machine, 3},
                         {"me", SymbolKind::Constant, 3},
                         {"mine", SymbolKind::Variable, 3},
                         {"inside", SymbolKind::Location, 2},
                         {"k", SymbolKind::Bound, 1},
                         {"alone", SymbolKind::Property, 0},
                         {"zero", SymbolKind::Property, 0}});
}

TEST(SymbolIndex, VmtLib) {
  const test::Loaded model = test::load(
      "vmt",
      "(define-sort Number () Int)\n"
      "(declare-fun x () Number)\n"
      "(declare-fun after () Number)\n"
      "(define-fun twice ((n Number)) Number (+ n n))\n"
      "(define-fun state () Number (! x :next after))\n"
      "(define-fun begin () Bool (! (= x 0) :init true))\n"
      "(define-fun steps () Bool (! (let ((y (twice x))) (= after (+ y 1))) :trans true))\n"
      "(define-fun good () Bool (! (>= x 0) :invar-property 0))\n",
      "model.vmt", with_symbols());
  ASSERT_NE(model.network, nullptr) << model.messages();
  expect_symbols(model, {{"Number", SymbolKind::Type, 5},
                         {"x", SymbolKind::Variable, 4},
                         {"after", SymbolKind::Variable, 2},
                         {"twice", SymbolKind::Function, 1},
                         {"n", SymbolKind::Parameter, 2},
                         {"state", SymbolKind::Constant, 0},
                         {"begin", SymbolKind::Constant, 0},
                         {"steps", SymbolKind::Constant, 0},
                         {"y", SymbolKind::Bound, 1},
                         {"good", SymbolKind::Constant, 0}});
}

TEST(SymbolIndex, Rebel) {
  const test::Loaded model = test::load("rebel",
                                        "module acc\n"
                                        "event open[minimum: Integer = 5](first: Integer) {\n"
                                        "  preconditions { first >= minimum; }\n"
                                        "  postconditions { new this.balance == double(first); }\n"
                                        "}\n"
                                        "function double(n: Integer): Integer = n + n;\n"
                                        "invariant positive { this.balance >= 0; }\n"
                                        "specification Account {\n"
                                        "  fields {\n"
                                        "    nr: Integer @key\n"
                                        "    balance: Integer\n"
                                        "  }\n"
                                        "  events { open[minimum = 6] }\n"
                                        "  invariants { positive }\n"
                                        "  lifeCycle {\n"
                                        "    initial fresh -> opened: open\n"
                                        "    final opened\n"
                                        "  }\n"
                                        "}\n"
                                        "state poor { opened Account with balance < 1; }\n"
                                        "check poor reachable in max 3 steps;\n",
                                        "acc.tebl", with_symbols());
  ASSERT_NE(model.network, nullptr) << model.messages();
  const std::string_view text = model.sources->file(model.file).text();
  const auto whole = [&](std::string_view name, SymbolKind kind, std::size_t declaration) {
    const std::vector<Span> places = places_of(text, name, model.file);
    ASSERT_GT(places.size(), declaration) << name;
    std::vector<Span> uses = places;
    uses.erase(uses.begin() + static_cast<std::ptrdiff_t>(declaration));
    for (const Span& place : places) {
      const DeclaredSymbol* found = model.symbols.at(model.file, place.begin);
      ASSERT_NE(found, nullptr) << name << " at " << place.begin;
      EXPECT_EQ(found->name, name);
      EXPECT_EQ(found->kind, kind) << name << " is a " << to_string(found->kind);
      EXPECT_EQ(found->declaration, places[declaration]) << name;
      EXPECT_EQ(found->uses, uses) << name;
    }
  };
  whole("acc", SymbolKind::Module, 0);
  whole("open", SymbolKind::Event, 0);
  whole("minimum", SymbolKind::Parameter, 0);
  whole("first", SymbolKind::Parameter, 0);
  whole("double", SymbolKind::Function, 1);
  whole("n", SymbolKind::Parameter, 0);
  whole("positive", SymbolKind::Invariant, 0);
  whole("Account", SymbolKind::Machine, 0);
  whole("balance", SymbolKind::Variable, 2);
  whole("opened", SymbolKind::Location, 1);
  whole("poor", SymbolKind::Universe, 0);
}

}  // namespace
}  // namespace whittle
