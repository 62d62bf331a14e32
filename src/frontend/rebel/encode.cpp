// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/encode.h"

#include <array>
#include <cstdio>

namespace whittle::rebel {

namespace {

const std::vector<std::string> kFrequencies = {"Daily", "Weekly", "Monthly", "Quarterly", "Yearly"};
const std::vector<std::string> kPeriods = {"Day", "Week", "Month", "Quarter", "Year"};
const std::vector<std::string> kNorms = {"EURIBOR", "AIRBOR", "LIBOR", "INGBASIS", "LIMITBASED"};
constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr long kHeard = 1'000'000'000'000;  // numbers of texts that the model does not have
constexpr long kLastLetters = 15000;        // currencies beyond are shown by their number
constexpr long kCountries = 26L * 26;       // two capitals: strings 0 .. kCountries - 1

const std::vector<std::string>* words(Kind kind) {
  switch (kind) {
    case Kind::Frequency:
      return &kFrequencies;
    case Kind::Period:
      return &kPeriods;
    case Kind::InterestNorm:
      return &kNorms;
    default:
      return nullptr;
  }
}

bool capital(char c) { return c >= 'A' && c <= 'Z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Encoder::Encoder(ExprPool& pool, std::uint32_t decimals)
    : pool_(pool),
      decimals_(decimals),
      frequency_(pool.enum_type("Frequency", kFrequencies)),
      period_(pool.enum_type("Period", kPeriods)),
      norm_(pool.enum_type("InterestNorm", kNorms)) {
  currency("EUR");
  currency("USD");
}

std::vector<Part> Encoder::parts(Kind kind) const {
  const Type integer = Type::integer();
  switch (kind) {
    case Kind::Boolean:
      return {{"", Type::boolean()}};
    case Kind::Money:
      return {{".currency", integer}, {".amount", integer}};
    case Kind::DateTime:
      return {{".date", integer}, {".time", integer}};
    case Kind::Term:
      return {{".count", integer}, {".unit", period_}};
    case Kind::Frequency:
      return {{"", frequency_}};
    case Kind::Period:
      return {{"", period_}};
    case Kind::InterestNorm:
      return {{"", norm_}};
    default:
      return {{"", integer}};
  }
}

Expr Encoder::domain(Kind kind, Expr a) {
  if (kind != Kind::Time) return {};
  return pool_.conj(pool_.le(number(0), a), pool_.lt(a, number(86400)));
}

// ----- literals

Integer Encoder::currency(std::string_view text) {
  const auto [it, fresh] =
      currencies_.try_emplace(std::string(text), static_cast<long>(currency_texts_.size()));
  if (fresh) currency_texts_.emplace_back(text);
  return Integer(it->second);
}

Integer Encoder::string(std::string_view text) {
  if (text.size() == 2 && capital(text[0]) && capital(text[1])) {
    return Integer(static_cast<long>((text[0] - 'A') * 26 + (text[1] - 'A')));
  }
  std::vector<std::string>& texts = listening_ ? heard_texts_ : string_texts_;
  const auto [it, fresh] = strings_.try_emplace(
      std::string(text), (listening_ ? kHeard : 0) + static_cast<long>(texts.size()));
  if (fresh) texts.emplace_back(text);
  return Integer(kCountries + it->second);
}

const std::string* Encoder::text_number(const Integer& n) const {
  const auto small = n.to_int64();
  if (!small || *small < 0) return nullptr;
  if (*small < kHeard) {
    const auto i = static_cast<std::size_t>(*small);
    return i < string_texts_.size() ? &string_texts_[i] : nullptr;
  }
  const auto i = static_cast<std::size_t>(*small - kHeard);
  return i < heard_texts_.size() ? &heard_texts_[i] : nullptr;
}

std::optional<Integer> Encoder::heard_currency(std::string_view text) const {
  if (const auto it = currencies_.find(std::string(text)); it != currencies_.end()) {
    return Integer(it->second);
  }
  if (text.size() != 7 || !text.starts_with("CUR_")) return std::nullopt;
  long n = 0;  // as unknown currencies are shown
  for (char c : text.substr(4)) {
    if (!capital(c)) return std::nullopt;
    n = n * 26 + (c - 'A');
  }
  if (n < static_cast<long>(currency_texts_.size()) || n > kLastLetters) return std::nullopt;
  return Integer(n);
}

std::string Encoder::text_of(const Integer& string) const {
  const std::string quoted = show(Kind::String, Value(string), nullptr);
  return quoted.substr(1, quoted.size() - 2);
}

bool Encoder::is_iban(std::string_view text) {
  if (text.size() < 5 || !capital(text[0]) || !capital(text[1]) || !digit(text[2]) ||
      !digit(text[3])) {
    return false;
  }
  for (char c : text.substr(4)) {
    if (!capital(c) && !digit(c)) return false;
  }
  return true;
}

// country + 676 * (check digits + 100 * account), where the account is the number of its text as a
// string, counted from the first that is no country code. Every Int is some IBAN.
Integer Encoder::iban(std::string_view text) {
  const Integer land = string(text.substr(0, 2));
  const long check = (text[2] - '0') * 10 + (text[3] - '0');
  const Integer rest = string(text.substr(4)) - Integer(kCountries);
  return land + Integer(kCountries) * (Integer(check) + Integer(100) * rest);
}

Expr Encoder::country(Expr iban) { return mod(iban, kCountries); }
Expr Encoder::checksum(Expr iban) { return mod(div(iban, kCountries), 100); }
Expr Encoder::account(Expr iban) {
  return pool_.add(div(iban, kCountries * 100), number(kCountries));
}

Integer Encoder::amount(std::string_view digits) const {
  const std::size_t dot = digits.find('.');
  std::string text(digits.substr(0, dot));
  std::string fraction(digits.substr(dot + 1));
  while (fraction.size() < decimals_) fraction += '0';
  return Integer::parse(text + fraction).value_or(Integer(0));
}

int Encoder::enum_index(Kind kind, std::string_view word) {
  const auto* list = words(kind);
  if (list == nullptr) return -1;
  for (std::size_t i = 0; i < list->size(); ++i) {
    if ((*list)[i] == word) return static_cast<int>(i);
  }
  return -1;
}

Expr Encoder::enum_constant(Kind kind, int index) {
  return pool_.constant(Value(EnumValue{static_cast<std::uint32_t>(index)}), parts(kind)[0].type);
}

// ----- calendar: the proleptic Gregorian calendar in years that begin in March, so that the leap
// day is the last one of a year

std::int64_t Encoder::day_number(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t in_era = year - era * 400;
  const std::int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

// Calendar arithmetic for solvers: as few divisions as possible, since each is a case split over
// the integers, and tables of months as trees of comparisons instead. Days are first numbered as if
// every fourth year had a leap day ("even" days). Then the calendar repeats every 1461 days, 48
// months from 1 March on, and only the centuries without leap day need a correction.

namespace {

constexpr long kEpoch = 719468;  // days from 1 March 0000 to 1 January 1970
constexpr long kCycle = 1461;
constexpr int kCycleMonths = 48;

constexpr std::array<long, 12> kMonthLengths = {31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 28};

long month_length(int j) {
  return j == kCycleMonths - 1 ? 29 : kMonthLengths[static_cast<std::size_t>(j % 12)];
}

std::array<long, kCycleMonths> month_starts() {
  std::array<long, kCycleMonths> starts{};
  long day = 0;
  for (int j = 0; j < kCycleMonths; ++j) {
    starts[static_cast<std::size_t>(j)] = day;
    day += month_length(j);
  }
  return starts;
}

const std::array<long, kCycleMonths> kMonthStarts = month_starts();

}  // namespace

// leaf(j) for the j with starts[j] <= x < starts[j + 1].
Expr Encoder::by_month(Expr x, const std::function<Expr(int)>& leaf) {
  std::vector<Expr> leaves;
  leaves.reserve(kCycleMonths);
  for (int j = 0; j < kCycleMonths; ++j) leaves.push_back(leaf(j));
  // Balanced: bottom up, neighbours in pairs.
  std::vector<std::pair<long, Expr>> level;  // first day, term
  for (int j = 0; j < kCycleMonths; ++j) {
    const auto i = static_cast<std::size_t>(j);
    if (level.empty() || level.back().second != leaves[i]) {
      level.emplace_back(kMonthStarts[i], leaves[i]);
    }
  }
  while (level.size() > 1) {
    std::vector<std::pair<long, Expr>> above;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      above.emplace_back(level[i].first, pool_.ite(pool_.lt(x, number(level[i + 1].first)),
                                                   level[i].second, level[i + 1].second));
    }
    if (level.size() % 2 == 1) above.push_back(level.back());
    level = std::move(above);
  }
  return level.front().second;
}

// Leap days that are left out up to day x of an era of 400 years: one at the end of each of the
// first three centuries.
Expr Encoder::left_out(Expr era, Expr x, const std::array<long, 3>& ends) {
  Expr sum = pool_.mul(number(3), era);
  for (const long end : ends) {
    sum = pool_.add(sum, pool_.ite(pool_.lt(x, number(end)), number(0), number(1)));
  }
  return sum;
}

Expr Encoder::to_even(Expr days) {
  const Expr shifted = pool_.add(days, number(kEpoch));
  return pool_.add(shifted, left_out(div(shifted, 146097), mod(shifted, 146097),
                                     {36524, 2L * 36524, 3L * 36524}));
}

// A leap day that does not exist becomes the day before.
Expr Encoder::from_even(Expr even) {
  const Expr skipped =
      left_out(div(even, 146100), mod(even, 146100), {36525 - 1, 2 * 36525 - 1, 3 * 36525 - 1});
  return pool_.sub(pool_.sub(even, skipped), number(kEpoch));
}

Encoder::Civil Encoder::civil(Expr days) {
  const Expr even = to_even(days);
  const Expr in_cycle = mod(even, kCycle);
  Civil result;
  // Months 10 and 11 after March belong to the next year.
  result.year = pool_.add(pool_.mul(number(4), div(even, kCycle)),
                          by_month(in_cycle, [&](int j) { return number((j + 2) / 12); }));
  result.month = by_month(in_cycle, [&](int j) { return number((j + 2) % 12 + 1); });
  result.day = pool_.sub(in_cycle, by_month(in_cycle, [&](int j) {
                           return number(kMonthStarts[static_cast<std::size_t>(j)] - 1);
                         }));
  return result;
}

Expr Encoder::days(Expr year, Expr month, Expr day) {
  const Expr early = pool_.le(month, number(2));
  const Expr y = pool_.ite(early, pool_.sub(year, number(1)), year);
  const Expr era = div(y, 400);
  const Expr in_era = mod(y, 400);
  const Expr shifted = pool_.ite(early, pool_.add(month, number(9)), pool_.sub(month, number(3)));
  const Expr in_year = pool_.sub(
      pool_.add(div(pool_.add(pool_.mul(number(153), shifted), number(2)), 5), day), number(1));
  const Expr whole =
      pool_.sub(pool_.add(pool_.mul(in_era, number(365)), div(in_era, 4)), div(in_era, 100));
  return pool_.sub(pool_.add(pool_.add(pool_.mul(era, number(146097)), whole), in_year),
                   number(719468));
}

Expr Encoder::plus_term(Expr start, Expr count, Expr unit) {
  auto months = [&](Expr amount) {
    const Expr even = to_even(start);
    const Expr in_cycle = mod(even, kCycle);
    const auto fixed = pool_.is_const(amount) ? pool_.value(amount).as_integer().to_int64()
                                              : std::optional<std::int64_t>();
    if (fixed && std::abs(*fixed) < 10'000'000) {
      // How far each month moves; days that the later month does not have become its last.
      const Expr moved = by_month(in_cycle, [&](int j) {
        const long to = j + static_cast<long>(*fixed);
        const int in = static_cast<int>(((to % kCycleMonths) + kCycleMonths) % kCycleMonths);
        const long from_start = kMonthStarts[static_cast<std::size_t>(j)];
        const long to_start =
            kMonthStarts[static_cast<std::size_t>(in)] + (to - in) / kCycleMonths * kCycle;
        const Expr delta = number(to_start - from_start);
        if (month_length(j) <= month_length(in)) return delta;
        return pool_.ite(pool_.lt(in_cycle, number(from_start + month_length(in))), delta,
                         pool_.sub(number(to_start + month_length(in) - 1), in_cycle));
      });
      return from_even(pool_.add(even, moved));
    }
    const Expr month = by_month(in_cycle, [&](int j) { return number(j); });
    const Expr day = pool_.sub(in_cycle, by_month(in_cycle, [&](int j) {
                                 return number(kMonthStarts[static_cast<std::size_t>(j)]);
                               }));
    const Expr total =
        pool_.add(pool_.add(pool_.mul(number(kCycleMonths), div(even, kCycle)), month), amount);
    const Expr to = mod(total, kCycleMonths);
    std::vector<Expr> starts;
    std::vector<Expr> lengths;
    for (int j = 0; j < kCycleMonths; ++j) {
      starts.push_back(number(kMonthStarts[static_cast<std::size_t>(j)]));
      lengths.push_back(number(month_length(j)));
    }
    Expr to_start = starts.back();
    Expr length = lengths.back();
    for (int j = kCycleMonths - 1; j-- > 0;) {
      const Expr here = pool_.le(to, number(j));
      to_start = pool_.ite(here, starts[static_cast<std::size_t>(j)], to_start);
      length = pool_.ite(here, lengths[static_cast<std::size_t>(j)], length);
    }
    const Expr kept = pool_.ite(pool_.lt(day, length), day, pool_.sub(length, number(1)));
    const Expr cycles = pool_.mul(number(kCycle), div(total, kCycleMonths));
    return from_even(pool_.add(pool_.add(cycles, to_start), kept));
  };
  auto times = [&](long each) { return pool_.mul(number(each), count); };
  auto is = [&](int index) { return pool_.eq(unit, enum_constant(Kind::Period, index)); };
  if (pool_.is_const(unit)) {
    switch (pool_.value(unit).as_enum().index) {
      case 0:
        return pool_.add(start, count);
      case 1:
        return pool_.add(start, times(7));
      case 2:
        return months(count);
      case 3:
        return months(times(3));
      default:
        return months(times(12));
    }
  }
  // One way through the months for all units that are made of them.
  const Expr amount = pool_.ite(is(2), count, pool_.ite(is(3), times(3), times(12)));
  return pool_.ite(is(0), pool_.add(start, count),
                   pool_.ite(is(1), pool_.add(start, times(7)), months(amount)));
}

// ----- text

std::string Encoder::show_date(const Integer& number) {
  const auto small = number.to_int64();
  if (!small || *small > 3000000000LL || *small < -3000000000LL) {
    return "day " + number.to_string();
  }
  const std::int64_t shifted = *small + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t in_era = shifted - era * 146097;
  const std::int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  const std::int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * in_year + 2) / 153;
  const std::int64_t day = in_year - (153 * month + 2) / 5 + 1;
  const std::int64_t real_month = month < 10 ? month + 3 : month - 9;
  const std::int64_t real_year = year + era * 400 + (real_month <= 2 ? 1 : 0);
  return std::to_string(day) + " " + kMonths[static_cast<std::size_t>(real_month - 1)] + " " +
         std::to_string(real_year);
}

namespace {

std::string show_time(const Integer& seconds) {
  const auto small = seconds.to_int64();
  if (!small || *small < 0 || *small >= 86400) return "second " + seconds.to_string();
  std::array<char, 16> text{};
  const int h = static_cast<int>(*small / 3600);
  const int m = static_cast<int>(*small / 60 % 60);
  const int s = static_cast<int>(*small % 60);
  if (s == 0) {
    std::snprintf(text.data(), text.size(), "%02d:%02d", h, m);
  } else {
    std::snprintf(text.data(), text.size(), "%02d:%02d:%02d", h, m, s);
  }
  return text.data();
}

std::string letters(long n) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text.insert(text.begin(), static_cast<char>('A' + n % 26));
    n /= 26;
  }
  return text;
}

}  // namespace

std::string Encoder::show(Kind kind, const Value& a, const Value* b) const {
  auto known = [](const Integer& n, std::size_t size) -> std::optional<std::size_t> {
    const auto small = n.to_int64();
    if (!small || *small < 0 || static_cast<std::size_t>(*small) >= size) return std::nullopt;
    return static_cast<std::size_t>(*small);
  };
  auto show_currency = [&](const Integer& n) -> std::string {
    if (const auto i = known(n, currency_texts_.size())) return currency_texts_[*i];
    // Some currency the model does not name: letters that no literal has.
    const auto small = n.to_int64();
    if (!small || *small < 0 || *small > kLastLetters) return "CUR#" + n.to_string();
    std::string text = "CUR_" + letters(*small);
    while (currencies_.contains(text)) text += "X";
    return text;
  };
  auto show_string = [&](const Integer& n) -> std::string {
    if (const auto i = known(n, static_cast<std::size_t>(kCountries))) {
      return {static_cast<char>('A' + *i / 26), static_cast<char>('A' + *i % 26)};
    }
    if (const std::string* text = text_number(n - Integer(kCountries))) return *text;
    std::string text = "text" + (n.sign() < 0 ? "_" + (-n).to_string() : n.to_string());
    while (strings_.contains(text)) text += "'";
    return text;
  };
  switch (kind) {
    case Kind::Boolean:
      return a.as_bool() ? "True" : "False";
    case Kind::Percentage:
      return a.as_integer().to_string() + "%";
    case Kind::Currency:
      return show_currency(a.as_integer());
    case Kind::String:
      return '"' + show_string(a.as_integer()) + '"';
    case Kind::Date:
      return show_date(a.as_integer());
    case Kind::Time:
      return show_time(a.as_integer());
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm:
      return (*words(kind))[a.as_enum().index];
    case Kind::Iban: {
      const Integer& n = a.as_integer();
      const Integer land = euclidean_mod(n, Integer(kCountries));
      const Integer rest = euclidean_div(n, Integer(kCountries));
      std::string check = euclidean_mod(rest, Integer(100)).to_string();
      if (check.size() == 1) check.insert(check.begin(), '0');
      const Integer account = euclidean_div(rest, Integer(100));
      std::string text;
      if (const std::string* of_account = text_number(account)) {
        text = *of_account;
      } else if (account.sign() < 0 && account >= Integer(-kCountries)) {
        text = show_string(account + Integer(kCountries));
      } else {
        text = (account.sign() < 0 ? "NEG" : "BANK") +
               (account.sign() < 0 ? -account : account).to_string();
      }
      return show_string(land) + check + text;
    }
    case Kind::Money: {
      if (b == nullptr) return "? of " + show_currency(a.as_integer());
      const Integer& n = b->as_integer();
      std::string digits = (n.sign() < 0 ? -n : n).to_string();
      while (digits.size() <= decimals_) digits.insert(digits.begin(), '0');
      digits.insert(digits.size() - decimals_, ".");
      return (n.sign() < 0 ? "-" : "") + show_currency(a.as_integer()) + " " + digits;
    }
    case Kind::DateTime:
      return show_date(a.as_integer()) + (b == nullptr ? "" : ", " + show_time(b->as_integer()));
    case Kind::Term:
      return a.as_integer().to_string() + (b == nullptr ? "" : " " + kPeriods[b->as_enum().index]);
    default:
      return a.is_integer() ? a.as_integer().to_string() : "?";
  }
}

}  // namespace whittle::rebel
