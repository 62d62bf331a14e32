// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/bpmn.h"

#include "frontend/bpmn/network_builder.h"
#include "frontend/bpmn/options.h"
#include "frontend/bpmn/reader.h"
#include "frontend/load_text.h"

namespace whittle::bpmn {

namespace {

constexpr std::string_view kExtensions[] = {".bpmn"};

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  return frontend::load_text(
      options, [&](Diagnostics& diagnostics) { return read_diagram(sources, file, diagnostics); },
      [&](const Diagram& diagram, LoadedModel& model) {
        return build_network(diagram, sources.file(file), options.own.get<BpmnOptions>(),
                             model.diagnostics, model.symbols);
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "bpmn";
  result.extensions = kExtensions;
  result.summary = "process diagrams: pools, gateways, events, sub-processes, messages";
  result.example = "examples/bpmn/order.bpmn";
  result.load = &load;
  result.declare = [](OptionSet& options) { options.add<BpmnOptions>(); };
  return result;
}

}  // namespace whittle::bpmn
