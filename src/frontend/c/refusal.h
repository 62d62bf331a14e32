// SPDX-License-Identifier: Apache-2.0
// What we do not read, and say so where `main` can reach it.
#pragma once

#include <cstdint>
#include <string_view>

namespace whittle::c {

enum class Refusal : std::uint8_t {
  Pointer,
  Heap,
  Float,
  Union,
  Struct,
  Array,
  String,
  FunctionPointer,
  Vla,
  Recursion,
  Volatile,
  Asm,
  Variadic,
  Unsequenced,
  External,
  Thread,
  Jump,
  Extension
};

struct RefusalInfo {
  Refusal refusal;
  std::string_view id;    // of its diagnostic
  std::string_view what;  // "a pointer is used"
  std::string_view help;
};

[[nodiscard]] const RefusalInfo& info(Refusal refusal);

}  // namespace whittle::c
