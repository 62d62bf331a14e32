// SPDX-License-Identifier: Apache-2.0
// The arena: types, symbols, values and hash-consed terms. Building (typing, folding) is in
// build.cpp.
//
// Everything on terms is linear. CPU time per distinct subterm, in ns, of chains of differences,
// quotients, choices, conjunctions and sums with 10^4 / 10^6 subterms (-O2, a busy machine with
// two cores; what grows is the price of memory outside the cache):
//   building 100-390 / 340-710, walking 40-90 / 100-140, substituting 160-420 / 380-1080,
//   evaluating for the first time 120-290 / 280-400 and again 20-60 / 20-60,
//   printing 90-260 / 120-310. A term takes 50 to 80 bytes in all. A condition of ten subterms is
//   evaluated three million times a second.
#include "expr/expr.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/error.h"
#include "expr/hash.h"

namespace whittle {

namespace {

constexpr std::size_t kFirstTable = 1U << 10;
constexpr std::size_t kBlock = 1U << 14;  // children per block

std::uint32_t hash_parts(Op op, Type type, std::uint32_t payload, std::span<const Expr> arguments) {
  std::size_t h = hash_mix(static_cast<std::size_t>(op) | (std::size_t{type.id()} << 8),
                           (std::size_t{payload} << 32) | arguments.size());
  for (Expr a : arguments) h = hash_mix(h, a.id());
  return static_cast<std::uint32_t>(h);
}

}  // namespace

ExprPool::ExprPool() {
  for (TypeKind kind : {TypeKind::Bool, TypeKind::Int, TypeKind::Real, TypeKind::String}) {
    TypeInfo basic;
    basic.kind = kind;
    intern(std::move(basic));
  }
  false_ = constant(Value(false), Type::boolean());
  true_ = constant(Value(true), Type::boolean());
}

// The last block is left to the original, which may go on filling it; the copy starts a new one.
ExprPool::ExprPool(const ExprPool& other)
    : nodes_(other.nodes_),
      table_(other.table_),
      blocks_(other.blocks_),
      values_(other.values_),
      value_table_(other.value_table_),
      types_(other.types_),
      type_index_(other.type_index_),
      symbols_(other.symbols_),
      true_(other.true_),
      false_(other.false_) {}

// ------------------------------------------------------------------------------------- types

Type ExprPool::intern(TypeInfo info) {
  std::string key = std::to_string(static_cast<int>(info.kind)) + " " + info.name + " " +
                    std::to_string(info.index.id()) + " " + std::to_string(info.element.id()) +
                    " " + std::to_string(info.width);
  std::vector<std::uint32_t>& candidates = type_index_[key];
  for (std::uint32_t id : candidates) {
    if (types_[id] == info) return Type(id);
  }
  auto id = static_cast<std::uint32_t>(types_.size());
  candidates.push_back(id);
  types_.push_back(std::move(info));
  return Type(id);
}

Type ExprPool::enum_type(std::string name, std::vector<std::string> values) {
  WHITTLE_REQUIRE(!values.empty(), "an enumeration needs a value");
  TypeInfo info;
  info.kind = TypeKind::Enum;
  info.name = std::move(name);
  info.values = std::move(values);
  return intern(std::move(info));
}

Type ExprPool::array_type(Type index, Type element, std::optional<std::uint64_t> length) {
  WHITTLE_REQUIRE(!length || index == Type::integer(), "an array with a length has Int indices");
  TypeInfo info;
  info.kind = TypeKind::Array;
  info.index = index;
  info.element = element;
  info.length = length;
  return intern(std::move(info));
}

Type ExprPool::set_type(Type element) {
  TypeInfo info;
  info.kind = TypeKind::Set;
  info.element = element;
  return intern(std::move(info));
}

Type ExprPool::bit_vector_type(std::uint32_t width) {
  WHITTLE_REQUIRE(width > 0, "a bit vector needs a bit");
  TypeInfo info;
  info.kind = TypeKind::BitVector;
  info.width = width;
  return intern(std::move(info));
}

std::string ExprPool::to_string(Type type) const {
  const TypeInfo& t = info(type);
  switch (t.kind) {
    case TypeKind::Bool:
      return "Bool";
    case TypeKind::Int:
      return "Int";
    case TypeKind::Real:
      return "Real";
    case TypeKind::String:
      return "String";
    case TypeKind::Enum:
      return t.name;
    case TypeKind::Array:
      if (t.length) return to_string(t.element) + "[" + std::to_string(*t.length) + "]";
      return "Array(" + to_string(t.index) + ", " + to_string(t.element) + ")";
    case TypeKind::Set:
      return "Set(" + to_string(t.element) + ")";
    case TypeKind::BitVector:
      return "BitVector(" + std::to_string(t.width) + ")";
  }
  return "?";
}

// ------------------------------------------------------------------------------------ symbols

SymbolId ExprPool::declare(std::string name, Type type, std::vector<Type> params) {
  symbols_.push_back(SymbolInfo{std::move(name), type, std::move(params)});
  return SymbolId(symbols_.size() - 1);
}

SymbolId ExprPool::symbol_of(Expr e) const {
  WHITTLE_REQUIRE(op(e) == Op::Apply, "the term is no symbol");
  return SymbolId(nodes_[e.id()].payload);
}

const Value& ExprPool::value(Expr e) const {
  WHITTLE_REQUIRE(op(e) == Op::Const, "the term is no constant");
  return values_[nodes_[e.id()].payload];
}

std::pair<std::uint32_t, std::uint32_t> ExprPool::indices(Expr e) const {
  const Node& n = nodes_[e.id()];
  std::uint32_t width = info(n.type).width;
  if (n.op == Op::BvExtract) return {n.payload + width - 1, n.payload};
  WHITTLE_REQUIRE(n.op == Op::BvZeroExtend || n.op == Op::BvSignExtend,
                  "the operator has no indices");
  return {width - info(type(child(e, 0))).width, 0};
}

// -------------------------------------------------------------------------------------- terms

std::uint32_t ExprPool::intern_value(const Value& value) {
  if (values_.size() * 2 >= value_table_.size()) {
    std::size_t size = std::max<std::size_t>(64, value_table_.size() * 2);
    value_table_.assign(size, 0);
    for (std::uint32_t i = 0; i < values_.size(); ++i) {
      std::size_t slot = values_[i].hash() & (size - 1);
      while (value_table_[slot] != 0) slot = (slot + 1) & (size - 1);
      value_table_[slot] = i + 1;
    }
  }
  std::size_t mask = value_table_.size() - 1;
  std::size_t slot = value.hash() & mask;
  while (value_table_[slot] != 0) {
    if (values_[value_table_[slot] - 1] == value) return value_table_[slot] - 1;
    slot = (slot + 1) & mask;
  }
  values_.push_back(value);
  value_table_[slot] = static_cast<std::uint32_t>(values_.size());
  return static_cast<std::uint32_t>(values_.size() - 1);
}

bool ExprPool::same(const Node& node, const Parts& parts) const {
  return node.op == parts.op && node.type == parts.type && node.payload == parts.payload &&
         node.count == parts.arguments.size() &&
         std::equal(parts.arguments.begin(), parts.arguments.end(), node.first);
}

const Expr* ExprPool::allocate(std::span<const Expr> arguments) {
  if (arguments.empty()) return nullptr;
  if (block_size_ - block_used_ < arguments.size()) {
    // Blocks grow with the pool, so that small pools stay small and big ones have few blocks.
    block_size_ = std::max({arguments.size(), std::min(kBlock * 16, nodes_.size()), kBlock / 64});
    blocks_.push_back(std::make_shared<Expr[]>(block_size_));
    block_used_ = 0;
  }
  Expr* place = blocks_.back().get() + block_used_;
  std::copy(arguments.begin(), arguments.end(), place);
  block_used_ += arguments.size();
  return place;
}

void ExprPool::grow_table() {
  std::vector<Bucket> old = std::move(table_);
  std::size_t size = std::max(kFirstTable, old.size() * 2);
  table_.assign(size, Bucket());
  for (const Bucket& bucket : old) {
    if (bucket.term == 0) continue;
    std::size_t slot = bucket.hash & (size - 1);
    while (table_[slot].term != 0) slot = (slot + 1) & (size - 1);
    table_[slot] = bucket;
  }
}

Expr ExprPool::intern(const Parts& parts) {
  checkpoint();
  if (nodes_.size() * 2 >= table_.size()) grow_table();
  std::size_t mask = table_.size() - 1;
  std::uint32_t hash = hash_parts(parts.op, parts.type, parts.payload, parts.arguments);
  std::size_t slot = hash & mask;
  for (; table_[slot].term != 0; slot = (slot + 1) & mask) {
    std::uint32_t id = table_[slot].term - 1;
    if (table_[slot].hash == hash && same(nodes_[id], parts)) return Expr(id);
  }
  if (nodes_.size() >= UINT32_MAX - 1) throw ResourceError("more than 2^32 terms");
  Node node;
  node.op = parts.op;
  node.total = node_total(parts);
  node.type = parts.type;
  node.count = static_cast<std::uint32_t>(parts.arguments.size());
  node.payload = parts.payload;
  node.first = allocate(parts.arguments);
  nodes_.push_back(node);
  table_[slot] = Bucket{static_cast<std::uint32_t>(nodes_.size()), hash};
  return Expr(static_cast<std::uint32_t>(nodes_.size() - 1));
}

bool ExprPool::index_in_range(Type array, Expr index) const {
  const auto& length = info(array).length;
  if (!length) return true;
  if (!is_const(index)) return false;
  const Integer& i = value(index).as_integer();
  return i.sign() >= 0 && i < Integer(static_cast<unsigned long>(*length));
}

bool ExprPool::node_total(const Parts& parts) const {
  auto arguments = parts.arguments;
  if (!std::all_of(arguments.begin(), arguments.end(), [&](Expr a) { return total(a); })) {
    return false;
  }
  switch (parts.op) {
    case Op::Apply:
      return arguments.empty();  // a reference can dangle
    case Op::Div:
      return is_const(arguments[1]) && value(arguments[1]).as_real().sign() != 0;
    case Op::IDiv:
    case Op::Mod:
      return is_const(arguments[1]) && !value(arguments[1]).as_integer().is_zero();
    case Op::Select:
    case Op::Store:
      return index_in_range(type(arguments[0]), arguments[1]);
    default:
      return true;
  }
}

std::size_t ExprPool::bytes() const {
  std::size_t total = nodes_.capacity() * sizeof(Node) + table_.capacity() * sizeof(Bucket) +
                      value_table_.capacity() * sizeof(std::uint32_t) +
                      values_.size() * sizeof(Value) + symbols_.size() * sizeof(SymbolInfo) +
                      types_.size() * sizeof(TypeInfo);
  for (const Node& n : nodes_) total += n.count * sizeof(Expr);
  return total;
}

}  // namespace whittle
