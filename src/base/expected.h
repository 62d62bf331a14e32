// SPDX-License-Identifier: Apache-2.0
// A value or the reason there is none (C++20 has no std::expected).
#pragma once

#include <utility>
#include <variant>

#include "base/error.h"

namespace whittle {

template <class E>
struct Unexpected {
  E error;
};
template <class E>
Unexpected(E) -> Unexpected<E>;

template <class T, class E>
class Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Unexpected<E> error) : content_(std::in_place_index<1>, std::move(error.error)) {}

  [[nodiscard]] bool has_value() const { return content_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  T& value() {
    WHITTLE_REQUIRE(has_value(), "Expected holds an error");
    return std::get<0>(content_);
  }
  const T& value() const {
    WHITTLE_REQUIRE(has_value(), "Expected holds an error");
    return std::get<0>(content_);
  }
  E& error() {
    WHITTLE_REQUIRE(!has_value(), "Expected holds a value");
    return std::get<1>(content_);
  }
  const E& error() const {
    WHITTLE_REQUIRE(!has_value(), "Expected holds a value");
    return std::get<1>(content_);
  }

 private:
  std::variant<T, E> content_;
};

}  // namespace whittle
