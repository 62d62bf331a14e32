// SPDX-License-Identifier: Apache-2.0
// How large sets and maps can get. A variable of a collection type is encoded as a fixed number of
// entries, its capacity: from what events put into it follows which capacity a question needs, and
// whether the capacity there is can hide an answer.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/rebel/elaborate.h"
#include "ir/network.h"

namespace whittle::rebel {

class CollectionCapacity {
 public:
  CollectionCapacity(Network& network, Elaborator& elaborator)
      : network_(network), pool_(network.pool()), elaborator_(elaborator) {}

  // A field or (with an event) a parameter that is a set or map, by its symbols in layout order.
  void add_variable(RType type, MachineId machine, EventId event,
                    const std::vector<SymbolId>& symbols);
  // An event gives a field a value; `field` is its first variable.
  void assigned(EventId event, VariableId field, TypedTerm val) {
    assigned_.push_back({event, field, std::move(val)});
  }
  // A relation of an event is about a field after the step.
  void related(EventId event, VariableId field, TypedTerm val) {
    related_.push_back({event, field, std::move(val)});
  }
  // After the last of them: works out what flows where.
  void find_inflows();

  // The capacities that the questions of the network need.
  [[nodiscard]] Capacities needed() const;
  // Says for each question whether the capacities there are can hide an answer.
  void mark_incomplete();
  // The conditions without which the event is not possible, those on the state after on request.
  [[nodiscard]] std::unordered_set<Expr> demanded(EventId event, bool relations = false) const;

 private:
  // Elements of which there are only so many.
  struct Elements {
    std::set<std::pair<Expr, Expr>> constants;
    std::set<std::uint32_t> machines;  // the keys of their instances
  };
  // What an event puts into a variable, or what conditions leave for a parameter.
  struct Inflow {
    std::uint32_t target = kNone;        // variable
    std::vector<std::uint32_t> sources;  // variables whose elements are taken over
    Elements elements;
    std::uint64_t growth = 0;            // elements from anywhere
    std::optional<std::uint64_t> limit;  // how large it is at most, whatever the above says
    bool anything = false;               // nothing is known
  };
  struct Variable {
    RType type;
    MachineId machine;
    EventId event;  // valid: a parameter of it
    TypedTerm value;
  };
  struct FieldValue {
    EventId event;
    VariableId field;
    TypedTerm val;
  };
  bool element_sources(EventId event, const std::unordered_set<Expr>& conditions,
                       const TypedTerm& key, Elements& result) const;
  [[nodiscard]] std::uint32_t variable_of(Expr slot) const;
  [[nodiscard]] Inflow inflow(EventId event, std::uint32_t target, const TypedTerm& val);
  [[nodiscard]] std::optional<std::uint64_t> largest_left(
      const std::unordered_set<Expr>& conditions, Expr size) const;
  [[nodiscard]] Inflow bounded(EventId event, const std::unordered_set<Expr>& conditions,
                               std::uint32_t target, const TypedTerm& variable);
  [[nodiscard]] std::vector<Elements> known_elements() const;
  [[nodiscard]] std::vector<std::uint64_t> sizes(UniverseId universe,
                                                 std::optional<std::uint64_t> steps) const;
  // Why the model is no proof of what takes so many steps; empty: it is.
  [[nodiscard]] std::string left_out(UniverseId universe, std::optional<std::uint64_t> steps);

  Network& network_;
  ExprPool& pool_;
  Elaborator& elaborator_;
  std::vector<Variable> variables_;
  std::vector<FieldValue> assigned_;
  std::vector<FieldValue> related_;
  std::vector<Inflow> inflows_;
  std::unordered_map<std::uint32_t, std::uint32_t> of_variable_, of_parameter_;
};

}  // namespace whittle::rebel
