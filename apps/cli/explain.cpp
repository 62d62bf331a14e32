// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "driver/slice_stage.h"
#include "driver/slicing.h"

namespace whittle::cli {

namespace {

struct ExplainOptions : OptionGroup {
  ExplainOptions() : OptionGroup("Explaining") {}
  Option<std::vector<std::string>> property{*this, "property|p", "NAME",
                                            "for the properties of this name only"};
};

class Explain final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(options_);
    table.add(slicing_);
    table.add(load_);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models({arguments[0]}, load_);
    std::vector<Question> questions;
    if (!loaded.diagnostics.has_errors()) questions = chosen_questions(*options_.property, loaded);
    std::string text;
    for (const Question& question : questions) {
      if (loaded.diagnostics.has_errors()) break;
      const Model& model = loaded.models[question.model];
      slice::SliceOptions options;
      options.granularity = *slicing_.granularity;
      const slice::SliceResult result = slice::slice(model.network, question.property, options);
      text += explanation(model, question.property, result, *loaded.sources, arguments[1],
                          loaded.diagnostics);
    }
    session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) return ExitCode::BadInput;
    session.out.write(text);
    return ExitCode::Success;
  }

 private:
  ExplainOptions options_;
  SlicingOptions slicing_;
  LoadGroup load_;
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
