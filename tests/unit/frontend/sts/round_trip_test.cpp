// SPDX-License-Identifier: Apache-2.0
// Printed networks are the same networks; broken texts never break the reader; size costs time in
// proportion.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "bench/models/sts.h"
#include "frontend/sts/printer.h"
#include "ir/notation.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_sts.h"

namespace whittle {
namespace {

using test::everything_in;
using test::load;
using test::Loaded;
using test::RandomSts;

void expect_round_trip(const std::string& text) {
  const Loaded first = load("sts", text);
  ASSERT_NE(first.network, nullptr) << first.messages() << text;
  const auto problems = well_formedness_problems(*first.network);
  ASSERT_TRUE(problems.empty()) << problems[0] << "\n" << text;
  const std::string printed = sts::print_network(*first.network);
  const Loaded second = load("sts", printed);
  ASSERT_NE(second.network, nullptr) << second.messages() << text << printed;
  ASSERT_EQ(everything_in(*first.network), everything_in(*second.network)) << text << printed;
}

TEST(StsRoundTrip, RandomFiles) {
  for (int seed = 0; seed < 500 * test::effort(); ++seed) {
    RandomSts::Options options;
    options.finite = seed % 2 == 0;
    options.depth = 2 + static_cast<unsigned>(seed) % 4;
    expect_round_trip(RandomSts(static_cast<std::uint64_t>(seed), options)());
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(StsRoundTrip, GeneratedFamilies) {
  expect_round_trip(sts::chain(20, sts::ChainKind::Set));
  expect_round_trip(sts::chain(20, sts::ChainKind::Add));
  expect_round_trip(sts::chain(1, sts::ChainKind::Add));
  expect_round_trip(sts::cycle_unfolding(1000));
  expect_round_trip(sts::fibonacci(*Integer::parse("100000000000000000000000")));
}

TEST(StsRoundTrip, ATransitionThatLeavesSeveralNodes) {
  const std::string text =
      "system S\nvar x: Int\nnode A, B\nfinal node C\nstart A: x == 0\n"
      "transition t: A, B -> C (n: Int) when n > x then x' == n\ntransition u: A -> B\n";
  expect_round_trip(text);
  const Loaded loaded = load("sts", text);
  ASSERT_NE(loaded.network, nullptr);
  EXPECT_EQ(loaded.network->events()[0].arcs.size(), 2U);
  EXPECT_NE(sts::print_network(*loaded.network).find("transition t: A, B -> C (n: Int)"),
            std::string::npos);
}

// Sums and conjunctions that the builder does not flatten.
TEST(StsRoundTrip, LongOperands) {
  std::string sum = "x0";
  std::string both = "x0 > 0";
  std::string names = "x0";
  for (int i = 1; i < 40; ++i) {
    sum += " + x" + std::to_string(i);
    both += " && x" + std::to_string(i) + " > 0";
    names += ", x" + std::to_string(i);
  }
  const std::string head = "system S\nvar " + names + ": Int\nfinal node N\nstart N: true\n";
  expect_round_trip(head + "safety p: 5 + (" + sum + ") > 0\n");
  expect_round_trip(head + "safety p: 5 * (" + sum + ") * (" + sum + ") > 0.5\n");
  expect_round_trip(head + "safety p: (" + both + ") && x1 > 5 || (x2 == 0 && (" + both + "))\n");
  expect_round_trip(head + "safety p: x1 == 7 && (" + both + ")\n");
}

// Changes a text a little: what a tired user or a broken disk would do.
std::string mutated(std::string text, std::mt19937_64& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  static const char* const pieces[] = {"(",    ")",    "'",  "@",      "forall k in 0..2:",
                                       "then", "\"",   "}",  "{",      "->",
                                       "node", "\xff", "..", "any v0", "/*",
                                       ":",    "9",    "^",  "when",   "!",
                                       "\n"};
  const std::size_t changes = 1 + pick(4);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = pick(text.size());
    switch (pick(5)) {
      case 0:
        text.erase(at, 1 + pick(10));
        break;
      case 1:
        text.insert(at, pieces[pick(std::size(pieces))]);
        break;
      case 2:
        text[at] = static_cast<char>(random());
        break;
      case 3:
        text.insert(at, text.substr(pick(text.size()), pick(30)));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(StsRobustness, MutatedFilesGiveMessagesOrNetworks) {
  std::mt19937_64 random(7);
  for (int seed = 0; seed < 1000 * test::effort(); ++seed) {
    RandomSts::Options options;
    options.finite = false;
    const std::string text =
        mutated(RandomSts(static_cast<std::uint64_t>(seed), options)(), random);
    const Loaded loaded = load("sts", text);
    ASSERT_EQ(loaded.network == nullptr, loaded.diagnostics.has_errors()) << text;
    for (const Diagnostic& d : loaded.diagnostics.all()) {
      ASSERT_LE(d.span.begin, d.span.end);
      ASSERT_LE(d.span.end, text.size()) << d.id;
    }
    if (loaded.network) {
      ASSERT_TRUE(well_formedness_problems(*loaded.network).empty()) << text;
      expect_round_trip(text);
    }
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(StsRobustness, RandomBytes) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (std::size_t i = random() % 3000; i > 0; --i) bytes += static_cast<char>(random());
    if (round % 2 == 0) bytes.insert(0, "system S\nvar x: Int\nstart N: ");
    const Loaded loaded = load("sts", bytes);
    EXPECT_TRUE(loaded.diagnostics.has_errors());
    EXPECT_LE(loaded.diagnostics.all().size(), 2 * Diagnostics::kMaxErrors);
  }
}

TEST(StsRobustness, DeepNesting) {
  const std::string head = "system S\nvar x: Int\nvar b: Bool\nfinal node N\nstart N: ";
  const std::string open(100'000, '(');
  const std::string close(100'000, ')');
  for (const std::string& condition :
       {open + "b" + close, open, "b" + close, std::string(100'000, '!') + "b",
        open + "x" + close + " == 0"}) {
    const Loaded loaded = load("sts", head + condition + "\n");
    EXPECT_EQ(loaded.network, nullptr);
    EXPECT_GE(loaded.diagnostics.errors(), 1U);
  }
  EXPECT_EQ(load("sts", head + open + "b" + close).places(),
            std::vector<std::string>{"parse-003 5:10010"});
}

// A hundred thousand mistakes are no reason to take long or to print them all.
TEST(StsRobustness, ManyMistakes) {
  std::string head = "system S\nvar x: Int\nfinal node N\nstart N: x == 0\n";
  std::string nodes;
  std::string starts;
  std::string sum = "safety p: 0";
  std::string variables;
  for (int i = 0; i < 100'000; ++i) {
    const std::string n = std::to_string(i);
    nodes += "final node N" + n + "\n";
    starts += "start M" + n + ": true\ntransition t" + n + ": K" + n + " -> N\n";
    sum += " + y" + n;
    variables += "var v" + n + ": Itn\n";
  }
  for (const std::string& text :
       {head + nodes + starts, head + sum + " > 0\n", head + variables, head + nodes + nodes}) {
    const Loaded loaded = load("sts", text);
    EXPECT_TRUE(loaded.diagnostics.saturated());
    EXPECT_LE(loaded.diagnostics.all().size(), Diagnostics::kMaxErrors + 5);
    EXPECT_TRUE(std::any_of(loaded.diagnostics.all().begin(), loaded.diagnostics.all().end(),
                            [](const Diagnostic& d) { return d.id == "parse-007"; }));
  }
}

TEST(StsRobustness, ChainsOfConstantsMayBeLong) {
  std::string text = "system S\nvar x: Int\nfinal node N\nstart N: x == c0\n";
  for (int i = 0; i < 50'000; ++i) {
    text += "const c" + std::to_string(i) + " = c" + std::to_string(i + 1) + " + 1\n";
  }
  text += "const c50000 = 0\n";
  const Loaded loaded = load("sts", text);
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_EQ(loaded.network->notation->condition(*loaded.network,
                                                loaded.network->machines()[0].starts[0].condition),
            "x == 50000");
}

TEST(StsScaling, LongChainsLoad) {
  const Loaded loaded = load("sts", sts::chain(50'000, sts::ChainKind::Add));
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_GE(loaded.network->locations().size(), 50'000U);
}

}  // namespace
}  // namespace whittle
