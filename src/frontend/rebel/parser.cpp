// SPDX-License-Identifier: Apache-2.0
// Modules, specifications and libraries. After a problem the parser goes on with the next
// statement, section or declaration, so that one run shows all problems of a file.
#include "frontend/rebel/parser.h"

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "base/text.h"
#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

namespace {

// Words that are never names. Everything else is decided by where it stands.
bool is_reserved(std::string_view word) {
  static constexpr std::array<std::string_view, 11> kWords = {
      "this", "now", "it", "in", "not", "case", "mod", "Inf", "True", "False", "ANY"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

}  // namespace

Parser::Parser(Lexer& lexer, Names& names, Diagnostics& diagnostics, ModuleAst& module)
    : lexer_(lexer), names_(names), diagnostics_(diagnostics), m_(module) {
  token_ = lexer_.next(0);
}

// ----- tokens

Token Parser::ahead(int n) {
  Token token = token_;
  for (; n > 0; --n) token = lexer_.next(token.end);
  return token;
}

Token Parser::take() {
  const Token taken = token_;
  last_end_ = taken.end;
  token_ = lexer_.next(taken.end);
  return taken;
}

bool Parser::accept(TokenKind kind) {
  if (token_.kind != kind) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  take();
  return true;
}

Diagnostic& Parser::report(std::string_view id, Extent at, std::string message, std::string hint) {
  return diagnostics_.report(id, m_.span(at), std::move(message), std::move(hint));
}

std::string Parser::found() const {
  switch (token_.kind) {
    case TokenKind::Word:
    case TokenKind::Int:
    case TokenKind::Percent:
    case TokenKind::Decimal:
    case TokenKind::Time:
      return "'" + std::string(lexer_.text(token_)) + "'";
    default:
      return std::string(spelled(token_.kind));
  }
}

void Parser::unexpected(std::string_view expected, std::string hint, Nature nature) {
  if (token_.kind == TokenKind::Bad) {
    take();
    throw Panic{};  // the lexer has spoken
  }
  if (token_.kind == TokenKind::Ellipsis) {
    report("rebel-002", here(), "'...' is schematic text: something was left out here",
           "write out what the dots stand for");
    throw Panic{};
  }
  if (token_.kind == TokenKind::End) {
    // Where the text stops, rather than behind the blank lines at the end of the file.
    const std::uint32_t at = last_end_ > 0 ? last_end_ - 1 : 0;
    report("parse-002", {at, last_end_},
           "the file ends where " + std::string(expected) + " was expected", std::move(hint));
    throw Panic{};
  }
  report("parse-001", place_to_repair(), "expected " + std::string(expected) + ", found " + found(),
         hint.empty() ? habit_hint() : std::move(hint))
      .nature = nature;
  throw Panic{};
}

std::string Parser::decimals_behind_comma(const Token& number) {
  const Token behind = ahead(1);
  if (!is(TokenKind::Comma) || token_.begin != number.end || behind.kind != TokenKind::Int ||
      behind.begin != token_.end || behind.end - behind.begin != 2) {
    return ".00";
  }
  take();
  return "." + std::string(lexer_.text(take()));
}

std::string Parser::habit_hint() const {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  static constexpr std::array<std::string_view, 5> kPeriods = {"Day", "Week", "Month", "Quarter",
                                                               "Year"};
  const char before = last_end_ > 0 ? lexer_.text()[last_end_ - 1] : ' ';
  switch (token_.kind) {
    case TokenKind::Decimal:
      return "currencies are EUR, USD and CUR_XYZ: EUR 10.00, CUR_GBP 10.00";
    case TokenKind::FatArrow:
      return "write '>=' for 'at least', '->' for 'implies'";
    case TokenKind::Assign:
      return std::string_view("+-*/").find(before) == std::string_view::npos
                 ? ""
                 : "there are no assignments: write new this.f == this.f + ...";
    case TokenKind::Word:
      break;
    default:
      return "";
  }
  if (is_word("and")) return "write '&&' for 'and'";
  if (is_word("or")) return "write '||' for 'or'";
  if (before < '0' || before > '9') return "";
  // Behind a number: `1 january 2026`, `2 years`.
  std::string word(lexer_.text(token_));
  if (word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
  for (std::string_view month : kMonths) {
    if (word.size() >= 3 && month.starts_with(std::string_view(word).substr(0, 3)))
      return "dates are written '1 " + std::string(month.substr(0, 3)) + " 2026'";
  }
  for (std::string_view period : kPeriods) {
    if (std::string_view(word).starts_with(period))
      return "terms are written '2 " + std::string(period) + "'";
  }
  return "";
}

// The token at hand stands on a later line than the last one.
bool Parser::line_ended() const {
  if (last_end_ == 0 || token_.begin <= last_end_) return false;
  return lexer_.text().substr(last_end_, token_.begin - last_end_).find('\n') !=
         std::string_view::npos;
}

// Where a line ends in the middle of something, what is missing is missing there, not where the
// next line begins.
Extent Parser::place_to_repair() const {
  if (!line_ended()) return here();
  const std::string_view text = lexer_.text();
  constexpr std::string_view kComplete = ";}{])";
  if (kComplete.find(text[last_end_ - 1]) != std::string_view::npos) return here();
  return {last_end_ - 1, last_end_};
}

Token Parser::expect(TokenKind kind, std::string_view context, std::string hint) {
  if (token_.kind == kind) return take();
  if (kind == TokenKind::Semicolon && token_.kind != TokenKind::Bad &&
      token_.kind != TokenKind::Ellipsis) {
    // The place to repair is behind the last token, not where the next statement begins.
    const std::uint32_t at = last_end_ > 0 ? last_end_ - 1 : 0;
    report("parse-001", {at, last_end_},
           "expected ';' " + std::string(context) + ", found " + found(),
           !hint.empty() ? std::move(hint)
           : is(TokenKind::LBrace) && lexer_.text()[at] == ')'
               ? "there is no 'if': write condition -> consequence, or c ? a : b"
               : habit_hint())
        .nature = Nature::Confined;
    throw Panic{};
  }
  unexpected(std::string(spelled(kind)) + (context.empty() ? "" : " " + std::string(context)),
             std::move(hint));
}

void Parser::expect_word(std::string_view word, std::string_view context) {
  if (accept_word(word)) return;
  std::string hint = nearest_hint({word});
  const Nature nature = hint.empty() ? Nature::Plain : Nature::Confined;
  unexpected("'" + std::string(word) + "' " + std::string(context), std::move(hint), nature);
}

std::string Parser::nearest_word(std::initializer_list<std::string_view> words) const {
  if (!is(TokenKind::Word)) return "";
  NearestName near(lexer_.text(token_));
  for (std::string_view word : words) near.offer(word);
  return near.result().value_or("");
}

std::string Parser::nearest_hint(std::initializer_list<std::string_view> words) const {
  const std::string meant = nearest_word(words);
  return meant.empty() ? "" : "did you mean '" + meant + "'?";
}

std::string_view Parser::misspelt_block(std::initializer_list<std::string_view> words) {
  if (!is(TokenKind::Word) || ahead(1).kind != TokenKind::LBrace) return "";
  const std::string meant = nearest_word(words);
  if (meant.empty()) return "";
  report("parse-001", here(), "expected '" + meant + "', found " + found(),
         "did you mean '" + meant + "'?")
      .nature = Nature::Confined;
  return *std::find(words.begin(), words.end(), meant);
}

void Parser::skip_statement() {
  int depth = 0;
  // `if (..) { x; y; }`: no language of ours, but a block all the same.
  bool block = is(TokenKind::LBrace);
  while (!is(TokenKind::End)) {
    switch (token_.kind) {
      case TokenKind::LBrace:
      case TokenKind::LParen:
      case TokenKind::LBracket:
        ++depth;
        break;
      case TokenKind::RParen:
      case TokenKind::RBracket:
        depth = std::max(0, depth - 1);
        break;
      case TokenKind::RBrace:
        if (depth == 0) return;
        --depth;
        if (!block || depth > 0) break;
        take();
        accept(TokenKind::Semicolon);
        return;
      case TokenKind::Semicolon:
        if (block) break;
        take();
        return;
      default:
        break;
    }
    take();
  }
}

void Parser::skip_section(std::initializer_list<std::string_view> words) {
  int depth = 0;
  while (!is(TokenKind::End)) {
    if (is(TokenKind::LBrace)) ++depth;
    if (is(TokenKind::RBrace) && depth-- == 0) return;
    if (depth == 0 && is(TokenKind::Word)) {
      for (std::string_view word : words) {
        if (is_word(word)) return;
      }
    }
    take();
  }
}

bool Parser::at_declaration() {
  if (!is(TokenKind::Word)) return is(TokenKind::At);
  const std::string_view word = lexer_.text(token_);
  const Token after = ahead(1);
  if (word == "state" || word == "check" || word == "assert" || word == "import" ||
      word == "module") {
    return after.kind == TokenKind::Word;
  }
  if (at_runs()) return true;
  if (word == "event" || word == "function" || word == "invariant" || word == "specification" ||
      word == "abstract" || word == "external" || word == "singleton") {
    return after.kind == TokenKind::Word && after.begin > token_.end;
  }
  return false;
}

bool Parser::at_other_block() {
  if (!is(TokenKind::Word)) return false;
  static constexpr std::array<std::string_view, 8> kSections = {
      "fields",    "events",        "invariants",     "lifeCycle",
      "lifecycle", "preconditions", "postconditions", "sync"};
  static constexpr std::array<std::string_view, 10> kDeclarations = {
      "state",     "check",         "assert",   "event",    "function",
      "invariant", "specification", "abstract", "external", "singleton"};
  const std::string_view word = lexer_.text(token_);
  if (std::find(kSections.begin(), kSections.end(), word) != kSections.end()) {
    return ahead(1).kind == TokenKind::LBrace;
  }
  if (std::find(kDeclarations.begin(), kDeclarations.end(), word) == kDeclarations.end()) {
    return false;
  }
  const Token next = ahead(1);
  if (next.kind != TokenKind::Word) return false;
  if (word == "state" || word == "invariant") return ahead(2).kind == TokenKind::LBrace;
  if (word == "check" || word == "assert") {
    const Token third = ahead(2);
    return third.kind == TokenKind::Word && !is_word(third, "with");
  }
  if (word == "event" || word == "function") {
    const TokenKind third = ahead(2).kind;
    return third == TokenKind::LParen || third == TokenKind::LBracket;
  }
  if (word == "specification") {
    const Token third = ahead(2);
    return third.kind == TokenKind::LBrace || is_word(third, "extends");
  }
  return (word == "abstract" || word == "external" || word == "singleton") &&
         is_word(next, "specification");
}

void Parser::skip_declaration() {
  // Column 1 counts as a sign of a new declaration, because braces may be what went wrong.
  const std::string_view text = lexer_.text();
  int depth = 0;
  while (!is(TokenKind::End)) {
    const bool line_start = token_.begin == 0 || text[token_.begin - 1] == '\n';
    if ((depth <= 0 || line_start) && at_declaration()) return;
    if (is(TokenKind::LBrace)) ++depth;
    if (is(TokenKind::RBrace)) --depth;
    if (is(TokenKind::At)) {
      take();
      if (is(TokenKind::Word)) {
        const Token tag = take();
        const std::uint32_t end = lexer_.tag_end(tag.end);
        if (end != tag.end) token_ = lexer_.next(end);
      }
      continue;
    }
    take();
  }
}

// Blanks at the beginning of the line.
std::uint32_t Parser::indentation(std::uint32_t at) const {
  const std::string_view text = lexer_.text();
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t line = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t first = text.find_first_not_of(" \t", line);
  return static_cast<std::uint32_t>(first - line);
}

// Where the braces that do not match stand: the one opened last, and one before it whose
// indentation shows that it was meant to close something else.
void Parser::note_braces(Diagnostic& report, std::uint32_t open) {
  report.related.push_back({m_.span({open, open + 1}), "opened here"});
  if (misplaced_.begin <= open) return;
  report.related.push_back({m_.span({misplaced_.begin, misplaced_.begin + 1}),
                            "going by the indentation, it is this one that is not closed"});
  report.related.push_back({m_.span({misplaced_.end, misplaced_.end + 1}), "what closes it"});
}

void Parser::close_brace(std::uint32_t open, std::string_view what) {
  if (is(TokenKind::RBrace)) {
    if (indentation(token_.begin) < indentation(open)) misplaced_ = {open, token_.begin};
    take();
    return;
  }
  if (is(TokenKind::End)) {
    const Extent last{last_end_ > 0 ? last_end_ - 1 : 0, last_end_};
    if (!m_.name.given() && !fragment_closed_) {
      fragment_closed_ = true;
      report("rebel-001", last, "the closing '}' of " + std::string(what) + " is missing",
             "it is taken to stand at the end of the file");
      return;
    }
    note_braces(
        diagnostics_.report("parse-005", m_.span(last),
                            "the file ends before the '}' that closes " + std::string(what)),
        open);
    throw Panic{};
  }
  if (forgiven_ == token_.begin) return;  // one brace too few shows at every level
  if (at_other_block()) {
    Diagnostic& missing =
        report("parse-001", here(),
               "the '}' that closes " + std::string(what) + " is missing before " + found());
    missing.nature = Nature::Confined;
    note_braces(missing, open);
    forgiven_ = token_.begin;
    return;
  }
  unexpected("'}' at the end of " + std::string(what));
}

// ----- names

Name Parser::declared_name(std::string_view what, Extent* at) {
  if (!is(TokenKind::Word)) unexpected(std::string(what));
  QName name;
  name.at = here();
  name.simple = intern(take());
  check_declared(name, what);
  if (at != nullptr) *at = name.at;
  return name.simple;
}

void Parser::check_declared(const QName& name, std::string_view what) {
  const std::string_view text = names_.text(name.simple);
  if (is_reserved(text)) {
    constexpr std::string_view kPrefix = "the name of ";
    report("rebel-003", name.at,
           "'" + std::string(text) + "' is a reserved word and cannot name " +
               std::string(what.starts_with(kPrefix) ? what.substr(kPrefix.size()) : what));
  } else if (text.starts_with('_')) {
    report("rebel-003", name.at, "names that begin with '_' are reserved for the tool");
  }
}

QName Parser::qualified_name(std::string_view what) {
  if (!is(TokenKind::Word)) unexpected(std::string(what));
  QName name;
  const std::uint32_t begin = token_.begin;
  name.simple = intern(take());
  name.full = name.simple;
  std::string full;
  while (is(TokenKind::Dot) && ahead(1).kind == TokenKind::Word) {
    if (full.empty()) full = names_.string(name.simple);
    take();
    name.simple = intern(take());
    full += '.';
    full += names_.text(name.simple);
  }
  if (!full.empty()) name.full = names_.intern_copy(std::move(full));
  name.at = since(begin);
  return name;
}

Parser::Annotations Parser::annotations() {
  Annotations result;
  while (is(TokenKind::At)) {
    const std::uint32_t begin = token_.begin;
    take();
    if (!is(TokenKind::Word))
      unexpected("the name of an annotation", "for example @doc{...} or @key");
    const Token tag = take();
    const std::string_view word = lexer_.text(tag);
    if (word == "key") {
      result.key = true;
      result.key_at = since(begin);
    } else if (word == "ref") {
      expect(TokenKind::Assign, "after '@ref'");
      result.ref = qualified_name("the name of a specification");
      result.ref_at = since(begin);
    } else {
      const std::uint32_t end = lexer_.tag_end(tag.end);
      if (end == tag.end) {
        unexpected("'{' after '@" + std::string(word) + "'",
                   "an annotation has a text in braces: @" + std::string(word) + "{...}");
      }
      token_ = lexer_.next(end);
      last_end_ = end;
    }
  }
  return result;
}

// ----- modules

void Parser::run() {
  try {
    header();
  } catch (const Panic&) {
    skip_declaration();
  }
  while (!is(TokenKind::End) && !diagnostics_.saturated()) {
    const std::uint32_t before = token_.begin;
    try {
      declaration();
    } catch (const Panic&) {
      depth_ = 0;
      commas_ = true;
      if (token_.begin == before && !is(TokenKind::End)) take();
      skip_declaration();
    }
  }
}

void Parser::header() {
  if (is_word("module") && ahead(1).kind == TokenKind::Word) {
    const std::uint32_t begin = token_.begin;
    take();
    m_.name = qualified_name("the name of the module");
    m_.name_line = since(begin);
  }
  while (is_word("import") && ahead(1).kind == TokenKind::Word) {
    const std::uint32_t begin = token_.begin;
    take();
    ImportAst import;
    import.module = qualified_name("the name of a module");
    import.at = since(begin);
    accept(TokenKind::Semicolon);
    m_.imports.push_back(import);
  }
}

void Parser::declaration() {
  const std::uint32_t begin = token_.begin;
  const Annotations notes = annotations();
  if (notes.key) report("rebel-008", notes.key_at, "@key belongs behind the type of a field");
  if (m_.test) {
    if (is_word("state")) return setup();
    if (is_word("check") || is_word("assert")) return check();
    if (at_runs()) return runs();
    if (is_word("reach") && ahead(1).kind == TokenKind::Word) {
      report("parse-009", here(), "a question is called 'check' in Rebel",
             "write, for example: check emptied reachable in max 3 steps;");
      return check();
    }
  }
  if (is_word("abstract") || is_word("external") || is_word("singleton") ||
      is_word("specification")) {
    return specification(begin);
  }
  if (is_word("event")) return event(begin);
  if (is_word("function")) return function(begin);
  if (is_word("invariant")) return invariant(begin);
  if ((is_word("safety") || is_word("property")) && ahead(1).kind == TokenKind::Word) {
    report("parse-009", here(), "what holds in every state is called 'invariant' in Rebel");
    return invariant(begin);
  }
  if (is_word("import") || is_word("module")) {
    report("parse-001", here(), found() + " must stand at the beginning of the file");
    throw Panic{};
  }
  if (!m_.test && (is_word("state") || is_word("check") || is_word("assert"))) {
    unexpected("a specification, an event, a function or an invariant",
               "states and checks belong into a test module, a file that ends in .tebl");
  }
  if (is(TokenKind::Bad) || is(TokenKind::Ellipsis) || is(TokenKind::End))
    unexpected("a declaration");
  std::string hint;
  if (is(TokenKind::RBrace) || at_other_block()) {
    hint = "there is a '}' too many: the declaration before it ends too early";
  } else if (m_.test) {
    hint = nearest_hint({"specification", "event", "function", "invariant", "state", "check",
                         "assert", "ltl", "recoverable", "fair"});
  } else {
    hint = nearest_hint({"specification", "event", "function", "invariant"});
  }
  report("parse-001", here(),
         std::string("expected ") +
             (m_.test ? "'state', 'check' or 'assert'"
                      : "'specification', 'event', 'function' or 'invariant'") +
             ", found " + found(),
         std::move(hint));
  throw Panic{};
}

ModuleAst parse(const Sources& sources, FileId file, bool test, Names& names,
                Diagnostics& diagnostics) {
  ModuleAst module;
  module.file = file;
  module.test = test;
  const std::string_view text = sources.file(file).text();
  module.exprs.reserve(text.size() / 24);
  Lexer lexer(text, file, diagnostics);
  Parser parser(lexer, names, diagnostics, module);
  parser.run();
  return module;
}

}  // namespace whittle::rebel
