// SPDX-License-Identifier: Apache-2.0
// The parser's state and what its files share: parse_declarations.cpp, parse_expressions.cpp,
// parse_statements.cpp. Names are resolved while parsing, since what a name stands for decides how
// C reads on.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/c/builder.h"
#include "frontend/c/parser.h"

namespace whittle::c {

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, Unit& unit, Diagnostics& diagnostics,
         SymbolIndex& symbols);
  void unit();

 private:
  // Thrown at a syntax error that was reported.
  struct Stop {};
  static constexpr unsigned kMaxNesting = 1200;

  enum class EntityKind : std::uint8_t { Typedef, Object, Function, Enumerator };
  struct Entity {
    EntityKind kind = EntityKind::Object;
    std::uint32_t id = 0;  // of a type, an object, a function
    std::uint64_t value = 0;
    Span span;
  };
  struct Scope {
    std::unordered_map<std::string_view, Entity> names;
    std::unordered_map<std::string_view, TypeId> tags;
  };
  class Inside {  // a scope, while it lives
   public:
    explicit Inside(Parser& parser) : parser_(parser) { parser_.scopes_.emplace_back(); }
    ~Inside() { parser_.scopes_.pop_back(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Parser& parser_;
  };
  class Deeper {  // by one level of nesting
   public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.nesting_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  // ----- tokens
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool is(std::string_view text, std::size_t ahead = 0) const {
    const Token& token = peek(ahead);
    return (token.kind == TokenKind::Symbol || token.kind == TokenKind::Word) && token.text == text;
  }
  [[nodiscard]] bool at_end() const { return peek().kind == TokenKind::End; }
  void skip();
  bool accept(std::string_view text);
  void expect(std::string_view text);
  [[noreturn]] void stop(std::string_view expected);
  Token name(std::string_view what);
  void skip_parentheses();
  void recover(std::size_t from, bool outside);
  [[nodiscard]] Span last() const { return at_ == 0 ? peek().span : tokens_[at_ - 1].span; }

  // ----- names
  [[nodiscard]] const Entity* find(std::string_view name) const;
  void declare(std::string_view name, Entity entity, SymbolKind kind);
  void use(const Entity& entity, Span place);
  ObjectId new_object(std::string_view name, TypeId type, Span span, bool keeps);

  // ----- declarations
  struct Specifiers {
    TypeId type = kInt;
    bool is_typedef = false;
    bool is_static = false;
    bool is_extern = false;
    bool is_volatile = false;
    bool any = false;
  };
  struct Parameter {
    Token name;  // may be empty
    TypeId type = kInt;
    bool is_volatile = false;
  };
  struct Modifier {
    TypeKind kind = TypeKind::Pointer;  // Pointer, Array, Function
    bool is_volatile = false;           // a volatile pointer
    std::optional<std::uint64_t> length = {};
    bool variable = false;
    ExpressionId size = kNone;  // then
    std::vector<Parameter> parameters = {};
    bool variadic = false;
    bool prototype = false;
  };
  struct Declarator {
    Token name;
    std::vector<Modifier> modifiers;  // in the order in which they apply to the type
  };
  [[nodiscard]] bool begins_type(std::size_t ahead = 0) const;
  bool skip_attribute();
  Specifiers specifiers();
  bool basic_word(std::map<std::string_view, int>& words);
  TypeId basic_type(std::map<std::string_view, int>& words);
  TypeId structure(TypeKind kind);
  void members(TypeId type);
  TypeId enumeration();
  TypeId type_of();
  Declarator declarator(bool abstract);
  void suffixes(Declarator& result);
  Modifier parameter_list();
  TypeId applied(TypeId type, const std::vector<Modifier>& modifiers);
  TypeId type_name();
  void external();
  void function_definition(const Specifiers& specifiers, const Declarator& declarator, TypeId type,
                           Span begin);
  FunctionId function_named(const Token& name, TypeId type);
  void old_style_parameters(Modifier& modifier);
  // Declares one name; a statement's objects are appended.
  void declared(const Specifiers& specifiers, const Declarator& declarator,
                std::vector<ObjectId>* objects);
  std::uint32_t initializer(TypeId type);
  void complete_length(ObjectId object);
  void static_assertion();

  // ----- statements
  StatementId add(Statement statement);
  StatementId statement();
  StatementId statement_or_stop();
  StatementId compound();
  StatementId declaration();
  StatementId selection();
  StatementId loop();
  StatementId do_loop();
  StatementId for_loop();
  StatementId jump();
  StatementId labelled();
  StatementId case_label();
  StatementId assembler();
  StatementId expression_statement();

  // ----- expressions
  ExpressionId expression();
  ExpressionId assignment();
  ExpressionId conditional();
  ExpressionId operators(int weakest);
  ExpressionId cast_expression();
  ExpressionId unary();
  ExpressionId postfix();
  ExpressionId arguments(ExpressionId callee);
  ExpressionId primary();
  ExpressionId named();
  ExpressionId size_of(bool alignment);
  ExpressionId built_in();

  const std::vector<Token>& tokens_;
  Unit& unit_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  Builder build_;
  std::size_t at_ = 0;
  unsigned nesting_ = 0;
  std::vector<Scope> scopes_;
  FunctionId function_ = kNone;  // whose body is read
};

}  // namespace whittle::c
