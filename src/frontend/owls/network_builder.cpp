// SPDX-License-Identifier: Apache-2.0
// Every construct becomes instructions (frontend/program/code.h). What a Perform does is a step in
// which its inputs get their values, one in which its preconditions are looked at, and one for the
// result that it has. A branch of a split is a machine that is started together with the others.
#include "frontend/owls/network_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "frontend/owls/notation.h"
#include "frontend/owls/processes.h"
#include "frontend/owls/property_file.h"
#include "frontend/owls/questions.h"
#include "frontend/owls/writers.h"
#include "frontend/program/code.h"
#include "frontend/program/step_events.h"

namespace whittle::owls {

namespace {

using program::Action;
using program::Code;
using program::FailureId;
using program::Hazard;
using program::Site;

constexpr std::size_t kMaxInstructions = 20'000;
constexpr std::size_t kMaxConstructs = 100;  // inside each other

class Builder {
 public:
  Builder(const Document& document, Facts& facts, Sources& sources, FileId file,
          Diagnostics& diagnostics, SymbolIndex& symbols)
      : document_(document),
        graph_(document.graph()),
        facts_(facts),
        file_(file),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        values_(*network_, document, facts, sources, diagnostics, symbols),
        processes_(*network_, document, facts, values_, failures_, diagnostics, symbols),
        writers_(*network_, document, processes_, failures_) {
    const std::string_view path = sources.file(file).path();
    const std::size_t begin = path.find_last_of('/') + 1;  // 0 where there is none
    network_->name = path.substr(begin, path.find_last_of('.') - begin);
    network_->language = "owls";
    network_->notation = make_notation();
    universe_ = network_->add_universe("the process");
  }

  std::shared_ptr<Network> run(std::size_t process) {
    const Span span = document_.span(process);
    main_ = network_->add_machine(document_.name(process), span);
    if (!has_splits()) owner_ = main_;
    processes_.belong_to(owner_);
    instance_ = network_->add_instance(universe_, main_, Value(), document_.name(process));
    facts_.begin(*network_, owner_, span);
    outermost_ = processes_.make_instance(process, "", nullptr);
    Code code(*network_, main_, failures_);
    code_ = &code;
    start(span);
    body(*outermost_);
    results(*outermost_, site(process, "result of " + document_.name(process)), {});
    if (!over_.empty()) code.together(site(process, "all branches are over"), over_);
    const Code::Ends ends = code.finish(span);
    begin_machine(main_, ends.entry, span);
    failures_.ask(*network_, universe_);
    ask_activities(*network_, universe_, document_, activities_);
    ask_for_end(*network_, universe_, instance_, ends.end, span);
    return network_;
  }

  [[nodiscard]] const Instance& outermost() const { return *outermost_; }
  [[nodiscard]] InstanceId main() const { return instance_; }
  [[nodiscard]] UniverseId universe() const { return universe_; }

 private:
  [[nodiscard]] bool has_splits() const {
    for (std::size_t r = 0; r < graph_.size(); ++r)
      if (graph_.is(r, "Split") || graph_.is(r, "Split-Join")) return true;
    return false;
  }

  void begin_machine(MachineId machine, LocationId at, Span span) {
    network_->machine(machine).starts.push_back({"start", at, pool_->boolean(true), span});
  }

  [[nodiscard]] Site site(std::size_t resource, std::string text) const {
    return {document_.span(resource), text, text};
  }

  // ----- the whole

  void start(Span span) {
    processes_.note_types(*outermost_);
    Action action;
    std::vector<Given> gives;
    for (const Parameter& parameter : outermost_->parameters)
      gives.push_back({outermost_->variables.at(parameter.uri), {}, {}});
    processes_.give(action, gives);
    code_->step({span, "start", "start of " + document_.name(outermost_->process)}, action);
    const Reading holds = values_.conditions(outermost_->process, "hasPrecondition", *outermost_);
    if (!pool_->is_true(holds.known))
      code_->assume({span, std::string(kPreconditions), "the preconditions hold"}, holds.known);
  }

  void body(Instance& here) {
    const std::size_t construct = graph_.object(here.process, "composedOf");
    if (construct != kNoResource) this->construct(construct, here);
  }

  void construct(std::size_t resource, Instance& here) {
    const Span span = document_.span(resource);
    const auto kind = document_.construct(resource);
    if (!kind) {
      diagnostics_.report("owls-unsupported", span,
                          fmt::format("`{}` is no control construct that is supported",
                                      ellipsized(safe_text(document_.kind(resource)), 60)),
                          "see docs/languages/owls.md for what is read");
      return;
    }
    const bool again = std::find(open_.begin(), open_.end(), resource) != open_.end();
    if ((again && *kind != Construct::Perform) || open_.size() >= kMaxConstructs) {
      diagnostics_.report("owls-004", span, "a control construct contains itself",
                          "a loop is Repeat-While or Repeat-Until");
      return;
    }
    if (code_->size() > kMaxInstructions) {
      if (!too_large_)
        diagnostics_.report("owls-003", span, "the process is too large",
                            fmt::format("together there may be {} instructions", kMaxInstructions));
      too_large_ = true;
      return;
    }
    open_.push_back(resource);
    construct(*kind, resource, here);
    open_.pop_back();
  }

  void construct(Construct kind, std::size_t resource, Instance& here) {
    switch (kind) {
      case Construct::Sequence:
        for (const std::size_t part : document_.components(resource)) construct(part, here);
        return;
      case Construct::Split:
      case Construct::SplitJoin:
        return split(resource, kind == Construct::SplitJoin, here);
      case Construct::AnyOrder:
        return any_order(resource, here);
      case Construct::Choice:
        return choice(resource, here);
      case Construct::IfThenElse:
        return if_then_else(resource, here);
      case Construct::RepeatWhile:
      case Construct::RepeatUntil:
        return repeat(resource, kind == Construct::RepeatWhile, here);
      case Construct::ForEach:
        return for_each(resource, here);
      case Construct::Perform:
        return perform(resource, here);
      case Construct::Produce:
      case Construct::Set:
        return produce(resource, here);
    }
  }

  // ----- control flow

  // Goes on where the condition holds, else to the other place; where it is not read, either way.
  void test(std::size_t resource, const char* name, Instance& here, Code::Place otherwise) {
    const Statement* condition = graph_.first(resource, name);
    Site at = site(resource, label(resource, here));
    if (condition == nullptr) {
      diagnostics_.report("owls-004", document_.span(resource),
                          fmt::format("`{}` has no condition", document_.name(resource)),
                          fmt::format("it stands in process:{}", name));
      return code_->either(at, otherwise);
    }
    const Reading holds = values_.condition(*condition, here);
    Action action;
    action.hazards = processes_.hazards(holds.known, resource);
    processes_.need(action, {}, at.text, resource);
    if (!holds.partial) return code_->branch(at, holds.known, otherwise, std::move(action));
    const Code::Place next = code_->place();
    code_->select(at, {{next, "", holds.known}, {otherwise, " else"}}, std::move(action));
    code_->put(next);
  }

  [[nodiscard]] std::string label(std::size_t resource, const Instance& here) const {
    const std::string name = document_.name(resource);
    return here.name.empty() ? name : here.name + "." + name;
  }

  // What the construct refers to as this part of it, if it does.
  void part(std::size_t resource, const char* link, Instance& here) {
    const std::size_t found = graph_.object(resource, link);
    if (found != kNoResource) construct(found, here);
  }

  void if_then_else(std::size_t resource, Instance& here) {
    const Code::Place otherwise = code_->place();
    const Code::Place behind = code_->place();
    test(resource, "ifCondition", here, otherwise);
    part(resource, "then", here);
    code_->jump(behind);
    code_->put(otherwise);
    part(resource, "else", here);
    code_->put(behind);
  }

  void repeat(std::size_t resource, bool test_first, Instance& here) {
    const Code::Place head = code_->place();
    const Code::Place behind = code_->place();
    code_->put(head);
    if (test_first) {
      test(resource, "whileCondition", here, behind);
      part(resource, "whileProcess", here);
      code_->jump(head);
    } else {
      part(resource, "untilProcess", here);
      // On where the condition holds, back where it does not.
      test(resource, "untilCondition", here, head);
    }
    code_->put(behind);
  }

  // The elements of the list are not known: any number of any values.
  void for_each(std::size_t resource, Instance& here) {
    const Code::Place head = code_->place();
    const Code::Place behind = code_->place();
    code_->put(head);
    code_->either(site(resource, label(resource, here)), behind);
    const std::size_t loop = graph_.object(resource, "theLoopVar");
    const auto variable =
        loop == kNoResource ? std::nullopt : processes_.parameter(here, graph_.at(loop).uri);
    if (variable) {
      Action action;
      processes_.give(action, {{*variable, {}, {}}});
      code_->step(site(resource, label(resource, here) + ": next element"), action);
    } else {
      processes_.missing(document_.span(resource), "For-Each has no loop variable of its process");
    }
    part(resource, "iterateBody", here);
    code_->jump(head);
    code_->put(behind);
  }

  void choice(std::size_t resource, Instance& here) {
    const std::vector<std::size_t> parts = document_.components(resource);
    const Code::Place behind = code_->place();
    std::vector<Code::Way> ways;
    for (const std::size_t part : parts)
      ways.push_back({code_->place(), ": " + document_.name(part), may_begin(part, here)});
    if (!ways.empty()) code_->select(site(resource, label(resource, here)), ways);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      code_->put(ways[i].to);
      construct(parts[i], here);
      code_->jump(behind);
    }
    code_->put(behind);
  }

  // The precondition of what a part performs first, as far as it is known; invalid: always.
  Expr may_begin(std::size_t part, Instance& here) {
    for (std::size_t depth = 0; document_.construct(part) == Construct::Sequence; ++depth) {
      const std::vector<std::size_t> parts = document_.components(part);
      if (parts.empty() || depth > kMaxConstructs) return {};
      part = parts[0];
    }
    if (document_.construct(part) != Construct::Perform) return {};
    Instance& inner = processes_.performed(part, here);
    program::Path path(*network_);
    std::vector<VariableId> needs;
    for (const Binding& binding : document_.bindings(part)) {
      const auto to = processes_.parameter(inner, binding.to);
      if (!to) continue;
      const Given value = processes_.given(binding, *to, here, &inner, needs);
      if (!value.value.valid()) return {};
      path.assign(*to, value.value);
    }
    const Reading holds = values_.conditions(inner.process, "hasPrecondition", inner);
    return holds.partial ? Expr() : path.now(holds.known);
  }

  void any_order(std::size_t resource, Instance& here) {
    const std::vector<std::size_t> parts = document_.components(resource);
    std::vector<std::pair<VariableId, Expr>> none;
    std::vector<Expr> all;
    std::vector<Code::Way> ways;
    for (const std::size_t part : parts) {
      const VariableId over =
          processes_.own(fmt::format("{}: {} is over", label(resource, here), document_.name(part)),
                         Type::boolean(), pool_->boolean(false), document_.span(part));
      none.emplace_back(over, pool_->boolean(false));
      all.push_back(values_.now(over));
      ways.push_back({code_->place(), ": " + document_.name(part), pool_->negate(all.back())});
    }
    const Code::Place behind = code_->place();
    const Code::Place next = code_->place();
    ways.push_back({behind, " is over", pool_->conj(all)});
    code_->assign_all(site(resource, label(resource, here)), none);
    code_->put(next);
    code_->select(site(resource, label(resource, here) + ": next"), ways);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      code_->put(ways[i].to);
      construct(parts[i], here);
      code_->assign(site(parts[i], document_.name(parts[i]) + " is over"), none[i].first,
                    pool_->boolean(true));
      code_->jump(next);
    }
    code_->put(behind);
  }

  // ----- branches

  void split(std::size_t resource, bool join, Instance& here) {
    const Span span = document_.span(resource);
    const Writers::Shared shared = writers_.of(resource, label(resource, here));
    std::vector<Sync> begin;
    std::vector<Sync> finish;
    std::size_t number = 0;
    for (const std::size_t part : document_.components(resource)) {
      const std::string name =
          processes_.unique(fmt::format("{} branch {}", label(resource, here), ++number));
      const MachineId machine = network_->add_machine(name, document_.span(part));
      network_->add_instance(universe_, machine, Value(), name);
      Code code(*network_, machine, failures_);
      Code* outer = std::exchange(code_, &code);
      writers_.enter(shared, number);
      construct(part, here);
      writers_.leave();
      code_ = outer;
      const Code::Ends ends = code.finish(span);
      const LocationId waiting = network_->add_location("waiting", machine, span);
      network_->location(waiting).final = true;
      begin_machine(machine, waiting, span);
      begin.push_back(answer(machine, "begins", waiting, ends.entry, span));
      if (join) {
        finish.push_back(answer(machine, "is over", ends.end, waiting, span));
      } else {
        const EventId over = network_->add_event("is over", machine, span);
        network_->event(over).arcs.push_back({ends.end, waiting, span});
        over_.push_back(answer(machine, "has ended", waiting, waiting, span));
      }
    }
    std::vector<std::pair<VariableId, Expr>> none;
    for (const auto& [uri, one] : shared) none.emplace_back(one.writer, pool_->integer(0));
    if (!none.empty())
      code_->assign_all(site(resource, label(resource, here) + ": nothing is written"), none);
    if (!begin.empty()) code_->together(site(resource, label(resource, here)), std::move(begin));
    if (!finish.empty())
      code_->together(site(resource, label(resource, here) + " is over"), std::move(finish));
  }

  // An event that only happens together with another one.
  Sync answer(MachineId machine, std::string name, LocationId from, LocationId to, Span origin) {
    const EventId id = network_->add_event(std::move(name), machine, origin);
    network_->event(id).root = false;
    network_->event(id).arcs.push_back({from, to, origin});
    Sync result;
    result.machine = machine;
    result.event = id;
    result.origin = origin;
    return result;
  }

  // ----- performs

  void produce(std::size_t resource, Instance& here) {
    Action action;
    std::vector<Given> gives;
    std::vector<VariableId> needs;
    for (const Binding& binding : document_.bindings(resource)) {
      const auto to = processes_.parameter(here, binding.to);
      if (!to) {
        processes_.no_parameter(binding, here);
        continue;
      }
      gives.push_back(processes_.given(binding, *to, here, nullptr, needs));
      writers_.note(binding.to, action);
    }
    processes_.give(action, gives);
    processes_.need(action, needs, label(resource, here), resource);
    processes_.check_divisions(action, resource);
    code_->step(site(resource, label(resource, here)), std::move(action));
  }

  void perform(std::size_t resource, Instance& here) {
    Instance& inner = processes_.performed(resource, here);
    for (const Instance* at = &here; at != nullptr; at = at->around) {
      if (at->process != inner.process) continue;
      diagnostics_.report("owls-005", document_.span(resource),
                          fmt::format("`{}` performs itself", document_.name(inner.process)),
                          "processes are copied to where they are performed; write a loop");
      return;
    }
    processes_.note_types(inner);
    inputs(resource, inner, here);
    const Reading holds = values_.conditions(inner.process, "hasPrecondition", inner);
    Action before;
    if (!pool_->is_true(holds.known)) {
      FailureId& failure = preconditions_[inner.name];
      if (!failure.valid())
        failure = failures_.add(fmt::format("precondition of `{}`", inner.name),
                                PropertyKind::Assert, document_.span(resource));
      before.hazards = processes_.hazards(holds.known, resource);
      before.hazards.push_back({pool_->negate(holds.known), failure});
    }
    activities_.try_emplace(program::step_name(inner.name), resource);
    if (graph_.object(inner.process, "composedOf") != kNoResource) {
      code_->step(site(resource, inner.name), std::move(before));
      body(inner);
      Action over;
      over.values = {{inner.done, pool_->boolean(true)}};
      results(inner, site(resource, inner.name + " is over"), std::move(over));
      return;
    }
    results(inner, site(resource, inner.name), std::move(before));
  }

  void inputs(std::size_t resource, Instance& inner, Instance& here) {
    std::vector<Given> gives;
    std::vector<VariableId> needs;
    std::set<std::string> bound;
    for (const Binding& binding : document_.bindings(resource)) {
      const auto to = processes_.parameter(inner, binding.to);
      if (!to) {
        processes_.no_parameter(binding, inner);
        continue;
      }
      bound.insert(binding.to);
      gives.push_back(processes_.given(binding, *to, here, &inner, needs));
    }
    for (const Parameter& parameter : inner.parameters) {
      if (bound.contains(parameter.uri) || parameter.of_result ||
          (parameter.output && graph_.object(inner.process, "composedOf") == kNoResource))
        continue;
      if (!parameter.output && !parameter.local && !parameter.existential)
        diagnostics_.report("owls-free", document_.span(resource),
                            fmt::format("the input `{}` of `{}` gets no value: it may be anything",
                                        parameter.name, inner.name),
                            "process:hasDataFrom binds it");
      gives.push_back({inner.variables.at(parameter.uri), {}, {}});
    }
    if (gives.empty()) return;
    Action action;
    processes_.give(action, gives);
    processes_.need(action, needs, inner.name, resource);
    processes_.check_divisions(action, resource);
    code_->step(site(resource, inner.name + " gets its inputs"), std::move(action));
  }

  // What a process leaves behind. `first`: what the step before all of them does, too.
  void results(Instance& at, const Site& where, Action first) {
    const auto all = graph_.all(at.process, "hasResult");
    const bool composite = graph_.object(at.process, "composedOf") != kNoResource;
    std::vector<Code::Way> ways;
    std::vector<Expr> none;
    bool always = false;
    bool chosen = false;  // variables of results are
    program::Path path(*network_);
    Action choice;
    for (const Statement* statement : all) {
      for (const Statement* local : graph_.all(statement->object, "hasResultVar"))
        if (!local->literal()) choose(at, graph_.at(local->object).uri, choice, path);
      const Reading holds = values_.conditions(statement->object, "inCondition", at);
      const Expr known = path.now(holds.known);
      ways.push_back({code_->place(), fmt::format(": result {}", ways.size() + 1), known});
      if (!holds.partial) none.push_back(pool_->negate(known));
      always = always || (!holds.partial && pool_->is_true(known));
      chosen = !choice.inputs.empty();
    }
    if (ways.empty() && composite && first.empty()) return;
    if (ways.empty() || (ways.size() == 1 && always && !chosen)) {
      result(at, all.empty() ? kNoResource : all[0]->object, first);
      return code_->step(where, std::move(first));
    }
    // With variables, the result is one of those that there are.
    if (!always && !chosen) ways.push_back({code_->place(), ": no result", pool_->conj(none)});
    const Code::Place behind = code_->place();
    choice.hazards = std::move(first.hazards);
    processes_.need(choice, {}, at.name.empty() ? document_.name(at.process) : at.name, at.process);
    code_->select(where, ways, std::move(choice));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      code_->put(ways[i].to);
      Action action;
      result(at, i < all.size() ? all[i]->object : kNoResource, action);
      Site here = where;
      here.text += ways[i].name + " is given";
      here.point = here.text;
      code_->step(here, std::move(action));
      code_->jump(behind);
    }
    code_->put(behind);
  }

  // A variable of a result has some value for which the result's condition holds.
  void choose(Instance& at, const std::string& uri, Action& choice, program::Path& path) {
    const auto variable = processes_.parameter(at, uri);
    if (!variable) return;
    processes_.give(choice, {{*variable, {}, {}}});
    for (const auto& [to, value] : choice.values) path.assign(to, value);
  }

  // Outputs that nothing speaks about may be anything; those of a composite process may have been
  // produced on the way.
  void result(Instance& at, std::size_t result, Action& action) {
    std::vector<Given> gives;
    std::vector<VariableId> needs;
    if (result != kNoResource) {
      for (const Statement* output : graph_.all(result, "withOutput")) {
        if (output->literal()) continue;
        const Binding binding = document_.binding(output->object);
        if (const auto to = processes_.parameter(at, binding.to))
          gives.push_back(processes_.given(binding, *to, at, nullptr, needs));
        else
          processes_.no_parameter(binding, at);
      }
      for (const Statement* effect : graph_.all(result, "hasEffect"))
        values_.effect(*effect, at, gives);
    }
    if (graph_.object(at.process, "composedOf") == kNoResource)
      for (const Parameter& parameter : at.parameters) {
        const VariableId variable = at.variables.at(parameter.uri);
        const bool spoken_of = std::any_of(gives.begin(), gives.end(),
                                           [&](const Given& one) { return one.to == variable; });
        if (parameter.output && !spoken_of) gives.push_back({variable, {}, {}});
      }
    processes_.give(action, gives);
    processes_.need(action, needs, at.name.empty() ? document_.name(at.process) : at.name,
                    at.process);
    processes_.check_divisions(action, at.process);
    if (at.done.valid()) action.values.emplace_back(at.done, pool_->boolean(true));
  }

  const Document& document_;
  const Graph& graph_;
  Facts& facts_;
  FileId file_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  Values values_;
  program::Failures failures_;
  Processes processes_;
  Writers writers_;
  UniverseId universe_;
  MachineId main_;
  MachineId owner_;  // of all variables; invalid: they are shared
  InstanceId instance_;
  std::unique_ptr<Instance> outermost_;
  std::map<std::string, FailureId> preconditions_;  // by name of the perform
  Activities activities_;
  std::vector<std::size_t> open_;  // constructs being followed
  std::vector<Sync> over_;         // branches of splits have ended
  Code* code_ = nullptr;
  bool too_large_ = false;
};

}  // namespace

std::shared_ptr<Network> build_network(const Document& document, Sources& sources, FileId file,
                                       const FileReader& read, Diagnostics& diagnostics,
                                       SymbolIndex& symbols) {
  const std::vector<std::size_t> processes = document.outermost();
  if (processes.empty()) {
    diagnostics.report("owls-002", {file, 0, 0}, "the document has no composite process",
                       "a process:CompositeProcess says what is done in which order");
    return nullptr;
  }
  for (std::size_t i = 1; i < processes.size(); ++i)
    diagnostics.report("owls-free", document.span(processes[i]),
                       fmt::format("only `{}` is followed, not `{}`, which nothing performs",
                                   document.name(processes[0]), document.name(processes[i])),
                       "put it into a document of its own");
  Facts facts;
  {
    Diagnostics unheard;
    SymbolIndex unseen(false);
    Builder(document, facts, sources, file, unheard, unseen).run(processes[0]);
    facts.close();
  }
  Builder builder(document, facts, sources, file, diagnostics, symbols);
  std::shared_ptr<Network> network = builder.run(processes[0]);
  read_properties({*network, document, builder.outermost(), builder.main(), builder.universe()},
                  sources, file, read, diagnostics, symbols);
  note_expectations(*network, document, processes[0], diagnostics);
  return network;
}

}  // namespace whittle::owls
