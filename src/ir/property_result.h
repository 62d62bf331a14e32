// SPDX-License-Identifier: Apache-2.0
// One question about a model with its answer, and whether that is what was wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "ir/network.h"
#include "ir/run/interpreter.h"
#include "ir/verdict.h"

namespace whittle {

// One decided (or undecided) property.
struct PropertyResult {
  std::string file;                  // as the user gave it
  std::shared_ptr<Network> network;  // as parsed
  PropertyId property;
  Verdict verdict;
  std::optional<Replay> replay;         // of the verdict's trace
  std::optional<StepBound> asked;       // by the model, where the command line replaced it
  bool excused = false;                 // not met, but what was wanted is met elsewhere
  std::string text = {};                // of the property, as it is written; empty: nowhere
  std::uint32_t line = 0;               // where it is; 0: nowhere
  std::vector<std::string> notes = {};  // what is odd about the answer

  [[nodiscard]] const Property& question() const { return network->property(property); }
  // False: a question, neither answer is good or bad.
  [[nodiscard]] bool demand() const { return question().demand && !excused; }
};

// Is the demand met? Empty: it is a question, or nobody knows.
[[nodiscard]] std::optional<bool> met(const PropertyResult& result);

// Is the answer the one that the file expects? Empty: it expects none, or nobody knows.
[[nodiscard]] std::optional<bool> as_expected(const PropertyResult& result);
// Is all well: what the file expects, where it does so, and else what it demands. Empty: it does
// neither, or nobody knows. This is what exit codes and signs in reports say.
[[nodiscard]] std::optional<bool> as_wanted(const PropertyResult& result);

// A demand about more steps than those that were looked at: neither met nor not met.
[[nodiscard]] bool bounded_only(const PropertyResult& result);
// Unknown, or not known well enough: up to a bound that the model does not ask for, or without an
// answer to what the file expects.
[[nodiscard]] bool undecided(const PropertyResult& result);

[[nodiscard]] ExitCode exit_code_of(std::span<const PropertyResult> results);

}  // namespace whittle
