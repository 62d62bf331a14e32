// SPDX-License-Identifier: Apache-2.0
// A pass over the nodes in condensation order: what holds at a node is the union of what the edges
// into it bring there. A node outside of cycles is visited once, and what an edge brings is
// projected onto the variables at once, so conditions do not grow along a chain and the cost is
// linear in it. (Goose, la Fleur 2018, keeps the variables of all steps before in its conditions;
// so each is longer than the one before.)
//
// Components are taken one after the other. On chains of 1,000 and 10,000 nodes one takes about 10
// microseconds with boxes and 130 with polyhedra, hardly more than handing it to another thread
// costs, and each needs the one before it. Where much is to be done, as on the survey's systems, it
// is one component of a few nodes, in which nothing is independent.
//
// On a cycle the pass is repeated until nothing is new; at the heads of cycles unions are widened
// after a while, which ends it. Descending passes then win back what widening gave away.
#include "absint/reachable.h"

#include <algorithm>
#include <queue>

#include "absint/abstract_state.h"

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
        states_(graph.size()),
        joins_(graph.size(), 0) {}

  std::optional<ReachableStates> run() {
    std::vector<std::uint32_t> rank(graph_.size());
    for (std::uint32_t i = 0; i < graph_.size(); ++i) rank[graph_.order()[i]] = i;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> work;
    std::vector<char> waiting(graph_.size(), 0);
    auto enqueue = [&](std::uint32_t node) {
      if (waiting[node] != 0) return;
      waiting[node] = 1;
      work.push(rank[node]);
    };
    for (std::uint32_t n = 0; n < graph_.start_count(); ++n) {
      if (std::optional<State> state = first(n)) {
        starts_.emplace(n, *state);
        states_[n] = std::move(state);
        enqueue(n);
      }
    }
    while (!work.empty()) {
      if (stop_()) return std::nullopt;
      const std::uint32_t node = graph_.order()[work.top()];
      work.pop();
      waiting[node] = 0;
      for (std::uint32_t e : graph_.out()[node]) {
        std::optional<State> arrived = after(graph_.edges()[e]);
        if (arrived && include(graph_.edges()[e].to, std::move(*arrived))) {
          enqueue(graph_.edges()[e].to);
        }
      }
    }
    if (!narrow()) return std::nullopt;
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

  // True: the node knows more states than before.
  bool include(std::uint32_t node, State arrived) {
    std::optional<State>& known = states_[node];
    if (!known) {
      known = std::move(arrived);
      return true;
    }
    if (known->contains(arrived)) return false;
    arrived.join(*known);
    if (graph_.is_head(node) && ++joins_[node] > options_.widening_delay) {
      arrived.numbers.widening_assign(known->numbers);
    }
    known = std::move(arrived);
    return true;
  }

  // False: stopped. What holds at a node is at most what its edges bring there.
  bool narrow() {
    for (unsigned round = 0; round < options_.narrowing_rounds; ++round) {
      bool any = false;
      for (std::uint32_t node : graph_.order()) {
        if (stop_()) return false;
        if (!states_[node] || !behind_cycle(node)) continue;
        any = true;
        std::optional<State> exact;
        if (auto start = starts_.find(node); start != starts_.end()) exact = start->second;
        for (std::uint32_t e : graph_.in()[node]) {
          const ControlEdge& edge = graph_.edges()[e];
          if (!states_[edge.from]) continue;
          std::optional<State> arrived = after(edge);
          if (!arrived) continue;
          if (exact) {
            exact->join(*arrived);
          } else {
            exact = std::move(arrived);
          }
        }
        states_[node] = std::move(exact);
      }
      if (!any) break;
    }
    return true;
  }

  // Only there can widening have lost something.
  bool behind_cycle(std::uint32_t node) {
    if (behind_.empty()) {
      behind_.assign(graph_.size(), 0);
      for (std::uint32_t n : graph_.order()) {
        if (graph_.is_head(n) && joins_[n] > options_.widening_delay) behind_[n] = 1;
      }
      for (int pass = 0; pass < 2; ++pass) {
        for (std::uint32_t n : graph_.order()) {
          for (std::uint32_t e : graph_.in()[n]) {
            if (behind_[graph_.edges()[e].from] != 0) behind_[n] = 1;
          }
        }
      }
    }
    return behind_[node] != 0;
  }

  Expr condition(const std::optional<State>& state) {
    if (!state) return pool_.boolean(false);
    std::vector<Expr> parts;
    for (std::size_t f = 0; f < layout_.finite.size(); ++f) {
      if (state->finite[f] == layout_.all[f]) continue;
      parts.push_back(one_of(system_.variables[layout_.finite[f]], state->finite[f]));
    }
    for (const ppl::Constraint& constraint : state->numbers.minimized_constraints()) {
      parts.push_back(as_term(constraint));
    }
    return pool_.conj(parts);
  }

  Expr one_of(const StateVariable& variable, std::uint64_t values) {
    const Expr symbol = pool_.symbol(variable.current);
    if (pool_.kind(variable.type) == TypeKind::Bool) {
      if (values == 0) return pool_.boolean(false);
      return values == 2 ? symbol : pool_.negate(symbol);
    }
    std::vector<Expr> alternatives;
    for (std::uint32_t i = 0; i < kMaxFinite; ++i) {
      if ((values >> i & 1U) == 0) continue;
      alternatives.push_back(pool_.eq(symbol, pool_.constant(Value(EnumValue{i}), variable.type)));
    }
    return pool_.disj(alternatives);
  }

  // A bound of one variable; invalid if it is about several.
  Expr as_bound(const ppl::Constraint& constraint) {
    std::size_t only = SIZE_MAX;
    for (std::size_t i = 0; i < layout_.numbers.size() && i < constraint.space_dimension(); ++i) {
      if (constraint.coefficient(ppl::Variable(i)) == 0) continue;
      if (only != SIZE_MAX) return {};
      only = i;
    }
    if (only == SIZE_MAX) return {};
    const StateVariable& variable = system_.variables[layout_.numbers[only]];
    const Expr symbol = pool_.symbol(variable.current);
    const Integer factor(mpz_class(constraint.coefficient(ppl::Variable(only))));
    const Rational limit(-Integer(mpz_class(constraint.inhomogeneous_term())), factor);
    const bool lower = factor.sign() > 0;
    if (variable.type == Type::integer()) {
      const Integer up = -(-limit).floor();
      if (constraint.is_equality()) {
        return limit.is_integer() ? pool_.eq(symbol, pool_.integer(up)) : pool_.boolean(false);
      }
      if (constraint.is_strict_inequality()) {
        return lower ? pool_.gt(symbol, pool_.integer(limit.floor()))
                     : pool_.lt(symbol, pool_.integer(up));
      }
      return lower ? pool_.ge(symbol, pool_.integer(up))
                   : pool_.le(symbol, pool_.integer(limit.floor()));
    }
    const Expr number = pool_.real(limit);
    if (constraint.is_equality()) return pool_.eq(symbol, number);
    if (constraint.is_strict_inequality()) {
      return lower ? pool_.gt(symbol, number) : pool_.lt(symbol, number);
    }
    return lower ? pool_.ge(symbol, number) : pool_.le(symbol, number);
  }

  // Positive parts on the left, negative ones on the right.
  Expr as_term(const ppl::Constraint& constraint) {
    if (const Expr bound = as_bound(constraint); bound.valid()) return bound;
    bool real = false;
    for (std::size_t i = 0; i < layout_.numbers.size() && i < constraint.space_dimension(); ++i) {
      if (constraint.coefficient(ppl::Variable(i)) == 0) continue;
      real = real || system_.variables[layout_.numbers[i]].type == Type::real();
    }
    std::vector<Expr> left, right;
    auto number = [&](const mpz_class& value) {
      const Integer integer(value);
      return real ? pool_.real(Rational(integer)) : pool_.integer(integer);
    };
    auto put = [&](const mpz_class& factor, Expr term) {
      if (factor == 0) return;
      const mpz_class size = abs(factor);
      Expr part = number(size);
      if (term.valid()) part = size == 1 ? term : pool_.mul(part, term);
      (factor > 0 ? left : right).push_back(part);
    };
    for (std::size_t i = 0; i < layout_.numbers.size() && i < constraint.space_dimension(); ++i) {
      Expr symbol = pool_.symbol(system_.variables[layout_.numbers[i]].current);
      if (real) symbol = pool_.to_real(symbol);
      put(mpz_class(constraint.coefficient(ppl::Variable(i))), symbol);
    }
    put(mpz_class(constraint.inhomogeneous_term()), Expr());
    auto sum = [&](const std::vector<Expr>& parts) {
      if (parts.empty()) return number(0);
      return parts.size() == 1 ? parts[0] : pool_.make(Op::Add, parts);
    };
    const Expr a = sum(left);
    const Expr b = sum(right);
    if (constraint.is_equality()) return pool_.eq(a, b);
    return constraint.is_strict_inequality() ? pool_.gt(a, b) : pool_.ge(a, b);
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const ControlGraph& graph_;
  const ReachableOptions& options_;
  const std::function<bool()>& stop_;
  StateLayout layout_;
  std::vector<std::optional<State>> states_;  // by node; none: not reached
  std::vector<unsigned> joins_;               // by node
  std::unordered_map<std::uint32_t, State> starts_;
  std::vector<char> behind_;
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
