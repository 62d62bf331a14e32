// SPDX-License-Identifier: Apache-2.0
#include "slice/draw.h"

#include <fmt/format.h>

namespace whittle::slice {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else
      result += c;
  }
  return result + "\"";
}

}  // namespace

std::string to_dot(const Network& network, const SliceResult& result) {
  const ControlFlow flow(network);
  const bool whole = result.kept.machines.empty();  // nothing was sliced: everything stays
  auto kept = [&](const std::vector<char>& list, std::size_t i) { return whole || list[i] != 0; };
  const char* const stays = "color=\"#b00020\", fontcolor=\"#b00020\", penwidth=1.6";
  const char* const goes = "color=\"#b0b0b0\", fontcolor=\"#909090\"";
  std::string text = "digraph slice {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n";
  for (std::uint32_t m = 0; m < network.machines().size(); ++m) {
    const Machine& machine = network.machines()[m];
    text +=
        fmt::format("  subgraph cluster_{} {{\n    label={};\n    {};\n", m, quoted(machine.name),
                    kept(result.kept.machines, m) ? "color=black" : "color=\"#c0c0c0\"");
    for (LocationId l : machine.locations) {
      const Location& location = network.location(l);
      text += fmt::format("    l{} [label={}, {}{}];\n", l.index(), quoted(location.name),
                          kept(result.kept.locations, l.index()) ? stays : goes,
                          location.final ? ", peripheries=2" : "");
    }
    for (std::uint32_t s = 0; s < machine.starts.size(); ++s)
      text += fmt::format("    s{0}_{1} [shape=point];\n    s{0}_{1} -> l{2};\n", m, s,
                          machine.starts[s].location.index());
    for (EventId e : machine.events) {
      const Event& event = network.event(e);
      for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
        text += fmt::format("    l{} -> l{} [label={}, {}];\n", event.arcs[a].from.index(),
                            event.arcs[a].to.index(), quoted(event.name),
                            kept(result.kept.arcs, flow.arc_number({e, a})) ? stays : goes);
    }
    text += "  }\n";
  }
  for (const Shortcut& s : result.kept.shortcuts)
    text += fmt::format("  l{} -> l{} [style=dashed, label=\"{} steps\", {}];\n", s.from.index(),
                        s.to.index(), s.length, stays);
  return text + "}\n";
}

}  // namespace whittle::slice
