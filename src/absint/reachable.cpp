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
#include <unordered_map>
#include <unordered_set>

#include "absint/abandon.h"
#include "absint/abstract_state.h"
#include "absint/cases.h"
#include "absint/constraint_terms.h"
#include "absint/disjuncts.h"
#include "absint/packs.h"
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

// What an analysis of a pack follows, and what it knows of the other numbers.
struct PackView {
  std::vector<std::uint32_t> numbers;  // state variables
  // By node: bounds of single variables, with the variable.
  const std::vector<std::vector<std::pair<SymbolId, Expr>>>& bounds;
};

template <class Shape>
class Analysis {
 public:
  using State = AbstractState<Shape>;
  using States = Disjuncts<Shape>;

  Analysis(const TransitionSystem& system, const ControlGraph& graph,
           const ReachableOptions& options, const std::function<bool()>& stop)
      : system_(system),
        pool_(*system.pool),
        graph_(graph),
        options_(options),
        stop_([this, &stop] { return too_expensive_ || stop(); }),
        layout_(system, graph.located()),
        states_(graph.size()) {}

  // Of the numbers of a pack only.
  Analysis(const TransitionSystem& system, const ControlGraph& graph,
           const ReachableOptions& options, const std::function<bool()>& stop, const PackView& pack)
      : Analysis(system, graph, options, stop) {
    pack_ = &pack;
    for (std::uint32_t v : layout_.numbers) {
      if (std::ranges::binary_search(pack.numbers, v)) continue;
      foreign_.insert({system.variables[v].current, system.variables[v].next});
    }
    layout_.numbers = pack.numbers;
  }

  std::optional<ReachableStates> run() {
    const ComponentWork work = {
        [this](std::uint32_t c, const std::function<bool()>& stop) { return summarise(c, stop); },
        [this](std::uint32_t c, std::ostream& out) { write(c, out); },
        [this](std::uint32_t c, std::istream& in) { read(c, in); }};
    if (!for_each_component(graph_, work, options_.parallelism, stop_)) return std::nullopt;
    ReachableStates result;
    const bool complete = watched(stop_, [&] {
      for (std::uint32_t n = 0; n < graph_.size(); ++n) {
        look_whether_to_abandon();
        result.conditions.push_back(condition(states_[n]));
        result.excludes_goal.push_back(excludes_goal(n) ? 1 : 0);
      }
    });
    if (!complete) return std::nullopt;
    return result;
  }
  // Why there is no result; otherwise it was stopped.
  [[nodiscard]] bool too_expensive() const { return too_expensive_; }

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

  // How many shapes may describe what holds at a node.
  std::size_t limit(std::uint32_t node) const {
    return graph_.on_cycle(node) ? 1 : options_.disjuncts;
  }
  // The conditions, in as many cases as shapes are allowed.
  std::vector<std::vector<Expr>> cases(std::vector<Expr> conditions, std::size_t limit) {
    if (limit == 1) return {std::move(conditions)};
    return cases_of(pool_, std::move(conditions), limit);
  }

  // How many numbers outside of the pack the term speaks of, and whether of any in it.
  std::pair<std::size_t, bool> reach(Expr term) const {
    std::size_t others = 0;
    bool own = false;
    for (SymbolId s : symbols(pool_, term)) {
      if (foreign_.contains(s)) {
        ++others;
      } else if (const TypeKind kind = pool_.kind(pool_.info(s).type);
                 kind == TypeKind::Int || kind == TypeKind::Real) {
        own = true;
      }
    }
    return {others, own};
  }
  // Conditions that can say something about the pack.
  std::vector<Expr> relevant(std::vector<Expr> conditions) {
    if (pack_ == nullptr) return conditions;
    std::vector<Expr> result;
    for (Expr condition : conditions) {
      auto [known, added] = relevant_.try_emplace(condition);
      if (added) {
        for (Expr part : conjuncts(pool_, condition)) {
          const auto [others, own] = reach(part);
          if (others == 0 || (own && others <= kMaxForeign)) known->second.push_back(part);
        }
      }
      result.insert(result.end(), known->second.begin(), known->second.end());
    }
    return result;
  }
  // What is known of numbers outside of the pack that have a dimension.
  void add_bounds(std::uint32_t node, const Dimensions& dimensions,
                  std::vector<Expr>& conditions) const {
    if (pack_ == nullptr) return;
    for (const auto& [symbol, bound] : pack_->bounds[node]) {
      if (foreign_.contains(symbol) && dimensions.contains(symbol)) conditions.push_back(bound);
    }
  }

  std::optional<State> first(const std::vector<Expr>& init) {
    Dimensions dimensions = state_dimensions();
    for (Expr condition : init) prepare(condition, dimensions);
    State state = everything(dimensions.size());
    if (!restrict(state, init, dimensions)) return std::nullopt;
    state.numbers.remove_higher_space_dimensions(layout_.numbers.size());
    return state;
  }

  bool excludes_goal(std::uint32_t node) {
    if (states_[node].empty()) return true;
    const Expr goal = graph_.locations(node)(system_.goal.condition);
    if (pool_.is_const(goal)) return pool_.is_false(goal);
    Dimensions dimensions = state_dimensions();
    std::vector<Expr> conditions = relevant({goal});
    for (Expr condition : conditions) prepare(condition, dimensions);
    add_bounds(node, dimensions, conditions);
    const std::size_t made = dimensions.size();
    return std::all_of(
        states_[node].states().begin(), states_[node].states().end(), [&](State state) {
          state.numbers.add_space_dimensions_and_embed(made - layout_.numbers.size());
          return !restrict(state, conditions, dimensions) && made == dimensions.size();
        });
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

  // What an edge brings to its end.
  void arrive(const ControlEdge& edge, const std::function<void(State)>& at) {
    const Transition& transition = system_.transitions[edge.transition];
    std::vector<Expr> conditions = {edge.guard};
    if (transition.relation.valid())
      conditions.push_back(graph_.locations(edge.from)(transition.relation));
    conditions = relevant(std::move(conditions));
    for (const std::vector<Expr>& one : cases(std::move(conditions), limit(edge.to))) {
      for (const State& state : states_[edge.from].states()) {
        if (std::optional<State> arrived = after(edge, one, state)) at(std::move(*arrived));
      }
    }
  }

  std::optional<State> after(const ControlEdge& edge, std::vector<Expr> conditions, State state) {
    const Transition& transition = system_.transitions[edge.transition];
    Substitution here = graph_.locations(edge.from);
    Dimensions dimensions = state_dimensions();
    for (Expr condition : conditions) prepare(condition, dimensions);
    std::vector<std::pair<std::uint32_t, LinearForm>> numbers;
    std::vector<std::pair<std::size_t, Expr>> finite;
    for (const Update& update : transition.updates) {
      const StateVariable& variable = system_.variables[update.variable];
      const TypeKind kind = pool_.kind(variable.type);
      const Expr value = here(update.value);
      if (foreign_.contains(variable.current)) continue;
      const bool far = pack_ != nullptr && reach(value).first > kMaxForeign;
      if (kind == TypeKind::Int || kind == TypeKind::Real) {
        LinearForm any;
        if (far) any.factors[dimensions.fresh(false)] = Rational(Integer(1));
        numbers.emplace_back(update.variable, far ? any : dimensions.form(value));
      } else if (auto f = layout_.finite_of.find(variable.current); f != layout_.finite_of.end()) {
        if (kind == TypeKind::Bool && !far) prepare(value, dimensions);
        finite.emplace_back(f->second, far ? Expr() : value);
      }
    }
    for (std::uint32_t v : transition.open) {
      if (foreign_.contains(system_.variables[v].current)) continue;
      const TypeKind kind = pool_.kind(system_.variables[v].type);
      if (kind == TypeKind::Int || kind == TypeKind::Real) {
        dimensions.of(system_.variables[v].next);
      }
    }
    add_bounds(edge.from, dimensions, conditions);
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
      if (foreign_.contains(system_.variables[v].current)) continue;
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
    if (!value.valid()) return layout_.all[f];
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

  // False: stopped in the middle, or too expensive; states are only fit to be replaced.
  template <class Work>
  bool watched(const std::function<bool()>& stop, const Work& work) {
    const WatchedWork watch(stop, options_.effort);
    try {
      work();
      return true;
    } catch (const Abandoned& abandoned) {
      too_expensive_ = too_expensive_ || abandoned.too_expensive;
      return false;
    }
  }

  // False: stopped.
  bool summarise(std::uint32_t component, const std::function<bool()>& stop) {
    bool finished = false;
    return watched(stop, [&] { finished = summary(component, stop); }) && finished;
  }
  bool summary(std::uint32_t component, const std::function<bool()>& stop) {
    const std::span<const std::uint32_t> nodes = graph_.component(component);
    for (std::uint32_t node : nodes) states_[node] = entering(node);
    if (graph_.on_cycle(nodes.front())) {
      std::unordered_map<std::uint32_t, States> entries;
      for (std::uint32_t node : nodes) entries[node] = states_[node];
      bool widened = false;
      if (!ascend(nodes, widened, stop)) return false;
      if (widened && !narrow(nodes, entries, stop)) return false;
    }
    // As it will be wherever it is used, now and not on demand.
    if constexpr (std::is_same_v<Shape, ppl::NNC_Polyhedron>) {
      for (std::uint32_t node : nodes) {
        for (const State& state : states_[node].states())
          (void)state.numbers.minimized_constraints();
      }
    }
    return true;
  }

  // What starts at a node or comes there from other components.
  States entering(std::uint32_t node) {
    States result;
    const auto add = [&](State state) { result.add(std::move(state), limit(node)); };
    if (node < graph_.start_count()) {
      for (const auto& one : cases(relevant({graph_.locations(node)(system_.init)}), limit(node))) {
        if (std::optional<State> state = first(one)) add(std::move(*state));
      }
    }
    for (std::uint32_t e : graph_.in()[node]) {
      const ControlEdge& edge = graph_.edges()[e];
      if (graph_.component_of(edge.from) != graph_.component_of(node)) arrive(edge, add);
    }
    return result;
  }

  // Along the edges of a component until nothing is new. False: stopped.
  bool ascend(std::span<const std::uint32_t> nodes, bool& widened,
              const std::function<bool()>& stop) {
    std::unordered_map<std::uint32_t, std::uint32_t> rank;
    std::unordered_map<std::uint32_t, unsigned> joins;
    std::set<std::uint32_t> work;  // ranks
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      rank[nodes[i]] = i;
      if (!states_[nodes[i]].empty()) work.insert(i);
    }
    while (!work.empty()) {
      const std::uint32_t node = nodes[work.extract(work.begin()).value()];
      for (std::uint32_t e : graph_.out()[node]) {
        const std::uint32_t to = graph_.edges()[e].to;
        if (graph_.component_of(to) != graph_.component_of(node)) continue;
        if (stop()) return false;
        arrive(graph_.edges()[e], [&](State arrived) {
          std::optional<State> before;
          if (graph_.is_head(to) && joins[to] >= options_.widening_delay && !states_[to].empty())
            before = states_[to].only();
          if (!states_[to].add(std::move(arrived), 1)) return;
          if (graph_.is_head(to)) ++joins[to];
          if (before) {
            states_[to].only().numbers.widening_assign(before->numbers);
            widened = true;
          }
          work.insert(rank[to]);
        });
      }
    }
    return true;
  }

  // What holds at a node is at most what its edges bring there. False: stopped.
  bool narrow(std::span<const std::uint32_t> nodes,
              const std::unordered_map<std::uint32_t, States>& entries,
              const std::function<bool()>& stop) {
    for (unsigned round = 0; round < options_.narrowing_rounds; ++round) {
      for (std::uint32_t node : nodes) {
        if (states_[node].empty()) continue;
        States exact = entries.at(node);
        for (std::uint32_t e : graph_.in()[node]) {
          const ControlEdge& edge = graph_.edges()[e];
          if (graph_.component_of(edge.from) != graph_.component_of(node)) continue;
          if (stop()) return false;
          arrive(edge, [&](State arrived) { exact.add(std::move(arrived), 1); });
        }
        states_[node] = std::move(exact);
      }
    }
    return true;
  }

  // Exactly as it is, order of constraints included, so that nothing that follows is different.
  void write(std::uint32_t component, std::ostream& out) const {
    for (std::uint32_t node : graph_.component(component)) {
      out << states_[node].states().size() << '\n';
      for (const State& state : states_[node].states()) {
        for (std::uint64_t values : state.finite) out << values << ' ';
        state.numbers.ascii_dump(out);
      }
    }
  }

  void read(std::uint32_t component, std::istream& in) {
    for (std::uint32_t node : graph_.component(component)) {
      std::size_t count = 0;
      in >> count;
      states_[node].clear();
      for (std::size_t i = 0; i < count; ++i) {
        State state = everything(layout_.numbers.size());
        for (std::uint64_t& values : state.finite) in >> values;
        WHITTLE_REQUIRE(state.numbers.ascii_load(in) && in.good(), "no state of a component");
        states_[node].append(std::move(state));
      }
    }
  }

  // What the shapes have in common comes first.
  Expr condition(const States& states) {
    std::vector<std::vector<Expr>> each;
    for (const State& state : states.states()) each.push_back(parts(state));
    if (each.empty()) return pool_.boolean(false);
    std::vector<Expr> common;
    for (Expr part : each.front()) {
      const bool everywhere = std::all_of(each.begin(), each.end(), [&](const auto& one) {
        return std::find(one.begin(), one.end(), part) != one.end();
      });
      if (everywhere) common.push_back(part);
    }
    if (each.size() == 1) return pool_.conj(common);
    std::vector<Expr> alternatives;
    for (std::vector<Expr>& one : each) {
      std::erase_if(one, [&](Expr part) {
        return std::find(common.begin(), common.end(), part) != common.end();
      });
      alternatives.push_back(pool_.conj(one));
    }
    common.push_back(pool_.disj(alternatives));
    return pool_.conj(common);
  }

  std::vector<Expr> parts(const State& state) {
    std::vector<Expr> result;
    for (std::size_t f = 0; f < layout_.finite.size(); ++f) {
      if (state.finite[f] == layout_.all[f]) continue;
      result.push_back(one_of(pool_, system_.variables[layout_.finite[f]], state.finite[f]));
    }
    for (const ppl::Constraint& constraint : state.numbers.minimized_constraints())
      result.push_back(as_term(system_, layout_.numbers, constraint));
    return result;
  }

  static constexpr std::size_t kMaxForeign = 3;  // numbers outside of a pack, in one term

  const TransitionSystem& system_;
  ExprPool& pool_;
  const ControlGraph& graph_;
  const ReachableOptions& options_;
  bool too_expensive_ = false;
  const std::function<bool()> stop_;
  StateLayout layout_;
  std::vector<States> states_;  // by node; none: not reached
  const PackView* pack_ = nullptr;
  std::unordered_set<SymbolId> foreign_;  // numbers outside of the pack, now and next
  std::unordered_map<Expr, std::vector<Expr>> relevant_;
};

}  // namespace

namespace {

bool excluded_everywhere(const ReachableStates& states) {
  return std::all_of(states.excludes_goal.begin(), states.excludes_goal.end(),
                     [](char excluded) { return excluded != 0; });
}

std::vector<std::vector<std::pair<SymbolId, Expr>>> single_bounds(const ExprPool& pool,
                                                                  const ReachableStates& states) {
  std::vector<std::vector<std::pair<SymbolId, Expr>>> result(states.conditions.size());
  for (std::size_t n = 0; n < result.size(); ++n) {
    for (Expr part : conjuncts(pool, states.conditions[n])) {
      const std::vector<SymbolId> about = symbols(pool, part);
      if (about.size() == 1) result[n].emplace_back(about[0], part);
    }
  }
  return result;
}

// Boxes, and what polyhedra over packs add to them. Empty: stopped.
std::optional<ReachableStates> boxes_and_packs(const TransitionSystem& system,
                                               const ControlGraph& graph,
                                               const ReachableOptions& options,
                                               const std::function<bool()>& stop) {
  auto boxes = Analysis<ppl::Rational_Box>(system, graph, options, stop).run();
  if (!boxes || excluded_everywhere(*boxes)) return boxes;
  ExprPool& pool = *system.pool;
  const auto bounds = single_bounds(pool, *boxes);
  const auto all = packs(system, StateLayout(system, graph.located()).numbers, options.pack);
  ReachableOptions of_pack = options;
  // All of them may cost what one polyhedron over all variables may.
  of_pack.effort = options.effort / std::max<std::size_t>(all.size(), 4);
  for (const std::vector<std::uint32_t>& numbers : all) {
    const PackView view{numbers, bounds};
    Analysis<ppl::NNC_Polyhedron> analysis(system, graph, of_pack, stop, view);
    const auto found = analysis.run();
    if (!found && !analysis.too_expensive()) return std::nullopt;
    if (!found) continue;
    for (std::size_t n = 0; n < boxes->conditions.size(); ++n) {
      std::vector<Expr> parts = conjuncts(pool, boxes->conditions[n]);
      const std::unordered_set<Expr> known(parts.begin(), parts.end());
      for (Expr part : conjuncts(pool, found->conditions[n]))
        if (!known.contains(part)) parts.push_back(part);
      boxes->conditions[n] = pool.conj(parts);
      boxes->excludes_goal[n] |= found->excludes_goal[n];
    }
    if (excluded_everywhere(*boxes)) break;
  }
  return boxes;
}

}  // namespace

std::optional<ReachableStates> reachable_states(const TransitionSystem& system,
                                                const ControlGraph& graph,
                                                const ReachableOptions& options,
                                                const std::function<bool()>& stop) {
  const bool polyhedra = StateLayout(system, graph.located()).numbers.size() <= options.polyhedra;
  if (polyhedra && graph.size() >= options.boxes_first) {
    // Several times quicker, and conditions about one variable each are what people like to read.
    auto boxes = Analysis<ppl::Rational_Box>(system, graph, options, stop).run();
    if (!boxes || excluded_everywhere(*boxes)) return boxes;
  }
  if (polyhedra) {
    Analysis<ppl::NNC_Polyhedron> analysis(system, graph, options, stop);
    auto found = analysis.run();
    if (found || !analysis.too_expensive()) return found;
  }
  return boxes_and_packs(system, graph, options, stop);
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
