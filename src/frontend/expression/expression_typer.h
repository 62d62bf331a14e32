// SPDX-License-Identifier: Apache-2.0
// From expressions as written to typed terms. Int and Real mix by widening; `/` of two Ints is
// integer division and `%` its remainder, which is never negative; quantifiers are expanded. The
// language supplies a Scope, which knows what names mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "frontend/expression/syntax_tree.h"
#include "frontend/symbol_index.h"
#include "ir/ltl.h"

namespace whittle::frontend {

// What a piece of an expression stands for: a term, or something of the language's own that only
// together with an index, member or label has a value (the process in `P[2].x`).
struct Operand {
  Expr expr;                   // invalid: no value of its own
  std::uint32_t entity = 0;    // the language's business when there is no term
  std::uint64_t position = 0;  // likewise
  Span declaration = {};       // of the name that gave it; "nowhere": none
};

// The meaning of names. Every function reports what it refuses and then returns nothing.
class Scope {
 public:
  explicit Scope(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  virtual ~Scope() = default;

  virtual std::optional<Operand> name(std::string_view name, Span span) = 0;
  virtual std::optional<Type> enum_type(std::string_view name, Span span) = 0;
  // Whether a quantifier that binds this name hides something.
  virtual bool declares(std::string_view name) = 0;
  // x', @Node
  virtual std::optional<Operand> primed(std::string_view name, Span span);
  virtual std::optional<Operand> at_node(std::string_view name, Span span);
  // Arrays are indexed by the typer; these are for the operands without a term.
  virtual std::optional<Operand> index(const Operand& base, const Operand& index, Span span);
  virtual std::optional<Operand> member(const Operand& base, std::string_view name, Span span);
  virtual std::optional<Operand> label(const Operand& base, std::string_view name, Span span);
  // Atoms of formulas about the step that leaves a state: taken(t), taken(P[0]), taken(P[0]@l).
  virtual std::optional<Operand> taken(std::string_view name, Span span);
  virtual std::optional<Operand> taken(const Operand& base, Span span);
  virtual std::optional<Operand> taken(const Operand& base, std::string_view label, Span span);
  virtual std::optional<Operand> halt(Span span);

 protected:
  Diagnostics& diagnostics_;
};

class ExpressionTyper {
 public:
  // `symbols` gets the uses of names, and the names that quantifiers bind.
  ExpressionTyper(ExprPool& pool, const SyntaxTree& tree, Diagnostics& diagnostics,
                  SymbolIndex& symbols)
      : pool_(pool), tree_(tree), diagnostics_(diagnostics), symbols_(symbols) {}

  // The term, or an invalid one after reporting why there is none. Linear in the expression as
  // written, its quantifiers expanded; at most kMaxExpansion nodes.
  Expr operator()(SyntaxId root, Scope& scope);
  // The same, and it must be of that type (an Int is widened where a Real is needed). `what` names
  // the place in messages: "the guard".
  Expr typed(SyntaxId root, Scope& scope, Type type, std::string_view what);
  // The formula that was parsed as one, or an invalid one after reporting why there is none. A part
  // without temporal operators is one condition, and so are neighbours in `a && b && []c`.
  // Quantifiers with a temporal body are conjunctions and disjunctions of its cases.
  LtlFormula formula(SyntaxId root, Scope& scope, LtlPool& ltl);

  static constexpr std::uint64_t kMaxExpansion = 4'000'000;
  static constexpr unsigned kMaxExponent = 1'000;
  static constexpr std::uint64_t kMaxBits = 1'000'000;  // of a computed constant

 private:
  struct Item {
    Operand operand;
    SyntaxId node = 0;
    bool valid = false;
    LtlFormula formula = {};  // valid: it is temporal, and the operand is empty
  };
  // A quantifier whose body is being expanded.
  struct Loop {
    SyntaxId bind = 0;
    std::string_view name;
    Type type;             // Int or an enumeration
    Integer value;         // of this round: a number or the position in the enumeration
    Integer end;           // the last one
    std::size_t base = 0;  // where its results begin on the stack
    bool empty = false;    // no case at all: the body is only checked
    bool first = true;     // its first round
  };

  bool run(SyntaxId root, Scope& scope);
  void step(Scope& scope);
  void leaf(SyntaxId id, Scope& scope);
  void postfix(SyntaxId id, Scope& scope);
  void unary(SyntaxId id);
  void binary(SyntaxId id);
  void conditional(SyntaxId id);
  void chain(SyntaxId id);
  void combine(SyntaxId id, std::span<const Item> operands);
  void bind(SyntaxId id, Scope& scope);
  void end_of_body(SyntaxId id);

  // Formulas (formula_typer.cpp).
  void temporal(SyntaxId id);
  void taken(SyntaxId id, Scope& scope);
  bool combine_formulas(SyntaxId id, std::span<const Item> operands);
  bool refuse_temporal(SyntaxId id, std::span<const Item> operands);
  void end_of_formula(SyntaxId id, std::span<const Item> cases);
  LtlFormula junction(SyntaxKind kind, std::span<const Item> operands);
  LtlFormula as_formula(const Item& item);
  LtlFormula atom(Expr condition);
  void push_formula(SyntaxId id, LtlFormula formula) { stack_.push_back({{}, id, true, formula}); }

  Expr build(SyntaxId id, std::span<Expr> arguments);
  Expr power(SyntaxId id, Expr base, Expr exponent);
  Expr divide(SyntaxId id, std::span<Expr> arguments);
  Expr compare(SyntaxId id, std::span<Expr> arguments);
  bool widen(std::span<Expr> arguments);
  void refuse(SyntaxId id, std::string_view needs, std::span<const Expr> arguments);
  std::optional<Integer> constant_bound(const Item& item, std::string_view which);
  [[nodiscard]] const Loop* bound(std::string_view name) const;
  [[nodiscard]] std::string quote(SyntaxId id) const;
  // Where the name of a node stands, without what is around it.
  [[nodiscard]] Span name_span(SyntaxId id) const { return tree_.span_of(tree_.token_of(id)); }
  void record_use(Span declaration, SyntaxId id);
  // The bodies of all quantifiers around are read for their first case.
  [[nodiscard]] bool first_round() const;

  void push(SyntaxId id, Expr expr) { stack_.push_back({{expr, 0, 0}, id, expr.valid()}); }
  void push_failure(SyntaxId id) { stack_.push_back({{}, id, false}); }

  ExprPool& pool_;
  const SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;

  // The run over one expression.
  SyntaxId at_ = 0;
  std::vector<Item> stack_;
  std::vector<std::uint32_t> chains_;  // operands collected so far by the open chains
  std::vector<Loop> loops_;
  std::vector<Expr> arguments_;
  std::uint64_t steps_ = 0;
  LtlPool* ltl_ = nullptr;  // while a formula is read
};

// The name that a node mentions, without quotes.
[[nodiscard]] std::string name_of(const SyntaxTree& tree, SyntaxId id);

}  // namespace whittle::frontend
