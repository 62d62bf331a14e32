// SPDX-License-Identifier: Apache-2.0
#include "export/export.h"

#include "base/error.h"
#include "export/numbered_enums.h"
#include "ir/lowering/lower.h"
#include "smt/elimination/quantifier_elimination.h"
#include "smt/unsupported.h"

namespace whittle {

namespace {

const ExportFormat kFormats[] = {
    {"smtlib", ".smt2",
     "SMT-LIB 2: the formula of bounded model checking; sat: the goal is reached within the bound",
     &export_smtlib, true},
    {"chc", ".smt2",
     "constrained Horn clauses in SMT-LIB 2 (logic HORN); sat: the goal is never reached",
     &export_chc},
    {"smv", ".smv", "the language of nuXmv: the goal is never reached where INVARSPEC holds",
     &export_smv},
    {"promela", ".pml", "Promela for SPIN: an assertion fails where the goal is reached",
     &export_promela},
    {"vmt", ".vmt", "VMT-LIB: the transition system with annotated SMT-LIB terms", &export_vmt},
};

}  // namespace

std::span<const ExportFormat> export_formats() { return kFormats; }

const ExportFormat* find_export_format(std::string_view id) {
  for (const ExportFormat& format : kFormats)
    if (format.id == id) return &format;
  return nullptr;
}

std::string exported(Network& network, PropertyId property, const std::string& name,
                     const ExportFormat& format, const ExportOptions& options) {
  LowerOptions lowering;
  lowering.eliminate = smt::elimination(network.pool(), smt::Limits());
  try {
    return format.write(lower(network, property, lowering).system, name, options);
  } catch (const smt::Unsupported& problem) {
    throw Inexpressible(std::string("SMT-LIB has no ") + problem.what());
  }
}

std::string formats_for(Network& network, PropertyId property, const ExportOptions& options) {
  std::string ids;
  for (const ExportFormat& format : kFormats) {
    try {
      static_cast<void>(exported(network, property, "question", format, options));
      ids += (ids.empty() ? "" : ", ") + std::string(format.id);
    } catch (const Inexpressible&) {
    } catch (const ResourceError&) {  // neither of them is one to recommend
    }
  }
  return ids;
}

TransitionSystem without_enums(const TransitionSystem& system) {
  return NumberedEnums(*system.pool).system(system);
}

}  // namespace whittle
