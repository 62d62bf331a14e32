// SPDX-License-Identifier: Apache-2.0
// A pass over the nodes in condensation order: what holds at a node is the union of what the edges
// into it bring there. A node outside of cycles is visited once, and what an edge brings is
// projected onto the variables at once, so conditions do not grow along a chain and the cost is
// linear in it. (Goose, la Fleur 2018, keeps the variables of all steps before in its conditions;
// so each is longer than the one before.)
//
// A component is summarised once all before it are, which makes it a function of theirs: what is
// found does not depend on which process found it, or when (component_runner.h). Chains have no two
// components that do not wait for each other; where several loops do not, two processors take half
// the time of one.
//
// On a cycle the pass is repeated until nothing is new; at the heads of cycles unions are widened
// after a while, which ends it. Descending passes then win back what widening gave away, before
// anything behind the cycle is looked at.
#include "absint/reachable.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <set>
#include <span>
#include <type_traits>

#include "absint/abstract_state.h"
#include "absint/constraint_terms.h"
#include "base/error.h"

namespace whittle::absint {

namespace {

// Old dimensions to new ones; the others are forgotten.
class Renaming {
 public:
  explicit Renaming(std::size_t old_dimensions) : to_(old_dimensions, SIZE_MAX) {}
  void keep(std::size_t old_dimension, std::size_t as) {
    to_[old_dimension] = as;
    most_ = std::max(most_, as);
    any_ = true;
  }
  [[nodiscard]] bool has_empty_codomain() const { return !any_; }
  [[nodiscard]] std::size_t max_in_codomain() const { return most_; }
  bool maps(std::size_t dimension, std::size_t& result) const {
    if (dimension >= to_.size() || to_[dimension] == SIZE_MAX) return false;
    result = to_[dimension];
    return true;
  }

 private:
  std::vector<std::size_t> to_;
  std::size_t most_ = 0;
  bool any_ = false;
};

template <class Shape>
class Analysis {
 public:
  using State = AbstractState<Shape>;

  Analysis(const TransitionSystem& system, const ControlGraph& graph,
           const ReachableOptions& options, const std::function<bool()>& stop)
      : system_(system),
        pool_(*system.pool),
        graph_(graph),
        options_(options),
        stop_(stop),
        layout_(system, graph.located()),
        states_(graph.size()) {}

  std::optional<ReachableStates> run() {
    const ComponentWork work = {
        [this](std::uint32_t c, const std::function<bool()>& stop) { return summarise(c, stop); },
        [this](std::uint32_t c, std::ostream& out) { write(c, out); },
        [this](std::uint32_t c, std::istream& in) { read(c, in); }};
    if (!for_each_component(graph_, work, options_.parallelism, stop_)) return std::nullopt;
    ReachableStates result;
    for (std::uint32_t n = 0; n < graph_.size(); ++n) {
      result.conditions.push_back(condition(states_[n]));
      result.excludes_goal.push_back(excludes_goal(n) ? 1 : 0);
    }
    return result;
  }

 private:
  State everything(std::size_t dimensions) const {
    return {Shape(dimensions, ppl::UNIVERSE), layout_.all};
  }

  Dimensions state_dimensions() const {
    Dimensions dimensions(pool_);
    for (std::uint32_t v : layout_.numbers) dimensions.of(system_.variables[v].current);
    return dimensions;
  }

  // Makes dimensions for all numeric terms of a condition.
  void prepare(Expr condition, Dimensions& dimensions) const {
    if (!condition.valid()) return;
    for_each_subterm(pool_, condition, [&](Expr e) {
      const Op op = pool_.op(e);
      if (op != Op::Eq && op != Op::Lt && op != Op::Le) return;
      for (Expr side : pool_.children(e)) {
        const TypeKind kind = pool_.kind(pool_.type(side));
        if (kind == TypeKind::Int || kind == TypeKind::Real) (void)dimensions.form(side);
      }
    });
  }

  std::optional<State> first(std::uint32_t node) {
    Substitution here = graph_.locations(node);
    const Expr init = here(system_.init);
    Dimensions dimensions = state_dimensions();
    prepare(init, dimensions);
    State state = everything(dimensions.size());
    if (!restrict(state, {init}, dimensions)) return std::nullopt;
    state.numbers.remove_higher_space_dimensions(layout_.numbers.size());
    return state;
  }

  bool excludes_goal(std::uint32_t node) {
    if (!states_[node]) return true;
    const Expr goal = graph_.locations(node)(system_.goal.condition);
    if (pool_.is_const(goal)) return pool_.is_false(goal);
    Dimensions dimensions = state_dimensions();
    prepare(goal, dimensions);
    State state = *states_[node];
    state.numbers.add_space_dimensions_and_embed(dimensions.size() - layout_.numbers.size());
    const std::size_t made = dimensions.size();
    return !restrict(state, {goal}, dimensions) && made == dimensions.size();
  }

  // The conditions hold; twice, because products are bounded by what the first round finds.
  bool restrict(State& state, const std::vector<Expr>& conditions, Dimensions& dimensions) {
    const std::size_t made = dimensions.size();
    Assumer<Shape> assumer(pool_, layout_, dimensions);
    const bool related = !dimensions.products().empty() || !dimensions.quotients().empty();
    for (int round = 0; round < (related ? 2 : 1); ++round) {
      for (Expr condition : conditions) {
        if (!assumer.assume(state, condition)) return false;
      }
      if (related && !assumer.relate(state)) return false;
    }
    return made == dimensions.size() && !state.numbers.is_empty();
  }

  std::optional<State> after(const ControlEdge& edge) {
    const Transition& transition = system_.transitions[edge.transition];
    Substitution here = graph_.locations(edge.from);
    std::vector<Expr> conditions = {edge.guard};
    if (transition.relation.valid()) conditions.push_back(here(transition.relation));
    Dimensions dimensions = state_dimensions();
    for (Expr condition : conditions) prepare(condition, dimensions);
    std::vector<std::pair<std::uint32_t, LinearForm>> numbers;
    std::vector<std::pair<std::size_t, Expr>> finite;
    for (const Update& update : transition.updates) {
      const StateVariable& variable = system_.variables[update.variable];
      const TypeKind kind = pool_.kind(variable.type);
      const Expr value = here(update.value);
      if (kind == TypeKind::Int || kind == TypeKind::Real) {
        numbers.emplace_back(update.variable, dimensions.form(value));
      } else if (auto f = layout_.finite_of.find(variable.current); f != layout_.finite_of.end()) {
        if (kind == TypeKind::Bool) prepare(value, dimensions);
        finite.emplace_back(f->second, value);
      }
    }
    for (std::uint32_t v : transition.open) {
      const TypeKind kind = pool_.kind(system_.variables[v].type);
      if (kind == TypeKind::Int || kind == TypeKind::Real) {
        dimensions.of(system_.variables[v].next);
      }
    }
    State state = *states_[edge.from];
    state.numbers.add_space_dimensions_and_embed(dimensions.size() - layout_.numbers.size());
    if (!restrict(state, conditions, dimensions)) return std::nullopt;
    // New values beside the old ones, then they take their places.
    std::vector<std::uint64_t> values = state.finite;
    for (const auto& [f, value] : finite) values[f] = possible(state, f, value, dimensions);
    const std::size_t old = dimensions.size();
    state.numbers.add_space_dimensions_and_embed(numbers.size());
    std::vector<std::size_t> from(system_.variables.size(), SIZE_MAX);
    for (std::size_t i = 0; i < layout_.numbers.size(); ++i) from[layout_.numbers[i]] = i;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      LinearForm same = numbers[i].second;  // form - new value
      same.factors[old + i] = Rational(Integer(-1));
      state.numbers.refine_with_constraint(linear_expression(same) == 0);
      from[numbers[i].first] = old + i;
    }
    for (std::uint32_t v : transition.open) {
      const TypeKind kind = pool_.kind(system_.variables[v].type);
      if (kind == TypeKind::Int || kind == TypeKind::Real) {
        from[v] = dimensions.of(system_.variables[v].next);
      } else if (auto f = layout_.finite_of.find(system_.variables[v].current);
                 f != layout_.finite_of.end()) {
        values[f->second] = layout_.all[f->second];
      }
    }
    Renaming renaming(old + numbers.size());
    for (std::size_t i = 0; i < layout_.numbers.size(); ++i) {
      renaming.keep(from[layout_.numbers[i]], i);
    }
    state.numbers.map_space_dimensions(renaming);
    state.finite = std::move(values);
    return state;
  }

  // The values that the term can have in the state.
  std::uint64_t possible(const State& state, std::size_t f, Expr value, Dimensions& dimensions) {
    if (pool_.is_const(value)) return value_bit(pool_.value(value));
    if (pool_.is_variable(value)) {
      const auto other = layout_.finite_of.find(pool_.symbol_of(value));
      return other == layout_.finite_of.end() ? layout_.all[f] : state.finite[other->second];
    }
    if (pool_.kind(pool_.type(value)) != TypeKind::Bool) return layout_.all[f];
    std::uint64_t result = 0;
    for (const bool truth : {false, true}) {
      State copy = state;
      Assumer<Shape> assumer(pool_, layout_, dimensions);
      if (assumer.assume(copy, value, truth)) result |= value_bit(Value(truth));
    }
    return result;
  }

  // False: stopped.
  bool summarise(std::uint32_t component, const std::function<bool()>& stop) {
    const std::span<const std::uint32_t> nodes = graph_.component(component);
    for (std::uint32_t node : nodes) states_[node] = entering(node);
    if (graph_.on_cycle(nodes.front())) {
      std::unordered_map<std::uint32_t, std::optional<State>> entries;
      for (std::uint32_t node : nodes) entries[node] = states_[node];
      bool widened = false;
      if (!ascend(nodes, widened, stop)) return false;
      if (widened && !narrow(nodes, entries, stop)) return false;
    }
    // As it will be wherever it is used, now and not on demand.
    if constexpr (std::is_same_v<Shape, ppl::NNC_Polyhedron>) {
      for (std::uint32_t node : nodes) {
        if (states_[node]) (void)states_[node]->numbers.minimized_constraints();
      }
    }
    return true;
  }

  // What starts at a node or comes there from other components.
  std::optional<State> entering(std::uint32_t node) {
    std::optional<State> result;
    if (node < graph_.start_count()) result = first(node);
    for (std::uint32_t e : graph_.in()[node]) {
      const ControlEdge& edge = graph_.edges()[e];
      if (graph_.component_of(edge.from) == graph_.component_of(node) || !states_[edge.from])
        continue;
      if (std::optional<State> arrived = after(edge)) add(result, std::move(*arrived));
    }
    return result;
  }

  // True: these are more states than before.
  static bool add(std::optional<State>& known, State arrived) {
    if (!known) {
      known = std::move(arrived);
      return true;
    }
    if (known->contains(arrived)) return false;
    arrived.join(*known);
    known = std::move(arrived);
    return true;
  }

  // Along the edges of a component until nothing is new. False: stopped.
  bool ascend(std::span<const std::uint32_t> nodes, bool& widened,
              const std::function<bool()>& stop) {
    std::unordered_map<std::uint32_t, std::uint32_t> rank;
    std::unordered_map<std::uint32_t, unsigned> joins;
    std::set<std::uint32_t> work;  // ranks
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      rank[nodes[i]] = i;
      if (states_[nodes[i]]) work.insert(i);
    }
    while (!work.empty()) {
      const std::uint32_t node = nodes[work.extract(work.begin()).value()];
      for (std::uint32_t e : graph_.out()[node]) {
        const std::uint32_t to = graph_.edges()[e].to;
        if (graph_.component_of(to) != graph_.component_of(node)) continue;
        if (stop()) return false;
        std::optional<State> arrived = after(graph_.edges()[e]);
        if (!arrived) continue;
        const std::optional<State> before =
            graph_.is_head(to) && joins[to] >= options_.widening_delay ? states_[to] : std::nullopt;
        if (!add(states_[to], std::move(*arrived))) continue;
        if (graph_.is_head(to)) ++joins[to];
        if (before) {
          states_[to]->numbers.widening_assign(before->numbers);
          widened = true;
        }
        work.insert(rank[to]);
      }
    }
    return true;
  }

  // What holds at a node is at most what its edges bring there. False: stopped.
  bool narrow(std::span<const std::uint32_t> nodes,
              const std::unordered_map<std::uint32_t, std::optional<State>>& entries,
              const std::function<bool()>& stop) {
    for (unsigned round = 0; round < options_.narrowing_rounds; ++round) {
      for (std::uint32_t node : nodes) {
        if (!states_[node]) continue;
        std::optional<State> exact = entries.at(node);
        for (std::uint32_t e : graph_.in()[node]) {
          const ControlEdge& edge = graph_.edges()[e];
          if (graph_.component_of(edge.from) != graph_.component_of(node) || !states_[edge.from])
            continue;
          if (stop()) return false;
          if (std::optional<State> arrived = after(edge)) add(exact, std::move(*arrived));
        }
        states_[node] = std::move(exact);
      }
    }
    return true;
  }

  // Exactly as it is, order of constraints included, so that nothing that follows is different.
  void write(std::uint32_t component, std::ostream& out) const {
    for (std::uint32_t node : graph_.component(component)) {
      out << (states_[node] ? 1 : 0) << '\n';
      if (!states_[node]) continue;
      for (std::uint64_t values : states_[node]->finite) out << values << ' ';
      states_[node]->numbers.ascii_dump(out);
    }
  }

  void read(std::uint32_t component, std::istream& in) {
    for (std::uint32_t node : graph_.component(component)) {
      int reached = 0;
      in >> reached;
      states_[node].reset();
      if (reached == 0) continue;
      State state = everything(layout_.numbers.size());
      for (std::uint64_t& values : state.finite) in >> values;
      WHITTLE_REQUIRE(state.numbers.ascii_load(in) && in.good(), "no state of a component");
      states_[node] = std::move(state);
    }
  }

  Expr condition(const std::optional<State>& state) {
    if (!state) return pool_.boolean(false);
    std::vector<Expr> parts;
    for (std::size_t f = 0; f < layout_.finite.size(); ++f) {
      if (state->finite[f] == layout_.all[f]) continue;
      parts.push_back(one_of(pool_, system_.variables[layout_.finite[f]], state->finite[f]));
    }
    for (const ppl::Constraint& constraint : state->numbers.minimized_constraints())
      parts.push_back(as_term(system_, layout_.numbers, constraint));
    return pool_.conj(parts);
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const ControlGraph& graph_;
  const ReachableOptions& options_;
  const std::function<bool()>& stop_;
  StateLayout layout_;
  std::vector<std::optional<State>> states_;  // by node; none: not reached
};

}  // namespace

std::optional<ReachableStates> reachable_states(const TransitionSystem& system,
                                                const ControlGraph& graph,
                                                const ReachableOptions& options,
                                                const std::function<bool()>& stop) {
  const bool polyhedra = StateLayout(system, graph.located()).numbers.size() <= options.polyhedra;
  if (polyhedra && graph.size() >= options.boxes_first) {
    // Several times quicker, and conditions about one variable each are what people like to read.
    auto boxes = Analysis<ppl::Rational_Box>(system, graph, options, stop).run();
    if (!boxes || std::all_of(boxes->excludes_goal.begin(), boxes->excludes_goal.end(),
                              [](char excluded) { return excluded != 0; })) {
      return boxes;
    }
  }
  if (polyhedra) {
    return Analysis<ppl::NNC_Polyhedron>(system, graph, options, stop).run();
  }
  return Analysis<ppl::Rational_Box>(system, graph, options, stop).run();
}

Expr joined(const TransitionSystem& system, const ControlGraph& graph,
            const std::vector<Expr>& by_node) {
  ExprPool& pool = *system.pool;
  std::vector<Expr> parts;
  if (graph.size() == 1 && !graph.located()) return by_node[0];
  if (graph.single()) {
    for (std::uint32_t n = 0; n < graph.size(); ++n) {
      parts.push_back(pool.implies(graph.is_at(n), by_node[n]));
    }
    for (Expr place : graph.never_there()) parts.push_back(pool.negate(place));
    return pool.conj(parts);
  }
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    parts.push_back(pool.conj(graph.is_at(n), by_node[n]));
  }
  return pool.disj(parts);
}

}  // namespace whittle::absint
