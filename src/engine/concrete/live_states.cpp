// SPDX-License-Identifier: Apache-2.0
#include "engine/concrete/live_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace whittle {

namespace {

constexpr std::size_t kMostSets = 64;
constexpr std::uint64_t kLook = 1'024;  // states between two looks at the clock

}  // namespace

LiveStates::LiveStates(const TransitionSystem& system, std::uint64_t bytes)
    : system_(system), limit_(bytes), words_(system) {}

std::optional<Reason> LiveStates::prepare(const Env& env) {
  env_ = &env;
  const auto unsupported = [](std::string why) {
    return Reason{Reason::Kind::Unsupported, std::move(why)};
  };
  if (auto problem = words_.prepare(env)) return problem;
  const std::vector<AcceptanceSet>& sets = *system_.acceptance;
  if (sets.size() + system_.strong.size() > kMostSets)
    return unsupported(fmt::format("there are more than {} acceptance sets", kMostSets));
  by_transition_.resize(system_.transitions.size());
  std::uint64_t bit = 1;
  for (const AcceptanceSet& set : sets) {
    sets_ |= bit;
    for (std::uint32_t t : set.transitions) by_transition_[t] |= bit;
    WordCode code;
    if (!words_.machine().compile(set.condition, code))
      return unsupported(words_.machine().problem());
    if (!system_.pool->is_false(set.condition)) conditions_.emplace_back(std::move(code), bit);
    bit <<= 1U;
  }
  for (const StrongFairness& unit : system_.strong) {
    for (std::uint32_t t : unit.transitions) by_transition_[t] |= bit;
    WordCode code;
    if (!words_.machine().compile(unit.enabled, code))
      return unsupported(words_.machine().problem());
    possible_.emplace_back(std::move(code), bit);
    bit <<= 1U;
  }
  store_ = StateStore(words_.words());
  for (const WordSystem::Words& state : words_.first()) {
    const auto [number, fresh] = store_.add(state);
    if (fresh) first_.push_back(number);
  }
  return std::nullopt;
}

LiveMarks LiveStates::of_now() {
  LiveMarks marks;
  for (const auto& [code, bit] : conditions_) {
    if (words_.machine().run(code, words_.now()) != 0) marks.met |= bit;
  }
  for (const auto& [code, bit] : possible_) {
    if (words_.machine().run(code, words_.now()) != 0) marks.possible |= bit;
  }
  return marks;
}

void LiveStates::successors(std::uint32_t state, std::vector<LiveArc>& arcs) {
  if (++looks_ % kLook == 0) {
    problem_ = env_->stopped();
    if (store_.bytes() + arcs.capacity() * sizeof(LiveArc) > limit_)
      problem_ = Reason{Reason::Kind::Memory, fmt::format("for {} states", store_.size())};
    if (problem_) return;
  }
  store_.get(state, words_.now());
  now_ = of_now();
  expanded_ = state;
  words_.each_step([&](WordSystem::Step step) {
    arcs.push_back(
        {store_.add(words_.next()).first, {now_.met | by_transition_[step.transition], 0}, step});
    return true;
  });
  note_problem();
}

LiveMarks LiveStates::marks_of(std::uint32_t state) {
  WHITTLE_REQUIRE(state == expanded_ || problem_, "the state whose steps were asked for last");
  return {0, now_.possible};
}

void LiveStates::note_problem() {
  if (!words_.problem().empty()) problem_ = Reason{Reason::Kind::Unsupported, words_.problem()};
}

// ----- parts of components

// Marks a list of states while it lives.
struct LiveStates::Inside {
  Inside(LiveStates& of, const std::vector<std::uint32_t>& states)
      : all(of.inside_), number(++of.inside_count_) {
    all.resize(std::max<std::size_t>(all.size(), of.size()), 0);
    for (std::uint32_t state : states) all[state] = number;
  }
  bool operator()(std::uint32_t state) const { return state < all.size() && all[state] == number; }

  std::vector<std::uint32_t>& all;
  std::uint32_t number;
};

LiveMarks LiveStates::marks_inside(const std::vector<std::uint32_t>& part) {
  const Inside inside(*this, part);
  LiveMarks marks;
  std::vector<LiveArc> arcs;
  for (std::uint32_t state : part) {
    arcs.clear();
    successors(state, arcs);
    marks.possible |= now_.possible;
    for (const LiveArc& arc : arcs) {
      if (inside(arc.target)) marks.met |= arc.marks.met;
    }
  }
  return marks;
}

// Strongly connected parts of a set of states (Tarjan 1972), those without a step left out.
std::vector<std::vector<std::uint32_t>> LiveStates::parts(
    const std::vector<std::uint32_t>& states) {
  const Inside inside(*this, states);
  struct Visit {
    std::uint32_t state = 0, low = 0;
    bool loops = false;
    std::vector<std::uint32_t> targets;
    std::size_t next = 0;
  };
  std::unordered_map<std::uint32_t, std::uint32_t> number;  // 0: in a part that is complete
  std::vector<Visit> path;
  std::vector<std::uint32_t> open;
  std::vector<LiveArc> arcs;
  std::vector<std::vector<std::uint32_t>> result;
  std::uint32_t count = 0;
  const auto enter = [&](std::uint32_t state) {
    number[state] = ++count;
    open.push_back(state);
    arcs.clear();
    successors(state, arcs);
    Visit visit{state, count, false, {}, 0};
    for (const LiveArc& arc : arcs) {
      if (inside(arc.target)) visit.targets.push_back(arc.target);
      if (arc.target == state) visit.loops = true;
    }
    path.push_back(std::move(visit));
  };
  for (std::uint32_t start : states) {
    if (!number.contains(start)) enter(start);
    while (!path.empty() && !problem_) {
      Visit& visit = path.back();
      if (visit.next < visit.targets.size()) {
        const std::uint32_t target = visit.targets[visit.next++];
        const auto known = number.find(target);
        if (known == number.end())
          enter(target);
        else if (known->second != 0)
          visit.low = std::min(visit.low, known->second);
        continue;
      }
      const Visit done = std::move(path.back());
      path.pop_back();
      if (!path.empty()) path.back().low = std::min(path.back().low, done.low);
      if (done.low != number[done.state]) continue;
      std::vector<std::uint32_t> part;
      do {
        part.push_back(open.back());
        number[open.back()] = 0;
        open.pop_back();
      } while (part.back() != done.state);
      if (part.size() > 1 || done.loops) result.push_back(std::move(part));
    }
    if (problem_) return {};
  }
  return result;
}

std::vector<std::uint32_t> LiveStates::fair_part(std::vector<std::uint32_t> component) {
  std::vector<std::vector<std::uint32_t>> waiting = parts(component);
  std::vector<LiveArc> arcs;
  while (!waiting.empty() && !problem_) {
    const std::vector<std::uint32_t> part = std::move(waiting.back());
    waiting.pop_back();
    const LiveMarks marks = marks_inside(part);
    if (problem_) break;
    if (accepting(marks)) return part;
    if (!could_accept(marks)) continue;
    const std::uint64_t unfair = marks.possible & ~marks.met;
    std::vector<std::uint32_t> left;
    for (std::uint32_t state : part) {
      store_.get(state, words_.now());
      if ((of_now().possible & unfair) == 0) left.push_back(state);
    }
    for (auto& smaller : parts(left)) waiting.push_back(std::move(smaller));
  }
  return {};
}

// ----- the run

namespace {

// A shortest way over steps that `may` be taken to one that is a goal.
class ShortestWay {
 public:
  ShortestWay(LiveStates& states, std::function<bool(const LiveArc&)> may)
      : states_(states), may_(std::move(may)) {}

  // Steps, without the state where it begins; empty: there is none.
  std::vector<LiveArc> operator()(const std::vector<std::uint32_t>& from,
                                  const std::function<bool(const LiveArc&)>& goal) {
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, LiveArc>> reached_by;
    std::deque<std::uint32_t> open;
    std::vector<LiveArc> arcs;
    for (std::uint32_t state : from) {
      if (reached_by.emplace(state, std::pair(kNone, LiveArc())).second) open.push_back(state);
    }
    for (; !open.empty() && !states_.problem(); open.pop_front()) {
      arcs.clear();
      states_.successors(open.front(), arcs);
      for (const LiveArc& arc : arcs) {
        if (!may_(arc)) continue;
        if (goal(arc)) {
          std::vector<LiveArc> way = {arc};
          begin_ = open.front();
          for (auto at = reached_by.at(begin_); at.first != kNone; at = reached_by.at(begin_)) {
            way.push_back(at.second);
            begin_ = at.first;
          }
          std::reverse(way.begin(), way.end());
          return way;
        }
        if (reached_by.emplace(arc.target, std::pair(open.front(), arc)).second)
          open.push_back(arc.target);
      }
    }
    return {};
  }
  // The first state of the last way.
  [[nodiscard]] std::uint32_t begin() const { return begin_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  LiveStates& states_;
  std::function<bool(const LiveArc&)> may_;
  std::uint32_t begin_ = 0;
};

}  // namespace

FlatTrace LiveStates::lasso(const std::vector<std::uint32_t>& component) {
  LiveMarks wanted = marks_inside(component);
  wanted.met &= sets_ | wanted.possible;
  const std::uint32_t seen = size();
  const Inside inside(*this, component);
  std::uint32_t start = 0;
  std::uint32_t entry = 0;
  std::vector<LiveArc> run;
  const auto here = std::find_if(first_.begin(), first_.end(), std::cref(inside));
  if (here != first_.end()) {
    start = entry = *here;
  } else {
    ShortestWay stem(*this, [&](const LiveArc& arc) { return arc.target < seen; });
    run = stem(first_, [&](const LiveArc& arc) { return inside(arc.target); });
    if (run.empty()) return {};
    start = stem.begin();
    entry = run.back().target;
  }
  FlatTrace trace;
  trace.loop = run.size();
  ShortestWay around(*this, [&](const LiveArc& arc) { return inside(arc.target); });
  std::uint32_t at = entry;
  std::uint64_t missing = wanted.met;
  while (!problem_ && (missing != 0 || run.size() == *trace.loop || at != entry)) {
    const std::vector<LiveArc> way = around({at}, [&](const LiveArc& arc) {
      return missing != 0 ? (arc.marks.met & missing) != 0 : arc.target == entry;
    });
    if (way.empty()) break;
    for (const LiveArc& arc : way) missing &= ~arc.marks.met;
    run.insert(run.end(), way.begin(), way.end());
    at = way.back().target;
  }
  WHITTLE_REQUIRE(problem_ || at == entry, "a component is connected");
  store_.get(start, words_.now());
  trace.initial = words_.flat(words_.now());
  for (const LiveArc& arc : run) trace.steps.push_back(words_.flat(arc.step));
  return trace;
}

}  // namespace whittle
