// SPDX-License-Identifier: Apache-2.0
#include "driver/trace_file.h"

#include <nlohmann/json.hpp>

namespace whittle {

namespace {

using Json = nlohmann::json;

TraceFile::Values values(const Json& object) {
  TraceFile::Values result;
  for (const auto& [key, value] : object.items()) result[key] = value.get<std::string>();
  return result;
}

TraceFile trace_of(const Json& result) {
  TraceFile file;
  file.property = result.at("property").get<std::string>();
  const Json& trace = result.at("trace");
  file.initial = values(trace.at("initial"));
  for (const Json& step : trace.at("steps")) {
    file.steps.push_back({step.at("instance").get<std::string>(),
                          step.at("event").get<std::string>(), values(step.at("arguments")),
                          values(step.at("changes")), step.at("times").get<std::uint64_t>()});
  }
  return file;
}

}  // namespace

Expected<TraceFile, std::string> read_trace_file(const std::string& text,
                                                 const std::string& property) {
  try {
    const Json report = Json::parse(text);
    for (const Json& result : report.contains("walks") ? report["walks"] : report.at("results")) {
      if (result.at("trace").is_null()) continue;
      if (property.empty() || result.at("property") == property) return trace_of(result);
    }
  } catch (const Json::exception&) {
    return Unexpected{std::string("this is no document of 'check --json' or 'simulate --json'")};
  }
  return Unexpected{property.empty() ? std::string("the report has no trace")
                                     : "the report has no trace for '" + property + "'"};
}

}  // namespace whittle
