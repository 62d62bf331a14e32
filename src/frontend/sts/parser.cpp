// SPDX-License-Identifier: Apache-2.0
// Keywords are not reserved: `node start` declares a node called start, and a variable may be
// called `reach`. A keyword begins a declaration where what follows it looks like one (see
// `begins_declaration`); nothing else can follow an expression, so little look-ahead decides.
#include "frontend/sts/parser.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "frontend/expression/expectation_clause.h"
#include "frontend/expression/expression_parser.h"
#include "frontend/expression/lexer.h"
#include "frontend/expression/operator_table.h"

namespace whittle::sts {

namespace {

using frontend::SyntaxTree;
using frontend::TokenKind;
using frontend::TokenReader;

constexpr std::string_view kDeclarations[] = {
    "const",  "enum",  "var", "node",        "final", "start",  "transition", "constraint",
    "safety", "reach", "ltl", "recoverable", "fair",  "strong", "property"};

bool is_declaration_word(const TokenReader& reader, std::size_t ahead) {
  if (!reader.is(TokenKind::Word, ahead)) return false;
  const std::string_view text = reader.text(ahead);
  for (const std::string_view word : kDeclarations) {
    if (word == text) return true;
  }
  return false;
}

// `node A` at the beginning of a line: two names side by side are never part of an expression.
bool looks_like_line(const TokenReader& reader, std::size_t ahead) {
  if (!reader.begins_line(ahead) || reader.begins_line(ahead + 1)) return false;
  const std::string_view next = reader.text(ahead + 1);
  return next != "when" && next != "then" && next != "within" && next != "expect";
}

// Whether the word so far ahead is a keyword with the beginning of its declaration behind it.
bool begins_declaration(const TokenReader& reader, std::size_t ahead) {
  if (!is_declaration_word(reader, ahead)) return false;
  std::string_view word = reader.text(ahead);
  if (word == "final") {
    if (!reader.is_word("node", ahead + 1)) return false;
    ++ahead;
    word = "node";
  }
  if (word == "strong") {
    if (!reader.is_word("fair", ahead + 1)) return false;
    word = reader.text(++ahead);
  }
  if (word == "fair") {
    if (!reader.is_word("transition", ahead + 1)) return false;
    word = reader.text(++ahead);
  }
  if (!reader.is_name(ahead + 1)) return false;
  if (looks_like_line(reader, ahead)) return true;
  switch (reader.peek(ahead + 2).kind) {
    case TokenKind::Comma:
      return word == "var" || word == "node";
    case TokenKind::Colon:
      return word != "const" && word != "enum" && word != "node";
    case TokenKind::Assign:
      return word == "const";
    case TokenKind::OpenBrace:
      return word == "enum";
    case TokenKind::At:
      return word == "safety" || word == "property";
    case TokenKind::End:
      return word == "node";
    case TokenKind::Word:
      return (word == "node" && is_declaration_word(reader, ahead + 2)) ||
             (word == "ltl" && reader.is_word("assuming", ahead + 2));
    default:
      return false;
  }
}

// `when`, `then` and `within` as clauses: something to read follows them.
bool begins_clause(const TokenReader& reader, std::size_t ahead) {
  if (!reader.is(TokenKind::Word, ahead)) return false;
  const std::string_view word = reader.text(ahead);
  if (word != "when" && word != "then" && word != "within") return false;
  switch (reader.peek(ahead + 1).kind) {
    case TokenKind::Word:
      // `x == when within 3` ends with a variable.
      if (reader.is_word("within", ahead + 1) && reader.is(TokenKind::Integer, ahead + 2)) {
        return false;
      }
      return !begins_declaration(reader, ahead + 1) &&
             !frontend::begins_expectation(reader, ahead + 1);
    case TokenKind::Text:
    case TokenKind::Integer:
    case TokenKind::Decimal:
    case TokenKind::OpenParen:
    case TokenKind::Not:
    case TokenKind::At:
      return true;
    default:
      return false;
  }
}

bool stops_expression(const TokenReader& reader, std::size_t ahead) {
  return begins_declaration(reader, ahead) || begins_clause(reader, ahead) ||
         frontend::begins_expectation(reader, ahead);
}

class Parser {
 public:
  Parser(SyntaxTree& tree, Diagnostics& diagnostics)
      : reader_(tree, diagnostics),
        diagnostics_(diagnostics),
        letters_(frontend::declared_letters(tree, {"var", "const", "enum"})) {}

  File run() {
    system_line();
    while (!reader_.at_end() && !diagnostics_.saturated()) {
      lost_from_ = reader_.index();
      if (!declaration()) synchronise(lost_from_);
    }
    return std::move(file_);
  }

 private:
  void system_line() {
    if (reader_.is_word("system") && reader_.is_name(1) && !begins_declaration(reader_, 1)) {
      reader_.skip();
      file_.name = reader_.expect_name("the name of the system", true);
      return;
    }
    if (reader_.accept_word("system")) {
      reader_.report_expected("the name of the system", "a file begins with `system Name`");
    } else {
      reader_.report_expected("`system`", "a file begins with `system Name`");
    }
    file_.name = {"?", reader_.span(), true};
    if (reader_.at_end()) file_.unread.insert("start");  // an empty file has one mistake
    if (!begins_declaration(reader_, 0)) synchronise(reader_.index());
  }

  // To the next declaration. What lies between is lost; its words are remembered.
  void synchronise(std::uint32_t begin) {
    while (!reader_.at_end() && !begins_declaration(reader_, 0)) reader_.skip();
    const SyntaxTree& tree = reader_.tree();
    for (std::uint32_t i = begin; i < reader_.index(); ++i) {
      const frontend::Token& token = tree.token(i);
      if (token.kind == TokenKind::Word) file_.unread.emplace(tree.text(token));
      if (token.kind == TokenKind::Text) file_.unread.insert(frontend::unquoted(tree.text(token)));
    }
  }

  // False: something was reported, and the rest of the declaration is not worth reading.
  bool declaration() {
    if (!is_declaration_word(reader_, 0)) {
      unknown_declaration();
      reader_.skip();
      return false;
    }
    const std::uint32_t begin = reader_.peek().begin;
    const std::string_view word = reader_.text();
    reader_.skip();
    if (word == "const") return constant();
    if (word == "enum") return enumeration();
    if (word == "var") return variables();
    if (word == "final") return reader_.expect_word("node", "`final` marks nodes") && nodes(true);
    if (word == "node") return nodes(false);
    if (word == "start") return start(begin);
    if (word == "transition") return transition(begin, {});
    if (word == "strong" || word == "fair") return fair_transition(begin, word == "strong");
    if (word == "ltl") return ltl(begin);
    if (word == "recoverable") return recoverable(begin);
    if (word == "constraint") return constraint(begin);
    if (word == "safety") return safety(begin);
    if (word == "property") {
      diagnostics_.report("parse-009", reader_.previous_span(),
                          "a property of all reachable states is called `safety` in STS");
      return safety(begin);
    }
    return reach(begin);
  }

  void unknown_declaration() {
    if (reader_.is(TokenKind::Bad)) return;  // reported by the lexer
    std::string hint;
    if (reader_.is(TokenKind::Word)) {
      NearestName nearest(reader_.text());
      for (const std::string_view word : kDeclarations) nearest.offer(word);
      if (reader_.text() == "system") {
        hint = "there is one system per file";
      } else if (nearest.result()) {
        hint = fmt::format("did you mean `{}`?", *nearest.result());
      } else {
        hint = "if this continues the expression before it, an operator is missing";
      }
    } else if (reader_.is(TokenKind::Semicolon)) {
      hint = "declarations end without a semicolon";
    } else if (reader_.is(TokenKind::CloseParen)) {
      hint = "no parenthesis is open here";
    }
    reader_.report_expected("a declaration (const, enum, var, node, start, transition, ...)", hint);
  }

  // ----- one function per declaration; the keyword is already taken
  bool constant() {
    Name name = reader_.expect_name("the name of the constant", false);
    if (name.text.empty() || !reader_.expect(TokenKind::Assign, "as in `const MAX = 100`")) {
      return false;
    }
    const auto value = expression();
    if (!value) return false;
    file_.constants.push_back({std::move(name), *value});
    return true;
  }

  bool enumeration() {
    EnumDeclaration result;
    result.name = reader_.expect_name("the name of the enumeration", false);
    if (result.name.text.empty() ||
        !reader_.expect(TokenKind::OpenBrace, "as in `enum Status { OPEN, CLOSED }`")) {
      return false;
    }
    do {
      Name value = reader_.expect_name("a value of the enumeration", false);
      if (value.text.empty()) return false;
      result.values.push_back(std::move(value));
    } while (reader_.accept(TokenKind::Comma));
    if (!reader_.expect(TokenKind::CloseBrace)) return false;
    file_.enums.push_back(std::move(result));
    return true;
  }

  bool variables() {
    std::vector<Name> names;
    do {
      names.push_back(reader_.expect_name("the name of a variable", false));
      if (names.back().text.empty()) return false;
    } while (reader_.accept(TokenKind::Comma));
    if (!reader_.expect(TokenKind::Colon, "a variable has a type, as in `var x: Int`"))
      return false;
    const Name type = reader_.expect_name("a type", false);
    if (type.text.empty()) return false;
    for (Name& name : names) file_.variables.push_back({std::move(name), type});
    return true;
  }

  bool nodes(bool final) {
    do {
      Name name = reader_.expect_name("the name of a node", true);
      if (name.text.empty()) return false;
      file_.nodes.push_back({std::move(name), final});
    } while (reader_.accept(TokenKind::Comma));
    return true;
  }

  bool start(std::uint32_t begin) {
    Name node = reader_.expect_name("the node where the system starts", true);
    if (node.text.empty() ||
        !reader_.expect(TokenKind::Colon, "as in `start Open: balance == 0`")) {
      return false;
    }
    const auto condition = this->condition();
    file_.starts.push_back({std::move(node), condition, from(begin)});
    return condition.has_value();
  }

  bool fair_transition(std::uint32_t begin, bool strong) {
    constexpr std::string_view kShape = "as in `fair transition serve: Busy -> Idle`";
    if (strong && !reader_.expect_word("fair", kShape)) return false;
    if (!reader_.expect_word("transition", kShape)) return false;
    return transition(begin, strong ? Fairness::Kind::Strong : Fairness::Kind::Weak);
  }

  bool transition(std::uint32_t begin, std::optional<Fairness::Kind> fairness) {
    TransitionDeclaration result;
    result.fairness = fairness;
    constexpr std::string_view kShape = "as in `transition pay: Open -> Closed`";
    result.name = reader_.expect_name("the name of the transition", true);
    if (result.name.text.empty() || !reader_.expect(TokenKind::Colon, kShape)) return false;
    do {
      result.from.push_back(reader_.expect_name("the node the transition leaves", true));
      if (result.from.back().text.empty()) return false;
    } while (reader_.accept(TokenKind::Comma));
    if (!reader_.expect(TokenKind::Arrow, kShape)) return false;
    result.to = reader_.expect_name("the node the transition leads to", true);
    if (result.to.text.empty()) return false;
    if (reader_.is(TokenKind::Comma)) {
      reader_.report_expected("`(`, `when`, `then` or a declaration",
                              "a transition leads to one node; write one transition for each");
      return false;
    }
    if (reader_.accept(TokenKind::OpenParen) && !parameters(result.parameters)) return false;
    const bool read = clauses(result);
    result.span = from(begin);
    file_.transitions.push_back(std::move(result));
    return read;
  }

  // `when` and `then`; a guard that cannot be read does not hide the effect.
  bool clauses(TransitionDeclaration& result) {
    if (reader_.accept_word("when") && !(result.when = condition())) {
      while (!reader_.at_end() && !begins_declaration(reader_, 0) && !reader_.is_word("then")) {
        reader_.skip();
      }
      if (!reader_.is_word("then")) return false;
    }
    if (reader_.accept_word("then") && !(result.then = condition())) {
      return false;
    }
    if (begins_clause(reader_, 0) && reader_.is_word("when")) {
      reader_.report_expected("a declaration", "`when` stands once, before `then`");
      return false;
    }
    return true;
  }

  bool parameters(std::vector<VarDeclaration>& result) {
    do {
      VarDeclaration parameter;
      parameter.name = reader_.expect_name("the name of a parameter", false);
      if (parameter.name.text.empty() ||
          !reader_.expect(TokenKind::Colon, "a parameter has a type, as in `(amount: Real)`")) {
        return false;
      }
      parameter.type = reader_.expect_name("a type", false);
      if (parameter.type.text.empty()) return false;
      result.push_back(std::move(parameter));
    } while (reader_.accept(TokenKind::Comma));
    return reader_.expect(TokenKind::CloseParen);
  }

  bool constraint(std::uint32_t begin) {
    Name node = reader_.expect_name("the node that is constrained", true);
    if (node.text.empty() || !reader_.expect(TokenKind::Colon, "as in `constraint Open: x >= 0`")) {
      return false;
    }
    const auto condition = this->condition();
    std::optional<Expectation> expected;
    const bool read = condition && frontend::read_expectation(reader_, expected);
    file_.properties.push_back({PropertyPlace::Kind::Constraint, file_.constraints.size()});
    file_.constraints.push_back({std::move(node), condition, from(begin), expected});
    return read;
  }

  bool safety(std::uint32_t begin) {
    Name name = reader_.expect_name("the name of the property", true);
    if (name.text.empty()) return false;
    std::optional<Name> node;
    if (reader_.accept(TokenKind::At)) {
      node = reader_.expect_name("a node", true);
      if (node->text.empty()) return false;
    }
    if (!reader_.expect(TokenKind::Colon, "as in `safety positive: balance >= 0`")) return false;
    const auto condition = this->condition();
    std::optional<Expectation> expected;
    const bool read = condition && frontend::read_expectation(reader_, expected);
    file_.properties.push_back({PropertyPlace::Kind::Safety, file_.safeties.size()});
    file_.safeties.push_back({std::move(name), std::move(node), condition, from(begin), expected});
    return read;
  }

  bool reach(std::uint32_t begin) {
    Name name = reader_.expect_name("the name of the question", true);
    if (name.text.empty() ||
        !reader_.expect(TokenKind::Colon, "as in `reach broke: balance == 0`")) {
      return false;
    }
    const auto condition = this->condition();
    std::optional<std::uint64_t> within;
    bool read = condition.has_value();
    if (read && reader_.accept_word("within")) {
      within = steps();
      read = within.has_value();
    }
    std::optional<Expectation> expected;
    read = read && frontend::read_expectation(reader_, expected);
    file_.properties.push_back({PropertyPlace::Kind::Reach, file_.reaches.size()});
    file_.reaches.push_back({std::move(name), condition, within, from(begin), expected});
    return read;
  }

  bool ltl(std::uint32_t begin) {
    frontend::LtlDeclaration result;
    const bool read = frontend::parse_ltl(reader_, &stops_expression, letters_, result) &&
                      frontend::read_expectation(reader_, result.expected);
    if (!read) lost_from_ = reader_.index();
    if (result.name.text.empty()) return false;
    result.span = from(begin);
    file_.properties.push_back({PropertyPlace::Kind::Ltl, file_.formulas.size()});
    file_.formulas.push_back(std::move(result));
    return read;
  }

  bool recoverable(std::uint32_t begin) {
    Name name = reader_.expect_name("the name of the property", true);
    if (name.text.empty() ||
        !reader_.expect(TokenKind::Colon, "as in `recoverable ready: @Idle && queue == 0`")) {
      return false;
    }
    const auto condition = this->condition();
    std::optional<Expectation> expected;
    const bool read = condition && frontend::read_expectation(reader_, expected);
    file_.properties.push_back({PropertyPlace::Kind::Recoverable, file_.recoverables.size()});
    file_.recoverables.push_back({std::move(name), condition, from(begin), expected});
    return read;
  }

  std::optional<std::uint64_t> steps() {
    if (!reader_.is(TokenKind::Integer)) {
      reader_.report_expected("a number of steps", "as in `reach broke: balance == 0 within 20`");
      return std::nullopt;
    }
    const auto number = Integer::parse(reader_.text());
    const auto small = number ? number->to_int64() : std::nullopt;
    if (!small) {
      diagnostics_.report("parse-004", reader_.span(), "this number of steps is too large",
                          "leave `within` out to ask about any number of steps");
      return std::nullopt;
    }
    reader_.skip();
    return static_cast<std::uint64_t>(*small);
  }

  // What an unreadable expression swallows may be declarations.
  std::optional<SyntaxId> condition() {
    const auto result = expression();
    if (!result) lost_from_ = reader_.index();
    return result;
  }
  std::optional<SyntaxId> expression() {
    return frontend::parse_expression(reader_, &stops_expression);
  }

  // From there to the end of the last token.
  [[nodiscard]] Span from(std::uint32_t begin) const {
    return {reader_.tree().file(), begin, reader_.after_previous().end};
  }

  TokenReader reader_;
  Diagnostics& diagnostics_;
  std::string letters_;  // that are names, not temporal operators
  File file_;
  std::uint32_t lost_from_ = 0;  // first token that counts as unread if the declaration fails
};

}  // namespace

File parse_file(SyntaxTree& tree, Diagnostics& diagnostics) {
  return Parser(tree, diagnostics).run();
}

}  // namespace whittle::sts
