// SPDX-License-Identifier: Apache-2.0
#include "cli/help_topics.h"

#include <array>

namespace whittle::cli {

namespace {

struct Page {
  std::string_view topic;
  std::string_view text;
};

constexpr std::array kSheets = {
    Page{"sts",
         R"(STS: one machine with nodes, variables and transitions       docs/languages/sts.md

system Name
const MAX = 100                                  enum Status { OPEN, CLOSED }
var x, y: Int                                    Int, Real, Bool, String, an enumeration
node A, "two words"                              final node B
start A: x == 0 && y > 3                         a variable without a value has any

transition t: A -> B (amount: Int)               parameters are chosen by the world
  when amount > 0 && amount <= x                 before
  then x' == x - amount && any y                 after; what is not named stays; any: whatever

constraint A: x >= 0                             proved first, then a help for proofs
safety name: x >= 0                              in every reachable state
safety name @B: x == 0                           in every reachable state at B
reach name: @B && x == 7 within 20               can it be? within: in so many steps
  expect reachable in 5                          holds, violated, reachable, unreachable, unknown

operators  || && ! -> (implies)  == != < <= > >=  + - * / % ^  @Node  // comment  /* comment */
)"},
    Page{"proc",
         R"(PROC: processes with shared memory                              docs/languages/proc.md

program name
const N = 2
shared x: Int = 0                                shared a: Bool[N]
process P[t: 0..N - 1] {                         a family; without [...]: one process
  var i: Int = 0;                                local variables stand first
  label: i := x + 1;                             a[i] := e;   x := *; any value
  if (i > 0) { ... } else { ... }                while (*) { ... }   *: either way
  assume i < 5;  assert i < 7 expect holds;      wait for it; demand it
  lock m;  unlock m;                             of a shared Bool
  atomic { x := x + 1; i := x; }                 in one step
  skip;  return;
}
init a[0] && !a[1]                               of the first states
property name: x <= N && !(P[0]@label)           in every reachable state
property name @depth 14: ...                     in at most 14 steps
  expect violated
)"},
    Page{"rebel",
         R"(Rebel: business entities with life cycles                      docs/languages/rebel.md

module bank.Account                              Account.ebl; tests: AccountTest.tebl
import bank.Library

specification Account {
  fields { id: IBAN @key   balance: Money }
  events { deposit[minimum = EUR 50.00] }
  invariants { neverNegative }
  lifeCycle { initial new -> opened: openUp   final closed }
}
event deposit[minimum: Money = EUR 0.00](amount: Money) {
  preconditions { amount >= minimum; }
  postconditions { new this.balance == this.balance + amount; }
  sync { Ledger[this.id].book(amount); }
}
invariant neverNegative { this.balance >= EUR 0.00; } expect holds

state poor { opened Account with balance < EUR 10.00; }              in a test module
check poor reachable in max 4 steps expect reachable in 3;           a question
assert poor unreachable in max 2 steps;                              a demand
)"},
    Page{"cfa",
         R"(CFA: programs with places that must not be reached             docs/languages/cfa.md

int x = 0;  bool b;                              declarations may be left out
x = *;                                           any value
if (x > 0) { ... } else { ... }                  while (...) { ... }   do { ... } while (...);
assert(x > 0) expect holds;  assume(x < 9);
error "text" expect violated;                    must not be reached
choice { ... } or { ... }                        one of them
parallel { ... } and { ... }                     interleaved
goto label;  label: skip;  return;
)"},
    Page{"vmt",
         R"(VMT-LIB: a transition system as annotated SMT-LIB terms         docs/languages/vmt.md

(declare-fun x () Int) (declare-fun x.next () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= x.next (+ x 1)) :trans true))
(define-fun p () Bool (! (>= x 0) :invar-property 0 :expect holds))
(define-fun q () Bool (! (< x 3) :invar-property 1 :expect |violated in 3|))
)"},
};

constexpr std::array kMessages = {
    Page{"parse-001",
         "The text stops making sense at the mark; what is wrong often stands just "
         "before it.\nA missing bracket or operator is the usual reason. 'whittle "
         "help LANGUAGE' shows the language on a page.\n"},
    Page{"parse-006",
         "`a < b < c` and `a -> b -> c` mean different things to different people.\n"
         "  write  a < b && b < c\n  write  a -> (b -> c)\n"},
    Page{"parse-008",
         "A demand holds or is violated, a question is reachable or unreachable; a "
         "number of steps belongs to a trace.\n"
         "  wrong  safety p: x < 3 expect reachable\n"
         "  right  safety p: x < 3 expect violated in 3\n"},
    Page{"parse-009",
         "Properties have other words in other languages: `safety` and `reach` in "
         "STS, `property` in PROC,\n`invariant`, `check` and `assert` in Rebel. The "
         "word was taken for the one that belongs there.\n"},
    Page{"sts-002",
         "Names are variables, parameters of the transition at hand, constants and "
         "values of enumerations.\nA node is asked for with an `@`:\n"
         "  wrong  safety p: Open -> balance >= 0\n"
         "  right  safety p: @Open -> balance >= 0\n"},
    Page{"sts-005",
         "A system begins somewhere, in a node and with values:\n"
         "  start Open: balance == 0\n"},
    Page{"sts-007",
         "Only a variable has a value after the step; a parameter or a constant has "
         "one.\n  wrong  then amount' == 0\n  right  then balance' == 0\n"},
    Page{"sts-011",
         "Who gets there stays for ever. If that is right, mark it: `final node "
         "Closed`.\n"},
    Page{"sts-012", "Nothing leads to the node, so what is demanded there holds for no reason.\n"},
    Page{"sts-016",
         "Parts of the condition exclude each other, so the transition never happens or "
         "the start never begins.\n"},
    Page{"sts-019",
         "Two parts of the condition exclude each other (`x > 5 && x < 3`), so it is "
         "never true.\n"},
    Page{"type-001",
         "Operators need operands of one type; Int becomes Real by itself, the other "
         "way round it does not.\n  wrong  status + 1    flag == 1\n"
         "  right  balance + 1   flag == true\n"},
    Page{"type-007",
         "A demand is about one state: `x'`, the value after a step, has a meaning in "
         "`then` only.\n"},
    Page{"check-002",
         "A model asks with properties (`safety`, `reach`, `property`, `check`). "
         "'whittle lint' looks at it without.\n"},
    Page{"check-008",
         "A model asks with properties (`safety`, `reach`, `property`, `check`). "
         "'whittle lint' looks at it without.\n"},
    Page{"file-009",
         "The ending of a file name says its language ('whittle languages'); otherwise "
         "give --language.\nStandard input (`-`) has no ending.\n"},
    Page{"cli-010",
         "Loading took all the time or memory there was. A larger --timeout or --memory "
         "helps, or a smaller file.\n"},
};

template <class Pages>
std::string_view text_of(const Pages& pages, std::string_view topic) {
  for (const Page& page : pages)
    if (page.topic == topic) return page.text;
  return {};
}

}  // namespace

std::string_view cheat_sheet(std::string_view language) { return text_of(kSheets, language); }

std::string_view diagnostic_help(std::string_view id) { return text_of(kMessages, id); }

}  // namespace whittle::cli
