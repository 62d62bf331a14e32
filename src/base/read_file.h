// SPDX-License-Identifier: Apache-2.0
// Reads a whole text file, or says in the user's words why that is not possible.
//
//   auto text = read_file(path);
//   if (!text) return diagnostics.add(text.error());
//   FileId id = sources.add(path, std::move(*text));
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/expected.h"

namespace whittle {

// Offsets are 32-bit (Span); this leaves room for what a parser adds at the end.
inline constexpr std::uint64_t kMaxFileBytes = 3ULL << 30U;

// A byte order mark at the beginning is dropped. Never blocks on a pipe: only regular files.
[[nodiscard]] Expected<std::string, Diagnostic> read_file(const std::string& path,
                                                          std::uint64_t max_bytes = kMaxFileBytes);

// What is on standard input, to its end; waits for it.
[[nodiscard]] Expected<std::string, Diagnostic> read_standard_input(
    std::uint64_t max_bytes = kMaxFileBytes);

// A NUL byte anywhere, or many bytes at the beginning that no text has.
[[nodiscard]] bool looks_binary(std::string_view text);

}  // namespace whittle
