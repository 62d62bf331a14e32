// SPDX-License-Identifier: Apache-2.0
// Terms of a network as terms over the state variables of a flat system (a part of lower.cpp).
//
// A term is first made flat with its undefinedness (`partial`): a dangling reference becomes a
// term of its own that is never defined. From that come the total forms: `holds` is the condition
// "defined and true", `defined` and `total` its two halves for terms of any type.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "expr/expr_map.h"
#include "expr/traverse.h"
#include "ir/network.h"
#include "ir/trace.h"
#include "ir/transition_system.h"

namespace whittle::lowering {

constexpr std::uint32_t kNoVariable = UINT32_MAX;
constexpr std::size_t kNobody = SIZE_MAX;

// In whose terms a term is to be read.
struct Context {
  std::size_t position = kNobody;         // of the instance; kNobody: the whole universe
  std::span<const Parameter> parameters;  // of the event at hand
  std::span<const Expr> arguments;        // flat, one per parameter
};

class FlatTerms {
 public:
  FlatTerms(Network& network, UniverseId universe);
  FlatTerms(const FlatTerms&) = delete;
  FlatTerms& operator=(const FlatTerms&) = delete;

  [[nodiscard]] const StateLayout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<StateVariable>& variables() const { return variables_; }
  // Of a slot of the state (kNoVariable: a key), or of the location at a position (kNoVariable:
  // the machine has only one location).
  [[nodiscard]] std::uint32_t variable_of(std::size_t slot) const { return of_slot_[slot]; }
  [[nodiscard]] std::uint32_t location_variable(std::size_t position) const {
    return of_position_[position];
  }
  // What a state variable holds: a slot or, for locations, a position.
  [[nodiscard]] std::size_t place_of(std::uint32_t variable) const { return places_[variable]; }
  // The variable whose next symbol this is; kNoVariable: none.
  [[nodiscard]] std::uint32_t variable_of_next(SymbolId symbol) const;
  [[nodiscard]] std::uint32_t variable_of_current(SymbolId symbol) const;

  // ----- locations
  [[nodiscard]] Expr is_at(std::size_t position, LocationId location, bool next = false);
  [[nodiscard]] Expr location_constant(std::size_t position, LocationId location);
  [[nodiscard]] LocationId location_at(std::size_t position, const Value& value) const;

  // ----- terms
  [[nodiscard]] Expr partial(Expr e, const Context& context);
  [[nodiscard]] Expr holds(Expr partial);
  [[nodiscard]] Expr defined(Expr partial);
  [[nodiscard]] Expr total(Expr partial);
  [[nodiscard]] bool mentions_next(Expr flat);
  // How many references by key were turned into case distinctions so far.
  [[nodiscard]] std::size_t distinctions() const { return distinctions_; }

 private:
  void add_variable(StateVariable variable, std::size_t place);
  void add_location_variable(std::size_t position);
  Expr meaning(Expr e, std::span<const Expr> arguments, const Context& context);
  Expr value(std::size_t position, VariableId variable, bool next);
  Expr remote_value(VariableId variable, std::span<const Expr> key, bool next);
  Expr remote_at(LocationId location, std::span<const Expr> key, bool next);
  Expr known(MachineId machine, std::span<const Expr> key);
  Expr key_is(Expr key, std::size_t position);
  Expr keep_defined(Expr key, Expr condition);
  Expr undefined(Type type);

  Network& network_;
  ExprPool& pool_;
  UniverseId universe_;
  StateLayout layout_;
  std::vector<StateVariable> variables_;
  std::vector<std::size_t> places_;  // by variable
  std::vector<std::uint32_t> of_slot_;
  std::vector<std::uint32_t> of_position_;
  std::vector<std::uint32_t> location_index_;  // by location: place among its machine's
  std::vector<Type> location_types_;           // by machine; made when needed
  std::vector<bool> has_location_type_;
  std::unordered_map<SymbolId, std::uint32_t> by_next_;
  std::unordered_map<SymbolId, std::uint32_t> by_current_;
  ExprMap<std::uint8_t> undefined_;                       // the terms that `undefined` made
  std::unordered_map<std::uint32_t, Expr> undefined_of_;  // by type
  ExprMap<std::uint8_t> next_memo_;
  Rewriter totaliser_;
  std::size_t distinctions_ = 0;
};

}  // namespace whittle::lowering
