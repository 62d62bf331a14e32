// SPDX-License-Identifier: Apache-2.0
// Recursive descent over statements; expressions are read by the shared parser. Statements may be
// nested kMaxBlocks deep.
#include "frontend/cfa/parser.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "frontend/expression/expectation_clause.h"
#include "frontend/expression/expression_parser.h"
#include "frontend/expression/lexer.h"

namespace whittle::cfa {

namespace {

using frontend::SyntaxTree;
using frontend::TokenKind;
using frontend::TokenReader;

constexpr unsigned kMaxBlocks = 500;
constexpr std::string_view kStatementWords[] = {"if",     "while",  "do",       "error",
                                                "assert", "assume", "skip",     "return",
                                                "goto",   "choice", "parallel", "any_order"};
constexpr std::string_view kStatements =
    "an assignment, a call, if, while, do, error, assert, assume, skip, return, goto, choice, "
    "parallel or any_order";

// Statements end with `;` and conditions with `)`: no other word ends an expression.
bool stops_expression(const TokenReader& reader, std::size_t ahead) {
  return frontend::begins_expectation(reader, ahead);
}

class Parser {
 public:
  Parser(SyntaxTree& tree, Diagnostics& diagnostics)
      : reader_(tree, diagnostics), diagnostics_(diagnostics) {}

  File run() {
    while (!reader_.at_end() && !diagnostics_.saturated()) {
      if (reader_.is(TokenKind::CloseBrace)) {
        reader_.report_expected("a statement", "no block is open here");
        reader_.skip();
      } else if (type_word() && reader_.is(TokenKind::Word, 1)) {
        if (!variables()) next_statement();
      } else if (reader_.is_word("void") && reader_.is(TokenKind::Word, 1)) {
        if (!procedure()) next_statement();
      } else if (!statement_into(file_.body, 0)) {
        next_statement();
      }
    }
    return std::move(file_);
  }

 private:
  [[nodiscard]] bool type_word(std::size_t ahead = 0) const {
    return reader_.is_word("int", ahead) || reader_.is_word("bool", ahead);
  }

  // ----- declarations

  bool variables() {
    const bool boolean = reader_.is_word("bool");
    reader_.skip();
    do {
      VariableDeclaration result;
      result.boolean = boolean;
      const std::uint32_t begin = reader_.peek().begin;
      result.name = reader_.expect_name("the name of a variable", false);
      if (result.name.text.empty()) return false;
      if (reader_.accept(TokenKind::Assign)) {
        result.initial = expression();
        if (!result.initial) return false;
      }
      result.span = from(begin);
      file_.variables.push_back(std::move(result));
    } while (reader_.accept(TokenKind::Comma));
    return reader_.expect(TokenKind::Semicolon);
  }

  bool procedure() {
    Procedure result;
    const std::uint32_t begin = reader_.peek().begin;
    reader_.skip();
    result.name = reader_.expect_name("the name of the procedure", false);
    if (result.name.text.empty() || !parameters(result)) return false;
    if (!reader_.expect(TokenKind::OpenBrace, "the body is written `{ ... }`")) return false;
    const bool closed = statements(result.body, 0);
    result.span = from(begin);
    file_.procedures.push_back(std::move(result));
    return closed;
  }

  bool parameters(Procedure& result) {
    constexpr std::string_view kShape = "as in `void pay(int amount) { ... }`";
    if (!reader_.expect(TokenKind::OpenParen, kShape)) return false;
    if (reader_.accept(TokenKind::CloseParen)) return true;
    do {
      if (!type_word()) {
        reader_.report_expected("`int` or `bool`", kShape);
        return false;
      }
      Procedure::Parameter parameter;
      parameter.boolean = reader_.is_word("bool");
      reader_.skip();
      parameter.name = reader_.expect_name("the name of a parameter", false);
      if (parameter.name.text.empty()) return false;
      result.parameters.push_back(std::move(parameter));
    } while (reader_.accept(TokenKind::Comma));
    return reader_.expect(TokenKind::CloseParen);
  }

  // ----- statements

  // Up to and including the closing brace.
  bool statements(std::vector<StatementId>& list, unsigned depth) {
    while (!reader_.is(TokenKind::CloseBrace)) {
      if (reader_.at_end()) {
        reader_.report_expected("`}`", "a block is not closed");
        return false;
      }
      if (diagnostics_.saturated()) return false;
      if (!statement_into(list, depth)) next_statement();
    }
    reader_.skip();
    return true;
  }

  bool statement_into(std::vector<StatementId>& list, unsigned depth) {
    if (depth > kMaxBlocks) {
      diagnostics_.report("parse-003", reader_.span(), "statements are nested too deeply",
                          fmt::format("at most {} levels", kMaxBlocks));
      return false;
    }
    Statement result;
    if (!statement(result, depth)) return false;
    file_.statements.push_back(std::move(result));
    list.push_back(static_cast<StatementId>(file_.statements.size() - 1));
    return true;
  }

  // Past the next semicolon or to the end of the block.
  void next_statement() {
    unsigned depth = 0;
    while (!reader_.at_end()) {
      if (depth == 0 && reader_.is(TokenKind::CloseBrace)) return;
      if (depth == 0 && reader_.accept(TokenKind::Semicolon)) return;
      if (reader_.is(TokenKind::OpenBrace)) ++depth;
      if (reader_.is(TokenKind::CloseBrace) && --depth == 0) {
        reader_.skip();
        return;
      }
      reader_.skip();
    }
  }

  // Line numbers of a listing are labels, too: `3: error;`.
  [[nodiscard]] bool at_label() const {
    return (reader_.is(TokenKind::Word) || reader_.is(TokenKind::Integer)) &&
           reader_.is(TokenKind::Colon, 1);
  }

  bool statement(Statement& result, unsigned depth) {
    const std::uint32_t first = reader_.peek().begin;
    while (at_label()) {
      if (reader_.is(TokenKind::Integer)) {
        result.labels.push_back({std::string(reader_.text()), reader_.span(), false});
        reader_.skip();
      } else {
        result.labels.push_back(reader_.expect_name("a label", false));
      }
      reader_.skip();
    }
    const std::uint32_t begin = reader_.peek().begin;
    const bool fine = unlabelled(result, begin, depth);
    if (!result.span.valid()) result.span = from(begin);
    result.whole = from(first);
    return fine;
  }

  bool unlabelled(Statement& result, std::uint32_t begin, unsigned depth) {
    if (reader_.is(TokenKind::OpenBrace)) {
      result.kind = StatementKind::Block;
      return block(result, depth);
    }
    if (reader_.accept(TokenKind::Semicolon)) return true;  // does nothing
    if (reader_.is(TokenKind::Word) && reader_.is(TokenKind::Assign, 1)) return assignment(result);
    if (reader_.accept_word("if")) return if_statement(result, begin, depth);
    if (reader_.accept_word("while")) {
      result.kind = StatementKind::While;
      return test(result, begin) && body(result, depth);
    }
    if (reader_.accept_word("do")) return do_statement(result, depth);
    if (reader_.accept_word("skip")) return ended(result, StatementKind::Skip);
    if (reader_.accept_word("return")) return ended(result, StatementKind::Return);
    if (reader_.accept_word("error")) return error_statement(result);
    if (reader_.is_word("goto") && !reader_.is(TokenKind::OpenParen, 1)) return jump(result);
    if (reader_.accept_word("assert")) return condition(result, StatementKind::Assert);
    if (reader_.accept_word("assume")) return condition(result, StatementKind::Assume);
    if (is_block_word("choice")) return blocks(result, StatementKind::Choice, "or", depth);
    if (is_block_word("parallel")) return blocks(result, StatementKind::Parallel, "and", depth);
    if (is_block_word("any_order")) return blocks(result, StatementKind::AnyOrder, "and", depth);
    if (reader_.is(TokenKind::Word) && reader_.is(TokenKind::OpenParen, 1)) return call(result);
    unknown();
    return false;
  }

  [[nodiscard]] bool is_block_word(std::string_view word) const {
    return reader_.is_word(word) && reader_.is(TokenKind::OpenBrace, 1);
  }

  [[gnu::noinline]] void unknown() {
    if (reader_.is(TokenKind::Bad)) return;  // reported by the lexer
    std::string hint(kStatements);
    if (type_word()) hint = "variables are declared outside of blocks and procedures";
    if (reader_.is_word("else")) hint = "there is no `if` before this `else`";
    if (reader_.is_word("break") || reader_.is_word("continue"))
      hint = "leave a loop with `goto` and a label behind it";
    if (reader_.is(TokenKind::Word)) {
      if (reader_.is(TokenKind::Equal, 1) || reader_.is(TokenKind::Becomes, 1)) {
        diagnostics_.report("parse-001", reader_.span(1),
                            fmt::format("`{}` does not assign", reader_.text(1)),
                            "an assignment is written `x = e;`");
        return;
      }
      NearestName meant(reader_.text());
      for (const std::string_view word : kStatementWords) meant.offer(word);
      if (meant.result()) hint = fmt::format("did you mean `{}`?", *meant.result());
    }
    reader_.report_expected("a statement", hint);
  }

  bool ended(Statement& result, StatementKind kind) {
    result.kind = kind;
    return reader_.expect(TokenKind::Semicolon);
  }

  bool assignment(Statement& result) {
    result.name = reader_.expect_name("the name of a variable", false);
    reader_.skip();
    if (reader_.is(TokenKind::Star) && reader_.is(TokenKind::Semicolon, 1)) {
      reader_.skip();
      return ended(result, StatementKind::Input);
    }
    result.value = expression();
    return result.value && ended(result, StatementKind::Assign);
  }

  bool call(Statement& result) {
    result.name = reader_.expect_name("the name of a procedure", false);
    reader_.skip();
    if (!reader_.accept(TokenKind::CloseParen)) {
      do {
        const auto argument = expression();
        if (!argument) return false;
        result.arguments.push_back(*argument);
      } while (reader_.accept(TokenKind::Comma));
      if (!reader_.expect(TokenKind::CloseParen)) return false;
    }
    return ended(result, StatementKind::Call);
  }

  bool error_statement(Statement& result) {
    if (reader_.is(TokenKind::Text)) {
      result.text = frontend::unquoted(reader_.text());
      reader_.skip();
    }
    if (!frontend::read_expectation(reader_, result.expected)) return false;
    return ended(result, StatementKind::Error);
  }

  bool jump(Statement& result) {
    reader_.skip();
    if (reader_.is(TokenKind::Integer)) {
      result.name = {std::string(reader_.text()), reader_.span(), false};
      reader_.skip();
    } else {
      result.name = reader_.expect_name("a label", false);
      if (result.name.text.empty()) return false;
    }
    return ended(result, StatementKind::Goto);
  }

  bool condition(Statement& result, StatementKind kind) {
    result.kind = kind;
    result.value = expression();
    if (!result.value) return false;
    if (kind == StatementKind::Assert && !frontend::read_expectation(reader_, result.expected))
      return false;
    return reader_.expect(TokenKind::Semicolon);
  }

  // `( e )` or `( * )`
  bool test(Statement& result, std::uint32_t begin) {
    if (!reader_.expect(TokenKind::OpenParen)) return false;
    if (reader_.is(TokenKind::Star) && reader_.is(TokenKind::CloseParen, 1)) {
      reader_.skip();
    } else {
      result.value = expression();
      if (!result.value) return false;
    }
    if (!reader_.expect(TokenKind::CloseParen)) return false;
    result.span = from(begin);
    return true;
  }

  bool body(Statement& result, unsigned depth) {
    return statement_into(result.blocks.emplace_back(), depth + 1);
  }

  bool if_statement(Statement& result, std::uint32_t begin, unsigned depth) {
    result.kind = StatementKind::If;
    if (!test(result, begin) || !body(result, depth)) return false;
    result.blocks.emplace_back();
    if (!reader_.accept_word("else")) return true;
    return statement_into(result.blocks.back(), depth + 1);
  }

  bool do_statement(Statement& result, unsigned depth) {
    result.kind = StatementKind::DoWhile;
    if (!body(result, depth)) return false;
    const std::uint32_t begin = reader_.peek().begin;
    return reader_.expect_word("while", "as in `do { ... } while (x > 0);`") &&
           test(result, begin) && reader_.expect(TokenKind::Semicolon);
  }

  bool block(Statement& result, unsigned depth) {
    return reader_.expect(TokenKind::OpenBrace, "a block is written `{ ... }`") &&
           statements(result.blocks.emplace_back(), depth + 1);
  }

  bool blocks(Statement& result, StatementKind kind, std::string_view between, unsigned depth) {
    result.kind = kind;
    result.span = reader_.span();
    reader_.skip();
    if (!block(result, depth)) return false;
    while (reader_.is_word(between) && reader_.is(TokenKind::OpenBrace, 1)) {
      reader_.skip();
      if (!block(result, depth)) return false;
    }
    return true;
  }

  std::optional<SyntaxId> expression() {
    return frontend::parse_expression(reader_, &stops_expression);
  }

  [[nodiscard]] Span from(std::uint32_t begin) const {
    return {reader_.tree().file(), begin, reader_.after_previous().end};
  }

  TokenReader reader_;
  Diagnostics& diagnostics_;
  File file_;
};

}  // namespace

File parse_file(SyntaxTree& tree, Diagnostics& diagnostics) {
  return Parser(tree, diagnostics).run();
}

}  // namespace whittle::cfa
