// SPDX-License-Identifier: Apache-2.0
#include "driver/slicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "base/nearest.h"
#include "base/text.h"
#include "frontend/languages.h"
#include "report/json_document.h"
#include "slice/control_flow.h"
#include "slice/explain.h"
#include "slice/kept.h"

namespace whittle {

namespace {

using slice::Explainer;
using slice::SliceResult;

bool whole(const SliceResult& result) { return result.kept.machines.empty(); }

// What is left after simplifying, by kind, name and place: ids differ, and instances that stand
// apart have copies.
class Left {
 public:
  explicit Left(const Preparation& shown) : all_(!shown.simpler()) {
    if (all_) return;
    const Network& network = *shown.network;
    const auto add = [&](slice::Element::Kind kind, const auto& element) {
      keys_.emplace(kind, element.name, element.origin.begin, element.origin.end);
    };
    for (const Machine& m : network.machines()) add(slice::Element::Kind::Machine, m);
    for (const Location& l : network.locations()) add(slice::Element::Kind::Location, l);
    for (const Variable& v : network.variables()) add(slice::Element::Kind::Variable, v);
    for (const Event& e : network.events()) {
      add(slice::Element::Kind::Event, e);
      for (const Parameter& p : e.parameters) add(slice::Element::Kind::Parameter, p);
    }
  }

  // An element of the network that was sliced.
  [[nodiscard]] bool has(const Network& network, const slice::Element& element) const {
    const auto known = [&](const auto& e) {
      return keys_.contains(Key(element.kind, e.name, e.origin.begin, e.origin.end));
    };
    if (all_) return true;
    switch (element.kind) {
      case slice::Element::Kind::Machine:
        // A copy has another name.
        return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) {
          const Span origin = network.machines()[element.id].origin;
          return std::get<0>(key) == element.kind && std::get<2>(key) == origin.begin &&
                 std::get<3>(key) == origin.end;
        });
      case slice::Element::Kind::Location:
        return known(network.locations()[element.id]);
      case slice::Element::Kind::Variable:
        return known(network.variables()[element.id]);
      case slice::Element::Kind::Event:
        return known(network.events()[element.id]);
      case slice::Element::Kind::Parameter:
        return known(network.events()[element.id].parameters[element.index]);
    }
    return true;
  }

 private:
  using Key = std::tuple<slice::Element::Kind, std::string, std::uint32_t, std::uint32_t>;
  bool all_;
  std::set<Key> keys_;
};

constexpr std::string_view kSimplifiedAway = "what is left after simplifying does not have it";

// What stands on a line of the original.
struct LineMark {
  bool stays = false;
  bool goes = false;
  std::optional<bool> around_stays;  // what encloses the line, where nothing else stands on it
  std::string reason;                // of the first thing that stays
  bool simplified = false;           // something went only after slicing

  [[nodiscard]] char sign() const {
    if (stays && goes) return '~';
    if (stays) return '+';
    if (goes) return '-';
    return !around_stays ? ' ' : *around_stays ? '+' : '-';
  }
};

// Marks for all lines of all files that a model has elements in.
class Annotation {
 public:
  Annotation(const Preparation& shown, const Sources& sources)
      : network_(*shown.sliced_from),
        result_(shown.slice),
        sources_(sources),
        left_(shown),
        explainer_(network_, result_.closure, sources) {
    const Network& network = network_;
    const SliceResult& result = result_;
    const slice::ControlFlow flow(network);
    for (std::uint32_t e = 0; e < network.events().size(); ++e) mark_event(EventId(e), flow);
    for (std::uint32_t v = 0; v < network.variables().size(); ++v)
      mark_element(network.variables()[v].origin, kept(result.kept.variables, v),
                   {slice::Element::Kind::Variable, v, 0});
    for (std::uint32_t l = 0; l < network.locations().size(); ++l)
      mark_element(network.locations()[l].origin, kept(result.kept.locations, l),
                   {slice::Element::Kind::Location, l, 0});
  }

  [[nodiscard]] const std::map<std::uint32_t, std::map<std::uint32_t, LineMark>>& files() const {
    return files_;
  }

 private:
  [[nodiscard]] bool kept(const std::vector<char>& list, std::size_t i) const {
    return whole(result_) || list[i] != 0;
  }

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> lines_of(Span origin) const {
    const SourceFile& file = sources_.file(origin.file);
    const std::uint32_t end = origin.end > origin.begin ? origin.end - 1 : origin.begin;
    return {file.position(origin.begin).line, file.position(end).line};
  }

  void mark_element(Span origin, bool kept, const slice::Element& element) {
    const bool stays = kept && left_.has(network_, element);
    mark(origin, stays, [&] { return reason(element); });
    if (kept && !stays) simplified(origin);
  }

  // Where nothing else on the line stays, it says why it goes.
  void simplified(Span origin) {
    if (origin.valid()) files_[origin.file.index()][lines_of(origin).first].simplified = true;
  }

  template <class Reason>
  void mark(Span origin, bool stays, Reason&& why) {
    if (!origin.valid()) return;
    const auto [first, last] = lines_of(origin);
    auto& lines = files_[origin.file.index()];
    for (std::uint32_t line = first; line <= last; ++line) {
      LineMark& at = lines[line];
      (stays ? at.stays : at.goes) = true;
      if (stays && at.reason.empty() && line == first) at.reason = why();
    }
  }

  // The first line is about the whole; the others are about what stands there, if anything does.
  template <class Reason>
  void mark_around(Span origin, bool stays, Reason&& why) {
    if (!origin.valid()) return;
    const auto [first, last] = lines_of(origin);
    auto& lines = files_[origin.file.index()];
    for (std::uint32_t line = first + 1; line <= last; ++line)
      lines[line].around_stays = lines[line].around_stays.value_or(false) || stays;
    LineMark& head = lines[first];
    (stays ? head.stays : head.goes) = true;
    if (stays && head.reason.empty()) head.reason = why();
  }

  void mark_event(EventId id, const slice::ControlFlow& flow) {
    const Event& event = network_.event(id);
    const bool needed = kept(result_.kept.events, id.index());
    const bool stays = needed && left_.has(network_, {slice::Element::Kind::Event, id.index(), 0});
    if (needed && !stays) simplified(event.origin);
    auto here = [&] { return reason({slice::Element::Kind::Event, id.index(), 0}); };
    mark_around(event.origin, stays, here);
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      mark(event.arcs[a].origin, stays && kept(result_.kept.arcs, flow.arc_number({id, a})),
           [&] { return entry(slice::arc(id, a)); });
    for (const Guard& g : event.guards)
      mark(g.origin, stays, [&] { return "a condition of `" + event.name + "`"; });
    for (std::uint32_t j = 0; j < event.effects.size(); ++j)
      mark(event.effects[j].origin, stays && kept(result_.kept.effects, flow.effect_number(id, j)),
           [&] { return entry(slice::effect(id, j)); });
    for (std::uint32_t j = 0; j < event.syncs.size(); ++j)
      mark(event.syncs[j].origin, stays && kept(result_.kept.syncs, flow.sync_number(id, j)),
           [&] { return entry(slice::sync(id, j)); });
  }

  [[nodiscard]] std::string reason(const slice::Element& element) const {
    const auto found = explainer_.entry_of(element);
    return found ? explainer_.reason(*found) : "";
  }
  [[nodiscard]] std::string entry(const slice::Instance& instance) const {
    const auto found = result_.closure.find(instance);
    return found ? explainer_.reason(*found) : "";
  }

  const Network& network_;
  const SliceResult& result_;
  const Sources& sources_;
  Left left_;
  Explainer explainer_;
  std::map<std::uint32_t, std::map<std::uint32_t, LineMark>> files_;  // by file, by line
};

std::string colored(Color color, const char* code, const std::string& text) {
  return color == Color::On ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

// The figures of one machine.
struct MachineFigures {
  std::string name;
  SliceStatistics figures;  // without machines, mode and time
};

std::vector<MachineFigures> per_machine(const Network& network, const SliceResult& result) {
  const slice::ControlFlow flow(network);
  std::vector<MachineFigures> all(network.machines().size());
  auto add = [&](SliceStatistics::Count& count, const std::vector<char>& kept, std::size_t i) {
    ++count.all;
    if (whole(result) || kept[i]) ++count.kept;
  };
  for (std::uint32_t m = 0; m < all.size(); ++m) {
    const Machine& machine = network.machines()[m];
    SliceStatistics& f = all[m].figures;
    all[m].name = machine.name;
    for (LocationId l : machine.locations) add(f.locations, result.kept.locations, l.index());
    for (VariableId v : machine.variables) add(f.variables, result.kept.variables, v.index());
    for (EventId e : machine.events) {
      const Event& event = network.event(e);
      for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
        add(f.transitions, result.kept.arcs, flow.arc_number({e, a}));
      for (std::uint32_t j = 0; j < event.effects.size(); ++j)
        add(f.effects, result.kept.effects, flow.effect_number(e, j));
      for (std::uint32_t j = 0; j < event.syncs.size(); ++j)
        add(f.syncs, result.kept.syncs, flow.sync_number(e, j));
    }
  }
  return all;
}

// Everything but the machines.
std::string figures_text(const SliceStatistics& s) {
  return fmt::format(
      "{} of {} locations, {} of {} variables, {} of {} transitions, {} of {} effects, {} of {} "
      "synchronisations",
      s.locations.kept, s.locations.all, s.variables.kept, s.variables.all, s.transitions.kept,
      s.transitions.all, s.effects.kept, s.effects.all, s.syncs.kept, s.syncs.all);
}

SliceResult sliced_as_parsed(const Model& model, PropertyId property, const Preparation& shown) {
  slice::SliceOptions options;
  if (const auto granularity = slice::granularity_from(shown.slice.statistics.mode))
    options.granularity = *granularity;
  options.exact_shortcuts = true;
  return slice::slice(model.network, property, options);
}

nlohmann::ordered_json counts(const SliceStatistics::Count& c) {
  return nlohmann::ordered_json::array({c.kept, c.all});
}

}  // namespace

std::vector<PrintedFile> printed_slice(const Model& model, PropertyId property,
                                       const Preparation& shown, const Sources& sources) {
  const Language* language = find_language(model.network->language);
  if (language != nullptr && language->print != nullptr) {
    std::shared_ptr<Network> network = shown.network;
    PropertyId asked = shown.property;
    if (!language->prints_terms) {
      // Texts have the names that were eliminated before slicing.
      const SliceResult sliced =
          shown.definitions > 0 ? sliced_as_parsed(model, property, shown) : shown.slice;
      network = sliced.network;
      asked = sliced.property;
    }
    // What was not sliced still asks everything.
    if (network->properties().size() == 1) return language->print(*network, sources);
    return language->print(*slice::asking_only(network, asked), sources);
  }
  return {{model.network->name + ".txt", annotated_slice(shown, sources, Color::Off)}};
}

std::vector<MarkedLine> marked_lines(const Preparation& shown, const Sources& sources) {
  const Annotation annotation(shown, sources);
  std::vector<MarkedLine> result;
  for (const auto& [file, marks] : annotation.files())
    for (const auto& [line, mark] : marks)
      if (mark.sign() != ' ') result.push_back({FileId(file), line, mark.sign(), mark.reason});
  return result;
}

std::string annotated_slice(const Preparation& shown, const Sources& sources, Color color) {
  const Annotation annotation(shown, sources);
  std::string text;
  for (const auto& [file_index, marks] : annotation.files()) {
    const SourceFile& file = sources.file(FileId(file_index));
    text += colored(color, "1", file.path()) + "\n";
    for (std::uint32_t line = 1; line <= file.line_count(); ++line) {
      const auto found = marks.find(line);
      const LineMark none;
      const LineMark& mark = found == marks.end() ? none : found->second;
      const std::string source = safe_text(file.line(line));
      const char sign = mark.sign();
      if (sign == '-')
        text += colored(color, "90",
                        fmt::format("- {}{}{}", source, mark.simplified ? "    // " : "",
                                    mark.simplified ? kSimplifiedAway : "")) +
                "\n";
      else if (sign == ' ')
        text += source.empty() ? "\n" : "  " + source + "\n";
      else
        text +=
            fmt::format("{} {}{}\n", sign, source,
                        mark.reason.empty() ? "" : colored(color, "36", "    // " + mark.reason));
    }
  }
  return text;
}

std::string slice_summary(const Preparation& shown) {
  const SliceResult& result = shown.slice;
  const SliceStatistics& s = result.statistics;
  std::string text = fmt::format("{}: {} of {} machines, {}, {:.3f} s\n", s.mode, s.machines.kept,
                                 s.machines.all, figures_text(s), s.seconds);
  if (!result.note.empty()) text += result.note + "\n";
  return text + simplified_summary(shown);
}

std::string simplified_summary(const Preparation& shown) {
  const simplify::RefineCounts& c = shown.simplified;
  if (!shown.simpler()) return "";
  std::string done;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view several) {
    if (count == 0) return;
    done += fmt::format("{}{} {}", done.empty() ? "" : ", ", count, count == 1 ? one : several);
  };
  add(shown.definitions, "name for a value of others", "names for values of others");
  add(c.constants, "constant", "constants");
  add(c.guards, "implied condition", "implied conditions");
  add(c.impossible, "impossible event", "impossible events");
  add(c.inputs, "eliminated input", "eliminated inputs");
  add(c.locations, "merged location", "merged locations");
  add(c.arcs, "merged transition", "merged transitions");
  add(c.separated, "separated machine", "separated machines");
  const SliceStatistics s = slice::whole_statistics(*shown.network);
  std::string text = fmt::format(
      "simplified: {}; left: {} machines, {} locations, {} variables, {} transitions, {} "
      "effects, {} synchronisations\n",
      done, s.machines.kept, s.locations.kept, s.variables.kept, s.transitions.kept, s.effects.kept,
      s.syncs.kept);
  const Language* language = find_language(shown.network->language);
  if (language != nullptr && !language->prints_terms)
    text +=
        fmt::format("(slices of {} are printed as they are before simplifying)\n", language->id);
  return text;
}

std::string machine_summary(const Preparation& shown) {
  constexpr std::size_t kMost = 20;  // more lines than that nobody reads
  const std::vector<MachineFigures> all = per_machine(*shown.sliced_from, shown.slice);
  if (all.size() < 2) return "";
  std::string text;
  for (std::size_t m = 0; m < all.size() && m < kMost; ++m)
    text += fmt::format("  {}: {}\n", all[m].name, figures_text(all[m].figures));
  if (all.size() > kMost) text += fmt::format("  and {} more machines\n", all.size() - kMost);
  return text;
}

nlohmann::ordered_json slice_json(const Model& model, PropertyId property, const Preparation& shown,
                                  const Sources& sources) {
  const SliceResult& result = shown.slice;
  const Network& network = *shown.network;
  const SliceStatistics& s = result.statistics;
  nlohmann::ordered_json json =
      json_question(model.path, model.network->property(property), sources);
  json["slice"] = {{"mode", s.mode},
                   {"machines", counts(s.machines)},
                   {"locations", counts(s.locations)},
                   {"variables", counts(s.variables)},
                   {"transitions", counts(s.transitions)},
                   {"effects", counts(s.effects)},
                   {"synchronisations", counts(s.syncs)},
                   {"seconds", s.seconds}};
  json["simplified"] = nullptr;
  if (const simplify::RefineCounts& c = shown.simplified; shown.simpler()) {
    const SliceStatistics left = slice::whole_statistics(network);
    const Language* language = find_language(network.language);
    json["simplified"] = {{"definitions", shown.definitions},
                          {"constants", c.constants},
                          {"guards", c.guards},
                          {"impossible_events", c.impossible},
                          {"inputs", c.inputs},
                          {"locations", c.locations},
                          {"arcs", c.arcs},
                          {"separated", c.separated},
                          {"left",
                           {{"machines", left.machines.kept},
                            {"locations", left.locations.kept},
                            {"variables", left.variables.kept},
                            {"transitions", left.transitions.kept},
                            {"effects", left.effects.kept},
                            {"synchronisations", left.syncs.kept}}},
                          {"printed", language != nullptr && language->prints_terms}};
  }
  json["note"] = nullptr;
  if (!result.note.empty()) json["note"] = result.note;
  nlohmann::ordered_json kept = nlohmann::ordered_json::array();
  for (const Machine& m : network.machines()) {
    nlohmann::ordered_json entry = {{"machine", m.name}};
    for (LocationId l : m.locations) entry["locations"].push_back(network.location(l).name);
    for (VariableId v : m.variables) entry["variables"].push_back(network.variable(v).name);
    for (EventId e : m.events) entry["events"].push_back(network.event(e).name);
    kept.push_back(std::move(entry));
  }
  json["kept"] = std::move(kept);
  json["per_machine"] = nlohmann::ordered_json::array();
  for (const MachineFigures& m : per_machine(*shown.sliced_from, result)) {
    json["per_machine"].push_back({{"machine", m.name},
                                   {"figures",
                                    {{"locations", counts(m.figures.locations)},
                                     {"variables", counts(m.figures.variables)},
                                     {"transitions", counts(m.figures.transitions)},
                                     {"effects", counts(m.figures.effects)},
                                     {"synchronisations", counts(m.figures.syncs)}}}});
  }
  json["files"] = nlohmann::ordered_json::array();
  for (const PrintedFile& file : printed_slice(model, property, shown, sources))
    json["files"].push_back({{"path", file.path}, {"text", file.text}});
  return json;
}

std::vector<Explanation> explanations(const Preparation& shown, const Sources& sources,
                                      const std::string& name, Diagnostics& diagnostics) {
  const SliceResult& result = shown.slice;
  const Left left(shown);
  const Explainer explainer(*shown.sliced_from, result.closure, sources);
  const std::vector<slice::Element> elements = explainer.find(name);
  if (elements.empty()) {
    const auto meant = nearest(name, explainer.names());
    diagnostics.report("check-003", {}, fmt::format("'{}' is nothing in the model", name),
                       meant ? fmt::format("did you mean '{}'?", *meant)
                             : "name a machine, state, field, event or parameter");
    return {};
  }
  // One answer per name, also where the value behind it has several parts: it is needed if one of
  // them is.
  std::vector<std::pair<std::string, std::optional<std::uint32_t>>> answers;
  std::set<std::string> left_over;
  for (const slice::Element& element : elements) {
    const std::string full = explainer.name(element);
    const auto entry = explainer.entry_of(element);
    if (left.has(*shown.sliced_from, element)) left_over.insert(full);
    const auto same = std::find_if(answers.begin(), answers.end(),
                                   [&](const auto& answer) { return answer.first == full; });
    if (same == answers.end())
      answers.emplace_back(full, entry);
    else if (entry && (!same->second || *entry < *same->second))
      same->second = entry;
  }
  std::vector<Explanation> found;
  for (const auto& [full, entry] : answers) {
    Explanation& one = found.emplace_back(Explanation{full, whole(result) || entry, false, {}});
    one.simplified = one.needed && !left_over.contains(full);
    if (entry && !whole(result)) one.because = explainer.chain(*entry);
  }
  return found;
}

std::string explanation_text(const std::string& question, const std::vector<Explanation>& found) {
  std::string text;
  for (const Explanation& one : found) {
    if (!one.needed) {
      text += fmt::format("`{}` is not needed for `{}`.\n", one.name, question);
    } else if (one.because.empty()) {
      text += fmt::format("`{}` stays: the model is not sliced for `{}`.\n", one.name, question);
    } else {
      text += fmt::format("`{}` is needed for `{}`:\n", one.name, question);
      for (const std::string& sentence : one.because) text += "  " + sentence + "\n";
    }
    if (one.simplified) text += fmt::format("  But {}.\n", kSimplifiedAway);
  }
  return text;
}

nlohmann::ordered_json explanation_json(const Model& model, PropertyId property,
                                        const std::vector<Explanation>& found,
                                        const Sources& sources) {
  nlohmann::ordered_json json =
      json_question(model.path, model.network->property(property), sources);
  json["elements"] = nlohmann::ordered_json::array();
  for (const Explanation& one : found)
    json["elements"].push_back({{"name", one.name},
                                {"needed", one.needed},
                                {"simplified", one.simplified},
                                {"because", one.because}});
  return json;
}

}  // namespace whittle
