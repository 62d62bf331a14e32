// SPDX-License-Identifier: Apache-2.0
#include "driver/constraints.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "base/error.h"
#include "engine/invariants/state_constraints.h"
#include "expr/readable.h"
#include "expr/traverse.h"
#include "ir/lowering/lower.h"
#include "smt/elimination/quantifier_elimination.h"
#include "witness/invariant_check.h"

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kPerQuery{300};
constexpr std::size_t kMaxCandidates = 200;  // of one location of one of several instances

Deadline limited(double seconds, Deadline deadline) {
  if (seconds <= 0) return deadline;
  return deadline.earlier(
      Deadline::after(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000))));
}

// The constraints of one universe.
class Finder {
 public:
  Finder(std::shared_ptr<Network> network, UniverseId universe, DecideContext& context)
      : network_(std::move(network)),
        pool_(network_->pool()),
        context_(context),
        options_(context.options.get<ConstraintOptions>()),
        deadline_(limited(*options_.timeout, context.deadline)),
        solvers_(settings()) {
    result_.network = network_;
    result_.universe = universe;
  }

  ReachableConstraints run();

 private:
  [[nodiscard]] smt::SolverFactory::Settings settings() const;
  [[nodiscard]] PropertyId demand(Expr condition);
  // What is known at the nodes of the flat system, as conditions over the network.
  void distribute(const StateConstraints& constraints, const Lowering& back);
  void add(InstanceId instance, LocationId location, Expr condition);
  [[nodiscard]] Expr common(const std::vector<Expr>& cases);
  [[nodiscard]] Expr without_redundant(Expr condition);
  [[nodiscard]] bool implied(std::span<const Expr> given, Expr conclusion);
  void check(Expr invariant);

  std::shared_ptr<Network> network_;
  ExprPool& pool_;
  DecideContext& context_;
  const ConstraintOptions& options_;
  Deadline deadline_;
  smt::SolverFactory solvers_;
  std::unique_ptr<smt::Solver> solver_;
  ReachableConstraints result_;
};

smt::SolverFactory::Settings Finder::settings() const {
  smt::SolverFactory::Settings settings;
  settings.id = *options_.solver;
  settings.limits.deadline = deadline_;
  settings.limits.cancel = context_.cancel;
  if (*options_.memory > 0) settings.limits.memory_mb = *options_.memory;
  return settings;
}

PropertyId Finder::demand(Expr condition) {
  Property property;
  property.name = "constraints";
  property.kind = PropertyKind::Invariant;
  property.set_condition(condition);
  property.universe = result_.universe;
  return network_->add_property(std::move(property));
}

bool Finder::implied(std::span<const Expr> given, Expr conclusion) {
  smt::Scope scope(*solver_);
  for (Expr condition : given) solver_->require(condition);
  solver_->require(pool_.negate(conclusion));
  return solver_->check().answer == smt::Answer::Unsat;
}

// What all the cases have in common: of the conditions of one those that follow from each other. Of
// `n == 0` here and `n == 1` there that is `n >= 0 && n <= 1`.
Expr Finder::common(const std::vector<Expr>& cases) {
  if (cases.size() == 1) return cases[0];
  std::vector<Expr> candidates;
  std::unordered_set<Expr> seen;
  const auto add = [&](Expr part) {
    if (candidates.size() < kMaxCandidates && seen.insert(part).second) candidates.push_back(part);
  };
  for (Expr one : cases) {
    for (Expr part : conjuncts(pool_, one)) {
      add(part);
      if (pool_.op(part) != Op::Eq) continue;
      const Expr a = pool_.child(part, 0), b = pool_.child(part, 1);
      if (pool_.type(a) != Type::integer() && pool_.type(a) != Type::real()) continue;
      add(pool_.ge(a, b));
      add(pool_.le(a, b));
    }
  }
  const std::set<Expr> distinct(cases.begin(), cases.end());
  std::erase_if(candidates, [&](Expr candidate) {
    return !std::all_of(distinct.begin(), distinct.end(), [&](Expr one) {
      return implied(std::span<const Expr>(&one, 1), candidate);
    });
  });
  return pool_.conj(candidates);
}

// Without conjuncts that follow from the others; late ones first, which is where guesses are.
Expr Finder::without_redundant(Expr condition) {
  std::vector<Expr> parts = conjuncts(pool_, condition);
  for (std::size_t i = parts.size(); i-- > 0 && parts.size() > 1;) {
    const Expr part = parts[i];
    std::vector<Expr> others = parts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (implied(others, part)) parts = std::move(others);
  }
  return pool_.conj(parts);
}

void Finder::add(InstanceId instance, LocationId location, Expr condition) {
  result_.locations.push_back({instance, location, readable(pool_, without_redundant(condition))});
}

void Finder::distribute(const StateConstraints& constraints, const Lowering& back) {
  const absint::ControlGraph& graph = constraints.graph();
  std::map<std::pair<InstanceId, LocationId>, std::vector<Expr>> cases;
  std::vector<Expr> everywhere;
  for (std::uint32_t n = 0; n < graph.size(); ++n) {
    const Expr known = back.condition(constraints.at(n));
    everywhere.push_back(known);
    for (Expr place : conjuncts(pool_, back.condition(graph.is_at(n)))) {
      if (!pool_.is_variable(place)) continue;
      const Role role = network_->role(pool_.symbol_of(place));
      if (role.kind == RoleKind::InstanceAt)
        cases[{role.instance, LocationId(role.id)}].push_back(known);
    }
  }
  if (cases.empty()) return add({}, {}, common(everywhere));
  for (InstanceId instance : network_->universe(result_.universe).instances) {
    const Machine& machine = network_->machine(network_->instance(instance).machine);
    if (machine.locations.size() < 2) continue;
    for (LocationId location : machine.locations) {
      const auto here = cases.find({instance, location});
      if (here == cases.end()) {
        result_.locations.push_back({instance, location, pool_.boolean(false)});
      } else {
        add(instance, location, common(here->second));
      }
    }
  }
}

// That the constraints hold is one more property, and what was found is its proof.
void Finder::check(Expr invariant) {
  const PropertyId said = demand(pool_.conj(as_conditions(result_)));
  smt::Limits limits = solvers_.settings().limits;
  limits.deadline = limited(*options_.check_timeout, context_.deadline);
  auto checked = check_invariant(*network_, said, {invariant, 1},
                                 solvers_.with(smt::other(*options_.solver)).with(limits));
  if (!checked) throw InternalError("the constraints were rejected: " + checked.error().reason);
  result_.witness = *checked;
}

ReachableConstraints Finder::run() {
  for (const Property& property : network_->properties()) {
    if (property.universe == result_.universe && !property.incomplete.empty()) {
      result_.reason = property.incomplete;
      return result_;
    }
  }
  try {
    LowerOptions lowering;
    lowering.eliminate = smt::elimination(pool_, solvers_.settings().limits);
    Lowered lowered = lower(*network_, demand(pool_.boolean(true)), lowering);
    for (const Property& property : network_->properties()) {
      if (property.universe == result_.universe && property.kind == PropertyKind::Constraint)
        lowered.system.hints.push_back(lowered.back->flat_condition(property.condition()));
    }
    Statistics statistics;
    Env env{context_.options, solvers_,     deadline_,         context_.cancel,
            statistics,       context_.log, context_.progress, "constraints"};
    StateConstraints constraints(lowered.system, env);
    // With several machines, what holds at a location of one is what many nodes have in common;
    // that is found among conjuncts.
    const auto joins = constraints.graph().single() ? StateConstraints::Joins::Disjunctive
                                                    : StateConstraints::Joins::Convex;
    if (!constraints.deduce(joins)) {
      result_.reason = env.stopped().value_or(Reason{}).text();
      return result_;
    }
    constraints.guess();
    solver_ = solvers_.make(pool_, "constraints");
    solver_->set_time_per_check(kPerQuery);
    distribute(constraints, *lowered.back);
    check(lowered.back->condition(constraints.invariant()));
  } catch (const ResourceError& error) {
    result_.locations.clear();
    result_.reason = error.what();
  }
  return result_;
}

}  // namespace

std::vector<ReachableConstraints> reachable_constraints(const std::shared_ptr<Network>& model,
                                                        DecideContext& context) {
  const auto network = std::make_shared<Network>(*model);
  std::set<UniverseId> universes;
  for (std::size_t m = 0; m < network->machines().size(); ++m) {
    for (std::size_t u = 0; u < network->universes().size(); ++u) {
      if (network->instances_of(UniverseId(u), MachineId(m)).empty()) continue;
      universes.insert(UniverseId(u));
      break;
    }
  }
  std::vector<ReachableConstraints> result;
  for (UniverseId universe : universes) {
    result.push_back(Finder(network, universe, context).run());
  }
  return result;
}

std::vector<Expr> as_conditions(const ReachableConstraints& constraints) {
  Network& network = *constraints.network;
  ExprPool& pool = network.pool();
  std::vector<Expr> result;
  for (const LocationConstraint& known : constraints.locations) {
    const Expr at = known.instance.valid()
                        ? pool.symbol(network.at_instance(known.instance, known.location))
                        : pool.boolean(true);
    result.push_back(pool.implies(at, known.condition));
  }
  return result;
}

}  // namespace whittle
