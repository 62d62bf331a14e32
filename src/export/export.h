// SPDX-License-Identifier: Apache-2.0
// Questions in the formats of other tools. A new format is a function and one line in formats.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "ir/network.h"
#include "ir/transition_system.h"

namespace whittle {

struct LiveExport;

struct ExportOptions {
  std::uint64_t depth = 10;  // of bounded formats, where the question has no bound of its own
  const LiveExport* live = nullptr;  // a question about infinite runs; null: it is none
};

// The format cannot say what the question needs; the message names it.
struct Inexpressible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ExportFormat {
  std::string_view id;
  std::string_view extension;
  std::string_view summary;
  // Throws Inexpressible, and ResourceError where it would become too large.
  std::string (*write)(const TransitionSystem& system, const std::string& name,
                       const ExportOptions& options) = nullptr;
  bool bounded = false;  // asks about as many steps as the question does
  bool live = false;     // also questions about infinite runs
  // Of the automaton of a property of temporal logic, instead of the system.
  std::string (*write_automaton)(Network& network, PropertyId property,
                                 const std::string& name) = nullptr;
};

[[nodiscard]] std::span<const ExportFormat> export_formats();
[[nodiscard]] const ExportFormat* find_export_format(std::string_view id);

// The question about the network in this format, under this name. Throws as the format does.
[[nodiscard]] std::string exported(Network& network, PropertyId property, const std::string& name,
                                   const ExportFormat& format, const ExportOptions& options);

// The ids of the formats that can say it, for a hint: "smtlib, vmt".
[[nodiscard]] std::string formats_for(Network& network, PropertyId property,
                                      const ExportOptions& options);

// The same system with numbers in place of enumerations, for formats that lack them; ranges are
// added to `init` and kept by every transition, since only constants are assigned.
[[nodiscard]] TransitionSystem without_enums(const TransitionSystem& system);

// How sums become next values: by an equation, or by two inequalities. Where steps are unrolled,
// cvc5 puts an equation's sum in for the symbol, step after step, and sums that double with each
// step are more than it can take.
enum class NextSums : std::uint8_t { Equations, Inequalities };
// guard, updates, relation, and everything else stays: over current symbols, inputs, next symbols
[[nodiscard]] Expr transition_relation(const TransitionSystem& system, const Transition& t,
                                       NextSums sums = NextSums::Equations);

// The formats, each in the file of its name.
std::string export_smtlib(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_chc(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_smv(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_promela(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_vmt(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_hoa(Network&, PropertyId, const std::string&);
std::string export_dot(Network&, PropertyId, const std::string&);
std::string export_never(Network&, PropertyId, const std::string&);

}  // namespace whittle
