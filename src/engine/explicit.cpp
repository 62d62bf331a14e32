// SPDX-License-Identifier: Apache-2.0
// Search by states: every state that can be reached is visited once, in the order of its distance
// from the first ones (breadth first), until one is a goal, none is new, or memory is full. There
// is no solver in it. Small finite systems, protocols and concurrent programs above all, have their
// answer before a solver has read the first formula, and the answer holds for any number of steps.
//
// A system is finite enough if its variables are Bool, Int, enumerations and arrays of these with
// a known length, and if its first states and the inputs of its steps can be listed
// (ir/finite_choices.h). That a counter grows for ever shows as memory that fills up.
//
// Terms become code over machine words (word_code.h), states are kept compactly (state_store.h),
// and only transitions that start where the state is are tried. A first path to a goal is a
// shortest one. The claim "no goal among all N states" is checked by visiting them again with the
// exact evaluator (witness/states_check.h).
#include "engine/explicit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "engine/state_store.h"
#include "engine/word_code.h"
#include "expr/traverse.h"
#include "ir/finite_choices.h"

namespace whittle {

namespace {

constexpr std::size_t kMostFirst = 200'000;   // states
constexpr std::size_t kMostChoices = 10'000;  // of one transition
constexpr std::uint32_t kPatience = 1'024;    // states between two looks at the clock

class Explicit {
 public:
  Explicit(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        machine_(pool_),
        visited_(env.statistics.counter("explicit.states")),
        limit_(*env.options.get<ExplicitOptions>().memory * 1'000'000) {}

  EngineResult run() {
    EngineResult result;
    result.reason = prepare();
    if (result.reason.empty()) result = search();
    return result;
  }

 private:
  struct Write {
    std::size_t place = 0;
    std::size_t cells = 0;  // 0: a single word
    WordCode index, value;
  };
  // A transition as code.
  struct Step {
    WordCode guard;  // and relation
    std::vector<Write> writes;
    std::vector<std::pair<std::size_t, std::size_t>> copies;  // chosen word, variable's word
    std::vector<std::vector<Value>> choices;
    std::vector<std::vector<std::int64_t>> chosen;  // the same as words
  };
  struct Origin {
    std::uint32_t parent = UINT32_MAX;
    std::uint32_t transition = 0;
    std::uint32_t choice = 0;
  };

  // ----- making code

  // Why the system cannot be searched; empty: it can.
  std::string prepare();
  std::string prepare_step(std::uint32_t transition);
  std::string prepare_update(const Update& update, Step& step);
  std::string prepare_goal();
  // Places for values that are chosen, after the state.
  std::string place_choices(const std::vector<SymbolId>& symbols, Expr condition,
                            std::vector<std::vector<Value>>& choices,
                            std::vector<std::vector<std::int64_t>>& words);
  [[nodiscard]] bool to_words(const Value& value, Type type, std::int64_t* words) const;
  [[nodiscard]] Value to_value(const std::int64_t* words, Type type) const;

  // ----- searching

  EngineResult search();
  void expand(std::uint32_t number);
  void take(std::uint32_t number, std::uint32_t transition);
  void apply(const Step& step);
  void add(const Origin& origin);  // the state in next_
  [[nodiscard]] FlatTrace trace_to(std::uint32_t number);

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  WordMachine machine_;
  Counter& visited_;
  std::uint64_t limit_;  // bytes

  std::vector<std::size_t> places_;  // by variable: first word
  std::size_t words_ = 0;            // of a state
  std::vector<FlatState> first_;
  std::vector<Step> steps_;  // by transition
  WordCode goal_;
  std::vector<std::vector<Value>> goal_choices_;
  std::vector<std::vector<std::int64_t>> goal_chosen_;
  PlacedTransitions placed_;

  std::unique_ptr<StateStore> store_;
  std::vector<Origin> origins_;                                 // by state
  std::vector<std::int64_t> now_, next_;                        // words of a state, and choices
  std::optional<std::pair<std::uint32_t, std::size_t>> found_;  // goal, and choice of its inputs
  std::string problem_;
};

// ----- making code

std::string Explicit::prepare() {
  if (system_.bound.min > 0) return "the question is for a number of steps";
  for (const StateVariable& variable : system_.variables) {
    const std::size_t count = machine_.words_of(variable.type);
    if (count == 0) return variable.name + " has values that are no machine words";
    places_.push_back(words_);
    machine_.place(variable.current, words_);
    words_ += count;
  }
  FlatRun run(system_);
  auto first = finite_first_states(system_, run, kMostFirst);
  if (!first) return "the first states cannot be listed";
  first_ = std::move(*first);
  now_.resize(words_);
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    if (auto problem = prepare_step(t); !problem.empty())
      return system_.transitions[t].name + ": " + problem;
    if (auto reason = env_.stop_reason(); !reason.empty()) return std::string(reason);
  }
  placed_ = place_transitions(system_);
  auto problem = prepare_goal();
  next_.resize(now_.size());
  return problem;
}

std::string Explicit::place_choices(const std::vector<SymbolId>& symbols, Expr condition,
                                    std::vector<std::vector<Value>>& choices,
                                    std::vector<std::vector<std::int64_t>>& words) {
  auto all = finite_tuples(FiniteChoices(pool_, condition), symbols, kMostChoices);
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

std::string Explicit::prepare_step(std::uint32_t transition) {
  const Transition& taken = system_.transitions[transition];
  Step step;
  const std::vector<SymbolId> symbols = chosen_symbols(system_, taken);
  const Expr condition = choosing_condition(system_, taken);
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

std::string Explicit::prepare_update(const Update& update, Step& step) {
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

std::string Explicit::prepare_goal() {
  const Goal& goal = system_.goal;
  auto problem = place_choices(goal.inputs, goal.condition, goal_choices_, goal_chosen_);
  if (!problem.empty()) return "the goal: " + problem;
  return machine_.compile(goal.condition, goal_) ? "" : "the goal: " + machine_.problem();
}

bool Explicit::to_words(const Value& value, Type type, std::int64_t* words) const {
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

Value Explicit::to_value(const std::int64_t* words, Type type) const {
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

// ----- searching

EngineResult Explicit::search() {
  store_ = std::make_unique<StateStore>(words_);
  EngineResult result;
  for (const FlatState& state : first_) {
    for (std::size_t v = 0; v < state.size(); ++v) {
      if (!to_words(state[v], system_.variables[v].type, &next_[places_[v]])) {
        result.reason = "numbers get too large";
        return result;
      }
    }
    add({});
    if (found_) break;
  }
  std::uint32_t at = 0;
  for (std::uint64_t depth = 0; !found_ && problem_.empty(); ++depth) {
    result.clear_to = depth;
    env_.report_depth("explicit", depth);
    const std::uint32_t end = store_->size();
    if (at == end || (system_.bound.max && depth >= *system_.bound.max)) {
      result.outcome = Outcome::Unreached;
      if (at == end) result.states = store_->size();
      break;
    }
    for (; at < end && !found_ && problem_.empty(); ++at) {
      expand(at);
      if (at % kPatience != 0 || !problem_.empty()) continue;
      problem_ = env_.stop_reason();
      if (store_->bytes() + origins_.size() * sizeof(Origin) > limit_)
        problem_ = fmt::format("memory for {} states", store_->size());
    }
  }
  visited_.raise_to(store_->size());
  if (found_) {
    result.outcome = Outcome::Reached;
    result.trace = trace_to(found_->first);
    result.shortest = true;
  } else if (result.outcome == Outcome::Unknown) {
    result.reason = problem_;
  }
  return result;
}

void Explicit::expand(std::uint32_t number) {
  store_->get(number, now_.data());
  auto take_all = [&](const std::vector<std::uint32_t>& list) {
    for (std::uint32_t t : list) {
      take(number, t);
      if (found_ || !problem_.empty()) return;
    }
  };
  for (const PlacedTransitions::Place& place : placed_.places) {
    take_all(place.there[static_cast<std::size_t>(now_[places_[place.variable]])]);
    if (found_ || !problem_.empty()) return;
  }
  take_all(placed_.anywhere);
}

void Explicit::take(std::uint32_t number, std::uint32_t transition) {
  const Step& step = steps_[transition];
  for (std::uint32_t c = 0; c < step.chosen.size(); ++c) {
    std::copy(step.chosen[c].begin(), step.chosen[c].end(),
              now_.begin() + static_cast<std::ptrdiff_t>(words_));
    if (machine_.run(step.guard, now_.data()) == 0) continue;
    apply(step);
    if (machine_.overflowed()) problem_ = "numbers get too large";
    if (!problem_.empty()) return;
    add({number, transition, c});
    if (found_) return;
  }
}

// All values are of the state before; later writes to one cell win.
void Explicit::apply(const Step& step) {
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

void Explicit::add(const Origin& origin) {
  const auto [number, fresh] = store_->add({next_.data(), words_});
  if (!fresh) return;
  origins_.push_back(origin);
  for (std::size_t c = 0; c < goal_chosen_.size() && !found_; ++c) {
    std::copy(goal_chosen_[c].begin(), goal_chosen_[c].end(),
              next_.begin() + static_cast<std::ptrdiff_t>(words_));
    if (machine_.run(goal_, next_.data()) != 0) found_.emplace(number, c);
  }
  if (machine_.overflowed()) {
    found_.reset();
    problem_ = "numbers get too large";
  }
}

FlatTrace Explicit::trace_to(std::uint32_t number) {
  FlatTrace trace;
  std::uint32_t at = number;
  const Origin* after = nullptr;
  for (; origins_[at].parent != UINT32_MAX; at = origins_[at].parent) {
    const Origin& origin = origins_[at];
    const bool again = after != nullptr && after->transition == origin.transition &&
                       after->choice == origin.choice;
    after = &origin;
    if (again) {
      ++trace.steps.back().times;
      continue;
    }
    const std::vector<Value>& choice = steps_[origin.transition].choices[origin.choice];
    trace.steps.push_back(chosen_step(system_, origin.transition, choice));
  }
  std::reverse(trace.steps.begin(), trace.steps.end());
  store_->get(at, now_.data());
  for (std::size_t v = 0; v < system_.variables.size(); ++v)
    trace.initial.push_back(to_value(&now_[places_[v]], system_.variables[v].type));
  trace.goal_inputs = goal_choices_[found_->second];
  return trace;
}

void declare(OptionSet& options) { options.add<ExplicitOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Explicit(system, env).run(); }

}  // namespace

const EngineInfo kExplicitInfo = {
    "explicit",
    "Search by states: visits every state of a finite system once, nearest first.",
    "reachability and invariants of finite systems for any number of steps, with shortest traces; "
    "unknown when memory is full or the first states or choices cannot be listed",
    declare,
    run,
};

}  // namespace whittle
