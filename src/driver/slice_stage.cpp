// SPDX-License-Identifier: Apache-2.0
#include "driver/slice_stage.h"

namespace whittle {

namespace {

std::optional<Transformed> apply(const std::shared_ptr<Network>& network, PropertyId property,
                                 StageContext& context) {
  slice::SliceOptions options;
  options.granularity = *context.options.get<SlicingOptions>().granularity;
  // A candidate of the weak slice did not become a trace: the strong one decides.
  if (context.exact_only && options.granularity == slice::Granularity::Amorphous) {
    options.granularity = slice::Granularity::Fine;
  }
  options.every_step = context.exact_only;
  options.exact_shortcuts = context.record != nullptr;
  slice::SliceResult result = slice::slice(network, property, options);
  context.slice = result.statistics;
  if (context.record != nullptr) {
    context.record->sliced_from = network;
    context.record->slice = result;
  }
  if (!result.note.empty()) context.log.info("slice: {}", result.note);
  if (result.network == network) return std::nullopt;
  return Transformed{std::move(result.network), result.property, std::move(result.back)};
}

}  // namespace

Stage slice_stage() {
  return {"slice", [](OptionSet& options) { options.add<SlicingOptions>(); }, apply, false, true};
}

}  // namespace whittle
