// SPDX-License-Identifier: Apache-2.0
// Test modules: configurations (`state`) and what is asked about them (`check`, `assert`).
#include "expr/number.h"
#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

bool Parser::at_one_with() {
  if (!m_.test || !is(TokenKind::Minus)) return false;
  return is_word(ahead(1), "one") && is_word(ahead(2), "with");
}

void Parser::setup() {
  SetupAst setup;
  const std::uint32_t begin = token_.begin;
  take();
  setup.name = declared_name("the name of a configuration", &setup.name_at);
  const std::uint32_t open = expect(TokenKind::LBrace, "after the name of the configuration").begin;
  setup.stmts.first = static_cast<std::uint32_t>(m_.setup_stmts.size());
  auto finish = [&] {
    setup.stmts.count = static_cast<std::uint32_t>(m_.setup_stmts.size()) - setup.stmts.first;
    setup.at = since(begin);
    m_.setups.push_back(setup);
  };
  try {
    while (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block()) {
      const std::uint32_t before = token_.begin;
      try {
        m_.setup_stmts.push_back(setup_statement());
      } catch (const Panic&) {
        depth_ = 0;
        commas_ = true;
        if (is(TokenKind::Word) && token_.begin != before && line_ended()) continue;
        skip_statement();
      }
    }
    close_brace(open, "configuration '" + names_.string(setup.name) + "'");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

SetupStmtAst Parser::setup_statement() {
  SetupStmtAst stmt;
  const std::uint32_t begin = token_.begin;
  annotations();
  if (is_word("now") && is_word(ahead(1), "is")) {
    stmt.is_now = true;
    take();
    take();
    stmt.now = expression();
    expect(TokenKind::Semicolon, "after the time");
    stmt.at = since(begin);
    return stmt;
  }
  if (is_word("now") && ahead(1).kind == TokenKind::Assign) {
    take();
    unexpected("'is' after 'now'", "write, for example: now is 26 Sep 2016, 16:42;");
  }
  if (is(TokenKind::Int)) {
    const Token number = take();
    const std::string_view digits = lexer_.text(number);
    stmt.counted = true;
    stmt.count = 0;
    if (digits.size() > 6) {
      report("parse-004", {number.begin, number.end}, "that many instances cannot be handled");
      throw Panic{};
    }
    for (char c : digits) stmt.count = stmt.count * 10 + static_cast<std::uint32_t>(c - '0');
  } else if (is_word("one") && ahead(1).kind == TokenKind::Word) {
    stmt.counted = true;
    take();
  }
  if (is(TokenKind::LBrace)) {
    const std::uint32_t open = token_.begin;
    take();
    std::vector<std::uint32_t> states;
    while (is(TokenKind::Word)) {
      const Token word = take();
      states.push_back(node(ExprKind::Word, word.begin, intern(word)));
      accept(TokenKind::Comma);
    }
    expect(TokenKind::RBrace, "after the states");
    stmt.states = list(states);
    stmt.state_at = since(open);
  }
  if (!is(TokenKind::Word)) unexpected("a specification, or a state and a specification");
  const Token after = ahead(1);
  if (stmt.states == kNone && after.kind == TokenKind::Word && !is_word(after, "with")) {
    stmt.state_at = here();
    if (is_word("uninitialized")) {
      stmt.uninitialized = true;
      take();
    } else {
      stmt.state = intern(take());
    }
  }
  stmt.spec = qualified_name("the name of a specification");
  constraints(stmt);
  expect(TokenKind::Semicolon, "after the description of an instance",
         stmt.groups.count > 0                  ? ""
         : !nearest_hint({"with"}).empty()      ? nearest_hint({"with"})
         : is(TokenKind::Word) && !line_ended() ? "conditions begin with 'with'"
                                                : "");
  stmt.at = since(begin);
  return stmt;
}

void Parser::constraints(SetupStmtAst& stmt) {
  const Commas commas(*this, false);
  std::vector<ConstraintGroupAst> groups;
  if (accept_word("with")) {
    groups.push_back(constraint_group());
  } else {
    stmt.one_each = is(TokenKind::Minus);
    while (is(TokenKind::Minus)) {
      take();
      expect_word("one", "after '-'");
      expect_word("with", "after '- one'");
      groups.push_back(constraint_group());
    }
  }
  stmt.groups = {static_cast<std::uint32_t>(m_.groups.size()),
                 static_cast<std::uint32_t>(groups.size())};
  m_.groups.insert(m_.groups.end(), groups.begin(), groups.end());
}

ConstraintGroupAst Parser::constraint_group() {
  ConstraintGroupAst group;
  const std::uint32_t begin = token_.begin;
  std::vector<std::uint32_t> all;
  do all.push_back(constraint());
  while (accept(TokenKind::Comma) || accept_word("and"));
  group.constraints = list(all);
  group.at = since(begin);
  return group;
}

ExprRef Parser::constraint() {
  const std::uint32_t begin = token_.begin;
  const ExprRef left = expression();
  // Older files write `balance EUR 10.00` and `balance = EUR 10.00` for `==`.
  if (accept(TokenKind::Assign) ||
      (begins_operand(token_) && !is(TokenKind::LParen) && !line_ended())) {
    const ExprRef right = expression();
    return node(ExprKind::Eq, begin, left, right);
  }
  return left;
}

// `expect reachable in 3`, after a check and after an invariant.
std::optional<Expectation> Parser::expectation() {
  const std::uint32_t begin = token_.begin;
  if (!accept_word("expect")) return std::nullopt;
  const auto verdict =
      is(TokenKind::Word) ? expectable(lexer_.text(token_)) : std::optional<VerdictKind>();
  if (!verdict) unexpected("a verdict", expectation_hint(lexer_.text(token_)));
  take();
  Expectation result{*verdict};
  if (is_word("in") && ahead(1).kind == TokenKind::Int) {
    take();
    const auto number = Integer::parse(lexer_.text(token_));
    const auto small = number ? number->to_int64() : std::nullopt;
    if (!small) {
      report("parse-004", here(), "this number of steps is too large");
      throw Panic{};
    }
    result.steps = static_cast<std::uint64_t>(*small);
    take();
  }
  result.origin = m_.span(since(begin));
  return result;
}

void Parser::check() {
  CheckAst check;
  const std::uint32_t begin = token_.begin;
  check.demand = is_word("assert");
  const bool reach = is_word("reach");  // the verb is in the word
  take();
  check.setup = declared_name("the name of a configuration", &check.setup_at);
  if (accept_word("unreachable")) {
    check.reachable = false;
    if (!check.demand) {
      report(
          "rebel-012", since(begin), "'check' asks whether a configuration is reachable",
          "write 'assert " + names_.string(check.setup) + " unreachable' to demand that it is not");
    }
  } else if (!reach || is_word("reachable")) {
    expect_word("reachable", check.demand ? "or 'unreachable' after the configuration"
                                          : "after the configuration");
  }
  auto number = [&] { return sum(); };
  if (accept_word("in")) {
    if (accept_word("max")) {
      check.bound = BoundKind::Max;
    } else if (accept_word("exactly")) {
      check.bound = BoundKind::Exactly;
    } else if (is_word("between")) {
      // `in between 2 and 4 steps`
    } else {
      unexpected("'max' or 'exactly' after 'in'", "write, for example: in max 5 steps");
    }
    if (check.bound != BoundKind::None) check.high = number();
  }
  if (check.bound == BoundKind::None && accept_word("between")) {
    check.bound = BoundKind::Between;
    check.low = number();
    expect_word("and", "between the two numbers");
    check.high = number();
  }
  if (is_word("step") || is_word("steps")) take();
  check.expected = expectation();
  if (is_word("from") || is_word("using")) {
    unexpected("';' after the check", "'from' and 'using' were never part of the language");
  }
  if (is_word("max") || is_word("exactly")) {
    unexpected("'in' before '" + std::string(lexer_.text(token_)) + "'",
               "write, for example: in max 5 steps");
  }
  expect(TokenKind::Semicolon, "after the check",
         check.bound == BoundKind::None && is(TokenKind::Word)
             ? "write, for example: in max 5 steps"
             : "");
  check.at = since(begin);
  m_.checks.push_back(check);
}

}  // namespace whittle::rebel
