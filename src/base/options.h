// SPDX-License-Identifier: Apache-2.0
// Options, declared once and next to what they steer:
//
//   struct BmcOptions : OptionGroup {
//     BmcOptions() : OptionGroup("Bounded model checking") {}
//     Option<unsigned> max_depth{*this, "bmc-max-depth", 1000, {0, 1'000'000},
//                                "give up after this many steps"};
//     Option<Encoding> encoding{*this, "bmc-encoding", Encoding::Incremental,
//                               {{"incremental", Encoding::Incremental},
//                                {"monolithic", Encoding::Monolithic}},
//                               "one solver over all depths, or one formula per depth"};
//     Option<bool> check_bounds{*this, "bmc-check-bounds", "a flag; off unless given"};
//   };
//   BmcOptions options;
//   options.max_depth.value();                    // or *options.max_depth
//
// A group is a plain value and may be copied. Parsing, help, range checks and documentation come
// from option_table.h. A name may have a short form: "output|o" is --output and -o.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace whittle {

// Why a value is refused, and what may have been meant.
struct OptionError {
  std::string message;  // "'x' is not a whole number"
  std::string hint;     // may be empty
};

class OptionGroup;

// What the table needs to know about an option, whatever its type.
class OptionBase {
 public:
  virtual ~OptionBase() = default;

  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] std::optional<char> short_name() const { return short_name_; }
  [[nodiscard]] std::string_view help() const { return help_; }
  // Whether it was set by the user or by code, be it to its default.
  [[nodiscard]] bool given() const { return given_; }

  // Takes the text a user wrote.
  std::optional<OptionError> parse(std::string_view text);

  [[nodiscard]] virtual bool is_flag() const { return false; }
  [[nodiscard]] virtual bool is_repeated() const { return false; }
  // "N", "SECONDS", "a|b|c"; empty for flags.
  [[nodiscard]] virtual std::string value_name() const = 0;
  // "0..1000000", "off, fine"; empty if everything is allowed.
  [[nodiscard]] virtual std::string allowed() const { return {}; }
  [[nodiscard]] virtual std::string default_text() const = 0;
  // The values as they would be written on a command line; several if repeated.
  [[nodiscard]] virtual std::vector<std::string> value_texts() const = 0;
  [[nodiscard]] virtual bool is_default() const = 0;

 protected:
  OptionBase(OptionGroup& group, std::string_view name, std::string_view help);
  OptionBase(const OptionBase&) = default;
  OptionBase& operator=(const OptionBase&) = default;

  [[nodiscard]] virtual std::optional<OptionError> assign(std::string_view text) = 0;
  void mark_given() { given_ = true; }

 private:
  std::string_view name_;  // a literal
  std::optional<char> short_name_;
  std::string_view help_;  // a literal
  bool given_ = false;
};

// Base of a struct of options. Remembers where its options stand relative to itself, so that a
// copy of the struct knows its own options and not those of the original.
class OptionGroup {
 public:
  explicit OptionGroup(std::string_view title) : title_(title) {}

  [[nodiscard]] std::string_view title() const { return title_; }
  [[nodiscard]] std::vector<OptionBase*> options();
  [[nodiscard]] std::vector<const OptionBase*> options() const;

 private:
  friend class OptionBase;
  std::string_view title_;
  std::vector<std::ptrdiff_t> offsets_;
};

template <class T>
struct Range {
  T least;
  T greatest;
};

namespace option_text {

std::optional<OptionError> parse_unsigned(std::string_view text, std::uint64_t least,
                                          std::uint64_t greatest, std::uint64_t& value);
std::optional<OptionError> parse_signed(std::string_view text, std::int64_t least,
                                        std::int64_t greatest, std::int64_t& value);
std::optional<OptionError> parse_seconds(std::string_view text, Range<double> range, double& value);
std::optional<OptionError> parse_switch(std::string_view text, bool& value);
OptionError no_such_choice(std::string_view text, const std::vector<std::string>& choices);
std::string number(double value);

}  // namespace option_text

// Whole numbers with a range.
template <class T, class = void>
class Option : public OptionBase {
  static_assert(std::is_integral_v<T>, "no such kind of option");

 public:
  Option(OptionGroup& group, std::string_view name, T initial, Range<T> range,
         std::string_view help)
      : OptionBase(group, name, help), value_(initial), initial_(initial), range_(range) {
    WHITTLE_REQUIRE(range.least <= initial && initial <= range.greatest,
                    "the default of an option is outside its range: " + std::string(name));
  }

  [[nodiscard]] T value() const { return value_; }
  T operator*() const { return value_; }
  void set(T value) {
    WHITTLE_REQUIRE(range_.least <= value && value <= range_.greatest,
                    "option set outside its range: " + std::string(name()));
    value_ = value;
    mark_given();
  }

  [[nodiscard]] std::string value_name() const override { return "N"; }
  [[nodiscard]] std::string allowed() const override {
    return std::to_string(range_.least) + ".." + std::to_string(range_.greatest);
  }
  [[nodiscard]] std::string default_text() const override { return std::to_string(initial_); }
  [[nodiscard]] std::vector<std::string> value_texts() const override {
    return {std::to_string(value_)};
  }
  [[nodiscard]] bool is_default() const override { return value_ == initial_; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    if constexpr (std::is_unsigned_v<T>) {
      std::uint64_t value = 0;
      auto error = option_text::parse_unsigned(text, range_.least, range_.greatest, value);
      if (!error) value_ = static_cast<T>(value);
      return error;
    } else {
      std::int64_t value = 0;
      auto error = option_text::parse_signed(text, range_.least, range_.greatest, value);
      if (!error) value_ = static_cast<T>(value);
      return error;
    }
  }

 private:
  T value_;
  T initial_;
  Range<T> range_;
};

// A flag: off unless `--name`; `--no-name`, `--name=on` and `--name=off` work too.
template <>
class Option<bool> : public OptionBase {
 public:
  Option(OptionGroup& group, std::string_view name, std::string_view help)
      : OptionBase(group, name, help) {}

  [[nodiscard]] bool value() const { return value_; }
  bool operator*() const { return value_; }
  void set(bool value) {
    value_ = value;
    mark_given();
  }

  [[nodiscard]] bool is_flag() const override { return true; }
  [[nodiscard]] std::string value_name() const override { return {}; }
  [[nodiscard]] std::string default_text() const override { return "off"; }
  [[nodiscard]] std::vector<std::string> value_texts() const override {
    return {value_ ? "on" : "off"};
  }
  [[nodiscard]] bool is_default() const override { return !value_; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    return option_text::parse_switch(text, value_);
  }

 private:
  bool value_ = false;
};

// Seconds, with fractions.
template <>
class Option<double> : public OptionBase {
 public:
  Option(OptionGroup& group, std::string_view name, double initial, Range<double> range,
         std::string_view help)
      : OptionBase(group, name, help), value_(initial), initial_(initial), range_(range) {
    WHITTLE_REQUIRE(range.least <= initial && initial <= range.greatest,
                    "the default of an option is outside its range: " + std::string(name));
  }

  [[nodiscard]] double value() const { return value_; }
  double operator*() const { return value_; }
  void set(double value) {
    value_ = value;
    mark_given();
  }

  [[nodiscard]] std::string value_name() const override { return "SECONDS"; }
  [[nodiscard]] std::string allowed() const override {
    return option_text::number(range_.least) + ".." + option_text::number(range_.greatest);
  }
  [[nodiscard]] std::string default_text() const override { return option_text::number(initial_); }
  [[nodiscard]] std::vector<std::string> value_texts() const override {
    return {option_text::number(value_)};
  }
  [[nodiscard]] bool is_default() const override { return value_ == initial_; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    return option_text::parse_seconds(text, range_, value_);
  }

 private:
  double value_;
  double initial_;
  Range<double> range_;
};

// Free text; empty unless given.
template <>
class Option<std::string> : public OptionBase {
 public:
  Option(OptionGroup& group, std::string_view name, std::string_view initial,
         std::string_view value_name, std::string_view help)
      : OptionBase(group, name, help),
        value_(initial),
        initial_(initial),
        value_name_(value_name) {}

  [[nodiscard]] const std::string& value() const { return value_; }
  const std::string& operator*() const { return value_; }
  void set(std::string value) {
    value_ = std::move(value);
    mark_given();
  }

  [[nodiscard]] std::string value_name() const override { return std::string(value_name_); }
  [[nodiscard]] std::string default_text() const override { return initial_; }
  [[nodiscard]] std::vector<std::string> value_texts() const override { return {value_}; }
  [[nodiscard]] bool is_default() const override { return value_ == initial_; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    value_ = text;
    return std::nullopt;
  }

 private:
  std::string value_;
  std::string initial_;
  std::string_view value_name_;
};

// May be given several times.
template <>
class Option<std::vector<std::string>> : public OptionBase {
 public:
  Option(OptionGroup& group, std::string_view name, std::string_view value_name,
         std::string_view help)
      : OptionBase(group, name, help), value_name_(value_name) {}

  [[nodiscard]] const std::vector<std::string>& value() const { return values_; }
  const std::vector<std::string>& operator*() const { return values_; }
  void add(std::string value) {
    values_.push_back(std::move(value));
    mark_given();
  }

  [[nodiscard]] bool is_repeated() const override { return true; }
  [[nodiscard]] std::string value_name() const override { return std::string(value_name_); }
  [[nodiscard]] std::string default_text() const override { return {}; }
  [[nodiscard]] std::vector<std::string> value_texts() const override { return values_; }
  [[nodiscard]] bool is_default() const override { return values_.empty(); }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    values_.emplace_back(text);
    return std::nullopt;
  }

 private:
  std::vector<std::string> values_;
  std::string_view value_name_;
};

// One of a few named values.
template <class E>
class Option<E, std::enable_if_t<std::is_enum_v<E>>> : public OptionBase {
 public:
  struct Choice {
    std::string_view name;
    E value;
  };

  Option(OptionGroup& group, std::string_view name, E initial, std::vector<Choice> choices,
         std::string_view help)
      : OptionBase(group, name, help),
        value_(initial),
        initial_(initial),
        choices_(std::move(choices)) {
    (void)name_of(initial);
  }

  [[nodiscard]] E value() const { return value_; }
  E operator*() const { return value_; }
  void set(E value) {
    (void)name_of(value);
    value_ = value;
    mark_given();
  }
  // How the value is written, for reports.
  [[nodiscard]] std::string_view name_of(E value) const {
    for (const Choice& choice : choices_) {
      if (choice.value == value) return choice.name;
    }
    fail_contract("choice", __FILE__, __LINE__,
                  "no name for a value of option " + std::string(this->name()));
  }

  [[nodiscard]] std::string value_name() const override { return joined("|"); }
  [[nodiscard]] std::string allowed() const override { return joined(", "); }
  [[nodiscard]] std::string default_text() const override { return std::string(name_of(initial_)); }
  [[nodiscard]] std::vector<std::string> value_texts() const override {
    return {std::string(name_of(value_))};
  }
  [[nodiscard]] bool is_default() const override { return value_ == initial_; }

 protected:
  std::optional<OptionError> assign(std::string_view text) override {
    std::vector<std::string> names;
    for (const Choice& choice : choices_) {
      if (choice.name == text) {
        value_ = choice.value;
        return std::nullopt;
      }
      names.emplace_back(choice.name);
    }
    return option_text::no_such_choice(text, names);
  }

 private:
  [[nodiscard]] std::string joined(std::string_view separator) const {
    std::string result;
    for (const Choice& choice : choices_) {
      if (!result.empty()) result += separator;
      result += choice.name;
    }
    return result;
  }

  E value_;
  E initial_;
  std::vector<Choice> choices_;
};

}  // namespace whittle
