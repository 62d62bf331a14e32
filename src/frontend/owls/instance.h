// SPDX-License-Identifier: Apache-2.0
// A process while it is being followed: once for each Perform of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/owls/document.h"
#include "ir/network.h"

namespace whittle::owls {

struct Instance {
  std::size_t process = kNoResource;
  std::string name;                  // of its Perform; empty: the outermost process
  const Instance* around = nullptr;  // the process that performs it
  std::vector<Parameter> parameters;
  std::map<std::string, VariableId> variables;                // by URI of the parameter
  std::map<std::size_t, std::unique_ptr<Instance>> performs;  // by Perform
  VariableId done;  // Bool: it has been performed; invalid for the outermost one

  [[nodiscard]] const Parameter* parameter(const std::string& uri) const {
    for (const Parameter& p : parameters)
      if (p.uri == uri) return &p;
    return nullptr;
  }
  [[nodiscard]] const Parameter* parameter_named(std::string_view name) const {
    for (const Parameter& p : parameters)
      if (p.name == name) return &p;
    return nullptr;
  }
};

}  // namespace whittle::owls
