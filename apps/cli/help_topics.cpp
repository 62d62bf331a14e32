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

transition t: A -> B (amount: Int)               or A, C -> B; parameters: chosen by the world
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
    Page{"fcl",
         R"(FCL: flowchart programs                                          docs/languages/fcl.md

(m n) (init)                                     parameters (any values), the first block
init: result := 1;            [1]                a block: a label and statements with numbers
      goto test;              [2]                goto l;  return;  skip;
test: if <(n 1)               [1]                if e then l else l;
         then end
         else loop;
loop: result := *(result m);  [1]                x := ?;  any value    ?(a b)  one of these
      n := n - 1;             [2]                (car x)  (cdr x)  (cons e x)  (null? x)
      goto test;              [3]
end:  return;                 [1]

input n: 1..4                                    input x: list of 1..4
safety done: not [end.1] or n <= 0               [block.number]: about to run that statement
  expect holds
reach twice: n == 2 within 20

operators  not and or  = != < <= > >=  + - * / %   ;; comment
)"},
    Page{"c",
         R"(C: programs over integers                                          docs/languages/c.md

int __VERIFIER_nondet_int(void);                 any value of the type; nondet_int() too
void __VERIFIER_assume(int condition);           only runs in which it holds

int main(void) {
  int stock = 5;
  while (stock > 0 && __VERIFIER_nondet_int())   every way is looked at
    stock--;
  assert(stock >= 0);
  if (stock > 5) reach_error();                  must not be called
}

asked: every assert and reach_error(), indices within bounds, no division by zero, shifts within
       width; --check overflow asks about signed overflow, too
not read: pointers but those that stand for a parameter, malloc, recursion, float, union, threads
)"},
    Page{"owls",
         R"(OWL-S: service processes as RDF/XML                             docs/languages/owls.md

<process:CompositeProcess rdf:ID="Travel">       followed: the one that no other performs
  <process:composedOf> <process:Sequence>        Split, Split-Join, Any-Order, Choice,
    ... <process:Perform>                        If-Then-Else, Repeat-While, Repeat-Until
      <process:process rdf:resource="#Hotel"/>   preconditions and results are conditions and
    </process:Perform>                           effects of a small language of their own

begin with examples/owls/travel.owl
whittle check travel.owl                         what every service uses is there, ...
properties beside the document, in travel.prop:  property name: condition
)"},
    Page{"bpmn",
         R"(BPMN: process diagrams from a modelling tool                    docs/languages/bpmn.md

asked of every diagram, without writing anything:
  every start leads to an end                    whatever has happened, it can still end
  no stuck token                                 while it runs, something can happen
  no doubled token                               no flow has two tokens at a time
  ends once                                      after its end nothing else goes on
  `Task` can happen                              one question for each activity
  no lost message                                no message stays in transit

read: pools, messages, tasks, gateways (exclusive, parallel, inclusive, event-based), events,
      sub-processes, border events, loops
whittle check order.bpmn -p 'no stuck token'     one of the questions
whittle check shop.bpmn --bpmn-network fifo      in which order messages arrive
)"},
};

constexpr Explained kExplained[] = {
#define EXPLAIN(id, why, wrong, right) {id, why, wrong, right},
#include "cli/explained/models.def"
#include "cli/explained/rebel.def"
#include "cli/explained/texts.def"
#undef EXPLAIN
};

}  // namespace

std::string_view cheat_sheet(std::string_view language) {
  for (const Page& page : kSheets)
    if (page.topic == language) return page.text;
  return {};
}

const Explained* explained(std::string_view id) {
  for (const Explained& one : kExplained)
    if (one.id == id) return &one;
  return nullptr;
}

}  // namespace whittle::cli
