// SPDX-License-Identifier: Apache-2.0
// Questions in the formats of other tools. A new format is a function and one line in formats.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ir/network.h"
#include "ir/transition_system.h"

namespace whittle {

struct ExportOptions {
  std::uint64_t depth = 10;  // of bounded formats, where the question has no bound of its own
};

struct ExportFormat {
  std::string_view id;
  std::string_view extension;
  std::string_view summary;
  // Throws ResourceError for what the format cannot say.
  std::string (*write)(const TransitionSystem& system, const std::string& name,
                       const ExportOptions& options) = nullptr;
  bool bounded = false;  // asks about as many steps as the question does
};

[[nodiscard]] std::span<const ExportFormat> export_formats();
[[nodiscard]] const ExportFormat* find_export_format(std::string_view id);

// The question about the network in this format, under this name. Throws ResourceError.
[[nodiscard]] std::string exported(Network& network, PropertyId property, const std::string& name,
                                   const ExportFormat& format, const ExportOptions& options);

// The same system with numbers in place of enumerations, for formats that lack them; ranges are
// added to `init` and kept by every transition, since only constants are assigned.
[[nodiscard]] TransitionSystem without_enums(const TransitionSystem& system);

// The formats, each in the file of its name.
std::string export_smtlib(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_chc(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_smv(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_promela(const TransitionSystem&, const std::string&, const ExportOptions&);
std::string export_vmt(const TransitionSystem&, const std::string&, const ExportOptions&);

}  // namespace whittle
