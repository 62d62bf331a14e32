// SPDX-License-Identifier: Apache-2.0
// Without a least number of steps, every state is looked at once. With one, a state counts once per
// number of steps: layer i holds what i steps reach, however it was reached before.
#include "ir/run/explicit_search.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "ir/run/enabled.h"

namespace whittle {

namespace {

struct StateHash {
  std::size_t operator()(const State& state) const {
    std::size_t h = 0x9e3779b97f4a7c15ULL;
    auto mix = [&](std::size_t x) { h = (h ^ x) * 0xbf58476d1ce4e5b9ULL + (h >> 29); };
    for (LocationId l : state.locations) mix(l.index());
    for (const Value& v : state.values) mix(v.hash());
    return h;
  }
};

// A state that was reached, and how.
struct Node {
  State state;
  std::size_t parent = SIZE_MAX;
  TraceStep step;
};

class Search {
 public:
  Search(const Network& network, UniverseId universe, Expr condition, const StepBound& bound,
         const SearchOptions& options)
      : network_(network),
        stepper_(network, universe),
        condition_(condition),
        bound_(bound),
        options_(options) {
    stepper_.set_candidates(options.candidates);
  }

  SearchResult run() {
    SearchResult result;
    std::uint64_t last = options_.max_depth;
    if (bound_.max) last = std::min(last, *bound_.max);
    for (State& state : first_states(stepper_, options_)) add({std::move(state), SIZE_MAX, {}});
    std::size_t begin = 0;
    for (std::uint64_t depth = 0;; ++depth) {
      const std::size_t end = nodes_.size();
      if (depth >= bound_.min) {
        for (std::size_t i = begin; i < end; ++i) {
          if (is_goal(nodes_[i].state)) {
            result.trace = trace_to(i);
            result.states = nodes_.size();
            return result;
          }
        }
        result.clear = true;
        result.clear_to = depth;
      }
      result.exhausted = begin == end;
      result.states = nodes_.size();
      if (result.exhausted || depth == last) return result;
      if (bound_.min > 0) seen_.clear();
      for (std::size_t i = begin; i < end; ++i) {
        expand(i);
        if (nodes_.size() > options_.max_states) {
          result.states = nodes_.size();
          return result;
        }
      }
      begin = end;
    }
  }

 private:
  bool is_goal(const State& state) {
    auto value = stepper_.evaluate(condition_, state);
    return value && value->as_bool();
  }

  void add(Node node) {
    if (seen_.insert(node.state).second) nodes_.push_back(std::move(node));
  }

  void expand(std::size_t index) {
    const State state = nodes_[index].state;
    for (std::size_t p = 0; p < stepper_.layout().instance_count(); ++p) {
      const InstanceId instance = stepper_.layout().instance(p);
      for (EventId id : network_.machine(network_.instance(instance).machine).events) {
        const Event& event = network_.event(id);
        if (!event.root || event.arcs.empty()) continue;
        for (const auto& arguments : arguments_of(id)) {
          stepper_.each_step(state, instance, id, arguments,
                             [&](const TraceStep& step, const State& after) {
                               add({after, index, step});
                               return true;
                             });
        }
      }
    }
  }

  const std::vector<std::vector<Value>>& arguments_of(EventId id) {
    if (arguments_.empty()) arguments_.resize(network_.events().size());
    auto& known = arguments_[id.index()];
    if (!known) {
      std::vector<SymbolId> parameters;
      for (const Parameter& p : network_.event(id).parameters) parameters.push_back(p.symbol);
      Tuples all = tuples(network_.pool(), parameters, options_.candidates, 1'000'000);
      if (!all.complete) throw ResourceError("too many arguments to try all");
      known = std::move(all.all);
    }
    return *known;
  }

  [[nodiscard]] Trace trace_to(std::size_t index) const {
    Trace trace;
    trace.universe = stepper_.layout().universe();
    std::size_t i = index;
    for (; nodes_[i].parent != SIZE_MAX; i = nodes_[i].parent)
      trace.steps.push_back(nodes_[i].step);
    std::reverse(trace.steps.begin(), trace.steps.end());
    trace.initial = nodes_[i].state;
    return trace;
  }

  const Network& network_;
  Stepper stepper_;
  Expr condition_;
  StepBound bound_;
  const SearchOptions& options_;
  std::vector<Node> nodes_;
  std::unordered_set<State, StateHash> seen_;
  std::vector<std::optional<std::vector<std::vector<Value>>>> arguments_;  // by event
};

}  // namespace

std::vector<State> first_states(Stepper& stepper, const SearchOptions& options) {
  const Network& network = stepper.network();
  const StateLayout& layout = stepper.layout();
  const ExprPool& pool = network.pool();
  State empty;
  empty.locations.resize(layout.instance_count());
  for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
    empty.values.push_back(pool.default_value(network.variable(layout.at(slot).second).type));
  }
  std::vector<State> states{std::move(empty)};
  auto multiply = [&](std::size_t count, const auto& put) {
    if (states.size() * count > options.max_states) {
      throw ResourceError("too many first states to look at all");
    }
    std::vector<State> more;
    for (const State& state : states) {
      for (std::size_t i = 0; i < count; ++i) put(more.emplace_back(state), i);
    }
    states = std::move(more);
  };
  for (std::size_t p = 0; p < layout.instance_count(); ++p) {
    const Instance& instance = network.instance(layout.instance(p));
    std::vector<LocationId> starts;
    for (const Start& start : network.machine(instance.machine).starts) {
      starts.push_back(start.location);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    multiply(starts.size(), [&](State& state, std::size_t i) { state.locations[p] = starts[i]; });
  }
  for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
    const auto [owner, id] = layout.at(slot);
    const Variable& variable = network.variable(id);
    std::optional<std::vector<Value>> values;
    if (owner.valid() && network.machine(network.instance(owner).machine).key == id) {
      values = std::vector<Value>{network.instance(owner).key};
    } else if (variable.initial.valid() && pool.is_const(variable.initial)) {
      values = std::vector<Value>{pool.value(variable.initial)};
    } else {
      values = options.candidates(variable.type, variable.current);
    }
    if (!values) throw ResourceError("too many first values of " + variable.name + " to try all");
    multiply(values->size(), [&](State& s, std::size_t i) { s.values[slot] = (*values)[i]; });
  }
  std::erase_if(states, [&](const State& s) { return stepper.initial_problem(s).has_value(); });
  return states;
}

SearchResult explicit_search(const Network& network, UniverseId universe, Expr condition,
                             const StepBound& bound, const SearchOptions& options) {
  return Search(network, universe, condition, bound, options).run();
}

}  // namespace whittle
