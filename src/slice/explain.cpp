// SPDX-License-Identifier: Apache-2.0
// Sentences about dependences. Each is about one step of the chain: the parent, which is needed,
// and what it brings with it.
#include "slice/explain.h"

#include <algorithm>
#include <cctype>

namespace whittle::slice {

namespace {

std::string tick(const std::string& text) { return "`" + text + "`"; }

// One line, without runs of blanks, not too long.
std::string folded(std::string_view text) {
  constexpr std::size_t kLongest = 72;
  std::string line;
  for (char c : text) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
  if (line.size() > kLongest) line = line.substr(0, kLongest - 3) + "...";
  return line;
}

bool is_about(const Instance& i, const Element& e, const Network& network) {
  switch (e.kind) {
    case Element::Kind::Machine:
      return i.part == Part::Machine && i.id == e.id;
    case Element::Kind::Location:
      return (i.part == Part::Location || i.part == Part::LocationRead) && i.id == e.id;
    case Element::Kind::Variable:
      if (i.part == Part::LocationValue) return i.with == e.id;
      if (i.part == Part::Effect) {
        const auto& writes = network.event(EventId(i.id)).effects[i.with].writes;
        return std::find(writes.begin(), writes.end(), VariableId(e.id)) != writes.end();
      }
      return (i.part == Part::Value || i.part == Part::Initial) && i.id == e.id;
    case Element::Kind::Event:
      return (i.part == Part::Guard || i.part == Part::Arc || i.part == Part::Effect) &&
             i.id == e.id;
    case Element::Kind::Parameter:
      return i.part == Part::Parameter && i.id == e.id && i.with == e.index;
  }
  return false;
}

}  // namespace

std::string Explainer::event_name(std::uint32_t event) const {
  const Event& e = network_.event(EventId(event));
  return tick(network_.machine(e.machine).name + "." + e.name);
}

// A front end may split a value: people wrote `balance`, not `balance.amount`.
std::string Explainer::written(const std::string& name, Span origin) const {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || !origin.valid()) return name;
  const std::string_view text = sources_.text(origin);
  const bool whole = text.substr(0, dot) == std::string_view(name).substr(0, dot) &&
                     (text.size() == dot || text[dot] != '.');
  return whole ? name.substr(0, dot) : name;
}

std::string Explainer::variable_name(std::uint32_t variable) const {
  return tick(name({Element::Kind::Variable, variable, 0}));
}

std::string Explainer::location_name(std::uint32_t location) const {
  return tick(network_.location(LocationId(location)).name);
}

std::string Explainer::quoted(Span origin) const {
  if (!origin.valid()) return "";
  return tick(folded(sources_.text(origin)));
}

std::string Explainer::shown(const Instance& i) const {
  switch (i.part) {
    case Part::Location:
      return tick(network_.machine(network_.location(LocationId(i.id)).machine).name) + " at " +
             location_name(i.id);
    case Part::LocationValue:
      return variable_name(i.with) + " at " + location_name(i.id);
    case Part::Value:
      return variable_name(i.id);
    case Part::LocationRead:
      return "whether " + tick(network_.machine(network_.location(LocationId(i.id)).machine).name) +
             " is at " + location_name(i.id);
    case Part::Arc:
    case Part::Guard:
      return event_name(i.id);
    case Part::Parameter:
      return "the argument " +
             tick(written(network_.event(EventId(i.id)).parameters[i.with].name,
                          network_.event(EventId(i.id)).parameters[i.with].origin)) +
             " of " + event_name(i.id);
    case Part::Effect: {
      std::string text = quoted(network_.event(EventId(i.id)).effects[i.with].origin);
      return (text.empty() ? "an effect" : text) + " in " + event_name(i.id);
    }
    case Part::Sync: {
      std::string text = quoted(network_.event(EventId(i.id)).syncs[i.with].origin);
      return (text.empty() ? "a synchronisation" : text) + " in " + event_name(i.id);
    }
    case Part::Initial:
      return "the first value of " + variable_name(i.id);
    case Part::Machine:
      return tick(network_.machine(MachineId(i.id)).name);
  }
  return "";
}

std::string Explainer::reason(std::uint32_t index) const {
  std::string sentence = sentence_of(index);
  if (!sentence.empty())
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

// About the entry and the one that depends on it.
std::string Explainer::sentence_of(std::uint32_t index) const {
  const Closure::Entry& entry = closure_.entries()[index];
  const std::string what = shown(entry.instance);
  const std::string text = quoted(entry.origin);
  const std::string in_text = text.empty() ? "" : " in " + text;
  const bool yes_or_no = entry.instance.part == Part::LocationRead;
  if (entry.parent == Closure::kNoParent && entry.kind == DependenceKind::Initial)
    return "The start restricts " + what + in_text + ".";
  if (entry.kind == DependenceKind::EveryStep)
    return "The question is about infinite runs, in which every step counts: " + what + " stays.";
  if (entry.parent == Closure::kNoParent || entry.kind == DependenceKind::Criterion)
    return (yes_or_no ? "The question asks " : "The question asks about ") + what + ".";
  const Instance& by = closure_.entries()[entry.parent].instance;
  const std::string who = shown(by);
  const Part part = entry.instance.part;
  const bool event = part == Part::Arc || part == Part::Guard;
  const bool value = part == Part::Value || part == Part::LocationValue || part == Part::Parameter;
  switch (entry.kind) {
    case DependenceKind::Criterion:
      break;
    case DependenceKind::UseDef:
    case DependenceKind::Interference:
      if (part == Part::Effect)
        return who + " is needed: " + event_name(entry.instance.id) + " sets it" + in_text + ".";
      if (part == Part::LocationValue)
        return who + " is needed, and events that do not change it lead there from " +
               location_name(entry.instance.id) + ".";
      return who + " is needed: " + what + (text.empty() ? "" : " is read" + in_text) + ".";
    case DependenceKind::DefUse:
      return what + " is needed: " + text + " reads it.";
    case DependenceKind::Control:
      return what + " is needed: " + event_name(by.id) + " reads it" + in_text + ".";
    case DependenceKind::NestedControl:
      // An event and its way from one location to another are the same to people.
      if (by.part == Part::Arc) return sentence_of(entry.parent);
      return (text.empty() ? who : text) + " is a part of " + what + ".";
    case DependenceKind::DefExecution:
      return who + " changes only when " + what + " happens.";
    case DependenceKind::ParameterData:
      return what + " is needed: it is passed on" + in_text + ".";
    case DependenceKind::Synchronisation:
      if (value) return what + " is needed: " + event_name(by.id) + " reads it" + in_text + ".";
      if (!event) return event_name(by.id) + " refers to " + what + in_text + ".";
      if (by.part == Part::Sync && network_.event(EventId(by.id)).syncs[by.with].negated)
        return event_name(by.id) + " happens only where " + what + " cannot" + in_text + ".";
      return event_name(by.id) + " takes " + what + " along" + in_text + ".";
    case DependenceKind::Atomicity:
      if (text.empty()) return who + " is possible only together with " + what + ".";
      return network_.event(EventId(entry.instance.id)).syncs[entry.instance.with].negated
                 ? who + " is possible only where this holds: " + text + "."
                 : who + " is possible only together with " + text + ".";
    case DependenceKind::BlockingEffect:
      return who + " is possible only where " + (text.empty() ? what : text) + " can hold.";
    case DependenceKind::CrossRead:
      if (by.part == Part::LocationRead && event) return what + " decides " + who + ".";
      if (by.part == Part::LocationRead) return who + " matters: " + what + " stays.";
      if (event || value || yes_or_no) return who + " looks at " + what + in_text + ".";
      return who + " refers to " + what + in_text + ".";
    case DependenceKind::EnterLocation:
      return who + " leaves or enters " + what + ".";
    case DependenceKind::OnlyByCall:
      return who + " happens only when another event takes it along: " + what + " does" + in_text +
             ".";
    case DependenceKind::MovesTogether:
      return what + " makes several things that matter happen in one step" +
             (text.empty() ? "" : ", " + text + " among them") + ".";
    case DependenceKind::Initial:
      return who + " starts with " + what + ".";
    case DependenceKind::Reconnection:
      return what + " lies on a way to " + who + ".";
    case DependenceKind::WholeEvent:
      return who + " is kept whole, with " + what + ".";
    case DependenceKind::EveryStep:
      return "";
    case DependenceKind::Decides:
      return what + " decides whether " + who + " is met.";
    case DependenceKind::Divergence:
      return what + " stays: without it nobody could tell that a run may never come to " + who +
             "; it could run for ever, or end, here.";
    case DependenceKind::NextObservable:
      return what + " decides which comes first, " + who + " or something else.";
    case DependenceKind::Separator:
      return who + " is entered from " + what + ", which has to be seen before.";
    case DependenceKind::Neighbour:
      return "leaving " + who + " has to be seen: " + what + " comes next.";
  }
  return "";
}

std::vector<std::string> Explainer::chain(std::uint32_t entry) const {
  std::vector<std::string> sentences;
  for (std::uint32_t i = entry; i != Closure::kNoParent; i = closure_.entries()[i].parent)
    sentences.push_back(reason(i));
  std::reverse(sentences.begin(), sentences.end());
  sentences.erase(std::unique(sentences.begin(), sentences.end()), sentences.end());
  return sentences;
}

std::optional<std::uint32_t> Explainer::entry_of(const Element& element) const {
  for (std::uint32_t i = 0; i < closure_.size(); ++i)
    if (is_about(closure_.entries()[i].instance, element, network_)) return i;
  return std::nullopt;
}

std::string Explainer::name(const Element& e) const {
  auto owned = [&](MachineId m, const std::string& n) {
    return m.valid() ? network_.machine(m).name + "." + n : n;
  };
  switch (e.kind) {
    case Element::Kind::Machine:
      return network_.machine(MachineId(e.id)).name;
    case Element::Kind::Location: {
      const Location& l = network_.location(LocationId(e.id));
      return owned(l.machine, l.name);
    }
    case Element::Kind::Variable: {
      const Variable& v = network_.variable(VariableId(e.id));
      return owned(v.machine, written(v.name, v.origin));
    }
    case Element::Kind::Event: {
      const Event& event = network_.event(EventId(e.id));
      return owned(event.machine, event.name);
    }
    case Element::Kind::Parameter: {
      const Event& event = network_.event(EventId(e.id));
      const Parameter& p = event.parameters[e.index];
      return owned(event.machine, event.name) + "." + written(p.name, p.origin);
    }
  }
  return "";
}

namespace {

template <class Visit>
void each_element(const Network& network, Visit&& visit) {
  using Kind = Element::Kind;
  for (std::uint32_t i = 0; i < network.machines().size(); ++i) visit(Element{Kind::Machine, i, 0});
  for (std::uint32_t i = 0; i < network.variables().size(); ++i)
    visit(Element{Kind::Variable, i, 0});
  for (std::uint32_t i = 0; i < network.events().size(); ++i) {
    visit(Element{Kind::Event, i, 0});
    for (std::uint32_t p = 0; p < network.events()[i].parameters.size(); ++p)
      visit(Element{Kind::Parameter, i, p});
  }
  for (std::uint32_t i = 0; i < network.locations().size(); ++i)
    visit(Element{Kind::Location, i, 0});
}

}  // namespace

std::vector<Element> Explainer::find(std::string_view wanted) const {
  // A place of a program, as programs write it.
  if (wanted.size() > 2 && wanted.front() == '[' && wanted.back() == ']')
    wanted = wanted.substr(1, wanted.size() - 2);
  std::vector<Element> exact;
  std::vector<Element> shorter;
  each_element(network_, [&](const Element& e) {
    const std::string full = name(e);
    if (full == wanted)
      exact.push_back(e);
    else if (full.size() > wanted.size() && full.ends_with(wanted) &&
             full[full.size() - wanted.size() - 1] == '.')
      shorter.push_back(e);
  });
  return exact.empty() ? shorter : exact;
}

std::vector<std::string> Explainer::names() const {
  std::vector<std::string> all;
  each_element(network_, [&](const Element& e) {
    all.push_back(name(e));
    const std::size_t dot = all.back().rfind('.');
    if (dot != std::string::npos) all.push_back(all.back().substr(dot + 1));
  });
  return all;
}

}  // namespace whittle::slice
