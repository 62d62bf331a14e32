// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/checkpoint.h"
#include "frontend/c/parser_impl.h"

namespace whittle::c {

// ----- tokens and names

Parser::Parser(const std::vector<Token>& tokens, Unit& unit, Diagnostics& diagnostics,
               SymbolIndex& symbols)
    : tokens_(tokens),
      unit_(unit),
      diagnostics_(diagnostics),
      symbols_(symbols),
      build_(unit, diagnostics) {
  scopes_.emplace_back();
}

Parser::Deeper::Deeper(Parser& parser) : parser_(parser) {
  if (++parser_.nesting_ <= kMaxNesting) return;
  parser_.diagnostics_.report("parse-003", parser_.peek().span, "this is nested too deeply",
                              "split it");
  --parser_.nesting_;
  throw Stop();
}

void Parser::skip() {
  checkpoint();
  if (!at_end()) ++at_;
}

bool Parser::accept(std::string_view text) {
  if (!is(text)) return false;
  skip();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) stop(fmt::format("`{}`", text));
}

void Parser::stop(std::string_view expected) {
  if (at_end())
    diagnostics_.report("parse-002", last(),
                        fmt::format("the text ends here; expected {}", expected));
  else
    diagnostics_.report("parse-001", peek().span,
                        fmt::format("expected {}, found `{}`", expected, peek().text));
  throw Stop();
}

Token Parser::name(std::string_view what) {
  if (peek().kind != TokenKind::Word) stop(what);
  const Token result = peek();
  skip();
  return result;
}

void Parser::skip_parentheses() {
  if (!is("(")) return;
  unsigned open = 0;
  do {
    if (at_end()) stop("`)`");
    if (is("(")) ++open;
    if (is(")")) --open;
    skip();
  } while (open > 0);
}

// Behind the statement or declaration that began there: to its `;` or the end of its block.
void Parser::recover(std::size_t from, bool outside) {
  unsigned open = 0;
  for (std::size_t i = from; i < at_; ++i) {
    if (tokens_[i].kind != TokenKind::Symbol) continue;
    if (tokens_[i].text == "{") ++open;
    if (tokens_[i].text == "}" && open > 0) --open;
  }
  while (!at_end()) {
    if (is("{")) {
      ++open;
    } else if (is("}")) {
      if (open == 0 && !outside) return;
      if (open > 0) --open;
      if (open == 0) {
        skip();
        return;
      }
    } else if (is(";") && open == 0) {
      skip();
      return;
    }
    skip();
  }
}

const Parser::Entity* Parser::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->names.find(name);
    if (found != scope->names.end()) return &found->second;
  }
  return nullptr;
}

void Parser::declare(std::string_view name, Entity entity, SymbolKind kind) {
  scopes_.back().names[name] = entity;
  symbols_.declare(kind, name, entity.span);
}

void Parser::use(const Entity& entity, Span place) { symbols_.use(entity.span, place); }

ObjectId Parser::new_object(std::string_view name, TypeId type, Span span, bool keeps) {
  Object object;
  object.name = name;
  object.type = type;
  object.span = span;
  object.function = function_;
  object.keeps = keeps;
  unit_.objects.push_back(std::move(object));
  return static_cast<ObjectId>(unit_.objects.size() - 1);
}

void Parser::unit() {
  while (!at_end() && !diagnostics_.saturated()) {
    const std::size_t from = at_;
    try {
      if (accept(";")) continue;
      if (skip_attribute()) continue;
      external();
    } catch (const Stop&) {
      function_ = kNone;
      scopes_.resize(1);
      recover(from, true);
    }
  }
}

void parse_unit(const std::vector<Token>& tokens, Unit& unit, Diagnostics& diagnostics,
                SymbolIndex& symbols) {
  Parser(tokens, unit, diagnostics, symbols).unit();
}

// ----- statements

StatementId Parser::add(Statement statement) {
  unit_.statements.push_back(std::move(statement));
  return static_cast<StatementId>(unit_.statements.size() - 1);
}

StatementId Parser::statement() {
  const std::size_t from = at_;
  try {
    return statement_or_stop();
  } catch (const Stop&) {
    if (diagnostics_.saturated()) throw;
    recover(from, false);
    return add({});
  }
}

StatementId Parser::statement_or_stop() {
  const Deeper deeper(*this);
  const Token token = peek();
  if (is("{")) return compound();
  if (accept(";")) {
    Statement s;
    s.span = s.whole = token.span;
    return add(std::move(s));
  }
  if (token.kind == TokenKind::Word) {
    if (is(":", 1) && !is("default")) return labelled();
    if (is("if") || is("switch")) return selection();
    if (is("while")) return loop();
    if (is("do")) return do_loop();
    if (is("for")) return for_loop();
    if (is("case") || is("default")) return case_label();
    if (is("goto") || is("break") || is("continue") || is("return")) return jump();
    if (is("asm") || is("__asm__") || is("__asm")) return assembler();
    if (begins_type() && !(is("__extension__") && is("(", 1))) return declaration();
    if (is("_Static_assert")) {
      static_assertion();
      return add({});
    }
  }
  return expression_statement();
}

StatementId Parser::compound() {
  const Inside scope(*this);
  Statement s;
  s.kind = StatementKind::Compound;
  const Span begin = peek().span;
  expect("{");
  if (is("__label__")) {
    while (!is(";") && !at_end()) skip();
  }
  while (!is("}")) {
    if (at_end()) stop("`}`");
    s.list.push_back(statement());
  }
  skip();
  s.span = s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::declaration() {
  Statement s;
  s.kind = StatementKind::Declaration;
  const Span begin = peek().span;
  const Specifiers base = specifiers();
  if (!is(";")) {
    do {
      declared(base, declarator(false), &s.objects);
    } while (accept(","));
  }
  expect(";");
  s.span = s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::selection() {
  Statement s;
  s.kind = is("if") ? StatementKind::If : StatementKind::Switch;
  const Span begin = peek().span;
  skip();
  expect("(");
  const ExpressionId value = expression();
  s.expression = s.kind == StatementKind::If
                     ? build_.decayed(value)
                     : build_.unary(Operator::Plus, value, build_.at(value).span);
  expect(")");
  s.span = join(begin, last());
  s.body = statement();
  if (s.kind == StatementKind::If && accept("else")) s.otherwise = statement();
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::loop() {
  Statement s;
  s.kind = StatementKind::While;
  const Span begin = peek().span;
  skip();
  expect("(");
  s.expression = build_.decayed(expression());
  expect(")");
  s.span = join(begin, last());
  s.body = statement();
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::do_loop() {
  Statement s;
  s.kind = StatementKind::DoWhile;
  const Span begin = peek().span;
  skip();
  s.body = statement();
  const Span test = peek().span;
  expect("while");
  expect("(");
  s.expression = build_.decayed(expression());
  expect(")");
  s.span = join(test, last());
  expect(";");
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::for_loop() {
  const Inside scope(*this);
  Statement s;
  s.kind = StatementKind::For;
  const Span begin = peek().span;
  skip();
  expect("(");
  if (begins_type())
    s.first = declaration();
  else if (!accept(";"))
    s.first = expression_statement();
  if (!is(";")) s.expression = build_.decayed(expression());
  expect(";");
  if (!is(")")) s.step = expression();
  expect(")");
  s.span = join(begin, last());
  s.body = statement();
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::jump() {
  Statement s;
  const Token word = peek();
  skip();
  if (word.text == "goto") {
    s.kind = StatementKind::Goto;
    if (accept("*")) {
      expression();
      s.kind = StatementKind::Other;
      s.otherwise = static_cast<std::uint32_t>(Refusal::Jump);
    } else {
      s.name = name("a label").text;
    }
  } else if (word.text == "return") {
    s.kind = StatementKind::Return;
    if (!is(";")) {
      const ExpressionId value = expression();
      const TypeId result =
          function_ == kNone ? kInt : unit_.types[unit_.functions[function_].type].target;
      s.expression = unit_.types.is_arithmetic(result) ? build_.converted(value, result) : value;
    }
  } else {
    s.kind = word.text == "break" ? StatementKind::Break : StatementKind::Continue;
  }
  s.span = join(word.span, last());
  expect(";");
  s.whole = join(word.span, last());
  return add(std::move(s));
}

StatementId Parser::labelled() {
  Statement s;
  s.kind = StatementKind::Label;
  s.span = peek().span;
  s.name = peek().text;
  skip();
  skip();
  while (skip_attribute()) {
  }
  // A label before `}` or a declaration, as later standards allow.
  s.body = is("}") ? add({}) : statement();
  s.whole = join(s.span, last());
  return add(std::move(s));
}

StatementId Parser::case_label() {
  Statement s;
  const Span begin = peek().span;
  s.kind = is("case") ? StatementKind::Case : StatementKind::Default;
  skip();
  if (s.kind == StatementKind::Case) {
    const auto constant = [&] {
      const ExpressionId id = conditional();
      const auto value = build_.value(id);
      if (!value) diagnostics_.report("c-005", build_.at(id).span, "a constant is needed here");
      return value.value_or(Integer(0));
    };
    s.low = constant();
    s.high = accept("...") ? constant() : s.low;
  }
  expect(":");
  s.span = join(begin, last());
  s.body = is("}") ? add({}) : statement();
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::assembler() {
  Statement s;
  s.kind = StatementKind::Other;
  s.otherwise = static_cast<std::uint32_t>(Refusal::Asm);
  const Span begin = peek().span;
  skip();
  while (is("volatile") || is("__volatile__") || is("goto") || is("inline")) skip();
  skip_parentheses();
  s.span = join(begin, last());
  expect(";");
  s.whole = join(begin, last());
  return add(std::move(s));
}

StatementId Parser::expression_statement() {
  Statement s;
  s.kind = StatementKind::Expression;
  s.expression = expression();
  s.span = build_.at(s.expression).span;
  expect(";");
  s.whole = join(s.span, last());
  return add(std::move(s));
}

}  // namespace whittle::c
