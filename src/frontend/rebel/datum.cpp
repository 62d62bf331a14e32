// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/datum.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace whittle::rebel {

namespace {

constexpr std::array<std::string_view, 12> kMonthNames = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool is_leap_year(const Integer& year) {
  const auto divides = [&](long n) { return euclidean_mod(year, Integer(n)).is_zero(); };
  return divides(4) && (!divides(100) || divides(400));
}

Integer days_before_year(const Integer& year) {
  const Integer before = year - Integer(1);
  return Integer(365) * before + euclidean_div(before, Integer(4)) -
         euclidean_div(before, Integer(100)) + euclidean_div(before, Integer(400));
}

}  // namespace

// ----- calendar

int days_in_month(const Integer& year, int month) {
  constexpr std::array<int, 12> kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month == 2 && is_leap_year(year)) return 29;
  return kLengths.at(static_cast<std::size_t>(month - 1));
}

Integer ordinal(const Date& date) {
  Integer result = days_before_year(date.year) + Integer(date.day);
  for (int month = 1; month < date.month; ++month) {
    result += Integer(days_in_month(date.year, month));
  }
  return result;
}

Date date_of_ordinal(const Integer& ordinal) {
  Date date;
  date.year = euclidean_div(ordinal * Integer(400), Integer(146097));  // off by one at most
  while (days_before_year(date.year) >= ordinal) date.year -= Integer(1);
  while (days_before_year(date.year + Integer(1)) < ordinal) date.year += Integer(1);
  Integer left = ordinal - days_before_year(date.year);
  while (left > Integer(days_in_month(date.year, date.month))) {
    left -= Integer(days_in_month(date.year, date.month));
    ++date.month;
  }
  date.day = static_cast<int>(left.to_int64().value_or(1));
  return date;
}

Date months_later(const Date& date, const Integer& months) {
  const Integer total = date.year * Integer(12) + Integer(date.month - 1) + months;
  Date result;
  result.year = euclidean_div(total, Integer(12));
  result.month = static_cast<int>(*euclidean_mod(total, Integer(12)).to_int64()) + 1;
  result.day = std::min(date.day, days_in_month(result.year, result.month));
  return result;
}

// ----- values

Datum Datum::boolean(bool truth) {
  Datum result;
  result.sort = Sort::Boolean;
  result.truth = truth;
  return result;
}

Datum Datum::of(Sort sort, Integer number, std::string text) {
  Datum result;
  result.sort = sort;
  result.number = std::move(number);
  result.text = std::move(text);
  return result;
}

Datum Datum::integer(Integer number) { return of(Sort::Integer, std::move(number)); }
Datum Datum::word(std::string text) { return of(Sort::Word, Integer(0), std::move(text)); }

Datum Datum::of_date(Date date) {
  Datum result;
  result.sort = Sort::Date;
  result.date = std::move(date);
  return result;
}

Datum Datum::set(Elements elements) {
  Datum result;
  result.sort = Sort::Set;
  result.elements = std::make_shared<const Elements>(std::move(elements));
  return result;
}

Datum Datum::map(Elements elements) {
  Datum result = set(std::move(elements));
  result.sort = Sort::Map;
  return result;
}

bool DatumLess::operator()(const Datum& a, const Datum& b) const {
  if (a.sort != b.sort) return a.sort < b.sort;
  if (a.truth != b.truth) return a.truth < b.truth;
  if (a.number != b.number) return a.number < b.number;
  if (a.text != b.text) return a.text < b.text;
  if (a.date.year != b.date.year) return a.date.year < b.date.year;
  if (a.date.month != b.date.month) return a.date.month < b.date.month;
  if (a.date.day != b.date.day) return a.date.day < b.date.day;
  if (!a.elements || !b.elements) return false;
  const auto entry_less = [](const auto& x, const auto& y) {
    const DatumLess less;
    if (less(x.first, y.first)) return true;
    return !less(y.first, x.first) && less(x.second, y.second);
  };
  return std::lexicographical_compare(a.elements->begin(), a.elements->end(), b.elements->begin(),
                                      b.elements->end(), entry_less);
}

bool same(const Datum& a, const Datum& b) {
  const DatumLess less;
  return !less(a, b) && !less(b, a);
}

namespace {

std::string date_text(const Date& date) {
  return std::to_string(date.day) + " " +
         std::string(kMonthNames.at(static_cast<std::size_t>(date.month - 1))) + " " +
         date.year.to_string();
}

std::string clock_text(const Integer& seconds) {
  const auto part = [&](long unit, long modulo) {
    const std::string digits =
        euclidean_mod(euclidean_div(seconds, Integer(unit)), Integer(modulo)).to_string();
    return digits.size() < 2 ? "0" + digits : digits;
  };
  return part(3600, 24) + ":" + part(60, 60) + ":" + part(1, 60);
}

}  // namespace

std::string to_string(const Datum& datum) {
  switch (datum.sort) {
    case Datum::Sort::Undefined:
      return "undefined";
    case Datum::Sort::Boolean:
      return datum.truth ? "True" : "False";
    case Datum::Sort::Integer:
      return datum.number.to_string();
    case Datum::Sort::Percentage:
      return datum.number.to_string() + "%";
    case Datum::Sort::Money:
      return datum.text + " " + datum.number.to_string() + " minor units";
    case Datum::Sort::Word:
    case Datum::Sort::Iban:
      return datum.text;
    case Datum::Sort::String:
      return '"' + datum.text + '"';
    case Datum::Sort::Date:
      return date_text(datum.date);
    case Datum::Sort::Time:
      return clock_text(datum.number);
    case Datum::Sort::DateTime:
      return date_text(datum.date) + ", " + clock_text(datum.number);
    case Datum::Sort::Term:
      return datum.number.to_string() + " " + datum.text;
    case Datum::Sort::Set:
    case Datum::Sort::Map:
      break;
  }
  std::string result;
  for (const auto& [key, value] : *datum.elements) {
    result += (result.empty() ? "" : ", ") + to_string(key);
    if (value.defined()) result += ": " + to_string(value);
  }
  return datum.sort == Datum::Sort::Map ? "(" + result + ")" : "{" + result + "}";
}

Integer minor_units(std::string_view digits, bool three_decimals) {
  const std::size_t dot = digits.find('.');
  std::string whole(digits.substr(0, dot));
  std::string fraction(dot == std::string_view::npos ? "" : digits.substr(dot + 1));
  fraction.resize(three_decimals ? 3 : 2, '0');
  return Integer::parse(whole + fraction).value_or(Integer(0));
}

// ----- what traces show

namespace {

// Reads one value after the other from the left; every function says whether it could.
class Reader {
 public:
  Reader(const Program& program, std::string_view text) : program_(program), text_(text) {}

  std::optional<Datum> value(RType type) {
    const TypeTable& types = program_.types();
    switch (types.kind(type)) {
      case Kind::Boolean: {
        const std::string_view word = token();
        if (word != "True" && word != "False") return std::nullopt;
        return Datum::boolean(word == "True");
      }
      case Kind::Integer:
        return number(Datum::Sort::Integer);
      case Kind::Percentage: {
        auto result = number(Datum::Sort::Percentage);
        return accept("%") ? result : std::nullopt;
      }
      case Kind::Money:
        return money();
      case Kind::Currency:
      case Kind::Frequency:
      case Kind::Period:
      case Kind::InterestNorm: {
        const std::string_view word = token();
        if (word.empty()) return std::nullopt;
        return Datum::word(std::string(word));
      }
      case Kind::Iban: {
        const std::string_view word = token();
        if (word.size() < 4) return std::nullopt;
        return Datum::of(Datum::Sort::Iban, Integer(0), std::string(word));
      }
      case Kind::String:
        return string();
      case Kind::Date:
        return date();
      case Kind::Time:
        return clock();
      case Kind::DateTime: {
        auto day = date();
        if (!day || !accept(", ")) return std::nullopt;
        const auto time = clock();
        if (!time) return std::nullopt;
        day->sort = Datum::Sort::DateTime;
        day->number = time->number;
        return day;
      }
      case Kind::Term: {
        auto result = number(Datum::Sort::Term);
        if (!result || !accept(" ")) return std::nullopt;
        result->text = std::string(token());
        return result;
      }
      case Kind::Spec: {
        const Spec& spec = program_.specs()[types.spec_of(type)];
        auto key = value(spec.key == kNone ? RType(Kind::Integer) : spec.fields[spec.key].type);
        if (key) key->spec = types.spec_of(type);
        return key;
      }
      case Kind::Set:
        return set(types.element(type));
      case Kind::Map:
        return map(types.element(type), types.value(type));
      default:
        return std::nullopt;
    }
  }
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] static bool digit(char c) { return c >= '0' && c <= '9'; }
  bool accept(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view token() {
    const std::size_t end = std::min(text_.find_first_of(" ,:)}", at_), text_.size());
    const std::string_view result = text_.substr(at_, end - at_);
    at_ = end;
    return result;
  }
  std::string_view digits() {
    const std::size_t begin = at_;
    while (digit(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::optional<Integer> integer() {
    const std::size_t begin = at_;
    accept("-");
    if (digits().empty()) return std::nullopt;
    return Integer::parse(text_.substr(begin, at_ - begin));
  }
  std::optional<Datum> number(Datum::Sort sort) {
    auto n = integer();
    if (!n) return std::nullopt;
    return Datum::of(sort, std::move(*n));
  }
  std::optional<Datum> money() {
    const bool negative = accept("-");
    const std::string_view currency = token();
    if (currency.empty() || !accept(" ")) return std::nullopt;
    const std::size_t begin = at_;
    if (digits().empty() || !accept(".")) return std::nullopt;
    const std::size_t decimals = digits().size();
    if (decimals != (program_.three_decimals() ? 3U : 2U)) return std::nullopt;
    Integer units = minor_units(text_.substr(begin, at_ - begin), program_.three_decimals());
    return Datum::of(Datum::Sort::Money, negative ? -units : units, std::string(currency));
  }
  std::optional<Datum> string() {
    if (!accept("\"")) return std::nullopt;
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) return std::nullopt;
    Datum result =
        Datum::of(Datum::Sort::String, Integer(0), std::string(text_.substr(at_, end - at_)));
    at_ = end + 1;
    return result;
  }
  std::optional<Datum> date() {
    if (accept("day ")) {  // too far away for a calendar: days since 1 Jan 1970
      const auto days = integer();
      if (!days) return std::nullopt;
      return Datum::of_date(date_of_ordinal(*days + ordinal({Integer(1970), 1, 1})));
    }
    const auto day = integer();
    if (!day || !accept(" ")) return std::nullopt;
    const auto month = std::find(kMonthNames.begin(), kMonthNames.end(), token());
    if (month == kMonthNames.end() || !accept(" ")) return std::nullopt;
    auto year = integer();
    if (!year) return std::nullopt;
    Date result{std::move(*year), static_cast<int>(month - kMonthNames.begin()) + 1, 1};
    const auto small = day->to_int64();
    if (!small || *small < 1 || *small > days_in_month(result.year, result.month)) {
      return std::nullopt;
    }
    result.day = static_cast<int>(*small);
    return Datum::of_date(std::move(result));
  }
  std::optional<Datum> clock() {
    const auto hours = integer();
    if (!hours || !accept(":")) return std::nullopt;
    const auto minutes = integer();
    if (!minutes) return std::nullopt;
    Integer seconds(0);
    if (peek() == ':' && digit(peek(1))) {
      accept(":");
      seconds = integer().value_or(Integer(0));
    }
    const Integer all = *hours * Integer(3600) + *minutes * Integer(60) + seconds;
    if (all.sign() < 0 || all >= Integer(86400)) return std::nullopt;
    return Datum::of(Datum::Sort::Time, all);
  }
  std::optional<Datum> set(RType element) {
    Elements elements;
    if (!accept("{")) return std::nullopt;
    while (!accept("}")) {
      if (!elements.empty() && !accept(", ")) return std::nullopt;
      auto one = value(element);
      if (!one || !elements.emplace(std::move(*one), Datum()).second) return std::nullopt;
    }
    return Datum::set(std::move(elements));
  }
  std::optional<Datum> map(RType key_type, RType value_type) {
    Elements elements;
    if (!accept("(")) return std::nullopt;
    while (!accept(")")) {
      if (!elements.empty() && !accept(", ")) return std::nullopt;
      auto key = value(key_type);
      if (!key || !accept(": ")) return std::nullopt;
      auto mapped = value(value_type);
      if (!mapped || !elements.emplace(std::move(*key), std::move(*mapped)).second) {
        return std::nullopt;
      }
    }
    return Datum::map(std::move(elements));
  }

  const Program& program_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<Datum> read_shown(const Program& program, RType type, std::string_view text) {
  Reader reader(program, text);
  auto result = reader.value(type);
  return reader.at_end() ? result : std::nullopt;
}

}  // namespace whittle::rebel
