// SPDX-License-Identifier: Apache-2.0
// Random well-typed terms, from a seed. A Recipe says how a term is to be built, before the builder
// folds anything, so that a test can compare what was meant with what was built:
//
//   RandomTerms random(pool, seed);
//   RecipePtr recipe = random.recipe(Type::boolean(), 20);
//   Expr e = build(pool, *recipe);            // or, in one: random.term(Type::boolean(), 20)
//   Assignment values = random.assignment();  // of all variables the terms use
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "expr/evaluate.h"
#include "expr/expr.h"

namespace whittle::test {

struct Recipe;
using RecipePtr = std::shared_ptr<const Recipe>;

struct Recipe {
  Op op = Op::Const;
  Type type;
  std::vector<RecipePtr> children;
  Value value;             // Const
  SymbolId symbol;         // Apply
  std::uint32_t high = 0;  // BvExtract; the extensions: number of new bits
  std::uint32_t low = 0;
  bool open = false;  // mentions a symbol that is bound outside of it
};

inline Expr build(ExprPool& pool, const Recipe& recipe) {
  std::vector<Expr> arguments;
  arguments.reserve(recipe.children.size());
  for (const RecipePtr& child : recipe.children) arguments.push_back(build(pool, *child));
  switch (recipe.op) {
    case Op::Const:
      return pool.constant(recipe.value, recipe.type);
    case Op::Apply:
      return pool.apply(recipe.symbol, arguments);
    case Op::ConstArray:
      return pool.const_array(recipe.type, arguments[0]);
    case Op::SetOf:
      return pool.set_of(recipe.type, arguments);
    case Op::BvExtract:
      return pool.bv_extract(arguments[0], recipe.high, recipe.low);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return pool.bv_extend(recipe.op, arguments[0], recipe.high);
    case Op::IntToBv:
      return pool.int_to_bv(arguments[0], pool.info(recipe.type).width);
    default:
      return pool.make(recipe.op, arguments);
  }
}

using Assignment = std::unordered_map<SymbolId, Value>;

// Looks variables up in an assignment; symbols with parameters have no value.
inline Evaluator::Lookup lookup(const Assignment& values) {
  return [&values](SymbolId symbol, std::span<const Value> arguments) -> std::optional<Value> {
    auto found = values.find(symbol);
    if (found == values.end() || !arguments.empty()) return std::nullopt;
    return found->second;
  };
}

struct RandomTermOptions {
  bool partial = true;    // division by anything, arrays with a length
  bool nonlinear = true;  // products, quotients and powers of variables
  bool reals = true;
  bool strings = true;
  bool enums = true;
  bool arrays = true;
  bool sets = true;  // with quantifiers and filters
  bool bit_vectors = true;
  bool big_numbers = true;  // some constants at the edges of machine words and beyond
  int variables = 2;        // of each type
};

class RandomTerms {
 public:
  RandomTerms(ExprPool& pool, std::uint64_t seed, RandomTermOptions options = {})
      : pool_(pool), options_(options), engine_(seed) {
    types_ = {Type::boolean(), Type::integer()};
    if (options_.reals) types_.push_back(Type::real());
    if (options_.strings) types_.push_back(Type::string());
    if (options_.enums) types_.push_back(pool.enum_type("Color", {"Red", "Green", "Blue"}));
    if (options_.arrays) {
      types_.push_back(pool.array_type(Type::integer(), Type::integer()));
      if (options_.partial) types_.push_back(pool.array_type(Type::integer(), Type::integer(), 3));
    }
    if (options_.sets) types_.push_back(pool.set_type(Type::integer()));
    if (options_.bit_vectors) {
      types_.push_back(pool.bit_vector_type(4));
      types_.push_back(pool.bit_vector_type(8));
    }
    for (Type type : types_) {
      for (int i = 0; i < options_.variables; ++i) {
        std::string name = "v" + std::to_string(variables_.size());
        variables_.push_back(pool.declare(name, type));
      }
    }
  }

  [[nodiscard]] const std::vector<SymbolId>& variables() const { return variables_; }
  [[nodiscard]] const std::vector<Type>& types() const { return types_; }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }

  Value value(Type type) {
    const TypeInfo& t = pool_.info(type);
    switch (t.kind) {
      case TypeKind::Bool:
        return Value(chance(2));
      case TypeKind::Int:
        return Value(number());
      case TypeKind::Real:
        return Value(Rational(number(), Integer(1 + static_cast<int>(below(4)))));
      case TypeKind::String:
        return Value::string(std::string(below(3), chance(2) ? 'a' : 'b'));
      case TypeKind::Enum:
        return Value(EnumValue{static_cast<std::uint32_t>(below(t.values.size()))});
      case TypeKind::BitVector:
        return Value(BitVectorValue{
            euclidean_mod(Integer(static_cast<unsigned long>(engine_())), pow(Integer(2), t.width)),
            t.width});
      case TypeKind::Array: {
        ArrayValue array{value(t.element), {}};
        std::size_t entries = below(3);
        for (std::size_t i = 0; i < entries; ++i) {
          Value index = t.length ? Value(Integer(below(*t.length))) : value(t.index);
          array.put(index, value(t.element));
        }
        return pool_.normalized(Value::array(std::move(array)), type);
      }
      case TypeKind::Set: {
        SetValue set;
        std::size_t elements = below(4);
        for (std::size_t i = 0; i < elements; ++i) set.elements.insert(value(t.element));
        return Value::set(std::move(set));
      }
    }
    return Value();
  }

  Assignment assignment() {
    Assignment result;
    for (SymbolId v : variables_) result.emplace(v, value(pool_.info(v).type));
    return result;
  }

  // A term of about that many operators.
  RecipePtr recipe(Type type, int size) {
    auto& made = made_[type.id()];
    // Equal subterms, now and then: many foldings look for them.
    if (!made.empty() && chance(8)) return made[below(made.size())];
    RecipePtr result = size <= 1 ? leaf(type) : inner(type, size);
    if (!result->open && made.size() < 50) made.push_back(result);
    return result;
  }
  Expr term(Type type, int size) { return build(pool_, *recipe(type, size)); }

 private:
  using Rule = std::function<RecipePtr()>;

  Integer number() {
    if (options_.big_numbers && chance(12)) {
      Integer edge = chance(2) ? Integer(INT64_MAX) : pow(Integer(2), 70);
      Integer near = edge + Integer(static_cast<int>(below(5)) - 2);
      return chance(2) ? near : -near;
    }
    return Integer(static_cast<int>(below(9)) - 4);
  }

  RecipePtr node(Op op, Type type, std::vector<RecipePtr> children) {
    Recipe r;
    r.op = op;
    r.type = type;
    for (const RecipePtr& child : children) r.open = r.open || child->open;
    r.children = std::move(children);
    return std::make_shared<const Recipe>(std::move(r));
  }
  RecipePtr constant(Type type, Value value) {
    Recipe r;
    r.type = type;
    r.value = std::move(value);
    return std::make_shared<const Recipe>(std::move(r));
  }
  RecipePtr variable(SymbolId symbol, bool bound) {
    Recipe r;
    r.op = Op::Apply;
    r.type = pool_.info(symbol).type;
    r.symbol = symbol;
    r.open = bound;
    return std::make_shared<const Recipe>(std::move(r));
  }

  RecipePtr leaf(Type type) {
    if (chance(3)) return constant(type, value(type));
    if (type == Type::integer() && !scope_.empty() && chance(2)) {
      return variable(scope_[below(scope_.size())], true);
    }
    std::vector<SymbolId> fitting;
    for (SymbolId v : variables_) {
      if (pool_.info(v).type == type) fitting.push_back(v);
    }
    if (fitting.empty()) return constant(type, value(type));
    return variable(fitting[below(fitting.size())], false);
  }

  // The parts of a term of this size with n arguments.
  std::vector<RecipePtr> parts(std::vector<Type> types, int size) {
    std::vector<RecipePtr> result;
    int each = (size - 1) / std::max(1, static_cast<int>(types.size()));
    result.reserve(types.size());
    for (Type type : types) {
      result.push_back(recipe(
          type, 1 + static_cast<int>(below(static_cast<std::size_t>(std::max(1, 2 * each))))));
    }
    return result;
  }
  RecipePtr make(Op op, Type type, std::vector<Type> types, int size) {
    return node(op, type, parts(std::move(types), size));
  }

  RecipePtr inner(Type type, int size) {
    std::vector<Rule> rules;
    auto rule = [&](Op op, std::vector<Type> types) {
      rules.emplace_back([=, this] { return make(op, type, types, size); });
    };
    rule(Op::Ite, {Type::boolean(), type, type});
    switch (pool_.kind(type)) {
      case TypeKind::Bool:
        bool_rules(rules, size);
        break;
      case TypeKind::Int:
        int_rules(rules, size);
        break;
      case TypeKind::Real:
        real_rules(rules, size);
        break;
      case TypeKind::String:
        rule(Op::Concat, {type, type});
        rule(Op::Concat, {type, type, type});
        break;
      case TypeKind::Enum:
        break;
      case TypeKind::Array: {
        const TypeInfo& t = pool_.info(type);
        rule(Op::Store, {type, t.index, t.element});
        rule(Op::ConstArray, {t.element});
        break;
      }
      case TypeKind::Set:
        set_rules(rules, type, size);
        break;
      case TypeKind::BitVector:
        bit_rules(rules, type, size);
        break;
    }
    return rules[below(rules.size())]();
  }

  void bool_rules(std::vector<Rule>& rules, int size) {
    Type b = Type::boolean();
    Type i = Type::integer();
    auto rule = [&](Op op, std::vector<Type> types) {
      rules.emplace_back([=, this] { return make(op, b, types, size); });
    };
    for (int twice = 0; twice < 2; ++twice) {
      rule(Op::Not, {b});
      rule(Op::And, {b, b});
      rule(Op::Or, {b, b});
      rule(Op::And, {b, b, b});
      rule(Op::Or, {b, b, b, b});
      rule(Op::Implies, {b, b});
      rule(Op::Lt, {i, i});
      rule(Op::Le, {i, i});
      Type any = types_[below(types_.size())];
      rule(Op::Eq, {any, any});
    }
    if (options_.reals) {
      rule(Op::Lt, {Type::real(), Type::real()});
      rule(Op::Le, {Type::real(), Type::real()});
    }
    if (options_.sets) {
      Type set = pool_.set_type(i);
      rule(Op::Member, {i, set});
      rule(Op::Subset, {set, set});
      for (Op op : {Op::Forall, Op::Exists}) {
        rules.emplace_back([=, this] { return loop(op, b, set, size); });
      }
    }
    if (options_.bit_vectors) {
      Type v = pool_.bit_vector_type(4);
      for (Op op : {Op::BvULt, Op::BvULe, Op::BvSLt, Op::BvSLe}) rule(op, {v, v});
    }
  }

  // A divisor: anything, or a constant that is not zero.
  RecipePtr divisor(Type type, int size) {
    if (options_.partial && options_.nonlinear && !chance(3)) return recipe(type, size);
    Integer k(static_cast<int>(below(4)) + 1);
    if (chance(3)) k = -k;
    return constant(type, type == Type::integer() ? Value(k) : Value(Rational(k)));
  }
  RecipePtr quotient(Op op, Type type, int size) {
    return node(op, type, {recipe(type, size / 2), divisor(type, size / 2)});
  }
  RecipePtr product(Type type, int size) {
    if (options_.nonlinear) return make(Op::Mul, type, {type, type}, size);
    return node(Op::Mul, type, {constant(type, value(type)), recipe(type, size - 1)});
  }

  void number_rules(std::vector<Rule>& rules, Type type, int size) {
    auto rule = [&](Op op, std::vector<Type> types) {
      rules.emplace_back([=, this] { return make(op, type, types, size); });
    };
    rule(Op::Neg, {type});
    rule(Op::Add, {type, type});
    rule(Op::Add, {type, type, type});
    rule(Op::Sub, {type, type});
    rules.emplace_back([=, this] { return product(type, size); });
    if (options_.nonlinear) {
      rules.emplace_back([=, this] {
        RecipePtr exponent = constant(Type::integer(), Value(static_cast<int>(below(4))));
        return node(Op::Pow, type, {recipe(type, size / 4), exponent});
      });
    }
  }

  void int_rules(std::vector<Rule>& rules, int size) {
    Type i = Type::integer();
    auto rule = [&](Op op, std::vector<Type> types) {
      rules.emplace_back([=, this] { return make(op, i, types, size); });
    };
    number_rules(rules, i, size);
    for (Op op : {Op::IDiv, Op::Mod}) {
      rules.emplace_back([=, this] { return quotient(op, i, size); });
    }
    if (options_.reals) rule(Op::ToInt, {Type::real()});
    if (options_.arrays) {
      rule(Op::Select, {pool_.array_type(i, i), i});
      if (options_.partial) rule(Op::Select, {pool_.array_type(i, i, 3), i});
    }
    if (options_.sets) rule(Op::Card, {pool_.set_type(i)});
    if (options_.bit_vectors) rule(Op::BvToNat, {pool_.bit_vector_type(4)});
  }

  void real_rules(std::vector<Rule>& rules, int size) {
    Type r = Type::real();
    number_rules(rules, r, size);
    rules.emplace_back([=, this] { return make(Op::ToReal, r, {Type::integer()}, size); });
    rules.emplace_back([=, this] { return quotient(Op::Div, r, size); });
  }

  void set_rules(std::vector<Rule>& rules, Type type, int size) {
    Type i = pool_.info(type).element;
    for (Op op : {Op::Union, Op::Intersection, Op::Difference}) {
      rules.emplace_back([=, this] { return make(op, type, {type, type}, size); });
    }
    rules.emplace_back(
        [=, this] { return make(Op::SetOf, type, std::vector<Type>(below(4), i), size); });
    rules.emplace_back([=, this] { return loop(Op::Filter, type, type, size); });
  }

  void bit_rules(std::vector<Rule>& rules, Type type, int size) {
    auto rule = [&](Op op, std::vector<Type> types) {
      rules.emplace_back([=, this] { return make(op, type, types, size); });
    };
    for (Op op :
         {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvUDiv, Op::BvURem,
          Op::BvSDiv, Op::BvSRem, Op::BvSMod, Op::BvShl, Op::BvLShr, Op::BvAShr}) {
      rule(op, {type, type});
    }
    rule(Op::BvNot, {type});
    rule(Op::BvNeg, {type});
    rule(Op::IntToBv, {Type::integer()});
    Type four = pool_.bit_vector_type(4);
    Type eight = pool_.bit_vector_type(8);
    auto indexed = [=, this](Op op, Type from, std::uint32_t high, std::uint32_t low) {
      Recipe r = *make(op, type, {from}, size);
      r.high = high;
      r.low = low;
      return std::make_shared<const Recipe>(std::move(r));
    };
    if (type == eight) {
      rule(Op::BvConcat, {four, four});
      rules.emplace_back([=] { return indexed(Op::BvZeroExtend, four, 4, 0); });
      rules.emplace_back([=] { return indexed(Op::BvSignExtend, four, 4, 0); });
    } else {
      auto low = static_cast<std::uint32_t>(below(5));
      rules.emplace_back([=] { return indexed(Op::BvExtract, eight, low + 3, low); });
      rules.emplace_back([=] { return indexed(Op::BvSignExtend, four, 0, 0); });
    }
  }

  RecipePtr loop(Op op, Type type, Type set, int size) {
    RecipePtr over = recipe(set, size / 3);
    std::string name = "b" + std::to_string(pool_.symbol_count());
    SymbolId bound = pool_.declare(name, pool_.info(set).element);
    scope_.push_back(bound);
    // Inside, nothing may be remembered that mentions the symbol; `recipe` looks at `open`.
    RecipePtr body = recipe(Type::boolean(), 1 + size / 2);
    scope_.pop_back();
    Recipe r;
    r.op = op;
    r.type = type;
    // With the outermost loop nothing is open any more.
    r.open = over->open || (body->open && !scope_.empty());
    r.children = {variable(bound, true), over, body};
    return std::make_shared<const Recipe>(std::move(r));
  }

  ExprPool& pool_;
  RandomTermOptions options_;
  std::mt19937_64 engine_;
  std::vector<Type> types_;
  std::vector<SymbolId> variables_;
  std::vector<SymbolId> scope_;                           // bound symbols that may be mentioned
  std::map<std::uint32_t, std::vector<RecipePtr>> made_;  // per type: closed ones, for repetition
};

}  // namespace whittle::test
