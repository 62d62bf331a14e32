// SPDX-License-Identifier: Apache-2.0
// One of Z3's solvers with what is required of it at the moment, so that it can be asked
// incrementally, or all of it once more in another way.
#pragma once

#include <atomic>
#include <climits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "smt/backend.h"
#include "smt/z3/context.h"

namespace whittle::smt {

class Z3Solver {
 public:
  static constexpr unsigned kAllConflicts = UINT_MAX;

  struct Effort {
    unsigned steps = 0;  // 0: as many as it takes
    unsigned conflicts = kAllConflicts;
  };

  Z3Solver(Z3Context& z3, const Needs& needs);
  ~Z3Solver() { drop_model(); }
  Z3Solver(const Z3Solver&) = delete;
  Z3Solver& operator=(const Z3Solver&) = delete;

  void push();
  void pop(unsigned levels);
  [[nodiscard]] unsigned level() const { return level_; }
  // In the scope at hand. The context keeps the condition.
  void require(Z3_ast condition);

  // Under these assumptions, with what earlier checks have learned.
  CheckResult check(std::span<const Z3_ast> literals, unsigned conflicts = kAllConflicts);
  // The same for one of Z3's collections of procedures (tactics), which starts from nothing.
  CheckResult check_anew(std::span<const Z3_ast> literals, const char* procedures, Effort effort);
  // From now on so many steps at most; 0: as many as it takes.
  void limit_steps(unsigned most);
  // Forgets what was learned; with another seed from the next check on.
  void restart();
  // For a limited time, where the procedures do not count their steps.
  CheckResult check_for(std::span<const Z3_ast> literals, std::chrono::milliseconds time);

  // Of the last check: its model after Sat; whether Z3 knows a core after Unsat, and which; whether
  // interrupt() ended it; the conflicts of check_anew.
  [[nodiscard]] Z3_model model() const { return model_; }
  [[nodiscard]] bool core_known() const { return core_known_; }
  [[nodiscard]] std::vector<Z3_ast> core() const;
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  [[nodiscard]] double conflicts_anew() const { return conflicts_anew_; }
  [[nodiscard]] std::map<std::string, double> statistics() const;

  void prepare_check();
  // From any thread.
  void interrupt();

 private:
  struct Required {
    Z3_ast condition;  // kept alive by the context
    unsigned level;    // number of scopes around it
  };

  [[nodiscard]] Z3Ref<Z3_solver> made() const;
  [[nodiscard]] CheckResult ask(Z3_solver solver, std::span<const Z3_ast> literals);
  [[nodiscard]] bool spoils(const CheckResult& unknown, std::span<const Z3_ast> literals) const;
  void renew();
  void limit_conflicts(unsigned most);
  void drop_model();

  Z3Context& z3_;
  Needs needs_;
  unsigned seed_offset_ = 0;  // restarts so far
  Z3Ref<Z3_solver> raw_;
  bool spoiled_ = false;  // must not be asked again, see spoils()
  unsigned level_ = 0;
  std::vector<Required> required_;  // at the moment; levels never decrease along it
  Z3_model model_ = nullptr;
  bool core_known_ = true;  // otherwise it is all assumptions
  double conflicts_anew_ = 0;
  std::atomic<bool> interrupted_ = false;
};

// Linear but for quotients and remainders by constants.
[[nodiscard]] bool divides(const Logic& logic);
[[nodiscard]] bool out_of_conflicts(const CheckResult& result);

}  // namespace whittle::smt
