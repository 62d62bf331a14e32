// SPDX-License-Identifier: Apache-2.0
// How a step becomes flat cases:
//
//   1. `terms_of`: guards, assigned values, relations and calls of one occurrence (instance, event,
//      arguments), in flat terms;
//   2. `combine`: which instance every call reaches. A key that is no constant is one case per
//   instance, with
//      `key == constant` in the guard. An instance that is reached twice must be reached with the
//      same event and equal arguments;
//   3. `finish`: the target of each. Arcs of one event with the same target are one group, and so
//      are all arcs that stay where they are; one case per choice of groups;
//   4. `solve`: the next values. Assigned ones and those that an equation `x' == e` fixes are
//      updates; what else a relation mentions stays open.
#include "ir/lowering/step_cases.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/error.h"

namespace whittle::lowering {

namespace {

constexpr std::size_t kMaxCalls = 2'000;  // in one step
constexpr std::size_t kMaxNesting = 200;  // of negated synchronisations

}  // namespace

// One occurrence in flat terms.
struct StepCases::Terms {
  struct Call {
    MachineId machine;
    EventId event;
    Expr key;  // invalid: none
    std::vector<Expr> arguments;
  };
  std::vector<Expr> guard;                               // conjuncts; locations are not in it
  std::vector<std::pair<std::uint32_t, Expr>> assigned;  // state variable, value
  std::vector<std::uint32_t> open;                       // written without saying what
  std::vector<RelationConjunct> relation;
  std::vector<Call> calls;
  bool impossible = false;
  bool remote = false;  // it looks at other instances by their keys
};

// The participants, as far as known.
struct StepCases::Combination {
  struct Member {
    std::size_t position = 0;
    EventId event;
    std::vector<Expr> arguments;
    const Terms* terms = nullptr;
  };
  std::vector<Member> members;
  std::vector<Expr> guard;
  std::vector<const Terms::Call*> calls;  // in the order in which they are answered
  std::size_t answered = 0;
  std::vector<std::pair<Expr, Expr>> keys;  // key terms and the constants they equal in this case
};

// Arcs of an event that can be taken together.
struct StepCases::Group {
  LocationId target;  // invalid: stays
  std::vector<LocationId> from;
};

StepCases::StepCases(Network& network, UniverseId universe, FlatTerms& terms, Eliminate eliminate)
    : network_(network),
      pool_(network.pool()),
      universe_(universe),
      flat_(terms),
      eliminate_(std::move(eliminate)) {}
StepCases::~StepCases() = default;

std::string StepCases::name_of(std::size_t position, EventId event) const {
  return network_.instance(flat_.layout().instance(position)).name + "." +
         network_.event(event).name;
}

// ----- 1: one occurrence

const StepCases::Terms& StepCases::terms_of(std::size_t position, EventId event,
                                            std::span<const Expr> arguments) {
  Key key{{position, event}, {arguments.begin(), arguments.end()}};
  auto it = terms_.find(key);
  if (it == terms_.end()) {
    auto made = std::make_unique<Terms>(make_terms(position, event, arguments));
    it = terms_.emplace(std::move(key), std::move(made)).first;
  }
  return *it->second;
}

StepCases::Terms StepCases::make_terms(std::size_t position, EventId id,
                                       std::span<const Expr> arguments, bool own_effects) {
  const Event& event = network_.event(id);
  const Context context{position, event.parameters, arguments};
  Terms terms;
  const std::size_t distinctions = flat_.distinctions();
  auto demand = [&](Expr condition) {
    if (pool_.is_true(condition)) return;
    terms.impossible = terms.impossible || pool_.is_false(condition);
    terms.guard.push_back(condition);
  };
  auto flat = [&](Expr e) { return flat_.partial(e, context); };
  for (const Guard& guard : event.guards) {
    if (own_effects || !guard.of_effect) demand(flat_.holds(flat(guard.condition)));
  }
  for (const Effect& effect : event.effects) {
    if (!own_effects) break;
    auto variable_of = [&](VariableId v) {
      return flat_.variable_of(flat_.layout().slot_at(position, v));
    };
    switch (effect.kind) {
      case EffectKind::Assign: {
        const Expr value = flat(effect.expr);
        demand(flat_.defined(value));
        terms.assigned.emplace_back(variable_of(effect.writes.front()), flat_.total(value));
        break;
      }
      case EffectKind::Relation:
        relate(flat(effect.expr), equations(effect.expr, context), terms);
        for (VariableId v : effect.writes) terms.open.push_back(variable_of(v));
        break;
      case EffectKind::Free:
        for (VariableId v : effect.writes) terms.open.push_back(variable_of(v));
        break;
    }
  }
  for (const Sync& sync : event.syncs) {
    if (terms.impossible) break;
    Terms::Call call{sync.machine, sync.event, {}, {}};
    if (sync.key.valid()) {
      const Expr key = flat(sync.key);
      demand(flat_.defined(key));
      call.key = flat_.total(key);
    }
    for (Expr argument : sync.arguments) {
      const Expr value = flat(argument);
      demand(flat_.defined(value));
      call.arguments.push_back(flat_.total(value));
    }
    if (sync.negated) {
      demand(not_enabled(sync, call.key, call.arguments));
    } else {
      terms.calls.push_back(std::move(call));
    }
  }
  terms.remote = flat_.distinctions() != distinctions;
  return terms;
}

// The conjuncts of a relation that are equations for next values of the one who takes the event, in
// flat terms.
ExprMap<std::array<std::uint32_t, 2>> StepCases::equations(Expr relation, const Context& context) {
  auto target = [&](Expr e) {
    if (!pool_.is_variable(e)) return kNoVariable;
    const Role role = network_.role(pool_.symbol_of(e));
    if (role.kind != RoleKind::Next) return kNoVariable;
    return flat_.variable_of(flat_.layout().slot_at(context.position, VariableId(role.id)));
  };
  ExprMap<std::array<std::uint32_t, 2>> found;
  for (Expr e : conjuncts(pool_, relation)) {
    std::array<std::uint32_t, 2> targets{target(e), kNoVariable};
    if (pool_.op(e) == Op::Not) targets = {target(pool_.child(e, 0)), kNoVariable};
    if (pool_.op(e) == Op::Eq) targets = {target(pool_.child(e, 0)), target(pool_.child(e, 1))};
    if (targets[0] == kNoVariable && targets[1] == kNoVariable) continue;
    found.insert(flat_.total(flat_.partial(e, context)), targets);
  }
  return found;
}

void StepCases::relate(Expr partial, const ExprMap<std::array<std::uint32_t, 2>>& equations,
                       Terms& terms) {
  for (Expr e : conjuncts(pool_, flat_.holds(partial))) {
    // What can be undefined stays behind the conditions that say where it is not.
    if (!flat_.mentions_next(e) && pool_.total(e)) {
      terms.impossible = terms.impossible || pool_.is_false(e);
      terms.guard.push_back(e);
      continue;
    }
    RelationConjunct conjunct{e, {kNoVariable, kNoVariable}};
    if (const auto* targets = equations.find(e)) conjunct.targets = *targets;
    terms.relation.push_back(conjunct);
  }
}

// The instance exists, and there the event is not possible.
Expr StepCases::not_enabled(const Sync& sync, Expr key, std::span<const Expr> arguments) {
  const auto& instances = network_.instances_of(universe_, sync.machine);
  auto refused = [&](InstanceId instance) {
    return pool_.negate(enabled(flat_.layout().position(instance), sync.event, arguments));
  };
  if (!key.valid()) {
    return instances.empty() ? pool_.boolean(false) : refused(instances.front());
  }
  if (pool_.is_const(key)) {
    const InstanceId found = network_.find_instance(universe_, sync.machine, pool_.value(key));
    return found.valid() ? refused(found) : pool_.boolean(false);
  }
  std::vector<Expr> cases;
  for (InstanceId instance : instances) {
    const Expr here =
        pool_.eq(key, pool_.constant(network_.instance(instance).key, pool_.type(key)));
    cases.push_back(pool_.conj(here, refused(instance)));
  }
  return pool_.disj(cases);
}

// ----- 2: who is called

void StepCases::combine(Combination& c, const std::function<void(Combination&)>& done) {
  if (c.answered == c.calls.size()) return done(c);
  if (c.calls.size() > kMaxCalls) {
    throw ResourceError(name_of(c.members.front().position, c.members.front().event) +
                        " synchronises with more than " + std::to_string(kMaxCalls) + " events");
  }
  const std::size_t index = c.answered;
  const Terms::Call& call_terms = *c.calls[index];
  const auto& instances = network_.instances_of(universe_, call_terms.machine);
  const Expr key = call_terms.key;
  if (!key.valid()) {
    if (!instances.empty()) call(c, flat_.layout().position(instances.front()), index, done);
    return;
  }
  Expr constant = key;
  if (!pool_.is_const(key)) {
    auto known =
        std::find_if(c.keys.begin(), c.keys.end(), [&](const auto& k) { return k.first == key; });
    if (known != c.keys.end()) constant = known->second;
  }
  if (pool_.is_const(constant)) {
    const InstanceId found =
        network_.find_instance(universe_, call_terms.machine, pool_.value(constant));
    if (found.valid()) call(c, flat_.layout().position(found), index, done);
    return;
  }
  for (InstanceId instance : instances) {
    constant = pool_.constant(network_.instance(instance).key, pool_.type(key));
    c.guard.push_back(pool_.eq(key, constant));
    c.keys.emplace_back(key, constant);
    call(c, flat_.layout().position(instance), index, done);
    c.keys.pop_back();
    c.guard.pop_back();
  }
}

void StepCases::call(Combination& c, std::size_t position, std::size_t index,
                     const std::function<void(Combination&)>& done) {
  const Terms::Call& called = *c.calls[index];
  const std::size_t guards = c.guard.size();
  const std::size_t calls = c.calls.size();
  c.answered = index + 1;
  auto member = std::find_if(c.members.begin(), c.members.end(),
                             [&](const auto& m) { return m.position == position; });
  if (member != c.members.end()) {
    // One event with one list of arguments per instance.
    if (member->event == called.event) {
      bool possible = true;
      for (std::size_t i = 0; i < called.arguments.size() && possible; ++i) {
        const Expr same = pool_.eq(member->arguments[i], called.arguments[i]);
        possible = !pool_.is_false(same);
        c.guard.push_back(same);
      }
      if (possible) combine(c, done);
    }
  } else {
    const Terms& terms = terms_of(position, called.event, called.arguments);
    if (!terms.impossible) {
      c.members.push_back({position, called.event, called.arguments, &terms});
      c.guard.insert(c.guard.end(), terms.guard.begin(), terms.guard.end());
      for (const Terms::Call& further : terms.calls) c.calls.push_back(&further);
      combine(c, done);
      c.members.pop_back();
    }
  }
  c.guard.resize(guards);
  c.calls.resize(calls);
  c.answered = index;
}

// ----- 3: targets

std::vector<StepCases::Group> StepCases::groups_of(std::size_t position, EventId event) {
  const std::vector<Arc>& arcs = network_.event(event).arcs;
  const InstanceId instance = flat_.layout().instance(position);
  const std::size_t everywhere =
      network_.machine(network_.instance(instance).machine).locations.size();
  std::vector<Group> groups;
  std::unordered_map<LocationId, std::size_t> by_target;  // invalid: stays
  for (const Arc& arc : arcs) {
    const LocationId target = arc.from == arc.to ? LocationId{} : arc.to;
    auto [it, fresh] = by_target.try_emplace(target, groups.size());
    if (fresh) groups.push_back({target, {}});
    groups[it->second].from.push_back(arc.from);
  }
  for (Group& group : groups) {
    std::sort(group.from.begin(), group.from.end());
    group.from.erase(std::unique(group.from.begin(), group.from.end()), group.from.end());
    if (group.from.size() == everywhere) group.from.clear();
  }
  return groups;
}

void StepCases::finish(Combination& c, const std::function<void(StepCase)>& emit) {
  std::vector<std::vector<Group>> groups;
  for (const auto& member : c.members) {
    groups.push_back(groups_of(member.position, member.event));
    if (groups.back().empty()) return;
  }
  std::vector<std::size_t> digits(groups.size(), 0);
  for (;;) {
    std::vector<Move> moves;
    std::vector<Expr> locations;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i][digits[i]];
      const std::size_t position = c.members[i].position;
      moves.push_back({position, c.members[i].event, group.target, group.from});
      if (group.from.empty()) continue;
      std::vector<Expr> here;
      for (LocationId l : group.from) here.push_back(flat_.is_at(position, l));
      locations.push_back(pool_.disj(here));
    }
    close(c, std::move(moves), pool_.conj(locations), emit);
    std::size_t i = 0;
    while (i < digits.size() && ++digits[i] == groups[i].size()) digits[i++] = 0;
    if (i == digits.size()) return;
  }
}

void StepCases::close(const Combination& c, std::vector<Move> moves, Expr locations,
                      const std::function<void(StepCase)>& emit) {
  StepCase result;
  std::vector<Expr> guard{locations};
  guard.insert(guard.end(), c.guard.begin(), c.guard.end());
  if (!solve(c, moves, result, guard)) return;
  const bool remote = std::any_of(c.members.begin(), c.members.end(),
                                  [](const auto& m) { return m.terms->remote; });
  if (remote && !c.keys.empty()) {
    // The case fixes these keys, so references through them need no case distinction.
    Substitution fixed(pool_);
    std::unordered_set<Expr> tests;
    for (const auto& [key, constant] : c.keys) {
      if (!pool_.is_variable(key)) continue;
      fixed.set(pool_.symbol_of(key), constant);
      tests.insert(pool_.eq(key, constant));
    }
    for (Expr& e : guard) {
      if (!tests.contains(e)) e = fixed(e);
    }
    for (auto& update : result.updates) update.second = fixed(update.second);
    result.relation = fixed(result.relation);
  }
  result.guard = pool_.conj(guard);
  if (pool_.is_false(result.guard)) return;
  result.moves = std::move(moves);
  emit(std::move(result));
}

// ----- 4: next values

// Says false when the case is impossible.
bool StepCases::solve(const Combination& c, const std::vector<Move>& moves, StepCase& result,
                      std::vector<Expr>& guard) {
  NextValues next(pool_, flat_);
  for (const Move& move : moves) {
    const std::uint32_t v = flat_.location_variable(move.position);
    if (v == kNoVariable || !move.target.valid()) continue;
    next.move(v, flat_.location_constant(move.position, move.target));
  }
  for (const auto& member : c.members) {
    for (const auto& [v, value] : member.terms->assigned) next.assign(v, value);
    next.open(member.terms->open);
    next.require(member.terms->relation);
  }
  if (!next.solve()) return false;
  guard.insert(guard.end(), next.guard().begin(), next.guard().end());
  result.updates = next.updates();
  result.open = next.still_open();
  result.relation = next.relation();
  return true;
}

// ----- the questions

void StepCases::each(std::size_t position, EventId event, std::span<const Expr> arguments,
                     const std::function<void(StepCase)>& emit, bool own_effects) {
  if (network_.event(event).arcs.empty()) return;
  const Terms terms = make_terms(position, event, arguments, own_effects);
  if (terms.impossible) return;
  Combination c;
  c.members.push_back({position, event, {arguments.begin(), arguments.end()}, &terms});
  c.guard = terms.guard;
  for (const Terms::Call& call : terms.calls) c.calls.push_back(&call);
  combine(c, [&](Combination& all) { finish(all, emit); });
}

Expr StepCases::enabled(std::size_t position, EventId event, std::span<const Expr> arguments) {
  Key key{{position, event}, {arguments.begin(), arguments.end()}};
  if (auto it = enabled_.find(key); it != enabled_.end()) return it->second;
  if (++nesting_ > kMaxNesting) {
    throw ResourceError("more than " + std::to_string(kMaxNesting) +
                        " negated synchronisations inside each other");
  }
  const Expr result = some_case(position, event, arguments, true);
  --nesting_;
  enabled_.emplace(std::move(key), result);
  return result;
}

Expr StepCases::allowed(std::size_t position, EventId event, std::span<const Expr> arguments) {
  return some_case(position, event, arguments, false);
}

Expr StepCases::some_case(std::size_t position, EventId event, std::span<const Expr> arguments,
                          bool own_effects) {
  std::vector<Expr> cases;
  const auto add = [&](const StepCase& step) {
    std::vector<SymbolId> next;
    for (std::uint32_t v : step.open) next.push_back(flat_.variables()[v].next);
    std::vector<Expr> parts = conjuncts(pool_, step.guard);
    for (Expr e : conjuncts(pool_, step.relation)) parts.push_back(e);
    cases.push_back(exists(parts, next, name_of(position, event)));
  };
  each(position, event, arguments, add, own_effects);
  return pool_.disj(cases);
}

Expr StepCases::exists(const std::vector<Expr>& parts, std::span<const SymbolId> symbols,
                       const std::string& what) {
  // Only conjuncts that mention the symbols need work, and only those together that share one.
  const std::unordered_set<SymbolId> bound(symbols.begin(), symbols.end());
  std::vector<Expr> free_parts;
  std::vector<std::pair<std::vector<Expr>, std::vector<SymbolId>>> components;
  for (Expr part : parts) {
    std::vector<SymbolId> mentioned;
    if (!bound.empty()) {
      for (SymbolId s : whittle::symbols(pool_, part)) {
        if (bound.contains(s)) mentioned.push_back(s);
      }
    }
    if (mentioned.empty()) {
      free_parts.push_back(part);
      continue;
    }
    std::pair<std::vector<Expr>, std::vector<SymbolId>> joined{{part}, mentioned};
    std::erase_if(components, [&](auto& other) {
      const bool touches = std::any_of(mentioned.begin(), mentioned.end(), [&](SymbolId s) {
        return std::find(other.second.begin(), other.second.end(), s) != other.second.end();
      });
      if (!touches) return false;
      joined.first.insert(joined.first.begin(), other.first.begin(), other.first.end());
      for (SymbolId s : other.second) {
        if (std::find(joined.second.begin(), joined.second.end(), s) == joined.second.end()) {
          joined.second.push_back(s);
        }
      }
      return true;
    });
    components.push_back(std::move(joined));
  }
  for (const auto& [body, mentioned] : components) {
    const Expr formula = pool_.conj(body);
    auto known = eliminated_.find(formula);
    if (known == eliminated_.end()) {
      if (!eliminate_) {
        throw ResourceError("whether " + what +
                            " is possible depends on values that are not fixed (parameters, or "
                            "next values in a relation), and nothing here can eliminate them");
      }
      auto result = eliminate_(formula, mentioned);
      if (!result) {
        throw ResourceError("whether " + what +
                            " is possible depends on values that are not fixed, and they could "
                            "not be eliminated");
      }
      known = eliminated_.emplace(formula, *result).first;
    }
    free_parts.push_back(known->second);
  }
  return pool_.conj(free_parts);
}

}  // namespace whittle::lowering
