// SPDX-License-Identifier: Apache-2.0
// Sentences about dependences. Each is about one step of the chain: the parent, which is needed,
// and what it brings with it.
#include "slice/explain.h"

#include <algorithm>

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

std::string Explainer::variable_name(std::uint32_t variable) const {
  const Variable& v = network_.variable(VariableId(variable));
  return tick(v.machine.valid() ? network_.machine(v.machine).name + "." + v.name : v.name);
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
      return "the argument " + tick(network_.event(EventId(i.id)).parameters[i.with].name) +
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
  const Closure::Entry& entry = closure_.entries()[index];
  std::string what = shown(entry.instance);
  std::string text = quoted(entry.origin);
  std::string in_text = text.empty() ? "" : " in " + text;
  if (entry.parent == Closure::kNoParent) {
    return entry.kind == DependenceKind::Initial ? "The start restricts " + what + in_text + "."
                                                 : "The question asks about " + what + ".";
  }
  const Instance& by = closure_.entries()[entry.parent].instance;
  std::string who = shown(by);
  switch (entry.kind) {
    case DependenceKind::Criterion:
      return "The question asks about " + what + ".";
    case DependenceKind::UseDef:
    case DependenceKind::Interference:
      if (entry.instance.part == Part::Effect)
        return who + " is needed: " + event_name(entry.instance.id) + " sets it" + in_text + ".";
      if (entry.instance.part == Part::LocationValue)
        return who + " is needed, and events that do not change it lead there from " +
               location_name(entry.instance.id) + ".";
      return who + " is needed: " + what + (text.empty() ? "" : " is read" + in_text) + ".";
    case DependenceKind::DefUse:
      return what + " is needed: " + text + " reads it.";
    case DependenceKind::Control:
      return what + " is needed: " + event_name(by.id) + " reads it" + in_text + ".";
    case DependenceKind::NestedControl:
      return (text.empty() ? who : text) + " belongs to the event " + what + ".";
    case DependenceKind::DefExecution:
      return "That happens only when " + what + " does.";
    case DependenceKind::ParameterData:
      return what + " is needed: it is passed on" + in_text + ".";
    case DependenceKind::Synchronisation:
      return event_name(by.id) + " needs " + what + ": " +
             (text.empty() ? "they happen together" : text + " happens together with it") + ".";
    case DependenceKind::Atomicity:
      return who + " is possible only together with " + what + ".";
    case DependenceKind::BlockingEffect:
      return who + " is possible only where " + what + " can hold.";
    case DependenceKind::CrossRead:
      return "What is looked at from elsewhere" + in_text + " needs " + what + ".";
    case DependenceKind::EnterLocation:
      return who + " needs " + what + ".";
    case DependenceKind::OnlyByCall:
      return who + " happens only when another event asks for it: " + what + " does" + in_text +
             ".";
    case DependenceKind::MovesTogether:
      return what + " lets several needed events happen in one step" + in_text + ".";
    case DependenceKind::Initial:
      return who + " starts with " + what + ".";
    case DependenceKind::Reconnection:
      return what + " lies on a way to " + who + ".";
    case DependenceKind::WholeEvent:
      return who + " is kept whole, with " + what + ".";
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
      return owned(v.machine, v.name);
    }
    case Element::Kind::Event: {
      const Event& event = network_.event(EventId(e.id));
      return owned(event.machine, event.name);
    }
    case Element::Kind::Parameter: {
      const Event& event = network_.event(EventId(e.id));
      return owned(event.machine, event.name) + "." + event.parameters[e.index].name;
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
  std::vector<Element> exact;
  std::vector<Element> shorter;
  each_element(network_, [&](const Element& e) {
    std::string full = name(e);
    if (full == wanted)
      exact.push_back(e);
    else if (full.size() > wanted.size() && full.ends_with(wanted) &&
             full[full.size() - wanted.size() - 1] == '.')
      shorter.push_back(e);
  });
  // A part of a split value: `balance` means `balance.amount` and `balance.currency`.
  if (exact.empty() && shorter.empty())
    each_element(network_, [&](const Element& e) {
      std::string full = name(e);
      std::size_t at = full.find(std::string(wanted) + ".");
      if (at == 0 || (at != std::string::npos && full[at - 1] == '.')) shorter.push_back(e);
    });
  return exact.empty() ? shorter : exact;
}

std::vector<std::string> Explainer::names() const {
  std::vector<std::string> all;
  each_element(network_, [&](const Element& e) { all.push_back(name(e)); });
  return all;
}

}  // namespace whittle::slice
