// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/network_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/nearest.h"
#include "frontend/expectation.h"
#include "frontend/fcl/formulas.h"
#include "frontend/fcl/notation.h"
#include "frontend/fcl/types.h"
#include "frontend/fcl/values.h"
#include "frontend/ltl_property.h"
#include "frontend/program/path.h"
#include "frontend/program/step_events.h"

namespace whittle::fcl {

namespace {

using program::Path;

class Builder {
 public:
  Builder(const File& file, FileId id, const Sources& sources, Diagnostics& diagnostics,
          SymbolIndex& symbols)
      : file_(file),
        id_(id),
        source_(sources.file(id)),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        types_(file, diagnostics),
        values_(file, types_, enums_, variables_, *pool_) {}

  std::shared_ptr<Network> run() {
    network_->name = program_name(source_.path());
    network_->language = "fcl";
    network_->notation = make_notation();
    universe_ = network_->add_universe("the program");
    const Span whole{id_, 0, 0};
    machine_ = network_->add_machine("main", whole);
    instance_ = network_->add_instance(universe_, machine_, Value(), "main");
    for (const EnumDeclaration& e : file_.enums) {
      std::vector<std::string> names;
      for (const Name& value : e.values) names.push_back(value.text);
      enums_.push_back(pool_->enum_type(e.name.text, std::move(names)));
    }
    mentions();
    variables();
    locations();
    for (std::size_t b = 0; b < file_.blocks.size(); ++b)
      for (std::size_t i = 0; i < file_.blocks[b].statements.size(); ++i) statement(b, i);
    start(whole);
    properties();
    if (!diagnostics_.has_errors()) unreached();
    return network_;
  }

 private:
  static std::string program_name(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
    return std::string(path.substr(0, path.find_last_of('.')));
  }

  // ----- variables

  // What the program itself mentions; conditions may speak of these only.
  void mentions() {
    for (const Name& parameter : file_.parameters) mentioned_.insert(parameter.text);
    for (const VariableDeclaration& v : file_.variables) mentioned_.insert(v.name.text);
    for (const Block& block : file_.blocks)
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::Assign) mentioned_.insert(s.target.text);
        if (!s.value) continue;
        for (ExprId e = file_.expressions[*s.value].first; e <= *s.value; ++e)
          if (file_.expressions[e].op == Operator::Name)
            mentioned_.insert(file_.expressions[e].name);
      }
    std::set<std::string> reported;
    for (const Expression& e : file_.expressions) {
      std::uint32_t which = 0;
      std::uint32_t value = 0;
      if (e.op != Operator::Name || types_.find_value(e.name, which, value)) continue;
      if (mentioned_.contains(e.name)) {
        symbols_.use(types_.variables().at(e.name).first, e.span);
        continue;
      }
      if (!reported.insert(e.name).second) continue;
      NearestName nearest(e.name);
      for (const std::string& name : mentioned_) nearest.offer(name);
      Diagnostic& diagnostic = diagnostics_.report(
          "fcl-009", e.span, fmt::format("the program has no variable `{}`", e.name),
          nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                           : "a condition can speak of what the program mentions");
      diagnostic.nature = Diagnostic::Nature::Absence;
    }
  }

  void variables() {
    std::vector<std::pair<std::string, VariableType>> order;
    for (const auto& [name, type] : types_.variables())
      if (mentioned_.contains(name)) order.emplace_back(name, type);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.second.first.begin < b.second.first.begin;
    });
    for (const auto& [name, type] : order) {
      symbols_.declare(is_parameter(name) ? SymbolKind::Parameter : SymbolKind::Variable, name,
                       type.first);
      declare(name, type);
    }
  }

  [[nodiscard]] bool is_parameter(const std::string& name) const {
    return std::any_of(file_.parameters.begin(), file_.parameters.end(),
                       [&](const Name& p) { return p.text == name; });
  }
  [[nodiscard]] const InputDeclaration* input(const std::string& name) const {
    for (const InputDeclaration& i : file_.inputs)
      if (i.name.text == name) return &i;
    return nullptr;
  }

  VariableId add(const std::string& name, Type type, Span origin, bool given) {
    const VariableId id = network_->add_variable(name, type, machine_, origin);
    if (!given) network_->variable(id).initial = pool_->constant(pool_->default_value(type), type);
    return id;
  }

  [[nodiscard]] Expr now(VariableId id) const {
    return pool_->symbol(network_->variable(id).current);
  }

  void declare(const std::string& name, const VariableType& type) {
    Parts& parts = variables_[name];
    const bool given = is_parameter(name);
    const InputDeclaration* declared = input(name);
    if (declared != nullptr) parts.range = declared->range;
    if (type.sort != Sort::List) {
      const Type of = type.sort == Sort::Enum ? enums_[type.enumeration] : Type::integer();
      parts.number = add(name, of, type.first, given);
      for (const VariableDeclaration& v : file_.variables)
        if (v.name.text == name && v.range) parts.range = v.range;
      if (!parts.range) return;
      if (given)
        within(now(parts.number), *parts.range);
      else if (parts.range->low > Integer(0) || parts.range->high < Integer(0))
        network_->variable(parts.number).initial = pool_->integer(parts.range->low);
      return;
    }
    const bool stream = declared != nullptr && declared->kind == InputDeclaration::Kind::Stream;
    const Expr zero = pool_->integer(0);
    if (!stream) {
      parts.length = add(name + ".length", Type::integer(), type.first, given);
      if (given) start_.push_back(pool_->le(zero, now(parts.length)));
    }
    if (type.stored) {
      if (stream || parts.range)
        diagnostics_.report("fcl-011", type.first,
                            fmt::format("`{}` is copied or built, so it cannot be {}", name,
                                        stream ? "a stream" : "a list of a range"),
                            "only lists that are just consumed can");
      const Type items = pool_->array_type(Type::integer(), Type::integer());
      parts.items = add(name + ".items", items, type.first, given);
      parts.from = add(name + ".from", Type::integer(), type.first, false);
      return;
    }
    parts.head = add(name + ".head", Type::integer(), type.first, given);
    if (given) first_element(parts);
  }

  void within(Expr e, const Range& range) {
    start_.push_back(pool_->le(pool_->integer(range.low), e));
    start_.push_back(pool_->le(e, pool_->integer(range.high)));
  }

  // Of a list that is a parameter: in its range, 0 where there is none.
  void first_element(const Parts& parts) {
    const Expr head = now(parts.head);
    if (!parts.length.valid()) {
      if (parts.range) within(head, *parts.range);
      return;
    }
    const Expr zero = pool_->integer(0);
    const Expr some = pool_->lt(zero, now(parts.length));
    if (parts.range)
      start_.push_back(
          pool_->implies(some, pool_->conj(pool_->le(pool_->integer(parts.range->low), head),
                                           pool_->le(head, pool_->integer(parts.range->high)))));
    start_.push_back(pool_->disj(some, pool_->eq(head, zero)));
  }

  // ----- statements

  void locations() {
    std::map<std::string, Span> seen;
    for (std::size_t b = 0; b < file_.blocks.size(); ++b) {
      const Block& block = file_.blocks[b];
      const auto [it, added] = seen.emplace(block.label.text, block.label.span);
      symbols_.declare(SymbolKind::Location, block.label.text, block.label.span);
      if (!added)
        diagnostics_
            .report("fcl-002", block.label.span,
                    fmt::format("there are two blocks `{}`", block.label.text),
                    "give one of them another label")
            .related.push_back({it->second, "the other one"});
      places_.emplace_back();
      for (const Statement& s : block.statements)
        places_.back().push_back(
            network_->add_location(place_name(block.label.text, s.number), machine_, s.span));
      if (added) blocks_.emplace(block.label.text, b);
    }
    const auto end = static_cast<std::uint32_t>(source_.text().size());
    halt_ = network_->add_location("halt", machine_, {id_, end, end});
    network_->location(halt_).final = true;
  }

  // Where a block begins; invalid: there is none.
  LocationId entry(const Name& label) {
    const auto found = blocks_.find(label.text);
    if (found != blocks_.end()) {
      symbols_.use(file_.blocks[found->second].label.span, label.span);
      return places_[found->second].front();
    }
    NearestName nearest(label.text);
    for (const auto& known : blocks_) nearest.offer(known.first);
    Diagnostic& diagnostic = diagnostics_.report(
        "fcl-001", label.span, fmt::format("there is no block `{}`", label.text),
        nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                         : fmt::format("write one: `{}: return;`", label.text));
    diagnostic.nature = Diagnostic::Nature::Absence;
    return {};
  }

  void statement(std::size_t b, std::size_t i) {
    const Block& block = file_.blocks[b];
    const Statement& s = block.statements[i];
    const LocationId from = places_[b][i];
    switch (s.kind) {
      case StatementKind::Skip:
      case StatementKind::Assign: {
        // A block without a jump was reported.
        const LocationId next = i + 1 < places_[b].size() ? places_[b][i + 1] : halt_;
        Path path(*network_);
        if (s.kind == StatementKind::Assign) assign(s, path);
        emit(s, block, from, next, path, "");
        return;
      }
      case StatementKind::Goto:
        emit(s, block, from, entry(s.target), Path(*network_), "");
        return;
      case StatementKind::Return:
        emit(s, block, from, halt_, Path(*network_), "");
        return;
      case StatementKind::If: {
        const LocationId yes = entry(s.target);
        const LocationId no = entry(s.otherwise);
        Path holds(*network_);
        Path fails(*network_);
        if (file_.expressions[*s.value].op != Operator::Any) {
          const Expr condition = values_.condition(*s.value, around(holds));
          if (!condition.valid()) return;
          holds.assume(condition, s.span);
          fails.assume(pool_->negate(values_.condition(*s.value, around(fails))), s.span);
        }
        emit(s, block, from, yes, holds, " then");
        emit(s, block, from, no, fails, " else");
        return;
      }
    }
  }

  Surroundings around(Path& path) {
    Surroundings at;
    at.read = [this](VariableId id) { return now(id); };
    at.input = [&path](Type type) { return path.input(type); };
    return at;
  }

  void assign(const Statement& s, Path& path) {
    const auto found = variables_.find(s.target.text);
    if (found == variables_.end()) return;
    symbols_.use(types_.variables().at(s.target.text).first, s.target.span);
    const Parts& parts = found->second;
    if (parts.number.valid()) {
      const Expr value = values_.number(*s.value, around(path));
      if (!value.valid() || pool_->type(value) != network_->variable(parts.number).type) return;
      path.assign(parts.number, value);
      if (file_.expressions[*s.value].op == Operator::Any && parts.range)
        in_range(path, value, *parts.range, s.span);
      return;
    }
    if (parts.items.valid()) {
      const Term value = values_.term(*s.value, around(path));
      if (!value.items.valid() || !parts.length.valid()) return;
      path.assign(parts.items, value.items);
      path.assign(parts.from, value.from);
      path.assign(parts.length, value.length);
      return;
    }
    consume(parts, path, s.span);
  }

  void in_range(Path& path, Expr value, const Range& range, Span at) {
    path.assume(pool_->le(pool_->integer(range.low), value), at);
    path.assume(pool_->le(value, pool_->integer(range.high)), at);
  }

  // `x := (cdr x)`: the element that comes to the front is chosen when it does.
  void consume(const Parts& parts, Path& path, Span at) {
    const Expr zero = pool_->integer(0);
    const bool given = !network_->variable(parts.head).initial.valid();
    if (!given) return;  // empty for ever
    const Expr next = path.input(Type::integer());
    if (parts.range) in_range(path, next, *parts.range, at);
    if (!parts.length.valid()) {
      path.assign(parts.head, next);
      return;
    }
    const Expr length = now(parts.length);
    path.assign(parts.head, pool_->ite(pool_->lt(pool_->integer(1), length), next, zero));
    path.assign(parts.length,
                pool_->ite(pool_->lt(zero, length), pool_->sub(length, pool_->integer(1)), zero));
  }

  void emit(const Statement& s, const Block& block, LocationId from, LocationId to,
            const Path& path, std::string_view suffix) {
    if (!to.valid()) return;
    std::string name = fmt::format("[{}] ", place_name(block.label.text, s.number));
    // Of `if` the test; where it leads stands beside it.
    if (s.kind == StatementKind::If) {
      name += "if " + text_of(file_.expressions[*s.value].span);
    } else {
      name += text_of(s.span);
    }
    program::StepEvents events(*network_, machine_, program::step_name(name), s.span);
    events.emit(from, to, path, suffix);
  }

  // Without numbers of statements.
  [[nodiscard]] std::string text_of(Span span) const {
    std::string text;
    std::uint32_t from = span.begin;
    for (const Span& number : file_.numbers) {
      if (number.begin < from || number.end > span.end) continue;
      text += source_.text().substr(from, number.begin - from);
      from = number.end;
    }
    return text.append(source_.text().substr(from, span.end - from));
  }

  void start(Span whole) {
    LocationId first;
    if (!file_.start.text.empty()) first = entry(file_.start);
    for (const ConditionDeclaration& declaration : file_.conditions) {
      if (declaration.kind != ConditionDeclaration::Kind::Init) continue;
      Surroundings at;
      at.read = [this](VariableId id) { return now(id); };
      const Expr condition = values_.condition(declaration.condition, at);
      if (condition.valid()) start_.push_back(condition);
    }
    // Where the first block is unknown, which was reported, a partial model begins anywhere.
    const std::vector<LocationId>& locations = network_->machine(machine_).locations;
    if (!first.valid() && !locations.empty()) first = locations.front();
    if (first.valid())
      network_->machine(machine_).starts.push_back({"start", first, pool_->conj(start_), whole});
  }

  // ----- properties

  Surroundings of_states() {
    Surroundings at;
    at.read = [this](VariableId id) { return pool_->symbol(network_->of_instance(instance_, id)); };
    at.place = [this](const Expression& e) {
      const LocationId place = e.name == "halt" && e.number.is_zero() ? halt_ : find_place(e);
      return place.valid() ? pool_->symbol(network_->at_instance(instance_, place)) : Expr();
    };
    return at;
  }

  LocationId find_place(const Expression& e) {
    const auto block = blocks_.find(e.name);
    if (block == blocks_.end()) return entry({e.name, e.span});
    symbols_.use(file_.blocks[block->second].label.span, e.span);
    const auto& statements = file_.blocks[block->second].statements;
    for (std::size_t i = 0; i < statements.size(); ++i)
      if (Integer(static_cast<unsigned long>(statements[i].number)) == e.number)
        return places_[block->second][i];
    std::string numbers;
    for (const Statement& s : statements)
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", s.number);
    diagnostics_.report("fcl-003", e.span,
                        fmt::format("`{}` has no statement {}", e.name, e.number.to_string()),
                        fmt::format("its statements have the numbers {}", numbers));
    return {};
  }

  void properties() {
    std::map<std::string, Span> seen;
    for (const ConditionDeclaration& declaration : file_.conditions) {
      if (declaration.kind == ConditionDeclaration::Kind::Init) continue;
      const auto [it, added] = seen.emplace(declaration.name.text, declaration.name.span);
      if (!added)
        diagnostics_
            .report("fcl-008", declaration.name.span,
                    fmt::format("there are two properties `{}`", declaration.name.text),
                    "give one of them another name")
            .related.push_back({it->second, "the other one"});
      symbols_.declare(SymbolKind::Property, declaration.name.text, declaration.name.span);
      Property property;
      property.name = declaration.name.text;
      property.universe = universe_;
      property.origin = declaration.span;
      property.bound.max = declaration.within;
      if (!(declaration.runs ? about_runs(*declaration.runs, property)
                             : about_states(declaration, property)))
        continue;
      frontend::expect_of(property, declaration.expected, diagnostics_);
      network_->add_property(std::move(property));
    }
  }

  // False: it makes no sense, which was reported.
  bool about_states(const ConditionDeclaration& declaration, Property& property) {
    const Expr condition = values_.condition(declaration.condition, of_states());
    if (declaration.kind == ConditionDeclaration::Kind::Recoverable) {
      property.kind = PropertyKind::Recoverable;
      property.goal = RecoveryGoal{condition};
    } else {
      const bool safety = declaration.kind == ConditionDeclaration::Kind::Safety;
      property.kind = safety ? PropertyKind::Invariant : PropertyKind::Reach;
      property.demand = safety;
      property.set_condition(condition);
    }
    return condition.valid();
  }

  bool about_runs(const frontend::LtlDeclaration& declaration, Property& property) {
    property.kind = PropertyKind::Ltl;
    const Formulas formulas(
        file_.expressions, network_->ltl(), *pool_, diagnostics_,
        [&](ExprId condition) { return values_.condition(condition, of_states()); });
    auto goal = frontend::run_goal(declaration, network_->ltl(), *pool_, diagnostics_,
                                   [&](ExprId formula) { return formulas(formula); });
    if (goal) property.goal = std::move(*goal);
    return goal.has_value();
  }

  // ----- warnings

  void unreached() {
    std::set<std::size_t> reached;
    std::vector<std::string> open{file_.start.text};
    while (!open.empty()) {
      const auto found = blocks_.find(open.back());
      open.pop_back();
      if (found == blocks_.end() || !reached.insert(found->second).second) continue;
      const Statement& jump = file_.blocks[found->second].statements.back();
      if (!jump.target.text.empty()) open.push_back(jump.target.text);
      if (!jump.otherwise.text.empty()) open.push_back(jump.otherwise.text);
    }
    for (std::size_t b = 0; b < file_.blocks.size(); ++b)
      if (!reached.contains(b))
        diagnostics_.report(
            "fcl-007", file_.blocks[b].label.span,
            fmt::format("nothing leads to the block `{}`", file_.blocks[b].label.text),
            "is a jump missing?");
  }

  const File& file_;
  FileId id_;
  const SourceFile& source_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  Types types_;
  std::vector<Type> enums_;
  std::map<std::string, Parts> variables_;
  Values values_;
  UniverseId universe_;
  MachineId machine_;
  InstanceId instance_;
  std::set<std::string> mentioned_;
  std::vector<Expr> start_;
  std::vector<std::vector<LocationId>> places_;  // by block and statement
  std::map<std::string, std::size_t> blocks_;    // by label
  LocationId halt_;
};

}  // namespace

std::string place_name(const std::string& label, std::uint64_t number) {
  return fmt::format("{}.{}", label, number);
}

std::shared_ptr<Network> build_network(const File& file, FileId id, const Sources& sources,
                                       Diagnostics& diagnostics, SymbolIndex& symbols) {
  return Builder(file, id, sources, diagnostics, symbols).run();
}

}  // namespace whittle::fcl
