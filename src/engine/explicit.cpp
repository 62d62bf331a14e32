// SPDX-License-Identifier: Apache-2.0
// Search by states: every state that can be reached is visited once, in the order of its distance
// from the first ones (breadth first), until one is a goal, none is new, or memory is full. There
// is no solver in it. Small finite systems, protocols and concurrent programs above all, have their
// answer before a solver has read the first formula, and the answer holds for any number of steps.
//
// A system is finite enough if its variables are Bool, Int, enumerations and arrays of these with
// a known length, and if its first states and the inputs of its steps can be listed
// (ir/run/finite_choices.h; word_system.h makes code of them). That a counter grows for ever shows
// as memory that fills up.
//
#include "engine/explicit.h"
#include "engine/concrete/reduced_steps.h"
#include "engine/concrete/state_store.h"
#include "engine/concrete/word_system.h"
#include "engine/reduction/find_reduction.h"
#include "ir/lowering/relation_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/concrete/reduced_steps.h"
#include "engine/concrete/state_store.h"
#include "engine/concrete/word_system.h"
#include "engine/reduction/find_reduction.h"
#include "ir/lowering/relation_cases.h"

namespace whittle::engine::explicit_states {

namespace {

constexpr std::uint32_t kPatience = 1'024;  // states between two looks at the clock

class Explicit {
 public:
  Explicit(const TransitionSystem& system, Env& env)
      : whole_(system),
        cases_(split_relations(system)),
        flat_(cases_.system),
        env_(env),
        system_(flat_),
        visited_(env.statistics.counter("explicit.states")),
        limit_(*env.options.get<ExplicitOptions>().memory * 1'000'000),
        plain_(*env.options.get<ExplicitOptions>().plain) {}

  EngineResult run() {
    if (auto problem = system_.prepare(env_)) return EngineResult{Unknown{std::move(*problem)}};
    if (!flat_.bound.max) {
      reduction_ = find_reduction(flat_);
      if (!reduction_.empty())
        reduced_ = std::make_unique<ReducedSteps>(flat_, system_, reduction_);
    }
    if (!reduced_) return search(UINT64_MAX);
    std::optional<std::uint64_t> clear_to;
    if (plain_ > 0) {
      std::unique_ptr<ReducedSteps> reduced = std::move(reduced_);
      EngineResult plain = search(plain_);
      if (plain.unknown() == nullptr || env_.stopped()) return plain;
      clear_to = plain.unknown()->clear_to;
      env_.log.debug("explicit: after {} states the search begins again, reduced", plain_);
      reduced_ = std::move(reduced);
    }
    EngineResult result = search(UINT64_MAX);
    // Depths of the reduced search are not those of the system.
    if (Unknown* unknown = result.unknown()) unknown->clear_to = clear_to;
    return result;
  }

 private:
  struct Origin {
    std::uint32_t parent = UINT32_MAX;  // a first state: none, and `transition` is its number
    WordSystem::Step step;
  };

  EngineResult search(std::uint64_t most);  // states
  void expand(std::uint32_t number);
  void add(const Origin& origin);  // the state in system_.next()
  void note_problem();
  [[nodiscard]] FlatTrace trace_to(std::uint32_t number);
  [[nodiscard]] bool over() const { return found_ || problem_; }

  const TransitionSystem& whole_;
  RelationCases cases_;
  const TransitionSystem& flat_;  // that of cases_
  Env& env_;
  WordSystem system_;
  Counter& visited_;
  std::uint64_t limit_;  // bytes
  std::uint64_t plain_;  // states
  StateReduction reduction_;
  std::unique_ptr<ReducedSteps> reduced_;  // none: all steps are taken

  std::unique_ptr<StateStore> store_;
  std::vector<Origin> origins_;                                 // by state
  std::optional<std::pair<std::uint32_t, std::size_t>> found_;  // goal, and choice of its inputs
  std::optional<Reason> problem_;
};

EngineResult Explicit::search(std::uint64_t most) {
  store_ = std::make_unique<StateStore>(system_.words());
  origins_.clear();
  problem_.reset();
  system_.clear_problem();
  std::optional<std::uint64_t> clear_to;
  std::optional<Unreachable> unreachable;
  for (std::uint32_t i = 0; i < system_.first().size() && !over(); ++i) {
    system_.load_next(system_.first()[i]);
    add({UINT32_MAX, {i, 0}});
  }
  std::uint32_t at = 0;
  for (std::uint64_t depth = 0; !over(); ++depth) {
    clear_to = depth;
    env_.report_depth("explicit", depth);
    const std::uint32_t end = store_->size();
    if (at == end || (flat_.bound.max && depth >= *flat_.bound.max)) {
      unreachable.emplace();
      if (at == end)
        unreachable->why = AllStates{store_->size(), reduced_ ? reduction_ : StateReduction{}};
      break;
    }
    for (; at < end && !over(); ++at) {
      expand(at);
      if (at % kPatience != 0 || over()) continue;
      problem_ = env_.stopped();
      if (store_->bytes() + origins_.size() * sizeof(Origin) > limit_)
        problem_ = Reason{Reason::Kind::Memory, fmt::format("for {} states", store_->size())};
      if (store_->size() > most)
        problem_ = Reason{Reason::Kind::Incomplete, "more states than are searched plainly"};
    }
  }
  visited_.raise_to(store_->size());
  if (found_)
    return EngineResult{
        Reached{joined_trace(whole_, cases_, trace_to(found_->first)), reduced_ == nullptr}};
  if (unreachable) return EngineResult{std::move(*unreachable)};
  return EngineResult{Unknown{problem_.value_or(Reason{}), clear_to}};
}

void Explicit::expand(std::uint32_t number) {
  store_->get(number, system_.now());
  const auto visit = [&](WordSystem::Step step) {
    add({number, step});
    return !over();
  };
  if (reduced_)
    reduced_->each_step(visit);
  else
    system_.each_step(visit);
  if (!found_ && !problem_) note_problem();
}

void Explicit::add(const Origin& origin) {
  if (reduced_) reduced_->forget_dead_values();
  const auto [number, fresh] = store_->add(system_.next());
  if (!fresh) return;
  origins_.push_back(origin);
  if (const auto choice = system_.goal_choice()) found_.emplace(number, *choice);
  if (!found_) note_problem();
}

void Explicit::note_problem() {
  if (!system_.problem().empty()) problem_ = Reason{Reason::Kind::Unsupported, system_.problem()};
}

FlatTrace Explicit::trace_to(std::uint32_t number) {
  FlatTrace trace;
  std::uint32_t at = number;
  const Origin* after = nullptr;
  for (; origins_[at].parent != UINT32_MAX; at = origins_[at].parent) {
    const Origin& origin = origins_[at];
    const bool again = after != nullptr && after->step.transition == origin.step.transition &&
                       after->step.choice == origin.step.choice;
    after = &origin;
    if (again)
      ++trace.steps.back().times;
    else
      trace.steps.push_back(system_.flat(origin.step));
  }
  std::reverse(trace.steps.begin(), trace.steps.end());
  trace.initial = system_.flat(system_.first()[origins_[at].step.transition].data());
  trace.goal_inputs = system_.goal_inputs(found_->second);
  return trace;
}

void declare(OptionSet& options) { options.add<ExplicitOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Explicit(system, env).run(); }

// Processes that interleave have many states, but often few enough to see them all; invariants are
// rare there, and long.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (question.bounded) return PresolveSlot{9, 0.05};
  if (question.large() || question.counts_far) return std::nullopt;
  return PresolveSlot{question.concurrent ? 2 : 9, 0.05};
}

std::vector<RaceSlot> race(const QuestionProfile& question) {
  const std::chrono::milliseconds second(1000);
  if (question.bounded) return {RaceSlot{35, second}};
  if (question.concurrent) return {RaceSlot{20, 5 * second}};
  return {RaceSlot{50}};
}

}  // namespace

}  // namespace whittle::engine::explicit_states

namespace whittle {

const EngineInfo kExplicitInfo = {
    "explicit",
    "Search by states: visits every state of a finite system once, nearest first.",
    "reachability and invariants of finite systems for any number of steps, with shortest traces; "
    "unknown when memory is full or the first states or choices cannot be listed",
    engine::explicit_states::declare,
    engine::explicit_states::run,
    std::nullopt,
    {.bounded = true, .clears_bounds = true, .unbounded = true, .traces = true, .shortest = true},
    {engine::explicit_states::presolve, engine::explicit_states::race, 0.2},
};

}  // namespace whittle
