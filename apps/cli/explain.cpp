// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "driver/lists.h"
#include "driver/prepare.h"
#include "driver/questions.h"
#include "driver/refine_stage.h"
#include "driver/slice_stage.h"
#include "driver/slicing.h"

namespace whittle::cli {

namespace {

struct ExplainOptions : OptionGroup {
  ExplainOptions() : OptionGroup("Explaining") {}
  PropertyOption property{*this, "for the properties of this name only"};
  Option<bool> json{*this, "json", "the explanations as one JSON document"};
};

class Explain final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(options_);
    table.add(pipeline_.add<SlicingOptions>());
    table.add(pipeline_.add<RefineOptions>());
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models({arguments[0]}, load_);
    std::vector<Question> questions;
    if (!loaded.diagnostics.has_errors()) questions = chosen_questions(*options_.property, loaded);
    require_questions(questions, loaded);
    std::string text;
    auto entries = nlohmann::ordered_json::array();
    for (const Question& question : questions) {
      if (loaded.diagnostics.has_errors()) break;
      const Model& model = loaded.models[question.model];
      const Preparation shown = prepared_to_show(question.network, question.property, pipeline_,
                                                 session.log, session.cancel);
      const std::vector<Explanation> found =
          explanations(shown, *loaded.sources, arguments[1], loaded.diagnostics);
      text += explanation_text(question.what().name, found);
      entries.push_back(explanation_json(model, question.property, found, *loaded.sources));
    }
    const bool wrong = loaded.diagnostics.has_errors();
    if (*options_.json) {
      if (wrong) entries.clear();
      session.out.write(json_document(WHITTLE_VERSION, "explanations", entries, loaded.diagnostics,
                                      *loaded.sources));
      return wrong ? ExitCode::BadInput : ExitCode::Success;
    }
    session.show(loaded.diagnostics, *loaded.sources);
    if (wrong) return ExitCode::BadInput;
    session.out.write(text);
    return ExitCode::Success;
  }

 private:
  ExplainOptions options_;
  OptionSet pipeline_;
  OptionSet load_;
};

}  // namespace

extern const CommandInfo kExplain;
const CommandInfo kExplain = {
    "explain",
    "FILE NAME",
    "say why something is in the slice",
    "Follows the dependences from the question to the element, one sentence each. NAME is a\n"
    "machine, state, field, event or parameter, in short (`balance`) or in full\n"
    "(`Account.balance`).\n"
    "\n"
    "  whittle explain account.sts withdraw\n"
    "  whittle explain test.tebl Account.balance -p overdrawn\n",
    2,
    2,
    [] { return std::unique_ptr<Command>(std::make_unique<Explain>()); },
};

}  // namespace whittle::cli
