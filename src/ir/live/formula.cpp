// SPDX-License-Identifier: Apache-2.0
#include "ir/live/formula.h"

#include <unordered_map>
#include <vector>

namespace whittle {

LtlFormula with_atoms(LtlPool& ltl, LtlFormula f, const std::function<Expr(Expr condition)>& atom) {
  std::unordered_map<LtlFormula, LtlFormula> done;
  for (LtlFormula g : ltl.subformulas(f)) {
    if (ltl.op(g) == LtlOp::Atom) {
      done[g] = ltl.atom(atom(ltl.condition(g)));
      continue;
    }
    std::vector<LtlFormula> parts;
    for (LtlFormula child : ltl.children(g)) parts.push_back(done.at(child));
    done[g] = ltl.make(ltl.op(g), parts);
  }
  return done.at(f);
}

}  // namespace whittle
