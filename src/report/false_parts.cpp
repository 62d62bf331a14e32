// SPDX-License-Identifier: Apache-2.0
#include "report/false_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "ir/property_kinds.h"
#include "ir/run/interpreter.h"
#include "report/shown.h"

namespace whittle {

namespace {

constexpr std::size_t kMostParts = 12;  // that people look at
constexpr std::size_t kMostValues = 8;  // of one part

class PartsOf {
 public:
  explicit PartsOf(const PropertyResult& result)
      : network_(*result.network),
        pool_(network_.pool()),
        universe_(result.verdict.trace()->universe),
        model_(network_, universe_),
        interpreter_(network_, universe_),
        state_(result.replay->final()) {}

  std::vector<ConditionPart> run(Expr condition) {
    std::vector<Expr> open{condition};
    while (!open.empty() && parts_.size() < kMostParts) {
      const Expr e = open.back();
      open.pop_back();
      const auto value = interpreter_.evaluate(e, state_);
      if (value && value->as_bool()) continue;
      if (!split(e, open)) add(e, value ? std::string() : value.error().reason);
    }
    return std::move(parts_);
  }

 private:
  // The parts of a false condition that are false themselves come next. False: it has none.
  bool split(Expr e, std::vector<Expr>& open) {
    switch (pool_.op(e)) {
      case Op::And:
      case Op::Or:
        for (std::size_t i = pool_.children(e).size(); i-- > 0;) {
          if (pool_.op(e) == Op::And || !begins_there(pool_.child(e, i)))
            open.push_back(pool_.child(e, i));
        }
        return true;
      case Op::Implies: {
        const auto left = interpreter_.evaluate(pool_.child(e, 0), state_);
        if (!left || !left->as_bool()) return false;
        for (const Expr part : conjuncts(pool_, pool_.child(e, 0))) add(part, "", true);
        open.push_back(pool_.child(e, 1));
        return true;
      }
      default:
        return false;
    }
  }

  // "The instance has no values yet", which front ends add to what is demanded of its values.
  [[nodiscard]] bool begins_there(Expr e) const {
    if (!traits_of(network_).values_begin_with_events || pool_.op(e) != Op::Apply) return false;
    const Role role = network_.role(pool_.symbol_of(e));
    return role.kind == RoleKind::InstanceAt;
  }

  void add(Expr e, std::string undefined, bool holds = false) {
    ConditionPart part{model_.condition(e), holds, std::move(undefined), {}};
    std::set<std::pair<InstanceId, VariableId>> seen;
    for (const SymbolId symbol : symbols(pool_, e)) {
      if (part.values.size() == kMostValues) break;
      const Role role = network_.role(symbol);
      if (role.kind == RoleKind::InstanceAt && !holds) {
        const LocationId at = state_.locations[interpreter_.layout().position(role.instance)];
        part.values.push_back(named(role.instance, "at " + network_.location(at).name, " "));
      }
      const bool own = role.kind == RoleKind::InstanceCurrent;
      if (!own && role.kind != RoleKind::Current) continue;
      const InstanceId instance = own ? role.instance : InstanceId();
      const VariableId variable(role.id);
      if (!seen.emplace(instance, variable).second) continue;
      for (const ShownValue& value : model_.values(state_, instance, {variable}))
        part.values.push_back(
            named(value.instance, value.name + " = " + safe_text(value.value), "."));
    }
    std::sort(part.values.begin(), part.values.end());
    part.values.erase(std::unique(part.values.begin(), part.values.end()), part.values.end());
    if (std::none_of(parts_.begin(), parts_.end(),
                     [&](const ConditionPart& other) { return other.condition == part.condition; }))
      parts_.push_back(std::move(part));
  }

  [[nodiscard]] std::string named(InstanceId instance, const std::string& text,
                                  std::string_view separator) const {
    if (!instance.valid() || model_.single()) return text;
    return fmt::format("{}{}{}", model_.instance(instance), separator, text);
  }

  const Network& network_;
  const ExprPool& pool_;
  UniverseId universe_;
  ModelShown model_;
  Interpreter interpreter_;
  const State& state_;
  std::vector<ConditionPart> parts_;
};

}  // namespace

std::vector<ConditionPart> false_parts(const PropertyResult& result) {
  const Property& property = result.question();
  const bool of_states =
      property.kind == PropertyKind::Invariant || property.kind == PropertyKind::Constraint;
  if (!of_states || result.verdict.trace() == nullptr || !result.replay) return {};
  return PartsOf(result).run(property.condition());
}

std::string false_parts_text(const PropertyResult& result, const ReportStyle& style,
                             std::size_t indent) {
  const std::vector<ConditionPart> parts = false_parts(result);
  if (parts.empty()) return {};
  const bool color = style.color == Color::On;
  std::string text = fmt::format("{:{}}in the last state\n", "", indent);
  for (const ConditionPart& part : parts) {
    const std::string_view mark = part.holds ? "✓" : "✗";
    const std::string_view shade = part.holds ? "\x1b[2m" : "\x1b[31m";
    std::string line = fmt::format("{:{}}{} {}", "", indent + 2,
                                   color ? fmt::format("{}{}\x1b[0m", shade, mark) : mark,
                                   safe_text(part.condition));
    if (!part.undefined.empty())
      line += fmt::format(" has no value: {}", safe_text(part.undefined));
    if (!part.values.empty()) line += fmt::format("    {}", fmt::join(part.values, ", "));
    text += line + "\n";
  }
  return text;
}

}  // namespace whittle
