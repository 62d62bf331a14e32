// SPDX-License-Identifier: Apache-2.0
// The parser's class, shared by the files that implement it: parser.cpp (tokens, modules),
// parse_spec.cpp (specifications), parse_library.cpp (events, functions, invariants),
// parse_test.cpp (test modules), parse_runs.cpp (properties of runs), parse_expr.cpp (expressions
// and types).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "frontend/rebel/ast.h"
#include "frontend/rebel/lexer.h"
#include "frontend/rebel/names.h"

namespace whittle::rebel {

class Parser {
 public:
  Parser(Lexer& lexer, Names& names, Diagnostics& diagnostics, ModuleAst& module);
  void run();

 private:
  // Thrown inside one construct after its problem was reported, caught where the parser knows how
  // to go on.
  struct Panic {};
  using Nature = Diagnostic::Nature;

  // ----- tokens
  [[nodiscard]] const Token& peek() const { return token_; }
  [[nodiscard]] Token ahead(int n);  // ahead(0) is peek()
  [[nodiscard]] bool is(TokenKind kind) const { return token_.kind == kind; }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return token_.kind == TokenKind::Word && lexer_.text(token_) == word;
  }
  [[nodiscard]] bool is_word(const Token& token, std::string_view word) const {
    return token.kind == TokenKind::Word && lexer_.text(token) == word;
  }
  Token take();
  bool accept(TokenKind kind);
  bool accept_word(std::string_view word);
  Token expect(TokenKind kind, std::string_view context, std::string hint = "");
  void expect_word(std::string_view word, std::string_view context);
  [[nodiscard]] Extent here() const { return {token_.begin, token_.end}; }
  [[nodiscard]] Extent since(std::uint32_t begin) const { return {begin, last_end_}; }
  Diagnostic& report(std::string_view id, Extent at, std::string message, std::string hint = "");
  [[nodiscard]] Extent place_to_repair() const;
  [[noreturn]] void unexpected(std::string_view expected, std::string hint = "",
                               Nature nature = Nature::Plain);
  [[nodiscard]] std::string found() const;
  // Skips to `;` (taken) or to the `}` that closes the block (left), over nested brackets.
  void skip_statement();
  // Skips to the `}` that closes the block at hand (left) or to one of the words.
  void skip_section(std::initializer_list<std::string_view> words);
  // Skips to the word that begins the next declaration.
  void skip_declaration();
  [[nodiscard]] bool at_declaration();
  // At a word that cannot stand inside a block: another section or another declaration begins.
  [[nodiscard]] bool at_other_block();
  // `EUR 10,50` without a blank is no list: takes what follows the number. ".50", or ".00".
  std::string decimals_behind_comma(const Token& number);
  // What people who come from other languages probably mean by the token at hand; empty: no idea.
  [[nodiscard]] std::string habit_hint() const;
  // The word that the one at hand is probably meant to be, or nothing; and the hint that says so.
  [[nodiscard]] std::string nearest_word(std::initializer_list<std::string_view> words) const;
  [[nodiscard]] std::string nearest_hint(std::initializer_list<std::string_view> words) const;
  // Takes a word in front of `{` that is nearly one of these for it, with a report. Empty: none.
  std::string_view misspelt_block(std::initializer_list<std::string_view> words);
  void check_declared(const QName& name, std::string_view what);
  [[nodiscard]] bool line_ended() const;
  // The closing brace of a block that was opened at `open`.
  void close_brace(std::uint32_t open, std::string_view what);
  [[nodiscard]] std::uint32_t indentation(std::uint32_t at) const;
  void note_braces(Diagnostic& report, std::uint32_t open);

  // ----- names
  Name declared_name(std::string_view what, Extent* at);
  QName qualified_name(std::string_view what);
  Name intern(Token token) { return names_.intern(lexer_.text(token)); }

  // ----- modules (parser.cpp)
  struct Annotations {
    bool key = false;
    QName ref;
    Extent key_at, ref_at;
  };
  Annotations annotations();
  void header();
  void declaration();
  void specification(std::uint32_t begin);
  void fields_section(SpecAst& spec);
  void events_section(SpecAst& spec);
  void invariants_section(SpecAst& spec);
  void lifecycle_section(SpecAst& spec);
  void life_state();
  void event(std::uint32_t begin);
  void function(std::uint32_t begin);
  void invariant(std::uint32_t begin);
  Range params(TokenKind close, bool defaults);
  Range statements(std::string_view what);
  StmtAst statement();
  Range syncs();
  SyncAst sync();

  // ----- test modules (parse_test.cpp)
  void setup();
  SetupStmtAst setup_statement();
  void constraints(SetupStmtAst& stmt);
  ConstraintGroupAst constraint_group();
  ExprRef constraint();
  void check();
  std::optional<Expectation> expectation();
  [[nodiscard]] bool at_one_with();

  // ----- properties of runs (parse_runs.cpp)
  class Formulas;
  class FormulaMode;
  [[nodiscard]] bool at_runs();
  void runs();
  void runs_head(RunsAst& result);
  void ltl();
  void recoverable();
  void fairness();
  [[nodiscard]] bool at_iff();
  ExprRef formula();
  ExprRef formula_implication();
  ExprRef formula_disjunction();
  ExprRef formula_conjunction();
  ExprRef formula_binary();
  ExprRef formula_unary();
  ExprKind formula_prefix();

  // ----- expressions and types (parse_expr.cpp)
  TypeRef type();
  TypeRef simple_type();
  ExprRef expression();
  ExprRef implication();
  ExprRef disjunction();
  ExprRef conjunction();
  ExprRef negation();
  ExprRef relation();
  ExprRef membership();
  ExprRef sum();
  ExprRef product();
  ExprRef prefix();
  ExprRef postfix();
  ExprRef primary();
  ExprRef number_literal();
  ExprRef time_literal();
  ExprRef word_primary();
  ExprRef braces();
  ExprRef parentheses();
  ExprRef quantifier(ExprKind kind);
  std::uint32_t conditions(TokenKind close);
  std::uint32_t arguments();
  ExprRef node(ExprKind kind, std::uint32_t begin, std::uint32_t a = 0, std::uint32_t b = 0,
               std::uint32_t c = 0);
  // Notes where the name that a quantifier binds stands.
  ExprRef bound(ExprRef e, Extent name) {
    m_.bound_at[e] = name;
    return e;
  }
  std::uint32_t list(const std::vector<std::uint32_t>& elements);
  [[nodiscard]] bool begins_operand(const Token& token) const;
  void warn_ternary(ExprRef e);

  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // Whether a comma after the body of a quantifier begins a further condition of it.
  class Commas {
   public:
    Commas(Parser& parser, bool allowed) : parser_(parser), saved_(parser.commas_) {
      parser_.commas_ = allowed;
    }
    ~Commas() { parser_.commas_ = saved_; }
    Commas(const Commas&) = delete;
    Commas& operator=(const Commas&) = delete;

   private:
    Parser& parser_;
    bool saved_;
  };

  static constexpr int kMaxDepth = 400;

  Lexer& lexer_;
  Names& names_;
  Diagnostics& diagnostics_;
  ModuleAst& m_;
  Token token_;
  std::uint32_t last_end_ = 0;  // end of the last token taken
  int depth_ = 0;
  bool commas_ = true;
  bool formula_ = false;  // expressions are formulas of temporal logic
  Extent misplaced_;  // braces of a block that, going by the indentation, do not belong together
  std::uint32_t forgiven_ = kNone;  // token before which a missing '}' was reported
  bool fragment_closed_ = false;    // the one brace that a fragment may lack was forgiven
};

}  // namespace whittle::rebel
