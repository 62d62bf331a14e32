// SPDX-License-Identifier: Apache-2.0
// How a language shows states and arguments to its users. A front end may split what users see as
// one thing into several variables (Rebel's Money into currency and amount); the notation puts
// them together again.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/property.h"

namespace whittle {

class Network;

struct Shown {
  std::string name;   // `balance`
  std::string value;  // `EUR 50.00`
};

// What reports and advice have to know about a language, besides how it writes things.
struct LanguageTraits {
  // Events are instructions of a program text, which several processes may execute.
  bool programs = false;
  // An instance has no values before its first event; elsewhere the first values were written down.
  bool values_begin_with_events = false;
  // Who exists is chosen by the front end where a question leaves it open.
  bool chooses_universe = false;
  // Values of single variables mean nothing to users.
  bool encodes_values = false;
  // A system is one relation between states, which is the only condition there is: its event has no
  // name that the user gave it, and several may take its place.
  bool one_relation = false;
  // A node can be told what is always true there: `constraint Node: ...`.
  bool has_constraints = false;
  std::string_view instances = "instances";  // what users call them
  std::string_view instances_option = {};    // with which they say how many there are
};

class Notation {
 public:
  virtual ~Notation() = default;

  // The variables of a machine (invalid: the shared ones), as users know them. `value_of` gives the
  // value of a variable; `only`: list just the things of which one of these variables is a part
  // (empty: all).
  [[nodiscard]] virtual std::vector<Shown> state(const Network& network, MachineId machine,
                                                 const std::function<Value(VariableId)>& value_of,
                                                 const std::vector<VariableId>& only) const = 0;
  // The arguments of an event in the order of its parameters as users know them.
  [[nodiscard]] virtual std::vector<Shown> arguments(const Network& network, EventId event,
                                                     const std::vector<Value>& values) const = 0;
  // A condition over the network's symbols, in the language's own syntax (invariants,
  // explanations).
  [[nodiscard]] virtual std::string condition(const Network& network, Expr condition) const = 0;
  // The same, each conjunct for itself; some may be one thing for users.
  [[nodiscard]] virtual std::vector<std::string> conditions(const Network& network,
                                                            Expr condition) const;
  // What users should know about the last state of a trace that answers a question of this kind, a
  // line each: "the gateway `Ready` waits: ...". Shared variables have no instance.
  [[nodiscard]] virtual std::vector<std::string> remarks(
      PropertyKind /*kind*/,
      const std::function<Value(InstanceId, VariableId)>& /*value_of*/) const {
    return {};
  }
  [[nodiscard]] virtual LanguageTraits traits() const { return {}; }
};

// Of the network's language; of a network without one, what most have.
[[nodiscard]] LanguageTraits traits_of(const Network& network);

}  // namespace whittle
