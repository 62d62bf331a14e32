// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/step_events.h"

#include <fmt/format.h>

#include "base/text.h"
#include "expr/traverse.h"

namespace whittle::program {

bool StepEvents::emit(LocationId from, LocationId to, const Path& path, std::string_view suffix) {
  if (path.impossible()) return true;
  ++count_;
  if (full()) return count_ != kMaxEvents;
  ExprPool& pool = network_.pool();
  const EventId id = network_.add_event(name_ + std::string(suffix), machine_, origin_);
  // Inputs belong to one event: paths that part after a choice get symbols of their own.
  Substitution fresh(pool);
  for (std::size_t i = 0; i < path.inputs().size(); ++i) {
    const std::string& given = path.inputs()[i].name;
    std::string name = given.empty() ? "value" : given;
    if (path.inputs().size() > 1) name += std::to_string(i + 1);
    const SymbolId symbol = network_.add_parameter(id, name, path.inputs()[i].type, origin_);
    fresh.set(path.inputs()[i].symbol, pool.symbol(symbol));
  }
  Event& event = network_.event(id);
  for (const Guard& guard : path.guards())
    for (const Expr part : conjuncts(pool, fresh(guard.condition)))
      if (!pool.is_true(part)) event.guards.push_back({part, guard.origin});
  for (const auto& [variable, value] : path.values())
    event.effects.push_back({EffectKind::Assign, {variable}, fresh(value), origin_});
  event.arcs.push_back({from, to, origin_});
  return true;
}

std::string step_name(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  return ellipsized(line, 60);
}

}  // namespace whittle::program
