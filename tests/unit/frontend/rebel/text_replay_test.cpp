// SPDX-License-Identifier: Apache-2.0
// Expressions evaluated straight from the syntax, and traces followed on the text: what is right is
// accepted, and every value, argument or step that is changed is noticed.
#include "frontend/rebel/text_replay.h"

#include "frontend/rebel/text_goal.h"
#include "ir/run/explicit_search.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

// The value of a function without parameters and of what it calls, as text.
std::string value_of(const std::string& type, const std::string& expression,
                     const std::string& more = "") {
  Sources sources;
  const FileId file = sources.add(
      "M.ebl", "module M\n" + more + "function f(): " + type + " = " + expression + ";\n");
  Diagnostics diagnostics;
  const LoadOptions options;
  Program program(sources, options, diagnostics);
  program.load(file);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics, sources, Color::Off);
  World world;
  world.now = *read_shown(program, Kind::DateTime, "29 Feb 2016, 16:42");
  Evaluator evaluator(program, world);
  const ModuleAst& ast = program.module(0).ast;
  const FunctionAst& f = ast.functions.back();
  return to_string(evaluator.wanted(evaluator.value(Place(), ast.stmts[f.body].expr),
                                    program.resolve_type(0, f.type)));
}

TEST(TextEvaluation, Money) {
  EXPECT_EQ(value_of("Money", "EUR 10.00 + EUR 0.05"), "EUR 1005 minor units");
  EXPECT_EQ(value_of("Money", "EUR 10.00 + USD 0.05"), "undefined");
  EXPECT_EQ(value_of("Money", "EUR 0.99 * 50%"), "EUR 49 minor units");
  EXPECT_EQ(value_of("Money", "50% * -EUR 0.99"), "EUR -50 minor units");
  EXPECT_EQ(value_of("Money", "EUR 10.00 / 3"), "EUR 333 minor units");
  EXPECT_EQ(value_of("Money", "EUR 10.00 / 0"), "undefined");
  EXPECT_EQ(value_of("Money", "3 * EUR 1.001"), "EUR 3003 minor units");
  EXPECT_EQ(value_of("Boolean", "EUR 1.00 < USD 2.00"), "False");
  EXPECT_EQ(value_of("Boolean", "EUR 1.00 != USD 1.00"), "True");
  EXPECT_EQ(value_of("Integer", "EUR 1.23.amount"), "123");
  EXPECT_EQ(value_of("Currency", "USD 1.23.currency"), "USD");
}

TEST(TextEvaluation, NumbersAndPercentages) {
  EXPECT_EQ(value_of("Integer", "-7 / 2"), "-4");
  EXPECT_EQ(value_of("Integer", "-7 % 2"), "1");
  EXPECT_EQ(value_of("Integer", "7 / -2"), "-3");
  EXPECT_EQ(value_of("Integer", "-7 / -2"), "4");
  EXPECT_EQ(value_of("Integer", "7 % 0"), "undefined");
  EXPECT_EQ(value_of("Integer", "5 * 50%"), "2");
  EXPECT_EQ(value_of("Integer", "50% * 5"), "2");
  EXPECT_EQ(value_of("Integer", "50% * 5 + 1"), "3");
  EXPECT_EQ(value_of("Percentage", "10% * 3"), "30%");
  EXPECT_EQ(value_of("Percentage", "10% * 25%"), "2%");
}

TEST(TextEvaluation, DatesAndTimes) {
  EXPECT_EQ(value_of("Date", "31 Jan 2021 + 1 Month"), "28 Feb 2021");
  EXPECT_EQ(value_of("Date", "31 Jan 2020 + 1 Month"), "29 Feb 2020");
  EXPECT_EQ(value_of("Date", "29 Feb 2020 - 1 Year"), "28 Feb 2019");
  EXPECT_EQ(value_of("Date", "30 Nov 2019 + 1 Quarter"), "29 Feb 2020");
  EXPECT_EQ(value_of("Date", "28 Feb 2100 + 1 Day"), "1 Mar 2100");
  EXPECT_EQ(value_of("Date", "1 Mar 2000 - 1 Week"), "23 Feb 2000");
  EXPECT_EQ(value_of("Term", "1 Mar 2020 - 1 Feb 2020"), "29 Day");
  EXPECT_EQ(value_of("Date", "29 Feb"), "29 Feb 2016");
  EXPECT_EQ(value_of("Date", "now.date + 2 * Month"), "29 Apr 2016");
  EXPECT_EQ(value_of("Boolean", "now > 28 Feb 2016"), "True");
  EXPECT_EQ(value_of("Boolean", "now == 29 Feb 2016, 16:42"), "True");
  EXPECT_EQ(value_of("Integer", "now.time.minutes"), "42");
  EXPECT_EQ(value_of("Boolean", "1 Month < 40 Day"), "False");
}

TEST(TextEvaluation, TheCalendarGoesThroughEveryDay) {
  Date date{Integer(1896), 1, 1};
  Integer number = ordinal(date);
  for (int i = 0; i < 80'000; ++i) {
    ASSERT_EQ(ordinal(date), number);
    ASSERT_EQ(date_of_ordinal(number), date);
    number += Integer(1);
    if (++date.day > days_in_month(date.year, date.month)) {
      date.day = 1;
      if (++date.month > 12) {
        date.month = 1;
        date.year += Integer(1);
      }
    }
  }
  const Date before_christ{Integer(-4), 2, 29};
  EXPECT_EQ(date_of_ordinal(ordinal(before_christ)), before_christ);
}

TEST(TextEvaluation, SetsAndMaps) {
  EXPECT_EQ(value_of("set[Integer]", "{3, 1, 3} + 2 - {1}"), "{2, 3}");
  EXPECT_EQ(value_of("Integer", "|{3, 1, 3}|"), "2");
  EXPECT_EQ(value_of("set[Integer]", "{x : {1..5} | x % 2 == 1, x > 1}"), "{3, 5}");
  EXPECT_EQ(value_of("Boolean", "{1, 2} in {1..3}"), "True");
  EXPECT_EQ(value_of("Boolean", "{1, 2} == {2, 1, 1}"), "True");
  EXPECT_EQ(value_of("Boolean", "forall x : {0, 1} | 1 / x > 0"), "undefined");
  EXPECT_EQ(value_of("Boolean", "forall x : {0, 1} | x != 0 -> 1 / x > 0"), "True");
  EXPECT_EQ(value_of("Boolean", "exists x : {1, 2} | x == 2"), "True");
  EXPECT_EQ(value_of("Money", "(1 : EUR 1.00, 2 : EUR 2.00)[2]"), "EUR 200 minor units");
  EXPECT_EQ(value_of("Money", "(1 : EUR 1.00)[2]"), "undefined");
  EXPECT_EQ(value_of("map[Integer : Integer]", "(1 : 1, 2 : 2) + (2 : 3) - 1"), "(2: 3)");
  EXPECT_EQ(value_of("Boolean", "1 in (1 : 2)"), "True");
}

TEST(TextEvaluation, StringsFunctionsAndLogic) {
  EXPECT_EQ(value_of("String", "NL10INGB0000001.countryCode"), "\"NL\"");
  EXPECT_EQ(value_of("String", "NL10INGB0000001.accountNumber"), "\"INGB0000001\"");
  EXPECT_EQ(value_of("Integer", "NL07INGB0000001.checksum"), "7");
  EXPECT_EQ(value_of("Boolean", "False && 1 / 0 == 1"), "False");
  EXPECT_EQ(value_of("Boolean", "1 / 0 == 1 || True"), "undefined");
  EXPECT_EQ(value_of("Integer", "True ? 1 : 1 / 0"), "1");
  const std::string half =
      "function half(x: Integer): Integer = case x % 2 {\n 0 => x / 2;\n 1 => x;\n};\n";
  EXPECT_EQ(value_of("Integer", "half(6) + half(3)", half), "6");
}

// ----- traces

constexpr const char* kSavings = R"(specification Savings {
  fields {
    id: Integer @key
    m: Money
    s: set[Integer]
    k: map[String : Date]
    r: Percentage
    d: Date
  }
  events { open[] put[least = 1] }
  lifeCycle {
    initial init -> opened: open
    opened -> opened: put
  }
}
event open(a: Integer) {
  preconditions { a > 0; }
  postconditions {
    new this.m == EUR 10.00 * a;
    new this.s == {a};
    new this.r == 10%;
    new this.d == 31 Jan 2021;
  }
}
event put[least: Integer = 0](x: Integer) {
  preconditions { x >= least; not (x in this.s); this.d < 1 Apr 2021; }
  postconditions {
    new this.s == this.s + x;
    new this.k["a"] == this.d;
    new this.d == this.d + 1 Month;
    new this.m == this.m * this.r;
  }
}
state goal {
  opened Savings with m == EUR 2.00 and d == 28 Feb 2021 and "a" in k and 3 in s;
  uninitialized Savings;
}
check goal reachable in max 2 steps;
)";

Trace found(const Network& network) {
  const Property& property = network.property(PropertyId(0));
  SearchOptions options;
  options.candidates = [&](Type type, SymbolId symbol) -> std::optional<std::vector<Value>> {
    std::vector<Value> all;
    if (network.pool().kind(type) == TypeKind::Bool) return std::vector<Value>{Value(false)};
    if (network.pool().kind(type) != TypeKind::Int) return std::nullopt;
    const bool parameter = network.role(symbol).kind != RoleKind::Current;
    for (long n = 0; n < (parameter ? 4 : 1); ++n) all.emplace_back(Integer(n));
    return all;
  };
  const SearchResult result =
      explicit_search(network, property.universe, property.condition(), property.bound, options);
  EXPECT_TRUE(result.trace);
  return result.trace.value_or(Trace());
}

struct Followed {
  explicit Followed(const std::string& text) : model({{"M.tebl", text}}) {
    EXPECT_TRUE(model.network) << model.messages();
    program = std::make_unique<Program>(model.sources, options, diagnostics);
    program->load(FileId(0));
    trace = text_trace(*program, *model.network, found(*model.network));
  }
  TextReplay::Outcome outcome(const TextTrace& one) {
    const TextReplay result = replay_on_text(*program, one, *model.network, PropertyId(0));
    why = result.reason;
    return result.outcome;
  }
  Model model;
  LoadOptions options;
  Diagnostics diagnostics;
  std::unique_ptr<Program> program;
  TextTrace trace;
  std::string why;
};

Datum another(const Datum& datum) {
  Datum result = datum;
  Elements elements;
  switch (datum.sort) {
    case Datum::Sort::Date:
      result.date = date_of_ordinal(ordinal(datum.date) + Integer(1));
      break;
    case Datum::Sort::Set:
      elements = *datum.elements;
      elements.emplace(Datum::integer(Integer(77)), Datum());
      return Datum::set(elements);
    case Datum::Sort::Map:
      elements = *datum.elements;
      elements.insert_or_assign(Datum::of(Datum::Sort::String, Integer(0), "z"),
                                Datum::of_date({Integer(2021), 1, 31}));
      return Datum::map(elements);
    default:
      result.number += Integer(1);
  }
  return result;
}

TEST(TextReplay, EveryChangeOfATraceIsNoticed) {
  using Outcome = TextReplay::Outcome;
  Followed one(kSavings);
  ASSERT_EQ(one.trace.steps.size(), 2U);
  ASSERT_EQ(one.outcome(one.trace), Outcome::Agrees) << one.why;
  std::size_t mutants = 0;
  const auto rejected = [&](const TextTrace& mutant, const std::string& what) {
    ++mutants;
    EXPECT_EQ(one.outcome(mutant), Outcome::Differs) << what;
  };
  for (std::size_t step = 0; step < 2; ++step) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t f = 0; f < 6; ++f) {
        TextTrace mutant = one.trace;
        Datum& datum = mutant.steps[step].after.fields[i][f];
        datum = another(datum);
        rejected(mutant, "step " + std::to_string(step) + " field " + std::to_string(f));
      }
      TextTrace moved = one.trace;
      moved.steps[step].after.states[i] ^= 1U;
      rejected(moved, "state after step " + std::to_string(step));
    }
    for (Datum& argument : one.trace.steps[step].occurrences[0].arguments) {
      const Datum kept = argument;
      argument = another(kept);
      rejected(one.trace, "argument of step " + std::to_string(step));
      argument = kept;
    }
    TextTrace dropped = one.trace;
    dropped.steps.erase(dropped.steps.begin() + static_cast<std::ptrdiff_t>(step));
    rejected(dropped, "a step left out");
    TextTrace twice = one.trace;
    twice.steps.push_back(twice.steps[step]);
    rejected(twice, "a step too many");
    TextTrace other = one.trace;
    other.steps[step].occurrences[0].use ^= 1U;
    rejected(other, "another event");
    TextTrace nobody = one.trace;
    nobody.steps[step].occurrences[0].instance = 1;
    rejected(nobody, "another instance");
  }
  // A collection that is not empty, an instance that has begun, the untouched instance.
  for (const std::size_t f : {2U, 3U}) {
    TextTrace mutant = one.trace;
    mutant.initial.fields[0][f] = another(mutant.initial.fields[0][f]);
    rejected(mutant, "not empty at the start");
  }
  TextTrace begun = one.trace;
  begun.initial.states[1] = 1;
  rejected(begun, "begun");
  EXPECT_GE(mutants, 40U);
}

// A configuration that asks for something else is another goal.
TEST(TextReplay, TheGoalIsEvaluatedOnTheText) {
  Followed one(kSavings);
  TextTrace mutant = one.trace;
  mutant.world.instances.pop_back();
  for (Snapshot* state : {&mutant.initial, &mutant.steps[0].after, &mutant.steps[1].after}) {
    state->states.pop_back();
    state->fields.pop_back();
  }
  EXPECT_EQ(one.outcome(mutant), TextReplay::Outcome::Differs);
}

constexpr const char* kPair = R"(specification A {
  fields { id: Integer @key  n: Integer }
  events { give[] }
  lifeCycle { initial init -> done: give }
}
specification B {
  fields { id: Integer @key  n: Integer }
  events { take[] refuse[] }
  lifeCycle { initial init -> done: take -> out: refuse }
}
event give(x: Integer) {
  preconditions { x == 2; }
  postconditions { new this.n == x; new B[1].n == x + 1; }
  sync { B[1].take(x + 1); }
}
event take(y: Integer) { postconditions { new this.n == y; } }
event refuse() {}
state goal { done A; done B; }
check goal reachable in max 1 steps;
)";

TEST(TextReplay, WhatHappensTogetherIsWhatTheTextSays) {
  using Outcome = TextReplay::Outcome;
  Followed one(kPair);
  ASSERT_EQ(one.trace.steps.size(), 1U);
  ASSERT_EQ(one.trace.steps[0].occurrences.size(), 2U);
  ASSERT_EQ(one.outcome(one.trace), Outcome::Agrees) << one.why;
  TextTrace alone = one.trace;
  alone.steps[0].occurrences.pop_back();
  EXPECT_EQ(one.outcome(alone), Outcome::Differs);
  TextTrace argument = one.trace;
  argument.steps[0].occurrences[1].arguments[0] = Datum::integer(Integer(7));
  argument.steps[0].after.fields[1][1] = Datum::integer(Integer(7));
  EXPECT_EQ(one.outcome(argument), Outcome::Differs);
  TextTrace reversed = one.trace;
  std::swap(reversed.steps[0].occurrences[0], reversed.steps[0].occurrences[1]);
  EXPECT_EQ(one.outcome(reversed), Outcome::Differs);
}

// What the evaluator does not know it says; it is never a value or a difference.
TEST(TextEvaluation, GapsAreSaid) {
  EXPECT_THROW((void)value_of("String", "NL10BANK5.accountNumber"), Gap);
}

}  // namespace
}  // namespace whittle::rebel
