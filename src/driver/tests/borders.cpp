// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/borders.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <tuple>

#include "base/checkpoint.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/notation.h"

namespace whittle::tests {

namespace {

// A comparison `left op right` of numbers that a guard demands.
struct Border {
  enum class Relation { AtMost, Less, Equal };
  Relation relation = Relation::AtMost;
  Expr left, right;
};

std::optional<Border> border_of(const ExprPool& pool, Expr atom, bool negated) {
  const Op op = pool.op(atom);
  if (op != Op::Le && op != Op::Lt && op != Op::Eq) return std::nullopt;
  Expr left = pool.child(atom, 0);
  Expr right = pool.child(atom, 1);
  const TypeKind kind = pool.kind(pool.type(left));
  if (kind != TypeKind::Int && kind != TypeKind::Real) return std::nullopt;
  if (pool.is_const(left) && pool.is_const(right)) return std::nullopt;
  if (op == Op::Eq) {
    if (negated) return std::nullopt;  // everywhere but on it: the points are those of `==`
    return Border{Border::Relation::Equal, left, right};
  }
  // !(a <= b) is b < a.
  if (negated)
    return Border{op == Op::Le ? Border::Relation::Less : Border::Relation::AtMost, right, left};
  return Border{op == Op::Le ? Border::Relation::AtMost : Border::Relation::Less, left, right};
}

class BorderSearch {
 public:
  BorderSearch(Network& network, UniverseId universe) : network_(network), pool_(network.pool()) {
    for (std::size_t m = 0; m < network.machines().size(); ++m) {
      if (network.instances_of(universe, MachineId(m)).empty()) continue;
      const std::vector<EventId> events = network.machine(MachineId(m)).events;
      for (const EventId event : events) add_event(event);
    }
  }

  std::vector<BorderPoint> take() { return std::move(points_); }

 private:
  void add_event(EventId id) {
    const Event event = network_.event(id);
    if (!event.root || event.arcs.empty() || event.name.ends_with(" else")) return;
    if (network_.location(event.arcs[0].to).error) return;
    std::vector<Expr> conditions;
    for (const Guard& guard : event.guards)
      if (!guard.of_effect)
        for (const Expr part : conjuncts(pool_, guard.condition)) conditions.push_back(part);
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      checkpoint();
      const bool negated = pool_.op(conditions[i]) == Op::Not;
      const Expr atom = negated ? pool_.child(conditions[i], 0) : conditions[i];
      const auto border = border_of(pool_, atom, negated);
      if (!border) continue;
      const auto where = std::tuple{event.origin.begin, event.origin.end, text(conditions[i])};
      if (event.origin.valid() && !seen_.insert(where).second) continue;
      std::vector<Expr> others = conditions;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      add_border(id, event, *border, conditions[i], pool_.conj(others));
    }
  }

  void add_border(EventId id, const Event& event, const Border& border, Expr condition,
                  Expr others) {
    const bool real = pool_.kind(pool_.type(border.left)) == TypeKind::Real;
    const Expr step = real ? pool_.real(Rational(Integer(1), Integer(100))) : pool_.integer(1);
    const Expr after = pool_.add(border.right, step);
    const Expr before = pool_.sub(border.right, step);
    const auto point = [&](Expr at, bool inside, bool on) {
      const Expr where = pool_.eq(border.left, at);
      BorderPoint result;
      result.event = id;
      result.inside = inside;
      result.goal.kind = on ? "on" : "off";
      result.goal.name = fmt::format("{} the border {}{}: {}", on ? "on" : "beside", name_of(event),
                                     text(condition), text(where));
      result.goal.origin = event.origin;
      for (const auto& arc : event.arcs)
        result.goal.probes.push_back(add_probe(network_, id, arc.from, pool_.conj(others, where)));
      points_.push_back(std::move(result));
    };
    using Relation = Border::Relation;
    switch (border.relation) {
      case Relation::AtMost:
        point(border.right, true, true);
        point(after, false, false);
        return;
      case Relation::Less:
        point(border.right, false, true);
        point(before, true, false);
        return;
      case Relation::Equal:
        point(border.right, true, true);
        point(after, false, false);
        point(before, false, false);
        return;
    }
  }

  // "of withdraw: ", where the text of the condition alone would not say whose it is.
  [[nodiscard]] std::string name_of(const Event& event) const {
    return traits_of(network_).programs ? "" : fmt::format("of {}: ", event.name);
  }
  [[nodiscard]] std::string text(Expr condition) const {
    return network_.notation ? network_.notation->condition(network_, condition)
                             : to_string(pool_, condition);
  }

  Network& network_;
  ExprPool& pool_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen_;
  std::vector<BorderPoint> points_;
};

}  // namespace

std::vector<BorderPoint> border_points(Network& network, UniverseId universe) {
  return BorderSearch(network, universe).take();
}

}  // namespace whittle::tests
