// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/network_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/bpmn/channels.h"
#include "frontend/bpmn/drawing.h"
#include "frontend/bpmn/notation.h"
#include "frontend/bpmn/pools.h"
#include "frontend/bpmn/questions.h"
#include "frontend/bpmn/step.h"

namespace whittle::bpmn {

namespace {

std::string name_of_file(std::string_view path) {
  if (const std::size_t slash = path.find_last_of('/'); slash != std::string_view::npos)
    path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find_last_of('.')));
}

class Builder {
 public:
  Builder(const Diagram& diagram, const SourceFile& source, const BpmnOptions& options,
          Diagnostics& diagnostics, SymbolIndex& symbols)
      : diagram_(diagram),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)) {
    network_->name = name_of_file(source.path());
    network_->language = "bpmn";
    network_->notation = make_notation();
    universe_ = network_->add_universe("the diagram");
    if (diagram_.processes.empty()) return;
    pools_.emplace(*network_, universe_, diagram, symbols);
    channels_.emplace(*network_, diagram, options);
  }

  std::shared_ptr<Network> run() {
    if (!pools_) return network_;
    activities_.assign(diagram_.nodes.size(), EventId());
    for (std::size_t n = 0; n < diagram_.nodes.size(); ++n) node(n);
    for (std::size_t p = 0; p < diagram_.processes.size(); ++p) process(p);
    more_messages();
    ask(*network_, universe_, diagram_, *pools_, *channels_, activities_, incomplete_);
    network_->drawing = drawing_of(diagram_, *pools_);
    network_->notation = make_notation(Remarks(*network_, diagram_, *pools_));
    return network_;
  }

 private:
  [[nodiscard]] const FlowNode& at(std::size_t n) const { return diagram_.nodes[n]; }

  Step step(std::size_t n, std::string name) {
    const Pool& pool = pools_->of_node(n);
    return {*network_,
            std::move(name),
            pool.machine,
            {pool.running, pool.running, at(n).span},
            at(n).span};
  }

  // ----- tokens

  // The flows from which a token comes to the node. Events behind an event-based gateway take the
  // token that waits before it.
  [[nodiscard]] std::vector<std::size_t> sources(std::size_t n) const {
    std::vector<std::size_t> result;
    for (const std::size_t f : at(n).incoming) {
      const auto& from = diagram_.flows[f].source;
      if (from && at(*from).kind == NodeKind::EventBased)
        result.insert(result.end(), at(*from).incoming.begin(), at(*from).incoming.end());
      else
        result.push_back(f);
    }
    return result;
  }

  [[nodiscard]] std::vector<std::string> names_of(const std::vector<std::size_t>& flows,
                                                  bool by_source) const {
    std::vector<std::string> result;
    for (const std::size_t f : flows) {
      const SequenceFlow& flow = diagram_.flows[f];
      if (!flow.name.empty())
        result.push_back(flow.name);
      else
        result.push_back(pools_->name(by_source && flow.source ? *flow.source : flow.target));
    }
    return result;
  }

  // One token from one of the flows.
  void take(Step& step, std::size_t n) {
    const std::vector<std::size_t> from = sources(n);
    if (from.empty()) return step.guard(pool_->boolean(false));
    const std::vector<Expr> chosen = step.choose("from", names_of(from, true));
    std::vector<Expr> possible;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const VariableId tokens = pools_->tokens(from[i]);
      possible.push_back(pool_->conj(chosen[i], pool_->ge(step.value(tokens), pool_->integer(1))));
      step.add(tokens, one_if(chosen[i], -1));
    }
    step.guard(pool_->disj(possible));
  }

  // One token to each flow without a condition, and to any of the others.
  void give(Step& step, std::size_t n) {
    for (const std::size_t f : at(n).outgoing) {
      const bool may = diagram_.flows[f].condition.has_value();
      const Expr chosen = may ? step.flag(flag_name(f)) : pool_->boolean(true);
      step.add(pools_->tokens(f), one_if(chosen, 1));
    }
  }

  [[nodiscard]] std::string flag_name(std::size_t f) const {
    const SequenceFlow& flow = diagram_.flows[f];
    return flow.name.empty() ? "to " + pools_->name(flow.target) : flow.name;
  }

  Expr one_if(Expr condition, int sign) {
    return pool_->ite(condition, pool_->integer(sign), pool_->integer(0));
  }

  // No token is left in the scope, but perhaps in what is inside one of its nodes.
  void clear(Step& step, std::size_t scope, std::optional<std::size_t> but = {}) {
    std::vector<VariableId> kept;
    if (but) {
      kept = pools_->inside(*at(*but).own);
      kept.push_back(*pools_->active(*but));
    }
    for (const VariableId id : pools_->inside(scope))
      if (std::find(kept.begin(), kept.end(), id) == kept.end()) step.set(id, pool_->integer(0));
  }

  Expr nothing_in(const Step& step, std::size_t scope) {
    std::vector<Expr> parts;
    for (const VariableId id : pools_->inside(scope))
      parts.push_back(pool_->eq(step.value(id), pool_->integer(0)));
    return pool_->conj(parts);
  }

  // A token behind each start event without a trigger, and before what nothing leads to.
  void begin(Step& step, std::size_t scope) {
    for (const std::size_t f : first_flows(scope)) step.add(pools_->tokens(f), pool_->integer(1));
  }

  [[nodiscard]] std::vector<std::size_t> first_flows(std::size_t scope) const {
    std::vector<std::size_t> result;
    const bool inside = diagram_.scopes[scope].node.has_value();
    for (const std::size_t f : diagram_.scopes[scope].flows) {
      const auto& from = diagram_.flows[f].source;
      if (!from ||
          (at(*from).kind == NodeKind::Start && (inside || at(*from).trigger == Trigger::None)))
        result.push_back(f);
    }
    return result;
  }

  Expr active(const Step& step, std::size_t n) {
    return pool_->ge(step.value(*pools_->active(n)), pool_->integer(1));
  }

  // ----- nodes

  void node(std::size_t n) {
    symbols_.declare(SymbolKind::Event, pools_->name(n), at(n).span);
    switch (at(n).kind) {
      case NodeKind::Start:
        return start(n);
      case NodeKind::End:
        return end(n);
      case NodeKind::Task:
      case NodeKind::SendTask:
      case NodeKind::ReceiveTask:
        return task(n);
      case NodeKind::SubProcess:
        return sub_process(n);
      case NodeKind::EventSubProcess:
        return event_sub_process(n);
      case NodeKind::Exclusive:
        return exclusive(n);
      case NodeKind::Parallel:
        return parallel(n);
      case NodeKind::Inclusive:
        return inclusive(n);
      case NodeKind::EventBased:
        return event_based(n);
      case NodeKind::Catch:
      case NodeKind::Throw:
        return intermediate(n);
      case NodeKind::Boundary:
        return boundary(n);
    }
  }

  // Of a process, by a trigger; inside of sub-processes starts are part of entering them.
  void start(std::size_t n) {
    if (at(n).trigger == Trigger::None) return;
    if (diagram_.scopes[at(n).scope].node) return;
    const Pool& pool = pools_->of_node(n);
    Step step(*network_, pools_->name(n), pool.machine, {pool.waiting, pool.running, at(n).span},
              at(n).span);
    // A message starts the process again when it is complete.
    if (at(n).trigger == Trigger::Message)
      network_->event(step.event()).arcs.push_back({pool.complete, pool.running, at(n).span});
    channels_->receive(step, n);
    give(step, n);
    step.finish();
  }

  void end(std::size_t n) {
    Step step = this->step(n, pools_->name(n));
    take(step, n);
    const std::size_t scope = at(n).scope;
    if (at(n).trigger == Trigger::Message) channels_->send(step, n);
    if (at(n).trigger == Trigger::Terminate) {
      clear(step, scope);
    } else if (at(n).trigger == Trigger::Error) {
      fail(step, n);
    } else if (!diagram_.scopes[scope].node) {
      step.set(pools_->of_node(n).ended, pool_->boolean(true));
    }
    step.finish();
  }

  // The nearest activity around that catches the error goes on there; where none does, the process
  // ends.
  void fail(Step& step, std::size_t n) {
    std::size_t scope = at(n).scope;
    while (diagram_.scopes[scope].node) {
      const std::size_t around = *diagram_.scopes[scope].node;
      for (std::size_t b = 0; b < diagram_.nodes.size(); ++b) {
        const FlowNode& caught = at(b);
        const bool fits = caught.reference.empty() || caught.reference == at(n).reference;
        if (caught.host != around || caught.trigger != Trigger::Error || !fits) continue;
        clear(step, scope);
        step.set(*pools_->active(around), pool_->integer(0));
        return give(step, b);
      }
      scope = at(around).scope;
    }
    clear(step, scope);
  }

  void task(std::size_t n) {
    const bool two_steps = pools_->active(n).has_value();
    Step first = step(n, two_steps ? "start of " + pools_->name(n) : pools_->name(n));
    activities_[n] = first.event();
    take(first, n);
    if (!two_steps) {
      perform(first, n);
      return first.finish();
    }
    first.add(*pools_->active(n), pool_->integer(1));
    forget(first, n);
    if (at(n).converses()) channels_->send(first, n);
    first.finish();
    Step second = step(n, pools_->name(n));
    second.guard(active(second, n));
    second.add(*pools_->active(n), pool_->integer(-1));
    perform(second, n);
    second.finish();
  }

  void perform(Step& step, std::size_t n) {
    const NodeKind kind = at(n).kind;
    if (kind == NodeKind::ReceiveTask || kind == NodeKind::Task) channels_->receive(step, n);
    if (kind == NodeKind::SendTask || (kind == NodeKind::Task && !at(n).converses()))
      channels_->send(step, n);
    give(step, n);
  }

  // Timers at the border begin again with the activity.
  void forget(Step& step, std::size_t n) {
    for (std::size_t b = 0; b < diagram_.nodes.size(); ++b)
      if (at(b).host == n && pools_->fired(b)) step.set(*pools_->fired(b), pool_->integer(0));
  }

  void sub_process(std::size_t n) {
    const VariableId mark = *pools_->active(n);
    Step first = step(n, "start of " + pools_->name(n));
    activities_[n] = first.event();
    take(first, n);
    // One at a time: another token waits.
    first.guard(pool_->eq(first.value(mark), pool_->integer(0)));
    first.add(mark, pool_->integer(1));
    begin(first, *at(n).own);
    forget(first, n);
    first.finish();
    if (at(n).repeated) {
      Step again = step(n, "repetition of " + pools_->name(n));
      again.guard(active(again, n));
      again.guard(nothing_in(again, *at(n).own));
      begin(again, *at(n).own);
      again.finish();
      incomplete_ =
          fmt::format("instances of `{}` are followed one after the other only", pools_->name(n));
    }
    Step last = step(n, "end of " + pools_->name(n));
    last.guard(active(last, n));
    last.guard(nothing_in(last, *at(n).own));
    last.add(mark, pool_->integer(-1));
    give(last, n);
    last.finish();
  }

  // Starts while the scope around it is going on, in place of it or beside it.
  void event_sub_process(std::size_t n) {
    const VariableId mark = *pools_->active(n);
    const std::size_t around = at(n).scope;
    for (const std::size_t s : diagram_.scopes[*at(n).own].nodes) {
      if (at(s).kind != NodeKind::Start) continue;
      Step first = step(n, "start of " + pools_->name(n));
      activities_[n] = first.event();
      first.guard(pool_->negate(nothing_in(first, around)));
      first.guard(pool_->eq(first.value(mark), pool_->integer(0)));
      if (diagram_.scopes[around].node) first.guard(active(first, *diagram_.scopes[around].node));
      if (at(s).trigger == Trigger::Message) channels_->receive(first, s);
      if (at(s).interrupting) clear(first, around, n);
      first.add(mark, pool_->integer(1));
      for (const std::size_t f : at(s).outgoing) first.add(pools_->tokens(f), pool_->integer(1));
      first.finish();
    }
    Step last = step(n, "end of " + pools_->name(n));
    last.guard(active(last, n));
    last.guard(nothing_in(last, *at(n).own));
    last.add(mark, pool_->integer(-1));
    last.finish();
  }

  void exclusive(std::size_t n) {
    Step step = this->step(n, pools_->name(n));
    take(step, n);
    const std::vector<std::size_t>& out = at(n).outgoing;
    if (!out.empty()) {
      const std::vector<Expr> chosen = step.choose("to", names_of(out, false));
      for (std::size_t i = 0; i < out.size(); ++i)
        step.add(pools_->tokens(out[i]), one_if(chosen[i], 1));
    }
    step.finish();
  }

  void parallel(std::size_t n) {
    Step step = this->step(n, pools_->name(n));
    for (const std::size_t f : at(n).incoming) {
      step.guard(pool_->ge(step.value(pools_->tokens(f)), pool_->integer(1)));
      step.add(pools_->tokens(f), pool_->integer(-1));
    }
    for (const std::size_t f : at(n).outgoing) step.add(pools_->tokens(f), pool_->integer(1));
    step.finish();
  }

  // Waits until no token can come to a flow without one. Standard, 13.4.3: a token on its way to
  // such a flow does not count if it could also come to a flow that has one.
  void inclusive(std::size_t n) {
    Step step = this->step(n, pools_->name(n));
    const std::vector<std::size_t>& in = at(n).incoming;
    std::vector<std::vector<VariableId>> before;
    std::vector<Expr> marked;
    for (const std::size_t f : in) {
      before.push_back(upstream(f, n));
      marked.push_back(pool_->ge(step.value(pools_->tokens(f)), pool_->integer(1)));
      step.add(pools_->tokens(f), one_if(marked.back(), -1));
    }
    step.guard(pool_->disj(marked));
    for (std::size_t i = 0; i < in.size() && in.size() > 1; ++i) {
      std::vector<Expr> clear{marked[i]};
      std::vector<Expr> parts;
      for (const VariableId id : before[i]) {
        std::vector<Expr> fine{pool_->eq(step.value(id), pool_->integer(0))};
        for (std::size_t j = 0; j < in.size(); ++j)
          if (std::find(before[j].begin(), before[j].end(), id) != before[j].end() && j != i)
            fine.push_back(marked[j]);
        parts.push_back(pool_->disj(fine));
      }
      clear.push_back(pool_->conj(parts));
      step.guard(pool_->disj(clear));
    }
    leave_inclusive(step, n);
    step.finish();
  }

  // Any of the flows, at least one; the default flow alone.
  void leave_inclusive(Step& step, std::size_t n) {
    const std::vector<std::size_t>& out = at(n).outgoing;
    if (out.size() <= 1) return give_all(step, out);
    std::vector<Expr> others;
    std::optional<std::size_t> by_default;
    for (const std::size_t f : out) {
      if (diagram_.flows[f].is_default) {
        by_default = f;
        continue;
      }
      others.push_back(step.flag(flag_name(f)));
      step.add(pools_->tokens(f), one_if(others.back(), 1));
    }
    const Expr any = pool_->disj(others);
    if (by_default)
      step.add(pools_->tokens(*by_default), one_if(pool_->negate(any), 1));
    else
      step.guard(any);
  }

  void give_all(Step& step, const std::vector<std::size_t>& flows) {
    for (const std::size_t f : flows) step.add(pools_->tokens(f), pool_->integer(1));
  }

  // Flows and activities from which a token can come to the flow without passing the gateway.
  [[nodiscard]] std::vector<VariableId> upstream(std::size_t flow, std::size_t gateway) const {
    std::vector<VariableId> result;
    std::vector<bool> seen(diagram_.nodes.size(), false);
    std::vector<std::size_t> open;
    const auto enter = [&](std::optional<std::size_t> node) {
      if (!node || *node == gateway || seen[*node]) return;
      seen[*node] = true;
      open.push_back(*node);
    };
    enter(diagram_.flows[flow].source);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const FlowNode& node = at(open[i]);
      if (pools_->active(open[i])) result.push_back(*pools_->active(open[i]));
      enter(node.host);
      for (const std::size_t f : node.incoming) {
        result.push_back(pools_->tokens(f));
        enter(diagram_.flows[f].source);
      }
    }
    return result;
  }

  // Its events take the token themselves (sources).
  void event_based(std::size_t n) {
    if (at(n).incoming.empty() || at(n).outgoing.empty())
      diagnostics_.report("bpmn-unsupported", at(n).span,
                          "an event-based gateway that starts a process, or leads nowhere",
                          "start events say what starts a process");
  }

  void intermediate(std::size_t n) {
    // The event that catches a link is a part of the step that throws it.
    if (at(n).kind == NodeKind::Catch && at(n).trigger == Trigger::Link) return;
    Step step = this->step(n, pools_->name(n));
    take(step, n);
    if (at(n).trigger == Trigger::Message) {
      if (at(n).kind == NodeKind::Throw)
        channels_->send(step, n);
      else
        channels_->receive(step, n);
    }
    if (at(n).trigger == Trigger::Link) {
      for (std::size_t c = 0; c < diagram_.nodes.size(); ++c)
        if (at(c).kind == NodeKind::Catch && at(c).trigger == Trigger::Link &&
            at(c).scope == at(n).scope && link(c) == link(n))
          give(step, c);
    }
    give(step, n);
    step.finish();
  }

  [[nodiscard]] const std::string& link(std::size_t n) const {
    return at(n).reference.empty() ? at(n).name : at(n).reference;
  }

  void boundary(std::size_t n) {
    if (!at(n).host) return;
    const std::size_t host = *at(n).host;
    // Errors of sub-processes come from their end events.
    if (at(n).trigger == Trigger::Error && at(host).own) return;
    Step step = this->step(n, pools_->name(n));
    step.guard(active(step, host));
    if (at(n).trigger == Trigger::Message) channels_->receive(step, n);
    if (at(n).interrupting) {
      if (at(host).own) clear(step, *at(host).own);
      step.add(*pools_->active(host), pool_->integer(-1));
    }
    if (pools_->fired(n)) {
      step.guard(pool_->eq(step.value(*pools_->fired(n)), pool_->integer(0)));
      step.set(*pools_->fired(n), pool_->integer(1));
    }
    give(step, n);
    step.finish();
  }

  // ----- processes

  void process(std::size_t p) {
    const Process& process = diagram_.processes[p];
    const Pool& pool = pools_->all()[p];
    Machine& machine = network_->machine(pool.machine);
    const std::vector<std::size_t> first = first_flows(process.scope);
    for (const std::size_t f : first)
      network_->variable(pools_->tokens(f)).initial = pool_->integer(1);
    const bool at_once = !first.empty();
    machine.starts.push_back({at_once ? "running" : "not started",
                              at_once ? pool.running : pool.waiting, pool_->boolean(true),
                              process.span});
    Step step(*network_, "end of " + machine.name, pool.machine,
              {pool.running, pool.complete, process.span}, process.span);
    step.guard(nothing_in(step, process.scope));
    step.set(pool.ended, pool_->boolean(false));
    step.finish();
  }

  // Where more messages are in transit than are followed, something is possible, whatever it is.
  void more_messages() {
    const Expr full = channels_->full();
    if (pool_->is_false(full)) return;
    const Pool& pool = pools_->all()[0];
    const Span span = diagram_.processes[0].span;
    const EventId event = network_->add_event("more messages", pool.machine, span);
    for (const LocationId at : {pool.waiting, pool.running, pool.complete})
      network_->event(event).arcs.push_back({at, at, span});
    network_->event(event).guards.push_back({full, span});
  }

  const Diagram& diagram_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  UniverseId universe_;
  std::optional<Pools> pools_;
  std::optional<Channels> channels_;
  std::vector<EventId> activities_;  // by node: the event in which it begins
  std::string incomplete_;
};

}  // namespace

std::shared_ptr<Network> build_network(const Diagram& diagram, const SourceFile& source,
                                       const BpmnOptions& options, Diagnostics& diagnostics,
                                       SymbolIndex& symbols) {
  return Builder(diagram, source, options, diagnostics, symbols).run();
}

}  // namespace whittle::bpmn
