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
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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
  Const,    // a value
  Apply,    // a symbol, applied to as many arguments as it has parameters (variables have none)
  Not,
  And,      // two or more, lazy
  Or,       // two or more, lazy
  Implies,  // two, lazy
  Ite,      // condition, then, else; lazy in the branches
  Eq,       // two of one type
  Lt,       // two Int or two Real; `a > b` is built as `b < a`
  Le,
  Neg,
  Add,      // two or more
  Sub,
  Mul,      // two or more
  Div,      // Real
  IDiv,     // Int, SMT-LIB div
  Mod,      // Int, SMT-LIB mod: never negative
  Pow,      // Int or Real base, exponent a constant natural number
  ToReal,
  ToInt,    // floor
  Concat,   // two or more strings
  Select,   // array, index
  Store,    // array, index, element
  ConstArray,  // element; the type says which array
  SetOf,    // any number of elements; the type says which set
  Member,   // element, set
  Union,
  Intersection,
  Difference,
  Subset,
  Card,     // number of elements of a set, Int
  Forall,   // bound symbol, set, body
  Exists,   // bound symbol, set, body
  Filter,   // bound symbol, set, body: the elements of the set that satisfy the body
};

struct SymbolInfo {
  std::string name;
  Type type;                  // of the result
  std::vector<Type> params;   // empty for a variable
};

class ExprPool {
 public:
  ExprPool();
  ExprPool(const ExprPool&) = default;  // a snapshot: handles of the original are valid in the copy
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
  Expr symbol(SymbolId symbol);                  // requires: it has no parameters
  Expr apply(SymbolId symbol, std::span<const Expr> arguments);

  // Checks arity and types (requires) and folds. The operators below are short for this.
  Expr make(Op op, std::span<const Expr> arguments);
  Expr make(Op op, std::initializer_list<Expr> arguments) {
    return make(op, std::span<const Expr>(arguments.begin(), arguments.size()));
  }
  Expr const_array(Type array, Expr element);
  Expr set_of(Type set, std::span<const Expr> elements);

  // Any number of conjuncts (none: true); nested conjunctions are flattened.
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
  [[nodiscard]] std::optional<std::string> type_problem(Op op, std::span<const Expr> arguments) const;

  // ----- looking
  [[nodiscard]] Op op(Expr e) const { return nodes_[e.id()].op; }
  [[nodiscard]] Type type(Expr e) const { return nodes_[e.id()].type; }
  [[nodiscard]] bool total(Expr e) const { return nodes_[e.id()].total; }
  [[nodiscard]] std::span<const Expr> children(Expr e) const {
    const Node& n = nodes_[e.id()];
    return {children_.data() + n.first, n.count};
  }
  [[nodiscard]] Expr child(Expr e, std::size_t i) const { return children(e)[i]; }
  [[nodiscard]] SymbolId symbol_of(Expr e) const;    // requires: op is Apply
  [[nodiscard]] const Value& value(Expr e) const;    // requires: op is Const
  [[nodiscard]] bool is_const(Expr e) const { return op(e) == Op::Const; }
  [[nodiscard]] bool is_true(Expr e) const { return e == true_; }
  [[nodiscard]] bool is_false(Expr e) const { return e == false_; }
  [[nodiscard]] bool is_variable(Expr e) const {
    return op(e) == Op::Apply && nodes_[e.id()].count == 0;
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const;           // memory held by the arena

 private:
  struct Node {
    Op op = Op::Const;
    bool total = true;        // never undefined
    Type type;
    std::uint32_t first = 0;  // index of the first child in children_
    std::uint32_t count = 0;
    std::uint32_t payload = 0;  // Const: index in values_; Apply: symbol
  };

  Type intern(TypeInfo info);
  Expr intern(Op op, Type type, std::uint32_t payload, std::span<const Expr> arguments);
  Expr fold(Op op, Type type, std::span<const Expr> arguments);
  Type result_type(Op op, std::span<const Expr> arguments) const;
  Expr junction(Op op, std::span<const Expr> parts);
  bool node_total(Op op, std::span<const Expr> arguments) const;
  void grow();

  std::vector<Node> nodes_;
  std::vector<Expr> children_;
  std::vector<std::uint32_t> table_;   // open addressing over nodes_; 0 = free, else index + 1
  std::vector<Value> values_;
  std::unordered_map<Value, std::vector<std::uint32_t>> value_index_;
  std::vector<TypeInfo> types_;
  std::unordered_map<std::string, std::uint32_t> type_index_;
  std::vector<SymbolInfo> symbols_;
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
