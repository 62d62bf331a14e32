// SPDX-License-Identifier: Apache-2.0
#include "frontend/program/code.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "frontend/program/step_events.h"

namespace whittle::program {

Code::Place Code::place() {
  places_.push_back(SIZE_MAX);
  return static_cast<Place>(places_.size() - 1);
}

Code::Instruction& Code::add(Kind kind, Site site) {
  checkpoint();
  Instruction& result = instructions_.emplace_back();
  result.kind = kind;
  result.site = std::move(site);
  return result;
}

void Code::skip(Site site) { add(Kind::Step, std::move(site)); }

void Code::assign(Site site, VariableId variable, Expr value, std::vector<Hazard> hazards) {
  Instruction& step = add(Kind::Step, std::move(site));
  step.action.values = {{variable, value}};
  step.action.hazards = std::move(hazards);
}

void Code::step(Site site, Action action) {
  add(Kind::Step, std::move(site)).action = std::move(action);
}

void Code::assign_all(Site site, std::vector<std::pair<VariableId, Expr>> values) {
  add(Kind::Step, std::move(site)).action.values = std::move(values);
}

void Code::input(Site site, VariableId variable, Expr least, Expr greatest) {
  Instruction& step = add(Kind::Input, std::move(site));
  step.variable = variable;
  step.condition = least;
  step.greatest = greatest;
}

void Code::forget(Site site, VariableId variable, Expr least, Expr greatest) {
  input(std::move(site), variable, least, greatest);
  instructions_.back().forgets = true;
}

void Code::assume(Site site, Expr condition, std::vector<Hazard> hazards) {
  assume(std::move(site), condition, Action{{}, {}, std::move(hazards), {}});
}

void Code::assume(Site site, Expr condition, Action action) {
  Instruction& step = add(Kind::Assume, std::move(site));
  step.condition = condition;
  step.action = std::move(action);
}

void Code::branch(Site site, Expr condition, Place otherwise, std::vector<Hazard> hazards) {
  branch(std::move(site), condition, otherwise, Action{{}, {}, std::move(hazards), {}});
}

void Code::branch(Site site, Expr condition, Place otherwise, Action action) {
  Instruction& step = add(Kind::Branch, std::move(site));
  step.condition = condition;
  step.other = otherwise;
  step.action = std::move(action);
}

void Code::select(Site site, std::vector<Way> ways, Action action) {
  Instruction& step = add(Kind::Select, std::move(site));
  step.ways = std::move(ways);
  step.action = std::move(action);
}

void Code::either(Site site, Place other) {
  const Place next = place();
  select(std::move(site), {{next, ""}, {other, " else"}});
  put(next);
}

void Code::jump(Place to) { add(Kind::Jump, {}).other = to; }

void Code::fail(Site site, FailureId failure) {
  add(Kind::Fail, std::move(site)).failure = failure;
}

void Code::end(Site site) { add(Kind::End, std::move(site)); }

void Code::together(Site site, std::vector<Sync> with) {
  add(Kind::Step, std::move(site)).syncs = std::move(with);
}

// A circle of jumps is a loop that does nothing for ever: one of its jumps becomes a step to
// itself.
std::size_t Code::executed_at(std::size_t position) {
  std::vector<std::size_t> passed;
  while (position < instructions_.size() && instructions_[position].kind == Kind::Jump) {
    Instruction& jump = instructions_[position];
    if (passed.size() > instructions_.size()) {
      jump.kind = Kind::Select;
      jump.site.point = jump.site.text = "loop";
      jump.ways = {{place(), ""}};
      places_.back() = position;
      break;
    }
    passed.push_back(position);
    position = std::min(places_[jump.other], instructions_.size());
  }
  // The next time all of them lead here at once.
  if (passed.size() > 1) {
    const Place target = place();
    places_[target] = position;
    for (const std::size_t jump : passed)
      if (jump != position) instructions_[jump].other = target;
  }
  return position;
}

// A place that was never put (in programs with errors) is the end.
LocationId Code::location_at(std::size_t position) {
  position = executed_at(position);
  if (position >= instructions_.size()) return end_;
  LocationId& location = locations_[position];
  if (!location.valid()) {
    const Site& site = instructions_[position].site;
    location = points_.add(site.point, site.origin);
    reached_.push_back(position);
  }
  return location;
}

Code::Ends Code::finish(Span end) {
  end_ = points_.add_final("end", end);
  drop_unread();
  locations_.assign(instructions_.size(), LocationId());
  const LocationId entry = location_at(0);
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    checkpoint();
    emit(instructions_[reached_[i]], reached_[i]);
  }
  return {entry, end_};
}

void Code::emit(Instruction& instruction, std::size_t position) {
  ExprPool& pool = network_.pool();
  const LocationId from = locations_[position];
  const Span origin = instruction.site.origin;
  const Action& action = instruction.action;
  Path start(network_);
  for (const Action::Input& input : action.inputs) {
    start.add_input(input.symbol, input.type, input.name);
    const Expr value = pool.symbol(input.symbol);
    if (input.least.valid()) start.assume(pool.le(input.least, value), origin);
    if (input.greatest.valid()) start.assume(pool.le(value, input.greatest), origin);
  }
  for (const Expr condition : action.assumptions) start.assume(condition, origin);
  Path path = start;
  for (const Hazard& hazard : action.hazards) {
    if (pool.is_false(hazard.condition)) continue;
    emit_event(instruction, from, failures_.location(hazard.failure, machine_, points_),
               start.failing(hazard.condition, origin), " fails");
    if (!hazard.goes_on) path.assume(pool.negate(hazard.condition), origin);
  }
  if (path.impossible()) return;
  const auto assign = [&](Path& taken) {
    for (const auto& [variable, value] : action.values) taken.assign(variable, value);
  };
  const auto next = [&] { return location_at(position + 1); };
  switch (instruction.kind) {
    case Kind::Step:
      assign(path);
      emit_event(instruction, from, next(), path, "");
      break;
    case Kind::Input: {
      const Expr value = path.input(network_.variable(instruction.variable).type,
                                    instruction.forgets ? "unset" : "");
      if (instruction.condition.valid()) path.assume(pool.le(instruction.condition, value), origin);
      if (instruction.greatest.valid()) path.assume(pool.le(value, instruction.greatest), origin);
      path.assign(instruction.variable, value);
      emit_event(instruction, from, next(), path, "");
      break;
    }
    case Kind::Assume:
      path.assume(instruction.condition, origin);
      assign(path);
      if (!path.impossible()) emit_event(instruction, from, next(), path, "");
      break;
    case Kind::Branch: {
      Path other = path;
      path.assume(instruction.condition, origin);
      other.assume(pool.negate(instruction.condition), origin);
      assign(path);
      assign(other);
      if (!path.impossible()) emit_event(instruction, from, next(), path, "");
      if (!other.impossible())
        emit_event(instruction, from, location_at(places_[instruction.other]), other, " else");
      break;
    }
    case Kind::Select:
      for (const Way& way : instruction.ways) {
        Path taken = path;
        if (way.condition.valid()) taken.assume(way.condition, origin);
        assign(taken);
        if (!taken.impossible())
          emit_event(instruction, from, location_at(places_[way.to]), taken, way.name);
      }
      break;
    case Kind::Fail:
      emit_event(instruction, from, failures_.location(instruction.failure, machine_, points_),
                 path, "");
      break;
    case Kind::End:
      emit_event(instruction, from, end_, path, "");
      break;
    case Kind::Jump:
      break;  // has no location
  }
}

void Code::emit_event(const Instruction& instruction, LocationId from, LocationId to,
                      const Path& path, std::string_view suffix) {
  const std::size_t before = network_.events().size();
  StepEvents events(network_, machine_, step_name(instruction.site.text), instruction.site.origin);
  events.emit(from, to, path, suffix);
  if (instruction.syncs.empty() || network_.events().size() == before) return;
  network_.event(EventId(static_cast<std::uint32_t>(before))).syncs = instruction.syncs;
}

}  // namespace whittle::program
