// SPDX-License-Identifier: Apache-2.0
// Lowering against the interpreter, on random networks: every step of one is a step of the other,
// the first states are the same, and so are the least depths of all properties.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "ir/lowering/lower.h"
#include "ir/run/enabled.h"
#include "ir/run/explicit_search.h"
#include "ir/run/flat_run.h"
#include "ir/run/interpreter.h"
#include "support/effort.h"
#include "support/flat_search.h"
#include "support/random_network.h"

namespace whittle {
namespace {

using test::each_flat_step;
using test::flat_search;
using test::random_network;
using test::RandomNetwork;

// Root instance, event, arguments, state after (flat).
using Happening = std::tuple<InstanceId, EventId, std::vector<Value>, FlatState>;

class Comparison {
 public:
  Comparison(Network& network, UniverseId universe, const Candidates& candidates)
      : network_(network), stepper_(network, universe), candidates_(candidates) {
    stepper_.set_candidates(candidates);
    options_.candidates = candidates;
    options_.max_depth = 6;
    options_.max_states = 2'000;
  }

  // What is wrong; empty: nothing.
  std::string steps(PropertyId property) {
    const Lowered lowered = lower(network_, property);
    FlatRun run(lowered.system);
    std::vector<State> todo = first_states(stepper_, options_);
    if (auto problem = first(lowered, run, todo); !problem.empty()) return problem;
    std::set<FlatState> seen;
    for (const State& state : todo) seen.insert(lowered.back->flat_state(state));
    for (std::size_t i = 0; i < todo.size() && i < 60; ++i) {
      const State state = todo[i];
      std::set<Happening> expected;
      each_step(state, [&](const TraceStep& step, const State& after) {
        FlatState flat = lowered.back->flat_state(after);
        if (seen.insert(flat).second) todo.push_back(after);
        expected.emplace(step.instance, step.event, step.arguments, std::move(flat));
      });
      std::set<Happening> found;
      const FlatState flat = lowered.back->flat_state(state);
      std::string problem = undefined_terms(lowered.system, flat);
      each_flat_step(lowered.system, run, flat, candidates_,
                     [&](const FlatStep& step, const FlatState& after) {
                       const auto [instance, event] = lowered.back->event_of(step.transition);
                       found.emplace(instance, event, step.inputs, after);
                       if (problem.empty()) problem = replayed(lowered, state, flat, step, after);
                     });
      if (!problem.empty()) return problem;
      if (expected != found) {
        return "the interpreter has " + std::to_string(expected.size()) +
               " steps, the flat system " + std::to_string(found.size());
      }
    }
    return {};
  }

  std::string depths(PropertyId id) {
    const Property& property = network_.property(id);
    const bool reach = property.kind == PropertyKind::Reach;
    const Lowered lowered = lower(network_, id);
    // An invariant is violated where it is undefined, too; the oracle searches for "holds" = false.
    SearchResult expected;
    if (reach) {
      expected = explicit_search(network_, property.universe, property.condition(), property.bound,
                                 options_);
    }
    std::vector<FlatState> first;
    for (const State& state : first_states(stepper_, options_)) {
      first.push_back(lowered.back->flat_state(state));
    }
    const auto found =
        flat_search(lowered.system, first, candidates_, options_.max_depth, options_.max_states);
    if (found.trace) {
      if (auto problem = flat_trace_problem(lowered.system, *found.trace)) return *problem;
      const Trace trace = lowered.back->trace(*found.trace);
      auto end = follow(network_, trace);
      if (!end) return "the trace does not replay: " + end.error().message;
      auto value = stepper_.evaluate(property.condition(), end->final);
      const bool good = value && value->as_bool();
      if (good != reach) return "the trace does not end where it should";
    }
    if (!reach || !found.complete || (!expected.trace && !expected.clear && !expected.exhausted)) {
      return {};
    }
    if (found.trace.has_value() != expected.trace.has_value()) {
      return "only one of the searches reaches the goal";
    }
    if (found.trace && found.trace->steps.size() != expected.trace->length()) {
      return "least depths differ";
    }
    if (expected.trace) {
      auto end = follow(network_, *expected.trace);
      if (!end) return "the oracle's own trace does not replay: " + end.error().message;
    }
    return {};
  }

 private:
  void each_step(const State& state,
                 const std::function<void(const TraceStep&, const State&)>& visit) {
    for (std::size_t p = 0; p < stepper_.layout().instance_count(); ++p) {
      const InstanceId instance = stepper_.layout().instance(p);
      for (EventId e : network_.machine(network_.instance(instance).machine).events) {
        if (!network_.event(e).root) continue;
        std::vector<SymbolId> parameters;
        for (const Parameter& q : network_.event(e).parameters) parameters.push_back(q.symbol);
        for (const auto& tuple : tuples(network_.pool(), parameters, candidates_, 1'000).all) {
          stepper_.each_step(state, instance, e, tuple,
                             [&](const TraceStep& step, const State& after) {
                               visit(step, after);
                               return true;
                             });
        }
      }
    }
  }

  // All states with candidate values: init says what initial_problem says.
  std::string first(const Lowered& lowered, FlatRun& run, const std::vector<State>& states) {
    std::vector<SymbolId> symbols;
    for (const StateVariable& v : lowered.system.variables) symbols.push_back(v.current);
    const Candidates any = [&](Type type, SymbolId symbol) {
      auto values = candidates_(type, symbol);
      return values ? values : finite_candidates(network_.pool())(type, symbol);
    };
    std::set<FlatState> expected;
    for (const State& state : states) expected.insert(lowered.back->flat_state(state));
    const Tuples all = tuples(network_.pool(), symbols, any, 3'000);
    for (const FlatState& state : all.all) {
      if (run.holds(lowered.system.init, state) != expected.contains(state)) {
        return "the first states differ";
      }
    }
    for (const FlatState& state : expected) {
      if (!run.holds(lowered.system.init, state)) return "a first state that is not initial";
    }
    return {};
  }

  // Solvers know no undefined terms: guards are defined everywhere, and where a guard holds, so are
  // the updates and the relation.
  std::string undefined_terms(const TransitionSystem& system, const FlatState& state) {
    Evaluator evaluate(*system.pool);
    for (const Transition& t : system.transitions) {
      std::vector<SymbolId> symbols = t.inputs;
      for (std::uint32_t v : t.open) symbols.push_back(system.variables[v].next);
      for (const auto& values : tuples(*system.pool, symbols, candidates_, 500).all) {
        const Evaluator::Lookup lookup = [&](SymbolId symbol, std::span<const Value>) {
          for (std::size_t i = 0; i < symbols.size(); ++i) {
            if (symbols[i] == symbol) return std::optional<Value>(values[i]);
          }
          for (std::size_t i = 0; i < state.size(); ++i) {
            if (system.variables[i].current == symbol) return std::optional<Value>(state[i]);
          }
          return std::optional<Value>();
        };
        auto guard = evaluate(t.guard, lookup);
        if (!guard) return "a guard is undefined: " + guard.error().reason;
        if (!guard->as_bool()) continue;
        if (!evaluate(t.relation, lookup)) return "a relation is undefined";
        for (const Update& update : t.updates) {
          if (!evaluate(update.value, lookup)) return "an update is undefined";
        }
      }
    }
    return {};
  }

  // The flat step, told back, does the same.
  std::string replayed(const Lowered& lowered, const State& state, const FlatState& flat,
                       const FlatStep& step, const FlatState& after) {
    FlatTrace one;
    one.initial = flat;
    one.steps = {step};
    const Trace trace = lowered.back->trace(one);
    if (trace.initial != state) return "a state is not told back as it was";
    Stepper again(network_, trace.universe);
    State result = state;
    if (!again.advance(result, trace.steps.front())) {
      return "a flat step that the interpreter refuses: " + again.refusal().message;
    }
    return lowered.back->flat_state(result) == after ? "" : "the states after a step differ";
  }

  Network& network_;
  Stepper stepper_;
  Candidates candidates_;
  SearchOptions options_;
};

std::string problem_with(Network& network, const RandomNetwork& random) {
  Comparison comparison(network, random.universe, random.candidates);
  if (auto problem = comparison.steps(random.properties.front()); !problem.empty()) return problem;
  for (PropertyId p : random.properties) {
    if (auto problem = comparison.depths(p); !problem.empty()) {
      return network.property(p).name + ": " + problem;
    }
  }
  return {};
}

TEST(LowerRandom, AgreesWithTheInterpreter) {
  const std::uint64_t rounds = 150 * static_cast<std::uint64_t>(test::effort());
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const RandomNetwork random = random_network(seed);
    const auto problems = well_formedness_problems(*random.network);
    ASSERT_TRUE(problems.empty()) << "seed " << seed << ": " << problems.front();
    const std::string problem = problem_with(*random.network, random);
    if (problem.empty()) continue;
    auto small = test::shrunk(*random.network,
                              [&](Network& n) { return problem_with(n, random) == problem; });
    FAIL() << "seed " << seed << ": " << problem << "\n" << test::described(*small);
  }
}

TEST(RandomNetwork, IsWorthTesting) {
  // Steps happen, synchronised and not, goals are reached at several depths and sometimes never.
  std::map<std::uint64_t, int> depths;
  int never = 0;
  int together = 0;
  int open = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RandomNetwork random = random_network(seed);
    SearchOptions options;
    options.candidates = random.candidates;
    options.max_depth = 5;
    options.max_states = 3'000;
    for (PropertyId id : random.properties) {
      const Property& p = random.network->property(id);
      if (p.kind != PropertyKind::Reach) continue;
      const SearchResult result =
          explicit_search(*random.network, p.universe, p.condition(), p.bound, options);
      if (result.trace) {
        ++depths[result.trace->length()];
      } else {
        ++never;
      }
    }
    Stepper stepper(*random.network, random.universe);
    EnabledOptions enabled;
    enabled.candidates = random.candidates;
    for (State state : first_states(stepper, options)) {
      for (int i = 0; i < 3; ++i) {
        std::vector<TraceStep> possible;
        for (const EventStatus& status : event_statuses(stepper, state, enabled)) {
          refused += status.refusal.has_value() ? 1 : 0;
          possible.insert(possible.end(), status.steps.begin(), status.steps.end());
        }
        if (possible.empty()) break;
        State next;
        for (const TraceStep& step : possible) {
          next = state;
          ASSERT_TRUE(stepper.advance(next, step)) << stepper.refusal().message;
          together += stepper.occurrences().size() > 1 ? 1 : 0;
          open += step.chosen.empty() ? 0 : 1;
        }
        state = next;
      }
    }
  }
  RecordProperty("together", together);
  RecordProperty("open", open);
  EXPECT_GT(depths.size(), 3U);
  EXPECT_GT(depths[1] + depths[2] + depths[3], 15);
  EXPECT_GT(never, 15);
  EXPECT_GT(together, 60);
  EXPECT_GT(open, 100);
  EXPECT_GT(refused, 100);
}

TEST(RandomNetwork, SameSeedSameNetwork) {
  EXPECT_EQ(test::described(*random_network(7).network),
            test::described(*random_network(7).network));
  EXPECT_NE(test::described(*random_network(7).network),
            test::described(*random_network(8).network));
}

TEST(RandomNetwork, ShrinkingKeepsTheFailure) {
  const RandomNetwork random = random_network(3);
  auto guards = [](const Network& n) {
    std::size_t sum = 0;
    for (const Event& e : n.events()) sum += e.guards.size();
    return sum;
  };
  ASSERT_GT(guards(*random.network), 1U);
  auto small = test::shrunk(*random.network, [&](Network& n) { return guards(n) >= 1; });
  EXPECT_EQ(guards(*small), 1U);
  EXPECT_GT(guards(*random.network), 1U);
}

}  // namespace
}  // namespace whittle
