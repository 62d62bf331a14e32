// SPDX-License-Identifier: Apache-2.0
// Expressions from text to term and back: parser, typer and printer together.
#include <gtest/gtest.h>

#include <string>

#include "expr/print.h"
#include "frontend/expression/expression_parser.h"
#include "frontend/expression/expression_printer.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/expression/lexer.h"

namespace whittle::frontend {
namespace {

// a, b: Bool; i, j, k: Int; r, s: Real; t, u: String; e: Color; X': next values of each.
class TestScope : public Scope {
 public:
  TestScope(ExprPool& pool, Diagnostics& diagnostics) : Scope(diagnostics), pool_(pool) {
    color_ = pool.enum_type("Color", {"RED", "GREEN"});
    for (std::string n : {"a", "b"}) add(n, Type::boolean());
    for (std::string n : {"i", "j", "k"}) add(n, Type::integer());
    for (std::string n : {"r", "s"}) add(n, Type::real());
    for (std::string n : {"t", "u"}) add(n, Type::string());
    add("e", color_);
    add("v", pool.array_type(Type::integer(), Type::integer(), 4));
  }
  std::optional<Operand> name(std::string_view name, Span span) override {
    if (name == "RED") return Operand{pool_.constant(EnumValue{0}, color_), 0, 0};
    if (name == "GREEN") return Operand{pool_.constant(EnumValue{1}, color_), 0, 0};
    if (name == "N") return Operand{pool_.integer(3), 0, 0};
    if (const auto it = symbols_.find(std::string(name)); it != symbols_.end()) {
      return Operand{pool_.symbol(it->second), 0, 0};
    }
    diagnostics_.report("sts-002", span, "unknown");
    return std::nullopt;
  }
  std::optional<Type> enum_type(std::string_view name, Span span) override {
    if (name == "Color") return color_;
    diagnostics_.report("sts-003", span, "unknown type");
    return std::nullopt;
  }
  bool declares(std::string_view name) override { return symbols_.contains(std::string(name)); }

 private:
  void add(const std::string& name, Type type) { symbols_[name] = pool_.declare(name, type); }
  ExprPool& pool_;
  Type color_;
  std::unordered_map<std::string, SymbolId> symbols_;
};

bool never(const TokenReader&, std::size_t) { return false; }

struct Result {
  Sources sources;
  Diagnostics diagnostics;
  ExprPool pool;
  Expr e;
  std::string rest;  // what the expression did not take

  explicit Result(std::string text, const ExprPool* shared = nullptr)
      : pool(shared != nullptr ? ExprPool(*shared) : ExprPool()) {
    const FileId file = sources.add("text", std::move(text));
    SyntaxTree tree(sources.file(file).text(), file, tokenize(sources, file, diagnostics));
    TokenReader reader(tree, diagnostics);
    TestScope scope(pool, diagnostics);
    const auto root = parse_expression(reader, &never);
    if (!root) return;
    rest = std::string(sources.file(file).text().substr(reader.peek().begin));
    SymbolIndex symbols(false);
    e = ExpressionTyper(pool, tree, diagnostics, symbols)(*root, scope);
  }
  std::string id() const { return diagnostics.empty() ? "" : diagnostics.all()[0].id; }
  std::uint32_t column() const { return diagnostics.all()[0].span.begin; }
  std::string printed() const {
    if (!e.valid()) return "invalid: " + id();
    return print_expression(pool, e, [&](SymbolId s) { return pool.info(s).name; });
  }
};

std::string normal(const std::string& text) { return Result(text).printed(); }

// The grouping, seen through where the printer needs parentheses.
TEST(Expression, Precedence) {
  EXPECT_EQ(normal("i + j * k"), "i + j * k");
  EXPECT_EQ(normal("(i + j) * k"), "(i + j) * k");
  EXPECT_EQ(normal("i - j - k"), "i - j - k");
  EXPECT_EQ(normal("i - (j - k)"), "i - (j - k)");
  EXPECT_EQ(normal("i / j * k"), "i / j * k");
  EXPECT_EQ(normal("i * (j / k)"), "i * (j / k)");
  EXPECT_EQ(normal("-i ^ 2"), "(-i) ^ 2");
  EXPECT_EQ(normal("i * j ^ 2"), "i * j ^ 2");
  EXPECT_EQ(normal("2 ^ 3 ^ 2"), "512");
  EXPECT_EQ(normal("(2 ^ 3) ^ 2"), "64");
  EXPECT_EQ(normal("i ^ 2 ^ 3"), "i ^ 8");
  EXPECT_EQ(normal("!a == b"), "!a == b");
  EXPECT_EQ(normal("!(a == b)"), "a != b");
  EXPECT_EQ(normal("a || b && a"), "a || b && a");
  EXPECT_EQ(normal("(a || b) && a"), "(a || b) && a");
  EXPECT_EQ(normal("a -> b -> a"), "a -> b -> a");
  EXPECT_EQ(normal("(a -> b) -> a"), "(a -> b) -> a");
  EXPECT_EQ(normal("a == i < j"), "a == i < j");
  EXPECT_EQ(normal("a == b == a"), "(a == b) == a");
  EXPECT_EQ(normal("i < j == j > k && a || b -> a"), "i < j == k < j && a || b -> a");
  EXPECT_EQ(normal("i - -j"), "i - (-j)");
  EXPECT_EQ(normal("- - i"), "i");
}

TEST(Expression, Conditionals) {
  EXPECT_EQ(normal("if a then i else j"), "if a then i else j");
  EXPECT_EQ(normal("i + if a then i else j + k"), "i + (if a then i else j + k)");
  EXPECT_EQ(normal("(if a then i else j) + k"), "(if a then i else j) + k");
  EXPECT_EQ(normal("if a then if b then i else j else k"), "if a then if b then i else j else k");
  EXPECT_EQ(normal("if a then i else if b then j else k"), "if a then i else if b then j else k");
  EXPECT_EQ(normal("if if a then b else e == RED then i else j"),
            "if if a then b else e == RED then i else j");
  EXPECT_EQ(normal("if a then i else r"), "if a then i else r");
  EXPECT_EQ(normal("if a then i else 2.5"), "if a then i else 2.5");
  EXPECT_EQ(normal("r + if a then i else j"), "r + (if a then i else j)");
  EXPECT_EQ(normal("v[if a then 0 else 1]"), normal("v[(if a then 0 else 1)]"));
  EXPECT_EQ(Result("if a then i else j then k").rest, "then k");
  EXPECT_EQ(Result("if a then i else j else k").rest, "else k");
  EXPECT_EQ(Result("if i then i else j").id(), "type-001");
  EXPECT_EQ(Result("if a then i else t").id(), "type-001");
  EXPECT_EQ(Result("if a then i").id(), "parse-002");
  EXPECT_EQ(Result("(if a then i) else j").id(), "parse-001");
  EXPECT_EQ(Result("if a else j").id(), "parse-001");
}

// `!` is weaker than + and stronger than comparisons.
TEST(Expression, NotStandsBetweenSumsAndComparisons) {
  EXPECT_EQ(Result("!i + j").id(), "type-001");
  EXPECT_EQ(Result("!i < j").id(), "type-001");
  EXPECT_EQ(Result("!a && b").printed(), "!a && b");
}

TEST(Expression, Widening) {
  EXPECT_EQ(normal("i + r"), "i + r");
  EXPECT_EQ(normal("i < 2.5"), "i < 2.5");
  EXPECT_EQ(normal("i == r"), "i == r");
  EXPECT_EQ(normal("i / 2.0"), "i / 2.0");
  EXPECT_EQ(normal("i * 1.0 / j"), "(0.0 + i) / j");
  EXPECT_EQ(normal("r + 1"), "r + 1.0");
  EXPECT_EQ(normal("r * (i / j)"), "r * (i / j)");
  const Result division("7 / 2");
  EXPECT_EQ(division.pool.value(division.e), Value(3));
  const Result remainder("-7 % 2");
  EXPECT_EQ(remainder.pool.value(remainder.e), Value(1));
  const Result real("7 / 2.0");
  EXPECT_EQ(real.pool.value(real.e), Value(Rational(7, 2)));
  EXPECT_EQ(normal("1.0 / 3"), "1.0 / 3.0");
  EXPECT_EQ(normal("r * (1.0 / 3)"), "1.0 / 3.0 * r");
}

TEST(Expression, TextsAndEnumerations) {
  EXPECT_EQ(normal("\"a\\\"b\" ++ t ++ \"\""), "\"a\\\"b\" ++ t");
  EXPECT_EQ(normal("e == RED || e != GREEN"), "e == RED || e != GREEN");
  EXPECT_EQ(Result("t + u").id(), "type-001");
  EXPECT_EQ(Result("e < GREEN").id(), "type-001");
  EXPECT_EQ(Result("e == 1").id(), "type-001");
}

TEST(Expression, Quantifiers) {
  EXPECT_EQ(normal("forall x in 1..3: i != x"), "i != 1 && i != 2 && i != 3");
  EXPECT_EQ(normal("exists x in 1..N: i == x * x"), "i == 1 || i == 4 || i == 9");
  EXPECT_EQ(normal("forall c in Color: e == c -> a"), "(e == RED -> a) && (e == GREEN -> a)");
  EXPECT_EQ(normal("forall x in 2..1: i == x"), "true");
  EXPECT_EQ(normal("exists x in 2..1: i == x"), "false");
  EXPECT_EQ(normal("a && forall x in 1..2: i > x || b"), "a && (i > 1 || b) && (i > 2 || b)");
  EXPECT_EQ(normal("forall x in 1..2: exists y in x..2: i == x + y"),
            "(i == 2 || i == 3) && i == 4");
  EXPECT_EQ(normal("exists x in 1..2: i ^ x == j"), "i == j || i ^ 2 == j");
  EXPECT_EQ(normal("(forall x in 1..2: i > x) -> a"), "i > 1 && i > 2 -> a");
}

TEST(Expression, QuantifierMistakes) {
  EXPECT_EQ(Result("forall x in 1..i: a").id(), "type-005");
  EXPECT_EQ(Result("forall x in 1..2.5: a").id(), "type-005");
  EXPECT_EQ(Result("forall x in 1..99999999999999999999: a").id(), "type-006");
  EXPECT_EQ(Result("forall x in 1..3000: forall y in 1..3000: i > x + y").id(), "type-006");
  EXPECT_EQ(Result("forall x in 1..2: x").id(), "type-002");
  EXPECT_EQ(Result("forall x in Nothing: a").id(), "sts-003");
  EXPECT_EQ(Result("forall x in 1: a").id(), "parse-001");
  EXPECT_EQ(Result("forall x in 1..2 a").id(), "parse-001");
  EXPECT_EQ(Result("forall x 1..2: a").id(), "parse-001");
  // Once, and not once per case.
  EXPECT_EQ(Result("forall x in 1..50: z == x").diagnostics.all().size(), 1U);
  // The body is looked at even when the range is empty.
  EXPECT_EQ(Result("forall x in 1..0: z == x").id(), "sts-002");
  const Result hidden("forall y in 1..3: forall i in 1..2: i > y");
  EXPECT_TRUE(hidden.e.valid());
  EXPECT_EQ(hidden.id(), "type-012");
  EXPECT_EQ(hidden.diagnostics.all().size(), 1U);
}

TEST(Expression, Exponents) {
  EXPECT_EQ(normal("i ^ 0"), "1");
  EXPECT_EQ(normal("r ^ N"), "r ^ 3");
  EXPECT_EQ(Result("i ^ j").id(), "type-003");
  EXPECT_EQ(Result("i ^ -1").id(), "type-003");
  EXPECT_EQ(Result("i ^ 2.0").id(), "type-003");
  EXPECT_EQ(Result("2 ^ 1000000000").id(), "type-003");
  EXPECT_EQ(Result("((10 ^ 1000) ^ 1000) ^ 1000").id(), "type-004");
}

TEST(Expression, TypeErrorsPointAtTheOperator) {
  const Result r("a && i");
  EXPECT_EQ(r.id(), "type-001");
  EXPECT_EQ(r.column(), 2U);
  EXPECT_EQ(Result("i < j < k").column(), 6U);
  EXPECT_NE(Result("i < j < k").diagnostics.all()[0].hint.find("a < b && b < c"),
            std::string::npos);
  // One mistake, one message.
  EXPECT_EQ(Result("(a + 1) * 2 == 3 && z").diagnostics.all().size(), 2U);
}

TEST(Expression, SyntaxErrors) {
  EXPECT_EQ(Result("").id(), "parse-002");
  EXPECT_EQ(Result("i +").id(), "parse-002");
  EXPECT_EQ(Result("i + * j").id(), "parse-001");
  EXPECT_EQ(Result("()").id(), "parse-001");
  EXPECT_EQ(Result("(i + j").id(), "parse-005");
  EXPECT_EQ(Result("(i + j]").id(), "parse-005");
  EXPECT_EQ(Result("v[i").id(), "parse-005");
  EXPECT_EQ(Result("i'' == 1").id(), "parse-001");
  EXPECT_EQ(Result("i' == 1").id(), "type-007");
  EXPECT_EQ(Result("@Node").id(), "type-008");
  EXPECT_EQ(Result("any i").id(), "type-009");
  EXPECT_EQ(Result("i.x == 1").id(), "type-010");
  EXPECT_EQ(Result("i@x").id(), "type-010");
  EXPECT_EQ(Result("i[0]").id(), "type-010");
  EXPECT_EQ(Result("v[a]").id(), "type-002");
  EXPECT_EQ(normal("v[i + 1] == v[0]"), "v[i + 1] == v[0]");
}

TEST(Expression, ForeignOperatorsAreUnderstoodAndReported) {
  for (const std::string text :
       {"i = 1", "a & b", "a | b", "a => b", "i <> 1", "a and b", "a or b"}) {
    const Result r(text);
    EXPECT_EQ(r.id(), "parse-001") << text;
    EXPECT_EQ(r.diagnostics.all().size(), 1U) << text;
    EXPECT_NE(r.diagnostics.all()[0].hint, "") << text;
  }
}

TEST(Expression, StopsWhereItCannotGoOn) {
  EXPECT_EQ(Result("i + 1 )").rest, ")");
  EXPECT_EQ(Result("i + 1 ..").rest, "..");
  EXPECT_EQ(Result("i : x").rest, ": x");
  EXPECT_EQ(Result("a within 3").rest, "within 3");
}

TEST(Expression, NestingIsLimitedAndNeverCrashes) {
  for (const std::size_t depth : {1'000UL, 9'000UL, 100'000UL, 1'000'000UL}) {
    const Result r(std::string(depth, '(') + "i" + std::string(depth, ')'));
    EXPECT_EQ(r.e.valid(), depth < kMaxNesting);
    EXPECT_EQ(r.id(), depth < kMaxNesting ? "" : "parse-003");
    EXPECT_EQ(Result(std::string(depth, '-') + "i").e.valid(), depth < kMaxNesting);
    EXPECT_EQ(Result(std::string(depth, '(')).id(),
              depth < kMaxNesting ? "parse-002" : "parse-003");
  }
}

TEST(Expression, LongChainsAreFlat) {
  for (const std::string op : {" && ", " || "}) {
    std::string text = "i > 0";
    for (std::size_t i = 1; i < 200'000; ++i) text += op + "i > " + std::to_string(i);
    const Result r(text);
    ASSERT_TRUE(r.e.valid());
    EXPECT_EQ(r.pool.children(r.e).size(), 200'000U);
  }
  // Not a chain, but two hundred thousand levels deep.
  std::string text = "i";
  for (int i = 0; i < 200'000; ++i) text += " - j";
  EXPECT_TRUE(Result(text).e.valid());
}

// Whatever text gives a term, the printed term gives the same one.
TEST(Expression, PrintingIsStable) {
  for (const std::string text : {"-(i + j)",
                                 "i - (j + k) - 1",
                                 "1 - i",
                                 "i * -1",
                                 "-3 * i",
                                 "(i + 1) * (i - 1)",
                                 "i % 3 / 2",
                                 "i % (3 / j)",
                                 "r / 3.0",
                                 "i + 0.0 == r",
                                 "i * 1.0 == j",
                                 "(i + j) + r",
                                 "r + (i + j)",
                                 "-(i + 0.0)",
                                 "(i + 0.0) ^ 2",
                                 "!(i < j)",
                                 "!(a && b)",
                                 "!a || !b",
                                 "(a == b) == (i < j)",
                                 "a == (b == a)",
                                 "5 + (i * 5)",
                                 "t ++ (u ++ t) == \"\"",
                                 "r == -1.5",
                                 "r == -1.0 / 3.0",
                                 "i - 1.5 > 2",
                                 "(a -> b) && (b -> a)",
                                 "(1.0 / 3) ^ 2 * r",
                                 "v[v[i]] == 0"}) {
    const Result first(text);
    ASSERT_TRUE(first.e.valid()) << text << ": " << first.id();
    const std::string once = first.printed();
    const Result second(once);
    ASSERT_TRUE(second.e.valid()) << once;
    EXPECT_EQ(second.printed(), once) << text;
    EXPECT_EQ(to_string(first.pool, first.e), to_string(second.pool, second.e)) << text;
  }
}

}  // namespace
}  // namespace whittle::frontend
