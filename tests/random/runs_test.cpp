// SPDX-License-Identifier: Apache-2.0
// Random concurrent programs and random formulas about their runs: what the whole way from the text
// to the verdict says is what the textbook checker says of the graph of states. The graph is that
// of the program without its formulas, where a step that fails is just a step; that it ends the run
// is added here.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <unordered_map>

#include "driver/decide.h"
#include "ir/ltl.h"
#include "ir/run/enabled.h"
#include "ir/run/explicit_search.h"
#include "support/answer.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/textbook_ltl.h"

namespace whittle {
namespace {

constexpr std::size_t kMostSteps = 4'000;

// Atoms: conditions on states, then `halt`, then `taken` of each process.
const std::vector<std::string> kConditions = {"x == 0", "x == 2", "f", "P@l", "Q@end", "P.n == 1"};
constexpr std::uint32_t kHalt = 6, kTakenP = 7, kTakenQ = 8, kAtoms = 9;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string program() {
    return "program random\nshared x: Int = 0\nshared f: Bool = false\nshared a: Int[2] = 0\n"
           "process P {\n  var n: Int = 0;\n  l: " +
           statement("n", 0) + block("n", 1 + pick(3), 1) + "}\nprocess Q {\n  var m: Int = 0;\n" +
           block("m", 1 + pick(3), 1) + "}\n";
  }

  // The formula and its text, fully in parentheses.
  std::pair<LtlFormula, std::string> formula(LtlPool& ltl, unsigned depth) {
    if (depth == 0 || chance(15)) {
      const std::uint32_t atom = pick(kAtoms);
      const std::string text = atom == kHalt     ? "halt"
                               : atom == kTakenP ? "taken(P)"
                               : atom == kTakenQ ? "taken(Q)"
                                                 : kConditions[atom];
      return {ltl.atom(Expr(atom)), "(" + text + ")"};
    }
    const auto [a, left] = formula(ltl, depth - 1);
    const auto [b, right] = formula(ltl, depth - 1);
    switch (pick(9)) {
      case 0:
        return {ltl.negation(a), "!" + left};
      case 1:
        return {ltl.both(a, b), "(" + left + " && " + right + ")"};
      case 2:
        return {ltl.implies(a, b), "(" + left + " => " + right + ")"};
      case 3:
        return {ltl.next(a), "(X " + left + ")"};
      case 4:
        return {ltl.until(a, b), "(" + left + " U " + right + ")"};
      case 5:
        return {ltl.weak_until(a, b), "(" + left + " W " + right + ")"};
      case 6:
        return {ltl.always(ltl.implies(a, ltl.eventually(b))),
                "([](" + left + " -> <>" + right + "))"};
      case 7:
        return {ltl.eventually(a), "(<>" + left + ")"};
      default:
        return {ltl.always(a), "([]" + left + ")"};
    }
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }

  std::string block(const std::string& local, unsigned length, unsigned depth) {
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += statement(local, depth);
    return text;
  }
  std::string test(const std::string& local) {
    const std::vector<std::string> tests = {"f", "x == 1", local + " == 0", "*", "*", "!f", "true"};
    return tests[pick(static_cast<unsigned>(tests.size()))];
  }
  std::string statement(const std::string& local, unsigned depth) {
    switch (pick(depth == 0 ? 7 : 10)) {
      case 0:
        return "f := !f;\n";
      case 1:
        return "x := (x + 1) % 3;\n";
      case 2:
        return local + " := (" + local + " + x) % 2;\n";
      case 3:
        return chance(50) ? "assert x != 2;\n" : "a[x] := 1;\n";
      case 4:
        return chance(50) ? "assume f;\n" : "assume x == 1;\n";
      case 5:
        return "x := 2 / x;\n";
      case 6:
        return "skip;\n";
      case 7:
        return "if (" + test(local) + ") { " + block(local, 1 + pick(2), depth - 1) + "}\n";
      default:
        return "while (" + test(local) + ") { " + block(local, 1 + pick(2), depth - 1) + "}\n";
    }
  }

  std::mt19937_64 random_;
};

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::size_t h = 0;
    for (const LocationId l : state.locations) h = h * 31 + l.index();
    for (const Value& v : state.values) h = h * 31 + std::hash<Value>{}(v);
    return h;
  }
};

// The steps of the runs as nodes: the letter of a step is that of the state it leaves.
class Runs {
 public:
  explicit Runs(const Network& network) : network_(network), stepper_(network, UniverseId(0)) {
    SearchOptions options;
    options.candidates = finite_candidates(network.pool());
    for (const State& state : first_states(stepper_, options)) first_.push_back(number(state));
    for (std::uint32_t s = 0; s < states_.size() && known_; ++s) expand(s);
    for (std::size_t step = 0; step < targets_.size(); ++step) {
      graph_.successors.push_back(leaving_[targets_[step]]);
      // The last state stays.
      if (ends_[step]) graph_.successors.back() = {static_cast<std::uint32_t>(step)};
    }
  }

  [[nodiscard]] bool known() const { return known_; }
  // Is there a run on which the formula holds?
  bool some(const LtlPool& ltl, LtlFormula f) {
    test::TextbookChecker checker(ltl, f);
    for (const std::uint32_t state : first_) {
      for (const std::uint32_t step : leaving_[state]) {
        graph_.initial = step;
        if (checker.some_path(graph_)) return true;
      }
    }
    return false;
  }

 private:
  std::uint32_t number(const State& state) {
    const auto [it, fresh] = numbers_.emplace(state, static_cast<std::uint32_t>(states_.size()));
    if (fresh) {
      states_.push_back(state);
      leaving_.emplace_back();
    }
    return it->second;
  }

  void add(std::uint32_t from, std::uint32_t to, std::uint32_t letter, bool ends) {
    leaving_[from].push_back(static_cast<std::uint32_t>(targets_.size()));
    targets_.push_back(to);
    graph_.letters.push_back(letter);
    ends_.push_back(ends);
    known_ = known_ && targets_.size() <= kMostSteps;
  }

  void expand(std::uint32_t from) {
    const State state = states_[from];
    std::uint32_t here = 0;
    for (std::uint32_t i = 0; i < kConditions.size(); ++i) {
      const auto value = stepper_.evaluate(network_.property(PropertyId(i)).condition(), state);
      if (value && value->as_bool()) here |= 1U << i;
    }
    bool fails = false;
    bool moves = false;
    for (std::size_t p = 0; p < stepper_.layout().instance_count(); ++p) {
      const InstanceId instance = stepper_.layout().instance(p);
      const std::uint32_t taken = p == 0 ? kTakenP : kTakenQ;
      for (const EventId id : network_.machine(network_.instance(instance).machine).events) {
        const Event& event = network_.event(id);
        known_ = known_ && event.parameters.empty();
        if (!event.parameters.empty()) continue;
        std::vector<State> after;
        stepper_.each_step(state, instance, id, {}, [&](const TraceStep&, const State& next) {
          after.push_back(next);
          return true;
        });
        for (const State& next : after) {
          if (network_.location(next.locations[p]).error) {
            fails = true;
            continue;
          }
          moves = true;
          add(from, number(next), here | 1U << taken, false);
        }
      }
    }
    if (fails || !moves) add(from, from, here | 1U << kHalt, true);
  }

  const Network& network_;
  Stepper stepper_;
  bool known_ = true;
  std::vector<State> states_;
  std::unordered_map<State, std::uint32_t, StateHash> numbers_;
  std::vector<std::uint32_t> first_;
  std::vector<std::vector<std::uint32_t>> leaving_;  // by state: steps
  std::vector<std::uint32_t> targets_;               // by step: the state behind it
  std::vector<bool> ends_;
  test::LetterGraph graph_;
};

Verdict decided(const std::shared_ptr<Network>& network, PropertyId property) {
  OptionSet options;
  auto& decide_options = options.add<DecideOptions>();
  decide_options.engine.set("scc");
  decide_options.timeout.set(30);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), CancelToken(), log, progress};
  return decide("random", network, property, context).verdict;
}

TEST(RandomRuns, VerdictsAreThoseOfTheTextbook) {
  unsigned violated = 0, compared = 0;
  const auto rounds = static_cast<unsigned>(60 * test::effort());
  for (unsigned round = 0; round < rounds && !HasFailure(); ++round) {
    Generator generator(round + 1'000ULL * test::seed_offset());
    const std::string program = generator.program();
    std::string conditions;
    for (std::size_t i = 0; i < kConditions.size(); ++i)
      conditions += "property a" + std::to_string(i) + ": " + kConditions[i] + "\n";
    const test::Loaded plain = test::load("proc", program + conditions, "random.proc");
    ASSERT_NE(plain.network, nullptr) << program << plain.messages();
    Runs runs(*plain.network);
    if (!runs.known()) continue;
    LtlPool ltl;
    std::string formulas;
    std::vector<LtlFormula> asked;
    for (int i = 0; i < 4; ++i) {
      const auto [formula, text] = generator.formula(ltl, 1 + static_cast<unsigned>(i) / 2);
      asked.push_back(formula);
      formulas += "ltl p" + std::to_string(i) + ": " + text + "\n";
    }
    const test::Loaded loaded = test::load("proc", program + formulas, "random.proc");
    ASSERT_NE(loaded.network, nullptr) << program << formulas << loaded.messages();
    for (std::uint32_t i = 0; i < asked.size(); ++i) {
      const bool refuted = runs.some(ltl, negation_normal_form(ltl, asked[i], false));
      const Verdict verdict = decided(loaded.network, PropertyId(i));
      if (verdict.kind() == VerdictKind::Unknown) continue;
      EXPECT_EQ(verdict.kind(), refuted ? VerdictKind::Violated : VerdictKind::Holds)
          << program << formulas << "p" << i;
      ++compared;
      violated += refuted ? 1 : 0;
    }
  }
  EXPECT_GE(compared, rounds);
  EXPECT_GT(violated, compared / 10);
  EXPECT_LT(violated, compared - compared / 10);
}

}  // namespace
}  // namespace whittle
