// SPDX-License-Identifier: Apache-2.0
// Constants, shared variables and processes with their locals; bodies and questions have builders
// of their own.
#include "frontend/proc/network_builder.h"

#include <fmt/format.h>

#include "frontend/expression/expression_typer.h"
#include "frontend/proc/notation.h"
#include "frontend/proc/process_builder.h"
#include "frontend/proc/property_builder.h"
#include "ir/notation.h"

namespace whittle::proc {

namespace {

using frontend::ExpressionTyper;
using frontend::SyntaxTree;

constexpr std::int64_t kMaxProcesses = 10'000;
constexpr std::int64_t kMaxLength = 1'000'000;

class Builder {
 public:
  Builder(const File& file, const SyntaxTree& tree, const Sources& sources,
          Diagnostics& diagnostics, SymbolIndex& symbols)
      : file_(file),
        tree_(tree),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        typer_(*pool_, tree, diagnostics, symbols),
        context_{file, tree, sources, *network_, {}, names_, diagnostics, symbols} {
    network_->name = file.name.text;
    network_->language = "proc";
    network_->notation = make_notation();
    context_.universe = network_->add_universe("the processes of " + file.name.text);
  }

  std::shared_ptr<Network> run(bool deadlock) {
    constants();
    shared();
    families();
    Conditions conditions(*pool_);
    ErrorLocations errors;
    ProcessBuilder bodies(context_, conditions, errors);
    for (std::uint32_t p = 0; p < names_.processes.size(); ++p) {
      if (diagnostics_.saturated()) break;
      bodies.build(p);
    }
    bodies.end_runs_at_failures();
    PropertyBuilder questions(context_, errors);
    questions.inits();
    questions.properties(deadlock);
    if (!diagnostics_.has_errors()) warn(conditions);
    return network_;
  }

 private:
  // ----- declarations

  // Constants, shared variables and processes share one name space.
  bool declare(const Name& name, SymbolKind kind) {
    const auto [it, fresh] = declared_.emplace(name.text, name.span);
    if (!fresh) context_.declared_twice(name, it->second);
    if (fresh) symbols_.declare(kind, name.text, name.span);
    return fresh;
  }

  void constants() {
    for (const ConstDeclaration& c : file_.constants) {
      if (!declare(c.name, SymbolKind::Constant)) continue;
      ConstantScope scope(names_, diagnostics_);
      const Expr value = typer_(c.value, scope);
      names_.constants[c.name.text] = {constant(value, c.value), c.name.span};
    }
  }

  // The term if it is constant; otherwise it is reported and invalid.
  Expr constant(Expr value, SyntaxId written) {
    if (!value.valid() || pool_->is_const(value)) return value;
    diagnostics_.report(
        pool_->total(value) ? "type-013" : "type-014", tree_.span(written),
        pool_->total(value) ? "a constant is needed here" : "this constant divides by zero", "");
    return {};
  }

  std::optional<Integer> number(SyntaxId id, std::string_view what, frontend::Scope& scope) {
    const Expr value = constant(typer_.typed(id, scope, Type::integer(), what), id);
    if (!value.valid()) return std::nullopt;
    return pool_->value(value).as_integer();
  }

  Type type_of(const TypeSyntax& syntax, frontend::Scope& scope) {
    const Type element = syntax.boolean ? Type::boolean() : Type::integer();
    if (!syntax.length) return element;
    const auto length = number(*syntax.length, "the length of an array", scope);
    const auto small = length ? length->to_int64() : std::nullopt;
    if (length && (!small || *small < 1 || *small > kMaxLength)) {
      diagnostics_.report("proc-011", tree_.span(*syntax.length),
                          fmt::format("an array cannot have {} elements", length->to_string()),
                          fmt::format("1 to {} are possible", kMaxLength));
    }
    const std::int64_t fitting = small && *small >= 1 && *small <= kMaxLength ? *small : 1;
    return pool_->array_type(Type::integer(), element, static_cast<std::uint64_t>(fitting));
  }

  VariableId variable(const VariableDeclaration& declaration, MachineId owner,
                      frontend::Scope& scope) {
    const Type type = type_of(declaration.type, scope);
    const VariableId id =
        network_->add_variable(declaration.name.text, type, owner, declaration.name.span);
    if (!declaration.initial) return id;
    const bool array = pool_->kind(type) == TypeKind::Array;
    const Type element = array ? pool_->info(type).element : type;
    const Expr value =
        constant(typer_.typed(*declaration.initial, scope, element, "an initial value"),
                 *declaration.initial);
    if (value.valid())
      network_->variable(id).initial = array ? pool_->const_array(type, value) : value;
    return id;
  }

  void shared() {
    ConstantScope scope(names_, diagnostics_);
    for (const VariableDeclaration& declaration : file_.shared) {
      if (!declare(declaration.name, SymbolKind::Variable)) continue;
      names_.shared[declaration.name.text] = {variable(declaration, MachineId(), scope),
                                              declaration.name.span, false};
    }
  }

  void families() {
    for (std::uint32_t d = 0; d < file_.processes.size(); ++d) {
      const ProcessDeclaration& declaration = file_.processes[d];
      declare(declaration.name, SymbolKind::Machine);
      Family family;
      family.first = static_cast<std::uint32_t>(names_.processes.size());
      family.span = declaration.name.span;
      family.indexed = declaration.identity.has_value();
      if (family.indexed)
        symbols_.declare(SymbolKind::Constant, declaration.identity->text,
                         declaration.identity->span);
      family.count = 1;
      if (family.indexed && !range(declaration, family)) family.count = 0;
      names_.families.emplace(declaration.name.text, d);
      names_.family_list.push_back(family);
      for (std::uint64_t i = 0; i < family.count; ++i) process(d, family, i);
    }
  }

  bool range(const ProcessDeclaration& declaration, Family& family) {
    if (declared_.contains(declaration.identity->text))
      context_.declared_twice(*declaration.identity, declared_[declaration.identity->text]);
    ConstantScope scope(names_, diagnostics_);
    const auto low = number(declaration.low, "the first identity", scope);
    const auto high = number(declaration.high, "the last identity", scope);
    if (!low || !high) return false;
    const auto count = (*high - *low + Integer(1)).to_int64();
    if (!count || *count < 1 || *count > kMaxProcesses) {
      diagnostics_.report(
          "proc-012", join(tree_.span(declaration.low), tree_.span(declaration.high)),
          count && *count < 1 ? "this range is empty" : "these are too many processes",
          fmt::format("a family has 1 to {} processes", kMaxProcesses));
      return false;
    }
    family.low = *low;
    family.count = static_cast<std::uint64_t>(*count);
    return true;
  }

  void process(std::uint32_t d, const Family& family, std::uint64_t i) {
    const ProcessDeclaration& declaration = file_.processes[d];
    Process p;
    p.declaration = d;
    p.identity = family.low + Integer(static_cast<unsigned long>(i));
    const std::string name =
        family.indexed ? fmt::format("{}[{}]", declaration.name.text, p.identity.to_string())
                       : declaration.name.text;
    p.machine = network_->add_machine(name, declaration.name.span);
    p.instance = network_->add_instance(context_.universe, p.machine, Value(), name);
    const Name* identity = declaration.identity ? &*declaration.identity : nullptr;
    for (const VariableDeclaration& local : declaration.locals) {
      const auto before = declared_.find(local.name.text);
      if (before != declared_.end() || (identity != nullptr && local.name.text == identity->text)) {
        if (i == 0)
          diagnostics_.report(
              "proc-013", local.name.span,
              fmt::format("the local variable `{}` hides another name", local.name.text),
              "give it another name");
        continue;
      }
      ProcessScope scope(names_, diagnostics_, *network_, identity, p);
      if (p.locals.contains(local.name.text)) {
        if (i == 0) context_.declared_twice(local.name, local.name.span);
        continue;
      }
      const VariableId id = variable(local, p.machine, scope);
      p.locals.emplace(local.name.text, id);
      symbols_.declare(SymbolKind::Variable, local.name.text, local.name.span);
    }
    names_.processes.push_back(std::move(p));
  }

  void warn(const Conditions& conditions) {
    for (const VariableDeclaration& declaration : file_.shared)
      if (!names_.shared.at(declaration.name.text).used)
        diagnostics_.report("proc-020", declaration.name.span,
                            fmt::format("the variable `{}` is not used", declaration.name.text),
                            "remove it");
    if (file_.processes.empty())
      diagnostics_.report("proc-021", file_.name.span, "the program has no process",
                          "add `process P { ... }`");
    conditions.warn(tree_, diagnostics_);
  }

  const File& file_;
  const SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  ExpressionTyper typer_;
  Names names_;
  Context context_;
  std::unordered_map<std::string, Span> declared_;
};

}  // namespace

void Context::declared_twice(const Name& name, Span before) {
  diagnostics
      .report("proc-001", name.span, fmt::format("`{}` is declared twice", name.text),
              "give one of them another name")
      .related.push_back({before, "first declared here"});
}

std::string assertion_name(const Context& context, const Statement& assertion) {
  return fmt::format("assert at line {}", context.line_of(assertion.span));
}

std::shared_ptr<Network> build_network(const File& file, const SyntaxTree& tree,
                                       const Sources& sources, bool deadlock,
                                       Diagnostics& diagnostics, SymbolIndex& symbols) {
  return Builder(file, tree, sources, diagnostics, symbols).run(deadlock);
}

}  // namespace whittle::proc
