// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/queries.h"

#include <algorithm>

#include "expr/contradiction.h"

namespace whittle::proofs {

namespace {

constexpr unsigned kFreshAfter = 300;           // questions: a solver keeps all it has seen
constexpr std::uint64_t kMostLiterals = 1'000;  // in one condition that folding looks into

}  // namespace

Queries::Queries(ExprPool& pool, Env& env, bool remember)
    : pool_(pool), env_(env), remember_(remember), counts_(env.statistics) {}

std::uint32_t Queries::add_start(Expr condition) {
  Start start;
  start.condition = condition;
  start.parts = conjuncts(pool_, condition);
  start.values = std::make_unique<Substitution>(pool_);
  for (const Expr part : start.parts) {
    if (pool_.op(part) == Op::Eq) {
      const Expr left = pool_.child(part, 0);
      const Expr right = pool_.child(part, 1);
      if (pool_.is_variable(left) && pool_.is_const(right))
        start.values->set(pool_.symbol_of(left), right);
    } else if (pool_.is_variable(part)) {
      start.values->set(pool_.symbol_of(part), pool_.boolean(true));
    } else if (pool_.op(part) == Op::Not && pool_.is_variable(pool_.child(part, 0))) {
      start.values->set(pool_.symbol_of(pool_.child(part, 0)), pool_.boolean(false));
    }
  }
  starts_.push_back(std::move(start));
  return static_cast<std::uint32_t>(starts_.size() - 1);
}

Queries::Answer Queries::folded(std::span<const Expr> conditions, std::uint32_t start) {
  std::vector<Expr> facts;
  std::vector<std::uint32_t> origin;
  for (std::uint32_t i = 0; i < conditions.size(); ++i) {
    Expr fact = conditions[i];
    if (start != kAnywhere) fact = (*starts_[start].values)(fact);
    if (pool_.is_false(fact)) {
      ++counts_.folded;
      return {smt::Answer::Unsat, {i}};
    }
    if (pool_.is_true(fact) || literals(fact) > kMostLiterals) continue;
    facts.push_back(fact);
    origin.push_back(i);
  }
  const std::size_t asked = facts.size();
  if (start != kAnywhere) {
    for (const Expr part : starts_[start].parts) facts.push_back((*starts_[start].values)(part));
  }
  const std::vector<std::size_t> found = contradiction(pool_, facts);
  if (found.empty()) return {};
  ++counts_.folded;
  Answer answer{smt::Answer::Unsat};
  for (const std::size_t i : found)
    if (i < asked) answer.core.push_back(origin[i]);
  return answer;
}

Queries::Answer Queries::together(std::span<const Expr> conditions, std::uint32_t start,
                                  bool model) {
  if (Answer free = folded(conditions, start); free.answer == smt::Answer::Unsat) return free;
  std::vector<std::uint32_t> key;
  for (const Expr condition : conditions) key.push_back(condition.id());
  std::sort(key.begin(), key.end());
  key.erase(std::unique(key.begin(), key.end()), key.end());
  key.push_back(start);
  if (const auto known = known_.find(key); remember_ && known != known_.end()) {
    Answer answer{known->second.empty() ? smt::Answer::Sat : smt::Answer::Unsat};
    for (std::uint32_t i = 0; i < conditions.size(); ++i) {
      if (std::binary_search(known->second.begin(), known->second.end(), conditions[i].id()))
        answer.core.push_back(i);
    }
    if (answer.answer == smt::Answer::Unsat || !model) {
      ++counts_.cached;
      return answer;
    }
  }
  Answer answer = ask(conditions, start);
  if (remember_ && answer.answer != smt::Answer::Unknown) {
    std::vector<std::uint32_t> core;
    for (const std::uint32_t i : answer.core) core.push_back(conditions[i].id());
    std::sort(core.begin(), core.end());
    // An empty core says that there is no such first state at all: that is rare, and asked again.
    if (answer.answer == smt::Answer::Sat || !core.empty())
      known_[std::move(key)] = std::move(core);
  }
  return answer;
}

Queries::Answer Queries::ask(std::span<const Expr> conditions, std::uint32_t start) {
  ++counts_.calls;
  for (const Expr condition : conditions) counts_.weighted += literals(condition);
  smt::Solver& asked = solver(start);
  const smt::CheckResult found = asked.check_assuming(conditions);
  last_ = &asked;
  Answer answer{found.answer, {}, found.reason};
  if (found.answer == smt::Answer::Unsat) {
    std::vector<Expr> core = asked.unsat_core();
    std::sort(core.begin(), core.end());
    for (std::uint32_t i = 0; i < conditions.size(); ++i)
      if (std::binary_search(core.begin(), core.end(), conditions[i])) answer.core.push_back(i);
  }
  return answer;
}

smt::Solver& Queries::solver(std::uint32_t start) {
  if (++asked_ > kFreshAfter) {
    asked_ = 0;
    anywhere_.reset();
    for (Start& known : starts_) known.solver.reset();
  }
  std::unique_ptr<smt::Solver>& place = start == kAnywhere ? anywhere_ : starts_[start].solver;
  if (!place) {
    place = env_.solvers.make(pool_, start == kAnywhere ? "labels" : "paths");
    if (start != kAnywhere) place->require(starts_[start].condition);
  }
  return *place;
}

smt::Answer Queries::implied(std::span<const Expr> clauses, Expr condition, bool free) {
  if (pool_.is_true(condition)) return smt::Answer::Unsat;
  for (const Expr clause : clauses)
    if (clause == condition || pool_.is_false(clause)) return smt::Answer::Unsat;
  std::vector<Expr> conditions(clauses.begin(), clauses.end());
  for (const Expr part : conjuncts(pool_, pool_.negate(condition))) conditions.push_back(part);
  return free ? folded(conditions, kAnywhere).answer : together(conditions, kAnywhere).answer;
}

// As often as they are written; what is shared counts each time, up to a limit.
std::uint64_t Queries::literals(Expr condition) {
  for_each_new_subterm(
      pool_, condition, [&](Expr e) { return literals_.contains(e); },
      [&](Expr e) {
        const Op op = pool_.op(e);
        const bool inner =
            pool_.type(e) == Type::boolean() &&
            (op == Op::And || op == Op::Or || op == Op::Not || op == Op::Implies ||
             (op == Op::Ite) || (op == Op::Eq && pool_.type(pool_.child(e, 0)) == Type::boolean()));
        std::uint64_t sum = pool_.type(e) == Type::boolean() && !inner ? 1 : 0;
        for (const Expr child : pool_.children(e))
          sum = std::min<std::uint64_t>(sum + literals_.at(child), 1'000'000);
        literals_[e] = sum;
      });
  return literals_.at(condition);
}

}  // namespace whittle::proofs
