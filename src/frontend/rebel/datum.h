// SPDX-License-Identifier: Apache-2.0
// Values as the users of Rebel mean them: a date has a year, a month and a day, money a currency,
// a set its elements. For the evaluation of the text (evaluate.h), which must not share the
// representation that the translation chose (encode.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "expr/number.h"
#include "frontend/rebel/ast.h"
#include "frontend/rebel/program.h"

namespace whittle::rebel {

struct Date {
  Integer year;
  int month = 1;  // from 1
  int day = 1;
  bool operator==(const Date&) const = default;
};

[[nodiscard]] int days_in_month(const Integer& year, int month);
// Days since the last day of the year 0; 1 Jan 1 is day 1.
[[nodiscard]] Integer ordinal(const Date& date);
[[nodiscard]] Date date_of_ordinal(const Integer& ordinal);
// A day that the month does not have becomes its last.
[[nodiscard]] Date months_later(const Date& date, const Integer& months);

struct Datum;
struct DatumLess {
  bool operator()(const Datum& a, const Datum& b) const;
};
using Elements = std::map<Datum, Datum, DatumLess>;  // of a set: with values that are undefined

struct Datum {
  enum class Sort : std::uint8_t {
    Undefined,
    Boolean,     // truth
    Integer,     // number
    Percentage,  // number
    Money,       // text = currency, number = minor units
    Word,        // text: a currency, a frequency, a period, an interest norm
    String,      // text
    Iban,        // text
    Date,        // date
    Time,        // number = seconds since midnight
    DateTime,    // date, number
    Term,        // number, text = unit
    Set,
    Map,
  };
  Sort sort = Sort::Undefined;
  bool truth = false;
  Integer number;
  std::string text;
  Date date;
  std::shared_ptr<const Elements> elements;
  std::uint32_t spec = kNone;         // the key of an instance of this specification
  std::optional<Integer> as_integer;  // Percentage * Integer, where an Integer is wanted

  [[nodiscard]] bool defined() const { return sort != Sort::Undefined; }
  [[nodiscard]] bool is_true() const { return sort == Sort::Boolean && truth; }
  [[nodiscard]] bool is_collection() const { return sort == Sort::Set || sort == Sort::Map; }

  static Datum boolean(bool truth);
  static Datum integer(Integer number);
  static Datum of(Sort sort, Integer number, std::string text = "");
  static Datum word(std::string text);
  static Datum of_date(Date date);
  static Datum set(Elements elements);
  static Datum map(Elements elements);
};

// The same value; a reference is its key. requires: both defined
[[nodiscard]] bool same(const Datum& a, const Datum& b);
[[nodiscard]] std::string to_string(const Datum& datum);

// What stands in a trace (`EUR 50.00`, `{1, 2}`), as a value of the type; empty: it is none.
[[nodiscard]] std::optional<Datum> read_shown(const Program& program, RType type,
                                              std::string_view text);
// The minor units of `50.00`.
[[nodiscard]] Integer minor_units(std::string_view digits, bool three_decimals);

}  // namespace whittle::rebel
