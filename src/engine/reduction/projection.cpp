// SPDX-License-Identifier: Apache-2.0
// Projections (Saissi, Bokor, Suri: "PBMC: Symbolic Program Slicing for Program Verification",
// 2015), encoded as liveness.
//
// Let a run s0 -t1-> s1 ... -tn-> sn reach the goal. Walk back over it: live after the last step
// are the cells that the goal reads. A step is needed if it writes a cell that is live after it.
// Live before a needed step are
//   - the cells that decide whether it is possible, where it writes, and what it puts into cells
//     that are live after it, and
//   - the cells that are live after it, except those that it surely overwrites;
// before a step that is not needed, the same cells as after it. Cells of arrays are told apart by
// the values that their indices have on the run.
//
// Theorem. The needed steps alone, in their order, are a run from s0 that reaches the goal.
// Proof. Let s'i be the state after the needed ones among the first i steps. It agrees with si on
// what is live there: so it is at the beginning. A step that is not needed changes nothing live. A
// needed one is possible in s'(i-1), because what decides that is live; it writes the same cells
// and puts the same values into the live ones; what is live after it and not surely overwritten was
// live before. At the end the goal holds, since what it reads is live.  []
//
// Hence on a shortest run to the goal every step is needed (else there were a shorter one), and it
// is enough to look for runs on which every step is needed: verdicts stay the same and so does the
// least depth. It is the authors' theorem 1 except that their definition 2 keeps a step as soon as
// anything later reads what it writes. Here an overwritten cell is dead: what a step surely writes
// does not depend on what was there, so the proof does not need that to agree. (Why may a kill be
// trusted when the run is cut down? Which cells a needed step writes is decided by live cells, so
// it kills the same ones on both runs; a step that is left out kills nothing.) For the same reason
// the operands of a write that nobody needs do not count. A question for a particular number of
// steps is not helped by a shorter run, so bmc does without projections there.
//
// A goal `g1 or g2 or ...` holds at the end of the run because one of its parts does. The run is
// one to that part, and no shorter run leads to it, or that would be a shorter one to the goal. So
// every step of a shortest run is needed for one part, which the solver chooses: what the other
// parts read is not live at the end. Of "no process ever ..." one process is looked at, with what
// it needs of the others.
//
// Steps as late as they are needed. A step that conflicts with no step of another thread, and
// writes nothing that the goal reads, is needed for the next step of its own thread. Whatever
// stands between the two can change places with it, and the run stays as short and ends in the same
// state: so it is enough to look at runs on which the next step of the thread follows at once. (A
// counter that is counted up, a hash that is computed: of Indexer's steps three in four.)
//
// Encoding. live(v, k) says that v is going to be needed after step k - 1, as a promise that the
// following steps keep, so that no depth needs a formula of its own:
//
//   taken t at k       ->  live(v, k + 1) for some v that t writes
//   live(v, k)         ->  live(v, k + 1)  or a transition that reads or overwrites v is taken at k
//   live(v, k), taken t, which reads v to write u only     ->  live(u, k + 1)  or ...
//   live(v, k), taken t, which overwrites v                ->  it reads v, too
//   goal after k steps ->  part(j, k) for some j;  part(j, k)  ->  gj after k steps
//   goal after k steps ->  not live(v, k)  or part(j, k) for some gj that reads v
//
// One direction is enough, and measured to be quicker than both: that what is read or stays live is
// live (half as much work again on some programs, no less on others) tells the solver nothing about
// which steps to take.
//
// Linear in the sizes of the transitions per step, where the relation between all pairs of steps
// (`dependency`, dependency_projection.cpp) is quadratic in both.
//
// Arrays. One promise is about one cell. A step of a thread that takes another step later is needed
// for that one's sake (program counters are variables), so only the last step of a thread need
// promise anything else, and each thread has one such promise: the cell `mine(p)` of an array,
// which is no function of time. Steps that belong to no thread promise the array as a whole, which
// any read fulfils and only an overwritten array breaks.
#include "engine/reduction/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace whittle {

namespace {

// A goal that reads more cells of one array than this reads all of it.
constexpr std::size_t kMaxGoalCells = 16;

class Liveness final : public Projection {
 public:
  Liveness(const TransitionSystem& system, const Accesses& accesses, Unroller& unroller,
           const StepEncoder& steps, bool late)
      : system_(system),
        accesses_(accesses),
        pool_(*system.pool),
        unroller_(unroller),
        steps_(steps),
        late_(late) {
    find_goal_cells();
    find_relevant();
    find_owners();
    find_tokens();
    find_touching();
    selectors_.resize(system.transitions.size());
  }

  void encode(std::uint64_t k, std::vector<Expr>& out) override {
    for (const StepEncoder::Selected& selected : steps_.selected(k)) {
      if (selected.transition == StepEncoder::kWait) continue;
      selectors_[selected.transition] = selected.selector;
      need(selected, k, out);
    }
    if (k > 0) follow_at_once(k, out);
    for (std::uint32_t t = 0; t < tokens_.size(); ++t) {
      if (promised(t, k)) keep_promise(t, k, out);
    }
    for (const StepEncoder::Selected& selected : steps_.selected(k)) {
      if (selected.transition != StepEncoder::kWait) selectors_[selected.transition] = Expr();
    }
  }

  void at_goal(std::uint64_t k, Expr goal, std::vector<Expr>& out) override {
    const std::vector<Expr> chosen = choose_part(k, goal, out);
    for (std::uint32_t t = 0; t < tokens_.size(); ++t) {
      if (!promised(t, k)) continue;
      const Token& token = tokens_[t];
      std::vector<Expr> parts = {pool_.negate(goal), pool_.negate(live_[k][t])};
      for (const GoalRead& read : goal_reads_[token.variable]) {
        parts.push_back(pool_.conj(chosen[read.part], hit(token, read.cell, k)));
      }
      const Expr clause = pool_.disj(parts);
      if (!pool_.is_true(clause)) out.push_back(clause);
    }
    // The last step is not needed for a later one's sake.
    if (k == 0) return;
    for (const StepEncoder::Selected& selected : steps_.selected(k - 1)) {
      if (is_unnoticed(selected))
        out.push_back(pool_.disj(pool_.negate(goal), pool_.negate(selected.selector)));
    }
    for (const StepEncoder::Selected& selected : steps_.selected(k - 1)) {
      if (selected.transition == StepEncoder::kWait || !needed_until_last(selected.transition))
        continue;
      std::vector<Expr> parts = reasons(selected, k - 1);
      for (const AccessedCell& write : accesses_.of(selected.transition).writes) {
        if (!read_by_all(write.variable)) continue;
        for (const GoalRead& read : goal_reads_[write.variable]) {
          parts.push_back(chosen[read.part]);
        }
      }
      parts.push_back(pool_.negate(goal));
      parts.push_back(pool_.negate(selected.selector));
      out.push_back(pool_.disj(parts));
    }
  }

 private:
  // What can be promised: a variable, or a cell of an array that one thread has written.
  struct Token {
    std::uint32_t variable = 0;
    std::uint32_t thread = Accesses::kNone;
    Expr mine;  // which cell; invalid: all of it
  };

  // A part of the goal reads a variable, or a cell of an array.
  struct GoalRead {
    std::uint32_t part = 0;
    AccessedCell cell;
  };

  // ----- what is known before the first step

  void find_goal_cells() {
    const std::size_t variables = system_.variables.size();
    goal_reads_.resize(variables);
    whole_goal_.resize(variables, 0);
    std::vector<std::uint32_t> whole(variables, 0);  // number of parts
    const std::vector<GoalPart>& parts = accesses_.goal_parts();
    for (std::uint32_t part = 0; part < parts.size(); ++part) {
      std::vector<GoalRead>* list = nullptr;
      std::size_t first = 0;
      std::uint32_t last = Accesses::kNone;
      for (const AccessedCell& cell : parts[part].reads) {
        if (cell.variable != last) {
          last = cell.variable;
          list = &goal_reads_[last];
          first = list->size();
        }
        if (first < list->size() && !list->back().cell.index.valid()) continue;
        const bool all = !cell.index.valid() || list->size() - first == kMaxGoalCells;
        if (all) {
          list->resize(first);
          ++whole[last];
        }
        list->push_back({part, {last, all ? Expr() : cell.index}});
      }
    }
    for (std::uint32_t v = 0; v < variables; ++v) whole_goal_[v] = whole[v] == parts.size();
  }

  // goal -> one of its parts, and one alone; their symbols are returned
  std::vector<Expr> choose_part(std::uint64_t k, Expr goal, std::vector<Expr>& out) {
    const std::vector<GoalPart>& parts = accesses_.goal_parts();
    if (parts.size() == 1) return {pool_.boolean(true)};
    std::vector<Expr> chosen;
    Expr before;  // one of the parts before this one
    for (const GoalPart& part : parts) {
      const Expr now = unroller_.fresh("part", Type::boolean(), k);
      out.push_back(pool_.implies(now, unroller_.at_time(part.condition, k)));
      const Expr after = unroller_.fresh("parts", Type::boolean(), k);
      out.push_back(pool_.implies(now, after));
      if (before.valid()) {
        out.push_back(pool_.implies(before, pool_.negate(now)));
        out.push_back(pool_.implies(before, after));
      }
      before = after;
      chosen.push_back(now);
    }
    std::vector<Expr> some = chosen;
    some.push_back(pool_.negate(goal));
    out.push_back(pool_.disj(some));
    return chosen;
  }

  // Variables from which something can get into what the goal reads.
  void find_relevant() {
    relevant_.resize(system_.variables.size(), 0);
    std::vector<std::vector<std::uint32_t>> writers(system_.variables.size());
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      for (const AccessedCell& write : accesses_.of(t).writes) writers[write.variable].push_back(t);
    }
    std::vector<std::uint32_t> work;
    auto mark = [&](std::uint32_t v) {
      if (relevant_[v] == 0) work.push_back(v);
      relevant_[v] = 1;
    };
    for (const AccessedCell& cell : accesses_.of_goal()) mark(cell.variable);
    std::vector<char> seen(system_.transitions.size(), 0);
    while (!work.empty()) {
      const std::uint32_t v = work.back();
      work.pop_back();
      for (std::uint32_t t : writers[v]) {
        const TransitionAccess& access = accesses_.of(t);
        if (seen[t] == 0) {
          for (const AccessedCell& cell : access.reads) mark(cell.variable);
        }
        seen[t] = 1;
        for (const auto& read : access.value_reads) {
          if (read.into == v) mark(read.cell.variable);
        }
      }
    }
  }

  // The thread that alone uses a variable, if the goal does not: what is written there for a later
  // step of the thread is written so that the thread goes on, which its program counter says. The
  // promise of such a variable counts only where something is passed on through it: from a variable
  // of others into it, or from there into a further one.
  void find_owners() {
    constexpr std::uint32_t kNobody = Accesses::kNone - 1;
    const std::size_t count = system_.variables.size();
    owner_.assign(count, kNobody);
    for (const AccessedCell& cell : accesses_.of_goal()) owner_[cell.variable] = Accesses::kNone;
    auto used = [&](std::uint32_t v, std::uint32_t thread) {
      if (owner_[v] == kNobody) owner_[v] = thread;
      if (owner_[v] != thread || thread == v) owner_[v] = Accesses::kNone;
    };
    std::vector<std::vector<std::uint32_t>> into(count);
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      const TransitionAccess& access = accesses_.of(t);
      const std::uint32_t thread = accesses_.thread_of(t);
      for (const AccessedCell& cell : access.reads) used(cell.variable, thread);
      for (const AccessedCell& cell : access.writes) used(cell.variable, thread);
      for (const auto& read : access.value_reads) {
        used(read.cell.variable, thread);
        into[read.cell.variable].push_back(read.into);
      }
    }
    passes_on_.assign(count, 0);
    std::vector<std::uint32_t> work;
    for (std::uint32_t v = 0; v < count; ++v) {
      if (owner_[v] == kNobody) owner_[v] = Accesses::kNone;
      if (owner_[v] == Accesses::kNone) work.push_back(v);
    }
    while (!work.empty()) {
      const std::uint32_t v = work.back();
      work.pop_back();
      for (std::uint32_t u : into[v]) {
        if (owner_[u] == Accesses::kNone || passes_on_[u] != 0) continue;
        passes_on_[u] = 1;
        work.push_back(u);
      }
    }
  }

  void find_tokens() {
    always_live_.resize(system_.variables.size(), 1);
    always_read_.resize(system_.variables.size(), 0);
    for (std::uint32_t v = 0; v < always_live_.size(); ++v) always_live_[v] = whole_goal_[v];
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      for (const AccessedCell& write : accesses_.of(t).writes) {
        if (!reads_itself(t, write)) always_live_[write.variable] = 0;
      }
      std::uint32_t last = Accesses::kNone;
      for (const AccessedCell& cell : accesses_.of(t).reads) {
        if (cell.variable == last || cell.index.valid()) continue;
        last = cell.variable;
        ++always_read_[last];
      }
    }
    tokens_of_.resize(system_.variables.size());
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      for (const AccessedCell& write : accesses_.of(t).writes) add_token(t, write);
    }
  }

  // Whatever is live after the step in a cell that it writes is live before it, too.
  [[nodiscard]] bool reads_itself(std::uint32_t t, const AccessedCell& written) const {
    const TransitionAccess& access = accesses_.of(t);
    auto same = [&](const AccessedCell& cell) {
      return cell.variable == written.variable &&
             (!cell.index.valid() || cell.index == written.index);
    };
    return std::any_of(access.reads.begin(), access.reads.end(), same) ||
           std::any_of(access.value_reads.begin(), access.value_reads.end(), [&](const auto& read) {
             return read.into == written.variable && same(read.cell);
           });
  }

  [[nodiscard]] bool read_by_all(std::uint32_t v) const {
    return always_read_[v] == system_.transitions.size();
  }

  void add_token(std::uint32_t t, const AccessedCell& written) {
    const std::uint32_t v = written.variable;
    if (relevant_[v] == 0 || always_live_[v] != 0 || read_by_all(v)) return;
    if (owner_[v] != Accesses::kNone && passes_on_[v] == 0) return;
    const std::uint32_t thread = written.index.valid() ? accesses_.thread_of(t) : Accesses::kNone;
    for (std::uint32_t token : tokens_of_[v]) {
      if (tokens_[token].thread == thread) return;
    }
    Token token{v, thread, Expr()};
    if (thread != Accesses::kNone) token.mine = mine_of(thread, written.index);
    tokens_of_[v].push_back(static_cast<std::uint32_t>(tokens_.size()));
    tokens_.push_back(token);
  }

  Expr mine_of(std::uint32_t thread, Expr index) {
    const Type type = pool_.type(index);
    const auto [it, fresh] = mine_.try_emplace({thread, type.id()});
    if (fresh) {
      it->second = pool_.symbol(pool_.declare("mine:" + system_.variables[thread].name, type));
    }
    return it->second;
  }

  void find_touching() {
    touching_.resize(system_.variables.size());
    std::vector<std::uint32_t> last(system_.variables.size(), Accesses::kNone);
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      auto add = [&](const AccessedCell& cell) {
        if (last[cell.variable] == t || tokens_of_[cell.variable].empty()) return;
        last[cell.variable] = t;
        touching_[cell.variable].push_back(t);
      };
      const TransitionAccess& access = accesses_.of(t);
      for (const AccessedCell& cell : access.reads) add(cell);
      for (const auto& read : access.value_reads) add(read.cell);
      for (const AccessedCell& write : access.writes) add(write);
    }
  }

  // ----- steps

  // The next step of its thread follows at once.
  [[nodiscard]] bool is_unnoticed(const StepEncoder::Selected& selected) const {
    return late_ && selected.transition != StepEncoder::kWait &&
           accesses_.unnoticed(selected.transition);
  }

  // unnoticed t of thread p taken at k - 1  ->  goes_on(p, k)  ->  some transition of p at k
  void follow_at_once(std::uint64_t k, std::vector<Expr>& out) {
    std::map<std::uint32_t, Expr> goes_on;  // by thread
    for (const StepEncoder::Selected& selected : steps_.selected(k - 1)) {
      if (!is_unnoticed(selected)) continue;
      Expr& symbol = goes_on[accesses_.thread_of(selected.transition)];
      if (!symbol.valid()) symbol = unroller_.fresh("goes on", Type::boolean(), k);
      out.push_back(pool_.implies(selected.selector, symbol));
    }
    std::map<std::uint32_t, std::vector<Expr>> next;  // by thread
    for (const StepEncoder::Selected& selected : steps_.selected(k)) {
      if (selected.transition != StepEncoder::kWait)
        next[accesses_.thread_of(selected.transition)].push_back(selected.selector);
    }
    for (const auto& [thread, symbol] : goes_on) {
      std::vector<Expr>& parts = next[thread];
      parts.push_back(pool_.negate(symbol));
      out.push_back(pool_.disj(parts));
    }
  }

  [[nodiscard]] bool promised(std::uint32_t token, std::uint64_t k) const {
    return k < live_.size() && live_[k][token].valid();
  }

  // live(token, k): nobody has promised it so far, or somebody has.
  Expr live(std::uint32_t token, std::uint64_t k) {
    if (k >= live_.size()) live_.resize(k + 1, std::vector<Expr>(tokens_.size()));
    Expr& symbol = live_[k][token];
    if (!symbol.valid()) {
      const Token& info = tokens_[token];
      const std::string by = info.mine.valid() ? " of " + system_.variables[info.thread].name : "";
      symbol =
          unroller_.fresh("live:" + system_.variables[info.variable].name + by, Type::boolean(), k);
    }
    return symbol;
  }

  // Is the cell, as step k names it, the one that the promise is about? For a promise about a whole
  // array: perhaps.
  Expr hit(const Token& token, const AccessedCell& cell, std::uint64_t k) {
    if (!cell.index.valid() || !token.mine.valid()) return pool_.boolean(true);
    return pool_.eq(token.mine, unroller_.at_time(cell.index, k));
  }

  [[nodiscard]] bool needed_until_last(std::uint32_t t) const {
    const auto& writes = accesses_.of(t).writes;
    auto writes_such = [&](auto&& test) {
      return std::any_of(writes.begin(), writes.end(),
                         [&](const AccessedCell& write) { return test(write.variable); });
    };
    return !writes_such([&](std::uint32_t v) { return always_live_[v] != 0; }) &&
           writes_such([&](std::uint32_t v) { return read_by_all(v); });
  }

  // Ways in which the step can be needed, other than by a variable that every step reads.
  std::vector<Expr> reasons(const StepEncoder::Selected& selected, std::uint64_t k) {
    std::vector<Expr> result;
    const std::uint32_t thread = accesses_.thread_of(selected.transition);
    for (const AccessedCell& write : accesses_.of(selected.transition).writes) {
      const std::uint32_t v = write.variable;
      if (owner_[v] != Accesses::kNone) continue;
      for (std::uint32_t t : tokens_of_[v]) {
        const Token& token = tokens_[t];
        const bool own = token.thread == (write.index.valid() ? thread : Accesses::kNone);
        if (!own) continue;
        const Expr promise = live(t, k + 1);
        result.push_back(pool_.conj(promise, hit(token, write, k)));
      }
    }
    return result;
  }

  // taken  ->  something that it writes is live
  void need(const StepEncoder::Selected& selected, std::uint64_t k, std::vector<Expr>& out) {
    for (const AccessedCell& write : accesses_.of(selected.transition).writes) {
      const std::uint32_t v = write.variable;
      if (always_live_[v] != 0 || read_by_all(v)) return;
    }
    std::vector<Expr> parts = reasons(selected, k);
    parts.push_back(pool_.negate(selected.selector));
    out.push_back(pool_.disj(parts));
  }

  Expr into_live(std::uint32_t v, std::uint64_t k) {
    if (always_live_[v] != 0 || read_by_all(v)) return pool_.boolean(true);
    if (relevant_[v] == 0) return pool_.boolean(false);
    std::vector<Expr> parts;
    for (std::uint32_t t : tokens_of_[v]) parts.push_back(live(t, k));
    return pool_.disj(parts);
  }

  // live(token, k)  ->  it stays so, or is read
  void keep_promise(std::uint32_t t, std::uint64_t k, std::vector<Expr>& out) {
    const Token token = tokens_[t];
    const Expr broken = pool_.negate(live_[k][t]);
    std::vector<Expr> goes_on = {broken, live(t, k + 1)};
    for (std::uint32_t transition : touching_[token.variable]) {
      const Expr selector = selectors_[transition];
      if (!selector.valid()) continue;
      const TransitionAccess& access = accesses_.of(transition);
      std::vector<Expr> parts = {broken, pool_.negate(selector)};
      auto read = access.reads.begin();
      for (; read != access.reads.end(); ++read) {
        if (read->variable == token.variable) parts.push_back(hit(token, *read, k));
      }
      for (const auto& value_read : access.value_reads) {
        if (value_read.cell.variable != token.variable) continue;
        parts.push_back(
            pool_.conj(into_live(value_read.into, k + 1), hit(token, value_read.cell, k)));
      }
      goes_on.push_back(selector);
      std::vector<Expr> stays = {live(t, k + 1)};
      for (const AccessedCell& write : access.writes) {
        if (write.variable != token.variable) continue;
        // Of a whole array only a whole array is surely overwritten.
        if (write.index.valid() && !token.mine.valid()) continue;
        stays.push_back(pool_.negate(hit(token, write, k)));
      }
      parts.push_back(pool_.conj(stays));
      const Expr clause = pool_.disj(parts);
      if (!pool_.is_true(clause)) out.push_back(clause);
    }
    out.push_back(pool_.disj(goes_on));
  }

  const TransitionSystem& system_;
  const Accesses& accesses_;
  ExprPool& pool_;
  Unroller& unroller_;
  const StepEncoder& steps_;
  bool late_;
  std::vector<std::vector<GoalRead>> goal_reads_;  // by variable
  std::vector<char> whole_goal_;      // by variable: every part of the goal reads all of it
  std::vector<std::uint32_t> owner_;  // by variable: thread
  std::vector<char> passes_on_;       // by variable that has an owner
  std::vector<char> relevant_;        // by variable: can influence the goal
  std::vector<char> always_live_;     // by variable: read by the goal, and never just overwritten
  std::vector<std::uint32_t> always_read_;  // by variable: number of transitions that read it
  std::vector<Token> tokens_;
  std::vector<std::vector<std::uint32_t>> tokens_of_;             // by variable
  std::vector<std::vector<std::uint32_t>> touching_;              // by variable: transitions
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expr> mine_;  // by thread and type of index
  std::vector<std::vector<Expr>> live_;  // by time, by token; invalid: not promised
  std::vector<Expr> selectors_;          // of the step at hand, by transition
};

}  // namespace

std::unique_ptr<Projection> liveness_projection(const TransitionSystem& system,
                                                const Accesses& accesses, Unroller& unroller,
                                                const StepEncoder& steps, bool late) {
  return std::make_unique<Liveness>(system, accesses, unroller, steps, late);
}

}  // namespace whittle
