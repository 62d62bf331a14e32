// SPDX-License-Identifier: Apache-2.0
#include "driver/constraints.h"

#include <unistd.h>

#include "cli/command.h"
#include "cli/progress_line.h"
#include "driver/load.h"
#include "report/constraint_text.h"

namespace whittle::cli {

namespace {

struct ConstraintsOutput : OptionGroup {
  ConstraintsOutput() : OptionGroup("Output") {}
  Option<bool> json{*this, "json", "all of them as one JSON document"};
  Option<bool> dot{*this, "dot", "draw the machines for Graphviz, with what holds where"};
};

class Constraints final : public Command {
 public:
  Constraints() { options_.add<ConstraintOptions>(); }

  void declare(OptionTable& table) override {
    table.add(output_);
    table.add(options_.add<ConstraintOptions>());
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    ReportStyle style;
    style.version = WHITTLE_VERSION;
    if (!*output_.json) session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) {
      if (*output_.json)
        session.out.write(constraint_json({}, style, loaded.diagnostics, *loaded.sources));
      return ExitCode::BadInput;
    }
    style.width = terminal_width(STDOUT_FILENO);
    ProgressLine progress(session.show_progress);
    DecideContext context{options_, Deadline::never(), session.cancel, session.log, progress};
    std::vector<ConstraintReport> reports;
    bool unknown = false;
    for (const Model& model : loaded.models) {
      for (const ReachableConstraints& found : reachable_constraints(model.network, context)) {
        reports.push_back(report(model, found));
        unknown = unknown || !found.reason.empty();
        progress.clear();
        if (*output_.json) continue;
        session.out.write(*output_.dot ? constraint_dot(reports.back())
                                       : constraint_text(reports.back(), style));
        session.out.flush();
      }
    }
    if (reports.empty()) {
      Diagnostics diagnostics;
      diagnostics.report("check-010", {}, "there is no instance to say anything about",
                         "a specification has instances where something is asked about it");
      if (!*output_.json) session.show(diagnostics, *loaded.sources);
      loaded.diagnostics.append(std::move(diagnostics));
    }
    if (*output_.json)
      session.out.write(constraint_json(reports, style, loaded.diagnostics, *loaded.sources));
    if (reports.empty()) return ExitCode::BadInput;
    return unknown ? ExitCode::Undecided : ExitCode::Success;
  }

 private:
  static ConstraintReport report(const Model& model, const ReachableConstraints& found) {
    ConstraintReport result;
    result.file = model.path;
    result.network = found.network;
    result.universe = found.universe;
    result.witness = found.witness;
    result.reason = found.reason;
    const std::vector<Expr> whole = as_conditions(found);
    for (std::size_t i = 0; i < found.locations.size(); ++i) {
      const LocationConstraint& known = found.locations[i];
      result.locations.push_back({known.instance, known.location, known.condition, whole[i]});
    }
    return result;
  }

  ConstraintsOutput output_;
  OptionSet options_;
  OptionSet load_;
};

}  // namespace

extern const CommandInfo kConstraints;
const CommandInfo kConstraints = {
    "constraints",
    "FILE...",
    "show what holds at each location, whatever is asked",
    "Finds the reachable-state constraints of the models: for each node, state or program point a\n"
    "condition that holds whenever a run is there. They are found by abstract interpretation and\n"
    "induction, and proved again by the other solver. Where no cycle leads to a location they are\n"
    "as exact as the conditions of the model allow; on cycles they may leave room.\n"
    "\n"
    "Each line can be pasted into the model as a property.\n"
    "\n"
    "  whittle constraints account.sts             a line per node\n"
    "  whittle constraints account.sts --dot       the same as a drawing for Graphviz\n"
    "  whittle constraints account.sts --json      the same for programs\n",
    1,
    kAnyNumber,
    [] { return std::unique_ptr<Command>(std::make_unique<Constraints>()); },
};

}  // namespace whittle::cli
