// SPDX-License-Identifier: Apache-2.0
#include "witness/progression.h"

#include <vector>

#include "base/error.h"

namespace whittle {

void Progression::read(const std::function<bool(Expr condition)>& letter) {
  // Past operators in what is left were in the formula all along: they occur in it at every
  // position, so that their values before are known.
  std::unordered_map<LtlFormula, LtlFormula> next;
  std::unordered_map<LtlFormula, bool> now;
  const auto value = [&](LtlFormula f) {
    WHITTLE_REQUIRE(ltl_.is_true(f) || ltl_.is_false(f), "no future operator below a past one");
    return ltl_.is_true(f);
  };
  for (LtlFormula f : ltl_.subformulas(left_)) {
    std::vector<LtlFormula> parts;
    for (LtlFormula child : ltl_.children(f)) parts.push_back(next.at(child));
    switch (ltl_.op(f)) {
      case LtlOp::True:
      case LtlOp::False:
        next[f] = f;
        break;
      case LtlOp::Atom:
        next[f] = ltl_.constant(letter(ltl_.condition(f)));
        break;
      case LtlOp::Not:
      case LtlOp::And:
      case LtlOp::Or:
        next[f] = ltl_.make(ltl_.op(f), parts);
        break;
      case LtlOp::Next:
        next[f] = ltl_.child(f, 0);
        break;
      case LtlOp::Until:
        next[f] = ltl_.either(parts[1], ltl_.both(parts[0], f));
        break;
      case LtlOp::Release:
        next[f] = ltl_.both(parts[1], ltl_.either(parts[0], f));
        break;
      case LtlOp::Since:
      case LtlOp::Trigger: {
        const bool since = ltl_.op(f) == LtlOp::Since;
        const bool last = begun_ ? before_.at(f) : !since;
        const bool holds = since ? value(parts[1]) || (value(parts[0]) && last)
                                 : value(parts[1]) && (value(parts[0]) || last);
        now[f] = holds;
        next[f] = ltl_.constant(holds);
        break;
      }
    }
  }
  // Those that are not in what is left any more are not asked for again.
  before_ = std::move(now);
  begun_ = true;
  left_ = next.at(left_);
}

}  // namespace whittle
