// SPDX-License-Identifier: Apache-2.0
// Formulas of temporal logic about random networks, with and without fairness, through the whole
// pipeline and against the textbook: all states by the interpreter, the tableau of Gerth et al. and
// nested depth-first search. And witnesses that are wrong on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.h"
#include "driver/decide.h"
#include "driver/decide_options.h"
#include "driver/live.h"
#include "engine/engines.h"
#include "engine/lasso.h"
#include "ir/live/product.h"
#include "ir/ltl_text.h"
#include "smt/elimination/quantifier_elimination.h"
#include "support/effort.h"
#include "support/ltl_words.h"
#include "support/network_graph.h"
#include "support/textbook_ltl.h"
#include "witness/live_states_check.h"
#include "witness/run_check.h"

namespace whittle {
namespace {

// A network with a question: two conditions, whether the run is at its end, and perhaps a unit of
// fairness.
class Question {
 public:
  explicit Question(unsigned seed)
      : random_(test::random_network(seed, options())), choices_(seed), graph_(random_, 400) {
    Network& network = *random_.network;
    std::vector<Expr> conditions;
    for (const PropertyId id : random_.properties) {
      const Expr condition = network.property(id).condition();
      if (condition.valid() && !network.pool().is_const(condition)) conditions.push_back(condition);
    }
    if (conditions.size() < 2) return;
    atoms_ = {conditions[0], conditions[1], network.pool().symbol(network.halt())};
    if (choices_() % 2 == 0) add_fairness(network);
    numbered_ = test::RandomLtl(ltl_, seed, 3).formula(1 + seed % 6);
    Property property = network.property(random_.properties[0]);
    property.name = "formula";
    property.kind = PropertyKind::Ltl;
    property.bound = {};
    property.goal = RunGoal{of_network(network.ltl(), numbered_)};
    id_ = network.add_property(std::move(property));
  }

  // Few states, all of them seen.
  [[nodiscard]] bool usable() const { return id_.valid() && graph_.complete(); }
  [[nodiscard]] const std::shared_ptr<Network>& network() const { return random_.network; }
  [[nodiscard]] PropertyId id() const { return id_; }
  [[nodiscard]] std::string text() const {
    return test::print(ltl_, numbered_) + (unit_ ? " fair" : "") + "\n" +
           test::described(*random_.network);
  }

  // Does some fair run violate the formula?
  bool violated() {
    LtlFormula fair = ltl_.constant(true);
    if (unit_) {
      const LtlFormula possible = ltl_.atom(Expr(3)), taken = ltl_.atom(Expr(4));
      const auto again = [&](LtlFormula f) { return ltl_.always(ltl_.eventually(f)); };
      fair = unit_->kind == Fairness::Kind::Weak
                 ? again(ltl_.either(ltl_.negation(possible), taken))
                 : ltl_.implies(again(possible), again(taken));
    }
    const LtlFormula wrong = negation_normal_form(ltl_, ltl_.both(fair, ltl_.negation(numbered_)));
    test::TextbookChecker textbook(ltl_, wrong);
    test::LetterGraph graph = letters();
    for (std::size_t first = 0; first < graph_.first_count(); ++first) {
      graph.initial = static_cast<std::uint32_t>(2 * first);
      if (textbook.some_path(graph)) return true;
    }
    return false;
  }

 private:
  static test::RandomNetworkOptions options() {
    test::RandomNetworkOptions result;
    result.partial = false;  // undefined conditions have tests of their own
    result.max_instances = 2;
    result.max_variables = 2;
    return result;
  }

  void add_fairness(Network& network) {
    const EventId event(static_cast<std::uint32_t>(choices_() % network.events().size()));
    const MachineId machine = network.event(event).machine;
    // Of one instance, so that one unit is all there is.
    if (network.instances_of(random_.universe, machine).size() != 1) return;
    const auto kind = choices_() % 2 == 0 ? Fairness::Kind::Weak : Fairness::Kind::Strong;
    unit_ = Fairness{kind, machine, {event}, "event", {}};
    network.fairness.push_back(*unit_);
  }

  LtlFormula of_network(LtlPool& into, LtlFormula f) {
    std::unordered_map<LtlFormula, LtlFormula> done;
    for (const LtlFormula g : ltl_.subformulas(f)) {
      std::vector<LtlFormula> parts;
      for (const LtlFormula child : ltl_.children(g)) parts.push_back(done.at(child));
      done[g] = ltl_.op(g) == LtlOp::Atom ? into.atom(atoms_[ltl_.condition(g).id()])
                                          : into.make(ltl_.op(g), parts);
    }
    return done.at(f);
  }

  // Each state twice: the second one where the last step was one of the unit.
  test::LetterGraph letters() {
    test::LetterGraph result;
    for (std::uint32_t state = 0; state < graph_.size(); ++state) {
      std::uint32_t letter = 0;
      for (std::uint32_t i = 0; i < 2; ++i)
        if (graph_.holds(atoms_[i], state)) letter |= 1U << i;
      if (graph_.steps(state).empty()) letter |= 4U;
      std::vector<std::uint32_t> next;
      for (const auto& step : graph_.steps(state)) {
        const bool in_unit = of_unit(step);
        if (in_unit) letter |= 8U;
        next.push_back(2 * step.target + (in_unit ? 1 : 0));
      }
      if (next.empty()) next.push_back(2 * state);
      for (const std::uint32_t taken : {0U, 16U}) {
        result.letters.push_back(letter | taken);
        result.successors.push_back(next);
      }
    }
    return result;
  }
  [[nodiscard]] bool of_unit(const test::NetworkGraph::Step& step) const {
    return unit_ && std::any_of(step.who.begin(), step.who.end(),
                                [&](const auto& one) { return one.second == unit_->events[0]; });
  }

  test::RandomNetwork random_;
  std::mt19937 choices_;
  test::NetworkGraph graph_;
  LtlPool ltl_;  // of the numbered formula
  std::vector<Expr> atoms_;
  LtlFormula numbered_;
  std::optional<Fairness> unit_;
  PropertyId id_;
};

PropertyResult decided(const Question& question, const std::string& engine) {
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set(engine);
  deciding.timeout.set(2);
  options.add<LassoOptions>().max_depth.set(8);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide("random", question.network(), question.id(), context);
}

smt::SolverFactory checking_solver() {
  smt::SolverFactory::Settings settings;
  settings.id = smt::SolverId::Cvc5;
  settings.limits.deadline = Deadline::after(std::chrono::seconds(20));
  return smt::SolverFactory(settings);
}

TEST(TemporalRandom, EnginesAgreeWithTheTextbook) {
  int holds = 0, violated = 0, by_lasso = 0;
  for (unsigned seed = 1; seed <= 80U * static_cast<unsigned>(test::effort()) && !HasFailure();
       ++seed) {
    Question question(30'000 + seed + test::seed_offset());
    if (!question.usable()) continue;
    const bool expected = question.violated();
    for (const char* engine : {"scc", "lasso"}) {
      try {
        const PropertyResult result = decided(question, engine);
        if (!result.verdict.known()) continue;
        EXPECT_TRUE(result.verdict.witness.checked) << engine << ", seed " << seed;
        EXPECT_EQ(result.verdict.kind() == VerdictKind::Violated, expected)
            << engine << ", seed " << seed << ": " << question.text();
        if (std::string_view(engine) == "lasso")
          ++by_lasso;
        else
          (expected ? violated : holds) += 1;
      } catch (const InternalError& rejected) {
        ADD_FAILURE() << engine << ", seed " << seed << ": " << rejected.what() << "\n"
                      << question.text();
      }
    }
  }
  EXPECT_GT(holds, 8 * test::effort());
  EXPECT_GT(violated, 20 * test::effort());
  EXPECT_GT(by_lasso, 15 * test::effort());
}

// Changes of a run that make another one of it.
Trace changed(const Trace& run, std::mt19937& random) {
  Trace result = run;
  const std::size_t steps = result.steps.size();
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  switch (below(5)) {
    case 0:
      if (steps > 0) result.steps.erase(result.steps.begin() + static_cast<long>(below(steps)));
      break;
    case 1:
      result.loop = below(steps + 1);
      break;
    case 2:
      if (steps > 1) std::swap(result.steps[below(steps)], result.steps[below(steps)]);
      break;
    case 3:
      if (steps > 0) ++result.steps[below(steps)].times;
      break;
    default:
      result.loop = result.loop ? std::nullopt : std::optional<std::size_t>(steps);
  }
  return result;
}

bool same(const Trace& a, const Trace& b) {
  return a.loop == b.loop && a.initial == b.initial &&
         std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                    [](const TraceStep& s, const TraceStep& t) {
                      return s.instance == t.instance && s.event == t.event &&
                             s.arguments == t.arguments && s.targets == t.targets &&
                             s.chosen == t.chosen && s.times == t.times;
                    });
}

// Few of them are still runs that violate the formula.
TEST(TemporalRandom, ChangedRunsAreRejected) {
  std::mt19937 random(7 + test::seed_offset());
  int tried = 0, rejected = 0, borrowed = 0;
  for (unsigned seed = 1; seed <= 60U * static_cast<unsigned>(test::effort()); ++seed) {
    Question question(40'000 + seed + test::seed_offset());
    if (!question.usable()) continue;
    const PropertyResult result = decided(question, "scc");
    const Trace* run = result.verdict.trace();
    if (run == nullptr) continue;
    Network& network = *question.network();
    for (int i = 0; i < 6; ++i) {
      const Trace other = changed(*run, random);
      if (same(other, *run)) continue;
      ++tried;
      if (!check_run(network, question.id(), other, checking_solver())) ++rejected;
    }
    // The same run does not violate the negation.
    Property contrary = network.property(question.id());
    LtlPool& ltl = network.ltl();
    contrary.goal = RunGoal{ltl.negation(contrary.as<RunGoal>().formula)};
    const PropertyId id = network.add_property(std::move(contrary));
    EXPECT_FALSE(check_run(network, id, *run, checking_solver())) << question.text();
    ++borrowed;
  }
  EXPECT_GT(tried, 80 * test::effort());
  EXPECT_GT(rejected, tried / 2);
  EXPECT_GT(borrowed, 15 * test::effort());
}

// A number of states that is wrong, or right and of a product that has an accepting run.
TEST(TemporalRandom, WrongNumbersOfStatesAreRejected) {
  int right = 0, wrong = 0, accepting = 0;
  for (unsigned seed = 1; seed <= 40U * static_cast<unsigned>(test::effort()); ++seed) {
    Question question(50'000 + seed + test::seed_offset());
    if (!question.usable()) continue;
    Network& network = *question.network();
    LowerOptions lowering;
    lowering.eliminate = smt::elimination(network.pool(), {});
    const Lowered lowered = lower(network, question.id(), lowering);
    const LiveQuestion live = live_question(network, question.id(), lowered, false);
    const TransitionSystem product =
        live_product(lowered.system, live.formula, at_step(lowered)).system;
    TransitionSystem all = product;
    all.acceptance.reset();
    all.strong.clear();
    const OptionSet options;
    Statistics statistics;
    Logger log;
    IgnoreProgress progress;
    Env env{options,
            smt::SolverFactory({}),
            Deadline::after(std::chrono::seconds(10)),
            {},
            statistics,
            log,
            progress,
            "test"};
    const EngineResult seen = run_engine(*find_engine("explicit"), all, env);
    const auto* states = seen.unreachable_by<AllStates>();
    if (states == nullptr || !states->reduction.empty() || states->count == 0) continue;
    const bool empty = run_engine(*find_engine("scc"), product, env).unreachable() != nullptr;
    const auto accepted = [&](std::uint64_t count) {
      return check_no_accepting_run(product, count, checking_solver()).has_value();
    };
    EXPECT_EQ(accepted(states->count), empty) << question.text();
    (empty ? right : accepting) += 1;
    EXPECT_FALSE(accepted(states->count + 1));
    EXPECT_FALSE(accepted(states->count - 1));
    wrong += 2;
  }
  EXPECT_GT(right, 3 * test::effort());
  EXPECT_GT(accepting, 8 * test::effort());
  EXPECT_GT(wrong, 30 * test::effort());
}

}  // namespace
}  // namespace whittle
