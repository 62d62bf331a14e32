// SPDX-License-Identifier: Apache-2.0
// One interface to every SMT solver. Answers are three-valued at every call, and Unknown says why.
//
//   auto solver = make_solver(SolverId::Z3, pool);   // smt/solvers.h
//   solver->require(pool.lt(x, y));
//   CheckResult result = solver->check();
//   if (result.answer == Answer::Sat) Value v = solver->value(x);
//
// Terms have total semantics here: whoever builds a query has conjoined the definedness of what
// it divides and indexes (expr/traverse.h). Types: enumerations have exactly their values, the
// length of an array is ignored, sets are finite.
//
// A term that a solver cannot take (the size of a set of unknown elements, a quantifier over one)
// does not throw: the solver goes on without it, so that Unsat stays Unsat, and turns Sat into
// Unknown while the scope lives that required it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "expr/expr.h"

namespace whittle::smt {

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };
[[nodiscard]] std::string_view to_string(Answer answer);

struct CheckResult {
  Answer answer = Answer::Unknown;
  Reason reason = {};  // why Unknown
};

// The model has no exact value for a term: an irrational number, a term the solver cannot take.
class NoValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class CallCounter;

struct Limits {
  std::optional<std::chrono::milliseconds> time_per_check;
  // Z3 has one memory limit per process, not per solver: the last solver made sets it. cvc5 has
  // none. Work that needs a hard limit runs in a process of its own.
  std::optional<unsigned> memory_mb;
  Deadline deadline;   // checks end when it passes
  CancelToken cancel;  // checks end soon after it is set
  unsigned seed = 0;
  // Adds up the checks of every solver that is made with these limits, whoever makes it; null:
  // nobody counts.
  std::shared_ptr<CallCounter> counter = nullptr;
};

struct SolverStatistics {
  std::uint64_t checks = 0;
  std::uint64_t sat = 0;
  std::uint64_t unsat = 0;
  std::uint64_t unknown = 0;
  std::chrono::nanoseconds time{0};      // in checks
  std::map<std::string, double> native;  // what the solver itself counts: "conflicts", ...
};

class Solver {
 public:
  virtual ~Solver() = default;
  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;  // "z3", "cvc5"

  // Adds a Bool term to the current scope.
  virtual void require(Expr condition) = 0;
  virtual void push() = 0;
  virtual void pop(unsigned levels = 1) = 0;  // requires: as many scopes are open
  [[nodiscard]] virtual unsigned scopes() const = 0;

  // Is what was required satisfiable (together with the assumptions, which are any Bool terms and
  // are forgotten afterwards)?
  virtual CheckResult check_assuming(std::span<const Expr> assumptions) = 0;
  CheckResult check() { return check_assuming({}); }

  // After Sat, until the next other call: the value of any term in the model, symbols included
  // that the solver has not seen. Values of several terms belong to one model. Throws NoValue.
  virtual Value value(Expr term) = 0;
  // After Unsat, until the next other call: assumptions that suffice for it (not always minimal).
  virtual std::vector<Expr> unsat_core() = 0;

  // Makes a running check answer Unknown ("interrupted"); from any thread. Has no effect on later
  // checks.
  virtual void interrupt() = 0;
  virtual void set_time_per_check(std::optional<std::chrono::milliseconds> time) = 0;
  [[nodiscard]] virtual SolverStatistics statistics() const = 0;
};

// Pushes now, pops at the end of the block.
class Scope {
 public:
  explicit Scope(Solver& solver) : solver_(solver) { solver_.push(); }
  ~Scope() { solver_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Solver& solver_;
};

}  // namespace whittle::smt
