// SPDX-License-Identifier: Apache-2.0
// Universes and properties. A configuration describes instances: they are the universe, all in
// their initial states at the start, and the goal is a state in which all descriptions are true.
#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "frontend/expectation.h"
#include "frontend/rebel/options.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

namespace {

constexpr std::uint64_t kMostInstances = 10000;

}  // namespace

std::string Translator::unique_name(const std::string& name) {
  std::string candidate = name;
  for (int i = 2; !property_names_.insert(candidate).second; ++i) {
    candidate = name + "#" + std::to_string(i);
  }
  return candidate;
}

void Translator::checks() {
  const LoadOptions& options = program_.options();
  for (const auto& [name, count] : options.instances) {
    bool known = false;
    for (const Spec& spec : program_.specs())
      known = known || program_.names().text(spec.name) == name;
    if (known) continue;
    NearestName near(name);
    for (const Spec& spec : program_.specs()) near.offer(program_.names().text(spec.name));
    diagnostics().report("rebel-078", Span(),
                         "--instances: there is no specification '" + name + "'",
                         near.result() ? "did you mean '" + *near.result() + "'?" : "");
  }
  const Module& root = program_.module(0);
  for (std::uint32_t i = 0; i < root.ast.setups.size(); ++i) setup_of(i);
  for (const CheckAst& ast : root.ast.checks) check(ast);
  for (const FairAst& ast : root.ast.fair) fairness(ast);
  for (const RunsAst& ast : root.ast.runs) runs(ast);
  for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
    const Spec& spec = program_.specs()[s];
    if (spec.decl.module != 0 && !*options.own.get<RebelOptions>().invariants) continue;
    if (spec.decl.module == 0 || root.ast.test) invariants(s);
  }
  if (options.structure) structure();
}

// ----- configurations

Translator::Setup& Translator::setup_of(std::uint32_t index) {
  const auto [it, fresh] = setups_.try_emplace(index);
  if (fresh) build_setup(index, it->second);
  return it->second;
}

InstanceId Translator::add_instance(UniverseId universe, std::uint32_t s, const Value& key) {
  const Spec& spec = program_.specs()[s];
  std::string name = text(spec.name);
  if (spec.key != kNone) {
    const Kind kind = program_.types().kind(elaborator_.key_type(s));
    name += "[" + encoder_->show(kind, key, nullptr) + "]";
  }
  return network_->add_instance(universe, nets_[s].machine, key, std::move(name));
}

Value Translator::generated_key(std::uint32_t s, std::uint64_t number, bool& possible) {
  possible = true;
  const auto n = static_cast<long>(number);
  switch (program_.types().kind(elaborator_.key_type(s))) {
    case Kind::Iban:
      return Value(encoder_->iban("NL10INGB000000" + std::to_string(number)));
    case Kind::String:
      return Value(encoder_->string("key" + std::to_string(number)));
    case Kind::Date:
      return Value(Integer(static_cast<long>(Encoder::day_number(2000, 1, 1)) + n - 1));
    case Kind::Time:
      possible = number < 86400;
      return Value(Integer(n));
    case Kind::Currency: {
      std::string code = "CUR_AAA";
      code[6] = static_cast<char>('A' + n % 26);
      code[5] = static_cast<char>('A' + n / 26 % 26);
      code[4] = static_cast<char>('A' + n / 676 % 26);
      return Value(encoder_->currency(code));
    }
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm:
      possible = number <= 5;
      return Value(EnumValue{static_cast<std::uint32_t>(possible ? number - 1 : 0)});
    default:
      return Value(Integer(n));
  }
}

// `key == literal`, in either order, fixes the key of an instance.
std::optional<Value> Translator::explicit_key(std::uint32_t s, const ConstraintGroupAst& group) {
  const ModuleAst& ast = program_.module(0).ast;
  const Spec& spec = program_.specs()[s];
  if (spec.key == kNone) return std::nullopt;
  const Name key = spec.fields[spec.key].name;
  auto is_key = [&](ExprRef e) {
    const ExprNode& n = ast.expr(e);
    if (n.kind == ExprKind::Word) return n.a == key;
    return n.kind == ExprKind::Field && n.b == key && ast.expr(n.a).kind == ExprKind::This;
  };
  for (std::uint32_t i = 0; i < ast.list_size(group.constraints); ++i) {
    const ExprNode& n = ast.expr(ast.list(group.constraints)[i]);
    if (n.kind != ExprKind::Eq || is_key(n.a) == is_key(n.b)) continue;
    Scope scope;
    scope.place = "in a key";
    const TypedTerm val = elaborator_.typed(scope, is_key(n.a) ? n.b : n.a, elaborator_.key_type(s),
                                            "the key of " + text(spec.name));
    if (val.a.valid() && pool_.is_const(val.a)) return pool_.value(val.a);
  }
  return std::nullopt;
}

std::string Translator::describe_universe(
    const std::vector<std::pair<std::uint32_t, std::uint64_t>>& counts) {
  std::string result;
  for (const auto& [s, count] : counts) {
    if (!result.empty()) result += ", ";
    result += std::to_string(count) + " " + text(program_.specs()[s].name);
  }
  return result.empty() ? "nothing" : result;
}

struct Translator::SetupPlan {
  struct Planned {
    const SetupStmtAst* stmt;
    std::uint32_t spec;
    std::vector<std::optional<Value>> keys;
    std::vector<InstanceId> instances;
  };
  std::vector<Planned> planned;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts;  // by specification, in their order
  std::unordered_map<std::uint32_t, std::set<Value>> taken;     // keys

  std::uint64_t& count_of(std::uint32_t s) {
    for (auto& entry : counts) {
      if (entry.first == s) return entry.second;
    }
    return counts.emplace_back(s, 0).second;
  }
};

// Whether there can be `count` instances, with those of this statement.
bool Translator::possible_count(const SetupStmtAst& stmt, const Spec& spec, std::uint64_t count) {
  const ModuleAst& ast = program_.module(0).ast;
  if (count > kMostInstances) {
    diagnostics().report("parse-004", ast.span(stmt.at), "that many instances cannot be handled");
    return false;
  }
  if (count > 1 && (spec.key == kNone || spec.modifier == SpecModifier::Singleton)) {
    diagnostics().report("rebel-082", ast.span(stmt.at),
                         "there is at most one instance of '" + text(spec.name) + "'",
                         spec.key == kNone ? "it has no key; mark a field with @key" : "");
    return false;
  }
  return true;
}

Translator::SetupPlan Translator::plan_setup(const SetupAst& written, Setup& setup) {
  const ModuleAst& ast = program_.module(0).ast;
  SetupPlan plan;
  for (std::uint32_t i = 0; i < written.stmts.count; ++i) {
    const SetupStmtAst& stmt = ast.setup_stmts[written.stmts.first + i];
    if (stmt.is_now) {
      setup.now = stmt.now;
      continue;
    }
    const std::uint32_t s = program_.resolve_spec(0, stmt.spec);
    if (s == kNone) continue;
    const Spec& spec = program_.specs()[s];
    if (spec.modifier == SpecModifier::Abstract || spec.modifier == SpecModifier::External) {
      diagnostics().report("rebel-079", ast.span(stmt.spec.at),
                           "'" + text(spec.name) + "' is " +
                               (spec.modifier == SpecModifier::Abstract ? "abstract" : "external") +
                               ", so there are no instances of it");
      continue;
    }
    if (stmt.count == 0) {
      diagnostics().report("rebel-080", ast.span(stmt.at), "this describes no instance at all");
    }
    if (stmt.one_each && stmt.groups.count > stmt.count) {
      diagnostics().report("rebel-081", ast.span(stmt.at),
                           "there are more descriptions ('- one with') than instances");
      continue;
    }
    if (!possible_count(stmt, spec, plan.count_of(s) += stmt.count)) continue;
    SetupPlan::Planned planned{&stmt, s, {}, {}};
    for (std::uint32_t n = 0; n < stmt.count; ++n) {
      std::optional<Value> key;
      const std::uint32_t group = stmt.one_each ? n : 0;
      if (group < stmt.groups.count) key = explicit_key(s, ast.groups[stmt.groups.first + group]);
      if (key && !plan.taken[s].insert(*key).second) {
        const Kind kind = program_.types().kind(elaborator_.key_type(s));
        diagnostics().report("rebel-083", ast.span(stmt.at),
                             "two instances of '" + text(spec.name) + "' have the key " +
                                 encoder_->show(kind, *key, nullptr));
      }
      planned.keys.push_back(std::move(key));
    }
    plan.planned.push_back(std::move(planned));
  }
  return plan;
}

void Translator::add_instances(SetupPlan& plan, UniverseId universe) {
  std::unordered_map<std::uint32_t, std::uint64_t> counter;
  for (SetupPlan::Planned& planned : plan.planned) {
    for (std::optional<Value>& key : planned.keys) {
      bool possible = true;
      while (!key) {
        Value fresh = generated_key(planned.spec, ++counter[planned.spec], possible);
        if (!possible) {
          diagnostics().report("rebel-035", program_.module(0).ast.span(planned.stmt->at),
                               "there are not so many keys of type " +
                                   program_.types().to_string(elaborator_.key_type(planned.spec)));
          break;
        }
        if (plan.taken[planned.spec].insert(fresh).second) key = std::move(fresh);
      }
      if (key) planned.instances.push_back(add_instance(universe, planned.spec, *key));
    }
  }
}

void Translator::build_setup(std::uint32_t index, Setup& setup) {
  const std::size_t errors = diagnostics().errors();
  setup.universe = network_->add_universe("");
  SetupPlan plan = plan_setup(program_.module(0).ast.setups[index], setup);
  add_instances(plan, setup.universe);
  network_->universe(setup.universe).description = describe_universe(plan.counts);
  std::vector<Expr> goal;
  for (const SetupPlan::Planned& planned : plan.planned) {
    describe(setup, *planned.stmt, planned.spec, planned.instances, goal);
  }
  setup.goal = pool_.conj(goal);
  setup.good = diagnostics().errors() == errors;
  nows_.emplace_back(setup.universe, setup.now);
}

void Translator::describe(Setup&, const SetupStmtAst& stmt, std::uint32_t s,
                          const std::vector<InstanceId>& instances, std::vector<Expr>& goal) {
  const ModuleAst& ast = program_.module(0).ast;
  const Spec& spec = program_.specs()[s];
  std::vector<std::uint32_t> states;
  auto named = [&](Name name, Span at) {
    const auto it = spec.state_index.find(name);
    if (it != spec.state_index.end()) {
      program_.symbols().use(spec.states[it->second].origin, at);
      states.push_back(it->second);
      return;
    }
    NearestName near(program_.names().text(name));
    std::string known;
    for (const LifeState& state : spec.states) {
      near.offer(program_.names().text(state.name));
      if (known.size() < 80) known += (known.empty() ? "it has: " : ", ") + text(state.name);
    }
    mark_absence(diagnostics().report(
                     "rebel-061", at,
                     "specification '" + text(spec.name) + "' has no state '" + text(name) + "'",
                     near.result() ? "did you mean '" + *near.result() + "'?" : known),
                 near.result().value_or(""));
  };
  if (stmt.uninitialized && spec.initial != kNone) states.push_back(spec.initial);
  if (stmt.state != kNoName) named(stmt.state, ast.span(stmt.state_at));
  if (stmt.states != kNone) {
    for (std::uint32_t i = 0; i < ast.list_size(stmt.states); ++i) {
      const ExprNode& n = ast.expr(ast.list(stmt.states)[i]);
      named(n.a, ast.span(n.at));
    }
  }
  for (std::size_t n = 0; n < instances.size(); ++n) {
    if (!states.empty()) {
      std::vector<Expr> some;
      some.reserve(states.size());
      for (std::uint32_t state : states) {
        some.push_back(pool_.symbol(network_->at_instance(instances[n], nets_[s].states[state])));
      }
      goal.push_back(pool_.disj(some));
    }
    if (stmt.one_each) {
      if (n < stmt.groups.count) {
        constrain(instances[n], s, states, ast.groups[stmt.groups.first + n], goal);
      }
    } else {
      for (std::uint32_t g = 0; g < stmt.groups.count; ++g) {
        constrain(instances[n], s, states, ast.groups[stmt.groups.first + g], goal);
      }
    }
  }
  if (instances.empty()) {  // none, but what is said should still make sense
    return;
  }
}

// `states`: where the instance has to be; empty: anywhere.
void Translator::constrain(InstanceId instance, std::uint32_t s,
                           std::span<const std::uint32_t> states, const ConstraintGroupAst& group,
                           std::vector<Expr>& goal) {
  const ModuleAst& ast = program_.module(0).ast;
  const Spec& spec = program_.specs()[s];
  Scope scope;
  scope.has_this = true;
  scope.self = s;
  scope.instance = instance;
  scope.place = "in a configuration";
  scope.goal = true;
  bool about_fields = false;
  for (std::uint32_t i = 0; i < ast.list_size(group.constraints); ++i) {
    const ExprRef e = ast.list(group.constraints)[i];
    elaborator_.seen().clear();
    const Expr condition = elaborator_.condition(scope, e);
    about_fields = about_fields || !elaborator_.seen().read.empty();
    if (condition.valid()) goal.push_back(condition);
  }
  // Fields have values only once the instance has left its initial state.
  if (!about_fields || spec.initial == kNone) return;
  const bool elsewhere =
      !states.empty() && std::find(states.begin(), states.end(), spec.initial) == states.end();
  if (elsewhere) return;  // nothing to add: slices need not know about the initial state
  const LocationId initial = nets_[s].states[spec.initial];
  goal.push_back(pool_.negate(pool_.symbol(network_->at_instance(instance, initial))));
  if (states.size() == 1) {
    diagnostics().report("rebel-084", ast.span(group.at),
                         "fields have no values in the initial state, so this is never true",
                         "name another state, or leave the condition out");
  }
}

// ----- checks

bool Translator::read_bound(const CheckAst& ast, StepBound& bound) {
  Scope scope;
  scope.place = "in a bound";
  auto number = [&](ExprRef e) -> std::optional<std::uint64_t> {
    const auto value = elaborator_.constant_integer(scope, e);
    if (!value) return std::nullopt;
    const auto small = value->to_int64();
    if (!small || *small < 0 || *small > 1'000'000'000) {
      diagnostics().report("rebel-052",
                           program_.module(0).ast.span(program_.module(0).ast.expr(e).at),
                           "a number of steps goes from 0 to 1000000000");
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(*small);
  };
  if (ast.bound == BoundKind::None) return true;
  const auto high = number(ast.high);
  if (!high) return false;
  bound.max = *high;
  if (ast.bound == BoundKind::Exactly) bound.min = *high;
  if (ast.bound == BoundKind::Between) {
    const auto low = number(ast.low);
    if (!low) return false;
    bound.min = *low;
    if (*low > *high) {
      diagnostics().report("rebel-052", program_.module(0).ast.span(ast.at),
                           "the first number must not be larger than the second");
      return false;
    }
  }
  return true;
}

void Translator::check(const CheckAst& ast) {
  const Module& root = program_.module(0);
  Property property;
  property.kind = PropertyKind::Reach;
  property.origin = root.ast.span(ast.at);
  property.demand = ast.demand;
  property.wants_reachable = ast.reachable;
  const bool bounded = read_bound(ast, property.bound);
  const Setup* setup = setup_named(ast.setup, ast.setup_at);
  if (setup == nullptr || !bounded) return;
  property.name = unique_name(text(ast.setup));
  property.set_condition(setup->goal);
  property.universe = setup->universe;
  frontend::expect_of(property, ast.expected, diagnostics());
  network_->add_property(std::move(property));
}

const Translator::Setup* Translator::setup_named(Name name, Extent at) {
  const Module& root = program_.module(0);
  const auto it = root.setups.find(name);
  if (it != root.setups.end()) {
    program_.symbols().use(root.ast.span(root.ast.setups[it->second].name_at), root.ast.span(at));
    const Setup& setup = setup_of(it->second);
    return setup.good ? &setup : nullptr;
  }
  NearestName near(program_.names().text(name));
  for (const SetupAst& setup : root.ast.setups) near.offer(program_.names().text(setup.name));
  std::string hint;
  if (near.result()) {
    hint = "did you mean '" + *near.result() + "'?";
  } else {
    for (const SetupAst& setup : root.ast.setups) {
      hint += (hint.empty() ? "there is: " : ", ") + text(setup.name);
    }
  }
  mark_absence(diagnostics().report("rebel-085", root.ast.span(at),
                                    "there is no configuration '" + text(name) + "'", hint),
               near.result().value_or(""));
  return nullptr;
}

// ----- invariants

// One instance of the specification and two of each one it refers to, unless the user says
// otherwise; at most one of those without key.
UniverseId Translator::default_universe(std::uint32_t s) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counts{
      {s, refers_.contains({s, s}) ? 2 : 1}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (auto it = refers_.lower_bound({counts[i].first, 0});
         it != refers_.end() && it->first == counts[i].first; ++it) {
      const std::uint32_t target = it->second;
      const Spec& spec = program_.specs()[target];
      const bool known = std::any_of(counts.begin(), counts.end(),
                                     [&](const auto& entry) { return entry.first == target; });
      if (known || spec.modifier == SpecModifier::Abstract ||
          spec.modifier == SpecModifier::External) {
        continue;
      }
      counts.emplace_back(target, 2);
    }
  }
  for (auto& [spec, count] : counts) {
    for (const auto& [name, wanted] : program_.options().instances) {
      if (program_.names().text(program_.specs()[spec].name) == name) {
        count = std::min(wanted, kMostInstances);
      }
    }
    const Spec& one = program_.specs()[spec];
    if (one.key == kNone || one.modifier == SpecModifier::Singleton) {
      count = std::min<std::uint64_t>(count, 1);
    }
  }
  const UniverseId universe = network_->add_universe(describe_universe(counts));
  for (const auto& [spec, count] : counts) {
    for (std::uint64_t n = 1; n <= count; ++n) {
      bool possible = true;
      const Value key = generated_key(spec, n, possible);
      if (possible) add_instance(universe, spec, key);
    }
  }
  nows_.emplace_back(universe, kNone);
  return universe;
}

// Each specification among those that it refers to, whether or not it has invariants; what a test
// module describes are particular situations, in which much is impossible.
void Translator::structure() {
  const bool test = program_.module(0).ast.test;
  for (std::uint32_t s = 0; s < program_.specs().size(); ++s) {
    const Spec& spec = program_.specs()[s];
    if (spec.modifier == SpecModifier::Abstract || spec.modifier == SpecModifier::External ||
        spec.initial == kNone || (spec.decl.module != 0 && !test)) {
      continue;
    }
    network_->machine(nets_[s].machine).universe = default_universe(s);
  }
}

void Translator::invariants(std::uint32_t s) {
  const Spec& spec = program_.specs()[s];
  if (spec.modifier == SpecModifier::Abstract || spec.modifier == SpecModifier::External ||
      spec.invariants.empty() || spec.initial == kNone) {
    return;
  }
  elaborator_.set_user(s);
  const UniverseId universe = default_universe(s);
  for (const Decl& decl : spec.invariants) {
    const ModuleAst& ast = program_.module(decl.module).ast;
    const InvariantAst& invariant = ast.invariants[decl.index];
    std::vector<Expr> all;
    for (const InstanceId instance : network_->universe(universe).instances) {
      if (network_->instance(instance).machine != nets_[s].machine) continue;
      Scope scope;
      scope.module = decl.module;
      scope.has_this = true;
      scope.self = s;
      scope.instance = instance;
      scope.place = "in an invariant";
      std::vector<Expr> holds;
      for (std::uint32_t i = 0; i < invariant.body.count; ++i) {
        const TypedTerm val = elaborator_.statement(scope, ast.stmts[invariant.body.first + i]);
        if (val.a.valid()) holds.push_back(elaborator_.conj(val.def, val.a));
      }
      const Expr initial =
          pool_.symbol(network_->at_instance(instance, nets_[s].states[spec.initial]));
      all.push_back(pool_.disj(initial, pool_.conj(holds)));
    }
    if (diagnostics().has_errors()) continue;
    Property property;
    property.kind = PropertyKind::Invariant;
    property.name = unique_name(text(spec.name) + "." + text(invariant.name.simple));
    property.set_condition(pool_.conj(all));
    property.universe = universe;
    property.demand = true;
    property.origin = ast.span(invariant.name.at);
    frontend::expect_of(property, invariant.expected, diagnostics());
    network_->add_property(std::move(property));
  }
}

// ----- now

void Translator::set_now(UniverseId universe, ExprRef now) {
  const ModuleAst& ast = program_.module(0).ast;
  const auto [date, time] = elaborator_.now_variables();
  const Expr date_term = pool_.symbol(network_->variable(date).current);
  const Expr time_term = pool_.symbol(network_->variable(time).current);
  std::vector<Expr>& init = network_->universe(universe).init;
  init.push_back(encoder_->domain(Kind::Time, time_term));
  if (now == kNone) return;
  const ExprNode n = ast.expr(now);
  const ExprNode day = n.kind == ExprKind::DateTime ? ast.expr(n.a) : n;
  auto number = [&](long value) { return pool_.integer(Integer(value)); };
  if (day.kind == ExprKind::Date && day.c == kNone) {  // in any year
    const Encoder::Civil parts = encoder_->civil(date_term);
    init.push_back(pool_.eq(parts.day, number(day.a)));
    init.push_back(pool_.eq(parts.month, number(day.b)));
  } else if (day.kind == ExprKind::Date) {
    const auto days = static_cast<long>(Encoder::day_number(day.c, day.b, day.a));
    init.push_back(pool_.eq(date_term, number(days)));
  }
  if (n.kind == ExprKind::DateTime) init.push_back(pool_.eq(time_term, number(ast.expr(n.b).a)));
}

// Where every universe has the same time, `now` is a constant, and what is computed from it folds.
void Translator::fix_now() {
  const ModuleAst& ast = program_.module(0).ast;
  if (ast.setups.empty() || *program_.options().own.get<RebelOptions>().invariants) return;
  for (const Spec& spec : program_.specs()) {
    if (spec.decl.module == 0 && !spec.invariants.empty()) return;
  }
  std::optional<std::pair<long, long>> found;
  for (const SetupAst& setup : ast.setups) {
    std::optional<std::pair<long, long>> here;
    for (std::uint32_t i = 0; i < setup.stmts.count; ++i) {
      const SetupStmtAst& stmt = ast.setup_stmts[setup.stmts.first + i];
      if (!stmt.is_now || ast.expr(stmt.now).kind != ExprKind::DateTime) continue;
      const ExprNode& day = ast.expr(ast.expr(stmt.now).a);
      if (day.c == kNone) return;
      here = {static_cast<long>(Encoder::day_number(day.c, day.b, day.a)),
              static_cast<long>(ast.expr(ast.expr(stmt.now).b).a)};
    }
    if (!here || (found && *found != *here)) return;
    found = here;
  }
  elaborator_.fix_now(Integer(found->first), Integer(found->second));
  now_fixed_ = true;
}

void Translator::finish_now() {
  const ModuleAst& ast = program_.module(0).ast;
  for (const auto& [universe, now] : nows_) {
    if (now == kNone) continue;
    const ExprKind kind = ast.expr(now).kind;
    if (kind == ExprKind::DateTime || kind == ExprKind::Date || kind == ExprKind::Bad) continue;
    diagnostics().report("rebel-086", ast.span(ast.expr(now).at),
                         "the time must be written out here",
                         "for example: now is 26 Sep 2016, 16:42;");
  }
  if (!elaborator_.now_used() || now_fixed_) return;
  const auto [date, time] = elaborator_.now_variables();
  register_group("now", Kind::DateTime,
                 {network_->variable(date).current, network_->variable(time).current});
  bool warned = false;
  for (const auto& [universe, now] : nows_) {
    set_now(universe, now);
    // Invariants are about any time, without a word.
    if (now != kNone || warned || ast.setups.empty()) continue;
    warned = true;
    diagnostics().report("rebel-087", elaborator_.now_place(),
                         "'now' is used, but not every configuration says what time it is",
                         "add 'now is 26 Sep 2016, 16:42;' to the configuration; any time is "
                         "possible otherwise");
  }
}

}  // namespace whittle::rebel
