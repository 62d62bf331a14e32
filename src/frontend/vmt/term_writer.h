// SPDX-License-Identifier: Apache-2.0
// Terms as SMT-LIB text. Long and shared subterms get names of their own, so that the text is
// linear in the number of distinct subterms and never deeply nested.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "expr/expr_map.h"

namespace whittle::vmt {

[[nodiscard]] std::string sort_text(const ExprPool& pool, Type type);
[[nodiscard]] std::string value_text(const ExprPool& pool, const Value& value, Type type);

class TermWriter {
 public:
  using SymbolText = std::function<std::string(SymbolId)>;
  struct Definition {
    std::string name;
    std::string sort;
    std::string text;  // over the names before it
  };

  // `fresh_name` makes names for subterms.
  TermWriter(const ExprPool& pool, SymbolText symbol, std::function<std::string()> fresh_name)
      : pool_(pool), symbol_(std::move(symbol)), fresh_name_(std::move(fresh_name)) {}

  // Counts how often subterms occur; call it with all terms before any is written.
  void prepare(std::span<const Expr> roots);
  [[nodiscard]] std::string operator()(Expr e);
  // What the terms written so far need, in order; the caller takes them.
  [[nodiscard]] std::vector<Definition> take_definitions() { return std::move(definitions_); }

 private:
  [[nodiscard]] std::string text(Expr e) const;
  [[nodiscard]] const std::string& written(Expr e) const { return *texts_.find(e); }

  const ExprPool& pool_;
  SymbolText symbol_;
  std::function<std::string()> fresh_name_;
  ExprMap<std::uint32_t> uses_;
  ExprMap<std::string> texts_;
  std::vector<Definition> definitions_;
};

}  // namespace whittle::vmt
