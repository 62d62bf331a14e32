// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/checkpoint.h"
#include "frontend/owls/rdf.h"

namespace whittle::owls {

namespace {

constexpr std::size_t kMaxFacts = 2'000;

std::string fact_name(const Fact& fact) {
  std::vector<std::string> terms;
  for (const std::string& term : fact.terms)
    terms.emplace_back(term.starts_with("=") ? std::string(local_name(term)) : term);
  return fmt::format("{}({})", local_name(fact.predicate), fmt::join(terms, ", "));
}

}  // namespace

void Facts::begin(Network& network, MachineId owner, Span origin) {
  declared_.clear();
  std::map<std::string, unsigned> names;
  for (const Fact& fact : demanded_) {
    std::string name = fact_name(fact);
    if (const unsigned count = ++names[name]; count > 1) name += fmt::format(" #{}", count);
    declared_[fact] = network.add_variable(std::move(name), Type::boolean(), owner, origin);
  }
}

VariableId Facts::variable(const Fact& fact) {
  if (const auto found = declared_.find(fact); found != declared_.end()) return found->second;
  if (demanded_.size() < kMaxFacts) demanded_.insert(fact);
  return {};
}

// The fact before the step that is the same as this one after it; none: it is about a new value.
std::optional<Fact> Facts::before(const Fact& fact, const Copy& copy) {
  Fact result = fact;
  for (std::string& term : result.terms) {
    const auto found = copy.find(term);
    if (found == copy.end()) continue;
    if (found->second.empty()) return std::nullopt;
    term = found->second;
  }
  return result;
}

std::vector<std::pair<VariableId, VariableId>> Facts::copied(const Copy& copy) {
  copies_.insert(copy);
  std::vector<std::pair<VariableId, VariableId>> result;
  for (const auto& [fact, variable] : declared_) {
    const auto source = before(fact, copy);
    if (!source) {
      result.emplace_back(variable, VariableId());
    } else if (*source != fact) {
      const auto found = declared_.find(*source);
      result.emplace_back(variable, found == declared_.end() ? VariableId() : found->second);
    }
  }
  return result;
}

void Facts::close() {
  std::vector<Fact> open(demanded_.begin(), demanded_.end());
  while (!open.empty() && demanded_.size() < kMaxFacts) {
    checkpoint();
    const Fact fact = open.back();
    open.pop_back();
    for (const Copy& copy : copies_) {
      const auto source = before(fact, copy);
      if (source && demanded_.insert(*source).second) open.push_back(*source);
    }
  }
}

}  // namespace whittle::owls
