// SPDX-License-Identifier: Apache-2.0
// Properties of runs in test modules: `ltl`, `recoverable` and `fair`. A formula of temporal logic
// is an expression with operators that bind weaker than comparisons, loosest first:
//   ? :    <->    ->    ||    &&    until ... (right)    [] <> next ! not ...    comparison
#include "expr/number.h"
#include "frontend/expression/operator_table.h"
#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

namespace {

using frontend::SyntaxKind;

std::optional<ExprKind> prefix_kind(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Always:
      return ExprKind::Always;
    case SyntaxKind::Eventually:
      return ExprKind::Eventually;
    case SyntaxKind::NextState:
      return ExprKind::NextState;
    case SyntaxKind::Once:
      return ExprKind::Once;
    case SyntaxKind::Historically:
      return ExprKind::Historically;
    default:
      return std::nullopt;
  }
}

std::optional<ExprKind> infix_kind(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::Until:
      return ExprKind::Until;
    case SyntaxKind::WeakUntil:
      return ExprKind::WeakUntil;
    case SyntaxKind::Release:
      return ExprKind::Release;
    case SyntaxKind::Since:
      return ExprKind::Since;
    default:
      return std::nullopt;
  }
}

bool joins(ExprKind kind) {
  return kind == ExprKind::And || kind == ExprKind::Or || kind == ExprKind::Implies ||
         kind == ExprKind::Iff || kind == ExprKind::Until || kind == ExprKind::WeakUntil ||
         kind == ExprKind::Release || kind == ExprKind::Since;
}

}  // namespace

// What the shared grammar of patterns reads from.
class Parser::Formulas final : public frontend::FormulaReader {
 public:
  explicit Formulas(Parser& parser) : parser_(parser) {}

  bool is_word(std::string_view word, std::size_t ahead) override {
    return parser_.is_word(parser_.ahead(static_cast<int>(ahead)), word);
  }
  bool is_comma() override { return parser_.is(TokenKind::Comma); }
  bool is_connective() override {
    return parser_.is(TokenKind::AndAnd) || parser_.is(TokenKind::OrOr) ||
           parser_.is(TokenKind::Arrow) || parser_.is(TokenKind::FatArrow) || parser_.at_iff();
  }
  void skip() override { parser_.take(); }
  std::optional<std::int64_t> number(std::int64_t most) override {
    if (!parser_.is(TokenKind::Int)) return std::nullopt;
    const auto number = Integer::parse(parser_.lexer_.text(parser_.token_));
    const auto small = number ? number->to_int64() : std::nullopt;
    if (!small || *small > most) return std::nullopt;
    parser_.take();
    return small;
  }
  std::optional<frontend::SyntaxId> formula(bool argument) override {
    return argument ? parser_.formula_unary() : parser_.formula();
  }
  bool is_joined(frontend::SyntaxId formula, std::uint32_t) override {
    const ExprNode& n = parser_.m_.expr(formula);
    return joins(n.kind) && !n.flag;
  }
  std::uint32_t place() override { return parser_.token_.begin; }
  // On one line, without comments.
  std::string text_since(std::uint32_t first) override {
    std::string result;
    std::uint32_t end = first;
    for (Token t = parser_.lexer_.next(first); t.end <= parser_.last_end_ && t.begin < t.end;
         t = parser_.lexer_.next(t.end)) {
      if (t.begin > end) result += ' ';
      result += parser_.lexer_.text(t);
      end = t.end;
    }
    return result;
  }
  Span span() override { return parser_.m_.span(parser_.here()); }
  Span span_since(std::uint32_t first) override { return parser_.m_.span(parser_.since(first)); }
  void report_expected(std::string_view what, std::string_view hint) override {
    parser_.unexpected(what, std::string(hint));
  }
  Diagnostics& diagnostics() override { return parser_.diagnostics_; }

 private:
  Parser& parser_;
};

// While one is alive the operators of temporal logic are read.
class Parser::FormulaMode {
 public:
  explicit FormulaMode(Parser& parser) : parser_(parser), commas_(parser, false) {
    parser_.formula_ = true;
    parser_.lexer_.read_formulas(true);
  }
  ~FormulaMode() {
    parser_.formula_ = false;
    parser_.lexer_.read_formulas(false);
  }
  FormulaMode(const FormulaMode&) = delete;
  FormulaMode& operator=(const FormulaMode&) = delete;

 private:
  Parser& parser_;
  Commas commas_;
};

bool Parser::at_runs() {
  if (!m_.test || !is(TokenKind::Word)) return false;
  const Token after = ahead(1);
  if (after.kind != TokenKind::Word) return false;
  if (is_word("fair")) return ahead(2).kind == TokenKind::Dot;
  if (is_word("strong")) return is_word(after, "fair");
  return is_word("ltl") || is_word("recoverable");
}

void Parser::runs() {
  if (is_word("ltl")) return ltl();
  if (is_word("recoverable")) return recoverable();
  fairness();
}

// `NAME with CONFIGURATION`
void Parser::runs_head(RunsAst& result) {
  take();
  result.name = declared_name("the name of the property", &result.name_at);
  expect_word("with", "after the name: a configuration says who exists, as in 'ltl paid with two'");
  result.setup = declared_name("the name of a configuration", &result.setup_at);
}

void Parser::ltl() {
  RunsAst result;
  const std::uint32_t begin = token_.begin;
  {
    const FormulaMode mode(*this);
    Formulas formulas(*this);
    runs_head(result);
    result.first = static_cast<ExprRef>(m_.exprs.size());
    if (accept_word("assuming") && !parse_assumption(formulas, result.runs)) throw Panic{};
    expect(TokenKind::Colon, "before the formula");
    if (!parse_demand(formulas, result.runs)) throw Panic{};
    result.expected = expectation();
  }
  expect(TokenKind::Semicolon, "after the formula");
  result.at = since(begin);
  m_.runs.push_back(std::move(result));
}

void Parser::recoverable() {
  RunsAst result;
  result.recoverable = true;
  const std::uint32_t begin = token_.begin;
  runs_head(result);
  expect(TokenKind::Colon, "before the condition");
  result.first = static_cast<ExprRef>(m_.exprs.size());
  result.runs.formula = expression();
  result.expected = expectation();
  expect(TokenKind::Semicolon, "after the condition");
  result.at = since(begin);
  m_.runs.push_back(std::move(result));
}

// `fair Account.close;`
void Parser::fairness() {
  FairAst result;
  const std::uint32_t begin = token_.begin;
  result.strong = accept_word("strong");
  take();
  const QName whole = qualified_name("the name of a specification");
  if (!whole.qualified())
    unexpected("'.' and the name of an event", "write, for example: fair Account.close;");
  result.event = whole.simple;
  const std::string_view full = names_.text(whole.full);
  std::string spec(full.substr(0, full.size() - names_.text(whole.simple).size() - 1));
  const std::size_t dot = spec.rfind('.');
  result.event_at = {whole.at.end - static_cast<std::uint32_t>(names_.text(whole.simple).size()),
                     whole.at.end};
  result.spec.at = {whole.at.begin, result.event_at.begin - 1};
  result.spec.simple = names_.intern_copy(dot == std::string::npos ? spec : spec.substr(dot + 1));
  result.spec.full =
      dot == std::string::npos ? result.spec.simple : names_.intern_copy(std::move(spec));
  expect(TokenKind::Semicolon, "after the event");
  result.at = since(begin);
  m_.fair.push_back(result);
}

// ----- formulas

// `<->` is read as `<` and `->`, which stand side by side in no expression.
bool Parser::at_iff() {
  const Token after = is(TokenKind::Lt) ? ahead(1) : Token();
  return after.kind == TokenKind::Arrow && after.begin == token_.end;
}

ExprRef Parser::formula() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  ExprRef left = formula_implication();
  for (int count = 0; at_iff(); ++count) {
    if (count > kMaxDepth) {
      report("parse-003", here(), "nested too deeply");
      throw Panic{};
    }
    take();
    take();
    const ExprRef right = formula_implication();
    left = node(ExprKind::Iff, begin, left, right);
  }
  if (!is(TokenKind::Question)) return left;
  take();
  const ExprRef yes = formula();
  expect(TokenKind::Colon, "between the branches of a conditional");
  const ExprRef no = formula();
  return node(ExprKind::Cond, begin, left, yes, no);
}

ExprRef Parser::formula_implication() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const ExprRef left = formula_disjunction();
  if (!is(TokenKind::Arrow) && !is(TokenKind::FatArrow)) return left;
  take();
  const ExprRef right = formula_implication();
  return node(ExprKind::Implies, begin, left, right);
}

ExprRef Parser::formula_disjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = formula_conjunction();
  while (accept(TokenKind::OrOr) || accept_word("or")) {
    const ExprRef right = formula_conjunction();
    left = node(ExprKind::Or, begin, left, right);
  }
  return left;
}

ExprRef Parser::formula_conjunction() {
  const std::uint32_t begin = token_.begin;
  ExprRef left = formula_binary();
  while (accept(TokenKind::AndAnd) || accept_word("and")) {
    const ExprRef right = formula_binary();
    left = node(ExprKind::And, begin, left, right);
  }
  return left;
}

ExprRef Parser::formula_binary() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const ExprRef left = formula_unary();
  const auto word = is(TokenKind::Word) ? frontend::temporal_word(lexer_.text(token_))
                                        : std::optional<SyntaxKind>();
  const auto kind = word ? infix_kind(*word) : std::optional<ExprKind>();
  if (!kind) return left;
  take();
  const ExprRef right = formula_binary();
  return node(*kind, begin, left, right);
}

// The operator in front of a formula, which is taken; Bad: none stands there.
ExprKind Parser::formula_prefix() {
  const Token after = ahead(1);
  if (is(TokenKind::LBracket) && after.kind == TokenKind::RBracket) {
    take();
    take();
    return ExprKind::Always;
  }
  if (is(TokenKind::Lt) && after.kind == TokenKind::Gt && after.begin == token_.end) {
    take();
    take();
    return ExprKind::Eventually;
  }
  if (accept(TokenKind::Box)) return ExprKind::Always;
  if (accept(TokenKind::Diamond)) return ExprKind::Eventually;
  if (accept(TokenKind::Bang) || accept_word("not")) return ExprKind::Not;
  if (!is(TokenKind::Word)) return ExprKind::Bad;
  const auto word = frontend::temporal_word(lexer_.text(token_));
  const auto kind = word ? prefix_kind(*word) : std::optional<ExprKind>();
  // `F[1]` and `G.open` are names.
  const bool named = after.kind == TokenKind::Dot ||
                     (after.kind == TokenKind::LBracket && ahead(2).kind != TokenKind::RBracket);
  if (!kind || named) return ExprKind::Bad;
  take();
  return *kind;
}

ExprRef Parser::formula_unary() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  const ExprKind kind = formula_prefix();
  if (kind == ExprKind::Bad) return negation();
  const ExprRef operand = formula_unary();
  return node(kind, begin, operand);
}

}  // namespace whittle::rebel
