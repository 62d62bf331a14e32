// SPDX-License-Identifier: Apache-2.0
// Expressions by recursive descent, loosest first:
//   ? :    ->    ||    &&    not, initialized, finalized    comparison, instate    in    + -    * /
//   %
//   - new    . [ ]
// `not` stands below the comparisons, so `not a == b` is `not (a == b)`; for Booleans that is the
// same as the original's `(not a) == b`.
#include <array>

#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

std::uint32_t month_number(std::string_view word) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (word.size() != 3) return 0;
  for (std::uint32_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == word) return i + 1;
  }
  return 0;
}

std::uint32_t period_number(std::string_view word) {
  static constexpr std::array<std::string_view, 5> kPeriods = {"Day", "Week", "Month", "Quarter",
                                                               "Year"};
  for (std::uint32_t i = 0; i < kPeriods.size(); ++i) {
    if (kPeriods[i] == word) return i;
  }
  return kNone;
}

bool is_currency(std::string_view word) {
  if (word == "EUR" || word == "USD") return true;
  if (word.size() != 7 || !word.starts_with("CUR_")) return false;
  for (char c : word.substr(4)) {
    if (c < 'A' || c > 'Z') return false;
  }
  return true;
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > kMaxDepth) {
    parser_.report("parse-003", parser_.here(), "nested too deeply",
                   "at most " + std::to_string(kMaxDepth) + " levels can be read");
    --parser_.depth_;
    throw Panic{};
  }
}

ExprRef Parser::node(Ex kind, std::uint32_t begin, std::uint32_t a, std::uint32_t b,
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
  if (!accept(Tok::Arrow)) return left;
  const TypeRef right = type();
  m_.types.push_back({Ty::Function, left, right, since(begin)});
  return static_cast<TypeRef>(m_.types.size() - 1);
}

TypeRef Parser::simple_type() {
  const std::uint32_t begin = token_.begin;
  TypeNode result;
  if (accept(Tok::LParen)) {
    std::vector<std::uint32_t> parts;
    if (!is(Tok::RParen)) {
      do parts.push_back(type());
      while (accept(Tok::Comma));
    }
    expect(Tok::RParen, "after the types");
    result = {Ty::Tuple, list(parts), 0, since(begin)};
  } else if (is_word("map") && ahead(1).kind == Tok::LBracket) {
    take();
    take();
    const TypeRef key = type();
    expect(Tok::Colon, "between the key type and the value type of a map");
    const TypeRef value = type();
    expect(Tok::RBracket, "after the types of a map");
    result = {Ty::Map, key, value, since(begin)};
  } else if (is_word("set") && ahead(1).kind == Tok::LBracket) {
    take();
    take();
    const TypeRef element = type();
    expect(Tok::RBracket, "after the element type of a set");
    result = {Ty::Set, element, 0, since(begin)};
  } else if (is(Tok::Word)) {
    const QName name = qualified_name("a type");
    result = {Ty::Named, name.simple, name.full, since(begin)};
  } else {
    unexpected("a type", "for example Integer, Money, set[Integer]");
  }
  m_.types.push_back(result);
  return static_cast<TypeRef>(m_.types.size() - 1);
}

// ----- operators

void Parser::warn_ternary(ExprRef e) {
  const ExprNode& n = m_.exprs[e];
  if (n.flag || n.kind < Ex::Mul || n.kind > Ex::Implies) return;
  report("rebel-004", n.at,
         "this operator stands without parentheses beside a conditional; the original "
         "implementation would group it differently",
         "put parentheses around the condition or the branch");
}

ExprRef Parser::expression() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const ExprRef condition = implication();
  if (!is(Tok::Question)) return condition;
  take();
  const ExprRef yes = expression();
  expect(Tok::Colon, "between the branches of a conditional");
  const ExprRef no = expression();
  warn_ternary(condition);
  warn_ternary(no);
  return node(Ex::Cond, begin, condition, yes, no);
}

ExprRef Parser::implication() {
  const std::uint32_t begin = token_.begin;
  std::vector<ExprRef> parts{disjunction()};
  std::vector<std::uint32_t> begins{begin};
  while (is(Tok::Arrow)) {
    take();
    begins.push_back(token_.begin);
    parts.push_back(disjunction());
  }
  ExprRef result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) {  // to the right
    result = node(Ex::Implies, begins[i], parts[i], result);
  }
  return result;
}

ExprRef Parser::disjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = conjunction();
  while (accept(Tok::OrOr)) {
    const ExprRef right = conjunction();
    left = node(Ex::Or, begin, left, right);
  }
  return left;
}

ExprRef Parser::conjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = negation();
  while (accept(Tok::AndAnd)) {
    const ExprRef right = negation();
    left = node(Ex::And, begin, left, right);
  }
  if (is(Tok::Amp)) unexpected("an operator", "write '&&' for 'and'");
  return left;
}

ExprRef Parser::negation() {
  const std::uint32_t begin = token_.begin;
  if (is_word("not")) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = negation();
    return node(Ex::Not, begin, operand);
  }
  if (is(Tok::Bang)) unexpected("an expression", "write 'not' for negation");
  const bool initialized = is_word("initialized");
  if (initialized || is_word("finalized")) {
    const Token after = ahead(1);
    if (after.kind == Tok::LParen || (after.kind == Tok::Word && begins_operand(after))) {
      const Nesting nesting(*this);
      take();
      const ExprRef operand = relation();
      return node(initialized ? Ex::Initialized : Ex::Finalized, begin, operand);
    }
  }
  return relation();
}

ExprRef Parser::relation() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = membership();
  auto operation = [&]() -> Ex {
    switch (token_.kind) {
      case Tok::Eq:
        return Ex::Eq;
      case Tok::Ne:
        return Ex::Ne;
      case Tok::Lt:
        return Ex::Lt;
      case Tok::Le:
        return Ex::Le;
      case Tok::Gt:
        return Ex::Gt;
      case Tok::Ge:
        return Ex::Ge;
      default:
        return Ex::Bad;
    }
  };
  if (const Ex op = operation(); op != Ex::Bad) {
    take();
    // `b == not c`: harmless, and people write it.
    const ExprRef right = is_word("not") || is_word("initialized") || is_word("finalized")
                              ? negation()
                              : membership();
    left = node(op, begin, left, right);
    if (operation() != Ex::Bad) {
      report("parse-006", here(), "comparisons do not chain",
             "write 'a < b && b < c', or use parentheses");
      throw Panic{};
    }
  }
  if (is_word("instate")) {
    take();
    std::vector<std::uint32_t> states;
    auto state = [&] {
      if (!is(Tok::Word)) unexpected("the name of a state");
      const Token word = take();
      states.push_back(node(Ex::Word, word.begin, intern(word)));
    };
    if (accept(Tok::LBrace)) {
      while (!is(Tok::RBrace)) {
        state();
        accept(Tok::Comma);
      }
      take();
    } else {
      state();
    }
    const std::uint32_t all = list(states);
    left = node(Ex::Instate, begin, left, all);
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
  return node(Ex::In, begin, left, right);
}

ExprRef Parser::sum() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = product();
  while (is(Tok::Plus) || (is(Tok::Minus) && !at_one_with())) {
    const Ex op = is(Tok::Plus) ? Ex::Add : Ex::Sub;
    take();
    const ExprRef right = product();
    left = node(op, begin, left, right);
  }
  return left;
}

ExprRef Parser::product() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = prefix();
  while (is(Tok::Star) || is(Tok::Slash) || is(Tok::PercentSign) || is_word("mod")) {
    const Ex op = is(Tok::Star) ? Ex::Mul : is(Tok::Slash) ? Ex::Div : Ex::Mod;
    take();
    const ExprRef right = prefix();
    left = node(op, begin, left, right);
  }
  return left;
}

ExprRef Parser::prefix() {
  const std::uint32_t begin = token_.begin;
  if (is(Tok::Minus)) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = prefix();
    return node(Ex::Neg, begin, operand);
  }
  const Token after = is_word("new") ? ahead(1) : Token();
  if (after.kind == Tok::LParen || (after.kind == Tok::Word && begins_operand(after))) {
    const Nesting nesting(*this);
    take();
    const ExprRef operand = prefix();
    return node(Ex::New, begin, operand);
  }
  return postfix();
}

bool Parser::begins_operand(const Token& token) const {
  switch (token.kind) {
    case Tok::Int:
    case Tok::Percent:
    case Tok::Time:
    case Tok::String:
    case Tok::LBrace:
    case Tok::LParen:
      return true;
    case Tok::Word: {
      const std::string_view text = lexer_.text(token);
      return text != "in" && text != "instate" && text != "and" && text != "mod";
    }
    default:
      return false;
  }
}

std::uint32_t Parser::arguments() {
  expect(Tok::LParen, "before the arguments");
  const Commas commas(*this, false);
  std::vector<std::uint32_t> all;
  if (!is(Tok::RParen)) {
    do all.push_back(expression());
    while (accept(Tok::Comma));
  }
  expect(Tok::RParen, "after the arguments");
  return list(all);
}

ExprRef Parser::postfix() {
  const std::uint32_t begin = token_.begin;
  ExprRef e = primary();
  bool callable = m_.exprs[e].kind == Ex::Word;
  while (true) {
    if (is(Tok::Dot)) {
      take();
      if (!is(Tok::Word)) unexpected("the name of a field");
      const Token word = take();
      const Name field = intern(word);
      e = node(Ex::Field, begin, e, field);
    } else if (is(Tok::LBracket)) {
      callable = false;
      take();
      const Commas commas(*this, false);
      const ExprRef index = expression();
      expect(Tok::RBracket, "after the index");
      e = node(Ex::Index, begin, e, index);
    } else if (is(Tok::LParen) && callable) {
      callable = false;
      const std::uint32_t all = arguments();
      e = node(Ex::Call, begin, e, all);
    } else {
      return e;
    }
  }
}

// ----- operands

ExprRef Parser::primary() {
  const std::uint32_t begin = token_.begin;
  switch (token_.kind) {
    case Tok::Int:
      return number_literal();
    case Tok::Percent:
      take();
      return node(Ex::Percent, begin);
    case Tok::Time:
      return time_literal();
    case Tok::String:
      take();
      return node(Ex::String, begin);
    case Tok::Word:
      return word_primary();
    case Tok::LBrace:
      return braces();
    case Tok::LParen:
      return parentheses();
    case Tok::Bar: {
      const Nesting nesting(*this);
      take();
      const ExprRef inner = expression();
      expect(Tok::Bar, "after the set whose elements are counted");
      return node(Ex::Card, begin, inner);
    }
    case Tok::Decimal:
      unexpected("an expression",
                 "an amount needs its currency: EUR " + std::string(lexer_.text(token_)));
    case Tok::Bad:
      throw Panic{};  // the lexer has spoken
    case Tok::Gt:
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
  if (!is(Tok::Word)) return node(Ex::Int, begin);
  const std::string_view word = lexer_.text(token_);
  if (const std::uint32_t period = period_number(word); period != kNone) {
    const ExprRef count = node(Ex::Int, begin);
    take();
    return node(Ex::Term, begin, count, period);
  }
  const std::uint32_t month = month_number(word);
  if (month == 0) return node(Ex::Int, begin);
  const std::uint32_t day = small(number);
  take();
  std::uint32_t year = kNone;
  if (is(Tok::Int)) year = small(take());
  static constexpr std::array<std::uint32_t, 12> kDays = {31, 29, 31, 30, 31, 30,
                                                          31, 31, 30, 31, 30, 31};
  const bool leap = year == kNone || (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
  const std::uint32_t longest = month == 2 && !leap ? 28 : kDays[month - 1];
  if (day < 1 || day > longest) {
    report("rebel-005", since(begin), "there is no such day",
           std::string(word) + " has " + std::to_string(longest) + " days" +
               (month == 2 && !leap ? " in that year" : ""));
  }
  const ExprRef date = node(Ex::Date, begin, day, month, year);
  if (is(Tok::Comma) && ahead(1).kind == Tok::Time) {
    take();
    const ExprRef time = time_literal();
    return node(Ex::DateTime, begin, date, time);
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
  return node(Ex::Time, token.begin, parts[0] * 3600 + parts[1] * 60 + parts[2]);
}

ExprRef Parser::word_primary() {
  const std::uint32_t begin = token_.begin;
  const std::string_view word = lexer_.text(token_);
  const Token after = ahead(1);
  if (word == "True" || word == "False") {
    take();
    const ExprRef e = node(Ex::Bool, begin, word == "True" ? 1 : 0);
    return e;
  }
  if (word == "this") return take(), node(Ex::This, begin);
  if (word == "now") return take(), node(Ex::Now, begin);
  if (word == "it") return take(), node(Ex::It, begin);
  if (word == "Inf") return take(), node(Ex::Inf, begin);
  if (word == "ANY") return take(), node(Ex::Any, begin);
  if (is_currency(word) && (after.kind == Tok::Decimal || after.kind == Tok::Int)) {
    const Name currency = intern(take());
    const Token amount = take();
    if (amount.kind == Tok::Int) {
      const std::string decimals = decimals_behind_comma(amount);
      report("rebel-007", since(begin), "an amount of money needs two or three decimals",
             "write " + std::string(word) + " " + std::string(lexer_.text(amount)) + decimals);
      return node(Ex::Bad, begin);
    }
    const std::string_view digits = lexer_.text(amount);
    if (digits.size() - digits.find('.') == 4) m_.three_decimals = true;
    return node(Ex::Money, begin, currency, amount.begin, amount.end);
  }
  if ((word == "fixed" && after.kind == Tok::Percent) ||
      (word == "norm" && after.kind == Tok::Word &&
       (is_word(after, "EURIBOR") || is_word(after, "AIRBOR") || is_word(after, "LIBOR") ||
        is_word(after, "INGBASIS") || is_word(after, "LIMITBASED")))) {
    take();
    take();
    return node(Ex::Tariff, begin);
  }
  if ((word == "forall" || word == "exists") && after.kind == Tok::Word &&
      ahead(2).kind == Tok::Colon) {
    return quantifier(word == "forall" ? Ex::Forall : Ex::Exists);
  }
  if (word == "in" || word == "instate" || word == "case") unexpected("an expression");
  const Token token = take();
  return node(Ex::Word, begin, intern(token));
}

std::uint32_t Parser::conditions(Tok close) {
  std::vector<std::uint32_t> all;
  if (!is(close) || close == Tok::End) {
    do all.push_back(expression());
    while (accept(Tok::Comma));
  }
  return list(all);
}

ExprRef Parser::quantifier(Ex kind) {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  take();
  Extent variable_at;
  const Name variable = declared_name("the variable of a quantifier", &variable_at);
  expect(Tok::Colon, "between the variable and its set");
  const ExprRef set = sum();
  expect(Tok::Bar, "between the set and the condition");
  // The body reaches as far to the right as it can; further conditions follow after commas, but in
  // an argument list a comma ends the quantifier.
  std::vector<std::uint32_t> body{expression()};
  while (is(Tok::Comma) && commas_) {
    take();
    body.push_back(expression());
  }
  const std::uint32_t all = list(body);
  return bound(node(kind, begin, variable, set, all), variable_at);
}

ExprRef Parser::braces() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  expect(Tok::LBrace, "");
  const Commas commas(*this, false);
  if (is(Tok::Ellipsis)) unexpected("an expression");
  if (is(Tok::Word) && ahead(1).kind == Tok::Colon) {
    Extent variable_at;
    const Name variable = declared_name("the variable of a comprehension", &variable_at);
    take();
    const ExprRef set = sum();
    expect(Tok::Bar, "between the set and the condition");
    const std::uint32_t all = conditions(Tok::RBrace);
    expect(Tok::RBrace, "after the condition");
    return bound(node(Ex::Comprehension, begin, variable, set, all), variable_at);
  }
  std::vector<std::uint32_t> elements;
  if (!is(Tok::RBrace)) {
    elements.push_back(expression());
    if (accept(Tok::DotDot)) {
      const ExprRef last = expression();
      expect(Tok::RBrace, "after the range");
      return node(Ex::Interval, begin, elements[0], last);
    }
    while (accept(Tok::Comma)) elements.push_back(expression());
  }
  expect(Tok::RBrace, "after the elements of a set");
  const std::uint32_t all = list(elements);
  return node(Ex::Set, begin, all);
}

ExprRef Parser::parentheses() {
  const Nesting nesting(*this);
  const Commas commas(*this, true);
  const std::uint32_t begin = token_.begin;
  take();
  if (accept(Tok::RParen)) {
    const std::uint32_t none = list({});
    return node(Ex::MapOf, begin, none);
  }
  const ExprRef first = expression();
  if (accept(Tok::Colon)) {
    const Commas inner(*this, false);
    std::vector<std::uint32_t> entries{first, expression()};
    while (accept(Tok::Comma)) {
      entries.push_back(expression());
      expect(Tok::Colon, "between a key and its value");
      entries.push_back(expression());
    }
    expect(Tok::RParen, "after the entries of a map");
    const std::uint32_t all = list(entries);
    return node(Ex::MapOf, begin, all);
  }
  expect(Tok::RParen, "after the expression in parentheses");
  m_.exprs[first].flag = true;
  return first;
}

}  // namespace whittle::rebel
