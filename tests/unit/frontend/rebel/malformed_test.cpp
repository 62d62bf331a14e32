// SPDX-License-Identifier: Apache-2.0
// Mistakes people make, each with the id and the line of the message they get.
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

struct Mistake {
  const char* name;
  const char* path;
  const char* text;
  std::vector<std::string> problems;  // id:line, errors only
};

// A line of its own for everything, so that lines tell things apart.
const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> kMistakes = {
      {"MissingSemicolon",
       "t.ebl",
       "module t\nevent e(x: Integer) {\n  preconditions {\n    x > 0\n    x < 9;\n  }\n}\n",
       {"parse-001:4"}},
      {"AssignmentInsteadOfEquation",
       "t.ebl",
       "module t\nevent e() {\n  postconditions {\n    new this.x = 1;\n  }\n}\n",
       {"parse-001:4"}},
      {"MissingBraceOfEvent",
       "t.ebl",
       "module t\nevent e() {\n  preconditions {\n    True;\n  }\n\nevent f() {}\n",
       {"parse-001:7"}},
      {"MissingBraceAtTheEnd",
       "t.ebl",
       "module t\nevent e() {\n  preconditions {\n    True;\n  }\n",
       {"parse-005:5"}},
      {"MissingBraceOfFields",
       "t.ebl",
       "module t\nspecification T {\n  fields {\n    id: Integer @key\n  events {\n  }\n"
       "  lifeCycle {\n    initial a\n  }\n}\n",
       {"parse-001:5"}},
      {"MissingBrackets",
       "t.ebl",
       "module t\nspecification T {\n  fields { id: Integer @key }\n  events {\n    go\n  }\n"
       "  lifeCycle { initial a -> b: go }\n}\nevent go() {}\n",
       {"parse-001:5"}},
      {"SectionsInWrongOrder",
       "t.ebl",
       "module t\nspecification T {\n  events { }\n  fields { id: Integer @key }\n"
       "  lifeCycle { initial a }\n}\n",
       {"rebel-009:4"}},
      {"BlocksInWrongOrder",
       "t.ebl",
       "module t\nevent e() {\n  postconditions { }\n  preconditions { }\n}\n",
       {"rebel-009:4"}},
      {"ExclamationMark",
       "t.ebl",
       "module t\nevent e(b: Boolean) {\n  preconditions {\n    !b;\n  }\n}\n",
       {"parse-001:4"}},
      {"SingleAmpersand",
       "t.ebl",
       "module t\nevent e(b: Boolean) {\n  preconditions {\n    b & b;\n  }\n}\n",
       {"parse-001:4"}},
      {"ChainedComparison",
       "t.ebl",
       "module t\nevent e(x: Integer) {\n  preconditions {\n    0 < x < 9;\n  }\n}\n",
       {"parse-006:4"}},
      {"MoneyWithoutDecimals",
       "t.ebl",
       "module t\nevent e(m: Money) {\n  preconditions {\n    m > EUR 50;\n  }\n}\n",
       {"rebel-007:4"}},
      {"OneDecimal",
       "t.ebl",
       "module t\nevent e(m: Money) {\n  preconditions {\n    m > EUR 50.5;\n  }\n}\n",
       {"lex-004:4"}},
      {"AmountWithoutCurrency",
       "t.ebl",
       "module t\nevent e(m: Money) {\n  preconditions {\n    m > 50.00;\n  }\n}\n",
       {"parse-001:4"}},
      {"NoSuchDay",
       "t.ebl",
       "module t\nevent e(d: Date) {\n  preconditions {\n    d > 31 Jun 2020;\n  }\n}\n",
       {"rebel-005:4"}},
      {"NoLeapYear",
       "t.ebl",
       "module t\nevent e(d: Date) {\n  preconditions {\n    d > 29 Feb 2021;\n  }\n}\n",
       {"rebel-005:4"}},
      {"NoSuchTime",
       "t.ebl",
       "module t\nevent e(d: Time) {\n  preconditions {\n    d > 24:00;\n  }\n}\n",
       {"rebel-006:4"}},
      {"ReservedName", "t.ebl", "module t\nevent e(this: Integer) {\n}\n", {"rebel-003:2"}},
      {"UnderscoreName", "t.ebl", "module t\nevent _e() {\n}\n", {"rebel-003:2"}},
      {"OpenString",
       "t.ebl",
       "module t\nevent e(s: String) {\n  preconditions {\n    s == \"abc;\n  }\n}\n",
       {"lex-002:4"}},
      {"OpenComment", "t.ebl", "module t\nevent e() { }\n/* here\n", {"lex-003:3"}},
      {"StrayCharacter", "t.ebl", "module t\nevent e() { }\n#\nevent f() { }\n", {"lex-001:3"}},
      {"SchematicText",
       "t.ebl",
       "module t\nspecification T {\n  fields {\n    id: Integer @key\n    ...\n  }\n"
       "  lifeCycle { initial a }\n}\n",
       {"rebel-002:5"}},
      {"CheckInASpecificationFile",
       "t.ebl",
       "module t\nevent e() {}\ncheck s reachable;\n",
       {"parse-001:3"}},
      {"UnknownType", "t.ebl", "module t\nevent e(x: Int) {\n}\n", {"rebel-030:2"}},
      {"MisspeltType", "t.ebl", "module t\nevent e(x: Mony) {\n}\n", {"rebel-030:2"}},
      {"DuplicateEvent", "t.ebl", "module t\nevent e() {}\nevent e() {}\n", {"rebel-021:3"}},
      {"DuplicateParameter",
       "t.ebl",
       "module t\nevent e(x: Integer,\n  x: Integer) {}\n",
       {"rebel-021:3"}},
      {"NewInFunction",
       "t.ebl",
       "module t\nfunction f(x: Integer): Integer =\n  new this.x;\n",
       {"rebel-050:3"}},
      {"ThisInFunction",
       "t.ebl",
       "module t\nfunction f(x: Integer): Integer =\n  this.x;\n",
       {"rebel-055:3"}},
      {"WrongResult",
       "t.ebl",
       "module t\nfunction f(x: Integer): Money =\n  x;\n",
       {"rebel-051:3"}},
      {"Recursion",
       "t.ebl",
       "module t\nfunction f(x: Integer): Integer =\n  f(x - 1);\n",
       {"rebel-064:3"}},
      {"MutualRecursion",
       "t.ebl",
       "module t\nfunction f(x: Integer): Integer = g(x);\nfunction g(x: Integer): Integer = "
       "f(x);\n",
       {"rebel-064:2", "rebel-064:3"}},
      {"UnknownFunction",
       "t.ebl",
       "module t\nfunction twice(x: Integer): Integer = x;\nevent e() {\n  preconditions {\n"
       "    twcie(1) == 1;\n  }\n}\n",
       {"rebel-027:5"}},
      {"WrongArguments",
       "t.ebl",
       "module t\nfunction f(x: Integer): Integer = x;\nevent e() {\n  preconditions {\n"
       "    f(1, 2) == 1;\n    f(True) == 1;\n  }\n}\n",
       {"rebel-063:5", "rebel-051:6"}},
      {"UnknownModule",
       "t.ebl",
       "module t\nimport no.such.Module\nevent e() {}\n",
       {"rebel-022:2"}},
      {"Tariff", "t.ebl", "module t\nevent e(t: InterestTariff) {}\n", {"rebel-029:2"}},
      {"NestedSets", "t.ebl", "module t\nevent e(s: set[set[Integer]]) {}\n", {"rebel-028:2"}},
      {"ConfigurationDefaultInParameters",
       "t.ebl",
       "module t\nevent e(x: Integer = 3) {}\n",
       {"rebel-010:2"}},
      {"DeepNesting", "t.ebl", nullptr, {"parse-003:1"}},
  };
  return kMistakes;
}

std::string text_of(const Mistake& mistake) {
  if (mistake.text != nullptr) return mistake.text;
  return "invariant i { " + std::string(3000, '(') + "True" + std::string(3000, ')') + "; }";
}

TEST(RebelMalformed, IdAndLine) {
  for (const Mistake& mistake : mistakes()) {
    const Model model({{std::string(mistake.path), text_of(mistake)}});
    EXPECT_EQ(model.problems(), mistake.problems) << mistake.name << "\n" << model.messages();
  }
}

// Mistakes inside a specification that is otherwise in order; line 1 is its first.
std::string specification(const std::string& fields, const std::string& events,
                          const std::string& cycle, const std::string& rest) {
  return "specification T { // 1\n  fields {\n    id: Integer @key\n    " + fields +
         " // 4\n  }\n  events {\n    " + events + " // 7\n  }\n  lifeCycle {\n    " + cycle +
         " // 10\n  }\n}\n" + rest;
}

std::vector<std::string> problems(const std::string& fields, const std::string& events,
                                  const std::string& cycle, const std::string& rest,
                                  const char* path = "t.ebl") {
  const Model model({{std::string(path), specification(fields, events, cycle, rest)}});
  return model.problems();
}

using Ids = std::vector<std::string>;

TEST(RebelMalformed, Specifications) {
  const std::string go = "event go() { // 13\n}\n";
  EXPECT_EQ(problems("", "go[]", "initial a -> b: go", go), Ids{});
  EXPECT_EQ(problems("", "og[]", "initial a -> b: og", go), Ids{"rebel-027:7"});
  EXPECT_EQ(problems("", "go[]", "initial a -> b: og", go), Ids{"rebel-034:10"});
  EXPECT_EQ(problems("", "go[]", "a -> b: go", go), Ids{"rebel-038:10"});
  EXPECT_EQ(problems("", "go[]", "initial a -> b: go initial b", go), Ids{"rebel-037:10"});
  EXPECT_EQ(problems("", "go[x = 1]", "initial a -> b: go", go), Ids{"rebel-074:7"});
  EXPECT_EQ(problems("", "go[]", "initial a -> b: go", "event go[x: Integer]() { // 13\n}\n"),
            Ids{"rebel-075:7"});
  EXPECT_EQ(
      problems("", "go[x = True]", "initial a -> b: go", "event go[x: Integer]() { // 13\n}\n"),
      Ids{"rebel-051:7"});
  EXPECT_EQ(problems("", "go[] go[]", "initial a -> b: go", go), Ids{"rebel-021:7"});
  EXPECT_EQ(problems("id: Integer", "go[]", "initial a -> b: go", go), Ids{"rebel-021:4"});
  EXPECT_EQ(problems("other: Integer @key", "go[]", "initial a -> b: go", go), Ids{"rebel-036:4"});
  EXPECT_EQ(problems("other: Integer @ref=U", "go[]", "initial a -> b: go", go),
            Ids{"rebel-027:4"});
  EXPECT_EQ(problems("", "go(x: Integer)", "initial a -> b: go", go), Ids{"rebel-033:7"});
}

TEST(RebelMalformed, Events) {
  auto event = [&](const std::string& statement, const std::string& params = "") {
    return problems("n: Integer m: Money s: set[Integer] d: Date b: Boolean", "go[]",
                    "initial a -> b: go",
                    "event go(" + params + ") { // 13\n  postconditions {\n    " + statement +
                        "; // 15\n  }\n}\n");
  };
  EXPECT_EQ(event("new this.n == 1"), Ids{});
  EXPECT_EQ(event("new this.nn == 1"), Ids{"rebel-057:15"});
  EXPECT_EQ(event("new this.n == x"), Ids{"rebel-054:15"});
  EXPECT_EQ(event("new this.n == True"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("new this.m == 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("new this.m == this.m + 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("new this.m == this.m * this.m"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("new this.d == this.d + this.d"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("this.n + 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("this.n && True"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("not this.n"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("this.b < True"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("new x == 1", "x: Integer"), Ids{"rebel-050:15"});
  EXPECT_EQ(event("new (this.n + 1) == 1"), Ids{"rebel-050:15"});
  EXPECT_EQ(event("this.m.cents == 1"), Ids{"rebel-059:15"});
  EXPECT_EQ(event("True in this.s"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("forall x : this.n | x > 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("|this.n| == 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("this.s[1] == 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("exists x : {1..this.n} | x == 1"), Ids{"rebel-067:15"});
  EXPECT_EQ(event("T instate a"), Ids{"rebel-056:15"});
  EXPECT_EQ(event("this instate c"), Ids{"rebel-061:15"});
  EXPECT_EQ(event("initialized U[1]"), Ids{"rebel-027:15"});
  EXPECT_EQ(event("initialized T[True]"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("T[1].x == 1"), Ids{"rebel-057:15"});
  EXPECT_EQ(event("this.n == true"), Ids{"rebel-054:15"});
  EXPECT_EQ(event("(this.b ? 1 : EUR 1.00) == 1"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("{1, True} == {1}"), Ids{"rebel-051:15"});
  EXPECT_EQ(event("this.n == ANY"), Ids{"rebel-053:15"});
  EXPECT_EQ(event("this.n == Inf"), Ids{"rebel-053:15"});
  // Several at once.
  EXPECT_EQ(event("this.x == 1; this.y == 2"), (Ids{"rebel-057:15", "rebel-057:15"}));
}

TEST(RebelMalformed, Synchronisations) {
  auto sync = [&](const std::string& statement) {
    return problems("n: Integer", "go[] hit[]", "initial a -> b: go, hit",
                    "event go() { // 13\n  sync {\n    " + statement +
                        "; // 15\n  }\n}\nevent hit(x: Integer) {}\n");
  };
  EXPECT_EQ(sync("T[1].hit(1)"), Ids{});
  EXPECT_EQ(sync("U[1].hit(1)"), Ids{"rebel-027:15"});
  EXPECT_EQ(sync("T[1].hot(1)"), Ids{"rebel-077:15"});
  EXPECT_EQ(sync("T[1].hit()"), Ids{"rebel-063:15"});
  EXPECT_EQ(sync("T[1].hit(True)"), Ids{"rebel-051:15"});
  EXPECT_EQ(sync("T[True].hit(1)"), Ids{"rebel-051:15"});
  EXPECT_EQ(sync("T.hit(1)"), Ids{"rebel-056:15"});
  EXPECT_EQ(sync("T[1].go()"), Ids{"rebel-072:15"});
  EXPECT_EQ(sync("T[new this.n].hit(1)"), Ids{"rebel-050:15"});
  EXPECT_EQ(sync("T[1]"), Ids{"parse-001:15"});
}

TEST(RebelMalformed, TestModules) {
  auto setup = [&](const std::string& rest) {
    return problems("n: Integer", "go[]", "initial a -> b: go",
                    "event go() { // 13\n  postconditions { new this.n == 1; }\n}\n" + rest,
                    "t.tebl");
  };
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s reachable in max 3 steps;\n"), Ids{});
  EXPECT_EQ(setup("state s {\n  c T;\n}\n"), Ids{"rebel-061:17"});
  EXPECT_EQ(setup("state s {\n  b U;\n}\n"), Ids{"rebel-027:17"});
  EXPECT_EQ(setup("state s {\n  b T with m == 1;\n}\n"), Ids{"rebel-054:17"});
  EXPECT_EQ(setup("state s {\n  b T with n == True;\n}\n"), Ids{"rebel-051:17"});
  EXPECT_EQ(setup("state s {\n  b T with new this.n == 1;\n}\n"), Ids{"rebel-050:17"});
  EXPECT_EQ(setup("state s {\n  b T\n}\n"), Ids{"parse-001:17"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck t reachable in max 3 steps;\n"),
            Ids{"rebel-085:19"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s reachable in max -1 steps;\n"),
            Ids{"rebel-052:19"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s reachable between 4 and 2 steps;\n"),
            Ids{"rebel-052:19"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s unreachable;\n"), Ids{"rebel-012:19"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s reachable in 3 steps;\n"), Ids{"parse-001:19"});
  EXPECT_EQ(setup("state s {\n  b T;\n}\ncheck s reachable in max n steps;\n"),
            Ids{"rebel-054:19"});
  EXPECT_EQ(setup("state s {\n  2 T - one with n == 1 - one with n == 2 - one with n == 3;\n}\n"),
            Ids{"rebel-081:17"});
  EXPECT_EQ(setup("state s {\n  now is yesterday;\n}\n"), Ids{"rebel-086:17"});
  EXPECT_EQ(setup("state s { }\nstate s { }\n"), Ids{"rebel-021:17"});
}

TEST(RebelMalformed, OneMistakeOneMessage) {
  // An event whose head cannot be read is still there for those who mention it.
  EXPECT_EQ(problems("n: Integer", "go[]", "initial a -> b: go",
                     "event go(x: Integer { // 13\n  preconditions { x > 0; }\n}\n"),
            Ids{"parse-001:13"});
  // What an unreadable declaration may have declared is not missed elsewhere.
  EXPECT_EQ(problems("n: Integer", "go[]", "initial a -> b: go",
                     "evnt go() { // 13\n  preconditions { this.n > 0; }\n}\n"),
            Ids{"parse-001:13"});
  // A line that ends too early is the one to repair.
  EXPECT_EQ(problems("n: Integer", "go[] stop[]", "initial a -> b: go,\n-> c: stop",
                     "event go() { }\nevent stop() { }\n"),
            Ids{"parse-001:10"});
}

TEST(RebelMalformed, DidYouMean) {
  const Model model({{"t.tebl", std::string("state accountBelowZero { }\n"
                                            "check accountBelowZeroo reachable;\n")}});
  ASSERT_EQ(model.problems(), Ids{"rebel-085:2"});
  EXPECT_EQ(model.diagnostics.all().back().hint, "did you mean 'accountBelowZero'?");
}

// ----- several files

TEST(RebelModules, CyclesAndPackages) {
  const Model model(
      {{"x/bank/Account.ebl",
        std::string("module bank.Account\nimport bank.Library\n"
                    "specification Account { fields { id: Integer @key } "
                    "events { open[] } lifeCycle { initial i -> o: open } }")},
       {"x/bank/Library.ebl",
        std::string("module bank.Library\nimport bank.Account\n"
                    "event open() { preconditions { not initialized Account[9]; } }")}});
  EXPECT_TRUE(model.network) << model.messages();
  EXPECT_TRUE(model.diagnostics.empty()) << model.messages();
}

TEST(RebelModules, Trap1BaseDirectoryByWholeParts) {
  const Model model({{"x/my_atm/Test.ebl", std::string("module atm.Test\nimport atm.Lib\n")},
                     {"x/my_atm/atm/Lib.ebl", std::string("module atm.Lib\n")},
                     {"x/atm/Lib.ebl", std::string("module atm.Lib\nevent broken(\n")}});
  EXPECT_TRUE(model.network) << model.messages();
}

TEST(RebelModules, Trap3AmbiguousNames) {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"T.ebl",
       "module T\nimport A\nimport B\n"
       "specification T { fields { id: Integer @key }\nevents { close[] }\n"
       "lifeCycle { initial i -> c: close } }"},
      {"A.ebl", "module A\nevent close() {}"},
      {"B.ebl", "module B\nevent close() {}"}};
  const Model model(files);
  EXPECT_EQ(model.problems(), Ids{"rebel-024:5"});
  auto qualified = files;
  qualified[0].second.replace(qualified[0].second.find("close[]"), 7, "B.close[]");
  const Model good(qualified);
  EXPECT_TRUE(good.network) << good.messages();
}

TEST(RebelModules, DistantImportsWarn) {
  const Model model({{"T.ebl", std::string("module T\nimport A\nspecification T { fields { id: "
                                           "Integer @key }\nevents { go[] }\n"
                                           "lifeCycle { initial i -> c: go } }")},
                     {"A.ebl", std::string("module A\nimport B\n")},
                     {"B.ebl", std::string("module B\nevent go() {}\n")}});
  EXPECT_TRUE(model.network) << model.messages();
  EXPECT_EQ(model.problems(true), Ids{"rebel-025:4"});
}

TEST(RebelModules, TestsFindWhatTheyDoNotImport) {
  const Model model({{"T.tebl", std::string("state s { T; } check s reachable;")},
                     {"T.ebl", std::string("specification T { fields { id: Integer @key } "
                                           "lifeCycle { initial i } }")}});
  EXPECT_TRUE(model.network) << model.messages();
}

}  // namespace
}  // namespace whittle::rebel
