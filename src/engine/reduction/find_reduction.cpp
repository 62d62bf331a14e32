// SPDX-License-Identifier: Apache-2.0
// Both reductions start from what transitions read and write (accesses.h) and leave out locations
// until the conditions hold: dead values by a greatest fixed point over the control flow of a
// thread, ample locations by conflicts with other threads, by the goal and by cycles.
#include "engine/reduction/find_reduction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/reduction/accesses.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

// Work for a system in proportion to its transitions times its locations; beyond this, none.
constexpr std::size_t kMostWork = 500'000;
constexpr std::uint32_t kNone = UINT32_MAX;

class Finder {
 public:
  explicit Finder(const TransitionSystem& system)
      : system_(system), pool_(*system.pool), accesses_(system), variables_(system) {}

  StateReduction operator()() {
    find_threads();
    std::size_t locations = 0;
    for (const Thread& thread : threads_) locations += thread.from.size();
    if (locations * (system_.transitions.size() + 1) > kMostWork) return {};
    for (std::uint32_t p = 0; p < threads_.size(); ++p) {
      if (!threads_[p].regular) continue;
      find_goals(threads_[p]);
      find_dead(threads_[p]);
      find_ample(p);
    }
    return std::move(result_);
  }

 private:
  struct Move {
    std::uint32_t transition;
    std::uint32_t to;  // kNone: not known
  };
  struct Thread {
    std::uint32_t variable;
    std::vector<std::vector<Move>> from;  // by location
    std::vector<char> owns;               // by transition
    bool regular = true;                  // each of its transitions says where it starts
    std::vector<Expr> goals;              // by location: the goal with the thread there
  };

  void find_threads() {
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      const StateVariable& variable = system_.variables[v];
      if (!variable.is_location || pool_.kind(variable.type) != TypeKind::Enum) continue;
      Thread& thread = threads_.emplace_back();
      thread.variable = v;
      thread.from.resize(pool_.info(variable.type).values.size());
      thread.owns.resize(system_.transitions.size(), 0);
    }
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      for (Thread& thread : threads_) place(thread, t);
    }
  }

  void place(Thread& thread, std::uint32_t t) {
    const TransitionAccess& access = accesses_.of(t);
    const auto is = [&](const AccessedCell& cell) { return cell.variable == thread.variable; };
    const bool reads = std::any_of(access.reads.begin(), access.reads.end(), is) ||
                       std::any_of(access.value_reads.begin(), access.value_reads.end(),
                                   [&](const auto& read) { return is(read.cell); });
    const bool writes = std::any_of(access.writes.begin(), access.writes.end(), is);
    if (!reads && !writes) return;
    thread.owns[t] = 1;
    const std::uint32_t start = start_of(thread, system_.transitions[t]);
    if (start == kNone)
      thread.regular = false;
    else
      thread.from[start].push_back({t, writes ? end_of(thread, system_.transitions[t]) : start});
  }

  [[nodiscard]] std::uint32_t start_of(const Thread& thread, const Transition& transition) const {
    for (Expr conjunct : conjuncts(pool_, transition.guard)) {
      if (pool_.op(conjunct) != Op::Eq) continue;
      Expr location = pool_.child(conjunct, 0);
      Expr value = pool_.child(conjunct, 1);
      if (pool_.is_const(location)) std::swap(location, value);
      if (pool_.is_const(value) && variables_.of(pool_, location) == thread.variable)
        return pool_.value(value).as_enum().index;
    }
    return kNone;
  }

  [[nodiscard]] std::uint32_t end_of(const Thread& thread, const Transition& transition) const {
    for (const Update& update : transition.updates) {
      if (update.variable == thread.variable && pool_.is_const(update.value))
        return pool_.value(update.value).as_enum().index;
    }
    return kNone;
  }

  void find_goals(Thread& thread) {
    const StateVariable& variable = system_.variables[thread.variable];
    for (std::uint32_t at = 0; at < thread.from.size(); ++at) {
      Substitution there(pool_);
      there.set(variable.current, pool_.constant(Value(EnumValue{at}), variable.type));
      thread.goals.push_back(there(system_.goal.condition));
    }
  }

  // Dead values.

  void find_dead(const Thread& thread) {
    std::set<std::uint32_t> own;
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      if (thread.owns[t] == 0) continue;
      for (const AccessedCell& cell : accesses_.of(t).writes) own.insert(cell.variable);
    }
    own.erase(thread.variable);
    for (std::uint32_t t = 0; t < system_.transitions.size() && !own.empty(); ++t) {
      if (thread.owns[t] != 0) continue;
      const TransitionAccess& access = accesses_.of(t);
      for (const AccessedCell& cell : access.reads) own.erase(cell.variable);
      for (const auto& read : access.value_reads) own.erase(read.cell.variable);
      for (const AccessedCell& cell : access.writes) own.erase(cell.variable);
    }
    for (std::uint32_t variable : own) {
      if (!system_.variables[variable].is_location) find_dead(thread, variable);
    }
  }

  void find_dead(const Thread& thread, std::uint32_t variable) {
    std::vector<char> dead(thread.from.size(), 1);
    for (std::uint32_t at = 0; at < dead.size(); ++at) {
      for (SymbolId symbol : symbols(pool_, thread.goals[at])) {
        if (variables_[symbol] == variable) dead[at] = 0;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = 0; at < dead.size(); ++at) {
        const auto keeps = [&](const Move& move) {
          switch (use(move.transition, variable)) {
            case Use::Reads:
              return false;
            case Use::Overwrites:
              return true;
            case Use::Nothing:
              break;
          }
          return move.to != kNone && dead[move.to] != 0;
        };
        if (dead[at] == 0 || std::all_of(thread.from[at].begin(), thread.from[at].end(), keeps))
          continue;
        dead[at] = 0;
        changed = true;
      }
    }
    DeadValue found{variable, {thread.variable, {}}};
    for (std::uint32_t at = 0; at < dead.size(); ++at) {
      if (dead[at] != 0) found.at.locations.push_back(at);
    }
    if (!found.at.locations.empty()) result_.dead.push_back(std::move(found));
  }

  enum class Use : std::uint8_t { Reads, Overwrites, Nothing };  // Nothing: or only itself
  [[nodiscard]] Use use(std::uint32_t transition, std::uint32_t variable) const {
    const TransitionAccess& access = accesses_.of(transition);
    bool own = access.reads_variable(variable);
    if (own) return Use::Reads;
    for (const auto& read : access.value_reads) {
      if (read.cell.variable != variable) continue;
      if (read.into != variable) return Use::Reads;
      own = true;
    }
    const AccessedCell all{variable, Expr()};
    const bool written =
        std::find(access.writes.begin(), access.writes.end(), all) != access.writes.end();
    return written && !own ? Use::Overwrites : Use::Nothing;
  }

  // Ample locations.

  [[nodiscard]] bool overlap(const AccessedCell& a, const AccessedCell& b) const {
    if (a.variable != b.variable) return false;
    const bool named =
        a.index.valid() && b.index.valid() && pool_.is_const(a.index) && pool_.is_const(b.index);
    return !named || a.index == b.index;
  }

  template <class Cells>
  [[nodiscard]] bool overlap(const AccessedCell& cell, const Cells& cells) const {
    return std::any_of(cells.begin(), cells.end(),
                       [&](const AccessedCell& other) { return overlap(cell, other); });
  }

  [[nodiscard]] bool reads_overlap(const TransitionAccess& reader,
                                   const TransitionAccess& writer) const {
    return std::any_of(writer.writes.begin(), writer.writes.end(), [&](const auto& written) {
      return overlap(written, reader.reads) ||
             std::any_of(reader.value_reads.begin(), reader.value_reads.end(),
                         [&](const auto& read) { return overlap(read.cell, written); });
    });
  }

  [[nodiscard]] bool conflict(std::uint32_t a, std::uint32_t b) const {
    const TransitionAccess& one = accesses_.of(a);
    const TransitionAccess& two = accesses_.of(b);
    return reads_overlap(one, two) || reads_overlap(two, one) ||
           std::any_of(one.writes.begin(), one.writes.end(),
                       [&](const auto& cell) { return overlap(cell, two.writes); });
  }

  void find_ample(std::uint32_t p) {
    const Thread& thread = threads_[p];
    std::vector<std::optional<AmpleLocation>> found(thread.from.size());
    std::vector<char> second(thread.from.size(), 0);  // ample because the goal stays the same
    for (std::uint32_t at = 0; at < found.size(); ++at) {
      if (thread.from[at].empty()) continue;
      const bool never = pool_.is_false(thread.goals[at]);
      if (!never && !goal_stays(thread, at)) continue;
      found[at] = ample(p, at);
      second[at] = found[at] && !never ? 1 : 0;
    }
    break_cycles(thread, second);
    for (std::uint32_t at = 0; at < found.size(); ++at) {
      if (found[at] && (second[at] != 0 || pool_.is_false(thread.goals[at])))
        result_.ample.push_back(std::move(*found[at]));
    }
  }

  [[nodiscard]] bool goal_stays(const Thread& thread, std::uint32_t at) const {
    return std::all_of(thread.from[at].begin(), thread.from[at].end(), [&](const Move& move) {
      if (move.to == kNone || thread.goals[at] != thread.goals[move.to]) return false;
      const auto& writes = accesses_.of(move.transition).writes;
      return std::all_of(writes.begin(), writes.end(), [&](const AccessedCell& cell) {
        if (cell.variable == thread.variable) return true;
        return !system_.variables[cell.variable].is_location && !overlap(cell, accesses_.of_goal());
      });
    });
  }

  [[nodiscard]] std::optional<AmpleLocation> ample(std::uint32_t p, std::uint32_t at) const {
    const Thread& thread = threads_[p];
    std::map<std::uint32_t, std::set<std::uint32_t>> conflicts;  // by other thread: locations
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      if (thread.owns[t] != 0) continue;
      const bool disturbs =
          std::any_of(thread.from[at].begin(), thread.from[at].end(),
                      [&](const Move& move) { return conflict(move.transition, t); });
      if (!disturbs) continue;
      const auto q = std::find_if(threads_.begin(), threads_.end(), [&](const Thread& other) {
        return other.owns[t] != 0 && other.regular;
      });
      if (q == threads_.end()) return std::nullopt;
      conflicts[static_cast<std::uint32_t>(q - threads_.begin())].insert(
          start_of(*q, system_.transitions[t]));
    }
    AmpleLocation result{thread.variable, at, {}};
    for (const auto& [q, locations] : conflicts) {
      ThreadLocations unless{threads_[q].variable, before(thread, threads_[q], locations)};
      if (unless.locations.size() == threads_[q].from.size()) return std::nullopt;
      result.unless.push_back(std::move(unless));
    }
    return result;
  }

  // Locations from which the other thread can come to one of these while the first does nothing.
  [[nodiscard]] static std::vector<std::uint32_t> before(const Thread& still, const Thread& other,
                                                         std::set<std::uint32_t> locations) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t at = 0; at < other.from.size(); ++at) {
        if (locations.count(at) != 0) continue;
        for (const Move& move : other.from[at]) {
          if (still.owns[move.transition] != 0) continue;
          if (move.to != kNone && locations.count(move.to) == 0) continue;
          locations.insert(at);
          changed = true;
          break;
        }
      }
    }
    return {locations.begin(), locations.end()};
  }

  // Leaves out locations at which a way through the others comes back to itself.
  static void break_cycles(const Thread& thread, std::vector<char>& kept) {
    enum class State : std::uint8_t { New, Open, Done };
    std::vector<State> state(kept.size(), State::New);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // location, next move to look at
    for (std::uint32_t root = 0; root < kept.size(); ++root) {
      if (kept[root] == 0 || state[root] != State::New) continue;
      path.emplace_back(root, 0);
      state[root] = State::Open;
      while (!path.empty()) {
        auto& [at, next] = path.back();
        if (kept[at] == 0 || next == thread.from[at].size()) {
          state[at] = State::Done;
          path.pop_back();
          continue;
        }
        const std::uint32_t to = thread.from[at][next++].to;
        if (to == kNone || kept[to] == 0) continue;
        if (state[to] == State::Open) {
          kept[to] = 0;
        } else if (state[to] == State::New) {
          state[to] = State::Open;
          path.emplace_back(to, 0);
        }
      }
    }
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  Accesses accesses_;
  SymbolVariables variables_;
  std::vector<Thread> threads_;
  StateReduction result_;
};

}  // namespace

StateReduction find_reduction(const TransitionSystem& system) { return Finder(system)(); }

}  // namespace whittle
