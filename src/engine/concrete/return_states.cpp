// SPDX-License-Identifier: Apache-2.0
// One search forwards that keeps the steps, then one backwards over them: linear in the steps. The
// states are as in explicit.cpp, and so are the limits of memory.
#include "engine/concrete/return_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "base/error.h"
#include "engine/concrete/state_store.h"
#include "engine/concrete/word_system.h"
#include "engine/explicit.h"
#include "ir/lowering/relation_cases.h"

namespace whittle {

namespace {

constexpr std::uint32_t kLookEvery = 1'024;  // states between two looks at the clock

class ReturnSearch {
 public:
  ReturnSearch(const TransitionSystem& system, std::uint64_t most, Env& env)
      : whole_(system),
        cases_(split_relations(system)),
        env_(env),
        system_(cases_.system),
        store_(0),
        most_(most),
        limit_(*env.options.get<ExplicitOptions>().memory * 1'000'000) {}

  ReturnStates run() {
    if (auto problem = system_.prepare(env_)) return *problem;
    store_ = StateStore(system_.words());
    if (auto problem = visit_all()) return *problem;
    const std::vector<char> returns = marked_backwards();
    const auto lost = std::find(returns.begin(), returns.end(), char{0});
    if (lost == returns.end()) return AllReturn{store_.size()};
    return joined_trace(whole_, cases_,
                        trace_to(static_cast<std::uint32_t>(lost - returns.begin())));
  }

 private:
  struct Origin {
    std::uint32_t parent = UINT32_MAX;  // a first state: none, and `transition` is its number
    WordSystem::Step step;
  };

  std::optional<Reason> visit_all() {
    for (std::uint32_t i = 0; i < system_.first().size(); ++i) {
      system_.load_next(system_.first()[i]);
      add({UINT32_MAX, {i, 0}});
    }
    for (std::uint32_t at = 0; at < store_.size(); ++at) {
      if (at % kLookEvery == 0) {
        if (auto problem = out_of_bounds()) return problem;
        env_.report_depth("explicit", at);
      }
      first_step_.push_back(targets_.size());
      store_.get(at, system_.now());
      system_.each_step([&](WordSystem::Step step) {
        targets_.push_back(add({at, step}));
        return system_.problem().empty();
      });
      if (!system_.problem().empty()) return Reason{Reason::Kind::Unsupported, system_.problem()};
    }
    first_step_.push_back(targets_.size());
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Reason> out_of_bounds() const {
    if (auto stop = env_.stopped()) return stop;
    const std::size_t bytes = store_.bytes() + origins_.capacity() * sizeof(Origin) +
                              targets_.capacity() * 2 * sizeof(std::uint32_t);
    if (bytes > limit_)
      return Reason{Reason::Kind::Memory, fmt::format("for {} states", store_.size())};
    if (store_.size() > most_)
      return Reason{Reason::Kind::Incomplete, fmt::format("there are more than {} states", most_)};
    return std::nullopt;
  }

  // The state in system_.next().
  std::uint32_t add(const Origin& origin) {
    const auto [number, fresh] = store_.add(system_.next());
    if (fresh) {
      origins_.push_back(origin);
      if (system_.goal_choice()) goals_.push_back(number);
    }
    return number;
  }

  // By state: is a goal reachable from it?
  [[nodiscard]] std::vector<char> marked_backwards() const {
    const std::uint32_t states = store_.size();
    // The steps by their target: where those of each begin, and where they come from.
    std::vector<std::size_t> begin(states + 1, 0);
    for (const std::uint32_t target : targets_) ++begin[target + 1];
    for (std::uint32_t state = 0; state < states; ++state) begin[state + 1] += begin[state];
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    std::vector<std::uint32_t> sources(targets_.size());
    for (std::uint32_t state = 0; state < states; ++state) {
      for (std::size_t i = first_step_[state]; i < first_step_[state + 1]; ++i)
        sources[next[targets_[i]]++] = state;
    }
    std::vector<char> marked(states, 0);
    std::vector<std::uint32_t> open = goals_;
    for (const std::uint32_t goal : goals_) marked[goal] = 1;
    while (!open.empty()) {
      const std::uint32_t state = open.back();
      open.pop_back();
      for (std::size_t i = begin[state]; i < begin[state + 1]; ++i) {
        if (marked[sources[i]] != 0) continue;
        marked[sources[i]] = 1;
        open.push_back(sources[i]);
      }
    }
    return marked;
  }

  [[nodiscard]] FlatTrace trace_to(std::uint32_t number) {
    FlatTrace trace;
    std::uint32_t at = number;
    for (; origins_[at].parent != UINT32_MAX; at = origins_[at].parent)
      trace.steps.push_back(system_.flat(origins_[at].step));
    std::reverse(trace.steps.begin(), trace.steps.end());
    trace.initial = system_.flat(system_.first()[origins_[at].step.transition].data());
    return trace;
  }

  const TransitionSystem& whole_;
  RelationCases cases_;
  Env& env_;
  WordSystem system_;
  StateStore store_;
  std::uint64_t most_;                   // states
  std::uint64_t limit_;                  // bytes
  std::vector<Origin> origins_;          // by state
  std::vector<std::size_t> first_step_;  // by state: its first one in targets_
  std::vector<std::uint32_t> targets_;   // of steps
  std::vector<std::uint32_t> goals_;
};

}  // namespace

ReturnStates states_that_return(const TransitionSystem& system, std::uint64_t most, Env& env) {
  WHITTLE_REQUIRE(system.goal.inputs.empty(), "a condition on states");
  try {
    return ReturnSearch(system, most, env).run();
  } catch (const LimitReached& limit) {
    return limit.reason();
  }
}

}  // namespace whittle
