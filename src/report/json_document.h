// SPDX-License-Identifier: Apache-2.0
// The one JSON document that every command prints with `--json`: the version, a list of what the
// command has to say, and the diagnostics. schema.json beside this file says what is in the lists.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/source.h"
#include "ir/property.h"

namespace whittle {

// "file", "line" and "column" of a place; null where there is none.
[[nodiscard]] nlohmann::ordered_json json_place(Span span, const Sources& sources);

// How an entry about a property begins: the model as it was given, the name, and where the property
// stands ("source" is the file of the line: the model, or one that it imports).
[[nodiscard]] nlohmann::ordered_json json_question(const std::string& file,
                                                   const Property& property,
                                                   const Sources& sources);

// `list` empty: there are diagnostics only.
[[nodiscard]] std::string json_document(std::string_view version, std::string_view list,
                                        const nlohmann::ordered_json& entries,
                                        const Diagnostics& diagnostics, const Sources& sources);

}  // namespace whittle
