// SPDX-License-Identifier: Apache-2.0
// Swarm verification (Holzmann et al. 2011): many small searches, each in an order of its own,
// instead of a single large one. Breadth-first search must see all nearer states before a deep one;
// where they are too many, a search that goes deep at once finds deadlocks and violations in
// milliseconds, and one that is unlucky is given up soon for another.
//
// The searches take turns, each with a budget of states that doubles from round to round:
//
//   directed     greedy best-first search: the state that seems nearest to the goal
//                (goal_distance.h), the latest of them first; in later rounds now and then any
//   depth-first  the latest state first
//   walks        random walks from a first state, without memory of what was seen; every other one
//                by random priorities of transitions that change at few places (Burckhardt et al.
//                2010), so that one process can wait while another one goes far
//
// Successors are visited in random order, at most kMaxSuccessors of a state. The numbers come from
// a seed, so a run can be repeated.
//
// Inputs with very many values are sampled (simplify/flat/sampled_values.h).
//
// A trace that was found is shortened: to a shortest path among its own states, by leaving out
// steps (delta debugging, Zeller and Hildebrandt 2002), and by directed searches that count the
// steps made, too (weighted A*, Pohl 1970). It need not be a shortest one of the system. A search
// that ends by itself without having left anything out has seen all states, which is a proof as
// that of `explicit`. Where only the bound cut it off, there are few states within the bound:
// breadth-first search comes to each of them by a shortest way, and so clears the bound.
#include "engine/swarm.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "engine/concrete/goal_distance.h"
#include "engine/concrete/state_store.h"
#include "engine/concrete/word_system.h"
#include "engine/transformed.h"
#include "ir/lowering/relation_cases.h"
#include "simplify/flat/sampled_values.h"

namespace whittle::engine::swarm {

namespace {

using Step = WordSystem::Step;
using Words = WordSystem::Words;

constexpr std::uint64_t kFirstBudget = 2'000;  // states
constexpr std::uint32_t kPatience = 256;       // states between two looks at the clock
constexpr std::uint32_t kMaxSuccessors = 200;
constexpr std::uint32_t kDetour = 16;          // one of so many states is not the nearest
constexpr std::uint64_t kPriorityChanges = 3;  // of a walk
constexpr std::uint64_t kMaxBucket = 1'000'000;
constexpr std::uint64_t kShorteningBudget = 20'000;  // states
constexpr std::uint64_t kMaxReplayed = 3'000'000;    // steps, to leave some of them out

class Swarm {
 public:
  Swarm(const TransitionSystem& system, Env& env)
      : whole_(system),
        cases_(split_relations(system)),
        flat_(cases_.system),
        env_(env),
        system_(flat_),
        random_(*env.options.get<SwarmOptions>().seed),
        visited_(env.statistics.counter("swarm.states")),
        searches_(env.statistics.counter("swarm.searches")),
        limit_(*env.options.get<SwarmOptions>().memory * 1'000'000),
        max_depth_(system.bound.max.value_or(UINT32_MAX)) {}

  EngineResult run() {
    if (auto problem = system_.prepare(env_)) return EngineResult{Unknown{std::move(*problem)}};
    GoalDistance distance(flat_, system_);
    if (distance.known()) distance_ = &distance;
    std::uint64_t budget = kFirstBudget;
    for (std::uint64_t round = 0;; ++round, budget *= 2) {
      env_.report_depth("swarm", deepest_);
      detours_ = round > 0;
      if (distance_ != nullptr) search({1, 0}, budget);
      if (!over()) search({0, 0}, budget);
      if (!over()) walks(budget);
      if (!over() && few_within_bound_ && !searched_breadth_first_) {
        searched_breadth_first_ = true;
        search(kBreadthFirst, UINT64_MAX);
      }
      if (over()) break;
    }
    if (path_) {
      return EngineResult{
          Reached{joined_trace(whole_, cases_, trace_along(shortened(std::move(*path_))))}};
    }
    if (all_states_) return EngineResult{Unreachable{AllStates{*all_states_}}};
    if (cleared_) return EngineResult{Unreachable{UpToBound{}}};
    return EngineResult{Unknown{stopped_.value_or(Reason{})}};
  }

 private:
  // States with the least sum of these first, of those the latest; no factors: depth-first.
  struct Order {
    std::uint32_t distance = 0;
    std::uint32_t depth = 0;
    bool operator==(const Order&) const = default;
  };
  static constexpr Order kBreadthFirst = {0, 1};
  struct Origin {
    std::uint32_t parent = UINT32_MAX;
    Step step;
    std::uint32_t depth = 0;
  };
  struct Path {
    Words first;
    std::vector<Step> steps;
    std::size_t goal_choice = 0;
  };
  // States to be expanded, by distance.
  struct Open {
    std::vector<std::vector<std::uint32_t>> buckets;
    std::size_t least = 0;
    std::size_t count = 0;
  };

  void search(Order order, std::uint64_t budget);
  void add(const Origin& origin, Open& open);
  [[nodiscard]] std::uint32_t taken_from(Open& open, bool detour);
  void expand(std::uint32_t number, Open& open);
  [[nodiscard]] Path path_to(std::uint32_t number, std::size_t goal_choice) const;

  void walks(std::uint64_t budget);
  std::uint64_t walk(std::uint64_t length, bool by_priority);
  [[nodiscard]] std::optional<Step> random_step(bool by_priority);

  [[nodiscard]] Path shortened(Path path);
  [[nodiscard]] Path without_detours(Path path);
  [[nodiscard]] Path without_needless_steps(Path path);
  [[nodiscard]] std::optional<Path> replayed(const Path& path, const std::vector<bool>& without);
  [[nodiscard]] FlatTrace trace_along(const Path& path);

  void note_problem() {
    if (system_.problem().empty()) return;
    system_.clear_problem();
    complete_ = false;
  }
  [[nodiscard]] bool over() const { return path_ || all_states_ || cleared_ || stopped_; }
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }
  // The transitions that can start in system_.now(), in random order.
  void shuffle_transitions() {
    transitions_.clear();
    system_.each_transition([&](std::uint32_t t) {
      transitions_.push_back(t);
      return true;
    });
    for (std::size_t i = transitions_.size(); i > 1; --i)
      std::swap(transitions_[i - 1], transitions_[below(i)]);
  }

  const TransitionSystem& whole_;
  RelationCases cases_;
  const TransitionSystem& flat_;  // that of cases_
  Env& env_;
  WordSystem system_;
  GoalDistance* distance_ = nullptr;  // null: cannot be estimated
  std::mt19937_64 random_;
  Counter& visited_;
  Counter& searches_;
  std::uint64_t limit_;  // bytes
  std::uint64_t max_depth_;
  std::uint64_t deepest_ = 0;

  // Of the search at hand.
  Order order_;
  bool detours_ = false;
  bool complete_ = true;  // nothing was left out so far, but for the bound
  bool cut_ = false;      // by the bound
  std::unique_ptr<StateStore> store_;
  std::vector<Origin> origins_;  // by state
  std::vector<std::uint32_t> transitions_;
  std::vector<std::uint64_t> priorities_;  // by transition

  std::optional<Path> path_;  // to a goal
  std::optional<std::uint64_t> all_states_;
  bool cleared_ = false;           // no goal within the bound
  bool few_within_bound_ = false;  // a search came to its end
  bool searched_breadth_first_ = false;
  std::optional<Reason> stopped_;
};

// ----- searches that remember states

void Swarm::search(Order order, std::uint64_t budget) {
  ++searches_;
  order_ = order;
  complete_ = true;
  cut_ = false;
  store_ = std::make_unique<StateStore>(system_.words());
  origins_.clear();
  Open open;
  const std::size_t begin = below(std::max<std::size_t>(1, system_.first().size()));
  for (std::size_t i = 0; i < system_.first().size() && !over(); ++i) {
    system_.load_next(system_.first()[(begin + i) % system_.first().size()]);
    add({}, open);
    note_problem();
  }
  for (std::uint64_t count = 0; open.count > 0 && !over(); ++count) {
    if (store_->size() >= budget || store_->bytes() + origins_.size() * sizeof(Origin) > limit_)
      break;
    expand(taken_from(open, detours_ && order.distance > 0 && below(kDetour) == 0), open);
    if (count % kPatience == 0) stopped_ = env_.stopped();
  }
  if (open.count == 0 && !over() && complete_) {
    few_within_bound_ = cut_ && max_depth_ < kMaxBucket;  // deeper states share a bucket
    cleared_ = few_within_bound_ && order == kBreadthFirst;
    if (!cut_) all_states_ = store_->size();
  }
  visited_ += store_->size();
}

// The state in system_.next().
void Swarm::add(const Origin& origin, Open& open) {
  const auto [number, fresh] = store_->add(system_.next());
  if (!fresh) return;
  origins_.push_back(origin);
  deepest_ = std::max<std::uint64_t>(deepest_, origin.depth);
  if (const auto choice = system_.goal_choice()) {
    path_ = path_to(number, *choice);
    return;
  }
  const std::uint64_t left = order_.distance > 0 ? (*distance_)() : 0;
  const std::uint64_t sum = order_.distance * left + std::uint64_t{order_.depth} * origin.depth;
  const auto bucket = static_cast<std::size_t>(std::min(sum, kMaxBucket));
  if (bucket >= open.buckets.size()) open.buckets.resize(bucket + 1);
  open.buckets[bucket].push_back(number);
  open.least = std::min(open.least, bucket);
  ++open.count;
}

std::uint32_t Swarm::taken_from(Open& open, bool detour) {
  while (open.buckets[open.least].empty()) ++open.least;
  std::size_t bucket = open.least;
  if (detour) {
    bucket = below(open.buckets.size());
    while (open.buckets[bucket].empty()) bucket = (bucket + 1) % open.buckets.size();
  }
  const std::uint32_t number = open.buckets[bucket].back();
  open.buckets[bucket].pop_back();
  --open.count;
  return number;
}

void Swarm::expand(std::uint32_t number, Open& open) {
  const std::uint32_t depth = origins_[number].depth + 1;
  if (depth > max_depth_) {
    cut_ = true;
    return;
  }
  store_->get(number, system_.now());
  shuffle_transitions();
  std::uint32_t successors = 0;
  for (std::uint32_t t : transitions_) {
    const std::uint32_t choices = system_.choices(t);
    const std::uint32_t begin = choices > 1 ? below(choices) : 0;
    for (std::uint32_t i = 0; i < choices; ++i) {
      const Step step = {t, (begin + i) % choices};
      if (system_.take(step)) {
        add({number, step, depth}, open);
        if (++successors >= kMaxSuccessors) complete_ = false;
      }
      note_problem();
      if (path_ || successors >= kMaxSuccessors) return;
    }
  }
}

Swarm::Path Swarm::path_to(std::uint32_t number, std::size_t goal_choice) const {
  Path path;
  path.goal_choice = goal_choice;
  std::uint32_t at = number;
  for (; origins_[at].parent != UINT32_MAX; at = origins_[at].parent)
    path.steps.push_back(origins_[at].step);
  std::reverse(path.steps.begin(), path.steps.end());
  path.first.resize(system_.words());
  store_->get(at, path.first.data());
  return path;
}

// ----- random walks

void Swarm::walks(std::uint64_t budget) {
  if (system_.first().empty()) return;
  ++searches_;
  std::uint64_t longest = 16;
  bool by_priority = false;
  for (std::uint64_t count = 0; count < budget && !over();) {
    count += walk(std::min(longest, max_depth_), by_priority) + 1;
    by_priority = !by_priority;
    longest += longest / 8;  // up to all of the budget
  }
  visited_ += budget;
}

// Says how many steps it took.
std::uint64_t Swarm::walk(std::uint64_t length, bool by_priority) {
  Path path;
  path.first = system_.first()[below(system_.first().size())];
  system_.load(path.first);
  if (by_priority) {
    priorities_.resize(flat_.transitions.size());
    for (std::uint64_t& priority : priorities_) priority = random_();
  }
  const std::uint64_t change = length / (kPriorityChanges + 1) + 1;
  while (path.steps.size() < length && !over()) {
    const auto step = random_step(by_priority);
    if (!step) break;
    path.steps.push_back(*step);
    if (const auto choice = system_.goal_choice()) {
      path.goal_choice = *choice;
      path_ = std::move(path);
      return path_->steps.size();
    }
    system_.clear_problem();
    std::copy(system_.next().begin(), system_.next().end(), system_.now());
    if (by_priority && below(change) == 0) priorities_[step->transition] = random_() / 2;
    if (path.steps.size() % kPatience == 0) stopped_ = env_.stopped();
  }
  if (!over()) stopped_ = env_.stopped();
  deepest_ = std::max<std::uint64_t>(deepest_, path.steps.size());
  return path.steps.size();
}

// Takes it; none: the walk is stuck.
std::optional<Step> Swarm::random_step(bool by_priority) {
  shuffle_transitions();
  if (by_priority) {
    std::sort(transitions_.begin(), transitions_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return priorities_[a] > priorities_[b]; });
  }
  for (std::uint32_t t : transitions_) {
    const std::uint32_t choices = system_.choices(t);
    const std::uint32_t begin = choices > 1 ? below(choices) : 0;
    for (std::uint32_t i = 0; i < choices; ++i) {
      const Step step = {t, (begin + i) % choices};
      if (system_.take(step)) return step;
      system_.clear_problem();
    }
  }
  return std::nullopt;
}

// ----- traces

// Breadth first among the states of the path: circles and detours disappear.
Swarm::Path Swarm::without_detours(Path path) {
  store_ = std::make_unique<StateStore>(system_.words());
  StateStore& known = *store_;
  known.add(path.first);
  system_.load(path.first);
  for (const Step& step : path.steps) {
    if (!system_.take(step)) return path;
    known.add(system_.next());
    std::copy(system_.next().begin(), system_.next().end(), system_.now());
  }
  const std::uint32_t goal = known.add(system_.next()).first;
  const std::uint32_t count = known.size();
  if (path.steps.empty()) return path;
  constexpr std::uint32_t kUnseen = UINT32_MAX - 1;
  origins_.assign(count, Origin{kUnseen, {}, 0});
  origins_[0].parent = UINT32_MAX;
  std::vector<std::uint32_t> order = {0};
  for (std::size_t i = 0; i < order.size() && origins_[goal].parent == kUnseen; ++i) {
    if (i % kPatience == 0 && env_.stopped()) return path;
    const std::uint32_t from = order[i];
    known.get(from, system_.now());
    system_.each_step([&](Step step) {
      const auto to = known.find(system_.next());
      if (!to || origins_[*to].parent != kUnseen) return true;
      origins_[*to] = {from, step, origins_[from].depth + 1};
      order.push_back(*to);
      return *to != goal;
    });
    system_.clear_problem();
  }
  if (origins_[goal].parent == kUnseen) return path;
  return path_to(goal, path.goal_choice);
}

// Leaves out parts of what single processes do, half of it, a quarter, and so on; of what is left
// every step that is possible is taken.
Swarm::Path Swarm::without_needless_steps(Path path) {
  std::vector<std::uint32_t> process(flat_.transitions.size(), 0);  // by transition
  for (std::uint32_t place = 0; place < system_.placed().places.size(); ++place) {
    for (const auto& there : system_.placed().places[place].there) {
      for (std::uint32_t t : there) process[t] = place + 1;
    }
  }
  std::uint64_t replayed_steps = 0;
  for (std::size_t size = path.steps.size() / 2; size > 0; size /= 2) {
    std::vector<std::uint32_t> order;  // positions, by process
    const auto arrange = [&] {
      order.resize(path.steps.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return process[path.steps[a].transition] < process[path.steps[b].transition];
      });
    };
    arrange();
    for (std::size_t begin = 0; begin < order.size();) {
      replayed_steps += path.steps.size();
      if (replayed_steps > kMaxReplayed || env_.stopped()) return path;
      std::vector<bool> without(path.steps.size(), false);
      const std::size_t end = std::min(order.size(), begin + size);
      for (std::size_t i = begin; i < end; ++i) without[order[i]] = true;
      if (auto shorter = replayed(path, without)) {
        path = std::move(*shorter);
        arrange();
      } else {
        begin = end;
      }
    }
  }
  return path;
}

// The steps that are possible one after the other, if they lead to a goal.
std::optional<Swarm::Path> Swarm::replayed(const Path& path, const std::vector<bool>& without) {
  Path taken;
  taken.first = path.first;
  system_.load(path.first);
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    if (without[i]) continue;
    const bool possible = system_.take(path.steps[i]);
    system_.clear_problem();
    if (!possible) continue;
    taken.steps.push_back(path.steps[i]);
    if (const auto choice = system_.goal_choice()) {
      taken.goal_choice = *choice;
      return taken;
    }
    system_.clear_problem();
    std::copy(system_.next().begin(), system_.next().end(), system_.now());
  }
  return std::nullopt;
}

Swarm::Path Swarm::shortened(Path path) {
  path = without_needless_steps(without_detours(std::move(path)));
  path = without_detours(std::move(path));
  if (distance_ == nullptr) return path;
  detours_ = false;
  for (std::uint32_t weight : {4U, 2U, 1U}) {
    while (path.steps.size() > 1 && !stopped_) {
      path_.reset();
      all_states_.reset();
      max_depth_ = path.steps.size() - 1;
      search({weight, 1}, kShorteningBudget);
      if (!path_) break;
      path = without_detours(std::move(*path_));
    }
  }
  return path;
}

FlatTrace Swarm::trace_along(const Path& path) {
  FlatTrace trace;
  trace.initial = system_.flat(path.first.data());
  const Step* before = nullptr;
  for (const Step& step : path.steps) {
    const bool again =
        before != nullptr && before->transition == step.transition && before->choice == step.choice;
    before = &step;
    if (again)
      ++trace.steps.back().times;
    else
      trace.steps.push_back(system_.flat(step));
  }
  trace.goal_inputs = system_.goal_inputs(path.goal_choice);
  return trace;
}

void declare(OptionSet& options) { options.add<SwarmOptions>(); }

// Where choices cannot be listed, some of them are tried: then only a run that is found counts.
EngineResult run(const TransitionSystem& system, Env& env) {
  EngineResult result = Swarm(system, env).run();
  if (result.unknown() == nullptr || result.unknown()->reason.kind != Reason::Kind::Unsupported)
    return result;
  const FlatPipeline sampled(system, {simplify::with_sampled_values});
  if (!sampled.changed()) return result;
  EngineResult found = Swarm(sampled.system(), env).run();
  if (found.reached() != nullptr) return lifted(std::move(found), sampled);
  if (found.unknown() != nullptr) return found;
  return EngineResult{
      Unknown{{Reason::Kind::Incomplete, "no run was found with the values that were tried"}, {}}};
}

// What it has not found after some searches it seldom finds: its turns are short.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  const bool wanted = !question.bounded && question.concurrent && !question.large();
  if (!wanted || question.counts_far) return std::nullopt;
  return PresolveSlot{3, 0.05};
}

std::vector<RaceSlot> race(const QuestionProfile&) { return {RaceSlot{60}}; }

}  // namespace

}  // namespace whittle::engine::swarm

namespace whittle {

const EngineInfo kSwarmInfo = {
    "swarm",
    "Directed, depth-first and random search: many small searches by states that go deep at once.",
    "reachability of finite systems with large state spaces; traces need not be shortest, and a "
    "proof only where one of the searches has seen all states, or all within the bound; unknown "
    "otherwise",
    engine::swarm::declare,
    engine::swarm::run,
    std::nullopt,
    {.bounded = true, .clears_bounds = true, .unbounded = true, .traces = true},
    {engine::swarm::presolve, engine::swarm::race},
};

}  // namespace whittle
