// SPDX-License-Identifier: Apache-2.0
#include "simplify/control_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxLocations = 500;
constexpr std::size_t kMaxTransitions = 4'000;
constexpr std::size_t kMaxLeaves = 64;      // values that one transition can set it to
constexpr std::size_t kMaxPieces = 16;      // of a transition from one location to another
constexpr std::size_t kMaxTerms = 200'000;  // of a transition that is for every location

// The number that the condition says the variable is; invalid: none.
Expr asked_value(const ExprPool& pool, Expr condition, Expr variable) {
  if (pool.op(condition) != Op::Eq) return {};
  const Expr left = pool.child(condition, 0);
  const Expr right = pool.child(condition, 1);
  if (left == variable && pool.is_const(right)) return right;
  if (right == variable && pool.is_const(left)) return left;
  return {};
}

// What a choice between numbers and the variable itself is between; empty: it is something else.
std::vector<Expr> leaves(const ExprPool& pool, Expr value, Expr variable) {
  std::vector<Expr> result, open{value};
  for (std::size_t seen = 0; !open.empty(); ++seen) {
    const Expr e = open.back();
    open.pop_back();
    if (e == variable || pool.is_const(e)) {
      result.push_back(e);
      continue;
    }
    if (pool.op(e) != Op::Ite || seen > 2 * kMaxLeaves) return {};
    open.push_back(pool.child(e, 2));
    open.push_back(pool.child(e, 1));
  }
  return result;
}

}  // namespace

ControlLocations::ControlLocations(const TransitionSystem& original)
    : original_(original), pool_(*original.pool), init_(original.init), stuck_() {
  const auto located = [](const StateVariable& v) { return v.is_location; };
  if (std::any_of(original.variables.begin(), original.variables.end(), located)) return;
  leave_out_stuck();
  if (const auto counter = program_counter()) any_ = build(*counter);
}

// Alternatives of the first states that contradict every guard and the goal.
void ControlLocations::leave_out_stuck() {
  const std::vector<Expr> alternatives = disjuncts(pool_, init_);
  if (alternatives.size() < 2) return;
  std::vector<std::vector<Expr>> conditions = {conjuncts(pool_, original_.goal.condition)};
  for (const Transition& t : original_.transitions) conditions.push_back(conjuncts(pool_, t.guard));
  std::vector<Expr> kept, left_out;
  for (const Expr alternative : alternatives) {
    std::unordered_set<Expr> denied;
    for (const Expr part : conjuncts(pool_, alternative)) denied.insert(pool_.negate(part));
    const bool stuck = std::all_of(conditions.begin(), conditions.end(), [&](const auto& parts) {
      return std::any_of(parts.begin(), parts.end(),
                         [&](Expr part) { return denied.contains(part); });
    });
    (stuck ? left_out : kept).push_back(alternative);
  }
  if (left_out.empty()) return;
  init_ = pool_.disj(kept);
  stuck_ = pool_.disj(left_out);
}

std::optional<Value> ControlLocations::first_value(std::uint32_t variable) const {
  const Expr symbol = pool_.symbol(original_.variables[variable].current);
  for (const Expr part : conjuncts(pool_, init_)) {
    const Expr value = asked_value(pool_, part, symbol);
    if (value.valid()) return pool_.value(value);
  }
  return std::nullopt;
}

bool ControlLocations::set_to_numbers(std::uint32_t v) const {
  const Expr symbol = pool_.symbol(original_.variables[v].current);
  return std::all_of(
      original_.transitions.begin(), original_.transitions.end(), [&](const Transition& t) {
        if (std::find(t.open.begin(), t.open.end(), v) != t.open.end()) return false;
        return std::all_of(t.updates.begin(), t.updates.end(), [&](const Update& update) {
          return update.variable != v || !leaves(pool_, update.value, symbol).empty();
        });
      });
}

// The one that most transitions ask for.
std::optional<std::uint32_t> ControlLocations::program_counter() const {
  std::unordered_map<Expr, std::uint32_t> asked;  // by symbol
  for (const Transition& t : original_.transitions) {
    std::unordered_set<Expr> here;
    for (const Expr part : conjuncts(pool_, t.guard)) count_asked(part, here, asked);
  }
  std::uint64_t least = (original_.transitions.size() * 2 + 2) / 3;
  if (original_.transitions.size() == 1) {
    // Equations for all values at once: the conditions in them are what asks.
    least = 3;
    asked.clear();
    std::size_t terms = 0;
    for (const Update& update : original_.transitions[0].updates) {
      for_each_subterm(pool_, update.value, [&](Expr e) {
        std::unordered_set<Expr> here;
        if (pool_.type(e) == Type::boolean()) count_asked(e, here, asked);
        ++terms;
      });
    }
    if (terms > kMaxTerms / kMaxLeaves) return std::nullopt;
  }
  std::optional<std::uint32_t> best;
  std::uint64_t most = 0;
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    const StateVariable& variable = original_.variables[v];
    const TypeKind kind = pool_.kind(variable.type);
    if (kind != TypeKind::Int && (kind != TypeKind::BitVector || original_.transitions.size() == 1))
      continue;
    const auto count = asked.find(pool_.symbol(variable.current));
    if (count == asked.end() || count->second <= most || count->second < least) continue;
    if (!first_value(v) || !set_to_numbers(v)) continue;
    best = v;
    most = count->second;
  }
  return best;
}

void ControlLocations::count_asked(Expr condition, std::unordered_set<Expr>& before,
                                   std::unordered_map<Expr, std::uint32_t>& asked) const {
  if (pool_.op(condition) != Op::Eq) return;
  for (const std::size_t side : {0, 1}) {
    const Expr e = pool_.child(condition, side);
    if (pool_.is_variable(e) && asked_value(pool_, condition, e).valid() && before.insert(e).second)
      ++asked[e];
  }
}

std::optional<std::uint32_t> ControlLocations::index_of(Expr constant) {
  const auto found = std::find(values_.begin(), values_.end(), constant);
  if (found == values_.end() && values_.size() == kMaxLocations) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(found - values_.begin());
  if (found == values_.end()) values_.push_back(constant);
  return index;
}

Expr ControlLocations::at(std::uint32_t value) const {
  return pool_.eq(pool_.symbol(location_.current),
                  pool_.constant(Value(EnumValue{value}), location_.type));
}

// False: too many locations or transitions.
bool ControlLocations::build(std::uint32_t counter) {
  counter_ = counter;
  const StateVariable& variable = original_.variables[counter];
  const Expr first = pool_.constant(*first_value(counter), variable.type);
  values_ = {first};
  // All values first: the type has one name for each.
  std::vector<Expr> constants;
  for (const Transition& t : original_.transitions) {
    for (const Update& update : t.updates) {
      if (update.variable != counter) continue;
      for (const Expr e : leaves(pool_, update.value, pool_.symbol(variable.current))) {
        if (pool_.is_const(e)) constants.push_back(e);
      }
    }
  }
  for (const Expr constant : constants) {
    if (!index_of(constant)) return false;
  }
  if (values_.size() < 2) return false;
  const std::size_t count = values_.size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("place {}", i));
  const Type type = pool_.enum_type(fmt::format("places of {}", variable.name), names);
  location_ = {variable.name, type, pool_.declare(fmt::format("place of {}", variable.name), type),
               pool_.declare(fmt::format("next place of {}", variable.name), type), true};
  located_ = original_;
  located_.transitions.clear();
  located_.alike.clear();
  located_.variables[counter] = location_;
  Substitution start(pool_);
  start.set(variable.current, first);
  located_.init = pool_.conj(at(0), start(init_));
  for (std::uint32_t value = 0; value < count; ++value) {
    for (std::uint32_t t = 0; t < original_.transitions.size(); ++t) {
      if (!specialise(value, t) || values_.size() != count) return false;
    }
  }
  located_.goal.condition = by_location(original_.goal.condition);
  for (Expr& hint : located_.hints) hint = by_location(hint);
  return true;
}

// The transition where the counter has the value; one for each value it can have then.
bool ControlLocations::specialise(std::uint32_t value, std::uint32_t t) {
  const Transition& transition = original_.transitions[t];
  const StateVariable& variable = original_.variables[counter_];
  Substitution here(pool_);
  here.set(variable.current, values_[value]);
  const Expr guard = here(transition.guard);
  if (pool_.is_false(guard)) return true;
  Transition made = transition;
  made.updates.clear();
  if (transition.relation.valid()) made.relation = here(transition.relation);
  Expr next = values_[value];
  for (const Update& update : transition.updates) {
    if (update.variable == counter_) {
      next = here(update.value);
    } else {
      made.updates.push_back({update.variable, here(update.value)});
    }
  }
  made.updates.push_back({counter_, next});
  std::vector<Case> open = {{guard, std::move(made.updates)}};
  made.updates.clear();
  std::size_t pieces = 0;
  while (!open.empty()) {
    const Case piece = std::move(open.back());
    open.pop_back();
    if (pool_.is_false(piece.guard)) continue;
    const Expr to = piece.updates.back().value;
    Expr choice = pool_.op(to) == Op::Ite ? pool_.child(to, 0) : Expr();
    for (std::size_t i = 0; i < piece.updates.size() && !choice.valid() && pieces < kMaxPieces;
         ++i) {
      const Expr e = piece.updates[i].value;
      const bool number = pool_.type(e) == Type::integer() || pool_.type(e) == Type::real();
      if (number && pool_.op(e) == Op::Ite) choice = pool_.child(e, 0);
    }
    if (choice.valid()) {
      if (++pieces > kMaxLeaves) return false;
      open.push_back(assuming(piece, choice, false));
      open.push_back(assuming(piece, choice, true));
      continue;
    }
    const auto target = index_of(to);
    if (!target || located_.transitions.size() == kMaxTransitions) return false;
    Transition step = made;
    step.guard = pool_.conj(at(value), piece.guard);
    step.updates = piece.updates;
    step.updates.back().value = pool_.constant(Value(EnumValue{*target}), location_.type);
    if (*target == value) step.updates.pop_back();
    std::erase_if(step.updates, [&](const Update& u) {
      return u.variable != counter_ &&
             u.value == pool_.symbol(original_.variables[u.variable].current);
    });
    located_.transitions.push_back(std::move(step));
    transition_.push_back(t);
  }
  return true;
}

// The case where the condition is so.
ControlLocations::Case ControlLocations::assuming(const Case& piece, Expr condition,
                                                  bool truth) const {
  std::unordered_map<Expr, bool> known = {{condition, truth}};
  if (truth) {
    for (const Expr part : conjuncts(pool_, condition)) known.emplace(part, true);
  }
  Rewriter rewrite(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
    const auto it = known.find(e);
    return it == known.end() ? Expr() : pool_.boolean(it->second);
  });
  Case result;
  result.guard = pool_.conj(rewrite(piece.guard), truth ? condition : pool_.negate(condition));
  for (const Update& update : piece.updates)
    result.updates.push_back({update.variable, rewrite(update.value)});
  return result;
}

Expr ControlLocations::by_location(Expr condition) {
  std::vector<std::pair<Expr, std::vector<Expr>>> cases;  // what it is, where
  for (std::uint32_t value = 0; value < values_.size(); ++value) {
    Substitution here(pool_);
    here.set(original_.variables[counter_].current, values_[value]);
    const Expr e = here(condition);
    auto known =
        std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.first == e; });
    if (known == cases.end()) known = cases.insert(cases.end(), {e, {}});
    known->second.push_back(at(value));
  }
  if (cases.size() == 1) return cases[0].first;
  std::vector<Expr> parts;
  parts.reserve(cases.size());
  for (const auto& [e, places] : cases) parts.push_back(pool_.conj(pool_.disj(places), e));
  return pool_.disj(parts);
}

FlatTrace ControlLocations::trace(FlatTrace trace) const {
  if (!any_) return trace;
  trace.initial[counter_] = pool_.value(values_[trace.initial[counter_].as_enum().index]);
  for (FlatStep& step : trace.steps) step.transition = transition_[step.transition];
  return trace;
}

Expr ControlLocations::invariant(Expr invariant) const {
  if (!any_ || !invariant.valid()) return invariant;
  const Expr symbol = pool_.symbol(location_.current);
  const Expr counter = pool_.symbol(original_.variables[counter_].current);
  Rewriter back(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
    const Expr place = asked_value(pool_, e, symbol);
    return place.valid() ? pool_.eq(counter, values_[pool_.value(place).as_enum().index]) : Expr();
  });
  const Expr said = back(invariant);
  for (SymbolId used : symbols(pool_, said)) {
    if (used == location_.current) return {};
  }
  std::vector<Expr> somewhere;
  for (const Expr value : values_) somewhere.push_back(pool_.eq(counter, value));
  const Expr result = pool_.conj(pool_.disj(somewhere), said);
  return stuck_.valid() ? pool_.disj(stuck_, result) : result;
}

}  // namespace whittle
