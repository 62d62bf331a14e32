// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/control_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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
  if (const auto counter = program_counter()) {
    any_ = build({*counter});
  } else if (auto bits = bits_of_counter(); !bits.empty()) {
    any_ = build(std::move(bits));
  }
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
    if (part == symbol) return Value(true);
    if (pool_.op(part) == Op::Not && pool_.child(part, 0) == symbol) return Value(false);
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

// Truth values that every transition asks for; none is set to anything but a constant.
std::vector<std::uint32_t> ControlLocations::bits_of_counter() const {
  std::unordered_map<Expr, std::size_t> asked;  // by symbol: in how many transitions
  std::unordered_set<std::uint32_t> computed;
  for (const Transition& t : original_.transitions) {
    std::unordered_set<Expr> here;
    for (const Expr part : conjuncts(pool_, t.guard)) {
      const Expr bit = pool_.op(part) == Op::Not ? pool_.child(part, 0) : part;
      if (pool_.is_variable(bit) && here.insert(bit).second) ++asked[bit];
    }
    computed.insert(t.open.begin(), t.open.end());
    for (const Update& update : t.updates) {
      if (!pool_.is_const(update.value)) computed.insert(update.variable);
    }
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    const auto count = asked.find(pool_.symbol(original_.variables[v].current));
    if (count != asked.end() && count->second == original_.transitions.size() &&
        !computed.contains(v) && first_value(v))
      result.push_back(v);
  }
  return result;
}

std::optional<std::uint32_t> ControlLocations::index_of(const Values& values) {
  const auto found = std::find(values_.begin(), values_.end(), values);
  if (found == values_.end() && values_.size() == kMaxLocations) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(found - values_.begin());
  if (found == values_.end()) values_.push_back(values);
  return index;
}

Expr ControlLocations::at(std::uint32_t value) const {
  return pool_.eq(pool_.symbol(location_.current),
                  pool_.constant(Value(EnumValue{value}), location_.type));
}

Substitution ControlLocations::known(const Values& values) const {
  Substitution result(pool_);
  for (std::size_t i = 0; i < counter_.size(); ++i)
    result.set(original_.variables[counter_[i]].current, values[i]);
  return result;
}

// All values that the counter can have. False: too many, or only one.
bool ControlLocations::collect_values() {
  Values first;
  for (const std::uint32_t v : counter_)
    first.push_back(pool_.constant(*first_value(v), original_.variables[v].type));
  values_ = {first};
  if (original_.variables[counter_[0]].type != Type::boolean()) {
    const std::uint32_t v = counter_[0];
    const Expr symbol = pool_.symbol(original_.variables[v].current);
    for (const Transition& t : original_.transitions) {
      for (const Update& update : t.updates) {
        if (update.variable != v) continue;
        for (const Expr e : leaves(pool_, update.value, symbol)) {
          if (pool_.is_const(e) && !index_of({e})) return false;
        }
      }
    }
    return values_.size() > 1;
  }
  for (const Transition& t : original_.transitions) {
    const std::vector<Expr> parts = conjuncts(pool_, t.guard);
    Values next;
    for (const std::uint32_t v : counter_) {
      const Expr bit = pool_.symbol(original_.variables[v].current);
      const bool here = std::find(parts.begin(), parts.end(), bit) != parts.end();
      next.push_back(pool_.boolean(here));
    }
    for (const Update& update : t.updates) {
      const auto bit = std::find(counter_.begin(), counter_.end(), update.variable);
      if (bit != counter_.end()) next[bit - counter_.begin()] = update.value;
    }
    if (!index_of(next)) return false;
  }
  return values_.size() > 1;
}

// The variable that holds it, in place of the first one of the counter; the others are gone.
void ControlLocations::make_location() {
  std::string name;
  for (const std::uint32_t v : counter_)
    name += (name.empty() ? "" : ", ") + original_.variables[v].name;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < values_.size(); ++i) names.push_back(fmt::format("place {}", i));
  const Type type = pool_.enum_type(fmt::format("places of {}", name), names);
  location_ = {name + "@", type, pool_.declare(fmt::format("place of {}", name), type),
               pool_.declare(fmt::format("next place of {}", name), type), true};
  located_ = original_;
  located_.transitions.clear();
  located_.alike.clear();
  located_.variables.clear();
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    place_.push_back(static_cast<std::uint32_t>(located_.variables.size()));
    if (v == counter_[0]) {
      located_.variables.push_back(location_);
    } else if (std::find(counter_.begin(), counter_.end(), v) == counter_.end()) {
      located_.variables.push_back(original_.variables[v]);
    }
  }
}

// False: too many locations or transitions.
bool ControlLocations::build(std::vector<std::uint32_t> counter) {
  counter_ = std::move(counter);
  if (!collect_values()) return false;
  make_location();
  const std::size_t count = values_.size();
  located_.init = pool_.conj(at(0), known(values_[0])(init_));
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
  Substitution here = known(values_[value]);
  const Expr guard = here(transition.guard);
  if (pool_.is_false(guard)) return true;
  Transition made = transition;
  made.updates.clear();
  for (std::uint32_t& v : made.open) v = place_[v];
  if (transition.relation.valid()) made.relation = here(transition.relation);
  Case all{guard, {}, values_[value]};
  for (const Update& update : transition.updates) {
    const auto bit = std::find(counter_.begin(), counter_.end(), update.variable);
    if (bit != counter_.end()) {
      all.next[bit - counter_.begin()] = here(update.value);
    } else {
      all.updates.push_back({update.variable, here(update.value)});
    }
  }
  std::vector<Case> open = {std::move(all)};
  std::size_t pieces = 0;
  while (!open.empty()) {
    const Case piece = std::move(open.back());
    open.pop_back();
    if (pool_.is_false(piece.guard)) continue;
    Expr choice;
    for (const Expr to : piece.next) {
      if (!choice.valid() && pool_.op(to) == Op::Ite) choice = pool_.child(to, 0);
    }
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
    const auto target = index_of(piece.next);
    if (!target || located_.transitions.size() == kMaxTransitions) return false;
    Transition step = made;
    step.guard = pool_.conj(at(value), piece.guard);
    for (const Update& u : piece.updates) {
      if (u.value != pool_.symbol(original_.variables[u.variable].current))
        step.updates.push_back({place_[u.variable], u.value});
    }
    if (*target != value)
      step.updates.push_back(
          {place_[counter_[0]], pool_.constant(Value(EnumValue{*target}), location_.type)});
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
  for (const Expr to : piece.next) result.next.push_back(rewrite(to));
  return result;
}

Expr ControlLocations::by_location(Expr condition) {
  std::vector<std::pair<Expr, std::vector<Expr>>> cases;  // what it is, where
  for (std::uint32_t value = 0; value < values_.size(); ++value) {
    const Expr e = known(values_[value])(condition);
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
  std::vector<Value> initial;
  for (const std::uint32_t place : place_)
    initial.push_back(place < trace.initial.size() ? trace.initial[place] : Value());
  const Values& first = values_[trace.initial[place_[counter_[0]]].as_enum().index];
  for (std::size_t i = 0; i < counter_.size(); ++i) initial[counter_[i]] = pool_.value(first[i]);
  trace.initial = std::move(initial);
  for (FlatStep& step : trace.steps) {
    step.transition = transition_[step.transition];
    const std::vector<std::uint32_t>& open = original_.transitions[step.transition].open;
    for (auto& [variable, value] : step.open) {
      const auto same = [&, placed = variable](std::uint32_t v) { return place_[v] == placed; };
      variable = *std::find_if(open.begin(), open.end(), same);
    }
  }
  return trace;
}

Expr ControlLocations::invariant(Expr invariant) const {
  if (!any_ || !invariant.valid()) return invariant;
  const Expr symbol = pool_.symbol(location_.current);
  const auto said_of = [&](const Values& values) {
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < counter_.size(); ++i)
      parts.push_back(pool_.eq(pool_.symbol(original_.variables[counter_[i]].current), values[i]));
    return pool_.conj(parts);
  };
  Rewriter back(pool_, [&](Expr e, std::span<const Expr>) -> Expr {
    const Expr place = asked_value(pool_, e, symbol);
    return place.valid() ? said_of(values_[pool_.value(place).as_enum().index]) : Expr();
  });
  const Expr said = back(invariant);
  for (SymbolId used : symbols(pool_, said)) {
    if (used == location_.current) return {};
  }
  std::vector<Expr> somewhere;
  for (const Values& values : values_) somewhere.push_back(said_of(values));
  const Expr result = pool_.conj(pool_.disj(somewhere), said);
  return stuck_.valid() ? pool_.disj(stuck_, result) : result;
}

}  // namespace whittle
