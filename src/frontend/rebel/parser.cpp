// SPDX-License-Identifier: Apache-2.0
// Modules, specifications and libraries. After a problem the parser goes on with the next
// statement, section or declaration, so that one run shows all problems of a file.
#include "frontend/rebel/parser.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

namespace {

bool is_lifecycle(std::string_view word) {
  static constexpr std::string_view kWord = "lifecycle";
  return word.size() == kWord.size() &&
         std::equal(word.begin(), word.end(), kWord.begin(),
                    [](char a, char b) { return std::tolower(a) == b; });
}

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

bool Parser::accept(Tok kind) {
  if (token_.kind != kind) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  take();
  return true;
}

void Parser::report(std::string_view id, Extent at, std::string message, std::string hint) {
  diagnostics_.report(id, m_.span(at), std::move(message), std::move(hint));
}

std::string Parser::found() const {
  switch (token_.kind) {
    case Tok::Word:
    case Tok::Int:
    case Tok::Percent:
    case Tok::Decimal:
    case Tok::Time:
      return "'" + std::string(lexer_.text(token_)) + "'";
    default:
      return std::string(spelled(token_.kind));
  }
}

void Parser::unexpected(std::string_view expected, std::string hint) {
  if (token_.kind == Tok::Bad) {
    take();
    throw Panic{};  // the lexer has spoken
  }
  if (token_.kind == Tok::Ellipsis) {
    report("rebel-002", here(), "'...' is schematic text: something was left out here",
           "write out what the dots stand for");
    throw Panic{};
  }
  if (token_.kind == Tok::End) {
    // Where the text stops, rather than behind the blank lines at the end of the file.
    const std::uint32_t at = last_end_ > 0 ? last_end_ - 1 : 0;
    report("parse-002", {at, last_end_},
           "the file ends where " + std::string(expected) + " was expected", std::move(hint));
    throw Panic{};
  }
  report("parse-001", here(), "expected " + std::string(expected) + ", found " + found(),
         std::move(hint));
  throw Panic{};
}

Token Parser::expect(Tok kind, std::string_view context) {
  if (token_.kind == kind) return take();
  if (kind == Tok::Semicolon && token_.kind != Tok::Bad && token_.kind != Tok::Ellipsis) {
    // The place to repair is behind the last token, not where the next statement begins.
    const std::uint32_t at = last_end_ > 0 ? last_end_ - 1 : 0;
    report("parse-001", {at, last_end_},
           "expected ';' " + std::string(context) + ", found " + found());
    throw Panic{};
  }
  unexpected(std::string(spelled(kind)) + (context.empty() ? "" : " " + std::string(context)));
}

void Parser::expect_word(std::string_view word, std::string_view context) {
  if (!accept_word(word)) unexpected("'" + std::string(word) + "' " + std::string(context));
}

void Parser::skip_statement() {
  int depth = 0;
  while (!is(Tok::End)) {
    switch (token_.kind) {
      case Tok::LBrace:
      case Tok::LParen:
      case Tok::LBracket:
        ++depth;
        break;
      case Tok::RParen:
      case Tok::RBracket:
        depth = std::max(0, depth - 1);
        break;
      case Tok::RBrace:
        if (depth == 0) return;
        --depth;
        break;
      case Tok::Semicolon:
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
  while (!is(Tok::End)) {
    if (is(Tok::LBrace)) ++depth;
    if (is(Tok::RBrace) && depth-- == 0) return;
    if (depth == 0 && is(Tok::Word)) {
      for (std::string_view word : words) {
        if (is_word(word)) return;
      }
    }
    take();
  }
}

bool Parser::at_declaration() {
  if (!is(Tok::Word)) return is(Tok::At);
  const std::string_view word = lexer_.text(token_);
  const Token after = ahead(1);
  if (word == "state" || word == "check" || word == "assert" || word == "import" ||
      word == "module") {
    return after.kind == Tok::Word;
  }
  if (word == "event" || word == "function" || word == "invariant" || word == "specification" ||
      word == "abstract" || word == "external" || word == "singleton") {
    return after.kind == Tok::Word && after.begin > token_.end;
  }
  return false;
}

void Parser::skip_declaration() {
  // Column 1 counts as a sign of a new declaration, because braces may be what went wrong.
  const std::string_view text = lexer_.text();
  int depth = 0;
  while (!is(Tok::End)) {
    const bool line_start = token_.begin == 0 || text[token_.begin - 1] == '\n';
    if ((depth <= 0 || line_start) && at_declaration()) return;
    if (is(Tok::LBrace)) ++depth;
    if (is(Tok::RBrace)) --depth;
    if (is(Tok::At)) {
      take();
      if (is(Tok::Word)) {
        const Token tag = take();
        const std::uint32_t end = lexer_.tag_end(tag.end);
        if (end != tag.end) token_ = lexer_.next(end);
      }
      continue;
    }
    take();
  }
}

void Parser::close_brace(std::uint32_t open, std::string_view what) {
  if (accept(Tok::RBrace)) return;
  if (is(Tok::End)) {
    const Extent last{last_end_ > 0 ? last_end_ - 1 : 0, last_end_};
    if (!m_.name.given() && !fragment_closed_) {
      fragment_closed_ = true;
      report("rebel-001", last, "the closing '}' of " + std::string(what) + " is missing",
             "it is taken to stand at the end of the file");
      return;
    }
    diagnostics_
        .report("parse-005", m_.span(last),
                "the file ends before the '}' that closes " + std::string(what))
        .related.push_back({m_.span({open, open + 1}), "opened here"});
    throw Panic{};
  }
  unexpected("'}' at the end of " + std::string(what));
}

// ----- names

Name Parser::declared_name(std::string_view what, Extent* at) {
  if (!is(Tok::Word)) unexpected(std::string(what));
  const std::string_view text = lexer_.text(token_);
  if (is_reserved(text)) {
    report("rebel-003", here(),
           "'" + std::string(text) + "' is a reserved word and cannot name " +
               std::string(what.starts_with("the name of ")
                               ? what.substr(std::string_view("the name of ").size())
                               : what));
  } else if (text.starts_with('_')) {
    report("rebel-003", here(), "names that begin with '_' are reserved for the tool");
  }
  if (at != nullptr) *at = here();
  return intern(take());
}

QName Parser::qualified_name(std::string_view what) {
  if (!is(Tok::Word)) unexpected(std::string(what));
  QName name;
  const std::uint32_t begin = token_.begin;
  name.simple = intern(take());
  name.full = name.simple;
  std::string full;
  while (is(Tok::Dot) && ahead(1).kind == Tok::Word) {
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
  while (is(Tok::At)) {
    const std::uint32_t begin = token_.begin;
    take();
    if (!is(Tok::Word)) unexpected("the name of an annotation", "for example @doc{...} or @key");
    const Token tag = take();
    const std::string_view word = lexer_.text(tag);
    if (word == "key") {
      result.key = true;
      result.key_at = since(begin);
    } else if (word == "ref") {
      expect(Tok::Assign, "after '@ref'");
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
  while (!is(Tok::End) && !diagnostics_.saturated()) {
    const std::uint32_t before = token_.begin;
    try {
      declaration();
    } catch (const Panic&) {
      depth_ = 0;
      commas_ = true;
      if (token_.begin == before && !is(Tok::End)) take();
      skip_declaration();
    }
  }
}

void Parser::header() {
  if (is_word("module") && ahead(1).kind == Tok::Word) {
    const std::uint32_t begin = token_.begin;
    take();
    m_.name = qualified_name("the name of the module");
    m_.name_line = since(begin);
  }
  while (is_word("import") && ahead(1).kind == Tok::Word) {
    const std::uint32_t begin = token_.begin;
    take();
    ImportAst import;
    import.module = qualified_name("the name of a module");
    import.at = since(begin);
    accept(Tok::Semicolon);
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
  }
  if (is_word("abstract") || is_word("external") || is_word("singleton") ||
      is_word("specification")) {
    return specification(begin);
  }
  if (is_word("event")) return event(begin);
  if (is_word("function")) return function(begin);
  if (is_word("invariant")) return invariant(begin);
  if (is_word("import") || is_word("module")) {
    report("parse-001", here(), found() + " must stand at the beginning of the file");
    throw Panic{};
  }
  if (!m_.test && (is_word("state") || is_word("check") || is_word("assert"))) {
    unexpected("a specification, an event, a function or an invariant",
               "states and checks belong into a test module, a file that ends in .tebl");
  }
  if (m_.test) unexpected("'state', 'check' or 'assert'");
  unexpected("'specification', 'event', 'function' or 'invariant'");
}

// ----- specifications

void Parser::specification(std::uint32_t begin) {
  SpecAst spec;
  auto modifier = [&](std::string_view word, SpecModifier value) {
    if (!is_word(word)) return false;
    take();
    spec.modifier = value;
    return true;
  };
  while (modifier("abstract", SpecModifier::Abstract) ||
         modifier("external", SpecModifier::External) ||
         modifier("singleton", SpecModifier::Singleton)) {
  }
  expect_word("specification", "after the modifier");
  spec.name = declared_name("the name of a specification", &spec.name_at);
  if (accept_word("extends")) spec.extends = qualified_name("the name of a specification");
  const std::uint32_t open = expect(Tok::LBrace, "after the name of the specification").begin;
  int last = 0;  // order of the sections: fields, events, invariants, life cycle
  static constexpr std::array<std::string_view, 5> kSections = {"", "fields", "events",
                                                                "invariants", "lifeCycle"};
  bool closed = false;
  try {
    while (!is(Tok::RBrace) && !is(Tok::End)) {
      const std::string_view word = is(Tok::Word) ? lexer_.text(token_) : std::string_view();
      const int section = word == "fields"       ? 1
                          : word == "events"     ? 2
                          : word == "invariants" ? 3
                          : is_lifecycle(word)   ? 4
                                                 : 0;
      if (section == 0) {
        unexpected("'fields', 'events', 'invariants', 'lifeCycle' or '}'");
      }
      if (section <= last) {
        report("rebel-009", here(),
               section == last ? "there is a second section '" + std::string(word) + "'"
                               : "section '" + std::string(word) + "' must stand before '" +
                                     std::string(kSections[static_cast<std::size_t>(last)]) + "'",
               "the order is: fields, events, invariants, lifeCycle");
      }
      last = std::max(last, section);
      const std::uint32_t from = token_.begin;
      try {
        if (section == 1) {
          fields_section(spec);
          spec.fields_at = since(from);
        } else if (section == 2) {
          events_section(spec);
          spec.events_at = since(from);
        } else if (section == 3) {
          invariants_section(spec);
          spec.invariants_at = since(from);
        } else {
          lifecycle_section(spec);
          spec.lifecycle_at = since(from);
        }
      } catch (const Panic&) {
        depth_ = 0;
        skip_section({"events", "invariants", "lifeCycle", "lifecycle"});
        if (is(Tok::RBrace)) take();  // of the section
      }
    }
    close_brace(open, "specification '" + names_.string(spec.name) + "'");
    closed = true;
  } catch (const Panic&) {
    spec.at = since(begin);
    m_.specs.push_back(spec);
    throw;
  }
  if (closed) {
    spec.at = since(begin);
    m_.specs.push_back(spec);
  }
}

void Parser::fields_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(Tok::LBrace, "after 'fields'").begin;
  const auto first = static_cast<std::uint32_t>(m_.fields.size());
  auto finish = [&] {
    spec.fields = {first, static_cast<std::uint32_t>(m_.fields.size()) - first};
  };
  try {
    while (is(Tok::Word) && ahead(1).kind != Tok::LBrace) {
      FieldAst field;
      const std::uint32_t begin = token_.begin;
      field.name = declared_name("the name of a field", &field.name_at);
      expect(Tok::Colon, "between the name and the type of a field");
      field.type = type();
      const Annotations notes = annotations();
      field.key = notes.key;
      field.ref = notes.ref;
      field.at = since(begin);
      m_.fields.push_back(field);
      if (is(Tok::Comma) || is(Tok::Semicolon)) {
        report("parse-001", here(), "fields are not separated", "remove the " + found());
        take();
      }
    }
    if (is(Tok::Colon) || is(Tok::Ellipsis)) {
      report("rebel-002", here(), "this is schematic text: something was left out here",
             "write out what the dots stand for");
      throw Panic{};
    }
    if (!is(Tok::RBrace) && !is(Tok::End)) unexpected("a field or '}'");
    close_brace(open, "the fields");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::events_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(Tok::LBrace, "after 'events'").begin;
  const auto first = static_cast<std::uint32_t>(m_.event_refs.size());
  auto finish = [&] {
    spec.events = {first, static_cast<std::uint32_t>(m_.event_refs.size()) - first};
  };
  try {
    while (is(Tok::Word)) {
      if (ahead(1).kind == Tok::LBrace) break;  // a section word: the '}' is missing
      EventRefAst ref;
      const std::uint32_t begin = token_.begin;
      ref.event = qualified_name("the name of an event");
      if (accept(Tok::LParen)) {
        ref.interface = true;
        ref.params = params(Tok::RParen, false);
        accept(Tok::Semicolon);
      } else if (accept(Tok::LBracket)) {
        ref.arguments.first = static_cast<std::uint32_t>(m_.config_args.size());
        const Commas commas(*this, false);
        std::vector<ConfigArgAst> args;
        while (!is(Tok::RBracket)) {
          ConfigArgAst arg;
          arg.name = declared_name("the name of a configuration parameter", &arg.name_at);
          expect(Tok::Assign, "between the parameter and its value");
          arg.value = expression();
          args.push_back(arg);
          if (!accept(Tok::Comma)) break;
        }
        expect(Tok::RBracket, "after the configuration of the event");
        ref.arguments.count = static_cast<std::uint32_t>(args.size());
        m_.config_args.insert(m_.config_args.end(), args.begin(), args.end());
      } else {
        const std::string name = names_.string(ref.event.simple);
        report("parse-001", ref.event.at, "expected '[]' after the name of an event",
               "write '" + name + "[]', also where there is nothing to configure");
      }
      ref.at = since(begin);
      m_.event_refs.push_back(ref);
      if (is(Tok::Comma) || is(Tok::Semicolon)) {
        report("parse-001", here(), "events are not separated", "remove the " + found());
        take();
      }
    }
    if (is(Tok::Colon) || is(Tok::Ellipsis)) {
      report("rebel-002", here(), "this is schematic text: something was left out here",
             "write out what the dots stand for");
      throw Panic{};
    }
    if (!is(Tok::RBrace) && !is(Tok::End)) unexpected("an event or '}'");
    close_brace(open, "the events");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::invariants_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(Tok::LBrace, "after 'invariants'").begin;
  spec.invariants.first = static_cast<std::uint32_t>(m_.invariant_refs.size());
  while (is(Tok::Word)) {
    if (ahead(1).kind == Tok::LBrace) break;
    m_.invariant_refs.push_back(qualified_name("the name of an invariant"));
    ++spec.invariants.count;
    accept(Tok::Comma);
  }
  if (!is(Tok::RBrace) && !is(Tok::End)) unexpected("the name of an invariant or '}'");
  close_brace(open, "the invariants");
}

void Parser::lifecycle_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(Tok::LBrace, "after 'lifeCycle'").begin;
  spec.states.first = static_cast<std::uint32_t>(m_.life_states.size());
  try {
    while (is(Tok::Word)) {
      life_state();
      spec.states.count = static_cast<std::uint32_t>(m_.life_states.size()) - spec.states.first;
    }
    if (!is(Tok::RBrace) && !is(Tok::End)) unexpected("a state, '->' or '}'");
    close_brace(open, "the life cycle");
  } catch (const Panic&) {
    spec.states.count = static_cast<std::uint32_t>(m_.life_states.size()) - spec.states.first;
    throw;
  }
}

void Parser::life_state() {
  LifeStateAst state;
  const std::uint32_t begin = token_.begin;
  // `initial` and `final` are modifiers unless they are what the entry is about.
  while ((is_word("initial") || is_word("final")) && ahead(1).kind == Tok::Word) {
    (is_word("initial") ? state.initial : state.final) = true;
    take();
  }
  state.state = declared_name("the name of a state", &state.state_at);
  state.targets.first = static_cast<std::uint32_t>(m_.life_targets.size());
  while (is(Tok::Arrow)) {
    LifeTargetAst target;
    const std::uint32_t arrow = token_.begin;
    take();
    target.state = declared_name("the name of a state", &target.state_at);
    expect(Tok::Colon, "between the state and the events that lead to it");
    target.events.first = static_cast<std::uint32_t>(m_.life_events.size());
    do {
      if (!is(Tok::Word)) unexpected("the name of an event");
      const Token word = take();
      m_.life_events.push_back({intern(word), {word.begin, word.end}});
      ++target.events.count;
    } while (accept(Tok::Comma));
    target.at = since(arrow);
    m_.life_targets.push_back(target);
    ++state.targets.count;
  }
  state.at = since(begin);
  m_.life_states.push_back(state);
}

// ----- libraries

Range Parser::params(Tok close, bool defaults) {
  std::vector<ParamAst> all;
  while (!is(close)) {
    ParamAst param;
    const std::uint32_t begin = token_.begin;
    param.name = declared_name("the name of a parameter", &param.name_at);
    expect(Tok::Colon, "between the name and the type of a parameter");
    param.type = type();
    if (is(Tok::Assign)) {
      if (!defaults) {
        report("rebel-010", here(), "only configuration parameters have default values",
               "configuration parameters stand in brackets: event e[limit: Integer = 3](...)");
      }
      take();
      const Commas commas(*this, false);
      param.init = expression();
    }
    param.at = since(begin);
    all.push_back(param);
    if (!accept(Tok::Comma)) break;
  }
  expect(close, "after the parameters");
  const Range range{static_cast<std::uint32_t>(m_.params.size()),
                    static_cast<std::uint32_t>(all.size())};
  m_.params.insert(m_.params.end(), all.begin(), all.end());
  return range;
}

void Parser::event(std::uint32_t begin) {
  take();
  EventAst event;
  event.name = qualified_name("the name of an event");
  if (names_.text(event.name.simple).starts_with('_')) {
    report("rebel-003", event.name.at, "names that begin with '_' are reserved for the tool");
  }
  if (is(Tok::LBracket)) {
    const std::uint32_t open = token_.begin;
    take();
    event.config = params(Tok::RBracket, true);
    event.config_at = since(open);
  }
  const std::uint32_t open_params = token_.begin;
  expect(Tok::LParen, "before the parameters of the event");
  event.params = params(Tok::RParen, false);
  event.params_at = since(open_params);
  const std::uint32_t open = expect(Tok::LBrace, "after the head of the event").begin;
  auto finish = [&] {
    event.at = since(begin);
    m_.events.push_back(event);
  };
  int last = 0;
  try {
    while (!is(Tok::RBrace) && !is(Tok::End)) {
      const int section = is_word("preconditions")    ? 1
                          : is_word("postconditions") ? 2
                          : is_word("sync")           ? 3
                                                      : 0;
      if (section == 0) unexpected("'preconditions', 'postconditions', 'sync' or '}'");
      if (section <= last) {
        report("rebel-009", here(),
               section == last ? "there is a second block " + found()
                               : "block " + found() + " stands too late",
               "the order is: preconditions, postconditions, sync");
      }
      last = std::max(last, section);
      const std::uint32_t from = token_.begin;
      take();
      if (section == 1) {
        event.pre = statements("the preconditions");
        event.pre_at = since(from);
      } else if (section == 2) {
        event.post = statements("the postconditions");
        event.post_at = since(from);
      } else {
        event.sync = syncs();
        event.sync_at = since(from);
      }
    }
    close_brace(open, "event '" + names_.string(event.name.simple) + "'");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::function(std::uint32_t begin) {
  take();
  FunctionAst function;
  function.name = qualified_name("the name of a function");
  expect(Tok::LParen, "before the parameters of the function");
  function.params = params(Tok::RParen, false);
  expect(Tok::Colon, "before the type of the function");
  function.type = type();
  expect(Tok::Assign, "before the body of the function");
  const StmtAst body = statement();
  m_.stmts.push_back(body);
  function.body = static_cast<StmtRef>(m_.stmts.size() - 1);
  function.at = since(begin);
  m_.functions.push_back(function);
}

void Parser::invariant(std::uint32_t begin) {
  take();
  InvariantAst invariant;
  invariant.name = qualified_name("the name of an invariant");
  invariant.body = statements("the invariant");
  invariant.at = since(begin);
  m_.invariants.push_back(invariant);
}

Range Parser::statements(std::string_view what) {
  const std::uint32_t open = expect(Tok::LBrace, "before " + std::string(what)).begin;
  std::vector<StmtAst> all;
  while (!is(Tok::RBrace) && !is(Tok::End)) {
    if (diagnostics_.saturated()) throw Panic{};
    const std::uint32_t before = token_.begin;
    try {
      all.push_back(statement());
    } catch (const Panic&) {
      depth_ = 0;
      commas_ = true;
      // A missing ';' shows at the next statement, which is then read as usual.
      if (is(Tok::Word) && token_.begin != before &&
          lexer_.text().substr(last_end_, token_.begin - last_end_).find('\n') !=
              std::string_view::npos) {
        continue;
      }
      skip_statement();
    }
  }
  const Range range{static_cast<std::uint32_t>(m_.stmts.size()),
                    static_cast<std::uint32_t>(all.size())};
  m_.stmts.insert(m_.stmts.end(), all.begin(), all.end());
  close_brace(open, what);
  return range;
}

StmtAst Parser::statement() {
  const Nesting nesting(*this);
  StmtAst result;
  const std::uint32_t begin = token_.begin;
  annotations();
  if (is_word("case")) {
    take();
    result.is_case = true;
    result.expr = expression();
    const std::uint32_t open = expect(Tok::LBrace, "after the expression of a case").begin;
    std::vector<CaseAst> cases;
    while (!is(Tok::RBrace) && !is(Tok::End)) {
      CaseAst one;
      one.literal = implication();
      expect(Tok::FatArrow, "between a case and its statement");
      const StmtAst then = statement();
      m_.stmts.push_back(then);
      one.then = static_cast<StmtRef>(m_.stmts.size() - 1);
      cases.push_back(one);
    }
    if (cases.empty()) unexpected("a case, for example '1 => x == 2;'");
    close_brace(open, "the cases");
    result.cases = {static_cast<std::uint32_t>(m_.cases.size()),
                    static_cast<std::uint32_t>(cases.size())};
    m_.cases.insert(m_.cases.end(), cases.begin(), cases.end());
    expect(Tok::Semicolon, "after a case");
  } else if (is(Tok::LParen)) {
    // `(statement;)` or an expression that begins with a parenthesis.
    int depth = 0;
    std::uint32_t at = token_.begin;
    bool statement_inside = false;
    for (Token t = token_; t.kind != Tok::End; t = lexer_.next(t.end)) {
      if (t.kind == Tok::LParen) ++depth;
      if (t.kind == Tok::RParen && --depth == 0) break;
      if (t.kind == Tok::Semicolon || t.kind == Tok::RBrace) {
        statement_inside = t.kind == Tok::Semicolon && depth > 0;
        // Only if the parenthesis closes right behind it; otherwise one is missing.
        statement_inside = statement_inside && lexer_.next(t.end).kind == Tok::RParen;
        break;
      }
      if (t.begin - at > 100000) break;
    }
    if (statement_inside) {
      take();
      result = statement();
      expect(Tok::RParen, "after the statement in parentheses");
      accept(Tok::Semicolon);
    } else {
      result.expr = expression();
      expect(Tok::Semicolon, "after the statement");
    }
  } else {
    result.expr = expression();
    if (is(Tok::Assign)) {
      unexpected("';' or an operator", "write '==' to compare; postconditions are equations too");
    }
    expect(Tok::Semicolon, "after the statement");
  }
  result.at = since(begin);
  return result;
}

Range Parser::syncs() {
  const std::uint32_t open = expect(Tok::LBrace, "after 'sync'").begin;
  const auto first = static_cast<std::uint32_t>(m_.syncs.size());
  while (!is(Tok::RBrace) && !is(Tok::End)) {
    const std::uint32_t before = token_.begin;
    try {
      const SyncAst one = sync();
      m_.syncs.push_back(one);
    } catch (const Panic&) {
      depth_ = 0;
      if (is(Tok::Word) && token_.begin != before &&
          lexer_.text().substr(last_end_, token_.begin - last_end_).find('\n') !=
              std::string_view::npos) {
        continue;
      }
      skip_statement();
    }
  }
  close_brace(open, "the sync block");
  return {first, static_cast<std::uint32_t>(m_.syncs.size()) - first};
}

SyncAst Parser::sync() {
  SyncAst result;
  const std::uint32_t begin = token_.begin;
  annotations();
  const std::uint32_t from = token_.begin;
  int nots = 0;
  while (accept_word("not")) ++nots;
  if (nots > 1) {
    report("rebel-011", since(from), "a synchronisation can be negated once only");
  }
  result.negated = nots > 0;
  // `T[key].e(args)`; a specification without key may be written `T.e(args)`.
  result.spec.at = here();
  if (!is(Tok::Word)) unexpected("a synchronisation such as Account[id].withdraw(amount)");
  std::string full;
  std::uint32_t name_begin = token_.begin;
  result.spec.simple = intern(take());
  full = names_.string(result.spec.simple);
  Name last = kNoName;
  Extent last_at;
  result.spec.at = since(name_begin);
  while (is(Tok::Dot)) {
    take();
    if (!is(Tok::Word)) unexpected("the name of an event");
    if (last != kNoName) {
      full += '.';
      full += names_.text(last);
      result.spec.simple = last;
      result.spec.at = {name_begin, last_at.end};
    }
    last_at = here();
    last = intern(take());
  }
  if (is(Tok::LBracket)) {
    if (last != kNoName) {
      full += '.';
      full += names_.text(last);
      result.spec.simple = last;
      result.spec.at = {name_begin, last_at.end};
    }
    take();
    if (!is(Tok::RBracket)) result.key = expression();
    expect(Tok::RBracket, "after the key");
    expect(Tok::Dot, "before the name of the event");
    if (!is(Tok::Word)) unexpected("the name of an event");
    last_at = here();
    last = intern(take());
  }
  if (last == kNoName) {
    unexpected("'[' and a key, or '.' and an event",
               "a synchronisation is written Account[id].withdraw(amount)");
  }
  result.spec.full = names_.intern_copy(std::move(full));
  result.event = last;
  result.event_at = last_at;
  result.arguments = arguments();
  expect(Tok::Semicolon, "after the synchronisation");
  result.at = since(begin);
  return result;
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
