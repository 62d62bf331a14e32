// SPDX-License-Identifier: Apache-2.0
// Goals of the structural properties (deadlock, sinkhole, dead transition, unsatisfiable relation)
// against what the interpreter can do, state by state, on random networks. Elimination is done by
// trying all values, which is exact because random networks are finite.
#include <gtest/gtest.h>

#include <set>

#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "ir/run/enabled.h"
#include "ir/run/explicit_search.h"
#include "ir/run/flat_run.h"
#include "support/effort.h"
#include "support/random_network.h"

namespace whittle {
namespace {

using test::random_network;
using test::RandomNetwork;

// What one step does to one who takes part.
struct Taken {
  InstanceId instance;
  EventId event;
  LocationId from, to;
  auto operator<=>(const Taken&) const = default;
};

class Structure {
 public:
  Structure(Network& network, UniverseId universe, const Candidates& candidates)
      : network_(network),
        universe_(universe),
        stepper_(network, universe),
        candidates_(candidates) {
    stepper_.set_candidates(candidates);
    options_.eliminate = [this](Expr body, std::span<const SymbolId> symbols) {
      return std::optional<Expr>(some_value(body, {symbols.begin(), symbols.end()}));
    };
  }

  std::string problem() {
    const std::vector<State> states = reachable();
    if (auto p = check(states, property(PropertyKind::Deadlock, DeadlockGoal{}),
                       [&](const State& s) { return stuck(s) && !finished(s); });
        !p.empty()) {
      return "deadlock: " + p;
    }
    for (std::size_t i = 0; i < network_.locations().size(); ++i) {
      const Property p = property(PropertyKind::Sinkhole, SinkholeGoal{LocationId(i)});
      auto text = check(states, p, [&](const State& s) { return sinkhole(s, LocationId(i)); });
      if (!text.empty()) return "sinkhole " + network_.location(LocationId(i)).name + ": " + text;
    }
    for (std::size_t i = 0; i < network_.events().size(); ++i) {
      const EventId e(i);
      Property p = property(PropertyKind::UnsatRelation, RelationGoal{e});
      auto text = check(states, p, [&](const State& s) { return unsatisfiable(s, e); });
      if (!text.empty()) return "unsat relation " + network_.event(e).name + ": " + text;
      for (std::uint32_t a = 0; a < network_.event(e).arcs.size(); ++a) {
        p = property(PropertyKind::DeadTransition, ArcGoal{e, a});
        text = check(states, p, [&](const State& s) { return takes(s, e, a); });
        if (!text.empty()) return "dead transition " + network_.event(e).name + ": " + text;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Property property(PropertyKind kind, PropertyGoal goal) const {
    Property p;
    p.kind = kind;
    p.goal = goal;
    p.name = "structural";
    p.universe = universe_;
    return p;
  }

  Expr some_value(Expr body, const std::vector<SymbolId>& symbols) {
    ExprPool& pool = network_.pool();
    std::vector<Expr> cases;
    for (const auto& values : tuples(pool, symbols, candidates_, 100'000).all) {
      Substitution fixed(pool);
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        fixed.set(symbols[i], pool.constant(values[i], pool.info(symbols[i]).type));
      }
      cases.push_back(fixed(body));
    }
    return pool.disj(cases);
  }

  template <class Visit>
  void each_step(const State& state, Visit&& visit) {
    for (std::size_t p = 0; p < stepper_.layout().instance_count(); ++p) {
      const InstanceId instance = stepper_.layout().instance(p);
      for (EventId e : network_.machine(network_.instance(instance).machine).events) {
        if (!network_.event(e).root) continue;
        for (const auto& values : arguments(e)) {
          stepper_.each_step(state, instance, e, values, [&](const TraceStep&, const State& after) {
            visit(after);
            return true;
          });
        }
      }
    }
  }

  std::vector<std::vector<Value>> arguments(EventId e) {
    std::vector<SymbolId> parameters;
    for (const Parameter& p : network_.event(e).parameters) parameters.push_back(p.symbol);
    return tuples(network_.pool(), parameters, candidates_, 1'000).all;
  }

  std::vector<State> reachable() {
    SearchOptions search;
    search.candidates = candidates_;
    std::vector<State> states = first_states(stepper_, search);
    if (states.size() > 10) states.resize(10);
    for (std::size_t i = 0; i < states.size() && states.size() < 30; ++i) {
      const State state = states[i];
      each_step(state, [&](const State& after) {
        if (std::find(states.begin(), states.end(), after) == states.end()) {
          states.push_back(after);
        }
      });
    }
    return states;
  }

  // Everybody's part in every step that is possible.
  std::set<Taken> taken(const State& state) {
    std::set<Taken> result;
    each_step(state, [&](const State& after) {
      for (const Occurrence& o : stepper_.occurrences()) {
        const std::size_t p = stepper_.layout().position(o.instance);
        result.insert({o.instance, o.event, state.locations[p], after.locations[p]});
      }
    });
    return result;
  }

  bool stuck(const State& state) { return taken(state).empty(); }
  bool finished(const State& state) {
    return std::all_of(state.locations.begin(), state.locations.end(),
                       [&](LocationId l) { return network_.location(l).final; });
  }
  bool sinkhole(const State& state, LocationId location) {
    const std::set<Taken> all = taken(state);
    for (std::size_t p = 0; p < state.locations.size(); ++p) {
      const InstanceId instance = stepper_.layout().instance(p);
      if (state.locations[p] == location &&
          std::none_of(all.begin(), all.end(),
                       [&](const Taken& t) { return t.instance == instance; })) {
        return true;
      }
    }
    return false;
  }
  bool takes(const State& state, EventId e, std::uint32_t arc) {
    const Arc& a = network_.event(e).arcs[arc];
    const std::set<Taken> all = taken(state);
    return std::any_of(all.begin(), all.end(), [&](const Taken& t) {
      return t.event == e && t.from == a.from && t.to == a.to;
    });
  }
  bool unsatisfiable(const State& state, EventId e) {
    // Without its own effects; those of its partners stay.
    Network allowed(network_);
    allowed.event(e).effects.clear();
    Stepper guards(allowed, universe_);
    guards.set_candidates(candidates_);
    for (InstanceId instance : network_.instances_of(universe_, network_.event(e).machine)) {
      for (const auto& values : arguments(e)) {
        if (guards.enabled(state, instance, e, values) &&
            !stepper_.enabled(state, instance, e, values)) {
          return true;
        }
      }
    }
    return false;
  }

  // The goal holds in exactly the states where `expected` does.
  template <class Expectation>
  std::string check(const std::vector<State>& states, const Property& asked,
                    Expectation&& expected) {
    const PropertyId id = network_.add_property(asked);
    const Lowered lowered = lower(network_, id, options_);
    FlatRun run(lowered.system);
    const Goal& goal = lowered.system.goal;
    const Tuples inputs = tuples(network_.pool(), goal.inputs, candidates_, 5'000);
    for (const State& state : states) {
      const FlatState flat = lowered.back->flat_state(state);
      const std::vector<Value>* witness = nullptr;
      for (const auto& values : inputs.all) {
        if (!run.holds(goal.condition, flat, goal.inputs, values)) continue;
        witness = &values;
        break;
      }
      if (witness == nullptr && !inputs.complete) continue;
      if ((witness != nullptr) != expected(state)) {
        return witness != nullptr ? "a goal too many" : "a goal is missed";
      }
      if (witness != nullptr && asked.kind == PropertyKind::DeadTransition) {
        const Trace trace = lowered.back->trace({flat, {}, *witness});
        State after = state;
        if (trace.steps.size() != 1 || !stepper_.advance(after, trace.steps.front())) {
          return "the step of the goal is refused";
        }
      }
    }
    return {};
  }

  Network& network_;
  UniverseId universe_;
  Stepper stepper_;
  Candidates candidates_;
  LowerOptions options_;
};

std::string problem_with(Network& network, const RandomNetwork& random) {
  return Structure(network, random.universe, random.candidates).problem();
}

TEST(LowerStructural, GoalsAgreeWithTheInterpreter) {
  test::RandomNetworkOptions options;
  options.negated_relations = true;
  options.max_events = 3;
  options.max_variables = 3;
  const std::uint64_t rounds = 60 * static_cast<std::uint64_t>(test::effort());
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const RandomNetwork random = random_network(1'000 + seed, options);
    Network copy = *random.network;
    const std::string problem = problem_with(copy, random);
    if (problem.empty()) continue;
    auto small = test::shrunk(*random.network,
                              [&](Network& n) { return problem_with(n, random) == problem; });
    FAIL() << "seed " << seed << ": " << problem << "\n" << test::described(*small);
  }
}

}  // namespace
}  // namespace whittle
