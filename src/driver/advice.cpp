// SPDX-License-Identifier: Apache-2.0
// The missing constraint is found as a counterexample to induction: a state in which the demand
// holds and from which one transition breaks it,
//
//   not goal(s)  and  T(s, s')  and  goal(s')
//
// If the state cannot be reached, a constraint that excludes it is what the proof lacks; if it can,
// it is on the way to a violation.
#include "driver/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/notation.h"
#include "ir/property.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxTransitions = 200;  // more are not asked about
constexpr std::size_t kMaxValues = 6;         // of a state, in a message
constexpr std::size_t kMaxAdvice = 2;
constexpr std::chrono::milliseconds kTimePerTransition{100};

struct Breaks {
  std::uint32_t transition = 0;
  std::vector<std::pair<std::uint32_t, Value>> state;  // what it depends on
};

class Induction {
 public:
  Induction(const TransitionSystem& system, const smt::SolverFactory& solvers)
      : system_(system), pool_(*system.pool), solvers_(solvers) {}

  std::optional<Breaks> counterexample() {
    if (!system_.goal.inputs.empty() || system_.transitions.size() > kMaxTransitions)
      return std::nullopt;
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
      if (solvers_.settings().limits.deadline.passed()) return std::nullopt;
      if (auto found = from(t)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Breaks> from(std::uint32_t index) {
    const Transition& t = system_.transitions[index];
    Substitution after(pool_);
    for (const Update& update : t.updates)
      after.set(system_.variables[update.variable].current, update.value);
    for (std::uint32_t v : t.open)
      after.set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
    const Expr goal = system_.goal.condition;
    const Expr broken = after(goal);
    if (broken == goal) return std::nullopt;
    auto solver = solvers_.make(pool_, "advice");
    solver->set_time_per_check(kTimePerTransition);
    solver->require(pool_.negate(goal));
    solver->require(t.guard);
    if (t.relation.valid()) solver->require(t.relation);
    solver->require(broken);
    // What the model's constraints say is excluded already.
    for (Expr hint : system_.hints) solver->require(hint);
    if (solver->check().answer != smt::Answer::Sat) return std::nullopt;
    std::vector<Expr> matters = {goal, broken, t.guard};
    if (t.relation.valid()) matters.push_back(t.relation);
    const std::vector<SymbolId> mentioned = symbols(pool_, matters);
    const std::set<SymbolId> used(mentioned.begin(), mentioned.end());
    Breaks result;
    result.transition = index;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      const StateVariable& variable = system_.variables[v];
      if (!used.contains(variable.current)) continue;
      try {
        result.state.emplace_back(v, solver->value(pool_.symbol(variable.current)));
      } catch (const smt::NoValue&) {
        return std::nullopt;
      }
    }
    return result;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const smt::SolverFactory& solvers_;
};

// `Account.balance` is `balance` where there is one machine.
std::string shortened(const Network& network, std::string name) {
  if (network.machines().size() != 1) return name;
  const std::string& machine = network.machines().front().name;
  if (name.starts_with(machine + ".")) name.erase(0, machine.size() + 1);
  return name;
}

std::string in_words(const Breaks& found, const Prepared& prepared) {
  const TransitionSystem& system = prepared.system();
  const Network& network = prepared.network();
  const ExprPool& pool = *system.pool;
  const LanguageTraits traits = traits_of(network);
  std::vector<std::string> values;
  std::string node;
  for (const auto& [v, value] : found.state) {
    const StateVariable& variable = system.variables[v];
    const std::string text = to_string(pool, value, variable.type);
    if (!variable.is_location) {
      values.push_back(fmt::format("{} = {}", shortened(network, variable.name), text));
    } else if (network.machines().size() == 1 && traits.has_constraints) {
      node = text;
      values.insert(values.begin(), "at " + text);
    } else {
      values.insert(values.begin(), variable.name + text);
    }
  }
  const std::size_t shown = std::min(values.size(), kMaxValues);
  std::string state;
  for (std::size_t i = 0; i < shown; ++i) state += (i == 0 ? "" : ", ") + values[i];
  if (shown < values.size()) state += ", …";
  const std::string event = shortened(network, system.transitions[found.transition].name);
  if (traits.encodes_values) {  // only who does it
    return fmt::format("not inductive: {} can break it from a state that is perhaps never reached",
                       event);
  }
  std::string text = fmt::format("not inductive: {} breaks it from {}", event,
                                 state.empty() ? "any state" : state);
  if (traits.has_constraints && !state.empty()) {
    text += fmt::format("; if that is never reached, say why with `constraint {}: ...`",
                        node.empty() ? "Node" : node);
  } else {
    text += "; is that reachable?";
  }
  return text;
}

std::string fewer_instances(const Network& network, const Property& question) {
  if (!question.universe.valid() || network.universe(question.universe).instances.size() < 2)
    return "";
  const LanguageTraits traits = traits_of(network);
  return fmt::format(
      "fewer {}{}", traits.instances,
      traits.instances_option.empty() ? "" : fmt::format(" ({})", traits.instances_option));
}

}  // namespace

std::vector<std::string> advice_on_limit(Reason::Kind reason, const Network& network,
                                         const Property& question, const DecideOptions& options) {
  std::string text;
  const auto also = [&](const std::string& other) {
    if (other.empty()) return;
    text += (text.empty() ? "" : ", or ") + other;
  };
  if (reason == Reason::Kind::Interrupted) return {};
  if (reason == Reason::Kind::Memory) {
    also(options.memory.value() > 0 ? fmt::format("more memory (--memory, now {})", *options.memory)
                                    : "more memory (--explicit-memory for states)");
  } else if (reason == Reason::Kind::Timeout) {
    also(*options.timeout > 0
             ? fmt::format("a larger limit (--timeout, now {:g} s)", *options.timeout)
             : "a larger limit (--total-timeout)");
  } else if (*options.engine != "auto") {
    also("another engine (--engine auto tries all)");
  }
  const bool small_sets = text.empty() && !question.incomplete.empty();
  if (!text.empty()) also(fewer_instances(network, question));
  // Collections stay smaller in fewer steps.
  if ((!text.empty() && !question.bound.max) || small_sets)
    also("an answer for some steps only (--bound N)");
  if (text.empty()) return {};
  return {"try " + text};
}

std::vector<std::string> advice(const EngineResult& found, const Prepared& prepared,
                                const DecideOptions& options, const smt::SolverFactory& solvers) {
  std::vector<std::string> result;
  const Property& question = prepared.question();
  const bool proof_wanted = found.unknown() != nullptr && !question.bound.max &&
                            is_safety(question.kind) &&
                            found.unknown()->reason.kind != Reason::Kind::Interrupted;
  if (proof_wanted) {
    if (const auto breaks = Induction(prepared.system(), solvers).counterexample())
      result.push_back(in_words(*breaks, prepared));
  }
  const Reason::Kind reason =
      found.unknown() != nullptr ? found.unknown()->reason.kind : Reason::Kind::Incomplete;
  for (std::string& line : advice_on_limit(reason, prepared.network(), question, options))
    result.push_back(std::move(line));
  if (result.size() > kMaxAdvice) result.resize(kMaxAdvice);
  return result;
}

}  // namespace whittle
