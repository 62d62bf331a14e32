// SPDX-License-Identifier: Apache-2.0
// A Solver made of a Backend. Keeps what was required, hands it on when a check needs it, chooses
// the logic from the terms and starts the backend again when later terms need more, keeps the
// limits and turns whatever goes wrong below into Unknown with a reason.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "expr/evaluate.h"
#include "smt/backend.h"
#include "smt/elimination/expand.h"
#include "smt/logic.h"
#include "smt/solver.h"

namespace whittle::smt {

class Session final : public Solver {
 public:
  Session(std::string name, MakeBackend make, ExprPool& pool, const Logic& logic,
          const Limits& limits);
  ~Session() override;

  [[nodiscard]] std::string name() const override { return name_; }
  void require(Expr condition) override;
  void push() override;
  void pop(unsigned levels) override;
  [[nodiscard]] unsigned scopes() const override { return static_cast<unsigned>(scopes_.size()); }
  CheckResult check_assuming(std::span<const Expr> assumptions) override;
  Value value(Expr term) override;
  std::vector<Expr> unsat_core() override;
  void interrupt() override;
  void set_time_per_check(std::optional<std::chrono::milliseconds> time) override;
  [[nodiscard]] SolverStatistics statistics() const override;

 private:
  // A required term that the backend did not get, and why.
  struct Missing {
    std::size_t assertion;
    std::string reason;
  };

  CheckResult run(std::span<const Expr> assumptions);
  CheckResult run_backend(std::span<const Expr> plain, Deadline deadline);
  // The term without operators that backends lack, its theories noted; none: the reason is set.
  std::optional<Expr> plain(Expr term, std::string& reason);
  void prepare();  // a backend that covers the needs
  // Brings the backend's scopes and assertions up to date; false: the time was over before.
  bool flush(Deadline deadline);
  void forget_backend();
  const Value& lookup(SymbolId symbol, std::span<const Value> arguments);

  std::string name_;
  MakeBackend make_;
  ExprPool& pool_;
  Limits limits_;
  Expander expander_;
  LogicScanner scanner_;
  Needs needs_;

  std::vector<Expr> assertions_;
  std::vector<std::size_t> scopes_;  // per scope: assertions before it
  std::unique_ptr<Backend> backend_;
  std::size_t scanned_ = 0;  // assertions expanded and scanned for their logic
  std::vector<Expr> plain_;  // assertions expanded; invalid: missing
  std::vector<Missing> missing_;
  std::size_t sent_ = 0;            // assertions that the backend has
  std::size_t backend_scopes_ = 0;  // scopes the backend has open
  std::size_t common_scopes_ = 0;   // of these, how many are still ours

  Answer last_ = Answer::Unknown;
  std::vector<Expr> last_assumptions_;                               // that the backend got
  std::map<std::pair<SymbolId, std::vector<Value>>, Value> values_;  // in the last model
  Evaluator evaluator_;

  std::atomic<bool> running_ = false;
  std::atomic<bool> interrupt_requested_ = false;
  SolverStatistics statistics_;
};

}  // namespace whittle::smt
