// SPDX-License-Identifier: Apache-2.0
// Two ways to constraints: deduction by abstract interpretation (absint/reachable.h), and guessing.
// Guesses are atoms of the start, the guards, the relations and the goal; at first every node is
// assumed to satisfy all of them, and what a transition does not preserve is dropped until nothing
// changes (Flanagan, Leino: "Houdini, an Annotation Assistant for ESC/Java", FME 2001). This finds
// equations like `amount == terms * rate` that no polyhedron can express.
// What users say (`constraint`) is one more guess: it stays if it is right and inductive relative
// to all that is kept with it.
#include "engine/invariants/state_constraints.h"

#include <algorithm>
#include <unordered_set>

#include "absint/reachable.h"
#include "engine/invariants/rsc_options.h"
#include "engine/portfolio/jobs.h"
#include "ir/transition_terms.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxGuesses = 6'000;  // nodes times candidates
constexpr std::size_t kMaxCandidates = 80;
constexpr std::size_t kMaxReductions = 500;  // solver calls
constexpr std::size_t kMaxModuli = 3;
constexpr std::size_t kMaxDisjuncts = 8;  // at one node
constexpr std::size_t kMaxProducts = 20;
constexpr std::size_t kBatch = 128;
constexpr std::chrono::milliseconds kTimePerGuess{300};

}  // namespace

StateConstraints::StateConstraints(const TransitionSystem& system, Env& env)
    : system_(system),
      env_(env),
      pool_(*system.pool),
      graph_(system),
      by_node_(graph_.size(), pool_.boolean(true)),
      solver_(env.solvers.make(pool_, "constraints")) {}

bool StateConstraints::deduce(Joins joins) {
  absint::ReachableOptions options;
  if (joins == Joins::Disjunctive) options.disjuncts = kMaxDisjuncts;
  if (env_.jobs != nullptr) {  // otherwise there is only this process
    const unsigned wanted = *env_.options.get<RscOptions>().processes;
    options.parallelism.processes = wanted > 0 ? wanted : env_.jobs->places();
  }
  options.parallelism.memory_mb = env_.solvers.settings().limits.memory_mb;
  auto found = absint::reachable_states(system_, graph_, options,
                                        [&] { return env_.stopped().has_value(); });
  if (!found) return false;
  by_node_ = std::move(found->conditions);
  excluded_ = std::move(found->excludes_goal);
  return true;
}

bool StateConstraints::deduce_disjunctively() {
  const auto& nodes = graph_.order();
  if (std::all_of(nodes.begin(), nodes.end(), [&](auto node) { return graph_.on_cycle(node); }))
    return false;  // there is none that is not convex
  const std::vector<Expr> by_node = by_node_;
  const std::vector<char> excluded = excluded_;
  if (deduce(Joins::Disjunctive) && open_nodes().empty()) return true;
  by_node_ = by_node;
  excluded_ = excluded;
  return false;
}

Expr StateConstraints::invariant() const { return absint::joined(system_, graph_, by_node_); }

smt::CheckResult StateConstraints::ask(std::span<const Expr> conditions) {
  smt::Scope scope(*solver_);
  for (Expr condition : conditions) solver_->require(condition);
  return solver_->check();
}

std::vector<std::uint32_t> StateConstraints::open_nodes() {
  std::vector<std::uint32_t> result;
  std::vector<std::pair<std::uint32_t, Expr>> batch;
  std::unordered_set<Expr> excluded;
  auto flush = [&] {
    std::vector<Expr> all;
    all.reserve(batch.size());
    for (const auto& entry : batch) all.push_back(entry.second);
    const Expr any = pool_.disj(all);
    if (!all.empty() && ask({&any, 1}).answer != smt::Answer::Unsat) {
      for (const auto& [node, query] : batch) {
        if (batch.size() > 1 && ask({&query, 1}).answer == smt::Answer::Unsat) continue;
        result.push_back(node);
      }
    }
    batch.clear();
  };
  for (std::uint32_t n = 0; n < graph_.size(); ++n) {
    if (!excluded_.empty() && excluded_[n] != 0) continue;
    const Expr query = pool_.conj(by_node_[n], graph_.locations(n)(system_.goal.condition));
    if (pool_.is_false(query) || !excluded.insert(query).second) continue;
    batch.emplace_back(n, query);
    if (batch.size() == kBatch) flush();
  }
  flush();
  return result;
}

// Atoms about the state alone, and what the goal says is not so.
std::vector<Expr> StateConstraints::candidates() const {
  std::unordered_set<SymbolId> allowed;
  Substitution now(pool_);
  std::vector<Expr> found;
  std::unordered_set<Expr> seen;
  for (const StateVariable& variable : system_.variables) {
    now.set(variable.next, pool_.symbol(variable.current));
    if (!variable.is_location) allowed.insert(variable.current);
  }
  auto offer = [&](Expr e) {
    if (found.size() >= kMaxCandidates || !seen.insert(e).second || pool_.is_const(e)) return;
    for (SymbolId symbol : symbols(pool_, e)) {
      if (!allowed.contains(symbol)) return;
    }
    found.push_back(e);
  };
  for (Expr part : conjuncts(pool_, pool_.negate(system_.goal.condition))) offer(part);
  for (Expr part : conjuncts(pool_, system_.init)) offer(part);
  auto offer_atoms = [&](Expr root) {
    for_each_subterm(pool_, root, [&](Expr e) {
      switch (pool_.op(e)) {
        case Op::Lt:
        case Op::Le:
          offer(e);
          offer(pool_.negate(e));
          offer(pool_.le(pool_.child(e, 0), pool_.child(e, 1)));
          break;
        case Op::Eq:
          offer(e);
          if (pool_.type(pool_.child(e, 0)) == Type::integer() ||
              pool_.type(pool_.child(e, 0)) == Type::real()) {
            offer(pool_.le(pool_.child(e, 0), pool_.child(e, 1)));
            offer(pool_.ge(pool_.child(e, 0), pool_.child(e, 1)));
          }
          break;
        default:
          break;
      }
    });
  };
  offer_atoms(system_.goal.condition);
  offer_atoms(system_.init);
  for (Expr congruence : congruences()) offer(congruence);
  for (Expr product : products()) offer(product);
  for (const Transition& transition : system_.transitions) {
    if (found.size() >= kMaxCandidates) break;
    if (transition.relation.valid()) offer_atoms(now(transition.relation));
    offer_atoms(transition.guard);
  }
  for (const StateVariable& variable : system_.variables) {
    if (variable.type == Type::integer()) {
      offer(pool_.ge(pool_.symbol(variable.current), pool_.integer(0)));
    } else if (variable.type == Type::real()) {
      offer(pool_.ge(pool_.symbol(variable.current), pool_.real(Rational())));
    }
  }
  return found;
}

// Numbers that are counted in steps of several stay what they are modulo that many: `v % 2 == 0`.
// Moduli are the steps and the divisors in the text, remainders those of the start.
std::vector<Expr> StateConstraints::congruences() const {
  std::vector<Integer> moduli;
  auto modulus = [&](Expr number) {
    if (!pool_.is_const(number) || !pool_.value(number).is_integer()) return;
    Integer size = pool_.value(number).as_integer();
    if (size.sign() < 0) size = -size;
    if (size < Integer(2) || size > Integer(1'000) || moduli.size() == kMaxModuli) return;
    if (std::find(moduli.begin(), moduli.end(), size) == moduli.end()) moduli.push_back(size);
  };
  auto scan = [&](Expr root) {
    for_each_subterm(pool_, root, [&](Expr e) {
      const Op op = pool_.op(e);
      if (op != Op::Add && op != Op::Sub && op != Op::Mul && op != Op::Mod) return;
      for (Expr child : pool_.children(e)) modulus(child);
    });
  };
  for (const Transition& transition : system_.transitions) {
    if (moduli.size() == kMaxModuli) break;
    for (const Update& update : transition.updates) scan(update.value);
  }
  scan(system_.goal.condition);
  const std::unordered_map<Expr, Expr> first = first_values();
  std::vector<Expr> result;
  for (const StateVariable& variable : system_.variables) {
    if (variable.type != Type::integer()) continue;
    const Expr symbol = pool_.symbol(variable.current);
    const auto known = first.find(symbol);
    for (const Integer& size : moduli) {
      const bool number = known != first.end() && pool_.is_const(known->second);
      const Integer rest =
          number ? euclidean_mod(pool_.value(known->second).as_integer(), size) : Integer(0);
      result.push_back(
          pool_.eq(pool_.make(Op::Mod, {symbol, pool_.integer(size)}), pool_.integer(rest)));
    }
  }
  return result;
}

// What is the same number in all first states, or the same as another variable.
std::unordered_map<Expr, Expr> StateConstraints::first_values() const {
  std::unordered_map<Expr, Expr> first;
  for (Expr part : conjuncts(pool_, system_.init)) {
    if (pool_.op(part) != Op::Eq) continue;
    for (const std::size_t side : {0, 1}) {
      const Expr value = pool_.child(part, 1 - side);
      const Type type = pool_.type(value);
      if (type != Type::integer() && type != Type::real()) continue;
      if (pool_.is_const(value) || pool_.is_variable(value))
        first.insert_or_assign(pool_.child(part, side), value);
    }
  }
  return first;
}

// By how much a value is more than the variable; invalid: it is no sum with it.
Expr StateConstraints::growth(Expr value, Expr variable) const {
  if (pool_.op(value) == Op::Sub && pool_.child(value, 0) == variable)
    return pool_.minus(pool_.child(value, 1));
  if (pool_.op(value) != Op::Add) return {};
  std::vector<Expr> others(pool_.children(value).begin(), pool_.children(value).end());
  const auto found = std::find(others.begin(), others.end(), variable);
  if (found == others.end()) return {};
  others.erase(found);
  Expr rest = others.front();
  for (std::size_t i = 1; i < others.size(); ++i) rest = pool_.add(rest, others[i]);
  return rest;
}

// What grows by an amount wherever something counts is the product of both: of `z += x, n += 1`
// follows `z == x * n`, if both begin with zero.
std::vector<Expr> StateConstraints::products() const {
  const std::unordered_map<Expr, Expr> first = first_values();
  struct Growing {
    Expr variable, by;
  };
  std::vector<Expr> result;
  for (const Transition& transition : system_.transitions) {
    std::vector<Growing> counters, sums;
    for (const Update& update : transition.updates) {
      const Expr variable = pool_.symbol(system_.variables[update.variable].current);
      const Expr by = first.contains(variable) ? growth(update.value, variable) : Expr();
      if (by.valid()) (pool_.is_const(by) ? counters : sums).push_back({variable, by});
    }
    for (const Growing& sum : sums) {
      for (const Growing& counter : counters) {
        if (pool_.type(sum.variable) != pool_.type(counter.variable)) continue;
        if (result.size() == kMaxProducts) return result;
        const Expr summed = pool_.sub(sum.variable, first.at(sum.variable));
        const Expr counted = pool_.sub(counter.variable, first.at(counter.variable));
        result.push_back(pool_.eq(pool_.mul(counter.by, summed), pool_.mul(sum.by, counted)));
      }
    }
  }
  return result;
}

void StateConstraints::keep_initial(std::vector<std::vector<Expr>>& by_node) {
  for (std::uint32_t n = 0; n < graph_.start_count(); ++n) {
    smt::Scope scope(*solver_);
    solver_->require(graph_.locations(n)(system_.init));
    std::erase_if(by_node[n], [&](Expr candidate) {
      const Expr beyond = pool_.negate(candidate);
      return ask({&beyond, 1}).answer != smt::Answer::Unsat;
    });
  }
}

void StateConstraints::require_step(const absint::ControlEdge& edge) {
  const Transition& transition = system_.transitions[edge.transition];
  solver_->require(edge.guard);
  if (!transition.relation.valid()) return;
  Substitution here = graph_.locations(edge.from);
  solver_->require(here(transition.relation));
}

// False: the target lost candidates.
bool StateConstraints::keep_inductive(const absint::ControlEdge& edge,
                                      std::vector<std::vector<Expr>>& by_node) {
  std::vector<Expr>& kept = by_node[edge.to];
  if (kept.empty()) return true;
  Substitution next = state_after(system_, system_.transitions[edge.transition]);
  Substitution here = graph_.locations(edge.from);
  smt::Scope scope(*solver_);
  solver_->require(by_node_[edge.from]);
  for (Expr candidate : by_node[edge.from]) solver_->require(candidate);
  require_step(edge);
  const std::size_t before = kept.size();
  // What is true before and unchanged is true after.
  const std::unordered_set<Expr> given(by_node[edge.from].begin(), by_node[edge.from].end());
  std::vector<Expr> images;
  images.reserve(kept.size());
  for (Expr candidate : kept) images.push_back(here(next(candidate)));
  auto drop = [&](const std::vector<char>& which) {
    std::size_t i = 0;
    std::erase_if(kept, [&](Expr) { return which[i++] != 0; });
    i = 0;
    std::erase_if(images, [&](Expr) { return which[i++] != 0; });
  };
  for (;;) {
    std::vector<char> which(kept.size(), 0);
    switch (broken(images, given, which)) {
      case smt::Answer::Unsat:
        return kept.size() == before;
      case smt::Answer::Sat:
        drop(which);
        break;
      case smt::Answer::Unknown:
        // One by one; only those that are surely kept stay.
        for (std::size_t i = 0; i < kept.size(); ++i) {
          const Expr beyond = pool_.negate(images[i]);
          which[i] = !given.contains(images[i]) && ask({&beyond, 1}).answer != smt::Answer::Unsat;
        }
        drop(which);
        return kept.size() == before;
    }
  }
}

// Can some of these be false? Sat: marks those that are in one model.
smt::Answer StateConstraints::broken(const std::vector<Expr>& images,
                                     const std::unordered_set<Expr>& given,
                                     std::vector<char>& which) {
  std::vector<Expr> negations;
  for (Expr image : images) {
    if (!given.contains(image)) negations.push_back(pool_.negate(image));
  }
  if (negations.empty()) return smt::Answer::Unsat;
  smt::Scope scope(*solver_);
  solver_->require(pool_.disj(negations));
  const smt::Answer answer = solver_->check().answer;
  if (answer != smt::Answer::Sat) return answer;
  bool any = false;
  try {
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (given.contains(images[i]) || solver_->value(images[i]).as_bool()) continue;
      which[i] = 1;
      any = true;
    }
  } catch (const smt::NoValue&) {
    any = false;
  }
  if (any) return answer;
  which.assign(which.size(), 0);
  return smt::Answer::Unknown;
}

void StateConstraints::guess() {
  std::vector<Expr> all = candidates();
  if (all.size() * graph_.size() > kMaxGuesses) all.clear();
  std::vector<std::vector<Expr>> by_node(graph_.size(), all);
  add_hints(by_node);
  add_inductive(std::move(by_node));
}

void StateConstraints::take_hints() {
  std::vector<std::vector<Expr>> by_node(graph_.size());
  add_hints(by_node);
  add_inductive(std::move(by_node));
}

// What the hints say about each node, in parts: one that is wrong does not spoil the others.
void StateConstraints::add_hints(std::vector<std::vector<Expr>>& by_node) const {
  if (system_.hints.empty()) return;
  std::unordered_set<SymbolId> allowed;
  for (const StateVariable& variable : system_.variables) allowed.insert(variable.current);
  for (std::uint32_t n = 0; n < graph_.size(); ++n) {
    std::unordered_set<Expr> seen(by_node[n].begin(), by_node[n].end());
    Substitution here = graph_.locations(n);
    for (Expr hint : system_.hints) {
      for (Expr part : conjuncts(pool_, here(hint))) {
        const std::vector<SymbolId> used = symbols(pool_, part);
        if (pool_.is_true(part) || !seen.insert(part).second) continue;
        if (std::all_of(used.begin(), used.end(), [&](SymbolId s) { return allowed.contains(s); }))
          by_node[n].push_back(part);
      }
    }
  }
}

void StateConstraints::add_inductive(std::vector<std::vector<Expr>> by_node) {
  if (std::all_of(by_node.begin(), by_node.end(), [](const auto& at) { return at.empty(); }))
    return;
  solver_->set_time_per_check(kTimePerGuess);
  keep_initial(by_node);
  std::vector<std::uint32_t> work;
  std::vector<char> waiting(graph_.edges().size(), 1);
  for (auto node = graph_.order().rbegin(); node != graph_.order().rend(); ++node) {
    for (std::uint32_t e : graph_.out()[*node]) work.push_back(e);
  }
  while (!work.empty()) {
    if (env_.stopped()) return;  // nothing of it is sure yet
    const std::uint32_t e = work.back();
    work.pop_back();
    waiting[e] = 0;
    const absint::ControlEdge& edge = graph_.edges()[e];
    if (keep_inductive(edge, by_node)) continue;
    for (std::uint32_t follower : graph_.out()[edge.to]) {
      if (waiting[follower] != 0) continue;
      waiting[follower] = 1;
      work.push_back(follower);
    }
  }
  // Only what the deduced constraints do not say already.
  for (std::uint32_t n = 0; n < graph_.size(); ++n) {
    std::vector<Expr> parts = {by_node_[n]};
    smt::Scope scope(*solver_);
    solver_->require(by_node_[n]);
    for (Expr candidate : by_node[n]) {
      const Expr beyond = pool_.negate(candidate);
      if (ask({&beyond, 1}).answer == smt::Answer::Unsat) continue;
      parts.push_back(candidate);
      solver_->require(candidate);
    }
    by_node_[n] = pool_.conj(parts);
  }
  solver_->set_time_per_check(std::nullopt);
}

// Back from the goal: of what is known at a node the solver names what it needs, first to exclude
// the goal, then to show that what is needed after a transition holds after it.
void StateConstraints::reduce() {
  std::vector<std::vector<Expr>> known;
  for (Expr constraint : by_node_) known.push_back(conjuncts(pool_, constraint));
  std::vector<std::unordered_set<Expr>> needed(graph_.size());
  std::vector<std::pair<std::uint32_t, Expr>> work;
  std::size_t calls = 0;
  // False: the solver does not say.
  auto need = [&](std::uint32_t node) {
    if (++calls > kMaxReductions) return false;
    if (solver_->check_assuming(known[node]).answer != smt::Answer::Unsat) return false;
    for (Expr part : solver_->unsat_core()) {
      if (needed[node].insert(part).second) work.emplace_back(node, part);
    }
    return true;
  };
  solver_->set_time_per_check(kTimePerGuess);
  bool complete = true;
  for (std::uint32_t n = 0; n < graph_.size() && complete; ++n) {
    const Expr goal = graph_.locations(n)(system_.goal.condition);
    if (pool_.is_false(goal)) continue;
    smt::Scope scope(*solver_);
    solver_->require(goal);
    complete = need(n);
  }
  while (complete && !work.empty()) {
    const auto [node, part] = work.back();
    work.pop_back();
    for (std::uint32_t e : graph_.in()[node]) {
      const absint::ControlEdge& edge = graph_.edges()[e];
      const Expr image = graph_.locations(edge.from)(
          state_after(system_, system_.transitions[edge.transition])(part));
      if (needed[edge.from].contains(image)) continue;
      smt::Scope scope(*solver_);
      require_step(edge);
      solver_->require(pool_.negate(image));
      complete = complete && need(edge.from);
    }
    complete = complete && !env_.stopped();
  }
  solver_->set_time_per_check(std::nullopt);
  if (!complete) return;
  for (std::uint32_t n = 0; n < graph_.size(); ++n) {
    std::erase_if(known[n], [&](Expr part) { return !needed[n].contains(part); });
    by_node_[n] = pool_.conj(known[n]);
  }
}

}  // namespace whittle
