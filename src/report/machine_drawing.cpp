// SPDX-License-Identifier: Apache-2.0
#include "report/machine_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "ir/notation.h"
#include "report/mermaid_label.h"

namespace whittle {

namespace {

constexpr std::size_t kWidestText = 40;  // columns of a guard or an effect
constexpr std::size_t kMostNames = 4;    // events that one machine calls in another

constexpr std::string_view kGrey = "#b0b8c0";

// Events between the same two places.
struct DrawnArc {
  EventId event;
  bool stays = true;
};
using Bundles = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<DrawnArc>>;

Bundles bundles(const Network& network, const Machine& machine, const DrawnSlice& slice) {
  Bundles result;
  for (const EventId id : machine.events) {
    const std::vector<Arc>& arcs = network.event(id).arcs;
    for (std::size_t i = 0; i < arcs.size(); ++i)
      result[{arcs[i].from.index(), arcs[i].to.index()}].push_back({id, slice.keeps(id, i)});
  }
  return result;
}

std::set<std::uint32_t> start_places(const Machine& machine) {
  std::set<std::uint32_t> result;
  for (const Start& start : machine.starts) result.insert(start.location.index());
  return result;
}

// Which machine calls which, and with what: "carryOut → withdraw".
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> calls(
    const Network& network) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> result;
  for (const Event& event : network.events())
    for (const Sync& sync : event.syncs)
      result[{event.machine.index(), sync.machine.index()}].push_back(
          fmt::format("{} → {}{}", safe_text(event.name), sync.negated ? "not " : "",
                      safe_text(network.event(sync.event).name)));
  for (auto& [machines, names] : result) {
    if (names.size() <= kMostNames) continue;
    const std::size_t more = names.size() - kMostNames + 1;
    names.resize(kMostNames - 1);
    names.push_back(fmt::format("and {} more", more));
  }
  return result;
}

// What stands at these places of the text, each once, on one line. Places within others are parts
// of what those say.
std::string written_at(std::vector<Span> places, const Sources& sources, std::string_view between) {
  std::erase_if(places, [](const Span& span) { return !span.valid() || span.begin >= span.end; });
  std::sort(places.begin(), places.end(), [](const Span& a, const Span& b) {
    return std::pair(a.begin, b.end) < std::pair(b.begin, a.end);
  });
  std::string text;
  std::uint32_t end = 0;
  for (const Span& span : places) {
    if (!text.empty() && span.begin < end) continue;
    end = span.end;
    std::string piece;
    for (const char c : sources.text(span)) {
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
      if (!blank)
        piece += c;
      else if (!piece.empty() && piece.back() != ' ')
        piece += ' ';
    }
    piece = safe_text(piece);
    while (!piece.empty() && (piece.back() == ';' || piece.back() == ' ')) piece.pop_back();
    // A remark in front, as Rebel has them.
    if (piece.starts_with('@') && piece.find("} ") != std::string::npos)
      piece.erase(0, piece.find("} ") + 2);
    if (piece.empty() || piece.front() == '<') continue;  // markup says nothing in short
    if (!text.empty()) text += between;
    text += piece;
  }
  return ellipsized(text, kWidestText);
}

// `withdraw [amount <= balance] / balance' == balance - amount`, over up to three lines.
std::string event_label(const Network& network, const Event& event, const Sources& sources) {
  std::string label = safe_text(event.name);
  const LanguageTraits traits = traits_of(network);
  if (traits.programs || traits.one_relation) return label;  // the name says it all
  std::vector<Span> guards;
  std::vector<Span> effects;
  for (const Effect& effect : event.effects) effects.push_back(effect.origin);
  // What an effect needs is not written as a guard.
  for (const Guard& guard : event.guards)
    if (!guard.of_effect && std::none_of(effects.begin(), effects.end(), [&](const Span& effect) {
          return effect.begin <= guard.origin.begin && guard.origin.end <= effect.end;
        }))
      guards.push_back(guard.origin);
  if (const std::string text = written_at(guards, sources, " && "); !text.empty())
    label += fmt::format("\n[{}]", text);
  if (const std::string text = written_at(effects, sources, "; "); !text.empty())
    label += "\n" + text;
  return label;
}

std::string dot_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

std::string grey(bool stays) {
  return stays ? "" : fmt::format(", color=\"{0}\", fontcolor=\"{0}\"", kGrey);
}

// Needed and other events between the same places are lines of their own.
std::string dot_arcs(const Network& network, const Machine& machine, const DrawnSlice& slice,
                     const Sources& sources) {
  std::string text;
  for (const auto& [ends, arcs] : bundles(network, machine, slice)) {
    for (const bool stays : {true, false}) {
      std::vector<std::string> labels;
      for (const DrawnArc& arc : arcs)
        if (arc.stays == stays)
          labels.push_back(event_label(network, network.event(arc.event), sources));
      if (labels.empty()) continue;
      const bool tall = std::any_of(labels.begin(), labels.end(), [](const std::string& label) {
        return label.find('\n') != std::string::npos;
      });
      const std::string label =
          dot_quoted(fmt::format("{}", fmt::join(labels, tall ? "\n" : ", ")));
      if (tall && ends.first == ends.second) {
        // Graphviz keeps no room for a label of several lines at a loop: it is a node of its own.
        text += fmt::format(
            "    e{0}_{1} [shape=plaintext, fontsize=11, label={2}{3}];\n"
            "    l{0} -> e{0}_{1} [dir=none{3}];\n    e{0}_{1} -> l{0} [constraint=false{3}];\n",
            ends.first, stays ? 1 : 0, label, grey(stays));
        continue;
      }
      text += fmt::format("    l{} -> l{} [label={}{}];\n", ends.first, ends.second, label,
                          grey(stays));
    }
  }
  return text;
}

// The first place of a machine stands for all of it where machines are joined.
std::string dot_calls(const Network& network) {
  std::string text;
  for (const auto& [ends, names] : calls(network)) {
    const Machine& from = network.machines()[ends.first];
    const Machine& to = network.machines()[ends.second];
    if (from.locations.empty() || to.locations.empty()) continue;
    const std::string clipped =
        ends.first == ends.second
            ? ""
            : fmt::format(", ltail=cluster_{}, lhead=cluster_{}", ends.first, ends.second);
    text += fmt::format("  l{} -> l{} [style=dashed, constraint=false, label={}{}];\n",
                        from.locations[0].index(), to.locations[0].index(),
                        dot_quoted(fmt::format("{}", fmt::join(names, "\n"))), clipped);
  }
  return text;
}

}  // namespace

std::string machines_dot(const Network& network, const DrawnSlice& slice, const Sources& sources) {
  std::string text =
      "digraph model {\n  rankdir=LR;\n  compound=true;\n  node [shape=box, style=rounded, "
      "fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=11];\n";
  std::size_t number = 0;
  for (const Machine& machine : network.machines()) {
    const bool stays = slice.keeps(MachineId(number));
    text += fmt::format(
        "  subgraph cluster_{} {{\n    label={};\n    fontname=\"sans-serif\";\n{}", number,
        dot_quoted(safe_text(machine.name)),
        stays ? "" : fmt::format("    color=\"{0}\";\n    fontcolor=\"{0}\";\n", kGrey));
    for (const LocationId id : machine.locations) {
      const Location& location = network.location(id);
      text += fmt::format(
          "    l{} [label={}{}{}];\n", id.index(), dot_quoted(safe_text(location.name)),
          location.final ? ", peripheries=2" : "",
          location.error && slice.keeps(id) ? ", color=\"#c4262e\"" : grey(slice.keeps(id)));
    }
    for (const std::uint32_t start : start_places(machine))
      text += fmt::format("    s{0}_{1} [shape=point];\n    s{0}_{1} -> l{1};\n", number, start);
    text += dot_arcs(network, machine, slice, sources) + "  }\n";
    ++number;
  }
  return text + dot_calls(network) + "}\n";
}

std::string machines_mermaid(const Network& network, const DrawnSlice& slice) {
  std::string text = "stateDiagram-v2\n  direction LR\n";
  const bool several = network.machines().size() > 1;
  std::vector<std::string> gone;
  std::size_t number = 0;
  for (const Machine& machine : network.machines()) {
    const std::string indent = several ? "    " : "  ";
    if (several) {
      text +=
          fmt::format("  state \"{}\" as m{} {{\n", mermaid_label(safe_text(machine.name)), number);
      if (!slice.keeps(MachineId(number))) gone.push_back(fmt::format("m{}", number));
    }
    for (const LocationId id : machine.locations) {
      text += fmt::format("{}state \"{}\" as l{}\n", indent,
                          mermaid_label(safe_text(network.location(id).name)), id.index());
      if (!slice.keeps(id)) gone.push_back(fmt::format("l{}", id.index()));
    }
    for (const std::uint32_t start : start_places(machine))
      text += fmt::format("{}[*] --> l{}\n", indent, start);
    for (const auto& [ends, arcs] : bundles(network, machine, slice)) {
      std::vector<std::string> names;
      for (const DrawnArc& arc : arcs) {
        const std::string name = mermaid_label(safe_text(network.event(arc.event).name));
        names.push_back(arc.stays ? name : "(" + name + ")");
      }
      text += fmt::format("{}l{} --> l{}: {}\n", indent, ends.first, ends.second,
                          fmt::join(names, ", "));
    }
    for (const LocationId id : machine.locations)
      if (network.location(id).final) text += fmt::format("{}l{} --> [*]\n", indent, id.index());
    if (several) text += "  }\n";
    ++number;
  }
  for (const auto& [ends, names] : calls(network))
    if (several && ends.first != ends.second)
      text += fmt::format("  m{} --> m{}: {}\n", ends.first, ends.second,
                          mermaid_label(fmt::format("{}", fmt::join(names, ", "))));
  if (!gone.empty())
    text += fmt::format(
        "  classDef gone fill:#eeeeee,stroke:#bbbbbb,color:#999999\n"
        "  class {} gone\n",
        fmt::join(gone, ","));
  return text;
}

}  // namespace whittle
