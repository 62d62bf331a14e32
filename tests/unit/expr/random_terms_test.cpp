// SPDX-License-Identifier: Apache-2.0
// Terms as meant (recipes, evaluated naively) against terms as built and evaluated by us.
#include <gtest/gtest.h>

#include "expr/evaluate.h"
#include "expr/print.h"
#include "expr/traverse.h"
#include "support/effort.h"
#include "support/random_terms.h"

namespace whittle {
namespace {

using test::Assignment;
using test::RandomTerms;
using test::Recipe;
using test::RecipePtr;

// The definition of the meaning, by recursion over the recipe; empty: undefined.
class Naive {
 public:
  Naive(ExprPool& pool, Assignment values) : pool_(pool), values_(std::move(values)) {}

  std::optional<Value> operator()(const Recipe& r) {
    switch (r.op) {
      case Op::Const:
        return pool_.normalized(r.value, r.type);
      case Op::Apply:
        return values_.at(r.symbol);
      case Op::And:
      case Op::Or:
        for (const RecipePtr& child : r.children) {
          auto v = (*this)(*child);
          if (!v) return std::nullopt;
          if (v->as_bool() != (r.op == Op::And)) return v;
        }
        return Value(r.op == Op::And);
      case Op::Implies: {
        auto v = (*this)(*r.children[0]);
        if (!v) return std::nullopt;
        if (!v->as_bool()) return Value(true);
        return (*this)(*r.children[1]);
      }
      case Op::Ite: {
        auto v = (*this)(*r.children[0]);
        if (!v) return std::nullopt;
        return (*this)(*r.children[v->as_bool() ? 1 : 2]);
      }
      case Op::Forall:
      case Op::Exists:
      case Op::Filter:
        return loop(r);
      default:
        return strict(r);
    }
  }

 private:
  std::optional<Value> loop(const Recipe& r) {
    auto set = (*this)(*r.children[1]);
    if (!set) return std::nullopt;
    SetValue kept;
    for (const Value& element : set->as_set().elements) {
      values_.insert_or_assign(r.children[0]->symbol, element);
      auto v = (*this)(*r.children[2]);
      if (!v) return std::nullopt;
      if (v->as_bool()) kept.elements.insert(element);
    }
    if (r.op == Op::Filter) return Value::set(std::move(kept));
    if (r.op == Op::Exists) return Value(!kept.elements.empty());
    return Value(kept.elements.size() == set->as_set().elements.size());
  }

  std::optional<Value> strict(const Recipe& r) {
    std::vector<Value> values;
    for (const RecipePtr& child : r.children) {
      auto v = (*this)(*child);
      if (!v) return std::nullopt;
      values.push_back(std::move(*v));
    }
    Operation operation{r.op, r.type, {}, r.low};
    if (!r.children.empty()) operation.operand = r.children[0]->type;
    std::vector<const Value*> pointers;
    for (const Value& v : values) pointers.push_back(&v);
    return apply_operator(pool_, operation, pointers);
  }

  ExprPool& pool_;
  Assignment values_;
};

std::string shown(const ExprPool& pool, const std::optional<Value>& value, Type type) {
  return value ? to_string(pool, *value, type) : "undefined";
}

std::optional<Value> defined(const Expected<Value, Undefined>& result) {
  if (!result) return std::nullopt;
  return *result;
}

class RandomTermsTest : public ::testing::TestWithParam<int> {
 protected:
  template <class Check>
  void for_random_terms(Check check) {
    auto seed = static_cast<std::uint64_t>(GetParam());
    ExprPool pool;
    RandomTerms random(pool, seed);
    for (int round = 0; round < 150 * test::effort(); ++round) {
      Type type = random.types()[random.below(random.types().size())];
      if (random.chance(2)) type = Type::boolean();
      RecipePtr recipe = random.recipe(type, 2 + static_cast<int>(random.below(30)));
      Expr e = build(pool, *recipe);
      SCOPED_TRACE("seed " + std::to_string(seed) + " round " + std::to_string(round) + ": " +
                   to_string_shared(pool, e));
      check(pool, random, *recipe, e);
      if (HasFailure()) return;
    }
  }
};

TEST_P(RandomTermsTest, FoldingKeepsTheMeaning) {
  int undefined = 0;
  int partial = 0;
  for_random_terms([&](ExprPool& pool, RandomTerms& random, const Recipe& recipe, Expr e) {
    ASSERT_EQ(pool.type(e), recipe.type);
    Evaluator evaluate(pool);
    partial += pool.total(e) ? 0 : 1;
    for (int i = 0; i < 5; ++i) {
      Assignment values = random.assignment();
      auto expected = Naive(pool, values)(recipe);
      auto result = defined(evaluate(e, test::lookup(values)));
      ASSERT_EQ(shown(pool, result, recipe.type), shown(pool, expected, recipe.type));
      ASSERT_EQ(result, expected);
      undefined += result ? 0 : 1;
      ASSERT_TRUE(result || !pool.total(e));
      ASSERT_TRUE(!result || pool.has_type(*result, recipe.type));
    }
  });
  EXPECT_GT(undefined, 10);
  EXPECT_GT(partial, 10);
}

TEST_P(RandomTermsTest, DefinednessSaysWhereATermHasAValue) {
  int interesting = 0;
  for_random_terms([&](ExprPool& pool, RandomTerms& random, const Recipe&, Expr e) {
    Expr condition = definedness(pool, e);
    ASSERT_EQ(pool.type(condition), Type::boolean());
    interesting += pool.is_const(condition) ? 0 : 1;
    Evaluator evaluate(pool);
    for (int i = 0; i < 5; ++i) {
      Assignment values = random.assignment();
      auto holds = evaluate(condition, test::lookup(values));
      ASSERT_TRUE(holds.has_value()) << to_string(pool, condition);
      ASSERT_EQ(holds->as_bool(), evaluate(e, test::lookup(values)).has_value());
    }
  });
  EXPECT_GT(interesting, 10);
}

TEST_P(RandomTermsTest, SubstitutedValuesGiveTheSameValue) {
  for_random_terms([&](ExprPool& pool, RandomTerms& random, const Recipe& recipe, Expr e) {
    Assignment values = random.assignment();
    Substitution substitute(pool);
    for (SymbolId v : random.variables()) {
      if (!random.chance(4)) substitute.set(v, pool.constant(values.at(v), pool.info(v).type));
    }
    Expr replaced = substitute(e);
    Evaluator evaluate(pool);
    auto expected = defined(evaluate(e, test::lookup(values)));
    auto result = defined(evaluate(replaced, test::lookup(values)));
    ASSERT_EQ(shown(pool, result, recipe.type), shown(pool, expected, recipe.type));
  });
}

TEST_P(RandomTermsTest, OneEvaluatorServesManyTerms) {
  ExprPool pool;
  RandomTerms random(pool, static_cast<std::uint64_t>(GetParam()) + 1000);
  std::vector<Expr> terms;
  for (int i = 0; i < 50; ++i) terms.push_back(random.term(Type::boolean(), 25));
  Evaluator evaluate(pool);
  for (int i = 0; i < 20; ++i) {
    Assignment values = random.assignment();
    for (Expr e : terms) {
      auto fresh = Evaluator(pool)(e, test::lookup(values));
      ASSERT_EQ(defined(evaluate(e, test::lookup(values))), defined(fresh)) << to_string(pool, e);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTermsTest, ::testing::Range(0, 8));

}  // namespace
}  // namespace whittle
