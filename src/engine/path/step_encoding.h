// SPDX-License-Identifier: Apache-2.0
// One step of an unrolled system as formulas, in one of several ways that mean the same. Each
// transition has a selector per step, a Bool symbol that implies its guard and effect.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "absint/interval/depth_bounds.h"
#include "engine/path/unroller.h"
#include "ir/transition_system.h"
#include "smt/solver.h"

namespace whittle {

enum class StepEncoding : std::uint8_t {
  Disjuncts,  // per transition: guard, updates and a frame for everything else
  Updates,  // per transition guard and updates; per variable a frame; selectors exclude each other
  Deltas,   // the same, and numbers that are counted up or down get their change as a variable
};

class StepEncoder {
 public:
  // With bounds, what they exclude is left out of the formulas and what they know is added. They
  // are advanced together with the steps.
  StepEncoder(const TransitionSystem& system, Unroller& unroller, StepEncoding encoding,
              DepthBounds* bounds);

  // Adds to `out` what says that one of the transitions connects the states at k and k + 1.
  // `may_wait`: or are the same, and then those that follow are, too.
  void encode(std::uint64_t k, std::vector<Expr>& out, bool may_wait = false);
  // The same, told to a solver.
  void encode(std::uint64_t k, smt::Solver& solver, bool may_wait = false);
  // The selector of a transition in an encoded step; invalid if the step has none for it.
  [[nodiscard]] Expr selector(std::uint64_t k, std::uint32_t transition) const;
  // The range as a condition on a term.
  [[nodiscard]] std::vector<Expr> in_range(Expr term, const ValueRange& range);
  // After Sat: a transition that leads from k to k + 1 in the model; empty: it waits.
  using ValueOf = std::function<Value(Expr symbol)>;
  [[nodiscard]] std::optional<std::uint32_t> taken(std::uint64_t k, const ValueOf& value_of) const;

  struct Selected {
    std::uint32_t transition;  // kWait: none, the state stays
    Expr selector;
  };
  static constexpr std::uint32_t kWait = UINT32_MAX;
  // What an encoded step can be, ascending; the last may be kWait.
  [[nodiscard]] std::span<const Selected> selected(std::uint64_t k) const { return steps_[k]; }

 private:
  // How a selected transition changes a variable.
  struct Write {
    std::uint32_t transition;
    Expr selector;
    Expr value;  // invalid: left to the relation
    Expr shift;  // value == variable + shift, where it has that form; else invalid
  };

  [[nodiscard]] const Transition& transition_of(const Selected& selected) const;
  void select(std::uint64_t k, std::vector<Expr>& out, bool may_wait);
  void encode_conditions(std::uint64_t k, const Selected& selected, std::vector<Expr>& out);
  void encode_disjunct(std::uint64_t k, const Selected& selected, std::vector<Expr>& out);
  void encode_variables(std::uint64_t k, std::vector<Expr>& out);
  void encode_variable(std::uint64_t k, std::uint32_t v, std::span<const Write> writes,
                       const std::optional<ValueRange>& shift_range, std::vector<Expr>& out);
  void encode_shifts(std::uint64_t k, std::uint32_t v, std::span<const Write> writes,
                     const std::optional<ValueRange>& shift_range, std::vector<Expr>& out);
  void exclude_each_other(std::uint64_t k, std::vector<Expr>& out);
  [[nodiscard]] std::optional<ValueRange> shift_range(std::uint64_t k,
                                                      std::span<const Write> writes);

  const TransitionSystem& system_;
  ExprPool& pool_;
  Unroller& unroller_;
  StepEncoding encoding_;
  DepthBounds* bounds_;                       // may be null
  Transition wait_;                           // changes nothing
  std::vector<std::vector<Expr>> shifts_;     // by transition, by update
  std::vector<std::vector<Selected>> steps_;  // by time
};

// The term e such that `value` is `variable + e` and e does not mention the variable; invalid if it
// does not have that form.
[[nodiscard]] Expr shift_of(ExprPool& pool, Expr value, SymbolId variable);

}  // namespace whittle
