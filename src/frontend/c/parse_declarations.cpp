// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/c/parser_impl.h"

namespace whittle::c {

namespace {

// Words that say nothing about what a program does.
bool is_empty_word(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "const",        "__const", "__const__", "restrict",      "__restrict",
      "__restrict__", "inline",  "__inline",  "__inline__",    "_Noreturn",
      "register",     "auto",    "__thread",  "_Thread_local", "__extension__"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

bool is_volatile_word(std::string_view word) {
  return word == "volatile" || word == "__volatile" || word == "__volatile__";
}

bool is_storage_word(std::string_view word) {
  return word == "typedef" || word == "extern" || word == "static";
}

// The plain spelling of a word that is part of the name of a basic type; empty: it is none.
std::string_view plain_word(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"void", "void"},         {"char", "char"},
      {"short", "short"},       {"int", "int"},
      {"long", "long"},         {"float", "float"},
      {"double", "double"},     {"signed", "signed"},
      {"__signed__", "signed"}, {"__signed", "signed"},
      {"unsigned", "unsigned"}, {"_Bool", "_Bool"},
      {"_Complex", "_Complex"}, {"__complex__", "_Complex"},
      {"__int128", "__int128"}, {"_Float128", "_Float"},
      {"__float128", "_Float"}, {"_Float64", "_Float"},
      {"_Float32", "_Float"},   {"_Float64x", "_Float"},
      {"_Float32x", "_Float"},  {"__builtin_va_list", "va_list"}};
  for (const auto& [spelling, plain] : kWords)
    if (spelling == word) return plain;
  return {};
}

bool is_aggregate_word(std::string_view word) {
  return word == "struct" || word == "union" || word == "enum" || word == "typeof" ||
         word == "__typeof__" || word == "__typeof";
}

}  // namespace

bool Parser::begins_type(std::size_t ahead) const {
  const Token& token = peek(ahead);
  if (token.kind != TokenKind::Word) return false;
  if (is_empty_word(token.text) || is_volatile_word(token.text) || is_storage_word(token.text) ||
      !plain_word(token.text).empty() || is_aggregate_word(token.text) ||
      token.text == "__attribute__")
    return true;
  const Entity* entity = find(token.text);
  return entity != nullptr && entity->kind == EntityKind::Typedef;
}

bool Parser::skip_attribute() {
  static constexpr std::string_view kWords[] = {"__attribute__", "__attribute", "__asm__",   "asm",
                                                "__asm",         "_Alignas",    "__declspec"};
  for (const std::string_view word : kWords) {
    if (!is(word)) continue;
    skip();
    while (is("volatile") || is("__volatile__")) skip();
    skip_parentheses();
    return true;
  }
  return false;
}

Parser::Specifiers Parser::specifiers() {
  Specifiers result;
  std::map<std::string_view, int> words;
  bool typed = false;
  while (true) {
    const std::string_view word = peek().text;
    if (peek().kind != TokenKind::Word) break;
    if (is_empty_word(word)) {
      skip();
    } else if (is_volatile_word(word)) {
      result.is_volatile = true;
      skip();
    } else if (is_storage_word(word)) {
      result.is_typedef |= word == "typedef";
      result.is_static |= word == "static";
      result.is_extern |= word == "extern";
      skip();
    } else if (skip_attribute() || basic_word(words)) {
      // taken
    } else if (!typed && words.empty() && is_aggregate_word(word)) {
      result.type = word == "struct"  ? structure(TypeKind::Struct)
                    : word == "union" ? structure(TypeKind::Union)
                    : word == "enum"  ? enumeration()
                                      : type_of();
      typed = true;
    } else {
      const Entity* entity = find(word);
      if (typed || !words.empty() || entity == nullptr || entity->kind != EntityKind::Typedef)
        break;
      use(*entity, peek().span);
      result.type = entity->id;
      typed = true;
      skip();
    }
    result.any = true;
  }
  if (!words.empty()) result.type = basic_type(words);
  return result;
}

bool Parser::basic_word(std::map<std::string_view, int>& words) {
  const std::string_view plain = plain_word(peek().text);
  if (plain.empty()) return false;
  ++words[plain];
  skip();
  return true;
}

TypeId Parser::basic_type(std::map<std::string_view, int>& words) {
  const auto has = [&](std::string_view word) { return words.contains(word); };
  const bool is_unsigned = has("unsigned");
  const auto sign = [&](TypeId type) { return is_unsigned ? type + 1 : type; };
  if (has("va_list")) return unit_.types.pointer_to(kVoid);
  if (has("_Float") || has("_Complex")) return has("long") ? kLongDouble : kDouble;
  if (has("double")) return has("long") ? kLongDouble : kDouble;
  if (has("float")) return kFloat;
  if (has("void")) return kVoid;
  if (has("_Bool")) return kBool;
  if (has("char")) return is_unsigned ? kUnsignedChar : has("signed") ? kSignedChar : kChar;
  if (has("short")) return sign(kShort);
  if (has("__int128")) return sign(kInt128);
  if (has("long")) return sign(words["long"] > 1 ? kLongLong : kLong);
  return sign(kInt);
}

TypeId Parser::type_of() {
  skip();
  expect("(");
  TypeId result = kInt;
  if (begins_type())
    result = type_name();
  else
    result = build_.at(expression()).type;
  expect(")");
  return result;
}

TypeId Parser::structure(TypeKind kind) {
  skip();
  while (skip_attribute()) {
  }
  std::string_view tag;
  if (peek().kind == TokenKind::Word) {
    tag = peek().text;
    skip();
  }
  const bool defines = is("{");
  TypeId type = kNone;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend() && !tag.empty(); ++scope) {
    const auto found = scope->tags.find(tag);
    if (found != scope->tags.end()) {
      type = found->second;
      break;
    }
    if (defines) break;  // a new one in this scope
  }
  if (type == kNone || (defines && unit_.types[type].complete)) {
    TypeEntry entry;
    entry.kind = kind;
    entry.name = tag;
    entry.complete = false;
    type = unit_.types.add(std::move(entry));
    if (!tag.empty()) scopes_.back().tags[tag] = type;
  }
  if (defines) members(type);
  while (skip_attribute()) {
  }
  return type;
}

void Parser::members(TypeId type) {
  expect("{");
  std::vector<Member> list;
  while (!is("}")) {
    if (at_end()) stop("`}`");
    if (accept(";")) continue;
    if (is("_Static_assert")) {
      static_assertion();
      continue;
    }
    const Specifiers base = specifiers();
    if (!base.any) stop("a type");
    if (is(";")) {
      list.push_back({"", base.type, false});
      skip();
      continue;
    }
    do {
      Declarator d;
      if (!is(":")) d = declarator(true);
      Member member{d.name.text, applied(base.type, d.modifiers), false};
      if (accept(":")) {
        conditional();
        member.bit_field = true;
      }
      while (skip_attribute()) {
      }
      list.push_back(member);
    } while (accept(","));
    expect(";");
  }
  skip();
  unit_.types.entry(type).members = std::move(list);
  unit_.types.entry(type).complete = true;
}

// Enumerators are `int`; a variable of the enumeration is `unsigned int` where no value is
// negative.
TypeId Parser::enumeration() {
  skip();
  while (skip_attribute()) {
  }
  std::string_view tag;
  if (peek().kind == TokenKind::Word) {
    tag = peek().text;
    skip();
  }
  if (!accept("{")) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->tags.find(tag); found != scope->tags.end())
        return found->second;
    return kUnsigned;
  }
  Integer next = 0;
  bool negative = false;
  while (!is("}")) {
    const Token constant = name("the name of a constant");
    while (skip_attribute()) {
    }
    if (accept("=")) {
      const ExpressionId value = conditional();
      if (const auto known = build_.value(value))
        next = *known;
      else
        diagnostics_.report("c-005", build_.at(value).span, "a constant is needed here");
    }
    negative |= next.sign() < 0;
    Entity entity;
    entity.kind = EntityKind::Enumerator;
    entity.value = static_cast<std::uint64_t>(next.to_int64().value_or(0));
    entity.span = constant.span;
    declare(constant.text, entity, SymbolKind::Constant);
    next += 1;
    if (!accept(",")) break;
  }
  expect("}");
  while (skip_attribute()) {
  }
  const TypeId type = negative ? kInt : kUnsigned;
  if (!tag.empty()) scopes_.back().tags[tag] = type;
  return type;
}

// ----- declarators

Parser::Declarator Parser::declarator(bool abstract) {
  const Deeper deeper(*this);
  Declarator result;
  std::vector<Modifier> pointers;
  while (true) {
    if (accept("*")) {
      pointers.push_back({TypeKind::Pointer});
    } else if (peek().kind == TokenKind::Word && is_volatile_word(peek().text)) {
      if (!pointers.empty()) pointers.back().is_volatile = true;
      skip();
    } else if (peek().kind == TokenKind::Word && is_empty_word(peek().text)) {
      skip();
    } else if (!skip_attribute()) {
      break;
    }
  }
  std::optional<Declarator> inner;
  if (is("(") && !begins_type(1) && !is(")", 1)) {
    skip();
    inner = declarator(abstract);
    expect(")");
  } else if (peek().kind == TokenKind::Word) {
    result.name = peek();
    skip();
  } else if (!abstract) {
    stop("a name");
  }
  result.modifiers = std::move(pointers);
  suffixes(result);
  if (inner) {
    result.name = inner->name;
    result.modifiers.insert(result.modifiers.end(), inner->modifiers.begin(),
                            inner->modifiers.end());
  }
  while (skip_attribute()) {
  }
  return result;
}

// The last one applies to the type first: `int a[2][3]` are two times three numbers.
void Parser::suffixes(Declarator& result) {
  std::vector<Modifier> list;
  while (true) {
    if (accept("[")) {
      Modifier array{TypeKind::Array};
      while (is("static") || is("const") || is("restrict") || is("__restrict")) skip();
      if (!is("]")) {
        const ExpressionId length = assignment();
        const auto value = build_.value(length);
        if (value && value->sign() >= 0 && value->to_int64()) {
          array.length = static_cast<std::uint64_t>(*value->to_int64());
        } else {
          array.variable = true;
          array.size = length;
        }
      }
      expect("]");
      list.push_back(std::move(array));
    } else if (is("(")) {
      list.push_back(parameter_list());
    } else {
      break;
    }
  }
  result.modifiers.insert(result.modifiers.end(), list.rbegin(), list.rend());
}

Parser::Modifier Parser::parameter_list() {
  const Inside scope(*this);
  Modifier result{TypeKind::Function};
  expect("(");
  if (accept(")")) return result;
  if (is("void") && is(")", 1)) {
    skip();
    skip();
    result.prototype = true;
    return result;
  }
  if (!begins_type()) {  // K&R: types follow
    do {
      result.parameters.push_back({name("a parameter"), kInt});
    } while (accept(","));
    expect(")");
    return result;
  }
  result.prototype = true;
  do {
    if (accept("...")) {
      result.variadic = true;
      break;
    }
    const Specifiers base = specifiers();
    if (!base.any) stop("a type");
    const Declarator d = declarator(true);
    TypeId type = applied(base.type, d.modifiers);
    const TypeEntry entry = unit_.types[type];
    if (entry.kind == TypeKind::Array) type = unit_.types.pointer_to(entry.target);
    if (entry.kind == TypeKind::Function) type = unit_.types.pointer_to(type);
    if (!d.name.text.empty()) {
      const ObjectId object = new_object(d.name.text, type, d.name.span, false);
      Entity entity;
      entity.id = object;
      entity.span = d.name.span;
      scopes_.back().names[d.name.text] = entity;
    }
    result.parameters.push_back({d.name, type, base.is_volatile});
  } while (accept(","));
  expect(")");
  return result;
}

TypeId Parser::applied(TypeId type, const std::vector<Modifier>& modifiers) {
  for (const Modifier& modifier : modifiers) {
    TypeEntry entry;
    entry.kind = modifier.kind;
    entry.target = type;
    entry.length = modifier.length;
    entry.variable = modifier.variable;
    entry.size = modifier.size;
    for (const Parameter& parameter : modifier.parameters)
      entry.parameters.push_back(parameter.type);
    entry.variadic = modifier.variadic;
    entry.prototype = modifier.prototype;
    type = unit_.types.add(std::move(entry));
  }
  return type;
}

TypeId Parser::type_name() {
  const Specifiers base = specifiers();
  if (!base.any) stop("a type");
  return applied(base.type, declarator(true).modifiers);
}

// ----- declarations

void Parser::external() {
  const std::size_t first = at_;
  if (is("_Static_assert")) return static_assertion();
  const Specifiers base = specifiers();
  if (accept(";")) return;
  if (!base.any && peek().kind != TokenKind::Word && !is("*") && !is("(")) stop("a declaration");
  Declarator d = declarator(false);
  TypeId type = applied(base.type, d.modifiers);
  const bool is_function = unit_.types.is(type, TypeKind::Function);
  if (is_function && !base.is_typedef && (is("{") || begins_type())) {
    if (!is("{")) {
      old_style_parameters(d.modifiers.back());
      type = applied(base.type, d.modifiers);
    }
    return function_definition(base, d, type, tokens_[first].span);
  }
  declared(base, d, nullptr);
  while (accept(",")) declared(base, declarator(false), nullptr);
  expect(";");
}

// `int f(a, b) int a; long b; { ... }`
void Parser::old_style_parameters(Modifier& modifier) {
  while (!is("{")) {
    const Specifiers base = specifiers();
    if (!base.any) stop("`{`");
    do {
      const Declarator d = declarator(false);
      TypeId type = applied(base.type, d.modifiers);
      const TypeEntry entry = unit_.types[type];
      if (entry.kind == TypeKind::Array) type = unit_.types.pointer_to(entry.target);
      for (Parameter& parameter : modifier.parameters)
        if (parameter.name.text == d.name.text) parameter.type = type;
    } while (accept(","));
    expect(";");
  }
}

FunctionId Parser::function_named(const Token& name, TypeId type) {
  const auto [it, fresh] =
      unit_.function_names.emplace(name.text, static_cast<FunctionId>(unit_.functions.size()));
  if (fresh) {
    Function function;
    function.name = name.text;
    function.type = type;
    function.span = name.span;
    unit_.functions.push_back(std::move(function));
  }
  Function& function = unit_.functions[it->second];
  // A prototype says more than a declaration without one.
  if (!function.defined && unit_.types[type].prototype) function.type = type;
  Entity entity;
  entity.kind = EntityKind::Function;
  entity.id = it->second;
  entity.span = function.span;
  Scope& outermost = scopes_.front();
  if (outermost.names.emplace(name.text, entity).second)
    symbols_.declare(SymbolKind::Function, name.text, name.span);
  if (scopes_.size() > 1) scopes_.back().names[name.text] = entity;
  return it->second;
}

void Parser::function_definition(const Specifiers&, const Declarator& d, TypeId type, Span begin) {
  const FunctionId id = function_named(d.name, type);
  if (unit_.functions[id].defined) {
    diagnostics_
        .report("c-001", d.name.span, fmt::format("`{}` is defined twice", d.name.text),
                "give one of them another name")
        .related.push_back({unit_.functions[id].span, "first defined here"});
  }
  const Inside scope(*this);
  function_ = id;
  Function& function = unit_.functions[id];
  function.defined = true;
  function.span = d.name.span;
  function.type = type;
  function.parameters.clear();
  for (const Parameter& parameter : d.modifiers.back().parameters) {
    const ObjectId object =
        new_object(parameter.name.text, parameter.type, parameter.name.span, false);
    unit_.objects[object].parameter = true;
    unit_.objects[object].is_volatile = parameter.is_volatile;
    function.parameters.push_back(object);
    Entity entity;
    entity.id = object;
    entity.span = parameter.name.span;
    if (!parameter.name.text.empty()) declare(parameter.name.text, entity, SymbolKind::Parameter);
  }
  const StatementId body = compound();
  unit_.functions[id].body = body;
  unit_.functions[id].whole = join(begin, last());
  function_ = kNone;
}

void Parser::declared(const Specifiers& base, const Declarator& d, std::vector<ObjectId>* objects) {
  const TypeId type = applied(base.type, d.modifiers);
  if (base.is_typedef) {
    Entity entity;
    entity.kind = EntityKind::Typedef;
    entity.id = type;
    entity.span = d.name.span;
    declare(d.name.text, entity, SymbolKind::Type);
    return;
  }
  if (unit_.types.is(type, TypeKind::Function)) {
    function_named(d.name, type);
    return;
  }
  const bool global = function_ == kNone || base.is_extern;
  const Entity* known = global ? find(d.name.text) : nullptr;
  ObjectId object = kNone;
  if (known != nullptr && known->kind == EntityKind::Object && unit_.objects[known->id].keeps &&
      unit_.objects[known->id].function == kNone) {
    object = known->id;  // a tentative definition, or `extern`
    if (unit_.types[type].length || !unit_.types.is(type, TypeKind::Array))
      unit_.objects[object].type = type;
  } else {
    object = new_object(d.name.text, type, d.name.span, global || base.is_static);
    if (base.is_extern) unit_.objects[object].function = kNone;
    unit_.objects[object].is_volatile =
        d.modifiers.empty() || d.modifiers.back().kind == TypeKind::Array
            ? base.is_volatile
            : d.modifiers.back().is_volatile;
    Entity entity;
    entity.id = object;
    entity.span = d.name.span;
    declare(d.name.text, entity, SymbolKind::Variable);
  }
  if (accept("=")) {
    const std::uint32_t value = initializer(type);
    unit_.objects[object].initializer = value;
    complete_length(object);
  }
  if (objects != nullptr && !unit_.objects[object].keeps) objects->push_back(object);
}

void Parser::static_assertion() {
  skip();
  skip_parentheses();
  expect(";");
}

}  // namespace whittle::c
