// SPDX-License-Identifier: Apache-2.0
// The report as one JSON object; schema.json beside this file says what is in it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ir/run/interpreter.h"
#include "report/report.h"

namespace whittle {

[[nodiscard]] std::unique_ptr<ReportWriter> make_json_writer(const ReportStyle& style);

// States, events and what they change, in the words of the model's language.
// requires: the replay is that of the trace
[[nodiscard]] nlohmann::ordered_json json_trace(const Network& network, const Trace& trace,
                                                const Replay& replay, bool shortest);

}  // namespace whittle
