// SPDX-License-Identifier: Apache-2.0
// A solver around another one that watches some of its calls and hands on the rest.
#pragma once

#include <memory>
#include <utility>

#include "smt/solver.h"

namespace whittle::smt {

class SolverDecorator : public Solver {
 public:
  [[nodiscard]] std::string name() const override { return inner_->name(); }
  void require(Expr condition) override { inner_->require(condition); }
  void push() override { inner_->push(); }
  void pop(unsigned levels) override { inner_->pop(levels); }
  [[nodiscard]] unsigned scopes() const override { return inner_->scopes(); }
  CheckResult check_assuming(std::span<const Expr> assumptions) override {
    return inner_->check_assuming(assumptions);
  }
  Value value(Expr term) override { return inner_->value(term); }
  std::vector<Expr> unsat_core() override { return inner_->unsat_core(); }
  void interrupt() override { inner_->interrupt(); }
  void set_time_per_check(std::optional<std::chrono::milliseconds> time) override {
    inner_->set_time_per_check(time);
  }
  [[nodiscard]] SolverStatistics statistics() const override { return inner_->statistics(); }

 protected:
  explicit SolverDecorator(std::unique_ptr<Solver> inner) : inner_(std::move(inner)) {}

 private:
  std::unique_ptr<Solver> inner_;
};

}  // namespace whittle::smt
