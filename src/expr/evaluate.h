// SPDX-License-Identifier: Apache-2.0
// Exact evaluation of terms, iterative and lazy where the term is lazy.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/expected.h"
#include "expr/expr.h"

namespace whittle {

// Why a term has no value, and the subterm to blame.
struct Undefined {
  Expr term;
  std::string reason;  // "division by zero"
};

class Evaluator {
 public:
  // Value of a symbol applied to these arguments; none: the term is undefined ("dangling").
  using Lookup = std::function<std::optional<Value>(SymbolId, std::span<const Value>)>;

  explicit Evaluator(const ExprPool& pool) : pool_(pool) {}

  // Values are remembered for shared subterms within one call only, so the lookup may change
  // between calls.
  Expected<Value, Undefined> operator()(Expr e, const Lookup& lookup);

 private:
  struct Frame;
  const ExprPool& pool_;
  std::vector<std::uint32_t> stamp_;  // per term: the call that computed memo_
  std::vector<Value> memo_;
  std::uint32_t call_ = 0;
};

// Value of an operator on defined arguments; empty when undefined (reason in `why` if given).
// Not for Const, Apply, Forall, Exists, Filter.
std::optional<Value> apply_operator(const ExprPool& pool, Op op, Type type,
                                    std::span<const Value> arguments, std::string* why = nullptr);

}  // namespace whittle
