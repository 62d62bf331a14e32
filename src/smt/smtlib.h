// SPDX-License-Identifier: Apache-2.0
// Terms as SMT-LIB 2.6 text that Z3 and cvc5 both read. Long subterms are defined once
// (`define-fun`), so that the text is linear in the number of distinct subterms.
//
//   std::string text;
//   SmtLibWriter writer(pool, text);
//   std::string x_lt_y = writer.term(expanded);   // appends declarations and definitions to `text`
//   text += "(assert " + x_lt_y + ")\n";
//
// Enumerations are datatypes; sets are arrays to Bool.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "expr/expr.h"
#include "smt/translate.h"

namespace whittle::smt {

// As a symbol of SMT-LIB, in bars where it must be; characters that no symbol has become `_`.
[[nodiscard]] std::string smtlib_symbol(std::string_view name);
[[nodiscard]] std::string smtlib_integer(const Integer& value);
[[nodiscard]] std::string smtlib_real(const Rational& value);

class SmtLibWriter {
 public:
  using Term = std::string;
  // Gets an equation that must be asserted and hold in all scopes (the name of a deep subterm).
  using OnFact = std::function<void(const std::string&)>;

  // Appends to `out`. Without `on_fact` deep subterms are defined like long ones.
  SmtLibWriter(const ExprPool& pool, std::string& out, OnFact on_fact = nullptr);

  // requires: `e` is plain (smt/elimination/expand.h). Throws Unsupported (intersection of unknown
  // sets).
  std::string term(Expr e) { return translator_(e); }
  // Declared on first use. To choose the name, call `set_name` before.
  std::string symbol(SymbolId symbol);
  std::string sort(Type type);
  std::string value(const Value& value, Type type);
  // The symbol is written with this name; requires: no other one has it. With `declared`, the
  // caller declares it itself (as a bound variable, say).
  void set_name(SymbolId symbol, std::string_view name, bool declared = false);
  // From now on long subterms are collected here as (name, text), each over those before it, for
  // the caller to bind with `let`: definitions cannot mention bound variables.
  void collect_lets(std::vector<std::pair<std::string, std::string>>& lets) { lets_ = &lets; }
  // A name that nothing else has.
  std::string unique(std::string_view wanted);

 private:
  friend class Translator<SmtLibWriter>;
  std::string build(Expr e, std::span<const std::string> children);
  std::string name(Expr e, const std::string& text);
  std::string plain_text(Expr e, std::span<const std::string> children);
  std::string stored(const std::string& set, std::span<const std::string> elements,
                     bool inside) const;
  std::string defined(Expr e, const std::string& text);

  const ExprPool& pool_;
  std::string& out_;
  OnFact on_fact_;
  std::vector<std::pair<std::string, std::string>>* lets_ = nullptr;
  std::unordered_map<SymbolId, std::string> symbols_;
  std::unordered_map<std::uint32_t, std::string> sorts_;                // by type
  std::unordered_map<std::uint32_t, std::vector<std::string>> values_;  // of enums, by type
  std::unordered_set<std::string> used_;                                // names
  std::size_t definitions_ = 0;
  Translator<SmtLibWriter> translator_;
};

}  // namespace whittle::smt
