// SPDX-License-Identifier: Apache-2.0
// A finite transition system as code over machine words (word_code.h): what engines that visit
// single states have in common. A state is a list of words, variables one after the other, arrays
// cell by cell; steps are taken from the state in `now()` to the one in `next()`.
//
//   WordSystem system(flat);
//   if (auto problem = system.prepare(env)) return Unknown{*problem};
//   system.load(system.first().front());
//   system.each_step([&](Step step) { ... system.next() ...; return true; });
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/concrete/word_code.h"
#include "engine/env.h"
#include "ir/run/finite_choices.h"

namespace whittle {

class WordSystem {
 public:
  using Words = std::vector<std::int64_t>;
  // A transition with one of the choices of its inputs and open variables.
  struct Step {
    std::uint32_t transition = 0;
    std::uint32_t choice = 0;
  };

  explicit WordSystem(const TransitionSystem& system);

  // Why there is no code for the system; empty: there is.
  std::optional<Reason> prepare(const Env& env);

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t place(std::uint32_t variable) const { return places_[variable]; }
  [[nodiscard]] std::size_t words_of(std::uint32_t variable) const {
    return machine_.words_of(system_.variables[variable].type);
  }
  [[nodiscard]] const std::vector<Words>& first() const { return first_; }
  [[nodiscard]] WordMachine& machine() { return machine_; }
  [[nodiscard]] const PlacedTransitions& placed() const { return placed_; }

  // The state whose steps are taken. Writable up to words().
  [[nodiscard]] std::int64_t* now() { return now_.data(); }
  void load(const Words& state) { std::copy_n(state.begin(), words_, now_.begin()); }
  // The state after the step.
  [[nodiscard]] std::span<const std::int64_t> next() const { return {next_.data(), words_}; }
  void load_next(const Words& state) { std::copy_n(state.begin(), words_, next_.begin()); }
  // Writable up to words().
  [[nodiscard]] std::int64_t* next_words() { return next_.data(); }

  // Calls `visit(Step)` for every step from now(), with its target in next(), until it says false
  // or there is a problem.
  template <class Visit>
  void each_step(Visit&& visit);
  // The same for one transition. Says whether to go on.
  template <class Visit>
  bool each_step_of(std::uint32_t transition, Visit&& visit);
  // Calls `visit(transition)` for those that can start where now() is, until it says false.
  template <class Visit>
  void each_transition(Visit&& visit) const;

  // Takes the step from now() and says true, or says false: it is not possible, or a problem.
  bool take(Step step) { return take(steps_[step.transition], step.choice); }
  [[nodiscard]] std::uint32_t choices(std::uint32_t transition) const {
    return static_cast<std::uint32_t>(steps_[transition].chosen.size());
  }

  // The words of next() with this choice of the inputs of the goal.
  [[nodiscard]] const std::int64_t* next_with_goal_choice(std::size_t choice);
  [[nodiscard]] std::size_t goal_choices() const { return goal_chosen_.size(); }
  // If next() is a goal: which choice of the inputs of the goal.
  [[nodiscard]] std::optional<std::size_t> goal_choice();
  // Why taking steps makes no sense any more; empty: it does.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  // For searches that leave such steps out.
  void clear_problem() { problem_.clear(); }

  [[nodiscard]] FlatStep flat(Step step) const;
  [[nodiscard]] FlatState flat(const std::int64_t* words) const;
  [[nodiscard]] const std::vector<Value>& goal_inputs(std::size_t choice) const {
    return goal_choices_[choice];
  }

 private:
  struct Write {
    std::size_t place = 0;
    std::size_t cells = 0;  // 0: a single word
    WordCode index, value;
  };
  struct Code {
    WordCode guard;  // and relation
    std::vector<Write> writes;
    std::vector<std::pair<std::size_t, std::size_t>> copies;  // chosen word, variable's word
    std::vector<std::vector<Value>> choices;
    std::vector<Words> chosen;  // the same as words
  };

  std::string prepare_first();
  std::string prepare_step(std::uint32_t transition);
  std::string prepare_update(const Update& update, Code& step);
  std::string prepare_goal();
  // Places for values that are chosen, after the state.
  std::string place_choices(const std::vector<SymbolId>& symbols, Expr condition,
                            std::vector<std::vector<Value>>& choices, std::vector<Words>& words);
  [[nodiscard]] bool to_words(const Value& value, Type type, std::int64_t* words) const;
  [[nodiscard]] Value to_value(const std::int64_t* words, Type type) const;

  // Is the step possible? Then it is taken, unless that ends in a problem.
  bool take(const Code& step, std::uint32_t choice);
  void apply(const Code& step);

  const TransitionSystem& system_;
  ExprPool& pool_;
  WordMachine machine_;
  std::vector<std::size_t> places_;  // by variable: first word
  std::size_t words_ = 0;            // of a state
  std::vector<Words> first_;
  std::vector<Code> steps_;  // by transition
  WordCode goal_;
  std::vector<std::vector<Value>> goal_choices_;
  std::vector<Words> goal_chosen_;
  PlacedTransitions placed_;
  Words now_, next_;  // a state, and choices
  std::string problem_;
};

template <class Visit>
bool WordSystem::each_step_of(std::uint32_t transition, Visit&& visit) {
  const Code& step = steps_[transition];
  for (std::uint32_t choice = 0; choice < step.chosen.size(); ++choice) {
    if (!take(step, choice)) {
      if (!problem_.empty()) return false;
      continue;
    }
    if (!visit(Step{transition, choice})) return false;
  }
  return true;
}

template <class Visit>
void WordSystem::each_transition(Visit&& visit) const {
  for (const PlacedTransitions::Place& place : placed_.places) {
    const auto location = static_cast<std::size_t>(now_[places_[place.variable]]);
    for (std::uint32_t t : place.there[location]) {
      if (!visit(t)) return;
    }
  }
  for (std::uint32_t t : placed_.anywhere) {
    if (!visit(t)) return;
  }
}

template <class Visit>
void WordSystem::each_step(Visit&& visit) {
  each_transition([&](std::uint32_t t) { return each_step_of(t, visit); });
}

}  // namespace whittle
