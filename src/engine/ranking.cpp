// SPDX-License-Identifier: Apache-2.0
// Lexicographic ranking functions (Alias, Darte, Feautrier, Gonnord: "Multi-dimensional Rankings,
// Program Termination, and Complexity Bounds of Flowchart Programs", SAS 2010): no infinite run
// meets every acceptance set infinitely often.
//
//   1. what holds at each node of the control graph (state_constraints.h), and each edge as linear
//      constraints (linear_steps.h)
//   2. for each strongly connected component whose edges meet every set: affine functions, one per
//      node, that no edge raises and some lower (farkas.h); the latter are taken out
//   3. again with the components of what is left, until none meets every set
//
// Where a component has no such functions its nodes are split: by conditions that tell the phases
// of a loop apart. These come from functions of another kind (nested ones), from acceptance
// conditions and truth values, and from the guards. Each is a part of the location from then on,
// and all begins again with more nodes.
//
// Answers Unreached or Unknown, never Reached: that there is no function means nothing.
#include "engine/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "engine/invariants/state_constraints.h"
#include "engine/live/components.h"
#include "engine/live/farkas.h"
#include "engine/transformed.h"
#include "simplify/flat/phases.h"

namespace whittle::engine::ranking {

namespace {

using live::Functions;
using live::LinearForm;
using live::LinearStep;

constexpr std::size_t kMaxEdges = 3'000;
constexpr std::size_t kMaxNestedSteps = 24;  // of a component, for nested functions
constexpr unsigned kMaxNested = 3;

// One attempt, with the nodes that the system has.
class Attempt {
 public:
  Attempt(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        constraints_(system, env),
        solver_(env.solvers.make(pool_, "steps")),
        steps_(system, constraints_.graph(), *solver_) {}

  enum class Guesses : std::uint8_t { None, Houdini };
  // False: stopped, or there is too much of it.
  bool analyse(Guesses guesses) {
    if (graph().edges().size() > kMaxEdges || !constraints_.deduce()) return false;
    if (guesses == Guesses::Houdini) constraints_.guess();
    const auto& edges = graph().edges();
    for (const absint::ControlEdge& edge : edges) edges_.push_back({edge.from, edge.to});
    out_.assign(edges.size(), 0);
    ways_.resize(edges.size());
    meets_.resize(edges.size());
    for (std::uint32_t e = 0; e < edges.size(); ++e) {
      if (pool_.is_false(constraints_.at(edges[e].from))) out_[e] = 1;
    }
    // Only of those on cycles is asked more.
    for (const auto& component : live::cyclic_components(graph().size(), edges_, out_)) {
      for (const std::uint32_t e : component) {
        if (env_.stopped()) return false;
        ways_[e] = steps_.of(e, constraints_.at(edges[e].from));
        if (ways_[e].empty()) out_[e] = 1;
      }
    }
    return true;
  }

  // False: some component has no functions.
  bool solve() {
    stuck_.clear();
    for (;;) {
      std::vector<Expr> level(graph().size());
      bool any = false;
      std::vector<std::uint32_t> lowered;
      for (const auto& component : live::cyclic_components(graph().size(), edges_, out_)) {
        if (env_.stopped()) return false;
        if (!accepting(component)) continue;
        any = true;
        const std::vector<live::RankedStep> steps = ranked(component);
        const auto found = search(steps).lexicographic();
        if (!found) {
          stuck_.push_back(component);
          continue;
        }
        lowered.insert(lowered.end(), found->groups.begin(), found->groups.end());
        for (const auto& [node, form] : found->functions) level[node] = steps_.term(form);
      }
      if (!any) return true;
      if (!stuck_.empty()) return false;
      for (const std::uint32_t e : lowered) out_[e] = 1;
      levels_.push_back(std::move(level));
    }
  }

  [[nodiscard]] Ranking proof() const {
    Ranking result;
    result.invariant = constraints_.invariant();
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < graph().size(); ++n) {
      if (pool_.is_false(constraints_.at(n))) continue;
      nodes.push_back(n);
      result.places.push_back(graph().is_at(n));
    }
    for (const std::vector<Expr>& level : levels_) {
      auto& functions = result.levels.emplace_back();
      for (const std::uint32_t n : nodes) functions.push_back(level[n]);
    }
    return result;
  }

  // Where the phases of components without functions end, if nested functions say so.
  [[nodiscard]] std::vector<Expr> phases() {
    std::vector<Expr> result;
    for (const auto& component : stuck_) {
      const std::vector<live::RankedStep> steps = ranked(component);
      if (steps.size() > kMaxNestedSteps) continue;
      for (unsigned depth = 2; depth <= kMaxNested && !env_.stopped(); ++depth) {
        const auto found = search(steps).nested(depth);
        if (!found) continue;
        for (unsigned i = 0; i + 1 < depth; ++i) result.push_back(not_negative((*found)[i]));
        break;
      }
    }
    return result;
  }

  // Comparisons in guards of components without functions that are about the state alone.
  [[nodiscard]] std::vector<Expr> guards() {
    std::unordered_set<SymbolId> state;
    for (const StateVariable& v : system_.variables)
      if (!v.is_location) state.insert(v.current);
    std::vector<Expr> result;
    std::unordered_set<Expr> seen;
    for (const auto& component : stuck_) {
      for (const std::uint32_t e : component) {
        const absint::ControlEdge& edge = graph().edges()[e];
        for_each_subterm(pool_, steps_.taken(e, pool_.boolean(true)), [&](Expr atom) {
          for (const Expr one : halves(atom)) {
            if (seen.contains(one) || seen.contains(pool_.negate(one))) continue;
            const std::vector<SymbolId> used = symbols(pool_, one);
            if (!std::all_of(used.begin(), used.end(), [&](auto s) { return state.contains(s); }))
              continue;
            seen.insert(one);
            if (open_at(edge.from, one) || open_at(edge.to, one)) result.push_back(one);
          }
        });
      }
    }
    return result;
  }

  [[nodiscard]] std::size_t stuck() const { return stuck_.size(); }

 private:
  [[nodiscard]] const absint::ControlGraph& graph() const { return constraints_.graph(); }

  [[nodiscard]] live::RankingSearch search(const std::vector<live::RankedStep>& steps) {
    const auto& measures = steps_.measures();
    const bool integers = std::all_of(measures.begin(), measures.end(), [&](Expr measure) {
      return pool_.type(measure) == Type::integer();
    });
    return {pool_, measures.size(), integers, steps, env_};
  }

  [[nodiscard]] std::vector<live::RankedStep> ranked(const std::vector<std::uint32_t>& component) {
    std::vector<live::RankedStep> result;
    for (const std::uint32_t e : component)
      for (const LinearStep& way : ways_[e])
        result.push_back({&way, edges_[e].from, edges_[e].to, e});
    return result;
  }

  // Every set is met by some edge.
  [[nodiscard]] bool accepting(const std::vector<std::uint32_t>& component) {
    const auto& sets = *system_.acceptance;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (std::none_of(component.begin(), component.end(), [&](auto e) { return meets(e, i); }))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool meets(std::uint32_t e, std::size_t set) {
    const AcceptanceSet& of = (*system_.acceptance)[set];
    const absint::ControlEdge& edge = graph().edges()[e];
    if (std::binary_search(of.transitions.begin(), of.transitions.end(), edge.transition))
      return true;
    if (!of.condition.valid()) return false;
    auto& known = meets_[e];
    known.resize(system_.acceptance->size(), kUnasked);
    if (known[set] == kUnasked) {
      const Expr here = graph().locations(edge.from)(of.condition);
      known[set] = possible(steps_.taken(e, pool_.conj(constraints_.at(edge.from), here))) ? 1 : 0;
    }
    return known[set] != 0;
  }

  [[nodiscard]] bool possible(Expr condition) {
    if (pool_.is_const(condition)) return pool_.is_true(condition);
    smt::Scope scope(*solver_);
    solver_->require(condition);
    return solver_->check().answer != smt::Answer::Unsat;
  }

  // At this node the condition is true in some states and false in others.
  [[nodiscard]] bool open_at(std::uint32_t node, Expr condition) {
    return possible(pool_.conj(constraints_.at(node), condition)) &&
           possible(pool_.conj(constraints_.at(node), pool_.negate(condition)));
  }

  // A comparison as conditions of which both sides are convex.
  [[nodiscard]] std::vector<Expr> halves(Expr atom) {
    const Op op = pool_.op(atom);
    if ((op != Op::Lt && op != Op::Le && op != Op::Eq) || !is_number(pool_, pool_.child(atom, 0)))
      return {};
    if (op != Op::Eq) return {atom};
    const Expr a = pool_.child(atom, 0), b = pool_.child(atom, 1);
    return {pool_.le(a, b), pool_.le(b, a)};
  }

  // The function of the node where the system is is not negative.
  [[nodiscard]] Expr not_negative(const Functions& functions) {
    std::vector<Expr> parts;
    for (const auto& [node, form] : functions) {
      const Expr value = steps_.term(form);
      const Expr zero =
          pool_.type(value) == Type::real() ? pool_.real(Rational()) : pool_.integer(Integer(0));
      parts.push_back(pool_.implies(graph().is_at(node), pool_.ge(value, zero)));
    }
    return pool_.conj(parts);
  }

  static constexpr char kUnasked = 2;

  const TransitionSystem& system_;
  Env& env_;
  ExprPool& pool_;
  StateConstraints constraints_;
  std::unique_ptr<smt::Solver> solver_;
  live::LinearSteps steps_;
  std::vector<live::GraphEdge> edges_;             // those of the graph
  std::vector<char> out_;                          // by edge: impossible, or taken out
  std::vector<std::vector<LinearStep>> ways_;      // by edge
  std::vector<std::vector<char>> meets_;           // by edge, by set
  std::vector<std::vector<Expr>> levels_;          // by node
  std::vector<std::vector<std::uint32_t>> stuck_;  // components
};

class RankingEngine {
 public:
  RankingEngine(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        pool_(*system.pool),
        options_(env.options.get<RankingOptions>()) {
    system_.goal = {pool_.boolean(true), {}};  // nothing is to be excluded by invariants
    system_.bound = {};
  }

  EngineResult run() {
    split(first_conditions());
    first_ = conditions_;
    std::size_t stuck = 0;
    for (unsigned round = 0; !env_.stopped(); ++round) {
      env_.report_depth("ranking", round);
      const TransformedAttempt now = attempt(Attempt::Guesses::None);
      if (now.result) return *now.result;
      stuck = now.stuck;
      if (now.too_large || round == *options_.rounds || !split(now.conditions)) break;
    }
    // Once more with the nodes as they were at first, and with candidates for what holds there.
    if (!env_.stopped()) {
      conditions_ = first_;
      if (const auto result = attempt(Attempt::Guesses::Houdini).result) return *result;
    }
    if (auto stop = env_.stopped()) return unknown(*stop);
    return unknown({Reason::Kind::Incomplete,
                    stuck == 0 ? "there is too much to rank"
                               : fmt::format("no ranking function for {} component{}", stuck,
                                             stuck == 1 ? "" : "s")});
  }

 private:
  struct TransformedAttempt {
    std::optional<EngineResult> result;
    bool too_large = false;
    std::size_t stuck = 0;
    std::vector<Expr> conditions;  // to split by next, of the system as it was
  };

  TransformedAttempt attempt(Attempt::Guesses guesses) {
    TransformedAttempt result;
    FlatPipeline phases(system_);
    if (!conditions_.empty()) {
      phases.apply([&](const TransitionSystem& s) -> std::optional<FlatTransformed> {
        return simplify::split_by(s, conditions_);
      });
    }
    Attempt now(phases.system(), env_);
    if (!now.analyse(guesses)) {
      result.too_large = true;
      return result;
    }
    if (now.solve()) {
      env_.statistics.counter("ranking.conditions").raise_to(conditions_.size());
      result.result = lifted(EngineResult{Unreachable{now.proof()}}, phases);
      return result;
    }
    result.stuck = now.stuck();
    std::vector<Expr> found = now.phases();
    if (found.empty() || !offer(found, phases, result.conditions)) {
      found = now.guards();
      (void)offer(found, phases, result.conditions);
    }
    return result;
  }

  // Those that are new, as conditions of the system. False: none is.
  bool offer(const std::vector<Expr>& found, const FlatPipeline& phases,
             std::vector<Expr>& conditions) {
    for (const Expr one : found) {
      const Expr original = phases.condition(one);
      if (!original.valid() || pool_.is_const(original)) continue;
      if (!known_.insert(original).second) continue;
      known_.insert(pool_.negate(original));
      conditions.push_back(original);
    }
    return !conditions.empty();
  }

  // What acceptance and guards say of truth values, and acceptance of numbers.
  std::vector<Expr> first_conditions() {
    std::vector<Expr> result;
    std::unordered_set<SymbolId> located, used;
    for (const StateVariable& v : system_.variables)
      if (v.is_location) located.insert(v.current);
    const auto add = [&](Expr e) {
      if (pool_.is_const(e) || !known_.insert(e).second) return;
      known_.insert(pool_.negate(e));
      result.push_back(e);
    };
    for (const AcceptanceSet& set : *system_.acceptance) {
      if (!set.condition.valid()) continue;
      const std::vector<SymbolId> in = symbols(pool_, set.condition);
      if (!std::all_of(in.begin(), in.end(), [&](auto s) { return located.contains(s); }))
        add(set.condition);
    }
    for (const Transition& t : system_.transitions)
      for (SymbolId s : symbols(pool_, t.guard)) used.insert(s);
    for (const StateVariable& v : system_.variables)
      if (v.type == Type::boolean() && used.contains(v.current)) add(pool_.symbol(v.current));
    if (result.size() > *options_.splits) result.resize(*options_.splits);
    return result;
  }

  // False: there are enough already.
  bool split(const std::vector<Expr>& conditions) {
    constexpr std::size_t kAtOnce = 3;
    std::size_t added = 0;
    for (const Expr condition : conditions) {
      if (conditions_.size() >= *options_.splits || (added == kAtOnce && !conditions_.empty()))
        break;
      conditions_.push_back(condition);
      ++added;
    }
    // Those that were left out may come again.
    for (std::size_t i = added; i < conditions.size(); ++i) {
      known_.erase(conditions[i]);
      known_.erase(pool_.negate(conditions[i]));
    }
    return added > 0;
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

  TransitionSystem system_;
  Env& env_;
  ExprPool& pool_;
  const RankingOptions& options_;
  std::vector<Expr> conditions_, first_;
  std::unordered_set<Expr> known_;
};

void declare(OptionSet& options) { options.add<RankingOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) {
  if (!system.acceptance)
    return EngineResult{Unknown{{Reason::Kind::Incomplete, "no question about infinite runs"}}};
  return RankingEngine(system, env).run();
}

// Most functions are found in less time than a race takes to begin.
std::optional<PresolveSlot> presolve(const QuestionProfile& question) {
  if (question.large()) return std::nullopt;
  return PresolveSlot{10, 4};
}

std::vector<RaceSlot> race(const QuestionProfile&) { return {RaceSlot{10}}; }

}  // namespace

}  // namespace whittle::engine::ranking

namespace whittle {

const EngineInfo kRankingInfo = {
    "ranking",
    "Ranking functions: what goes down with every round of a loop, and cannot for ever.",
    "that no infinite run meets the demands; unknown where no affine functions are found",
    engine::ranking::declare,
    engine::ranking::run,
    std::nullopt,
    {.unbounded = true, .live = true, .live_only = true},
    {engine::ranking::presolve, engine::ranking::race},
};

}  // namespace whittle
