// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression/expectation_clause.h"
#include "frontend/fcl/expression_parser.h"

namespace whittle::fcl {

namespace {

using frontend::SyntaxTree;
using frontend::TokenKind;
using frontend::TokenReader;

constexpr std::string_view kDeclarations[] = {"input",  "init",  "enum", "var",
                                              "safety", "reach", "ltl",  "recoverable"};

// The single letters among the operators of formulas that the program has as names.
std::string letters_of(const SyntaxTree& tree, std::uint32_t end) {
  std::string letters;
  for (std::uint32_t i = 0; i < end; ++i) {
    const std::string_view text = tree.text(tree.token(i));
    if (tree.token(i).kind == TokenKind::Word && text.size() == 1 && frontend::temporal_word(text))
      letters += text;
  }
  return letters;
}

class FormulasOfText final : public frontend::TokenFormulaReader {
 public:
  FormulasOfText(TokenReader& reader, ExpressionParser& expressions,
                 const std::vector<Expression>& nodes, const std::string& letters)
      : TokenFormulaReader(reader), expressions_(expressions), nodes_(nodes), letters_(letters) {}

  std::optional<frontend::SyntaxId> formula(bool argument) override {
    return expressions_.formula(argument, letters_);
  }
  bool is_joined(frontend::SyntaxId formula, std::uint32_t first) override {
    switch (nodes_[formula].op) {
      case Operator::And:
      case Operator::Or:
      case Operator::Implies:
      case Operator::Iff:
      case Operator::Until:
      case Operator::WeakUntil:
      case Operator::Release:
      case Operator::Since:
        return !is_parenthesised(first);
      default:
        return false;
    }
  }

 private:
  ExpressionParser& expressions_;
  const std::vector<Expression>& nodes_;
  const std::string& letters_;
};

class Parser {
 public:
  Parser(SyntaxTree& tree, const std::vector<StatementNumber>& numbers, Diagnostics& diagnostics)
      : reader_(tree, diagnostics),
        numbers_(numbers),
        diagnostics_(diagnostics),
        expressions_(reader_, file_.expressions) {}

  File run() {
    const std::uint32_t begin = reader_.peek().begin;
    header();
    while (at_block() && !diagnostics_.saturated()) block();
    file_.span = from(begin);
    if (file_.blocks.empty() && !file_.hurt)
      fail(reader_.report_expected("a block", "as in `start: return;`"));
    letters_ = letters_of(reader_.tree(), reader_.index());
    while (!reader_.at_end() && !diagnostics_.saturated()) {
      const std::uint32_t at = reader_.index();
      if (declaration()) continue;
      if (reader_.index() == at) reader_.skip();
      while (!reader_.at_end() && !at_declaration()) reader_.skip();
    }
    for (const StatementNumber& n : numbers_) file_.numbers.push_back(n.span);
    return std::move(file_);
  }

 private:
  void fail(Diagnostic& diagnostic) {
    diagnostic.nature = Diagnostic::Nature::Unread;
    file_.hurt = true;
  }

  // `(m n) (init)`
  void header() {
    constexpr std::string_view kShape =
        "a program begins with its parameters and its first block, "
        "as in `(m n) (init)`";
    if (!reader_.expect(TokenKind::OpenParen, kShape)) {
      file_.hurt = true;
      return;
    }
    while (reader_.is(TokenKind::Word) && !reader_.is_word("?"))
      file_.parameters.push_back(reader_.expect_name("a parameter", false));
    bool fine = reader_.expect(TokenKind::CloseParen, kShape) &&
                reader_.expect(TokenKind::OpenParen, kShape);
    if (fine) {
      file_.start = expressions_.label(kShape);
      fine = !file_.start.text.empty() && reader_.expect(TokenKind::CloseParen, kShape);
    }
    if (!fine) {
      file_.hurt = true;
      while (!reader_.at_end() && !at_block()) reader_.skip();
    }
  }

  // ----- blocks

  [[nodiscard]] bool at_block() const {
    const std::size_t length = expressions_.label_length();
    return length > 0 && reader_.is(TokenKind::Colon, length);
  }

  void block() {
    Block result;
    std::vector<std::uint32_t> begins{reader_.index()};
    const std::uint32_t first = reader_.index();
    result.label = expressions_.label();
    reader_.skip();
    bool ended = false;
    bool hurt = false;
    while (!ended) {
      if (block_ends()) {
        // What jumps was perhaps not understood.
        if (!hurt)
          fail(reader_.report_expected("a statement", "a block ends with goto, return or if"));
        break;
      }
      Statement statement;
      const std::uint32_t begin = reader_.peek().begin;
      const bool fine = read_statement(statement);
      statement.span = from(begin);
      if (!fine) {
        file_.hurt = hurt = true;
        next_statement();
        continue;
      }
      ended = statement.kind != StatementKind::Assign && statement.kind != StatementKind::Skip;
      result.statements.push_back(std::move(statement));
      begins.push_back(reader_.index());
    }
    if (!hurt) number(result, first, begins);
    if (!result.statements.empty()) file_.blocks.push_back(std::move(result));
  }

  bool read_statement(Statement& result) {
    if (reader_.is_word("skip") && reader_.is(TokenKind::Semicolon, 1)) {
      reader_.skip();
      return ended(result, StatementKind::Skip);
    }
    if (reader_.is_word("return") && reader_.is(TokenKind::Semicolon, 1)) {
      reader_.skip();
      return ended(result, StatementKind::Return);
    }
    if (reader_.is(TokenKind::Word) && reader_.is(TokenKind::Becomes, 1)) {
      result.target = reader_.expect_name("a variable", false);
      reader_.skip();
      result.value = expressions_.parse(false);
      return result.value && ended(result, StatementKind::Assign);
    }
    if (reader_.accept_word("goto")) {
      result.target = expressions_.label();
      return !result.target.text.empty() && ended(result, StatementKind::Goto);
    }
    if (reader_.accept_word("if")) return branch(result);
    reader_.report_expected("a statement", "an assignment `x := e;`, skip, goto, return or if");
    return false;
  }

  bool branch(Statement& result) {
    result.value = expressions_.parse(false);
    if (!result.value) return false;
    constexpr std::string_view kShape = "as in `if x then yes else no;`";
    if (!reader_.expect_word("then", kShape)) return false;
    result.target = expressions_.label(kShape);
    if (result.target.text.empty() || !reader_.expect_word("else", kShape)) return false;
    result.otherwise = expressions_.label(kShape);
    return !result.otherwise.text.empty() && ended(result, StatementKind::If);
  }

  bool ended(Statement& result, StatementKind kind) {
    result.kind = kind;
    return reader_.expect(TokenKind::Semicolon);
  }

  [[nodiscard]] bool block_ends() const {
    return reader_.at_end() || at_block() || at_declaration();
  }

  // Past the next semicolon of the block.
  void next_statement() {
    while (!block_ends())
      if (reader_.accept(TokenKind::Semicolon))
        return;
      else
        reader_.skip();
  }

  // ----- numbers

  // Where a number stands for each statement they are theirs in turn; otherwise each belongs to the
  // statement in which or behind which it stands.
  void number(Block& block, std::uint32_t first, const std::vector<std::uint32_t>& begins) {
    std::vector<const StatementNumber*> own;
    for (const StatementNumber& n : numbers_)
      if (n.before > first && n.before <= begins.back()) own.push_back(&n);
    std::vector<const StatementNumber*> of(block.statements.size(), nullptr);
    if (own.size() == block.statements.size()) {
      of = own;
    } else {
      for (const StatementNumber* n : own) {
        std::size_t i = 0;
        while (i + 1 < of.size() && n->before > begins[i + 1]) ++i;
        if (i >= of.size()) continue;
        if (of[i] != nullptr)
          diagnostics_.report("fcl-004", n->span, "this statement has two numbers",
                              "a number is the last thing on a line of its statement");
        of[i] = n;
      }
    }
    std::uint64_t next = 1;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (of[i] != nullptr && of[i]->number < next)
        diagnostics_.report(
            "fcl-004", of[i]->span, fmt::format("the number {} does not rise", of[i]->number),
            fmt::format("in `{}` the next number is at least {}", block.label.text, next));
      else if (of[i] != nullptr)
        next = of[i]->number;
      block.statements[i].number = next++;
    }
  }

  // ----- declarations

  bool declaration() {
    const std::uint32_t begin = reader_.peek().begin;
    if (reader_.accept_word("input")) return input(begin);
    if (reader_.accept_word("init")) return condition(ConditionDeclaration::Kind::Init, begin);
    if (reader_.accept_word("enum")) return enumeration();
    if (reader_.accept_word("var")) return variable();
    if (reader_.accept_word("safety")) return condition(ConditionDeclaration::Kind::Safety, begin);
    if (reader_.accept_word("reach")) return condition(ConditionDeclaration::Kind::Reach, begin);
    if (reader_.accept_word("recoverable"))
      return condition(ConditionDeclaration::Kind::Recoverable, begin);
    if (reader_.accept_word("ltl")) return ltl(begin);
    fail(reader_.report_expected("a declaration",
                                 "input, init, enum, var, safety, reach, recoverable or ltl; all "
                                 "blocks stand before them"));
    return false;
  }

  [[nodiscard]] bool at_declaration() const {
    return std::any_of(std::begin(kDeclarations), std::end(kDeclarations),
                       [&](std::string_view word) { return reader_.is_word(word); }) &&
           reader_.begins_line() && !reader_.is(TokenKind::Becomes, 1);
  }

  bool input(std::uint32_t begin) {
    InputDeclaration result;
    result.name = reader_.expect_name("a parameter", false);
    if (result.name.text.empty() || !reader_.expect(TokenKind::Colon)) return false;
    const bool list = reader_.is_word("list");
    if (list || reader_.is_word("stream")) {
      reader_.skip();
      result.kind = list ? InputDeclaration::Kind::List : InputDeclaration::Kind::Stream;
      if (reader_.accept_word("of")) {
        result.range = range();
        if (!result.range) return false;
      }
    } else {
      result.range = range();
      if (!result.range) return false;
    }
    result.span = from(begin);
    file_.inputs.push_back(std::move(result));
    return true;
  }

  std::optional<Integer> integer() {
    const bool negative = reader_.accept(TokenKind::Minus);
    if (!reader_.is(TokenKind::Integer)) {
      reader_.report_expected("a number", "a range is written `1..4`");
      return std::nullopt;
    }
    const Integer value = Integer::parse(reader_.text()).value_or(Integer());
    reader_.skip();
    return negative ? -value : value;
  }

  std::optional<Range> range() {
    const Span at = reader_.span();
    const auto low = integer();
    if (!low || !reader_.expect(TokenKind::DotDot, "a range is written `1..4`"))
      return std::nullopt;
    const auto high = integer();
    if (!high) return std::nullopt;
    if (*high < *low) {
      diagnostics_.report("fcl-010", at, "this range is empty", "the lower end stands first");
      return std::nullopt;
    }
    return Range{*low, *high};
  }

  bool enumeration() {
    EnumDeclaration result;
    result.name = reader_.expect_name("the name of the enumeration", false);
    if (result.name.text.empty() || !reader_.expect(TokenKind::OpenBrace)) return false;
    while (reader_.is(TokenKind::Word))
      result.values.push_back(reader_.expect_name("a value", false));
    if (result.values.empty()) {
      reader_.report_expected("a value", "as in `enum Sign { neg zero pos }`");
      return false;
    }
    file_.enums.push_back(std::move(result));
    return reader_.expect(TokenKind::CloseBrace);
  }

  bool variable() {
    VariableDeclaration result;
    result.name = reader_.expect_name("a variable", false);
    if (result.name.text.empty() || !reader_.expect(TokenKind::Colon)) return false;
    if (reader_.is(TokenKind::Word)) {
      result.type = reader_.expect_name("an enumeration", false);
    } else {
      result.range = range();
      if (!result.range) return false;
    }
    file_.variables.push_back(std::move(result));
    return true;
  }

  bool ltl(std::uint32_t begin) {
    ConditionDeclaration result;
    result.kind = ConditionDeclaration::Kind::Ltl;
    result.runs.emplace();
    FormulasOfText formulas(reader_, expressions_, file_.expressions, letters_);
    const bool read = frontend::parse_ltl(reader_, formulas, *result.runs) &&
                      frontend::read_expectation(reader_, result.expected);
    result.name = result.runs->name;
    if (result.name.text.empty()) return false;
    result.span = from(begin);
    file_.conditions.push_back(std::move(result));
    return read;
  }

  bool condition(ConditionDeclaration::Kind kind, std::uint32_t begin) {
    ConditionDeclaration result;
    result.kind = kind;
    if (kind != ConditionDeclaration::Kind::Init) {
      result.name = reader_.expect_name("the name of the property", false);
      if (result.name.text.empty() || !reader_.expect(TokenKind::Colon)) return false;
    }
    const auto value = expressions_.parse(kind != ConditionDeclaration::Kind::Init);
    if (!value) return false;
    result.condition = *value;
    if (kind == ConditionDeclaration::Kind::Reach && reader_.accept_word("within")) {
      const auto bound = integer();
      if (!bound) return false;
      const auto steps = bound->to_int64();
      if (!steps || *steps < 0) {
        diagnostics_.report("parse-004", reader_.span(), "this is no number of steps");
        return false;
      }
      result.within = static_cast<std::uint64_t>(*steps);
    }
    if (kind != ConditionDeclaration::Kind::Init &&
        !frontend::read_expectation(reader_, result.expected))
      return false;
    result.span = from(begin);
    file_.conditions.push_back(std::move(result));
    return true;
  }

  [[nodiscard]] Span from(std::uint32_t begin) const {
    return {reader_.tree().file(), begin, reader_.after_previous().end};
  }

  TokenReader reader_;
  const std::vector<StatementNumber>& numbers_;
  Diagnostics& diagnostics_;
  File file_;
  ExpressionParser expressions_;
  std::string letters_;  // that are names, not temporal operators
};

}  // namespace

File parse_file(SyntaxTree& tree, const std::vector<StatementNumber>& numbers,
                Diagnostics& diagnostics) {
  return Parser(tree, numbers, diagnostics).run();
}

}  // namespace whittle::fcl
