// SPDX-License-Identifier: Apache-2.0
// Class and property atoms: "x is a Hotel", "x offers y". Each of them about particular variables
// or individuals is a Boolean variable, which is copied with the values of variables. Which of them
// there are is found in a first run over the document, which counts the atoms that are asked for
// and the copies that are made; the second run uses them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/network.h"

namespace whittle::owls {

struct Fact {
  std::string predicate;           // URI
  std::vector<std::string> terms;  // names of variables of the network; "=URI" of individuals
  auto operator<=>(const Fact&) const = default;
};

class Facts {
 public:
  // From variables that get values, to where these are from; empty: from nowhere.
  using Copy = std::map<std::string, std::string>;

  // Declares what the run before asked for.
  void begin(Network& network, MachineId owner, Span origin);
  // Asks for the fact; invalid: it was not asked for in the run before.
  [[nodiscard]] VariableId variable(const Fact& fact);
  // What becomes of facts when variables get values at once; invalid: anything.
  [[nodiscard]] std::vector<std::pair<VariableId, VariableId>> copied(const Copy& copy);
  // After the first run: facts about whatever their terms may be copies of.
  void close();

 private:
  static std::optional<Fact> before(const Fact& fact, const Copy& copy);

  std::set<Fact> demanded_;
  std::set<Copy> copies_;
  std::map<Fact, VariableId> declared_;
};

}  // namespace whittle::owls
