// SPDX-License-Identifier: Apache-2.0
// A program as a list of instructions with jumps, and its way into a machine: a location before
// each instruction, an event for each way on from there. An event is one assignment or one
// assumption.
//
//   Code code(network, machine, failures);
//   const Code::Place head = code.place(), behind = code.place();
//   code.put(head);
//   code.branch(at, condition, behind);          // falls through where it holds
//   code.assign(at, x, value);
//   code.jump(head);
//   code.put(behind);
//   code.finish(span);
//
// Jumps are no steps: they are gone in the machine. What no run gets to has no location.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/program/failures.h"
#include "frontend/program/path.h"
#include "frontend/program/program_points.h"
#include "ir/network.h"

namespace whittle::program {

// Where an instruction stands, and how its location and its events are called.
struct Site {
  Span origin;
  std::string point;  // "line 12"
  std::string text;   // "x = 3"
};

// An instruction goes wrong where the condition holds, and does nothing then.
struct Hazard {
  Expr condition;
  FailureId failure;
  bool goes_on = false;  // the instruction may also be executed nevertheless
};

// What happens in one step, all of it over the values before.
struct Action {
  // Some value between the bounds; invalid: without one. Terms of the action speak of the symbol.
  struct Input {
    SymbolId symbol;
    Type type;
    Expr least;
    Expr greatest;
    std::string name = {};  // empty: the usual one
  };
  std::vector<Input> inputs;
  std::vector<Expr> assumptions;
  std::vector<Hazard> hazards;
  std::vector<std::pair<VariableId, Expr>> values;

  [[nodiscard]] bool empty() const {
    return inputs.empty() && assumptions.empty() && hazards.empty() && values.empty();
  }
};

class Code {
 public:
  using Place = std::uint32_t;

  Code(Network& network, MachineId machine, Failures& failures)
      : network_(network), machine_(machine), failures_(failures), points_(network, machine) {}

  // A place to jump to; it is where `put` says.
  [[nodiscard]] Place place();
  void put(Place place) { places_[place] = instructions_.size(); }

  void skip(Site site);
  void assign(Site site, VariableId variable, Expr value, std::vector<Hazard> hazards = {});
  // Several at once, over the values before.
  void assign_all(Site site, std::vector<std::pair<VariableId, Expr>> values);
  void step(Site site, Action action);
  // Some value of its type between the bounds; invalid: without one.
  void input(Site site, VariableId variable, Expr least = {}, Expr greatest = {});
  // The same for a variable that has no value yet: no step where nobody reads it.
  void forget(Site site, VariableId variable, Expr least = {}, Expr greatest = {});
  void assume(Site site, Expr condition, std::vector<Hazard> hazards = {});
  void assume(Site site, Expr condition, Action action);
  // Goes on where the condition holds, else to the other place.
  void branch(Site site, Expr condition, Place otherwise, std::vector<Hazard> hazards = {});
  void branch(Site site, Expr condition, Place otherwise, Action action);
  // One of several ways on. Without a condition it is always possible.
  struct Way {
    Place to = 0;
    std::string name;  // of its event, behind the text
    Expr condition = {};
  };
  void select(Site site, std::vector<Way> ways, Action action = {});
  // Goes on, or to the other place.
  void either(Site site, Place other);
  void jump(Place to);
  void fail(Site site, FailureId failure);
  // To the end of the program.
  void end(Site site);
  // Together with these events of other machines.
  void together(Site site, std::vector<Sync> with);

  [[nodiscard]] std::size_t size() const { return instructions_.size(); }

  struct Ends {
    LocationId entry;
    LocationId end;
  };
  // Adds locations and events. The machine has no start yet.
  Ends finish(Span end);

 private:
  enum class Kind : std::uint8_t { Step, Input, Assume, Branch, Select, Jump, Fail, End };
  struct Instruction {
    Kind kind = Kind::Step;
    Site site;
    Action action;            // Step, Assume, Branch, Select
    VariableId variable;      // Input
    bool forgets = false;     // Input
    Expr condition;           // Assume, Branch; Input: the least value
    Expr greatest;            // Input
    Place other = 0;          // Branch, Jump
    std::vector<Way> ways;    // Select
    FailureId failure;        // Fail
    std::vector<Sync> syncs;  // Step
  };

  Instruction& add(Kind kind, Site site);
  // The instruction that is executed at this position, jumps followed; the number of instructions:
  // the end.
  [[nodiscard]] std::size_t executed_at(std::size_t position);
  [[nodiscard]] LocationId location_at(std::size_t position);
  void emit(Instruction& instruction, std::size_t position);
  // Takes the instruction away that forgets a value that nobody reads (unread.cpp).
  void drop_unread();
  void emit_event(const Instruction& instruction, LocationId from, LocationId to, const Path& path,
                  std::string_view suffix);

  Network& network_;
  MachineId machine_;
  Failures& failures_;
  ProgramPoints points_;
  std::vector<Instruction> instructions_;
  std::vector<std::size_t> places_;
  std::vector<LocationId> locations_;  // of instructions that a run gets to
  std::vector<std::size_t> reached_;   // those, in the order of discovery
  LocationId end_;
};

}  // namespace whittle::program
