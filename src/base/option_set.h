// SPDX-License-Identifier: Apache-2.0
// Several groups of options as one value: what loading, engines and stages declare.
#pragma once

#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "base/options.h"

namespace whittle {

// Groups of options by their type: `options.get<BmcOptions>().max_depth`. A group that nobody
// added has its defaults, so that tests and nested engines need not prepare anything.
class OptionSet {
 public:
  template <class Group>
  Group& add() {
    for (auto& [type, group] : groups_) {
      if (type == typeid(Group)) return static_cast<Group&>(*group);
    }
    groups_.emplace_back(typeid(Group), std::make_shared<Group>());
    return static_cast<Group&>(*groups_.back().second);
  }

  template <class Group>
  [[nodiscard]] const Group& get() const {
    for (const auto& [type, group] : groups_) {
      if (type == typeid(Group)) return static_cast<const Group&>(*group);
    }
    static const Group defaults;
    return defaults;
  }

  // In the order of adding, for the command line.
  [[nodiscard]] std::vector<OptionGroup*> groups() const {
    std::vector<OptionGroup*> result;
    for (const auto& entry : groups_) result.push_back(entry.second.get());
    return result;
  }

 private:
  std::vector<std::pair<std::type_index, std::shared_ptr<OptionGroup>>> groups_;
};

}  // namespace whittle
