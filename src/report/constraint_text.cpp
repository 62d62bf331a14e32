// SPDX-License-Identifier: Apache-2.0
#include "report/constraint_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/invariant_text.h"
#include "report/json_document.h"
#include "report/shown.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

constexpr std::size_t kHanging = 4;
constexpr std::size_t kLabelWidth = 40;

std::string dot_string(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string checked_text(const WitnessCheck& witness) {
  return (witness.checked ? "checked by " : "") + checked_by(witness);
}

}  // namespace

std::string constraint_text(const ConstraintReport& report, const ReportStyle& style) {
  const ModelShown model(*report.network, report.universe);
  std::string text = safe_text(report.file) + "\n";
  const std::string& universe = report.network->universe(report.universe).description;
  if (!universe.empty() && !model.single()) text += "  " + safe_text(universe) + "\n";
  if (!report.reason.empty()) return text + "  unknown: " + safe_text(report.reason) + "\n";
  for (const ShownConstraint& known : report.locations) {
    if (report.network->pool().is_true(known.whole)) continue;  // nothing is known
    for (const std::string& line :
         wrapped_condition(safe_text(model.condition(known.whole)), style.width - 2, kHanging)) {
      text += "  " + line + "\n";
    }
  }
  return text + "  (" + safe_text(checked_text(report.witness)) + ")\n";
}

std::string constraint_json(const std::vector<ConstraintReport>& reports, const ReportStyle& style,
                            const Diagnostics& diagnostics, const Sources& sources) {
  using Json = nlohmann::ordered_json;
  Json results = Json::array();
  for (const ConstraintReport& report : reports) {
    const ModelShown model(*report.network, report.universe);
    Json locations = Json::array();
    for (const ShownConstraint& known : report.locations) {
      const ExprPool& pool = report.network->pool();
      const bool place = known.instance.valid();
      const Json at =
          json_place(place ? report.network->location(known.location).origin : Span(), sources);
      locations.push_back(
          {{"instance", place ? Json(model.instance(known.instance)) : Json()},
           {"location", place ? Json(report.network->location(known.location).name) : Json()},
           {"line", at["line"]},
           {"column", at["column"]},
           {"source", at["file"]},
           {"reachable", !pool.is_false(known.condition)},
           {"condition", model.condition(known.condition)},
           {"invariant", model.condition(known.whole)}});
    }
    results.push_back({{"file", report.file},
                       {"universe", report.network->universe(report.universe).description},
                       {"locations", std::move(locations)},
                       {"reason", report.reason.empty() ? Json() : Json(report.reason)},
                       {"witness",
                        {{"status", status(report.witness)},
                         {"checked", report.witness.checked},
                         {"by", checked_by(report.witness)}}}});
  }
  return json_document(style.version, "constraints", results, diagnostics, sources);
}

std::string constraint_dot(const ConstraintReport& report) {
  const Network& network = *report.network;
  const ModelShown model(network, report.universe);
  std::string text = "digraph constraints {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n";
  for (InstanceId instance : network.universe(report.universe).instances) {
    const Machine& machine = network.machine(network.instance(instance).machine);
    const std::string place = fmt::format("i{}", instance.index());
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", place,
                        dot_string(safe_text(network.instance(instance).name)));
    for (LocationId l : machine.locations) {
      std::string label = safe_text(network.location(l).name);
      bool reached = true;
      for (const ShownConstraint& known : report.locations) {
        const bool here = known.instance == instance && known.location == l;
        if (!here && (known.instance.valid() || machine.locations.size() > 1)) continue;
        reached = !network.pool().is_false(known.condition);
        if (!reached) label += "\nnever reached";
        if (!reached || network.pool().is_true(known.condition)) continue;
        for (const std::string& line :
             wrapped_condition(safe_text(model.condition(known.condition)), kLabelWidth, 2)) {
          label += "\n" + line;
        }
      }
      text += fmt::format("    {}_l{} [label={}{}{}];\n", place, l.index(), dot_string(label),
                          network.location(l).final ? ", peripheries=2" : "",
                          reached ? "" : ", color=\"#b0b0b0\", fontcolor=\"#909090\"");
    }
    for (std::size_t s = 0; s < machine.starts.size(); ++s) {
      text += fmt::format("    {0}_s{1} [shape=point];\n    {0}_s{1} -> {0}_l{2};\n", place, s,
                          machine.starts[s].location.index());
    }
    for (EventId e : machine.events) {
      for (const Arc& arc : network.event(e).arcs) {
        text += fmt::format("    {0}_l{1} -> {0}_l{2} [label={3}];\n", place, arc.from.index(),
                            arc.to.index(), dot_string(safe_text(network.event(e).name)));
      }
    }
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace whittle
