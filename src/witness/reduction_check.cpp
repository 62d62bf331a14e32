// SPDX-License-Identifier: Apache-2.0
// Every condition is looked at as it is written down. A place is a variable or, where a constant
// names it, a cell of an array; what is not understood counts as a use of the whole array.
#include "witness/reduction_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "expr/traverse.h"

namespace whittle {

namespace {

// A variable and a cell of it; no cell: all of it.
using Place = std::pair<std::uint32_t, std::optional<Integer>>;

bool meet(const Place& a, const Place& b) {
  return a.first == b.first && (!a.second || !b.second || *a.second == *b.second);
}

bool meet(const std::vector<Place>& some, const std::vector<Place>& others) {
  return std::any_of(some.begin(), some.end(), [&](const Place& a) {
    return std::any_of(others.begin(), others.end(), [&](const Place& b) { return meet(a, b); });
  });
}

bool names(const std::vector<Place>& places, std::uint32_t variable) {
  return meet({Place{variable, std::nullopt}}, places);
}

class ReductionCheck {
 public:
  ReductionCheck(const TransitionSystem& system, const StateReduction& reduction)
      : system_(system), pool_(*system.pool), reduction_(reduction) {
    for (std::uint32_t v = 0; v < system.variables.size(); ++v)
      variables_.emplace(system.variables[v].current, v);
    for (const Transition& transition : system.transitions) uses_.push_back(uses_of(transition));
    goal_ = reads_of(system.goal.condition);
  }

  std::optional<std::string> operator()() {
    for (const DeadValue& dead : reduction_.dead) check(dead);
    for (const AmpleLocation& ample : reduction_.ample) check(ample);
    check_cycles();
    if (problem_.empty()) return std::nullopt;
    return problem_;
  }

 private:
  struct Uses {
    std::vector<Place> reads;   // all that it reads
    std::vector<Place> writes;  // all that it writes
  };

  [[nodiscard]] std::vector<Place> reads_of(Expr term) const {
    std::vector<Place> places;
    const auto whole = [&](Expr e) {
      if (!pool_.is_variable(e)) return;
      const auto found = variables_.find(pool_.symbol_of(e));
      if (found != variables_.end()) places.emplace_back(found->second, std::nullopt);
    };
    whole(term);
    for_each_subterm(pool_, term, [&](Expr e) {
      const auto children = pool_.children(e);
      const bool cell = pool_.op(e) == Op::Select && pool_.is_variable(children[0]) &&
                        pool_.is_const(children[1]) && pool_.value(children[1]).is_integer();
      if (cell) {
        const auto found = variables_.find(pool_.symbol_of(children[0]));
        if (found != variables_.end())
          places.emplace_back(found->second, pool_.value(children[1]).as_integer());
        return;
      }
      for (Expr child : children) whole(child);
    });
    return places;
  }

  [[nodiscard]] Uses uses_of(const Transition& transition) const {
    Uses uses;
    const auto read = [&](Expr term) {
      auto more = reads_of(term);
      uses.reads.insert(uses.reads.end(), more.begin(), more.end());
    };
    read(transition.guard);
    if (transition.relation.valid()) read(transition.relation);
    for (const Update& update : transition.updates) {
      for (const Place& place : written(update, uses)) uses.writes.push_back(place);
    }
    for (std::uint32_t v : transition.open) uses.writes.emplace_back(v, std::nullopt);
    return uses;
  }

  // store(store(a, 1, x), 2, y) writes two cells of a and keeps the others.
  [[nodiscard]] std::vector<Place> written(const Update& update, Uses& uses) const {
    std::vector<Place> cells;
    std::vector<Expr> parts;
    Expr base = update.value;
    for (; pool_.op(base) == Op::Store; base = pool_.child(base, 0)) {
      const Expr index = pool_.child(base, 1);
      std::optional<Integer> cell;
      if (pool_.is_const(index) && pool_.value(index).is_integer())
        cell = pool_.value(index).as_integer();
      cells.emplace_back(update.variable, cell);
      parts.push_back(index);
      parts.push_back(pool_.child(base, 2));
    }
    const bool kept = !cells.empty() && pool_.is_variable(base) &&
                      pool_.symbol_of(base) == system_.variables[update.variable].current;
    if (!kept) {
      parts = {update.value};
      cells = {Place{update.variable, std::nullopt}};
    }
    for (Expr part : parts) {
      for (const Place& place : reads_of(part)) uses.reads.push_back(place);
    }
    return cells;
  }

  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }
  [[nodiscard]] const std::string& name(std::uint32_t variable) const {
    return system_.variables[variable].name;
  }

  // Is the transition one of the thread?
  [[nodiscard]] bool is_of(std::size_t transition, std::uint32_t thread) const {
    const Uses& uses = uses_[transition];
    return names(uses.reads, thread) || names(uses.writes, thread);
  }

  [[nodiscard]] std::optional<std::uint32_t> start(std::size_t transition,
                                                   std::uint32_t thread) const {
    return start_of(system_, transition, thread);
  }

  // Where it ends: unknown unless it is a constant or the location is not written.
  [[nodiscard]] std::optional<std::uint32_t> end(std::size_t transition,
                                                 std::uint32_t thread) const {
    if (!names(uses_[transition].writes, thread)) return start(transition, thread);
    for (const Update& update : system_.transitions[transition].updates) {
      if (update.variable == thread && pool_.is_const(update.value))
        return pool_.value(update.value).as_enum().index;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_thread(const ThreadLocations& at) {
    return at.thread < system_.variables.size() &&
           pool_.kind(system_.variables[at.thread].type) == TypeKind::Enum;
  }

  Expr goal_at(std::uint32_t thread, std::uint32_t location) {
    const auto [it, fresh] = goals_.try_emplace({thread, location});
    if (fresh) {
      const StateVariable& variable = system_.variables[thread];
      Substitution there(pool_);
      there.set(variable.current, pool_.constant(Value(EnumValue{location}), variable.type));
      it->second = there(system_.goal.condition);
    }
    return it->second;
  }

  void check(const DeadValue& dead) {
    const std::uint32_t variable = dead.variable;
    if (!is_thread(dead.at) || variable >= system_.variables.size() || variable == dead.at.thread)
      return fail("a dead value of no variable or no thread");
    const auto& locations = dead.at.locations;
    const auto among = [&](std::optional<std::uint32_t> location) {
      return location &&
             std::find(locations.begin(), locations.end(), *location) != locations.end();
    };
    for (std::size_t t = 0; t < uses_.size(); ++t) {
      const bool uses = names(uses_[t].reads, variable) || names(uses_[t].writes, variable);
      const bool own = is_of(t, dead.at.thread);
      if (uses && !own) return fail(fmt::format("{} is no value of one thread", name(variable)));
      if (!own) continue;
      const auto from = start(t, dead.at.thread);
      if (from && !among(from)) continue;
      const Transition& transition = system_.transitions[t];
      if (reads_for_others(transition, variable))
        return fail(fmt::format("{} reads {}, which is dead", transition.name, name(variable)));
      if (!among(end(t, dead.at.thread)) && !overwrites(transition, variable))
        return fail(fmt::format("{} ends where {} is not dead", transition.name, name(variable)));
    }
    for (std::uint32_t location : locations) {
      if (names(reads_of(goal_at(dead.at.thread, location)), variable))
        return fail(fmt::format("the goal reads {}, which is dead", name(variable)));
    }
  }

  [[nodiscard]] bool reads_for_others(const Transition& transition, std::uint32_t variable) const {
    const auto in = [&](Expr term) { return names(reads_of(term), variable); };
    return in(transition.guard) || (transition.relation.valid() && in(transition.relation)) ||
           std::any_of(transition.updates.begin(), transition.updates.end(),
                       [&](const Update& update) {
                         return update.variable != variable && in(update.value);
                       });
  }

  [[nodiscard]] bool overwrites(const Transition& transition, std::uint32_t variable) const {
    if (std::find(transition.open.begin(), transition.open.end(), variable) !=
        transition.open.end())
      return true;
    return std::any_of(transition.updates.begin(), transition.updates.end(), [&](const Update& u) {
      return u.variable == variable && !names(reads_of(u.value), variable);
    });
  }

  void check(const AmpleLocation& ample) {
    const std::uint32_t thread = ample.thread;
    const bool threads =
        is_thread({thread, {}}) && std::all_of(ample.unless.begin(), ample.unless.end(),
                                               [&](const auto& at) { return is_thread(at); });
    if (!threads) return fail("an ample location of no thread");
    std::vector<std::size_t> own;
    for (std::size_t t = 0; t < uses_.size(); ++t) {
      if (!is_of(t, thread)) continue;
      const auto from = start(t, thread);
      if (!from) return fail(fmt::format("{} starts anywhere", system_.transitions[t].name));
      if (*from == ample.location) own.push_back(t);
    }
    for (std::size_t t = 0; t < uses_.size(); ++t) {
      if (is_of(t, thread)) continue;
      for (std::size_t mine : own) {
        const bool independent = !meet(uses_[t].writes, uses_[mine].reads) &&
                                 !meet(uses_[t].writes, uses_[mine].writes) &&
                                 !meet(uses_[t].reads, uses_[mine].writes);
        if (!independent && !excluded(t, ample))
          return fail(fmt::format("{} depends on {}", system_.transitions[mine].name,
                                  system_.transitions[t].name));
      }
    }
    for (const ThreadLocations& unless : ample.unless) check_closed(unless, thread);
    if (pool_.is_false(goal_at(thread, ample.location))) return;
    second_[thread].insert(ample.location);
    for (std::size_t mine : own) {
      const auto to = end(mine, thread);
      if (!to || goal_at(thread, *to) != goal_at(thread, ample.location))
        return fail(fmt::format("{} changes the goal", system_.transitions[mine].name));
      for (const Place& place : uses_[mine].writes) {
        if (place.first == thread) continue;
        if (meet({place}, goal_))
          return fail(fmt::format("{} changes the goal", system_.transitions[mine].name));
        if (has_ample(place.first))
          return fail(fmt::format("{} moves another thread", system_.transitions[mine].name));
      }
    }
  }

  [[nodiscard]] bool has_ample(std::uint32_t thread) const {
    return std::any_of(reduction_.ample.begin(), reduction_.ample.end(),
                       [&](const AmpleLocation& ample) { return ample.thread == thread; });
  }

  // The transition starts at a location where the ample set is not used.
  [[nodiscard]] bool excluded(std::size_t transition, const AmpleLocation& ample) const {
    return std::any_of(ample.unless.begin(), ample.unless.end(), [&](const ThreadLocations& at) {
      const auto from = start(transition, at.thread);
      return from &&
             std::find(at.locations.begin(), at.locations.end(), *from) != at.locations.end();
    });
  }

  // No step leads the thread to these locations from outside while `still` does nothing.
  void check_closed(const ThreadLocations& at, std::uint32_t still) {
    const std::set<std::uint32_t> locations(at.locations.begin(), at.locations.end());
    for (std::size_t t = 0; t < uses_.size(); ++t) {
      if (!names(uses_[t].writes, at.thread) || is_of(t, still)) continue;
      const auto from = start(t, at.thread);
      const auto to = end(t, at.thread);
      const bool outside = !from || !locations.contains(*from);
      if (outside && (!to || locations.contains(*to)))
        return fail(
            fmt::format("{} leads to where an ample set is not used", system_.transitions[t].name));
    }
  }

  // Takes away locations without a way to another one, until none is left, or a cycle is.
  void check_cycles() {
    for (auto& [thread, left] : second_) {
      for (bool smaller = true; smaller;) {
        std::set<std::uint32_t> inner;
        for (std::size_t t = 0; t < uses_.size(); ++t) {
          const auto from = start(t, thread);
          const auto to = end(t, thread);
          if (from && left.contains(*from) && (!to || left.contains(*to))) inner.insert(*from);
        }
        smaller = inner.size() < left.size();
        left = std::move(inner);
      }
      if (!left.empty()) fail(fmt::format("a cycle of ample locations of {}", name(thread)));
    }
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const StateReduction& reduction_;
  std::unordered_map<SymbolId, std::uint32_t> variables_;
  std::vector<Uses> uses_;  // by transition
  std::vector<Place> goal_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> goals_;  // by thread, location
  std::map<std::uint32_t, std::set<std::uint32_t>> second_;  // ample, and the goal is not false
  std::string problem_;
};

}  // namespace

std::optional<std::uint32_t> start_of(const TransitionSystem& system, std::size_t transition,
                                      std::uint32_t thread) {
  const ExprPool& pool = *system.pool;
  for (Expr conjunct : conjuncts(pool, system.transitions[transition].guard)) {
    if (pool.op(conjunct) != Op::Eq) continue;
    for (const auto& [variable, value] :
         {std::pair(pool.child(conjunct, 0), pool.child(conjunct, 1)),
          std::pair(pool.child(conjunct, 1), pool.child(conjunct, 0))}) {
      const bool says = pool.is_variable(variable) && pool.is_const(value) &&
                        pool.symbol_of(variable) == system.variables[thread].current;
      if (says) return pool.value(value).as_enum().index;
    }
  }
  return std::nullopt;
}

std::optional<std::string> reduction_problem(const TransitionSystem& system,
                                             const StateReduction& reduction) {
  return ReductionCheck(system, reduction)();
}

}  // namespace whittle
