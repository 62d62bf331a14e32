// SPDX-License-Identifier: Apache-2.0
// A failed assertion, an index out of range or a division by zero ends the run. Here the process
// that made the mistake stays at an error location and the others could go on; a run that does so
// could as well have left that step out, since it changed nothing but the process's place. Only
// properties that ask for the place of such a process could tell the difference: they hold wherever
// the process is at an error location. Questions about what comes after a state can tell, too:
// where a program has some, nothing moves any more behind such a step, and there is an error
// location for each place that can fail (end_runs_at_failures).
#include "frontend/proc/process_builder.h"

#include <fmt/format.h>

#include "frontend/proc/instruction.h"
#include "frontend/program/control_flow.h"
#include "frontend/program/program_points.h"

namespace whittle::proc {

namespace {

// Error locations of one process, made when there is a step to them.
class Errors final : public ErrorPlaces {
 public:
  Errors(const Context& context, program::ProgramPoints& points, ErrorLocations& all,
         Process& process)
      : context_(context),
        points_(points),
        all_(all),
        process_(process),
        by_place_(context.file.asks_about_runs()) {}

  // Where the steps begin that are compiled from now on.
  void at(LocationId from) { from_ = from; }

  LocationId bounds() override { return unsafe("index out of range", bounds_, all_.bounds); }
  LocationId division() override { return unsafe("division by zero", division_, all_.division); }
  LocationId failed(const Statement& assertion) override {
    LocationId& location = failed_[&assertion];
    if (!location.valid()) {
      location = points_.add_error(assertion_name(context_, assertion));
      all_.failed[&assertion].push_back(location);
      if (by_place_) process_.failed_at.emplace_back(location, from_);
    }
    return location;
  }

 private:
  using ByPlace = std::map<LocationId, LocationId>;

  LocationId unsafe(const std::string& name, ByPlace& known, std::vector<LocationId>& all) {
    LocationId& location = known[by_place_ ? from_ : LocationId()];
    if (location.valid()) return location;
    location = points_.add_error(
        by_place_ ? fmt::format("{} at {}", name, context_.network.location(from_).name) : name);
    all.push_back(location);
    if (by_place_) process_.failed_at.emplace_back(location, from_);
    return location;
  }

  const Context& context_;
  program::ProgramPoints& points_;
  ErrorLocations& all_;
  Process& process_;
  bool by_place_;
  LocationId from_;
  ByPlace bounds_, division_;
  std::map<const Statement*, LocationId> failed_;
};

// The statements of one process.
class Flow final : public program::ControlFlow<StatementId> {
 public:
  Flow(const Context& context, const Process& process, program::ProgramPoints& points,
       Errors& errors, StepCompiler& steps)
      : context_(context), process_(process), points_(points), errors_(errors), steps_(steps) {}

 protected:
  program::FlowKind kind(StatementId s) const override {
    switch (statement(s).kind) {
      case StatementKind::If:
        return program::FlowKind::Branch;
      case StatementKind::While:
        return program::FlowKind::Loop;
      case StatementKind::Return:
        return program::FlowKind::Return;
      default:
        return program::FlowKind::Step;
    }
  }
  std::span<const StatementId> body(StatementId s) const override { return statement(s).body; }
  std::span<const StatementId> otherwise(StatementId s) const override {
    return statement(s).otherwise;
  }
  LocationId location(StatementId id) override {
    const Statement& s = statement(id);
    if (s.label) return process_.labels.at(s.label->text).location;
    return points_.add(fmt::format("line {}", context_.line_of(s.span)), s.span);
  }
  void step(StatementId s, LocationId from, LocationId to) override {
    errors_.at(from);
    steps_.step(statement(s), from, to);
  }
  void test(StatementId s, LocationId from, LocationId yes, LocationId no) override {
    errors_.at(from);
    steps_.test(statement(s), from, yes, no);
  }

 private:
  [[nodiscard]] const Statement& statement(StatementId s) const {
    return context_.file.statements[s];
  }

  const Context& context_;
  const Process& process_;
  program::ProgramPoints& points_;
  Errors& errors_;
  StepCompiler& steps_;
};

// Labels are locations with that name; they come first, so that other names avoid them.
void collect_labels(const Context& context, const std::vector<StatementId>& list, Process& process,
                    program::ProgramPoints& points) {
  for (StatementId id : list) {
    const Statement& s = context.file.statements[id];
    if (s.label) {
      const auto [it, fresh] = process.labels.try_emplace(s.label->text);
      if (fresh) {
        it->second = {points.add(s.label->text, s.span), s.label->span};
        context.symbols.declare(SymbolKind::Location, s.label->text, s.label->span);
      } else {
        context.diagnostics.report(
            "proc-001", s.label->span,
            fmt::format("the label `{}` stands twice in this process", s.label->text),
            "give one of them another name");
      }
    }
    if (s.kind == StatementKind::Atomic) continue;  // has no labels inside
    collect_labels(context, s.body, process, points);
    collect_labels(context, s.otherwise, process, points);
  }
}

}  // namespace

bool ProcessBuilder::first_of_family(std::uint32_t index) const {
  const Names& names = context_.names;
  return index == names.family_list[names.processes[index].declaration].first;
}

void ProcessBuilder::build(std::uint32_t index) {
  Process& process = context_.names.processes[index];
  const ProcessDeclaration& declaration = context_.file.processes[process.declaration];
  // Messages about the body of a family are the same for every process, and so are its names.
  Diagnostics repeated;
  SymbolIndex repeated_symbols(false);
  const bool first = first_of_family(index);
  const Context context{context_.file,
                        context_.tree,
                        context_.sources,
                        context_.network,
                        context_.universe,
                        context_.names,
                        first ? context_.diagnostics : repeated,
                        first ? context_.symbols : repeated_symbols};
  Network& network = context.network;
  const Name* identity = declaration.identity ? &*declaration.identity : nullptr;
  ProcessScope scope(context.names, context.diagnostics, network, identity, process);
  program::ProgramPoints points(network, process.machine);
  Errors errors(context, points, errors_, process);
  StepCompiler steps(context, scope, process.machine, errors, conditions_);
  collect_labels(context, declaration.body, process, points);
  const LocationId end = points.add_final("end", declaration.name.span);
  Flow flow(context, process, points, errors, steps);
  const LocationId entry = flow.block(declaration.body, {end, end, {}, {}});
  network.machine(process.machine)
      .starts.push_back({"start", entry, network.pool().boolean(true), declaration.name.span});
  process.errors = points.errors();
  fairness(process);
}

// Every process of a family by itself.
void ProcessBuilder::fairness(const Process& process) {
  const ProcessDeclaration& declaration = context_.file.processes[process.declaration];
  if (!declaration.fairness) return;
  Network& network = context_.network;
  const Machine& machine = network.machine(process.machine);
  network.fairness.push_back({*declaration.fairness, process.machine, machine.events, machine.name,
                              declaration.name.span});
}

void ProcessBuilder::end_runs_at_failures() {
  if (!context_.file.asks_about_runs()) return;
  Network& network = context_.network;
  ExprPool& pool = network.pool();
  for (const Process& process : context_.names.processes) {
    std::vector<Guard> guards;
    for (const Process& other : context_.names.processes) {
      if (other.machine == process.machine) continue;
      for (const LocationId error : other.errors) {
        const Expr failed = pool.symbol(network.remote_at(error));
        guards.push_back({pool.negate(failed), network.machine(other.machine).origin});
      }
    }
    for (const EventId event : network.machine(process.machine).events) {
      auto& all = network.event(event).guards;
      all.insert(all.end(), guards.begin(), guards.end());
    }
  }
}

}  // namespace whittle::proc
