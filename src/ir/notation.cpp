// SPDX-License-Identifier: Apache-2.0
#include "ir/notation.h"

#include "expr/traverse.h"
#include "ir/network.h"

namespace whittle {

std::vector<std::string> Notation::conditions(const Network& network, Expr all) const {
  std::vector<std::string> result;
  for (Expr part : conjuncts(network.pool(), all)) result.push_back(condition(network, part));
  return result;
}

LanguageTraits traits_of(const Network& network) {
  return network.notation ? network.notation->traits() : LanguageTraits();
}

}  // namespace whittle
