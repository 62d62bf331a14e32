// SPDX-License-Identifier: Apache-2.0
// Precedence climbing. What stands in parentheses is an application if it begins with an operator;
// for `-` and `not`, which are operators in front of an infix expression as well, only if two
// operands stand side by side in it. Formulas of temporal logic are expressions with more
// operators, all of them weaker than comparisons.
#include "frontend/fcl/expression_parser.h"

#include <fmt/format.h>

namespace whittle::fcl {

namespace {

using frontend::SyntaxKind;
using frontend::TokenKind;

// Strengths are those of formulas everywhere (expression/operator_table.h).
constexpr unsigned kMaxDepth = 300;
constexpr unsigned kNotLevel = frontend::kUnaryFormulaStrength;
constexpr unsigned kNegateLevel = frontend::kNegateStrength;

struct OperatorInfo {
  Operator op;
  std::string_view text;
  unsigned level;  // of infix operators
  Arity arity;
};

constexpr OperatorInfo kOperators[] = {
    {Operator::Or, "or", 3, {2, 1000}},        {Operator::And, "and", 4, {2, 1000}},
    {Operator::Not, "not", 0, {1, 1}},         {Operator::Equal, "=", 8, {2, 2}},
    {Operator::NotEqual, "!=", 8, {2, 2}},     {Operator::Less, "<", 8, {2, 2}},
    {Operator::LessEqual, "<=", 8, {2, 2}},    {Operator::Greater, ">", 8, {2, 2}},
    {Operator::GreaterEqual, ">=", 8, {2, 2}}, {Operator::Add, "+", 10, {2, 1000}},
    {Operator::Subtract, "-", 10, {1, 2}},     {Operator::Multiply, "*", 11, {2, 1000}},
    {Operator::Divide, "/", 11, {2, 2}},       {Operator::Remainder, "%", 11, {2, 2}},
    {Operator::Negate, "-", 0, {1, 1}},        {Operator::IsNull, "null?", 0, {1, 1}},
    {Operator::Car, "car", 0, {1, 1}},         {Operator::Cdr, "cdr", 0, {1, 1}},
    {Operator::Cons, "cons", 0, {2, 2}},       {Operator::Even, "even?", 0, {1, 1}},
    {Operator::Odd, "odd?", 0, {1, 1}},        {Operator::Choice, "?", 0, {1, 1000}},
};

const OperatorInfo* info_of(Operator op) {
  for (const OperatorInfo& info : kOperators)
    if (info.op == op) return &info;
  return nullptr;
}

// None: no operator that joins or qualifies formulas.
std::optional<Operator> operator_of(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Iff:
      return Operator::Iff;
    case SyntaxKind::Implies:
      return Operator::Implies;
    case SyntaxKind::Or:
      return Operator::Or;
    case SyntaxKind::And:
      return Operator::And;
    case SyntaxKind::Not:
      return Operator::Not;
    case SyntaxKind::Always:
      return Operator::Always;
    case SyntaxKind::Eventually:
      return Operator::Eventually;
    case SyntaxKind::NextState:
      return Operator::NextState;
    case SyntaxKind::Once:
      return Operator::Once;
    case SyntaxKind::Historically:
      return Operator::Historically;
    case SyntaxKind::Until:
      return Operator::Until;
    case SyntaxKind::WeakUntil:
      return Operator::WeakUntil;
    case SyntaxKind::Release:
      return Operator::Release;
    case SyntaxKind::Since:
      return Operator::Since;
    default:
      return std::nullopt;
  }
}

bool stops(const frontend::TokenReader&, std::size_t) { return false; }

}  // namespace

Arity arity(Operator op) {
  const OperatorInfo* info = info_of(op);
  return info == nullptr ? Arity{0, 0} : info->arity;
}

std::string_view spelling(Operator op) {
  const OperatorInfo* info = info_of(op);
  return info == nullptr ? "" : info->text;
}

unsigned binding(Operator op) {
  if (op == Operator::Not) return kNotLevel;
  if (op == Operator::Negate) return kNegateLevel;
  const OperatorInfo* info = info_of(op);
  return info == nullptr ? 0 : info->level;
}

// The operator whose spelling stands there; `-` is a difference.
std::optional<Operator> ExpressionParser::operator_at(std::size_t ahead) const {
  const TokenKind kind = reader_.peek(ahead).kind;
  if (kind == TokenKind::NotEqual) return Operator::NotEqual;
  const bool may_be =
      kind == TokenKind::Word || kind == TokenKind::Assign || kind == TokenKind::Less ||
      kind == TokenKind::LessEqual || kind == TokenKind::Greater ||
      kind == TokenKind::GreaterEqual || kind == TokenKind::Plus || kind == TokenKind::Minus ||
      kind == TokenKind::Star || kind == TokenKind::Slash || kind == TokenKind::Percent;
  if (!may_be) return std::nullopt;
  for (const OperatorInfo& info : kOperators)
    if (info.op != Operator::Choice && info.text == reader_.text(ahead)) return info.op;
  return std::nullopt;
}

// Nothing stands between this token and the next one.
bool ExpressionParser::adjacent(std::size_t ahead) const {
  return reader_.peek(ahead).end == reader_.peek(ahead + 1).begin;
}

// Two operands side by side, up to the parenthesis that closes.
bool ExpressionParser::lists_operands(std::size_t ahead) const {
  int depth = 0;
  bool behind_operand = false;
  for (;; ++ahead) {
    const TokenKind kind = reader_.peek(ahead).kind;
    if (kind == TokenKind::End || kind == TokenKind::Semicolon) return false;
    const bool opens = kind == TokenKind::OpenParen || kind == TokenKind::OpenBracket;
    const bool closes = kind == TokenKind::CloseParen || kind == TokenKind::CloseBracket;
    if (depth == 0) {
      if (closes) return false;
      const bool word = kind == TokenKind::Word && !operator_at(ahead);
      const bool choice = word && reader_.text(ahead) == "?" && adjacent(ahead) &&
                          reader_.is(TokenKind::OpenParen, ahead + 1);
      const bool starts =
          word || opens || kind == TokenKind::Integer ||
          (kind == TokenKind::Word && operator_at(ahead) && binding(*operator_at(ahead)) == 0);
      if (starts && behind_operand) return true;
      behind_operand = !choice && (word || kind == TokenKind::Integer);
    }
    if (opens) ++depth;
    if (closes && --depth == 0) behind_operand = true;
  }
}

ExprId ExpressionParser::add(Operator op, std::vector<ExprId> operands, std::uint32_t begin) {
  Expression e;
  e.op = op;
  e.first = operands.empty() ? static_cast<ExprId>(expressions_.size())
                             : expressions_[operands.front()].first;
  e.operands = std::move(operands);
  e.span = {reader_.tree().file(), begin, reader_.after_previous().end};
  expressions_.push_back(std::move(e));
  return static_cast<ExprId>(expressions_.size() - 1);
}

std::optional<ExprId> ExpressionParser::parse(bool places) {
  places_ = places;
  return infix(1, 0);
}

std::optional<ExprId> ExpressionParser::formula(bool argument, const std::string& letters) {
  places_ = true;
  letters_ = &letters;
  const Parsed result = infix(argument ? kNotLevel : 1, 0);
  letters_ = nullptr;
  return result;
}

std::optional<frontend::OperatorInfo> ExpressionParser::joins_formulas() const {
  if (letters_ == nullptr) return std::nullopt;
  const auto info = frontend::infix_of_formula(reader_, *letters_);
  return info && operator_of(info->kind) ? info : std::nullopt;
}

// `[]`, `next`, `!` in front of a formula.
std::optional<ExprId> ExpressionParser::prefixed(const frontend::OperatorInfo& info,
                                                 unsigned depth) {
  const std::uint32_t begin = reader_.peek().begin;
  for (std::size_t i = 0; i < info.tokens; ++i) reader_.skip();
  const Parsed operand = infix(kNotLevel, depth + 1);
  return operand ? Parsed(add(*operator_of(info.kind), {*operand}, begin)) : std::nullopt;
}

// At an operator of temporal logic outside of formulas, which is reported then.
bool ExpressionParser::refuse_temporal() {
  if (letters_ != nullptr) return false;
  const bool box = reader_.is(TokenKind::OpenBracket) && reader_.is(TokenKind::CloseBracket, 1);
  if (!box && !reader_.is(TokenKind::Box) && !reader_.is(TokenKind::LessGreater)) return false;
  reader_.diagnostics().report(
      "ltl-002", reader_.span(),
      fmt::format("{} is an operator of temporal logic; here a condition is needed",
                  box ? "`[]`" : frontend::shown(reader_.tree(), reader_.peek())),
      "properties of runs are written `ltl name: formula`");
  return true;
}

// A letter that would be an operator, if the program did not have it as a name.
void ExpressionParser::warn_of_letter() {
  if (letters_ == nullptr || warned_ || reader_.text().size() != 1 ||
      letters_->find(reader_.text()) == std::string::npos ||
      !frontend::begins_operand(reader_, &stops))
    return;
  const auto meant = frontend::temporal_word(reader_.text());
  if (!meant) return;
  warned_ = true;
  reader_.diagnostics().report(
      "ltl-004", reader_.span(),
      fmt::format("`{}` is a name of the program here, not an operator", reader_.text()),
      fmt::format("the operator is also written `{}`", frontend::operator_text(*meant)));
}

// `halt` without brackets.
std::optional<ExprId> ExpressionParser::halt() {
  const std::uint32_t begin = reader_.peek().begin;
  reader_.skip();
  const ExprId id = add(Operator::Place, {}, begin);
  expressions_[id].name = "halt";
  return id;
}

std::optional<ExprId> ExpressionParser::infix(unsigned level, unsigned depth) {
  if (depth > kMaxDepth) {
    reader_.diagnostics().report("parse-003", reader_.span(), "an expression is nested too deeply");
    return std::nullopt;
  }
  const std::uint32_t begin = reader_.peek().begin;
  Parsed left;
  const bool applies = adjacent(0) && reader_.is(TokenKind::OpenParen, 1);
  const auto prefix = letters_ == nullptr || reader_.is_word("not")
                          ? std::nullopt
                          : frontend::prefix_of_formula(reader_, *letters_);
  if (prefix && level <= kNotLevel) {
    left = prefixed(*prefix, depth);
  } else if (reader_.is_word("not") && level <= kNotLevel && !applies) {
    reader_.skip();
    left = infix(kNotLevel, depth + 1);
    if (left) left = add(Operator::Not, {*left}, begin);
  } else if (reader_.is(TokenKind::Minus) && !(applies && lists_operands(2))) {
    reader_.skip();
    left = infix(kNegateLevel, depth + 1);
    if (left) left = add(Operator::Negate, {*left}, begin);
  } else {
    left = operand(depth);
  }
  while (left) {
    if (const auto joins = joins_formulas()) {
      const auto strength = static_cast<unsigned>(joins->strength);
      if (strength < level) break;
      for (std::size_t i = 0; i < joins->tokens; ++i) reader_.skip();
      const Parsed right = infix(joins->right ? strength : strength + 1, depth + 1);
      if (!right) return std::nullopt;
      left = add(*operator_of(joins->kind), {*left, *right}, begin);
      continue;
    }
    const std::optional<Operator> op = operator_at(0);
    if (!op || binding(*op) == 0 || *op == Operator::Not || binding(*op) < level) break;
    // Comparisons do not associate.
    const unsigned strength = binding(*op);
    reader_.skip();
    const Parsed right = infix(strength + 1, depth + 1);
    if (!right) return std::nullopt;
    left = add(*op, {*left, *right}, begin);
    if (strength == binding(Operator::Equal) && operator_at(0) &&
        binding(*operator_at(0)) == strength) {
      reader_.diagnostics().report("parse-006", reader_.span(),
                                   "comparisons in a chain need parentheses");
      return std::nullopt;
    }
  }
  return left;
}

std::optional<ExprId> ExpressionParser::number() {
  const std::uint32_t begin = reader_.peek().begin;
  const bool negative = reader_.accept(TokenKind::Minus);
  const Integer value = Integer::parse(reader_.text()).value_or(Integer());
  reader_.skip();
  const ExprId id = add(Operator::Integer, {}, begin);
  expressions_[id].number = negative ? -value : value;
  return id;
}

std::optional<ExprId> ExpressionParser::operand(unsigned depth) {
  const std::uint32_t begin = reader_.peek().begin;
  if (reader_.is(TokenKind::Integer)) return number();
  if (reader_.is(TokenKind::OpenParen)) return parenthesised(depth + 1);
  if (refuse_temporal()) return std::nullopt;
  if (places_ && reader_.is(TokenKind::OpenBracket)) return bracketed(depth + 1);
  const bool applies = adjacent(0) && reader_.is(TokenKind::OpenParen, 1);
  if (reader_.is_word("?")) {
    reader_.skip();
    if (!applies) return add(Operator::Any, {}, begin);
    reader_.skip();
    return application(Operator::Choice, begin, depth + 1);
  }
  if (const std::optional<Operator> op = operator_at(0)) {
    if (applies) {
      reader_.skip();
      reader_.skip();
      return application(*op, begin, depth + 1);
    }
    reader_.report_expected(
        "an operand", fmt::format("write `{}(a b)` or `({} a b)` for an application", spelling(*op),
                                  spelling(*op)));
    return std::nullopt;
  }
  if (letters_ != nullptr && reader_.is_word("halt")) return halt();
  if (reader_.is(TokenKind::Word) && !reader_.is_word("then") && !reader_.is_word("else")) {
    warn_of_letter();
    std::string name(reader_.text());
    reader_.skip();
    const ExprId id = add(Operator::Name, {}, begin);
    expressions_[id].name = std::move(name);
    return id;
  }
  reader_.report_expected("an expression");
  return std::nullopt;
}

std::optional<ExprId> ExpressionParser::parenthesised(unsigned depth) {
  const std::uint32_t begin = reader_.peek().begin;
  reader_.skip();
  if (const std::optional<Operator> op = operator_at(0)) {
    const bool also_infix = *op == Operator::Subtract || *op == Operator::Not;
    const bool inner = adjacent(0) && reader_.is(TokenKind::OpenParen, 1);
    if ((!also_infix && !inner) || lists_operands(0)) {
      reader_.skip();
      return application(*op, begin, depth);
    }
  }
  const Parsed inside = infix(1, depth);
  if (!inside || !reader_.expect(TokenKind::CloseParen)) return std::nullopt;
  return inside;
}

// Behind the opening parenthesis, or behind the operator inside of it.
std::optional<ExprId> ExpressionParser::application(Operator op, std::uint32_t begin,
                                                    unsigned depth) {
  std::vector<ExprId> operands;
  while (!reader_.accept(TokenKind::CloseParen)) {
    if (reader_.at_end()) {
      reader_.report_expected("`)`");
      return std::nullopt;
    }
    const Parsed next = argument(depth);
    if (!next) return std::nullopt;
    operands.push_back(*next);
  }
  const Arity allowed = arity(op);
  if (operands.size() < allowed.least || operands.size() > allowed.most) {
    const std::size_t count = operands.size();
    reader_.diagnostics().report(
        "fcl-006", {reader_.tree().file(), begin, reader_.after_previous().end},
        fmt::format("`{}` has {} operand{} here", spelling(op), count, count == 1 ? "" : "s"),
        allowed.least == allowed.most ? fmt::format("it takes {}", allowed.least)
                                      : fmt::format("it takes at least {}", allowed.least));
    return std::nullopt;
  }
  if (op == Operator::Subtract && operands.size() == 1) op = Operator::Negate;
  return add(op, std::move(operands), begin);
}

// Operands stand side by side, so that a minus belongs to the number that it touches.
std::optional<ExprId> ExpressionParser::argument(unsigned depth) {
  if (reader_.is(TokenKind::Minus) && adjacent(0) && reader_.is(TokenKind::Integer, 1))
    return number();
  return operand(depth);
}

std::optional<ExprId> ExpressionParser::bracketed(unsigned depth) {
  const std::uint32_t begin = reader_.peek().begin;
  reader_.skip();
  const std::size_t length = label_length();
  const bool halt = reader_.is_word("halt") && reader_.is(TokenKind::CloseBracket, 1);
  if (halt || (length > 0 && reader_.is(TokenKind::Dot, length))) {
    const Name place = label();
    Integer number;
    if (!halt) {
      reader_.skip();
      if (!reader_.is(TokenKind::Integer)) {
        reader_.report_expected("the number of a statement", "as in `[loop.2]`");
        return std::nullopt;
      }
      number = Integer::parse(reader_.text()).value_or(Integer());
      reader_.skip();
    }
    if (!reader_.expect(TokenKind::CloseBracket)) return std::nullopt;
    const ExprId id = add(Operator::Place, {}, begin);
    expressions_[id].name = place.text;
    expressions_[id].number = number;
    return id;
  }
  const Parsed inside = infix(1, depth);
  if (!inside || !reader_.expect(TokenKind::CloseBracket)) return std::nullopt;
  return inside;
}

std::size_t ExpressionParser::label_length(std::size_t ahead) const {
  if (!reader_.is(TokenKind::Word, ahead) || reader_.text(ahead) == "?") return 0;
  std::size_t length = 1;
  while (adjacent(ahead + length - 1) && reader_.is(TokenKind::Minus, ahead + length) &&
         adjacent(ahead + length) &&
         (reader_.is(TokenKind::Word, ahead + length + 1) ||
          reader_.is(TokenKind::Integer, ahead + length + 1)))
    length += 2;
  return length;
}

Name ExpressionParser::label(std::string_view hint) {
  const std::size_t length = label_length();
  if (length == 0) {
    reader_.report_expected("a label", hint);
    return {};
  }
  Name result{"", {reader_.tree().file(), reader_.peek().begin, reader_.peek(length - 1).end}};
  for (std::size_t i = 0; i < length; ++i) {
    result.text += reader_.text();
    reader_.skip();
  }
  return result;
}

}  // namespace whittle::fcl
