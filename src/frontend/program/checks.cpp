// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/checks.h"

#include <algorithm>

#include "base/error.h"

namespace whittle::program {

namespace {

// Expressions of programs are small, except for expanded quantifiers; beyond this something is
// wrong.
constexpr std::size_t kMaxChecks = 100'000;

// A term to look at: first its parts in order, then itself. `when`: the condition under which
// evaluation gets there.
struct Item {
  Expr term;
  Expr when;
  bool parts_done = false;
};

void own_check(ExprPool& pool, Expr e, Expr when, std::vector<Check>& checks) {
  const Op op = pool.op(e);
  Expr safe;
  Check::Kind kind = Check::Kind::Bounds;
  if (op == Op::Select || op == Op::Store) {
    safe = in_range(pool, pool.child(e, 0), pool.child(e, 1));
  } else if (op == Op::IDiv || op == Op::Mod) {
    safe = pool.ne(pool.child(e, 1), pool.integer(0));
    kind = Check::Kind::Division;
  } else {
    return;
  }
  if (pool.is_true(safe)) return;
  if (checks.size() >= kMaxChecks) throw ResourceError("an expression with too many checks");
  checks.push_back({kind, pool.implies(when, safe)});
}

// The parts of a term with the conditions under which they are evaluated, last one first.
void push_parts(ExprPool& pool, const Item& item, std::vector<Item>& stack) {
  const std::vector<Expr> parts(pool.children(item.term).begin(), pool.children(item.term).end());
  std::vector<Item> items;
  Expr when = item.when;
  switch (pool.op(item.term)) {
    case Op::And:
    case Op::Or:
    case Op::Implies:
      for (const Expr part : parts) {
        items.push_back({part, when, false});
        const bool goes_on_if_true = pool.op(item.term) != Op::Or;
        when = pool.conj(when, goes_on_if_true ? part : pool.negate(part));
      }
      break;
    case Op::Ite:
      items.push_back({parts[0], when, false});
      items.push_back({parts[1], pool.conj(when, parts[0]), false});
      items.push_back({parts[2], pool.conj(when, pool.negate(parts[0])), false});
      break;
    default:
      for (Expr part : parts) items.push_back({part, when, false});
      break;
  }
  for (auto it = items.rbegin(); it != items.rend(); ++it)
    if (!pool.total(it->term)) stack.push_back(*it);
}

}  // namespace

Expr in_range(ExprPool& pool, Expr array, Expr index) {
  const auto length = pool.info(pool.type(array)).length;
  if (!length) return pool.boolean(true);
  return pool.conj(pool.le(pool.integer(0), index),
                   pool.lt(index, pool.integer(Integer(static_cast<unsigned long>(*length)))));
}

std::vector<Check> checks_of(ExprPool& pool, Expr e) {
  std::vector<Check> checks;
  if (pool.total(e)) return checks;
  std::vector<Item> stack{{e, pool.boolean(true), false}};
  while (!stack.empty()) {
    Item item = stack.back();
    if (item.parts_done) {
      stack.pop_back();
      own_check(pool, item.term, item.when, checks);
      continue;
    }
    stack.back().parts_done = true;
    push_parts(pool, item, stack);
  }
  return checks;
}

Expr first_failure(ExprPool& pool, const std::vector<Check>& checks, Check::Kind kind) {
  std::vector<Expr> failures;
  std::vector<Expr> before;
  for (const Check& check : checks) {
    if (check.kind == kind) {
      std::vector<Expr> parts = before;
      parts.push_back(pool.negate(check.condition));
      failures.push_back(pool.conj(parts));
    }
    before.push_back(check.condition);
  }
  return pool.disj(failures);
}

}  // namespace whittle::program
