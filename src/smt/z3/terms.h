// SPDX-License-Identifier: Apache-2.0
// Our plain terms as Z3's, and Z3's values as ours.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>

#include "expr/expr.h"
#include "smt/logic.h"
#include "smt/translate.h"
#include "smt/z3/context.h"

namespace whittle::smt {

class Z3Terms {
 public:
  using Term = Z3_ast;
  // Gets what must hold for the terms to mean what ours do (ranges of enumerations).
  using OnFact = std::function<void(Z3_ast)>;

  // `datatypes`: the enumerations that become datatypes; the others are integers.
  Z3Terms(const ExprPool& pool, Z3Context& context, std::set<Type> datatypes, OnFact on_fact);

  Z3_ast operator()(Expr e) { return translator_(e); }
  // A deep subterm gets a name, so that a formula becomes equisatisfiable, not equivalent; where
  // that will not do, such a term is refused (Unsupported).
  void refuse_deep_terms() { refuse_deep_ = true; }

  Z3_sort sort(Type type);
  Z3_func_decl declaration(SymbolId symbol);
  [[nodiscard]] bool knows(SymbolId symbol) const { return declarations_.contains(symbol); }
  Z3_ast constant(const Value& value, Type type);
  Z3_ast fresh(const char* prefix, Z3_sort sort);
  // What keeps a variable within its type; null for types that need nothing.
  Z3_ast range(Z3_ast variable, Type type);

  // The value that a ground term of a model has; the model is needed where it is an array.
  // Throws NoValue.
  Value value(Z3_ast ast, Type type, Z3_model model);

  // The ways back.
  [[nodiscard]] std::optional<SymbolId> symbol_of(Z3_func_decl decl) const;
  [[nodiscard]] std::optional<std::pair<Type, EnumValue>> enum_value(Z3_func_decl decl) const;

  [[nodiscard]] bool is_datatype(Type type) const { return datatypes_.contains(type); }

 private:
  friend class Translator<Z3Terms>;
  Z3_ast build(Expr e, std::span<const Z3_ast> children);
  Z3_ast name(Expr e, Z3_ast term);
  Z3_ast apply(Expr e, std::span<const Z3_ast> children);
  Z3_ast apply_bits(Expr e, const Z3_ast* children);
  Z3_ast elements(Z3_ast set, std::span<const Z3_ast> elements);
  ArrayValue content(Z3_ast ast, Type index, Type element, Z3_model model, unsigned depth);
  ArrayValue function_content(Z3_func_interp function, Type index, Type element, Z3_model model);
  ArrayValue mapped_content(Z3_app app, Type index, Z3_model model, unsigned depth);
  Value set_value(const ArrayValue& content, Type element);

  const ExprPool& pool_;
  Z3Context& z3_;
  std::set<Type> datatypes_;
  OnFact on_fact_;
  bool refuse_deep_ = false;
  std::unordered_map<std::uint32_t, Z3_sort> sorts_;                     // by type
  std::unordered_map<std::uint32_t, std::vector<Z3_func_decl>> values_;  // of datatypes, by type
  std::unordered_map<SymbolId, Z3_func_decl> declarations_;
  std::unordered_map<Z3_func_decl, SymbolId> symbols_;  // the inverse
  Translator<Z3Terms> translator_;
};

}  // namespace whittle::smt
