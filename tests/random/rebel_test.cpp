// SPDX-License-Identifier: Apache-2.0
// Random Rebel programs with small domains: bounded model checking finds what explicit search
// finds, at the same depth, on the model, on its slice, and on the slice printed and read again.
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/bmc.h"
#include "frontend/rebel/print.h"
#include "ir/lowering/lower.h"
#include "ir/run/explicit_search.h"
#include "ir/run/interpreter.h"
#include "slice/slice.h"
#include "smt/elimination/quantifier_elimination.h"
#include "support/effort.h"
#include "support/random_rebel.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

std::optional<std::vector<Value>> candidates(const Network& network, Type type) {
  std::vector<Value> result;
  switch (network.pool().kind(type)) {
    case TypeKind::Bool:
      return std::vector<Value>{Value(false), Value(true)};
    case TypeKind::Int:
      for (long n = 0; n < 4; ++n) result.emplace_back(Integer(n));
      return result;
    default:
      return std::nullopt;
  }
}

// Least depth by explicit search; -1: there is none; -2: the search was cut short.
int searched(const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  SearchOptions options;
  // Fields before the first event can have any value, but nobody looks: one will do.
  options.candidates = [&](Type type, SymbolId symbol) -> std::optional<std::vector<Value>> {
    auto all = candidates(network, type);
    const Role role = network.role(symbol);
    if (all && role.kind == RoleKind::Current) all->resize(1);
    return all;
  };
  options.max_states = 30'000;
  const SearchResult r =
      explicit_search(network, property.universe, property.condition(), property.bound, options);
  if (r.trace) return static_cast<int>(r.trace->length());
  return r.exhausted || (r.clear && property.bound.max && r.clear_to >= *property.bound.max) ? -1
                                                                                             : -2;
}

int checked(Network& network, PropertyId id, smt::SolverId solver, int seconds = 20,
            const Sources* sources = nullptr) {
  LowerOptions lowering;
  lowering.eliminate = smt::elimination(network.pool(), smt::Limits());
  std::optional<Lowered> made;
  try {
    made = lower(network, id, lowering);
  } catch (const ResourceError&) {
    return -2;  // values that cannot be eliminated
  }
  const Lowered& lowered = *made;
  OptionSet options;
  options.add<BmcOptions>();
  smt::SolverFactory::Settings settings;
  settings.id = solver;
  settings.limits.deadline = Deadline::after(std::chrono::seconds(seconds));
  Statistics statistics;
  Logger log;
  IgnoreProgress progress;
  Env env{options, smt::SolverFactory(settings), {}, {}, statistics, log, progress, "test"};
  const EngineResult result = kBmcInfo.run(lowered.system, env);
  if (result.unknown() != nullptr) return -2;
  if (result.unreachable() != nullptr) return -1;
  const Trace trace = lowered.back->trace(result.reached()->trace);
  const auto replayed = replay(network, trace);
  EXPECT_TRUE(replayed) << (replayed ? "" : replayed.error().message);
  if (sources != nullptr) {
    const TextReplay text = network.as_written->replay(network, id, trace, *sources);
    EXPECT_EQ(text.outcome, TextReplay::Outcome::Agrees) << text.reason;
  }
  return static_cast<int>(trace.length());
}

// Fermat's last theorem for exponent 3: what a solver cannot decide is unknown, neither an
// exception nor "unreachable".
TEST(RebelTraps, Trap47SolverThatGivesUp) {
  const Model model({{std::string("t.tebl"),
                      std::string("specification C { fields { id: Integer @key n: Integer } "
                                  "events { go[] } lifeCycle { initial a -> b: go } }\n"
                                  "event go(a: Integer, b: Integer, c: Integer) { preconditions { "
                                  "a > 0; b > 0; c > 0; a * a * a + b * b * b == c * c * c; } "
                                  "postconditions { new this.n == a; } }\n"
                                  "state s { b C; } check s reachable in max 2 steps;")}});
  ASSERT_TRUE(model.network) << model.messages();
  EXPECT_EQ(checked(*model.network, PropertyId(0), smt::SolverId::Z3, 1), -2);
}

TEST(RandomRebel, BoundedCheckingAgreesWithExplicitSearch) {
  int compared = 0;
  int reached = 0;
  for (int round = 0; round < 25 * test::effort(); ++round) {
    const auto seed = static_cast<std::uint32_t>(7000 + round) + test::seed_offset();
    const std::string text = test::RandomRebel(seed).program();
    const Model model({{std::string("random.tebl"), text}});
    ASSERT_TRUE(model.network) << "seed " << seed << "\n" << model.messages() << text;
    const PropertyId id(0);
    const int expected = searched(*model.network, id);
    if (expected == -2) continue;
    const smt::SolverId solver = round % 4 == 0 ? smt::SolverId::Cvc5 : smt::SolverId::Z3;
    const int found = checked(*model.network, id, solver, 20, &model.sources);
    if (found == -2) continue;
    ++compared;
    if (expected >= 0) ++reached;
    ASSERT_EQ(found, expected) << "seed " << seed << "\n" << text;

    const auto sliced = slice::slice(model.network, id, slice::SliceOptions());
    EXPECT_EQ(searched(*sliced.network, sliced.property), expected)
        << "slice, seed " << seed << "\n"
        << text;
    std::vector<std::pair<std::string, std::string>> files;
    for (const PrintedFile& file : print(*sliced.network, model.sources)) {
      files.emplace_back(file.path, file.text);
    }
    const Model again(files);
    std::string whole;
    for (const auto& file : files) whole += "// " + file.first + "\n" + file.second;
    ASSERT_TRUE(again.network) << "seed " << seed << "\n" << again.messages() << whole;
    EXPECT_EQ(searched(*again.network, id), expected) << "printed slice, seed " << seed << "\n"
                                                      << text << "\n"
                                                      << whole;
  }
  EXPECT_GT(compared, 15);
  EXPECT_GT(reached, 3);
}

}  // namespace
}  // namespace whittle::rebel
