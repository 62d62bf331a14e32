// SPDX-License-Identifier: Apache-2.0
// Slices for formulas about infinite runs, on random flowchart programs: the formula has the same
// value on the run of the model and on that of the slice from the same input, by following both and
// evaluating it on the words, whatever steps the slice lacks; a run of the slice lifts to one of
// the model; the slice as text, loaded again, has the same runs; and the other solver proves the
// step map. No automaton and no engine takes part.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "driver/decide.h"
#include "driver/slice_stage.h"
#include "ir/ltl.h"
#include "ir/ltl_word.h"
#include "ir/run/stepper.h"
#include "slice/slice.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_network.h"
#include "witness/step_map_check.h"

namespace whittle {
namespace {

// ----- formulas that can be said of every network with the same names

struct Form {
  enum class Kind { Place, Value, Halt, Not, And, Or, Always, Eventually, Until, Next } kind;
  std::string name;  // of the place or variable
  int value = 0;
  std::vector<Form> parts = {};
};

Form one(Form::Kind kind, Form part) { return {kind, "", 0, {std::move(part)}}; }
Form two(Form::Kind kind, Form a, Form b) { return {kind, "", 0, {std::move(a), std::move(b)}}; }
Form place(std::string name) { return {Form::Kind::Place, std::move(name)}; }
Form value(std::string name, int value) { return {Form::Kind::Value, std::move(name), value}; }
Form always(Form part) { return one(Form::Kind::Always, std::move(part)); }
Form eventually(Form part) { return one(Form::Kind::Eventually, std::move(part)); }

Expr named(Network& network, const Form& form) {
  ExprPool& pool = network.pool();
  const InstanceId instance(0);
  if (form.kind == Form::Kind::Halt) return pool.symbol(network.halt());
  if (form.kind == Form::Kind::Place) {
    for (std::uint32_t l = 0; l < network.locations().size(); ++l)
      if (network.locations()[l].name == form.name)
        return pool.symbol(network.at_instance(instance, LocationId(l)));
  } else {
    for (std::uint32_t v = 0; v < network.variables().size(); ++v)
      if (network.variables()[v].name == form.name)
        return pool.eq(pool.symbol(network.of_instance(instance, VariableId(v))),
                       pool.integer(form.value));
  }
  ADD_FAILURE() << "no " << form.name;
  return pool.boolean(false);
}

LtlFormula built(Network& network, const Form& form) {
  LtlPool& ltl = network.ltl();
  const auto part = [&](std::size_t i) { return built(network, form.parts[i]); };
  switch (form.kind) {
    case Form::Kind::Place:
    case Form::Kind::Value:
    case Form::Kind::Halt:
      return ltl.atom(named(network, form));
    case Form::Kind::Not:
      return ltl.negation(part(0));
    case Form::Kind::And:
      return ltl.both(part(0), part(1));
    case Form::Kind::Or:
      return ltl.either(part(0), part(1));
    case Form::Kind::Always:
      return ltl.always(part(0));
    case Form::Kind::Eventually:
      return ltl.eventually(part(0));
    case Form::Kind::Until:
      return ltl.until(part(0), part(1));
    case Form::Kind::Next:
      return ltl.next(part(0));
  }
  return ltl.constant(true);
}

PropertyId ask(Network& network, const Form& form) {
  Property property;
  property.name = "asked";
  property.kind = PropertyKind::Ltl;
  property.universe = UniverseId(0);
  RunGoal goal;
  goal.formula = built(network, form);
  property.goal = goal;
  return network.add_property(std::move(property));
}

// ----- runs of deterministic programs

struct Run {
  Trace trace;
  std::vector<State> states;  // by position of the word
  LassoWord word;
};

Run followed(const Network& network, State initial) {
  Stepper stepper(network, UniverseId(0));
  Run run;
  run.trace.universe = UniverseId(0);
  run.trace.initial = initial;
  State state = std::move(initial);
  const InstanceId instance = stepper.layout().instance(0);
  while (true) {
    for (std::size_t i = 0; i < run.states.size(); ++i) {
      if (run.states[i] != state) continue;
      run.word = {run.states.size(), i};
      run.trace.loop = i;
      return run;
    }
    run.states.push_back(state);
    std::optional<TraceStep> next;
    for (const EventId e : network.machine(network.instance(instance).machine).events) {
      TraceStep step;
      step.instance = instance;
      step.event = e;
      if (!stepper.enabled(state, instance, e, {})) continue;
      // A slice may wait where it need not; the words are the same.
      if (!next) next = step;
    }
    if (!next) {
      run.word = LassoWord::stays(run.states.size());
      run.trace.loop = run.trace.steps.size();
      return run;
    }
    EXPECT_TRUE(stepper.advance(state, *next));
    run.trace.steps.push_back(*next);
  }
}

// None: it is no run of the network.
std::optional<Run> replayed(const Network& network, const Trace& trace) {
  Stepper stepper(network, UniverseId(0));
  Run run{trace, {}, {}};
  State state = trace.initial;
  if (!trace.loop || stepper.initial_problem(state)) return std::nullopt;
  for (const TraceStep& step : trace.steps) {
    run.states.push_back(state);
    if (!stepper.advance(state, step)) return std::nullopt;
  }
  if (*trace.loop == trace.steps.size()) {
    run.states.push_back(state);
    run.word = LassoWord::stays(run.states.size());
    return run;
  }
  if (run.states[*trace.loop] != state) return std::nullopt;
  run.word = {run.states.size(), *trace.loop};
  return run;
}

bool holds(const Network& network, LtlFormula formula, const Run& run) {
  Stepper stepper(network, UniverseId(0));
  std::map<std::pair<Expr, std::size_t>, bool> known;
  const bool ends = run.trace.loop == run.trace.steps.size();
  return holds_on(network.ltl(), formula, run.word, [&](Expr condition, std::size_t position) {
    const ExprPool& pool = network.pool();
    if (pool.is_variable(condition) &&
        network.role(pool.symbol_of(condition)).kind == RoleKind::Halt)
      return ends && position + 1 == run.states.size();
    const auto [found, fresh] = known.try_emplace({condition, position}, false);
    if (fresh) {
      const auto value = stepper.evaluate(condition, run.states[position]);
      found->second = value && value->as_bool();
    }
    return found->second;
  });
}

// The first state of a network in which the parameters have these values.
State first_state(const Network& network, const std::map<std::string, int>& parameters) {
  const StateLayout layout(network, UniverseId(0));
  State state;
  state.locations.push_back(network.machine(MachineId(0)).starts.front().location);
  for (std::size_t slot = 0; slot < layout.value_count(); ++slot) {
    const auto given = parameters.find(network.variable(layout.at(slot).second).name);
    state.values.emplace_back(given == parameters.end() ? 0 : given->second);
  }
  return state;
}

// ----- random programs

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  std::string operator()() {
    blocks_ = 2 + pick(4);
    std::string text = "(p q) (b0)\n";
    for (unsigned b = 0; b < blocks_; ++b) {
      text += "b" + std::to_string(b) + ":\n";
      unsigned number = 0;
      for (unsigned i = pick(3); i > 0; --i) {
        text += "  " + assignment() + "\n";
        places_.push_back("b" + std::to_string(b) + "." + std::to_string(++number));
      }
      text += "  " + jump() + "\n";
      places_.push_back("b" + std::to_string(b) + "." + std::to_string(++number));
    }
    return text + "var x: 0..2\nvar y: 0..2\nvar z: 0..2\n";
  }

  Form formula(unsigned depth = 2) {
    if (depth == 0 || pick(6) == 0) return atom();
    switch (pick(6)) {
      case 0:
        return one(Form::Kind::Not, formula(depth - 1));
      case 1:
        return two(Form::Kind::And, formula(depth - 1), formula(depth - 1));
      case 2:
        return two(Form::Kind::Or, formula(depth - 1), formula(depth - 1));
      case 3:
        return always(formula(depth - 1));
      case 4:
        return eventually(formula(depth - 1));
      default:
        return two(Form::Kind::Until, formula(depth - 1), formula(depth - 1));
    }
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string variable() { return std::string(1, "xyzpq"[pick(5)]); }
  std::string block() { return "b" + std::to_string(pick(blocks_)); }

  Form atom() {
    if (pick(10) == 0) return {Form::Kind::Halt, ""};
    if (pick(2) == 0)
      return place(pick(8) == 0 ? "halt" : places_[pick(static_cast<unsigned>(places_.size()))]);
    return value(std::string(1, "xyz"[pick(3)]), static_cast<int>(pick(3)));
  }

  std::string assignment() {
    const std::string target(1, "xyz"[pick(3)]);
    switch (pick(4)) {
      case 0:
        return "skip;";
      case 1:
        return target + " := " + std::to_string(pick(3)) + ";";
      case 2:
        return target + " := " + variable() + ";";
      default:
        return target + " := (" + variable() + " + 1) % 3;";
    }
  }

  std::string jump() {
    switch (pick(5)) {
      case 0:
        return "return;";
      case 1:
        return "goto " + block() + ";";
      default:
        return "if " + variable() + " = " + std::to_string(pick(3)) + " then " + block() +
               " else " + block() + ";";
    }
  }

  std::mt19937 random_;
  unsigned blocks_ = 0;
  std::vector<std::string> places_;
};

// ----- what a slice promises

struct Tally {
  unsigned runs = 0, smaller = 0, lifted = 0, proved = 0, printed = 0;
};

struct Promise {
  std::shared_ptr<Network> network;
  PropertyId property;
  slice::SliceResult slice;
  Form form;
  std::string text;

  [[nodiscard]] LtlFormula formula() const {
    return network->property(property).as<RunGoal>().formula;
  }
};

void same_runs(const Promise& promise, Tally& tally) {
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 3; ++q) {
      const std::map<std::string, int> input{{"p", p}, {"q", q}};
      const Run whole = followed(*promise.network, first_state(*promise.network, input));
      const Run part = followed(*promise.slice.network, first_state(*promise.slice.network, input));
      ++tally.runs;
      const bool asked = holds(*promise.network, promise.formula(), whole);
      ASSERT_EQ(holds(*promise.slice.network, promise.formula(), part), asked)
          << promise.slice.statistics.mode << " p=" << p << " q=" << q << "\n"
          << promise.text;
      const auto lifted = promise.slice.back->trace(part.trace);
      ASSERT_TRUE(lifted) << lifted.error() << " p=" << p << " q=" << q << "\n" << promise.text;
      const auto again = replayed(*promise.network, *lifted);
      ASSERT_TRUE(again) << promise.text;
      ASSERT_EQ(holds(*promise.network, promise.formula(), *again), asked) << promise.text;
      ++tally.lifted;
    }
}

void same_text(const Promise& promise, const Sources& sources, Tally& tally) {
  const Language& language = *find_language("fcl");
  const std::string text = language.print(*promise.slice.network, sources).front().text;
  const test::Loaded again = test::load("fcl", text);
  ASSERT_TRUE(again.network) << again.messages() << text << "\nof\n" << promise.text;
  const LtlFormula formula = built(*again.network, promise.form);
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 3; ++q) {
      const std::map<std::string, int> input{{"p", p}, {"q", q}};
      const Run whole = followed(*promise.network, first_state(*promise.network, input));
      const Run part = followed(*again.network, first_state(*again.network, input));
      ASSERT_EQ(holds(*again.network, formula, part),
                holds(*promise.network, promise.formula(), whole))
          << "p=" << p << " q=" << q << "\n"
          << promise.text << "\nprinted\n"
          << text;
    }
  ++tally.printed;
}

void proved(const Promise& promise, Tally& tally) {
  const StepMap* map = promise.slice.back->step_map();
  ASSERT_NE(map, nullptr);
  const Problem problem = check_step_map(*map, smt::SolverFactory({}));
  EXPECT_FALSE(problem) << (*problem ? "undecided" : (*problem).error().reason) << "\n"
                        << promise.text;
  ++tally.proved;
}

Promise promised(const std::shared_ptr<Network>& network, const Form& form, bool every_step,
                 const std::string& text) {
  const PropertyId property = ask(*network, form);
  slice::SliceOptions options;
  options.every_step = every_step;
  return {network, property, slice::slice(network, property, options), form, text};
}

TEST(LiveSlice, RunsHaveTheSameWords) {
  Tally tally;
  const unsigned rounds = 250U * static_cast<unsigned>(test::effort());
  for (unsigned seed = 0; seed < rounds && !::testing::Test::HasFailure(); ++seed) {
    RandomProgram random(seed + test::seed_offset());
    const std::string text = random();
    const test::Loaded loaded = test::load("fcl", text);
    ASSERT_TRUE(loaded.network) << loaded.messages() << text;
    const Form form = random.formula(1 + seed % 3);
    for (const bool every_step : {false, true}) {
      const Promise promise = promised(loaded.network, form, every_step, text);
      if (promise.slice.network == loaded.network) continue;
      ++tally.smaller;
      same_runs(promise, tally);
      if (!every_step) same_text(promise, *loaded.sources, tally);
      if (seed % 5 == 0) proved(promise, tally);
    }
  }
  EXPECT_GT(tally.smaller, rounds);
  EXPECT_GT(tally.printed, rounds / 2);
  EXPECT_GT(tally.proved, rounds / 8);
}

// ----- whole questions: systems in which several things can happen

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed) : random_(seed) {}

  std::string operator()() {
    std::string text = "system Random\nvar x: Int\nvar y: Int\nvar z: Int\nnode A, B, C, D\n";
    text += "start A: x == 0 && y >= 0 && y <= 2 && z == 0\n";
    const unsigned transitions = 3 + pick(5);
    for (unsigned t = 0; t < transitions; ++t) {
      if (pick(12) == 0) text += pick(2) == 0 ? "fair " : "strong fair ";
      text += "transition t" + std::to_string(t) + ": " + node() + " -> " + node();
      if (pick(3) == 0) text += " when " + variable() + " == " + std::to_string(pick(3));
      if (pick(3) != 0) text += " then " + variable() + "' == " + value();
      text += "\n";
    }
    return text + "ltl asked: " + formula(2) + "\n";
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string node() { return std::string(1, "ABCD"[pick(4)]); }
  std::string variable() { return std::string(1, "xyz"[pick(3)]); }
  std::string value() {
    return pick(2) == 0 ? std::to_string(pick(3)) : "(" + variable() + " + 1) % 3";
  }

  std::string formula(unsigned depth) {
    if (depth == 0) return pick(2) == 0 ? "@" + node() : "(x == " + std::to_string(pick(3)) + ")";
    switch (pick(12)) {
      case 0:
        return "(!" + formula(depth - 1) + ")";
      case 1:
        return "(" + formula(depth - 1) + " && " + formula(depth - 1) + ")";
      case 2:
        return "(" + formula(depth - 1) + " || " + formula(depth - 1) + ")";
      case 3:
        return "(" + formula(depth - 1) + " U " + formula(depth - 1) + ")";
      case 4:
        return "(X " + formula(depth - 1) + ")";
      case 5:
        return "(<> taken(t" + std::to_string(pick(3)) + "))";
      case 6:
      case 7:
      case 8:
        return "([] " + formula(depth - 1) + ")";
      default:
        return "(<> " + formula(depth - 1) + ")";
    }
  }

  std::mt19937 random_;
};

Verdict decided(const std::shared_ptr<Network>& network, PropertyId property,
                slice::Granularity granularity) {
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set("scc");
  deciding.timeout.set(20);
  options.add<SlicingOptions>().granularity.set(granularity);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide("test", network, property, context).verdict;
}

TEST(LiveSlice, VerdictsAreTheSame) {
  std::map<std::string, unsigned> modes;
  unsigned known = 0;
  const unsigned rounds = 60U * static_cast<unsigned>(test::effort());
  for (unsigned seed = 0; seed < rounds; ++seed) {
    const std::string text = RandomSystem(seed + test::seed_offset())();
    const test::Loaded loaded = test::load("sts", text);
    ASSERT_TRUE(loaded.network) << loaded.messages() << text;
    const Verdict whole = decided(loaded.network, PropertyId(0), slice::Granularity::Off);
    if (whole.kind() == VerdictKind::Unknown) continue;
    ++known;
    for (const auto granularity : {slice::Granularity::Coi, slice::Granularity::Fine}) {
      const Verdict part = decided(loaded.network, PropertyId(0), granularity);
      ASSERT_EQ(part.kind(), whole.kind()) << slice::to_string(granularity) << "\n" << text;
      EXPECT_TRUE(part.witness.checked) << text;
      ++modes[part.slice.mode];
    }
  }
  EXPECT_GT(known, rounds * 3 / 4);
  // Answers come from the slices themselves, not from what is tried when these do not convince.
  EXPECT_GT(modes["effects"], rounds / 3);
  EXPECT_GT(modes["compressed"], rounds / 8);
}

// Several machines with synchronisations, references to each other and fairness: every step stays.
class RandomQuestion {
 public:
  RandomQuestion(const test::RandomNetwork& network, unsigned seed)
      : network_(*network.network), universe_(network.universe), random_(seed) {
    for (const PropertyId p : network.properties)
      if (network_.property(p).condition().valid())
        conditions_.push_back(network_.property(p).condition());
  }

  PropertyId operator()() {
    if (pick(3) == 0) fairness();
    Property property;
    property.name = "asked";
    property.kind = PropertyKind::Ltl;
    property.universe = universe_;
    RunGoal goal;
    goal.formula = formula(2);
    property.goal = goal;
    return network_.add_property(std::move(property));
  }

 private:
  unsigned pick(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  InstanceId instance() {
    const auto& all = network_.universe(universe_).instances;
    return all[pick(all.size())];
  }

  void fairness() {
    const MachineId machine(pick(network_.machines().size()));
    const auto& events = network_.machine(machine).events;
    if (events.empty()) return;
    Fairness unit;
    unit.kind = pick(2) == 0 ? Fairness::Kind::Weak : Fairness::Kind::Strong;
    unit.machine = machine;
    unit.events = {events[pick(events.size())]};
    unit.name = "unit";
    network_.fairness.push_back(std::move(unit));
  }

  LtlFormula atom() {
    const InstanceId who = instance();
    const auto& events = network_.machine(network_.instance(who).machine).events;
    if (pick(5) == 0 && !events.empty())
      return ltl().atom(
          network_.pool().symbol(network_.taken_by(who, events[pick(events.size())])));
    if (pick(8) == 0 || conditions_.empty())
      return ltl().atom(network_.pool().symbol(network_.halt()));
    return ltl().atom(conditions_[pick(conditions_.size())]);
  }

  LtlFormula formula(unsigned depth) {
    if (depth == 0) return atom();
    switch (pick(7)) {
      case 0:
        return ltl().negation(formula(depth - 1));
      case 1:
        return ltl().either(formula(depth - 1), formula(depth - 1));
      case 2:
        return ltl().until(formula(depth - 1), formula(depth - 1));
      case 3:
        return ltl().next(formula(depth - 1));
      case 4:
        return ltl().always(formula(depth - 1));
      default:
        return ltl().eventually(formula(depth - 1));
    }
  }
  LtlPool& ltl() { return network_.ltl(); }

  Network& network_;
  UniverseId universe_;
  std::mt19937 random_;
  std::vector<Expr> conditions_;
};

TEST(LiveSlice, MachinesKeepTheirSteps) {
  unsigned sliced = 0, holds = 0, violated = 0, bystanders = 0;
  const unsigned rounds = 60U * static_cast<unsigned>(test::effort());
  for (unsigned i = 0; i < rounds; ++i) {
    const unsigned seed = i + test::seed_offset();
    test::RandomNetworkOptions options;
    options.max_instances = 3;
    options.negated_syncs = false;
    options.cross_reads = options.syncs = options.arbitrary_starts = i % 2 == 0;
    const test::RandomNetwork random = test::random_network(seed, options);
    const PropertyId asked = RandomQuestion(random, seed)();
    const Verdict whole = decided(random.network, asked, slice::Granularity::Off);
    const Verdict part = decided(random.network, asked, slice::Granularity::Fine);
    if (whole.kind() == VerdictKind::Unknown || part.kind() == VerdictKind::Unknown) continue;
    ASSERT_EQ(part.kind(), whole.kind()) << "seed " << seed << "\n"
                                         << test::described(*random.network);
    if (part.slice.mode != "effects") continue;
    ++sliced;
    if (part.statistics.contains("slice.bystanders")) ++bystanders;
    ++(part.kind() == VerdictKind::Holds ? holds : violated);
  }
  EXPECT_GT(sliced, rounds / 4);
  EXPECT_GT(holds, rounds / 40);
  EXPECT_GT(violated, rounds / 10);
  EXPECT_GT(bystanders, rounds / 120);
}

// ----- what the paper gets wrong, and the classical mistakes

Promise of(const std::string& text, const Form& form, bool every_step = false) {
  const test::Loaded loaded = test::load("fcl", text);
  EXPECT_TRUE(loaded.network) << loaded.messages();
  return promised(loaded.network, form, every_step, text);
}

bool keeps(const Promise& promise, const std::string& place) {
  const auto& all = promise.slice.network->locations();
  return std::any_of(all.begin(), all.end(), [&](const Location& l) { return l.name == place; });
}

TEST(LiveSlice, TheLastAssignmentStays) {
  Tally tally;
  const Promise promise = of("(p q) (s)\ns: y := p; return;\n", eventually(value("y", 1)));
  EXPECT_TRUE(keeps(promise, "s.1"));
  same_runs(promise, tally);
}

TEST(LiveSlice, ALoopThatMayGoOnForEverStays) {
  Tally tally;
  const Promise promise = of("(p q) (s)\ns: goto w;\nw: if p then w else d;\nd: x := 1; return;\n",
                             eventually(value("x", 1)));
  EXPECT_TRUE(keeps(promise, "w.1"));
  same_runs(promise, tally);
  proved(promise, tally);
}

// Both are always met, whichever way is taken.
TEST(LiveSlice, WhatComesFirstIsDecided) {
  Tally tally;
  const Promise promise =
      of("(p q) (s)\ns: if p = 1 then a else b;\na: skip; goto b;\nb: skip; goto a;\n",
         two(Form::Kind::Until, one(Form::Kind::Not, place("b.1")), place("a.1")));
  EXPECT_TRUE(keeps(promise, "s.1"));
  same_runs(promise, tally);
  proved(promise, tally);
}

TEST(LiveSlice, AStateStaysBetweenTwoVisits) {
  Tally tally;
  // Without the separator [a.2] nobody could tell one visit of [a.3] from two.
  const Promise promise = of(
      "(p q) (a)\na: x := 1; skip; y := 2; goto b;\nb: x := 2; skip; goto a;\n",
      always(eventually(two(Form::Kind::And, value("x", 1), one(Form::Kind::Not, place("a.3"))))));
  same_runs(promise, tally);
  proved(promise, tally);
}

TEST(LiveSlice, WhatCountsStepsKeepsThem) {
  const Promise promise = of("(p q) (a)\na: x := 1; z := 2; skip; return;\n",
                             eventually(one(Form::Kind::Next, value("x", 1))));
  EXPECT_EQ(promise.slice.statistics.mode, "effects");
  EXPECT_TRUE(keeps(promise, "a.2"));
  EXPECT_EQ(promise.slice.statistics.effects.kept, 1U);
  Tally tally;
  proved(promise, tally);
}

// A slice that lacks a step that matters has no step map.
TEST(LiveSlice, WrongStepMapsAreRejected) {
  const Promise promise =
      of("(p q) (s)\ns: z := 1; goto w;\nw: if p then w else d;\nd: x := 1; return;\n",
         eventually(value("x", 1)));
  const StepMap& right = *promise.slice.back->step_map();
  ASSERT_FALSE(check_step_map(right, smt::SolverFactory({})));
  StepMap ranks = right;
  std::fill(ranks.ranks.begin(), ranks.ranks.end(), 0);
  EXPECT_TRUE(check_step_map(ranks, smt::SolverFactory({})));
  StepMap places = right;
  std::rotate(places.places.begin(), places.places.begin() + 1, places.places.end());
  EXPECT_TRUE(check_step_map(places, smt::SolverFactory({})));
  StepMap without = right;
  without.slice = std::make_shared<Network>(*right.slice);
  for (std::uint32_t e = 0; e < without.slice->events().size(); ++e)
    if (without.slice->event(EventId(e)).guards.empty())
      without.slice->event(EventId(e)).effects.clear();
  EXPECT_TRUE(check_step_map(without, smt::SolverFactory({})));
}

}  // namespace
}  // namespace whittle
