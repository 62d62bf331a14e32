// SPDX-License-Identifier: Apache-2.0
// What C programs become: refusals where `main` reaches them, types, locations, what a step is.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "frontend/c/arithmetic.h"
#include "frontend/c/specification.h"
#include "frontend/c/types.h"
#include "frontend/languages.h"
#include "support/load.h"

namespace whittle {
namespace {

test::Loaded load_c(const std::string& text) { return test::load("c", text, "program.c"); }

bool reports(const test::Loaded& loaded, std::string_view id) {
  const auto& all = loaded.diagnostics.all();
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) { return d.id == id; });
}

TEST(CMeaning, OneStatementIsOneStep) {
  const auto loaded = load_c("int a, b;\nint main(void) {\n  a = b++ + 1;\n  return 0;\n}\n");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  ASSERT_EQ(loaded.network->events().size(), 1U);
  EXPECT_EQ(loaded.network->events()[0].effects.size(), 2U);
  EXPECT_EQ(loaded.network->locations()[1].name, "main:3");
}

TEST(CMeaning, RefusalsAreAboutWhatMainReaches) {
  const std::string unused =
      "struct s { struct s *next; double d; };\n"
      "double f(struct s *p) { return p->next->d; }\n";
  EXPECT_TRUE(load_c(unused + "int main(void) { return 0; }").diagnostics.empty());
  const auto used = load_c(unused + "int main(void) { struct s *p; return (int)f(p); }");
  EXPECT_TRUE(reports(used, "c-float") || reports(used, "c-pointer"));
  EXPECT_EQ(used.network, nullptr);
}

TEST(CMeaning, OrdersThatAreLeftOpenAreRefused) {
  EXPECT_TRUE(reports(load_c("int main(void) { int i = 0; i = i++; return i; }"), "c-unsequenced"));
  EXPECT_TRUE(reports(load_c("int main(void) { int i = 0; return i + i++; }"), "c-unsequenced"));
  EXPECT_FALSE(reports(load_c("int main(void) { int i = 0; return i && i++; }"), "c-unsequenced"));
}

bool has_variable(const test::Loaded& loaded, std::string_view name) {
  const auto& all = loaded.network->variables();
  return std::any_of(all.begin(), all.end(), [&](const Variable& v) { return v.name == name; });
}

TEST(CMeaning, ARecursiveFunctionHasOneCopy) {
  const auto loaded = load_c(
      "int f(int n) { return n <= 0 ? 0 : f(n - 1) + f(n - 2); }\n"
      "int main(void) { return f(3); }\n");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_TRUE(has_variable(loaded, "f::level"));
  EXPECT_TRUE(has_variable(loaded, "f::caller"));
  EXPECT_LT(loaded.network->events().size(), 30U);
  EXPECT_TRUE(reports(load_c("int main(void) { return main(); }"), "c-recursion"));
  EXPECT_TRUE(reports(load_c("int f(int n) { int a[2]; a[0] = n; return f(a[0]); }\n"
                             "int main(void) { return f(1); }\n"),
                      "c-array"));
}

TEST(CMeaning, CopiesThatMakeItTooLargeAreShared) {
  std::string text = "int g;\nint f0(int n) { g = g + n; return n; }\n";
  for (int i = 1; i < 16; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "int f" + std::to_string(i) + "(int n) { int x = " + before + "(n); return x + " +
            before + "(n); }\n";
  }
  const auto loaded = load_c(text + "int main(void) { return f15(1); }\n");
  ASSERT_NE(loaded.network, nullptr) << loaded.messages();
  EXPECT_TRUE(has_variable(loaded, "f14::caller"));
  EXPECT_LT(loaded.network->events().size(), 500U);
}

TEST(CMeaning, LengthsThatNeverChangeAreConstants) {
  EXPECT_TRUE(
      load_c("int main(void) { int n = 5; int a[n]; a[4] = 0; return a[4]; }").diagnostics.empty());
  EXPECT_TRUE(reports(load_c("int main(void) { int n = 5; n++; int a[n]; a[4] = 0; return a[4]; }"),
                      "c-vla"));
}

TEST(CMeaning, PointersThatNobodyFollowsDoNoHarm) {
  EXPECT_TRUE(
      load_c("int main(void) { const char *p; p = \"text\"; return 0; }").diagnostics.empty());
  EXPECT_TRUE(reports(load_c("int main(void) { int x = 0, *p; p = &x; return *p; }"), "c-pointer"));
  EXPECT_TRUE(reports(load_c("int f(int *q, int *r) { q = r; return *q; }\n"
                             "int main(void) { int x = 0, y = 1; return f(&x, &y); }\n"),
                      "c-pointer"));
}

TEST(CTypes, CommonTypesDependOnTheModel) {
  const c::Types wide(c::DataModel::Lp64);
  const c::Types narrow(c::DataModel::Ilp32);
  EXPECT_EQ(wide.common(c::kUnsigned, c::kLong), c::kLong);
  EXPECT_EQ(narrow.common(c::kUnsigned, c::kLong), c::kUnsignedLong);
  EXPECT_EQ(wide.common(c::kChar, c::kUnsignedShort), c::kInt);
  EXPECT_EQ(wide.common(c::kInt, c::kUnsigned), c::kUnsigned);
  EXPECT_EQ(wide.size(c::kLong), 8U);
  EXPECT_EQ(narrow.size(c::kLong), 4U);
}

TEST(CArithmetic, SumsWrapOnceAndOnlyWhereTheyCan) {
  ExprPool pool;
  const c::Types types(c::DataModel::Lp64);
  const c::Arithmetic arithmetic(pool, types, false, false);
  const Expr x = pool.symbol(pool.declare("x", Type::integer()));
  const c::Number n = arithmetic.value(x, c::kInt);
  const c::Number one = arithmetic.constant(1, c::kInt);
  // (x + 1) - 1 is not settled on the way; a char plus one fits an int.
  const c::Number sum = arithmetic.binary(c::Operator::Add, n, one, c::kInt);
  EXPECT_EQ(sum.term, pool.add(x, pool.integer(1)));
  const c::Number small = arithmetic.convert(arithmetic.value(x, c::kChar), c::kInt);
  const c::Number fits = arithmetic.binary(c::Operator::Add, small, one, c::kInt);
  EXPECT_EQ(arithmetic.settled(fits).term, pool.add(x, pool.integer(1)));
  EXPECT_NE(arithmetic.settled(sum).term, sum.term);
}

TEST(CSpecification, ReadsWhatTheCompetitionWrites) {
  Diagnostics diagnostics;
  const auto calls = c::read_specification("CHECK( init(main()), LTL(G ! call(reach_error())) )",
                                           Span(), diagnostics);
  EXPECT_EQ(calls.kind, c::Specification::Kind::Calls);
  EXPECT_EQ(calls.name, "reach_error");
  EXPECT_EQ(
      c::read_specification("CHECK( init(main()), LTL(G ! overflow) )", Span(), diagnostics).kind,
      c::Specification::Kind::Overflow);
  EXPECT_FALSE(diagnostics.has_errors());
  std::ignore =
      c::read_specification("CHECK( init(main()), LTL(G valid-free) )", Span(), diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
}

}  // namespace
}  // namespace whittle
