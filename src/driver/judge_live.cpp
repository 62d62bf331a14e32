// SPDX-License-Identifier: Apache-2.0
#include "driver/judge_live.h"

#include <utility>

#include "ir/ltl.h"
#include "ir/live/formula.h"
#include "ltl/translate.h"
#include "witness/elimination_check.h"
#include "witness/live_formula_check.h"
#include "witness/live_proof_check.h"
#include "witness/run_check.h"

namespace whittle {

namespace {

std::string_view to_string(ltl::PropertyClass property_class) {
  switch (property_class) {
    case ltl::PropertyClass::Safety:
      return "safety";
    case ltl::PropertyClass::Guarantee:
      return "guarantee";
    case ltl::PropertyClass::General:
      return "general";
  }
  return "general";
}

// The system that was searched, made again from the network; eliminations are checked on the way.
class ProductAgain {
 public:
  ProductAgain(const Prepared& prepared, const smt::SolverFactory& checker)
      : network_(prepared.transformed().network()), live_(*prepared.live()) {
    LowerOptions options;
    std::vector<Elimination> eliminated;
    options.eliminate =
        written_elimination(network_.pool(), checker.settings().limits, eliminated);
    lowered_ = lower(network_, prepared.transformed().property(), options);
    problem_ = check_eliminations(network_.pool(), eliminated, checker);
    if (problem_) return;
    if (auto wrong = formula_problem(prepared.transformed().property()))
      problem_ = Unexpected{RejectedWitness{*wrong}};
    product_ = live_product(lowered_.system, live_.formula, at_step(lowered_)).system;
  }

  // Why nothing can be said about it; none: it is what the property asks about.
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const TransitionSystem& system() const { return product_; }

 private:
  std::optional<std::string> formula_problem(PropertyId id) {
    LtlPool& ltl = network_.ltl();
    const auto& asked = network_.property(id).as<RunGoal>();
    const LtlFormula refuting = with_atoms(
        ltl, whittle::refuting(ltl, network_.pool(), asked.formula, asked.assumption),
        [&](Expr condition) { return lowered_.back->flat_condition(condition); });
    return live_formula_problem(ltl, network_.pool(), refuting, live_.formula, live_.certificate,
                                lowered_.system);
  }

  Network& network_;
  const LiveQuestion& live_;
  Lowered lowered_;
  TransitionSystem product_;
  Problem problem_;
};

}  // namespace

LiveFacts live_facts(const Prepared& prepared) {
  const LiveQuestion& live = *prepared.live();
  LiveFacts facts;
  const Automaton& automaton = live.formula.automaton;
  facts.states = automaton.size();
  for (const auto& edges : automaton.edges) facts.edges += edges.size();
  facts.acceptance = automaton.acceptance;
  facts.property_class = "general";
  try {
    LtlPool& ltl = prepared.network().ltl();
    if (live.strength == AutomatonStrength::Terminal) {
      facts.property_class = "safety";
    } else {
      const LtlFormula wanted = negation_normal_form(ltl, live.certificate.formula, false);
      facts.property_class = to_string(ltl::property_class(ltl, wanted));
    }
  } catch (const ResourceError&) {  // an automaton too large to tell
  }
  for (const Fairness& unit : prepared.network().fairness) {
    facts.fairness.push_back((unit.kind == Fairness::Kind::Strong ? "strong " : "weak ") +
                             unit.name);
  }
  return facts;
}

Judgement judge_run(const EngineResult& found, const Prepared& prepared,
                    const smt::SolverFactory& checker) {
  const Reached& reached = *found.reached();
  auto lifted = prepared.trace(reached.trace);
  if (!lifted) {
    if (prepared.pipeline() != Pipeline::All)
      return Rejected{"a run of an exact transformation does not lift"};
    return NotLifted{Pipeline::ExactOnly, lifted.error()};
  }
  auto checked = check_run(prepared.network(), prepared.property(), *lifted, checker);
  if (!checked) {
    const std::string& unsaid = prepared.lowered().more_runs;
    if (unsaid.empty()) return Rejected{checked.error().reason};
    return NotShown{checked.error().reason + "; " + unsaid};
  }
  Accepted accepted;
  accepted.verdict.found = TraceFound{std::move(*lifted), reached.shortest};
  accepted.verdict.witness = checked->check;
  accepted.replay = std::move(checked->replay);
  return accepted;
}

Judgement judge_no_run(const EngineResult& found, const Prepared& prepared,
                       const smt::SolverFactory& checker) {
  const ProductAgain product(prepared, checker);
  Accepted accepted;
  NoTrace none{UpToBound{}, prepared.question().bound.max};
  WhyUnreachable why = found.unreachable()->why;
  if (auto* proof = std::get_if<Inductive>(&why)) {
    proof->invariant = prepared.flat_condition(proof->invariant);
    none.why = LiveProof{"invariant"};
  } else {
    std::visit([&](const auto& other) { none.why = other; }, why);
  }
  accepted.verdict.found = std::move(none);
  Problem ends = product.problem();
  if (!ends) ends = check_live_proof(product.system(), why, checker);
  if (ends) {
    if (!*ends) return Rejected{ends->error().reason};
    accepted.verdict.witness = ends->value();
    accepted.verdict.witness.on = prepared.checked_on();
  }
  return accepted;
}

}  // namespace whittle
