// SPDX-License-Identifier: Apache-2.0
// `expect violated`, `expect reachable in 5` behind a property, in the languages that share our
// tokens. `expect` is no reserved word: it begins the clause where a verdict follows it, or where
// nothing else can stand.
#pragma once

#include <optional>

#include "frontend/expression/token_reader.h"
#include "ir/property.h"

namespace whittle::frontend {

// A name `expect` and a verdict side by side.
[[nodiscard]] bool begins_expectation(const TokenReader& reader, std::size_t ahead);

// Takes the clause, where the reader stands at one. False: something is wrong with it, and was
// reported.
[[nodiscard]] bool read_expectation(TokenReader& reader, std::optional<Expectation>& result);

// A text without the clause that is a part of it, where there is one.
[[nodiscard]] std::string without_expectation(std::string_view text, Span span,
                                              const std::optional<Expectation>& expectation);

// " expect violated", or nothing.
[[nodiscard]] std::string expectation_clause(const Property& property);

}  // namespace whittle::frontend
