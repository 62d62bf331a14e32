// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxConditions = 3;
constexpr std::size_t kMaxTransitions = 500;

bool compares_numbers(const ExprPool& pool, Expr e) {
  if (pool.op(e) != Op::Lt && pool.op(e) != Op::Le) return false;
  const Type type = pool.type(pool.child(e, 0));
  return type == Type::integer() || type == Type::real();
}

class PhaseSplit {
 public:
  explicit PhaseSplit(const TransitionSystem& original)
      : original_(original), pool_(*original.pool), system_(original) {}

  std::optional<FlatTransformed> run();
  FlatTransformed by(std::vector<Expr> conditions);

 private:
  void find_conditions();
  void carry_acceptance();
  void add(Expr condition);
  void collect_steps(const Transition& t, Expr condition, const StateVariable& phase,
                     std::vector<Transition>& steps) const;
  [[nodiscard]] std::unordered_map<Expr, Expr> meaning() const;
  // As constants of the type of its variable.
  [[nodiscard]] Expr value(bool now, const StateVariable& phase) const {
    return pool_.constant(Value(EnumValue{now ? 1U : 0U}), phase.type);
  }
  [[nodiscard]] Expr is(bool now, const StateVariable& phase) const {
    return pool_.eq(pool_.symbol(phase.current), value(now, phase));
  }

  const TransitionSystem& original_;
  ExprPool& pool_;
  TransitionSystem system_;
  std::vector<Expr> conditions_;
  std::vector<StateVariable> phases_;   // by condition
  std::vector<std::uint32_t> origins_;  // of transitions
};

// Those that one transition of a loop asks for and another one for the contrary.
void PhaseSplit::find_conditions() {
  std::unordered_set<SymbolId> state;
  std::unordered_set<std::uint32_t> locations;
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    state.insert(original_.variables[v].current);
    if (original_.variables[v].is_location) locations.insert(v);
  }
  std::unordered_set<Expr> asked;
  std::vector<Expr> order;
  for (const Transition& t : original_.transitions) {
    const bool moves = std::any_of(t.updates.begin(), t.updates.end(),
                                   [&](const Update& u) { return locations.contains(u.variable); });
    if (moves || t.updates.empty()) continue;
    for (const Expr part : conjuncts(pool_, t.guard)) {
      if (!compares_numbers(pool_, part) || !asked.insert(part).second) continue;
      const std::vector<SymbolId> used = symbols(pool_, part);
      if (std::all_of(used.begin(), used.end(), [&](SymbolId s) { return state.contains(s); }))
        order.push_back(part);
    }
  }
  std::size_t transitions = original_.transitions.size();
  std::unordered_set<Expr> taken;
  for (const Expr e : order) {
    const Expr contrary = pool_.negate(e);
    if (!asked.contains(contrary) || taken.contains(contrary)) continue;
    transitions *= 2;
    if (conditions_.size() == kMaxConditions || transitions > kMaxTransitions) return;
    taken.insert(e);
    conditions_.push_back(e);
  }
}

void PhaseSplit::add(Expr condition) {
  const std::string name = fmt::format("phase {}", phases_.size() + 1);
  const Type type = pool_.enum_type("Phase", {"later", "now"});
  const StateVariable phase = {name, type, pool_.declare(name, type),
                               pool_.declare("next " + name, type), true};
  phases_.push_back(phase);
  system_.variables.push_back(phase);
  system_.alike.clear();
  const Expr meant = pool_.ite(is(true, phase), condition, pool_.negate(condition));
  system_.init = pool_.conj(system_.init, meant);
  std::vector<Transition> all;
  std::vector<std::uint32_t> origins;
  for (std::size_t t = 0; t < system_.transitions.size(); ++t) {
    collect_steps(system_.transitions[t], condition, phase, all);
    origins.resize(all.size(), origins_[t]);
  }
  system_.transitions = std::move(all);
  origins_ = std::move(origins);
}

// One for each phase that the transition can end in.
void PhaseSplit::collect_steps(const Transition& t, Expr condition, const StateVariable& phase,
                               std::vector<Transition>& steps) const {
  // Said at every transition again: where a shape is widened, it would be forgotten.
  const Expr meant = pool_.ite(is(true, phase), condition, pool_.negate(condition));
  Substitution after(pool_);
  for (const Update& update : t.updates)
    after.set(system_.variables[update.variable].current, update.value);
  for (const std::uint32_t v : t.open)
    after.set(system_.variables[v].current, pool_.symbol(system_.variables[v].next));
  const Expr then = after(condition);
  for (const bool now : {true, false}) {
    const Expr holds = now ? then : pool_.negate(then);
    if (pool_.is_false(holds)) continue;
    Transition step = t;
    step.guard = pool_.conj(t.guard, meant);
    if (t.open.empty()) {
      step.guard = pool_.conj(step.guard, holds);
    } else {
      step.relation = t.relation.valid() ? pool_.conj(t.relation, holds) : holds;
    }
    step.updates.push_back(
        {static_cast<std::uint32_t>(system_.variables.size() - 1), value(now, phase)});
    steps.push_back(std::move(step));
  }
}

class PhasesBack final : public FlatBackTranslation {
 public:
  PhasesBack(std::shared_ptr<ExprPool> pool, std::size_t variables,
             std::vector<std::uint32_t> transitions, std::unordered_map<Expr, Expr> meaning,
             const std::vector<StateVariable>& phases)
      : pool_(std::move(pool)),
        variables_(variables),
        transitions_(std::move(transitions)),
        meaning_(std::move(meaning)) {
    for (const StateVariable& phase : phases) phases_.insert(phase.current);
  }

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    result.initial.resize(variables_);
    for (FlatStep& step : result.steps) step.transition = transitions_[step.transition];
    return result;
  }

  [[nodiscard]] Expr condition(Expr condition) const override {
    Rewriter back(*pool_, [&](Expr e, std::span<const Expr>) -> Expr {
      const auto it = meaning_.find(e);
      return it == meaning_.end() ? Expr() : it->second;
    });
    const Expr result = back(condition);
    const std::vector<SymbolId> used = symbols(*pool_, result);
    const bool left = std::any_of(used.begin(), used.end(),
                                  [&](SymbolId symbol) { return phases_.contains(symbol); });
    return left ? Expr() : result;
  }

  // Its variables are all there.
  [[nodiscard]] Expr forward(Expr condition) const override { return condition; }

 private:
  std::shared_ptr<ExprPool> pool_;
  std::size_t variables_;                   // of the original
  std::vector<std::uint32_t> transitions_;  // of the original, by transition
  std::unordered_map<Expr, Expr> meaning_;  // of "the phase is this": the condition or its contrary
  std::unordered_set<SymbolId> phases_;     // variables
};

std::optional<FlatTransformed> PhaseSplit::run() {
  find_conditions();
  if (conditions_.empty()) return std::nullopt;
  return by(std::move(conditions_));
}

FlatTransformed PhaseSplit::by(std::vector<Expr> conditions) {
  conditions_ = std::move(conditions);
  for (std::uint32_t t = 0; t < original_.transitions.size(); ++t) origins_.push_back(t);
  for (const Expr condition : conditions_) add(condition);
  carry_acceptance();
  auto back = std::make_shared<PhasesBack>(original_.pool, original_.variables.size(),
                                           std::move(origins_), meaning(), phases_);
  return FlatTransformed{std::move(system_), std::move(back)};
}

// A step is in a set if the one that it was made of is.
void PhaseSplit::carry_acceptance() {
  if (!system_.acceptance) return;
  for (AcceptanceSet& set : *system_.acceptance) {
    const std::unordered_set<std::uint32_t> before(set.transitions.begin(), set.transitions.end());
    set.transitions.clear();
    for (std::uint32_t t = 0; t < origins_.size(); ++t)
      if (before.contains(origins_[t])) set.transitions.push_back(t);
  }
}

std::unordered_map<Expr, Expr> PhaseSplit::meaning() const {
  std::unordered_map<Expr, Expr> result;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    result.emplace(is(true, phases_[i]), conditions_[i]);
    result.emplace(is(false, phases_[i]), pool_.negate(conditions_[i]));
  }
  return result;
}

}  // namespace

std::optional<FlatTransformed> split_phases(const TransitionSystem& system) {
  return PhaseSplit(system).run();
}

FlatTransformed split_by(const TransitionSystem& system, const std::vector<Expr>& conditions) {
  return PhaseSplit(system).by(conditions);
}

}  // namespace whittle::simplify
