// SPDX-License-Identifier: Apache-2.0
// `accelerate` against explicit search on random systems that count: single transitions and cycles
// of several that add constants or bounded inputs, with guards and resets, so that summaries of
// many steps are what it answers with. Its traces need not be shortest; each is replayed on the
// model (a rejected one throws).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "driver/decide.h"
#include "ir/run/explicit_search.h"
#include "support/effort.h"
#include "support/load.h"

namespace whittle {
namespace {

class Counting {
 public:
  explicit Counting(std::uint64_t seed) : dice_(seed) {}

  std::string system() {
    const int nodes = number(1, 3);
    std::string text = "system Counting\nvar x: Int\nvar y: Int\nnode N0";
    for (int n = 1; n < nodes; ++n) text += fmt::format(", N{}", n);
    text += "\nstart N0: x == 0 && y == 0\n";
    const int transitions = number(1, 4);
    for (int t = 0; t < transitions; ++t) {
      // Most are loops or go around.
      const int from = number(0, nodes - 1);
      const int to = number(0, 2) == 0 ? number(0, nodes - 1) : (from + number(0, 1)) % nodes;
      text += transition(t, from, to);
    }
    text += fmt::format("reach goal: {}\n", goal());
    return text;
  }

 private:
  int number(int least, int most) { return std::uniform_int_distribution<>(least, most)(dice_); }

  std::string transition(int name, int from, int to) {
    const bool input = number(0, 3) == 0;
    const int limit = number(5, 60);
    std::string text = fmt::format("transition t{}: N{} -> N{} ", name, from, to);
    if (input) text += "(d: Int) ";
    text += fmt::format("when x < {} && y < 80 && y > -80 && x > -80", limit);
    if (input) text += fmt::format(" && 0 < d && d <= {}", number(1, 3));
    text += " then x' == " + update("x", input ? "d" : "");
    text += " && y' == " + update("y", input && number(0, 1) == 0 ? "d" : "");
    return text + "\n";
  }

  std::string update(const char* variable, const std::string& added) {
    if (!added.empty()) return fmt::format("{} + {}", variable, added);
    switch (number(0, 5)) {
      case 0:
        return fmt::format("{}", number(-2, 2));
      case 1:
        return variable;
      case 2:
        return fmt::format("{} - {}", variable, number(1, 3));
      default:
        return fmt::format("{} + {}", variable, number(1, 4));
    }
  }

  std::string goal() {
    switch (number(0, 2)) {
      case 0:
        return fmt::format("x == {}", number(20, 62));
      case 1:
        return fmt::format("x + y == {}", number(30, 120));
      default:
        return fmt::format("x - y > {} && x > {}", number(5, 40), number(5, 40));
    }
  }

  std::mt19937_64 dice_;
};

TEST(RandomAcceleration, AgreesWithExplicitSearch) {
  int decided = 0;
  const std::uint64_t rounds = 12 * static_cast<std::uint64_t>(test::effort());
  for (std::uint64_t seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    const std::string text = Counting(seed).system();
    const test::Loaded loaded = test::load("sts", text);
    ASSERT_NE(loaded.network, nullptr) << loaded.messages() << text;
    const PropertyId id(0);
    SearchOptions search;
    search.candidates = [](Type, SymbolId) {
      return std::optional(std::vector<Value>{Value(0), Value(1), Value(2), Value(3)});
    };
    search.max_states = 40'000;
    search.max_depth = 5'000;
    const Property& property = loaded.network->property(id);
    const SearchResult expected = explicit_search(*loaded.network, property.universe,
                                                  property.condition(), property.bound, search);
    if (!expected.trace && !expected.exhausted) continue;
    OptionSet options;
    auto& deciding = options.add<DecideOptions>();
    deciding.engine.set("accelerate");
    deciding.timeout.set(1.0);
    Logger log;
    IgnoreProgress progress;
    DecideContext context{options, Deadline::never(), {}, log, progress};
    const PropertyResult result = decide("random", loaded.network, id, context);
    if (result.verdict.kind() == VerdictKind::Unknown) continue;
    ++decided;
    EXPECT_EQ(result.verdict.kind() == VerdictKind::Reachable, expected.trace.has_value())
        << "seed " << seed << "\n"
        << text;
  }
  EXPECT_GT(decided, 3);
}

}  // namespace
}  // namespace whittle
