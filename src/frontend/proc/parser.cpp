// SPDX-License-Identifier: Apache-2.0
// Recursive descent over statements; expressions are read by the shared parser. Blocks may be
// nested kMaxBlocks deep.
#include "frontend/proc/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "expr/number.h"
#include "frontend/expression/expectation_clause.h"
#include "frontend/expression/expression_parser.h"
#include "frontend/expression/operator_table.h"

namespace whittle::proc {

namespace {

using frontend::SyntaxTree;
using frontend::TokenKind;
using frontend::TokenReader;

constexpr unsigned kMaxBlocks = 500;
constexpr std::string_view kStatementWords[] = {"if",     "while",  "atomic", "skip",  "return",
                                                "assume", "assert", "lock",   "unlock"};
constexpr std::string_view kStatements =
    "an assignment, if, while, skip, assume, assert, lock, unlock, return or atomic";
constexpr std::string_view kDeclarations[] = {"const",       "shared", "process", "init",
                                              "property",    "safety", "reach",   "ltl",
                                              "recoverable", "fair",   "strong"};

bool is_declaration_word(const TokenReader& reader, std::size_t ahead) {
  if (!reader.is(TokenKind::Word, ahead)) return false;
  for (const std::string_view word : kDeclarations) {
    if (reader.text(ahead) == word) return true;
  }
  return false;
}

// What may stand after an expression: an expectation, or a declaration: its keyword with a name
// (or, for `init`, an operand) behind it.
bool stops_expression(const TokenReader& reader, std::size_t ahead) {
  if (frontend::begins_expectation(reader, ahead)) return true;
  if (!is_declaration_word(reader, ahead) || !reader.is_name(ahead + 1)) return false;
  if (reader.is_word("fair", ahead)) return reader.is_word("process", ahead + 1);
  if (reader.is_word("strong", ahead)) return reader.is_word("fair", ahead + 1);
  if (reader.is_word("ltl", ahead))
    return reader.is(TokenKind::Colon, ahead + 2) || reader.is_word("assuming", ahead + 2);
  if (!reader.is_word("safety", ahead) && !reader.is_word("reach", ahead) &&
      !reader.is_word("recoverable", ahead))
    return reader.is(TokenKind::Word, ahead + 1);
  return reader.is(TokenKind::Colon, ahead + 2);
}

class Parser {
 public:
  Parser(SyntaxTree& tree, Diagnostics& diagnostics)
      : reader_(tree, diagnostics),
        diagnostics_(diagnostics),
        letters_(frontend::declared_letters(tree, {"const", "shared", "process"})) {}

  File run() {
    program_line();
    while (!reader_.at_end() && !diagnostics_.saturated()) {
      if (!declaration()) synchronise();
    }
    return std::move(file_);
  }

 private:
  void program_line() {
    if (!reader_.expect_word("program", "a file begins with `program Name`")) {
      file_.name = {"?", reader_.span(), true};
      if (!is_declaration_word(reader_, 0)) synchronise();
      return;
    }
    file_.name = reader_.expect_name("the name of the program", true);
  }

  // To the next declaration that stands outside of any block.
  void synchronise() {
    unsigned depth = 0;
    while (!reader_.at_end()) {
      if (reader_.is(TokenKind::OpenBrace)) ++depth;
      if (reader_.is(TokenKind::CloseBrace) && depth > 0) --depth;
      reader_.skip();
      if (depth == 0 && !reader_.is_word("expect") && stops_expression(reader_, 0)) return;
    }
  }

  bool declaration() {
    if (!is_declaration_word(reader_, 0)) {
      unknown_declaration();
      return false;
    }
    const std::uint32_t begin = reader_.peek().begin;
    const std::string_view word = reader_.text();
    reader_.skip();
    bool fine = false;
    if (word == "const") fine = constant();
    if (word == "shared") fine = shared(begin);
    if (word == "process") fine = process(begin, {});
    if (word == "fair" || word == "strong") fine = fair_process(begin, word == "strong");
    if (word == "init") fine = init(begin);
    if (word == "property") fine = property(begin, false);
    if (word == "ltl") fine = ltl(begin);
    if (word == "recoverable") fine = recoverable(begin);
    if (word == "safety" || word == "reach") {
      diagnostics_.report("parse-009", reader_.previous_span(),
                          word == "safety"
                              ? "a property of all reachable states is called `property` in PROC"
                              : "`reach` is a word of STS: in PROC a property says the contrary, "
                                "`property p: !(...)`");
      fine = property(begin, word == "reach");
    }
    reader_.accept(TokenKind::Semicolon);  // harmless after a declaration
    return fine;
  }

  void unknown_declaration() {
    if (reader_.is(TokenKind::Bad)) return;  // reported by the lexer
    std::string hint;
    if (reader_.is(TokenKind::Word)) {
      NearestName nearest(reader_.text());
      for (const std::string_view word : kDeclarations) nearest.offer(word);
      hint = nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                              : "statements stand inside `process Name { ... }`";
    } else if (reader_.is(TokenKind::CloseBrace)) {
      hint = "no block is open here";
    }
    reader_.report_expected("a declaration (const, shared, process, init, property, ltl)", hint);
  }

  bool constant() {
    ConstDeclaration result;
    result.name = reader_.expect_name("the name of the constant", false);
    if (result.name.text.empty() || !reader_.expect(TokenKind::Assign, "as in `const N = 4`")) {
      return false;
    }
    return store(expression(), result.value) && keep(file_.constants, std::move(result));
  }

  bool shared(std::uint32_t begin) {
    VariableDeclaration result;
    if (!variable(result, "as in `shared x: Int = 0`")) return false;
    result.span = from(begin);
    return keep(file_.shared, std::move(result));
  }

  bool variable(VariableDeclaration& result, std::string_view shape) {
    result.name = reader_.expect_name("the name of a variable", false);
    if (result.name.text.empty() || !reader_.expect(TokenKind::Colon, shape) ||
        !type(result.type)) {
      return false;
    }
    if (!reader_.accept(TokenKind::Assign)) return true;
    result.initial = expression();
    return result.initial.has_value();
  }

  bool type(TypeSyntax& result) {
    result.span = reader_.span();
    if (reader_.accept_word("Bool")) {
      result.boolean = true;
    } else if (!reader_.accept_word("Int")) {
      reader_.report_expected("a type", "types are Int, Bool, Int[n] and Bool[n]");
      return false;
    }
    if (!reader_.accept(TokenKind::OpenBracket)) return true;
    result.length = expression();
    if (!result.length) return false;
    const bool closed = reader_.expect(TokenKind::CloseBracket);
    result.span = join(result.span, reader_.after_previous());
    return closed;
  }

  bool fair_process(std::uint32_t begin, bool strong) {
    constexpr std::string_view kShape = "as in `fair process P { ... }`";
    if (strong && !reader_.expect_word("fair", kShape)) return false;
    if (!reader_.expect_word("process", kShape)) return false;
    return process(begin, strong ? Fairness::Kind::Strong : Fairness::Kind::Weak);
  }

  bool process(std::uint32_t begin, std::optional<Fairness::Kind> fairness) {
    ProcessDeclaration result;
    result.fairness = fairness;
    result.name = reader_.expect_name("the name of the process", false);
    if (result.name.text.empty()) return false;
    if (reader_.accept(TokenKind::OpenBracket)) {
      constexpr std::string_view kShape = "a family is written `process P[t: 0..3] { ... }`";
      Name identity = reader_.expect_name("the name of the identity", false);
      if (identity.text.empty() || !reader_.expect(TokenKind::Colon, kShape)) return false;
      result.identity = std::move(identity);
      if (!store(expression(), result.low) || !reader_.expect(TokenKind::DotDot, kShape) ||
          !store(expression(), result.high) || !reader_.expect(TokenKind::CloseBracket, kShape)) {
        return false;
      }
    }
    if (!reader_.expect(TokenKind::OpenBrace)) return false;
    while (reader_.is_word("var") && reader_.is(TokenKind::Word, 1)) {
      const std::uint32_t local_begin = reader_.peek().begin;
      reader_.skip();
      VariableDeclaration local;
      if (!variable(local, "as in `var x: Int = 0;`") || !reader_.expect(TokenKind::Semicolon)) {
        next_statement();
        continue;
      }
      local.span = from(local_begin);
      result.locals.push_back(std::move(local));
    }
    const bool closed = statements(result.body, 0);
    result.span = from(begin);
    file_.processes.push_back(std::move(result));
    return closed;
  }

  bool init(std::uint32_t begin) {
    InitDeclaration result;
    if (!store(expression(), result.condition)) return false;
    result.span = from(begin);
    return keep(file_.inits, result);
  }

  bool depth(PropertyDeclaration& result, std::string_view too_large, std::string_view none) {
    const auto number =
        reader_.is(TokenKind::Integer) ? Integer::parse(reader_.text()) : std::nullopt;
    const auto steps = number ? number->to_int64() : std::nullopt;
    if (!number) {
      reader_.report_expected("a number of steps", none);
    } else if (!steps) {
      diagnostics_.report("parse-004", reader_.span(), "this depth is too large",
                          std::string(too_large));
    }
    if (!steps) return false;
    reader_.skip();
    result.depth = static_cast<std::uint64_t>(*steps);
    return true;
  }

  bool property(std::uint32_t begin, bool reach) {
    PropertyDeclaration result;
    result.reach = reach;
    result.name = reader_.expect_name("the name of the property", true);
    if (result.name.text.empty()) return false;
    if (reader_.accept(TokenKind::At) &&
        (!reader_.expect_word("depth", "as in `property p @depth 4: x != 1`") ||
         !depth(result, "leave `@depth` out to ask about any number of steps", "as in `@depth 4`")))
      return false;
    if (!reader_.expect(TokenKind::Colon, "as in `property p: x != 1`") ||
        !store(expression(), result.condition)) {
      return false;
    }
    if (reach && reader_.accept_word("within") &&
        !depth(result, "leave `within` out to ask about any number of steps", "as in `within 4`"))
      return false;
    if (!frontend::read_expectation(reader_, result.expected)) return false;
    result.span = from(begin);
    return keep(file_.properties, std::move(result));
  }

  bool ltl(std::uint32_t begin) {
    PropertyDeclaration result;
    result.runs.emplace();
    const bool read = frontend::parse_ltl(reader_, &stops_expression, letters_, *result.runs) &&
                      frontend::read_expectation(reader_, result.expected);
    result.name = result.runs->name;
    if (result.name.text.empty()) return false;
    result.span = from(begin);
    return keep(file_.properties, std::move(result)) && read;
  }

  bool recoverable(std::uint32_t begin) {
    PropertyDeclaration result;
    result.recoverable = true;
    result.name = reader_.expect_name("the name of the property", true);
    if (result.name.text.empty() ||
        !reader_.expect(TokenKind::Colon, "as in `recoverable finish: P[0]@end`") ||
        !store(expression(), result.condition) ||
        !frontend::read_expectation(reader_, result.expected)) {
      return false;
    }
    result.span = from(begin);
    return keep(file_.properties, std::move(result));
  }

  // ----- statements

  // Up to and including the closing brace.
  bool statements(std::vector<StatementId>& list, unsigned depth) {
    if (depth > kMaxBlocks) {
      diagnostics_.report("parse-003", reader_.span(), "blocks are nested too deeply",
                          fmt::format("at most {} levels", kMaxBlocks));
      return false;
    }
    while (!reader_.is(TokenKind::CloseBrace)) {
      if (reader_.at_end()) {
        reader_.report_expected("`}`", "a block is not closed");
        return false;
      }
      if (diagnostics_.saturated()) return false;
      Statement result;
      if (statement(result, depth)) {
        file_.statements.push_back(std::move(result));
        list.push_back(static_cast<StatementId>(file_.statements.size() - 1));
      } else {
        next_statement();
      }
    }
    reader_.skip();
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

  bool statement(Statement& result, unsigned depth) {
    const std::uint32_t first = reader_.peek().begin;
    if (reader_.is_name() && reader_.is(TokenKind::Colon, 1)) {
      result.label = reader_.expect_name("a label", true);
      reader_.skip();
    }
    const std::uint32_t begin = reader_.peek().begin;
    const bool fine = simple(result, depth);
    if (result.kind != StatementKind::If && result.kind != StatementKind::While &&
        result.kind != StatementKind::Atomic) {
      result.span = from(begin);
    }
    result.whole = from(first);
    return fine;
  }

  bool simple(Statement& result, unsigned depth) {
    const std::uint32_t begin = reader_.peek().begin;
    const bool assigns = reader_.is(TokenKind::Becomes, 1) || reader_.is(TokenKind::OpenBracket, 1);
    if (!assigns) {
      if (reader_.accept_word("if")) return if_statement(result, begin, depth);
      if (reader_.accept_word("while")) return while_statement(result, begin, depth);
      if (reader_.accept_word("atomic")) return atomic(result, begin, depth);
      if (reader_.accept_word("skip")) return ended(result, StatementKind::Skip);
      if (reader_.accept_word("return")) return ended(result, StatementKind::Return);
      if (reader_.accept_word("assume")) return condition(result, StatementKind::Assume);
      if (reader_.accept_word("assert")) return condition(result, StatementKind::Assert);
      if (reader_.accept_word("lock")) return on_place(result, StatementKind::Lock);
      if (reader_.accept_word("unlock")) return on_place(result, StatementKind::Unlock);
      if (reader_.is_word("var")) {
        reader_.report_expected("a statement", "local variables stand at the top of the process");
        return false;
      }
    }
    if (!begins_assignment(assigns)) return false;
    return assignment(result);
  }

  // Reports what else it is. A function of its own, so that statements nested deeply in blocks do
  // not each have room on the stack for its messages.
  [[gnu::noinline]] bool begins_assignment(bool certain) {
    if (!reader_.is(TokenKind::Word)) {
      reader_.report_expected("a statement", kStatements);
      return false;
    }
    if (const std::size_t behind = behind_place(); reader_.is(TokenKind::Assign, behind)) {
      diagnostics_.report("parse-001", reader_.span(behind), "`=` does not assign",
                          "an assignment is written `x := e;`");
      return false;
    }
    return certain || !misspelt();
  }

  // Tokens up to what follows `x` or `a[i]`.
  [[nodiscard]] std::size_t behind_place() const {
    std::size_t ahead = 1;
    unsigned depth = 0;
    while (depth > 0 || reader_.is(TokenKind::OpenBracket, ahead)) {
      if (reader_.is(TokenKind::End, ahead) || reader_.is(TokenKind::Semicolon, ahead)) break;
      if (reader_.is(TokenKind::OpenBracket, ahead)) ++depth;
      if (reader_.is(TokenKind::CloseBracket, ahead)) --depth;
      ++ahead;
    }
    return ahead;
  }

  // A word that begins nothing, but is near one that does, or stands alone.
  bool misspelt() {
    NearestName meant(reader_.text());
    for (std::string_view word : kStatementWords) meant.offer(word);
    if (!meant.result() && !reader_.is(TokenKind::Semicolon, 1)) return false;
    reader_.report_expected("a statement", meant.result()
                                               ? fmt::format("did you mean `{}`?", *meant.result())
                                               : std::string(kStatements));
    return true;
  }

  bool ended(Statement& result, StatementKind kind) {
    result.kind = kind;
    return reader_.expect(TokenKind::Semicolon);
  }

  bool condition(Statement& result, StatementKind kind) {
    result.kind = kind;
    result.value = expression();
    if (!result.value) return false;
    if (kind == StatementKind::Assert && !frontend::read_expectation(reader_, result.expected))
      return false;
    return reader_.expect(TokenKind::Semicolon);
  }

  bool on_place(Statement& result, StatementKind kind) {
    result.kind = kind;
    result.place = expression();
    return result.place && reader_.expect(TokenKind::Semicolon);
  }

  bool assignment(Statement& result) {
    result.place = expression();
    if (!result.place) return false;
    if (!reader_.expect(TokenKind::Becomes, "an assignment is written `x := e;`")) return false;
    if (reader_.is(TokenKind::Star)) {
      reader_.skip();
      return ended(result, StatementKind::Choose);
    }
    if (reader_.is_word("cas") && reader_.is(TokenKind::OpenParen, 1)) {
      reader_.skip();
      reader_.skip();
      result.target = expression();
      if (!result.target || !reader_.expect(TokenKind::Comma)) return false;
      result.value = expression();
      if (!result.value || !reader_.expect(TokenKind::Comma)) return false;
      result.replacement = expression();
      return result.replacement && reader_.expect(TokenKind::CloseParen) &&
             ended(result, StatementKind::Cas);
    }
    result.value = expression();
    return result.value && ended(result, StatementKind::Assign);
  }

  // `( e )` or `( * )`
  bool test(Statement& result, std::uint32_t begin) {
    if (!reader_.expect(TokenKind::OpenParen)) return false;
    if (!reader_.accept(TokenKind::Star)) {
      result.value = expression();
      if (!result.value) return false;
    }
    if (!reader_.expect(TokenKind::CloseParen)) return false;
    result.span = from(begin);
    return true;
  }

  bool if_statement(Statement& result, std::uint32_t begin, unsigned depth) {
    result.kind = StatementKind::If;
    if (!test(result, begin) || !block(result.body, depth)) return false;
    if (!reader_.accept_word("else")) return true;
    if (!reader_.is_word("if")) return block(result.otherwise, depth);
    Statement inner;
    const std::uint32_t inner_begin = reader_.peek().begin;
    reader_.skip();
    if (depth + 1 > kMaxBlocks) return statements(result.otherwise, depth + 1);  // reports it
    if (!if_statement(inner, inner_begin, depth + 1)) return false;
    inner.whole = from(inner_begin);
    file_.statements.push_back(std::move(inner));
    result.otherwise.push_back(static_cast<StatementId>(file_.statements.size() - 1));
    return true;
  }

  bool while_statement(Statement& result, std::uint32_t begin, unsigned depth) {
    result.kind = StatementKind::While;
    return test(result, begin) && block(result.body, depth);
  }

  bool atomic(Statement& result, std::uint32_t begin, unsigned depth) {
    result.kind = StatementKind::Atomic;
    const bool fine = block(result.body, depth);
    result.span = from(begin);
    return fine;
  }

  bool block(std::vector<StatementId>& list, unsigned depth) {
    return reader_.expect(TokenKind::OpenBrace, "a block is written `{ ... }`") &&
           statements(list, depth + 1);
  }

  std::optional<SyntaxId> expression() {
    return frontend::parse_expression(reader_, &stops_expression);
  }

  static bool store(std::optional<SyntaxId> from, SyntaxId& to) {
    if (from) to = *from;
    return from.has_value();
  }

  template <class T>
  static bool keep(std::vector<T>& list, T item) {
    list.push_back(std::move(item));
    return true;
  }

  [[nodiscard]] Span from(std::uint32_t begin) const {
    return {reader_.tree().file(), begin, reader_.after_previous().end};
  }

  TokenReader reader_;
  Diagnostics& diagnostics_;
  std::string letters_;  // that are names, not temporal operators
  File file_;
};

}  // namespace

bool File::asks_about_runs() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PropertyDeclaration& declaration) {
                       return declaration.runs || declaration.recoverable;
                     });
}

File parse_file(SyntaxTree& tree, Diagnostics& diagnostics) {
  return Parser(tree, diagnostics).run();
}

}  // namespace whittle::proc
