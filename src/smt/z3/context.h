// SPDX-License-Identifier: Apache-2.0
// A Z3 context that owns its terms, and Z3's error codes as exceptions. We use the C interface:
// half the time per term of the C++ one.
#pragma once

#include <z3.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace whittle::smt {

class Z3Context {
 public:
  Z3Context();
  ~Z3Context();
  Z3Context(const Z3Context&) = delete;
  Z3Context& operator=(const Z3Context&) = delete;

  operator Z3_context() const { return raw_; }

  // Keeps the term as long as the context lives. Call it before the next call that makes a term,
  // which would free one that nobody keeps. Throws what went wrong when there is none.
  Z3_ast keep(Z3_ast ast) {
    if (ast == nullptr) fail();
    Z3_inc_ref(raw_, ast);
    kept_.push_back(ast);
    return ast;
  }
  template <class Ast>
  Ast keep_as(Ast ast) {
    keep(reinterpret_cast<Z3_ast>(ast));
    return ast;
  }
  // Throws when the last call failed.
  void check() const {
    if (Z3_get_error_code(raw_) != Z3_OK) fail();
  }
  [[nodiscard]] std::string error_text() const;

 private:
  [[noreturn]] void fail() const;

  Z3_context raw_;
  std::vector<Z3_ast> kept_;
};

// A reference to one of Z3's other objects, given back at the end. Null for what failed.
template <class T>
class Z3Ref {
 public:
  using Count = void (*)(Z3_context, T);

  Z3Ref(Z3_context z3, T raw, Count increase, Count decrease)
      : z3_(z3), raw_(raw), decrease_(decrease) {
    if (raw_ != nullptr) increase(z3_, raw_);
  }
  ~Z3Ref() {
    if (raw_ != nullptr) decrease_(z3_, raw_);
  }
  Z3Ref(Z3Ref&& other) noexcept
      : z3_(other.z3_), raw_(std::exchange(other.raw_, nullptr)), decrease_(other.decrease_) {}
  Z3Ref& operator=(Z3Ref&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }

  [[nodiscard]] T get() const { return raw_; }

 private:
  Z3_context z3_;
  T raw_;
  Count decrease_;
};

// Why Z3 stopped, in the words of CheckResult.
[[nodiscard]] Reason z3_reason(const std::string& text);
[[nodiscard]] std::string z3_version();

}  // namespace whittle::smt
