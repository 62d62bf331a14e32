// SPDX-License-Identifier: Apache-2.0
// Expressions as written, before names and types are looked at. The nodes of all expressions of a
// file stand in one vector in the order in which they would be computed: the operands of a node
// stand directly before it, so every subtree is a contiguous range that ends with its root. Whoever
// wants the meaning runs over the range with a stack (expression_typer.h); nobody recurses.
//
//   a + b * c    =>    a  b  c  *  +
//   forall i in 1..n: p && q    =>    1  n  Bind(i)  p  q  &&  Forall
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/source.h"
#include "frontend/expression/token.h"

namespace whittle::frontend {

enum class SyntaxKind : std::uint8_t {
  Integer,
  Decimal,
  Text,
  True,
  False,
  Name,
  Primed,   // x'
  AtNode,   // @Open
  Any,      // any x
  Index,    // base[index]
  Member,   // base.name
  AtLabel,  // base@label
  Not,
  Negate,
  Implies,
  Or,
  And,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Add,
  Subtract,
  Concat,
  Multiply,
  Divide,
  Remainder,
  Power,
  Conditional,  // if c then a else b: the three stand before it
  BindRange,    // low and high end stand before it; the body and the quantifier after it
  BindEnum,     // nothing before it
  Forall,       // the body stands directly before it, the Bind before the body
  Exists,
  // Formulas of temporal logic only.
  Iff,
  Always,
  Eventually,
  NextState,
  Once,
  Historically,
  Until,
  WeakUntil,
  Release,
  Since,
  Taken,       // taken(t): what is taken stands before it
  TakenName,   // taken(t) where t is a name
  TakenLabel,  // taken(base@label): the base stands before it, the token is the label
  Halt,
};

struct SyntaxNode {
  SyntaxKind kind = SyntaxKind::True;
  bool chained = false;     // left operand of a node of its own kind (&&, ||, +, ++, *)
  std::uint32_t begin = 0;  // in the file, parentheses around it not included
  std::uint32_t end = 0;
  std::uint32_t first = 0;  // where the range of its subtree begins
  std::uint32_t token = 0;  // leaves, Member, AtLabel: the name or literal; Bind: the bound name;
                            // others: the operator
  std::uint32_t link = 0;   // Bind: its quantifier
};

using SyntaxId = std::uint32_t;

class SyntaxTree {
 public:
  SyntaxTree(std::string_view text, FileId file, std::vector<Token> tokens)
      : text_(text), file_(file), tokens_(std::move(tokens)) {}

  [[nodiscard]] const SyntaxNode& node(SyntaxId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // Of an operator with two operands, and of one with one.
  [[nodiscard]] SyntaxId right(SyntaxId id) const { return id - 1; }
  [[nodiscard]] SyntaxId left(SyntaxId id) const { return nodes_[id - 1].first - 1; }
  [[nodiscard]] SyntaxId operand(SyntaxId id) const { return id - 1; }

  [[nodiscard]] Span span(SyntaxId id) const { return {file_, nodes_[id].begin, nodes_[id].end}; }
  [[nodiscard]] Span operator_span(SyntaxId id) const { return span_of(token_of(id)); }
  [[nodiscard]] std::string_view source(SyntaxId id) const {
    return text_.substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
  }
  [[nodiscard]] const Token& token_of(SyntaxId id) const { return tokens_[nodes_[id].token]; }

  [[nodiscard]] const Token& token(std::size_t index) const { return tokens_[index]; }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }
  [[nodiscard]] std::string_view text(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }
  [[nodiscard]] Span span_of(const Token& token) const { return {file_, token.begin, token.end}; }
  [[nodiscard]] FileId file() const { return file_; }

  // The conjuncts of a node, from left to right, whatever the parentheses.
  [[nodiscard]] std::vector<SyntaxId> conjuncts(SyntaxId root) const;

  SyntaxId add(SyntaxNode node) {
    WHITTLE_REQUIRE(nodes_.size() < UINT32_MAX, "more than 2^32 nodes in one file");
    nodes_.push_back(node);
    return static_cast<SyntaxId>(nodes_.size() - 1);
  }
  SyntaxNode& edit(SyntaxId id) { return nodes_[id]; }

 private:
  std::string_view text_;
  FileId file_;
  std::vector<Token> tokens_;
  std::vector<SyntaxNode> nodes_;
};

}  // namespace whittle::frontend
