// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/write_file.h"
#include "cli/command.h"
#include "frontend/languages.h"

namespace whittle::cli {

namespace {

// A model to begin with, of every language that people write by hand.
struct Starter {
  std::string_view language;
  std::string_view file;
  std::string_view text;
};

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

constexpr std::array kStarters = {
    Starter{"sts", "account.sts", kStarterSts},    Starter{"proc", "counter.proc", kStarterProc},
    Starter{"rebel", "Ticket.ebl", kStarterRebel}, Starter{"cfa", "stock.cfa", kStarterCfa},
    Starter{"vmt", "counter.vmt", kStarterVmt},
};

const Starter* starter_of(std::string_view language) {
  for (const Starter& starter : kStarters)
    if (starter.language == language) return &starter;
  return nullptr;
}

struct InitOptions : OptionGroup {
  InitOptions() : OptionGroup("Output") {}
  Option<std::string> output{*this, "output|o", "", "FILE", "write to this file"};
  Option<bool> print{*this, "print", "print the model instead of writing a file"};
};

class Init final : public Command {
 public:
  void declare(OptionTable& table) override { table.add(options_); }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    Diagnostics diagnostics;
    const Starter* starter = chosen(arguments[0], diagnostics);
    if (starter == nullptr) return refused(diagnostics, session);
    if (*options_.print) {
      session.out.write(starter->text);
      return ExitCode::Success;
    }
    const std::string path =
        options_.output.value().empty() ? std::string(starter->file) : *options_.output;
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      diagnostics.report("cli-009", {}, fmt::format("'{}' is there already", path),
                         "give another name with --output");
      return refused(diagnostics, session);
    }
    write_file(path, starter->text);
    session.out.write(fmt::format("{} is written; now: whittle check {}\n", path, path));
    return ExitCode::Success;
  }

 private:
  static ExitCode refused(const Diagnostics& diagnostics, Session& session) {
    session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  // Null: there is none, which is reported.
  static const Starter* chosen(const std::string& id, Diagnostics& diagnostics) {
    if (const Starter* starter = starter_of(id)) return starter;
    if (const Language* language = find_language(id)) {
      diagnostics.report(
          "cli-004", {}, fmt::format("there is no model to begin with in {}", id),
          language->example.empty() ? "" : fmt::format("begin with {}", language->example));
      return nullptr;
    }
    NearestName meant(id);
    for (const Starter& starter : kStarters) meant.offer(starter.language);
    diagnostics.report("cli-004", {}, fmt::format("there is no language '{}'", id),
                       meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                                      : "'whittle languages' lists them");
    return nullptr;
  }

  InitOptions options_;
};

}  // namespace

extern const CommandInfo kInit;
const CommandInfo kInit = {
    "init",
    "LANGUAGE",
    "write a small model to begin with",
    "Writes a model with comments: states, what can happen, a demand, and what is expected of the\n"
    "answer. 'whittle languages' lists the languages.\n"
    "\n"
    "  whittle init sts               account.sts\n"
    "  whittle init proc -o my.proc   under another name\n"
    "  whittle init rebel --print     on the terminal\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Init>()); },
};

}  // namespace whittle::cli
