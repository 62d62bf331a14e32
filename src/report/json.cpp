// SPDX-License-Identifier: Apache-2.0
// Values are exact: whole numbers that every reader of JSON keeps exact are numbers, truth values
// are true and false, and everything else is text in the notation of the model's language.
#include "report/json.h"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>

#include "ir/ltl_text.h"
#include "report/false_parts.h"
#include "report/json_document.h"
#include "report/shown.h"
#include "report/verdict_text.h"

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

// Of a property of temporal logic.
void add_formula(const PropertyResult& result, Json& json) {
  const Property& question = result.question();
  const auto* asked = std::get_if<RunGoal>(&question.goal);
  if (asked == nullptr) return;
  const ModelShown model(*result.network, question.universe);
  json["formula"] = or_null(asked->text);
  json["pattern"] = or_null(asked->pattern);
  json["expanded"] = print_ltl(result.network->ltl(), asked->formula,
                               [&](Expr condition) { return model.condition(condition); });
  json["assuming"] = or_null(asked->assuming);
  if (const auto& live = result.verdict.live) {
    json["fairness"] = live->fairness;
    json["class"] = live->property_class;
    json["automaton"] = {
        {"states", live->states}, {"edges", live->edges}, {"acceptance", live->acceptance}};
  }
  const LiveProof* proof = result.verdict.because<LiveProof>();
  json["certificate"] = nullptr;
  if (proof != nullptr) json["certificate"] = {{"kind", proof->kind}, {"text", proof->text}};
}

// How an infinite run goes on after the steps of the trace.
void add_loop(const PropertyResult& result, Json& json) {
  if (json.is_null() || !std::holds_alternative<RunGoal>(result.question().goal)) return;
  const Trace& trace = *result.verdict.trace();
  json["loop"] = nullptr;
  json["end"] = nullptr;
  if (!trace.loop) {
    json["end"] = "any";
  } else if (*trace.loop >= trace.steps.size()) {
    json["end"] = "stays";
  } else {
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < *trace.loop; ++i) before += trace.steps[i].times;
    const bool region = trace.region.valid();
    json["loop"] = {{"from", before + 1},
                    {"length", trace.length() - before},
                    {"kind", region ? "region" : "lasso"},
                    {"region", nullptr}};
    if (region)
      json["loop"]["region"] = ModelShown(*result.network, trace.universe).condition(trace.region);
  }
}

Json trace(const PropertyResult& result) {
  const Trace* found = result.verdict.trace();
  if (found == nullptr || !result.replay) return nullptr;
  Json json =
      json_trace(*result.network, *found, *result.replay, result.verdict.trace_found()->shortest);
  add_loop(result, json);
  return json;
}

// What of a violated condition is false in the last state.
Json parts(const PropertyResult& result) {
  Json list = Json::array();
  for (const ConditionPart& part : false_parts(result)) {
    if (!part.holds) list.push_back({{"condition", part.condition}, {"values", part.values}});
  }
  return list;
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
  if (!result.verdict.invariant().valid()) return nullptr;
  return ModelShown(*result.network, result.question().universe)
      .condition(result.verdict.invariant());
}

Json reason_kind(const Verdict& verdict) {
  if (verdict.known()) return nullptr;
  return to_string(verdict.undecided()->reason.kind);
}

Json witness(const Verdict& verdict) {
  if (!verdict.known()) return nullptr;
  return {{"status", status(verdict.witness)},
          {"checked", verdict.witness.checked},
          {"by", checked_by(verdict.witness)}};
}

// Without the place of the question, which needs the sources.
Json answer(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  const Property& question = result.question();
  Json json{
      {"kind", to_string(question.kind)},
      {"verdict", verdict_word(result)},
      {"demand", result.demand()},
      {"met", or_null(met(result))},
      {"expected", question.expected ? Json(to_string(question.expected->verdict)) : Json(nullptr)},
      {"expected_steps", question.expected ? or_null(question.expected->steps) : Json(nullptr)},
      {"as_expected", or_null(as_expected(result))},
      {"text", or_null(result.text)},
      {"false_parts", parts(result)},
      {"notes", result.notes},
      {"bound", or_null(verdict.bound())},
      {"bound_min", verdict.bound() ? Json(question.bound.min) : Json(nullptr)},
      {"depth", verdict.trace() ? Json(verdict.trace()->length()) : Json(nullptr)},
      {"engine", verdict.engine},
      {"solver", or_null(verdict.solver)},
      {"universe", question.universe.valid()
                       ? or_null(result.network->universe(question.universe).description)
                       : Json(nullptr)},
      {"reason", or_null(reason(result))},
      {"reason_kind", reason_kind(verdict)},
      {"next", verdict.known() ? std::vector<std::string>() : verdict.undecided()->next},
      {"slice", slice(verdict.slice)},
      {"trace", trace(result)},
      {"invariant", invariant(result)},
      {"induction",
       verdict.invariant().valid() ? Json(verdict.because<Inductive>()->k) : Json(nullptr)},
      {"witness", witness(verdict)},
      {"solver_calls", verdict.solver_calls},
      {"seconds", verdict.seconds},
      {"statistics", verdict.statistics}};
  add_formula(result, json);
  return json;
}

class JsonWriter final : public ReportWriter {
 public:
  explicit JsonWriter(std::string version) : version_(std::move(version)) {}

  // Written when it is decided, and not again at the end.
  std::string result(const PropertyResult& result) override {
    Json written = answer(result);
    const std::scoped_lock lock(mutex_);
    written_.emplace(key(result), std::move(written));
    return {};
  }

  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override {
    Json entries = Json::array();
    const std::scoped_lock lock(mutex_);
    for (const PropertyResult& result : results) {
      const auto known = written_.find(key(result));
      Json entry = json_question(result.file, result.question(), sources);
      entry.update(known != written_.end() ? known->second : answer(result));
      entries.push_back(std::move(entry));
    }
    return json_document(version_, "results", entries, diagnostics, sources);
  }

 private:
  using Key = std::tuple<std::string, const Network*, std::size_t>;
  static Key key(const PropertyResult& result) {
    return {result.file, result.network.get(), result.property.index()};
  }

  std::string version_;
  std::mutex mutex_;  // a watchdog may write the end of a report in a thread of its own
  std::map<Key, Json> written_;
};

}  // namespace

Json json_trace(const Network& network, const Trace& trace, const Replay& replay, bool shortest) {
  const ModelShown model(network, trace.universe);
  Json steps = Json::array();
  std::uint64_t number = 1;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    const ReplayedStep& replayed = replay.steps[i];
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
          {"shortest", shortest},
          {"initial", values(model, model.state(replay.initial))},
          {"final", values(model, model.state(replay.final()))}};
}

std::unique_ptr<ReportWriter> make_json_writer(const ReportStyle& style) {
  return std::make_unique<JsonWriter>(style.version);
}

}  // namespace whittle
