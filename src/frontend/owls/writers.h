// SPDX-License-Identifier: Apache-2.0
// Parameters that several branches of a split give values: which branch it was last is kept, and it
// fails where another one does.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/owls/processes.h"

namespace whittle::owls {

class Writers {
 public:
  struct Entry {
    VariableId writer;  // number of the branch; 0: none yet
    program::FailureId failure;
  };
  using Shared = std::map<std::string, Entry>;  // by URI

  Writers(Network& network, const Document& document, Processes& processes,
          program::Failures& failures)
      : network_(network), document_(document), processes_(processes), failures_(failures) {}

  // What more than one part of the split gives values.
  [[nodiscard]] Shared of(std::size_t split, const std::string& name);
  // Until `leave`, steps are those of this branch. requires: `shared` lives until then.
  void enter(const Shared& shared, std::size_t branch) { branches_.push_back({&shared, branch}); }
  void leave() { branches_.pop_back(); }
  // The step gives the parameter a value.
  void note(const std::string& uri, program::Action& action) const;

 private:
  struct Branch {
    const Shared* shared = nullptr;
    std::size_t number = 0;  // from 1
  };
  void written_in(std::size_t construct, std::set<std::string>& written,
                  std::set<std::size_t>& seen) const;

  Network& network_;
  const Document& document_;
  Processes& processes_;
  program::Failures& failures_;
  std::vector<Branch> branches_;  // around
};

}  // namespace whittle::owls
