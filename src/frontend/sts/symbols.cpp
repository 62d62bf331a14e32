// SPDX-License-Identifier: Apache-2.0
#include "frontend/sts/symbols.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace whittle::sts {

namespace {

template <class Map>
void offer_all(NearestName& nearest, const Map& map) {
  for (const auto& entry : map) nearest.offer(entry.first);
}

std::string did_you_mean(const NearestName& nearest, std::string otherwise) {
  return nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                          : std::move(otherwise);
}

bool perhaps_declared(const Symbols& symbols, std::string_view name) {
  return symbols.unread != nullptr && symbols.unread->contains(std::string(name));
}

std::string shown(std::string_view name) { return ellipsized(safe_text(name), 60); }

}  // namespace

std::string_view describe(Symbol::Kind kind) {
  switch (kind) {
    case Symbol::Kind::Variable:
      return "a variable";
    case Symbol::Kind::Parameter:
      return "a parameter";
    case Symbol::Kind::Constant:
      return "a constant";
    case Symbol::Kind::EnumValue:
      return "a value of an enumeration";
  }
  fail_contract("kind", __FILE__, __LINE__, "no such kind of symbol");
}

void report_unknown(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                    Span span) {
  if (perhaps_declared(symbols, name)) return;
  NearestName nearest(name);
  offer_all(nearest, symbols.parameters);
  offer_all(nearest, symbols.values);
  std::string hint = "declare it with `var`, `const` or `enum`";
  if (symbols.types.contains(name)) {
    hint = "this is a type; its values have names of their own";
  } else if (symbols.nodes.contains(name)) {
    hint = fmt::format("this is a node; ask for it with `@{}`", shown(name));
  } else {
    hint = did_you_mean(nearest, std::move(hint));
  }
  diagnostics.report("sts-002", span, fmt::format("`{}` is not declared", shown(name)),
                     std::move(hint));
}

void report_unknown_type(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                         Span span) {
  if (perhaps_declared(symbols, name)) return;
  NearestName nearest(name);
  offer_all(nearest, symbols.types);
  diagnostics.report("sts-003", span, fmt::format("there is no type `{}`", shown(name)),
                     did_you_mean(nearest, "types are Bool, Int, Real, String and enumerations"));
}

void report_unknown_node(Diagnostics& diagnostics, const Symbols& symbols, std::string_view name,
                         Span span) {
  if (perhaps_declared(symbols, name)) return;
  NearestName nearest(name);
  offer_all(nearest, symbols.nodes);
  diagnostics.report("sts-004", span, fmt::format("there is no node `{}`", shown(name)),
                     did_you_mean(nearest, fmt::format("declare it with `node {}`", shown(name))));
}

}  // namespace whittle::sts
