// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <pugixml.hpp>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "frontend/expectation.h"

namespace whittle::bpmn {

namespace {

constexpr std::string_view kModel = "http://www.omg.org/spec/BPMN/20100524/MODEL";
constexpr std::size_t kMaxNesting = 200;  // scopes inside each other

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

constexpr std::string_view kRefused[] = {
    "complexGateway",
    "transaction",
    "adHocSubProcess",
    "choreographyTask",
    "subChoreography",
    "callChoreography",
    "choreography",
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
    const Xml root = document_.document_element();
    if (!is_model(root) || local_name(root) != "definitions") {
      diagnostics_.report("bpmn-002", span_of(root), "this is no BPMN 2.0 model",
                          fmt::format("the outermost element of one is `definitions` of the "
                                      "namespace {}",
                                      kModel));
      return {};
    }
    pools(root);
    for (const Xml child : root.children())
      if (is_model(child) && local_name(child) == "process") process(child);
    if (diagram_.processes.empty())
      diagnostics_.report("bpmn-003", span_of(root), "the model has no process",
                          "draw one, or export the diagram that has it");
    connect();
    messages(root);
    begin_scopes();
    return std::move(diagram_);
  }

 private:
  // ----- XML
  [[nodiscard]] static bool is_model(Xml element) {
    return element.type() == pugi::node_element && namespace_of(element) == kModel;
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
  void pools(Xml root) {
    for (const Xml collaboration : root.children()) {
      if (!is_model(collaboration) || local_name(collaboration) != "collaboration") continue;
      for (const Xml pool : collaboration.children()) {
        if (!is_model(pool) || local_name(pool) != "participant") continue;
        const std::string process = id_in(attribute(pool, "processRef"));
        participants_.emplace(attribute(pool, "id"), process);
        if (!process.empty() && !attribute(pool, "name").empty())
          pool_names_.emplace(process, attribute(pool, "name"));
      }
    }
  }

  void process(Xml element) {
    Process result;
    result.id = attribute(element, "id");
    const auto pool = pool_names_.find(result.id);
    result.name = pool != pool_names_.end() ? pool->second : attribute(element, "name");
    if (result.name.empty()) result.name = result.id.empty() ? "process" : result.id;
    result.span = span_of(element);
    result.scope = diagram_.scopes.size();
    if (const std::string text = attribute(element, "whittle:expect"); !text.empty()) {
      if (const auto expected = frontend::expectations_by_name(text)) {
        diagram_.expected.insert(diagram_.expected.end(), expected->begin(), expected->end());
      } else {
        diagnostics_.report("parse-008", result.span, "whittle:expect is no list of expectations",
                            "as in whittle:expect=\"no stuck token: violated\"");
      }
    }
    if (!process_ids_.emplace(result.id, diagram_.processes.size()).second) return;
    diagram_.processes.push_back(result);
    diagram_.scopes.push_back({std::nullopt, diagram_.processes.size() - 1});
    // Not by recursion: files can nest as deep as they like.
    std::vector<std::pair<Xml, std::size_t>> open{{element, result.scope}};
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto [outer, scope] = open[i];
      if (i > kMaxNesting * 100) break;
      for (const Xml child : outer.children()) {
        if (!is_model(child)) continue;
        if (const auto inner = element_in(child, scope)) open.emplace_back(child, *inner);
      }
    }
  }

  // The scope inside, if it has one.
  std::optional<std::size_t> element_in(Xml element, std::size_t scope) {
    const std::string_view name = local_name(element);
    if (name == "sequenceFlow") {
      sequence_flows_.push_back({element, scope});
      return std::nullopt;
    }
    if (refused(element)) return std::nullopt;
    for (const NodeElement& known : kNodeElements)
      if (known.element == name) return node(element, known.kind, scope);
    return std::nullopt;
  }

  bool refused(Xml element) {
    const std::string_view name = local_name(element);
    if (std::find(std::begin(kRefused), std::end(kRefused), name) == std::end(kRefused))
      return false;
    diagnostics_.report("bpmn-unsupported", span_of(element),
                        fmt::format("`{}` is not supported", name),
                        "see docs/languages/bpmn.md for what is read");
    return true;
  }

  std::optional<std::size_t> node(Xml element, NodeKind kind, std::size_t scope) {
    FlowNode result;
    result.id = attribute(element, "id");
    result.name = attribute(element, "name");
    result.kind = kind;
    result.scope = scope;
    result.span = span_of(element);
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
    if (element.attribute("isForCompensation").as_bool()) {
      diagnostics_.report("bpmn-unsupported", result.span, "compensation is not supported",
                          "see docs/languages/bpmn.md for what is read");
      return std::nullopt;
    }
    if (!result.id.empty() && !node_ids_.emplace(result.id, diagram_.nodes.size()).second) {
      diagnostics_.report("bpmn-004", result.span,
                          fmt::format("two elements have the id `{}`", ellipsized(result.id, 60)),
                          "export the model again, or give one of them another id");
    }
    std::optional<std::size_t> inside;
    if (kind == NodeKind::SubProcess) {
      inside = diagram_.scopes.size();
      result.own = inside;
      diagram_.scopes.push_back({diagram_.nodes.size(), diagram_.scopes[scope].process});
    }
    diagram_.scopes[scope].nodes.push_back(diagram_.nodes.size());
    diagram_.nodes.push_back(std::move(result));
    return inside;
  }

  void event(Xml element, FlowNode& node) {
    for (const Xml child : element.children()) {
      if (!is_model(child) || refused(child)) continue;
      const std::string_view name = local_name(child);
      for (const EventDefinition& known : kEventDefinitions) {
        if (known.element != name) continue;
        node.trigger = known.trigger;
        if (known.trigger == Trigger::Timer)
          for (const Xml part : child.children())
            if (local_name(part) == "timeCycle") node.trigger = Trigger::Cycle;
        if (known.trigger == Trigger::Link) node.reference = attribute(child, "name");
        if (known.trigger == Trigger::Error) node.reference = id_in(attribute(child, "errorRef"));
      }
    }
  }

  // ----- flows
  void connect() {
    for (const auto& [boundary, host] : hosts_) {
      const auto found = node_ids_.find(id_in(host));
      if (found != node_ids_.end() && diagram_.nodes[found->second].is_activity())
        diagram_.nodes[boundary].host = found->second;
      else
        unknown(diagram_.nodes[boundary].span, "attachedToRef", host);
    }
    for (const auto& [element, scope] : sequence_flows_) flow(element, scope);
    for (FlowNode& node : diagram_.nodes)
      for (const std::size_t out : node.outgoing)
        if (!node.default_flow.empty() && diagram_.flows[out].id == node.default_flow)
          diagram_.flows[out].is_default = true;
  }

  void flow(Xml element, std::size_t scope) {
    const auto source = node_ids_.find(id_in(attribute(element, "sourceRef")));
    const auto target = node_ids_.find(id_in(attribute(element, "targetRef")));
    const Span span = span_of(element);
    if (source == node_ids_.end()) unknown(span, "sourceRef", attribute(element, "sourceRef"));
    if (target == node_ids_.end()) unknown(span, "targetRef", attribute(element, "targetRef"));
    if (source == node_ids_.end() || target == node_ids_.end()) return;
    SequenceFlow result;
    result.id = attribute(element, "id");
    result.name = attribute(element, "name");
    result.source = source->second;
    result.target = target->second;
    result.scope = scope;
    result.span = span;
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

  void messages(Xml root) {
    for (const Xml collaboration : root.children()) {
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
      const FlowNode& node = diagram_.nodes[n];
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
  Diagram diagram_;
  std::unordered_map<std::string, std::string> participants_;  // id to id of the process
  std::unordered_map<std::string, std::string> pool_names_;    // by id of the process
  std::unordered_map<std::string, std::size_t> process_ids_;
  std::unordered_map<std::string, std::size_t> node_ids_;
  std::vector<std::pair<std::size_t, std::string>> hosts_;  // boundary events and their activity
  std::vector<std::pair<Xml, std::size_t>> sequence_flows_;
};

}  // namespace

Diagram read_diagram(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  return Reader(sources, file, diagnostics).run();
}

}  // namespace whittle::bpmn
