// SPDX-License-Identifier: Apache-2.0
// VMT-LIB: state variables with `:next`, `:init`, `:trans` and `:invar-property` annotations.
#include <fmt/format.h>

#include <algorithm>

#include "export/export.h"
#include "export/live.h"
#include "export/numbered_enums.h"
#include "ir/ltl.h"
#include "smt/elimination/expand.h"
#include "smt/smtlib.h"

namespace whittle {

Expr transition_relation(const TransitionSystem& system, const Transition& t, NextSums sums) {
  ExprPool& pool = *system.pool;
  std::vector<Expr> parts{t.guard};
  if (t.relation.valid()) parts.push_back(t.relation);
  std::vector<char> written(system.variables.size(), 0);
  for (const Update& u : t.updates) {
    const Expr next = pool.symbol(system.variables[u.variable].next);
    const TypeKind kind = pool.kind(pool.type(u.value));
    if (sums == NextSums::Inequalities && !pool.is_const(u.value) && !pool.is_variable(u.value) &&
        (kind == TypeKind::Int || kind == TypeKind::Real)) {
      parts.push_back(pool.le(next, u.value));
      parts.push_back(pool.le(u.value, next));
    } else {
      parts.push_back(pool.eq(next, u.value));
    }
    written[u.variable] = 1;
  }
  for (std::uint32_t v : t.open) written[v] = 1;
  for (std::size_t v = 0; v < written.size(); ++v)
    if (!written[v])
      parts.push_back(
          pool.eq(pool.symbol(system.variables[v].next), pool.symbol(system.variables[v].current)));
  return pool.conj(parts);
}

std::string export_vmt(const TransitionSystem& original, const std::string& name,
                       const ExportOptions& options) {
  ExprPool& pool = *original.pool;
  NumberedEnums numbers(pool);
  const TransitionSystem system = numbers.system(original);
  smt::Expander expand(pool);
  std::string text = fmt::format("; {}\n", name);
  smt::SmtLibWriter writer(pool, text);
  for (std::size_t v = 0; v < system.variables.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    const std::string now = writer.symbol(variable.current);
    const std::string then = writer.symbol(variable.next);
    text +=
        fmt::format("(define-fun {} () {} (! {} :next {}))\n",
                    writer.unique(fmt::format(".sv{}", v)), writer.sort(variable.type), now, then);
  }
  auto annotated = [&](const char* what, Expr e, const std::string& annotation) {
    const std::string term = writer.term(expand(e));
    text +=
        fmt::format("(define-fun {} () Bool (! {} {}))\n", writer.unique(what), term, annotation);
  };
  std::vector<Expr> steps;
  for (const Transition& t : system.transitions) steps.push_back(transition_relation(system, t));
  annotated(".init", system.init, ":init true");
  annotated(".trans", pool.disj(steps), ":trans true");
  if (options.live == nullptr) {
    annotated(".property", pool.negate(system.goal.condition), ":invar-property 0");
    return text;
  }
  const LtlSyntax syntax{"not",   "and", "or", "ltl.X", "ltl.F", "ltl.G", "ltl.U",
                         "ltl.R", "",    "",   true,    "true",  "false"};
  const std::string formula =
      formula_text(*options.live->ltl, options.live->formula, syntax,
                   [&](Expr e) { return writer.term(expand(numbers.condition(e))); });
  text += fmt::format("(define-fun {} () Bool (! {} :ltl-property 0))\n",
                      writer.unique(".property"), formula);
  return text;
}

}  // namespace whittle
