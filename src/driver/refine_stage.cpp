// SPDX-License-Identifier: Apache-2.0
// Refines what slicing left, and slices again: what a refinement made superfluous goes then. Where
// nothing can be refined nothing is copied or sliced, and the solver is asked only where the shape
// of conditions gives hope.
#include "driver/refine_stage.h"

#include <array>

#include "driver/slice_stage.h"

namespace whittle {

namespace {

using simplify::Refinements;

struct Named {
  const char* name;
  bool Refinements::*member;
};
constexpr std::array kNames = {
    Named{"constants", &Refinements::constants}, Named{"guards", &Refinements::guards},
    Named{"inputs", &Refinements::inputs}, Named{"merge", &Refinements::merge},
    Named{"instances", &Refinements::instances}};

// Empty: a word that is none of them, which is left in `unknown`.
std::optional<Refinements> parsed(std::string_view text, std::string& unknown) {
  Refinements result{false, false, false, false, false};
  if (text == "all") return Refinements{};
  if (text == "off") return result;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    bool found = false;
    for (const Named& named : kNames) {
      if (word != named.name) continue;
      result.*named.member = true;
      found = true;
    }
    if (!found) {
      unknown = word;
      return std::nullopt;
    }
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
}

void count(Statistics& statistics, const simplify::RefineCounts& counts) {
  statistics.counter("refine.constants") += counts.constants;
  statistics.counter("refine.guards") += counts.guards;
  statistics.counter("refine.impossible_events") += counts.impossible;
  statistics.counter("refine.inputs") += counts.inputs;
  statistics.counter("refine.locations") += counts.locations;
  statistics.counter("refine.arcs") += counts.arcs;
  statistics.counter("refine.separated") += counts.separated;
  statistics.counter("refine.queries") += counts.queries;
}

// Short runs are decided sooner than a solver is asked what their conditions mean; refinements that
// need none are free. Whoever asks for refinements gets all of them.
constexpr std::uint64_t kLongRun = 50;

simplify::Queries::Budget budget(const Property& property, const RefineOptions& options) {
  simplify::Queries::Budget result;
  const bool worth_it = !property.bound.max || *property.bound.max >= kLongRun;
  if (!worth_it && !options.refine.given()) result.queries = 0;
  return result;
}

std::optional<Transformed> apply(const std::shared_ptr<Network>& network, PropertyId property,
                                 StageContext& context) {
  const RefineOptions& chosen = context.options.get<RefineOptions>();
  const Refinements which = chosen.refine.refinements();
  // Lifting may need the solver once more; where that failed, this stage stays out.
  if (!which.any() || context.exact_only || context.solvers == nullptr) return std::nullopt;
  Statistics unused;
  Statistics& statistics = context.statistics != nullptr ? *context.statistics : unused;
  auto timing = statistics.timer("refine.seconds").measure();
  simplify::RefineCounts counts;
  simplify::Queries queries(network->pool(), *context.solvers,
                            budget(network->property(property), chosen));
  auto result = simplify::refined(network, property, which, queries, counts);
  count(statistics, counts);
  if (!result) return std::nullopt;
  if (context.record != nullptr) context.record->simplified = counts;
  slice::SliceOptions options;
  options.granularity = *context.options.get<SlicingOptions>().granularity;
  if (options.granularity == slice::Granularity::Off) return result;
  // Shortcuts for shortcuts would be weaker than what is there.
  if (options.granularity == slice::Granularity::Amorphous)
    options.granularity = slice::Granularity::Fine;
  slice::SliceResult sliced = slice::slice(result->network, result->property, options);
  auto back = std::make_shared<simplify::Chain>();
  back->add(std::move(result->back));
  back->add(sliced.back);
  return Transformed{std::move(sliced.network), sliced.property, std::move(back)};
}

}  // namespace

Refinements RefineOption::refinements() const {
  std::string unknown;
  return parsed(value(), unknown).value_or(Refinements{});
}

std::string RefineOption::allowed() const {
  return "all, off, constants, guards, inputs, merge, instances";
}

std::optional<OptionError> RefineOption::assign(std::string_view text) {
  std::string unknown;
  if (!parsed(text, unknown))
    return option_text::no_such_choice(
        unknown, {"all", "off", "constants", "guards", "inputs", "merge", "instances"});
  return Option<std::string>::assign(text);
}

Stage refine_stage() {
  return {"refine", [](OptionSet& options) { options.add<RefineOptions>(); }, apply};
}

}  // namespace whittle
