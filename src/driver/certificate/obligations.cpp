// SPDX-License-Identifier: Apache-2.0
#include "driver/certificate/obligations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "driver/certificate/model_text.h"
#include "export/numbered_enums.h"
#include "ir/lowering/lower.h"
#include "ir/run/flat_run.h"
#include "ir/run/interpreter.h"
#include "report/verdict_text.h"
#include "smt/unsupported.h"
#include "witness/elimination_check.h"

namespace whittle::certificate {

namespace {

constexpr std::uint64_t kMostSteps = 20'000;           // of a trace
constexpr std::size_t kMostText = 256U * 1024 * 1024;  // of all obligations of one verdict

// Enumerations become numbers, but only where they stand alone.
bool enum_inside(const ExprPool& pool, Type type, bool inside = false) {
  const TypeInfo& info = pool.info(type);
  switch (info.kind) {
    case TypeKind::Enum:
      return inside;
    case TypeKind::Array:
      return enum_inside(pool, info.index, true) || enum_inside(pool, info.element, true);
    case TypeKind::Set:
      return enum_inside(pool, info.element, true);
    default:
      return false;
  }
}

class Writer {
 public:
  Writer(const PropertyResult& result, const smt::Limits& limits)
      : result_(result),
        network_(*result.network),
        verdict_(result.verdict),
        limits_(limits),
        lowered_(lowering()),
        pool_(*lowered_.system.pool),
        numbered_(pool_) {
    refuse_enums_inside();
    system_ = numbered_.system(lowered_.system);
  }

  Certificate run() {
    const Property& question = result_.question();
    ModelText model(system_, fmt::format("{}: {}", result_.file, question.name));
    model_ = &model;
    certificate_.model = model.text();
    if (const Trace* found = verdict_.trace()) {
      trace(*found);
    } else if (verdict_.invariant().valid()) {
      invariant();
    } else if (const auto bound = verdict_.bound()) {
      unrollings(question.bound.min, *bound);
    } else {
      const std::string why = reason(result_);
      throw ResourceError(
          fmt::format("the verdict has no invariant that could be proved again ({})",
                      why.empty() ? "found by " + verdict_.engine : why));
    }
    eliminations();
    certificate_.logic = model.logic();
    return std::move(certificate_);
  }

 private:
  Lowered lowering() {
    LowerOptions options;
    options.eliminate = written_elimination(network_.pool(), limits_, eliminated_);
    return lower(network_, result_.property, options);
  }

  void refuse_enums_inside() {
    auto look = [&](SymbolId s) {
      if (enum_inside(pool_, pool_.info(s).type))
        throw ResourceError(fmt::format(
            "'{}' has an enumeration inside an array or a set, which certificates cannot say",
            pool_.info(s).name));
    };
    for (const StateVariable& v : lowered_.system.variables) look(v.current);
    for (const Transition& t : lowered_.system.transitions)
      for (SymbolId s : t.inputs) look(s);
  }

  // Every file: three lines of its own, the model as it is, the invariant as it is, the rest.
  void add(std::string file, std::string says, bool satisfiable, const std::string& rest,
           bool quantified = false) {
    Obligation made{std::move(file), std::move(says), satisfiable ? "sat" : "unsat", {}};
    made.text = fmt::format("; {}\n(set-info :status {})\n(set-logic {})\n", made.says,
                            made.expected, quantified ? "ALL" : model_->logic());
    made.text += certificate_.model + certificate_.invariant + rest + "(check-sat)\n";
    written_ += made.text.size();
    if (written_ > kMostText)
      throw ResourceError(fmt::format("its obligations would have more than {} megabytes",
                                      kMostText / (1024 * 1024)));
    certificate_.obligations.push_back(std::move(made));
  }

  static std::string asserted(const std::string& condition) {
    return fmt::format("(assert {})\n", condition);
  }
  static std::string refused(const std::string& condition) {
    return fmt::format("(assert (not {}))\n", condition);
  }

  // States 0 to `steps`, each a step after the one before.
  std::string run_of(std::uint64_t steps) {
    std::string text = model_->declare_state(0);
    for (std::uint64_t i = 0; i < steps; ++i) {
      text += model_->declare_inputs(i) + model_->declare_state(i + 1);
      text += asserted(
          model_->trans(model_->state_at(i), model_->inputs_at(i), model_->state_at(i + 1)));
    }
    return text;
  }
  std::string claimed_at(std::uint64_t time) {
    return ModelText::apply("invariant", {model_->state_at(time)});
  }
  std::string init_at_0() { return asserted(ModelText::init(model_->state_at(0))); }
  std::string goal_at(std::uint64_t time) {
    return asserted(ModelText::goal(model_->state_at(time), model_->goal_inputs()));
  }

  void invariant() {
    std::vector<SymbolId> state;
    for (const StateVariable& v : lowered_.system.variables) state.push_back(v.current);
    const Expr flat = lowered_.back->flat_condition(verdict_.invariant());
    certificate_.invariant = model_->state_function(
        "invariant", pool_.conj(numbered_.ranges(state), numbered_.condition(flat)));
    const std::uint64_t k = std::max<std::uint64_t>(verdict_.because<Inductive>()->k, 1);
    certificate_.kind = k == 1 ? "invariant" : "k-induction";
    for (std::uint64_t i = 0; i < k; ++i) {
      add(k == 1 ? "initiation.smt2" : fmt::format("base-{}.smt2", i),
          i == 0 ? "initiation: the invariant holds in every first state"
                 : fmt::format("initiation: the invariant holds after {} steps", i),
          false, init_then_run(i) + refused(claimed_at(i)));
    }
    std::string before;
    for (std::uint64_t i = 0; i < k; ++i) before += asserted(claimed_at(i));
    add(k == 1 ? "consecution.smt2" : "step.smt2",
        k == 1 ? std::string("consecution: every step keeps the invariant")
               : fmt::format("consecution: the invariant holds after {} states in a row in which "
                             "it holds",
                             k),
        false, run_of(k) + before + refused(claimed_at(k)));
    add("safety.smt2", "safety: where the invariant holds, the goal is not reached", false,
        run_of(0) + asserted(claimed_at(0)) + goal_at(0));
  }

  std::string init_then_run(std::uint64_t steps) { return run_of(steps) + init_at_0(); }

  void unrollings(std::uint64_t from, std::uint64_t to) {
    certificate_.kind = "unrollings";
    for (std::uint64_t depth = from; depth <= to; ++depth) {
      add(fmt::format("depth-{}.smt2", depth),
          fmt::format("the goal is not reached after {} steps", depth), false,
          init_then_run(depth) + goal_at(depth));
    }
  }

  // ----- traces

  // Every repetition a step of its own.
  [[nodiscard]] Trace expanded(const Trace& trace) const {
    if (trace.length() > kMostSteps)
      throw ResourceError(
          fmt::format("the trace has {} steps, and certificates are written for at most {}",
                      trace.length(), kMostSteps));
    Trace result;
    result.universe = trace.universe;
    result.initial = trace.initial;
    for (const TraceStep& step : trace.steps) {
      TraceStep once = step;
      once.times = 1;
      result.steps.insert(result.steps.end(), step.times, once);
    }
    return result;
  }

  // The transition of the flat system that the step takes, from one state to the other.
  [[nodiscard]] std::uint32_t transition_of(FlatRun& run, const TraceStep& step,
                                            const FlatState& before, const FlatState& after) {
    const TransitionSystem& flat = lowered_.system;
    for (std::uint32_t t = 0; t < flat.transitions.size(); ++t) {
      if (lowered_.back->event_of(t) != std::pair(step.instance, step.event)) continue;
      FlatStep taken;
      taken.transition = t;
      taken.inputs = step.arguments;
      for (std::uint32_t v : flat.transitions[t].open) taken.open.emplace_back(v, after[v]);
      FlatState state = before;
      if (!run.holds(flat.transitions[t].guard, state, flat.transitions[t].inputs, taken.inputs))
        continue;
      if (run.advance(state, taken)) continue;
      if (state == after) return t;
    }
    throw InternalError(fmt::format("a step of the trace of '{}' is none of the flat system",
                                    result_.question().name));
  }

  void trace(const Trace& found) {
    certificate_.kind = "trace";
    const Trace steps = expanded(found);
    const auto replayed = replay(network_, steps);
    if (!replayed) throw InternalError("a checked trace cannot be replayed");
    // The last step of a trace to a transition is part of the goal.
    const bool goal_is_step = std::holds_alternative<ArcGoal>(result_.question().goal);
    const std::size_t length = steps.steps.size() - (goal_is_step ? 1 : 0);
    certificate_.steps = steps.steps.size();
    FlatRun run(lowered_.system);
    FlatState state = lowered_.back->flat_state(replayed->initial);
    std::string text = "; the first state\n";
    Names names;
    for (std::uint32_t v = 0; v < state.size(); ++v) {
      names.push_back(model_->state_name(v, 0));
      text += defined(names.back(), state[v], v);
    }
    text += asserted(ModelText::init(names));
    for (std::size_t i = 0; i < length; ++i) {
      const FlatState next = lowered_.back->flat_state(replayed->steps[i].after);
      const std::uint32_t t = transition_of(run, steps.steps[i], state, next);
      Names after = names;
      text += fmt::format("; step {}: what changes\n", i + 1);
      for (std::uint32_t v = 0; v < next.size(); ++v) {
        if (next[v] == state[v]) continue;
        after[v] = model_->state_name(v, i + 1);
        text += defined(after[v], next[v], v);
      }
      text += asserted(ModelText::step(t, names, inputs(t, steps.steps[i].arguments), after));
      names = std::move(after);
      state = next;
    }
    text += "; the last state is what the question is about\n";
    text += asserted(ModelText::goal(
        names, goal_inputs(run, state, goal_is_step ? &steps.steps.back() : nullptr,
                           goal_is_step ? lowered_.back->flat_state(replayed->steps.back().after)
                                        : state)));
    add("trace.smt2", fmt::format("the values are a run of {} steps to the goal", length), true,
        text);
  }

  std::string defined(const std::string& name, const Value& value, std::uint32_t variable) {
    const Type type = system_.variables[variable].type;
    return fmt::format("(define-fun {} () {} {})\n", name, model_->sort(type),
                       model_->value(NumberedEnums::value(value), type));
  }

  Names inputs(std::uint32_t transition, const std::vector<Value>& arguments) {
    Names values;
    const std::vector<SymbolId>& symbols = system_.transitions[transition].inputs;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      values.push_back(
          model_->value(NumberedEnums::value(arguments[i]), pool_.info(symbols[i]).type));
    return values;
  }

  // Values that make the goal true. For a transition they are those of the last step: arguments by
  // their symbols, next values (`x''`) by their names.
  Names goal_inputs(FlatRun& run, const FlatState& state, const TraceStep* last,
                    const FlatState& after) {
    const TransitionSystem& flat = lowered_.system;
    std::vector<Value> values;
    for (SymbolId s : flat.goal.inputs) values.push_back(pool_.default_value(pool_.info(s).type));
    if (last != nullptr) {
      const Transition& taken = flat.transitions[transition_of(run, *last, state, after)];
      for (std::size_t i = 0; i < flat.goal.inputs.size(); ++i) {
        const SymbolId s = flat.goal.inputs[i];
        const auto own = std::find(taken.inputs.begin(), taken.inputs.end(), s);
        if (own != taken.inputs.end())
          values[i] = last->arguments[static_cast<std::size_t>(own - taken.inputs.begin())];
        for (std::uint32_t v : taken.open)
          if (pool_.info(s).name == flat.variables[v].name + "''") values[i] = after[v];
      }
    }
    if (!flat.goal.inputs.empty() &&
        !run.holds(flat.goal.condition, state, flat.goal.inputs, values))
      return free_goal_inputs();
    Names names;
    for (std::size_t i = 0; i < values.size(); ++i)
      names.push_back(
          model_->value(NumberedEnums::value(values[i]), pool_.info(system_.goal.inputs[i]).type));
    return names;
  }
  // The solver has to find them.
  Names free_goal_inputs() { return model_->goal_inputs(); }

  // ----- eliminations

  void eliminations() {
    std::size_t number = 0;
    for (const Elimination& e : eliminated_) {
      const std::vector<SymbolId> bound = numbered_.symbols(e.bound);
      const Expr body = pool_.conj(numbered_.ranges(e.bound), numbered_.condition(e.body));
      const ModelText::Directions directions =
          model_->elimination(body, bound, numbered_.condition(e.result));
      ++number;
      add(fmt::format("elimination-{}-enough.smt2", number),
          fmt::format("elimination {}: where there are values, the formula without them holds",
                      number),
          false, directions.enough);
      std::vector<SymbolId> state;
      for (const StateVariable& v : lowered_.system.variables) state.push_back(v.current);
      add(fmt::format("elimination-{}-necessary.smt2", number),
          fmt::format("elimination {}: where the formula without them holds, there are values",
                      number),
          false, asserted(model_->state_condition(numbered_.ranges(state))) + directions.necessary,
          true);
    }
  }

  const PropertyResult& result_;
  Network& network_;
  const Verdict& verdict_;
  const smt::Limits& limits_;
  std::vector<Elimination> eliminated_;
  Lowered lowered_;
  ExprPool& pool_;
  NumberedEnums numbered_;
  TransitionSystem system_;
  ModelText* model_ = nullptr;
  Certificate certificate_;
  std::size_t written_ = 0;
};

}  // namespace

Certificate certificate_of(const PropertyResult& result, const smt::Limits& limits) {
  try {
    return Writer(result, limits).run();
  } catch (const smt::Unsupported& problem) {
    throw ResourceError(problem.what());
  }
}

}  // namespace whittle::certificate
