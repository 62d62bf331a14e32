// SPDX-License-Identifier: Apache-2.0
#include "support/systems.h"

#include <string>

namespace whittle::test {

namespace {

// Shorthand for building; everything without origin.
class Builder {
 public:
  explicit Builder(const std::string& name)
      : network(std::make_shared<Network>(std::make_shared<ExprPool>())), pool(network->pool()) {
    network->name = name;
  }

  Expr now(VariableId v) { return pool.symbol(network->variable(v).current); }
  Expr sym(SymbolId s) { return pool.symbol(s); }
  Expr num(int n) { return pool.integer(n); }
  EventId event(MachineId machine, const std::string& name, LocationId from, LocationId to) {
    const EventId id = network->add_event(name, machine, {});
    network->event(id).arcs.push_back({from, to, {}});
    return id;
  }
  void guard(EventId e, Expr condition) { network->event(e).guards.push_back({condition, {}}); }
  void assign(EventId e, VariableId v, Expr value) {
    network->event(e).effects.push_back({EffectKind::Assign, {v}, value, {}});
  }
  void sync(EventId e, MachineId machine, Expr key, EventId target, std::vector<Expr> arguments,
            bool negated = false) {
    network->event(e).syncs.push_back({machine, key, target, std::move(arguments), negated, {}});
  }
  void start(MachineId m, LocationId l) {
    network->machine(m).starts.push_back({"start " + network->location(l).name, l, {}, {}});
  }
  PropertyId reach(const std::string& name, UniverseId universe, Expr condition, StepBound bound) {
    Property p;
    p.name = name;
    p.kind = PropertyKind::Reach;
    p.set_condition(condition);
    p.bound = bound;
    p.demand = false;
    p.universe = universe;
    return network->add_property(std::move(p));
  }
  PropertyId invariant(const std::string& name, UniverseId universe, Expr condition) {
    Property p;
    p.name = name;
    p.kind = PropertyKind::Invariant;
    p.set_condition(condition);
    p.universe = universe;
    return network->add_property(std::move(p));
  }

  std::shared_ptr<Network> network;
  ExprPool& pool;
};

}  // namespace

CounterSystem counter_system(int limit) {
  Builder b("counter");
  CounterSystem s;
  s.network = b.network;
  s.machine = b.network->add_machine("Counter", {});
  s.x = b.network->add_variable("x", Type::integer(), s.machine, {});
  b.network->variable(s.x).initial = b.num(0);
  s.on = b.network->add_location("on", s.machine, {});
  b.start(s.machine, s.on);
  s.inc = b.event(s.machine, "inc", s.on, s.on);
  s.by = b.network->add_parameter(s.inc, "by", Type::integer(), {});
  b.guard(s.inc, b.pool.le(b.num(1), b.sym(s.by)));
  b.guard(s.inc, b.pool.le(b.sym(s.by), b.num(3)));
  b.guard(s.inc, b.pool.le(b.pool.add(b.now(s.x), b.sym(s.by)), b.num(limit)));
  b.assign(s.inc, s.x, b.pool.add(b.now(s.x), b.sym(s.by)));
  s.reset = b.event(s.machine, "reset", s.on, s.on);
  b.guard(s.reset, b.pool.ge(b.now(s.x), b.num(2)));
  b.assign(s.reset, s.x, b.num(0));
  s.universe = b.network->add_universe("one Counter");
  s.instance = b.network->add_instance(s.universe, s.machine, Value(), "Counter");
  const Expr x = b.sym(b.network->of_instance(s.instance, s.x));
  s.reach_limit = b.reach("limit", s.universe, b.pool.eq(x, b.num(limit)), {});
  s.below_or_at = b.invariant("below or at", s.universe, b.pool.le(x, b.num(limit)));
  s.below = b.invariant("below", s.universe, b.pool.lt(x, b.num(limit)));
  return s;
}

namespace {

void build_account(Builder& b, BankSystem& s) {
  Network& n = *b.network;
  s.account = n.add_machine("Account", {});
  s.account_key = n.add_variable("id", Type::integer(), s.account, {});
  n.machine(s.account).key = s.account_key;
  s.balance = n.add_variable("balance", Type::integer(), s.account, {});
  s.created = n.add_location("created", s.account, {});
  s.opened = n.add_location("opened", s.account, {});
  s.closed = n.add_location("closed", s.account, {});
  n.location(s.closed).final = true;
  b.start(s.account, s.created);
  s.open = b.event(s.account, "open", s.created, s.opened);
  const Expr first = b.sym(n.add_parameter(s.open, "first", Type::integer(), {}));
  b.guard(s.open, b.pool.ge(first, b.num(0)));
  b.assign(s.open, s.balance, first);
  s.deposit = b.event(s.account, "deposit", s.opened, s.opened);
  const Expr in = b.sym(n.add_parameter(s.deposit, "amount", Type::integer(), {}));
  b.guard(s.deposit, b.pool.gt(in, b.num(0)));
  b.assign(s.deposit, s.balance, b.pool.add(b.now(s.balance), in));
  s.withdraw = b.event(s.account, "withdraw", s.opened, s.opened);
  const Expr out = b.sym(n.add_parameter(s.withdraw, "amount", Type::integer(), {}));
  b.guard(s.withdraw, b.pool.gt(out, b.num(0)));
  b.guard(s.withdraw, b.pool.le(out, b.now(s.balance)));
  b.assign(s.withdraw, s.balance, b.pool.sub(b.now(s.balance), out));
  s.close = b.event(s.account, "close", s.opened, s.closed);
  b.guard(s.close, b.pool.eq(b.now(s.balance), b.num(0)));
}

void build_transaction(Builder& b, BankSystem& s) {
  Network& n = *b.network;
  s.transaction = n.add_machine("Transaction", {});
  s.transaction_key = n.add_variable("id", Type::integer(), s.transaction, {});
  n.machine(s.transaction).key = s.transaction_key;
  s.from = n.add_variable("from", Type::integer(), s.transaction, {});
  s.to = n.add_variable("to", Type::integer(), s.transaction, {});
  s.amount = n.add_variable("amount", Type::integer(), s.transaction, {});
  s.fresh = n.add_location("fresh", s.transaction, {});
  s.started = n.add_location("started", s.transaction, {});
  s.booked = n.add_location("booked", s.transaction, {});
  s.failed = n.add_location("failed", s.transaction, {});
  n.location(s.booked).final = true;
  n.location(s.failed).final = true;
  b.start(s.transaction, s.fresh);
  s.start = b.event(s.transaction, "start", s.fresh, s.started);
  const Expr f = b.sym(n.add_parameter(s.start, "f", Type::integer(), {}));
  const Expr t = b.sym(n.add_parameter(s.start, "t", Type::integer(), {}));
  const Expr a = b.sym(n.add_parameter(s.start, "a", Type::integer(), {}));
  b.guard(s.start, b.pool.gt(a, b.num(0)));
  b.guard(s.start, b.pool.ne(f, t));
  b.assign(s.start, s.from, f);
  b.assign(s.start, s.to, t);
  b.assign(s.start, s.amount, a);
  s.book = b.event(s.transaction, "book", s.started, s.booked);
  b.sync(s.book, s.account, b.now(s.from), s.withdraw, {b.now(s.amount)});
  b.sync(s.book, s.account, b.now(s.to), s.deposit, {b.now(s.amount)});
  s.fail = b.event(s.transaction, "fail", s.started, s.failed);
  b.sync(s.fail, s.account, b.now(s.from), s.withdraw, {b.now(s.amount)}, true);
}

}  // namespace

BankSystem bank_system(int accounts, int transactions) {
  Builder b("bank");
  BankSystem s;
  s.network = b.network;
  build_account(b, s);
  build_transaction(b, s);
  Network& n = *b.network;
  s.universe = n.add_universe(std::to_string(accounts) + " of Account, " +
                              std::to_string(transactions) + " of Transaction");
  for (int i = 1; i <= accounts; ++i) {
    s.accounts.push_back(
        n.add_instance(s.universe, s.account, Value(i), "Account[" + std::to_string(i) + "]"));
  }
  for (int i = 1; i <= transactions; ++i) {
    s.transactions.push_back(n.add_instance(s.universe, s.transaction, Value(i),
                                            "Transaction[" + std::to_string(i) + "]"));
  }
  const Expr goal = b.sym(n.at_instance(s.transactions.front(), s.booked));
  s.booked_in_4 = b.reach("booked in 4", s.universe, goal, {0, 4});
  s.booked_in_3 = b.reach("booked in 3", s.universe, goal, {0, 3});
  return s;
}

RiverSystem river_system() {
  Builder b("river");
  RiverSystem s;
  s.network = b.network;
  Network& n = *b.network;
  s.universe = n.add_universe("one of each");
  for (const char* name : {"Farmer", "Wolf", "Goat", "Cabbage"}) {
    const MachineId m = n.add_machine(name, {});
    s.machines.push_back(m);
    s.left.push_back(n.add_location("left", m, {}));
    s.right.push_back(n.add_location("right", m, {}));
    b.start(m, s.left.back());
    s.instances.push_back(n.add_instance(s.universe, m, Value(), name));
  }
  auto both_ways = [&](std::size_t who, const std::string& name) {
    const EventId e = b.event(s.machines[who], name, s.left[who], s.right[who]);
    n.event(e).arcs.push_back({s.right[who], s.left[who], {}});
    return e;
  };
  // Nobody may be left where `who` is now with somebody it eats or that eats it.
  auto apart = [&](EventId e, std::size_t who, std::size_t x, std::size_t y) {
    for (const auto& side : {s.left, s.right}) {
      const Expr together = b.pool.conj(b.sym(n.remote_at(side[x])), b.sym(n.remote_at(side[y])));
      b.guard(e, b.pool.negate(b.pool.conj(b.sym(n.at(side[who])), together)));
    }
  };
  s.cross.push_back(both_ways(0, "cross"));
  n.event(s.cross[0]).root = false;
  s.alone = both_ways(0, "cross alone");
  apart(s.alone, 0, 1, 2);
  apart(s.alone, 0, 2, 3);
  for (std::size_t who = 1; who < 4; ++who) {
    const EventId e = both_ways(who, "cross");
    s.cross.push_back(e);
    for (const auto& side : {s.left, s.right}) {
      b.guard(e, b.pool.implies(b.sym(n.at(side[who])), b.sym(n.remote_at(side[0]))));
    }
    if (who == 1) apart(e, who, 2, 3);
    if (who == 3) apart(e, who, 1, 2);
    b.sync(e, s.machines[0], {}, s.cross[0], {});
  }
  std::vector<Expr> goal;
  for (std::size_t i = 0; i < 4; ++i) {
    goal.push_back(b.sym(n.at_instance(s.instances[i], s.right[i])));
  }
  s.all_right = b.reach("all right", s.universe, b.pool.conj(goal), {});
  return s;
}

ChainSystem chain_system(std::size_t length) {
  Builder b("chain");
  ChainSystem s;
  s.network = b.network;
  Network& n = *b.network;
  const MachineId m = n.add_machine("Chain", {});
  s.steps = n.add_variable("steps", Type::integer(), m, {});
  n.variable(s.steps).initial = b.num(0);
  const Expr more = b.pool.add(b.now(s.steps), b.num(1));
  for (std::size_t i = 0; i <= length; ++i) {
    s.locations.push_back(n.add_location("l" + std::to_string(i), m, {}));
  }
  b.start(m, s.locations.front());
  for (std::size_t i = 0; i < length; ++i) {
    const EventId e = b.event(m, "e" + std::to_string(i), s.locations[i], s.locations[i + 1]);
    b.assign(e, s.steps, more);
    s.events.push_back(e);
  }
  s.universe = n.add_universe("one Chain");
  s.instance = n.add_instance(s.universe, m, Value(), "Chain");
  s.at_end = b.reach("end", s.universe, b.sym(n.at_instance(s.instance, s.locations.back())), {});
  return s;
}

}  // namespace whittle::test
