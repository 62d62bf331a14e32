// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/parser.h"

#include <gtest/gtest.h>

#include <string>

namespace whittle::rebel {
namespace {

struct Parsed {
  Sources sources;
  Names names;
  Diagnostics diagnostics;
  ModuleAst module;

  explicit Parsed(const std::string& text, bool test = false) {
    const FileId file = sources.add(test ? "t.tebl" : "t.ebl", text);
    module = parse(sources, file, test, names, diagnostics);
  }

  // `a + (b * c)` with all parentheses, to compare structures.
  [[nodiscard]] std::string shape(ExprRef e) const {
    const ExprNode& n = module.expr(e);
    const std::string_view text = sources.text(module.span(n.at));
    auto binary = [&](const char* op) { return "(" + shape(n.a) + op + shape(n.b) + ")"; };
    switch (n.kind) {
      case ExprKind::Mul:
        return binary("*");
      case ExprKind::Div:
        return binary("/");
      case ExprKind::Mod:
        return binary("%");
      case ExprKind::In:
        return binary(" in ");
      case ExprKind::Add:
        return binary("+");
      case ExprKind::Sub:
        return binary("-");
      case ExprKind::Lt:
        return binary("<");
      case ExprKind::Eq:
        return binary("==");
      case ExprKind::And:
        return binary("&&");
      case ExprKind::Or:
        return binary("||");
      case ExprKind::Implies:
        return binary("->");
      case ExprKind::Not:
        return "not" + shape(n.a);
      case ExprKind::Neg:
        return "-" + shape(n.a);
      case ExprKind::New:
        return "new(" + shape(n.a) + ")";
      case ExprKind::Cond:
        return "(" + shape(n.a) + "?" + shape(n.b) + ":" + shape(n.c) + ")";
      case ExprKind::Initialized:
        return "initialized(" + shape(n.a) + ")";
      case ExprKind::Instate:
        return "instate(" + shape(n.a) + ")";
      case ExprKind::Forall:
        return "forall(" + shape(n.b) + "|" + shape(module.list(n.c)[0]) + ")";
      default:
        return std::string(text);
    }
  }
};

std::string shape(const std::string& text) {
  const Parsed p("invariant i { " + text + "; }");
  if (p.diagnostics.has_errors()) return p.diagnostics.all()[0].id;
  return p.shape(p.module.stmts[p.module.invariants[0].body.first].expr);
}

TEST(RebelParser, Precedence) {
  EXPECT_EQ(shape("a + b * c"), "(a+(b*c))");
  EXPECT_EQ(shape("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(shape("not a == b"), "not(a==b)");
  EXPECT_EQ(shape("not a in s"), "not(a in s)");
  EXPECT_EQ(shape("x + y in s"), "((x+y) in s)");
  EXPECT_EQ(shape("a || b && c"), "(a||(b&&c))");
  EXPECT_EQ(shape("a -> b -> c"), "(a->(b->c))");
  EXPECT_EQ(shape("a || b -> c"), "((a||b)->c)");
  EXPECT_EQ(shape("a == b ? x : y"), "((a==b)?x:y)");
  EXPECT_EQ(shape("not initialized T[i]"), "notinitialized(T[i])");
  EXPECT_EQ(shape("new T[i] instate s"), "instate(new(T[i]))");
  EXPECT_EQ(shape("new this.f == this.f + 1"), "(new(this.f)==(this.f+1))");
  EXPECT_EQ(shape("forall x : s | a && b"), "forall(s|(a&&b))");
  EXPECT_EQ(shape("-a * b"), "(-a*b)");
  EXPECT_EQ(shape("a < b < c"), "parse-006");
}

TEST(RebelParser, ContextualWordsAreNames) {
  const Parsed p(R"(specification S {
      fields { id: Integer @key from: IBAN set: Integer map: Integer new: Boolean }
      events { check[] set[] start[] close[] event[] }
      lifeCycle { initial init -> initialized: check initialized -> init: set, start
                  final state }
    }
    event check(module: Integer) { preconditions { module > 0; this.set == 1; } }
    event event() {})");
  EXPECT_TRUE(p.diagnostics.empty()) << render(p.diagnostics, p.sources, Color::Off);
  EXPECT_EQ(p.module.specs.size(), 1U);
  EXPECT_EQ(p.module.fields.size(), 5U);
  EXPECT_EQ(p.module.life_states.size(), 3U);
  EXPECT_EQ(p.module.events.size(), 2U);
}

TEST(RebelParser, DateFollowedByTimeIsOneDateTime) {
  EXPECT_EQ(Parsed("invariant i { f(26 Sep 2016, 16:42); }").module.list_size(0), 1U);
  EXPECT_EQ(Parsed("invariant i { f(26 Sep 2016, 16); }").module.list_size(0), 2U);
}

TEST(RebelParser, AllProblemsInOneRun) {
  const Parsed p(R"(event a() { preconditions { x > ; y > 1 z < 2; } }
event b( { }
event c() { preconditions { 1 +; } })");
  EXPECT_EQ(p.diagnostics.errors(), 4U) << render(p.diagnostics, p.sources, Color::Off);
}

TEST(RebelParser, FragmentsMayLackOneBrace) {
  const Parsed whole("event e() { preconditions { a > b; }");
  EXPECT_FALSE(whole.diagnostics.has_errors());
  EXPECT_EQ(whole.diagnostics.all().at(0).id, "rebel-001");
  const Parsed module("module M event e() { preconditions { a > b; }");
  EXPECT_EQ(module.diagnostics.all().at(0).id, "parse-005");
}

TEST(RebelParser, DeepNestingIsAnError) {
  const std::string open(100000, '(');
  const Parsed p("invariant i { " + open + "x; }");
  EXPECT_TRUE(p.diagnostics.has_errors());
}

TEST(RebelParser, LongChainsAreFine) {
  std::string text = "invariant i { a";
  for (int i = 0; i < 200000; ++i) text += " && a";
  const Parsed p(text + "; }");
  EXPECT_FALSE(p.diagnostics.has_errors());
}

TEST(RebelParser, Setups) {
  const Parsed p(R"(state s {
      now is 26 Sep 2016, 16:42;
      booked Transaction;
      3 opened Account with balance > EUR 1.00 and balance < EUR 2.00, x == 1;
      2 Account - one with balance EUR 1.00 - one with balance = EUR 2.00 - 1;
      uninitialized Account;
      {opened, closed} Account;
    }
    check s reachable in max 2 + 3 steps;
    check s reachable between 2 and 4 steps;
    assert s unreachable;
    assert s reachable in exactly 3 step;)",
                 true);
  EXPECT_TRUE(p.diagnostics.empty()) << render(p.diagnostics, p.sources, Color::Off);
  ASSERT_EQ(p.module.setup_stmts.size(), 6U);
  EXPECT_EQ(p.module.setup_stmts[2].count, 3U);
  EXPECT_TRUE(p.module.setup_stmts[3].one_each);
  EXPECT_EQ(p.module.setup_stmts[3].groups.count, 2U);
  ASSERT_EQ(p.module.checks.size(), 4U);
  EXPECT_EQ(p.module.checks[1].bound, BoundKind::Between);
  EXPECT_FALSE(p.module.checks[2].reachable);
}

}  // namespace
}  // namespace whittle::rebel
