// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "frontend/expression/expression_parser.h"
#include "frontend/expression/lexer.h"

namespace whittle::owls {

// ----- types and constants

Type Values::type_of(Sort sort) const {
  switch (sort) {
    case Sort::Integer:
      return Type::integer();
    case Sort::Number:
      return Type::real();
    case Sort::Truth:
      return Type::boolean();
    case Sort::Text:
    case Sort::Object:
      return Type::string();
  }
  return Type::string();
}

Expr Values::as(Expr value, Type type) {
  if (!value.valid() || pool_.type(value) == type) return value;
  if (pool_.type(value) == Type::integer() && type == Type::real()) return pool_.to_real(value);
  return {};
}

Expr Values::constant(const std::string& text, Type type) {
  if (type == Type::boolean()) {
    if (text == "true" || text == "1") return pool_.boolean(true);
    if (text == "false" || text == "0") return pool_.boolean(false);
    return {};
  }
  if (type == Type::integer()) {
    const auto number = Integer::parse(text);
    return number ? pool_.integer(*number) : Expr();
  }
  if (type == Type::real()) {
    const auto number = Rational::parse(text);
    return number ? pool_.real(*number) : Expr();
  }
  return pool_.string(text);
}

Expr Values::individual(const std::string& uri) {
  const std::string name(local_name(uri));
  const auto [it, fresh] = individuals_.emplace(name, uri);
  return pool_.string(fresh || it->second == uri ? name : uri);
}

void Values::left_open(Span span, std::string_view what) {
  diagnostics_.report(
      "owls-free", span, fmt::format("{} is not read: it may be anything", what),
      "SWRL atoms, constants, and expressions of the language urn:whittle are read");
}

// ----- expressions

std::optional<Values::Body> Values::body(const Statement& statement) {
  const Graph& graph = document_.graph();
  Body result;
  if (statement.literal()) return std::nullopt;
  const std::size_t expression = statement.object;
  const std::string_view name = local_name(graph.at(expression).uri);
  if (name == "AlwaysTrue") {
    result.always = true;
    return result;
  }
  const auto atoms = [&](std::size_t list) {
    for (const Statement* member : document_.members(list))
      if (!member->literal()) result.atoms.push_back(member->object);
    return result;
  };
  if (graph.is(expression, "AtomList")) return atoms(expression);
  const Statement* text = graph.first(expression, "expressionBody");
  if (text == nullptr) text = graph.first(expression, "expressionData");
  if (text == nullptr) text = graph.first(expression, "expressionObject");
  if (text == nullptr) return std::nullopt;
  if (!text->literal()) {
    if (local_name(graph.at(text->object).uri) == "nil" || graph.is(text->object, "AtomList") ||
        graph.first(text->object, "first") != nullptr)
      return atoms(text->object);
    return std::nullopt;
  }
  const Statement* language = graph.first(expression, "expressionLanguage");
  if (language == nullptr) return std::nullopt;
  const std::string& uri = language->literal() ? language->text : graph.at(language->object).uri;
  if (uri != kOurLanguage) return std::nullopt;
  result.text = text;
  return result;
}

Reading Values::condition(const Statement& statement, const Instance& at) {
  const auto content = body(statement);
  if (!content) {
    left_open(statement.span, "the condition");
    return {pool_.boolean(true), true};
  }
  if (content->always) return {pool_.boolean(true)};
  if (content->text != nullptr) {
    const Expr known = typed(*content->text, Type::boolean(), at);
    return known.valid() ? Reading{known} : Reading{pool_.boolean(true), true};
  }
  Reading result{pool_.boolean(true)};
  for (const std::size_t one : content->atoms) {
    const Reading part = atom(one, at);
    result.known = pool_.conj(result.known, part.known);
    result.partial = result.partial || part.partial;
    if (part.partial) left_open(document_.span(one), "an atom of the condition");
  }
  return result;
}

Reading Values::conditions(std::size_t resource, std::string_view name, const Instance& at) {
  Reading result{pool_.boolean(true)};
  for (const Statement* statement : document_.graph().all(resource, name)) {
    const Reading part = condition(*statement, at);
    result.known = pool_.conj(result.known, part.known);
    result.partial = result.partial || part.partial;
  }
  return result;
}

FileId Values::file_of(const Statement& text) {
  const SourceFile& file = sources_.file(text.span.file);
  const std::string path =
      fmt::format("{}:{} (expression)", file.path(), file.position(text.span.begin).line);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const FileId id(static_cast<std::uint32_t>(i));
    if (sources_.file(id).path() == path && sources_.file(id).text() == text.text) return id;
  }
  return sources_.add(path, text.text);
}

Expr Values::typed(const Statement& text, Type type, const Instance& at) {
  const FileId file = file_of(text);
  frontend::SyntaxTree tree(sources_.file(file).text(), file,
                            frontend::tokenize(sources_, file, diagnostics_));
  frontend::TokenReader reader(tree, diagnostics_);
  const auto root = frontend::parse_expression(reader, &ends_expression);
  if (!root) return {};
  if (!reader.at_end()) {
    reader.report_expected("the end of the expression");
    return {};
  }
  TextScope scope(network_, document_, at, {}, diagnostics_);
  frontend::ExpressionTyper typer(pool_, tree, diagnostics_, symbols_);
  const Expr result = typer.typed(*root, scope, type, "the expression");
  needs_.insert(needs_.end(), scope.needs().begin(), scope.needs().end());
  return result;
}

// ----- atoms

Values::Term Values::variable_term(const std::string& uri, const Instance& at) {
  for (const Instance* instance = &at; instance != nullptr; instance = instance->around) {
    const auto found = instance->variables.find(uri);
    if (found == instance->variables.end()) continue;
    Term result;
    result.variable = found->second;
    result.parameter = instance->parameter(uri);
    result.value = now(found->second);
    result.fact = network_.variable(found->second).name;
    if (result.parameter != nullptr && result.parameter->existential) result.value = Expr();
    return result;
  }
  return {};
}

Values::Term Values::term(const Statement& statement, const Instance& at) {
  Term result;
  if (statement.literal()) {
    result.value = constant(statement.text, type_of(Document::sort_of(statement.datatype)));
    return result;
  }
  const std::string& uri = document_.graph().at(statement.object).uri;
  result = variable_term(uri, at);
  if (result.variable.valid() || uri.starts_with("_:")) return result;
  result.value = individual(uri);
  result.fact = "=" + uri;
  return result;
}

std::vector<Values::Term> Values::arguments(std::size_t resource, const Instance& at) {
  std::vector<Term> result;
  for (const Statement* member : document_.members(document_.graph().object(resource, "arguments")))
    result.push_back(term(*member, at));
  return result;
}

// f(second, third, ...), which SWRL equates with the first argument.
Expr Values::arithmetic(std::string_view name, std::span<const Term> arguments) {
  std::vector<Expr> numbers;
  for (const Term& argument : arguments) {
    if (!argument.value.valid()) return {};
    const Type type = pool_.type(argument.value);
    if (type != Type::integer() && type != Type::real()) return {};
    numbers.push_back(argument.value);
  }
  const bool real = name == "divide" || std::any_of(numbers.begin(), numbers.end(), [&](Expr e) {
                      return pool_.type(e) == Type::real();
                    });
  if (real)
    for (Expr& e : numbers) e = as(e, Type::real());
  if (name == "add" && numbers.size() >= 2) return pool_.make(Op::Add, numbers);
  if (name == "multiply" && numbers.size() >= 2) return pool_.make(Op::Mul, numbers);
  if (name == "unaryMinus" && numbers.size() == 1) return pool_.minus(numbers[0]);
  if (numbers.size() != 2) return {};
  if (name == "subtract") return pool_.sub(numbers[0], numbers[1]);
  if (name == "divide") return pool_.make(Op::Div, numbers);
  if (real) return {};
  if (name == "integerDivide") return pool_.make(Op::IDiv, numbers);
  if (name == "mod") return pool_.make(Op::Mod, numbers);
  return {};
}

Reading Values::builtin(std::size_t resource, const Instance& at) {
  const Reading open{pool_.boolean(true), true};
  const std::size_t which = document_.graph().object(resource, "builtin");
  if (which == kNoResource) return open;
  const std::string name(local_name(document_.graph().at(which).uri));
  const std::vector<Term> terms = arguments(resource, at);
  if (terms.size() < 2 || !terms[0].value.valid()) return open;
  if (const Expr result = arithmetic(name, std::span(terms).subspan(1)); result.valid()) {
    const Expr first = as(terms[0].value, pool_.type(result));
    return first.valid() ? Reading{pool_.eq(first, result)} : open;
  }
  if (terms.size() != 2 || !terms[1].value.valid()) return open;
  Expr a = terms[0].value;
  Expr b = terms[1].value;
  if (pool_.type(a) != pool_.type(b)) {
    a = as(a, Type::real());
    b = as(b, Type::real());
    if (!a.valid() || !b.valid()) return open;
  }
  if (name == "equal") return {pool_.eq(a, b)};
  if (name == "notEqual") return {pool_.ne(a, b)};
  if (pool_.type(a) != Type::integer() && pool_.type(a) != Type::real()) return open;
  if (name == "lessThan") return {pool_.lt(a, b)};
  if (name == "lessThanOrEqual") return {pool_.le(a, b)};
  if (name == "greaterThan") return {pool_.gt(a, b)};
  if (name == "greaterThanOrEqual") return {pool_.ge(a, b)};
  return open;
}

// The class or property atom as a fact; none: one of its terms is not followed.
std::optional<Fact> Values::fact(std::size_t resource, const Instance& at) {
  const Graph& graph = document_.graph();
  std::size_t predicate = graph.object(resource, "classPredicate");
  if (predicate == kNoResource) predicate = graph.object(resource, "propertyPredicate");
  if (predicate == kNoResource) return std::nullopt;
  Fact result{graph.at(predicate).uri, {}};
  for (const char* which : {"argument1", "argument2"}) {
    const Statement* argument = graph.first(resource, which);
    if (argument == nullptr) continue;
    const Term found = term(*argument, at);
    if (found.fact.empty() || !found.value.valid()) return std::nullopt;
    result.terms.push_back(found.fact);
  }
  if (result.terms.empty()) return std::nullopt;
  return result;
}

// A class atom that the type of its parameter, or the document about an individual, says.
bool Values::known_fact(std::size_t resource, const Instance& at) {
  const Graph& graph = document_.graph();
  const std::size_t predicate = graph.object(resource, "classPredicate");
  const Statement* argument = graph.first(resource, "argument1");
  if (predicate == kNoResource || argument == nullptr) return false;
  const std::string& of = graph.at(predicate).uri;
  const Term found = term(*argument, at);
  if (found.parameter != nullptr) return document_.is_subclass(found.parameter->type, of);
  if (argument->literal()) return false;
  const auto& types = graph.at(argument->object).types;
  return std::any_of(types.begin(), types.end(),
                     [&](const std::string& type) { return document_.is_subclass(type, of); });
}

Reading Values::atom(std::size_t resource, const Instance& at) {
  const Graph& graph = document_.graph();
  const Reading open{pool_.boolean(true), true};
  if (graph.is(resource, "BuiltinAtom")) return builtin(resource, at);
  const bool same = graph.is(resource, "SameIndividualAtom");
  if (same || graph.is(resource, "DifferentIndividualsAtom")) {
    const Statement* first = graph.first(resource, "argument1");
    const Statement* second = graph.first(resource, "argument2");
    if (first == nullptr || second == nullptr) return open;
    const Term a = term(*first, at);
    const Term b = term(*second, at);
    if (!a.value.valid() || !b.value.valid() || pool_.type(a.value) != pool_.type(b.value))
      return open;
    const Expr equal = pool_.eq(a.value, b.value);
    return {same ? equal : pool_.negate(equal)};
  }
  if (known_fact(resource, at)) return {pool_.boolean(true)};
  const auto found = fact(resource, at);
  if (!found) return open;
  const VariableId variable = facts_.variable(*found);
  return variable.valid() ? Reading{now(variable)} : open;
}

// ----- effects and values

void Values::effect(const Statement& statement, const Instance& at, std::vector<Given>& gives) {
  const auto content = body(statement);
  if (!content) return left_open(statement.span, "the effect");
  if (content->text != nullptr) return assignments(*content->text, at, gives);
  for (const std::size_t one : content->atoms) {
    if (const auto found = fact(one, at)) {
      if (const VariableId variable = facts_.variable(*found); variable.valid())
        gives.push_back({variable, pool_.boolean(true), {}});
      continue;
    }
    if (!document_.graph().is(one, "BuiltinAtom")) continue;
    const std::size_t which = document_.graph().object(one, "builtin");
    const std::string name(which == kNoResource ? "" : local_name(document_.graph().at(which).uri));
    const std::vector<Term> terms = arguments(one, at);
    if (terms.empty() || !terms[0].variable.valid()) {
      left_open(document_.span(one), "an atom of the effect");
      continue;
    }
    const Type type = network_.variable(terms[0].variable).type;
    Expr value = arithmetic(name, std::span(terms).subspan(1));
    if (!value.valid() && name == "equal" && terms.size() == 2) value = terms[1].value;
    value = as(value, type);
    if (!value.valid()) left_open(document_.span(one), "an atom of the effect");
    gives.push_back({terms[0].variable, value, terms.size() == 2 ? terms[1].fact : ""});
  }
}

// `x = e; y = f`, all of them over the values before.
void Values::assignments(const Statement& text, const Instance& at, std::vector<Given>& gives) {
  const FileId file = file_of(text);
  frontend::SyntaxTree tree(sources_.file(file).text(), file,
                            frontend::tokenize(sources_, file, diagnostics_));
  frontend::TokenReader reader(tree, diagnostics_);
  TextScope scope(network_, document_, at, {}, diagnostics_);
  while (!reader.at_end()) {
    const frontend::Name name = reader.expect_name("the parameter that gets a value", true);
    if (name.text.empty() ||
        !reader.expect(frontend::TokenKind::Assign, "an effect is `name = value`"))
      return;
    const auto to = scope.target(name.text, name.span);
    const auto root = frontend::parse_expression(reader, &ends_expression);
    if (!root) return;
    if (!reader.accept(frontend::TokenKind::Semicolon) && !reader.at_end()) {
      reader.report_expected("`;`");
      return;
    }
    if (!to) continue;
    frontend::ExpressionTyper typer(pool_, tree, diagnostics_, symbols_);
    const Expr value = typer.typed(*root, scope, network_.variable(*to).type, "the value");
    gives.push_back({*to, value, {}});
  }
  needs_.insert(needs_.end(), scope.needs().begin(), scope.needs().end());
}

Expr Values::value(const Binding& binding, Type type, const Instance& at) {
  Expr result;
  if (binding.data != nullptr && binding.data->literal())
    result = constant(binding.data->text, type);
  else if (binding.object != kNoResource)
    result = as(individual(document_.graph().at(binding.object).uri), type);
  else if (binding.function_text != nullptr &&
           binding.function_text->datatype == std::string(kOurLanguage))
    result = typed(*binding.function_text, type, at);
  else if (binding.function != kNoResource) {
    const auto content = body({"", binding.function, {}, {}, binding.span});
    if (content && content->text != nullptr) {
      result = typed(*content->text, type, at);
    } else {
      std::size_t function = binding.function;
      if (content && content->atoms.size() == 1) function = content->atoms[0];
      const std::size_t which = document_.graph().object(function, "builtin");
      const std::vector<Term> terms = arguments(function, at);
      // With or without the place for the result.
      if (which != kNoResource && !terms.empty()) {
        const std::string name(local_name(document_.graph().at(which).uri));
        result = terms.size() > 2 ? arithmetic(name, std::span(terms).subspan(1))
                                  : arithmetic(name, terms);
        result = as(result, type);
      }
    }
  }
  if (!result.valid()) left_open(binding.span, "the value of a binding");
  return result;
}

// ----- names

bool ends_expression(const frontend::TokenReader& reader, std::size_t ahead) {
  return reader.is_word("property", ahead) && reader.begins_line(ahead);
}

std::optional<VariableId> TextScope::variable(std::string_view name) const {
  for (const Instance* instance = &at_; instance != nullptr; instance = instance->around)
    if (const Parameter* parameter = instance->parameter_named(name))
      return instance->variables.at(parameter->uri);
  return std::nullopt;
}

frontend::Operand TextScope::operand(VariableId variable) const {
  const Variable& it = network_.variable(variable);
  const bool of_main = main_.valid() && it.machine.valid();
  const SymbolId symbol = of_main ? network_.of_instance(main_, variable) : it.current;
  return {network_.pool().symbol(symbol), 0, 0, it.origin};
}

std::optional<frontend::Operand> TextScope::name(std::string_view name, Span span) {
  if (const auto found = variable(name)) return operand(*found);
  for (const auto& [perform, instance] : at_.performs) {
    if (document_.name(perform) != name) continue;
    performs_.push_back(instance.get());
    return frontend::Operand{Expr(), static_cast<std::uint32_t>(performs_.size()), 0, {}};
  }
  diagnostics_.report("owls-004", span,
                      fmt::format("there is no parameter `{}` here", ellipsized(name, 60)),
                      "parameters of the process and of those around it have names, and performs "
                      "of the process");
  return std::nullopt;
}

std::optional<Type> TextScope::enum_type(std::string_view name, Span span) {
  diagnostics_.report("type-005", span, fmt::format("there is no type `{}` to range over", name),
                      "quantifiers range over `low..high`");
  return std::nullopt;
}

std::optional<frontend::Operand> TextScope::member(const frontend::Operand& base,
                                                   std::string_view name, Span span) {
  if (base.entity > 0) {
    const Instance& instance = *performs_[base.entity - 1];
    needs_.push_back(instance.done);
    if (const Parameter* parameter = instance.parameter_named(name))
      return operand(instance.variables.at(parameter->uri));
  }
  diagnostics_.report("owls-004", span,
                      fmt::format("there is no parameter `{}` there", ellipsized(name, 60)),
                      "before the dot stands a perform, behind it a parameter of its process");
  return std::nullopt;
}

std::optional<frontend::Operand> TextScope::label(const frontend::Operand& base,
                                                  std::string_view name, Span span) {
  if (base.entity > 0 && name == "done") return operand(performs_[base.entity - 1]->done);
  diagnostics_.report("owls-004", span, "only a perform has `@done`", "as in `Pay@done`");
  return std::nullopt;
}

std::optional<VariableId> TextScope::target(std::string_view name, Span span) {
  const auto found = variable(name);
  if (!found)
    diagnostics_.report("owls-004", span,
                        fmt::format("there is no parameter `{}` here", ellipsized(name, 60)),
                        "an effect changes parameters of the process and of those around it");
  return found;
}

}  // namespace whittle::owls
