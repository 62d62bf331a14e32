// SPDX-License-Identifier: Apache-2.0
// Every statement becomes instructions (frontend/program/code.h). A procedure is copied to where it
// is called, with parameters of its own. `parallel` starts a machine for each of its blocks and
// waits for all of them; `any_order` runs its blocks one after the other and remembers which are
// done.
#include "frontend/cfa/network_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "frontend/cfa/notation.h"
#include "frontend/cfa/variables.h"
#include "frontend/expectation.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/program/checks.h"
#include "frontend/program/code.h"

namespace whittle::cfa {

namespace {

using frontend::SyntaxKind;
using frontend::SyntaxTree;
using program::Code;
using program::Hazard;
using program::Site;

constexpr std::size_t kMaxInstructions = 20'000;
constexpr std::size_t kMaxCalls = 100;  // inside each other

// A procedure, the program, or a block of `parallel`, while it is being compiled.
struct Frame {
  Arguments arguments;
  std::unordered_map<std::string, Code::Place> labels;
  Code::Place exit = 0;
  bool may_return = true;
};

class Builder {
 public:
  Builder(const File& file, const SyntaxTree& tree, const Sources& sources,
          Diagnostics& diagnostics, SymbolIndex& symbols)
      : file_(file),
        tree_(tree),
        source_(sources.file(tree.file())),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        network_(std::make_shared<Network>(pool_)),
        variables_(*network_, diagnostics, symbols),
        typer_(*pool_, tree, diagnostics, symbols) {
    network_->name = program_name(source_.path());
    network_->language = "cfa";
    network_->notation = make_notation();
    universe_ = network_->add_universe("the program");
  }

  std::shared_ptr<Network> run() {
    procedures();
    failures();
    const Span whole{tree_.file(), 0, 0};
    main_ = network_->add_machine("main", whole);
    const auto parallel = [](const Statement& s) { return s.kind == StatementKind::Parallel; };
    if (std::none_of(file_.statements.begin(), file_.statements.end(), parallel)) owner_ = main_;
    variables_.belong_to(owner_);
    network_->add_instance(universe_, main_, Value(), "main");
    Code code(*network_, main_, failures_);
    Frame frame;
    frame.exit = code.place();
    code_ = &code;
    frame_ = &frame;
    declarations();
    const Procedure* only = file_.body.empty() ? procedure("main") : nullptr;
    if (only != nullptr)
      enter(*only, {}, only->name.span);
    else
      body(file_.body);
    code.put(frame.exit);
    const Span last = {tree_.file(), static_cast<std::uint32_t>(source_.text().size()),
                       static_cast<std::uint32_t>(source_.text().size())};
    start(main_, code.finish(last).entry, whole);
    failures_.ask(*network_, universe_);
    if (!diagnostics_.has_errors()) warn();
    return network_;
  }

 private:
  static std::string program_name(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
    return std::string(path.substr(0, path.find_last_of('.')));
  }

  void start(MachineId machine, LocationId entry, Span origin) {
    network_->machine(machine).starts.push_back({"start", entry, pool_->boolean(true), origin});
  }

  // ----- what the file declares

  void procedures() {
    for (const Procedure& p : file_.procedures) {
      const auto [it, fresh] = procedures_.emplace(p.name.text, &p);
      if (fresh) {
        symbols_.declare(SymbolKind::Function, p.name.text, p.name.span);
        continue;
      }
      twice(p.name, it->second->name.span);
    }
  }

  void twice(const Name& name, Span before) {
    diagnostics_
        .report("cfa-001", name.span, fmt::format("`{}` is declared twice", name.text),
                "give one of them another name")
        .related.push_back({before, "first declared here"});
  }

  [[nodiscard]] const Procedure* procedure(const std::string& name) const {
    const auto found = procedures_.find(name);
    return found == procedures_.end() ? nullptr : found->second;
  }

  program::FailureId asserted(std::string name, const Statement& s) {
    Property property;  // for what can be expected of it
    property.name = name;
    property.kind = PropertyKind::Assert;
    frontend::expect_of(property, s.expected, diagnostics_);
    return failures_.add(std::move(name), property.kind, s.span, property.expected);
  }

  // Properties stand in the order of the text.
  void failures() {
    std::vector<const Statement*> order;
    for (const Statement& s : file_.statements)
      if (s.kind == StatementKind::Error || s.kind == StatementKind::Assert) order.push_back(&s);
    std::sort(order.begin(), order.end(),
              [](const Statement* a, const Statement* b) { return a->span.begin < b->span.begin; });
    for (const Statement* s : order) {
      const char* what = s->kind == StatementKind::Error ? "error" : "assert";
      std::string name =
          s->text.empty() ? fmt::format("{} at line {}", what, line_of(s->span)) : s->text;
      failed_.emplace(s, asserted(std::move(name), *s));
    }
    for (frontend::SyntaxId id = 0; id < tree_.size() && !division_.valid(); ++id) {
      const SyntaxKind kind = tree_.node(id).kind;
      if (kind == SyntaxKind::Divide || kind == SyntaxKind::Remainder)
        division_ = failures_.add("division", PropertyKind::Division, tree_.span(id));
    }
  }

  void declarations() {
    for (const VariableDeclaration& declaration : file_.variables) {
      const VariableId id = variables_.declare(declaration).id;
      if (!declaration.initial) continue;
      const Expr value =
          typed(*declaration.initial, network_->variable(id).type, "an initial value");
      if (!value.valid()) continue;
      if (pool_->is_const(value))
        network_->variable(id).initial = value;
      else
        code_->assign(site(declaration.span), id, value, hazards({value}));
    }
  }

  void warn() {
    variables_.warn();
    for (const Procedure& p : file_.procedures)
      if (!called_.contains(p.name.text))
        diagnostics_.report("cfa-021", p.name.span,
                            fmt::format("the procedure `{}` is never called", p.name.text),
                            "what it contains is not checked");
  }

  // ----- expressions

  Expr typed(frontend::SyntaxId id, Type type, std::string_view what) {
    ProgramScope scope(variables_, *network_, frame_->arguments, diagnostics_);
    return typer_.typed(id, scope, type, what);
  }

  // Where the value of one of these is not defined.
  std::vector<Hazard> hazards(std::initializer_list<Expr> values) {
    std::vector<program::Check> checks;
    for (const Expr value : values)
      for (program::Check& check : program::checks_of(*pool_, value)) checks.push_back(check);
    const Expr failure = program::first_failure(*pool_, checks, program::Check::Kind::Division);
    if (pool_->is_false(failure)) return {};
    return {{failure, division_}};
  }

  [[nodiscard]] std::uint32_t line_of(Span span) const { return source_.position(span.begin).line; }
  [[nodiscard]] std::string text_of(Span span) const {
    return std::string(source_.text().substr(span.begin, span.end - span.begin));
  }
  [[nodiscard]] Site site(Span span) const {
    return {span, fmt::format("line {}", line_of(span)), text_of(span)};
  }
  [[nodiscard]] Site site(const Statement& s) const {
    Site result = site(s.span);
    if (!s.labels.empty() && s.labels[0].text.find_first_not_of("0123456789") != std::string::npos)
      result.point = s.labels[0].text;
    return result;
  }

  // ----- statements

  // A whole body: labels inside are known everywhere in it.
  void body(const std::vector<StatementId>& list) {
    collect_labels(list);
    block(list);
  }

  void collect_labels(const std::vector<StatementId>& list) {
    for (const StatementId id : list) {
      const Statement& s = file_.statements[id];
      for (const Name& label : s.labels) {
        const auto [it, fresh] = frame_->labels.emplace(label.text, 0);
        if (fresh) {
          it->second = code_->place();
          symbols_.declare(SymbolKind::Location, label.text, label.span);
        } else {
          diagnostics_.report("cfa-001", label.span,
                              fmt::format("the label `{}` stands twice", label.text),
                              "give one of them another name");
        }
      }
      if (s.kind == StatementKind::Parallel) continue;  // has labels of its own
      for (const auto& inner : s.blocks) collect_labels(inner);
    }
  }

  void block(const std::vector<StatementId>& list) {
    for (const StatementId id : list) statement(file_.statements[id]);
  }

  void statement(const Statement& s) {
    for (const Name& label : s.labels) code_->put(frame_->labels.at(label.text));
    if (code_->size() > kMaxInstructions) {
      if (!too_large_)
        diagnostics_.report("cfa-007", s.span, "the program is too large",
                            fmt::format("procedures are copied to where they are called; together "
                                        "there may be {} instructions",
                                        kMaxInstructions));
      too_large_ = true;
      return;
    }
    switch (s.kind) {
      case StatementKind::Assign:
      case StatementKind::Input:
        return assign(s);
      case StatementKind::Call:
        return call(s);
      case StatementKind::If:
        return if_statement(s);
      case StatementKind::While:
        return while_statement(s);
      case StatementKind::DoWhile:
        return do_statement(s);
      case StatementKind::Error:
        return code_->fail(site(s), failed_.at(&s));
      case StatementKind::Assert:
      case StatementKind::Assume:
        return condition(s);
      case StatementKind::Skip:
        return code_->skip(site(s));
      case StatementKind::Return:
        return return_statement(s);
      case StatementKind::Goto:
        return go_to(s);
      case StatementKind::Block:
        return block(s.blocks[0]);
      case StatementKind::Choice:
        return choice(s);
      case StatementKind::Parallel:
        return parallel(s);
      case StatementKind::AnyOrder:
        return any_order(s);
    }
  }

  void assign(const Statement& s) {
    ProgramScope scope(variables_, *network_, frame_->arguments, diagnostics_);
    const Argument to = scope.target(s.name);
    symbols_.use(to.span, s.name.span);
    if (s.kind == StatementKind::Input) return code_->input(site(s), to.id);
    const Expr value = typed(*s.value, network_->variable(to.id).type, "the value");
    if (value.valid()) code_->assign(site(s), to.id, value, hazards({value}));
  }

  void condition(const Statement& s) {
    const bool assertion = s.kind == StatementKind::Assert;
    const Expr c =
        typed(*s.value, Type::boolean(), assertion ? "what is asserted" : "what is assumed");
    if (!c.valid()) return;
    std::vector<Hazard> wrong = hazards({c});
    if (assertion) wrong.push_back({pool_->negate(c), failed_.at(&s)});
    code_->assume(site(s), c, std::move(wrong));
  }

  // Goes on where the condition of the statement holds, else to the other place.
  void test(const Statement& s, Code::Place otherwise) {
    if (!s.value) return code_->either(site(s), otherwise);
    const Expr c = typed(*s.value, Type::boolean(), "the condition");
    if (c.valid()) code_->branch(site(s), c, otherwise, hazards({c}));
  }

  void if_statement(const Statement& s) {
    const Code::Place otherwise = code_->place();
    test(s, otherwise);
    block(s.blocks[0]);
    if (s.blocks[1].empty()) return code_->put(otherwise);
    const Code::Place behind = code_->place();
    code_->jump(behind);
    code_->put(otherwise);
    block(s.blocks[1]);
    code_->put(behind);
  }

  void while_statement(const Statement& s) {
    const Code::Place head = code_->place();
    const Code::Place behind = code_->place();
    code_->put(head);
    test(s, behind);
    block(s.blocks[0]);
    code_->jump(head);
    code_->put(behind);
  }

  void do_statement(const Statement& s) {
    const Code::Place head = code_->place();
    const Code::Place behind = code_->place();
    code_->put(head);
    block(s.blocks[0]);
    test(s, behind);
    code_->jump(head);
    code_->put(behind);
  }

  void return_statement(const Statement& s) {
    if (!frame_->may_return) {
      diagnostics_.report("cfa-006", s.span, "`return` cannot leave a block of `parallel`",
                          "the other blocks may still be running");
      return;
    }
    code_->skip(site(s));
    code_->jump(frame_->exit);
  }

  void go_to(const Statement& s) {
    const auto found = frame_->labels.find(s.name.text);
    if (found == frame_->labels.end()) {
      diagnostics_.report("cfa-005", s.name.span,
                          fmt::format("there is no label `{}` here", s.name.text),
                          frame_->may_return ? "labels belong to their procedure"
                                             : "jumps stay within a block of `parallel`");
      return;
    }
    code_->skip(site(s));
    code_->jump(found->second);
  }

  void choice(const Statement& s) {
    std::vector<Code::Way> ways;
    for (std::size_t i = 0; i < s.blocks.size(); ++i)
      ways.push_back({code_->place(), fmt::format(" {}", i + 1)});
    const Code::Place behind = code_->place();
    code_->select(site(s), ways);
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      code_->put(ways[i].to);
      block(s.blocks[i]);
      code_->jump(behind);
    }
    code_->put(behind);
  }

  // ----- calls

  void call(const Statement& s) {
    const Procedure* callee = procedure(s.name.text);
    if (callee == nullptr) {
      NearestName nearest(s.name.text);
      for (const auto& entry : procedures_) nearest.offer(entry.first);
      diagnostics_.report(
          "cfa-002", s.name.span, fmt::format("there is no procedure `{}`", s.name.text),
          nearest.result() ? fmt::format("did you mean `{}`?", *nearest.result())
                           : fmt::format("declare it: `void {}() {{ ... }}`", s.name.text));
      return;
    }
    symbols_.use(callee->name.span, s.name.span);
    if (callee->parameters.size() != s.arguments.size()) {
      diagnostics_
          .report("cfa-003", s.span,
                  fmt::format("`{}` has {} parameters, here are {} arguments", s.name.text,
                              callee->parameters.size(), s.arguments.size()),
                  "")
          .related.push_back({callee->name.span, "declared here"});
      return;
    }
    if (std::find(calls_.begin(), calls_.end(), callee) != calls_.end() ||
        calls_.size() >= kMaxCalls) {
      diagnostics_.report("cfa-004", s.span, fmt::format("`{}` calls itself", s.name.text),
                          "procedures are copied to where they are called; write a loop");
      return;
    }
    if (s.arguments.empty()) code_->skip(site(s));
    enter(*callee, s.arguments, s.span);
  }

  void enter(const Procedure& callee, const std::vector<SyntaxId>& values, Span origin) {
    called_.insert(callee.name.text);
    Frame inner;
    inner.exit = code_->place();
    for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
      const Procedure::Parameter& parameter = callee.parameters[i];
      const Type type = parameter.boolean ? Type::boolean() : Type::integer();
      const auto [it, fresh] = inner.arguments.try_emplace(parameter.name.text);
      if (!fresh) twice(parameter.name, it->second.span);
      std::string name = fmt::format("{}.{}", callee.name.text, parameter.name.text);
      if (const unsigned copy = ++copies_[name]; copy > 1) name += fmt::format(".{}", copy);
      it->second = {variable(name, type, parameter.name.span), parameter.name.span};
      symbols_.declare(SymbolKind::Parameter, parameter.name.text, parameter.name.span);
      if (i >= values.size()) continue;  // of the whole program: any value
      // Nobody sees it before the call.
      network_->variable(it->second.id).initial = pool_->constant(pool_->default_value(type), type);
      const Expr value = typed(values[i], type, "the argument");
      Site at = site(origin);
      at.text = fmt::format("{} = {}", parameter.name.text, text_of(tree_.span(values[i])));
      if (value.valid()) code_->assign(std::move(at), it->second.id, value, hazards({value}));
    }
    Frame* outer = std::exchange(frame_, &inner);
    calls_.push_back(&callee);
    body(callee.body);
    calls_.pop_back();
    frame_ = outer;
    code_->put(inner.exit);
  }

  VariableId variable(std::string name, Type type, Span origin) {
    return network_->add_variable(std::move(name), type, owner_, origin);
  }

  // ----- blocks that belong together

  [[nodiscard]] std::string block_name(const Statement& s, std::size_t block) {
    std::string name = fmt::format("line {} block {}", line_of(s.span), block + 1);
    if (const unsigned copy = ++copies_[name]; copy > 1) name += fmt::format(" copy {}", copy);
    return name;
  }

  void parallel(const Statement& s) {
    std::vector<Sync> begin;
    std::vector<Sync> finish;
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      const std::string name = block_name(s, i);
      const MachineId machine = network_->add_machine(name, s.span);
      network_->add_instance(universe_, machine, Value(), name);
      Code code(*network_, machine, failures_);
      Frame inner;
      inner.arguments = frame_->arguments;
      inner.exit = code.place();
      inner.may_return = false;
      Code* outer_code = std::exchange(code_, &code);
      Frame* outer_frame = std::exchange(frame_, &inner);
      body(s.blocks[i]);
      code_ = outer_code;
      frame_ = outer_frame;
      code.put(inner.exit);
      const Code::Ends ends = code.finish(s.span);
      const LocationId waiting = network_->add_location("waiting", machine, s.span);
      network_->location(waiting).final = true;
      start(machine, waiting, s.span);
      begin.push_back(answer(machine, "begins", waiting, ends.entry, s.span));
      finish.push_back(answer(machine, "is done", ends.end, waiting, s.span));
    }
    code_->together(site(s), std::move(begin));
    Site end = site(s);
    end.text = "all blocks are done";
    code_->together(std::move(end), std::move(finish));
  }

  // An event that only happens together with the program's.
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

  void any_order(const Statement& s) {
    std::vector<std::pair<VariableId, Expr>> none;
    std::vector<Expr> all;
    std::vector<Code::Way> ways;
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      const VariableId done = variable(block_name(s, i) + " is done", Type::boolean(), s.span);
      network_->variable(done).initial = pool_->boolean(false);
      none.emplace_back(done, pool_->boolean(false));
      all.push_back(pool_->symbol(network_->variable(done).current));
      ways.push_back({code_->place(), fmt::format(" block {}", i + 1), pool_->negate(all[i])});
    }
    const Code::Place behind = code_->place();
    ways.push_back({behind, " is done", pool_->conj(all)});
    const Code::Place next = code_->place();
    code_->assign_all(site(s), none);
    code_->put(next);
    code_->select(site(s), ways);
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      code_->put(ways[i].to);
      block(s.blocks[i]);
      Site done = site(s);
      done.text += fmt::format(" block {} is done", i + 1);
      code_->assign(done, none[i].first, pool_->boolean(true));
      code_->jump(next);
    }
    code_->put(behind);
  }

  const File& file_;
  const SyntaxTree& tree_;
  const SourceFile& source_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  UniverseId universe_;
  MachineId main_;
  MachineId owner_;  // of all variables; invalid: they are shared
  Variables variables_;
  frontend::ExpressionTyper typer_;
  program::Failures failures_;
  std::map<const Statement*, program::FailureId> failed_;
  program::FailureId division_;
  std::unordered_map<std::string, const Procedure*> procedures_;
  std::set<std::string> called_;
  std::map<std::string, unsigned> copies_;  // of names
  std::vector<const Procedure*> calls_;     // those being copied
  Code* code_ = nullptr;
  Frame* frame_ = nullptr;
  bool too_large_ = false;
};

}  // namespace

std::shared_ptr<Network> build_network(const File& file, const SyntaxTree& tree,
                                       const Sources& sources, Diagnostics& diagnostics,
                                       SymbolIndex& symbols) {
  return Builder(file, tree, sources, diagnostics, symbols).run();
}

}  // namespace whittle::cfa
