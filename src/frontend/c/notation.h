// SPDX-License-Identifier: Apache-2.0
// Values and conditions as C writes them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "frontend/c/types.h"
#include "ir/network.h"
#include "ir/notation.h"

namespace whittle::c {

// The types of variables, by the number of their symbol.
using TypesOfSymbols = std::unordered_map<std::uint32_t, TypeId>;

[[nodiscard]] std::shared_ptr<const Notation> make_notation(
    const Types& types, std::shared_ptr<const TypesOfSymbols> of_symbols,
    std::shared_ptr<const std::map<std::string, std::string>> outside);

}  // namespace whittle::c
