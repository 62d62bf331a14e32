// SPDX-License-Identifier: Apache-2.0
// A BPMN file as written: pools with their processes, flow nodes in scopes, sequence flows and
// message flows. Elements refer to each other by their index in these lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/expectation.h"

namespace whittle::bpmn {

enum class NodeKind : std::uint8_t {
  Start,
  End,
  Task,  // of any kind that neither sends nor receives, and calls of other processes
  SendTask,
  ReceiveTask,
  SubProcess,
  EventSubProcess,
  Exclusive,
  Parallel,
  Inclusive,
  EventBased,
  Catch,     // an intermediate event that waits
  Throw,     // an intermediate event that does not
  Boundary,  // an event at the border of an activity
};

enum class Trigger : std::uint8_t {
  None,
  Message,
  Timer,
  Cycle,
  Signal,
  Condition,
  Error,
  Terminate,
  Link
};

struct FlowNode {
  std::string id;
  std::string name;  // as written; may be empty
  NodeKind kind = NodeKind::Task;
  Trigger trigger = Trigger::None;
  std::string reference = {};            // of an error or a link: which one; empty: any
  std::size_t scope = 0;                 // in which it stands
  std::optional<std::size_t> own = {};   // the scope inside a sub-process
  std::optional<std::size_t> host = {};  // of a boundary event: the activity it belongs to
  bool interrupting = true;              // boundary events and starts of event sub-processes
  bool repeated = false;                 // a loop, or several instances
  std::string default_flow = {};         // its id
  bool sends = false;                    // a message flow begins here
  bool receives = false;                 // a message flow ends here
  std::string unsupported = {};          // what about it is not supported; empty: nothing
  std::vector<std::size_t> incoming = {};
  std::vector<std::size_t> outgoing = {};
  Span span = {};

  // Has a duration, so that something can happen meanwhile.
  [[nodiscard]] bool is_activity() const {
    return kind == NodeKind::Task || kind == NodeKind::SendTask || kind == NodeKind::ReceiveTask ||
           kind == NodeKind::SubProcess;
  }
  [[nodiscard]] bool has_inside() const { return own.has_value(); }
  // Sends when it begins and takes the answer, or sends an answer and takes the next question.
  [[nodiscard]] bool converses() const { return kind == NodeKind::Task && sends && receives; }
};

struct SequenceFlow {
  std::string id;
  std::string name;
  std::optional<std::size_t> source;  // none: begins with its scope
  std::size_t target = 0;
  std::size_t scope = 0;
  std::optional<std::string> condition = {};  // its text
  Span condition_span = {};
  bool is_default = false;
  Span span = {};
};

// A process, or what is inside a sub-process.
struct Scope {
  std::optional<std::size_t> node = {};  // the sub-process; none: a process
  std::size_t process = 0;
  std::vector<std::size_t> nodes = {};
  std::vector<std::size_t> flows = {};
};

struct Process {
  std::string id;
  std::string name;  // of the pool, where it has one
  std::size_t scope = 0;
  Span span = {};
};

// From a node to a node; where the other side is not shown, it can do it at any time.
struct MessageFlow {
  std::string id;
  std::string name;
  std::optional<std::size_t> source = {};
  std::optional<std::size_t> target = {};
  Span span = {};
};

// Where elements stand in the drawing, by their ids.
struct Picture {
  struct Point {
    double x = 0;
    double y = 0;
  };
  struct Shape {
    std::string element;
    std::string name;  // of what is no node: a pool, a lane, a text
    bool frame = false;
    Point corner;
    Point size;
  };
  struct Edge {
    std::string element;
    std::vector<Point> points;
  };
  std::vector<Shape> shapes;
  std::vector<Edge> edges;
};

struct Diagram {
  std::vector<Process> processes;
  std::vector<Scope> scopes;
  std::vector<FlowNode> nodes;
  std::vector<SequenceFlow> flows;
  std::vector<MessageFlow> messages;
  std::vector<std::pair<std::string, Expectation>> expected;  // by the name of the question
  Picture picture;

  [[nodiscard]] std::size_t process_of(std::size_t node) const {
    return scopes[nodes[node].scope].process;
  }
};

}  // namespace whittle::bpmn
