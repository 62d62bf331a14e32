// SPDX-License-Identifier: Apache-2.0
// Slicing a network for a question: criterion, closure, reconnection, and again until nothing
// changes (Eilers 2018, sections 4.3 to 4.5). The steps in between are in files of their own; this
// one decides how precise the dependences are and in which order things happen.
//
//   granularity   dependences                                         reconnection
//   coarse        by location, events whole                           conventional
//   coi           by variable only, every change of location          none needed
//   fine          by location                                         conventional
//   amorphous     by location                                         shortcuts, or conventional
//                                                                     where they would be inexact
//
// By location means: a definition counts if it reaches the use along the control flow. That leaves
// variables with other values than in the original where nothing reads them. A trace does not mind;
// an inductive invariant might mention such a value and would not hold in the original. So
// questions without a bound, which are answered with invariants, are sliced by variable.
#include "slice/slice.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/deadline.h"
#include "base/error.h"
#include "slice/back.h"
#include "slice/build.h"
#include "slice/compress.h"
#include "slice/criteria.h"
#include "slice/kept.h"
#include "slice/machines.h"

namespace whittle::slice {

namespace {

// Beyond so many pairs of a location and a variable the closure is done by variable instead: the
// number of pairs is the one thing here that is not linear in the network.
constexpr std::size_t kMaxPairs = 3'000'000;
// Rounds of reconnection before everything between the start and the slice is taken at once.
constexpr int kMaxRounds = 64;
// Arcs walked to find shortcuts, per machine.
constexpr std::uint64_t kShortcutWork = 20'000'000;

// A shortcut moves one machine. Where what it stands for would move others in the same step, two
// shortcuts in place of one step would be too long, and a trace would be lost.
bool moves_alone(const ControlFlow& flow, const Kept& kept, MachineId machine) {
  const Network& network = flow.network();
  for (EventId e : network.machine(machine).events) {
    const Event& event = network.event(e);
    if (event.syncs.empty() && flow.callers(e).empty()) continue;
    for (std::uint32_t a = 0; a < event.arcs.size(); ++a)
      if (!kept.arcs[flow.arc_number({e, a})]) return false;
  }
  return true;
}

bool all_move_alone(const ControlFlow& flow, const Kept& kept) {
  for (std::uint32_t m = 0; m < kept.machines.size(); ++m)
    if (kept.machines[m] && !moves_alone(flow, kept, MachineId(m))) return false;
  return true;
}

class Slicer {
 public:
  Slicer(const ControlFlow& flow, const InitConditions& init, PropertyId property,
         const SliceOptions& options, bool by_location)
      : flow_(flow),
        network_(flow.network()),
        init_(init),
        property_(property),
        options_(options),
        precision_{by_location, options.granularity == Granularity::Coarse,
                   options.granularity == Granularity::Coi},
        dependences_(flow, init, precision_),
        in_slice_(network_.locations().size(), 0),
        machine_in_(network_.machines().size(), 0),
        changed_(network_.machines().size(), 0),
        by_shortcuts_(network_.machines().size(),
                      options.granularity == Granularity::Amorphous ? 1 : 0) {}

  // False if there were too many pairs.
  bool run() {
    seed();
    if (!close()) return false;
    if (options_.granularity == Granularity::Coi) return true;
    for (int round = 0; reconnect(round >= kMaxRounds) || abandon_shortcuts(); ++round)
      if (!close()) return false;
    return true;
  }

  [[nodiscard]] Closure take_closure() { return std::move(closure_); }

 private:
  void add(Instance target, std::uint32_t parent, DependenceKind kind, Span origin) {
    if (target.part == Part::LocationValue && ++pairs_ > kMaxPairs * 4) overflow_ = true;
    closure_.add(target, parent, kind, origin);
  }

  void seed() {
    auto report = [&](Instance target, DependenceKind kind, Span origin) {
      add(target, Closure::kNoParent, kind, origin);
    };
    criteria(flow_, property_, dependences_, precision_.by_location, report);
    // A start that cannot be decided to be possible by its shape has to stay, whoever it is about.
    for (const InitCondition& c : init_.all()) {
      if (!c.removable) dependences_.start_condition(c, report);
    }
  }

  // Follows dependences from everything that is new (algorithm 2).
  bool close() {
    for (; done_ < closure_.size(); ++done_) {
      if (overflow_) return false;
      Instance instance = closure_.entries()[done_].instance;
      note(instance);
      auto parent = static_cast<std::uint32_t>(done_);
      dependences_.of(instance, closure_, [&](Instance target, DependenceKind kind, Span origin) {
        add(target, parent, kind, origin);
      });
    }
    return true;
  }

  // Keeps track of the locations and machines of the slice. A machine that is in the slice is there
  // with its starts.
  void note(Instance instance) {
    switch (instance.part) {
      case Part::Location:
        in_slice_[instance.id] = 1;
        changed_[network_.location(LocationId(instance.id)).machine.index()] = 1;
        enter(network_.location(LocationId(instance.id)).machine);
        break;
      case Part::Value:
      case Part::Initial:
        enter(network_.variable(VariableId(instance.id)).machine);
        break;
      case Part::LocationValue:
        enter(network_.variable(VariableId(instance.with)).machine);
        break;
      case Part::Guard:
        enter(network_.event(EventId(instance.id)).machine);
        break;
      case Part::Machine:
        enter(MachineId(instance.id));
        break;
      case Part::LocationRead:
      case Part::Arc:
      case Part::Parameter:
      case Part::Effect:
      case Part::Sync:
        break;
    }
  }

  void enter(MachineId m) {
    if (!m.valid() || machine_in_[m.index()]) return;
    machine_in_[m.index()] = 1;
    auto parent = static_cast<std::uint32_t>(done_);
    add(machine(m), parent, DependenceKind::EnterLocation, network_.machine(m).origin);
    for (const Start& s : network_.machine(m).starts)
      add(location(s.location), parent, DependenceKind::EnterLocation, s.origin);
  }

  // True if something was missing. `all_at_once`: every arc from the start to the slice.
  bool reconnect(bool all_at_once) {
    bool found = false;
    for (std::uint32_t m = 0; m < changed_.size(); ++m) {
      if (!changed_[m] || by_shortcuts_[m]) continue;
      changed_[m] = 0;
      if (all_at_once) {
        found |= connect_everything(MachineId(m));
        continue;
      }
      for (const MissingArc& missing : missing_arcs(flow_, MachineId(m), in_slice_))
        found |= bring_back(missing.arc, missing.towards);
    }
    return found;
  }

  // Machines whose shortcuts would be inexact are reconnected from now on. True if there are some.
  bool abandon_shortcuts() {
    if (!options_.exact_shortcuts) return false;
    const Kept kept = kept_by(flow_, init_, property_, closure_);
    bool found = false;
    for (std::uint32_t m = 0; m < by_shortcuts_.size(); ++m) {
      if (!by_shortcuts_[m] || !kept.machines[m] || exact_shortcuts(MachineId(m), kept)) continue;
      by_shortcuts_[m] = 0;
      changed_[m] = 1;
      found = true;
    }
    return found;
  }

  [[nodiscard]] bool exact_shortcuts(MachineId m, const Kept& kept) const {
    if (!moves_alone(flow_, kept, m)) return false;
    const auto found = shortcuts(flow_, m, kept.locations, kept.arcs, kShortcutWork);
    return found && std::none_of(found->begin(), found->end(),
                                 [](const Shortcut& s) { return s.way.empty(); });
  }

  bool connect_everything(MachineId m) {
    bool found = false;
    for (EventId e : network_.machine(m).events)
      for (std::uint32_t a = 0; a < network_.event(e).arcs.size(); ++a)
        if (flow_.arc({e, a}).from != flow_.arc({e, a}).to)
          found |= bring_back({e, a}, flow_.arc({e, a}).to);
    return found;
  }

  bool bring_back(ArcRef ref, LocationId towards) {
    std::uint32_t parent = closure_.find(location(towards)).value_or(Closure::kNoParent);
    return closure_.add(arc(ref.event, ref.arc), parent, DependenceKind::Reconnection,
                        flow_.arc(ref).origin);
  }

  const ControlFlow& flow_;
  const Network& network_;
  const InitConditions& init_;
  PropertyId property_;
  const SliceOptions& options_;
  Precision precision_;
  Dependences dependences_;
  Closure closure_;
  std::size_t done_ = 0;  // entries of the closure that were followed
  std::size_t pairs_ = 0;
  bool overflow_ = false;
  std::vector<char> in_slice_;      // by location
  std::vector<char> machine_in_;    // by machine
  std::vector<char> changed_;       // by machine: locations joined since the last reconnection
  std::vector<char> by_shortcuts_;  // by machine: reconnection is left to shortcuts
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

SliceResult unsliced(const std::shared_ptr<Network>& network, PropertyId property,
                     std::string note) {
  SliceResult r;
  r.network = network;
  r.property = property;
  r.back = identity();
  r.statistics = whole_statistics(*network);
  r.statistics.mode = to_string(Granularity::Off);
  r.note = std::move(note);
  return r;
}

// Of a question about infinite runs: effects that nothing reads go.
SliceResult effects_sliced(const std::shared_ptr<Network>& network, PropertyId property) {
  ControlFlow flow(*network);
  InitConditions init(*network, network->property(property).universe);
  SliceOptions options;
  options.granularity = Granularity::Coi;
  Slicer slicer(flow, init, property, options, false);
  WHITTLE_REQUIRE(slicer.run(), "a closure by variable has no pairs");
  SliceResult r;
  r.closure = slicer.take_closure();
  r.kept = kept_by(flow, init, property, r.closure);
  build(network, property, flow, init, options, r);
  r.statistics.mode = "effects";
  return r;
}

// The same for formulas that do not count steps: those that nobody sees go.
SliceResult compressed_slice(const std::shared_ptr<Network>& network, PropertyId property,
                             const SliceOptions& options) {
  ControlFlow flow(*network);
  InitConditions init(*network, network->property(property).universe);
  SliceResult r;
  Compressed found = compressed(flow, init, property, options.criterion);
  r.closure = std::move(found.closure);
  r.kept = kept_by(flow, init, property, r.closure);
  r.kept.compression = std::move(found.compression);
  r.invariants_lift = false;
  build(network, property, flow, init, options, r);
  r.statistics.mode = "compressed";
  return r;
}

bool nothing_went(const Network& network, const Kept& kept) {
  const auto all = [](const std::vector<char>& marks) {
    return std::all_of(marks.begin(), marks.end(), [](char stays) { return stays != 0; });
  };
  for (std::uint32_t e = 0; e < network.events().size(); ++e) {
    const std::size_t parameters = network.events()[e].parameters.size();
    if (kept.parameters[e].size() != parameters || !all(kept.parameters[e])) return false;
  }
  return all(kept.machines) && all(kept.locations) && all(kept.variables) && all(kept.events) &&
         all(kept.arcs) && all(kept.effects) && all(kept.syncs);
}

SliceResult sliced_for_runs(const std::shared_ptr<Network>& network, PropertyId property,
                            const SliceOptions& options) {
  const auto start = Clock::now();
  if (options.granularity == Granularity::Machine)
    return unsliced(network, property, "every machine can take steps in an infinite run");
  std::string note = no_compression(*network, property);
  const bool steps_go = options.granularity != Granularity::Coi &&
                        options.granularity != Granularity::Coarse && !options.every_step;
  std::optional<SliceResult> found;
  if (steps_go && note.empty()) {
    try {
      found = compressed_slice(network, property, options);
    } catch (const LimitReached&) {
      throw;
    } catch (const ResourceError& limit) {
      note = limit.what();
    }
  }
  SliceResult r = found ? std::move(*found) : effects_sliced(network, property);
  if (steps_go && !note.empty()) r.note = "every step stays: " + note;
  if (nothing_went(*network, r.kept)) {
    r.network = network;
    r.property = property;
    r.back = identity();
  }
  r.statistics.seconds = seconds_since(start);
  return r;
}

}  // namespace

SliceResult slice(const std::shared_ptr<Network>& network, PropertyId property,
                  const SliceOptions& options) {
  auto start = Clock::now();
  QuestionClass question = classify(network->property(property));
  if (options.granularity == Granularity::Off) return unsliced(network, property, "");
  if (!options.criterion.empty()) return compressed_slice(network, property, options);
  if (question.whole) return unsliced(network, property, question.reason);
  if (question.runs) return sliced_for_runs(network, property, options);

  ControlFlow flow(*network);
  InitConditions init(*network, network->property(property).universe);
  SliceResult r;
  if (options.granularity == Granularity::Machine) {
    r.kept = needed_machines(flow, init, property);
  } else {
    bool by_location = !question.unbounded && options.granularity != Granularity::Coi;
    Slicer slicer(flow, init, property, options, by_location);
    if (slicer.run()) {
      r.closure = slicer.take_closure();
      r.invariants_lift = !by_location;
    } else {
      r.note = "too many pairs of locations and variables: sliced by variable";
      Slicer again(flow, init, property, options, false);
      WHITTLE_REQUIRE(again.run(), "a closure by variable has no pairs");
      r.closure = again.take_closure();
    }
    r.kept = kept_by(flow, init, property, r.closure);
    if (options.granularity == Granularity::Amorphous) {
      auto found = options.exact_shortcuts || all_move_alone(flow, r.kept)
                       ? all_shortcuts(flow, r.kept, kShortcutWork)
                       : std::nullopt;
      if (found) {
        r.kept.shortcuts = std::move(*found);
        r.weak = !options.exact_shortcuts;
      } else {
        SliceOptions strong = options;
        strong.granularity = Granularity::Fine;
        SliceResult fine = slice(network, property, strong);
        fine.note =
            "shortcuts would lose steps that several machines take together, or are too many";
        return fine;
      }
    }
  }
  build(network, property, flow, init, options, r);
  r.statistics.mode = to_string(options.granularity);
  r.statistics.seconds = seconds_since(start);
  return r;
}

std::string_view to_string(Granularity g) {
  switch (g) {
    case Granularity::Off:
      return "off";
    case Granularity::Machine:
      return "machine";
    case Granularity::Coarse:
      return "coarse";
    case Granularity::Coi:
      return "coi";
    case Granularity::Fine:
      return "fine";
    case Granularity::Amorphous:
      return "amorphous";
  }
  return "?";
}

std::optional<Granularity> granularity_from(std::string_view id) {
  for (auto g : {Granularity::Off, Granularity::Machine, Granularity::Coarse, Granularity::Coi,
                 Granularity::Fine, Granularity::Amorphous})
    if (to_string(g) == id) return g;
  return std::nullopt;
}

}  // namespace whittle::slice
