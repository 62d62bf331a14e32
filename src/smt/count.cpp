// SPDX-License-Identifier: Apache-2.0
#include "smt/count.h"

namespace whittle::smt {

namespace {

class CountingSolver final : public Solver {
 public:
  CountingSolver(std::unique_ptr<Solver> solver, std::shared_ptr<CallCounter> counter)
      : solver_(std::move(solver)), counter_(std::move(counter)) {
    counter_->add_solver();
  }

  [[nodiscard]] std::string name() const override { return solver_->name(); }
  void require(Expr condition) override { solver_->require(condition); }
  void push() override { solver_->push(); }
  void pop(unsigned levels) override { solver_->pop(levels); }
  [[nodiscard]] unsigned scopes() const override { return solver_->scopes(); }

  CheckResult check_assuming(std::span<const Expr> assumptions) override {
    auto begin = Clock::now();
    CheckResult result = solver_->check_assuming(assumptions);
    counter_->add_check(result.answer, Clock::now() - begin);
    return result;
  }

  Value value(Expr term) override { return solver_->value(term); }
  std::vector<Expr> unsat_core() override { return solver_->unsat_core(); }
  void interrupt() override { solver_->interrupt(); }
  void set_time_per_check(std::optional<std::chrono::milliseconds> time) override {
    solver_->set_time_per_check(time);
  }
  [[nodiscard]] SolverStatistics statistics() const override { return solver_->statistics(); }

 private:
  std::unique_ptr<Solver> solver_;
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
