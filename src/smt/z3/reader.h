// SPDX-License-Identifier: Apache-2.0
// Z3's terms as ours: the way back for formulas that Z3 made (simplified, eliminated, invariants).
// Bool, Int, Real, bit vectors, enumerations and arrays; anything else is not read.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

class Z3Reader {
 public:
  // Symbols are those that `terms` declared.
  Z3Reader(ExprPool& pool, Z3Context& context, const Z3Terms& terms)
      : pool_(pool), z3_(context), terms_(terms) {}

  // What Z3's free variables (numbered, as in the body of a quantifier) stand for.
  void bind(std::vector<Expr> variables);
  // Empty: something in it has no counterpart here.
  std::optional<Expr> operator()(Z3_ast ast);
  // The same for a Bool term; Z3 may have named Bool values of type Int otherwise.
  std::optional<Expr> formula(Z3_ast ast);

 private:
  // Invalid where there is no counterpart.
  Expr read(Z3_ast ast, std::span<const Expr> arguments);
  Expr read_numeral(Z3_ast ast);
  std::optional<Type> type_of(Z3_sort sort);
  Expr read_bits(Z3_func_decl decl, std::span<const Expr> a);
  Expr read_application(Z3_app app, std::span<const Expr> arguments);
  Expr make(Op op, std::span<const Expr> arguments);
  Expr make(Op op, std::initializer_list<Expr> arguments) {
    return make(op, std::span<const Expr>(arguments.begin(), arguments.size()));
  }
  // Enumerations are integers to Z3. These find back what a term over them means to us.
  [[nodiscard]] bool is_enum(Expr e) const { return pool_.kind(pool_.type(e)) == TypeKind::Enum; }
  Expr as_integer(Expr e);
  Expr as_enum(Expr e, Type type);
  Expr equality(Expr a, Expr b);
  Expr comparison(Op op, Expr a, Expr b);
  Expr choice(std::span<const Expr> arguments);
  std::vector<Expr> integers(std::span<const Expr> arguments);

  ExprPool& pool_;
  Z3Context& z3_;
  const Z3Terms& terms_;
  std::vector<Expr> variables_;
  std::unordered_map<Z3_ast, Expr> done_;
};

}  // namespace whittle::smt
