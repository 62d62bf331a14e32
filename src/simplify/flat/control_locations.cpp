// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/control_locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "expr/traverse.h"

namespace whittle::simplify {

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

using Values = std::vector<Expr>;  // one constant for each variable of the counter

// What both the split and its inverse know.
struct Locations {
  std::shared_ptr<ExprPool> pool;
  std::vector<StateVariable> counter;     // its variables; the location stands for the first
  std::vector<std::uint32_t> positions;   // of these, in the original
  std::vector<Values> values;             // of the counter, by location
  std::vector<std::uint32_t> place;       // of a variable among those that are left, by original
  std::vector<std::uint32_t> transition;  // the original, by transition
  std::vector<std::vector<std::uint32_t>> open;  // variables, by original transition
  StateVariable location;
  Expr stuck;  // first states that were left out; invalid: none

  [[nodiscard]] Expr at(std::uint32_t value) const {
    return pool->eq(pool->symbol(location.current),
                    pool->constant(Value(EnumValue{value}), location.type));
  }
  [[nodiscard]] Substitution known(const Values& of_counter) const {
    Substitution result(*pool);
    for (std::size_t i = 0; i < counter.size(); ++i) result.set(counter[i].current, of_counter[i]);
    return result;
  }
  [[nodiscard]] Expr by_location(Expr condition) const;
};

class LocationSplit {
 public:
  explicit LocationSplit(const TransitionSystem& original);

  [[nodiscard]] std::optional<FlatTransformed> run();

 private:
  // A part of a transition; `next` is of the counter.
  struct Case {
    Expr guard;
    std::vector<Update> updates;
    Values next;
  };

  void leave_out_stuck();
  [[nodiscard]] bool set_to_numbers(std::uint32_t variable) const;
  void count_asked(Expr condition, std::unordered_set<Expr>& before,
                   std::unordered_map<Expr, std::uint32_t>& asked) const;
  [[nodiscard]] Case assuming(const Case& piece, Expr condition, bool truth) const;
  [[nodiscard]] Expr choice_in(const Case& piece, std::size_t pieces) const;
  [[nodiscard]] std::optional<std::uint32_t> program_counter() const;
  [[nodiscard]] std::vector<std::uint32_t> bits_of_counter() const;
  [[nodiscard]] std::optional<Value> first_value(std::uint32_t variable) const;
  bool build(std::vector<std::uint32_t> counter);
  bool collect_values();
  void make_location();
  bool specialise(std::uint32_t value, std::uint32_t transition);
  bool add_step(const Transition& made, const Case& piece, std::uint32_t value);
  std::optional<std::uint32_t> index_of(const Values& values);

  const TransitionSystem& original_;
  ExprPool& pool_;
  TransitionSystem located_;
  Locations found_;
  Expr init_;  // without those that are stuck
};

LocationSplit::LocationSplit(const TransitionSystem& original)
    : original_(original), pool_(*original.pool), init_(original.init) {
  found_.pool = original.pool;
}

// Alternatives of the first states that contradict every guard and the goal.
void LocationSplit::leave_out_stuck() {
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
  found_.stuck = pool_.disj(left_out);
}

std::optional<Value> LocationSplit::first_value(std::uint32_t variable) const {
  const Expr symbol = pool_.symbol(original_.variables[variable].current);
  for (const Expr part : conjuncts(pool_, init_)) {
    if (part == symbol) return Value(true);
    if (pool_.op(part) == Op::Not && pool_.child(part, 0) == symbol) return Value(false);
    const Expr value = asked_value(pool_, part, symbol);
    if (value.valid()) return pool_.value(value);
  }
  return std::nullopt;
}

bool LocationSplit::set_to_numbers(std::uint32_t v) const {
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
std::optional<std::uint32_t> LocationSplit::program_counter() const {
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

void LocationSplit::count_asked(Expr condition, std::unordered_set<Expr>& before,
                                std::unordered_map<Expr, std::uint32_t>& asked) const {
  if (pool_.op(condition) != Op::Eq) return;
  for (const std::size_t side : {0, 1}) {
    const Expr e = pool_.child(condition, side);
    if (pool_.is_variable(e) && asked_value(pool_, condition, e).valid() && before.insert(e).second)
      ++asked[e];
  }
}

// Truth values that every transition asks for; none is set to anything but a constant.
std::vector<std::uint32_t> LocationSplit::bits_of_counter() const {
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

std::optional<std::uint32_t> LocationSplit::index_of(const Values& values) {
  const auto found = std::find(found_.values.begin(), found_.values.end(), values);
  if (found == found_.values.end() && found_.values.size() == kMaxLocations) return std::nullopt;
  const auto index = static_cast<std::uint32_t>(found - found_.values.begin());
  if (found == found_.values.end()) found_.values.push_back(values);
  return index;
}

// All values that the counter can have. False: too many, or only one.
bool LocationSplit::collect_values() {
  Values first;
  for (const std::uint32_t v : found_.positions)
    first.push_back(pool_.constant(*first_value(v), original_.variables[v].type));
  found_.values = {first};
  if (original_.variables[found_.positions[0]].type != Type::boolean()) {
    const std::uint32_t v = found_.positions[0];
    const Expr symbol = pool_.symbol(original_.variables[v].current);
    for (const Transition& t : original_.transitions) {
      for (const Update& update : t.updates) {
        if (update.variable != v) continue;
        for (const Expr e : leaves(pool_, update.value, symbol)) {
          if (pool_.is_const(e) && !index_of({e})) return false;
        }
      }
    }
    return found_.values.size() > 1;
  }
  for (const Transition& t : original_.transitions) {
    const std::vector<Expr> parts = conjuncts(pool_, t.guard);
    Values next;
    for (const std::uint32_t v : found_.positions) {
      const Expr bit = pool_.symbol(original_.variables[v].current);
      const bool here = std::find(parts.begin(), parts.end(), bit) != parts.end();
      next.push_back(pool_.boolean(here));
    }
    for (const Update& update : t.updates) {
      const auto bit = std::find(found_.positions.begin(), found_.positions.end(), update.variable);
      if (bit != found_.positions.end()) next[bit - found_.positions.begin()] = update.value;
    }
    if (!index_of(next)) return false;
  }
  return found_.values.size() > 1;
}

// The variable that holds it, in place of the first one of the counter; the others are gone.
void LocationSplit::make_location() {
  std::string name;
  for (const std::uint32_t v : found_.positions)
    name += (name.empty() ? "" : ", ") + original_.variables[v].name;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found_.values.size(); ++i)
    names.push_back(fmt::format("place {}", i));
  const Type type = pool_.enum_type(fmt::format("places of {}", name), names);
  found_.location = {name + "@", type, pool_.declare(fmt::format("place of {}", name), type),
                     pool_.declare(fmt::format("next place of {}", name), type), true};
  located_ = original_;
  located_.transitions.clear();
  located_.alike.clear();
  located_.variables.clear();
  for (std::uint32_t v = 0; v < original_.variables.size(); ++v) {
    found_.place.push_back(static_cast<std::uint32_t>(located_.variables.size()));
    if (v == found_.positions[0]) {
      located_.variables.push_back(found_.location);
    } else if (std::find(found_.positions.begin(), found_.positions.end(), v) ==
               found_.positions.end()) {
      located_.variables.push_back(original_.variables[v]);
    }
  }
}

// False: too many locations or transitions.
bool LocationSplit::build(std::vector<std::uint32_t> counter) {
  found_.positions = std::move(counter);
  for (const std::uint32_t v : found_.positions) found_.counter.push_back(original_.variables[v]);
  if (!collect_values()) return false;
  make_location();
  const std::size_t count = found_.values.size();
  located_.init = pool_.conj(found_.at(0), found_.known(found_.values[0])(init_));
  for (std::uint32_t value = 0; value < count; ++value) {
    for (std::uint32_t t = 0; t < original_.transitions.size(); ++t) {
      if (!specialise(value, t) || found_.values.size() != count) return false;
    }
  }
  located_.goal.condition = found_.by_location(original_.goal.condition);
  return true;
}

// The transition where the counter has the value; one for each value it can have then.
bool LocationSplit::specialise(std::uint32_t value, std::uint32_t t) {
  const Transition& transition = original_.transitions[t];
  Substitution here = found_.known(found_.values[value]);
  const Expr guard = here(transition.guard);
  if (pool_.is_false(guard)) return true;
  Transition made = transition;
  made.updates.clear();
  for (std::uint32_t& v : made.open) v = found_.place[v];
  if (transition.relation.valid()) made.relation = here(transition.relation);
  Case all{guard, {}, found_.values[value]};
  for (const Update& update : transition.updates) {
    const auto bit = std::find(found_.positions.begin(), found_.positions.end(), update.variable);
    if (bit != found_.positions.end()) {
      all.next[bit - found_.positions.begin()] = here(update.value);
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
    const Expr choice = choice_in(piece, pieces);
    if (choice.valid()) {
      if (++pieces > kMaxLeaves) return false;
      open.push_back(assuming(piece, choice, false));
      open.push_back(assuming(piece, choice, true));
    } else if (!add_step(made, piece, value)) {
      return false;
    } else {
      found_.transition.push_back(t);
    }
  }
  return true;
}

// The condition of a choice: of the next location, or, where there are few pieces, of the next
// value of a number. Invalid: there is none.
Expr LocationSplit::choice_in(const Case& piece, std::size_t pieces) const {
  for (const Expr to : piece.next) {
    if (pool_.op(to) == Op::Ite) return pool_.child(to, 0);
  }
  if (pieces >= kMaxPieces) return {};
  for (const Update& update : piece.updates) {
    const Expr e = update.value;
    const bool number = pool_.type(e) == Type::integer() || pool_.type(e) == Type::real();
    if (number && pool_.op(e) == Op::Ite) return pool_.child(e, 0);
  }
  return {};
}

// False: too many locations or transitions.
bool LocationSplit::add_step(const Transition& made, const Case& piece, std::uint32_t value) {
  const auto target = index_of(piece.next);
  if (!target || located_.transitions.size() == kMaxTransitions) return false;
  Transition step = made;
  step.guard = pool_.conj(found_.at(value), piece.guard);
  for (const Update& u : piece.updates) {
    if (u.value != pool_.symbol(original_.variables[u.variable].current))
      step.updates.push_back({found_.place[u.variable], u.value});
  }
  if (*target != value)
    step.updates.push_back({found_.place[found_.positions[0]],
                            pool_.constant(Value(EnumValue{*target}), found_.location.type)});
  located_.transitions.push_back(std::move(step));
  return true;
}

// The case where the condition is so.
LocationSplit::Case LocationSplit::assuming(const Case& piece, Expr condition, bool truth) const {
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

// The condition, with the values of the counter put in at each location.
Expr Locations::by_location(Expr condition) const {
  std::vector<std::pair<Expr, std::vector<Expr>>> cases;  // what it is, where
  for (std::uint32_t value = 0; value < values.size(); ++value) {
    const Expr e = known(values[value])(condition);
    auto same =
        std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.first == e; });
    if (same == cases.end()) same = cases.insert(cases.end(), {e, {}});
    same->second.push_back(at(value));
  }
  if (cases.size() == 1) return cases[0].first;
  std::vector<Expr> parts;
  parts.reserve(cases.size());
  for (const auto& [e, places] : cases) parts.push_back(pool->conj(pool->disj(places), e));
  return pool->disj(parts);
}

class LocationsBack final : public FlatBackTranslation {
 public:
  explicit LocationsBack(Locations locations) : of_(std::move(locations)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    result.initial.clear();
    for (const std::uint32_t place : of_.place)
      result.initial.push_back(place < trace.initial.size() ? trace.initial[place] : Value());
    const Value& first = trace.initial[of_.place[of_.positions[0]]];
    const Values& counter = of_.values[first.as_enum().index];
    for (std::size_t i = 0; i < of_.positions.size(); ++i)
      result.initial[of_.positions[i]] = of_.pool->value(counter[i]);
    for (FlatStep& step : result.steps) {
      step.transition = of_.transition[step.transition];
      const std::vector<std::uint32_t>& open = of_.open[step.transition];
      for (auto& [variable, value] : step.open) {
        const auto same = [&, placed = variable](std::uint32_t v) {
          return of_.place[v] == placed;
        };
        variable = *std::find_if(open.begin(), open.end(), same);
      }
    }
    return result;
  }

  [[nodiscard]] Expr condition(Expr condition) const override {
    ExprPool& pool = *of_.pool;
    const Expr symbol = pool.symbol(of_.location.current);
    Rewriter back(pool, [&](Expr e, std::span<const Expr>) -> Expr {
      const Expr place = asked_value(pool, e, symbol);
      return place.valid() ? said_of(of_.values[pool.value(place).as_enum().index]) : Expr();
    });
    const Expr said = back(condition);
    for (SymbolId used : symbols(pool, said)) {
      if (used == of_.location.current) return {};
    }
    std::vector<Expr> somewhere;
    for (const Values& values : of_.values) somewhere.push_back(said_of(values));
    const Expr result = pool.conj(pool.disj(somewhere), said);
    return of_.stuck.valid() ? pool.disj(of_.stuck, result) : result;
  }

  [[nodiscard]] Expr forward(Expr condition) const override { return of_.by_location(condition); }

 private:
  // The counter has these values.
  [[nodiscard]] Expr said_of(const Values& values) const {
    ExprPool& pool = *of_.pool;
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < values.size(); ++i)
      parts.push_back(pool.eq(pool.symbol(of_.counter[i].current), values[i]));
    return pool.conj(parts);
  }

  Locations of_;
};

std::optional<FlatTransformed> LocationSplit::run() {
  if (original_.acceptance) return std::nullopt;  // its sets speak of transitions
  const auto located = [](const StateVariable& v) { return v.is_location; };
  if (std::any_of(original_.variables.begin(), original_.variables.end(), located))
    return std::nullopt;
  leave_out_stuck();
  bool any = false;
  if (const auto counter = program_counter()) {
    any = build({*counter});
  } else if (auto bits = bits_of_counter(); !bits.empty()) {
    any = build(std::move(bits));
  }
  if (!any) return std::nullopt;
  for (const Transition& t : original_.transitions) found_.open.push_back(t.open);
  return FlatTransformed{std::move(located_), std::make_shared<LocationsBack>(std::move(found_))};
}

}  // namespace

std::optional<FlatTransformed> find_control_locations(const TransitionSystem& system) {
  return LocationSplit(system).run();
}

}  // namespace whittle::simplify
