// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/values_exist.h"

#include <algorithm>
#include <new>
#include <unordered_map>

#include "base/error.h"
#include "expr/traverse.h"
#include "smt/elimination/expand.h"
#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

// Translations give a name to what is deeper, and a name inside a quantifier would be wrong.
constexpr std::uint32_t kMaxDepth = 200;

bool is_deep(const ExprPool& pool, Expr root) {
  std::unordered_map<Expr, std::uint32_t> depth;
  bool deep = false;
  for_each_subterm(pool, root, [&](Expr e) {
    std::uint32_t mine = 0;
    for (Expr child : pool.children(e)) mine = std::max(mine, depth[child] + 1);
    depth[e] = mine;
    deep = deep || mine > kMaxDepth;
  });
  return deep;
}

}  // namespace

CheckResult check_without_values(SolverId id, ExprPool& pool, Expr condition, Expr body,
                                 std::span<const SymbolId> bound, const Limits& limits) {
  try {
    Expander expand(pool);
    const Expr where = expand(condition);
    const Expr inside = expand(body);
    if (is_deep(pool, where) || is_deep(pool, inside))
      return {Answer::Unknown,
              {Reason::Kind::Incomplete, "incomplete: a deep term under a quantifier"}};
    return id == SolverId::Z3 ? z3_without_values(pool, where, inside, bound, limits)
                              : cvc5_without_values(pool, where, inside, bound, limits);
  } catch (const Unsupported& problem) {
    return {Answer::Unknown,
            {Reason::Kind::Unsupported, std::string("unsupported: ") + problem.what()}};
  } catch (const ResourceError& problem) {
    return {Answer::Unknown, problem.reason()};
  } catch (const std::bad_alloc&) {
    return {Answer::Unknown, {Reason::Kind::Memory}};
  }
}

}  // namespace whittle::smt
