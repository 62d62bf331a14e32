// SPDX-License-Identifier: Apache-2.0
#include "witness/states_check.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"
#include "ir/finite_choices.h"

namespace whittle {

namespace {

constexpr std::size_t kMostFirst = 200'000;   // states
constexpr std::size_t kMostChoices = 10'000;  // of one transition
constexpr std::size_t kPatience = 256;        // states between two looks at the clock

// A state as the numbers of its values: states are many, different values of a variable few.
using NumberedState = std::vector<std::uint32_t>;

struct NumberedStateHash {
  std::size_t operator()(const NumberedState& state) const {
    std::size_t h = 0x9e3779b97f4a7c15ULL;
    for (std::uint32_t number : state) h = (h ^ number) * 0xbf58476d1ce4e5b9ULL + (h >> 29);
    return h;
  }
};

class StatesCheck {
 public:
  StatesCheck(const TransitionSystem& system, std::uint64_t claimed,
              const smt::SolverFactory& solvers)
      : system_(system),
        pool_(*system.pool),
        claimed_(claimed),
        solvers_(solvers),
        run_(system),
        placed_(place_transitions(system)),
        numbers_(system.variables.size()),
        values_(system.variables.size()),
        state_(system.variables.size()) {}

  Expected<WitnessCheck, RejectedWitness> operator()() {
    list_choices();
    if (!rejected_.reason.empty()) return Unexpected{rejected_};
    if (!undecided_.empty()) return WitnessCheck{false, undecided_};
    auto first = finite_first_states(system_, run_, kMostFirst);
    if (!first) return Unexpected{RejectedWitness{"the first states cannot be listed"}};
    for (const FlatState& state : *first) {
      NumberedState numbered;
      for (std::uint32_t v = 0; v < state.size(); ++v) numbered.push_back(number_of(v, state[v]));
      add(state, std::move(numbered));
    }
    for (std::size_t at = 0; at < order_.size() && rejected_.reason.empty(); ++at) {
      if (at % kPatience == 0 && solvers_.settings().limits.deadline.passed()) {
        return WitnessCheck{
            false, fmt::format("unchecked: {} of {} states were seen again", at, claimed_)};
      }
      expand(*order_[at]);
    }
    if (rejected_.reason.empty() && order_.size() != claimed_)
      rejected_.reason = fmt::format("there are {} states, not {}", order_.size(), claimed_);
    if (!rejected_.reason.empty()) return Unexpected{rejected_};
    return WitnessCheck{true, "second search"};
  }

 private:
  // Lists what first states and steps choose from, and makes sure that this is all.
  void list_choices() {
    std::vector<SymbolId> symbols;
    for (const StateVariable& variable : system_.variables) symbols.push_back(variable.current);
    complete(symbols, system_.init, kMostFirst, "the first states");
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const Transition& transition = system_.transitions[t];
      const Expr condition = choosing_condition(system_, transition);
      const std::vector<SymbolId> chosen = chosen_symbols(system_, transition);
      complete(chosen, condition, kMostChoices, transition.name);
      auto all = finite_tuples(FiniteChoices(pool_, condition), chosen, kMostChoices);
      if (!all) rejected_.reason = "the choices of " + transition.name + " cannot be listed";
      if (!rejected_.reason.empty() || !undecided_.empty()) return;
      auto& steps = steps_.emplace_back();
      for (const std::vector<Value>& choice : *all)
        steps.push_back(chosen_step(system_, t, choice));
    }
    complete(system_.goal.inputs, system_.goal.condition, kMostChoices, "the goal");
    auto all = finite_tuples(FiniteChoices(pool_, system_.goal.condition), system_.goal.inputs,
                             kMostChoices);
    if (!all)
      rejected_.reason = "the choices of the goal cannot be listed";
    else
      goal_choices_ = std::move(*all);
  }

  // condition -> each symbol has one of its listed values
  void complete(const std::vector<SymbolId>& symbols, Expr condition, std::size_t most,
                const std::string& whose) {
    if (!rejected_.reason.empty() || !undecided_.empty()) return;
    const FiniteChoices choices(pool_, condition);
    std::vector<Expr> elsewhere;
    for (SymbolId symbol : symbols) {
      const Type type = pool_.info(symbol).type;
      const auto values = choices.of(symbol, most);
      if (!values) {
        rejected_.reason = "the choices of " + whose + " cannot be listed";
        return;
      }
      std::vector<Expr> none;
      for (const Value& value : *values)
        none.push_back(pool_.ne(pool_.symbol(symbol), pool_.constant(value, type)));
      elsewhere.push_back(pool_.conj(none));
    }
    const Expr missing = pool_.conj(condition, pool_.disj(elsewhere));
    if (symbols.empty() || pool_.is_false(missing)) return;
    const auto solver = solvers_.make(pool_, "states");
    solver->require(missing);
    const smt::CheckResult result = solver->check();
    switch (result.answer) {
      case smt::Answer::Unsat:
        return;
      case smt::Answer::Sat:
        rejected_.reason = "there are more choices for " + whose;
        return;
      case smt::Answer::Unknown:
        undecided_ = "unchecked by the second solver: " + result.reason;
        return;
    }
  }

  std::uint32_t number_of(std::uint32_t variable, const Value& value) {
    auto& known = values_[variable];
    const auto [it, fresh] =
        numbers_[variable].try_emplace(value, static_cast<std::uint32_t>(known.size()));
    if (fresh) known.push_back(&it->first);
    return it->second;
  }

  void add(const FlatState& state, NumberedState numbered) {
    const auto [it, fresh] = seen_.insert(std::move(numbered));
    if (!fresh) return;
    order_.push_back(&*it);
    for (const std::vector<Value>& choice : goal_choices_) {
      if (run_.holds(system_.goal.condition, state, system_.goal.inputs, choice))
        rejected_.reason = "one of the states is a goal";
    }
  }

  void expand(const NumberedState& numbered) {
    for (std::uint32_t v = 0; v < numbered.size(); ++v) state_[v] = *values_[v][numbered[v]];
    for (const PlacedTransitions::Place& place : placed_.places) {
      const std::uint32_t location = state_[place.variable].as_enum().index;
      for (std::uint32_t t : place.there[location]) take(numbered, t);
    }
    for (std::uint32_t t : placed_.anywhere) take(numbered, t);
  }

  // state_ is the state before the step, and is so again afterwards.
  void take(const NumberedState& numbered, std::uint32_t t) {
    const Transition& transition = system_.transitions[t];
    for (const FlatStep& step : steps_[t]) {
      if (!run_.holds(transition.guard, state_, transition.inputs, step.inputs)) continue;
      if (run_.advance(state_, step)) continue;  // which leaves the state as it is
      NumberedState next = numbered;
      auto note = [&](std::uint32_t v) { next[v] = number_of(v, state_[v]); };
      for (const Update& update : transition.updates) note(update.variable);
      for (std::uint32_t v : transition.open) note(v);
      add(state_, std::move(next));
      auto undo = [&](std::uint32_t v) { state_[v] = *values_[v][numbered[v]]; };
      for (const Update& update : transition.updates) undo(update.variable);
      for (std::uint32_t v : transition.open) undo(v);
    }
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::uint64_t claimed_;
  const smt::SolverFactory& solvers_;
  FlatRun run_;
  PlacedTransitions placed_;
  std::vector<std::vector<FlatStep>> steps_;  // by transition
  std::vector<std::vector<Value>> goal_choices_;
  std::vector<std::unordered_map<Value, std::uint32_t>> numbers_;  // by variable
  std::vector<std::vector<const Value*>> values_;                  // by variable, by number
  FlatState state_;                                                // the one that is expanded
  std::unordered_set<NumberedState, NumberedStateHash> seen_;
  std::vector<const NumberedState*> order_;
  RejectedWitness rejected_;
  std::string undecided_;
};

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_states(const TransitionSystem& system,
                                                     std::uint64_t states,
                                                     const smt::SolverFactory& solvers) {
  return StatesCheck(system, states, solvers)();
}

}  // namespace whittle
