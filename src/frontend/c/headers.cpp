// SPDX-License-Identifier: Apache-2.0
// `assert` is a function here: the translation knows it by its name.
#include "frontend/c/headers.h"

namespace whittle::c {

namespace {

struct Header {
  std::string_view name;
  std::string_view text;
};

constexpr Header kHeaders[] = {
    {"assert.h", "void assert(int condition);\n"},
    {"limits.h",
     "#define CHAR_BIT 8\n"
     "#define SCHAR_MIN (-128)\n"
     "#define SCHAR_MAX 127\n"
     "#define UCHAR_MAX 255\n"
     "#define CHAR_MIN (-128)\n"
     "#define CHAR_MAX 127\n"
     "#define SHRT_MIN (-32768)\n"
     "#define SHRT_MAX 32767\n"
     "#define USHRT_MAX 65535\n"
     "#define INT_MAX 2147483647\n"
     "#define INT_MIN (-INT_MAX - 1)\n"
     "#define UINT_MAX 4294967295U\n"
     "#define LONG_MAX ((long)(~0UL >> 1))\n"
     "#define LONG_MIN (-LONG_MAX - 1L)\n"
     "#define ULONG_MAX (~0UL)\n"
     "#define LLONG_MAX 9223372036854775807LL\n"
     "#define LLONG_MIN (-LLONG_MAX - 1LL)\n"
     "#define ULLONG_MAX 18446744073709551615ULL\n"},
    {"stdbool.h",
     "#define bool _Bool\n"
     "#define true 1\n"
     "#define false 0\n"},
    {"stdint.h",
     "typedef signed char int8_t;\n"
     "typedef unsigned char uint8_t;\n"
     "typedef short int16_t;\n"
     "typedef unsigned short uint16_t;\n"
     "typedef int int32_t;\n"
     "typedef unsigned int uint32_t;\n"
     "typedef long long int64_t;\n"
     "typedef unsigned long long uint64_t;\n"
     "typedef long intptr_t;\n"
     "typedef unsigned long uintptr_t;\n"
     "#define INT8_MIN (-128)\n"
     "#define INT8_MAX 127\n"
     "#define UINT8_MAX 255\n"
     "#define INT16_MIN (-32768)\n"
     "#define INT16_MAX 32767\n"
     "#define UINT16_MAX 65535\n"
     "#define INT32_MAX 2147483647\n"
     "#define INT32_MIN (-INT32_MAX - 1)\n"
     "#define UINT32_MAX 4294967295U\n"
     "#define INT64_MAX 9223372036854775807LL\n"
     "#define INT64_MIN (-INT64_MAX - 1LL)\n"
     "#define UINT64_MAX 18446744073709551615ULL\n"},
    {"stddef.h", "typedef unsigned long size_t;\n#define NULL ((void*)0)\n"},
    {"stdlib.h",
     "typedef unsigned long size_t;\n"
     "#define NULL ((void*)0)\n"
     "#define EXIT_SUCCESS 0\n"
     "#define EXIT_FAILURE 1\n"
     "void abort(void);\n"
     "void exit(int status);\n"
     "void *malloc(size_t size);\n"
     "void *calloc(size_t count, size_t size);\n"
     "void free(void *pointer);\n"},
    {"stdio.h",
     "int printf(const char *format, ...);\n"
     "int puts(const char *text);\n"
     "int putchar(int c);\n"},
};

}  // namespace

std::optional<std::string_view> built_in_header(std::string_view name) {
  for (const Header& header : kHeaders)
    if (header.name == name) return header.text;
  return std::nullopt;
}

}  // namespace whittle::c
