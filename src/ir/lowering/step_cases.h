// SPDX-License-Identifier: Apache-2.0
// The steps of one event as flat cases (a part of lower.cpp): one case per choice of partners and
// of targets. All participants, with their guards, next values and relations, become one
// guard, one list of updates and one relation.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/lowering/next_values.h"

namespace whittle::lowering {

// A participant of a case, and its target.
struct Move {
  std::size_t position = 0;
  EventId event;
  LocationId target;             // invalid: it stays where it is
  std::vector<LocationId> from;  // where it may be before; empty: anywhere
};

struct StepCase {
  Expr guard;                                           // locations included
  std::vector<std::pair<std::uint32_t, Expr>> updates;  // state variable, value
  std::vector<std::uint32_t> open;
  Expr relation;            // over next symbols of open ones
  std::vector<Move> moves;  // the root first
};

// A formula without these symbols that holds where some values of them satisfy the body.
using Eliminate = std::function<std::optional<Expr>(Expr body, std::span<const SymbolId> symbols)>;

class StepCases {
 public:
  StepCases(Network& network, UniverseId universe, FlatTerms& terms, Eliminate eliminate);
  ~StepCases();
  StepCases(const StepCases&) = delete;
  StepCases& operator=(const StepCases&) = delete;

  // All cases in which the instance at the position takes the event as the root. Without its own
  // effects: as if it had none, and no condition that they have a value.
  void each(std::size_t position, EventId event, std::span<const Expr> arguments,
            const std::function<void(StepCase)>& emit, bool own_effects = true);
  // Is some step possible? Only over current symbols and what the arguments mention. Needs
  // `eliminate` where next values are restricted by more than equations: ResourceError without.
  Expr enabled(std::size_t position, EventId event, std::span<const Expr> arguments);
  // The same without the event's own effects: its conditions hold, and its partners are ready.
  Expr allowed(std::size_t position, EventId event, std::span<const Expr> arguments);

  // For some values of the symbols, all conjuncts hold. `what` is what it is about, for people.
  Expr exists(const std::vector<Expr>& conjuncts, std::span<const SymbolId> symbols,
              const std::string& what);

 private:
  struct Terms;
  struct Combination;
  struct Group;

  const Terms& terms_of(std::size_t position, EventId event, std::span<const Expr> arguments);
  Terms make_terms(std::size_t position, EventId event, std::span<const Expr> arguments,
                   bool own_effects = true);
  Expr some_case(std::size_t position, EventId event, std::span<const Expr> arguments,
                 bool own_effects);
  ExprMap<std::array<std::uint32_t, 2>> equations(Expr relation, const Context& context);
  void relate(Expr partial, const ExprMap<std::array<std::uint32_t, 2>>& equations, Terms& terms);
  Expr not_enabled(const Sync& sync, Expr key, std::span<const Expr> arguments);
  void combine(Combination& combination, const std::function<void(Combination&)>& done);
  void call(Combination& combination, std::size_t position, std::size_t sync,
            const std::function<void(Combination&)>& done);
  std::vector<Group> groups_of(std::size_t position, EventId event);
  void finish(Combination& combination, const std::function<void(StepCase)>& emit);
  void close(const Combination& combination, std::vector<Move> moves, Expr locations,
             const std::function<void(StepCase)>& emit);
  bool solve(const Combination& combination, const std::vector<Move>& moves, StepCase& result,
             std::vector<Expr>& guard);
  std::string name_of(std::size_t position, EventId event) const;

  Network& network_;
  ExprPool& pool_;
  UniverseId universe_;
  FlatTerms& flat_;
  Eliminate eliminate_;
  using Key = std::pair<std::pair<std::size_t, EventId>, std::vector<Expr>>;
  std::map<Key, std::unique_ptr<Terms>> terms_;  // of synchronised events
  std::map<Key, Expr> enabled_;
  std::unordered_map<Expr, Expr> eliminated_;
  std::size_t nesting_ = 0;
};

}  // namespace whittle::lowering
