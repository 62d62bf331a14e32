// SPDX-License-Identifier: Apache-2.0
#include "engine/concrete/word_system.h"

#include <algorithm>

#include "expr/traverse.h"
#include "ir/transition_terms.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxFirstStates = 200'000;
constexpr std::size_t kMaxChoices = 10'000;  // of one transition

}  // namespace

WordSystem::WordSystem(const TransitionSystem& system)
    : system_(system), pool_(*system.pool), machine_(pool_) {}

std::optional<Reason> WordSystem::prepare(const Env& env) {
  const auto unsupported = [](std::string why) {
    return Reason{Reason::Kind::Unsupported, std::move(why)};
  };
  if (system_.bound.min > 0) return unsupported("the question is for a number of steps");
  for (const StateVariable& variable : system_.variables) {
    const std::size_t count = machine_.words_of(variable.type);
    if (count == 0) return unsupported(variable.name + " has values that are no machine words");
    places_.push_back(words_);
    machine_.place(variable.current, words_);
    words_ += count;
  }
  if (auto problem = prepare_first(); !problem.empty()) return unsupported(problem);
  now_.resize(words_);
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    if (auto problem = prepare_step(t); !problem.empty())
      return unsupported(system_.transitions[t].name + ": " + problem);
    if (auto stop = env.stopped()) return stop;
  }
  placed_ = place_transitions(system_);
  auto problem = prepare_goal();
  next_.resize(now_.size());
  if (!problem.empty()) return unsupported(problem);
  return std::nullopt;
}

std::string WordSystem::prepare_first() {
  FlatRun run(system_);
  const auto first = finite_first_states(system_, run, kMaxFirstStates);
  if (!first) return "the first states cannot be listed";
  for (const FlatState& state : *first) {
    Words& words = first_.emplace_back(words_);
    for (std::size_t v = 0; v < state.size(); ++v) {
      if (!to_words(state[v], system_.variables[v].type, &words[places_[v]]))
        return "numbers get too large";
    }
  }
  return "";
}

std::string WordSystem::place_choices(const std::vector<SymbolId>& symbols, Expr condition,
                                      std::vector<std::vector<Value>>& choices,
                                      std::vector<Words>& words) {
  auto all = finite_tuples(FiniteChoices(pool_, condition), symbols, kMaxChoices);
  if (!all) return "its choices cannot be listed";
  choices = std::move(*all);
  std::size_t place = words_;
  for (SymbolId symbol : symbols) {
    if (machine_.words_of(pool_.info(symbol).type) != 1) return "it chooses arrays";
    machine_.place(symbol, place++);
  }
  now_.resize(std::max(now_.size(), place));
  for (const std::vector<Value>& choice : choices) {
    auto& list = words.emplace_back(choice.size());
    for (std::size_t i = 0; i < choice.size(); ++i) {
      if (!to_words(choice[i], pool_.info(symbols[i]).type, &list[i])) return "too large numbers";
    }
  }
  return "";
}

std::string WordSystem::prepare_step(std::uint32_t transition) {
  const Transition& taken = system_.transitions[transition];
  Code step;
  const std::vector<SymbolId> symbols = chosen_symbols(system_, taken);
  const Expr condition = step_condition(*system_.pool, taken);
  if (auto problem = place_choices(symbols, condition, step.choices, step.chosen); !problem.empty())
    return problem;
  for (std::size_t i = 0; i < taken.open.size(); ++i)
    step.copies.emplace_back(words_ + taken.inputs.size() + i, places_[taken.open[i]]);
  if (!machine_.compile(condition, step.guard)) return machine_.problem();
  for (const Update& update : taken.updates) {
    if (auto problem = prepare_update(update, step); !problem.empty()) return problem;
  }
  steps_.push_back(std::move(step));
  return "";
}

std::string WordSystem::prepare_update(const Update& update, Code& step) {
  const StateVariable& variable = system_.variables[update.variable];
  const std::size_t place = places_[update.variable];
  const std::size_t cells =
      pool_.kind(variable.type) == TypeKind::Array ? machine_.words_of(variable.type) : 0;
  auto write = [&](Expr index, Expr value, std::size_t where, std::size_t count) {
    Write& one = step.writes.emplace_back();
    one.place = where;
    one.cells = count;
    return (!index.valid() || machine_.compile(index, one.index)) &&
           machine_.compile(value, one.value);
  };
  if (cells == 0) return write(Expr(), update.value, place, 0) ? std::string() : machine_.problem();
  // Cells that are written, the one that is written last at the end; or all of them.
  std::vector<std::pair<Expr, Expr>> stores;
  Expr base = update.value;
  for (; pool_.op(base) == Op::Store; base = pool_.child(base, 0))
    stores.emplace_back(pool_.child(base, 1), pool_.child(base, 2));
  std::reverse(stores.begin(), stores.end());
  if (pool_.is_variable(base) && pool_.symbol_of(base) == variable.current) {
    for (const auto& [index, value] : stores) {
      if (!write(index, value, place, cells)) return machine_.problem();
    }
    return "";
  }
  for (std::size_t i = 0; i < cells; ++i) {
    const Expr index = pool_.integer(Integer(static_cast<unsigned long>(i)));
    if (!write(Expr(), pool_.select(update.value, index), place + i, 0)) return machine_.problem();
  }
  return "";
}

std::string WordSystem::prepare_goal() {
  const Goal& goal = system_.goal;
  auto problem = place_choices(goal.inputs, goal.condition, goal_choices_, goal_chosen_);
  if (!problem.empty()) return "the goal: " + problem;
  return machine_.compile(goal.condition, goal_) ? "" : "the goal: " + machine_.problem();
}

bool WordSystem::to_words(const Value& value, Type type, std::int64_t* words) const {
  const TypeInfo& info = pool_.info(type);
  if (info.kind == TypeKind::Array) {
    for (std::uint64_t i = 0; i < *info.length; ++i) {
      if (!to_words(value.as_array().at(Value(Integer(i))), info.element, words + i)) return false;
    }
    return true;
  }
  if (value.is_bool()) *words = value.as_bool() ? 1 : 0;
  if (value.is_enum()) *words = value.as_enum().index;
  if (!value.is_integer()) return true;
  const auto number = value.as_integer().to_int64();
  if (!number || *number != static_cast<std::int32_t>(*number)) return false;
  *words = *number;
  return true;
}

Value WordSystem::to_value(const std::int64_t* words, Type type) const {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return Value(*words != 0);
    case TypeKind::Enum:
      return Value(EnumValue{static_cast<std::uint32_t>(*words)});
    case TypeKind::Array: {
      ArrayValue array{pool_.default_value(info.element), {}};
      for (std::uint64_t i = 0; i < *info.length; ++i)
        array.put(Value(Integer(i)), to_value(words + i, info.element));
      return pool_.normalized(Value::array(std::move(array)), type);
    }
    default:
      return Value(Integer(static_cast<long>(*words)));
  }
}

FlatStep WordSystem::flat(Step step) const {
  return chosen_step(system_, step.transition, steps_[step.transition].choices[step.choice]);
}

FlatState WordSystem::flat(const std::int64_t* words) const {
  FlatState state;
  for (std::size_t v = 0; v < system_.variables.size(); ++v)
    state.push_back(to_value(words + places_[v], system_.variables[v].type));
  return state;
}

bool WordSystem::take(const Code& step, std::uint32_t choice) {
  std::copy(step.chosen[choice].begin(), step.chosen[choice].end(),
            now_.begin() + static_cast<std::ptrdiff_t>(words_));
  const bool possible = machine_.run(step.guard, now_.data()) != 0;
  if (possible) apply(step);
  if (machine_.overflowed()) problem_ = "numbers get too large";
  return possible && problem_.empty();
}

// All values are of the state before; later writes to one cell win.
void WordSystem::apply(const Code& step) {
  std::copy_n(now_.begin(), words_, next_.begin());
  for (const auto& [chosen, place] : step.copies) next_[place] = now_[chosen];
  for (const Write& write : step.writes) {
    std::size_t place = write.place;
    if (write.cells > 0) {
      const std::int64_t index = machine_.run(write.index, now_.data());
      if (index < 0 || static_cast<std::size_t>(index) >= write.cells) {
        problem_ = "a write outside an array";
        return;
      }
      place += static_cast<std::size_t>(index);
    }
    const std::int64_t word = machine_.run(write.value, now_.data());
    if (word != static_cast<std::int32_t>(word)) problem_ = "numbers get too large";
    next_[place] = word;
  }
}

const std::int64_t* WordSystem::next_with_goal_choice(std::size_t choice) {
  const Words& chosen = goal_chosen_[choice];
  std::copy(chosen.begin(), chosen.end(), next_.begin() + static_cast<std::ptrdiff_t>(words_));
  return next_.data();
}

std::optional<std::size_t> WordSystem::goal_choice() {
  std::optional<std::size_t> found;
  for (std::size_t c = 0; c < goal_chosen_.size() && !found; ++c) {
    if (machine_.run(goal_, next_with_goal_choice(c)) != 0) found = c;
  }
  if (!machine_.overflowed()) return found;
  problem_ = "numbers get too large";
  return std::nullopt;
}

}  // namespace whittle
