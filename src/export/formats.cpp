// SPDX-License-Identifier: Apache-2.0
#include "export/export.h"

#include "base/error.h"
#include "export/live.h"
#include "export/numbered_enums.h"
#include "ir/lowering/lower.h"
#include "ir/property_kinds.h"
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
    {"smv", ".smv",
     "the language of nuXmv: the goal is never reached where INVARSPEC holds, a formula of "
     "temporal "
     "logic is satisfied where LTLSPEC holds",
     &export_smv, false, true},
    {"promela", ".pml",
     "Promela for SPIN: an assertion fails where the goal is reached, a formula of temporal logic "
     "is an `ltl` block",
     &export_promela, false, true},
    {"vmt", ".vmt", "VMT-LIB: the transition system with annotated SMT-LIB terms", &export_vmt,
     false, true},
    {"hoa", ".hoa", "the automaton of the runs that violate a formula, in the Hanoi format",
     nullptr, false, true, &export_hoa},
    {"dot", ".dot", "the same automaton as a drawing for Graphviz", nullptr, false, true,
     &export_dot},
    {"never", ".never", "the same automaton as a never claim for SPIN", nullptr, false, true,
     &export_never},
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
  const GoalKind goal = goal_of(network.property(property).kind);
  if (goal == GoalKind::NeverAgain) throw Inexpressible("there is nothing for `always a way back`");
  if (goal == GoalKind::RunRefutes && !format.live)
    throw Inexpressible("there are no formulas of temporal logic");
  if (format.write_automaton != nullptr) {
    if (goal != GoalKind::RunRefutes) throw Inexpressible("only formulas have an automaton");
    return format.write_automaton(network, property, name);
  }
  LowerOptions lowering;
  lowering.eliminate = smt::elimination(network.pool(), smt::Limits());
  try {
    const Lowered lowered = lower(network, property, lowering);
    if (goal != GoalKind::RunRefutes) return format.write(lowered.system, name, options);
    const LiveExport live = live_export(network, property, lowered);
    ExportOptions asked = options;
    asked.live = &live;
    return format.write(live.system, name, asked);
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
