// SPDX-License-Identifier: Apache-2.0
#include "driver/judge_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/lifted_region.h"
#include "engine/transformed.h"
#include "expr/traverse.h"
#include "ir/live/formula.h"
#include "ir/ltl.h"
#include "ltl/translate.h"
#include "report/shown.h"
#include "witness/elimination_check.h"
#include "witness/live_formula_check.h"
#include "witness/live_proof_check.h"
#include "witness/region_check.h"
#include "witness/run_check.h"
#include "witness/step_map_check.h"

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
      : network_(prepared.transformed().network()),
        property_(prepared.transformed().property()),
        live_(*prepared.live()) {
    LowerOptions options;
    std::vector<Elimination> eliminated;
    options.eliminate = written_elimination(network_.pool(), checker.settings().limits, eliminated);
    lowered_ = lower(network_, prepared.transformed().property(), options);
    problem_ = check_eliminations(network_.pool(), eliminated, checker);
    if (problem_) return;
    if (auto wrong = formula_problem(prepared.transformed().property()))
      problem_ = Unexpected{RejectedWitness{*wrong}};
    product_ = live_product(lowered_.system, live_.formula, at_step(lowered_));
  }

  // Why nothing can be said about it; none: it is what the property asks about.
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const TransitionSystem& system() const { return product_.system; }

  // What the formula speaks of, before each step of the loop of a run of the product. Empty: there
  // is no such run.
  [[nodiscard]] std::vector<std::vector<Expr>> letters(const FlatTrace& trace) {
    std::vector<std::vector<Expr>> result;
    const auto steps = product_.back->trace(trace);
    if (!steps) return result;
    const auto& asked = network_.property(property_).as<RunGoal>();
    LtlPool& ltl = network_.ltl();
    const std::vector<Expr> atoms =
        ltl.atoms(whittle::refuting(ltl, network_.pool(), asked.formula, asked.assumption));
    for (std::size_t i = *trace.loop; i < steps->steps.size(); ++i) {
      std::vector<Expr>& here = result.emplace_back();
      for (const Expr atom : atoms) {
        const Expr flat = lowered_.back->flat_condition(atom);
        here.push_back(lowered_.back->at_step(flat, steps->steps[i].transition));
      }
    }
    return result;
  }

 private:
  std::optional<std::string> formula_problem(PropertyId id) {
    LtlPool& ltl = network_.ltl();
    const auto& asked = network_.property(id).as<RunGoal>();
    const LtlFormula refuting =
        with_atoms(ltl, whittle::refuting(ltl, network_.pool(), asked.formula, asked.assumption),
                   [&](Expr condition) { return lowered_.back->flat_condition(condition); });
    return live_formula_problem(ltl, network_.pool(), refuting, live_.formula, live_.certificate,
                                lowered_.system);
  }

  Network& network_;
  PropertyId property_;
  const LiveQuestion& live_;
  Lowered lowered_;
  FlatTransformed product_;
  Problem problem_;
};

// What an argument says in numbers.
struct WithoutTerms {
  NoTrace::Why& result;
  template <class Why>
  void operator()(const Why& why) const {
    result = why;
  }
  void operator()(const Ranking&) const { result = LiveProof{"ranking"}; }
  void operator()(const KLiveness&) const { result = LiveProof{"k-liveness"}; }
};

// What of the region can be said of the network.
Expr shown_region(const Prepared& prepared, Expr condition) {
  ExprPool& pool = prepared.network().pool();
  std::vector<Expr> parts;
  for (const Expr part : conjuncts(pool, condition)) {
    const Expr said = prepared.invariant(part);
    if (said.valid()) parts.push_back(said);
  }
  return pool.conj(parts);
}

// What is tried where an answer about a slice cannot be shown of the model: a slice that keeps
// every step, then none.
std::optional<Pipeline> with_less(const Prepared& prepared) {
  if (!prepared.changed()) return std::nullopt;
  const bool steps_go =
      prepared.slice().mode == "compressed" || prepared.transformed().step_maps().size() > 1;
  if (prepared.pipeline() == Pipeline::All && steps_go) return Pipeline::ExactOnly;
  if (prepared.pipeline() == Pipeline::All || prepared.pipeline() == Pipeline::ExactOnly)
    return Pipeline::Nothing;
  return std::nullopt;
}

Judgement not_of_the_model(const Prepared& prepared, const std::string& reason) {
  if (const auto less = with_less(prepared)) return NotLifted{*less, reason};
  return Rejected{reason};
}

// Every run of the network as parsed is one of the slice, as far as the formula can tell. None: it
// is shown.
std::optional<Judgement> slice_problem(const Prepared& prepared,
                                       const smt::SolverFactory& checker) {
  for (const StepMap* map : prepared.transformed().step_maps()) {
    const Problem problem = check_step_map(*map, checker);
    if (!problem) continue;
    if (!*problem) return not_of_the_model(prepared, problem->error().reason);
    const WitnessCheck& unchecked = **problem;
    return not_of_the_model(prepared, "the slice is not checked: " + unchecked.gap->obligation);
  }
  return std::nullopt;
}

// A loop whose rounds differ: of the network as parsed only, since what was sliced away may not
// allow another round.
Judgement judge_region(const EngineResult& found, const Prepared& prepared,
                       const smt::SolverFactory& checker) {
  if (prepared.changed()) {
    if (const auto less = with_less(prepared))
      return NotLifted{*less, "a loop whose rounds differ, of a slice"};
    return NotShown{"a loop whose rounds differ cannot be shown of the model as it was written"};
  }
  const auto flat = prepared.flat_trace(found.reached()->trace);
  if (!flat) return NotShown{flat.error().text()};
  auto lifted = prepared.trace(found.reached()->trace);
  if (!lifted) return Rejected{"a run of an exact transformation does not lift"};
  lifted->region = shown_region(prepared, flat->region->condition);
  ProductAgain product(prepared, checker);
  Problem problem = product.problem();
  if (!problem) problem = check_region(product.system(), *flat, checker, product.letters(*flat));
  if (!*problem) return Rejected{problem->error().reason};
  auto checked = check_run(prepared.network(), prepared.property(), *lifted, checker);
  if (!checked) {
    const std::string& unsaid = prepared.lowered().more_runs;
    if (unsaid.empty()) return Rejected{checked.error().reason};
    return NotShown{checked.error().reason + "; " + unsaid};
  }
  Accepted accepted;
  accepted.verdict.found = TraceFound{std::move(*lifted), false};
  accepted.verdict.witness = checked->check;
  if (!(*problem)->checked) {
    accepted.verdict.witness = **problem;
  } else if (checked->check.checked) {
    accepted.verdict.witness = **problem;
  }
  accepted.replay = std::move(checked->replay);
  return accepted;
}

// Functions of a level are mostly the same at all places: the shortest that is none of constants.
std::string shown_function(const Prepared& prepared, const std::vector<Expr>& level) {
  ExprPool& pool = prepared.network().pool();
  std::string best;
  for (const Expr function : level) {
    if (!function.valid() || pool.is_const(function)) continue;
    const Type type = pool.type(function);
    const Expr unknown = pool.symbol(pool.declare("function", type));
    const Expr said = prepared.invariant(pool.lt(function, unknown));
    if (!said.valid() || pool.op(said) != Op::Lt || pool.child(said, 1) != unknown) continue;
    const std::string text =
        ModelShown(prepared.network(), prepared.question().universe).condition(pool.child(said, 0));
    if (best.empty() || text.size() < best.size()) best = text;
  }
  return best;
}

LiveProof shown(const Prepared& prepared, const Ranking& ranking) {
  LiveProof result{"ranking"};
  std::string functions;
  for (const auto& level : ranking.levels) {
    const std::string one = shown_function(prepared, level);
    if (!one.empty()) functions += (functions.empty() ? "" : ", ") + one;
  }
  result.text = functions;
  if (ranking.levels.empty()) {
    result.answer = "no loop meets what it would have to meet";
  } else if (!functions.empty()) {
    const bool one = ranking.levels.size() == 1;
    result.answer = (one ? functions : "(" + functions + ")") + " falls with every round";
  }
  return result;
}

LiveProof shown(const KLiveness& bound) {
  LiveProof result{"k-liveness"};
  result.answer = bound.k == 0   ? "accepting steps do not happen"
                  : bound.k == 1 ? "accepting steps happen at most once"
                                 : fmt::format("accepting steps happen at most {} times", bound.k);
  return result;
}

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
  if (reached.trace.region) return judge_region(found, prepared, checker);
  auto lifted = prepared.trace(reached.trace);
  if (!lifted) return not_of_the_model(prepared, lifted.error());
  const bool differs = lifted->region.valid();
  if (differs) {
    const Problem problem =
        lifted_region_problem(prepared.network(), prepared.property(), *lifted, checker);
    if (problem)
      return not_of_the_model(prepared,
                              *problem ? (**problem).gap->obligation : problem->error().reason);
  }
  // What the model leaves out may be what would be possible at the end.
  const std::string& left_out = prepared.question().incomplete;
  if (!left_out.empty() && lifted->loop == lifted->steps.size()) return NotShown{left_out};
  auto checked = check_run(prepared.network(), prepared.property(), *lifted, checker);
  if (!checked) {
    // What was sliced away may not let the model do what the slice does.
    if (const auto less = with_less(prepared)) return NotLifted{*less, checked.error().reason};
    const std::string& unsaid = prepared.lowered().more_runs;
    if (unsaid.empty()) return Rejected{checked.error().reason};
    return NotShown{checked.error().reason + "; " + unsaid};
  }
  Accepted accepted;
  accepted.verdict.found = TraceFound{std::move(*lifted), reached.shortest};
  accepted.verdict.witness = checked->check;
  std::vector<std::string>& by = accepted.verdict.witness.by;
  const std::string solver(smt::info(checker.settings().id).name);
  if (differs && std::find(by.begin(), by.end(), solver) == by.end()) by.push_back(solver);
  accepted.replay = std::move(checked->replay);
  return accepted;
}

Judgement judge_no_run(const EngineResult& found, const Prepared& prepared,
                       const smt::SolverFactory& checker) {
  if (auto problem = slice_problem(prepared, checker)) return std::move(*problem);
  const ProductAgain product(prepared, checker);
  Accepted accepted;
  NoTrace none{UpToBound{}, prepared.question().bound.max};
  WhyUnreachable why = found.unreachable()->why;
  if (std::holds_alternative<Ranking>(why) || std::holds_alternative<KLiveness>(why)) {
    const EngineResult of_product = prepared.flat_result(found);
    if (of_product.unreachable() == nullptr) return NotShown{reason_text(of_product)};
    why = of_product.unreachable()->why;
  }
  if (const auto* ranking = std::get_if<Ranking>(&why)) {
    none.why = shown(prepared, *ranking);
  } else if (const auto* bound = std::get_if<KLiveness>(&why)) {
    none.why = shown(*bound);
  } else if (auto* proof = std::get_if<Inductive>(&why)) {
    proof->invariant = prepared.flat_condition(proof->invariant);
    none.why = LiveProof{"invariant"};
  } else {
    std::visit(WithoutTerms{none.why}, why);
  }
  accepted.verdict.found = std::move(none);
  Problem ends = product.problem();
  if (!ends) ends = check_live_proof(product.system(), why, checker);
  if (ends) {
    if (!*ends) return Rejected{ends->error().reason};
    accepted.verdict.witness = ends->value();
    // A slice that was shown to have all runs of the network as parsed stands for it.
    accepted.verdict.witness.on =
        prepared.same_runs() ? WitnessCheck::On::Model : prepared.checked_on();
  }
  return accepted;
}

}  // namespace whittle
