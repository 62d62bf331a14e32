// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/proof_slices.h"

#include <algorithm>

#include "ir/transition_terms.h"
#include "smt/elimination/for_all.h"

namespace whittle::proofs {

namespace {

constexpr std::size_t kFewConditions = 24;  // folding looks at all of them at every position
constexpr std::chrono::milliseconds kEliminationTime{500};  // of one interpolant

}  // namespace

ProofSlices::ProofSlices(const TransitionSystem& system, const absint::ControlGraph& graph,
                         Queries& queries, Env& env)
    : system_(system),
      graph_(graph),
      pool_(*system.pool),
      queries_(queries),
      env_(env),
      lifted_(pool_),
      uses_(graph.edges().size()),
      inputs_(system.goal.inputs.begin(), system.goal.inputs.end()),
      counts_(env.statistics) {}

std::vector<PathStep> ProofSlices::steps(std::span<const std::uint32_t> edges) {
  std::vector<PathStep> result(edges.size());
  std::unordered_map<std::uint32_t, std::uint32_t> later;
  for (std::size_t k = edges.size(); k-- > 0;) result[k] = {edges[k], later[edges[k]]++};
  return result;
}

SymbolId ProofSlices::input_like(SymbolId symbol) {
  const SymbolInfo info = pool_.info(symbol);
  const SymbolId copy = pool_.declare(info.name, info.type);
  inputs_.insert(copy);
  return copy;
}

ProofSlices::Use& ProofSlices::use(PathStep step) {
  const absint::ControlEdge& edge = graph_.edges()[step.edge];
  const Transition& transition = system_.transitions[edge.transition];
  // Without inputs all uses are alike.
  const std::size_t copy =
      transition.inputs.empty() && transition.open.empty() ? 0 : std::size_t{step.copy};
  auto& copies = uses_[step.edge];
  while (copies.size() <= copy) copies.push_back(nullptr);
  if (copies[copy]) return *copies[copy];
  auto made = std::make_unique<Use>();
  Substitution own = graph_.locations(edge.from);
  for (const SymbolId input : transition.inputs) {
    made->inputs.push_back(input_like(input));
    own.set(input, pool_.symbol(made->inputs.back()));
  }
  for (const std::uint32_t v : transition.open) {
    made->open.push_back(input_like(system_.variables[v].next));
    own.set(system_.variables[v].next, pool_.symbol(made->open.back()));
  }
  for (const Expr part : conjuncts(pool_, own(edge.guard)))
    if (!pool_.is_true(part)) made->conditions.push_back(part);
  if (transition.relation.valid()) {
    for (const Expr part : conjuncts(pool_, own(transition.relation)))
      if (!pool_.is_true(part)) made->conditions.push_back(part);
  }
  made->after = std::make_unique<Substitution>(pool_);
  const auto write = [&](std::uint32_t variable, Expr value) {
    const StateVariable& written = system_.variables[variable];
    if (value == pool_.symbol(written.current)) return;
    made->after->set(written.current, value);
    made->written.insert(written.current);
  };
  for (const Update& update : transition.updates) write(update.variable, own(update.value));
  for (std::size_t i = 0; i < transition.open.size(); ++i)
    write(transition.open[i], pool_.symbol(made->open[i]));
  copies[copy] = std::move(made);
  return *copies[copy];
}

const std::vector<SymbolId>& ProofSlices::variables(Expr condition) {
  const auto [entry, added] = variables_.try_emplace(condition);
  if (added) {
    entry->second = symbols(pool_, condition);
    std::sort(entry->second.begin(), entry->second.end());
  }
  return entry->second;
}

std::vector<SymbolId> ProofSlices::inputs_of(Expr condition) {
  std::vector<SymbolId> result;
  for (const SymbolId symbol : variables(condition))
    if (inputs_.contains(symbol)) result.push_back(symbol);
  return result;
}

Expr ProofSlices::pre(PathStep step, Expr condition) {
  Use& edge = use(step);
  const std::vector<SymbolId>& mentioned = variables(condition);
  const bool untouched = std::none_of(mentioned.begin(), mentioned.end(), [&](SymbolId symbol) {
    return edge.written.contains(symbol);
  });
  if (untouched) return condition;
  if (const Expr* known = edge.before.find(condition)) {
    ++counts_.reused;
    return *known;
  }
  const Expr before = lifted_((*edge.after)(condition));
  edge.before.insert(condition, before);
  return before;
}

PathProof ProofSlices::follow(std::span<const PathStep> path, Expr asked, std::uint32_t start,
                              bool free, const Known& known) {
  PathProof proof;
  const auto n = static_cast<std::uint32_t>(path.size());
  for (const Expr part : conjuncts(pool_, asked))
    if (!pool_.is_true(part)) proof.slices.push_back({n, {part}});
  std::uint32_t k = n;
  while (true) {
    const bool entry = k == 0;
    const std::span<const Expr> here = known ? known(k) : std::span<const Expr>();
    const bool by_solver = !free && (entry || known);
    if (contradictory(proof, k, here, entry ? start : Queries::kAnywhere, !by_solver,
                      entry && !free)) {
      break;
    }
    if (entry) break;
    if (const auto stop = env_.stopped()) {
      proof.reason = *stop;
      break;
    }
    --k;
    if (!step_back(proof, path[k], k)) break;
  }
  counts_.slices += proof.slices.size();
  return proof;
}

// False: a literal says that nobody gets from `position` any further.
bool ProofSlices::step_back(PathProof& proof, PathStep step, std::uint32_t position) {
  const auto found = [&](std::uint32_t slice) {
    proof.answer = smt::Answer::Unsat;
    proof.core = {slice};
    proof.stop = position;
    return false;
  };
  for (std::uint32_t i = 0; i < proof.slices.size(); ++i) {
    Slice& slice = proof.slices[i];
    if (!slice.at(position + 1)) continue;
    const Expr before = pre(step, slice.literals.back());
    if (pool_.is_true(before)) continue;
    slice.literals.push_back(before);
    if (pool_.is_false(before)) return found(i);
  }
  for (const Expr condition : conditions(step)) {
    proof.slices.push_back({position, {condition}});
    if (pool_.is_false(condition))
      return found(static_cast<std::uint32_t>(proof.slices.size() - 1));
  }
  return true;
}

// Do the literals at the position contradict each other, with what is known there? At the entry
// the answer is that of the proof.
bool ProofSlices::contradictory(PathProof& proof, std::uint32_t position,
                                std::span<const Expr> known, std::uint32_t start, bool free,
                                bool model) {
  std::vector<Expr> conditions;
  std::vector<std::uint32_t> origin;
  for (std::uint32_t i = 0; i < proof.slices.size(); ++i) {
    if (!proof.slices[i].at(position)) continue;
    conditions.push_back(proof.slices[i].literal(position));
    origin.push_back(i);
  }
  if (conditions.empty() && start == Queries::kAnywhere) return false;
  if (position > 0 && free && conditions.size() > kFewConditions) return false;
  for (const Expr clause : known) conditions.push_back(clause);
  const Queries::Answer answer =
      free ? queries_.folded(conditions, start) : queries_.together(conditions, start, model);
  if (position == 0) {
    proof.answer = answer.answer;
    proof.reason = answer.reason;
  }
  if (answer.answer != smt::Answer::Unsat) return false;
  proof.answer = smt::Answer::Unsat;
  proof.stop = position;
  for (const std::uint32_t i : answer.core)
    if (i < origin.size()) proof.core.push_back(origin[i]);
  return true;
}

// Wherever both are there, the candidate is about nothing that the other one is not about.
bool ProofSlices::beside(const Slice& candidate, const Slice& other, std::uint32_t stop) {
  bool together = false;
  for (std::uint32_t k = std::min(candidate.head, other.head) + 1; k-- > stop;) {
    if (!candidate.at(k) || !other.at(k)) break;
    const std::vector<SymbolId>& mine = variables(candidate.literal(k));
    const std::vector<SymbolId>& its = variables(other.literal(k));
    if (mine.empty()) break;
    if (!std::includes(its.begin(), its.end(), mine.begin(), mine.end())) return false;
    together = true;
  }
  return together;
}

std::vector<std::uint32_t> ProofSlices::picked(const PathProof& proof, LazyPick pick) {
  std::vector<std::uint32_t> result = proof.core;
  std::vector<char> in(proof.slices.size(), 0);
  for (const std::uint32_t i : result) in[i] = 1;
  switch (pick) {
    case LazyPick::Core:
      break;
    case LazyPick::All:
      for (std::uint32_t i = 0; i < in.size(); ++i)
        if (in[i] == 0) result.push_back(i);
      break;
    case LazyPick::Connected:
      for (std::size_t next = 0; next < result.size(); ++next) {
        for (std::uint32_t i = 0; i < in.size(); ++i) {
          if (in[i] != 0 || !beside(proof.slices[i], proof.slices[result[next]], proof.stop))
            continue;
          in[i] = 1;
          result.push_back(i);
        }
      }
      break;
  }
  return result;
}

std::optional<std::vector<Expr>> ProofSlices::interpolants(const PathProof& proof,
                                                           std::span<const std::uint32_t> picked,
                                                           std::uint32_t length) {
  std::vector<Expr> result(length + 1, pool_.boolean(true));
  for (std::uint32_t k = length + 1; k-- > proof.stop;) {
    std::vector<Expr> parts;
    for (const std::uint32_t i : picked)
      if (proof.slices[i].at(k)) parts.push_back(proof.slices[i].literal(k));
    const auto found = without_inputs(pool_.conj(parts));
    if (!found) return std::nullopt;
    result[k] = *found;
    // What excludes nothing here excludes nothing before.
    if (pool_.is_true(*found)) break;
  }
  return result;
}

std::optional<Expr> ProofSlices::without_inputs(Expr condition) {
  const Expr wanted = pool_.negate(condition);
  const std::vector<SymbolId> inputs = inputs_of(condition);
  if (inputs.empty()) return wanted;
  const auto known = eliminated_.find(condition);
  if (known != eliminated_.end())
    return known->second.valid() ? std::optional(known->second) : std::nullopt;
  smt::Limits limits = env_.solvers.settings().limits;
  limits.deadline = limits.deadline.earlier(Deadline::after(kEliminationTime));
  const auto found = smt::holds_for_all(pool_, wanted, inputs, limits);
  eliminated_[condition] = found.value_or(Expr());
  return found;
}

FlatTrace ProofSlices::trace(std::span<const PathStep> path, std::uint32_t first_node) {
  FlatTrace trace;
  Substitution place = graph_.locations(first_node);
  for (const StateVariable& variable : system_.variables)
    trace.initial.push_back(queries_.value(place(pool_.symbol(variable.current))));
  for (const PathStep& taken : path) {
    const Use& edge = use(taken);
    FlatStep step;
    step.transition = graph_.edges()[taken.edge].transition;
    const Transition& transition = system_.transitions[step.transition];
    for (const SymbolId input : edge.inputs)
      step.inputs.push_back(queries_.value(pool_.symbol(input)));
    for (std::size_t i = 0; i < edge.open.size(); ++i)
      step.open.emplace_back(transition.open[i], queries_.value(pool_.symbol(edge.open[i])));
    if (!trace.steps.empty() && trace.steps.back().transition == step.transition &&
        trace.steps.back().inputs == step.inputs && trace.steps.back().open == step.open) {
      ++trace.steps.back().times;
    } else {
      trace.steps.push_back(std::move(step));
    }
  }
  for (const SymbolId input : system_.goal.inputs)
    trace.goal_inputs.push_back(queries_.value(pool_.symbol(input)));
  return trace;
}

}  // namespace whittle::proofs
