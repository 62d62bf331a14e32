// SPDX-License-Identifier: Apache-2.0
#include "engine/reduction/accesses.h"

#include <algorithm>
#include <map>
#include <set>

#include "expr/traverse.h"

namespace whittle {

namespace {

// A goal of more cases is one part.
constexpr std::size_t kMaxCases = 256;

// Conditions whose disjunction is the given one: `a || b`, `!(a && b)` and `a => b` taken apart.
std::vector<Expr> cases_of(ExprPool& pool, Expr condition) {
  std::vector<Expr> result;
  std::vector<std::pair<Expr, bool>> work = {{condition, true}};
  while (!work.empty()) {
    const auto [term, truth] = work.back();
    work.pop_back();
    const Op op = pool.op(term);
    if (op == Op::Not) {
      work.emplace_back(pool.child(term, 0), !truth);
    } else if ((op == Op::Or && truth) || (op == Op::And && !truth)) {
      const auto children = pool.children(term);
      for (std::size_t i = children.size(); i > 0; --i) work.emplace_back(children[i - 1], truth);
    } else if (op == Op::Implies && truth) {
      work.emplace_back(pool.child(term, 1), true);
      work.emplace_back(pool.child(term, 0), false);
    } else {
      result.push_back(truth ? term : pool.negate(term));
    }
    if (result.size() + work.size() > kMaxCases) return {condition};
  }
  return result;
}

}  // namespace

bool TransitionAccess::reads_variable(std::uint32_t variable) const {
  const auto found = std::lower_bound(
      reads.begin(), reads.end(), variable,
      [](const AccessedCell& cell, std::uint32_t wanted) { return cell.variable < wanted; });
  return found != reads.end() && found->variable == variable;
}

Accesses::Accesses(const TransitionSystem& system)
    : system_(system), pool_(*system.pool), variables_(system) {
  for (const Transition& transition : system.transitions) learn(transition);
  goal_ = reads_of({&system.goal.condition, 1});
  find_goal_writers();
  find_goal_parts();
  find_threads();
  find_alone();
}

// A symbol that stands as the array of a `select` is read at that index only; anywhere else all of
// it is.
std::vector<AccessedCell> Accesses::reads_of(std::span<const Expr> terms) const {
  std::vector<AccessedCell> cells;
  auto whole = [&](Expr term) {
    if (const std::uint32_t v = variables_.of(pool_, term); v != kNone)
      cells.push_back({v, Expr()});
  };
  for (Expr term : terms) whole(term);
  for_each_subterm(pool_, terms, [&](Expr term) {
    const auto children = pool_.children(term);
    std::size_t first = 0;
    if (pool_.op(term) == Op::Select) {
      if (const std::uint32_t v = variables_.of(pool_, children[0]); v != kNone) {
        cells.push_back({v, children[1]});
        first = 1;
      }
    }
    for (std::size_t i = first; i < children.size(); ++i) whole(children[i]);
  });
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

void Accesses::learn(const Transition& transition) {
  TransitionAccess& access = transitions_.emplace_back();
  std::vector<Expr> conditions = {transition.guard};
  if (transition.relation.valid()) conditions.push_back(transition.relation);
  for (const Update& update : transition.updates) {
    const StateVariable& info = system_.variables[update.variable];
    if (pool_.kind(info.type) != TypeKind::Array) {
      access.writes.push_back({update.variable, Expr()});
      for (const AccessedCell& cell : reads_of({&update.value, 1})) {
        access.value_reads.push_back({cell, update.variable});
      }
      continue;
    }
    // store(store(a, i, x), j, y) writes the cells i and j and depends on i, j, x and y.
    std::vector<Expr> parts;
    std::vector<Expr> indices;
    Expr base = update.value;
    for (; pool_.op(base) == Op::Store; base = pool_.child(base, 0)) {
      indices.push_back(pool_.child(base, 1));
      parts.push_back(pool_.child(base, 1));
      parts.push_back(pool_.child(base, 2));
    }
    if (pool_.is_variable(base) && pool_.symbol_of(base) == info.current) {
      for (Expr index : indices) access.writes.push_back({update.variable, index});
      conditions.insert(conditions.end(), parts.begin(), parts.end());
    } else {
      access.writes.push_back({update.variable, Expr()});
      conditions.push_back(update.value);
    }
  }
  for (std::uint32_t v : transition.open) access.writes.push_back({v, Expr()});
  access.reads = reads_of(conditions);
}

void Accesses::find_goal_writers() {
  std::vector<char> in_goal(system_.variables.size(), 0);
  for (const AccessedCell& cell : goal_) in_goal[cell.variable] = 1;
  for (const TransitionAccess& access : transitions_) {
    writes_goal_.push_back(
        std::any_of(access.writes.begin(), access.writes.end(),
                    [&](const AccessedCell& cell) { return in_goal[cell.variable] != 0; }));
  }
}

// Cases that read the same are one part.
void Accesses::find_goal_parts() {
  std::map<std::vector<AccessedCell>, std::vector<Expr>> parts;
  for (Expr one : cases_of(*system_.pool, system_.goal.condition)) {
    parts[reads_of({&one, 1})].push_back(one);
  }
  for (auto& [reads, conditions] : parts) {
    goal_parts_.push_back({system_.pool->disj(conditions), reads});
  }
}

void Accesses::find_threads() {
  std::vector<char> counter(system_.variables.size(), 0);
  for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
    counter[v] = system_.variables[v].is_location ? 1 : 0;
  }
  for (const TransitionAccess& access : transitions_) {
    for (const AccessedCell& write : access.writes) {
      const std::uint32_t v = write.variable;
      if (counter[v] != 0 && !access.reads_variable(v)) counter[v] = 0;
    }
  }
  for (const TransitionAccess& access : transitions_) {
    std::uint32_t thread = kNone;
    for (const AccessedCell& write : access.writes) {
      if (counter[write.variable] != 0) thread = std::min(thread, write.variable);
    }
    threads_.push_back(thread);
  }
}

void Accesses::find_alone() {
  constexpr std::uint32_t kNobody = kNone - 1;
  std::vector<std::uint32_t> users(system_.variables.size(), kNobody);    // kNone: several
  std::vector<std::uint32_t> writers(system_.variables.size(), kNobody);  // the same
  auto note = [](std::uint32_t& who, std::uint32_t thread) {
    who = who == kNobody || who == thread ? thread : kNone;
  };
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    const TransitionAccess& access = transitions_[t];
    for (const AccessedCell& cell : access.reads) note(users[cell.variable], threads_[t]);
    for (const auto& read : access.value_reads) note(users[read.cell.variable], threads_[t]);
    for (const AccessedCell& cell : access.writes) {
      note(users[cell.variable], threads_[t]);
      note(writers[cell.variable], threads_[t]);
    }
  }
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    const TransitionAccess& access = transitions_[t];
    auto undisturbed = [&](const AccessedCell& cell) {
      const std::uint32_t who = writers[cell.variable];
      return who == kNobody || who == threads_[t];
    };
    alone_.push_back(
        threads_[t] != kNone &&
        std::all_of(access.reads.begin(), access.reads.end(), undisturbed) &&
        std::all_of(access.value_reads.begin(), access.value_reads.end(),
                    [&](const auto& read) { return undisturbed(read.cell); }) &&
        std::all_of(access.writes.begin(), access.writes.end(),
                    [&](const AccessedCell& cell) { return users[cell.variable] == threads_[t]; }));
  }
}

bool Accesses::all_meet() const {
  using Use = std::pair<std::uint32_t, std::uint32_t>;  // variable, thread
  std::set<Use> reads;
  std::set<Use> writes;
  std::set<std::uint32_t> threads;
  for (std::uint32_t t = 0; t < transitions_.size(); ++t) {
    const std::uint32_t thread = threads_[t];
    threads.insert(thread);
    auto note = [&](const AccessedCell& cell, std::set<Use>& uses) {
      if (!cell.index.valid()) uses.emplace(cell.variable, thread);
    };
    for (const AccessedCell& cell : transitions_[t].reads) note(cell, reads);
    for (const auto& read : transitions_[t].value_reads) note(read.cell, reads);
    for (const AccessedCell& cell : transitions_[t].writes) note(cell, writes);
  }
  std::size_t count = 0;
  std::uint32_t last = Accesses::kNone;
  for (const Use& use : writes) {
    if (use.first != last) count = 0;
    last = use.first;
    if (reads.contains(use) && ++count == threads.size()) return true;
  }
  return false;
}

}  // namespace whittle
