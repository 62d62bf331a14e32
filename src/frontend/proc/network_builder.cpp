// SPDX-License-Identifier: Apache-2.0
// Every instruction has the location before it; there are no jump steps, so a block is compiled
// from its last statement to its first, each knowing where it continues.
//
// A failed assertion, an index out of range or a division by zero ends the run. Here the process
// that made the mistake stays at an error location and the others could go on; a run that does so
// could as well have left that step out, since it changed nothing but the process's place. Only
// properties that ask for the place of such a process could tell the difference: they hold wherever
// the process is at an error location.
#include "frontend/proc/network_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/traverse.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/proc/instruction.h"
#include "frontend/proc/notation.h"

namespace whittle::proc {

namespace {

using frontend::ExpressionTyper;
using frontend::SyntaxTree;

constexpr std::int64_t kMaxProcesses = 10'000;
constexpr std::int64_t kMaxLength = 1'000'000;

class Builder {
 public:
  Builder(const File& file, const SyntaxTree& tree, const Sources& sources, bool deadlock,
          Diagnostics& diagnostics, SymbolIndex& symbols)
      : file_(file),
        tree_(tree),
        sources_(sources),
        deadlock_(deadlock),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        typer_(*pool_, tree, diagnostics, symbols),
        conditions_(*pool_) {
    network_->name = file.name.text;
    network_->language = "proc";
    network_->notation = make_notation();
    universe_ = network_->add_universe("the processes of " + file.name.text);
  }

  std::shared_ptr<Network> run() {
    constants();
    shared();
    families();
    for (std::uint32_t p = 0; p < names_.processes.size(); ++p) {
      if (diagnostics_.saturated()) break;
      body(p);
    }
    inits();
    properties();
    if (!diagnostics_.has_errors()) warn();
    return network_;
  }

 private:
  // ----- declarations

  void declared_twice(const Name& name, Span before) {
    diagnostics_
        .report("proc-001", name.span, fmt::format("`{}` is declared twice", name.text),
                "give one of them another name")
        .related.push_back({before, "first declared here"});
  }

  // Constants, shared variables and processes share one name space.
  bool declare(const Name& name, SymbolKind kind) {
    const auto [it, fresh] = declared_.emplace(name.text, name.span);
    if (!fresh) declared_twice(name, it->second);
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
      declared_twice(*declaration.identity, declared_[declaration.identity->text]);
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
    p.instance = network_->add_instance(universe_, p.machine, Value(), name);
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
        if (i == 0) declared_twice(local.name, local.name.span);
        continue;
      }
      const VariableId id = variable(local, p.machine, scope);
      p.locals.emplace(local.name.text, id);
      symbols_.declare(SymbolKind::Variable, local.name.text, local.name.span);
    }
    names_.processes.push_back(std::move(p));
  }

  // ----- bodies

  // Error locations of one process, made when somebody can get there.
  class Errors final : public ErrorPlaces {
   public:
    Errors(Builder& builder, Process& process) : builder_(builder), process_(process) {}
    LocationId bounds() override {
      if (!bounds_.valid()) builder_.bounds_.push_back(bounds_ = make("index out of range"));
      return bounds_;
    }
    LocationId division() override {
      if (!division_.valid()) builder_.division_.push_back(division_ = make("division by zero"));
      return division_;
    }
    LocationId failed(const Statement& assertion) override {
      auto& place = failed_[&assertion];
      if (!place.valid()) {
        place = make(builder_.assertion_name(assertion));
        builder_.asserts_[&assertion].push_back(place);
      }
      return place;
    }

   private:
    LocationId make(const std::string& name) {
      const LocationId id =
          builder_.network_->add_location(builder_.unique(name), process_.machine, {});
      builder_.network_->location(id).error = true;
      builder_.network_->location(id).final = true;
      process_.errors.push_back(id);
      return id;
    }
    Builder& builder_;
    Process& process_;
    LocationId bounds_, division_;
    std::map<const Statement*, LocationId> failed_;
  };

  void body(std::uint32_t index) {
    Process& p = names_.processes[index];
    const ProcessDeclaration& declaration = file_.processes[p.declaration];
    const Name* identity = declaration.identity ? &*declaration.identity : nullptr;
    // Messages about the body of a family are the same for every process, and so are its names.
    Diagnostics repeated;
    SymbolIndex repeated_symbols(false);
    const bool first = first_of_family(index);
    Diagnostics& diagnostics = first ? diagnostics_ : repeated;
    SymbolIndex& symbols = first ? symbols_ : repeated_symbols;
    ProcessScope scope(names_, diagnostics, *network_, identity, p);
    Errors errors(*this, p);
    StepCompiler steps(file_, tree_, *network_, diagnostics, symbols, scope, p.machine, errors,
                       conditions_);
    places_.clear();
    collect_labels(declaration.body, p, diagnostics, symbols);
    const LocationId end = network_->add_location(unique("end"), p.machine, declaration.name.span);
    network_->location(end).final = true;
    const LocationId entry = block(declaration.body, end, end, p, steps);
    network_->machine(p.machine).starts.push_back(
        {"start", entry, pool_->boolean(true), declaration.name.span});
  }

  [[nodiscard]] bool first_of_family(std::uint32_t index) const {
    return index == names_.family_list[names_.processes[index].declaration].first;
  }

  // Labels are locations with that name; they come first, so that other names avoid them.
  void collect_labels(const std::vector<StatementId>& list, Process& p, Diagnostics& diagnostics,
                      SymbolIndex& symbols) {
    for (StatementId id : list) {
      const Statement& s = file_.statements[id];
      if (s.label) {
        const auto [it, fresh] = p.labels.try_emplace(s.label->text);
        if (fresh) {
          it->second = {network_->add_location(unique(s.label->text), p.machine, s.span),
                        s.label->span};
          symbols.declare(SymbolKind::Location, s.label->text, s.label->span);
        } else {
          diagnostics.report(
              "proc-001", s.label->span,
              fmt::format("the label `{}` stands twice in this process", s.label->text),
              "give one of them another name");
        }
      }
      if (s.kind == StatementKind::Atomic) continue;  // has no labels inside
      collect_labels(s.body, p, diagnostics, symbols);
      collect_labels(s.otherwise, p, diagnostics, symbols);
    }
  }

  // The location before the first statement of a list that continues at `next`.
  LocationId block(const std::vector<StatementId>& list, LocationId next, LocationId end,
                   const Process& p, StepCompiler& steps) {
    for (auto it = list.rbegin(); it != list.rend(); ++it)
      next = statement(file_.statements[*it], next, end, p, steps);
    return next;
  }

  LocationId statement(const Statement& s, LocationId next, LocationId end, const Process& p,
                       StepCompiler& steps) {
    const LocationId here = place_of(s, p);
    switch (s.kind) {
      case StatementKind::If: {
        const LocationId yes = block(s.body, next, end, p, steps);
        const LocationId no = block(s.otherwise, next, end, p, steps);
        steps.test(s, here, yes, no);
        break;
      }
      case StatementKind::While:
        steps.test(s, here, block(s.body, here, end, p, steps), next);
        break;
      case StatementKind::Return:
        steps.step(s, here, end);
        break;
      default:
        steps.step(s, here, next);
        break;
    }
    return here;
  }

  LocationId place_of(const Statement& s, const Process& p) {
    if (s.label) return p.labels.at(s.label->text).location;
    return network_->add_location(unique(fmt::format("line {}", line_of(s.span))), p.machine,
                                  s.span);
  }

  [[nodiscard]] std::uint32_t line_of(Span span) const {
    return sources_.file(span.file).position(span.begin).line;
  }

  // `name`, `name.2`, ... within the process at hand.
  std::string unique(const std::string& name) {
    const unsigned count = ++places_[name];
    return count == 1 ? name : fmt::format("{}.{}", name, count);
  }

  std::string assertion_name(const Statement& s) {
    return fmt::format("assert at line {}", line_of(s.span));
  }

  // ----- questions

  void inits() {
    // First values that are known, in terms of what `init` can name.
    Substitution known(*pool_);
    auto learn = [&](SymbolId symbol, VariableId variable) {
      const Expr initial = network_->variable(variable).initial;
      if (initial.valid() && pool_->is_const(initial)) known.set(symbol, initial);
    };
    for (const auto& [name, shared] : names_.shared)
      learn(network_->variable(shared.id).current, shared.id);
    for (const Process& process : names_.processes)
      for (const auto& [name, local] : process.locals)
        learn(network_->of_instance(process.instance, local), local);
    for (const InitDeclaration& declaration : file_.inits) {
      StateScope scope(names_, diagnostics_, *network_, false);
      const Expr e = typer_.typed(declaration.condition, scope, Type::boolean(), "`init`");
      if (!e.valid()) continue;
      if (pool_->is_false(known(e))) {
        diagnostics_.report("proc-014", tree_.span(declaration.condition),
                            "nothing satisfies this condition", "the program has no first state");
      }
      network_->universe(universe_).init.push_back(e);
    }
  }

  void properties() {
    std::optional<std::uint64_t> deepest = 0;
    std::unordered_map<std::string, Span> seen;
    for (const PropertyDeclaration& declaration : file_.properties) {
      const auto [it, fresh] = seen.emplace(declaration.name.text, declaration.name.span);
      if (!fresh) declared_twice(declaration.name, it->second);
      symbols_.declare(SymbolKind::Property, declaration.name.text, declaration.name.span);
      StateScope scope(names_, diagnostics_, *network_, true);
      const Expr e = typer_.typed(declaration.condition, scope, Type::boolean(), "a property");
      if (!declaration.depth) deepest.reset();
      if (deepest) deepest = std::max(*deepest, *declaration.depth);
      if (!e.valid()) continue;
      Property property = demand(declaration.name.text, PropertyKind::Invariant);
      property.condition = unless_stopped(e, scope.asked());
      property.bound.max = declaration.depth;
      property.origin = declaration.span;
      network_->add_property(std::move(property));
    }
    if (file_.properties.empty()) deepest.reset();
    implicit_properties(deepest);
  }

  // Holds, or one of these processes has stopped with an error.
  Expr unless_stopped(Expr e, std::vector<std::uint32_t> processes) {
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    std::vector<Expr> parts;
    for (std::uint32_t p : processes)
      for (LocationId l : names_.processes[p].errors)
        parts.push_back(pool_->symbol(network_->at_instance(names_.processes[p].instance, l)));
    parts.push_back(e);
    return pool_->disj(parts);
  }

  Property demand(std::string name, PropertyKind kind) {
    Property property;
    property.name = std::move(name);
    property.kind = kind;
    property.universe = universe_;
    property.origin = file_.name.span;
    return property;
  }

  // No process is at any of these locations.
  Expr nowhere(const std::vector<LocationId>& locations) {
    std::vector<Expr> parts;
    for (LocationId l : locations)
      for (const Process& p : names_.processes)
        if (network_->location(l).machine == p.machine)
          parts.push_back(pool_->negate(pool_->symbol(network_->at_instance(p.instance, l))));
    return pool_->conj(parts);
  }

  void implicit_properties(std::optional<std::uint64_t> depth) {
    std::unordered_map<std::string, unsigned> names;
    for (const Statement& s : file_.statements) {
      if (s.kind != StatementKind::Assert) continue;
      std::string name = assertion_name(s);
      if (const unsigned count = ++names[name]; count > 1) name += fmt::format(" #{}", count);
      Property property = demand(std::move(name), PropertyKind::Assert);
      property.condition = nowhere(asserts_[&s]);
      property.bound.max = depth;
      property.origin = s.span;
      network_->add_property(std::move(property));
    }
    bool indexes = false;
    bool divides = false;
    for (SyntaxId id = 0; id < tree_.size(); ++id) {
      const auto kind = tree_.node(id).kind;
      // `P[2]` chooses a process; only arrays have bounds.
      indexes |= kind == frontend::SyntaxKind::Index &&
                 !names_.families.contains(frontend::name_of(tree_, tree_.left(id)));
      divides |= kind == frontend::SyntaxKind::Divide || kind == frontend::SyntaxKind::Remainder;
    }
    auto add = [&](const char* name, PropertyKind kind, const std::vector<LocationId>& places) {
      Property property = demand(name, kind);
      property.condition = nowhere(places);
      property.bound.max = depth;
      network_->add_property(std::move(property));
    };
    if (indexes) add("bounds", PropertyKind::Bounds, bounds_);
    if (divides) add("division", PropertyKind::Division, division_);
    if (deadlock_) {
      Property property = demand("deadlock", PropertyKind::Deadlock);
      property.bound.max = depth;
      network_->add_property(std::move(property));
    }
  }

  void warn() {
    for (const VariableDeclaration& declaration : file_.shared)
      if (!names_.shared.at(declaration.name.text).used)
        diagnostics_.report("proc-020", declaration.name.span,
                            fmt::format("the variable `{}` is not used", declaration.name.text),
                            "remove it");
    if (file_.processes.empty())
      diagnostics_.report("proc-021", file_.name.span, "the program has no process",
                          "add `process P { ... }`");
    conditions_.warn(tree_, diagnostics_);
  }

  const File& file_;
  const SyntaxTree& tree_;
  const Sources& sources_;
  bool deadlock_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  ExpressionTyper typer_;
  Conditions conditions_;
  UniverseId universe_;
  Names names_;
  std::unordered_map<std::string, Span> declared_;
  std::unordered_map<std::string, unsigned> places_;  // names of locations of the process at hand
  std::vector<LocationId> bounds_;
  std::vector<LocationId> division_;
  std::map<const Statement*, std::vector<LocationId>> asserts_;
};

}  // namespace

std::shared_ptr<Network> build_network(const File& file, const SyntaxTree& tree,
                                       const Sources& sources, bool deadlock,
                                       Diagnostics& diagnostics, SymbolIndex& symbols) {
  return Builder(file, tree, sources, deadlock, diagnostics, symbols).run();
}

}  // namespace whittle::proc
