// SPDX-License-Identifier: Apache-2.0
#include "smt/count.h"

#include "smt/decorator.h"

namespace whittle::smt {

namespace {

class CountingSolver final : public SolverDecorator {
 public:
  CountingSolver(std::unique_ptr<Solver> solver, std::shared_ptr<CallCounter> counter)
      : SolverDecorator(std::move(solver)), counter_(std::move(counter)) {
    counter_->add_solver();
  }

  CheckResult check_assuming(std::span<const Expr> assumptions) override {
    auto begin = Clock::now();
    CheckResult result = SolverDecorator::check_assuming(assumptions);
    counter_->add_check(result.answer, Clock::now() - begin);
    return result;
  }

 private:
  std::shared_ptr<CallCounter> counter_;
};

}  // namespace

void CallCounter::add_check(Answer answer, std::chrono::nanoseconds time) {
  switch (answer) {
    case Answer::Sat:
      ++sat_;
      break;
    case Answer::Unsat:
      ++unsat_;
      break;
    case Answer::Unknown:
      ++unknown_;
      break;
  }
  nanoseconds_ += time.count();
}

void CallCounter::add(const CallCounts& counts) {
  solvers_ += counts.solvers;
  sat_ += counts.sat;
  unsat_ += counts.unsat;
  unknown_ += counts.unknown;
  nanoseconds_ += counts.time.count();
}

CallCounts CallCounts::since(const CallCounts& before) const {
  return {solvers - before.solvers, checks - before.checks,   sat - before.sat,
          unsat - before.unsat,     unknown - before.unknown, time - before.time};
}

CallCounts CallCounter::counts() const {
  CallCounts result;
  result.solvers = solvers_;
  result.sat = sat_;
  result.unsat = unsat_;
  result.unknown = unknown_;
  result.checks = result.sat + result.unsat + result.unknown;
  result.time = std::chrono::nanoseconds(nanoseconds_);
  return result;
}

std::unique_ptr<Solver> counted(std::unique_ptr<Solver> solver,
                                std::shared_ptr<CallCounter> counter) {
  return std::make_unique<CountingSolver>(std::move(solver), std::move(counter));
}

}  // namespace whittle::smt
