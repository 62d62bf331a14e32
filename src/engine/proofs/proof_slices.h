// SPDX-License-Identifier: Apache-2.0
// Proof slices (Huang, Tsai, Paul: "Proof Slicing with Application to Model Checking Web Services",
// 2008): each condition of a path, followed back to its entry, step by step.
//
//   positions   0 ----l1---> 1 ----l2---> 2 ...  ----ln---> n
//   slice       headed by a conjunct of the guard of l(p+1) at position p, or of what is asked at
//               n; its literal at k < p is the weakest precondition of the one at k + 1
//
// The path can be taken exactly if all literals at position 0 hold in a first state. If not, those
// of some slices contradict each other, and the negations of these, position by position, are a
// sequence of interpolants:
//
//   I(k) = for all later inputs: not (c at k of every such slice that exists there)
//   {I(k-1)} l(k) {I(k)},  I(0) holds in first states,  I(n) excludes what is asked
//
// Where none of them exists yet at k, nobody gets there: I(k) = false.
//
// What depends on the path is only which steps follow each other: pre(step, literal) is remembered
// for all paths. (Steps with inputs have a copy of them for each time they are on a path.)
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "absint/control_graph.h"
#include "engine/proofs/lazy_options.h"
#include "engine/proofs/queries.h"
#include "expr/case_lifting.h"
#include "expr/expr_map.h"
#include "expr/traverse.h"

namespace whittle::proofs {

struct Slice {
  std::uint32_t head = 0;      // position
  std::vector<Expr> literals;  // by distance from the head
  [[nodiscard]] bool at(std::uint32_t position) const {
    return position <= head && head - position < literals.size();
  }
  [[nodiscard]] Expr literal(std::uint32_t position) const { return literals[head - position]; }
};

// What following the conditions of a path back has given.
struct PathProof {
  smt::Answer answer = smt::Answer::Unknown;  // Sat: the path can be taken
  Reason reason = {};
  std::vector<Slice> slices;
  std::vector<std::uint32_t> core;  // Unsat: slices that contradict each other
  std::uint32_t stop = 0;           // at this position
};

struct PathStep {
  std::uint32_t edge = 0;  // of the control graph
  std::uint32_t copy = 0;  // how often the edge comes later on the path
};

class ProofSlices {
 public:
  ProofSlices(const TransitionSystem& system, const absint::ControlGraph& graph, Queries& queries,
              Env& env);

  // Copies for a path of edges.
  [[nodiscard]] static std::vector<PathStep> steps(std::span<const std::uint32_t> edges);

  // What is known at a position, where it is to be looked at; null: only folding, until the entry.
  using Known = std::function<std::span<const Expr>(std::uint32_t position)>;
  // Can the path be taken, from the start on, to where `asked` holds? `free`: as far as folding
  // tells.
  PathProof follow(std::span<const PathStep> path, Expr asked, std::uint32_t start, bool free,
                   const Known& known = nullptr);

  // Which slices make the proof.
  [[nodiscard]] std::vector<std::uint32_t> picked(const PathProof& proof, LazyPick pick);
  // I(0) .. I(n); empty: inputs cannot be eliminated.
  std::optional<std::vector<Expr>> interpolants(const PathProof& proof,
                                                std::span<const std::uint32_t> picked,
                                                std::uint32_t length);

  // The condition before a step.
  Expr pre(PathStep step, Expr condition);
  // Of the guard and the relation.
  const std::vector<Expr>& conditions(PathStep step) { return use(step).conditions; }
  // A condition on states without later inputs.
  [[nodiscard]] bool of_states(Expr condition) { return inputs_of(condition).empty(); }
  [[nodiscard]] bool is_input(SymbolId symbol) const { return inputs_.contains(symbol); }
  // Ascending.
  [[nodiscard]] const std::vector<SymbolId>& variables(Expr condition);

  // After Sat: the run that the model describes. The start says where.
  [[nodiscard]] FlatTrace trace(std::span<const PathStep> path, std::uint32_t first_node);

 private:
  // An edge with its own copies of inputs and of what its relation leaves open.
  struct Use {
    std::vector<SymbolId> inputs;  // of its transition
    std::vector<SymbolId> open;
    std::vector<Expr> conditions;
    std::unordered_set<SymbolId> written;
    std::unique_ptr<Substitution> after;
    ExprMap<Expr> before;  // the memo: literal, and the one before the step
  };
  struct Counts {
    explicit Counts(Statistics& all)
        : slices(all.counter("lazy.slices")), reused(all.counter("lazy.slices_reused")) {}
    Counter& slices;
    Counter& reused;
  };

  Use& use(PathStep step);
  SymbolId input_like(SymbolId symbol);
  std::vector<SymbolId> inputs_of(Expr condition);
  std::optional<Expr> without_inputs(Expr condition);
  bool step_back(PathProof& proof, PathStep step, std::uint32_t position);
  bool contradictory(PathProof& proof, std::uint32_t position, std::span<const Expr> known,
                     std::uint32_t start, bool free, bool model);
  [[nodiscard]] bool beside(const Slice& candidate, const Slice& other, std::uint32_t stop);

  const TransitionSystem& system_;
  const absint::ControlGraph& graph_;
  ExprPool& pool_;
  Queries& queries_;
  Env& env_;
  CaseLifting lifted_;
  std::vector<std::vector<std::unique_ptr<Use>>> uses_;  // by edge, by copy
  std::unordered_set<SymbolId> inputs_;                  // all copies, and those of the goal
  std::unordered_map<Expr, std::vector<SymbolId>> variables_;
  std::unordered_map<Expr, Expr> eliminated_;  // invalid: could not be
  Counts counts_;
};

}  // namespace whittle::proofs
