// SPDX-License-Identifier: Apache-2.0
// A flat system as SMT-LIB functions of states, with the annotations that make it a VMT-LIB file:
//
//   (define-fun init (s) ...)              (define-fun step!0 (s inputs s') ...)   per transition
//   (define-fun goal (s inputs) ...)
//
// Obligations begin with this text as it is and then apply the functions to states of their own.
#pragma once

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/transition_system.h"
#include "smt/elimination/expand.h"
#include "smt/logic.h"
#include "smt/smtlib.h"

namespace whittle::certificate {

using Names = std::vector<std::string>;  // of the components of a state, or of inputs

class ModelText {
 public:
  // The system has no enumerations (export/numbered_enums.h). Throws ResourceError for what
  // SMT-LIB functions cannot say.
  ModelText(const TransitionSystem& system, const std::string& title);
  ModelText(const ModelText&) = delete;
  ModelText& operator=(const ModelText&) = delete;

  [[nodiscard]] const std::string& text() const { return text_; }
  // A function `name` of a state, as text; the condition is over current symbols.
  [[nodiscard]] std::string state_function(const std::string& name, Expr condition);
  // Of everything that was written so far.
  [[nodiscard]] std::string logic() const;

  // Names for the state and the inputs of `trans` after so many steps, and their declarations.
  [[nodiscard]] const Names& state_at(std::uint64_t time);
  [[nodiscard]] const Names& inputs_at(std::uint64_t time);
  [[nodiscard]] const Names& goal_inputs() const { return goal_inputs_; }
  [[nodiscard]] std::string declare_state(std::uint64_t time);
  [[nodiscard]] std::string declare_inputs(std::uint64_t time);
  [[nodiscard]] std::string state_name(std::uint32_t variable, std::uint64_t time);
  [[nodiscard]] std::string value(const Value& value, Type type);
  [[nodiscard]] std::string sort(Type type) { return sorts_.sort(type); }
  // A condition on the current state, as the file's constants have it.
  [[nodiscard]] std::string state_condition(Expr condition) { return term(condition); }

  // Applications. `inputs` of a step are its own; those of `trans` are those of all steps.
  [[nodiscard]] static std::string init(const Names& state) { return apply("init", {state}); }
  [[nodiscard]] static std::string step(std::uint32_t transition, const Names& state,
                                        const Names& inputs, const Names& next);
  // Some step. Not a function: Z3's reader takes time exponential in the sharing of terms to put
  // the functions of the steps into another function.
  [[nodiscard]] std::string trans(const Names& state, const Names& inputs, const Names& next) const;
  [[nodiscard]] static std::string goal(const Names& state, const Names& inputs) {
    return apply("goal", {state, inputs});
  }
  [[nodiscard]] static std::string apply(const std::string& function,
                                         std::initializer_list<Names> arguments);

  // `exists bound. body` is what `result` says: the two directions as assertions that contradict
  // each other. The free symbols are those of the current state.
  struct Directions {
    std::string enough;     // body and not result
    std::string necessary;  // result and no values for body
  };
  [[nodiscard]] Directions elimination(Expr body, std::span<const SymbolId> bound, Expr result);

 private:
  // A term over symbols with known names; long parts bound by `let`.
  std::string term(Expr e);
  std::string function(const std::string& name, std::span<const SymbolId> parameters,
                       const std::string& body);
  std::string parameters(std::span<const SymbolId> symbols);
  std::string name_of(SymbolId symbol);
  std::string annotation(const std::string& wanted, const std::string& sort,
                         const std::string& body);

  const TransitionSystem& system_;
  ExprPool& pool_;
  std::string scratch_;  // what `sorts_` would declare: nothing
  smt::SmtLibWriter sorts_;
  smt::Expander expand_;
  smt::LogicScanner logic_;
  std::unordered_map<SymbolId, std::string> names_;
  std::unordered_set<SymbolId> declared_;
  std::vector<SymbolId> current_, next_, inputs_;
  Names goal_inputs_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> copies_;
  std::map<std::uint64_t, Names> states_, inputs_by_time_;
  std::string text_;
};

}  // namespace whittle::certificate
