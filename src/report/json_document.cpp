// SPDX-License-Identifier: Apache-2.0
#include "report/json_document.h"

#include <nlohmann/json.hpp>

namespace whittle {

namespace {

using Json = nlohmann::ordered_json;

Json diagnostic(const Diagnostic& entry, const Sources& sources) {
  Json result = {{"id", entry.id}, {"severity", to_string(entry.severity)}};
  result.update(json_place(entry.span, sources));
  result["message"] = entry.message;
  result["hint"] = entry.hint.empty() ? Json(nullptr) : Json(entry.hint);
  return result;
}

}  // namespace

Json json_place(Span span, const Sources& sources) {
  if (!span.valid()) return {{"file", nullptr}, {"line", nullptr}, {"column", nullptr}};
  const SourceFile& file = sources.file(span.file);
  const LineColumn place = file.position(span.begin);
  return {{"file", file.path()}, {"line", place.line}, {"column", place.column}};
}

Json json_question(const std::string& file, const Property& property, const Sources& sources) {
  const Json place = json_place(property.origin, sources);
  return {{"file", file},
          {"property", property.name},
          {"line", place["line"]},
          {"column", place["column"]},
          {"source", place["file"]}};
}

std::string json_document(std::string_view version, std::string_view list, const Json& entries,
                          const Diagnostics& diagnostics, const Sources& sources) {
  Json object = {{"whittle", version}};
  if (!list.empty()) object[std::string(list)] = entries;
  object["diagnostics"] = Json::array();
  for (const Diagnostic& entry : diagnostics.all())
    object["diagnostics"].push_back(diagnostic(entry, sources));
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace whittle
