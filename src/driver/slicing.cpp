// SPDX-License-Identifier: Apache-2.0
#include "driver/slicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/nearest.h"
#include "base/text.h"
#include "frontend/languages.h"
#include "slice/control_flow.h"
#include "slice/explain.h"

namespace whittle {

namespace {

using slice::Explainer;
using slice::SliceResult;

bool whole(const SliceResult& result) { return result.kept.machines.empty(); }

// What stands on a line of the original.
struct LineMark {
  bool stays = false;
  bool goes = false;
  std::optional<bool> around_stays;  // what encloses the line, where nothing else stands on it
  std::string reason;                // of the first thing that stays

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
  Annotation(const Network& network, const SliceResult& result, const Sources& sources)
      : network_(network),
        result_(result),
        sources_(sources),
        explainer_(network, result.closure, sources) {
    const slice::ControlFlow flow(network);
    for (std::uint32_t e = 0; e < network.events().size(); ++e) mark_event(EventId(e), flow);
    for (std::uint32_t v = 0; v < network.variables().size(); ++v)
      mark(network.variables()[v].origin, kept(result.kept.variables, v), [&] {
        return reason({slice::Element::Kind::Variable, v, 0});
      });
    for (std::uint32_t l = 0; l < network.locations().size(); ++l)
      mark(network.locations()[l].origin, kept(result.kept.locations, l), [&] {
        return reason({slice::Element::Kind::Location, l, 0});
      });
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
    const bool stays = kept(result_.kept.events, id.index());
    auto here = [&] { return reason({slice::Element::Kind::Event, id.index(), 0}); };
    mark_around(event.origin, stays, here);
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      mark(event.arcs[a].origin, kept(result_.kept.arcs, flow.arc_number({id, a})),
           [&] { return entry(slice::arc(id, a)); });
    for (const Guard& g : event.guards)
      mark(g.origin, stays, [&] { return "a condition of `" + event.name + "`"; });
    for (std::uint32_t j = 0; j < event.effects.size(); ++j)
      mark(event.effects[j].origin, kept(result_.kept.effects, flow.effect_number(id, j)),
           [&] { return entry(slice::effect(id, j)); });
    for (std::uint32_t j = 0; j < event.syncs.size(); ++j)
      mark(event.syncs[j].origin, kept(result_.kept.syncs, flow.sync_number(id, j)),
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

nlohmann::ordered_json counts(const SliceStatistics::Count& c) {
  return nlohmann::ordered_json::array({c.kept, c.all});
}

}  // namespace

std::vector<PrintedFile> printed_slice(const Model& model, const SliceResult& result,
                                       const Sources& sources) {
  const Language* language = find_language(model.network->language);
  if (language != nullptr && language->print != nullptr)
    return language->print(*result.network, sources);
  return {{model.network->name + ".txt", annotated_slice(model, result, sources, Color::Off)}};
}

std::string annotated_slice(const Model& model, const SliceResult& result, const Sources& sources,
                            Color color) {
  const Annotation annotation(*model.network, result, sources);
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
        text += colored(color, "90", "- " + source) + "\n";
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

std::string slice_summary(const SliceResult& result) {
  const SliceStatistics& s = result.statistics;
  std::string text = fmt::format("{}: {} of {} machines, {}, {:.3f} s\n", s.mode, s.machines.kept,
                                 s.machines.all, figures_text(s), s.seconds);
  if (!result.note.empty()) text += result.note + "\n";
  return text;
}

std::string machine_summary(const Model& model, const SliceResult& result) {
  constexpr std::size_t kMost = 20;  // more lines than that nobody reads
  const std::vector<MachineFigures> all = per_machine(*model.network, result);
  if (all.size() < 2) return "";
  std::string text;
  for (std::size_t m = 0; m < all.size() && m < kMost; ++m)
    text += fmt::format("  {}: {}\n", all[m].name, figures_text(all[m].figures));
  if (all.size() > kMost) text += fmt::format("  and {} more machines\n", all.size() - kMost);
  return text;
}

std::string slice_json(const Model& model, PropertyId property, const SliceResult& result) {
  const SliceStatistics& s = result.statistics;
  nlohmann::ordered_json json = {
      {"file", model.path},
      {"property", model.network->property(property).name},
      {"slice",
       {{"mode", s.mode},
        {"machines", counts(s.machines)},
        {"locations", counts(s.locations)},
        {"variables", counts(s.variables)},
        {"transitions", counts(s.transitions)},
        {"effects", counts(s.effects)},
        {"synchronisations", counts(s.syncs)},
        {"seconds", s.seconds}}},
      {"note", result.note.empty() ? nlohmann::ordered_json(nullptr)
                                   : nlohmann::ordered_json(result.note)}};
  nlohmann::ordered_json kept = nlohmann::ordered_json::array();
  for (const Machine& m : result.network->machines()) {
    nlohmann::ordered_json entry = {{"machine", m.name}};
    for (LocationId l : m.locations) entry["locations"].push_back(result.network->location(l).name);
    for (VariableId v : m.variables) entry["variables"].push_back(result.network->variable(v).name);
    for (EventId e : m.events) entry["events"].push_back(result.network->event(e).name);
    kept.push_back(std::move(entry));
  }
  json["kept"] = std::move(kept);
  json["per_machine"] = nlohmann::ordered_json::array();
  for (const MachineFigures& m : per_machine(*model.network, result)) {
    json["per_machine"].push_back({{"machine", m.name},
                                   {"figures",
                                    {{"locations", counts(m.figures.locations)},
                                     {"variables", counts(m.figures.variables)},
                                     {"transitions", counts(m.figures.transitions)},
                                     {"effects", counts(m.figures.effects)},
                                     {"synchronisations", counts(m.figures.syncs)}}}});
  }
  return json.dump(2) + "\n";
}

std::string explanation(const Model& model, PropertyId property, const SliceResult& result,
                        const Sources& sources, const std::string& name, Diagnostics& diagnostics) {
  const Explainer explainer(*model.network, result.closure, sources);
  const std::vector<slice::Element> elements = explainer.find(name);
  if (elements.empty()) {
    const auto meant = nearest(name, explainer.names());
    diagnostics.report("check-003", {}, fmt::format("'{}' is nothing in the model", name),
                       meant ? fmt::format("did you mean '{}'?", *meant)
                             : "name a machine, state, field, event or parameter");
    return "";
  }
  const std::string question = model.network->property(property).name;
  std::string text;
  // One answer per name, also where the value behind it has several parts: it is needed if one of
  // them is.
  std::vector<std::pair<std::string, std::optional<std::uint32_t>>> answers;
  for (const slice::Element& element : elements) {
    const std::string full = explainer.name(element);
    const auto entry = explainer.entry_of(element);
    const auto same = std::find_if(answers.begin(), answers.end(),
                                   [&](const auto& answer) { return answer.first == full; });
    if (same == answers.end())
      answers.emplace_back(full, entry);
    else if (entry && (!same->second || *entry < *same->second))
      same->second = entry;
  }
  for (const auto& [full, entry] : answers) {
    if (whole(result)) {
      text += fmt::format("`{}` stays: the model is not sliced for `{}`.\n", full, question);
    } else if (!entry) {
      text += fmt::format("`{}` is not needed for `{}`.\n", full, question);
    } else {
      text += fmt::format("`{}` is needed for `{}`:\n", full, question);
      for (const std::string& sentence : explainer.chain(*entry)) text += "  " + sentence + "\n";
    }
  }
  return text;
}

}  // namespace whittle
