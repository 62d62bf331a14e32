// SPDX-License-Identifier: Apache-2.0
// Lazy: proof slices as interpolants. Algorithm 1 of Huang, Tsai, Paul, "Proof Slicing with
// Application to Model Checking Web Services" (2008), repaired, as an instance of McMillan, "Lazy
// Abstraction with Interpolants" (CAV 2006): a tree of paths whose nodes have labels, and nodes
// that cover others. docs/engines/lazy.md says what the printed algorithm lacks.
//
//   while some leaf v is not hidden:             depth first, leaves with errors first
//     error(v)    can the path be taken?         yes: the trace. No: labels along it get stronger
//     cover(v)    is all of v known at some w?   then v waits; what is not known may be forced
//     expand(v)   a child for every way on
//   the labels of the nodes that are not hidden are an invariant
//
//   paper               here
//   proof slice rho     Slice (proofs/proof_slices.h), with the memo (edge, literal) -> literal
//   region              label, a set of clauses (proofs/label_tree.h)
//   post~, eval, pick   extended(), refute(), ProofSlices::picked()
//   Theta_f             what picked() returns: one set for a whole path
//
// Sound, whatever is picked: labels of roots hold in first states; each edge of the tree leads from
// a label to a label; the label of a covered node implies that of the node that covers it. So when
// no leaf is left, the labels are inductive. --lazy-check proves it after every step.
//
// Where a loop learns again and again (--lazy-patience), proofs are made in another way: from more
// slices or fewer, from a chain of interpolants, with what `rsc` finds.
//
// Answers Unknown where a solver does, where inputs cannot be eliminated from a proof, and where
// predicates do not suffice (abstraction, craig, minimum).
#include "engine/lazy.h"

#include <fmt/format.h>

#include <algorithm>

#include "absint/control_graph.h"
#include "absint/reachable.h"
#include "base/error.h"
#include "engine/blocks_options.h"
#include "engine/invariants/state_constraints.h"
#include "engine/portfolio/processor_limit.h"
#include "engine/proofs/interpolant_chain.h"
#include "engine/proofs/label_check.h"
#include "engine/proofs/label_tree.h"
#include "engine/proofs/predicate_post.h"
#include "engine/proofs/proof_slices.h"
#include "engine/transformed.h"

namespace whittle::engine::lazy {

namespace {

using proofs::kNoNode;
using proofs::NodeId;
using proofs::PathProof;
using proofs::PathStep;

constexpr std::size_t kMostCovers = 16;  // nodes that are tried, the latest first
constexpr std::size_t kMostForced = 3;
constexpr std::chrono::milliseconds kConstraintTime{5'000};

// How proofs are made, one after the other; the last one stays.
enum class Rung : std::uint8_t { Picked, Core, Chain, Constraints, All, ChainAgain };

class Lazy {
 public:
  Lazy(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        options_(env.options.get<LazyOptions>()),
        pool_(*system.pool),
        graph_(system),
        queries_(pool_, env, !*options_.no_cache),
        slices_(system, graph_, queries_, env),
        chain_(pool_, slices_, queries_, env),
        post_(pool_, slices_, queries_),
        tree_(pool_, graph_.size()),
        known_(graph_.size()),
        tracked_(graph_.size()),
        gains_(graph_.size(), 0),
        counts_(env.statistics) {}

  EngineResult run() {
    prepare();
    plant();
    while (true) {
      if (auto stop = env_.stopped()) return unknown(*stop);
      const NodeId v = tree_.take_open();
      if (v == kNoNode) break;
      if (auto result = look(v)) return *result;
      check_tree();
      if (!tree_.visible(v) || stuck(v)) continue;
      if (!cover(v, true)) expand(v);
      check_tree();
    }
    if (given_up_) return unknown(*given_up_);
    return EngineResult{Unreachable{Inductive{invariant()}}};
  }

 private:
  [[nodiscard]] bool slicing() const { return *options_.config == LazyConfig::Slicing; }
  [[nodiscard]] bool tracks_predicates() const {
    return !slicing() &&
           !(*options_.config == LazyConfig::Craig && *options_.post == LazyPost::None);
  }

  // What users know, once it is proved, is known everywhere; where the goal is; from where it can
  // be reached.
  void prepare() {
    for (std::vector<Expr>& known : known_) known.clear();
    if (!system_.hints.empty()) {
      StateConstraints given(system_, env_);
      given.take_hints();
      add_known(given);
    }
    std::vector<std::uint32_t> work;
    for (std::uint32_t n = 0; n < graph_.size(); ++n) {
      goals_.push_back(graph_.locations(n)(system_.goal.condition));
      if (!pool_.is_false(goals_[n])) work.push_back(n);
    }
    matters_.assign(graph_.size(), 0);
    for (const std::uint32_t n : work) matters_[n] = 1;
    while (!work.empty()) {
      const std::uint32_t n = work.back();
      work.pop_back();
      for (const std::uint32_t e : graph_.in()[n]) {
        const std::uint32_t from = graph_.edges()[e].from;
        if (matters_[from]++ == 0) work.push_back(from);
      }
    }
  }

  void add_known(const StateConstraints& constraints) {
    for (std::uint32_t n = 0; n < graph_.size(); ++n) {
      for (const Expr part : conjuncts(pool_, constraints.at(n)))
        if (!pool_.is_true(part)) known_[n].push_back(part);
    }
  }

  void plant() {
    for (std::uint32_t n = 0; n < graph_.start_count(); ++n) {
      const Expr first = graph_.locations(n)(system_.init);
      firsts_.push_back(first);
      const std::uint32_t start = queries_.add_start(first);
      if (matters_[n] != 0) tree_.add_root(n, start, known_[n]);
    }
  }

  // ----- error(v)

  std::optional<EngineResult> look(NodeId v) {
    const Expr asked = goals_[tree_[v].place];
    if (pool_.is_false(asked)) return std::nullopt;
    if (excluded_already(v, asked)) return std::nullopt;
    const std::vector<PathStep> path = proofs::ProofSlices::steps(tree_.edges_to(v));
    const PathProof proof = refute(v, path, asked, false);
    switch (proof.answer) {
      case smt::Answer::Sat:
        return reached(v, path);
      case smt::Answer::Unsat:
        ++counts_.counterexamples;
        env_.report_depth("lazy", ++refuted_);
        return learn(v, path, proof, asked);
      case smt::Answer::Unknown:
        give_up(v, proof.reason);
        return std::nullopt;
    }
    return std::nullopt;
  }

  bool excluded_already(NodeId v, Expr asked) {
    return queries_.implied(tree_[v].label, pool_.negate(asked), !tracks_predicates()) ==
           smt::Answer::Unsat;
  }

  // eval: at the entry, or, where predicates are tracked, wherever what is known there may suffice.
  PathProof refute(NodeId v, std::span<const PathStep> path, Expr asked, bool free) {
    if (!tracks_predicates()) return slices_.follow(path, asked, tree_[v].start, free);
    const std::vector<NodeId> nodes = tree_.nodes_to(v);
    const auto known = [&](std::uint32_t k) -> std::span<const Expr> {
      return tree_[nodes[k]].label;
    };
    return slices_.follow(path, asked, tree_[v].start, free, known);
  }

  EngineResult reached(NodeId v, std::span<const PathStep> path) {
    if (path.size() < system_.bound.min || path.size() > system_.bound.max.value_or(UINT64_MAX))
      return unknown({Reason::Kind::Incomplete,
                      fmt::format("the run that was found has {} steps", path.size())});
    try {
      return EngineResult{Reached{slices_.trace(path, root_place(v))}};
    } catch (const smt::NoValue&) {
      return unknown({Reason::Kind::Incomplete, "the run that was found has no exact values"});
    }
  }

  [[nodiscard]] std::uint32_t root_place(NodeId v) const {
    while (tree_[v].parent != kNoNode) v = tree_[v].parent;
    return tree_[v].place;
  }

  std::optional<EngineResult> learn(NodeId v, std::span<const PathStep> path,
                                    const PathProof& proof, Expr asked) {
    switch (*options_.config) {
      case LazyConfig::Slicing: {
        const auto labels = made(v, path, proof, asked);
        if (!labels) {
          give_up(v, {Reason::Kind::Incomplete, "inputs cannot be eliminated from a proof"});
        } else {
          strengthen(v, *labels);
        }
        return std::nullopt;
      }
      case LazyConfig::Craig: {
        const auto labels = chain(v, path, proof, asked);
        if (!labels) return unknown({Reason::Kind::Incomplete, "no chain of interpolants"});
        if (*options_.post == LazyPost::None) {
          strengthen(v, *labels);
          return std::nullopt;
        }
        return track_at_places(v, *labels);
      }
      case LazyConfig::Abstraction:
        return track_below(v, proof, proof.core);
      case LazyConfig::Minimum:
        return track_below(v, proof, fewest(v, proof));
    }
    return std::nullopt;
  }

  std::optional<std::vector<Expr>> chain(NodeId v, std::span<const PathStep> path,
                                         const PathProof& proof, Expr asked) {
    const std::uint32_t start = tree_[v].start;
    std::vector<Expr> known = proof.stop == 0 ? conjuncts(pool_, firsts_[start])
                                              : tree_[tree_.nodes_to(v)[proof.stop]].label;
    // A proof that did not look at labels needs none of them.
    if (proof.stop > 0 && !tracks_predicates()) known.clear();
    return chain_.along(path, proof, asked, start, known);
  }

  // ----- labels from slices, and the ladder

  std::optional<std::vector<Expr>> made(NodeId v, std::span<const PathStep> path,
                                        const PathProof& proof, Expr asked) {
    const auto length = static_cast<std::uint32_t>(path.size());
    const auto from_slices = [&](LazyPick pick) {
      return slices_.interpolants(proof, slices_.picked(proof, pick), length);
    };
    const auto from_chain = [&] { return chain(v, path, proof, asked); };
    std::optional<std::vector<Expr>> labels;
    switch (rung_) {
      case Rung::Picked:
        labels = from_slices(*options_.pick);
        break;
      case Rung::Core:
      case Rung::Constraints:
        break;
      case Rung::Chain:
      case Rung::ChainAgain:
        labels = from_chain();
        break;
      case Rung::All:
        labels = from_slices(LazyPick::All);
        break;
    }
    if (!labels) labels = from_slices(LazyPick::Core);
    if (!labels) labels = from_chain();
    return labels;
  }

  void strengthen(NodeId v, std::span<const Expr> labels) {
    const std::vector<NodeId> nodes = tree_.nodes_to(v);
    for (std::size_t k = 0; k < nodes.size(); ++k) add_clauses(nodes[k], labels[k]);
    for (const NodeId n : nodes) {
      if (!tree_.visible(n)) break;
      if (n != v && tree_[n].expanded && head(n)) cover(n, false);
    }
  }

  void add_clauses(NodeId n, Expr condition) {
    bool learned = false;
    for (const Expr clause : conjuncts(pool_, condition)) {
      if (!tree_.add_clause(n, clause)) continue;
      learned = true;
      const std::vector<NodeId> covered = tree_[n].covers;
      for (const NodeId u : covered) {
        if (queries_.implied(tree_[u].label, clause, !head(u)) != smt::Answer::Unsat)
          tree_.uncover(u);
      }
    }
    if (!learned || !head(n) || pool_.is_false(condition)) return;
    if (++gains_[tree_[n].place] < *options_.patience) return;
    std::fill(gains_.begin(), gains_.end(), 0);
    climb();
  }

  void climb() {
    if (!slicing() || rung_ == Rung::ChainAgain) return;
    rung_ = static_cast<Rung>(static_cast<std::uint8_t>(rung_) + 1);
    ++counts_.rungs;
    env_.log.debug("lazy: rung {}", static_cast<int>(rung_));
    if (rung_ != Rung::Constraints) return;
    const auto left = env_.deadline.remaining();
    ProcessorLimit limit(left ? std::min(*left / 4, kConstraintTime) : kConstraintTime,
                         env_.cancel);
    Env limited = limit.applied(env_);
    StateConstraints constraints(system_, limited);
    if (!constraints.deduce()) return;
    constraints.guess();
    if (limit.reached()) return;
    add_known(constraints);
    for (NodeId n = 0; n < tree_.size(); ++n)
      for (const Expr clause : known_[tree_[n].place]) tree_.add_clause(n, clause);
  }

  // ----- labels from predicates

  // As few of the slices as still suffice where the proof stops, those first in doubt whose
  // literals nobody tracks yet.
  std::vector<std::uint32_t> fewest(NodeId v, const PathProof& proof) {
    const NodeId pivot = tree_.nodes_to(v)[proof.stop];
    std::vector<std::uint32_t> left = proof.core;
    const auto used = [&](std::uint32_t i) {
      return wanted_.contains(proof.slices[i].literal(proof.stop));
    };
    std::stable_partition(left.begin(), left.end(), [&](std::uint32_t i) { return !used(i); });
    for (std::size_t i = 0; i < left.size() && left.size() > 1;) {
      std::vector<Expr> conditions = tree_[pivot].label;
      for (std::size_t j = 0; j < left.size(); ++j)
        if (j != i) conditions.push_back(proof.slices[left[j]].literal(proof.stop));
      const std::uint32_t start = proof.stop == 0 ? tree_[v].start : proofs::Queries::kAnywhere;
      if (queries_.together(conditions, start).answer == smt::Answer::Unsat) {
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    for (const std::uint32_t i : left) wanted_.insert(proof.slices[i].literal(proof.stop));
    return left;
  }

  std::optional<EngineResult> track_below(NodeId v, const PathProof& proof,
                                          std::span<const std::uint32_t> picked) {
    const std::vector<NodeId> nodes = tree_.nodes_to(v);
    const NodeId pivot = nodes[proof.stop];
    std::vector<Expr> tracked;
    if (tree_[pivot].precision) tracked = *tree_[pivot].precision;
    const std::size_t before = tracked.size();
    for (std::uint32_t k = proof.stop + 1; k < nodes.size(); ++k) {
      for (const std::uint32_t i : picked)
        if (proof.slices[i].at(k)) add_predicate(tracked, proof.slices[i].literal(k));
    }
    if (tracked.size() == before || pivot == v) return no_progress();
    tree_.set_precision(pivot, std::make_shared<const std::vector<Expr>>(std::move(tracked)));
    tree_.rebuild(pivot);
    return std::nullopt;
  }

  std::optional<EngineResult> track_at_places(NodeId v, std::span<const Expr> labels) {
    const std::vector<NodeId> nodes = tree_.nodes_to(v);
    NodeId from = kNoNode;
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      std::vector<Expr>& tracked = tracked_[tree_[nodes[k]].place];
      const std::size_t before = tracked.size();
      for (const Expr part : conjuncts(pool_, labels[k])) add_predicate(tracked, part);
      if (tracked.size() > before && from == kNoNode) from = nodes[k - 1];
    }
    if (from == kNoNode) return no_progress();
    tree_.rebuild(from);
    return std::nullopt;
  }

  void add_predicate(std::vector<Expr>& tracked, Expr literal) {
    if (pool_.is_const(literal) || !slices_.of_states(literal)) return;
    const Expr negation = pool_.negate(literal);
    for (const Expr known : tracked)
      if (known == literal || known == negation) return;
    tracked.push_back(literal);
  }

  static EngineResult no_progress() {
    return unknown({Reason::Kind::Incomplete, "no progress: the predicates do not suffice"});
  }

  // ----- cover(v)

  [[nodiscard]] bool head(NodeId v) const { return graph_.is_head(tree_[v].place); }

  // `force`: what is not known may be proved for it.
  bool cover(NodeId v, bool force) {
    const bool free = !head(v);
    if (free && graph_.in()[tree_[v].place].size() < 2) return false;
    const std::vector<NodeId> candidates = candidates_for(v);
    for (const NodeId w : candidates)
      if (label_implies(v, w, free)) return covered(v, w);
    if (!force || tracks_predicates()) return false;
    std::size_t tried = 0;
    for (const NodeId w : candidates) {
      if (tried++ == kMostForced) break;
      if (force_cover(v, w, free)) return covered(v, w);
      if (!tree_.visible(v)) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<NodeId> candidates_for(NodeId v) const {
    std::vector<NodeId> result;
    const std::vector<NodeId>& there = tree_.at(tree_[v].place);
    for (auto w = std::lower_bound(there.begin(), there.end(), v); w != there.begin();) {
      --w;
      if (!tree_.visible(*w)) continue;
      result.push_back(*w);
      if (result.size() == kMostCovers) break;
    }
    return result;
  }

  bool label_implies(NodeId v, NodeId w, bool free) {
    const auto implied = [&](Expr clause) {
      return queries_.implied(tree_[v].label, clause, free) == smt::Answer::Unsat;
    };
    return std::all_of(tree_[w].label.begin(), tree_[w].label.end(), implied);
  }

  bool force_cover(NodeId v, NodeId w, bool free) {
    const Expr asked = pool_.negate(pool_.conj(tree_[w].label));
    const std::vector<PathStep> path = proofs::ProofSlices::steps(tree_.edges_to(v));
    const PathProof proof = slices_.follow(path, asked, tree_[v].start, free);
    if (proof.answer != smt::Answer::Unsat) return false;
    const auto labels = slicing() ? made(v, path, proof, asked) : chain(v, path, proof, asked);
    if (!labels) return false;
    ++counts_.forced;
    strengthen(v, *labels);
    // w may lie on the path, and know more now.
    return tree_.visible(v) && tree_.visible(w) && label_implies(v, w, free);
  }

  bool covered(NodeId v, NodeId w) {
    ++counts_.covers;
    gains_[tree_[v].place] = 0;
    tree_.cover(v, w);
    return true;
  }

  // ----- expand(v)

  void expand(NodeId v) {
    tree_.expanded(v);
    std::vector<std::uint32_t> edges = graph_.out()[tree_[v].place];
    // Taken from the end: errors first.
    std::stable_partition(edges.begin(), edges.end(), [&](std::uint32_t e) {
      return pool_.is_false(goals_[graph_.edges()[e].to]);
    });
    for (const std::uint32_t e : edges) {
      const std::uint32_t to = graph_.edges()[e].to;
      if (matters_[to] == 0) continue;
      if (auto label = extended(v, e)) tree_.add_child(v, e, to, std::move(*label));
    }
  }

  // post~; none: there is no way on along the edge.
  std::optional<std::vector<Expr>> extended(NodeId v, std::uint32_t e) {
    std::vector<Expr> label = known_[graph_.edges()[e].to];
    if (!tracks_predicates()) {
      std::vector<Expr> before = tree_[v].label;
      for (const Expr condition : slices_.conditions({e, 0})) before.push_back(condition);
      if (queries_.folded(before, proofs::Queries::kAnywhere).answer == smt::Answer::Unsat)
        return std::nullopt;
      return label;
    }
    static const std::vector<Expr> kNone;
    const std::vector<Expr>& predicates = *options_.config == LazyConfig::Craig
                                              ? tracked_[graph_.edges()[e].to]
                                          : tree_[v].precision ? *tree_[v].precision
                                                               : kNone;
    for (const Expr clause : post_.after(tree_[v].label, e, predicates)) {
      if (pool_.is_false(clause)) return std::nullopt;
      label.push_back(clause);
    }
    return label;
  }

  // ----- answers

  void give_up(NodeId v, Reason reason) {
    if (!given_up_) given_up_ = std::move(reason);
    stuck_.insert(v);
  }
  [[nodiscard]] bool stuck(NodeId v) const { return stuck_.contains(v); }

  Expr invariant() {
    std::vector<Expr> by_place(graph_.size(), pool_.boolean(true));
    for (std::uint32_t place = 0; place < graph_.size(); ++place) {
      if (matters_[place] == 0) continue;
      std::vector<Expr> ways;
      for (const NodeId n : tree_.at(place))
        if (tree_.visible(n)) ways.push_back(pool_.conj(tree_[n].label));
      by_place[place] = pool_.disj(ways);
    }
    return absint::joined(system_, graph_, by_place);
  }

  void check_tree() {
    if (!*options_.check) return;
    const auto problem = proofs::label_problem(tree_, slices_, firsts_, known_, pool_, env_);
    if (problem) throw InternalError("lazy: " + *problem);
  }

  static EngineResult unknown(Reason reason) { return EngineResult{Unknown{std::move(reason)}}; }

  struct Counts {
    explicit Counts(Statistics& all)
        : counterexamples(all.counter("lazy.counterexamples")),
          covers(all.counter("lazy.covers")),
          forced(all.counter("lazy.forced")),
          rungs(all.counter("lazy.rungs")) {}
    Counter& counterexamples;
    Counter& covers;
    Counter& forced;
    Counter& rungs;
  };

  const TransitionSystem& system_;
  Env& env_;
  const LazyOptions& options_;
  ExprPool& pool_;
  absint::ControlGraph graph_;
  proofs::Queries queries_;
  proofs::ProofSlices slices_;
  proofs::InterpolantChain chain_;
  proofs::PredicatePost post_;
  proofs::LabelTree tree_;
  std::vector<Expr> goals_;               // by place
  std::vector<std::uint32_t> matters_;    // by place: ways from there to a goal, as far as counted
  std::vector<Expr> firsts_;              // by start
  std::vector<std::vector<Expr>> known_;  // by place: proved invariants
  std::vector<std::vector<Expr>> tracked_;  // by place: predicates
  std::unordered_set<Expr> wanted_;         // by minimum
  std::vector<unsigned> gains_;             // by place: times it learned in a row
  Rung rung_ = Rung::Picked;
  std::unordered_set<NodeId> stuck_;
  std::optional<Reason> given_up_;
  std::uint64_t refuted_ = 0;
  Counts counts_;
};

void declare(OptionSet& options) {
  options.add<LazyOptions>();
  options.add<BlocksOptions>();
}

EngineResult run(const TransitionSystem& system, Env& env) {
  return run_transformed(
      system, env, {in_blocks(env)},
      [](const TransitionSystem& blocks, Env& within) { return Lazy(blocks, within).run(); });
}

std::vector<RaceSlot> race(const QuestionProfile& question) {
  if (question.bounded) return {};
  return {RaceSlot{45}};
}

}  // namespace

}  // namespace whittle::engine::lazy

namespace whittle {

const EngineInfo kLazyInfo = {
    "lazy",
    "Proof slices as interpolants: a tree of paths whose labels are learned from refuted ones.",
    "reachability and invariants for any number of steps; unknown where a proof has no words",
    engine::lazy::declare,
    engine::lazy::run,
    std::nullopt,
    {.unbounded = true, .traces = true, .proofs = true},
    {nullptr, engine::lazy::race},
};

}  // namespace whittle
