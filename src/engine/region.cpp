// SPDX-License-Identifier: Apache-2.0
// Runs that go on for ever without coming back to a state: a loop that can be taken again and again
// from every state of a region (live/loop_region.h), and a run to such a state. On unbounded
// numbers most violations of liveness are like this: `x := x + 1` has no lasso.
//
//   1. loops: simple cycles of the control graph, shortest first; then those on runs of some
//   length,
//      which go round inner loops a few times
//   2. regions for each of them
//   3. is one of the regions reachable? Asked of bounded search first, of searches without a
//      bound for all together then
//
// Answers Reached or Unknown, never Unreached: that no loop was found means nothing.
#include "engine/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/engines.h"
#include "engine/invariants/state_constraints.h"
#include "engine/live/components.h"
#include "engine/live/loop_region.h"
#include "engine/pdr.h"
#include "ir/run/flat_run.h"

namespace whittle::engine::region {

namespace {

using Loop = std::vector<std::uint32_t>;  // transitions

constexpr std::size_t kMaxCycle = 24;
constexpr std::size_t kMostWaiting = 6;  // regions that are asked about together
constexpr std::size_t kRegionsPerLoop = 4;
constexpr std::chrono::milliseconds kBoundedTime{700};
constexpr std::chrono::milliseconds kProofTime{5000};

class RegionEngine {
 public:
  RegionEngine(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        options_(env.options.get<RegionOptions>()),
        safety_(system),
        constraints_(safety_, env),
        regions_(system, env) {
    safety_.acceptance.reset();
    safety_.bound = {};
    safety_.goal = {pool_.boolean(true), {}};
  }

  EngineResult run() {
    if (!constraints_.deduce()) return unknown(env_.stopped().value_or(Reason{}));
    collect_cycles();
    if (auto found = try_loops()) return *found;
    for (std::uint64_t length = 10; length <= *options_.length && !env_.stopped(); length *= 2) {
      env_.report_depth("region", length);
      if (!collect_from_run(length)) break;
      if (auto found = try_loops()) return *found;
    }
    if (auto found = reach_waiting(Effort::Proof)) return *found;
    if (auto stop = env_.stopped()) return unknown(*stop);
    return unknown({Reason::Kind::Incomplete, "no loop that can be taken for ever was found"});
  }

 private:
  enum class Effort : std::uint8_t { Bounded, Proof };
  struct Candidate {
    Loop loop;
    FlatRegion region;
  };
  struct Pending {
    Loop loop;
    std::uint32_t node;  // where it begins
  };

  [[nodiscard]] const absint::ControlGraph& graph() const { return constraints_.graph(); }

  void offer(Loop loop, std::uint32_t node) {
    if (tried_ + loops_.size() >= *options_.loops || !known_.insert({node, loop}).second) return;
    loops_.push_back({std::move(loop), node});
  }

  // Simple cycles of components, from their least node on.
  void collect_cycles() {
    std::vector<live::GraphEdge> edges;
    std::vector<char> out;
    for (const absint::ControlEdge& e : graph().edges()) {
      edges.push_back({e.from, e.to});
      out.push_back(pool_.is_false(constraints_.at(e.from)) ? 1 : 0);
    }
    for (const auto& component : live::cyclic_components(graph().size(), edges, out)) {
      std::map<std::uint32_t, std::vector<std::uint32_t>> leaving;
      for (const std::uint32_t e : component) leaving[edges[e].from].push_back(e);
      for (const auto& [node, first] : leaving) cycles_from(node, leaving);
    }
    std::stable_sort(loops_.begin(), loops_.end(), [](const Pending& a, const Pending& b) {
      return a.loop.size() < b.loop.size();
    });
  }

  void cycles_from(std::uint32_t start,
                   const std::map<std::uint32_t, std::vector<std::uint32_t>>& leaving) {
    constexpr std::size_t kMaxVisits = 20'000;
    struct Frame {
      std::uint32_t node;
      std::size_t next;
    };
    std::vector<Frame> frames = {{start, 0}};
    Loop path;
    std::set<std::uint32_t> on_path = {start};
    for (std::size_t visits = 0; !frames.empty() && visits < kMaxVisits; ++visits) {
      Frame& frame = frames.back();
      const auto& edges = leaving.at(frame.node);
      if (frame.next == edges.size() || frames.size() > kMaxCycle) {
        on_path.erase(frame.node);
        frames.pop_back();
        if (!path.empty()) path.pop_back();
        continue;
      }
      const absint::ControlEdge& edge = graph().edges()[edges[frame.next++]];
      if (edge.to == start) {
        Loop loop = path;
        loop.push_back(edge.transition);
        offer(std::move(loop), start);
      } else if (edge.to > start && on_path.insert(edge.to).second) {
        path.push_back(edge.transition);
        frames.push_back({edge.to, 0});
      }
    }
  }

  // Parts of a run that lead back to a node. False: there is no run of this length.
  bool collect_from_run(std::uint64_t length) {
    TransitionSystem longer = safety_;
    longer.bound.min = length;
    longer.bound.max = length;
    const auto trace = searched(longer, *find_engine("bmc"), kBoundedTime * 4);
    if (!trace) return false;
    Loop steps;
    for (const FlatStep& step : trace->steps)
      for (std::uint64_t i = 0; i < step.times; ++i) steps.push_back(step.transition);
    const std::vector<std::uint32_t> nodes = nodes_along(*trace, steps);
    constexpr std::size_t kEnds = 4;
    for (std::size_t end = steps.size(); end > 0 && end + kEnds > steps.size(); --end) {
      for (std::size_t begin = end; begin-- > 0 && end - begin <= kMaxCycle;)
        if (nodes[begin] == nodes[end])
          offer(Loop(steps.begin() + begin, steps.begin() + end), nodes[begin]);
    }
    return true;
  }

  [[nodiscard]] std::vector<std::uint32_t> nodes_along(const FlatTrace& trace, const Loop& steps) {
    FlatRun run(safety_);
    std::uint32_t node = 0;
    for (std::uint32_t n = 0; n < graph().size(); ++n)
      if (run.holds(graph().is_at(n), trace.initial)) node = n;
    std::vector<std::uint32_t> nodes = {node};
    for (const std::uint32_t t : steps) {
      for (const std::uint32_t e : graph().out()[node]) {
        if (graph().edges()[e].transition != t) continue;
        node = graph().edges()[e].to;
        break;
      }
      nodes.push_back(node);
    }
    return nodes;
  }

  std::optional<EngineResult> try_loops() {
    for (const Pending& pending : loops_) {
      if (env_.stopped()) break;
      ++tried_;
      const Expr start = pool_.conj(graph().is_at(pending.node), constraints_.at(pending.node));
      for (FlatRegion& region : regions_.of(pending.loop, start, kRegionsPerLoop)) {
        waiting_.push_back({pending.loop, std::move(region)});
        if (waiting_.size() % kMostWaiting != 0) continue;
        if (auto found = reach_waiting(Effort::Bounded)) return found;
      }
    }
    loops_.clear();
    env_.statistics.counter("region.loops").raise_to(tried_);
    env_.statistics.counter("region.regions").raise_to(waiting_.size());
    return reach_waiting(Effort::Bounded);
  }

  // A run to one of the regions that wait.
  std::optional<EngineResult> reach_waiting(Effort effort) {
    if (waiting_.empty() || (effort == Effort::Bounded && asked_ == waiting_.size()))
      return std::nullopt;
    asked_ = waiting_.size();
    std::vector<Expr> all;
    for (const Candidate& candidate : waiting_) all.push_back(candidate.region.condition);
    TransitionSystem system = safety_;
    system.goal = {pool_.disj(all), {}};
    const std::vector<const EngineInfo*> engines =
        effort == Effort::Bounded
            ? std::vector{find_engine("bmc")}
            : std::vector{find_engine("accelerate"), find_engine("explicit"), &kPdrInfo};
    for (const EngineInfo* engine : engines) {
      const auto time = effort == Effort::Bounded ? kBoundedTime : kProofTime;
      if (auto trace = searched(system, *engine, time))
        if (auto found = completed(std::move(*trace))) return found;
    }
    return std::nullopt;
  }

  std::optional<FlatTrace> searched(const TransitionSystem& system, const EngineInfo& engine,
                                    std::chrono::milliseconds time) {
    smt::Limits limits = env_.solvers.settings().limits;
    limits.deadline = limits.deadline.earlier(Deadline::after(time));
    Env limited{env_.options,
                env_.solvers.with(limits),
                env_.deadline.earlier(limits.deadline),
                env_.cancel,
                env_.statistics,
                env_.log,
                env_.progress,
                env_.property};
    EngineResult result = run_engine(engine, system, limited);
    if (result.reached() == nullptr) return std::nullopt;
    return std::move(result.reached()->trace);
  }

  // The run, and one round of the loop.
  std::optional<EngineResult> completed(FlatTrace trace) {
    FlatRun run(safety_);
    FlatState state = trace.initial;
    for (const FlatStep& step : trace.steps)
      if (run.advance_all(state, step)) return std::nullopt;
    for (const Candidate& candidate : waiting_) {
      if (!run.holds(candidate.region.condition, state)) continue;
      trace.goal_inputs.clear();
      trace.loop = trace.steps.size();
      trace.region = candidate.region;
      if (!add_round(candidate, state, trace)) return std::nullopt;
      return EngineResult{Reached{std::move(trace)}};
    }
    return std::nullopt;
  }

  bool add_round(const Candidate& candidate, FlatState state, FlatTrace& trace) {
    FlatRun run(safety_);
    Evaluator evaluator(pool_);
    std::map<SymbolId, std::size_t> place;
    for (std::size_t v = 0; v < system_.variables.size(); ++v)
      place[system_.variables[v].current] = v;
    const auto value = [&](Expr term) {
      return evaluator(term, [&](SymbolId s, std::span<const Value>) -> std::optional<Value> {
        const auto found = place.find(s);
        return found == place.end() ? std::nullopt : std::optional(state[found->second]);
      });
    };
    for (std::size_t p = 0; p < candidate.loop.size(); ++p) {
      FlatStep step;
      step.transition = candidate.loop[p];
      for (const Expr term : candidate.region.steps[p].inputs) {
        auto input = value(term);
        if (!input) return false;
        step.inputs.push_back(std::move(*input));
      }
      const auto& open = system_.transitions[step.transition].open;
      for (std::size_t i = 0; i < open.size(); ++i) {
        auto next = value(candidate.region.steps[p].open[i]);
        if (!next) return false;
        step.open.emplace_back(open[i], std::move(*next));
      }
      if (run.advance(state, step)) return false;
      trace.steps.push_back(std::move(step));
    }
    return true;
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  const RegionOptions& options_;
  TransitionSystem safety_;  // the same without the question
  StateConstraints constraints_;
  live::LoopRegions regions_;
  std::vector<Pending> loops_;
  std::set<std::pair<std::uint32_t, Loop>> known_;
  std::vector<Candidate> waiting_;
  std::size_t tried_ = 0, asked_ = 0;
};

void declare(OptionSet& options) { options.add<RegionOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) {
  if (!system.acceptance)
    return EngineResult{Unknown{{Reason::Kind::Incomplete, "no question about infinite runs"}}};
  return RegionEngine(system, env).run();
}

std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (question.large()) return std::nullopt;
  return PresolveSlot{20, 2};
}

std::vector<RaceSlot> race(const QuestionProfile&) { return {RaceSlot{11}}; }

}  // namespace

}  // namespace whittle::engine::region

namespace whittle {

const EngineInfo kRegionInfo = {
    "region",
    "Recurrent regions: loops that can be taken for ever although no state comes again.",
    "infinite runs that meet the demands; unknown where no such loop is found",
    engine::region::declare,
    engine::region::run,
    std::nullopt,
    {.unbounded = true, .traces = true, .live = true, .live_only = true},
    {engine::region::presolve, engine::region::race},
};

}  // namespace whittle
