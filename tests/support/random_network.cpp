// SPDX-License-Identifier: Apache-2.0
#include "support/random_network.h"

#include <algorithm>
#include <random>

#include "expr/print.h"
#include "ir/run/enabled.h"
#include "ir/run/explicit_search.h"

namespace whittle::test {

namespace {

constexpr int kLast = 3;  // Ints are 0..kLast

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomNetworkOptions& options)
      : rng_(seed * 0x9e3779b97f4a7c15ULL + 1),
        options_(options),
        network_(std::make_shared<Network>(std::make_shared<ExprPool>())),
        n_(*network_),
        pool_(n_.pool()) {
    n_.name = "random " + std::to_string(seed);
  }

  RandomNetwork run(std::uint64_t seed) {
    machines();
    variables();
    // Calls go to events made before, so there are no cycles.
    const std::size_t order = n_.machines().size();
    for (std::size_t i = order; i-- > 0;) events(MachineId(i));
    universe();
    RandomNetwork result;
    result.seed = seed;
    result.network = network_;
    result.universe = universe_;
    candidates_ = [](Type type, SymbolId) -> std::optional<std::vector<Value>> {
      if (type == Type::boolean()) return std::vector<Value>{Value(false), Value(true)};
      if (type != Type::integer()) return std::nullopt;
      std::vector<Value> values;
      for (int v = 0; v <= kLast; ++v) values.emplace_back(v);
      return values;
    };
    result.candidates = candidates_;
    for (int i = 0; i < 5; ++i) result.properties.push_back(property(i));
    return result;
  }

 private:
  // ----- chance
  unsigned below(unsigned n) { return static_cast<unsigned>(rng_() % n); }
  unsigned between(unsigned a, unsigned b) { return a + below(b - a + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(static_cast<unsigned>(list.size()))];
  }

  // ----- structure
  void machines() {
    const unsigned count =
        chance(20) || options_.max_machines < 2 ? 1 : between(2, options_.max_machines);
    for (unsigned i = 0; i < count; ++i) {
      const MachineId m = n_.add_machine("M" + std::to_string(i), {});
      if (chance(60)) {
        const VariableId key = n_.add_variable("key", Type::integer(), m, {});
        n_.machine(m).key = key;
      }
      const unsigned locations = between(1, options_.max_locations);
      for (unsigned l = 0; l < locations; ++l) {
        const LocationId id = n_.add_location("l" + std::to_string(l), m, {});
        n_.location(id).final = chance(20);
      }
    }
    unsigned left = options_.max_instances;
    for (unsigned i = 0; i < count; ++i) {
      const bool keyed = n_.machine(MachineId(i)).key.valid();
      unsigned instances = keyed ? between(1, 2) : 1;
      if (chance(10)) instances = 0;
      instances = std::min(instances, left);
      left -= instances;
      counts_.push_back(instances);
    }
    if (std::all_of(counts_.begin(), counts_.end(), [](unsigned c) { return c == 0; })) {
      counts_.front() = 1;
    }
  }

  void variables() {
    unsigned left = between(1, options_.max_variables);
    if (options_.shared_variables && chance(60)) {
      variable("g", MachineId{});
      --left;
    }
    for (unsigned attempt = 0; attempt < 6 && left > 0; ++attempt) {
      const MachineId m(below(static_cast<unsigned>(counts_.size())));
      const unsigned cost = std::max(counts_[m.index()], 1U);
      if (cost > left) continue;
      variable("v" + std::to_string(attempt), m);
      left -= cost;
    }
  }

  void variable(const std::string& name, MachineId owner) {
    const Type type = chance(65) ? Type::integer() : Type::boolean();
    const VariableId v = n_.add_variable(name, type, owner, {});
    if (options_.arbitrary_starts && chance(25)) return;
    n_.variable(v).initial = type == Type::integer()
                                 ? pool_.integer(static_cast<int>(below(kLast + 1)))
                                 : pool_.boolean(chance(50));
  }

  // ----- terms
  // What a term may speak about.
  struct Scope {
    MachineId own;  // invalid: the universe
    std::vector<SymbolId> parameters;
    bool next = false;
    bool universe = false;
    bool locations = true;
  };

  std::vector<VariableId> visible(const Scope& scope, Type type) const {
    std::vector<VariableId> result;
    for (std::size_t i = 0; i < n_.variables().size(); ++i) {
      const Variable& v = n_.variables()[i];
      const bool mine = !v.machine.valid() || (scope.own.valid() && v.machine == scope.own);
      if (mine && v.type == type) result.emplace_back(i);
    }
    return result;
  }

  std::vector<VariableId> foreign(Type type) const {
    std::vector<VariableId> result;
    for (std::size_t i = 0; i < n_.variables().size(); ++i) {
      const Variable& v = n_.variables()[i];
      if (v.machine.valid() && v.type == type) result.emplace_back(i);
    }
    return result;
  }

  [[nodiscard]] bool is_key(VariableId v) const {
    const MachineId owner = n_.variable(v).machine;
    return owner.valid() && n_.machine(owner).key == v;
  }

  Expr read(const Scope& scope, VariableId v) {
    const bool next = scope.next && !is_key(v) && chance(40);
    return pool_.symbol(next ? n_.variable(v).next : n_.variable(v).current);
  }
  Expr small(int low = 0, int high = kLast) {
    return pool_.integer(low + static_cast<int>(below(static_cast<unsigned>(high - low + 1))));
  }
  Expr parameter(const Scope& scope, Type type) {
    std::vector<SymbolId> fitting;
    for (SymbolId s : scope.parameters) {
      if (pool_.info(s).type == type) fitting.push_back(s);
    }
    return fitting.empty() ? Expr() : pool_.symbol(pick(fitting));
  }
  // A reference, often to somebody who exists.
  Expr key_term(const Scope& scope, unsigned depth) {
    if (chance(60)) return small(1, 2);
    return chance(20) ? small() : integer(scope, depth);
  }
  Expr remote(const Scope& scope, Type type, unsigned depth) {
    const auto candidates = foreign(type);
    if (candidates.empty() || !options_.cross_reads) return {};
    const VariableId v = pick(candidates);
    const bool next = scope.next && chance(40) && !is_key(v);
    const SymbolId symbol = next ? n_.remote_next(v) : n_.remote(v);
    std::vector<Expr> key;
    if (n_.machine(n_.variable(v).machine).key.valid()) key = {key_term(scope, depth)};
    const Expr value = pool_.apply(symbol, key);
    if (options_.partial) return value;
    // Guarded, so that it is defined.
    const Expr exists = pool_.apply(n_.known(n_.variable(v).machine), key);
    return pool_.ite(exists, value, type == Type::integer() ? small() : pool_.boolean(false));
  }

  Expr integer(const Scope& scope, unsigned depth) {
    if (depth == 0 || chance(30)) {
      if (chance(25)) return small(-1, kLast + 1);
      if (Expr p = chance(30) ? parameter(scope, Type::integer()) : Expr(); p.valid()) return p;
      const auto own = visible(scope, Type::integer());
      if (!own.empty() && !scope.universe) return read(scope, pick(own));
      return scope.universe ? of_universe(Type::integer()) : small();
    }
    switch (below(8)) {
      case 0:
      case 1:
        return pool_.add(integer(scope, depth - 1), integer(scope, depth - 1));
      case 2:
        return pool_.sub(integer(scope, depth - 1), integer(scope, depth - 1));
      case 3:
        return pool_.mul(small(-1, 2), integer(scope, depth - 1));
      case 4: {
        const Expr by = options_.partial ? integer(scope, depth - 1) : small(1, kLast);
        return pool_.make(chance(50) ? Op::Mod : Op::IDiv, {integer(scope, depth - 1), by});
      }
      case 5:
        return pool_.ite(condition(scope, depth - 1), integer(scope, depth - 1),
                         integer(scope, depth - 1));
      default: {
        const Expr far = remote(scope, Type::integer(), depth - 1);
        return far.valid() ? far : integer(scope, depth - 1);
      }
    }
  }

  Expr condition(const Scope& scope, unsigned depth) {
    if (depth > 0 && chance(35)) {
      const Expr a = condition(scope, depth - 1);
      switch (below(4)) {
        case 0:
          return pool_.conj(a, condition(scope, depth - 1));
        case 1:
          return pool_.disj(a, condition(scope, depth - 1));
        case 2:
          return pool_.implies(a, condition(scope, depth - 1));
        default:
          return pool_.negate(a);
      }
    }
    switch (below(8)) {
      case 0:
      case 1: {
        const unsigned d = depth == 0 ? 0 : depth - 1;
        return pool_.le(integer(scope, d), integer(scope, d));
      }
      case 2: {
        const unsigned d = depth == 0 ? 0 : depth - 1;
        return pool_.eq(integer(scope, d), integer(scope, d));
      }
      case 3:
        return somewhere(scope);
      case 4: {
        const Expr far = remote(scope, Type::boolean(), depth == 0 ? 0 : depth - 1);
        if (far.valid()) return far;
        break;
      }
      case 5:
        if (Expr p = parameter(scope, Type::boolean()); p.valid()) return p;
        break;
      default:
        break;
    }
    if (scope.universe) return of_universe(Type::boolean());
    const auto own = visible(scope, Type::boolean());
    if (own.empty()) return pool_.le(integer(scope, 0), integer(scope, 0));
    return read(scope, pick(own));
  }

  // About locations, own or others'.
  Expr somewhere(const Scope& scope) {
    if (!scope.locations) return pool_.boolean(chance(50));
    if (scope.universe && chance(70)) {
      const InstanceId i = pick(n_.universe(universe_).instances);
      return pool_.symbol(n_.at_instance(i, pick(n_.machine(n_.instance(i).machine).locations)));
    }
    if (scope.own.valid() && (chance(50) || !options_.cross_reads)) {
      const LocationId l = pick(n_.machine(scope.own).locations);
      return pool_.symbol(scope.next && chance(40) ? n_.at_next(l) : n_.at(l));
    }
    if (!options_.cross_reads) return pool_.boolean(chance(50));
    const MachineId m(below(static_cast<unsigned>(n_.machines().size())));
    const LocationId l = pick(n_.machine(m).locations);
    const SymbolId symbol = chance(20)                 ? n_.known(m)
                            : scope.next && chance(40) ? n_.remote_at_next(l)
                                                       : n_.remote_at(l);
    std::vector<Expr> key;
    if (n_.machine(m).key.valid()) key = {key_term(scope, 0)};
    return pool_.apply(symbol, key);
  }

  // A variable of some instance, or a shared one.
  Expr of_universe(Type type) {
    std::vector<Expr> all;
    for (VariableId v : n_.shared_variables()) {
      if (n_.variable(v).type == type) all.push_back(pool_.symbol(n_.variable(v).current));
    }
    for (InstanceId i : n_.universe(universe_).instances) {
      for (VariableId v : n_.machine(n_.instance(i).machine).variables) {
        if (n_.variable(v).type == type) all.push_back(pool_.symbol(n_.of_instance(i, v)));
      }
    }
    if (all.empty()) return type == Type::integer() ? small() : pool_.boolean(chance(50));
    return pick(all);
  }

  Expr in_range(Expr e) {
    return pool_.conj(pool_.le(pool_.integer(0), e), pool_.le(e, pool_.integer(kLast)));
  }

  // ----- events
  void events(MachineId m) {
    const unsigned count = between(1, options_.max_events);
    for (unsigned i = 0; i < count; ++i) event(m, "e" + std::to_string(i));
  }

  void event(MachineId m, const std::string& name) {
    const EventId e = n_.add_event(name, m, {});
    Scope scope;
    scope.own = m;
    if (options_.parameters && chance(50)) {
      const unsigned count = between(1, 2);
      for (unsigned i = 0; i < count; ++i) {
        const Type type = chance(75) ? Type::integer() : Type::boolean();
        const SymbolId p = n_.add_parameter(e, "p" + std::to_string(i), type, {});
        scope.parameters.push_back(p);
        if (type == Type::integer()) guard(e, in_range(pool_.symbol(p)));
      }
    }
    if (chance(40)) {
      for (LocationId from : n_.machine(m).locations) {
        n_.event(e).arcs.push_back({from, pick(n_.machine(m).locations), {}});
      }
    } else {
      const unsigned arcs = between(1, 3);
      for (unsigned i = 0; i < arcs; ++i) {
        const LocationId from = pick(n_.machine(m).locations);
        n_.event(e).arcs.push_back({from, pick(n_.machine(m).locations), {}});
      }
    }
    const unsigned guards = chance(50) ? between(1, 2) : 0;
    for (unsigned i = 0; i < guards; ++i) guard(e, condition(scope, 2));
    bool functional = true;
    effects(e, scope, functional);
    calls(e, scope, functional);
    n_.event(e).root = chance(80);
    callable_.push_back(e);
    if (functional) functional_.push_back(e);
  }

  void guard(EventId e, Expr condition) { n_.event(e).guards.push_back({condition, {}}); }

  // `functional` becomes false when next values are left open.
  void effects(EventId e, const Scope& scope, bool& functional) {
    for (Type type : {Type::integer(), Type::boolean()}) {
      for (VariableId v : visible(scope, type)) {
        if (is_key(v)) continue;
        if (chance(45)) assign(e, scope, v);
        if (options_.relations && chance(20)) relate(e, scope, v, functional);
        if (options_.relations && type == Type::boolean() && chance(5)) {
          n_.event(e).effects.push_back({EffectKind::Free, {v}, {}, {}});
        }
      }
    }
    if (options_.relations && chance(8)) {
      // A relation that writes nothing is a guard on the state after.
      Scope after = scope;
      after.next = true;
      n_.event(e).effects.push_back({EffectKind::Relation, {}, condition(after, 1), {}});
      functional = false;
    }
  }

  Expr next_value(const Scope& scope, VariableId v) {
    if (n_.variable(v).type == Type::boolean()) return condition(scope, 1);
    return pool_.make(Op::Mod, {integer(scope, 2), pool_.integer(kLast + 1)});
  }

  void assign(EventId e, const Scope& scope, VariableId v) {
    n_.event(e).effects.push_back({EffectKind::Assign, {v}, next_value(scope, v), {}});
  }

  void relate(EventId e, const Scope& scope, VariableId v, bool& functional) {
    const Expr next = pool_.symbol(n_.variable(v).next);
    if (chance(40)) {
      Expr equation = pool_.eq(next, next_value(scope, v));
      if (chance(30)) equation = pool_.conj(condition(scope, 1), equation);
      n_.event(e).effects.push_back({EffectKind::Relation, {v}, equation, {}});
      return;
    }
    functional = false;
    Scope after = scope;
    after.next = true;
    Expr relation = condition(after, 1);
    if (n_.variable(v).type == Type::integer()) {
      relation =
          pool_.conj(in_range(next), chance(50) ? relation : pool_.le(next, integer(after, 1)));
    }
    n_.event(e).effects.push_back({EffectKind::Relation, {v}, relation, {}});
  }

  void calls(EventId e, const Scope& scope, bool& functional) {
    if (!options_.syncs || callable_.empty()) return;
    const unsigned count = chance(55) ? between(1, 2) : 0;
    for (unsigned i = 0; i < count; ++i) {
      const std::vector<EventId>& refusable = options_.negated_relations ? callable_ : functional_;
      const bool negated = options_.negated_syncs && !refusable.empty() && chance(30);
      EventId target = pick(negated ? refusable : callable_);
      // Calls within one machine are often conflicts.
      for (int t = 0; t < 3 && n_.event(target).machine == n_.event(e).machine; ++t) {
        target = pick(negated ? refusable : callable_);
      }
      const MachineId m = n_.event(target).machine;
      Sync sync;
      sync.machine = m;
      sync.event = target;
      sync.negated = negated;
      if (n_.machine(m).key.valid()) sync.key = key_term(scope, 1);
      for (const Parameter& p : n_.event(target).parameters) {
        sync.arguments.push_back(p.type == Type::integer()
                                     ? (chance(60) ? small() : integer(scope, 1))
                                     : condition(scope, 1));
      }
      n_.event(e).syncs.push_back(std::move(sync));
      if (!negated &&
          std::find(functional_.begin(), functional_.end(), target) == functional_.end()) {
        functional = false;
      }
    }
  }

  // ----- the universe
  void universe() {
    universe_ = n_.add_universe("random");
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const MachineId m(i);
      starts(m);
      const std::string name = n_.machine(m).name;
      for (unsigned k = 1; k <= counts_[i]; ++k) {
        const bool keyed = n_.machine(m).key.valid();
        n_.add_instance(universe_, m, keyed ? Value(static_cast<int>(k)) : Value(),
                        keyed ? name + "[" + std::to_string(k) + "]" : name);
      }
    }
    for (VariableId v : n_.shared_variables()) {
      if (n_.variable(v).initial.valid() || n_.variable(v).type != Type::integer()) continue;
      n_.universe(universe_).init.push_back(in_range(pool_.symbol(n_.variable(v).current)));
    }
    if (options_.arbitrary_starts && chance(20)) {
      Scope scope;
      scope.universe = true;
      n_.universe(universe_).init.push_back(condition(scope, 1));
    }
  }

  void starts(MachineId m) {
    Machine& machine = n_.machine(m);
    std::vector<Expr> ranges;
    for (VariableId v : machine.variables) {
      const Variable& variable = n_.variable(v);
      if (v == machine.key || variable.initial.valid() || variable.type != Type::integer())
        continue;
      ranges.push_back(in_range(pool_.symbol(variable.current)));
    }
    const unsigned count = options_.arbitrary_starts && chance(25) ? 2 : 1;
    for (unsigned i = 0; i < count; ++i) {
      std::vector<Expr> parts = ranges;
      Scope scope;
      scope.own = m;
      scope.locations = false;
      const RandomNetworkOptions kept = options_;
      options_.cross_reads = false;
      if (options_.arbitrary_starts && chance(25)) {
        parts.push_back(pool_.le(integer(scope, 1), integer(scope, 1)));
      }
      options_ = kept;
      machine.starts.push_back({"start #" + std::to_string(i + 1),
                                pick(machine.locations),
                                parts.empty() ? Expr() : pool_.conj(parts),
                                {}});
    }
  }

  // Some facts about a state that a few random steps reach; invalid: there is no first state.
  Expr seen_on_a_walk() {
    Stepper stepper(n_, universe_);
    SearchOptions search;
    search.candidates = candidates_;
    const std::vector<State> first = first_states(stepper, search);
    if (first.empty()) return {};
    const State begin = pick(first);
    State state = begin;
    EnabledOptions enabled;
    enabled.candidates = candidates_;
    const unsigned length = between(1, 5);
    for (unsigned i = 0; i < length; ++i) {
      std::vector<EventStatus> possible = event_statuses(stepper, state, enabled);
      std::erase_if(possible, [](const EventStatus& s) { return s.steps.empty(); });
      if (possible.empty()) break;
      if (!stepper.advance(state, pick(pick(possible).steps))) break;
    }
    // What has changed is said more often.
    const StateLayout& layout = stepper.layout();
    std::vector<Expr> facts;
    for (std::size_t p = 0; p < layout.instance_count(); ++p) {
      if (!chance(state.locations[p] != begin.locations[p] ? 60 : 25)) continue;
      facts.push_back(pool_.symbol(n_.at_instance(layout.instance(p), state.locations[p])));
    }
    for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
      if (!chance(state.values[slot] != begin.values[slot] ? 60 : 20)) continue;
      const auto [owner, v] = layout.at(slot);
      const Type type = n_.variable(v).type;
      const SymbolId symbol = owner.valid() ? n_.of_instance(owner, v) : n_.variable(v).current;
      facts.push_back(pool_.eq(pool_.symbol(symbol), pool_.constant(state.values[slot], type)));
    }
    return facts.empty() ? Expr() : pool_.conj(facts);
  }

  PropertyId property(int number) {
    Property p;
    p.name = "p" + std::to_string(number);
    p.universe = universe_;
    Scope scope;
    scope.universe = true;
    if (chance(70)) p.set_condition(seen_on_a_walk());
    if (!p.condition().valid()) {
      p.set_condition(condition(scope, 2));
      if (chance(50)) p.set_condition(pool_.conj(p.condition(), condition(scope, 1)));
    }
    if (number == 4 && chance(70)) p.set_condition(pool_.negate(p.condition()));
    if (number == 4 || chance(15)) {
      p.kind = PropertyKind::Invariant;
      return n_.add_property(std::move(p));
    }
    p.kind = PropertyKind::Reach;
    p.demand = false;
    switch (number) {
      case 0:
        break;
      case 1:
        p.bound = {0, below(5)};
        break;
      case 2: {
        const std::uint64_t k = below(5);
        p.bound = {k, k};
        break;
      }
      default: {
        const std::uint64_t k = below(4);
        p.bound = {k, k + below(3)};
      }
    }
    return n_.add_property(std::move(p));
  }

  std::mt19937_64 rng_;
  RandomNetworkOptions options_;
  std::shared_ptr<Network> network_;
  Network& n_;
  ExprPool& pool_;
  UniverseId universe_;
  Candidates candidates_;
  std::vector<unsigned> counts_;  // instances by machine
  std::vector<EventId> callable_;
  std::vector<EventId> functional_;  // no open next values, neither in what they call
};

}  // namespace

RandomNetwork random_network(std::uint64_t seed, const RandomNetworkOptions& options) {
  return Generator(seed, options).run(seed);
}

namespace {

// Tries to do without parts of a list, larger parts first.
template <class List>
bool drop_parts(Network& network, const std::function<List&(Network&)>& list_of,
                const std::function<bool(Network&)>& fails) {
  bool smaller = false;
  for (std::size_t i = list_of(network).size(); i-- > 0;) {
    Network attempt = network;
    List& list = list_of(attempt);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    if (!well_formedness_problems(attempt).empty() || !fails(attempt)) continue;
    network = std::move(attempt);
    smaller = true;
  }
  return smaller;
}

bool shrink_once(Network& network, const std::function<bool(Network&)>& fails) {
  bool smaller = false;
  for (std::size_t i = 0; i < network.events().size(); ++i) {
    const EventId e(i);
    auto drop = [&]<class List>(List Event::*member) {
      smaller |= drop_parts<List>(
          network, [&](Network& n) -> List& { return n.event(e).*member; }, fails);
    };
    drop(&Event::arcs);
    drop(&Event::syncs);
    drop(&Event::effects);
    drop(&Event::guards);
  }
  for (std::size_t i = 0; i < network.machines().size(); ++i) {
    smaller |= drop_parts<std::vector<Start>>(
        network, [&](Network& n) -> std::vector<Start>& { return n.machine(MachineId(i)).starts; },
        fails);
  }
  for (std::size_t i = 0; i < network.universes().size(); ++i) {
    smaller |= drop_parts<std::vector<Expr>>(
        network, [&](Network& n) -> std::vector<Expr>& { return n.universe(UniverseId(i)).init; },
        fails);
  }
  return smaller;
}

}  // namespace

std::shared_ptr<Network> shrunk(const Network& network,
                                const std::function<bool(Network&)>& fails) {
  auto result = std::make_shared<Network>(network);
  while (shrink_once(*result, fails)) {
  }
  return result;
}

std::string described(const Network& network) {
  const ExprPool& pool = network.pool();
  auto text = [&](Expr e) { return e.valid() ? to_string(pool, e) : std::string("-"); };
  std::string out = "network " + network.name + "\n";
  for (const Variable& v : network.variables()) {
    out += "  var " + (v.machine.valid() ? network.machine(v.machine).name + "." : "") + v.name +
           ": " + pool.to_string(v.type) + " = " + text(v.initial) + "\n";
  }
  for (const Universe& u : network.universes()) {
    out += "  universe:";
    for (InstanceId i : u.instances) out += " " + network.instance(i).name;
    for (Expr e : u.init) out += "; init " + text(e);
    out += "\n";
  }
  for (const Machine& m : network.machines()) {
    out += "  machine " + m.name + "\n";
    for (const Start& s : m.starts) {
      out += "    start " + network.location(s.location).name + ": " + text(s.condition) + "\n";
    }
    for (EventId id : m.events) {
      const Event& e = network.event(id);
      if (e.arcs.empty()) continue;
      out += std::string("    ") + (e.root ? "" : "inner ") + "event " + e.name + "(";
      for (const Parameter& p : e.parameters) out += p.name + ": " + pool.to_string(p.type) + " ";
      out += ")";
      for (const Arc& a : e.arcs) {
        out += " " + network.location(a.from).name + "->" + network.location(a.to).name;
      }
      out += "\n";
      for (const Guard& g : e.guards) out += "      when " + text(g.condition) + "\n";
      for (const Effect& f : e.effects) {
        out += f.kind == EffectKind::Assign     ? "      set"
               : f.kind == EffectKind::Relation ? "      relation"
                                                : "      free";
        for (VariableId v : f.writes) out += " " + network.variable(v).name;
        out += " : " + text(f.expr) + "\n";
      }
      for (const Sync& s : e.syncs) {
        out += std::string("      ") + (s.negated ? "not " : "") + "sync " +
               network.machine(s.machine).name + "[" + text(s.key) + "]." +
               network.event(s.event).name + "(";
        for (Expr a : s.arguments) out += text(a) + ", ";
        out += ")\n";
      }
    }
  }
  for (const Property& p : network.properties()) {
    out += "  " + std::string(to_string(p.kind)) + " " + p.name + " [" +
           std::to_string(p.bound.min) + ".." +
           (p.bound.max ? std::to_string(*p.bound.max) : std::string()) +
           "]: " + text(p.condition()) + "\n";
  }
  return out;
}

}  // namespace whittle::test
