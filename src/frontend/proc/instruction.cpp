// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/instruction.h"

#include <fmt/format.h>

namespace whittle::proc {

void StepCompiler::begin(const Statement& statement) {
  const Span origin = statement.span;
  step_ = &statement;
  events_.emplace(
      network_, machine_,
      program::step_name(tree_.text({frontend::TokenKind::Word, origin.begin, origin.end})),
      origin);
}

void StepCompiler::step(const Statement& statement, LocationId from, LocationId next) {
  begin(statement);
  const Continue done = [&](const Path& path) { emit(from, next, path, ""); };
  if (statement.kind == StatementKind::Atomic)
    run(statement.body, 0, Path(network_), true, from, done);
  else
    execute(statement, Path(network_), from, done);
}

void StepCompiler::test(const Statement& statement, LocationId from, LocationId yes,
                        LocationId no) {
  begin(statement);
  branch(
      statement, Path(network_), from, [&](const Path& path) { emit(from, yes, path, ""); },
      [&](const Path& path) { emit(from, no, path, " else"); });
}

// The statements of an atomic block from `at` on. `first`: nothing was executed yet.
void StepCompiler::run(const std::vector<StatementId>& list, std::size_t at, Path path, bool first,
                       LocationId from, const Continue& done) {
  if (events_->full()) return;  // said already; there may be very many more ways
  if (at == list.size()) {
    done(std::move(path));
    return;
  }
  const Statement& statement = file_.statements[list[at]];
  allowed_inside(statement, first);
  const Continue rest = [&](Path after) { run(list, at + 1, std::move(after), false, from, done); };
  if (statement.kind == StatementKind::If) {
    branch(
        statement, std::move(path), from,
        [&](Path inner) { run(statement.body, 0, std::move(inner), false, from, rest); },
        [&](Path inner) { run(statement.otherwise, 0, std::move(inner), false, from, rest); });
  } else {
    execute(statement, std::move(path), from, rest);
  }
}

// What an atomic block may contain: it ends, and waits only at its beginning.
void StepCompiler::allowed_inside(const Statement& statement, bool first) {
  std::string problem;
  if (statement.kind == StatementKind::While) problem = "a loop";
  if (statement.kind == StatementKind::Return) problem = "`return`";
  if (statement.kind == StatementKind::Atomic) problem = "another `atomic`";
  if (statement.label) problem = "a label";
  const bool waits =
      statement.kind == StatementKind::Assume || statement.kind == StatementKind::Lock;
  if (!problem.empty()) {
    diagnostics_.report("proc-009", statement.label ? statement.label->span : statement.span,
                        fmt::format("{} cannot stand inside an atomic block", problem),
                        "the whole block is one step");
  } else if (waits && !first) {
    diagnostics_.report("proc-009", statement.span,
                        "an atomic block can wait only at its first instruction",
                        "move it to the beginning of the block, or end the block before it");
  }
}

void StepCompiler::branch(const Statement& statement, Path path, LocationId from,
                          const Continue& yes, const Continue& no) {
  if (!statement.value) {  // either way
    Path other = path;
    yes(std::move(path));
    no(std::move(other));
    return;
  }
  const Expr c = condition(*statement.value, "the condition", path);
  if (!c.valid()) return;
  check(program::checks_of(pool_, c), path, from, statement.span);
  Path other = path;
  path.assume(c, statement.span);
  other.assume(pool_.negate(c), statement.span);
  yes(std::move(path));
  no(std::move(other));
}

void StepCompiler::execute(const Statement& s, Path path, LocationId from, const Continue& done) {
  switch (s.kind) {
    case StatementKind::Skip:
    case StatementKind::Return:
    case StatementKind::If:
    case StatementKind::While:
    case StatementKind::Atomic:
      break;
    case StatementKind::Assume: {
      const Expr c = condition(*s.value, "what is assumed", path);
      if (!c.valid()) return;
      check(program::checks_of(pool_, c), path, from, s.span);
      path.assume(c, s.span);
      break;
    }
    case StatementKind::Assert: {
      const Expr c = condition(*s.value, "what is asserted", path);
      if (!c.valid()) return;
      check(program::checks_of(pool_, c), path, from, s.span);
      emit(from, errors_.failed(s), path.failing(pool_.negate(c), s.span), " fails");
      path.assume(c, s.span);
      break;
    }
    case StatementKind::Assign: {
      const auto to = place(*s.place, path);
      if (!to) return;
      const Expr v = value(*s.value, to->type, "the assigned value", path);
      if (!v.valid()) return;
      std::vector<Check> checks = program::checks_of(pool_, v);
      for (Check& c : index_checks(*to)) checks.push_back(c);
      check(checks, path, from, s.span);
      write(*to, v, path);
      break;
    }
    case StatementKind::Choose: {
      const auto to = place(*s.place, path);
      if (!to) return;
      check(index_checks(*to), path, from, s.span);
      write(*to, path.input(to->type), path);
      break;
    }
    case StatementKind::Cas: {
      const auto to = place(*s.place, path);
      const auto target = place(*s.target, path);
      if (!to || !target) return;
      if (to->type != Type::boolean()) {
        diagnostics_.report("type-002", tree_.span(*s.place),
                            "`cas` says whether it swapped: its result is a Bool",
                            "assign it to a Bool variable");
        return;
      }
      const Expr old = value(*s.value, target->type, "the expected value", path);
      const Expr replacement = value(*s.replacement, target->type, "the new value", path);
      if (!old.valid() || !replacement.valid()) return;
      std::vector<Check> checks = index_checks(*target);
      for (Expr e : {old, replacement})
        for (Check& c : program::checks_of(pool_, e)) checks.push_back(c);
      for (Check& c : index_checks(*to)) checks.push_back(c);
      check(checks, path, from, s.span);
      const Expr before = read(*target, path);
      const Expr equal = pool_.eq(before, old);
      write(*target, pool_.ite(equal, replacement, before), path);
      write(*to, equal, path);
      break;
    }
    case StatementKind::Lock:
    case StatementKind::Unlock: {
      const auto at = place(*s.place, path);
      if (!at) return;
      check(index_checks(*at), path, from, s.span);
      const bool boolean = at->type == Type::boolean();
      const Expr free = boolean ? pool_.boolean(false) : pool_.integer(0);
      const Expr taken = boolean ? pool_.boolean(true) : pool_.integer(1);
      if (s.kind == StatementKind::Lock) path.assume(pool_.eq(read(*at, path), free), s.span);
      write(*at, s.kind == StatementKind::Lock ? taken : free, path);
      break;
    }
  }
  done(std::move(path));
}

// A failing check ends the run: nothing is written.
void StepCompiler::check(const std::vector<Check>& checks, const Path& path, LocationId from,
                         Span origin) {
  for (const Check::Kind kind : {Check::Kind::Bounds, Check::Kind::Division}) {
    const Expr failure = program::first_failure(pool_, checks, kind);
    if (pool_.is_false(failure)) continue;
    const bool bounds = kind == Check::Kind::Bounds;
    emit(from, bounds ? errors_.bounds() : errors_.division(), path.failing(failure, origin),
         bounds ? " out of range" : " divides by zero");
  }
}

// ----- expressions

Expr StepCompiler::value(SyntaxId id, Type type, std::string_view what, const Path& path) {
  return path.now(typer_.typed(id, scope_, type, what));
}

Expr StepCompiler::condition(SyntaxId id, std::string_view what, const Path& path) {
  const Expr e = typer_.typed(id, scope_, Type::boolean(), what);
  if (e.valid()) conditions_.add(id, e);
  return path.now(e);
}

std::optional<StepCompiler::Place> StepCompiler::place(SyntaxId id, const Path& path) {
  using frontend::SyntaxKind;
  const bool element = tree_.node(id).kind == SyntaxKind::Index;
  const SyntaxId name_id = element ? tree_.left(id) : id;
  if (tree_.node(name_id).kind != SyntaxKind::Name) {
    diagnostics_.report("proc-006", tree_.span(id), "this is no variable or array element",
                        "only `x` and `a[i]` can be changed");
    return std::nullopt;
  }
  const std::string name = frontend::name_of(tree_, name_id);
  Place result;
  result.variable = scope_.variable(name);
  if (!result.variable.valid()) {
    const bool known = scope_.declares(name);
    if (known)
      diagnostics_.report("proc-007", tree_.span(name_id),
                          fmt::format("`{}` is constant and cannot be changed", name),
                          "only what is declared with `shared` or `var` changes");
    else
      static_cast<void>(scope_.name(name, tree_.span(name_id)));  // reports it
    return std::nullopt;
  }
  symbols_.use(network_.variable(result.variable).origin, tree_.span(name_id));
  const Type type = network_.variable(result.variable).type;
  const bool array = pool_.kind(type) == TypeKind::Array;
  if (array != element) {
    diagnostics_.report(
        "proc-008", tree_.span(id),
        array ? fmt::format("`{}` is an array", name) : fmt::format("`{}` is no array", name),
        array ? "name one element, as in `a[0]`" : "leave the index out");
    return std::nullopt;
  }
  result.type = array ? pool_.info(type).element : type;
  if (element) {
    result.index = value(tree_.right(id), Type::integer(), "an index", path);
    if (!result.index.valid()) return std::nullopt;
  }
  return result;
}

Expr StepCompiler::read(const Place& place, const Path& path) {
  return place.index.valid() ? path.read(place.variable, place.index) : path.read(place.variable);
}

void StepCompiler::write(const Place& place, Expr v, Path& path) {
  if (place.index.valid()) {
    path.assign(place.variable, place.index, v);
  } else {
    path.assign(place.variable, v);
  }
}

std::vector<Check> StepCompiler::index_checks(const Place& place) {
  if (!place.index.valid()) return {};
  std::vector<Check> checks = program::checks_of(pool_, place.index);
  const Expr array = pool_.symbol(network_.variable(place.variable).current);
  const Expr fits = program::in_range(pool_, array, place.index);
  if (!pool_.is_true(fits)) checks.push_back({Check::Kind::Bounds, fits});
  return checks;
}

// ----- events

void StepCompiler::emit(LocationId from, LocationId to, const Path& path, std::string_view suffix) {
  if (events_->emit(from, to, path, suffix)) return;
  diagnostics_.report("proc-010", step_->span, "there are too many paths through this block",
                      "split it, or replace nested `if`s by expressions");
}

}  // namespace whittle::proc
