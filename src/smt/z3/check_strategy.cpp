// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/check_strategy.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace whittle::smt {

namespace {

constexpr unsigned kFirstEffort = 2'000'000;  // about a second
constexpr unsigned kMaxEffort = 500'000'000;
constexpr unsigned kStepsPerMillisecond = 2'000;
constexpr unsigned kMaxFailures = 3;
constexpr unsigned kEasyConflicts = 2'000;  // about 0.2 s
constexpr unsigned kTrialConflicts = 5 * kEasyConflicts;

bool ran_out(const CheckResult& result) {
  return result.reason.kind == Reason::Kind::Interrupted ||
         result.reason.kind == Reason::Kind::Timeout ||
         result.reason.detail.find("resource") != std::string::npos;
}

class Incremental final : public CheckStrategy {
 public:
  explicit Incremental(Z3Solver& solver) : solver_(solver) {}
  CheckResult check(std::span<const Z3_ast> literals) override { return solver_.check(literals); }

 private:
  Z3Solver& solver_;
};

// Of products of integers one procedure may see at once what another one seeks for ever: in turns,
// with more effort each time.
class InTurns final : public CheckStrategy {
 public:
  explicit InTurns(Z3Solver& solver) : solver_(solver) {}

  CheckResult check(std::span<const Z3_ast> literals) override {
    if (failures_ >= kMaxFailures) return solver_.check(literals);
    for (unsigned effort = kFirstEffort;; effort *= 4) {
      // Steps of the one procedure cost a thousand times as much as those of the other.
      CheckResult result =
          solver_.check_for(literals, std::chrono::milliseconds(effort / kStepsPerMillisecond));
      if (result.answer != Answer::Unknown || solver_.interrupted()) return result;
      // Numbers as words of bits, more and more of them, and cylinders over the reals.
      CheckResult other = solver_.check_anew(literals, "qfnia", {.steps = effort});
      if (other.answer != Answer::Unknown) return other;
      if (solver_.interrupted() || (!ran_out(result) && !ran_out(other))) return result;
      if (ran_out(other) && effort < kMaxEffort) continue;
      ++failures_;
      return solver_.check(literals);
    }
  }

 private:
  Z3Solver& solver_;
  unsigned failures_ = 0;
};

// How long a check with quotients takes depends on luck with the order of decisions; most of those
// that take long are short with another seed (Gomes, Selman, Kautz 1998). One with a calendar and
// sets, unsliced, in a race: more than 20 s in 6 of 6 runs, 1.5 s with one restart. Learned clauses
// are lost, so the limit grows, and what a check needed the next one gets from the start.
class Restarts final : public CheckStrategy {
 public:
  explicit Restarts(Z3Solver& solver) : solver_(solver) {}

  CheckResult check(std::span<const Z3_ast> literals) override {
    for (;; steps_ = std::min(steps_ * 4, kMaxEffort)) {
      solver_.limit_steps(steps_ < kMaxEffort ? steps_ : 0);
      CheckResult result = solver_.check(literals);
      if (result.answer != Answer::Unknown || solver_.interrupted() || !ran_out(result))
        return result;
      solver_.restart();
    }
  }

 private:
  Z3Solver& solver_;
  unsigned steps_ = kFirstEffort;  // until the next restart
};

// What is easy is so with what earlier checks have learned. What is not may be better simplified as
// a whole, assumptions included (random programs of 5 processes, depth 15: 3.2 s against 6.3 s; but
// philosophers: 3.6 s against 0.4 s). So that is tried once, for a few times as long, and what has
// won then does all that is hard, and whatever follows a hard check.
class Bits final : public CheckStrategy {
 public:
  explicit Bits(Z3Solver& solver) : solver_(solver) {}

  CheckResult check(std::span<const Z3_ast> literals) override {
    if (hard_anew_.value_or(false) && last_was_hard_) return anew(literals, {});
    CheckResult result = solver_.check(literals, kEasyConflicts);
    if (solver_.interrupted() || !out_of_conflicts(result)) return result;
    if (!hard_anew_) {
      result = anew(literals, {.conflicts = kTrialConflicts});
      if (solver_.interrupted()) return result;
      hard_anew_ = result.answer != Answer::Unknown;
      if (*hard_anew_) return result;
    }
    return *hard_anew_ ? anew(literals, {}) : solver_.check(literals);
  }

 private:
  CheckResult anew(std::span<const Z3_ast> literals, Z3Solver::Effort effort) {
    CheckResult result = solver_.check_anew(literals, "qfbv", effort);
    last_was_hard_ = solver_.conflicts_anew() >= kEasyConflicts;
    return result;
  }

  Z3Solver& solver_;
  std::optional<bool> hard_anew_;  // hard checks begin anew; empty: none so far
  bool last_was_hard_ = false;     // of the checks that began anew
};

// Products of integers, and nothing that the procedures for them refuse.
bool multiplies(const Logic& logic) {
  return logic.nonlinear && logic.integers && logic.name() == "QF_NIA";
}

}  // namespace

std::unique_ptr<CheckStrategy> check_strategy(Z3Solver& solver, const Logic& logic) {
  if (logic.name() == "QF_BV") {
    if (logic.few_hard_checks) return std::make_unique<Bits>(solver);
    return std::make_unique<Incremental>(solver);
  }
  if (divides(logic)) return std::make_unique<Restarts>(solver);
  if (multiplies(logic)) return std::make_unique<InTurns>(solver);
  return std::make_unique<Incremental>(solver);
}

}  // namespace whittle::smt
