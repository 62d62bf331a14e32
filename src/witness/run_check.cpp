// SPDX-License-Identifier: Apache-2.0
#include "witness/run_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/checkpoint.h"
#include "expr/traverse.h"
#include "ir/ltl.h"
#include "ir/ltl_word.h"
#include "witness/possible_steps.h"
#include "witness/progression.h"

namespace whittle {

namespace {

constexpr std::uint64_t kMostPositions = 1'000'000;

Unexpected<RejectedWitness> no_run(std::string reason) {
  return Unexpected{RejectedWitness{std::move(reason)}};
}

class RunCheck {
 public:
  RunCheck(Network& network, PropertyId id, const Trace& trace, const smt::SolverFactory& solvers)
      : network_(network),
        trace_(trace),
        property_(network.property(id)),
        ltl_(network.ltl()),
        interpreter_(network, property_.universe),
        possible_(network, id, solvers),
        refuting_(refuting(ltl_, network.pool(), property_.as<RunGoal>().formula,
                           property_.as<RunGoal>().assumption)),
        atoms_(ltl_.atoms(refuting_)) {
    for (std::size_t i = 0; i < atoms_.size(); ++i) place_[atoms_[i]] = i;
  }

  Expected<CheckedTrace, RejectedWitness> operator()() {
    if (trace_.universe != property_.universe) return no_run("the run is of another universe");
    const std::uint64_t steps = trace_.length();
    if (steps >= kMostPositions)
      return no_run(fmt::format("a run of {} steps is too long to be judged", steps));
    if (trace_.loop && *trace_.loop > trace_.steps.size())
      return no_run("the loop begins behind the end");
    if (property_.bound.max && trace_.region.valid())
      return no_run("a region was found where a number of states was asked for");
    if (property_.bound.max && trace_.loop && steps + (stays() ? 1 : 0) > *property_.bound.max)
      return no_run("the run has more states than the question allows");
    auto replayed = replay(network_, trace_);
    if (!replayed) {
      return no_run(fmt::format("step {} cannot be replayed: {}", replayed.error().step,
                                replayed.error().message));
    }
    if (auto problem = follow()) return no_run(*problem);
    std::optional<std::string> problem = !trace_.loop ? prefix_problem()
                                         : stays()    ? end_problem()
                                                      : loop_problem();
    if (!problem && !gap_ && trace_.loop && !stays()) problem = fairness_problem();
    if (problem) return no_run(*problem);
    CheckedTrace result{std::move(*replayed), WitnessCheck::by_whom("replay")};
    if (gap_) {
      result.check.checked = false;
      result.check.gap = gap_;
    } else if (possible_.asked_solver()) {
      result.check.by.push_back(possible_.solver());
    }
    return result;
  }

 private:
  [[nodiscard]] bool stays() const { return trace_.loop == trace_.steps.size(); }

  // Goes through the run and writes down its letters, and the states and steps of its loop.
  std::optional<std::string> follow() {
    State state = trace_.initial;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      if (trace_.loop == i) {
        loop_begin_ = letters_.size();
        before_loop_ = state;
      }
      for (std::uint64_t n = 0; n < trace_.steps[i].times; ++n) {
        checkpoint();
        auto step = interpreter_.step(state, trace_.steps[i]);
        if (!step) return "a step of the run is not possible: " + step.error().message;
        letters_.push_back(letter(state, &step->occurrences));
        if (trace_.loop && i >= *trace_.loop) note_loop(state, step->occurrences);
        state = std::move(step->state);
      }
    }
    last_ = std::move(state);
    return std::nullopt;
  }

  void note_loop(const State& state, const std::vector<Occurrence>& occurrences) {
    if (!network_.fairness.empty()) in_loop_.push_back(state);
    for (const Occurrence& o : occurrences) taken_.emplace_back(o.instance, o.event);
  }

  // Which atoms hold in the state. Without occurrences: nothing is possible there.
  std::vector<bool> letter(const State& state, const std::vector<Occurrence>* occurrences) {
    ExprPool& pool = network_.pool();
    Rewriter of_step(pool, [&](Expr e, std::span<const Expr>) -> Expr {
      if (!pool.is_variable(e)) return {};
      const Role role = network_.role(pool.symbol_of(e));
      if (role.kind == RoleKind::Halt) return pool.boolean(occurrences == nullptr);
      if (role.kind != RoleKind::InstanceTaken) return {};
      const bool taken =
          occurrences != nullptr &&
          std::any_of(occurrences->begin(), occurrences->end(), [&](const Occurrence& o) {
            return o.instance == role.instance && o.event == EventId(role.id);
          });
      return pool.boolean(taken);
    });
    std::vector<bool> result;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const Expr condition = of_steps(i) ? of_step(atoms_[i]) : atoms_[i];
      const auto value = interpreter_.evaluate(condition, state);
      result.push_back(value && value->as_bool());
    }
    return result;
  }
  // Does the atom speak about the step that leaves the state?
  bool of_steps(std::size_t atom) {
    if (of_steps_.empty()) {
      for (Expr condition : atoms_) {
        bool found = false;
        for (SymbolId symbol : symbols(network_.pool(), condition)) {
          const RoleKind kind = network_.role(symbol).kind;
          found = found || kind == RoleKind::InstanceTaken || kind == RoleKind::Halt;
        }
        of_steps_.push_back(found);
      }
    }
    return of_steps_[atom];
  }

  bool refuted(const LassoWord& word) {
    return holds_on(ltl_, refuting_, word, [&](Expr condition, std::size_t position) {
      return static_cast<bool>(letters_[position][place_.at(condition)]);
    });
  }

  std::optional<std::string> loop_problem() {
    if (!trace_.region.valid() && last_ != before_loop_)
      return "the loop does not come back to the state before it";
    if (!refuted({letters_.size(), loop_begin_})) return "the run does not refute the formula";
    return std::nullopt;
  }

  std::optional<std::string> end_problem() {
    letters_.push_back(letter(last_, nullptr));
    if (!refuted(LassoWord::stays(letters_.size()))) return "the run does not refute the formula";
    const smt::CheckResult answer = possible_.possible(last_);
    if (answer.answer == smt::Answer::Sat) return "something is possible in the last state";
    if (answer.answer == smt::Answer::Unknown) note_gap("the last state", answer.reason);
    return std::nullopt;
  }

  std::optional<std::string> prefix_problem() {
    Progression progression(ltl_, refuting_);
    const auto read = [&](const std::vector<bool>& letter) {
      progression.read([&](Expr condition) { return letter[place_.at(condition)]; });
    };
    for (const std::vector<bool>& letter : letters_) read(letter);
    if (progression.done()) return std::nullopt;
    // Of the last state only what does not depend on how it goes on.
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      if (of_steps(i)) return "what the run has shown does not refute the formula";
    }
    const std::vector<Occurrence> anything;
    read(letter(last_, &anything));
    if (progression.done()) return std::nullopt;
    return "what the run has shown does not refute the formula";
  }

  // ----- fairness

  std::optional<std::string> fairness_problem() {
    for (const Fairness& unit : network_.fairness) {
      for (InstanceId instance : network_.instances_of(property_.universe, unit.machine)) {
        if (auto problem = neglected(unit, instance)) return problem;
        if (gap_) return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> neglected(const Fairness& unit, InstanceId instance) {
    for (const auto& [who, event] : taken_) {
      if (who == instance &&
          std::find(unit.events.begin(), unit.events.end(), event) != unit.events.end())
        return std::nullopt;
    }
    const bool strong = unit.kind == Fairness::Kind::Strong;
    const std::string name = unit.name + " of " + network_.instance(instance).name;
    std::optional<Reason> unknown;
    for (const State& state : in_loop_) {
      const smt::CheckResult answer = possible_.possible(state, instance, unit.events);
      if (answer.answer == smt::Answer::Unknown) unknown = answer.reason;
      if (!strong && answer.answer == smt::Answer::Unsat) return std::nullopt;
      if (strong && answer.answer == smt::Answer::Sat)
        return fmt::format("the run is not strongly fair to {}", name);
    }
    if (unknown) {
      note_gap("fairness to " + name, *unknown);
      return std::nullopt;
    }
    if (strong) return std::nullopt;
    return fmt::format("the run is not fair to {}", name);
  }

  void note_gap(std::string about, const Reason& reason) {
    gap_ = WitnessCheck::Gap{possible_.solver(), std::move(about), reason};
  }

  Network& network_;
  const Trace& trace_;
  Property property_;
  LtlPool& ltl_;
  Interpreter interpreter_;
  PossibleSteps possible_;
  LtlFormula refuting_;
  std::vector<Expr> atoms_;
  std::vector<bool> of_steps_;
  std::unordered_map<Expr, std::size_t> place_;
  std::vector<std::vector<bool>> letters_;  // by position, by atom
  std::size_t loop_begin_ = 0;
  State before_loop_, last_;
  std::vector<State> in_loop_;  // where there is fairness
  std::vector<std::pair<InstanceId, EventId>> taken_;
  std::optional<WitnessCheck::Gap> gap_;
};

}  // namespace

Expected<CheckedTrace, RejectedWitness> check_run(Network& network, PropertyId property,
                                                  const Trace& trace,
                                                  const smt::SolverFactory& solvers) {
  return RunCheck(network, property, trace, solvers)();
}

}  // namespace whittle
