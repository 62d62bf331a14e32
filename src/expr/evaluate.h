// SPDX-License-Identifier: Apache-2.0
// Exact evaluation of terms, iterative and lazy where the term is lazy. Quantifiers and filters
// are strict: they are undefined if the body is for any element of the set.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/expected.h"
#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle {

// Why a term has no value, and the subterm to blame.
struct Undefined {
  Expr term;
  std::string reason;  // "division by zero"
};

// An operator with what it needs to know besides the values of its arguments.
struct Operation {
  Op op = Op::Const;
  Type type;              // of the result
  Type operand;           // of the first argument, if there is one
  std::uint32_t low = 0;  // BvExtract
};

// Remembers the shape of the terms it has seen, so keep one for many evaluations; its memory
// grows with these terms, not with the pool.
class Evaluator {
 public:
  // Value of a symbol applied to these arguments; none: the term is undefined ("dangling").
  using Lookup = std::function<std::optional<Value>(SymbolId, std::span<const Value>)>;

  explicit Evaluator(const ExprPool& pool) : pool_(pool) {}

  // Values are remembered for shared subterms within one call only, so the lookup may change
  // between calls. The lookup must not call this evaluator.
  Expected<Value, Undefined> operator()(Expr e, const Lookup& lookup);

 private:
  using Slot = std::uint32_t;
  struct Code {
    Operation operation;
    bool total = true;
    std::uint32_t first = 0;  // of its arguments in arguments_
    std::uint32_t count = 0;
    Expr term;
  };
  struct Frame {
    Slot slot;
    std::uint32_t next;  // argument to look at; quantifiers: see run_quantifier
  };
  struct Loop {  // a quantifier or filter under evaluation
    std::vector<Value> elements;
    std::size_t at = 0;
    bool decided = false;
    std::vector<Value> kept;  // Filter
    Value outer_value;        // of the bound symbol
    std::uint32_t outer_stamp = 0;
  };

  Slot compile(Expr e);
  [[nodiscard]] bool known(Slot s) const { return stamp_[s] == call_ || stamp_[s] == kAlways; }
  void set(Slot s, Value value) {
    memo_[s] = std::move(value);
    stamp_[s] = call_;
  }
  // Each either finishes the frame on top, or pushes another, or fails (undefined_ is set).
  void step();
  void step_strict(Frame& frame, const Code& code);
  void step_lazy(Frame& frame, const Code& code);
  void step_ite(Frame& frame, const Code& code);
  void step_loop(Frame& frame, const Code& code);
  void finish_loop(const Code& code, Slot slot);
  bool look_up(Slot s);
  void fail(Slot s, std::string reason);
  const std::vector<Slot>& dependents(const Code& code);

  static constexpr std::uint32_t kAlways = UINT32_MAX;  // stamp of constants

  const ExprPool& pool_;
  ExprMap<Slot> slots_;
  std::vector<Code> code_;
  std::vector<Slot> arguments_;
  std::vector<std::uint32_t> stamp_;  // per slot: the call that computed memo_
  std::vector<Value> memo_;
  std::unordered_map<Expr, std::vector<Slot>> dependents_;  // per loop: what mentions its symbol
  std::uint32_t call_ = 0;

  // Of the running call.
  const Lookup* lookup_ = nullptr;
  std::vector<Frame> stack_;
  std::vector<Loop> loops_;
  std::optional<Undefined> undefined_;
};

[[nodiscard]] Operation operation(const ExprPool& pool, Expr e);

// Value of an operator on defined arguments; empty when undefined (reason in `why` if given).
// Not for Const, Apply, Forall, Exists, Filter.
std::optional<Value> apply_operator(const ExprPool& pool, const Operation& operation,
                                    std::span<const Value* const> arguments,
                                    std::string* why = nullptr);
// The operator of the term `e` on other argument values.
std::optional<Value> apply_operator(const ExprPool& pool, Expr e, std::span<const Value> arguments,
                                    std::string* why = nullptr);

}  // namespace whittle
