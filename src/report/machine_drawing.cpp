// SPDX-License-Identifier: Apache-2.0
#include "report/machine_drawing.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"

namespace whittle {

namespace {

// The arcs of a machine, those between the same places together.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> bundles(
    const Network& network, const Machine& machine) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> result;
  for (const EventId id : machine.events)
    for (const Arc& arc : network.event(id).arcs)
      result[{arc.from.index(), arc.to.index()}].push_back(safe_text(network.event(id).name));
  return result;
}

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

// Mermaid has no escapes within a label, but entities.
std::string mermaid_label(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == ' ' || c == '_' || c == '.' || c == ',' || c == '-' ||
                       static_cast<unsigned char>(c) >= 0x80;
    result += plain ? std::string(1, c) : fmt::format("#{};", static_cast<unsigned>(c));
  }
  return result;
}

}  // namespace

std::string machines_dot(const Network& network) {
  std::string text =
      "digraph model {\n  rankdir=LR;\n  node [shape=box, style=rounded, "
      "fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=11];\n";
  std::size_t number = 0;
  for (const Machine& machine : network.machines()) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", number,
                        dot_quoted(safe_text(machine.name)));
    for (const LocationId id : machine.locations) {
      const Location& location = network.location(id);
      text += fmt::format(
          "    l{} [label={}{}{}];\n", id.index(), dot_quoted(safe_text(location.name)),
          location.final ? ", peripheries=2" : "", location.error ? ", color=\"#c4262e\"" : "");
    }
    std::set<std::uint32_t> starts;
    for (const Start& start : machine.starts) starts.insert(start.location.index());
    for (const std::uint32_t start : starts)
      text += fmt::format("    s{0}_{1} [shape=point];\n    s{0}_{1} -> l{1};\n", number, start);
    for (const auto& [ends, events] : bundles(network, machine))
      text += fmt::format("    l{} -> l{} [label={}];\n", ends.first, ends.second,
                          dot_quoted(fmt::format("{}", fmt::join(events, ", "))));
    text += "  }\n";
    ++number;
  }
  return text + "}\n";
}

std::string machines_mermaid(const Network& network) {
  std::string text = "stateDiagram-v2\n  direction LR\n";
  const bool several = network.machines().size() > 1;
  std::size_t number = 0;
  for (const Machine& machine : network.machines()) {
    const std::string indent = several ? "    " : "  ";
    if (several)
      text +=
          fmt::format("  state \"{}\" as m{} {{\n", mermaid_label(safe_text(machine.name)), number);
    for (const LocationId id : machine.locations)
      text += fmt::format("{}state \"{}\" as l{}\n", indent,
                          mermaid_label(safe_text(network.location(id).name)), id.index());
    std::set<std::uint32_t> starts;
    for (const Start& start : machine.starts) starts.insert(start.location.index());
    for (const std::uint32_t start : starts) text += fmt::format("{}[*] --> l{}\n", indent, start);
    for (const auto& [ends, events] : bundles(network, machine))
      text += fmt::format("{}l{} --> l{}: {}\n", indent, ends.first, ends.second,
                          mermaid_label(fmt::format("{}", fmt::join(events, ", "))));
    for (const LocationId id : machine.locations)
      if (network.location(id).final) text += fmt::format("{}l{} --> [*]\n", indent, id.index());
    if (several) text += "  }\n";
    ++number;
  }
  return text;
}

}  // namespace whittle
