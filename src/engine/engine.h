// SPDX-License-Identifier: Apache-2.0
// What an engine is: a procedure that takes a flat system and says whether its goal is reachable,
// with a witness in terms of that system. engines.h lists all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "engine/capabilities.h"
#include "engine/env.h"
#include "ir/transition_system.h"
#include "ir/unreachable.h"

namespace whittle {

struct Reached {
  FlatTrace trace;
  bool shortest = false;  // there is no shorter one
};

struct Unknown {
  Reason reason = {};
  std::optional<std::uint64_t> clear_to = {};  // no goal within so many steps
};

struct EngineResult {
  std::variant<Unknown, Reached, Unreachable> outcome = {};
  smt::CallCounts calls = {};  // filled in by run_engine
  // Who found it: filled in by run_engine, unless an engine hands on the result of another.
  std::string engine = {};
  std::optional<smt::SolverId> solver = {};  // none: it was found without one
  bool as_parsed = false;  // the witness is one of Env::as_parsed, not of the system

  [[nodiscard]] const Unknown* unknown() const { return std::get_if<Unknown>(&outcome); }
  [[nodiscard]] Unknown* unknown() { return std::get_if<Unknown>(&outcome); }
  [[nodiscard]] const Reached* reached() const { return std::get_if<Reached>(&outcome); }
  [[nodiscard]] Reached* reached() { return std::get_if<Reached>(&outcome); }
  [[nodiscard]] const Unreachable* unreachable() const {
    return std::get_if<Unreachable>(&outcome);
  }
  template <class Why>
  [[nodiscard]] const Why* unreachable_by() const {
    return unreachable() != nullptr ? std::get_if<Why>(&unreachable()->why) : nullptr;
  }
  template <class Why>
  [[nodiscard]] Why* unreachable_by() {
    auto* unreachable = std::get_if<Unreachable>(&outcome);
    return unreachable != nullptr ? std::get_if<Why>(&unreachable->why) : nullptr;
  }
};

// The solver gave up there.
[[nodiscard]] Reason at_depth(const Reason& reason, std::uint64_t depth);

// "timeout"; empty where the result is known.
[[nodiscard]] std::string reason_text(const EngineResult& result);

// A new engine is a file named as its id, whose last lines define one of these, and one line in
// engines.cpp. Help, documentation, the schedule of `auto` and the engine tests are made from the
// list.
struct EngineInfo {
  std::string_view id;                            // also the prefix of its options and statistics
  std::string_view summary;                       // one sentence
  std::string_view decides;                       // what it can answer, and when it answers unknown
  void (*declare)(OptionSet& options) = nullptr;  // adds its group of options; null: has none
  // requires: the system is well formed (ir). Does not throw on limits: they end in Unknown.
  // Callers use run_engine.
  EngineResult (*run)(const TransitionSystem& system, Env& env) = nullptr;
  std::optional<smt::SolverId> solver = {};  // the one it always uses; none: that of the Env
  Capabilities can = {};
  ScheduleHint schedule = {};  // when `auto` asks it
};

// Runs the engine; the result says who found it.
[[nodiscard]] EngineResult run_engine(const EngineInfo& engine, const TransitionSystem& system,
                                      Env& env);

}  // namespace whittle
