// SPDX-License-Identifier: Apache-2.0
// Expressions by recursive descent, loosest first:
//   ? :    ->    ||    &&    not, initialized, finalized    comparison, instate
//   in    + -    * / %    - new    . [ ]
// `not` stands below the comparisons, so `not a == b` is `not (a == b)`; for Booleans that is the
// same as the original's `(not a) == b`.
#include <array>

#include "frontend/rebel/literal_words.h"
#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > kMaxDepth) {
    parser_.report("parse-003", parser_.here(), "nested too deeply",
                   "at most " + std::to_string(kMaxDepth) + " levels can be read");
    --parser_.depth_;
    throw Panic{};
  }
}

ExprRef Parser::node(ExprKind kind, std::uint32_t begin, std::uint32_t a, std::uint32_t b,
                     std::uint32_t c) {
  m_.exprs.push_back({kind, false, a, b, c, since(begin)});
  return static_cast<ExprRef>(m_.exprs.size() - 1);
}

std::uint32_t Parser::list(const std::vector<std::uint32_t>& elements) {
  const auto at = static_cast<std::uint32_t>(m_.lists.size());
  m_.lists.push_back(static_cast<std::uint32_t>(elements.size()));
  m_.lists.insert(m_.lists.end(), elements.begin(), elements.end());
  return at;
}

// ----- types

TypeRef Parser::type() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const TypeRef left = simple_type();
  if (!accept(TokenKind::Arrow)) return left;
  const TypeRef right = type();
  m_.types.push_back({TypeNodeKind::Function, left, right, since(begin)});
  return static_cast<TypeRef>(m_.types.size() - 1);
}

TypeRef Parser::simple_type() {
  const std::uint32_t begin = token_.begin;
  TypeNode result;
  if (accept(TokenKind::LParen)) {
    std::vector<std::uint32_t> parts;
    if (!is(TokenKind::RParen)) {
      do parts.push_back(type());
      while (accept(TokenKind::Comma));
    }
    expect(TokenKind::RParen, "after the types");
    result = {TypeNodeKind::Tuple, list(parts), 0, since(begin)};
  } else if (is_word("map") && ahead(1).kind == TokenKind::LBracket) {
    take();
    take();
    const TypeRef key = type();
    expect(TokenKind::Colon, "between the key type and the value type of a map");
    const TypeRef value = type();
    expect(TokenKind::RBracket, "after the types of a map");
    result = {TypeNodeKind::Map, key, value, since(begin)};
  } else if (is_word("set") && ahead(1).kind == TokenKind::LBracket) {
    take();
    take();
    const TypeRef element = type();
    expect(TokenKind::RBracket, "after the element type of a set");
    result = {TypeNodeKind::Set, element, 0, since(begin)};
  } else if (is(TokenKind::Word)) {
    const QName name = qualified_name("a type");
    result = {TypeNodeKind::Named, name.simple, name.full, since(begin)};
  } else {
    unexpected("a type", "for example Integer, Money, set[Integer]");
  }
  m_.types.push_back(result);
  return static_cast<TypeRef>(m_.types.size() - 1);
}

// ----- operators

void Parser::warn_ternary(ExprRef e) {
  const ExprNode& n = m_.exprs[e];
  if (n.flag || n.kind < ExprKind::Mul || n.kind > ExprKind::Implies) return;
  report("rebel-004", n.at,
         "this operator stands without parentheses beside a conditional; the original "
         "implementation would group it differently",
         "put parentheses around the condition or the branch");
}

ExprRef Parser::expression() {
  if (formula_) return formula();
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const ExprRef condition = implication();
  if (!is(TokenKind::Question)) return condition;
  take();
  const ExprRef yes = expression();
  expect(TokenKind::Colon, "between the branches of a conditional");
  const ExprRef no = expression();
  warn_ternary(condition);
  warn_ternary(no);
  return node(ExprKind::Cond, begin, condition, yes, no);
}

ExprRef Parser::implication() {
  const std::uint32_t begin = token_.begin;
  std::vector<ExprRef> parts{disjunction()};
  std::vector<std::uint32_t> begins{begin};
  while (is(TokenKind::Arrow)) {
    take();
    begins.push_back(token_.begin);
    parts.push_back(disjunction());
  }
  ExprRef result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) {  // to the right
    result = node(ExprKind::Implies, begins[i], parts[i], result);
  }
  return result;
}

ExprRef Parser::disjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = conjunction();
  while (accept(TokenKind::OrOr)) {
    const ExprRef right = conjunction();
    left = node(ExprKind::Or, begin, left, right);
  }
  return left;
}

ExprRef Parser::conjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = negation();
  while (accept(TokenKind::AndAnd)) {
    const ExprRef right = negation();
    left = node(ExprKind::And, begin, left, right);
  }
  if (is(TokenKind::Amp)) unexpected("an operator", "write '&&' for 'and'");
  return left;
}

ExprRef Parser::negation() {
  const std::uint32_t begin = token_.begin;
  if (is_word("not")) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = negation();
    return node(ExprKind::Not, begin, operand);
  }
  if (is(TokenKind::Bang)) unexpected("an expression", "write 'not' for negation");
  const bool initialized = is_word("initialized");
  if (initialized || is_word("finalized")) {
    const Token after = ahead(1);
    if (after.kind == TokenKind::LParen ||
        (after.kind == TokenKind::Word && begins_operand(after))) {
      const Nesting nesting(*this);
      take();
      const ExprRef operand = relation();
      return node(initialized ? ExprKind::Initialized : ExprKind::Finalized, begin, operand);
    }
  }
  return relation();
}

ExprRef Parser::relation() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = membership();
  auto operation = [&]() -> ExprKind {
    switch (token_.kind) {
      case TokenKind::Eq:
        return ExprKind::Eq;
      case TokenKind::Ne:
        return ExprKind::Ne;
      case TokenKind::Lt:
        return formula_ && at_iff() ? ExprKind::Bad : ExprKind::Lt;
      case TokenKind::Le:
        return ExprKind::Le;
      case TokenKind::Gt:
        return ExprKind::Gt;
      case TokenKind::Ge:
        return ExprKind::Ge;
      default:
        return ExprKind::Bad;
    }
  };
  if (const ExprKind op = operation(); op != ExprKind::Bad) {
    take();
    // `b == not c`: harmless, and people write it.
    const ExprRef right = is_word("not") || is_word("initialized") || is_word("finalized")
                              ? negation()
                              : membership();
    left = node(op, begin, left, right);
    if (operation() != ExprKind::Bad) {
      report("parse-006", here(), "comparisons do not chain",
             "write 'a < b && b < c', or use parentheses");
      throw Panic{};
    }
  }
  if (is_word("instate")) {
    take();
    std::vector<std::uint32_t> states;
    auto state = [&] {
      if (!is(TokenKind::Word)) unexpected("the name of a state");
      const Token word = take();
      states.push_back(node(ExprKind::Word, word.begin, intern(word)));
    };
    if (accept(TokenKind::LBrace)) {
      while (!is(TokenKind::RBrace)) {
        state();
        accept(TokenKind::Comma);
      }
      take();
    } else {
      state();
    }
    const std::uint32_t all = list(states);
    left = node(ExprKind::Instate, begin, left, all);
  }
  return left;
}

ExprRef Parser::membership() {
  const std::uint32_t begin = token_.begin;
  const ExprRef left = sum();
  if (!is_word("in")) return left;
  // `check S reachable in max 3 steps`: that `in` is not ours.
  take();
  const ExprRef right = sum();
  return node(ExprKind::In, begin, left, right);
}

ExprRef Parser::sum() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = product();
  while (is(TokenKind::Plus) || (is(TokenKind::Minus) && !at_one_with())) {
    const ExprKind op = is(TokenKind::Plus) ? ExprKind::Add : ExprKind::Sub;
    take();
    const ExprRef right = product();
    left = node(op, begin, left, right);
  }
  return left;
}

ExprRef Parser::product() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = prefix();
  while (is(TokenKind::Star) || is(TokenKind::Slash) || is(TokenKind::PercentSign) ||
         is_word("mod")) {
    const ExprKind op = is(TokenKind::Star)    ? ExprKind::Mul
                        : is(TokenKind::Slash) ? ExprKind::Div
                                               : ExprKind::Mod;
    take();
    const ExprRef right = prefix();
    left = node(op, begin, left, right);
  }
  return left;
}

ExprRef Parser::prefix() {
  const std::uint32_t begin = token_.begin;
  if (is(TokenKind::Minus)) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = prefix();
    return node(ExprKind::Neg, begin, operand);
  }
  const Token after = is_word("new") ? ahead(1) : Token();
  if (after.kind == TokenKind::LParen || (after.kind == TokenKind::Word && begins_operand(after))) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = prefix();
    return node(ExprKind::New, begin, operand);
  }
  return postfix();
}

bool Parser::begins_operand(const Token& token) const {
  switch (token.kind) {
    case TokenKind::Int:
    case TokenKind::Percent:
    case TokenKind::Time:
    case TokenKind::String:
    case TokenKind::LBrace:
    case TokenKind::LParen:
      return true;
    case TokenKind::Word: {
      const std::string_view text = lexer_.text(token);
      return text != "in" && text != "instate" && text != "and" && text != "mod";
    }
    default:
      return false;
  }
}

std::uint32_t Parser::arguments() {
  expect(TokenKind::LParen, "before the arguments");
  const Commas commas(*this, false);
  std::vector<std::uint32_t> all;
  if (!is(TokenKind::RParen)) {
    do all.push_back(expression());
    while (accept(TokenKind::Comma));
  }
  expect(TokenKind::RParen, "after the arguments");
  return list(all);
}

ExprRef Parser::postfix() {
  const std::uint32_t begin = token_.begin;
  ExprRef e = primary();
  bool callable = m_.exprs[e].kind == ExprKind::Word;
  while (true) {
    if (is(TokenKind::Dot)) {
      take();
      if (!is(TokenKind::Word)) unexpected("the name of a field");
      const Token word = take();
      const Name field = intern(word);
      e = node(ExprKind::Field, begin, e, field);
    } else if (is(TokenKind::LBracket)) {
      callable = false;
      take();
      const Commas commas(*this, false);
      const ExprRef index = expression();
      expect(TokenKind::RBracket, "after the index");
      e = node(ExprKind::Index, begin, e, index);
    } else if (is(TokenKind::LParen) && callable) {
      callable = false;
      const std::uint32_t all = arguments();
      e = node(ExprKind::Call, begin, e, all);
    } else {
      return e;
    }
  }
}

// ----- operands

ExprRef Parser::primary() {
  const std::uint32_t begin = token_.begin;
  switch (token_.kind) {
    case TokenKind::Int:
      return number_literal();
    case TokenKind::Percent:
      take();
      return node(ExprKind::Percent, begin);
    case TokenKind::Time:
      return time_literal();
    case TokenKind::String:
      take();
      return node(ExprKind::String, begin);
    case TokenKind::Word:
      return word_primary();
    case TokenKind::LBrace:
      return braces();
    case TokenKind::LParen:
      return parentheses();
    case TokenKind::Bar: {
      const Nesting nesting(*this);
      take();
      const ExprRef inner = expression();
      expect(TokenKind::Bar, "after the set whose elements are counted");
      return node(ExprKind::Card, begin, inner);
    }
    case TokenKind::Decimal:
      unexpected("an expression",
                 "an amount needs its currency: EUR " + std::string(lexer_.text(token_)));
    case TokenKind::Bad:
      throw Panic{};  // the lexer has spoken
    case TokenKind::Gt:
      unexpected("an expression", last_end_ == token_.begin && lexer_.text()[last_end_ - 1] == '<'
                                      ? "write '!=' for 'not equal'"
                                      : "");
    default:
      unexpected("an expression");
  }
}

ExprRef Parser::number_literal() {
  const std::uint32_t begin = token_.begin;
  const Token number = take();
  auto small = [&](Token token) -> std::uint32_t {
    const std::string_view digits = lexer_.text(token);
    if (digits.size() > 6) {
      report("parse-004", {token.begin, token.end}, "this number is too large for a date");
      throw Panic{};
    }
    std::uint32_t value = 0;
    for (char c : digits) value = value * 10 + static_cast<std::uint32_t>(c - '0');
    return value;
  };
  if (!is(TokenKind::Word)) return node(ExprKind::Int, begin);
  const std::string_view word = lexer_.text(token_);
  if (const std::uint32_t period = period_number(word); period != kNone) {
    const ExprRef count = node(ExprKind::Int, begin);
    take();
    return node(ExprKind::Term, begin, count, period);
  }
  const std::uint32_t month = month_number(word);
  if (month == 0) return node(ExprKind::Int, begin);
  const std::uint32_t day = small(number);
  take();
  std::uint32_t year = kNone;
  if (is(TokenKind::Int)) year = small(take());
  static constexpr std::array<std::uint32_t, 12> kDays = {31, 29, 31, 30, 31, 30,
                                                          31, 31, 30, 31, 30, 31};
  const bool leap = year == kNone || (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
  const std::uint32_t longest = month == 2 && !leap ? 28 : kDays[month - 1];
  if (day < 1 || day > longest) {
    report("rebel-005", since(begin), "there is no such day",
           std::string(word) + " has " + std::to_string(longest) + " days" +
               (month == 2 && !leap ? " in that year" : ""));
  }
  const ExprRef date = node(ExprKind::Date, begin, day, month, year);
  if (is(TokenKind::Comma) && ahead(1).kind == TokenKind::Time) {
    take();
    const ExprRef time = time_literal();
    return node(ExprKind::DateTime, begin, date, time);
  }
  return date;
}

ExprRef Parser::time_literal() {
  const Token token = take();
  std::array<std::uint32_t, 3> parts{};
  std::size_t part = 0;
  for (char c : lexer_.text(token)) {
    if (c == ':') {
      ++part;
    } else {
      parts[part] = parts[part] * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) {
    report("rebel-006", {token.begin, token.end}, "there is no such time",
           "hours go from 0 to 23, minutes and seconds from 0 to 59");
    parts = {};
  }
  return node(ExprKind::Time, token.begin, parts[0] * 3600 + parts[1] * 60 + parts[2]);
}

ExprRef Parser::word_primary() {
  const std::uint32_t begin = token_.begin;
  const std::string_view word = lexer_.text(token_);
  const Token after = ahead(1);
  if (word == "True" || word == "False") {
    take();
    const ExprRef e = node(ExprKind::Bool, begin, word == "True" ? 1 : 0);
    return e;
  }
  if (word == "this") return take(), node(ExprKind::This, begin);
  if (word == "now") return take(), node(ExprKind::Now, begin);
  if (word == "it") return take(), node(ExprKind::It, begin);
  if (word == "Inf") return take(), node(ExprKind::Inf, begin);
  if (word == "ANY") return take(), node(ExprKind::Any, begin);
  if (is_currency(word) && (after.kind == TokenKind::Decimal || after.kind == TokenKind::Int)) {
    const Name currency = intern(take());
    const Token amount = take();
    if (amount.kind == TokenKind::Int) {
      const std::string decimals = decimals_behind_comma(amount);
      report("rebel-007", since(begin), "an amount of money needs two or three decimals",
             "write " + std::string(word) + " " + std::string(lexer_.text(amount)) + decimals);
      return node(ExprKind::Bad, begin);
    }
    const std::string_view digits = lexer_.text(amount);
    if (digits.size() - digits.find('.') == 4) m_.three_decimals = true;
    return node(ExprKind::Money, begin, currency, amount.begin, amount.end);
  }
  if ((word == "fixed" && after.kind == TokenKind::Percent) ||
      (word == "norm" && after.kind == TokenKind::Word &&
       (is_word(after, "EURIBOR") || is_word(after, "AIRBOR") || is_word(after, "LIBOR") ||
        is_word(after, "INGBASIS") || is_word(after, "LIMITBASED")))) {
    take();
    take();
    return node(ExprKind::Tariff, begin);
  }
  if ((word == "forall" || word == "exists") && after.kind == TokenKind::Word &&
      ahead(2).kind == TokenKind::Colon) {
    return quantifier(word == "forall" ? ExprKind::Forall : ExprKind::Exists);
  }
  if (word == "in" || word == "instate" || word == "case") unexpected("an expression");
  const Token token = take();
  return node(ExprKind::Word, begin, intern(token));
}

std::uint32_t Parser::conditions(TokenKind close) {
  std::vector<std::uint32_t> all;
  if (!is(close) || close == TokenKind::End) {
    do all.push_back(expression());
    while (accept(TokenKind::Comma));
  }
  return list(all);
}

ExprRef Parser::quantifier(ExprKind kind) {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  take();
  Extent variable_at;
  const Name variable = declared_name("the variable of a quantifier", &variable_at);
  expect(TokenKind::Colon, "between the variable and its set");
  const ExprRef set = sum();
  expect(TokenKind::Bar, "between the set and the condition");
  // The body reaches as far to the right as it can; further conditions follow after commas, but in
  // an argument list a comma ends the quantifier.
  std::vector<std::uint32_t> body{expression()};
  while (is(TokenKind::Comma) && commas_) {
    take();
    body.push_back(expression());
  }
  const std::uint32_t all = list(body);
  return bound(node(kind, begin, variable, set, all), variable_at);
}

ExprRef Parser::braces() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  expect(TokenKind::LBrace, "");
  const Commas commas(*this, false);
  if (is(TokenKind::Ellipsis)) unexpected("an expression");
  if (is(TokenKind::Word) && ahead(1).kind == TokenKind::Colon) {
    Extent variable_at;
    const Name variable = declared_name("the variable of a comprehension", &variable_at);
    take();
    const ExprRef set = sum();
    expect(TokenKind::Bar, "between the set and the condition");
    const std::uint32_t all = conditions(TokenKind::RBrace);
    expect(TokenKind::RBrace, "after the condition");
    return bound(node(ExprKind::Comprehension, begin, variable, set, all), variable_at);
  }
  std::vector<std::uint32_t> elements;
  if (!is(TokenKind::RBrace)) {
    elements.push_back(expression());
    if (accept(TokenKind::DotDot)) {
      const ExprRef last = expression();
      expect(TokenKind::RBrace, "after the range");
      return node(ExprKind::Interval, begin, elements[0], last);
    }
    while (accept(TokenKind::Comma)) elements.push_back(expression());
  }
  expect(TokenKind::RBrace, "after the elements of a set");
  const std::uint32_t all = list(elements);
  return node(ExprKind::Set, begin, all);
}

ExprRef Parser::parentheses() {
  const Nesting nesting(*this);
  const Commas commas(*this, true);
  const std::uint32_t begin = token_.begin;
  take();
  if (accept(TokenKind::RParen)) {
    const std::uint32_t none = list({});
    return node(ExprKind::MapOf, begin, none);
  }
  const ExprRef first = expression();
  if (accept(TokenKind::Colon)) {
    const Commas inner(*this, false);
    std::vector<std::uint32_t> entries{first, expression()};
    while (accept(TokenKind::Comma)) {
      entries.push_back(expression());
      expect(TokenKind::Colon, "between a key and its value");
      entries.push_back(expression());
    }
    expect(TokenKind::RParen, "after the entries of a map");
    const std::uint32_t all = list(entries);
    return node(ExprKind::MapOf, begin, all);
  }
  expect(TokenKind::RParen, "after the expression in parentheses");
  m_.exprs[first].flag = true;
  return first;
}

}  // namespace whittle::rebel
