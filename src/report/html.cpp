// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "ir/property_kinds.h"
#include "report/false_parts.h"
#include "report/html_page.h"
#include "report/invariant_text.h"
#include "report/markup.h"
#include "report/shown.h"
#include "report/summary.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSteps = 600;  // entries of a trace; of a longer one its two ends

// JSON that no browser takes for the end of its element.
std::string within_script(const Json& data) {
  std::string result;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&')
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result;
}

// The classes of the page, and what they mean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOutcomes = {
    {{"bad", "not met"}, {"good", "met"}, {"answer", "answered"}, {"open", "undecided"}}};

std::string_view class_of(const PropertyResult& result) {
  if (undecided(result)) return "open";
  const std::optional<bool> all_is_well = as_wanted(result);
  if (!all_is_well) return "answer";
  return *all_is_well ? "good" : "bad";
}

std::string how(const PropertyResult& result) {
  const Verdict& verdict = result.verdict;
  std::string text = verdict.engine;
  if (!verdict.solver.empty()) text += " with " + verdict.solver;
  if (const std::string by = checked_by(verdict.witness); !by.empty())
    text += verdict.witness.checked ? fmt::format("; {} by {}", status(verdict.witness), by)
                                    : "; " + by;
  return text;
}

std::string slice_in_short(const SliceStatistics& slice) {
  if (slice.mode.empty() || slice.mode == "off") return {};
  return fmt::format("{}: {} of {} transitions, {} of {} variables", slice.mode,
                     slice.transitions.kept, slice.transitions.all, slice.variables.kept,
                     slice.variables.all);
}

std::string steps_text(const PropertyResult& result) {
  if (const Trace* trace = result.verdict.trace()) return std::to_string(trace->length());
  if (const auto bound = result.verdict.bound()) return fmt::format("≤ {}", *bound);
  return "";
}

Json machines_of(const Network& network) {
  Json machines = Json::array();
  for (const Machine& machine : network.machines()) {
    std::map<LocationId, std::size_t> place;
    Json locations = Json::array();
    for (const LocationId id : machine.locations) {
      place.emplace(id, place.size());
      const Location& location = network.location(id);
      locations.push_back({{"name", safe_text(location.name)},
                           {"final", location.final},
                           {"error", location.error}});
    }
    Json arcs = Json::array();
    for (const EventId id : machine.events)
      for (const Arc& arc : network.event(id).arcs)
        arcs.push_back({place.at(arc.from), place.at(arc.to), safe_text(network.event(id).name)});
    Json starts = Json::array();
    for (const Start& start : machine.starts) starts.push_back(place.at(start.location));
    machines.push_back({{"name", safe_text(machine.name)},
                        {"locations", std::move(locations)},
                        {"arcs", std::move(arcs)},
                        {"starts", std::move(starts)}});
  }
  return machines;
}

class TraceData {
 public:
  explicit TraceData(const PropertyResult& result)
      : result_(result),
        trace_(*result.verdict.trace()),
        replay_(*result.replay),
        model_(*result.network, trace_.universe) {}

  Json run() {
    Json instances = Json::array();
    for (const InstanceId id : result_.network->universe(trace_.universe).instances)
      instances.push_back(
          {{"name", name(id)}, {"machine", result_.network->instance(id).machine.index()}});
    Json steps = Json::array();
    std::uint64_t number = 1;
    int back = -1;  // the entry that comes after the last one again
    const std::size_t count = trace_.steps.size();
    const std::size_t missing = count > kMostSteps ? count - kMostSteps : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const bool left_out = missing > 0 && i >= kMostSteps / 2 && i < kMostSteps / 2 + missing;
      // The first entry after a gap has all values.
      const bool after_gap = missing > 0 && i == kMostSteps / 2 + missing;
      if (trace_.loop == i && !trace_.region.valid() && !left_out)
        back = static_cast<int>(steps.size());
      if (!left_out) steps.push_back(step(i, number, after_gap));
      number += trace_.steps[i].times;
    }
    return {{"instances", std::move(instances)},
            {"initial", values(model_.state(replay_.initial))},
            {"steps", std::move(steps)},
            {"loop", loop()},
            {"back", back},
            {"missing", missing}};
  }

 private:
  [[nodiscard]] std::string name(InstanceId id) const { return safe_text(model_.instance(id)); }

  // Of an infinite run: how it goes on.
  [[nodiscard]] std::string loop() const {
    if (!trace_.loop) return {};
    if (*trace_.loop >= trace_.steps.size()) return "Then nothing happens any more.";
    std::uint64_t number = 1;
    for (std::size_t i = 0; i < *trace_.loop; ++i) number += trace_.steps[i].times;
    if (trace_.region.valid()) {
      return fmt::format("From step {} on it goes on like this for ever, from states with {}.",
                         number, safe_text(model_.condition(trace_.region)));
    }
    return fmt::format("The steps from {} on are repeated for ever.", number);
  }

  [[nodiscard]] Json values(const std::vector<ShownValue>& shown) const {
    Json list = Json::array();
    for (const ShownValue& value : shown)
      list.push_back({name(value.instance), value.name, safe_text(value.value)});
    return list;
  }

  [[nodiscard]] Json step(std::size_t i, std::uint64_t number, bool whole) const {
    const ReplayedStep& replayed = replay_.steps[i];
    Json events = Json::array();
    for (const ShownEvent& event : model_.events(replayed)) {
      Json arguments = Json::array();
      for (const Shown& argument : event.arguments)
        arguments.push_back({argument.name, safe_text(argument.value)});
      events.push_back({{"instance", name(event.instance)},
                        {"event", safe_text(event.event)},
                        {"arguments", std::move(arguments)},
                        {"depth", event.depth}});
    }
    return {{"n", number},
            {"times", trace_.steps[i].times},
            {"repeated", trace_.loop.has_value() && i >= *trace_.loop},
            {"events", std::move(events)},
            {"changes", values(whole ? model_.state(replayed.after) : model_.changes(replayed))}};
  }

  const PropertyResult& result_;
  const Trace& trace_;
  const Replay& replay_;
  ModelShown model_;
};

Json parts_of(const PropertyResult& result) {
  Json list = Json::array();
  for (const ConditionPart& part : false_parts(result))
    list.push_back({{"condition", part.condition},
                    {"holds", part.holds},
                    {"undefined", part.undefined},
                    {"values", part.values}});
  return list;
}

// By machine two lists: places and arcs, numbered as in machines_of.
Json gone_of(const Network& network, const DrawnSlice& slice) {
  if (slice.whole()) return nullptr;
  Json machines = Json::array();
  for (const Machine& machine : network.machines()) {
    Json places = Json::array();
    for (std::size_t i = 0; i < machine.locations.size(); ++i)
      if (!slice.keeps(machine.locations[i])) places.push_back(i);
    Json arcs = Json::array();
    std::size_t number = 0;
    for (const EventId id : machine.events)
      for (std::size_t a = 0; a < network.event(id).arcs.size(); ++a, ++number)
        if (!slice.keeps(id, a)) arcs.push_back(number);
    machines.push_back({std::move(places), std::move(arcs)});
  }
  return machines;
}

// What is always true: pairs of a place (empty: everywhere) and conditions.
Json invariant_of(const PropertyResult& result) {
  Json list = Json::array();
  if (!result.verdict.invariant().valid()) return list;
  for (const PlacedConditions& placed : conditions_by_place(result)) {
    Json conditions = Json::array();
    for (const std::string& condition : placed.conditions)
      conditions.push_back(safe_text(condition));
    list.push_back({safe_text(placed.place), std::move(conditions)});
  }
  return list;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace

struct HtmlReport::Impl {
  struct Entry {
    Json data;
    Span origin;
    std::vector<SourceMark> marks;
  };

  // Every model once.
  std::size_t model_of(const std::shared_ptr<Network>& network) {
    for (std::size_t i = 0; i < networks.size(); ++i)
      if (networks[i] == network) return i;
    networks.push_back(network);
    models.push_back(machines_of(*network));
    return networks.size() - 1;
  }

  [[nodiscard]] std::string table() const {
    std::string rows;
    std::string file;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Json& entry = entries[i].data;
      const auto text = [&](const char* key) {
        return escaped_markup(entry[key].get<std::string>());
      };
      if (text("file") != file) {
        file = text("file");
        rows += fmt::format("<tr class=\"file\" id=\"file{}\"><th colspan=\"4\">{}</th></tr>\n", i,
                            file);
      }
      rows += fmt::format(
          "<tr id=\"row{}\"><td><span class=\"mark {}\">{}</span> {}</td><td class=\"{}\">{}</td>"
          "<td class=\"number\">{}</td><td class=\"number\">{:.1f} s</td></tr>\n",
          i, text("sign"), text("mark"), text("name"), text("sign"), text("short"), text("steps"),
          entry["seconds"].get<double>());
    }
    return rows;
  }

  ReportStyle style;
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<Network>> networks;
  Json models = Json::array();
  std::map<std::string_view, std::size_t> counts;  // by class
};

HtmlReport::HtmlReport(ReportStyle style) : impl_(std::make_unique<Impl>()) {
  impl_->style = std::move(style);
}
HtmlReport::~HtmlReport() = default;

void HtmlReport::add(const PropertyResult& result, const std::vector<SourceMark>& marks,
                     const DrawnSlice& slice) {
  const Property& question = result.question();
  const Verdict& verdict = result.verdict;
  const bool traced = verdict.trace() != nullptr && result.replay;
  Json data = {{"file", safe_text(result.file)},
               {"name", safe_text(question.name)},
               {"model", impl_->model_of(result.network)},
               {"line", result.line},
               {"text", text_or_null(result.text)},
               {"kind", to_string(question.kind)},
               {"sign", class_of(result)},
               {"mark", sign_of(result).mark},
               {"short", verdict_in_short(result)},
               {"verdict", std::string(verdict_word(result)) + steps_covered(result) +
                               expectation_note(result)},
               {"steps", steps_text(result)},
               {"seconds", verdict.seconds},
               {"expected", question.expected ? to_string(*question.expected) : ""},
               {"how", how(result)},
               {"reason", reason(result)},
               {"notes", result.notes},
               {"next", verdict.known() ? std::vector<std::string>() : verdict.undecided()->next},
               {"slice", slice_in_short(verdict.slice)},
               {"parts", parts_of(result)},
               {"invariant", invariant_of(result)},
               {"gone", gone_of(*result.network, slice)},
               {"trace", traced ? TraceData(result).run() : Json(nullptr)}};
  ++impl_->counts[class_of(result)];
  impl_->entries.push_back({std::move(data), question.origin, marks});
}

std::string HtmlReport::document(const Sources& sources) {
  Json files = Json::array();
  std::map<std::uint32_t, std::size_t> place;  // in the list, by file
  for (Impl::Entry& entry : impl_->entries) {
    entry.data["source"] = nullptr;
    entry.data["last"] = 0;
    Json marks = Json::array();
    if (entry.origin.valid()) {
      const SourceFile& file = sources.file(entry.origin.file);
      const auto [at, fresh] = place.emplace(entry.origin.file.index(), files.size());
      if (fresh) files.push_back({{"path", safe_text(file.path())}, {"text", file.text()}});
      entry.data["source"] = at->second;
      const std::uint32_t end = std::max(entry.origin.end, entry.origin.begin + 1) - 1;
      entry.data["last"] = file.position(end).line;
      for (const SourceMark& mark : entry.marks)
        if (mark.file == entry.origin.file)
          marks.push_back({mark.line, std::string(1, mark.sign), mark.reason});
    }
    entry.data["marks"] = std::move(marks);
  }
  Json results = Json::array();
  for (const Impl::Entry& entry : impl_->entries) results.push_back(entry.data);
  const Json data = {
      {"files", std::move(files)}, {"models", impl_->models}, {"results", std::move(results)}};
  std::vector<std::string> counted;
  for (const auto& [sign, word] : kOutcomes)
    if (const std::size_t count = impl_->counts[sign]; count > 0)
      counted.push_back(fmt::format("<span class=\"{}\">{} {}</span>", sign, count, word));
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>whittle: results</title>\n<style>\n";
  page += kPageStyle;
  page += fmt::format(
      "</style>\n</head>\n<body>\n<header>\n<h1>whittle</h1>\n"
      "<p>{}</p>\n"
      "<input id=\"filter\" type=\"search\" placeholder=\"filter (/)\" aria-label=\"filter by "
      "file, "
      "property or verdict\">\n"
      "<select id=\"sign\" aria-label=\"filter by outcome\"><option value=\"\">all</option>"
      "<option value=\"look\">not met or undecided</option><option value=\"bad\">not met</option>"
      "<option value=\"good\">met</option><option value=\"answer\">answered</option>"
      "<option value=\"open\">undecided</option></select>\n<p id=\"count\"></p>\n"
      "<button id=\"theme\" type=\"button\">light or dark</button>\n</header>\n<main>\n"
      "<section id=\"list\" tabindex=\"0\" aria-label=\"all properties\">\n<table>\n<thead><tr>"
      "<th>property</th><th>verdict</th><th>steps</th><th>time</th></tr></thead>\n<tbody>\n",
      fmt::join(counted, " · "));
  page += impl_->table();
  page += fmt::format(
      "</tbody>\n</table>\n<p class=\"note\">whittle {}. Keys: ↑ ↓ property, ← → step, / "
      "filter.</p>\n</section>\n<section id=\"details\" aria-label=\"the property chosen\">"
      "<noscript>The table is complete; traces and sources need scripts.</noscript></section>\n"
      "</main>\n<section id=\"paper\"></section>\n<script type=\"application/json\" id=\"data\">",
      escaped_markup(impl_->style.version));
  page += within_script(data);
  page += "</script>\n<script>\n";
  page += kPageScript;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace whittle
