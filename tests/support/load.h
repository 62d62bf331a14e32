// SPDX-License-Identifier: Apache-2.0
// Loading models from text in tests, and everything a network says as text, to compare two of them
// that live in different pools.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "expr/print.h"
#include "frontend/languages.h"
#include "ir/network.h"

namespace whittle::test {

struct Loaded {
  std::unique_ptr<Sources> sources = std::make_unique<Sources>();
  FileId file;
  std::shared_ptr<Network> network;  // null: there were errors
  std::shared_ptr<Network> partial;  // what was understood nevertheless
  SymbolIndex symbols;
  Diagnostics diagnostics;

  // "sts-002 3:7", in the order of the text.
  [[nodiscard]] std::vector<std::string> places() const {
    std::vector<std::string> result;
    for (const Diagnostic& d : diagnostics.all()) {
      if (!d.span.valid()) {
        result.push_back(d.id);
        continue;
      }
      const LineColumn at = sources->file(d.span.file).position(d.span.begin);
      result.push_back(d.id + " " + std::to_string(at.line) + ":" + std::to_string(at.column));
    }
    return result;
  }
  [[nodiscard]] std::string messages() const { return render(diagnostics, *sources, Color::Off); }
};

inline Loaded load(std::string_view language, std::string text, std::string path = "model",
                   const LoadOptions& options = {}) {
  Loaded result;
  result.file = result.sources->add(std::move(path), std::move(text));
  LoadedModel loaded = find_language(language)->load(*result.sources, result.file, options);
  if (loaded.complete()) result.network = loaded.network;
  result.partial = loaded.network;
  result.diagnostics = std::move(loaded.diagnostics);
  result.symbols = std::move(loaded.symbols);
  return result;
}

// Names, types, terms, properties; no spans.
inline std::string everything_in(const Network& n) {
  const ExprPool& pool = n.pool();
  std::string out = "network " + n.name + "\n";
  // Marks the symbols, since `x` of an instance and `x` of the machine look alike.
  PrintStyle style;
  style.symbol = [&](SymbolId s, std::span<const std::string> arguments) {
    const Role role = n.role(s);
    std::string text = pool.info(s).name + "#" + std::to_string(static_cast<int>(role.kind)) + "." +
                       std::to_string(role.id);
    for (const std::string& a : arguments) text += "(" + a + ")";
    return text;
  };
  const auto term = [&](Expr e) { return e.valid() ? to_string(pool, e, style) : "-"; };
  for (const Variable& v : n.variables()) {
    out +=
        "variable " + v.name + ": " + pool.to_string(v.type) + " initial " + term(v.initial) + "\n";
    for (const std::string& value : pool.info(v.type).values) out += "  value " + value + "\n";
  }
  for (const Location& l : n.locations()) {
    out += "location " + l.name + (l.final ? " final" : "") + (l.error ? " error" : "") + "\n";
  }
  for (const Machine& m : n.machines()) {
    out += "machine " + m.name + "\n";
    for (const Start& s : m.starts) {
      out += s.name + " at " + std::to_string(s.location.index()) + ": " + term(s.condition) + "\n";
    }
  }
  for (const Event& e : n.events()) {
    out += "event " + e.name;
    for (const Parameter& p : e.parameters) out += " " + p.name + ": " + pool.to_string(p.type);
    for (const Arc& a : e.arcs) {
      out += " " + std::to_string(a.from.index()) + "->" + std::to_string(a.to.index());
    }
    out += "\n";
    for (const Guard& g : e.guards) out += "  guard " + term(g.condition) + "\n";
    for (const Effect& f : e.effects) {
      out += "  effect " + std::to_string(static_cast<int>(f.kind)) + " of";
      for (const VariableId w : f.writes) out += " " + std::to_string(w.index());
      out += ": " + term(f.expr) + "\n";
    }
  }
  for (const Property& p : n.properties()) {
    out += "property " + p.name + " " + std::string(to_string(p.kind)) + " " + term(p.condition());
    out += " min " + std::to_string(p.bound.min);
    if (p.bound.max) out += " max " + std::to_string(*p.bound.max);
    const auto* state = std::get_if<StateGoal>(&p.goal);
    const LocationId node = state != nullptr ? state->node : LocationId();
    if (p.expected) out += " expect " + to_string(*p.expected);
    out += std::string(p.demand ? " demand" : "") + " at " + std::to_string(node.index()) + "\n";
  }
  return out;
}

}  // namespace whittle::test
