// SPDX-License-Identifier: Apache-2.0
// Values are exact: whole numbers that every reader of JSON keeps exact are numbers, truth values
// are true and false, and everything else is text in the notation of the model's language.
#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/shown.h"

namespace whittle {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json values(const ModelShown& model, const std::vector<ShownValue>& shown) {
  Json result = Json::object();
  for (const ShownValue& entry : shown) result[model.key(entry)] = entry.value;
  return result;
}

Json arguments(const ShownEvent& event) {
  Json result = Json::object();
  for (const Shown& argument : event.arguments) result[argument.name] = argument.value;
  return result;
}

Json trace(const PropertyResult& result) {
  if (!result.verdict.trace || !result.replay) return nullptr;
  const Trace& trace = *result.verdict.trace;
  const ModelShown model(*result.network, trace.universe);
  Json steps = Json::array();
  std::uint64_t number = 1;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const ReplayedStep& replayed = result.replay->steps[i];
    Json step = {{"n", number}, {"times", trace.steps[i].times}};
    Json synchronised = Json::array();
    for (const ShownEvent& event : model.events(replayed)) {
      Json one = {{"instance", model.instance(event.instance)},
                  {"event", event.event},
                  {"arguments", arguments(event)}};
      if (event.depth == 0) {
        step.update(one);
      } else {
        one["depth"] = event.depth;
        synchronised.push_back(std::move(one));
      }
    }
    step["changes"] = values(model, model.changes(replayed));
    if (!synchronised.empty()) step["synchronised"] = std::move(synchronised);
    steps.push_back(std::move(step));
    number += trace.steps[i].times;
  }
  return {{"steps", std::move(steps)},
          {"initial", values(model, model.state(result.replay->initial))},
          {"final", values(model, model.state(result.replay->final()))}};
}

Json count(const SliceStatistics::Count& count) { return Json::array({count.kept, count.all}); }

Json slice(const SliceStatistics& slice) {
  if (slice.mode.empty()) return nullptr;
  return {{"mode", slice.mode},
          {"machines", count(slice.machines)},
          {"locations", count(slice.locations)},
          {"variables", count(slice.variables)},
          {"transitions", count(slice.transitions)},
          {"effects", count(slice.effects)},
          {"seconds", slice.seconds}};
}

Json invariant(const PropertyResult& result) {
  if (!result.verdict.invariant.valid()) return nullptr;
  return ModelShown(*result.network, result.question().universe)
      .condition(result.verdict.invariant);
}

Json property(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  const Property& question = result.question();
  return {{"file", result.file},
          {"property", question.name},
          {"kind", to_string(question.kind)},
          {"verdict", to_string(verdict.kind)},
          {"demand", question.demand},
          {"met", or_null(met(result))},
          {"bound", or_null(verdict.bound)},
          {"bound_min", verdict.bound ? Json(question.bound.min) : Json(nullptr)},
          {"depth", verdict.trace ? Json(verdict.trace->length()) : Json(nullptr)},
          {"engine", verdict.engine},
          {"solver", verdict.solver},
          {"universe", question.universe.valid()
                           ? or_null(result.network->universe(question.universe).description)
                           : Json(nullptr)},
          {"reason", or_null(verdict.reason)},
          {"slice", slice(verdict.slice)},
          {"trace", trace(result)},
          {"invariant", invariant(result)},
          {"witness", {{"checked", verdict.witness.checked}, {"by", verdict.witness.by}}},
          {"solver_calls", verdict.solver_calls},
          {"seconds", verdict.seconds},
          {"statistics", verdict.statistics}};
}

Json diagnostic(const Diagnostic& entry, const Sources& sources) {
  Json result = {{"id", entry.id}, {"severity", to_string(entry.severity)}};
  if (entry.span.valid()) {
    const SourceFile& file = sources.file(entry.span.file);
    const LineColumn place = file.position(entry.span.begin);
    result.update({{"file", file.path()}, {"line", place.line}, {"column", place.column}});
  } else {
    result.update({{"file", nullptr}, {"line", nullptr}, {"column", nullptr}});
  }
  result.update({{"message", entry.message}, {"hint", or_null(entry.hint)}});
  return result;
}

class JsonWriter final : public ReportWriter {
 public:
  explicit JsonWriter(std::string version) : version_(std::move(version)) {}

  std::string result(const PropertyResult&) override { return {}; }

  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override {
    Json object = {
        {"whittle", version_}, {"results", Json::array()}, {"diagnostics", Json::array()}};
    for (const PropertyResult& result : results) object["results"].push_back(property(result));
    for (const Diagnostic& entry : diagnostics.all()) {
      object["diagnostics"].push_back(diagnostic(entry, sources));
    }
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::string version_;
};

}  // namespace

std::unique_ptr<ReportWriter> make_json_writer(const ReportStyle& style) {
  return std::make_unique<JsonWriter>(style.version);
}

}  // namespace whittle
