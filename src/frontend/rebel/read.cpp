// SPDX-License-Identifier: Apache-2.0
// Arguments as people type them: `EUR 5.00`, `NL10INGB0000001`, `26 Sep 2016, 16:42`, `{1, 2}`.
#include <algorithm>
#include <array>
#include <charconv>

#include "frontend/rebel/notation.h"

namespace whittle::rebel {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    result.push_back(trimmed(text.substr(at, end - at)));
    if (end == std::string_view::npos) return result;
    at = end + 1;
  }
}

std::optional<long> small_number(std::string_view text) {
  long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return value;
}

std::optional<Value> read_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto words = split(text, ' ');
  if (words.size() != 3) return std::nullopt;
  const auto day = small_number(words[0]);
  const auto month = std::find(kMonths.begin(), kMonths.end(), words[1]);
  const auto year = small_number(words[2]);
  if (!day || !year || month == kMonths.end() || *day < 1 || *year < 0 || *year > 999999) {
    return std::nullopt;
  }
  const std::int64_t m = month - kMonths.begin() + 1;
  const std::int64_t first = Encoder::day_number(*year, m, 1);
  const std::int64_t next =
      Encoder::day_number(m == 12 ? *year + 1 : *year, m == 12 ? 1 : m + 1, 1);
  if (*day > next - first) return std::nullopt;
  return Value(Integer(static_cast<long>(first) + *day - 1));
}

std::optional<Value> read_time(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  long seconds = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto n = i < parts.size() ? small_number(parts[i]) : std::optional<long>(0);
    if (!n || *n < 0 || *n > (i == 0 ? 23 : 59)) return std::nullopt;
    seconds = seconds * 60 + *n;
  }
  return Value(Integer(seconds));
}

std::vector<Value> read_money(Encoder& encoder, std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t digits = text.find_first_of("0123456789");
  if (digits == std::string_view::npos || digits == 0) return {};
  const auto currency = encoder.heard_currency(trimmed(text.substr(0, digits)));
  const std::string_view amount = text.substr(digits);
  const std::size_t dot = amount.find('.');
  if (!currency || dot == std::string_view::npos || dot == 0) return {};
  const std::size_t decimals = amount.size() - dot - 1;
  if (decimals < 2 || decimals > encoder.decimals()) return {};
  for (std::size_t i = 0; i < amount.size(); ++i) {
    if (i != dot && (amount[i] < '0' || amount[i] > '9')) return {};
  }
  const Integer value = encoder.amount(amount);
  return {Value(*currency), Value(negative ? -value : value)};
}

const char* example(Kind kind) {
  switch (kind) {
    case Kind::Boolean:
      return "True";
    case Kind::Money:
      return "EUR 5.00";
    case Kind::Currency:
      return "EUR";
    case Kind::Percentage:
      return "5%";
    case Kind::String:
      return "\"text\"";
    case Kind::Iban:
      return "NL10INGB0000001";
    case Kind::Date:
      return "26 Sep 2016";
    case Kind::Time:
      return "16:42";
    case Kind::DateTime:
      return "26 Sep 2016, 16:42";
    case Kind::Term:
      return "2 Month";
    case Kind::Frequency:
      return "Monthly";
    case Kind::Period:
      return "Month";
    case Kind::InterestNorm:
      return "EURIBOR";
    default:
      return "5";
  }
}

// The parts of a value; empty: the text is none of this kind.
std::vector<Value> read_simple(Encoder& encoder, Kind kind, std::string_view text) {
  auto one = [](std::optional<Value> value) {
    return value ? std::vector<Value>{std::move(*value)} : std::vector<Value>();
  };
  switch (kind) {
    case Kind::Boolean:
      if (text == "True" || text == "true") return {Value(true)};
      if (text == "False" || text == "false") return {Value(false)};
      return {};
    case Kind::Money:
      return read_money(encoder, text);
    case Kind::Currency: {
      const auto currency = encoder.heard_currency(text);
      return currency ? std::vector<Value>{Value(*currency)} : std::vector<Value>();
    }
    case Kind::String:
      if (text.size() < 2 || text.front() != '"' || text.back() != '"') return {};
      return {Value(encoder.string(text.substr(1, text.size() - 2)))};
    case Kind::Iban:
      if (!Encoder::is_iban(text)) return {};
      return {Value(encoder.iban(text))};
    case Kind::Date:
      return one(read_date(text));
    case Kind::Time:
      return one(read_time(text));
    case Kind::DateTime: {
      const auto halves = split(text, ',');
      if (halves.size() != 2) return {};
      const auto date = read_date(halves[0]);
      const auto time = read_time(halves[1]);
      if (!date || !time) return {};
      return {*date, *time};
    }
    case Kind::Term: {
      const auto words = split(text, ' ');
      if (words.size() != 2) return {};
      const auto count = Integer::parse(std::string(words[0]));
      const int unit = Encoder::enum_index(Kind::Period, words[1]);
      if (!count || unit < 0) return {};
      return {Value(*count), Value(EnumValue{static_cast<std::uint32_t>(unit)})};
    }
    case Kind::Frequency:
    case Kind::Period:
    case Kind::InterestNorm: {
      const int index = Encoder::enum_index(kind, text);
      if (index < 0) return {};
      return {Value(EnumValue{static_cast<std::uint32_t>(index)})};
    }
    case Kind::Percentage:
      if (text.ends_with('%')) text.remove_suffix(1);
      [[fallthrough]];
    default: {
      auto number = Integer::parse(std::string(text));
      return number ? std::vector<Value>{Value(std::move(*number))} : std::vector<Value>();
    }
  }
}

}  // namespace

std::optional<ReadsArguments::Positions> RebelNotation::read(const Network& network, EventId event,
                                                             const std::string& name,
                                                             const std::string& text,
                                                             std::string& expected) const {
  const std::vector<Parameter>& parameters = network.event(event).parameters;
  const Group* group = nullptr;
  std::vector<std::pair<std::size_t, std::uint32_t>> places;  // position, part
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto place = places_.find(parameters[i].symbol.index());
    if (place == places_.end() || groups_[place->second.group].name != name) continue;
    group = &groups_[place->second.group];
    places.emplace_back(i, place->second.part);
  }
  expected = "";
  if (group == nullptr) return std::nullopt;
  encoder_->listen();
  std::vector<Value> parts;
  const std::string_view whole = trimmed(text);
  expected = example(group->key);
  if (group->shape == Shape::Map) {
    expected = "what the solver finds (maps cannot be typed)";
    return std::nullopt;
  }
  if (group->shape == Shape::Set) {
    expected = "{" + expected + "}";
    if (!whole.starts_with('{') || !whole.ends_with('}')) return std::nullopt;
    const std::string_view inside = trimmed(whole.substr(1, whole.size() - 2));
    for (std::string_view element :
         inside.empty() ? std::vector<std::string_view>() : split(inside, ',')) {
      const auto values = read_simple(*encoder_, group->key, element);
      if (values.empty()) return std::nullopt;
      parts.emplace_back(true);
      parts.insert(parts.end(), values.begin(), values.end());
    }
    if (parts.size() > places.size()) return std::nullopt;
    for (std::size_t i = parts.size(); i < places.size(); ++i) {
      parts.push_back(pool_->default_value(parameters[places[i].first].type));
    }
  } else {
    parts = read_simple(*encoder_, group->key, whole);
    if (parts.empty()) return std::nullopt;
  }
  Positions result;
  for (const auto& [position, part] : places) {
    if (part < parts.size()) result.emplace_back(position, parts[part]);
  }
  return result;
}

}  // namespace whittle::rebel
