// SPDX-License-Identifier: Apache-2.0
#include "cli/starters.h"

#include <array>

namespace whittle::cli {

namespace {

constexpr std::string_view kStarterSts =
    R"(// A bank account. Check it with: whittle check account.sts
system Account
enum Status { OPEN, CLOSED }
var balance: Int                       // Int, Real, Bool, or an enumeration
var status: Status

node Open
final node Closed                      // being stuck here is fine
start Open: balance == 0 && status == OPEN

// What can happen: from a node to a node, with parameters that the world chooses.
transition deposit: Open -> Open (amount: Int)
  when amount > 0                      // what must hold before
  then balance' == balance + amount    // the primed value is the one after; the rest stays
transition withdraw: Open -> Open (amount: Int)
  when amount > 0 && amount <= balance
  then balance' == balance - amount
transition close: Open -> Closed
  when balance == 0
  then status' == CLOSED

// A demand on every reachable state, and a question. What is expected of the answers is a test.
safety noDebts: balance >= 0
  expect holds
reach closedAfterUse: @Closed && status == CLOSED within 5
  expect reachable in 5
)";

constexpr std::string_view kStarterProc =
    R"(// Two processes share a counter. Check it with: whittle check counter.proc
program counter

shared m: Bool = false                 // a lock
shared count: Int = 0

// A family of processes, t is the identity of each.
process P[t: 0..1] {
  var seen: Int = 0;
  lock m;
  seen := count;
  count := seen + 1;
  unlock m;
  done: skip;                          // a label: P[0]@done is true there
}

// Holds in every reachable state. Without the lock it would not: try it.
property bothCounted: !(P[0]@done && P[1]@done) || count == 2
  expect holds
)";

constexpr std::string_view kStarterRebel = R"(module Ticket

// A ticket that is bought, used and perhaps given back.
specification Ticket {
  fields {
    id: Integer @key
    price: Money
  }

  events {
    buy[]
    use[]
    giveBack[]
  }

  invariants {
    neverNegative
  }

  lifeCycle {
    initial new -> bought: buy
    bought -> used: use
           -> returned: giveBack
    final used
    final returned
  }
}

event buy(paid: Money) {
  preconditions {
    paid > EUR 0.00;
  }
  postconditions {
    new this.price == paid;
  }
}

event use() {}

event giveBack() {
  postconditions {
    new this.price == EUR 0.00;
  }
}

invariant neverNegative {
  this.price >= EUR 0.00;
} expect holds
)";

constexpr std::string_view kStarterCfa =
    R"(// A stock that is taken from in a loop. Check it with: whittle check stock.cfa
stock = 5; wanted = *;                 // * is any number
taken = 0;

while (taken < wanted && stock > 0) {
  stock = stock - 1;
  taken = taken + 1;
}

if (stock < 0)
  error "more than there was" expect holds;
assert(taken + stock == 5) expect holds;
)";

constexpr std::string_view kStarterVmt =
    R"(; A counter that is sometimes reset. Check it with: whittle check counter.vmt
(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun reset () Bool)
(define-fun .x () Int (! x :next x.next))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun .trans () Bool (! (= x.next (ite (or reset (>= x 10)) 0 (+ x 1))) :trans true))
(define-fun bounded () Bool (! (<= x 10) :invar-property 0 :expect holds))
)";

constexpr std::string_view kStarterFcl =
    R"(;; A counter that goes down. Check it with: whittle check countdown.fcl
(n) (init)                            ;; the parameters, which may have any values; the first block

init: steps := 0;             [1]
      goto test;              [2]

test: if <(0 n)               [1]
         then loop
         else end;

loop: n := n - 1;             [1]
      steps := steps + 1;     [2]
      goto test;              [3]

end:  return;                 [1]

;; [block.number] is true where that statement is next.
safety counted: not [end.1] or n <= 0
  expect holds
reach three: [end.1] and steps = 3
  expect reachable
)";

constexpr std::string_view kStarterC =
    R"(// A stock that is taken from. Check it with: whittle check stock.c
#include <assert.h>

int __VERIFIER_nondet_int(void);        // any value; every one is looked at

int main(void) {
    int stock = 5;
    int taken = 0;
    while (stock > 0) {
        int wanted = __VERIFIER_nondet_int();
        if (wanted <= 0 || wanted > stock) break;
        stock -= wanted;
        taken += wanted;
    }
    assert(stock >= 0);
    assert(stock + taken == 5);
    return 0;
}
)";

constexpr std::string_view kStarterBpmn =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- An order that is checked. Check it with: whittle check order.bpmn
     Mostly a modelling tool writes such files; this one has no drawing in it. -->
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="order">
  <process id="order" name="Order">
    <startEvent id="placed" name="Order placed"/>
    <exclusiveGateway id="stock" name="In stock?"/>
    <task id="pick" name="Pick goods"/>
    <task id="refuse" name="Refuse order"/>
    <exclusiveGateway id="join" name="Decided"/>
    <endEvent id="done" name="Done"/>
    <sequenceFlow id="f1" sourceRef="placed" targetRef="stock"/>
    <sequenceFlow id="f2" sourceRef="stock" targetRef="pick"/>
    <sequenceFlow id="f3" sourceRef="stock" targetRef="refuse"/>
    <sequenceFlow id="f4" sourceRef="pick" targetRef="join"/>
    <sequenceFlow id="f5" sourceRef="refuse" targetRef="join"/>
    <sequenceFlow id="f6" sourceRef="join" targetRef="done"/>
  </process>
</definitions>
)";

constexpr std::array kStarters = {
    Starter{"sts", "account.sts", kStarterSts},
    Starter{"proc", "counter.proc", kStarterProc},
    Starter{"rebel", "Ticket.ebl", kStarterRebel},
    Starter{"cfa", "stock.cfa", kStarterCfa},
    Starter{"vmt", "counter.vmt", kStarterVmt},
    Starter{"fcl", "countdown.fcl", kStarterFcl},
    Starter{"c", "stock.c", kStarterC},
    Starter{"bpmn", "order.bpmn", kStarterBpmn},
};

}  // namespace

std::span<const Starter> starters() { return kStarters; }

const Starter* starter_of(std::string_view language) {
  for (const Starter& starter : kStarters)
    if (starter.language == language) return &starter;
  return nullptr;
}

}  // namespace whittle::cli
