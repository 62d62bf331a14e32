// SPDX-License-Identifier: Apache-2.0
#include "engine/proofs/label_check.h"

namespace whittle::proofs {

std::optional<std::string> label_problem(const LabelTree& tree, ProofSlices& slices,
                                         const std::vector<Expr>& firsts,
                                         const std::vector<std::vector<Expr>>& known,
                                         ExprPool& pool, Env& env) {
  Statistics aside;
  Env apart{env.options, env.solvers, env.deadline, env.cancel,
            aside,       env.log,     env.progress, env.property};
  Queries queries(pool, apart, false);
  for (const Expr first : firsts) queries.add_start(first);
  const auto fails = [&](std::vector<Expr> given, Expr clause, std::uint32_t start) {
    given.push_back(pool.negate(clause));
    return queries.together(given, start).answer == smt::Answer::Sat;
  };
  for (NodeId n = 0; n < tree.size(); ++n) {
    const LabelNode& node = tree[n];
    if (node.removed) continue;
    for (const Expr clause : node.label) {
      if (node.parent == kNoNode) {
        if (fails({}, clause, node.start)) return "a label does not hold in a first state";
        continue;
      }
      const PathStep step{node.edge, 0};
      std::vector<Expr> given = tree[node.parent].label;
      for (const Expr condition : slices.conditions(step)) given.push_back(condition);
      // What is known of a place was proved for all places together.
      for (const Expr part : known[tree[node.parent].place]) given.push_back(part);
      if (fails(std::move(given), slices.pre(step, clause), Queries::kAnywhere))
        return "a label does not hold after a step";
    }
    if (node.covered_by == kNoNode) continue;
    for (const Expr clause : tree[node.covered_by].label) {
      if (fails(node.label, clause, Queries::kAnywhere))
        return "a label does not imply that of the node that covers it";
    }
  }
  return std::nullopt;
}

}  // namespace whittle::proofs
