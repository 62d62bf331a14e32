// SPDX-License-Identifier: Apache-2.0
// Constrained Horn clauses (la Fleur 2018, section 3.3): a relation for the reachable states, a
// clause for the start, one per transition, and one that says that the goal is false.
#include <fmt/format.h>

#include "export/export.h"
#include "expr/traverse.h"
#include "ir/transition_terms.h"
#include "smt/elimination/expand.h"
#include "smt/smtlib.h"

namespace whittle {

namespace {

bool speaks_of_strings(const ExprPool& pool, Type type) {
  switch (pool.kind(type)) {
    case TypeKind::String:
      return true;
    case TypeKind::Array:
      return speaks_of_strings(pool, pool.info(type).index) ||
             speaks_of_strings(pool, pool.info(type).element);
    case TypeKind::Set:
      return speaks_of_strings(pool, pool.info(type).element);
    default:
      return false;
  }
}

class HornWriter {
 public:
  explicit HornWriter(const TransitionSystem& system)
      : system_(system), pool_(*system.pool), expand_(pool_) {}

  std::string run(const std::string& name) {
    std::string sorts;
    smt::SmtLibWriter writer(pool_, text_);
    for (const StateVariable& v : system_.variables) sorts += writer.sort(v.type) + " ";
    if (!sorts.empty()) sorts.pop_back();
    text_ = fmt::format("; {}: sat: the goal is never reached\n(set-logic HORN)\n", name) + text_ +
            fmt::format("(declare-fun reach ({}) Bool)\n", sorts);
    clause("init", {}, system_.init, false, current());
    for (const Transition& t : system_.transitions) {
      std::vector<SymbolId> extra = t.inputs;
      for (std::uint32_t v : t.open) extra.push_back(system_.variables[v].next);
      clause(t.name, extra, step_condition(pool_, t), true, values_after(system_, t));
    }
    clause("goal", system_.goal.inputs, system_.goal.condition, true, std::nullopt);
    return text_ + "(check-sat)\n";
  }

 private:
  std::vector<Expr> current() {
    std::vector<Expr> result;
    for (const StateVariable& v : system_.variables) result.push_back(pool_.symbol(v.current));
    return result;
  }

  // forall s, extra: [reach(s) and] condition => reach(head), or false without a head.
  void clause(const std::string& comment, const std::vector<SymbolId>& extra, Expr condition,
              bool from_state, const std::optional<std::vector<Expr>>& head) {
    std::string scratch;
    smt::SmtLibWriter writer(pool_, scratch);
    std::vector<std::pair<std::string, std::string>> lets;
    writer.collect_lets(lets);
    std::string bound;
    std::string state;
    auto bind = [&](SymbolId s) {
      writer.set_name(s, fmt::format("{}!{}", pool_.info(s).name, s.index()), true);
      std::string symbol = writer.symbol(s);
      bound += fmt::format("({} {}) ", symbol, writer.sort(pool_.info(s).type));
      return symbol;
    };
    for (const StateVariable& v : system_.variables) state += " " + bind(v.current);
    for (SymbolId s : extra) bind(s);
    auto applied = [&](const std::string& arguments) {
      return system_.variables.empty() ? std::string("reach") : "(reach" + arguments + ")";
    };
    const std::string body = writer.term(expand_(condition));
    std::string conclusion = "false";
    if (head) {
      std::string arguments;
      for (Expr e : *head) arguments += " " + writer.term(expand_(e));
      conclusion = applied(arguments);
    }
    const std::string premise =
        from_state ? fmt::format("(and {} {})", applied(state), body) : body;
    std::string formula = fmt::format("(=> {} {})", premise, conclusion);
    for (auto it = lets.rbegin(); it != lets.rend(); ++it)
      formula = fmt::format("(let (({} {})) {})", it->first, it->second, formula);
    if (!bound.empty()) {
      bound.pop_back();
      formula = fmt::format("(forall ({}) {})", bound, formula);
    }
    text_ += fmt::format("; {}\n(assert {})\n", one_line(comment), formula);
  }

  static std::string one_line(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r') c = ' ';
    return text;
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  smt::Expander expand_;
  std::string text_;
};

// No solver of Horn clauses reads strings: what would be written could not be used.
void refuse_strings(const TransitionSystem& system) {
  const ExprPool& pool = *system.pool;
  std::vector<Expr> terms{system.init, system.goal.condition};
  for (const Transition& t : system.transitions) {
    terms.push_back(t.guard);
    if (t.relation.valid()) terms.push_back(t.relation);
    for (const Update& u : t.updates) terms.push_back(u.value);
  }
  bool strings = false;
  const auto look = [&](Type type) { strings = strings || speaks_of_strings(pool, type); };
  for (const StateVariable& v : system.variables) look(v.type);
  for_each_subterm(pool, terms, [&](Expr e) { look(pool.type(e)); });
  if (strings) throw Inexpressible("Horn clauses have no strings");
}

}  // namespace

std::string export_chc(const TransitionSystem& system, const std::string& name,
                       const ExportOptions&) {
  refuse_strings(system);
  const TransitionSystem plain = without_enums(system);
  return HornWriter(plain).run(name);
}

}  // namespace whittle
