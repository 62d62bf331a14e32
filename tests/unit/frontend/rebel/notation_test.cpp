// SPDX-License-Identifier: Apache-2.0
// Values as users write them, in states and arguments.
#include "frontend/rebel/notation.h"

#include "expr/evaluate.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

TEST(RebelNotation, Values) {
  ExprPool pool;
  Encoder encoder(pool, 2);
  auto money = [&](long currency, long amount) {
    const Value b{Integer(amount)};
    return encoder.show(Kind::Money, Value(Integer(currency)), &b);
  };
  EXPECT_EQ(money(0, 5000), "EUR 50.00");
  EXPECT_EQ(money(1, 105), "USD 1.05");  // trap 39
  EXPECT_EQ(money(0, -5), "-EUR 0.05");
  EXPECT_EQ(encoder.show(Kind::Percentage, Value(Integer(-12)), nullptr), "-12%");
  for (const char* iban : {"NL10INGB0000001", "BE08ABC", "DE99AB"}) {
    EXPECT_EQ(encoder.show(Kind::Iban, Value(encoder.iban(iban)), nullptr), iban);
  }
  EXPECT_EQ(encoder.show(Kind::String, Value(encoder.string("tea")), nullptr), "\"tea\"");
  EXPECT_EQ(encoder.show(Kind::String, Value(encoder.string("NL")), nullptr), "\"NL\"");
  EXPECT_EQ(encoder.show(Kind::Time, Value(Integer(60127)), nullptr), "16:42:07");
  EXPECT_EQ(encoder.show(Kind::Boolean, Value(true), nullptr), "True");
}

TEST(RebelNotation, UnknownValuesDifferFromKnownOnes) {
  ExprPool pool;
  Encoder encoder(pool, 2);
  const Integer known = encoder.string("text700");
  std::set<std::string> shown;
  for (long n = -5; n < 900; ++n) {
    shown.insert(encoder.show(Kind::String, Value(Integer(n)), nullptr));
  }
  EXPECT_EQ(shown.size(), 905U);
  std::set<std::string> ibans;
  for (long n = -70000; n < 70000; n += 7) {
    ibans.insert(encoder.show(Kind::Iban, Value(Integer(n)), nullptr));
  }
  EXPECT_EQ(ibans.size(), 20000U);
}

TEST(RebelNotation, Calendar) {
  for (std::int64_t day = -800000; day < 800000; day += 397) {
    const std::string text = Encoder::show_date(Integer(static_cast<long>(day)));
    // Day number and text are inverse to each other, and terms agree with both.
    ExprPool pool;
    Encoder encoder(pool, 2);
    const auto parts = encoder.civil(pool.integer(Integer(static_cast<long>(day))));
    auto number = [&](Expr e) { return *pool.value(e).as_integer().to_int64(); };
    EXPECT_EQ(Encoder::day_number(number(parts.year), number(parts.month), number(parts.day)), day)
        << text;
    EXPECT_EQ(number(encoder.days(parts.year, parts.month, parts.day)), day) << text;
    EXPECT_TRUE(text.starts_with(std::to_string(number(parts.day)) + " ")) << text;
    EXPECT_TRUE(text.ends_with(" " + std::to_string(number(parts.year)))) << text;
  }
}

// Months later by counting, the way people do it.
std::int64_t months_later(ExprPool& pool, Encoder& encoder, std::int64_t day, std::int64_t months) {
  const auto parts = encoder.civil(pool.integer(Integer(static_cast<long>(day))));
  auto number = [&](Expr e) { return *pool.value(e).as_integer().to_int64(); };
  const std::int64_t total = number(parts.year) * 12 + number(parts.month) - 1 + months;
  const std::int64_t year = total >= 0 ? total / 12 : (total - 11) / 12;
  const std::int64_t month = total - year * 12 + 1;
  const std::int64_t first = Encoder::day_number(year, month, 1);
  const std::int64_t next =
      Encoder::day_number(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1);
  return std::min(first + number(parts.day) - 1, next - 1);
}

TEST(RebelNotation, MonthsLater) {
  ExprPool pool;
  Encoder encoder(pool, 2);
  const Expr month = encoder.enum_constant(Kind::Period, 2);
  const Expr variable = pool.symbol(pool.declare("count", Type::integer()));
  Evaluator evaluate(pool);
  for (std::int64_t around : {-47541, -25510, -11017, 0, 11016, 18321, 47540, 84065}) {
    for (std::int64_t day = around - 40; day < around + 40; day += 3) {
      for (std::int64_t months : {1, 3, 11, 12, 48, 1200, -1, -13, -4800}) {
        const Expr from = pool.integer(Integer(static_cast<long>(day)));
        const Expr by = pool.integer(Integer(static_cast<long>(months)));
        const std::int64_t expected = months_later(pool, encoder, day, months);
        EXPECT_EQ(*pool.value(encoder.plus_term(from, by, month)).as_integer().to_int64(), expected)
            << day << " + " << months;
        const auto found = evaluate(encoder.plus_term(from, variable, month),
                                    [&](SymbolId, std::span<const Value>) -> std::optional<Value> {
                                      return Value(Integer(static_cast<long>(months)));
                                    });
        ASSERT_TRUE(found);
        EXPECT_EQ(*found->as_integer().to_int64(), expected) << day << " + " << months;
      }
    }
  }
}

TEST(RebelNotation, StatesAndArguments) {
  const Model model(
      {{"t.tebl", std::string("specification A { fields { id: Integer @key m: Money s: "
                              "set[Percentage] d: DateTime } events { e[] } "
                              "lifeCycle { initial i -> o: e } }"
                              "event e(x: Money, t: Term) { postconditions { new this.m == x; "
                              "new this.s == {1%, 2%}; new this.d == (26 Sep 2016, 16:42); } }"
                              "state s { o A with m > EUR 0.00; } check s reachable;")}});
  ASSERT_TRUE(model.network) << model.messages();
  const Network& network = *model.network;
  std::map<std::string, Value> values;
  for (const Variable& v : network.variables()) {
    values[v.name] = network.pool().default_value(v.type);
  }
  values["m.amount"] = Value(Integer(1234));
  values["s#1"] = Value(true);
  values["s#1.key"] = Value(Integer(7));
  values["d.date"] = Value(Integer(17070));
  values["d.time"] = Value(Integer(60120));
  const auto shown = network.notation->state(
      network, MachineId(0), [&](VariableId v) { return values[network.variable(v).name]; }, {});
  std::map<std::string, std::string> by_name;
  for (const Shown& one : shown) by_name[one.name] = one.value;
  EXPECT_EQ(by_name["m"], "EUR 12.34");
  EXPECT_EQ(by_name["s"], "{7%}");
  EXPECT_EQ(by_name["d"], "26 Sep 2016, 16:42");
  EXPECT_EQ(by_name.size(), 4U);
  const auto arguments = network.notation->arguments(
      network, EventId(0),
      {Value(Integer(1)), Value(Integer(5)), Value(Integer(3)), Value(EnumValue{2})});
  ASSERT_EQ(arguments.size(), 2U);
  EXPECT_EQ(arguments[0].value, "USD 0.05");
  EXPECT_EQ(arguments[1].value, "3 Month");
}

TEST(RebelNotation, Trap14FieldsOfOtherSpecifications) {
  // `T[k].f` has the type that f has in T, whatever f is here.
  const Model model(
      {{"t.ebl", std::string("specification A { fields { id: Integer @key f: Boolean } events "
                             "{ e[] } lifeCycle { initial i -> o: e } }"
                             "specification B { fields { id: Integer @key f: Money } events { "
                             "g[] } lifeCycle { initial i -> o: g } }"
                             "event e() { preconditions { B[1].f + EUR 1.00 > EUR 2.00; } "
                             "postconditions { new this.f == True; } }"
                             "event g(x: Money) { postconditions { new this.f == x; } }")}});
  EXPECT_TRUE(model.network) << model.messages();
}

}  // namespace
}  // namespace whittle::rebel
