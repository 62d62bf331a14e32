// SPDX-License-Identifier: Apache-2.0
// Backward reachability by cubes, which finds the projection of a run along with the run.
//
// A set of states is a cube (cube_builder.h): what has to hold for the goal to come about. Its
// variables are what projection.cpp calls live. The preimage of a cube C under a transition t is
//
//   pre(t, C)  =  guard of t  and  C with the updates of t substituted,
//
// again a cube or a few. If t writes no variable of C, that is a part of C itself, and a
// run that takes t there is one step longer than need be: only transitions that write something
// live are looked at. What is overwritten is no longer live, what is read is: the
// backward walk of projection.cpp, for all runs at once instead of one. A program counter that
// nothing needs is not in the cube, so a process that does not matter never moves.
//
// Theorem. A shortest run to the goal is found: along it every step matters (projection.cpp), so
// every one of its suffixes begins in a cube that the search makes, and different runs that need
// the same things meet in one cube.
//
// The order is that of A* (Hart, Nilsson, Raphael 1968): first the cube for which g, the steps
// behind it, and h, the least number of steps that may lead to it from a first state, add up to the
// least. h is the larger of
//   - the steps that the program counters in the cube need at least, added up where every
//     transition moves one of them only, and
//   - the first depth at which ranges (depth_bounds.h) allow all literals of the cube together.
// Where g + h is larger than the bound the cube is left out. So the first cube that has a first
// state in it gives a shortest run, and while the least sum is d, no run of fewer steps exists.
//
// Compared with formulas (random programs of 4 to 8 processes, `whittle bench projections`,
// Litmus): some hundred to some thousand cubes, where a SAT solver needs as many conflicts for a
// single depth, each a hundred times as expensive.
//
// Where nothing is left to look at, no state of a cube that was made is reachable, and together
// with what the distances rest on that is an invariant: a transition into a cube begins in one.
//
// Not supported: relations between old and new values, and inputs that several literals mention.
#include "engine/preimage/backward_search.h"

#include <algorithm>

#include "absint/interval/first_states.h"
#include "engine/path/path_trace.h"
#include "engine/preimage/cube_builder.h"
#include "engine/preimage/cube_store.h"
#include "engine/preimage/preimage.h"
#include "expr/traverse.h"
#include "ir/symbol_variables.h"

namespace whittle {

namespace {

constexpr std::uint32_t kNone = CubeNode::kNone;
constexpr std::uint64_t kNoBound = 1'000'000'000;
constexpr std::size_t kMaxCubes = 3'000'000;
constexpr std::size_t kMaxExcluded = 5'000;        // cubes, in an invariant
constexpr std::uint64_t kMaxSolverCalls = 200;     // about first states
constexpr std::uint64_t kCubesPerClockCheck = 16;  // cubes between two looks at the clock

}  // namespace

class BackwardSearch::Search {
 public:
  Search(const TransitionSystem& system, Env& env, const DistanceSettings& settings);

  State run(std::uint64_t effort);
  [[nodiscard]] Expr invariant();

  State state = State::Searching;
  FlatTrace trace;
  std::uint64_t clear = 0;  // no run of fewer steps
  std::uint64_t looked_at = 0;
  std::uint64_t calls = 0;

 private:
  // Where a new cube comes from.
  struct Origin {
    std::uint32_t steps = 0;
    std::uint32_t next = kNone;
    std::uint32_t via = kNone;
  };

  // What was done so far: literals handled, with those that were only compared as a fraction, and
  // terms looked at.
  [[nodiscard]] std::uint64_t work() const {
    return handled_ + cubes_.compared() / 8 + builder_.work();
  }
  void add(const Cube& cube, const Origin& origin);
  [[nodiscard]] bool has_first_state(const Cube& cube);
  void expand(std::uint32_t node);
  [[nodiscard]] Expr condition(const Cube& cube);
  void finish(std::uint32_t node);
  [[nodiscard]] std::optional<FlatTrace> run_along(std::span<const std::uint32_t> path);

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  std::uint64_t most_;
  SymbolVariables variables_;
  FirstStates first_;
  CubeBuilder builder_;
  CubeStore cubes_;
  StartDistance distance_;
  Preimage preimage_;
  std::unique_ptr<smt::Solver> solver_;            // knows the first states; null: not needed yet
  std::uint64_t handled_ = 0;                      // literals, in steps back
  std::vector<std::vector<std::uint32_t>> queue_;  // by steps + distance; the last one is next
  std::uint64_t least_ = 0;                        // nothing in the queue is before this
};

BackwardSearch::Search::Search(const TransitionSystem& system, Env& env,
                               const DistanceSettings& settings)
    : system_(system),
      env_(env),
      pool_(*system.pool),
      most_(settings.most.value_or(kNoBound)),
      variables_(system),
      first_(system, variables_),
      builder_(pool_),
      cubes_(builder_),
      distance_(system, variables_, first_, builder_, settings),
      preimage_(system, variables_, builder_) {
  if (distance_.nothing_starts()) return;
  const Preimage::Dnf goals = preimage_.unsupported() ? std::nullopt : preimage_.goals();
  if (!goals) {
    state = State::Unsupported;
    return;
  }
  for (const Cube& goal : *goals) add(goal, {});
}

// ----- cubes

void BackwardSearch::Search::add(const Cube& cube, const Origin& origin) {
  const std::uint32_t n = cubes_.find_or_add(cube);
  if (cubes_[n].steps <= origin.steps) return;
  cubes_[n].steps = origin.steps;
  cubes_[n].next = origin.next;
  cubes_[n].via = origin.via;
  if (cubes_.is_part_of_another(n)) return;
  if (!cubes_[n].known) {
    cubes_.note_as_larger(n);
    std::uint64_t distance = distance_(cube, 0);
    const bool first = distance == 0 && has_first_state(cube);
    if (distance == 0 && !first) distance = distance_(cube, 1);
    cubes_[n].distance = distance;
    cubes_[n].has_first_state = first;
    cubes_[n].known = true;
  }
  const CubeNode& node = cubes_[n];
  if (node.distance > most_ || node.steps + node.distance > most_) return;
  const std::uint64_t sum = node.steps + node.distance;
  if (sum >= queue_.size()) queue_.resize(sum + 1);
  queue_[sum].push_back(n);
  least_ = std::min(least_, sum);
}

bool BackwardSearch::Search::has_first_state(const Cube& cube) {
  std::vector<Expr> parts;
  for (LiteralId id : cube) {
    const Expr part = first_.in_all(builder_.condition(id));
    if (pool_.is_false(part)) return false;
    if (!pool_.is_true(part)) parts.push_back(part);
  }
  if (first_.one() && parts.empty()) return true;
  if (calls < kMaxSolverCalls) {
    ++calls;
    if (!solver_) {
      solver_ = env_.solvers.make(pool_, "start");
      solver_->require(system_.init);
    }
    switch (solver_->check_assuming(parts).answer) {
      case smt::Answer::Sat:
        return true;
      case smt::Answer::Unsat:
        return false;
      case smt::Answer::Unknown:
        break;
    }
  }
  state = State::Unsupported;
  return false;
}

// ----- the search

// Only by transitions that write a variable of the cube.
void BackwardSearch::Search::expand(std::uint32_t n) {
  const Cube cube = cubes_.cube(n);
  for (std::uint32_t t : preimage_.writers(cube)) {
    handled_ += cube.size();
    const Preimage::Dnf before = preimage_.of(cube, t);
    if (!before) state = State::Unsupported;
    if (state != State::Searching) return;
    for (const Cube& part : *before) add(part, {cubes_[n].steps + 1, n, t});
  }
}

BackwardSearch::State BackwardSearch::Search::run(std::uint64_t effort) {
  const std::uint64_t until = work() + effort;
  while (state == State::Searching) {
    while (least_ < queue_.size() && queue_[least_].empty()) ++least_;
    clear = std::max(clear, least_);
    if (least_ >= queue_.size()) {
      state = State::Nothing;
    } else if (cubes_.size() >= kMaxCubes) {
      state = State::Unsupported;
    } else if (work() >= until || (looked_at % kCubesPerClockCheck == 0 && env_.stopped())) {
      break;
    } else {
      const std::uint32_t n = queue_[least_].back();
      queue_[least_].pop_back();
      if (cubes_[n].steps + cubes_[n].distance != least_) continue;  // by a shorter way meanwhile
      ++looked_at;
      if (cubes_[n].has_first_state)
        finish(n);
      else
        expand(n);
    }
  }
  return state;
}

// Of cubes of which one is part of another, the larger one says all. Where there is no first state,
// nothing is reachable; and what made the system smaller may have relied on that.
Expr BackwardSearch::Search::invariant() {
  if (distance_.nothing_starts()) return pool_.boolean(false);
  std::vector<Cube> all;
  for (std::uint32_t n = 0; n < cubes_.size(); ++n) {
    if (cubes_[n].known && cubes_[n].distance != StartDistance::kNever)
      all.push_back(cubes_.cube(n));
  }
  std::sort(all.begin(), all.end(),
            [](const Cube& a, const Cube& b) { return a.size() < b.size(); });
  std::vector<Cube> kept;
  for (const Cube& cube : all) {
    const bool part = std::any_of(kept.begin(), kept.end(), [&](const Cube& larger) {
      return builder_.implies(cube, larger);
    });
    if (part) continue;
    if (kept.size() == kMaxExcluded) return {};
    kept.push_back(cube);
  }
  std::optional<std::vector<Expr>> parts = distance_.invariant();
  if (!parts) return {};
  for (const Cube& cube : kept) parts->push_back(pool_.negate(condition(cube)));
  return pool_.conj(*parts);
}

// Literals have no order, but where one of them divides, another says by what not: first those
// that are always defined.
Expr BackwardSearch::Search::condition(const Cube& cube) {
  std::vector<Expr> literals;
  for (LiteralId id : cube) literals.push_back(builder_.condition(id));
  std::stable_partition(literals.begin(), literals.end(),
                        [&](Expr literal) { return pool_.total(literal); });
  for (Expr& literal : literals) {
    if (!pool_.total(literal)) literal = pool_.conj(definedness(pool_, literal), literal);
  }
  return pool_.conj(literals);
}

// ----- the run

void BackwardSearch::Search::finish(std::uint32_t n) {
  std::vector<std::uint32_t> path;
  for (; cubes_[n].via != kNone; n = cubes_[n].next) path.push_back(cubes_[n].via);
  std::optional<FlatTrace> found = run_along(path);
  state = found ? State::Found : State::Unsupported;
  if (found) trace = std::move(*found);
}

// Where there is nothing to choose, no solver is needed.
std::optional<FlatTrace> BackwardSearch::Search::run_along(std::span<const std::uint32_t> path) {
  const bool chooses = std::any_of(path.begin(), path.end(), [&](std::uint32_t t) {
    const Transition& transition = system_.transitions[t];
    return !transition.inputs.empty() || !transition.open.empty();
  });
  if (!first_.one() || chooses || !system_.goal.inputs.empty()) {
    auto found = trace_along(system_, path, env_);
    if (!found) return std::nullopt;
    return std::move(*found);
  }
  FlatTrace result;
  for (const std::optional<Value>& value : first_.values()) result.initial.push_back(*value);
  for (std::uint32_t t : path) {
    if (!result.steps.empty() && result.steps.back().transition == t)
      ++result.steps.back().times;
    else
      result.steps.emplace_back().transition = t;
  }
  if (flat_trace_problem(system_, result)) return std::nullopt;
  return result;
}

// ----- for others

BackwardSearch::BackwardSearch(const TransitionSystem& system, Env& env,
                               const DistanceSettings& settings)
    : search_(std::make_unique<Search>(system, env, settings)) {}
BackwardSearch::~BackwardSearch() = default;
BackwardSearch::State BackwardSearch::run(std::uint64_t effort) { return search_->run(effort); }
std::uint64_t BackwardSearch::clear() const { return search_->clear; }
const FlatTrace& BackwardSearch::trace() const { return search_->trace; }
Expr BackwardSearch::invariant() { return search_->invariant(); }
std::uint64_t BackwardSearch::looked_at() const { return search_->looked_at; }

}  // namespace whittle
