// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <pugixml.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/checkpoint.h"
#include "base/text.h"
#include "frontend/bpmn/completion.h"
#include "frontend/bpmn/picture.h"
#include "frontend/expectation.h"

namespace whittle::bpmn {

namespace {

constexpr std::string_view kModel = "http://www.omg.org/spec/BPMN/20100524/MODEL";
constexpr std::string_view kDraft = "http://schema.omg.org/spec/BPMN/2.0";  // older exports
constexpr std::size_t kMaxScopes = 2'000;
constexpr std::size_t kMaxNodes = 20'000;

using Xml = pugi::xml_node;

std::string_view local_name(Xml element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

// The namespace that the prefix of the element stands for.
std::string_view namespace_of(Xml element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  std::string attribute = "xmlns";
  if (colon != std::string_view::npos) attribute += ":" + std::string(name.substr(0, colon));
  for (Xml at = element; at; at = at.parent())
    if (const pugi::xml_attribute found = at.attribute(attribute.c_str())) return found.value();
  return {};
}

// In one line, without what editors put around words.
std::string words(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

struct EventDefinition {
  std::string_view element;
  Trigger trigger;
};
constexpr EventDefinition kEventDefinitions[] = {
    {"messageEventDefinition", Trigger::Message},
    {"timerEventDefinition", Trigger::Timer},
    {"signalEventDefinition", Trigger::Signal},
    {"conditionalEventDefinition", Trigger::Condition},
    {"errorEventDefinition", Trigger::Error},
    {"terminateEventDefinition", Trigger::Terminate},
    {"linkEventDefinition", Trigger::Link},
};

struct NodeElement {
  std::string_view element;
  NodeKind kind;
};
constexpr NodeElement kNodeElements[] = {
    {"startEvent", NodeKind::Start},
    {"endEvent", NodeKind::End},
    {"task", NodeKind::Task},
    {"userTask", NodeKind::Task},
    {"manualTask", NodeKind::Task},
    {"serviceTask", NodeKind::Task},
    {"scriptTask", NodeKind::Task},
    {"businessRuleTask", NodeKind::Task},
    {"callActivity", NodeKind::Task},
    {"sendTask", NodeKind::SendTask},
    {"receiveTask", NodeKind::ReceiveTask},
    {"subProcess", NodeKind::SubProcess},
    {"exclusiveGateway", NodeKind::Exclusive},
    {"parallelGateway", NodeKind::Parallel},
    {"inclusiveGateway", NodeKind::Inclusive},
    {"eventBasedGateway", NodeKind::EventBased},
    {"intermediateCatchEvent", NodeKind::Catch},
    {"intermediateThrowEvent", NodeKind::Throw},
    {"boundaryEvent", NodeKind::Boundary},
};

// Elements without a meaning here, and as what they stand in the diagram.
constexpr NodeElement kRefused[] = {
    {"complexGateway", NodeKind::Exclusive}, {"transaction", NodeKind::Task},
    {"adHocSubProcess", NodeKind::Task},     {"choreographyTask", NodeKind::Task},
    {"subChoreography", NodeKind::Task},     {"callChoreography", NodeKind::Task},
    {"implicitThrowEvent", NodeKind::Throw},
};

constexpr std::string_view kRefusedEvents[] = {
    "escalationEventDefinition",
    "compensateEventDefinition",
    "cancelEventDefinition",
};

class Reader {
 public:
  Reader(const Sources& sources, FileId file, Diagnostics& diagnostics)
      : text_(sources.file(file).text()), file_(file), diagnostics_(diagnostics) {}

  Diagram run() {
    const pugi::xml_parse_result parsed =
        document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_auto);
    if (!parsed) {
      const auto at = static_cast<std::uint32_t>(
          std::clamp<std::ptrdiff_t>(parsed.offset, 0, static_cast<std::ptrdiff_t>(text_.size())));
      diagnostics_.report("bpmn-001", {file_, at, at},
                          fmt::format("this is no XML: {}", words(parsed.description())),
                          "a BPMN file is XML, as modelling tools export it");
      return {};
    }
    root_ = document_.document_element();
    if (!is_model(root_) || local_name(root_) != "definitions") {
      diagnostics_.report("bpmn-002", span_of(root_), "this is no BPMN 2.0 model",
                          fmt::format("the outermost element of one is `definitions` of the "
                                      "namespace {}",
                                      kModel));
      return {};
    }
    pools();
    processes();
    if (diagram_.processes.empty())
      diagnostics_.report("bpmn-003", span_of(root_), "the model has no process",
                          "draw one, or export the diagram that has it");
    connect();
    messages();
    begin_scopes();
    diagram_.picture = read_picture(root_);
    return std::move(diagram_);
  }

 private:
  // ----- XML
  [[nodiscard]] static bool is_model(Xml element) {
    if (element.type() != pugi::node_element) return false;
    const std::string_view name = namespace_of(element);
    return name == kModel || name == kDraft;
  }

  [[nodiscard]] Span span_of(Xml element) const {
    const auto offset = element.offset_debug();
    if (offset < 0 || static_cast<std::size_t>(offset) >= text_.size()) return {file_, 0, 0};
    const auto begin = static_cast<std::uint32_t>(offset);
    const std::size_t close = text_.find('>', begin);
    const auto end = close == std::string_view::npos ? begin : static_cast<std::uint32_t>(close);
    return {file_, begin, std::min(end, begin + 200)};
  }

  static std::string attribute(Xml element, const char* name) {
    return words(element.attribute(name).value());
  }

  // The id that a reference means: the part behind the prefix of a qualified name.
  static std::string id_in(std::string reference) {
    const std::size_t colon = reference.find(':');
    return colon == std::string::npos ? reference : reference.substr(colon + 1);
  }

  // ----- pools, processes, nodes
  void pools() {
    for (const Xml element : root_.children()) {
      if (!is_model(element)) continue;
      const std::string_view name = local_name(element);
      if (name == "process") process_elements_.emplace(attribute(element, "id"), element);
      if (name.ends_with("EventDefinition"))
        event_definitions_.emplace(attribute(element, "id"), element);
      if (name != "collaboration") continue;
      for (const Xml pool : element.children()) {
        if (!is_model(pool) || local_name(pool) != "participant") continue;
        const std::string process = id_in(attribute(pool, "processRef"));
        participants_.emplace(attribute(pool, "id"), process);
        if (!process.empty() && !attribute(pool, "name").empty())
          pool_names_.emplace(process, attribute(pool, "name"));
      }
    }
  }

  // A process that others call runs as a part of them, unless it has a pool of its own.
  void processes() {
    std::unordered_set<std::string> called;
    for (const auto& [id, element] : process_elements_) find_calls(element, called);
    for (const auto& participant : participants_) called.erase(participant.second);
    for (const bool all : {false, true}) {
      for (const Xml child : root_.children())
        if (is_model(child) && local_name(child) == "process" &&
            (all || !called.contains(attribute(child, "id"))))
          process(child);
      if (!diagram_.processes.empty()) return;
    }
  }

  static void find_calls(Xml process, std::unordered_set<std::string>& called) {
    std::vector<Xml> open{process};
    while (!open.empty()) {
      const Xml outer = open.back();
      open.pop_back();
      for (const Xml child : outer.children()) {
        if (child.type() != pugi::node_element) continue;
        const std::string_view name = local_name(child);
        if (name == "callActivity") called.insert(id_in(attribute(child, "calledElement")));
        if (name == "subProcess") open.push_back(child);
      }
    }
  }

  // What is inside which scope. Nodes of a called process have the calls before their ids, so that
  // each call has its own.
  struct Inside {
    Xml element;
    std::size_t scope;
    std::vector<std::string> calls;  // processes being called
  };

  void process(Xml element) {
    Process result;
    result.id = attribute(element, "id");
    const auto pool = pool_names_.find(result.id);
    result.name = pool != pool_names_.end() ? pool->second : attribute(element, "name");
    if (result.name.empty()) result.name = result.id.empty() ? "process" : result.id;
    result.span = span_of(element);
    result.scope = diagram_.scopes.size();
    expectations(element, result.span);
    if (!process_ids_.emplace(result.id, diagram_.processes.size()).second) return;
    diagram_.processes.push_back(result);
    add_scope({std::nullopt, diagram_.processes.size() - 1}, "");
    // Not by recursion: files can nest as deep as they like.
    std::vector<Inside> open{{element, result.scope, {result.id}}};
    for (std::size_t i = 0; i < open.size(); ++i) {
      checkpoint();
      const Inside outer = open[i];
      for (const Xml child : outer.element.children()) {
        if (!is_model(child) || too_large_) continue;
        if (auto inner = element_in(child, outer)) open.push_back(std::move(*inner));
      }
    }
  }

  void expectations(Xml element, Span span) {
    const std::string text = attribute(element, "whittle:expect");
    if (text.empty()) return;
    if (const auto expected = frontend::expectations_by_name(text)) {
      diagram_.expected.insert(diagram_.expected.end(), expected->begin(), expected->end());
    } else {
      diagnostics_.report("parse-008", span, "whittle:expect is no list of expectations",
                          "as in whittle:expect=\"no stuck token: violated\"");
    }
  }

  std::size_t add_scope(Scope scope, std::string prefix) {
    diagram_.scopes.push_back(std::move(scope));
    prefixes_.push_back(std::move(prefix));
    return diagram_.scopes.size() - 1;
  }

  // The scope inside, if it has one.
  std::optional<Inside> element_in(Xml element, const Inside& outer) {
    const std::string_view name = local_name(element);
    if (name == "sequenceFlow") {
      sequence_flows_.push_back({element, outer.scope});
      return std::nullopt;
    }
    for (const NodeElement& known : kNodeElements)
      if (known.element == name) return node(element, known.kind, outer, "");
    for (const NodeElement& known : kRefused)
      if (known.element == name) return node(element, known.kind, outer, name);
    return std::nullopt;
  }

  std::optional<Inside> node(Xml element, NodeKind kind, const Inside& outer,
                             std::string_view unsupported) {
    const std::string& prefix = prefixes_[outer.scope];
    FlowNode result;
    result.id = attribute(element, "id");
    if (!result.id.empty()) result.id = prefix + result.id;
    result.name = attribute(element, "name");
    result.kind = kind;
    result.scope = outer.scope;
    result.span = span_of(element);
    if (!unsupported.empty()) result.unsupported = fmt::format("`{}`", unsupported);
    result.default_flow = attribute(element, "default");
    if (kind == NodeKind::SubProcess && element.attribute("triggeredByEvent").as_bool())
      result.kind = NodeKind::EventSubProcess;
    result.interrupting =
        element.attribute(kind == NodeKind::Boundary ? "cancelActivity" : "isInterrupting")
            .as_bool(true);
    if (kind == NodeKind::Boundary)
      hosts_.emplace_back(diagram_.nodes.size(), attribute(element, "attachedToRef"));
    event(element, result);
    for (const Xml child : element.children()) {
      const std::string_view name = is_model(child) ? local_name(child) : std::string_view();
      if (name == "standardLoopCharacteristics" || name == "multiInstanceLoopCharacteristics")
        result.repeated = true;
    }
    if (element.attribute("isForCompensation").as_bool()) result.unsupported = "compensation";
    note_id(result);
    std::optional<Inside> inside;
    if (kind == NodeKind::SubProcess) inside = Inside{element, 0, outer.calls};
    if (local_name(element) == "callActivity") inside = called(element, result, outer);
    const std::size_t process = diagram_.scopes[outer.scope].process;
    if (inside) {
      const bool call = result.kind == NodeKind::Task;
      if (call) result.kind = NodeKind::SubProcess;
      inside->scope = add_scope({diagram_.nodes.size(), process},
                                call ? result.id + "/" : prefixes_[outer.scope]);
      result.own = inside->scope;
    }
    diagram_.scopes[outer.scope].nodes.push_back(diagram_.nodes.size());
    diagram_.nodes.push_back(std::move(result));
    note_size(element);
    return inside;
  }

  void note_id(const FlowNode& node) {
    if (node.id.empty() || node_ids_.emplace(node.id, diagram_.nodes.size()).second) return;
    diagnostics_.report("bpmn-004", node.span,
                        fmt::format("two elements have the id `{}`", ellipsized(node.id, 60)),
                        "export the model again, or give one of them another id");
  }

  void note_size(Xml element) {
    if (diagram_.nodes.size() < kMaxNodes && diagram_.scopes.size() < kMaxScopes) return;
    too_large_ = true;
    diagnostics_.report(
        "bpmn-006", span_of(element), "the diagram is too large",
        fmt::format("with what is called it may have {} elements and {} sub-processes", kMaxNodes,
                    kMaxScopes));
  }

  // What a call of a process of this file does.
  std::optional<Inside> called(Xml element, FlowNode& node, const Inside& outer) {
    const std::string id = id_in(attribute(element, "calledElement"));
    const auto found = process_elements_.find(id);
    if (found == process_elements_.end()) return std::nullopt;
    if (std::find(outer.calls.begin(), outer.calls.end(), id) != outer.calls.end()) {
      node.unsupported = fmt::format("the process `{}`, which calls itself", ellipsized(id, 60));
      return std::nullopt;
    }
    Inside result{found->second, 0, outer.calls};
    result.calls.push_back(id);
    return result;
  }

  void event(Xml element, FlowNode& node) {
    std::size_t triggers = 0;
    for (Xml child : element.children()) {
      if (!is_model(child)) continue;
      if (local_name(child) == "eventDefinitionRef") {
        const auto found = event_definitions_.find(id_in(words(child.child_value())));
        if (found == event_definitions_.end()) continue;
        child = found->second;
      }
      const std::string_view name = local_name(child);
      if (std::find(std::begin(kRefusedEvents), std::end(kRefusedEvents), name) !=
          std::end(kRefusedEvents))
        node.unsupported = fmt::format("`{}`", name);
      for (const EventDefinition& known : kEventDefinitions)
        if (known.element == name && ++triggers > 0) trigger(child, known.trigger, node);
    }
    if (triggers > 1) node.unsupported = "an event with several triggers";
  }

  static void trigger(Xml definition, Trigger trigger, FlowNode& node) {
    node.trigger = trigger;
    if (trigger == Trigger::Timer)
      for (const Xml part : definition.children())
        if (local_name(part) == "timeCycle") node.trigger = Trigger::Cycle;
    if (trigger == Trigger::Link) node.reference = attribute(definition, "name");
    if (trigger == Trigger::Error) node.reference = id_in(attribute(definition, "errorRef"));
  }

  // ----- flows
  void connect() {
    for (const auto& [boundary, host] : hosts_) {
      FlowNode& event = diagram_.nodes[boundary];
      const auto found = find(host, event.scope);
      if (found && diagram_.nodes[*found].is_activity() &&
          diagram_.nodes[*found].scope == event.scope)
        event.host = found;
      else
        unknown(event.span, "attachedToRef", host);
    }
    for (const auto& [element, scope] : sequence_flows_) flow(element, scope);
    for (FlowNode& node : diagram_.nodes)
      for (const std::size_t out : node.outgoing)
        if (!node.default_flow.empty() &&
            diagram_.flows[out].id == prefixes_[node.scope] + node.default_flow)
          diagram_.flows[out].is_default = true;
  }

  // The node that is meant in the scope.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& reference,
                                                std::size_t scope) const {
    const auto found = node_ids_.find(prefixes_[scope] + id_in(reference));
    if (found == node_ids_.end()) return std::nullopt;
    return found->second;
  }

  void flow(Xml element, std::size_t scope) {
    checkpoint();
    const auto source = find(attribute(element, "sourceRef"), scope);
    const auto target = find(attribute(element, "targetRef"), scope);
    const Span span = span_of(element);
    if (!source) unknown(span, "sourceRef", attribute(element, "sourceRef"));
    if (!target) unknown(span, "targetRef", attribute(element, "targetRef"));
    if (!source || !target) return;
    SequenceFlow result;
    result.id = prefixes_[scope] + attribute(element, "id");
    result.name = attribute(element, "name");
    result.source = source;
    result.target = *target;
    // Some tools write the flows of sub-processes and of all pools at one place.
    result.scope = diagram_.nodes[*target].scope;
    result.span = span;
    if (diagram_.nodes[*source].scope != result.scope) {
      diagnostics_.report("bpmn-007", span, "a sequence flow leads out of its pool or sub-process",
                          "between pools there are message flows; a sub-process is entered and "
                          "left as a whole");
      return;
    }
    for (const Xml child : element.children()) {
      if (!is_model(child) || local_name(child) != "conditionExpression") continue;
      result.condition = words(child.child_value());
      result.condition_span = span_of(child);
    }
    add(std::move(result));
  }

  void add(SequenceFlow flow) {
    const std::size_t index = diagram_.flows.size();
    if (flow.source) diagram_.nodes[*flow.source].outgoing.push_back(index);
    diagram_.nodes[flow.target].incoming.push_back(index);
    diagram_.scopes[flow.scope].flows.push_back(index);
    diagram_.flows.push_back(std::move(flow));
  }

  void unknown(Span span, std::string_view attribute, const std::string& id) {
    diagnostics_.report("bpmn-005", span,
                        fmt::format("`{}` names no element that is read: `{}`", attribute,
                                    ellipsized(safe_text(id), 60)),
                        "the other end may be missing from the file, or be of a kind that is not "
                        "supported");
  }

  void messages() {
    for (const Xml collaboration : root_.children()) {
      if (!is_model(collaboration) || local_name(collaboration) != "collaboration") continue;
      for (const Xml element : collaboration.children()) {
        if (!is_model(element) || local_name(element) != "messageFlow") continue;
        MessageFlow flow;
        flow.id = attribute(element, "id");
        flow.name = attribute(element, "name");
        flow.span = span_of(element);
        flow.source = end_of(element, "sourceRef");
        flow.target = end_of(element, "targetRef");
        if (flow.name.empty()) flow.name = flow.id.empty() ? "message" : flow.id;
        if (flow.source || flow.target) diagram_.messages.push_back(std::move(flow));
      }
    }
  }

  // The node at one end; none: a pool.
  std::optional<std::size_t> end_of(Xml element, const char* which) {
    const std::string id = id_in(attribute(element, which));
    const auto found = node_ids_.find(id);
    if (found != node_ids_.end()) return found->second;
    if (!participants_.contains(id)) unknown(span_of(element), which, id);
    return std::nullopt;
  }

  // What nothing leads to begins with its scope.
  void begin_scopes() {
    for (std::size_t n = 0; n < diagram_.nodes.size(); ++n) {
      FlowNode& node = diagram_.nodes[n];
      // A start that waits for something inside a sub-process waits there, as an event behind the
      // start would.
      const auto& around = diagram_.scopes[node.scope].node;
      if (node.kind == NodeKind::Start && node.trigger != Trigger::None && around &&
          diagram_.nodes[*around].kind == NodeKind::SubProcess)
        node.kind = NodeKind::Catch;
      const bool begins = node.kind != NodeKind::Start && node.kind != NodeKind::Boundary &&
                          node.kind != NodeKind::EventSubProcess &&
                          !(node.kind == NodeKind::Catch && node.trigger == Trigger::Link);
      if (!begins || !node.incoming.empty()) continue;
      SequenceFlow flow;
      flow.target = n;
      flow.scope = node.scope;
      flow.span = node.span;
      flow.name = fmt::format("start of {}", node.name.empty() ? node.id : node.name);
      add(std::move(flow));
    }
  }

  std::string_view text_;
  FileId file_;
  Diagnostics& diagnostics_;
  pugi::xml_document document_;
  Xml root_;
  Diagram diagram_;
  std::unordered_map<std::string, std::string> participants_;  // id to id of the process
  std::unordered_map<std::string, std::string> pool_names_;    // by id of the process
  std::unordered_map<std::string, std::size_t> process_ids_;
  std::unordered_map<std::string, Xml> process_elements_;
  std::unordered_map<std::string, Xml> event_definitions_;  // of the whole model
  std::vector<std::string> prefixes_;                       // by scope: before the ids in it
  bool too_large_ = false;
  std::unordered_map<std::string, std::size_t> node_ids_;
  std::vector<std::pair<std::size_t, std::string>> hosts_;  // boundary events and their activity
  std::vector<std::pair<Xml, std::size_t>> sequence_flows_;
};

}  // namespace

Diagram read_diagram(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  Diagram result = Reader(sources, file, diagnostics).run();
  complete(result, diagnostics);
  return result;
}

}  // namespace whittle::bpmn
