// SPDX-License-Identifier: Apache-2.0
// Functions: pure and not recursive, so a call is its body with the arguments put in.
#include "frontend/rebel/elaborate.h"

#include <algorithm>

namespace whittle::rebel {

TypedTerm Elaborator::call(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  const ExprNode n = module.expr(e);
  if (scope.runs.valid() && module.expr(n.a).kind == ExprKind::Word &&
      program_.names().text(module.expr(n.a).a) == "taken")
    return taken(scope, e);
  std::vector<TypedTerm> args;
  for (std::uint32_t i = 0; i < module.list_size(n.b); ++i) {
    args.push_back(value(scope, module.list(n.b)[i]));
  }
  const ExprNode& callee = module.expr(n.a);
  if (callee.kind == ExprKind::Word && scope.config != nullptr) {
    for (const ConfigValue& config : *scope.config) {
      if (config.name == callee.a && config.is_function) {
        program_.use(config.declared, scope.module, callee.at, callee.a);
        return config.function.found() ? apply_function(scope, e, config.function, args)
                                       : unknown();
      }
    }
  }
  QName name;
  if (callee.kind == ExprKind::Word) {
    name.simple = name.full = callee.a;
    name.at = callee.at;
  } else if (!qualified(scope, n.a, name)) {
    mark_absence(error(scope, n.a, "rebel-062", "only functions can be called"));
    return unknown();
  }
  const Decl function = program_.resolve(DeclKind::Function, scope.module, name);
  return function.found() ? apply_function(scope, e, function, args) : unknown();
}

TypedTerm Elaborator::apply_function(const Scope& scope, ExprRef e, Decl function,
                                     const std::vector<TypedTerm>& args) {
  const ModuleAst& module = program_.module(function.module).ast;
  const FunctionAst& f = module.functions[function.index];
  const std::string name = program_.text(f.name.simple);
  if (args.size() != f.params.count) {
    error(scope, e, "rebel-063",
          "function '" + name + "' takes " + std::to_string(f.params.count) + " argument" +
              (f.params.count == 1 ? "" : "s") + ", not " + std::to_string(args.size()));
    return unknown();
  }
  if (std::find(active_.begin(), active_.end(), function) != active_.end()) {
    error(scope, e, "rebel-064", "function '" + name + "' calls itself",
          "functions cannot be recursive");
    return unknown();
  }
  Scope inner;
  inner.module = function.module;
  inner.place = "in a function";
  std::vector<std::uint32_t> key{function.module, function.index};
  bool memo = true;
  for (std::uint32_t i = 0; i < f.params.count; ++i) {
    const ParamAst& param = module.params[f.params.first + i];
    TypedTerm arg = args[i];
    const RType type = program_.resolve_type(function.module, param.type);
    if (arg.type == RType(Kind::Unknown) || type == RType(Kind::Unknown)) return unknown();
    if (!fits(arg, type)) {
      error(scope, e, "rebel-051",
            "argument '" + program_.text(param.name) + "' of function '" + name + "' must be " +
                program_.types().to_string(type) + ", but this is " +
                program_.types().to_string(arg.type));
      return unknown();
    }
    if (arg.entries) memo = false;
    key.insert(key.end(), {arg.a.id(), arg.b.id(), arg.def.id()});
    inner.locals.push_back(
        {param.name, std::move(arg), program_.span(function.module, param.name_at)});
  }
  if (memo) {
    if (const auto it = results_.find(key); it != results_.end()) return it->second;
  }
  active_.push_back(function);
  TypedTerm result = body_value(inner, module.stmts[f.body]);
  active_.pop_back();
  const RType type = program_.resolve_type(function.module, f.type);
  if (result.type == RType(Kind::Unknown) || type == RType(Kind::Unknown)) return unknown();
  if (!fits(result, type)) {
    program_.diagnostics().report(
        "rebel-051", module.span(module.expr(module.stmts[f.body].expr).at),
        "function '" + name + "' promises " + program_.types().to_string(type) + ", but this is " +
            program_.types().to_string(result.type));
    return unknown();
  }
  if (memo) results_.emplace(std::move(key), result);
  return result;
}

// The value of a function's body; of a `case` that of the first case that applies.
TypedTerm Elaborator::body_value(const Scope& scope, const StmtAst& stmt) {
  if (!stmt.is_case) return value(scope, stmt.expr);
  const ModuleAst& module = ast(scope);
  const TypedTerm looked_at = value(scope, stmt.expr);
  TypedTerm result;
  std::vector<Expr> some;
  for (std::uint32_t i = stmt.cases.count; i-- > 0;) {
    const CaseAst& one = module.cases[stmt.cases.first + i];
    TypedTerm literal = value(scope, one.literal);
    TypedTerm then = body_value(scope, module.stmts[one.then]);
    TypedTerm left = looked_at;
    if (left.type == RType(Kind::Unknown) || literal.type == RType(Kind::Unknown) ||
        then.type == RType(Kind::Unknown)) {
      return unknown();
    }
    if (!unify(left, literal)) {
      error(scope, one.literal, "rebel-051",
            "this case is " + program_.types().to_string(literal.type) +
                ", but the case looks at " + program_.types().to_string(looked_at.type));
      return unknown();
    }
    const Expr match = equal(left, literal);
    some.push_back(match);
    if (result.type == RType(Kind::Unknown)) {
      result = then;
    } else if (unify(then, result)) {
      result = chosen(match, then, result);
    } else {
      error(scope, one.literal, "rebel-051",
            "the cases have different types: " + program_.types().to_string(then.type) + " and " +
                program_.types().to_string(result.type));
      return unknown();
    }
  }
  result.def = conj(conj(looked_at.def, pool_.disj(some)), result.def);
  return result;
}

void Elaborator::check_function(Decl function) {
  const ModuleAst& module = program_.module(function.module).ast;
  const FunctionAst& f = module.functions[function.index];
  Scope scope;
  scope.module = function.module;
  scope.place = "in a function";
  bool known = true;
  for (std::uint32_t i = 0; i < f.params.count; ++i) {
    const ParamAst& param = module.params[f.params.first + i];
    const RType type = program_.resolve_type(function.module, param.type);
    for (const auto& local : scope.locals) {
      if (local.name == param.name) {
        program_.diagnostics().report(
            "rebel-021", module.span(param.name_at),
            "parameter '" + program_.text(param.name) + "' is declared twice");
      }
    }
    TypedTerm val;
    if (type != RType(Kind::Unknown) && program_.types().kind(type) != Kind::Function) {
      std::vector<Expr> parts;
      for (const auto& [suffix, part] : layout(type)) {
        parts.push_back(pool_.symbol(pool_.declare(program_.text(param.name) + suffix, part)));
      }
      val = assembled(type, parts);
    } else {
      known = false;
    }
    const Span declared = module.span(param.name_at);
    program_.symbols().declare(SymbolKind::Parameter, program_.text(param.name), declared);
    scope.locals.push_back({param.name, std::move(val), declared});
  }
  active_.push_back(function);
  TypedTerm result = body_value(scope, module.stmts[f.body]);
  active_.pop_back();
  const RType type = program_.resolve_type(function.module, f.type);
  if (!known || result.type == RType(Kind::Unknown) || type == RType(Kind::Unknown)) return;
  if (!fits(result, type)) {
    program_.diagnostics().report("rebel-051",
                                  module.span(module.expr(module.stmts[f.body].expr).at),
                                  "function '" + program_.text(f.name.simple) + "' promises " +
                                      program_.types().to_string(type) + ", but this is " +
                                      program_.types().to_string(result.type));
  }
}

}  // namespace whittle::rebel
