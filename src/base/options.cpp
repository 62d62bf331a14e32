// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/nearest.h"

namespace whittle {

OptionBase::OptionBase(OptionGroup& group, std::string_view name, std::string_view help)
    : name_(name), help_(help) {
  if (const std::size_t bar = name.find('|'); bar != std::string_view::npos) {
    WHITTLE_REQUIRE(bar + 2 == name.size(), "a short option name is one character");
    short_name_ = name.back();
    name_ = name.substr(0, bar);
  }
  group.offsets_.push_back(reinterpret_cast<const char*>(this) -
                           reinterpret_cast<const char*>(&group));
}

std::optional<OptionError> OptionBase::parse(std::string_view text) {
  auto error = assign(text);
  if (!error) mark_given();
  return error;
}

std::vector<OptionBase*> OptionGroup::options() {
  std::vector<OptionBase*> result;
  for (const std::ptrdiff_t offset : offsets_) {
    result.push_back(reinterpret_cast<OptionBase*>(reinterpret_cast<char*>(this) + offset));
  }
  return result;
}

std::vector<const OptionBase*> OptionGroup::options() const {
  std::vector<const OptionBase*> result;
  for (const std::ptrdiff_t offset : offsets_) {
    result.push_back(
        reinterpret_cast<const OptionBase*>(reinterpret_cast<const char*>(this) + offset));
  }
  return result;
}

namespace option_text {

namespace {

template <class T>
std::optional<OptionError> parse_whole(std::string_view text, T least, T greatest, T& value) {
  T parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  const bool complete = end == text.data() + text.size() && !text.empty();
  const bool negative = text.size() > 1 && text.front() == '-' &&
                        text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (error == std::errc::invalid_argument || !complete) {
    if (!negative) return OptionError{fmt::format("'{}' is not a whole number", text), ""};
  }
  if (error != std::errc() || !complete || parsed < least || parsed > greatest) {
    return OptionError{fmt::format("{} is not in {}..{}", text, least, greatest), ""};
  }
  value = parsed;
  return std::nullopt;
}

}  // namespace

std::optional<OptionError> parse_unsigned(std::string_view text, std::uint64_t least,
                                          std::uint64_t greatest, std::uint64_t& value) {
  return parse_whole(text, least, greatest, value);
}

std::optional<OptionError> parse_signed(std::string_view text, std::int64_t least,
                                        std::int64_t greatest, std::int64_t& value) {
  return parse_whole(text, least, greatest, value);
}

std::optional<OptionError> parse_seconds(std::string_view text, Range<double> range,
                                         double& value) {
  double parsed = 0;
  std::string_view digits = text;
  if (digits.ends_with('s')) digits.remove_suffix(1);  // "30s" is what people write
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size() ||
      digits.empty() || std::isnan(parsed)) {
    return OptionError{fmt::format("'{}' is not a number of seconds", text), ""};
  }
  if (error != std::errc() || parsed < range.least || parsed > range.greatest) {
    return OptionError{
        fmt::format("{} is not in {}..{}", text, number(range.least), number(range.greatest)), ""};
  }
  value = parsed;
  return std::nullopt;
}

std::optional<OptionError> parse_switch(std::string_view text, bool& value) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") {
    value = true;
  } else if (text == "off" || text == "false" || text == "no" || text == "0") {
    value = false;
  } else {
    return OptionError{fmt::format("'{}' is neither 'on' nor 'off'", text), ""};
  }
  return std::nullopt;
}

OptionError no_such_choice(std::string_view text, const std::vector<std::string>& choices) {
  OptionError error{fmt::format("'{}' is none of {}", text, fmt::join(choices, ", ")), ""};
  if (const auto meant = nearest(text, choices)) {
    error.hint = fmt::format("did you mean '{}'?", *meant);
  }
  return error;
}

std::string number(double value) { return fmt::format("{}", value); }

}  // namespace option_text

}  // namespace whittle
