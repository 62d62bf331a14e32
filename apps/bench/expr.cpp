// SPDX-License-Identifier: Apache-2.0
// Terms of 10^4 to 10^6 nodes: building, printing, evaluating and translating must all be linear.
// The term is a chain, about as deep as it is large: if x - y < 1 then x else x - y, less y, ...
#include "bench/deciding.h"

#include "expr/evaluate.h"
#include "expr/print.h"
#include "smt/cvc5/backend.h"
#include "smt/logic.h"
#include "smt/z3/backend.h"

namespace whittle::bench {

namespace {

struct Chain {
  ExprPool pool;
  SymbolId x;
  SymbolId y;
  Expr term;
};

void build(Chain& chain, std::uint64_t nodes) {
  chain.x = chain.pool.declare("x", Type::integer());
  chain.y = chain.pool.declare("y", Type::integer());
  const Expr x = chain.pool.symbol(chain.x);
  const Expr y = chain.pool.symbol(chain.y);
  Expr term = x;
  // Alternating operators, so that nothing folds and every node is new. The limits differ, as terms
  // of rounds that are all alike meet in Z3's hash table (`y` for the limit: 302 us per node at
  // 10^5 nodes, all of it there).
  for (std::uint64_t i = 0; chain.pool.size() < nodes; ++i) {
    const Expr limit = chain.pool.integer(static_cast<std::int64_t>(i));
    term =
        i % 2 == 0 ? chain.pool.sub(term, y) : chain.pool.ite(chain.pool.lt(term, limit), x, term);
  }
  chain.term = term;
}

// From our term to a term that the solver has: the backend itself, as a Solver translates only when
// a check begins, and a check costs what it costs.
Measurement translated(std::uint64_t nodes, smt::MakeBackend make) {
  Chain chain;
  build(chain, nodes);
  const Expr condition = chain.pool.lt(chain.term, chain.pool.integer(0));
  std::unique_ptr<smt::Backend> backend;  // its end is not measured
  return timed([&] {
    smt::Needs needs;
    needs.logic = smt::logic_of(chain.pool, {&condition, 1});
    backend = make(chain.pool, needs);
    backend->add(condition);
  });
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (std::uint64_t nodes : {10'000ULL, 100'000ULL, 1'000'000ULL}) {
    Case one{"nodes " + std::to_string(nodes), nodes, static_cast<double>(nodes), {}};
    one.alternatives.push_back({"build", [nodes](Deadline) {
                                  Chain chain;
                                  return timed([&] { build(chain, nodes); });
                                }});
    one.alternatives.push_back({"print", [nodes](Deadline) {
                                  Chain chain;
                                  build(chain, nodes);
                                  return timed(
                                      [&] { (void)to_string_shared(chain.pool, chain.term); });
                                }});
    one.alternatives.push_back({"evaluate", [nodes](Deadline) {
                                  Chain chain;
                                  build(chain, nodes);
                                  Evaluator evaluator(chain.pool);
                                  return timed([&] {
                                    (void)evaluator(
                                        chain.term, [&](SymbolId symbol, std::span<const Value>) {
                                          return std::optional<Value>(symbol == chain.x ? 7 : 2);
                                        });
                                  });
                                }});
    one.alternatives.push_back(
        {"translate z3", [nodes](Deadline) { return translated(nodes, smt::make_z3_backend); }});
    one.alternatives.push_back({"translate cvc5", [nodes](Deadline) {
                                  return translated(nodes, smt::make_cvc5_backend);
                                }});
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

extern const Benchmark kExpr;
const Benchmark kExpr = {"expr", "large terms: building, printing, evaluating, translating", "node",
                         cases};

}  // namespace whittle::bench
