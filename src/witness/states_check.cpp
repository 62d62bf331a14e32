// SPDX-License-Identifier: Apache-2.0
#include "witness/states_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "expr/traverse.h"
#include "ir/lowering/relation_cases.h"
#include "ir/run/finite_choices.h"
#include "ir/transition_terms.h"
#include "witness/reduction_check.h"

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
              const smt::SolverFactory& solvers, const StateReduction& reduction,
              const StatesSeen& listener)
      : system_(system),
        pool_(*system.pool),
        claimed_(claimed),
        solvers_(solvers),
        reduction_(reduction),
        listener_(listener),
        run_(system),
        placed_(place_transitions(system)),
        numbers_(system.variables.size()),
        values_(system.variables.size()),
        state_(system.variables.size()),
        changed_(system.variables.size()) {}

  Expected<WitnessCheck, RejectedWitness> operator()() {
    list_choices();
    find_own();
    if (!rejected_.reason.empty()) return Unexpected{rejected_};
    if (undecided_) return WitnessCheck::unchecked(*undecided_);
    auto first = finite_first_states(system_, run_, kMostFirst);
    if (!first) return Unexpected{RejectedWitness{"the first states cannot be listed"}};
    for (const FlatState& state : *first) {
      state_ = state;
      NumberedState numbered;
      for (std::uint32_t v = 0; v < state.size(); ++v) numbered.push_back(number_of(v, state[v]));
      forget_dead_values(numbered);
      add(std::move(numbered));
    }
    for (std::size_t at = 0; at < order_.size() && rejected_.reason.empty(); ++at) {
      if (at % kPatience == 0 && solvers_.settings().limits.deadline.passed()) {
        return WitnessCheck::unchecked(
            {"",
             "",
             {Reason::Kind::Incomplete,
              fmt::format("{} of {} states were seen again", at, claimed_)}});
      }
      expand(static_cast<std::uint32_t>(at), *order_[at]);
    }
    if (rejected_.reason.empty() && order_.size() != claimed_)
      rejected_.reason = fmt::format("there are {} states, not {}", order_.size(), claimed_);
    if (!rejected_.reason.empty()) return Unexpected{rejected_};
    return WitnessCheck::by_whom("second search");
  }

 private:
  // Lists what first states and steps choose from, and makes sure that this is all.
  void list_choices() {
    std::vector<SymbolId> symbols;
    for (const StateVariable& variable : system_.variables) symbols.push_back(variable.current);
    complete(symbols, system_.init, kMostFirst, "the first states");
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const Transition& transition = system_.transitions[t];
      const Expr condition = step_condition(*system_.pool, transition);
      const std::vector<SymbolId> chosen = chosen_symbols(system_, transition);
      complete(chosen, condition, kMostChoices, transition.name);
      auto all = finite_tuples(FiniteChoices(pool_, condition), chosen, kMostChoices);
      if (!all) rejected_.reason = "the choices of " + transition.name + " cannot be listed";
      if (!rejected_.reason.empty() || undecided_) return;
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
    if (!rejected_.reason.empty() || undecided_) return;
    const FiniteChoices choices(pool_, condition);
    std::vector<Expr> elsewhere;
    for (SymbolId symbol : symbols) {
      const Type type = pool_.info(symbol).type;
      const auto values = choices.of(symbol, most);
      if (!values) {
        rejected_.reason = "the choices of " + whose + " cannot be listed";
        return;
      }
      elsewhere.push_back(other_value(pool_.symbol(symbol), type, *values));
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
        undecided_ = {std::string(smt::info(solvers_.settings().id).name), "choices",
                      result.reason};
        return;
    }
  }

  // The term has none of the values. Arrays with a length are compared in their cells: what the
  // solver's array has beyond them is free, and nothing reads it.
  Expr other_value(Expr term, Type type, const std::vector<Value>& values) {
    const TypeInfo& info = pool_.info(type);
    const bool cells =
        info.kind == TypeKind::Array && info.length && pool_.kind(info.index) == TypeKind::Int;
    std::vector<Expr> none;
    if (!cells) {
      for (const Value& value : values) none.push_back(pool_.ne(term, pool_.constant(value, type)));
      return pool_.conj(none);
    }
    const Type element = info.element;
    std::vector<Expr> read;                   // by cell: its term
    std::vector<std::vector<Value>> by_cell;  // the values that it has in the list
    std::size_t combinations = 1;
    for (std::uint64_t i = 0; i < *info.length; ++i) {
      read.push_back(pool_.select(term, pool_.integer(Integer(i))));
      std::set<Value> different;
      for (const Value& value : values) different.insert(value.as_array().at(Value(Integer(i))));
      combinations *= std::max<std::size_t>(different.size(), 1);
      if (combinations > values.size()) break;
      by_cell.emplace_back(different.begin(), different.end());
    }
    if (combinations == std::set<Value>(values.begin(), values.end()).size()) {
      // All combinations are listed: then some cell has another value. This is a formula as large
      // as the cells' lists, not as the product of them.
      std::vector<Expr> some;
      for (std::size_t i = 0; i < read.size(); ++i)
        some.push_back(other_value(read[i], element, by_cell[i]));
      return pool_.disj(some);
    }
    for (const Value& value : values) {
      std::vector<Expr> some;
      for (std::uint64_t i = 0; i < *info.length; ++i) {
        some.push_back(pool_.ne(pool_.select(term, pool_.integer(Integer(i))),
                                pool_.constant(value.as_array().at(Value(Integer(i))), element)));
      }
      none.push_back(pool_.disj(some));
    }
    return pool_.conj(none);
  }

  std::uint32_t number_of(std::uint32_t variable, const Value& value) {
    auto& known = values_[variable];
    const auto [it, fresh] =
        numbers_[variable].try_emplace(value, static_cast<std::uint32_t>(known.size()));
    if (fresh) known.push_back(&it->first);
    return it->second;
  }

  // The numbers of state_. Its place in the order.
  std::uint32_t add(NumberedState numbered) {
    const auto [it, fresh] =
        seen_.try_emplace(std::move(numbered), static_cast<std::uint32_t>(order_.size()));
    if (!fresh) return it->second;
    order_.push_back(&it->first);
    for (const std::vector<Value>& choice : goal_choices_) {
      if (run_.holds(system_.goal.condition, state_, system_.goal.inputs, choice))
        rejected_.reason = "one of the states is a goal";
    }
    return it->second;
  }

  [[nodiscard]] bool is_at(const ThreadLocations& at) const {
    const std::uint32_t location = state_[at.thread].as_enum().index;
    return std::find(at.locations.begin(), at.locations.end(), location) != at.locations.end();
  }

  void forget_dead_values(NumberedState& numbered) {
    for (const DeadValue& dead : reduction_.dead) {
      if (!is_at(dead.at)) continue;
      state_[dead.variable] = pool_.default_value(system_.variables[dead.variable].type);
      numbered[dead.variable] = number_of(dead.variable, state_[dead.variable]);
    }
  }

  // Only the steps of a thread at an ample location, if there are any.
  bool expand_ample(const NumberedState& numbered) {
    for (const AmpleLocation& ample : reduction_.ample) {
      if (!is_at({ample.thread, {ample.location}}) ||
          std::any_of(ample.unless.begin(), ample.unless.end(),
                      [&](const ThreadLocations& at) { return is_at(at); }))
        continue;
      bool taken = false;
      for (std::uint32_t t : own_.at({ample.thread, ample.location})) taken |= take(numbered, t);
      if (taken) return true;
    }
    return false;
  }

  // The transitions of threads with ample locations, by where they start.
  void find_own() {
    for (const AmpleLocation& ample : reduction_.ample) {
      auto& own = own_[{ample.thread, ample.location}];
      for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
        if (start_of(system_, t, ample.thread) == ample.location) own.push_back(t);
      }
    }
  }

  void expand(std::uint32_t at, const NumberedState& numbered) {
    for (std::uint32_t v = 0; v < numbered.size(); ++v) state_[v] = *values_[v][numbered[v]];
    at_ = at;
    if (listener_.on_state) listener_.on_state(at, state_);
    if (expand_ample(numbered)) return;
    for (const PlacedTransitions::Place& place : placed_.places) {
      const std::uint32_t location = state_[place.variable].as_enum().index;
      for (std::uint32_t t : place.there[location]) take(numbered, t);
    }
    for (std::uint32_t t : placed_.anywhere) take(numbered, t);
  }

  // state_ is the state before the step, and is so again afterwards. Was there a step?
  bool take(const NumberedState& numbered, std::uint32_t t) {
    const Transition& transition = system_.transitions[t];
    bool taken = false;
    for (const FlatStep& step : steps_[t]) {
      if (!run_.holds(transition.guard, state_, transition.inputs, step.inputs)) continue;
      if (run_.advance(state_, step)) continue;  // which leaves the state as it is
      taken = true;
      NumberedState next = numbered;
      auto note = [&](std::uint32_t v) { next[v] = number_of(v, state_[v]); };
      for (const Update& update : transition.updates) note(update.variable);
      for (std::uint32_t v : transition.open) note(v);
      forget_dead_values(next);
      for (std::uint32_t v = 0; v < next.size(); ++v) changed_[v] = next[v] != numbered[v] ? 1 : 0;
      const std::uint32_t to = add(std::move(next));
      if (listener_.on_step) listener_.on_step(at_, to, t);
      for (std::uint32_t v = 0; v < numbered.size(); ++v) {
        if (changed_[v] != 0) state_[v] = *values_[v][numbered[v]];
      }
    }
    return taken;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::uint64_t claimed_;
  const smt::SolverFactory& solvers_;
  const StateReduction& reduction_;
  const StatesSeen& listener_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> own_;
  FlatRun run_;
  PlacedTransitions placed_;
  std::vector<std::vector<FlatStep>> steps_;  // by transition
  std::vector<std::vector<Value>> goal_choices_;
  std::vector<std::unordered_map<Value, std::uint32_t>> numbers_;  // by variable
  std::vector<std::vector<const Value*>> values_;                  // by variable, by number
  FlatState state_;                                                // the one that is expanded
  std::vector<char> changed_;                                      // by variable: in the last step
  std::unordered_map<NumberedState, std::uint32_t, NumberedStateHash> seen_;  // with its place
  std::vector<const NumberedState*> order_;
  std::uint32_t at_ = 0;  // the place of the one that is expanded
  RejectedWitness rejected_;
  std::optional<WitnessCheck::Gap> undecided_;
};

}  // namespace

Expected<WitnessCheck, RejectedWitness> check_states(const TransitionSystem& system,
                                                     std::uint64_t states,
                                                     const smt::SolverFactory& solvers,
                                                     const StateReduction& reduction,
                                                     const StatesSeen& seen) {
  const RelationCases cases = split_relations(system);
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    if (!system.transitions[t].relation.valid()) continue;
    const auto solver = solvers.make(*system.pool, "cases");
    solver->require(lost_steps(system, cases, t));
    const smt::CheckResult result = solver->check();
    switch (result.answer) {
      case smt::Answer::Unsat:
        break;
      case smt::Answer::Sat:
        return Unexpected{
            RejectedWitness{"the cases of " + system.transitions[t].name + " leave out a step"}};
      case smt::Answer::Unknown:
        return WitnessCheck::unchecked(
            {solver->name(), "cases of " + system.transitions[t].name, result.reason});
    }
  }
  if (auto problem = reduction_problem(cases.system, reduction))
    return Unexpected{RejectedWitness{"the reduction does not hold: " + *problem}};
  return StatesCheck(cases.system, states, solvers, reduction, seen)();
}

}  // namespace whittle
