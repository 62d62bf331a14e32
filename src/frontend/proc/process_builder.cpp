// SPDX-License-Identifier: Apache-2.0
// A failed assertion, an index out of range or a division by zero ends the run. Here the process
// that made the mistake stays at an error location and the others could go on; a run that does so
// could as well have left that step out, since it changed nothing but the process's place. Only
// properties that ask for the place of such a process could tell the difference: they hold wherever
// the process is at an error location.
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
  Errors(const Context& context, program::ProgramPoints& points, ErrorLocations& all)
      : context_(context), points_(points), all_(all) {}

  LocationId bounds() override {
    if (!bounds_.valid()) all_.bounds.push_back(bounds_ = points_.add_error("index out of range"));
    return bounds_;
  }
  LocationId division() override {
    if (!division_.valid())
      all_.division.push_back(division_ = points_.add_error("division by zero"));
    return division_;
  }
  LocationId failed(const Statement& assertion) override {
    LocationId& location = failed_[&assertion];
    if (!location.valid()) {
      location = points_.add_error(assertion_name(context_, assertion));
      all_.failed[&assertion].push_back(location);
    }
    return location;
  }

 private:
  const Context& context_;
  program::ProgramPoints& points_;
  ErrorLocations& all_;
  LocationId bounds_, division_;
  std::map<const Statement*, LocationId> failed_;
};

// The statements of one process.
class Flow final : public program::ControlFlow<StatementId> {
 public:
  Flow(const Context& context, const Process& process, program::ProgramPoints& points,
       StepCompiler& steps)
      : context_(context), process_(process), points_(points), steps_(steps) {}

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
    steps_.step(statement(s), from, to);
  }
  void test(StatementId s, LocationId from, LocationId yes, LocationId no) override {
    steps_.test(statement(s), from, yes, no);
  }

 private:
  [[nodiscard]] const Statement& statement(StatementId s) const {
    return context_.file.statements[s];
  }

  const Context& context_;
  const Process& process_;
  program::ProgramPoints& points_;
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
  Errors errors(context, points, errors_);
  StepCompiler steps(context, scope, process.machine, errors, conditions_);
  collect_labels(context, declaration.body, process, points);
  const LocationId end = points.add_final("end", declaration.name.span);
  Flow flow(context, process, points, steps);
  const LocationId entry = flow.block(declaration.body, {end, end, {}, {}});
  network.machine(process.machine)
      .starts.push_back({"start", entry, network.pool().boolean(true), declaration.name.span});
  process.errors = points.errors();
}

}  // namespace whittle::proc
