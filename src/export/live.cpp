// SPDX-License-Identifier: Apache-2.0
#include "export/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/checkpoint.h"
#include "export/export.h"
#include "expr/case_lifting.h"
#include "ir/live/formula.h"
#include "ir/ltl.h"

namespace whittle {

namespace {

constexpr std::size_t kLongestFormula = 1'000'000;  // characters

// What a step means to the formula: what its atoms are when it is taken, and the units of fairness
// that it belongs to. Steps that mean the same have the same value of the variable.
struct StepMeaning {
  std::vector<Expr> atoms;
  std::vector<bool> units;
  auto operator<=>(const StepMeaning&) const = default;
};

class LiveWriter {
 public:
  LiveWriter(Network& network, PropertyId property, const Lowered& lowered)
      : ltl_(network.ltl()),
        pool_(network.pool()),
        property_(network.property(property).as<RunGoal>()),
        lowered_(lowered),
        lifted_(pool_) {
    result_.system = lowered.system;
    result_.ltl = &ltl_;
  }

  LiveExport operator()() {
    if (!lowered_.more_runs.empty())
      throw Inexpressible("where runs end, or what is fair, cannot be said: " + lowered_.more_runs);
    const LtlFormula refuting =
        with_atoms(ltl_, whittle::refuting(ltl_, pool_, property_.formula, property_.assumption),
                   [&](Expr condition) { return lowered_.back->flat_condition(condition); });
    LtlFormula wanted = negation_normal_form(ltl_, refuting, false);
    collect(wanted);
    name_steps();
    wanted = in_states(wanted);
    std::vector<LtlFormula> parts = {wanted};
    const std::vector<LtlFormula> fair = fairness();
    for (const LtlFormula f : fair) parts.push_back(negation_normal_form(ltl_, f, false));
    result_.formula = ltl_.disjunction(parts);
    result_.system.acceptance.reset();
    result_.system.strong.clear();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(lowered_.system.transitions.size());
  }
  // The step that stays where nothing else is possible comes last.
  [[nodiscard]] std::uint32_t stays() const { return count() - 1; }

  // Atoms that say something about steps, but for those that only ask whether the run ends.
  void collect(LtlFormula f) {
    for (const Expr atom : ltl_.atoms(f)) {
      const Expr first = lowered_.back->at_step(atom, 0);
      bool alike = true;
      for (std::uint32_t t = 0; t < count() && alike; ++t) {
        checkpoint();
        alike = t == stays() || lowered_.back->at_step(atom, t) == first;
      }
      const Expr last = lowered_.back->at_step(atom, stays());
      if (alike) {
        const Expr ends = lowered_.system.transitions[stays()].guard;
        states_[atom] =
            lifted_(last == first || count() == 1 ? last : pool_.ite(ends, last, first));
      } else {
        about_steps_.push_back(atom);
      }
    }
  }

  // The variable, where it is needed.
  void name_steps() {
    const auto& acceptance = *lowered_.system.acceptance;
    const auto& strong = lowered_.system.strong;
    if (about_steps_.empty() && acceptance.empty() && strong.empty()) return;
    for (std::uint32_t t = 0; t < count(); ++t) {
      StepMeaning meaning;
      for (const Expr atom : about_steps_)
        meaning.atoms.push_back(lifted_(lowered_.back->at_step(atom, t)));
      const auto in = [&](const std::vector<std::uint32_t>& list) {
        return std::binary_search(list.begin(), list.end(), t);
      };
      for (const AcceptanceSet& set : acceptance) meaning.units.push_back(in(set.transitions));
      for (const StrongFairness& unit : strong) meaning.units.push_back(in(unit.transitions));
      const auto number = static_cast<std::uint32_t>(meanings_.size()) + 1;
      value_.push_back(meanings_.try_emplace(std::move(meaning), number).first->second);
    }
    std::vector<std::string> names = {"none"};
    for (std::size_t i = 0; i < meanings_.size(); ++i) names.push_back(fmt::format("k{}", i + 1));
    type_ = pool_.enum_type("last step", names);
    TransitionSystem& system = result_.system;
    const auto variable = static_cast<std::uint32_t>(system.variables.size());
    system.variables.push_back({"last step", type_, pool_.declare("last step", type_),
                                pool_.declare("last step'", type_), false});
    last_ = pool_.symbol(system.variables.back().current);
    system.init = pool_.conj(system.init, was(0));
    for (std::uint32_t t = 0; t < count(); ++t)
      system.transitions[t].updates.push_back({variable, value(value_[t])});
  }
  [[nodiscard]] Expr value(std::uint32_t number) {
    return pool_.constant(Value(EnumValue{number}), type_);
  }
  [[nodiscard]] Expr was(std::uint32_t number) { return pool_.eq(last_, value(number)); }

  // An atom about the step that leaves a state: what it says for each meaning, and in the next
  // state the step was of that meaning.
  LtlFormula of_step(std::size_t atom) {
    std::vector<LtlFormula> parts;
    for (const auto& [meaning, number] : meanings_) {
      const Expr here = meaning.atoms[atom];
      if (pool_.is_false(here)) continue;
      const LtlFormula then = ltl_.next(ltl_.atom(was(number)));
      parts.push_back(pool_.is_true(here) ? then : ltl_.both(ltl_.atom(here), then));
    }
    return ltl_.disjunction(parts);
  }

  LtlFormula in_states(LtlFormula f) {
    std::unordered_map<LtlFormula, LtlFormula> done;
    for (const LtlFormula g : ltl_.subformulas(f)) {
      if (ltl_.op(g) == LtlOp::Atom) {
        const Expr atom = ltl_.condition(g);
        const auto state = states_.find(atom);
        const auto step = std::find(about_steps_.begin(), about_steps_.end(), atom);
        done[g] = state != states_.end()
                      ? ltl_.atom(state->second)
                      : of_step(static_cast<std::size_t>(step - about_steps_.begin()));
        continue;
      }
      std::vector<LtlFormula> parts;
      for (const LtlFormula child : ltl_.children(g)) parts.push_back(done.at(child));
      done[g] = ltl_.make(ltl_.op(g), parts);
    }
    return negation_normal_form(ltl_, done.at(f));
  }

  // Infinitely often makes no difference between this step and the last.
  LtlFormula again_and_again(Expr condition) {
    return ltl_.always(ltl_.eventually(ltl_.atom(condition)));
  }
  Expr taken(std::size_t unit) {
    std::vector<Expr> some;
    for (const auto& [meaning, number] : meanings_)
      if (meaning.units[unit]) some.push_back(was(number));
    return pool_.disj(some);
  }
  std::vector<LtlFormula> fairness() {
    std::vector<LtlFormula> result;
    std::size_t unit = 0;
    for (const AcceptanceSet& set : *lowered_.system.acceptance)
      result.push_back(again_and_again(lifted_(pool_.disj(set.condition, taken(unit++)))));
    for (const StrongFairness& strong : lowered_.system.strong)
      result.push_back(
          ltl_.implies(again_and_again(lifted_(strong.enabled)), again_and_again(taken(unit++))));
    return result;
  }

  LtlPool& ltl_;
  ExprPool& pool_;
  const RunGoal& property_;
  const Lowered& lowered_;
  CaseLifting lifted_;
  std::map<Expr, Expr> states_;    // atoms as conditions on states
  std::vector<Expr> about_steps_;  // the other atoms
  std::map<StepMeaning, std::uint32_t> meanings_;
  std::vector<std::uint32_t> value_;  // by transition
  Type type_;
  Expr last_;
  LiveExport result_;
};

}  // namespace

LiveExport live_export(Network& network, PropertyId property, const Lowered& lowered) {
  return LiveWriter(network, property, lowered)();
}

std::string formula_text(const LtlPool& ltl, LtlFormula formula, const LtlSyntax& syntax,
                         const std::function<std::string(Expr)>& atom) {
  std::unordered_map<LtlFormula, std::string> done;
  const auto unary = [&](std::string_view op, const std::string& part) {
    if (op.empty()) throw Inexpressible("its formulas have no `next`");
    return syntax.prefix ? fmt::format("({} {})", op, part) : fmt::format("{} ({})", op, part);
  };
  const auto joined = [&](std::string_view op, const std::vector<std::string>& parts) {
    if (op.empty()) throw Inexpressible("the format has no operators for the past");
    if (syntax.prefix) return fmt::format("({} {})", op, fmt::join(parts, " "));
    return fmt::format("({})", fmt::join(parts, fmt::format(" {} ", op)));
  };
  for (const LtlFormula f : ltl.subformulas(formula)) {
    std::vector<std::string> parts;
    for (const LtlFormula child : ltl.children(f)) parts.push_back(done.at(child));
    std::string& text = done[f];
    switch (ltl.op(f)) {
      case LtlOp::True:
        text = syntax.yes;
        break;
      case LtlOp::False:
        text = syntax.no;
        break;
      case LtlOp::Atom:
        text = atom(ltl.condition(f));
        break;
      case LtlOp::Not:
        text = unary(syntax.negation, parts[0]);
        break;
      case LtlOp::And:
        text = joined(syntax.conjunction, parts);
        break;
      case LtlOp::Or:
        text = joined(syntax.disjunction, parts);
        break;
      case LtlOp::Next:
        text = unary(syntax.next, parts[0]);
        break;
      case LtlOp::Until:
        text =
            ltl.is_eventually(f) ? unary(syntax.eventually, parts[1]) : joined(syntax.until, parts);
        break;
      case LtlOp::Release:
        text = ltl.is_always(f) ? unary(syntax.always, parts[1]) : joined(syntax.release, parts);
        break;
      case LtlOp::Since:
        text = joined(syntax.since, parts);
        break;
      case LtlOp::Trigger:
        text = joined(syntax.trigger, parts);
        break;
    }
    if (text.size() > kLongestFormula) throw Inexpressible("the formula is too long");
  }
  return done.at(formula);
}

}  // namespace whittle
