// SPDX-License-Identifier: Apache-2.0
// From the leaves up, each distinct subterm once. What a constant means depends on what it is
// compared with, so constants are written again where they are used.
#include "frontend/rebel/condition_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "expr/print.h"
#include "expr/traverse.h"

namespace whittle::rebel {

std::string ConditionText::operator()(Expr condition) {
  for_each_subterm(pool_, condition, [&](Expr e) {
    if (!done_.contains(e)) done_.emplace(e, text(e));
  });
  return done_.at(condition).text;
}

std::vector<std::string> ConditionText::conjuncts(Expr condition) {
  const std::vector<Expr> parts = whittle::conjuncts(pool_, condition);
  for (Expr part : parts) (void)(*this)(part);
  return conjuncts_text(parts, Strength::Choice);
}

std::string ConditionText::in(Expr e, Strength needs) const {
  const Text& text = done_.at(e);
  return text.strength < needs ? "(" + text.text + ")" : text.text;
}

ConditionText::Text ConditionText::infix(std::vector<std::string> parts, std::string_view op,
                                         Strength own) {
  Text result{"", own};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) result.text += op;
    result.text += parts[i];
  }
  return result;
}

// `this` for the instance that an invariant is about: the only one of the first specification.
std::string ConditionText::owner(InstanceId instance) const {
  const Instance& info = network_.instance(instance);
  const std::vector<InstanceId>& all = network_.universe(info.universe).instances;
  const auto alike = std::count_if(all.begin(), all.end(), [&](InstanceId other) {
    return network_.instance(other).machine == info.machine;
  });
  return all.front() == instance && alike == 1 ? "this" : info.name;
}

std::optional<ConditionText::Named> ConditionText::named(Expr e) const {
  if (!pool_.is_variable(e)) return std::nullopt;
  const Role role = network_.role(pool_.symbol_of(e));
  const bool of_instance = role.kind == RoleKind::InstanceCurrent;
  if (role.kind != RoleKind::Current && !of_instance) return std::nullopt;
  const Variable& variable = network_.variable(VariableId(role.id));
  Named result;
  if (variable.machine.valid()) result.owner = of_instance ? owner(role.instance) : "this";
  result.name = variable.name;
  if (auto part = parts_(variable.current)) result.part = std::move(*part);
  return result;
}

Kind ConditionText::kind_of(Expr root) const {
  std::vector<Expr> open{root};
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (const auto variable = named(e)) return variable->part.kind;
    switch (pool_.op(e)) {
      case Op::Add:
      case Op::Sub:
      case Op::Neg:
        for (Expr part : pool_.children(e)) open.push_back(part);
        break;
      case Op::Ite:
        open.push_back(pool_.child(e, 2));
        open.push_back(pool_.child(e, 1));
        break;
      default:
        break;
    }
  }
  return Kind::Unknown;
}

ConditionText::Text ConditionText::constant(Expr e, Kind kind) const {
  const Value& value = pool_.value(e);
  if (value.is_bool()) return {value.as_bool() ? "True" : "False", Strength::Atom};
  switch (kind) {
    case Kind::Currency:
    case Kind::String:
    case Kind::Iban:
    case Kind::Date:
    case Kind::Time:
    case Kind::Percentage:
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm:
      return {encoder_.show(kind, value, nullptr), Strength::Atom};
    default:
      break;
  }
  const bool negative = value.is_integer() && value.as_integer().sign() < 0;
  return {whittle::to_string(pool_, value, pool_.type(e)),
          negative ? Strength::Sign : Strength::Atom};
}

std::string ConditionText::operand(Expr e, Kind kind, Strength needs) const {
  if (!pool_.is_const(e)) return in(e, needs);
  const Text text = constant(e, kind);
  return text.strength < needs ? "(" + text.text + ")" : text.text;
}

std::optional<std::string> ConditionText::uninitialized(Expr e) const {
  if (!pool_.is_variable(e)) return std::nullopt;
  const Role role = network_.role(pool_.symbol_of(e));
  if (role.kind != RoleKind::InstanceAt && role.kind != RoleKind::At) return std::nullopt;
  const Machine& machine = network_.machine(network_.location(LocationId(role.id)).machine);
  if (machine.starts.empty() || machine.starts.front().location != LocationId(role.id))
    return std::nullopt;
  return role.kind == RoleKind::At ? "this" : owner(role.instance);
}

ConditionText::Text ConditionText::symbol(Expr e) const {
  if (const auto who = uninitialized(e)) return {"not initialized " + *who, Strength::Not};
  if (const auto variable = named(e)) {
    return {(variable->owner.empty() ? "" : variable->owner + ".") + variable->name,
            Strength::Atom};
  }
  const SymbolId symbol = pool_.symbol_of(e);
  const Role role = network_.role(symbol);
  const auto arguments = pool_.children(e);
  const std::string key = arguments.empty() ? "" : "[" + in(arguments[0], Strength::Choice) + "]";
  const auto of_machine = [&](MachineId machine) {
    return machine.valid() ? network_.machine(machine).name + key : std::string();
  };
  switch (role.kind) {
    case RoleKind::Next: {
      const Variable& v = network_.variable(VariableId(role.id));
      return {std::string("new ") + (v.machine.valid() ? "this." : "") + v.name, Strength::Sign};
    }
    case RoleKind::At:
    case RoleKind::AtNext:
      return {std::string(role.kind == RoleKind::AtNext ? "new " : "") + "this instate " +
                  network_.location(LocationId(role.id)).name,
              Strength::Comparison};
    case RoleKind::RemoteCurrent:
    case RoleKind::RemoteNext: {
      const Variable& v = network_.variable(VariableId(role.id));
      const bool next = role.kind == RoleKind::RemoteNext;
      return {(next ? "new " : "") + of_machine(v.machine) + "." + v.name,
              next ? Strength::Sign : Strength::Atom};
    }
    case RoleKind::RemoteAt:
    case RoleKind::RemoteAtNext: {
      const Location& l = network_.location(LocationId(role.id));
      return {(role.kind == RoleKind::RemoteAtNext ? "new " : "") + of_machine(l.machine) +
                  " instate " + l.name,
              Strength::Comparison};
    }
    case RoleKind::Known:
      return {of_machine(MachineId(role.id)) + " exists", Strength::Comparison};
    case RoleKind::InstanceAt:
      return {owner(role.instance) + " instate " + network_.location(LocationId(role.id)).name,
              Strength::Comparison};
    default:
      return {pool_.info(symbol).name, Strength::Atom};
  }
}

ConditionText::Text ConditionText::comparison(Expr e, bool negated) const {
  Expr a = pool_.child(e, 0);
  Expr b = pool_.child(e, 1);
  std::string_view op = pool_.op(e) == Op::Eq   ? (negated ? " != " : " == ")
                        : pool_.op(e) == Op::Lt ? " < "
                                                : " <= ";
  // `0 < x` reads better as `x > 0`.
  if (pool_.op(e) != Op::Eq && pool_.is_const(a)) {
    std::swap(a, b);
    op = pool_.op(e) == Op::Lt ? " > " : " >= ";
  }
  Kind kind = kind_of(a);
  if (kind == Kind::Unknown) kind = kind_of(b);
  return infix({operand(a, kind, Strength::In), operand(b, kind, Strength::In)}, op,
               Strength::Comparison);
}

ConditionText::Text ConditionText::sum(Expr e) const {
  const Kind kind = kind_of(e);
  Text result{"", Strength::Sum};
  const auto parts = pool_.children(e);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Expr part = parts[i];
    bool minus = pool_.op(e) == Op::Sub && i > 0;
    std::string shown;
    if (pool_.is_const(part) && pool_.value(part).is_integer()) {
      Integer value = pool_.value(part).as_integer();
      if (value.sign() < 0 && i > 0) {
        minus = !minus;
        value = -value;
      }
      shown = value.to_string();
      // Days are added to a date, a percentage to a percentage.
      if (kind == Kind::Date) shown += " Day";
      if (kind == Kind::Percentage) shown += "%";
    } else {
      if (pool_.op(part) == Op::Neg && i > 0) {
        minus = !minus;
        part = pool_.child(part, 0);
      }
      shown = in(part, i == 0 ? Strength::Sum : Strength::Product);
    }
    if (i > 0) result.text += minus ? " - " : " + ";
    result.text += shown;
  }
  return result;
}

// An amount beside its currency is money.
std::vector<std::string> ConditionText::conjuncts_text(std::span<const Expr> parts,
                                                       Strength needs) const {
  struct Money {
    Expr currency;
    std::size_t position = 0;
    bool used = false;
  };
  std::unordered_map<std::string, Money> known;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (pool_.op(parts[i]) != Op::Eq || !pool_.is_const(pool_.child(parts[i], 1))) continue;
    const auto variable = named(pool_.child(parts[i], 0));
    if (!variable || !variable->part.currency) continue;
    known.try_emplace(variable->owner + "." + variable->part.field,
                      Money{pool_.child(parts[i], 1), i, false});
  }
  std::vector<std::string> result(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Expr e = parts[i];
    const Op op = pool_.op(e);
    result[i] = in(e, needs);
    if (op != Op::Eq && op != Op::Lt && op != Op::Le) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const Expr limit = pool_.child(e, 1 - side);
      const auto variable = named(pool_.child(e, side));
      if (!variable || !variable->part.amount || !pool_.is_const(limit)) continue;
      const std::string field = variable->owner + "." + variable->part.field;
      const auto money = known.find(field);
      if (money == known.end()) continue;
      money->second.used = true;
      const std::string_view less = op == Op::Lt ? " < " : " <= ";
      const std::string_view more = op == Op::Lt ? " > " : " >= ";
      const std::string_view sign = op == Op::Eq ? " == " : side == 0 ? less : more;
      result[i] = field;
      result[i] += sign;
      result[i] +=
          encoder_.show(Kind::Money, pool_.value(money->second.currency), &pool_.value(limit));
    }
  }
  for (const auto& [field, money] : known) {
    if (money.used) result[money.position].clear();
  }
  quantify(parts, result, needs);
  std::erase(result, "");
  return result;
}

// What is said about each entry of a set or map is said about all of its elements.
void ConditionText::quantify(std::span<const Expr> parts, std::vector<std::string>& texts,
                             Strength needs) const {
  struct Said {
    std::size_t first = 0;
    std::set<std::string> entries;  // names of their variables
    std::vector<std::size_t> positions;
    std::size_t all = 0;  // entries that there are
  };
  std::map<std::string, Said> said;  // by quantified text
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (pool_.op(parts[i]) != Op::Implies) continue;
    const Expr present = pool_.child(parts[i], 0);
    const auto entry = named(present);
    const std::size_t mark = entry ? entry->name.find('#') : std::string::npos;
    if (mark == std::string::npos || entry->name.find('.', mark) != std::string::npos) continue;
    const std::string slot = in(present, Strength::Atom);
    const std::string field = slot.substr(0, slot.size() - entry->name.size() + mark);
    std::string body = in(pool_.child(parts[i], 1), Strength::Implies);
    const auto replace = [&](const std::string& part, const std::string& by) {
      for (std::size_t at = body.find(part); at != std::string::npos; at = body.find(part)) {
        body.replace(at, part.size(), by);
      }
    };
    replace(slot + ".key", "x");
    replace(slot + ".value", field + "[x]");
    if (body.find('#') != std::string::npos) continue;
    Said& about = said[field + " | " + body];
    if (about.entries.empty()) about.first = i;
    about.entries.insert(entry->name);
    about.positions.push_back(i);
    const Role role = network_.role(pool_.symbol_of(present));
    const Variable& variable = network_.variable(VariableId(role.id));
    about.all = 0;
    for (VariableId v : network_.machine(variable.machine).variables) {
      const std::string& name = network_.variable(v).name;
      const bool alike = name.starts_with(entry->name.substr(0, mark + 1)) &&
                         name.find('.', mark) == std::string::npos;
      about.all += alike ? 1 : 0;
    }
  }
  for (const auto& [text, about] : said) {
    if (about.entries.size() != about.all) continue;
    for (std::size_t position : about.positions) texts[position].clear();
    const std::string quantified = "forall x : " + text;
    texts[about.first] = needs == Strength::Choice ? quantified : "(" + quantified + ")";
  }
}

// `@init || (a -> b)` is `initialized this && a -> b`, and shorter where `a` says it already.
std::optional<ConditionText::Text> ConditionText::once_initialized(
    std::span<const Expr> parts) const {
  std::vector<Expr> conditions;
  Expr conclusion;
  std::vector<std::string> initialized;
  for (Expr part : parts) {
    if (const auto who = uninitialized(part)) {
      initialized.push_back(*who);
    } else if (pool_.op(part) == Op::Implies && !conclusion.valid()) {
      conditions = whittle::conjuncts(pool_, pool_.child(part, 0));
      conclusion = pool_.child(part, 1);
    } else {
      return std::nullopt;
    }
  }
  if (!conclusion.valid() || initialized.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const std::string& who : initialized) {
    const bool said = std::any_of(conditions.begin(), conditions.end(),
                                  [&](Expr condition) { return who == elsewhere(condition); });
    if (!said) texts.push_back("initialized " + who);
  }
  const bool alone = texts.empty() && conditions.size() == 1;
  for (Expr condition : conditions)
    texts.push_back(in(condition, alone ? Strength::Or : Strength::Not));
  return Text{infix(texts, " && ", Strength::And).text + " -> " + in(conclusion, Strength::Implies),
              Strength::Implies};
}

// Who is in a state other than the initial one; empty: it says something else.
std::string ConditionText::elsewhere(Expr e) const {
  if (!pool_.is_variable(e) || uninitialized(e)) return {};
  const Role role = network_.role(pool_.symbol_of(e));
  if (role.kind == RoleKind::At) return "this";
  return role.kind == RoleKind::InstanceAt ? owner(role.instance) : std::string();
}

// `not (a && not initialized b)` is `a -> initialized b`.
std::optional<ConditionText::Text> ConditionText::needs_initialized(
    std::span<const Expr> parts) const {
  std::vector<std::string> conditions;
  std::vector<std::string> conclusions;
  for (Expr part : parts) {
    if (const auto who = uninitialized(part)) {
      conclusions.push_back("initialized " + *who);
    } else {
      conditions.push_back(in(part, Strength::Not));
    }
  }
  if (conditions.empty() || conclusions.empty()) return std::nullopt;
  return Text{infix(conditions, " && ", Strength::And).text + " -> " +
                  infix(conclusions, " || ", Strength::Or).text,
              Strength::Implies};
}

ConditionText::Text ConditionText::disjunction(std::span<const Expr> parts) const {
  if (auto text = once_initialized(parts)) return *text;
  // One of several states; what has to hold once the instance is there.
  std::vector<std::string> first;
  std::vector<std::string> rest;
  std::vector<std::pair<std::string, std::vector<std::string>>> places;
  for (Expr part : parts) {
    const auto who = uninitialized(part);
    if (who && parts.size() > 1) {
      first.push_back("initialized " + *who);
      continue;
    }
    const Role role = pool_.is_variable(part) ? network_.role(pool_.symbol_of(part)) : Role{};
    if (role.kind != RoleKind::InstanceAt && role.kind != RoleKind::At) {
      rest.push_back(in(part, Strength::And));
      continue;
    }
    const std::string someone = role.kind == RoleKind::At ? "this" : owner(role.instance);
    auto place = std::find_if(places.begin(), places.end(),
                              [&](const auto& entry) { return entry.first == someone; });
    if (place == places.end()) place = places.insert(places.end(), {someone, {}});
    place->second.push_back(network_.location(LocationId(role.id)).name);
  }
  std::vector<std::string> all;
  for (const auto& [someone, names] : places) {
    all.push_back(
        someone + " instate " +
        (names.size() == 1 ? names[0] : "{" + infix(names, ", ", Strength::Atom).text + "}"));
  }
  all.insert(all.end(), rest.begin(), rest.end());
  const Strength strength = all.size() > 1 ? Strength::Or : Strength::And;
  const Text then = infix(all, " || ", strength);
  if (first.empty()) return then;
  if (all.empty()) return {"not (" + infix(first, " && ", Strength::And).text + ")", Strength::Not};
  return {infix(first, " && ", Strength::And).text + " -> " + then.text, Strength::Implies};
}

ConditionText::Text ConditionText::text(Expr e) const {
  const auto parts = pool_.children(e);
  switch (pool_.op(e)) {
    case Op::Const:
      return constant(e, Kind::Unknown);
    case Op::Apply:
      return symbol(e);
    case Op::Not:
      if (pool_.op(parts[0]) == Op::Eq) return comparison(parts[0], true);
      if (const auto who = uninitialized(parts[0])) return {"initialized " + *who, Strength::Not};
      if (pool_.op(parts[0]) == Op::And) {
        if (auto text = needs_initialized(pool_.children(parts[0]))) return *text;
      }
      return {"not " + in(parts[0], Strength::Comparison), Strength::Not};
    case Op::And: {
      std::vector<std::string> texts = conjuncts_text(parts, Strength::Not);
      return infix(std::move(texts), " && ", Strength::And);
    }
    case Op::Or:
      return disjunction(parts);
    case Op::Implies:
      return infix({in(parts[0], Strength::Or), in(parts[1], Strength::Implies)}, " -> ",
                   Strength::Implies);
    case Op::Ite:
      return {"(" + in(parts[0], Strength::Implies) + " ? " + in(parts[1], Strength::Implies) +
                  " : " + in(parts[2], Strength::Implies) + ")",
              Strength::Atom};
    case Op::Eq:
    case Op::Lt:
    case Op::Le:
      return comparison(e, false);
    case Op::Add:
    case Op::Sub:
      return sum(e);
    case Op::Neg:
      return {"-" + in(parts[0], Strength::Atom), Strength::Sign};
    case Op::Mul:
    case Op::IDiv:
    case Op::Mod: {
      std::vector<std::string> factors;
      for (Expr part : parts) {
        factors.push_back(in(part, factors.empty() ? Strength::Product : Strength::Sign));
      }
      const Op op = pool_.op(e);
      return infix(std::move(factors),
                   op == Op::Mul   ? " * "
                   : op == Op::Mod ? " % "
                                   : " / ",
                   Strength::Product);
    }
    default:
      break;
  }
  // Not part of Rebel: for people only.
  PrintStyle style;
  style.symbol = [&](SymbolId symbol, std::span<const std::string> arguments) {
    const Role role = network_.role(symbol);
    std::string name = pool_.info(symbol).name;
    if (role.kind == RoleKind::InstanceCurrent) {
      name = owner(role.instance) + "." + network_.variable(VariableId(role.id)).name;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      name += (i == 0 ? "(" : ", ") + arguments[i];
    }
    return arguments.empty() ? name : name + ")";
  };
  return {"(" + whittle::to_string(pool_, e, style) + ")", Strength::Atom};
}

}  // namespace whittle::rebel
