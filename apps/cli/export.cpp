// SPDX-License-Identifier: Apache-2.0
#include "driver/export/export.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/command.h"
#include "driver/pipelines.h"
#include "driver/questions.h"
#include "driver/slice_stage.h"

namespace whittle::cli {

namespace {

enum class FormatIndex : std::size_t {};

std::vector<Option<FormatIndex>::Choice> format_choices() {
  std::vector<Option<FormatIndex>::Choice> choices;
  for (const ExportFormat& format : export_formats())
    choices.push_back({format.id, FormatIndex(choices.size())});
  return choices;
}

struct ExportGroup : OptionGroup {
  ExportGroup() : OptionGroup("Exporting") {}
  Option<FormatIndex> to{*this, "to", FormatIndex(0), format_choices(), "the format"};
  Option<std::vector<std::string>> property{*this, "property|p", "NAME",
                                            "the property of this name"};
  Option<unsigned> bound{*this,
                         "bound",
                         10,
                         {0, 1'000'000},
                         "steps of bounded formats, for questions without a bound"};
};

class Export final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(export_);
    table.add(options_.add<SlicingOptions>());
    table.add(load_);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    std::vector<Question> questions;
    if (!loaded.diagnostics.has_errors()) questions = chosen_questions(*export_.property, loaded);
    if (!loaded.diagnostics.has_errors() && questions.size() > 1) {
      loaded.diagnostics.report("check-004", {},
                                fmt::format("there are {} properties to export", questions.size()),
                                "choose one with --property");
    }
    const ExportFormat& format = export_formats()[static_cast<std::size_t>(*export_.to)];
    if (!loaded.diagnostics.has_errors() && !questions.empty() && !format.bounded) {
      const Property& asked =
          loaded.models[questions[0].model].network->property(questions[0].property);
      if (asked.bound.max || asked.bound.min > 0) {
        loaded.diagnostics.report(
            "check-007", {},
            fmt::format("'{}' asks about a number of steps; what is written asks about any number",
                        asked.name),
            "--to smtlib keeps the number");
      }
    }
    session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) return ExitCode::BadInput;
    if (questions.empty()) return ExitCode::BadInput;
    const Model& model = loaded.models[questions[0].model];
    SliceStatistics statistics;
    StageContext stages{options_, session.log, statistics, true};
    const TransformedQuestion question(model.network, questions[0].property, stages);
    ExportOptions options;
    options.depth = *export_.bound;
    session.out.write(exported(question.network(), question.property(),
                               model.network->property(questions[0].property).name, format,
                               options));
    return ExitCode::Success;
  }

 private:
  ExportGroup export_;
  OptionSet options_;
  LoadGroup load_;
};

}  // namespace

extern const CommandInfo kExport;
const CommandInfo kExport = {
    "export",
    "FILE",
    "write a question in the format of another tool",
    "Writes one property of the model, sliced, in a format that other tools read.\n"
    "\n"
    "  smtlib   the formula of bounded model checking; sat: the goal is reached\n"
    "  chc      constrained Horn clauses; sat: the goal is never reached\n"
    "  smv      the language of nuXmv, with the goal's negation as INVARSPEC\n"
    "  promela  Promela, for SPIN; an assertion fails where the goal is reached\n"
    "  vmt      VMT-LIB, for nuXmv, ic3ia, Pono and others\n"
    "\n"
    "  whittle export account.sts -p nonNegative --to chc > account.smt2 && z3 account.smt2\n"
    "  whittle export account.sts -p broke --to smtlib --bound 20 --slice off\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Export>()); },
};

}  // namespace whittle::cli
