// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace whittle::vmt {

namespace {

constexpr std::size_t kMaxEvents = 1024;        // more: the disjunction stays a guard
constexpr std::size_t kMaxConjuncts = 500'000;  // of all events together
constexpr int kMaxNesting = 8;                  // of disjunctions in disjunctions

// One conjunct; `common`: it stood beside a disjunction that was split already. Splitting a second
// one beside it would give the product of both.
struct Part {
  Expr term;
  Span span;
  bool common = false;
};
using Parts = std::vector<Part>;

class Splitter {
 public:
  explicit Splitter(const StepContext& context)
      : context_(context), pool_(context.network.pool()) {}

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

  // The conjuncts, also those of a negated disjunction.
  void flatten(const Part& part, Parts& result) {
    std::vector<Part> open{part};
    while (!open.empty()) {
      const Part p = open.back();
      open.pop_back();
      const auto push = [&](Expr e) { open.push_back({e, place(e, p.span), p.common}); };
      const Op op = pool_.op(p.term);
      if (op == Op::And) {
        const auto children = pool_.children(p.term);
        for (std::size_t i = children.size(); i-- > 0;) push(children[i]);
        continue;
      }
      if (op == Op::Not) {
        const Expr inner = pool_.child(p.term, 0);
        const auto children = pool_.children(inner);
        if (pool_.op(inner) == Op::Or) {
          for (std::size_t i = children.size(); i-- > 0;) push(pool_.negate(children[i]));
          continue;
        }
        if (pool_.op(inner) == Op::Implies) {
          push(pool_.negate(children[1]));
          push(children[0]);
          continue;
        }
      }
      if (!pool_.is_true(p.term)) result.push_back(p);
    }
  }

  // The parts of a disjunction; empty if it is none.
  std::vector<Expr> disjuncts(Expr e) {
    std::vector<Expr> result;
    if (pool_.op(e) == Op::Or) {
      // Nested ones are flattened.
      std::vector<Expr> open{e};
      while (!open.empty()) {
        const Expr d = open.back();
        open.pop_back();
        if (pool_.op(d) != Op::Or) {
          result.push_back(d);
          continue;
        }
        const auto children = pool_.children(d);
        for (std::size_t i = children.size(); i-- > 0;) open.push_back(children[i]);
      }
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
    return pool_.op(e) == Op::Eq && (is_next(pool_.child(e, 0)) || is_next(pool_.child(e, 1)));
  }

  // Whether each part of the disjunction says what some next value is.
  bool determines(Expr e, int depth) {
    if (depth > kMaxNesting) return false;
    const std::vector<Expr> parts = disjuncts(e);
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
      std::vector<Expr> found = disjuncts(parts[i].term);
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
  std::size_t copied_ = 0;
};

// One event from its conjuncts. Terms are rewritten once, each next value by what determines it;
// the definition of a next value is rewritten when it is first met.
class EventMaker {
 public:
  EventMaker(const StepContext& context, EventId event)
      : context_(context),
        network_(context.network),
        pool_(context.network.pool()),
        event_(event) {}

  void run(const Parts& parts) {
    std::vector<const Part*> rest;
    for (const Part& part : parts) {
      if (!define(part)) rest.push_back(&part);
    }
    std::vector<Guard> guards;
    for (const Part* part : rest) add_guard(rewritten(part->term), part->span, guards);
    // Definitions that turned out to be circular are conditions; looking at them can bring others.
    std::vector<Effect> effects;
    for (const VariableId id : network_.machine(context_.machine).variables) {
      const auto it = definitions_.find(id);
      if (it == definitions_.end()) continue;
      const Expr value = rewritten(next(id));
      if (it->second.circular) {
        add_guard(pool_.eq(value, it->second.value), it->second.span, guards);
      }
    }
    for (const VariableId id : network_.machine(context_.machine).variables) effect(id, effects);
    network_.event(event_).guards = std::move(guards);
    network_.event(event_).effects = std::move(effects);
  }

 private:
  struct Definition {
    Expr value;
    Span span;
    enum class State : std::uint8_t { New, Open, Done } state = State::New;
    bool circular = false;
  };

  [[nodiscard]] Expr next(VariableId id) const { return pool_.symbol(network_.variable(id).next); }

  [[nodiscard]] std::optional<VariableId> next_variable(Expr e) const {
    if (!pool_.is_variable(e)) return std::nullopt;
    const auto it = context_.by_next.find(pool_.symbol_of(e));
    if (it == context_.by_next.end()) return std::nullopt;
    return it->second;
  }

  bool define(const Part& part) {
    const Expr e = part.term;
    if (const auto id = next_variable(e)) return define(*id, pool_.boolean(true), part.span);
    if (pool_.op(e) == Op::Not) {
      const auto id = next_variable(pool_.child(e, 0));
      return id && define(*id, pool_.boolean(false), part.span);
    }
    if (pool_.op(e) != Op::Eq) return false;
    const Expr left = pool_.child(e, 0);
    const Expr right = pool_.child(e, 1);
    if (const auto id = next_variable(left); id && define(*id, right, part.span)) return true;
    const auto id = next_variable(right);
    return id && define(*id, left, part.span);
  }

  bool define(VariableId id, Expr value, Span span) {
    Definition definition;
    definition.value = value;
    definition.span = span;
    return definitions_.emplace(id, definition).second;
  }

  void add_guard(Expr condition, Span span, std::vector<Guard>& guards) const {
    if (!pool_.is_true(condition)) guards.push_back({condition, span});
  }

  void effect(VariableId id, std::vector<Effect>& effects) {
    const Variable& variable = network_.variable(id);
    Effect effect;
    effect.writes = {id};
    const auto it = definitions_.find(id);
    effect.origin = it == definitions_.end() ? variable.origin : it->second.span;
    if (const Expr* value = done_.find(next(id))) {
      if (*value == pool_.symbol(variable.current)) return;  // stays
      effect.kind = EffectKind::Assign;
      effect.expr = *value;
    } else {
      effect.kind = EffectKind::Free;
    }
    effects.push_back(std::move(effect));
  }

  Expr parameter(const std::string& name, Type type, Span span) {
    return pool_.symbol(network_.add_parameter(event_, name, type, span));
  }

  // What stands for the next value where nothing determines it.
  Expr chosen(VariableId id) {
    const Variable& variable = network_.variable(id);
    const std::string name = pool_.info(variable.next).name;
    return parameter(name, variable.type, variable.origin);
  }

  // Walks terms and, through next values, their definitions.
  Expr rewritten(Expr root) {
    visit(root);
    while (!stack_.empty()) step();
    return *done_.find(root);
  }

  void visit(Expr e) {
    if (done_.contains(e)) return;
    if (const auto id = next_variable(e)) {
      const auto it = definitions_.find(*id);
      if (it == definitions_.end()) {
        done_.insert(e, chosen(*id));
      } else if (it->second.state == Definition::State::Open) {
        it->second.circular = true;
        done_.insert(e, chosen(*id));
      } else {
        it->second.state = Definition::State::Open;
        stack_.push_back({e, 0, *id});
      }
      return;
    }
    if (pool_.is_variable(e) && context_.inputs.contains(pool_.symbol_of(e))) {
      const SymbolInfo info = pool_.info(pool_.symbol_of(e));
      done_.insert(e, parameter(info.name, info.type, {}));
      return;
    }
    if (pool_.children(e).empty()) {
      done_.insert(e, e);
      return;
    }
    stack_.push_back({e, 0, VariableId()});
  }

  void step() {
    Frame& frame = stack_.back();
    if (frame.variable.valid()) {
      Definition& definition = definitions_.find(frame.variable)->second;
      if (frame.child == 0) {
        frame.child = 1;
        return visit(definition.value);
      }
      const Expr value = *done_.find(definition.value);
      definition.state = Definition::State::Done;
      definition.value = value;
      if (!definition.circular) done_.insert(frame.term, value);
      stack_.pop_back();
      return;
    }
    const auto children = pool_.children(frame.term);
    if (frame.child < children.size()) return visit(children[frame.child++]);
    const Expr e = frame.term;
    stack_.pop_back();
    arguments_.clear();
    bool changed = false;
    for (const Expr child : children) {
      arguments_.push_back(*done_.find(child));
      changed = changed || arguments_.back() != child;
    }
    done_.insert(e, changed ? pool_.with_arguments(e, arguments_) : e);
  }

  struct Frame {
    Expr term;
    std::uint32_t child;
    VariableId variable;  // valid: `term` is the next value of it
  };

  const StepContext& context_;
  Network& network_;
  ExprPool& pool_;
  EventId event_;
  std::unordered_map<VariableId, Definition> definitions_;
  ExprMap<Expr> done_;
  std::vector<Frame> stack_;
  std::vector<Expr> arguments_;
};

}  // namespace

void add_steps(const StepContext& context, const std::vector<StepFormula>& formulas) {
  const std::vector<Parts> steps = Splitter(context).run(formulas);
  const Span span = formulas.empty() ? Span{} : formulas.front().span;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const EventId event = context.network.add_event(
        steps.size() == 1 ? "step" : fmt::format("step {}", i + 1), context.machine, span);
    context.network.event(event).arcs.push_back({context.location, context.location, span});
    EventMaker(context, event).run(steps[i]);
  }
}

}  // namespace whittle::vmt
