// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "expr/traverse.h"
#include "frontend/vmt/step_equations.h"

namespace whittle::vmt {

namespace {

constexpr std::size_t kMaxEvents = 1024;        // more: the disjunction stays a guard
constexpr std::size_t kMaxConjuncts = 500'000;  // of all events together
constexpr std::size_t kMaxPaths = 32;           // of one step
constexpr int kMaxNesting = 8;                  // of disjunctions in disjunctions

class Splitter {
 public:
  explicit Splitter(const StepContext& context) : context_(context), pool_(context.network.pool()) {
    for (const auto& [next, variable] : context.by_next) next_symbols_.insert(next);
  }

  std::vector<Parts> run(const std::vector<StepFormula>& formulas) {
    Parts all;
    for (const StepFormula& f : formulas) flatten({f.term, f.span, false}, all);
    std::vector<Parts> done;
    std::vector<Parts> open;  // the next one last
    open.push_back(std::move(all));
    while (!open.empty()) {
      Parts parts = std::move(open.back());
      open.pop_back();
      auto alternatives = split(parts, open.size() + done.size());
      if (alternatives.empty()) {
        done.push_back(std::move(parts));
        continue;
      }
      std::reverse(alternatives.begin(), alternatives.end());
      for (Parts& alternative : alternatives) open.push_back(std::move(alternative));
    }
    return done;
  }

 private:
  [[nodiscard]] Span place(Expr e, Span otherwise) const {
    const Span* found = context_.places.find(e);
    return found == nullptr ? otherwise : *found;
  }

  void flatten(const Part& part, Parts& result) {
    vmt::flatten(pool_, context_.places, part, result);
  }

  // The parts of a disjunction, also of one that is written in another way; empty if it is none.
  std::vector<Expr> alternatives(Expr e) {
    std::vector<Expr> result;
    if (pool_.op(e) == Op::Or) {
      result = disjuncts(pool_, e);
    } else if (pool_.op(e) == Op::Ite) {
      const auto children = pool_.children(e);
      result = {pool_.conj(children[0], children[1]),
                pool_.conj(pool_.negate(children[0]), children[2])};
    } else if (pool_.op(e) == Op::Not && pool_.op(pool_.child(e, 0)) == Op::And) {
      for (const Expr child : pool_.children(pool_.child(e, 0))) {
        result.push_back(pool_.negate(child));
      }
    }
    return result;
  }

  [[nodiscard]] bool is_next(Expr e) const {
    return pool_.is_variable(e) && context_.by_next.contains(pool_.symbol_of(e));
  }

  [[nodiscard]] bool is_equation(Expr e) const {
    if (is_next(e)) return true;
    if (pool_.op(e) == Op::Not) return is_next(pool_.child(e, 0));
    if (pool_.op(e) != Op::Eq) return false;
    return is_next(pool_.child(e, 0)) || is_next(pool_.child(e, 1)) ||
           sum_determines(pool_, e, next_symbols_);
  }

  // Whether each part of the disjunction says what some next value is.
  bool determines(Expr e, int depth) {
    if (depth > kMaxNesting) return false;
    const std::vector<Expr> parts = alternatives(e);
    if (parts.size() < 2) return false;
    return std::all_of(parts.begin(), parts.end(), [&](Expr d) {
      Parts inner;
      flatten({d, {}, false}, inner);
      return std::any_of(inner.begin(), inner.end(), [&](const Part& p) {
        return is_equation(p.term) || determines(p.term, depth + 1);
      });
    });
  }

  std::vector<Parts> split(const Parts& parts, std::size_t others) {
    // The one with the most parts.
    std::size_t chosen = parts.size();
    std::vector<Expr> best;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].common) continue;
      const Op op = pool_.op(parts[i].term);
      if (op != Op::Or && op != Op::Ite && op != Op::Not) continue;
      std::vector<Expr> found = alternatives(parts[i].term);
      if (found.size() <= best.size() || !determines(parts[i].term, 0)) continue;
      chosen = i;
      best = std::move(found);
    }
    if (best.size() < 2 || others + best.size() > kMaxEvents ||
        copied_ + best.size() * parts.size() > kMaxConjuncts) {
      return {};
    }
    copied_ += best.size() * parts.size();
    std::vector<Parts> result;
    for (const Expr d : best) {
      Parts alternative;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == chosen) {
          flatten({d, place(d, parts[i].span), false}, alternative);
        } else {
          alternative.push_back(parts[i]);
          alternative.back().common = true;
        }
      }
      result.push_back(std::move(alternative));
    }
    return result;
  }

  const StepContext& context_;
  ExprPool& pool_;
  std::unordered_set<SymbolId> next_symbols_;
  std::size_t copied_ = 0;
};

// One event from what is left of its conjuncts and what they say about next values. What nothing
// determines but something mentions is a parameter.
class EventMaker {
 public:
  EventMaker(const StepContext& context, EventId event)
      : context_(context),
        network_(context.network),
        pool_(context.network.pool()),
        event_(event),
        with_parameters_(pool_, [this](Expr e, std::span<const Expr>) { return parameter(e); }) {}

  void run(const StepEquations& solved) {
    std::vector<Guard> guards;
    for (const Part& part : solved.conditions()) {
      const Expr condition = with_parameters_(part.term);
      if (!pool_.is_true(condition)) guards.push_back({condition, part.span});
    }
    std::vector<Expr> values;  // before the first effect: they may bring parameters
    const std::vector<VariableId>& variables = network_.machine(context_.machine).variables;
    for (const VariableId id : variables) {
      const auto* solution = solved.solution(network_.variable(id).next);
      values.push_back(solution == nullptr ? Expr() : with_parameters_(solution->value));
    }
    std::vector<Effect> effects;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& variable = network_.variable(variables[i]);
      const auto* solution = solved.solution(variable.next);
      Effect effect;
      effect.writes = {variables[i]};
      effect.origin = solution == nullptr ? variable.origin : solution->span;
      effect.expr = values[i];
      if (const auto chosen = parameters_.find(variable.next); chosen != parameters_.end())
        effect.expr = chosen->second;
      if (effect.expr == pool_.symbol(variable.current)) continue;  // stays
      effect.kind = effect.expr.valid() ? EffectKind::Assign : EffectKind::Free;
      effects.push_back(std::move(effect));
    }
    network_.event(event_).guards = std::move(guards);
    network_.event(event_).effects = std::move(effects);
  }

 private:
  // What stands for an input, or for a next value that nothing determines; invalid: something else.
  Expr parameter(Expr e) {
    if (!pool_.is_variable(e)) return {};
    const SymbolId symbol = pool_.symbol_of(e);
    const auto next = context_.by_next.find(symbol);
    if (next == context_.by_next.end() && !context_.inputs.contains(symbol)) return {};
    if (const auto known = parameters_.find(symbol); known != parameters_.end())
      return known->second;
    const Span span =
        next == context_.by_next.end() ? Span{} : network_.variable(next->second).origin;
    const SymbolInfo info = pool_.info(symbol);
    const Expr made = pool_.symbol(network_.add_parameter(event_, info.name, info.type, span));
    return parameters_.emplace(symbol, made).first->second;
  }

  const StepContext& context_;
  Network& network_;
  ExprPool& pool_;
  EventId event_;
  std::unordered_map<SymbolId, Expr> parameters_;
  Rewriter with_parameters_;
};

// A step, or what it is on each of the paths that it can take.
std::vector<StepEquations> solved_paths(const StepContext& context,
                                        const std::unordered_set<SymbolId>& next, const Parts& step,
                                        std::size_t others) {
  ExprPool& pool = context.network.pool();
  const auto solve = [&](const Parts& parts) {
    StepEquations equations(pool, context.places, context.inputs, next);
    equations.solve(parts);
    return equations;
  };
  std::vector<StepEquations> done;
  std::vector<Parts> open = {step};  // the next one last
  while (!open.empty()) {
    const Parts parts = std::move(open.back());
    open.pop_back();
    StepEquations equations = solve(parts);
    const std::vector<Expr> choice = equations.choice();
    if (choice.empty()) {
      done.push_back(std::move(equations));
      continue;
    }
    if (done.size() + open.size() + choice.size() > kMaxPaths ||
        others + done.size() + open.size() + choice.size() > kMaxEvents) {
      done.clear();
      done.push_back(solve(step));
      return done;
    }
    for (std::size_t i = choice.size(); i-- > 0;) {
      open.push_back(parts);
      open.back().push_back({choice[i], {}, false});
    }
  }
  return done;
}

}  // namespace

void add_steps(const StepContext& context, const std::vector<StepFormula>& formulas) {
  const std::vector<Parts> steps = Splitter(context).run(formulas);
  std::unordered_set<SymbolId> next;
  for (const auto& [symbol, variable] : context.by_next) next.insert(symbol);
  std::vector<StepEquations> solved;
  for (const Parts& step : steps) {
    std::vector<StepEquations> paths = solved_paths(context, next, step, solved.size());
    std::move(paths.begin(), paths.end(), std::back_inserter(solved));
  }
  const Span span = formulas.empty() ? Span{} : formulas.front().span;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const EventId event = context.network.add_event(
        solved.size() == 1 ? "step" : fmt::format("step {}", i + 1), context.machine, span);
    context.network.event(event).arcs.push_back({context.location, context.location, span});
    EventMaker(context, event).run(solved[i]);
  }
}

}  // namespace whittle::vmt
