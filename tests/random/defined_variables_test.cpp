// SPDX-License-Identifier: Apache-2.0
// Elimination of defined variables on random systems of truth values: registers, names for values
// of the same state (some given by cases, some in a circle, some not in the first state, so that
// they have to stay), and inputs. Same answer and least depth by explicit search with and without
// it; traces lift.
#include "simplify/network/defined_variables.h"

#include <gtest/gtest.h>

#include <random>

#include "ir/run/stepper.h"
#include "support/answer.h"
#include "support/effort.h"
#include "support/load.h"

namespace whittle::simplify {
namespace {

class RandomSystem {
 public:
  explicit RandomSystem(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const int registers = between(1, 3), names = between(1, 4);
    std::string out = "(declare-fun in () Bool)\n", init, trans;
    const auto variable = [&](const std::string& name) {
      for (const char* which : {"", "n"}) out += "(declare-fun " + name + which + " () Bool)\n";
      out += "(define-fun ." + name + " () Bool (! " + name + " :next " + name + "n))\n";
      all_.push_back(name);
    };
    for (int r = 0; r < registers; ++r) variable("r" + std::to_string(r));
    for (int r = 0; r < registers; ++r) {
      if (between(0, 3) > 0) init += " (= " + all_[r] + (between(0, 1) == 0 ? " true)" : " false)");
    }
    for (int n = 0; n < names; ++n) {
      const std::string name = "v" + std::to_string(n);
      const std::string said = definition(name);
      variable(name);
      init += between(0, 5) > 0 ? " " + said : "";
      trans += between(0, 7) > 0 ? " " + primed(said) : "";
      trans += between(0, 2) == 0 ? " " + said : "";
    }
    for (int r = 0; r < registers; ++r) trans += " (= " + all_[r] + "n " + term(2, true) + ")";
    if (between(0, 2) == 0) trans += " (or " + term(1, true) + " in)";
    return out + "(define-fun .i () Bool (! (and true" + init + ") :init true))\n" +
           "(define-fun .t () Bool (! (and true" + trans + ") :trans true))\n" +
           "(define-fun p () Bool (! (or " + term(1, false) + " " + term(1, false) +
           ") :invar-property 0))\n";
  }

 private:
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }

  std::string term(int depth, bool input) {
    if (depth == 0 || between(0, 3) == 0) {
      if (input && between(0, 4) == 0) return "in";
      return all_[static_cast<std::size_t>(between(0, static_cast<int>(all_.size()) - 1))];
    }
    const std::string a = term(depth - 1, input), b = term(depth - 1, input);
    switch (between(0, 3)) {
      case 0:
        return "(and " + a + " " + b + ")";
      case 1:
        return "(or " + a + " (not " + b + "))";
      case 2:
        return "(not " + a + ")";
      default:
        return "(= " + a + " " + b + ")";
    }
  }

  std::string definition(const std::string& name) {
    if (between(0, 1) == 0) return "(= " + name + " " + term(2, false) + ")";
    const std::string c = term(1, false);
    if (between(0, 3) == 0) all_.push_back(name);  // speaks of itself
    const std::string result = "(and (or " + c + " (= " + name + " " + term(1, false) +
                               ")) (or (not " + c + ") (= " + name + " " + term(1, false) + ")))";
    std::erase(all_, name);
    return result;
  }

  // Every variable is a letter and a digit.
  static std::string primed(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      out += text[i];
      if (i > 0 && text[i] >= '0' && text[i] <= '9') out += 'n';
    }
    return out;
  }

  std::mt19937_64 random_;
  std::vector<std::string> all_;
};

TEST(RandomDefinedVariables, KeepAnswersAndTraces) {
  std::size_t gone = 0, found = 0, not_found = 0;
  const int rounds = 300 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    const std::string text = RandomSystem(static_cast<std::uint64_t>(seed)).text();
    const test::Loaded loaded = test::load("vmt", text);
    ASSERT_NE(loaded.network, nullptr) << loaded.messages() << text;
    const PropertyId property(0);
    const auto result = defined_variables_eliminated(loaded.network, property, gone);
    if (!result) continue;
    const auto problems = well_formedness_problems(*result->network);
    ASSERT_TRUE(problems.empty()) << problems.front() << "\n" << text;
    const Candidates candidates = finite_candidates(loaded.network->pool());
    const test::Answer whole = test::searched(*loaded.network, property, candidates);
    const test::Answer part = test::searched(*result->network, result->property, candidates);
    ASSERT_TRUE(whole.certain && part.certain) << text;
    ASSERT_EQ(whole.found, part.found) << "seed " << seed << "\n" << text;
    ++(whole.found ? found : not_found);
    if (!whole.found) continue;
    EXPECT_EQ(whole.depth, part.depth) << "seed " << seed << "\n" << text;
    EXPECT_EQ(test::lifting_problem(*loaded.network, property, *result->back, part), "")
        << "seed " << seed << "\n"
        << text;
  }
  EXPECT_GT(gone, 100U);
  EXPECT_GT(found, 30U);
  EXPECT_GT(not_found, 30U);
}

}  // namespace
}  // namespace whittle::simplify
