// SPDX-License-Identifier: Apache-2.0
// Specifications and their sections.
#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/rebel/parser_impl.h"

namespace whittle::rebel {

namespace {

bool is_lifecycle(std::string_view word) {
  static constexpr std::string_view kWord = "lifecycle";
  return word.size() == kWord.size() &&
         std::equal(word.begin(), word.end(), kWord.begin(),
                    [](char a, char b) { return std::tolower(a) == b; });
}

bool is_section(std::string_view word) {
  return word == "fields" || word == "events" || word == "invariants" || is_lifecycle(word);
}

}  // namespace

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
  const std::uint32_t open = expect(TokenKind::LBrace, "after the name of the specification").begin;
  int last = 0;  // order of the sections: fields, events, invariants, life cycle
  static constexpr std::array<std::string_view, 5> kSections = {"", "fields", "events",
                                                                "invariants", "lifeCycle"};
  bool closed = false;
  try {
    while (!is(TokenKind::RBrace) && !is(TokenKind::End)) {
      std::string_view word = is(TokenKind::Word) ? lexer_.text(token_) : std::string_view();
      if (at_other_block() && !is_section(word)) break;
      if (!is_section(word)) word = misspelt_block({"fields", "events", "invariants", "lifeCycle"});
      const int section = word == "fields"       ? 1
                          : word == "events"     ? 2
                          : word == "invariants" ? 3
                          : is_lifecycle(word)   ? 4
                                                 : 0;
      if (section == 0) {
        unexpected("'fields', 'events', 'invariants', 'lifeCycle' or '}'",
                   nearest_hint({"fields", "events", "invariants", "lifeCycle"}));
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
        if (is(TokenKind::RBrace)) take();  // of the section
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
  const std::uint32_t open = expect(TokenKind::LBrace, "after 'fields'").begin;
  const auto first = static_cast<std::uint32_t>(m_.fields.size());
  auto finish = [&] {
    spec.fields = {first, static_cast<std::uint32_t>(m_.fields.size()) - first};
  };
  try {
    while (is(TokenKind::Word) && ahead(1).kind != TokenKind::LBrace && !at_other_block()) {
      FieldAst field;
      const std::uint32_t begin = token_.begin;
      field.name = declared_name("the name of a field", &field.name_at);
      expect(TokenKind::Colon, "between the name and the type of a field");
      field.type = type();
      const Annotations notes = annotations();
      field.key = notes.key;
      field.ref = notes.ref;
      field.at = since(begin);
      m_.fields.push_back(field);
      if (is(TokenKind::Comma) || is(TokenKind::Semicolon)) {
        report("parse-001", here(), "fields are not separated", "remove the " + found()).nature =
            Nature::Confined;
        take();
      }
    }
    if (is(TokenKind::Colon) || is(TokenKind::Ellipsis)) {
      report("rebel-002", here(), "this is schematic text: something was left out here",
             "write out what the dots stand for");
      throw Panic{};
    }
    if (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block())
      unexpected("a field or '}'");
    close_brace(open, "the fields");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::events_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(TokenKind::LBrace, "after 'events'").begin;
  const auto first = static_cast<std::uint32_t>(m_.event_refs.size());
  auto finish = [&] {
    spec.events = {first, static_cast<std::uint32_t>(m_.event_refs.size()) - first};
  };
  try {
    while (is(TokenKind::Word)) {
      if (ahead(1).kind == TokenKind::LBrace || at_other_block()) break;  // the '}' is missing
      EventRefAst ref;
      const std::uint32_t begin = token_.begin;
      ref.event = qualified_name("the name of an event");
      if (accept(TokenKind::LParen)) {
        ref.interface = true;
        ref.params = params(TokenKind::RParen, false);
        accept(TokenKind::Semicolon);
      } else if (accept(TokenKind::LBracket)) {
        ref.arguments.first = static_cast<std::uint32_t>(m_.config_args.size());
        const Commas commas(*this, false);
        std::vector<ConfigArgAst> args;
        while (!is(TokenKind::RBracket)) {
          ConfigArgAst arg;
          arg.name = declared_name("the name of a configuration parameter", &arg.name_at);
          expect(TokenKind::Assign, "between the parameter and its value");
          arg.value = expression();
          args.push_back(arg);
          if (!accept(TokenKind::Comma)) break;
        }
        expect(TokenKind::RBracket, "after the configuration of the event");
        ref.arguments.count = static_cast<std::uint32_t>(args.size());
        m_.config_args.insert(m_.config_args.end(), args.begin(), args.end());
      } else {
        const std::string name = names_.string(ref.event.simple);
        report("parse-001", ref.event.at, "expected '[]' after the name of an event",
               "write '" + name + "[]', also where there is nothing to configure");
      }
      ref.at = since(begin);
      m_.event_refs.push_back(ref);
      if (is(TokenKind::Comma) || is(TokenKind::Semicolon)) {
        report("parse-001", here(), "events are not separated", "remove the " + found()).nature =
            Nature::Confined;
        take();
      }
    }
    if (is(TokenKind::Colon) || is(TokenKind::Ellipsis)) {
      report("rebel-002", here(), "this is schematic text: something was left out here",
             "write out what the dots stand for");
      throw Panic{};
    }
    if (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block())
      unexpected("an event or '}'");
    close_brace(open, "the events");
  } catch (const Panic&) {
    finish();
    throw;
  }
  finish();
}

void Parser::invariants_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(TokenKind::LBrace, "after 'invariants'").begin;
  spec.invariants.first = static_cast<std::uint32_t>(m_.invariant_refs.size());
  while (is(TokenKind::Word)) {
    if (ahead(1).kind == TokenKind::LBrace || at_other_block()) break;
    m_.invariant_refs.push_back(qualified_name("the name of an invariant"));
    ++spec.invariants.count;
    accept(TokenKind::Comma);
  }
  if (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block())
    unexpected("the name of an invariant or '}'");
  close_brace(open, "the invariants");
}

void Parser::lifecycle_section(SpecAst& spec) {
  take();
  const std::uint32_t open = expect(TokenKind::LBrace, "after 'lifeCycle'").begin;
  spec.states.first = static_cast<std::uint32_t>(m_.life_states.size());
  try {
    while (is(TokenKind::Word) && !at_other_block()) {
      life_state();
      if (is(TokenKind::Comma) || is(TokenKind::Semicolon)) {
        report("parse-001", here(), "the entries of a life cycle are not separated",
               "remove the " + found())
            .nature = Nature::Confined;
        take();
      }
      spec.states.count = static_cast<std::uint32_t>(m_.life_states.size()) - spec.states.first;
    }
    if (!is(TokenKind::RBrace) && !is(TokenKind::End) && !at_other_block()) {
      unexpected("a state, '->' or '}'",
                 is(TokenKind::Colon) ? "an entry is written: from -> to: event, event" : "");
    }
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
  while ((is_word("initial") || is_word("final")) && ahead(1).kind == TokenKind::Word) {
    (is_word("initial") ? state.initial : state.final) = true;
    take();
  }
  if (is(TokenKind::Word) && ahead(1).kind == TokenKind::Word &&
      ahead(2).kind == TokenKind::Arrow) {
    const std::string meant = nearest_word({"initial", "final"});
    const std::string_view text = lexer_.text();
    const std::uint32_t gap = ahead(1).begin - token_.end;
    if (!meant.empty() && text.substr(token_.end, gap).find('\n') == std::string_view::npos) {
      report("parse-001", here(), "expected '->' or a new line after a state, found two names",
             "did you mean '" + meant + "'?");
      (meant == "initial" ? state.initial : state.final) = true;
      take();
    }
  }
  state.state = declared_name("the name of a state", &state.state_at);
  state.targets.first = static_cast<std::uint32_t>(m_.life_targets.size());
  while (is(TokenKind::Arrow)) {
    LifeTargetAst target;
    const std::uint32_t arrow = token_.begin;
    take();
    target.state = declared_name("the name of a state", &target.state_at);
    expect(TokenKind::Colon, "between the state and the events that lead to it");
    target.events.first = static_cast<std::uint32_t>(m_.life_events.size());
    do {
      if (!is(TokenKind::Word)) unexpected("the name of an event");
      const Token word = take();
      m_.life_events.push_back({intern(word), {word.begin, word.end}});
      ++target.events.count;
    } while (accept(TokenKind::Comma));
    target.at = since(arrow);
    m_.life_targets.push_back(target);
    ++state.targets.count;
  }
  state.at = since(begin);
  m_.life_states.push_back(state);
}

}  // namespace whittle::rebel
