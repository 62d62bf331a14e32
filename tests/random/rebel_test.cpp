// SPDX-License-Identifier: Apache-2.0
// Random Rebel programs with small domains: bounded model checking finds what explicit search
// finds, at the same depth, on the model, on its slice, and on the slice printed and read again.
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "engine/bmc.h"
#include "frontend/rebel/print.h"
#include "ir/explicit_search.h"
#include "ir/lower.h"
#include "slice/slice.h"
#include "smt/simplify.h"
#include "support/effort.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

// All numbers are 0..3; fields are read only in states in which they have a value.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    two_ = chance(60);
    std::string text;
    for (int s = 0; s < (two_ ? 2 : 1); ++s) text += specification(s);
    text += library_;
    text += "state goal {\n";
    for (int s = 0; s < (two_ ? 2 : 1); ++s) {
      const int count = below(3) == 0 ? 2 : 1;
      text += "  " + std::to_string(count) + " " + pick({"", "s1 ", "s2 ", "{s1, s2} "}) +
              std::string(1, static_cast<char>('A' + s));
      if (chance(60)) text += " with " + constraint();
      text += ";\n";
    }
    text += "}\ncheck goal reachable ";
    text += pick({"in max 3", "in max 4", "in exactly 3", "between 2 and 4"}) + " steps;\n";
    return text;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  std::string number() { return std::to_string(below(4)); }

  std::string constraint() {
    return pick({"n == " + number(), "n > " + number(), "b", "not b", "m > EUR 0.01",
                 "m == USD 0.0" + number(), "|s| == " + number(), number() + " in s",
                 "n == " + number() + " and b", "forall x : s | x < " + number()});
  }

  // An integer over the state before; `p` is a parameter.
  std::string integer(int depth) {
    if (depth == 0 || chance(30))
      return pick({"this.n", "p", number(), "this.id", "this.m.amount"});
    return "(" + integer(depth - 1) + pick({" + ", " - ", " * ", " / ", " % "}) +
           integer(depth - 1) + ")";
  }

  std::string other() { return std::string(1, static_cast<char>('A' + (two_ ? below(2) : 0))); }

  std::string condition(int depth) {
    if (depth > 0 && chance(55)) {
      switch (below(5)) {
        case 0:
          return "(" + condition(depth - 1) + " && " + condition(depth - 1) + ")";
        case 1:
          return "(" + condition(depth - 1) + " || " + condition(depth - 1) + ")";
        case 2:
          return "(" + condition(depth - 1) + " -> " + condition(depth - 1) + ")";
        case 3:
          return "not " + condition(depth - 1);
        default:
          return "((" + condition(depth - 1) + ") ? (" + condition(depth - 1) + ") : (" +
                 condition(depth - 1) + "))";
      }
    }
    const std::string t = other() + "[" + pick({"1", "2", "p", "this.n"}) + "]";
    switch (below(9)) {
      case 0:
        return integer(1) + pick({" < ", " <= ", " == ", " != ", " > "}) + integer(1);
      case 1:
        return "this.b";
      case 2:
        return "initialized " + t;
      case 3:
        return t + " instate " + pick({"s0", "s1", "{s1, s2}"});
      case 4:
        return "(initialized " + t + " && " + t + ".n " + pick({"==", "<"}) + " " + number() + ")";
      case 5:
        return integer(0) + " in this.s";
      case 6:
        return "|this.s| < " + number();
      case 7:
        return "this.m " + pick({"<", ">=", "==", "!="}) + " " + pick({"q", "EUR 0.01"});
      default:
        return pick({"exists", "forall"}) + " x : this.s | x " + pick({"<", "=="}) + " " + number();
    }
  }

  std::string assignment(const std::string& field) {
    if (field == "n") {
      if (chance(20)) {
        return "    new this.n in {0..3};\n    new this.n " + pick({">", "!=", "<"}) + " this.n;\n";
      }
      return "    new this.n == " + integer(2) + " % 4;\n";
    }
    if (field == "b") return "    new this.b == (" + condition(1) + ");\n";
    if (field == "m") {
      return "    new this.m == " + pick({"q", "this.m + q", "this.m - EUR 0.01", "this.m * 50%"}) +
             ";\n";
    }
    return "    new this.s == " +
           pick({"this.s + p", "{x : this.s | x != p}", "{p, 1}", "this.s - this.n", "{}"}) + ";\n";
  }

  std::string specification(int index) {
    const std::string name(1, static_cast<char>('A' + index));
    const std::string lower(1, static_cast<char>('a' + index));
    std::string events = "start" + name + "[]";
    std::string cycle = "initial s0 -> s1: start" + name + "\n    s1 -> s2: " + lower + "0";
    library_ +=
        "event start" + name +
        "(p: Integer) {\n  preconditions { p in {0..3}; }\n  postconditions {\n"
        "    new this.n == p;\n    new this.b == (p > 1);\n    new this.m == EUR 0.01 * p;\n"
        "    new this.s == {p};\n  }\n}\n";
    const int count = 2 + below(2);
    for (int e = 0; e < count; ++e) {
      const std::string event = lower + std::to_string(e);
      events += " " + event + "[]";
      cycle += "\n    " + pick({"s1 -> s1: ", "s1 -> s2: ", "s2 -> s1: ", "s2 -> s2: "}) + event;
      library_ += "event " + event +
                  "(p: Integer, q: Money) {\n  preconditions {\n    p in {0..3}; "
                  "q.amount in {0..3}; q.currency == EUR || q.currency == USD;\n";
      for (int i = below(3); i > 0; --i) library_ += "    " + condition(2) + ";\n";
      library_ += "  }\n  postconditions {\n";
      for (const char* field : {"n", "b", "m", "s"}) {
        if (chance(35)) library_ += assignment(field);
      }
      library_ += "  }\n";
      // Only from A to B, so that there are no circles.
      if (index == 0 && two_ && chance(40)) {
        library_ += "  sync {\n    " + std::string(chance(25) ? "not " : "") + "B[" +
                    pick({"1", "p", "this.n"}) + "].b" + number2() + "(" + integer(0) +
                    " % 4, q);\n  }\n";
      }
      library_ += "}\n";
    }
    return "specification " + name +
           " {\n  fields {\n    id: Integer @key\n    n: Integer\n    b: Boolean\n    m: Money\n"
           "    s: set[Integer]\n  }\n  events { " +
           events + " }\n  lifeCycle {\n    " + cycle + "\n  }\n}\n";
  }
  std::string number2() { return std::to_string(below(2)); }

  std::mt19937 random_;
  bool two_ = false;
  std::string library_;
};

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
      explicit_search(network, property.universe, property.condition, property.bound, options);
  if (r.trace) return static_cast<int>(r.trace->length());
  return r.exhausted || (r.clear && property.bound.max && r.clear_to >= *property.bound.max) ? -1
                                                                                             : -2;
}

int checked(Network& network, PropertyId id, smt::SolverId solver, int seconds = 20) {
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
  if (result.outcome == Outcome::Unknown) return -2;
  if (result.outcome == Outcome::Unreached) return -1;
  const Trace trace = lowered.back->trace(*result.trace);
  const auto replayed = replay(network, trace);
  EXPECT_TRUE(replayed) << (replayed ? "" : replayed.error().message);
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
    const auto seed = static_cast<std::uint32_t>(7000 + round);
    const std::string text = Generator(seed).program();
    const Model model({{std::string("random.tebl"), text}});
    ASSERT_TRUE(model.network) << "seed " << seed << "\n" << model.messages() << text;
    const PropertyId id(0);
    const int expected = searched(*model.network, id);
    if (expected == -2) continue;
    const smt::SolverId solver = round % 4 == 0 ? smt::SolverId::Cvc5 : smt::SolverId::Z3;
    const int found = checked(*model.network, id, solver);
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
