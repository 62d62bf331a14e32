// SPDX-License-Identifier: Apache-2.0
// Equations among the conjuncts of a step: of next values and of inputs. An input that an equation
// determines is a name for a value, like those that translators of programs give to every
// intermediate result and to every block that is passed:
//
//   (and b (or e (not b)) (= e (and a b)) (or (not e) (= x.next h)) (= (+ x (* (- 1) h)) (- 1)))
//
// says that x.next is x + 1, and nothing else. Implications for all cases,
//
//   (and (=> c (= x.next 1)) (=> (not c) (= x.next x)))
//
// are an equation, too: x.next is (ite c 1 x).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "expr/expr_map.h"
#include "ir/network.h"
#include "simplify/network/sums.h"

namespace whittle::simplify {

// One conjunct; `common`: it stood beside a disjunction that was split already. Splitting a second
// one beside it would give the product of both.
struct Part {
  Expr term;
  Span span;
  bool common = false;
};
using Parts = std::vector<Part>;

// The conjuncts of a part, also those of a negated disjunction.
void flatten(ExprPool& pool, const Part& part, Parts& result);

// What one conjunct says is known in the others: beside (< 0 k), (or (<= k 0) (= x.next x)) is an
// equation.
[[nodiscard]] Parts with_facts_known(ExprPool& pool, Parts parts);

// Solves conjuncts for unknowns, round by round, until no equation is left that determines one.
// Truth values among the inputs that only help where they are true (or false) are so.
class StepEquations {
 public:
  // Unknowns are the inputs and the next symbols.
  StepEquations(ExprPool& pool, const std::unordered_set<SymbolId>& inputs,
                const std::unordered_set<SymbolId>& next)
      : pool_(pool), inputs_(inputs), next_(next) {}

  struct Solution {
    Expr value;  // over symbols that are not solved
    Span span;
  };
  void solve(Parts parts);
  // What is left to hold, over symbols that are not solved.
  [[nodiscard]] const Parts& conditions() const { return parts_; }
  [[nodiscard]] const Solution* solution(SymbolId unknown) const;
  // The alternatives of a condition that says nothing but which inputs are true, like one about the
  // blocks of a program that a step passes; empty: there is none.
  [[nodiscard]] std::vector<Expr> choice() const;

 private:
  struct Definition {
    Solution solution;
    std::vector<std::size_t> parts;  // that say no more than it does
    enum class State : std::uint8_t { New, Open, Done } state = State::New;
    bool circular = false;
  };
  struct Frame {
    Expr term;
    std::uint32_t child = 0;
    Definition* definition = nullptr;  // set: `term` is an unknown
  };

  bool round();
  bool settle_pure();
  void find_definitions();
  void find_cases();
  void distribute();
  struct Case {
    Expr condition, value;
    std::size_t part = 0;
  };
  void collect_cases(std::size_t part, std::vector<SymbolId>& order,
                     std::unordered_map<SymbolId, std::vector<Case>>& cases);
  bool define_by_cases(SymbolId unknown, const std::vector<Case>& cases);
  void define_by_pair(SymbolId unknown, const std::vector<Case>& cases);
  [[nodiscard]] std::vector<std::pair<SymbolId, Expr>> equations(Expr e);
  [[nodiscard]] Expr solved_for(const std::vector<Summand>& sum, std::size_t place, bool integer);
  [[nodiscard]] std::vector<Expr> alternatives(Expr e);
  [[nodiscard]] Expr in_order(Expr e);
  [[nodiscard]] bool denies(Expr a, Expr b);
  [[nodiscard]] bool exclude_each_other(Expr a, Expr b);
  bool define(Expr unknown, Expr value, std::size_t part);
  bool define_by(Expr equation, std::size_t part);
  bool define_by_sum(Expr equation, std::size_t part);
  [[nodiscard]] bool is_unknown(Expr e) const;
  [[nodiscard]] bool is_free_input(Expr e) const;
  Expr rewritten(Expr root);
  void visit(Expr e);
  void step();

  ExprPool& pool_;
  const std::unordered_set<SymbolId>& inputs_;
  const std::unordered_set<SymbolId>& next_;
  Parts parts_;
  std::unordered_map<SymbolId, Solution> solved_;
  std::unordered_map<SymbolId, Definition> definitions_;  // of one round
  std::vector<char> in_cases_;                            // by part: of a definition by cases
  ExprMap<Expr> done_;                                    // of one round
  std::vector<Frame> stack_;
  std::vector<Expr> arguments_;
};

}  // namespace whittle::simplify
