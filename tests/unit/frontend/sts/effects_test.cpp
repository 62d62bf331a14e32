// SPDX-License-Identifier: Apache-2.0
// The effects of a transition allow exactly the steps that its relation allows. The relation is
// read twice: as `then`, which becomes effects, and as a plain condition over x, y, b and names for
// their next values; both are evaluated for all small values.
#include "frontend/sts/effects.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "expr/evaluate.h"
#include "support/effort.h"
#include "support/load.h"

namespace whittle {
namespace {

using test::load;
using test::Loaded;

constexpr int kValues = 3;  // of x and y: 0..2

class RandomRelation {
 public:
  explicit RandomRelation(std::uint64_t seed) : random_(seed) {}

  std::string operator()() {
    std::string result = conjunct();
    for (unsigned i = pick(4); i > 0; --i) result += " && " + conjunct();
    return result;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string next() { return pick(2) == 0 ? "x'" : "y'"; }

  std::string number(unsigned depth) {
    if (depth == 0 || pick(3) == 0) {
      const char* const leaves[] = {"x", "y", "x'", "y'", "0", "1", "2"};
      return leaves[pick(7)];
    }
    const char* const operators[] = {" + ", " - ", " * ", " / ", " % "};
    return "(" + number(depth - 1) + operators[pick(5)] + number(depth - 1) + ")";
  }

  // About the present only.
  std::string old_number() {
    const char* const terms[] = {"x", "y", "0", "1", "(x + 1)", "(y / x)", "(x % 2)", "(2 - y)"};
    return terms[pick(8)];
  }

  std::string condition(unsigned depth) {
    const char* const comparisons[] = {" == ", " != ", " < ", " <= "};
    switch (depth == 0 ? pick(3) : pick(7)) {
      case 0:
        return number(1) + comparisons[pick(4)] + number(1);
      case 1:
        return pick(2) == 0 ? "b'" : "b";
      case 2:
        return next() + " == " + old_number();
      case 3:
        return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
      case 4:
        return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
      case 5:
        return "(" + condition(depth - 1) + " -> " + condition(depth - 1) + ")";
      default:
        return "!(" + condition(depth - 1) + ")";
    }
  }

  std::string conjunct() {
    switch (pick(5)) {
      case 0:
        return next() + " == " + old_number();
      case 1:
        return old_number() + " == " + next();
      case 2:
        return pick(2) == 0 ? "b'" : "!b'";
      default:
        return condition(2);
    }
  }

  std::mt19937_64 random_;
};

// x, y, b before and after.
struct Step {
  Value before[3];
  Value after[3];
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Judge {
 public:
  explicit Judge(const std::string& relation) {
    const std::string head = "final node N\nstart N: true\n";
    effects_ = load("sts", "system S\nvar x, y: Int\nvar b: Bool\n" + head +
                               "transition t: N -> N then " + relation + "\n");
    std::string plain = relation;
    for (const char* name : {"x", "y", "b"}) {
      plain = replaced(plain, std::string(name) + "'", std::string(name) + "n");
      mentions_.push_back(relation.find(std::string(name) + "'") != std::string::npos);
    }
    condition_ =
        load("sts", "system S\nvar x, y: Int\nvar b: Bool\nvar xn, yn: Int\nvar bn: Bool\n" + head +
                        "safety p: " + plain + "\n");
  }

  [[nodiscard]] bool loaded() const { return effects_.network && condition_.network; }
  [[nodiscard]] std::string messages() const { return effects_.messages() + condition_.messages(); }

  bool by_relation(const Step& step) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (!mentions_[i] && step.before[i] != step.after[i]) return false;
    }
    const Network& n = *condition_.network;
    Evaluator evaluate(n.pool());
    const auto value = evaluate(n.properties()[0].condition(), [&](SymbolId s, auto) {
      const std::uint32_t id = n.role(s).id;
      return std::optional(id < 3 ? step.before[id] : step.after[id - 3]);
    });
    return value && value->as_bool();
  }

  bool by_effects(const Step& step) {
    const Network& n = *effects_.network;
    Evaluator evaluate(n.pool());
    const Evaluator::Lookup lookup = [&](SymbolId s, std::span<const Value>) {
      const Role role = n.role(s);
      return std::optional(role.kind == RoleKind::Next ? step.after[role.id]
                                                       : step.before[role.id]);
    };
    std::vector<bool> written(3);
    for (const Effect& effect : n.events()[0].effects) {
      for (const VariableId id : effect.writes) written[id.index()] = true;
      if (effect.kind == EffectKind::Free) continue;
      const auto value = evaluate(effect.expr, lookup);
      if (!value) return false;
      const bool satisfied = effect.kind == EffectKind::Assign
                                 ? *value == step.after[effect.writes[0].index()]
                                 : value->as_bool();
      if (!satisfied) return false;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      if (!written[i] && step.before[i] != step.after[i]) return false;
    }
    return true;
  }

 private:
  Loaded effects_;
  Loaded condition_;
  std::vector<bool> mentions_;
};

TEST(StsEffects, AllowWhatTheRelationAllows) {
  int allowed = 0;
  for (int seed = 0; seed < 200 * test::effort(); ++seed) {
    const std::string relation = RandomRelation(static_cast<std::uint64_t>(seed))();
    Judge judge(relation);
    ASSERT_TRUE(judge.loaded()) << relation << "\n" << judge.messages();
    constexpr int kAll = kValues * kValues * 2;
    for (int i = 0; i < kAll * kAll; ++i) {
      Step step;
      int rest = i;
      for (Value* side : {step.before, step.after}) {
        for (int k = 0; k < 2; ++k, rest /= kValues) side[k] = Value(rest % kValues);
        side[2] = Value(rest % 2 == 1);
        rest /= 2;
      }
      const bool expected = judge.by_relation(step);
      allowed += expected ? 1 : 0;
      ASSERT_EQ(judge.by_effects(step), expected)
          << "seed " << seed << ": " << relation << ", step " << i;
    }
  }
  EXPECT_GT(allowed, 1000);  // or the relations say nothing
}

}  // namespace
}  // namespace whittle
