// SPDX-License-Identifier: Apache-2.0
#include "driver/criterion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/nearest.h"

namespace whittle {

namespace {

class PairReader {
 public:
  explicit PairReader(std::string_view text) : text_(text) {}

  // Empty: it is no list of pairs.
  std::optional<std::vector<NamedPair>> operator()() {
    std::vector<NamedPair> result;
    skip();
    while (at_ < text_.size()) {
      auto pair = one();
      if (!pair) return std::nullopt;
      result.push_back(std::move(*pair));
      take(',');
    }
    if (result.empty()) return std::nullopt;
    return result;
  }

 private:
  std::optional<NamedPair> one() {
    NamedPair pair;
    if (!take('(') || !take('[')) return std::nullopt;
    pair.place = word();
    if (pair.place.empty() || !take(']') || !take(',') || !take('{')) return std::nullopt;
    while (!take('}')) {
      const std::string name = word();
      if (name.empty()) return std::nullopt;
      pair.variables.push_back(name);
      take(',');
    }
    if (!take(')')) return std::nullopt;
    return pair;
  }

  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view("[](){}, \t\n").find(text_[at_]) == std::string_view::npos)
      ++at_;
    std::string result(text_.substr(begin, at_ - begin));
    skip();
    return result;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    skip();
    return true;
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void unknown(const std::string& shown, const std::string& name,
             const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const auto meant = nearest(name, known);
  diagnostics.report("check-003", {}, fmt::format("'{}' is nothing in the model", shown),
                     meant ? fmt::format("did you mean '{}'?", *meant)
                           : "name a place `[l.i]` and variables `{x y}` of the program");
}

// Values that a front end has split are one to people: `reqs` is `reqs.length` and `reqs.head`.
std::string whole_name(const std::string& name) { return name.substr(0, name.find('.')); }

std::optional<slice::CriterionPair> resolved(const Network& network, const NamedPair& pair,
                                             Diagnostics& diagnostics) {
  slice::CriterionPair result;
  std::vector<std::string> places, names;
  for (std::uint32_t l = 0; l < network.locations().size(); ++l) {
    places.push_back(network.locations()[l].name);
    if (places.back() == pair.place) result.location = LocationId(l);
  }
  if (!result.location.valid()) unknown("[" + pair.place + "]", pair.place, places, diagnostics);
  for (const Variable& v : network.variables()) names.push_back(whole_name(v.name));
  bool all = result.location.valid();
  for (const std::string& name : pair.variables) {
    bool found = false;
    for (std::uint32_t v = 0; v < names.size(); ++v) {
      if (names[v] != name && network.variables()[v].name != name) continue;
      result.variables.emplace_back(v);
      found = true;
    }
    if (!found) unknown(name, name, names, diagnostics);
    all = all && found;
  }
  if (!all) return std::nullopt;
  return result;
}

}  // namespace

std::vector<NamedPair> CriterionOption::pairs() const {
  return PairReader(value())().value_or(std::vector<NamedPair>{});
}

std::optional<OptionError> CriterionOption::assign(std::string_view text) {
  if (!PairReader(text)())
    return OptionError{fmt::format("'{}' is no list of pairs of a place and variables", text),
                       "write ([l.i],{x y}) for each, for example ([loop.2],{n})"};
  return Option<std::string>::assign(text);
}

std::optional<Preparation> sliced_for(const std::shared_ptr<Network>& network,
                                      const std::vector<NamedPair>& pairs,
                                      Diagnostics& diagnostics) {
  const bool one_machine = network->machines().size() == 1 && network->instances().size() == 1;
  if (!one_machine || (network->language != "fcl" && network->language != "sts")) {
    diagnostics.report("cli-004", {}, "--criterion is for programs of one machine, in FCL or STS",
                       "slice for a property (-p)");
    return std::nullopt;
  }
  slice::SliceOptions options;
  for (const NamedPair& pair : pairs) {
    auto found = resolved(*network, pair, diagnostics);
    if (found) options.criterion.push_back(std::move(*found));
  }
  if (options.criterion.size() < pairs.size()) return std::nullopt;
  // Slices are for questions: one that every state answers.
  auto asking = std::make_shared<Network>(*network);
  Property property;
  property.name = "criterion";
  property.demand = false;
  property.universe = UniverseId(0);
  property.set_condition(asking->pool().boolean(true));
  const PropertyId id = asking->add_property(std::move(property));
  Preparation result;
  result.sliced_from = asking;
  result.slice = slice::slice(asking, id, options);
  result.network = result.slice.network;
  result.property = result.slice.property;
  return result;
}

}  // namespace whittle
