// SPDX-License-Identifier: Apache-2.0
#include "frontend/ltl_pattern_table.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

#include "frontend/expression/formula_printer.h"
#include "frontend/ltl_patterns.h"

namespace whittle::frontend {

std::string pattern_table() {
  ExprPool pool;
  LtlPool ltl;
  std::map<char, LtlFormula> letters;
  for (const char letter : std::string_view("pqrstz")) {
    const auto name = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    const SymbolId symbol = pool.declare(std::string(1, name), Type::boolean());
    letters.emplace(letter, ltl.atom(pool.symbol(symbol)));
  }
  const SymbolWriter written = [&](SymbolId symbol) { return pool.info(symbol).name; };
  std::string result =
      "Patterns (Dwyer, Avrunin, Corbett 1999), as in `ltl served: reply responds to request`.\n"
      "P, Q, R, S, T, Z are conditions, or formulas in parentheses; without a scope a pattern is\n"
      "meant globally.\n";
  for (const PatternBodyInfo& body : pattern_bodies()) {
    const bool counted = body.body == PatternBody::ExistenceAtMost;
    result += fmt::format("\n{}{}\n", body.text, counted ? " (here n = 1)" : "");
    for (const PatternScopeInfo& scope : pattern_scopes()) {
      Pattern pattern{body.body,    scope.scope,  letters['p'],
                      letters['q'], letters['r'], letters['s'],
                      letters['t'], letters['z'], 1};
      const auto formula = pattern_formula(ltl, pattern);
      if (!formula) continue;
      result +=
          fmt::format("  {:<19} {}\n", scope.text, print_formula(ltl, pool, *formula, written));
    }
  }
  return result;
}

}  // namespace whittle::frontend
