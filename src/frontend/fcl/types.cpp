// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace whittle::fcl {

namespace {

std::string_view words_for(Sort sort) {
  switch (sort) {
    case Sort::List:
      return "a list";
    case Sort::Enum:
      return "a value of an enumeration";
    case Sort::Number:
    case Sort::Unknown:
      return "a number";
  }
  return "";
}

}  // namespace

Types::Types(const File& file, Diagnostics& diagnostics)
    : file_(file), diagnostics_(diagnostics), of_(file.expressions.size()) {
  declarations();
  for (ExprId e = 0; e < file.expressions.size(); ++e) expression(e);
  program();
  find_stored();
  finish();
}

Sort Types::sort(ExprId e) const {
  const Sort sort = classes_[find(of_[e])].sort;
  return sort == Sort::Unknown ? Sort::Number : sort;
}

bool Types::find_value(const std::string& name, std::uint32_t& enumeration,
                       std::uint32_t& value) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return false;
  std::tie(enumeration, value) = found->second;
  return true;
}

Types::Node Types::fresh(Sort sort, Span because, std::uint32_t which) {
  const Node node = static_cast<Node>(classes_.size());
  classes_.push_back({node, sort, which, because});
  return node;
}

Types::Node Types::find(Node n) const {
  while (classes_[n].parent != n) n = classes_[n].parent;
  return n;
}

void Types::mismatch(const Class& a, const Class& b, Span at) {
  Diagnostic& diagnostic = diagnostics_.report(
      "fcl-005", at, fmt::format("{} here, but {} elsewhere", words_for(b.sort), words_for(a.sort)),
      "a variable is one of them everywhere");
  if (a.because.valid() && a.because != at)
    diagnostic.related.push_back({a.because, fmt::format("{} here", words_for(a.sort))});
}

// Without ranks: programs have few variables, and expressions are joined to them.
void Types::unify(Node a, Node b, Span at) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  Class& left = classes_[a];
  Class& right = classes_[b];
  if (right.sort != Sort::Unknown && left.sort != Sort::Unknown &&
      (left.sort != right.sort || left.which != right.which))
    return mismatch(left, right, at);
  if (left.sort == Sort::Unknown) {
    left.parent = b;
  } else {
    right.parent = a;
  }
}

void Types::require(ExprId e, Sort sort) {
  const Span at = file_.expressions[e].span;
  unify(of_[e], fresh(sort, at), at);
}

Types::Node Types::variable(const std::string& name, Span at) {
  const auto [it, added] = nodes_.try_emplace(name, 0);
  if (added) it->second = fresh(Sort::Unknown, at);
  Span& first = variables_[name].first;
  if (!first.valid() || at.begin < first.begin) first = at;
  return it->second;
}

void Types::declarations() {
  std::map<std::string, Span> seen;
  const auto declare = [&](const Name& name) {
    const auto [it, added] = seen.emplace(name.text, name.span);
    if (added) return true;
    diagnostics_
        .report("fcl-008", name.span, fmt::format("`{}` is declared twice", name.text),
                "give one of them another name")
        .related.push_back({it->second, "first declared here"});
    return false;
  };
  for (std::uint32_t i = 0; i < file_.enums.size(); ++i) {
    if (!declare(file_.enums[i].name)) continue;
    for (std::uint32_t v = 0; v < file_.enums[i].values.size(); ++v)
      if (declare(file_.enums[i].values[v])) values_[file_.enums[i].values[v].text] = {i, v};
  }
  for (const Name& parameter : file_.parameters)
    if (declare(parameter)) variable(parameter.text, parameter.span);
  for (const VariableDeclaration& declaration : file_.variables) {
    const Node node = variable(declaration.name.text, declaration.name.span);
    if (declaration.range) {
      unify(node, fresh(Sort::Number, declaration.name.span), declaration.name.span);
      continue;
    }
    const auto type = std::find_if(
        file_.enums.begin(), file_.enums.end(),
        [&](const EnumDeclaration& e) { return e.name.text == declaration.type.text; });
    if (type == file_.enums.end()) {
      diagnostics_.report("fcl-009", declaration.type.span,
                          fmt::format("there is no enumeration `{}`", declaration.type.text),
                          fmt::format("declare it: `enum {} {{ a b }}`", declaration.type.text));
      continue;
    }
    unify(node,
          fresh(Sort::Enum, declaration.name.span,
                static_cast<std::uint32_t>(type - file_.enums.begin())),
          declaration.name.span);
  }
  for (const InputDeclaration& input : file_.inputs) {
    const bool parameter =
        std::any_of(file_.parameters.begin(), file_.parameters.end(),
                    [&](const Name& name) { return name.text == input.name.text; });
    if (!parameter) {
      diagnostics_.report("fcl-009", input.name.span,
                          fmt::format("`{}` is no parameter", input.name.text),
                          "the parameters stand at the beginning: `(m n) (init)`");
      continue;
    }
    const bool number = input.kind == InputDeclaration::Kind::Number;
    unify(variable(input.name.text, input.name.span),
          fresh(number ? Sort::Number : Sort::List, input.name.span), input.name.span);
  }
}

void Types::expression(ExprId id) {
  const Expression& e = file_.expressions[id];
  const auto all = [&](Sort sort) {
    for (const ExprId operand : e.operands) require(operand, sort);
  };
  of_[id] = fresh(Sort::Unknown, e.span);
  switch (e.op) {
    case Operator::Name: {
      const auto value = values_.find(e.name);
      of_[id] = value == values_.end() ? variable(e.name, e.span)
                                       : fresh(Sort::Enum, e.span, value->second.first);
      return;
    }
    case Operator::Any:
      return;
    case Operator::Choice:
      for (const ExprId operand : e.operands) unify(of_[id], of_[operand], e.span);
      return;
    case Operator::Equal:
    case Operator::NotEqual:
      unify(of_[e.operands[0]], of_[e.operands[1]], e.span);
      break;
    case Operator::IsNull:
    case Operator::Car:
      all(Sort::List);
      break;
    case Operator::Cdr:
      all(Sort::List);
      of_[id] = of_[e.operands[0]];
      return;
    case Operator::Cons:
      require(e.operands[0], Sort::Number);
      require(e.operands[1], Sort::List);
      of_[id] = of_[e.operands[1]];
      return;
    default:
      all(Sort::Number);
      break;
  }
  unify(of_[id], fresh(Sort::Number, e.span), e.span);
}

void Types::program() {
  for (const Block& block : file_.blocks)
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::Assign)
        unify(variable(s.target.text, s.target.span), of_[*s.value], s.span);
      else if (s.kind == StatementKind::If)
        require(*s.value, Sort::Number);
    }
  for (const ConditionDeclaration& condition : file_.conditions) {
    if (!condition.runs) {
      require(condition.condition, Sort::Number);
      continue;
    }
    for (const ExprId formula : condition.runs->formulas()) require(formula, Sort::Number);
  }
  for (ExprId e = 0; e < file_.expressions.size(); ++e) {
    const Expression& at = file_.expressions[e];
    const bool compares = at.op == Operator::Equal || at.op == Operator::NotEqual;
    if (compares && sort(at.operands[0]) == Sort::List)
      diagnostics_.report("fcl-005", at.span, "lists cannot be compared",
                          "`(null? x)` says whether a list is empty");
  }
}

// Everything but `(null? x)`, `(car x)` and `x := (cdr x)` needs the elements.
void Types::find_stored() {
  std::set<ExprId> fine;
  for (const Expression& e : file_.expressions)
    if (e.op == Operator::IsNull || e.op == Operator::Car) fine.insert(e.operands[0]);
  for (const Block& block : file_.blocks)
    for (const Statement& s : block.statements) {
      if (s.kind != StatementKind::Assign || sort(*s.value) != Sort::List) continue;
      const Expression& value = file_.expressions[*s.value];
      const bool consumes = value.op == Operator::Cdr &&
                            file_.expressions[value.operands[0]].op == Operator::Name &&
                            file_.expressions[value.operands[0]].name == s.target.text;
      if (consumes)
        fine.insert(value.operands[0]);
      else
        variables_[s.target.text].stored = true;
    }
  for (ExprId e = 0; e < file_.expressions.size(); ++e) {
    const Expression& at = file_.expressions[e];
    if (at.op == Operator::Name && sort(e) == Sort::List && !fine.contains(e))
      variables_[at.name].stored = true;
    if (at.op == Operator::Any && sort(e) == Sort::List)
      diagnostics_.report("fcl-005", at.span, "`?` is a number or a value of an enumeration",
                          "a list that may be anything is a parameter");
  }
}

void Types::finish() {
  for (const auto& [name, node] : nodes_) {
    VariableType& type = variables_[name];
    const Class& found = classes_[find(node)];
    type.sort = found.sort == Sort::Unknown ? Sort::Number : found.sort;
    type.enumeration = found.which;
    type.stored = type.stored && type.sort == Sort::List;
  }
}

}  // namespace whittle::fcl
