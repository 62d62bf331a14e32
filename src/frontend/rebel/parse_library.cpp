// SPDX-License-Identifier: Apache-2.0
// Library declarations: events, functions, invariants, and the statements in them.
#include <algorithm>

#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

namespace {

// 1..3 in the order in which the blocks of an event stand, 0 for other words.
int block_number(std::string_view word) {
  return word == "preconditions" ? 1 : word == "postconditions" ? 2 : word == "sync" ? 3 : 0;
}

}  // namespace

Range Parser::params(TokenKind close, bool defaults) {
  std::vector<ParamAst> all;
  while (!is(close)) {
    ParamAst param;
    const std::uint32_t begin = token_.begin;
    param.name = declared_name("the name of a parameter", &param.name_at);
    expect(TokenKind::Colon, "between the name and the type of a parameter");
    param.type = type();
    if (is(TokenKind::Assign)) {
      if (!defaults) {
        report("rebel-010", here(), "only configuration parameters have default values",
               "configuration parameters stand in brackets: event e[limit: Integer = 3](...)");
      }
      take();
      const Commas commas(*this, false);
      param.init = expression();
    }
    param.at = since(begin);
    all.push_back(param);
    if (!accept(TokenKind::Comma)) break;
  }
  expect(close, "after the parameters",
         is(TokenKind::Eq) ? "a default is written with '=': limit: Integer = 3" : "");
  const Range range{static_cast<std::uint32_t>(m_.params.size()),
                    static_cast<std::uint32_t>(all.size())};
  m_.params.insert(m_.params.end(), all.begin(), all.end());
  return range;
}

void Parser::event(std::uint32_t begin) {
  take();
  EventAst event;
  event.name = qualified_name("the name of an event");
  check_declared(event.name, "an event");
  auto finish = [&] {
    event.at = since(begin);
    m_.events.push_back(event);
  };
  std::uint32_t open = 0;
  try {
    if (is(TokenKind::LBracket)) {
      const std::uint32_t bracket = token_.begin;
      take();
      event.config = params(TokenKind::RBracket, true);
      event.config_at = since(bracket);
    }
    const std::uint32_t open_params = token_.begin;
    expect(TokenKind::LParen, "before the parameters of the event");
    event.params = params(TokenKind::RParen, false);
    event.params_at = since(open_params);
    open = expect(TokenKind::LBrace, "after the head of the event").begin;
  } catch (const Panic&) {
    event.broken = true;  // but there is such an event
    finish();
    throw;
  }
  int last = 0;
  try {
    while (!is(TokenKind::RBrace) && !is(TokenKind::End)) {
      int section = block_number(lexer_.text(token_));
      if (section == 0 && at_other_block()) break;
      if (section == 0) {
        section = block_number(misspelt_block({"preconditions", "postconditions", "sync"}));
      }
      if (section == 0) {
        unexpected("'preconditions', 'postconditions', 'sync' or '}'",
                   nearest_hint({"preconditions", "postconditions", "sync"}));
      }
      if (section <= last) {
        report("rebel-009", here(),
               section == last ? "there is a second block " + found()
                               : "block " + found() + " stands too late",
               "the order is: preconditions, postconditions, sync");
      }
      last = std::max(last, section);
      const std::uint32_t from = token_.begin;
      take();
      if (section == 1) {
        event.pre = statements("the preconditions");
        event.pre_at = since(from);
      } else if (section == 2) {
        event.post = statements("the postconditions");
        event.post_at = since(from);
      } else {
        event.sync = syncs();
        event.sync_at = since(from);
      }
    }
    close_brace(open, "event '" + names_.string(event.name.simple) + "'");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::function(std::uint32_t begin) {
  take();
  FunctionAst function;
  function.name = qualified_name("the name of a function");
  check_declared(function.name, "a function");
  expect(TokenKind::LParen, "before the parameters of the function");
  function.params = params(TokenKind::RParen, false);
  expect(TokenKind::Colon, "before the type of the function");
  function.type = type();
  expect(TokenKind::Assign, "before the body of the function");
  const StmtAst body = statement();
  m_.stmts.push_back(body);
  function.body = static_cast<StmtRef>(m_.stmts.size() - 1);
  function.at = since(begin);
  m_.functions.push_back(function);
}

void Parser::invariant(std::uint32_t begin) {
  take();
  InvariantAst invariant;
  invariant.name = qualified_name("the name of an invariant");
  check_declared(invariant.name, "an invariant");
  invariant.body = statements("the invariant");
  invariant.expected = expectation();
  invariant.at = since(begin);
  m_.invariants.push_back(invariant);
}

Range Parser::statements(std::string_view what) {
  const std::uint32_t open = expect(TokenKind::LBrace, "before " + std::string(what)).begin;
  std::vector<StmtAst> all;
  while (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block()) {
    if (diagnostics_.saturated()) throw Panic{};
    const std::uint32_t before = token_.begin;
    try {
      all.push_back(statement());
    } catch (const Panic&) {
      depth_ = 0;
      commas_ = true;
      // A missing ';' shows at the next statement, which is then read as usual.
      if (is(TokenKind::Word) && token_.begin != before && line_ended()) continue;
      skip_statement();
    }
  }
  const Range range{static_cast<std::uint32_t>(m_.stmts.size()),
                    static_cast<std::uint32_t>(all.size())};
  m_.stmts.insert(m_.stmts.end(), all.begin(), all.end());
  close_brace(open, what);
  return range;
}

StmtAst Parser::statement() {
  const Nesting nesting(*this);
  StmtAst result;
  const std::uint32_t begin = token_.begin;
  annotations();
  if (is_word("case")) {
    take();
    result.is_case = true;
    result.expr = expression();
    const std::uint32_t open = expect(TokenKind::LBrace, "after the expression of a case").begin;
    std::vector<CaseAst> cases;
    try {
      while (!is(TokenKind::RBrace) && !is(TokenKind::End)) {
        CaseAst one;
        one.literal = implication();
        expect(TokenKind::FatArrow, "between a case and its statement",
               "a case is written: 1 => x == 2;");
        const StmtAst then = statement();
        m_.stmts.push_back(then);
        one.then = static_cast<StmtRef>(m_.stmts.size() - 1);
        cases.push_back(one);
      }
      if (cases.empty()) unexpected("a case, for example '1 => x == 2;'");
    } catch (const Panic&) {
      // The rest of the cases goes with the one that cannot be read.
      skip_section({});
      accept(TokenKind::RBrace);
      accept(TokenKind::Semicolon);
      result.is_case = false;
      result.expr = node(ExprKind::Bad, begin);
      result.at = since(begin);
      return result;
    }
    close_brace(open, "the cases");
    result.cases = {static_cast<std::uint32_t>(m_.cases.size()),
                    static_cast<std::uint32_t>(cases.size())};
    m_.cases.insert(m_.cases.end(), cases.begin(), cases.end());
    expect(TokenKind::Semicolon, "after a case");
  } else if (is(TokenKind::LParen)) {
    // `(statement;)` or an expression that begins with a parenthesis.
    int depth = 0;
    std::uint32_t at = token_.begin;
    bool statement_inside = false;
    for (Token t = token_; t.kind != TokenKind::End; t = lexer_.next(t.end)) {
      if (t.kind == TokenKind::LParen) ++depth;
      if (t.kind == TokenKind::RParen && --depth == 0) break;
      if (t.kind == TokenKind::Semicolon || t.kind == TokenKind::RBrace) {
        statement_inside = t.kind == TokenKind::Semicolon && depth > 0;
        // Only if the parenthesis closes right behind it; otherwise one is missing.
        statement_inside = statement_inside && lexer_.next(t.end).kind == TokenKind::RParen;
        break;
      }
      if (t.begin - at > 100000) break;
    }
    if (statement_inside) {
      take();
      result = statement();
      expect(TokenKind::RParen, "after the statement in parentheses");
      accept(TokenKind::Semicolon);
    } else {
      result.expr = expression();
      expect(TokenKind::Semicolon, "after the statement");
    }
  } else {
    result.expr = expression();
    if (is(TokenKind::Assign)) {
      unexpected("';' or an operator", "write '==' to compare; postconditions are equations too");
    }
    if (is(TokenKind::Colon) && ahead(1).kind == TokenKind::Assign) {
      unexpected("';' or an operator", "there are no assignments: write new this.f == ...");
    }
    expect(TokenKind::Semicolon, "after the statement");
  }
  result.at = since(begin);
  return result;
}

Range Parser::syncs() {
  const std::uint32_t open = expect(TokenKind::LBrace, "after 'sync'").begin;
  const auto first = static_cast<std::uint32_t>(m_.syncs.size());
  while (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block()) {
    const std::uint32_t before = token_.begin;
    try {
      const SyncAst one = sync();
      m_.syncs.push_back(one);
    } catch (const Panic&) {
      depth_ = 0;
      if (is(TokenKind::Word) && token_.begin != before && line_ended()) continue;
      skip_statement();
    }
  }
  close_brace(open, "the sync block");
  return {first, static_cast<std::uint32_t>(m_.syncs.size()) - first};
}

SyncAst Parser::sync() {
  SyncAst result;
  const std::uint32_t begin = token_.begin;
  annotations();
  const std::uint32_t from = token_.begin;
  int nots = 0;
  while (accept_word("not")) ++nots;
  if (nots > 1) {
    report("rebel-011", since(from), "a synchronisation can be negated once only");
  }
  result.negated = nots > 0;
  // `T[key].e(args)`; a specification without key may be written `T.e(args)`.
  result.spec.at = here();
  if (!is(TokenKind::Word)) unexpected("a synchronisation such as Account[id].withdraw(amount)");
  std::string full;
  std::uint32_t name_begin = token_.begin;
  result.spec.simple = intern(take());
  full = names_.string(result.spec.simple);
  Name last = kNoName;
  Extent last_at;
  result.spec.at = since(name_begin);
  while (is(TokenKind::Dot)) {
    take();
    if (!is(TokenKind::Word)) unexpected("the name of an event");
    if (last != kNoName) {
      full += '.';
      full += names_.text(last);
      result.spec.simple = last;
      result.spec.at = {name_begin, last_at.end};
    }
    last_at = here();
    last = intern(take());
  }
  if (is(TokenKind::LBracket)) {
    if (last != kNoName) {
      full += '.';
      full += names_.text(last);
      result.spec.simple = last;
      result.spec.at = {name_begin, last_at.end};
    }
    take();
    if (!is(TokenKind::RBracket)) result.key = expression();
    expect(TokenKind::RBracket, "after the key");
    expect(TokenKind::Dot, "before the name of the event");
    if (!is(TokenKind::Word)) unexpected("the name of an event");
    last_at = here();
    last = intern(take());
  }
  if (last == kNoName) {
    unexpected("'[' and a key, or '.' and an event",
               "a synchronisation is written Account[id].withdraw(amount)");
  }
  result.spec.full = names_.intern_copy(std::move(full));
  result.event = last;
  result.event_at = last_at;
  result.arguments = arguments();
  expect(TokenKind::Semicolon, "after the synchronisation");
  result.at = since(begin);
  return result;
}

}  // namespace whittle::rebel
