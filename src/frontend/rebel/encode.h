// SPDX-License-Identifier: Apache-2.0
// How values of Rebel are represented by terms.
//
//   Boolean                     one Bool
//   Integer, Percentage         one Int
//   Money                       two Ints: currency (interned), amount in minor units
//   Currency, String            one Int: every literal a number of its own, other numbers possible
//   IBAN                        one Int that holds country, check digits and account (see iban)
//   Date                        one Int: days since 1 Jan 1970, so that every Int is a date
//   Time                        one Int: seconds since midnight, 0 <= t < 86400
//   DateTime                    Date and Time
//   Term                        count (Int) and unit (enumeration)
//   Frequency, Period, InterestNorm   enumerations
//   a specification             the key of the instance
//   set, map                    a list of entries, each present or not; see collections.cpp
//
// Beside its parts a value carries the condition under which it is defined (amounts of one
// currency, a key that is in the map). The conditions are put beside the guards of events, so that
// the terms of updates stay what people wrote.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "frontend/rebel/types.h"

namespace whittle::rebel {

struct Entry;

struct TypedTerm {
  RType type;       // Unknown: reported already, goes with everything
  Expr a;           // first part
  Expr b;           // second part: Money, DateTime, Term
  Expr def;         // invalid: always defined
  Expr as_integer;  // of Percentage * Integer: the same product as an Integer (see operators.cpp)
  std::shared_ptr<const std::vector<Entry>> entries;  // sets and maps
};

struct Entry {
  Expr present;
  TypedTerm key;    // the element of a set
  TypedTerm value;  // maps
  Expr slot;        // the place of a field or parameter that it was read from; invalid: none
};

struct Part {
  const char* suffix;  // ".amount"; "" where there is one part only
  Type type;
};

class Encoder {
 public:
  explicit Encoder(ExprPool& pool, std::uint32_t decimals);

  [[nodiscard]] ExprPool& pool() { return pool_; }
  [[nodiscard]] std::uint32_t decimals() const { return decimals_; }  // 2 or 3

  // Parts of a simple type (specifications and collections are the caller's business).
  [[nodiscard]] std::vector<Part> parts(Kind kind) const;
  // What values of the part must satisfy beyond its type; invalid: nothing.
  Expr domain(Kind kind, Expr a);

  // ----- literals
  Integer currency(std::string_view text);
  Integer string(std::string_view text);  // without quotes
  Integer iban(std::string_view text);
  // From here on, texts are not the model's but somebody's arguments: new ones get numbers that no
  // value chosen by a solver is likely to have.
  void listen() { listening_ = true; }
  // The number of a currency, known or not; empty: the text is none.
  [[nodiscard]] std::optional<Integer> heard_currency(std::string_view text) const;
  [[nodiscard]] std::string text_of(const Integer& string) const;
  [[nodiscard]] Integer amount(std::string_view digits) const;  // "50.00"
  [[nodiscard]] static bool is_iban(std::string_view text);
  // Index of a word in its enumeration, -1 if it is none of it.
  [[nodiscard]] static int enum_index(Kind kind, std::string_view word);
  Expr enum_constant(Kind kind, int index);

  // ----- parts of an IBAN
  Expr country(Expr iban);
  Expr checksum(Expr iban);
  Expr account(Expr iban);

  // ----- calendar
  [[nodiscard]] static std::int64_t day_number(std::int64_t year, std::int64_t month,
                                               std::int64_t day);
  struct Civil {
    Expr year, month, day;
  };
  Civil civil(Expr days);
  Expr days(Expr year, Expr month, Expr day);
  // The date so many units later (earlier if negative); months end where they end.
  Expr plus_term(Expr days, Expr count, Expr unit);

  // ----- text
  [[nodiscard]] std::string show(Kind kind, const Value& a, const Value* b) const;
  [[nodiscard]] static std::string show_date(const Integer& days);

 private:
  Expr number(long value) { return pool_.integer(Integer(value)); }
  Expr div(Expr a, long b) { return pool_.make(Op::IDiv, {a, number(b)}); }
  Expr by_month(Expr x, const std::function<Expr(int)>& leaf);
  Expr left_out(Expr era, Expr x, const std::array<long, 3>& ends);
  Expr to_even(Expr days);
  Expr from_even(Expr even);
  Expr mod(Expr a, long b) { return pool_.make(Op::Mod, {a, number(b)}); }

  ExprPool& pool_;
  std::uint32_t decimals_;
  Type frequency_, period_, norm_;
  std::unordered_map<std::string, long> currencies_, strings_;
  std::vector<std::string> currency_texts_, string_texts_, heard_texts_;
  bool listening_ = false;
  // The text with this number among the strings that are no country codes.
  [[nodiscard]] const std::string* text_number(const Integer& n) const;
};

}  // namespace whittle::rebel
