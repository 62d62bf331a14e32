// SPDX-License-Identifier: Apache-2.0
// The witness checks against a judgement by brute force. Right witnesses of random networks are
// accepted; they are mutated (a value, a step, an argument, a state of the invariant), and whatever
// is accepted then has to be right: runs are judged on the flat system, step by step, and
// invariants by all their states and steps.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "ir/lowering/lower.h"
#include "smt/elimination/quantifier_elimination.h"
#include "support/effort.h"
#include "support/flat_search.h"
#include "support/random_network.h"
#include "witness/invariant_check.h"
#include "witness/states_check.h"
#include "witness/trace_check.h"

namespace whittle {
namespace {

using test::RandomNetwork;

constexpr std::size_t kMostStates = 60;
constexpr std::size_t kMostFirst = 20'000;

smt::SolverFactory solvers() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  return smt::SolverFactory(settings);
}

// A question with all its states, as far as they are few.
struct Explored {
  Lowered lowered;
  std::set<FlatState> states;
  std::vector<FlatState> first;
  bool complete = false;
  bool goal = false;  // one of the states is a goal
};

std::vector<FlatState> first_states(const TransitionSystem& system, const Candidates& candidates) {
  FlatRun run(system);
  std::vector<std::vector<Value>> all(1);
  for (const StateVariable& variable : system.variables) {
    auto values = candidates(variable.type, variable.current);
    if (!values || all.size() * values->size() > kMostFirst) return {};
    std::vector<std::vector<Value>> longer;
    for (const auto& state : all)
      for (const Value& value : *values) longer.emplace_back(state).push_back(value);
    all = std::move(longer);
  }
  std::erase_if(all, [&](const FlatState& state) { return !run.holds(system.init, state); });
  return all;
}

bool is_goal(const TransitionSystem& system, FlatRun& run, const FlatState& state) {
  return run.holds(system.goal.condition, state);
}

Explored explored(RandomNetwork& random, PropertyId property) {
  Explored result;
  LowerOptions options;
  options.eliminate = smt::elimination(random.network->pool(), {});
  result.lowered = lower(*random.network, property, options);
  const TransitionSystem& system = result.lowered.system;
  if (!system.goal.inputs.empty()) return result;
  result.first = first_states(system, random.candidates);
  FlatRun run(system);
  std::vector<FlatState> open = result.first;
  result.states.insert(open.begin(), open.end());
  while (!open.empty() && result.states.size() <= kMostStates) {
    const FlatState state = std::move(open.back());
    open.pop_back();
    result.goal = result.goal || is_goal(system, run, state);
    test::each_flat_step(system, run, state, random.candidates,
                         [&](const FlatStep&, const FlatState& after) {
                           if (result.states.insert(after).second) open.push_back(after);
                         });
  }
  result.complete = open.empty() && !result.first.empty() && result.states.size() <= kMostStates;
  return result;
}

// ----- traces

// The states are a run of the flat system with the events and arguments of the trace, and the last
// is a goal within the bound.
bool is_run(const Explored& e, const Candidates& candidates, const Trace& trace,
            const Replay& replay) {
  const TransitionSystem& system = e.lowered.system;
  FlatRun run(system);
  FlatState state = e.lowered.back->flat_state(replay.initial);
  if (!run.holds(system.init, state)) return false;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const FlatState after = e.lowered.back->flat_state(replay.steps[i].after);
    bool found = false;
    test::each_flat_step(
        system, run, state, candidates, [&](const FlatStep& step, const FlatState& next) {
          found = found || (next == after && step.inputs == trace.steps[i].arguments &&
                            e.lowered.back->event_of(step.transition) ==
                                std::pair(trace.steps[i].instance, trace.steps[i].event));
        });
    if (!found) return false;
    state = after;
  }
  const std::uint64_t length = trace.steps.size();
  return length >= system.bound.min && (!system.bound.max || length <= *system.bound.max) &&
         is_goal(system, run, state);
}

Value another(const Value& value, Type type, const Candidates& candidates, std::mt19937& random) {
  const auto values = candidates(type, SymbolId());
  if (!values || values->empty()) return value;
  return (*values)[random() % values->size()];
}

Trace mutant(const Network& network, const Trace& trace, const Candidates& candidates,
             std::mt19937& random) {
  Trace changed = trace;
  const StateLayout layout(network, trace.universe);
  const auto any_step = [&]() -> TraceStep& {
    return changed.steps[random() % changed.steps.size()];
  };
  switch (random() % 7) {
    case 0:  // a first value
      if (layout.value_count() > 0) {
        const std::size_t slot = random() % layout.value_count();
        Value& value = changed.initial.values[slot];
        value = another(value, network.variable(layout.at(slot).second).type, candidates, random);
      }
      break;
    case 1:  // a first location
      if (layout.instance_count() > 0) {
        const std::size_t p = random() % layout.instance_count();
        const auto& all = network.machine(network.instance(layout.instance(p)).machine).locations;
        changed.initial.locations[p] = all[random() % all.size()];
      }
      break;
    case 2:  // a step less
      if (!changed.steps.empty())
        changed.steps.erase(changed.steps.begin() +
                            static_cast<std::ptrdiff_t>(random() % changed.steps.size()));
      break;
    case 3:  // a step twice
      if (!changed.steps.empty()) {
        const std::size_t i = random() % changed.steps.size();
        const TraceStep again = changed.steps[i];
        changed.steps.insert(changed.steps.begin() + static_cast<std::ptrdiff_t>(i), again);
      }
      break;
    case 4:  // two steps in the other order
      if (changed.steps.size() > 1) {
        const std::size_t i = random() % (changed.steps.size() - 1);
        std::swap(changed.steps[i], changed.steps[i + 1]);
      }
      break;
    case 5:  // an argument
      if (!changed.steps.empty()) {
        TraceStep& step = any_step();
        const auto& parameters = network.event(step.event).parameters;
        if (!step.arguments.empty()) {
          const std::size_t i = random() % step.arguments.size();
          step.arguments[i] = another(step.arguments[i], parameters[i].type, candidates, random);
        }
      }
      break;
    default:  // a chosen next value, or where somebody goes
      if (!changed.steps.empty()) {
        TraceStep& step = any_step();
        if (!step.chosen.empty()) {
          auto& [slot, value] = step.chosen[random() % step.chosen.size()];
          value = another(value, network.variable(layout.at(slot).second).type, candidates, random);
        } else if (!step.targets.empty()) {
          auto& [instance, target] = step.targets[random() % step.targets.size()];
          const auto& all = network.machine(network.instance(instance).machine).locations;
          target = all[random() % all.size()];
        }
      }
  }
  return changed;
}

TEST(RandomWitnesses, WrongTracesAreRejected) {
  int right = 0, rejected = 0, accepted = 0, longest = 0;
  const int rounds = 1'500 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    RandomNetwork random = test::random_network(static_cast<std::uint64_t>(seed));
    std::mt19937 dice(static_cast<unsigned>(seed));
    for (const PropertyId property : random.properties) {
      const Explored e = explored(random, property);
      if (e.first.empty()) continue;
      const auto found = test::flat_search(e.lowered.system, e.first, random.candidates, 6, 500);
      if (!found.trace) continue;
      const Trace trace = e.lowered.back->trace(*found.trace);
      const auto good = check_trace(*random.network, property, trace, solvers());
      ASSERT_TRUE(good) << "seed " << seed << ": " << good.error().reason;
      ASSERT_TRUE(is_run(e, random.candidates, trace, good->replay)) << "seed " << seed;
      ++right;
      longest = std::max(longest, static_cast<int>(trace.steps.size()));
      for (int i = 0; i < 12; ++i) {
        const Trace changed = mutant(*random.network, trace, random.candidates, dice);
        const auto checked = check_trace(*random.network, property, changed, solvers());
        if (!checked) {
          ++rejected;
          continue;
        }
        ++accepted;
        EXPECT_TRUE(is_run(e, random.candidates, changed, checked->replay))
            << "seed " << seed << ", property " << property.index() << "\n"
            << test::described(*random.network);
      }
    }
  }
  // Fewer, and little was compared. Seen: 0.43, 0.85, 4.3 of the rounds.
  EXPECT_GT(right, rounds / 4);
  EXPECT_GT(rejected, rounds / 2);
  EXPECT_GT(accepted, rounds);
  EXPECT_GT(longest, 2);
}

// ----- invariants

// Exactly these states.
Expr one_of(const Explored& e, const std::set<FlatState>& states) {
  const TransitionSystem& system = e.lowered.system;
  ExprPool& pool = *system.pool;
  std::vector<Expr> all;
  for (const FlatState& state : states) {
    std::vector<Expr> parts;
    for (std::size_t v = 0; v < state.size(); ++v)
      parts.push_back(pool.eq(pool.symbol(system.variables[v].current),
                              pool.constant(state[v], system.variables[v].type)));
    all.push_back(pool.conj(parts));
  }
  return pool.disj(all);
}

bool is_proof(const Explored& e, const Candidates& candidates, const std::set<FlatState>& states) {
  const TransitionSystem& system = e.lowered.system;
  FlatRun run(system);
  for (const FlatState& state : e.first)
    if (!states.contains(state)) return false;
  bool closed = true;
  for (const FlatState& state : states) {
    if (is_goal(system, run, state)) return false;
    test::each_flat_step(system, run, state, candidates,
                         [&](const FlatStep&, const FlatState& after) {
                           closed = closed && states.contains(after);
                         });
  }
  return closed;
}

TEST(RandomWitnesses, InvariantsAreAcceptedExactlyWhereTheyAreProofs) {
  int right = 0, wrong = 0;
  const int rounds = 100 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    RandomNetwork random = test::random_network(static_cast<std::uint64_t>(seed));
    std::mt19937 dice(static_cast<unsigned>(seed));
    for (const PropertyId property : random.properties) {
      const Explored e = explored(random, property);
      if (!e.complete) continue;
      for (int i = 0; i < 5; ++i) {
        std::set<FlatState> states = e.states;
        // As it is, without a state, with one more, with one changed.
        const auto drop = [&] {
          states.erase(
              std::next(states.begin(), static_cast<std::ptrdiff_t>(dice() % states.size())));
        };
        const auto add = [&] {
          FlatState state =
              *std::next(e.states.begin(), static_cast<std::ptrdiff_t>(dice() % e.states.size()));
          if (state.empty()) return;
          const std::size_t v = dice() % state.size();
          state[v] = another(state[v], e.lowered.system.variables[v].type, random.candidates, dice);
          states.insert(state);
        };
        if (i == 1 || i == 3) drop();
        if (i >= 2) add();
        const bool proof = is_proof(e, random.candidates, states);
        const Expr claim = e.lowered.back->condition(one_of(e, states));
        const auto checked = check_invariant(*random.network, property, {claim, 1}, solvers());
        if (checked && !checked->checked) continue;  // time
        EXPECT_EQ(checked.has_value(), proof)
            << "seed " << seed << ", property " << property.index() << ", change " << i << "\n"
            << test::described(*random.network);
        ++(proof ? right : wrong);
      }
    }
  }
  // Seen: 0.7 and 3.3 of the rounds.
  EXPECT_GT(right, rounds / 4);
  EXPECT_GT(wrong, rounds);
}

TEST(RandomWitnesses, NumbersOfStatesAreRight) {
  int compared = 0;
  const int rounds = 100 * test::effort();
  for (int seed = 1; seed <= rounds && !HasFailure(); ++seed) {
    RandomNetwork random = test::random_network(static_cast<std::uint64_t>(seed));
    for (const PropertyId property : random.properties) {
      const Explored e = explored(random, property);
      if (!e.complete) continue;
      const auto claimed = [&](std::size_t states) {
        return check_states(e.lowered.system, states, solvers());
      };
      const auto same = claimed(e.states.size());
      if (!same && same.error().reason.find("cannot be listed") != std::string::npos) continue;
      if (same && !same->checked) continue;  // time
      EXPECT_EQ(same.has_value(), !e.goal) << "seed " << seed << "\n"
                                           << test::described(*random.network);
      EXPECT_FALSE(claimed(e.states.size() + 1)) << "seed " << seed;
      EXPECT_FALSE(claimed(e.states.size() - 1)) << "seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, rounds / 4);  // seen: 0.7
}

}  // namespace
}  // namespace whittle
