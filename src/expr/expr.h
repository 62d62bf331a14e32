// SPDX-License-Identifier: Apache-2.0
// Typed terms, hash-consed in an arena: a term is a 32-bit handle, equal terms have equal handles,
// and children have smaller handles than their parents.
//
//   ExprPool pool;
//   SymbolId x = pool.declare("x", Type::integer());
//   Expr e = pool.lt(pool.symbol(x), pool.integer(10));
//
// Meaning. Terms can be undefined: division and remainder by zero, an index outside an array of
// known length. `And`, `Or`, `Implies` and `Ite` are lazy from left to right, so the left side can
// guard the right; everything else is undefined where an argument is. A term that can never be
// undefined is `total`. The builder keeps the order of arguments and folds only where the meaning,
// undefinedness included, stays the same.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "expr/type.h"
#include "expr/value.h"

namespace whittle {

using SymbolId = StrongId<struct SymbolTag>;

class Expr {
 public:
  constexpr Expr() = default;
  constexpr explicit Expr(std::uint32_t id) : id_(id) {}
  [[nodiscard]] constexpr std::uint32_t id() const { return id_; }
  [[nodiscard]] constexpr bool valid() const { return id_ != UINT32_MAX; }
  constexpr auto operator<=>(const Expr&) const = default;

 private:
  std::uint32_t id_ = UINT32_MAX;
};

enum class Op : std::uint8_t {
  Const,  // a value
  Apply,  // a symbol, applied to as many arguments as it has parameters (variables have none)
  Not,
  And,      // two or more, lazy
  Or,       // two or more, lazy
  Implies,  // two, lazy
  Ite,      // condition, then, else; lazy in the branches
  Eq,       // two of one type
  Lt,       // two Int or two Real; `a > b` is built as `b < a`
  Le,
  Neg,
  Add,  // two or more
  Sub,
  Mul,   // two or more
  Div,   // Real
  IDiv,  // Int, SMT-LIB div
  Mod,   // Int, SMT-LIB mod: never negative
  Pow,   // Int or Real base, exponent a constant natural number
  ToReal,
  ToInt,       // floor
  Concat,      // two or more strings
  Select,      // array, index
  Store,       // array, index, element
  ConstArray,  // element; the type says which array
  SetOf,       // any number of elements; the type says which set
  Member,      // element, set
  Union,
  Intersection,
  Difference,
  Subset,
  Card,    // number of elements of a set, Int
  Forall,  // bound symbol, set, body
  Exists,  // bound symbol, set, body
  Filter,  // bound symbol, set, body: the elements of the set that satisfy the body
  // Bit vectors, as in SMT-LIB; all total (division by zero has the value SMT-LIB gives it).
  BvNot,
  BvNeg,
  BvAnd,
  BvOr,
  BvXor,
  BvAdd,
  BvSub,
  BvMul,
  BvUDiv,
  BvURem,
  BvSDiv,
  BvSRem,
  BvSMod,
  BvShl,
  BvLShr,
  BvAShr,
  BvULt,
  BvULe,
  BvSLt,
  BvSLe,
  BvConcat,      // two; the first is the high part
  BvExtract,     // one, with indices (high, low)
  BvZeroExtend,  // one, with index (number of new bits)
  BvSignExtend,  // one, with index (number of new bits)
  BvToNat,
  IntToBv,  // one; the type says which width; modulo 2^width
};
inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::IntToBv) + 1;

struct SymbolInfo {
  std::string name;
  Type type;                 // of the result
  std::vector<Type> params;  // empty for a variable
};

class ExprPool {
 public:
  ExprPool();
  // A snapshot: handles of the original are valid in the copy. What exists so far is shared.
  ExprPool(const ExprPool& other);
  ExprPool& operator=(const ExprPool&) = delete;

  // ----- types
  Type enum_type(std::string name, std::vector<std::string> values);
  Type array_type(Type index, Type element, std::optional<std::uint64_t> length = std::nullopt);
  Type set_type(Type element);
  Type bit_vector_type(std::uint32_t width);
  [[nodiscard]] const TypeInfo& info(Type type) const { return types_[type.id()]; }
  [[nodiscard]] TypeKind kind(Type type) const { return types_[type.id()].kind; }
  [[nodiscard]] std::string to_string(Type type) const;
  [[nodiscard]] bool has_type(const Value& value, Type type) const;
  // Some value of the type: false, 0, "", the first of an enum, ...
  [[nodiscard]] Value default_value(Type type) const;
  // The one form of an array value among those that mean the same over a finite index type; other
  // values stay. `constant` and evaluation do this; compare values of arrays only when it is done.
  [[nodiscard]] Value normalized(Value value, Type type) const;

  // ----- symbols; every declaration makes a new one, whatever its name
  SymbolId declare(std::string name, Type type, std::vector<Type> params = {});
  [[nodiscard]] const SymbolInfo& info(SymbolId symbol) const { return symbols_[symbol.index()]; }
  [[nodiscard]] std::size_t symbol_count() const { return symbols_.size(); }

  // ----- building
  Expr constant(const Value& value, Type type);  // requires: has_type(value, type)
  Expr boolean(bool value) { return value ? true_ : false_; }
  Expr integer(Integer value);
  Expr real(Rational value);
  Expr string(std::string value);
  Expr symbol(SymbolId symbol);  // requires: it has no parameters
  Expr apply(SymbolId symbol, std::span<const Expr> arguments);

  // Checks arity and types (requires) and folds. The operators below are short for this. Not for
  // those that need more than arguments: Const, Apply, ConstArray, SetOf, BvExtract, BvZeroExtend,
  // BvSignExtend, IntToBv.
  Expr make(Op op, std::span<const Expr> arguments);
  Expr make(Op op, std::initializer_list<Expr> arguments) {
    return make(op, std::span<const Expr>(arguments.begin(), arguments.size()));
  }
  Expr const_array(Type array, Expr element);
  Expr set_of(Type set, std::span<const Expr> elements);
  Expr bv_extract(Expr e, std::uint32_t high, std::uint32_t low);  // requires: low <= high < width
  Expr bv_extend(Op op, Expr e, std::uint32_t bits);  // requires: BvZeroExtend or BvSignExtend
  Expr int_to_bv(Expr e, std::uint32_t width);
  // A term with the operator, type and indices of `e` and other arguments.
  Expr with_arguments(Expr e, std::span<const Expr> arguments);

  // Any number of conjuncts (none: true). Nested conjunctions are flattened where that keeps
  // building in a loop linear (traverse.h: `conjuncts` lists them all in any case).
  Expr conj(std::span<const Expr> parts);
  Expr disj(std::span<const Expr> parts);
  Expr conj(Expr a, Expr b) { return make(Op::And, {a, b}); }
  Expr disj(Expr a, Expr b) { return make(Op::Or, {a, b}); }
  Expr negate(Expr a) { return make(Op::Not, {a}); }
  Expr implies(Expr a, Expr b) { return make(Op::Implies, {a, b}); }
  Expr ite(Expr c, Expr a, Expr b) { return make(Op::Ite, {c, a, b}); }
  Expr eq(Expr a, Expr b) { return make(Op::Eq, {a, b}); }
  Expr ne(Expr a, Expr b) { return negate(eq(a, b)); }
  Expr lt(Expr a, Expr b) { return make(Op::Lt, {a, b}); }
  Expr le(Expr a, Expr b) { return make(Op::Le, {a, b}); }
  Expr gt(Expr a, Expr b) { return lt(b, a); }
  Expr ge(Expr a, Expr b) { return le(b, a); }
  Expr add(Expr a, Expr b) { return make(Op::Add, {a, b}); }
  Expr sub(Expr a, Expr b) { return make(Op::Sub, {a, b}); }
  Expr mul(Expr a, Expr b) { return make(Op::Mul, {a, b}); }
  Expr minus(Expr a) { return make(Op::Neg, {a}); }
  Expr select(Expr array, Expr index) { return make(Op::Select, {array, index}); }
  Expr store(Expr array, Expr index, Expr element) {
    return make(Op::Store, {array, index, element});
  }
  // Int becomes Real; Real stays.
  Expr to_real(Expr a);

  // The type that `make` would give, or a message for the user why it would not build.
  [[nodiscard]] std::optional<std::string> type_problem(Op op,
                                                        std::span<const Expr> arguments) const;

  // ----- looking
  [[nodiscard]] Op op(Expr e) const { return nodes_[e.id()].op; }
  [[nodiscard]] Type type(Expr e) const { return nodes_[e.id()].type; }
  [[nodiscard]] bool total(Expr e) const { return nodes_[e.id()].total; }
  // Stays valid while the pool lives, also when terms are built.
  [[nodiscard]] std::span<const Expr> children(Expr e) const {
    const Node& n = nodes_[e.id()];
    return {n.first, n.count};
  }
  [[nodiscard]] Expr child(Expr e, std::size_t i) const { return children(e)[i]; }
  [[nodiscard]] SymbolId symbol_of(Expr e) const;  // requires: op is Apply
  [[nodiscard]] const Value& value(Expr e) const;  // requires: op is Const
  // BvExtract: high, low. BvZeroExtend, BvSignExtend: new bits, 0. requires: one of these
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> indices(Expr e) const;
  [[nodiscard]] bool is_const(Expr e) const { return op(e) == Op::Const; }
  [[nodiscard]] bool is_true(Expr e) const { return e == true_; }
  [[nodiscard]] bool is_false(Expr e) const { return e == false_; }
  [[nodiscard]] bool is_variable(Expr e) const {
    return op(e) == Op::Apply && nodes_[e.id()].count == 0;
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const;  // memory held by the arena

 private:
  struct Node {
    Op op = Op::Const;
    bool total = true;  // never undefined
    Type type;
    std::uint32_t count = 0;      // number of children
    std::uint32_t payload = 0;    // Const: index in values_; Apply: symbol; BvExtract: low
    const Expr* first = nullptr;  // the children, in one of blocks_
  };
  // What a term is made of, before it is one.
  struct Parts {
    Op op;
    Type type;
    std::uint32_t payload;
    std::span<const Expr> arguments;
  };

  Type intern(TypeInfo info);
  std::uint32_t intern_value(const Value& value);
  Expr intern(const Parts& parts);
  const Expr* allocate(std::span<const Expr> arguments);
  void grow_table();
  [[nodiscard]] bool same(const Node& node, const Parts& parts) const;
  [[nodiscard]] bool node_total(const Parts& parts) const;

  // build.cpp
  [[nodiscard]] Type result_type(Op op, std::span<const Expr> arguments);
  Expr fold(const Parts& parts);
  Expr fold_constants(const Parts& parts);  // invalid: nothing to fold
  Expr fold_junction(Op op, std::span<const Expr> parts);
  Expr fold_not(Expr a);
  Expr fold_implies(Expr a, Expr b);
  Expr fold_ite(const Parts& parts);
  Expr fold_eq(const Parts& parts);
  Expr fold_sum(const Parts& parts);
  Expr fold_product(const Parts& parts);
  Expr fold_concat(const Parts& parts);
  Expr fold_arithmetic(const Parts& parts);
  Expr fold_array(const Parts& parts);
  Expr fold_set(const Parts& parts);
  Expr number(Rational value, Type type);
  std::vector<Expr>& flattened(Op op, std::span<const Expr> arguments);  // in scratch_
  [[nodiscard]] bool index_in_range(Type array, Expr index) const;

  std::vector<Node> nodes_;
  struct Bucket {
    std::uint32_t term = 0;  // index in nodes_ + 1; 0 = free
    std::uint32_t hash = 0;  // spares a look at the term in most collisions and in growing
  };
  std::vector<Bucket> table_;  // open addressing over nodes_
  // Children, never moved, so that copies of the pool can share them.
  std::vector<std::shared_ptr<Expr[]>> blocks_;
  std::size_t block_used_ = 0;  // of the last block
  std::size_t block_size_ = 0;
  std::deque<Value> values_;
  std::vector<std::uint32_t> value_table_;  // open addressing over values_, index + 1
  std::deque<TypeInfo> types_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> type_index_;  // by printed form
  std::deque<SymbolInfo> symbols_;
  std::vector<Expr> scratch_;  // of one folding step; spares allocations
  Expr true_;
  Expr false_;
};

}  // namespace whittle

template <>
struct std::hash<whittle::Expr> {
  std::size_t operator()(whittle::Expr e) const noexcept {
    return std::hash<std::uint32_t>{}(e.id());
  }
};
