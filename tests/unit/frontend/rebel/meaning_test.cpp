// SPDX-License-Identifier: Apache-2.0
// What Rebel programs mean, judged by explicit search over a few values. Tests named Trap<n> are
// about the numbered traps of the original implementation; docs/languages/rebel.md lists them as
// differences.
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

// Least depth of the (first) check of a test module that also declares what it is about.
struct Answer {
  std::optional<int> depth;
  std::string problems;
};

std::optional<int> depth(const std::string& text, std::vector<long> numbers = {0, 1, 2},
                         int most = 6) {
  const Model model({{"t.tebl", text}});
  if (!model.network) {
    ADD_FAILURE() << model.messages();
    return -1;
  }
  const Property& p = model.network->properties().at(0);
  Search search(*model.network, p.universe, std::move(numbers));
  return search.depth(p.condition(), p.bound.max ? static_cast<int>(*p.bound.max) : most);
}

const std::optional<int> kNever = std::nullopt;

// A counter with an event whose body is given.
std::string counter(const std::string& body, const std::string& goal = "n == 1",
                    const std::string& extra_fields = "", const std::string& params = "") {
  return "specification C { fields { id: Integer @key n: Integer " + extra_fields +
         " } events { start[] go[] } lifeCycle { initial init -> on: start on -> on: go } }\n"
         "event start() { postconditions { new this.n == 0; } }\n"
         "event go(" +
         params + ") { " + body +
         " }\n"
         "state s { on C with " +
         goal + "; } check s reachable in max 4 steps;";
}

TEST(RebelMeaning, CountsSteps) {
  EXPECT_EQ(depth(counter("postconditions { new this.n == this.n + 1; }")), 2);
  EXPECT_EQ(depth(counter("postconditions { new this.n == this.n + 1; }", "n == 3")), 4);
  EXPECT_EQ(depth(counter("postconditions { new this.n == this.n + 1; }", "n == 4")), kNever);
}

TEST(RebelMeaning, PostconditionsAreRelations) {
  EXPECT_EQ(depth(counter("postconditions { new this.n > this.n; new this.n < 2; }")), 2);
  EXPECT_EQ(depth(counter("postconditions { new this.n > this.n; new this.n < 1; }")), kNever);
  // A postcondition about the state before is a guard.
  EXPECT_EQ(depth(counter("postconditions { new this.n == 1; this.n == 5; }")), kNever);
}

TEST(RebelMeaning, FramesWhatIsNotMentioned) {
  EXPECT_EQ(depth(counter("", "n == 0")), 1);
  EXPECT_EQ(depth(counter("", "n == 1")), kNever);
  // `new` in preconditions does not free the field.
  EXPECT_EQ(depth(counter("preconditions { new this.n == 1; }")), kNever);
}

TEST(RebelMeaning, BareNamesAreFields) {
  EXPECT_EQ(depth(counter("preconditions { n < 1; } postconditions { new this.n == n + 1; }")), 2);
}

TEST(RebelMeaning, UndefinedDisables) {
  EXPECT_EQ(depth(counter("postconditions { new this.n == 1 / this.n; }")), kNever);
  EXPECT_EQ(depth(counter("preconditions { this.n != 0 && 1 / this.n == 1 || True; } "
                          "postconditions { new this.n == 1; }")),
            2);
  EXPECT_EQ(
      depth(counter("preconditions { C[7].n == 0 || True; } postconditions { new this.n == 1; }")),
      kNever);
  EXPECT_EQ(depth(counter("preconditions { initialized C[7] && C[7].n == 0 || True; } "
                          "postconditions { new this.n == 1; }")),
            2);
  EXPECT_EQ(depth(counter("preconditions { not initialized C[7]; not (C[7] instate on); } "
                          "postconditions { new this.n == 1; }")),
            2);
}

TEST(RebelMeaning, MoneyOfDifferentCurrencies) {
  const std::string set = "postconditions { new this.n == 1; }";
  EXPECT_EQ(depth(counter("preconditions { EUR 1.00 + USD 1.00 == EUR 2.00 || True; } " + set)),
            kNever);
  EXPECT_EQ(depth(counter("preconditions { not (EUR 1.00 < USD 2.00); } " + set)), 2);
  EXPECT_EQ(depth(counter("preconditions { EUR 1.00 >= USD 0.50; } " + set)), kNever);
  EXPECT_EQ(depth(counter("preconditions { EUR 1.00 != USD 1.00; } " + set)), 2);
  EXPECT_EQ(depth(counter("preconditions { EUR 1.00 == USD 1.00; } " + set)), kNever);
}

// Conditions that must be true (or false), evaluated while loading.
void expect_value(const std::string& condition, bool expected) {
  EXPECT_EQ(
      depth(counter("preconditions { " + condition + "; } postconditions { new this.n == 1; }")),
      expected ? std::optional<int>(2) : kNever)
      << condition;
}

TEST(RebelMeaning, Arithmetic) {
  expect_value("EUR 10.00 * 10% == EUR 1.00", true);
  expect_value("10% * EUR 10.00 == EUR 1.00", true);
  expect_value("2 * EUR 1.50 == EUR 3.00", true);
  expect_value("EUR 1.00 * -150% == -EUR 1.50", true);
  expect_value("EUR 0.05 * 50% == EUR 0.02", true);
  expect_value("-EUR 0.05 * 50% == -EUR 0.03", true);  // rounded down
  expect_value("10% * 50% == 5%", true);
  expect_value("10 * 90% == 9", true);
  expect_value("90% * 10 == 9", true);
  expect_value("10% * 3 == 30%", true);
  expect_value("EUR 7.00 / 2 == EUR 3.50", true);
  expect_value("-7 / 2 == -4", true);
  expect_value("-7 % 2 == 1", true);
  expect_value("10%3 == 1", true);
  expect_value("EUR 1.50.amount == 150", true);
  expect_value("EUR 1.50.currency == EUR", true);
  expect_value("USD 1.50.currency == EUR", false);
  expect_value("CUR_ABC != CUR_ABD", true);
  expect_value("\"a\" + \"b\" == \"ab\"", true);
}

TEST(RebelMeaning, Trap8LeadingZeros) {
  expect_value("EUR 0.08.amount == 8", true);
  expect_value("12:09.minutes == 9", true);
  expect_value("NL08INGB01.checksum == 8", true);
  expect_value("010 == 10", true);
}

TEST(RebelMeaning, Trap10CountryCodes) {
  expect_value("NL10INGB0000001.countryCode == \"NL\"", true);
  expect_value("NL10INGB0000001.countryCode == \"BE\"", false);
  expect_value("NL10INGB0000001.accountNumber == \"INGB0000001\"", true);
  expect_value("NL10INGB0000001 == NL10INGB0000002", false);
}

TEST(RebelMeaning, Trap12ThreeDecimals) {
  expect_value("EUR 1.500 == EUR 1.50", true);
  expect_value("EUR 1.500.amount == 1500", true);
}

TEST(RebelMeaning, Trap13And45DatesAndTimes) {
  expect_value("26 Sep 2016.day == 26", true);
  expect_value("26 Sep 2016.month == 9", true);
  expect_value("26 Sep 2016.year == 2016", true);
  expect_value("29 Feb 2020 + 1 Day == 1 Mar 2020", true);
  expect_value("31 Jan 2021 + 1 Month == 28 Feb 2021", true);
  expect_value("31 Jan 2020 + 1 Month == 29 Feb 2020", true);
  expect_value("29 Feb 2020 + 1 Year == 28 Feb 2021", true);
  expect_value("1 Jan 2020 - 1 Day == 31 Dec 2019", true);
  expect_value("15 Mar 2020 - 3 Month == 15 Dec 2019", true);
  expect_value("1 Mar 2020 - 1 Mar 2019 == 366 Day", true);
  expect_value("1 Jan 2020 + 2 Quarter == 1 Jul 2020", true);
  expect_value("1 Jan 2020 + 2 Week < 16 Jan 2020", true);
  expect_value("2 * Month == 2 Month", true);
  expect_value("26 Sep 2016, 16:42 > 26 Sep 2016, 16:41:59", true);
  expect_value("(26 Sep 2016, 16:42).time.hour == 16", true);
  expect_value("(26 Sep 2016, 16:42) == 26 Sep 2016", true);
  expect_value("16:42:07.seconds == 7", true);
  expect_value("1 Month < 2 Month", true);
  expect_value("1 Month < 40 Day", false);
  expect_value("Monthly != Yearly", true);
}

TEST(RebelMeaning, Trap7BooleansConditionalsImplications) {
  expect_value("True", true);
  expect_value("False", false);
  expect_value("False -> False", true);
  expect_value("(1 < 2 ? 3 : 4) == 3", true);
  expect_value("(True ? EUR 1.00 : EUR 2.00) == EUR 1.00", true);
  expect_value("not 1 == 2", true);
}

TEST(RebelMeaning, Sets) {
  expect_value("2 in {1, 2, 3}", true);
  expect_value("4 in {1..3}", false);
  expect_value("|{1, 2, 2}| == 2", true);
  expect_value("|{x : {1..5} | x > 2, x < 5}| == 2", true);
  expect_value("forall x : {1..3} | x > 0, x < 4", true);
  expect_value("exists x : {1..3} | x == 4", false);
  expect_value("{1, 2} == {2, 1, 1}", true);
  expect_value("{1, 2} in {1, 2, 3}", true);
  expect_value("{} in {1}", true);
  expect_value("{1, 2} + 3 == {1, 2, 3}", true);
  expect_value("{1, 2} - {2} == {1}", true);
  expect_value("(1 : EUR 1.00, 2 : EUR 2.00)[2] == EUR 2.00", true);
  expect_value("1 in (1 : 5)", true);
  expect_value("(1 : 5)[2] == 5 || True", false);  // no such key: undefined
  expect_value("|(1 : 5, 1 : 6)| == 1", true);
  expect_value("this.n in {this.n..this.n + 1}", true);
}

TEST(RebelMeaning, SetFields) {
  const std::string add = "postconditions { new this.s == this.s + x; }";
  EXPECT_EQ(depth(counter(add, "1 in s", "s: set[Integer]", "x: Integer")), 2);
  EXPECT_EQ(depth(counter(add, "|s| == 2", "s: set[Integer]", "x: Integer")), 3);
  EXPECT_EQ(
      depth(counter(add, "|s| == 3 and forall y : s | y > 0", "s: set[Integer]", "x: Integer"),
            {1, 2, 3}),
      4);
  EXPECT_EQ(depth(counter(add, "3 in s", "s: set[Integer]", "x: Integer"), {1, 2}), kNever);
  const std::string drop = "postconditions { new this.s == {y : this.s + {1, 2} | y != x}; }";
  EXPECT_EQ(depth(counter(drop, "|s| == 1 and 2 in s", "s: set[Integer]", "x: Integer")), 2);
}

TEST(RebelMeaning, Trap26MapUpdatesKeepOtherKeys) {
  const std::string put = "postconditions { new this.m[k] == v; }";
  const std::string fields = "m: map[Integer : Integer]";
  EXPECT_EQ(depth(counter(put, "1 in m and m[1] == 2", fields, "k: Integer, v: Integer"), {1, 2}),
            2);
  EXPECT_EQ(
      depth(counter(put, "m[1] == 2 and m[2] == 1", fields, "k: Integer, v: Integer"), {1, 2}), 3);
  EXPECT_EQ(depth(counter("postconditions { new this.m[1] == 1; new this.m[k] == 2; }", "m[1] == 2",
                          fields, "k: Integer"),
                  {1, 2}),
            kNever);
}

TEST(RebelMeaning, Case) {
  const std::string body =
      "postconditions { case k { 1 => new this.n == 1; 2 => new this.n == 7; }; }";
  EXPECT_EQ(depth(counter(body, "n == 1", "", "k: Integer"), {0, 1, 2, 7}), 2);
  EXPECT_EQ(depth(counter(body, "n == 7", "", "k: Integer"), {0, 1, 2, 7}), 2);
  EXPECT_EQ(
      depth(counter("preconditions { case k { 5 => True; }; } postconditions { new this.n == 1; }",
                    "n == 1", "", "k: Integer"),
            {0, 1, 2}),
      kNever);
}

TEST(RebelMeaning, Trap32FunctionsCallFunctions) {
  const std::string functions =
      "function twice(x: Integer): Integer = x + x;"
      "function four(x: Integer): Integer = twice(twice(x));"
      "function pick(x: Integer): Integer = case x { 1 => 10; 2 => 20; };";
  EXPECT_EQ(depth(functions + counter("postconditions { new this.n == four(1); }", "n == 4")), 2);
  EXPECT_EQ(depth(functions + counter("postconditions { new this.n == pick(2); }", "n == 20")), 2);
  EXPECT_EQ(depth(functions + counter("postconditions { new this.n == pick(3); }", "n == n")), 1);
}

TEST(RebelMeaning, ConfiguredFunctions) {
  const std::string text =
      "specification C { fields { id: Integer @key n: Integer } events { go[f = inc] } "
      "lifeCycle { initial init -> on: go } }"
      "function inc(x: Integer): Integer = x + 1;"
      "event go[f: Integer -> Integer, by: Integer = 2]() { postconditions { new this.n == f(by); "
      "} }"
      "state s { on C with n == 3; } check s reachable;";
  EXPECT_EQ(depth(text), 1);
}

// ----- two machines

std::string pair(const std::string& sync, const std::string& goal,
                 const std::string& target =
                     "event hit(x: Integer) { preconditions { x > 0; } "
                     "postconditions { new this.n == this.n + x; } }",
                 const std::string& extra = "") {
  return "specification A { fields { id: Integer @key n: Integer } events { fire[] } "
         "lifeCycle { initial init -> init: fire -> done: fire } }"
         "specification B { fields { id: Integer @key n: Integer } events { begin[] hit[] } "
         "lifeCycle { initial init -> on: begin on -> on: hit } }"
         "event begin() { postconditions { new this.n == 0; } }" +
         target + "event fire(k: Integer) { sync { " + sync + " } }" + extra + "state s { " + goal +
         " } check s reachable in max 4 steps;";
}

TEST(RebelMeaning, SyncMovesBothOrNone) {
  EXPECT_EQ(depth(pair("B[1].hit(1);", "done A; on B with n == 1;")), 2);
  EXPECT_EQ(depth(pair("B[1].hit(0);", "done A; on B;")), kNever);
  EXPECT_EQ(depth(pair("B[k].hit(1);", "done A; on B with n == 1;"), {0, 1}), 2);
  EXPECT_EQ(depth(pair("B[2].hit(1);", "done A; B;")), kNever);  // dangling
}

TEST(RebelMeaning, OneEventPerInstanceAndStep) {
  // The same event with the same arguments is one occurrence; with others it is impossible.
  EXPECT_EQ(depth(pair("B[1].hit(1); B[k].hit(1);", "done A; on B with n == 1;"), {1}), 2);
  EXPECT_EQ(depth(pair("B[1].hit(1); B[k].hit(2);", "done A; on B;"), {1}), kNever);
  EXPECT_EQ(depth(pair("B[1].hit(1); B[2].hit(2);", "done A; on B with n == 1; on B with n == 2;")),
            3);
}

TEST(RebelMeaning, Trap30NegatedSync) {
  EXPECT_EQ(depth(pair("not B[1].hit(0);", "done A; B;")), 1);
  EXPECT_EQ(depth(pair("not B[1].hit(1);", "done A; B;")), 1);  // before B began
  EXPECT_EQ(depth(pair("not B[1].hit(1);", "done A; on B;")), 2);
  EXPECT_EQ(depth(pair("not B[9].hit(1);", "done A; B;")), kNever);  // dangling
  // It moves nothing.
  EXPECT_EQ(depth(pair("not B[1].hit(0);", "done A; on B with n == 1;")), 3);
}

TEST(RebelMeaning, Trap23SyncedEventWithTwoTargets) {
  const std::string text =
      "specification A { fields { id: Integer @key } events { fire[] } "
      "lifeCycle { initial init -> done: fire } }"
      "specification B { fields { id: Integer @key } events { hit[] } "
      "lifeCycle { initial init -> left: hit -> right: hit } }"
      "event hit() {} event fire() { sync { B[1].hit(); } }";
  EXPECT_EQ(depth(text + "state s { done A; left B; } check s reachable;"), 1);
  EXPECT_EQ(depth(text + "state s { done A; right B; } check s reachable;"), 1);
}

TEST(RebelMeaning, Trap27ReadsDoNotMove) {
  const std::string text =
      "specification B { fields { id: Integer @key n: Integer } events { begin[] look[] } "
      "lifeCycle { initial init -> on: begin on -> seen: look } }"
      "event begin() { postconditions { new this.n == 0; } }"
      "event look(o: Integer) { preconditions { B[o].n == 0; } }"
      "state s { seen B; B with n == 1; } check s reachable in max 4 steps;";
  EXPECT_EQ(depth(text), kNever);
}

TEST(RebelMeaning, Trap28NestedSyncs) {
  const std::string text =
      "specification A { fields { id: Integer @key } events { fire[] } lifeCycle { initial i -> d: "
      "fire } }"
      "specification B { fields { id: Integer @key } events { pass[] } lifeCycle { initial i -> d: "
      "pass } }"
      "specification D { fields { id: Integer @key } events { hit[] } lifeCycle { initial i -> d: "
      "hit } }"
      "event fire() { sync { B[1].pass(2); } }"
      "event pass(k: Integer) { sync { D[k].hit(); } }"
      "event hit() {}"
      "state s { d A; d B; i D; d D; } check s reachable in max 1 steps;";
  EXPECT_EQ(depth(text), 1);
}

TEST(RebelMeaning, Trap29LibraryEventOfTwoSpecifications) {
  const std::string text =
      "specification A { fields { id: Integer @key n: Integer } events { set[v = 1] } "
      "lifeCycle { initial i -> d: set } }"
      "specification B { fields { id: Integer @key n: Integer } events { set[v = 2] } "
      "lifeCycle { initial i -> d: set } }"
      "event set[v: Integer]() { postconditions { new this.n == v; } }"
      "state s { d A with n == 1; d B with n == 2; } check s reachable;";
  EXPECT_EQ(depth(text), 2);
}

// ----- life cycles

TEST(RebelMeaning, Trap4TargetsNeedNoEntry) {
  EXPECT_EQ(depth("specification A { fields { id: Integer @key } events { e[] } "
                  "lifeCycle { initial i -> end: e } } event e() {}"
                  "state s { end A; } check s reachable;"),
            1);
}

TEST(RebelMeaning, Trap24EventOutsideTheLifeCycleNeverHappens) {
  const std::string text =
      "specification A { fields { id: Integer @key n: Integer } events { e[] f[] } "
      "lifeCycle { initial i -> on: e } } "
      "event e() { postconditions { new this.n == 0; } } event f() { postconditions { new this.n "
      "== 1; } }"
      "state s { on A with n == 1; } check s reachable;";
  EXPECT_EQ(depth(text), kNever);
  EXPECT_EQ(Model({{"t.tebl", text}}).problems(true), (std::vector<std::string>{"rebel-071:1"}));
}

TEST(RebelMeaning, Trap25RepeatedStatesAreOneState) {
  EXPECT_EQ(
      depth(
          "specification A { fields { id: Integer @key } events { e[] f[] } "
          "lifeCycle { initial i -> on: e i -> off: f on -> off: f on } } event e() {} event f() {}"
          "state s { off A; } check s reachable;"),
      1);
}

TEST(RebelMeaning, Trap43And44StatePredicates) {
  const std::string on_true = " } postconditions { new this.n == 1; }";
  EXPECT_EQ(depth(counter("preconditions { this instate on; this instate {init, on};" + on_true)),
            2);
  EXPECT_EQ(depth(counter("preconditions { this instate init;" + on_true)), kNever);
  EXPECT_EQ(depth(counter("preconditions { initialized this; not finalized this;" + on_true)), 2);
  EXPECT_EQ(depth(counter("preconditions { C[1] instate {init on};" + on_true)), 2);
  EXPECT_EQ(depth(counter("preconditions { new this instate on;" + on_true)), 2);
  EXPECT_EQ(depth(counter("preconditions { new C[1] instate init;" + on_true)), kNever);
}

TEST(RebelMeaning, Trap33InheritanceAndOverriding) {
  const std::string text =
      "abstract specification P { fields { id: Integer @key n: Integer } events { e[v = 1] f[] } "
      "lifeCycle { initial i -> on: e on -> on: f } }"
      "specification Q extends P { events { e[v = 2] } lifeCycle { final on } }"
      "event e[v: Integer]() { postconditions { new this.n == v; } }"
      "event f() { postconditions { new this.n == this.n + 1; } }";
  EXPECT_EQ(depth(text + "state s { on Q with n == 2; } check s reachable;"), 1);
  EXPECT_EQ(depth(text + "state s { on Q with n == 1; } check s reachable;", {0}, 3), kNever);
  EXPECT_EQ(depth(text + "state s { on Q with n == 3; } check s reachable;"), 2);
  EXPECT_EQ(Model({{"t.tebl", text + "state s { on P; } check s reachable;"}}).problems(),
            (std::vector<std::string>{"rebel-079:1"}));
}

TEST(RebelMeaning, Trap5SyncWithAnInheritedEvent) {
  EXPECT_EQ(depth("specification P { fields { id: Integer @key } events { hit[] } "
                  "lifeCycle { initial i -> d: hit } } specification Q extends P {}"
                  "specification A { fields { id: Integer @key } events { fire[] } "
                  "lifeCycle { initial i -> d: fire } }"
                  "event hit() {} event fire() { sync { Q[1].hit(); } }"
                  "state s { d A; d Q; } check s reachable;"),
            1);
}

TEST(RebelMeaning, Trap46ExternalSpecifications) {
  const std::string text =
      "external specification E { fields { id: Integer @key } events { call(x: Integer, y: "
      "Integer) } }"
      "specification A { fields { id: Integer @key } events { fire[] } "
      "lifeCycle { initial i -> d: fire } }";
  EXPECT_EQ(depth(text + "event fire() { sync { E[3].call(1, 2); } } "
                         "state s { d A; } check s reachable;"),
            1);
  const Model model({{"t.tebl", text + "event fire() { preconditions { initialized E[3]; } } "
                                       "state s { d A; } check s reachable;"}});
  EXPECT_TRUE(model.network) << model.messages();
  EXPECT_EQ(Model({{"t.tebl", text + "event fire() { sync { E[3].call(1); } }"}}).problems(),
            (std::vector<std::string>{"rebel-063:1"}));
}

// ----- configurations

const char* const kAccount =
    "specification A { fields { id: Integer @key n: Integer } events { open[] up[] } "
    "lifeCycle { initial i -> on: open on -> on: up } }"
    "event open() { postconditions { new this.n == 0; } }"
    "event up() { postconditions { new this.n == this.n + 1; } }";

TEST(RebelMeaning, Trap35AllConstraintsCount) {
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { on A with n > 0 and n < 1; } check s reachable in max 3 steps;"),
            kNever);
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { on A with n > 0, n < 2; } check s reachable in max 3 steps;"),
            2);
}

TEST(RebelMeaning, Trap40And41Counts) {
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { 2 on A with n == 1; } check s reachable in max 4 steps;"),
            4);
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { 2 on A - one with n == 2; } check s reachable in max 4 steps;"),
            4);
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { on A - one with n == 1; } check s reachable in max 4 steps;"),
            2);
  EXPECT_EQ(depth(std::string(kAccount) +
                  "state s { 2 A - one with n == 0 - one with n == 1; } check s reachable "
                  "in max 4 steps;"),
            3);
}

TEST(RebelMeaning, Trap19To21Keys) {
  const Model model(
      {{"t.tebl", std::string(kAccount) +
                      "state s { A; on A with id == 1; A; A with 7 == id; } check s reachable;"}});
  ASSERT_TRUE(model.network) << model.messages();
  std::vector<std::string> names;
  for (const Instance& i : model.network->instances()) names.push_back(i.name);
  EXPECT_EQ(names, (std::vector<std::string>{"A[2]", "A[1]", "A[3]", "A[7]"}));
  EXPECT_EQ(Model({{"t.tebl",
                    std::string(kAccount) + "\nstate s {\n A with id == 1;\n A with id == 1;\n}"}})
                .problems(),
            (std::vector<std::string>{"rebel-083:4"}));
}

TEST(RebelMeaning, GoalsOnFieldsNeedAnInitialisedInstance) {
  EXPECT_EQ(depth(std::string(kAccount) + "state s { A with n == 0; } check s reachable;"), 1);
  const Model model(
      {{"t.tebl", std::string(kAccount) + "\nstate s { uninitialized A with n == 0; }"}});
  EXPECT_EQ(model.problems(true), (std::vector<std::string>{"rebel-084:2"}));
}

TEST(RebelMeaning, Trap2EmptyGoals) {
  EXPECT_EQ(depth(std::string(kAccount) + "state s { A; } check s reachable in max 0 steps;"), 0);
  EXPECT_EQ(depth(std::string(kAccount) + "state s { } check s reachable;"), 0);
}

TEST(RebelMeaning, Trap37Bounds) {
  const Model model(
      {{"t.tebl", std::string(kAccount) + "state s { on A; }"
                                          "check s reachable in exactly 3 steps;"
                                          "check s reachable between 1 + 1 and 4 steps;"
                                          "check s reachable;"
                                          "assert s unreachable in max 0 steps;"
                                          "assert s reachable;"}});
  ASSERT_TRUE(model.network) << model.messages();
  const auto& all = model.network->properties();
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].bound, (StepBound{3, 3}));
  EXPECT_EQ(all[1].bound, (StepBound{2, 4}));
  EXPECT_EQ(all[2].bound, (StepBound{0, std::nullopt}));
  EXPECT_TRUE(all[3].demand);
  EXPECT_FALSE(all[3].wants_reachable);
  EXPECT_TRUE(all[4].wants_reachable);
  EXPECT_EQ(all[1].name, "s#2");
  EXPECT_EQ(all[0].universe, all[1].universe);
}

TEST(RebelMeaning, Trap17GoalsMindTheCurrency) {
  const std::string text =
      "specification A { fields { id: Integer @key m: Money } events { open[] } "
      "lifeCycle { initial i -> on: open } }"
      "event open() { postconditions { new this.m == -USD 1.00; } }"
      "state s { on A with m < EUR 0.00; } check s reachable;";
  EXPECT_EQ(depth(text), kNever);
}

TEST(RebelMeaning, Trap31NowIsOneConstant) {
  const std::string text =
      "specification A { fields { id: Integer @key d: Date } events { open[] go[] } "
      "lifeCycle { initial i -> on: open on -> off: go } }"
      "event open() { postconditions { new this.d == now.date; } }"
      "event go() { preconditions { this.d != now.date; } }";
  const long day = 17070;  // 26 Sep 2016
  const long time = 16L * 3600 + 42 * 60;
  EXPECT_EQ(depth(text + "state s { now is 26 Sep 2016, 16:42; off A; } check s reachable;",
                  {0, 1, day, time}),
            kNever);
  EXPECT_EQ(depth(text + "state s { now is 26 Sep 2016, 16:42; on A with d == 26 Sep 2016; } "
                         "check s reachable;",
                  {0, 1, day, time}),
            1);
  EXPECT_EQ(depth(text + "state s { now is 26 Sep, 16:42; on A with d == 26 Sep; } "
                         "check s reachable;",
                  {0, 1, day, time}),
            1);
  EXPECT_EQ(Model({{"t.tebl", text + "\nstate s { off A; } check s reachable;"}}).problems(true),
            (std::vector<std::string>{"rebel-087:1"}));
}

TEST(RebelMeaning, Trap34InvariantsAreDemands) {
  const Model model(
      {{"A.ebl",
        std::string(
            "specification A { fields { id: Integer @key n: Integer other: Integer @ref=B } "
            "events { open[] } invariants { small } lifeCycle { initial i -> on: open } }"
            "specification B { fields { id: Integer @key } events { } lifeCycle { initial i } }"
            "event open(x: Integer) { postconditions { new this.n == x; } }"
            "invariant small { this.n < 2; }")}});
  ASSERT_TRUE(model.network) << model.messages();
  const Property& p = model.property("A.small");
  EXPECT_EQ(p.kind, PropertyKind::Invariant);
  EXPECT_TRUE(p.demand);
  EXPECT_EQ(model.network->universe(p.universe).description, "1 A, 2 B");
  Search search(*model.network, p.universe, {0, 1, 2});
  EXPECT_EQ(search.depth(model.network->pool().negate(p.condition()), 3), 1);
  Search small(*model.network, p.universe, {0, 1});
  EXPECT_EQ(small.depth(model.network->pool().negate(p.condition()), 3), kNever);
}

TEST(RebelMeaning, InstancesOption) {
  LoadOptions options;
  options.instances = {{"A", 3}};
  const Model model(
      {{"A.ebl", std::string(kAccount) + " invariant ok { this.n >= 0; }"
                                         "specification Z extends A { invariants { ok } }"}},
      options);
  ASSERT_TRUE(model.network) << model.messages();
  EXPECT_EQ(model.network->universe(model.property("Z.ok").universe).description, "1 Z");
  options.instances = {{"X", 3}};
  EXPECT_EQ(Model({{"A.ebl", std::string(kAccount)}}, options).problems(),
            (std::vector<std::string>{"rebel-078:0"}));
}

TEST(RebelMeaning, RoomForCollections) {
  const std::string fields = "s: set[Integer]";
  const std::string add = "postconditions { new this.s == this.s + x; }";
  const Model bounded({{"t.tebl", counter(add, "|s| == 2", fields, "x: Integer")}});
  EXPECT_EQ(bounded.network->properties().at(0).incomplete, "");
  std::string text = counter(add, "|s| == 2", fields, "x: Integer");
  const Model unbounded(
      {{"t.tebl", text + " check s reachable; check s reachable in max 40 steps;"}});
  EXPECT_NE(unbounded.network->properties().at(1).incomplete, "");
  EXPECT_NE(unbounded.network->properties().at(2).incomplete, "");
  const Model shrinking(
      {{"t.tebl",
        counter("postconditions { new this.s == {y : this.s | y > 1}; }", "|s| == 2", fields) +
            " check s reachable;"}});
  EXPECT_EQ(shrinking.network->properties().at(1).incomplete, "");
}

}  // namespace
}  // namespace whittle::rebel
