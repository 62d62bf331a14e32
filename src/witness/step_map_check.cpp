// SPDX-License-Identifier: Apache-2.0
#include "witness/step_map_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/checkpoint.h"
#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "ir/ltl.h"
#include "ir/transition_terms.h"
#include "witness/elimination_check.h"

namespace whittle {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

Unexpected<RejectedWitness> no_step_map(std::string reason, std::string event = {}) {
  return Unexpected{RejectedWitness{std::move(reason), std::move(event)}};
}

// A flat system that was made again, with what its variables hold.
struct Flat {
  Network& network;
  PropertyId property;
  Lowered lowered;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> variable_of;  // by place

  [[nodiscard]] const TransitionSystem& system() const { return lowered.system; }
  [[nodiscard]] std::uint32_t stay() const {
    return static_cast<std::uint32_t>(system().transitions.size() - 1);
  }
  [[nodiscard]] std::uint32_t variable(InstanceId instance, VariableId variable) const {
    const auto found = variable_of.find({instance.index(), variable.index()});
    return found == variable_of.end() ? kNone : found->second;
  }
  // The locations of an instance in the order in which a location variable numbers them.
  [[nodiscard]] const std::vector<LocationId>& locations(InstanceId instance) const {
    return network.machine(network.instance(instance).machine).locations;
  }
};

// The state of the model before a step, or after it, as terms.
struct Moment {
  std::vector<Expr> values;  // by flat variable of the model
};

// A location of an instance cannot be said in terms of the model.
struct Unsayable {};

class StepMapCheck {
 public:
  StepMapCheck(const StepMap& map, const smt::SolverFactory& solvers)
      : map_(map),
        pool_(map.model->pool()),
        solvers_(solvers),
        model_{*map.model, map.property, {}, {}},
        slice_{*map.slice, map.slice_property, {}, {}} {}

  Problem operator()() {
    if (auto problem = prepare()) return problem;
    if (auto problem = same_question()) return problem;
    try {
      if (auto problem = first_states()) return problem;
      if (auto problem = conditions()) return problem;
      for (std::uint32_t t = 0; t < model_.system().transitions.size(); ++t) {
        checkpoint();
        if (auto problem = step(t)) return problem;
      }
      return fairness();
    } catch (const Unsayable&) {
      return no_step_map("a place of the slice cannot be said in terms of the model");
    }
  }

 private:
  // ----- both systems

  Problem prepare() {
    std::vector<Elimination> eliminated;
    for (Flat* flat : {&model_, &slice_}) {
      LowerOptions options;
      options.eliminate = written_elimination(pool_, solvers_.settings().limits, eliminated);
      flat->lowered = lower(flat->network, flat->property, options);
      for (std::uint32_t v = 0; v < flat->system().variables.size(); ++v) {
        const FlatPlace place = flat->lowered.back->place_of(v);
        flat->variable_of[{place.instance.index(), place.variable.index()}] = v;
      }
    }
    for (const StateVariable& v : model_.system().variables)
      now_.values.push_back(pool_.symbol(v.current));
    solver_ = solvers_.make(pool_, "step map");
    by_event();
    return check_eliminations(pool_, eliminated, solvers_);
  }

  // Steps of the slice by the event of the model that they stand for.
  void by_event() {
    for (std::uint32_t u = 0; u < slice_.stay(); ++u) {
      const auto [instance, event] = slice_.lowered.back->event_of(u);
      const EventId original = map_.events[event.index()];
      if (original.valid())
        of_event_[{map_.instances[instance.index()].index(), original.index()}].push_back(u);
      else
        of_nobody_.push_back(u);
    }
  }

  Problem same_question() {
    const auto& asked = map_.model->property(map_.property).as<RunGoal>();
    const auto& left = map_.slice->property(map_.slice_property).as<RunGoal>();
    if (&map_.model->ltl() != &map_.slice->ltl() || asked.formula != left.formula ||
        asked.assumption != left.assumption)
      return no_step_map("the slice asks something else");
    LtlPool& ltl = map_.model->ltl();
    const LtlFormula refuted_by = refuting(ltl, pool_, asked.formula, asked.assumption);
    atoms_ = ltl.atoms(refuted_by);
    counts_steps_ = ltl.mentions(refuted_by, {LtlOp::Next}) ||
                    map_.model->property(map_.property).bound.max.has_value();
    for (const Expr atom : atoms_)
      for (const SymbolId symbol : symbols(pool_, atom)) {
        const RoleKind kind = map_.model->role(symbol).kind;
        counts_steps_ = counts_steps_ || kind == RoleKind::InstanceTaken;
        asks_end_ = asks_end_ || kind == RoleKind::Halt;
      }
    return std::nullopt;
  }

  // ----- from terms of the slice to terms of the model

  [[nodiscard]] FlatPlace in_model(std::uint32_t slice_variable) const {
    FlatPlace place = slice_.lowered.back->place_of(slice_variable);
    if (place.instance.valid()) place.instance = map_.instances[place.instance.index()];
    if (place.variable.valid()) place.variable = map_.variables[place.variable.index()];
    return place;
  }

  // "The place of the instance is the one with this number in the slice."
  Expr is_at(std::uint32_t slice_variable, std::uint32_t index, const Moment& moment) {
    const InstanceId there = slice_.lowered.back->place_of(slice_variable).instance;
    const InstanceId instance = map_.instances[there.index()];
    const LocationId wanted = slice_.locations(there).at(index);
    const auto& locations = model_.locations(instance);
    const std::uint32_t v = model_.variable(instance, VariableId());
    if (v == kNone) return pool_.boolean(map_.places[locations.front().index()] == wanted);
    const Type type = model_.system().variables[v].type;
    std::vector<Expr> cases;
    for (std::uint32_t l = 0; l < locations.size(); ++l)
      if (map_.places[locations[l].index()] == wanted)
        cases.push_back(pool_.eq(moment.values[v], pool_.constant(Value(EnumValue{l}), type)));
    return pool_.disj(cases);
  }

  // A term of the slice; `after`: what stands for next values.
  Expr said(Expr term, const Moment& before, const Moment& after) {
    Rewriter rewriter(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
      if (pool_.op(e) == Op::Eq) return said_of_places(e, before, after);
      if (!pool_.is_variable(e)) return {};
      const auto [v, next] = slice_variable(e);
      if (v == kNone) return {};
      if (slice_.system().variables[v].is_location) return e;  // inside an equation, see above
      return value_of(v, next ? after : before);
    });
    return rewriter(term);
  }

  Expr value_of(std::uint32_t slice_variable, const Moment& moment) {
    const FlatPlace place = in_model(slice_variable);
    const std::uint32_t v = model_.variable(place.instance, place.variable);
    if (v == kNone) throw Unsayable();
    return moment.values[v];
  }

  Expr said_of_places(Expr equation, const Moment& before, const Moment& after) {
    Expr a = pool_.child(equation, 0);
    Expr b = pool_.child(equation, 1);
    if (pool_.is_const(a)) std::swap(a, b);
    const auto is_place = [&](Expr e) {
      const std::uint32_t v = pool_.is_variable(e) ? slice_variable(e).first : kNone;
      return v != kNone && slice_.system().variables[v].is_location;
    };
    const auto mentions_place = [&](Expr e) {
      const std::vector<SymbolId> all = symbols(pool_, e);
      return std::any_of(all.begin(), all.end(),
                         [&](SymbolId s) { return is_place(pool_.symbol(s)); });
    };
    if (!is_place(a) || !pool_.is_const(b)) {
      if (is_place(a) || is_place(b) || location_type(pool_.type(a))) {
        if (mentions_place(a) || mentions_place(b)) throw Unsayable();
      }
      return {};
    }
    const auto [v, next] = slice_variable(a);
    return is_at(v, pool_.value(b).as_enum().index, next ? after : before);
  }

  [[nodiscard]] bool location_type(Type type) const {
    const auto& variables = slice_.system().variables;
    return std::any_of(variables.begin(), variables.end(), [&](const StateVariable& v) {
      return v.is_location && v.type.id() == type.id();
    });
  }

  // The variable whose current or next symbol this is.
  [[nodiscard]] std::pair<std::uint32_t, bool> slice_variable(Expr e) {
    if (symbol_.empty()) {
      for (std::uint32_t v = 0; v < slice_.system().variables.size(); ++v) {
        symbol_[slice_.system().variables[v].current] = {v, false};
        symbol_[slice_.system().variables[v].next] = {v, true};
      }
    }
    const auto found = symbol_.find(pool_.symbol_of(e));
    return found == symbol_.end() ? std::pair{kNone, false} : found->second;
  }

  // ----- first states and conditions

  // The first implies the second: by its conjuncts, else according to the solver.
  Problem implied(const std::vector<Expr>& known, Expr wanted, const std::string& what,
                  const std::string& event = {}) {
    const std::unordered_set<Expr> facts(known.begin(), known.end());
    std::vector<Expr> open;
    for (const Expr part : conjuncts(pool_, wanted))
      if (!facts.contains(part) && !pool_.is_true(part)) open.push_back(part);
    if (open.empty()) return std::nullopt;
    if (by_terms_) return no_step_map("not the same terms", event);
    std::vector<Expr> parts = known;
    parts.push_back(pool_.negate(pool_.conj(open)));
    return refuted(*solver_, pool_.conj(parts), what, event);
  }

  Problem first_states() {
    return implied(conjuncts(pool_, model_.system().init), said(slice_.system().init, now_, now_),
                   "as a slice (first states)");
  }

  Problem conditions() {
    for (const Expr atom : atoms_) {
      const Expr here = model_.lowered.back->flat_condition(atom);
      const Expr there = slice_.lowered.back->flat_condition(atom);
      if (of_step(atom)) {
        of_steps_.emplace_back(here, there);
        continue;
      }
      const Expr same = said(there, now_, now_);
      if (same == here) continue;
      if (auto problem = refuted(*solver_, pool_.negate(pool_.eq(here, same)),
                                 "as a slice (conditions of the formula)"))
        return problem;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool of_step(Expr atom) const {
    const std::vector<SymbolId> all = symbols(pool_, atom);
    return std::any_of(all.begin(), all.end(), [&](SymbolId s) {
      const RoleKind kind = map_.model->role(s).kind;
      return kind == RoleKind::InstanceTaken || kind == RoleKind::Halt;
    });
  }

  // ----- steps

  Problem step(std::uint32_t t) {
    const Transition& transition = model_.system().transitions[t];
    const std::vector<Expr> known = conjuncts(pool_, step_condition(pool_, transition));
    const Moment after{values_after(model_.system(), transition)};
    // Mostly one of them is the same terms, and no solver is asked.
    for (const bool by_terms : {true, false}) {
      by_terms_ = by_terms;
      for (const std::uint32_t u : candidates(t)) {
        if (corresponds(t, u, known, after)) continue;
        by_terms_ = false;
        images_.push_back(u);
        return std::nullopt;
      }
    }
    images_.push_back(kNone);
    return stays_lower(t, known, after);
  }

  // Those of the same event first, then the steps that stand for none of the model.
  [[nodiscard]] std::vector<std::uint32_t> candidates(std::uint32_t t) const {
    std::vector<std::uint32_t> result;
    if (t != model_.stay()) {
      const auto [instance, event] = model_.lowered.back->event_of(t);
      const auto found = of_event_.find({instance.index(), event.index()});
      if (found != of_event_.end()) result = found->second;
    }
    result.insert(result.end(), of_nobody_.begin(), of_nobody_.end());
    result.push_back(slice_.stay());
    return result;
  }

  // Every step t is the step u between the places of its ends.
  Problem corresponds(std::uint32_t t, std::uint32_t u, const std::vector<Expr>& known,
                      const Moment& after) {
    const Transition& transition = slice_.system().transitions[u];
    const std::string& name = model_.system().transitions[t].name;
    const std::string what = "as a slice (steps)";
    if (auto problem =
            implied(known, said(step_condition(pool_, transition), now_, after), what, name))
      return problem;
    const std::vector<Expr> next = values_after(slice_.system(), transition);
    for (std::uint32_t v = 0; v < next.size(); ++v) {
      const Expr same = slice_.system().variables[v].is_location
                            ? same_place(v, next[v], after)
                            : pool_.eq(value_of(v, after), said(next[v], now_, after));
      if (auto problem = implied(known, same, what, name)) return problem;
    }
    for (const auto& [here, there] : of_steps_) {
      const Expr of_t = model_.lowered.back->at_step(here, t);
      const Expr of_u = said(slice_.lowered.back->at_step(there, u), now_, after);
      if (of_t == of_u) continue;
      if (auto problem = implied(known, pool_.eq(of_t, of_u), what, name)) return problem;
    }
    return std::nullopt;
  }

  // The place after a step of the model is the one after the step of the slice.
  Expr same_place(std::uint32_t v, Expr next, const Moment& after) {
    if (pool_.is_const(next)) return is_at(v, pool_.value(next).as_enum().index, after);
    if (!pool_.is_variable(next) || slice_variable(next) != std::pair{v, false}) throw Unsayable();
    return unmoved(v, after);
  }

  Expr unmoved(std::uint32_t v, const Moment& after) {
    const InstanceId there = slice_.lowered.back->place_of(v).instance;
    const std::uint32_t here = model_.variable(map_.instances[there.index()], VariableId());
    if (here == kNone || after.values[here] == now_.values[here]) return pool_.boolean(true);
    std::vector<Expr> cases;
    for (std::uint32_t l = 0; l < slice_.locations(there).size(); ++l)
      cases.push_back(pool_.conj(is_at(v, l, now_), is_at(v, l, after)));
    return pool_.disj(cases);
  }

  // The step changes nothing in the slice, and only finitely many such steps follow one another.
  Problem stays_lower(std::uint32_t t, const std::vector<Expr>& known, const Moment& after) {
    const std::string& name = model_.system().transitions[t].name;
    if (counts_steps_)
      return no_step_map("a step of the model is none of the slice, and the formula counts", name);
    const std::string what = "as a slice (steps that it leaves out)";
    const auto& variables = slice_.system().variables;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      const Expr same = variables[v].is_location ? unmoved(v, after)
                                                 : pool_.eq(value_of(v, after), value_of(v, now_));
      if (auto problem = implied(known, same, what, name)) return problem;
    }
    if (!falls(known, after))
      return no_step_map("steps that the slice leaves out may go on for ever", name);
    if (!asks_end_) return std::nullopt;
    const Expr rests = said(slice_.system().transitions[slice_.stay()].guard, now_, after);
    return implied(known, pool_.negate(rests), what, name);
  }

  // Some instance moves to a lower rank, and none to a higher one.
  [[nodiscard]] bool falls(const std::vector<Expr>& known, const Moment& after) const {
    bool lower = false;
    for (std::uint32_t v = 0; v < model_.system().variables.size(); ++v) {
      if (!model_.system().variables[v].is_location || after.values[v] == now_.values[v]) continue;
      const InstanceId instance = model_.lowered.back->place_of(v).instance;
      const auto to = number(after.values[v]);
      const auto from = place_known(known, v);
      if (!to || !from) return false;
      const auto& locations = model_.locations(instance);
      const std::uint32_t rank_before = map_.ranks[locations[*from].index()];
      const std::uint32_t rank_after = map_.ranks[locations[*to].index()];
      if (rank_after > rank_before) return false;
      lower = lower || rank_after < rank_before;
    }
    return lower;
  }

  [[nodiscard]] std::optional<std::uint32_t> number(Expr e) const {
    if (!pool_.is_const(e)) return std::nullopt;
    return pool_.value(e).as_enum().index;
  }
  [[nodiscard]] std::optional<std::uint32_t> place_known(const std::vector<Expr>& known,
                                                         std::uint32_t v) const {
    for (const Expr fact : known) {
      if (pool_.op(fact) != Op::Eq) continue;
      for (const std::size_t side : {0, 1})
        if (pool_.child(fact, side) == now_.values[v]) return number(pool_.child(fact, 1 - side));
    }
    return std::nullopt;
  }

  // ----- fairness

  [[nodiscard]] static bool lists(const std::vector<std::uint32_t>& all, std::uint32_t t) {
    return std::find(all.begin(), all.end(), t) != all.end();
  }
  // What the model does for its unit the slice does for its own.
  [[nodiscard]] bool taken_there(const std::vector<std::uint32_t>& here,
                                 const std::vector<std::uint32_t>& there) const {
    return std::all_of(here.begin(), here.end(), [&](std::uint32_t t) {
      return images_[t] != kNone && lists(there, images_[t]);
    });
  }

  Problem fairness() {
    const std::string what = "as a slice (fairness)";
    const auto& sets = *model_.system().acceptance;
    for (const AcceptanceSet& asked : *slice_.system().acceptance) {
      const auto met = std::find_if(sets.begin(), sets.end(),
                                    [&](const AcceptanceSet& s) { return s.name == asked.name; });
      if (met == sets.end() || !taken_there(met->transitions, asked.transitions))
        return no_step_map("the slice asks for more fairness than the model", asked.name);
      if (auto problem = implied(conjuncts(pool_, met->condition),
                                 said(asked.condition, now_, now_), what, asked.name))
        return problem;
    }
    const auto& units = model_.system().strong;
    for (const StrongFairness& asked : slice_.system().strong) {
      const auto met = std::find_if(units.begin(), units.end(),
                                    [&](const StrongFairness& s) { return s.name == asked.name; });
      if (met == units.end() || !taken_there(met->transitions, asked.transitions))
        return no_step_map("the slice asks for more fairness than the model", asked.name);
      if (auto problem = implied(conjuncts(pool_, said(asked.enabled, now_, now_)), met->enabled,
                                 what, asked.name))
        return problem;
    }
    return std::nullopt;
  }

  const StepMap& map_;
  ExprPool& pool_;
  const smt::SolverFactory& solvers_;
  Flat model_, slice_;
  Moment now_;
  std::unique_ptr<smt::Solver> solver_;
  std::vector<Expr> atoms_;
  std::vector<std::pair<Expr, Expr>> of_steps_;  // atoms about steps: of the model, of the slice
  bool by_terms_ = false;                        // the solver is not asked yet
  bool counts_steps_ = false;
  bool asks_end_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> of_event_;
  std::vector<std::uint32_t> of_nobody_;
  std::map<SymbolId, std::pair<std::uint32_t, bool>> symbol_;
  std::vector<std::uint32_t> images_;  // by step of the model; kNone: it has none
};

}  // namespace

Problem check_step_map(const StepMap& map, const smt::SolverFactory& solvers) {
  return StepMapCheck(map, solvers)();
}

}  // namespace whittle
