// SPDX-License-Identifier: Apache-2.0
// A demand that holds may hold for a reason that its author did not think of (Beer, Ben-David,
// Eisner, Rodeh, "Efficient Detection of Vacuity in Temporal Model Checking", 2001). Asked here:
// - Is it true of every state there could be? One query on the condition alone.
// - Is there a first state?
// - Do the left sides of its implications ever happen? `!a || b` is one, too.
// - Can the events happen that set what it is about?
// All but the first are questions about the same network. What is not known quickly is not noted.
#include "driver/vacuity.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/checkpoint.h"
#include "driver/prepare.h"
#include "expr/traverse.h"
#include "ir/ltl.h"
#include "ir/notation.h"
#include "smt/solvers.h"

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kQuickly{1000};
constexpr std::size_t kMostQuestions = 4;  // of each kind

// What has to be the case for a part of a demand to say anything.
struct LeftSide {
  Expr shown;
  Expr whole;  // together with what stands around it
  std::optional<std::size_t> around;
};

class LeftSides {
 public:
  explicit LeftSides(const Network& network) : network_(network), pool_(network.pool()) {}

  std::vector<LeftSide> of(Expr condition) {
    collect(condition, pool_.boolean(true), std::nullopt);
    return std::move(sides_);
  }

 private:
  void collect(Expr e, Expr around, std::optional<std::size_t> parent) {
    switch (pool_.op(e)) {
      case Op::And:
        for (const Expr part : conjuncts(pool_, e)) collect(part, around, parent);
        return;
      case Op::Implies:
        implication(pool_.child(e, 0), pool_.child(e, 1), around, parent);
        return;
      case Op::Or:
        disjunction(e, around, parent);
        return;
      default:
        return;
    }
  }

  void implication(Expr left, Expr right, Expr around, std::optional<std::size_t> parent) {
    if (pool_.is_const(left)) return;
    const Expr whole = pool_.conj(around, left);
    if (about_entries(left)) return collect(right, whole, parent);
    sides_.push_back({left, whole, parent});
    collect(right, whole, sides_.size() - 1);
  }

  void disjunction(Expr e, Expr around, std::optional<std::size_t> parent) {
    std::vector<Expr> left;
    std::vector<Expr> right;
    for (const Expr part : disjuncts(pool_, e)) {
      if (begins_there(part))
        around = pool_.conj(around, pool_.negate(part));
      else if (pool_.op(part) == Op::Not)
        left.push_back(pool_.child(part, 0));
      else
        right.push_back(part);
    }
    if (!left.empty() && !right.empty())
      implication(pool_.conj(left), pool_.disj(right), around, parent);
    else if (left.empty() && right.size() == 1)
      collect(right[0], around, parent);
  }

  // "There is such an entry in the collection": Rebel's `all` over a set is written out for as many
  // entries as are followed (`nights#3`), of which some may stay empty.
  [[nodiscard]] bool about_entries(Expr e) const {
    const std::vector<SymbolId> all = symbols(pool_, e);
    return std::any_of(all.begin(), all.end(), [&](SymbolId symbol) {
      const Role role = network_.role(symbol);
      const bool variable =
          role.kind == RoleKind::Current || role.kind == RoleKind::InstanceCurrent;
      return variable && network_.variable(VariableId(role.id)).name.find('#') != std::string::npos;
    });
  }

  // "The instance has no values yet", which front ends add to what is demanded of its values.
  [[nodiscard]] bool begins_there(Expr e) const {
    return traits_of(network_).values_begin_with_events && pool_.op(e) == Op::Apply &&
           network_.role(pool_.symbol_of(e)).kind == RoleKind::InstanceAt;
  }

  const Network& network_;
  ExprPool& pool_;
  std::vector<LeftSide> sides_;
};

class Further {
 public:
  Further(const PropertyResult& result, DecideContext& context)
      : result_(result), context_(context), network_(std::make_shared<Network>(*result.network)) {}

  // No run satisfies the assumption of a property of runs.
  [[nodiscard]] bool no_run_satisfies(LtlFormula assumption) {
    Property question = result_.question();
    question.name += " (assumption)";
    question.expected.reset();
    RunGoal goal;
    goal.formula = network_->ltl().negation(assumption);
    question.goal = std::move(goal);
    const PropertyResult found = decided(std::move(question));
    return found.verdict.kind() == VerdictKind::Holds && found.verdict.witness.checked;
  }

  // No run reaches such a state.
  [[nodiscard]] bool never(Expr condition, std::optional<std::uint64_t> within) {
    Property question = asked(PropertyKind::Reach);
    question.bound.max = within;
    question.set_condition(condition);
    return not_reached(std::move(question));
  }

  // No run takes the event, in as many steps as were looked at.
  [[nodiscard]] bool never(EventId event) {
    for (std::uint32_t arc = 0; arc < network_->event(event).arcs.size(); ++arc) {
      Property question = asked(PropertyKind::DeadTransition);
      question.bound.max = result_.question().bound.max;
      question.goal = ArcGoal{event, arc};
      if (!not_reached(std::move(question))) return false;
    }
    return true;
  }

  // Every state there could be satisfies it, also those that no run reaches.
  [[nodiscard]] bool always_true() {
    smt::Limits limits;
    limits.time_per_check = kQuickly;
    limits.deadline = context_.deadline.earlier(Deadline::after(kQuickly));
    limits.cancel = context_.cancel;
    smt::SolverFactory::Settings settings;
    settings.limits = limits;
    const Lowered lowered = lowered_as_parsed(*network_, result_.property, limits);
    const auto solver = smt::SolverFactory(settings).make(network_->pool(), "vacuity");
    solver->require(lowered.system.goal.condition);
    return solver->check().answer == smt::Answer::Unsat;
  }

 private:
  [[nodiscard]] Property asked(PropertyKind kind) const {
    Property question;
    question.name = result_.question().name + " (vacuity)";
    question.kind = kind;
    question.demand = false;
    question.universe = result_.question().universe;
    question.incomplete = result_.question().incomplete;
    return question;
  }

  [[nodiscard]] bool not_reached(Property question) {
    const std::optional<std::uint64_t> within = question.bound.max;
    const PropertyResult found = decided(std::move(question));
    return found.verdict.known() && found.verdict.no_trace() != nullptr &&
           found.verdict.witness.checked && found.verdict.bound() == within;
  }

  [[nodiscard]] PropertyResult decided(Property question) {
    const PropertyId id = network_->add_property(std::move(question));
    DecideContext own{context_.options,  context_.deadline.earlier(Deadline::after(kQuickly)),
                      context_.cancel,   context_.log,
                      context_.progress, context_.jobs};
    own.engine = context_.engine;
    own.hints = context_.hints;
    return decide(result_.file, network_, id, own);
  }

  const PropertyResult& result_;
  DecideContext& context_;
  std::shared_ptr<Network> network_;
};

std::string in_words(const Network& network, Expr condition) {
  return network.notation ? network.notation->condition(network, condition)
                          : std::string("the left side");
}

// Which events set a variable that the condition speaks of. In programs they are instructions, of
// which many are dead in a copy of a function, and a relation is the only event there is.
std::vector<EventId> setters(const Network& network, Expr condition) {
  const LanguageTraits traits = traits_of(network);
  if (traits.programs || traits.one_relation) return {};
  std::set<std::uint32_t> variables;
  for (const SymbolId symbol : symbols(network.pool(), condition)) {
    const Role role = network.role(symbol);
    if (role.kind == RoleKind::Current || role.kind == RoleKind::InstanceCurrent)
      variables.insert(role.id);
  }
  std::vector<EventId> result;
  for (std::uint32_t e = 0; e < network.events().size(); ++e) {
    const std::vector<Effect>& effects = network.events()[e].effects;
    const bool sets = std::any_of(effects.begin(), effects.end(), [&](const Effect& effect) {
      return std::any_of(effect.writes.begin(), effect.writes.end(),
                         [&](VariableId variable) { return variables.contains(variable.index()); });
    });
    if (sets) result.emplace_back(e);
  }
  return result;
}

std::vector<std::string> notes_on_sides(const PropertyResult& result, Further& further) {
  const Property& property = result.question();
  std::vector<LeftSide> sides = LeftSides(*result.network).of(property.condition());
  if (sides.size() > kMostQuestions) sides.resize(kMostQuestions);
  std::vector<std::string> notes;
  std::set<std::size_t> impossible;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const LeftSide& side = sides[i];
    const bool outer = side.around && impossible.contains(*side.around);
    if (!outer && !further.never(side.whole, property.bound.max)) continue;
    impossible.insert(i);
    if (!outer)
      notes.push_back(fmt::format("`{}` never happens, so what follows from it was not tested",
                                  in_words(*result.network, side.shown)));
  }
  return notes;
}

// The model asks itself whether the event can happen.
bool asked_about(const Network& network, EventId event) {
  const std::vector<Property>& all = network.properties();
  return std::any_of(all.begin(), all.end(), [&](const Property& property) {
    return property.kind == PropertyKind::DeadTransition && property.as<ArcGoal>().event == event;
  });
}

// An event without which the demand was not tested as its author thought.
std::vector<std::string> notes_on_events(const PropertyResult& result, Further& further) {
  std::vector<EventId> events = setters(*result.network, result.question().condition());
  if (events.size() > kMostQuestions) events.resize(kMostQuestions);
  std::vector<std::string> notes;
  for (const EventId event : events)
    if (!asked_about(*result.network, event) && further.never(event))
      notes.push_back(fmt::format("`{}` can never happen, so what it changes was not tested",
                                  result.network->event(event).name));
  return notes;
}

// Of a property of runs that holds.
std::vector<std::string> of_runs(const PropertyResult& result, DecideContext& context) {
  const auto& asked = result.question().as<RunGoal>();
  const Verdict& verdict = result.verdict;
  if (verdict.live && verdict.live->edges == 0)
    return {"it is true of every run there could be, whatever the model does [ltl-007]"};
  if (!asked.assumption.valid()) return {};
  try {
    if (!Further(result, context).no_run_satisfies(asked.assumption)) return {};
  } catch (const LimitReached&) {
    return {};  // there was no time to find out
  }
  if (traits_of(*result.network).one_relation) return {"no infinite run"};
  return {fmt::format("no run satisfies `{}`, so nothing was tested [ltl-009]", asked.assuming)};
}

}  // namespace

std::vector<std::string> vacuity(const PropertyResult& result, DecideContext& context) {
  const Property& property = result.question();
  const Verdict& verdict = result.verdict;
  if (property.kind == PropertyKind::Ltl) {
    if (!verdict.known() || verdict.no_trace() == nullptr) return {};
    return of_runs(result, context);
  }
  const bool demand =
      property.kind == PropertyKind::Invariant || property.kind == PropertyKind::Constraint;
  if (!demand || !verdict.known() || verdict.no_trace() == nullptr) return {};
  const std::string always = "it is true in every state there could be, whatever the model does";
  const ExprPool& pool = result.network->pool();
  if (pool.is_true(property.condition()) ||
      (verdict.invariant().valid() && pool.is_true(verdict.invariant())))
    return {always};
  try {
    Further further(result, context);
    if (further.never(result.network->pool().boolean(true), 0))
      return {"there is no first state: nothing ever happens"};
    if (further.always_true()) return {always};
    if (property.kind == PropertyKind::Constraint) return {};
    std::vector<std::string> notes = notes_on_sides(result, further);
    if (notes.empty()) notes = notes_on_events(result, further);
    return notes;
  } catch (const LimitReached&) {
    return {};  // There was no time to find out.
  }
}

}  // namespace whittle
