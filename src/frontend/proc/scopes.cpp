// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/scopes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace whittle::proc {

using frontend::Operand;

namespace {

// Operands without a term: a family (entity = position + 1, position = kWhole) or one process of
// it.
constexpr std::uint64_t kWhole = UINT64_MAX;

}  // namespace

std::optional<Operand> ConstantScope::unknown(std::string_view name, Span span,
                                              const std::vector<std::string>& more) {
  NearestName nearest(name);
  for (const auto& entry : names_.constants) nearest.offer(entry.first);
  for (const std::string& candidate : more) nearest.offer(candidate);
  diagnostics_.report("proc-002", span, fmt::format("`{}` is not declared", name),
                      nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                                       : "declare it with `const`, `shared` or `var`");
  return std::nullopt;
}

std::optional<Operand> ConstantScope::name(std::string_view name, Span span) {
  const auto constant = names_.constants.find(std::string(name));
  if (constant != names_.constants.end()) {
    if (!constant->second.value.valid()) return std::nullopt;
    return Operand{constant->second.value, 0, 0, constant->second.span};
  }
  if (names_.shared.contains(std::string(name))) {
    diagnostics_.report("type-013", span, fmt::format("`{}` is a variable, not a constant", name),
                        "only numbers and constants can stand here");
    return std::nullopt;
  }
  return unknown(name, span, {});
}

std::optional<Type> ConstantScope::enum_type(std::string_view name, Span span) {
  diagnostics_.report("type-005", span, fmt::format("there is no type `{}` to range over", name),
                      "quantifiers range over `low..high`");
  return std::nullopt;
}

bool ConstantScope::declares(std::string_view name) {
  const std::string text(name);
  return names_.constants.contains(text) || names_.shared.contains(text);
}

// ----- inside a process

VariableId ProcessScope::variable(std::string_view name) {
  const std::string text(name);
  if (const auto local = process_.locals.find(text); local != process_.locals.end())
    return local->second;
  const auto shared = names_.shared.find(text);
  if (shared == names_.shared.end()) return {};
  shared->second.used = true;
  return shared->second.id;
}

std::optional<Operand> ProcessScope::name(std::string_view name, Span span) {
  if (identity_ != nullptr && name == identity_->text)
    return Operand{network_.pool().integer(process_.identity), 0, 0, identity_->span};
  if (const VariableId id = variable(name); id.valid())
    return Operand{network_.pool().symbol(network_.variable(id).current), 0, 0,
                   network_.variable(id).origin};
  if (names_.constants.contains(std::string(name))) return ConstantScope::name(name, span);
  std::vector<std::string> more;
  for (const auto& entry : process_.locals) more.push_back(entry.first);
  for (const auto& entry : names_.shared) more.push_back(entry.first);
  return unknown(name, span, more);
}

bool ProcessScope::declares(std::string_view name) {
  return ConstantScope::declares(name) || process_.locals.contains(std::string(name)) ||
         (identity_ != nullptr && name == identity_->text);
}

// ----- the whole state

std::optional<Operand> StateScope::name(std::string_view name, Span span) {
  const std::string text(name);
  if (const auto shared = names_.shared.find(text); shared != names_.shared.end()) {
    shared->second.used = true;
    return Operand{network_.pool().symbol(network_.variable(shared->second.id).current), 0, 0,
                   shared->second.span};
  }
  if (names_.constants.contains(text)) return ConstantScope::name(name, span);
  if (const auto family = names_.families.find(text); family != names_.families.end())
    return Operand{{}, family->second + 1, kWhole, names_.family_list[family->second].span};
  std::vector<std::string> more;
  for (const auto& entry : names_.shared) more.push_back(entry.first);
  for (const auto& entry : names_.families) more.push_back(entry.first);
  return unknown(name, span, more);
}

std::optional<Operand> StateScope::index(const Operand& base, const Operand& index, Span span) {
  if (base.entity == 0 || base.position != kWhole) return Scope::index(base, index, span);
  const Family& family = names_.family_list[base.entity - 1];
  const ExprPool& pool = network_.pool();
  if (!index.expr.valid() || !pool.is_const(index.expr) || !pool.value(index.expr).is_integer()) {
    diagnostics_.report("proc-004", span, "a process is chosen by a constant number",
                        "quantify over the processes: `forall i in 0..3: P[i].x == 0`");
    return std::nullopt;
  }
  const Integer offset = pool.value(index.expr).as_integer() - family.low;
  const auto small = offset.to_int64();
  if (!family.indexed || !small || *small < 0 ||
      static_cast<std::uint64_t>(*small) >= family.count) {
    diagnostics_.report(
        "proc-004", span,
        family.indexed ? fmt::format("there is no process with the number {}",
                                     pool.value(index.expr).as_integer().to_string())
                       : "this process is no family",
        family.indexed
            ? fmt::format(
                  "the family has the numbers {}..{}", family.low.to_string(),
                  (family.low + Integer(static_cast<unsigned long>(family.count)) - Integer(1))
                      .to_string())
            : "leave the index out");
    return std::nullopt;
  }
  return Operand{{}, base.entity, family.first + static_cast<std::uint64_t>(*small)};
}

const Process* StateScope::process(const Operand& base, Span span) {
  if (base.entity == 0) return nullptr;
  if (base.position != kWhole) return &names_.processes[base.position];
  const Family& family = names_.family_list[base.entity - 1];
  if (!family.indexed) return &names_.processes[family.first];
  diagnostics_.report("proc-004", span, "this is a family of processes",
                      "say which one, as in `P[0].x`");
  return nullptr;
}

std::optional<Operand> StateScope::member(const Operand& base, std::string_view name, Span span) {
  if (base.entity == 0) return Scope::member(base, name, span);
  const Process* p = process(base, span);
  if (p == nullptr) return std::nullopt;
  const auto local = p->locals.find(std::string(name));
  if (local == p->locals.end()) {
    NearestName nearest(name);
    for (const auto& entry : p->locals) nearest.offer(entry.first);
    diagnostics_.report(
        "proc-003", span,
        fmt::format("`{}` has no local variable `{}`", network_.machine(p->machine).name, name),
        nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                         : "declare it with `var` at the beginning of the process");
    return std::nullopt;
  }
  return Operand{network_.pool().symbol(network_.of_instance(p->instance, local->second)), 0, 0,
                 network_.variable(local->second).origin};
}

std::optional<Operand> StateScope::label(const Operand& base, std::string_view name, Span span) {
  if (base.entity == 0 || !labels_) return Scope::label(base, name, span);
  const Process* p = process(base, span);
  if (p == nullptr) return std::nullopt;
  const LocationId found = place(*p, name, span);
  if (!found.valid()) return std::nullopt;
  asked_.push_back(static_cast<std::uint32_t>(p - names_.processes.data()));
  const auto labelled = p->labels.find(std::string(name));
  return Operand{network_.pool().symbol(network_.at_instance(p->instance, found)), 0, 0,
                 labelled == p->labels.end() ? Span() : labelled->second.span};
}

LocationId StateScope::place(const Process& process, std::string_view name, Span span) {
  const std::string text(name);
  if (const auto label = process.labels.find(text); label != process.labels.end()) {
    return label->second.location;
  }
  const auto [all, fresh] = places_.try_emplace(process.machine);
  if (fresh) {
    for (LocationId l : network_.machine(process.machine).locations) {
      all->second.try_emplace(network_.location(l).name, l);
    }
  }
  if (const auto found = all->second.find(text); found != all->second.end()) return found->second;
  NearestName nearest(name);
  for (const auto& entry : process.labels) nearest.offer(entry.first);
  diagnostics_.report(
      "proc-005", span,
      fmt::format("`{}` has no label `{}`", network_.machine(process.machine).name, name),
      nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                       : "put `name:` in front of an instruction");
  return {};
}

// ----- runs

std::optional<Operand> FormulaScope::label(const Operand& base, std::string_view name, Span span) {
  auto result = StateScope::label(base, name, span);
  if (!result || !result->expr.valid()) return result;
  ExprPool& pool = network_.pool();
  const Role role = network_.role(pool.symbol_of(result->expr));
  std::vector<Expr> places{result->expr};
  for (const Process& process : names_.processes) {
    if (process.instance != role.instance) continue;
    for (const auto& [error, from] : process.failed_at) {
      if (from == LocationId(role.id))
        places.push_back(pool.symbol(network_.at_instance(process.instance, error)));
    }
  }
  result->expr = pool.disj(places);
  return result;
}

bool FormulaScope::fails(const Event& event) const {
  return std::any_of(event.arcs.begin(), event.arcs.end(),
                     [&](const Arc& arc) { return network_.location(arc.to).error; });
}

Expr FormulaScope::steps(const Process& process, LocationId from) {
  ExprPool& pool = network_.pool();
  std::vector<Expr> ways;
  for (const EventId id : network_.machine(process.machine).events) {
    const Event& event = network_.event(id);
    if (fails(event)) continue;
    const auto leaves = [&](const Arc& arc) { return arc.from == from; };
    if (from.valid() && std::none_of(event.arcs.begin(), event.arcs.end(), leaves)) continue;
    Expr way = pool.symbol(network_.taken_by(process.instance, id));
    if (from.valid() && !std::all_of(event.arcs.begin(), event.arcs.end(), leaves))
      way = pool.conj(way, pool.symbol(network_.at_instance(process.instance, from)));
    ways.push_back(way);
  }
  return ways.empty() ? Expr() : pool.disj(ways);
}

std::optional<Operand> FormulaScope::taken(std::string_view name, Span span) {
  if (names_.families.contains(std::string(name))) {
    const auto base = this->name(name, span);
    return base ? taken(*base, span) : std::nullopt;
  }
  NearestName nearest(name);
  for (const auto& entry : names_.families) nearest.offer(entry.first);
  diagnostics_.report("ltl-010", span, fmt::format("there is no process `{}`", name),
                      nearest.result()
                          ? fmt::format("did you mean `{}`?", *nearest.result())
                          : "`taken(P)` is any step of the process P, `taken(P@l)` its step at l");
  return std::nullopt;
}

std::optional<Operand> FormulaScope::taken(const Operand& base, Span span) {
  if (base.entity == 0) {
    diagnostics_.report("ltl-010", span, "this is no process",
                        "`taken(P)` is any step of the process P, `taken(P@l)` its step at l");
    return std::nullopt;
  }
  const Process* p = process(base, span);
  if (p == nullptr) return std::nullopt;
  const Expr any = steps(*p, {});
  return Operand{any.valid() ? any : network_.pool().boolean(false)};
}

std::optional<Operand> FormulaScope::taken(const Operand& base, std::string_view label, Span span) {
  if (base.entity == 0) return taken(base, span);
  const Process* p = process(base, span);
  if (p == nullptr) return std::nullopt;
  const LocationId from = place(*p, label, span);
  if (!from.valid()) return std::nullopt;
  const Expr any = steps(*p, from);
  if (any.valid()) {
    const auto labelled = p->labels.find(std::string(label));
    return Operand{any, 0, 0, labelled == p->labels.end() ? Span() : labelled->second.span};
  }
  diagnostics_.report(
      "ltl-010", span,
      fmt::format("`{}` takes no step at `{}`", network_.machine(p->machine).name, label),
      "`taken(P@l)` is the step that leaves the label l");
  return std::nullopt;
}

// Where a step is about to fail the run is at its end.
std::optional<Operand> FormulaScope::halt(Span) {
  ExprPool& pool = network_.pool();
  std::vector<Expr> ways{pool.symbol(network_.halt())};
  for (const Process& process : names_.processes) {
    for (const EventId id : network_.machine(process.machine).events) {
      if (fails(network_.event(id)))
        ways.push_back(pool.symbol(network_.taken_by(process.instance, id)));
    }
  }
  return Operand{pool.disj(ways)};
}

}  // namespace whittle::proc
