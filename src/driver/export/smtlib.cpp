// SPDX-License-Identifier: Apache-2.0
// The question of bounded model checking as one formula: a run of at most as many steps as the
// bound says, which waits once it has reached the goal.
#include <fmt/format.h>

#include "driver/export/export.h"
#include "engine/step_encoding.h"
#include "engine/unroller.h"
#include "smt/expand.h"
#include "smt/logic.h"
#include "smt/smtlib.h"

namespace whittle {

namespace {

// Takes down what is required, and answers nothing.
class Notes final : public smt::Solver {
 public:
  [[nodiscard]] std::string name() const override { return "notes"; }
  void require(Expr condition) override { terms.push_back(condition); }
  void push() override {}
  void pop(unsigned) override {}
  [[nodiscard]] unsigned scopes() const override { return 0; }
  smt::CheckResult check_assuming(std::span<const Expr>) override {
    return {smt::Answer::Unknown, "not a solver"};
  }
  Value value(Expr) override { throw smt::NoValue("not a solver"); }
  std::vector<Expr> unsat_core() override { return {}; }
  void interrupt() override {}
  void set_time_per_check(std::optional<std::chrono::milliseconds>) override {}
  [[nodiscard]] smt::SolverStatistics statistics() const override { return {}; }

  std::vector<Expr> terms;
};

}  // namespace

std::string export_smtlib(const TransitionSystem& original, const std::string& name,
                          const ExportOptions& options) {
  const TransitionSystem system = without_enums(original);
  ExprPool& pool = *system.pool;
  const std::uint64_t depth = system.bound.max.value_or(std::max(options.depth, system.bound.min));
  Unroller unroller(system);
  StepEncoder steps(system, unroller, StepEncoding::Updates, nullptr);
  Notes notes;
  notes.require(unroller.at_time(system.init, 0));
  for (std::uint64_t k = 0; k < depth; ++k) steps.encode(k, notes, k >= system.bound.min);
  notes.require(unroller.at_time(system.goal.condition, depth));

  smt::Expander expand(pool);
  for (Expr& e : notes.terms) e = expand(e);
  std::string text =
      fmt::format("; {}: is the goal reached after {} to {} steps? sat: yes\n(set-logic {})\n",
                  name, system.bound.min, depth, smt::logic_of(pool, notes.terms).name());
  smt::SmtLibWriter writer(pool, text);
  for (Expr e : notes.terms) {
    const std::string term = writer.term(e);
    text += "(assert " + term + ")\n";
  }
  return text + "(check-sat)\n";
}

}  // namespace whittle
