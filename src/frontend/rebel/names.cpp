// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/names.h"

#include <functional>

namespace whittle::rebel {

Names::Names() : texts_{std::string_view()}, table_(1024, 0) {}

Name Names::intern(std::string_view text) {
  if (text.empty()) return kNoName;
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(text)&mask;
  while (table_[slot] != 0) {
    const Name found = table_[slot] - 1;
    if (texts_[found] == text) return found;
    slot = (slot + 1) & mask;
  }
  texts_.push_back(text);
  const auto name = static_cast<Name>(texts_.size() - 1);
  table_[slot] = name + 1;
  if (texts_.size() * 2 > table_.size()) grow();
  return name;
}

Name Names::intern_copy(std::string text) {
  owned_.push_back(std::move(text));
  const std::size_t before = texts_.size();
  const Name name = intern(owned_.back());
  if (texts_.size() == before) owned_.pop_back();  // was known already
  return name;
}

void Names::grow() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (Name name = 1; name < texts_.size(); ++name) {
    std::size_t slot = std::hash<std::string_view>{}(texts_[name]) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = name + 1;
  }
}

}  // namespace whittle::rebel
