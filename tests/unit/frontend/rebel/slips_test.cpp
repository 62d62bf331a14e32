// SPDX-License-Identifier: Apache-2.0
// One correct program and what people do to it: each mistake is an edit, with the id and the line
// of every message it gets, warnings included. Nothing follows from a mistake but its own message.
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

struct Edit {
  const char* from;
  const char* to;
};

struct Slip {
  const char* name;
  std::vector<Edit> edits;
  const char* messages;  // id:line, separated by blanks
};

const char* const kCorrect =
    "module acc\n"
    "\n"
    "specification Account {\n"
    "  fields {\n"
    "    nr: Integer @key\n"
    "    balance: Money\n"
    "    rate: Percentage\n"
    "  }\n"
    "  events {\n"
    "    open[minimum = EUR 50.00]\n"
    "    deposit[]\n"
    "    withdraw[]\n"
    "  }\n"
    "  invariants {\n"
    "    positive\n"
    "  }\n"
    "  lifeCycle {\n"
    "    initial init -> opened: open\n"
    "    opened -> opened: deposit, withdraw\n"
    "  }\n"
    "}\n"
    "specification Transfer {\n"
    "  fields {\n"
    "    id: Integer @key\n"
    "    amount: Money\n"
    "  }\n"
    "  events {\n"
    "    book[]\n"
    "  }\n"
    "  lifeCycle {\n"
    "    initial init -> booked: book\n"
    "    final booked\n"
    "  }\n"
    "}\n"
    "event open[minimum: Money = EUR 0.00](first: Money) {\n"
    "  preconditions {\n"
    "    first >= minimum;\n"
    "  }\n"
    "  postconditions {\n"
    "    new this.balance == first;\n"
    "    new this.rate == 3%;\n"
    "  }\n"
    "}\n"
    "event deposit(amount: Money) {\n"
    "  preconditions {\n"
    "    amount > EUR 0.00;\n"
    "  }\n"
    "  postconditions {\n"
    "    new this.balance == this.balance + amount;\n"
    "  }\n"
    "}\n"
    "event withdraw(amount: Money) {\n"
    "  preconditions {\n"
    "    amount > EUR 0.00;\n"
    "    this.balance >= amount;\n"
    "  }\n"
    "  postconditions {\n"
    "    new this.balance == this.balance - amount;\n"
    "  }\n"
    "}\n"
    "event book(from: Integer, to: Integer, amount: Money) {\n"
    "  preconditions {\n"
    "    from != to;\n"
    "  }\n"
    "  postconditions {\n"
    "    new this.amount == amount;\n"
    "  }\n"
    "  sync {\n"
    "    Account[from].withdraw(amount);\n"
    "    Account[to].deposit(amount);\n"
    "  }\n"
    "}\n"
    "function twice(m: Money): Money = m + m;\n"
    "invariant positive {\n"
    "  this.balance >= EUR 0.00;\n"
    "}\n"
    "state rich {\n"
    "  opened Account with balance > EUR 100.00;\n"
    "  booked Transfer;\n"
    "}\n"
    "check rich reachable in max 5 steps;\n";

const std::vector<Slip>& slips() {
  static const std::vector<Slip> kSlips = {
      {"NoBraceFields", {{"    rate: Percentage\n  }\n", "    rate: Percentage\n"}}, "parse-001:8"},
      {"NoBraceEvents", {{"    withdraw[]\n  }\n", "    withdraw[]\n"}}, "parse-001:13"},
      {"NoBraceInvariants", {{"    positive\n  }\n", "    positive\n"}}, "parse-001:16"},
      {"NoBraceLifeCycle", {{"deposit, withdraw\n  }\n", "deposit, withdraw\n"}}, "parse-001:21"},
      {"NoBracePre", {{"    first >= minimum;\n  }\n", "    first >= minimum;\n"}}, "parse-001:38"},
      {"NoBracePost",
       {{"    new this.rate == 3%;\n  }\n", "    new this.rate == 3%;\n"}},
       "parse-001:43"},
      {"NoBraceEvent",
       {{"    new this.rate == 3%;\n  }\n}\n", "    new this.rate == 3%;\n  }\n"}},
       "parse-001:43"},
      {"NoBraceSync",
       {{"    Account[to].deposit(amount);\n  }\n", "    Account[to].deposit(amount);\n"}},
       "parse-001:72"},
      {"NoBraceSpec",
       {{"deposit, withdraw\n  }\n}\n", "deposit, withdraw\n  }\n"}},
       "parse-001:21"},
      {"NoBraceState", {{"  booked Transfer;\n}\n", "  booked Transfer;\n"}}, "parse-001:80"},
      {"NoBraceInvariantDef",
       {{"  this.balance >= EUR 0.00;\n}\n", "  this.balance >= EUR 0.00;\n"}},
       "parse-001:76"},
      {"ExtraBrace", {{"    withdraw[]\n  }\n", "    withdraw[]\n  }\n  }\n"}}, "parse-001:15"},
      {"ExtraBraceEvent",
       {{"    new this.rate == 3%;\n  }\n}\n", "    new this.rate == 3%;\n  }\n}\n}\n"}},
       "parse-001:44"},
      {"DupEvent",
       {{"event book(", "event deposit(amount: Money) {}\nevent book("}},
       "rebel-021:61"},
      {"DupField",
       {{"    rate: Percentage\n", "    rate: Percentage\n    balance: Money\n"}},
       "rebel-021:8"},
      {"DupSpec",
       {{"event open[",
         "specification Account {\n  fields { nr: Integer @key }\n  lifeCycle { initial a "
         "}\n}\nevent open["}},
       "rebel-021:35"},
      {"DupState", {{"check rich", "state rich {\n  Account;\n}\ncheck rich"}}, "rebel-021:81"},
      {"DupRef", {{"    deposit[]\n", "    deposit[]\n    deposit[]\n"}}, "rebel-021:12"},
      {"DupFunction",
       {{"invariant positive", "function twice(m: Money): Money = m;\ninvariant positive"}},
       "rebel-021:74"},
      {"DupParam",
       {{"(from: Integer, to: Integer,", "(from: Integer, from: Integer,"}},
       "rebel-021:61 rebel-054:63 rebel-054:70"},
      {"DupInvariant", {{"state rich", "invariant positive {\n}\nstate rich"}}, "rebel-021:77"},
      {"PostWithoutNew",
       {{"    new this.balance == this.balance + amount;",
         "    this.balance == this.balance + amount;"}},
       "rebel-088:49"},
      {"Preconditons",
       {{"  preconditions {\n    first", "  preconditons {\n    first"}},
       "parse-001:36"},
      {"Postcondition",
       {{"  postconditions {\n    new this.balance == first",
         "  postcondition {\n    new this.balance == first"}},
       "parse-001:39"},
      {"Feilds", {{"  fields {\n    nr", "  feilds {\n    nr"}}, "parse-001:4"},
      {"Lifecyle",
       {{"  lifeCycle {\n    initial init -> opened", "  lifecyle {\n    initial init -> opened"}},
       "parse-001:17"},
      {"Specificaton", {{"specification Account", "specificaton Account"}}, "parse-001:3"},
      {"Evnt", {{"event deposit(", "evnt deposit("}}, "parse-001:44"},
      {"Invarients", {{"  invariants {", "  invarients {"}}, "parse-001:14"},
      {"Synch", {{"  sync {", "  synch {"}}, "parse-001:68"},
      {"Fucntion", {{"function twice", "fucntion twice"}}, "parse-001:73"},
      {"Chek", {{"check rich", "chek rich"}}, "parse-001:81"},
      {"Stat", {{"state rich", "stat rich"}}, "parse-001:77"},
      {"Reachble", {{"reachable in max", "reachble in max"}}, "parse-001:81"},
      {"Inital", {{"    initial init -> opened", "    inital init -> opened"}}, "parse-001:18"},
      {"Wth", {{"opened Account with balance", "opened Account wth balance"}}, "parse-001:78"},
      {"NoSemicolonPre",
       {{"    amount > EUR 0.00;\n    this", "    amount > EUR 0.00\n    this"}},
       "parse-001:54"},
      {"NoSemicolonLast", {{"    first >= minimum;\n", "    first >= minimum\n"}}, "parse-001:37"},
      {"NoSemicolonSync", {{"withdraw(amount);\n", "withdraw(amount)\n"}}, "parse-001:69"},
      {"NoSemicolonFunction", {{"= m + m;", "= m + m"}}, "parse-001:73"},
      {"NoSemicolonSetup", {{"EUR 100.00;\n", "EUR 100.00\n"}}, "parse-001:78"},
      {"NoSemicolonCheck", {{"in max 5 steps;", "in max 5 steps"}}, "parse-001:81"},
      {"SemicolonField", {{"    balance: Money\n", "    balance: Money;\n"}}, "parse-001:6"},
      {"CommaField", {{"    balance: Money\n", "    balance: Money,\n"}}, "parse-001:6"},
      {"CommaEvents", {{"    deposit[]\n", "    deposit[],\n"}}, "parse-001:11"},
      {"SemicolonLifeCycle",
       {{"    initial init -> opened: open\n", "    initial init -> opened: open;\n"}},
       "parse-001:18"},
      {"Euro", {{"amount > EUR 0.00;\n  }", "amount > EURO 0.00;\n  }"}}, "parse-001:46"},
      {"MoneyInteger", {{"amount > EUR 0.00;\n  }", "amount > 0;\n  }"}}, "rebel-051:46"},
      {"PercentInteger", {{"new this.rate == 3%;", "new this.rate == 3;"}}, "rebel-051:41"},
      {"Dollar", {{"first >= minimum;", "first >= $50.00;"}}, "lex-001:37"},
      {"Gbp", {{"first >= minimum;", "first >= GBP 50.00;"}}, "parse-001:37"},
      {"SyncTooFew", {{"Account[to].deposit(amount);", "Account[to].deposit();"}}, "rebel-063:70"},
      {"SyncTooMany",
       {{"Account[to].deposit(amount);", "Account[to].deposit(amount, to);"}},
       "rebel-063:70"},
      {"SyncType", {{"Account[to].deposit(amount);", "Account[to].deposit(to);"}}, "rebel-051:70"},
      {"SyncEvent",
       {{"Account[to].deposit(amount);", "Account[to].depositt(amount);"}},
       "rebel-077:70"},
      {"SyncSpec",
       {{"Account[to].deposit(amount);", "Acount[to].deposit(amount);"}},
       "rebel-027:70"},
      {"SyncNoKey", {{"Account[to].deposit(amount);", "Account.deposit(amount);"}}, "rebel-056:70"},
      {"SyncKeyType",
       {{"Account[to].deposit(amount);", "Account[amount].deposit(amount);"}},
       "rebel-051:70"},
      {"SyncThis", {{"Account[to].deposit(amount);", "this.deposit(amount);"}}, "rebel-027:70"},
      {"LifeEvent", {{"opened: deposit, withdraw", "opened: deposit, withdraww"}}, "rebel-034:19"},
      {"LifeState", {{"    opened -> opened: dep", "    openned -> opened: dep"}}, "rebel-089:19"},
      {"TwoInitial",
       {{"    opened -> opened: dep", "    initial opened -> opened: dep"}},
       "rebel-037:19"},
      {"NoInitial",
       {{"    initial init -> opened: open\n", "    init -> opened: open\n"}},
       "rebel-038:18"},
      {"EventUndefined", {{"    withdraw[]\n", "    withdraw[]\n    close[]\n"}}, "rebel-027:13"},
      {"ConfigName", {{"open[minimum = EUR 50.00]", "open[minimun = EUR 50.00]"}}, "rebel-074:10"},
      {"ConfigType", {{"open[minimum = EUR 50.00]", "open[minimum = 50]"}}, "rebel-051:10"},
      {"ConfigMissing",
       {{"open[minimum: Money = EUR 0.00]", "open[minimum: Money]"},
        {"open[minimum = EUR 50.00]", "open[]"}},
       "rebel-075:10"},
      {"InvariantUndefined", {{"    positive\n", "    postive\n"}}, "rebel-027:15"},
      {"TypeName", {{"    balance: Money\n", "    balance: Mony\n"}}, "rebel-030:6"},
      {"NoKey", {{"nr: Integer @key", "nr: Integer"}}, "rebel-073:5"},
      {"TwoKeys", {{"    balance: Money\n", "    balance: Money @key\n"}}, "rebel-036:6"},
      {"ReservedEvent",
       {{"event deposit(amount", "event in() {}\nevent deposit(amount"}},
       "rebel-003:44"},
      {"ReservedThis",
       {{"    balance: Money\n", "    balance: Money\n    this: Money\n"}},
       "rebel-003:7"},
      {"ReservedNow",
       {{"    rate: Percentage\n", "    rate: Percentage\n    now: Date\n"}},
       "rebel-003:8"},
      {"ReservedCase",
       {{"    rate: Percentage\n", "    rate: Percentage\n    case: Percentage\n"}},
       "rebel-003:8"},
      {"UnknownField",
       {{"new this.balance == first", "new this.balanse == first"}},
       "rebel-057:40"},
      {"UnknownName", {{"first >= minimum", "frist >= minimum"}}, "rebel-054:37"},
      {"NewBare", {{"new this.balance == first", "new balance == first"}}, ""},
      {"LessGreater", {{"from != to", "from <> to"}}, "parse-001:63"},
      {"Assign", {{"new this.balance == first", "new this.balance = first"}}, "parse-001:40"},
      {"Assign2", {{"new this.balance == first", "this.balance := first"}}, "parse-001:40"},
      {"And", {{"first >= minimum;", "first >= minimum and first >= EUR 1.00;"}}, "parse-001:37"},
      {"LowerTrue", {{"first >= minimum;", "true;"}}, "rebel-054:37"},
      {"Bang", {{"from != to", "!(from == to)"}}, "parse-001:63"},
      {"NewParam",
       {{"new this.balance == first;", "new this.balance == new first;"}},
       "rebel-050:40"},
      {"MoneyPlusInteger", {{"this.balance + amount", "this.balance + 1"}}, "rebel-051:49"},
      {"NotBoolean", {{"first >= minimum;", "first;"}}, "rebel-051:37"},
      {"NewKey", {{"new this.rate == 3%;", "new this.nr == 3;"}}, "rebel-073:7 rebel-090:41"},
      {"NoParen",
       {{"new this.balance == this.balance + amount;",
         "new this.balance == (this.balance + amount;"}},
       "parse-001:49"},
      {"NoQuote", {{"first >= minimum;", "first >= \"50;"}}, "lex-002:37"},
      {"NoCommentEnd", {{"event deposit(", "/* event deposit("}}, "lex-003:44"},
      {"CaseOtherwise",
       {{"new this.rate == 3%;",
         "case first.amount { 1 => new this.rate == 3%; otherwise => new this.rate == 4%; };"}},
       "rebel-054:41"},
      {"CaseArrow",
       {{"new this.rate == 3%;", "case first.amount { 1 -> new this.rate == 3%; };"}},
       "parse-001:41"},
      {"FunctionArity", {{"first >= minimum;", "twice(first, first) >= minimum;"}}, "rebel-063:37"},
      {"FunctionType", {{"first >= minimum;", "twice(3) >= minimum;"}}, "rebel-051:37"},
      {"FunctionName", {{"first >= minimum;", "twize(first) >= minimum;"}}, "rebel-027:37"},
      {"FunctionResult", {{"Money = m + m;", "Integer = m + m;"}}, "rebel-051:73"},
      {"Recursive", {{"= m + m;", "= twice(m) + m;"}}, "rebel-064:73"},
      {"ExtendsUnknown",
       {{"specification Account {", "specification Account extends Konto {"}},
       "rebel-027:3"},
      {"ExtendsCircle",
       {{"specification Account {", "specification Account extends Transfer {"},
        {"specification Transfer {", "specification Transfer extends Account {"}},
       "rebel-031:22"},
      {"ExtendsSelf",
       {{"specification Account {", "specification Account extends Account {"}},
       "rebel-031:3"},
      {"Import", {{"module acc\n", "module acc\nimport lib.Missing\n"}}, "rebel-022:2"},
      {"SyncCircle",
       {{"this.balance - amount;\n  }\n",
         "this.balance - amount;\n  }\n  sync {\n    Transfer[1].book(1, 2, amount);\n  }\n"}},
       "rebel-072:72"},
      {"Instate", {{"from != to;", "from != to; Account[from] instate opend;"}}, "rebel-061:63"},
      {"NoSuchDay",
       {{"from != to;", "from != to; now.date > 31 Feb 2020;"}},
       "rebel-087:63 rebel-005:63"},
      {"NoSuchTime",
       {{"from != to;", "from != to; now.time > 25:00;"}},
       "rebel-087:63 rebel-006:63"},
      {"GoalState", {{"opened Account", "open Account"}}, "rebel-061:78"},
      {"GoalSpec", {{"opened Account", "opened Acount"}}, "rebel-027:78"},
      {"CheckSetup", {{"check rich", "check ritch"}}, "rebel-085:81"},
      {"NoMax", {{"reachable in max 5 steps", "reachable in 5 steps"}}, "parse-001:81"},
      {"NoIn", {{"reachable in max 5 steps", "reachable max 5 steps"}}, "parse-001:81"},
      {"GoalField", {{"with balance >", "with balanc >"}}, "rebel-054:78"},
      {"GoalType", {{"balance > EUR 100.00", "balance > 100"}}, "rebel-051:78"},
      {"NegativeBound", {{"in max 5 steps", "in max -5 steps"}}, "rebel-052:81"},
      {"BetweenReversed", {{"in max 5 steps", "between 5 and 2 steps"}}, "rebel-052:81"},
      {"Within", {{"reachable in max 5 steps", "reachable within 5 steps"}}, "parse-001:81"},
      {"TooManyOnes",
       {{"opened Account with balance > EUR 100.00;",
         "2 opened Account - one with balance > EUR 1.00 - one with balance > EUR 2.00 - one with "
         "balance > EUR 3.00;"}},
       "rebel-081:78"},
      {"EqualKeys",
       {{"  booked Transfer;\n", "  booked Transfer with id == 1;\n  Transfer with id == 1;\n"}},
       "rebel-083:80"},
      {"NowDateOnly", {{"state rich {\n", "state rich {\n  now is 26 Sep 2016;\n"}}, ""},
      {"NowAssigned",
       {{"state rich {\n", "state rich {\n  now = 26 Sep 2016, 12:00;\n"}},
       "parse-001:78"},
      {"LowerSpec", {{"  booked Transfer;\n", "  booked transfer;\n"}}, "rebel-027:79"},
      {"Dots", {{"    rate: Percentage\n", "    rate: Percentage\n    ...\n"}}, "rebel-002:8"},
      {"CheckUnreachable",
       {{"check rich reachable in max 5 steps;", "check rich unreachable in max 5 steps;"}},
       "rebel-012:81"},
      {"FinalState", {{"init -> booked: book", "init -> boked: book"}}, "rebel-089:32"},
      {"FinalWord", {{"    final booked\n", "    finale booked\n"}}, "rebel-089:32"},
      {"EventListed", {{"    deposit[]\n", "    depositt[]\n"}}, "rebel-027:11"},
      {"ConfigNameNoDefault",
       {{"open[minimum: Money = EUR 0.00]", "open[minimum: Money]"},
        {"open[minimum = EUR 50.00]", "open[minimun = EUR 50.00]"}},
       "rebel-074:10"},
      {"DecimalComma",
       {{"open[minimum = EUR 50.00]", "open[minimum = EUR 50,00]"}},
       "rebel-007:10"},
      {"If",
       {{"new this.rate == 3%;", "if (first > EUR 1.00) { new this.rate == 3%; }"}},
       "parse-001:41"},
      {"NewInPre", {{"this.balance >= amount;", "new this.balance >= EUR 0.00;"}}, ""},
      {"NewInPreOnly",
       {{"    new this.balance == this.balance + amount;\n", ""},
        {"    amount > EUR 0.00;\n  }\n  postconditions {\n  }",
         "    amount > EUR 0.00;\n    new this.balance == this.balance + amount;\n  }\n"
         "  postconditions {\n  }"}},
       "rebel-091:47"},
      {"SumOfCurrencies",
       {{"amount > EUR 0.00;\n  }\n  postconditions {\n    new this.balance == this.balance +",
         "amount > USD 0.00;\n  }\n  postconditions {\n    new this.balance == this.balance +"}},
       "rebel-092:49"},
      {"CurrenciesOfOneParameter",
       {{"amount > EUR 0.00;\n  }", "amount > EUR 0.00; amount < USD 9.00;\n  }"}},
       "rebel-092:46"},
      {"CurrencyOfInvariant",
       {{"this.balance >= EUR 0.00", "this.balance >= USD 0.00"}},
       "rebel-092:75"},
      {"CurrencyOfConfiguration",
       {{"minimum = EUR 50.00", "minimum = USD 50.00"}},
       "rebel-092:49 rebel-092:55 rebel-092:58 rebel-092:75 rebel-092:78"},
      {"CurrencyAny", {{"    first >= minimum;\n", ""}}, ""},
      {"CurrencyLiterals",
       {{"first >= minimum", "first >= EUR 1.00 + CUR_GBP 2.00"}},
       "rebel-092:37"},
      {"Contradiction",
       {{"    this.balance >= amount;", "    this.balance >= amount;\n    amount < EUR 0.00;"}},
       "rebel-093:56"},
      {"ContradictionInOne",
       {{"from != to;", "from != to && from == to + 1 && to == from;"}},
       "rebel-093:63"},
      {"NoContradiction", {{"from != to;", "from > to || from < to;"}}, ""},
      {"EarlyRead", {{"new this.rate == 3%;", "new this.rate == this.rate + 3%;"}}, "rebel-076:41"},
      {"EarlyReadGuarded",
       {{"new this.rate == 3%;", "new this.rate == (initialized this ? this.rate : 3%);"}},
       ""},
      {"EarlyReadGuarded2",
       {{"first >= minimum;", "initialized this && first > EUR 1.00 -> this.rate > 3%;"}},
       ""},
      {"EarlyReadGuarded3",
       {{"first >= minimum;", "initialized this && this.rate > 3% || first >= minimum;"}},
       ""},
      {"EarlyReadAfterwards",
       {{"first >= minimum;", "initialized this && first >= minimum || this.rate > 3%;"}},
       "rebel-076:37"},
      {"SyntaxAndNames",
       {{"first >= minimum;", "first >= minimum"}, {"check rich", "check zzz"}},
       "parse-001:37 rebel-085:81"},
      {"Many",
       {{"new this.balance == first", "new this.balanse == first"},
        {"Account[to].deposit(amount);", "Account[to].deposit();"},
        {"with balance >", "with balanc >"},
        {"from != to;", "from > amount;"}},
       "rebel-057:40 rebel-051:63 rebel-063:70 rebel-054:78"},
      {"Many2",
       {{"first >= minimum;\n", "first >= minimum\n"},
        {"Account[to].deposit(amount);", "Account[to].deposit(amount)"},
        {"with balance >", "with balanc >"},
        {"= m + m;", "= m + ;"}},
       "parse-001:37 parse-001:70 parse-001:73 rebel-054:78"},
      {"Many3",
       {{"balance: Money\n", "balance: Mony\n"},
        {"deposit, withdraw\n", "deposit, withdrw\n"},
        {"Account[to].dep", "Acount[to].dep"},
        {"opened Account", "opend Account"},
        {"check rich", "check rch"},
        {"    positive\n", "    postive\n"}},
       "rebel-030:6 rebel-027:15 rebel-034:19 rebel-027:70 rebel-061:78 rebel-085:81"},
      {"Many4",
       {{"preconditions {\n    first", "preconditons {\n    first"},
        {"  fields {\n    id", "  feilds {\n    id"},
        {"this.balance - amount", "this.balnce - amount"}},
       "parse-001:23 parse-001:36 rebel-057:58"},
  };
  return kSlips;
}

TEST(RebelSlips, IdAndLine) {
  for (const Slip& slip : slips()) {
    std::string text = kCorrect;
    for (const Edit& edit : slip.edits) {
      const std::size_t at = text.find(edit.from);
      ASSERT_NE(at, std::string::npos) << slip.name;
      text.replace(at, std::string(edit.from).size(), edit.to);
    }
    const Model model({{"acc.tebl", text}});
    std::string messages;
    for (const std::string& problem : model.problems(true)) {
      messages += (messages.empty() ? "" : " ") + problem;
    }
    EXPECT_EQ(messages, slip.messages) << slip.name << "\n" << model.messages();
  }
}

// What people bring along from other languages: the hint says how it is written here.
TEST(RebelSlips, HintsLeadToTheRepair) {
  const std::vector<std::pair<Edit, const char*>> kHabits = {
      {{"open[minimum = EUR 50.00]", "open[minimum = GBP 50.00]"}, "CUR_GBP"},
      {{"open[minimum = EUR 50.00]", "open[minimum = EUR 50,75]"}, "write EUR 50.75"},
      {{"from != to;", "now.date > 1 January 2026;"}, "'1 Jan 2026'"},
      {{"from != to;", "now.date > 1 sept 2026;"}, "'1 Sep 2026'"},
      {{"from != to;", "now.date + 2 Years > now.date;"}, "'2 Year'"},
      {{"from != to;", "now.date > 2026-01-01;"}, "'26 Sep 2016'"},
      {{"from != to;", "now.date + 1 > now.date;"}, "1 Day"},
      {{"from != to;", "if (from != to) { from > 0; }"}, "no 'if'"},
      {{"from != to;", "from => to;"}, "'>='"},
      {{"from != to;", "from ≥ to;"}, "'>='"},
      {{"from != to;", "from ≠ to;"}, "'!='"},
      {{"from != to;", "“a” == “a”;"}, "straight quotation marks"},
      {{"from != to;", "# from != to;"}, "'//'"},
      {{"first >= minimum;", "first >= $50.00;"}, "USD"},
      {{"new this.balance == this.balance + amount", "this.balance += amount"}, "no assignments"},
      {{"new this.balance == first", "this.balance' == first"}, "'new this.balance'"},
      {{"new this.balance == first", "new This.balance == first"}, "'this'"},
      {{"open[minimum: Money = EUR", "open[minimum: Money == EUR"}, "with '='"},
      {{"opened -> opened: deposit, withdraw", "opened: deposit, withdraw -> opened"},
       "from -> to: event"},
      {{"Account with balance", "Account balance"}, "'with'"},
      {{"nr: Integer @key", "nr: Integer"}, "@key"},
      {{"    final booked\n", "    finale booked\n"}, "'final'"},
  };
  for (const auto& [edit, hint] : kHabits) {
    std::string text = kCorrect;
    const std::size_t at = text.find(edit.from);
    ASSERT_NE(at, std::string::npos) << edit.from;
    text.replace(at, std::string(edit.from).size(), edit.to);
    const Model model({{"acc.tebl", text}});
    std::string hints;
    for (const Diagnostic& d : model.diagnostics.all()) hints += d.hint + "\n";
    EXPECT_NE(hints.find(hint), std::string::npos) << edit.to << "\n" << model.messages();
  }
}

TEST(RebelSlips, ModulesThatAreImportedUnderAnotherName) {
  const Model model({{"T.tebl", "module T\nimport a.S\n"}, {"a/S.ebl", "module b.S\n"}});
  EXPECT_EQ(model.problems(true), std::vector<std::string>{"rebel-020:1"}) << model.messages();
}

TEST(RebelSlips, NothingWithoutAMistake) {
  const Model model({{"acc.tebl", std::string(kCorrect)}});
  EXPECT_EQ(model.problems(true), std::vector<std::string>());
}

// A brace is missing somewhere above: the indentation tells where.
TEST(RebelSlips, BracesByIndentation) {
  std::string text = kCorrect;
  const std::string closed = "    opened -> opened: deposit, withdraw\n  }\n";
  text.replace(text.find(closed), closed.size(), "    opened -> opened: deposit, withdraw\n");
  const Model model({{"acc.tebl", text}});
  ASSERT_EQ(model.diagnostics.all().size(), 1U);
  std::vector<std::uint32_t> lines;
  for (const auto& related : model.diagnostics.all()[0].related) {
    lines.push_back(model.sources.file(related.span.file).position(related.span.begin).line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{3, 17, 20}));
}

}  // namespace
}  // namespace whittle::rebel
