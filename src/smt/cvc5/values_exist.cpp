// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/values_exist.h"

#include "base/error.h"
#include "smt/cvc5/terms.h"

namespace whittle::smt {

namespace {

// cvc5 keeps this limit itself: there is no second thread here that could interrupt it.
std::chrono::milliseconds time_left(const Limits& limits) {
  auto left = std::chrono::milliseconds(3'600'000);
  if (limits.time_per_check) left = std::min(left, *limits.time_per_check);
  if (const auto remaining = limits.deadline.remaining())
    left = std::min(left, std::chrono::duration_cast<std::chrono::milliseconds>(*remaining));
  return left;
}

}  // namespace

CheckResult cvc5_without_values(ExprPool& pool, Expr condition, Expr body,
                                std::span<const SymbolId> bound, const Limits& limits) {
  const std::chrono::milliseconds left = time_left(limits);
  if (limits.cancel.cancelled() || left.count() <= 0)
    return {Answer::Unknown, {Reason::Kind::Timeout}};
  try {
    cvc5::Solver cvc5;
    cvc5.setOption("tlimit-per", std::to_string(left.count()));
    cvc5.setLogic("ALL");
    std::vector<cvc5::Term> facts;  // ranges of enumerations, of free and of bound ones
    const Expr terms[] = {condition, body};
    Cvc5Terms translate(pool, cvc5, logic_of(pool, terms).datatypes,
                        [&](const cvc5::Term& fact) { facts.push_back(fact); });
    std::vector<cvc5::Term> inside{translate(body)};
    const cvc5::Term where = translate(condition);
    inside.insert(inside.end(), facts.begin(), facts.end());
    cvc5::Term none =
        inside.size() == 1 ? inside.front().notTerm() : cvc5.mkTerm(cvc5::AND, inside).notTerm();
    std::vector<cvc5::Term> constants, variables;
    for (SymbolId symbol : bound) {
      if (!translate.knows(symbol)) continue;
      constants.push_back(translate.symbol(symbol));
      variables.push_back(cvc5.mkVar(constants.back().getSort(), pool.info(symbol).name));
    }
    if (!variables.empty()) {
      none = cvc5.mkTerm(cvc5::FORALL, {cvc5.mkTerm(cvc5::VARIABLE_LIST, variables),
                                        none.substitute(constants, variables)});
    }
    cvc5.assertFormula(where);
    for (const cvc5::Term& fact : facts) cvc5.assertFormula(fact);
    cvc5.assertFormula(none);
    const cvc5::Result result = cvc5.checkSat();
    if (result.isSat()) return {Answer::Sat};
    if (result.isUnsat()) return {Answer::Unsat};
    return {Answer::Unknown,
            {result.getUnknownExplanation() == cvc5::TIMEOUT ? Reason::Kind::Timeout
                                                             : Reason::Kind::Incomplete}};
  } catch (const cvc5::CVC5ApiException& problem) {
    throw ResourceError("incomplete: " + problem.getMessage());
  }
}

}  // namespace whittle::smt
