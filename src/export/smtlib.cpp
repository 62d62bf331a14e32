// SPDX-License-Identifier: Apache-2.0
// The question of bounded model checking as one formula: a run of at most as many steps as the
// bound says, which waits once it has reached the goal.
#include <fmt/format.h>

#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"
#include "export/export.h"
#include "smt/elimination/expand.h"
#include "smt/logic.h"
#include "smt/smtlib.h"

namespace whittle {

std::string export_smtlib(const TransitionSystem& original, const std::string& name,
                          const ExportOptions& options) {
  const TransitionSystem system = without_enums(original);
  ExprPool& pool = *system.pool;
  const std::uint64_t depth = system.bound.max.value_or(std::max(options.depth, system.bound.min));
  Unroller unroller(system);
  StepEncoder steps(system, unroller, StepEncoding::Updates, nullptr);
  std::vector<Expr> terms = {unroller.at_time(system.init, 0)};
  for (std::uint64_t k = 0; k < depth; ++k) steps.encode(k, terms, k >= system.bound.min);
  terms.push_back(unroller.at_time(system.goal.condition, depth));

  smt::Expander expand(pool);
  for (Expr& e : terms) e = expand(e);
  std::string text =
      fmt::format("; {}: is the goal reached after {} to {} steps? sat: yes\n(set-logic {})\n",
                  name, system.bound.min, depth, smt::logic_of(pool, terms).name_in_text());
  smt::SmtLibWriter writer(pool, text);
  for (Expr e : terms) {
    const std::string term = writer.term(e);
    text += "(assert " + term + ")\n";
  }
  return text + "(check-sat)\n";
}

}  // namespace whittle
