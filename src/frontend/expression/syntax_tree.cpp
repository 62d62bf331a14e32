// SPDX-License-Identifier: Apache-2.0
#include "frontend/expression/syntax_tree.h"

#include <algorithm>

namespace whittle::frontend {

std::vector<SyntaxId> SyntaxTree::conjuncts(SyntaxId root) const {
  // The right operands are found first; the list is turned round at the end.
  std::vector<SyntaxId> result;
  std::vector<SyntaxId> open{root};
  while (!open.empty()) {
    const SyntaxId id = open.back();
    open.pop_back();
    if (nodes_[id].kind == SyntaxKind::And) {
      open.push_back(left(id));
      open.push_back(right(id));
    } else {
      result.push_back(id);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace whittle::frontend
