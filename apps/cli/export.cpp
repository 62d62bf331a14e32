// SPDX-License-Identifier: Apache-2.0
#include "export/export.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/format_option.h"
#include "driver/lists.h"
#include "driver/prepare.h"
#include "driver/questions.h"
#include "driver/refine_stage.h"
#include "driver/slice_stage.h"

namespace whittle::cli {

namespace {

struct ExportGroup : OptionGroup {
  ExportGroup() : OptionGroup("Exporting") {}
  Option<FormatIndex> to{*this, "to", FormatIndex(0), format_choices(export_formats()),
                         "the format"};
  PropertyOption property{*this, "the property of this name"};
  Option<unsigned> bound{*this,
                         "bound",
                         10,
                         {0, 1'000'000},
                         "steps of bounded formats, for questions without a bound"};
  Option<bool> json{*this, "json", "what is written, and diagnostics, as one JSON document"};
};

class Export final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(export_);
    table.add(options_.add<SlicingOptions>());
    table.add(options_.add<RefineOptions>());
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    std::vector<Question> questions;
    if (!loaded.diagnostics.has_errors()) questions = chosen_questions(*export_.property, loaded);
    require_questions(questions, loaded);
    if (!loaded.diagnostics.has_errors() && questions.size() > 1) {
      loaded.diagnostics.report("check-004", {},
                                fmt::format("there are {} properties to export", questions.size()),
                                "choose one with --property");
    }
    const ExportFormat& format = chosen(export_formats(), export_.to);
    if (!loaded.diagnostics.has_errors() && !questions.empty() && !format.bounded) {
      const Property& asked = questions[0].what();
      if (asked.bound.max || asked.bound.min > 0) {
        loaded.diagnostics.report(
            "check-007", {},
            fmt::format("'{}' asks about a number of steps; what is written asks about any number",
                        asked.name),
            "--to smtlib keeps the number");
      }
    }
    std::string text;
    if (!loaded.diagnostics.has_errors()) text = written(loaded, questions[0], format, session);
    const bool wrong = loaded.diagnostics.has_errors();
    if (*export_.json) {
      session.out.write(document(loaded, questions, format, text));
    } else {
      session.show(loaded.diagnostics, *loaded.sources);
      session.out.write(text);
    }
    return wrong ? ExitCode::BadInput : ExitCode::Success;
  }

 private:
  // Empty, with a diagnostic, where the format cannot say it.
  std::string written(LoadedModels& loaded, const Question& question, const ExportFormat& format,
                      const Session& session) {
    const Property& asked = question.what();
    const Preparation prepared = prepared_to_show(question.network, question.property, options_,
                                                  session.log, session.cancel);
    ExportOptions options;
    options.depth = *export_.bound;
    try {
      return exported(*prepared.network, prepared.property, asked.name, format, options);
    } catch (const Inexpressible& problem) {
      const std::string others = formats_for(*prepared.network, prepared.property, options);
      loaded.diagnostics.report(
          "check-009", asked.origin,
          fmt::format("'{}' cannot be written for --to {}: {}", asked.name, format.id,
                      problem.what()),
          others.empty() ? "none of the formats can say it" : "formats that can: " + others);
      return "";
    }
  }

  static std::string document(const LoadedModels& loaded, const std::vector<Question>& questions,
                              const ExportFormat& format, const std::string& text) {
    auto entries = nlohmann::ordered_json::array();
    if (!loaded.diagnostics.has_errors()) {
      const Model& model = loaded.models[questions[0].model];
      auto entry = json_question(model.path, questions[0].what(), *loaded.sources);
      entry["format"] = format.id;
      entry["text"] = text;
      entries.push_back(std::move(entry));
    }
    return json_document(WHITTLE_VERSION, "exports", entries, loaded.diagnostics, *loaded.sources);
  }

  ExportGroup export_;
  OptionSet options_;
  OptionSet load_;
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
    "  smv      the language of nuXmv, with the goal's negation as INVARSPEC, a formula as "
    "LTLSPEC\n"
    "  promela  Promela, for SPIN; an assertion fails where the goal is reached, a formula is "
    "`ltl`\n"
    "  vmt      VMT-LIB, for nuXmv, ic3ia, Pono and others\n"
    "  hoa, dot, never   the automaton of the runs that violate a formula of temporal logic\n"
    "\n"
    "  whittle export account.sts -p nonNegative --to chc > account.smt2 && z3 account.smt2\n"
    "  whittle export account.sts -p broke --to smtlib --bound 20 --slice off\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Export>()); },
};

}  // namespace whittle::cli
