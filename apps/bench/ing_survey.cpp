// SPDX-License-Identifier: Apache-2.0
// The eight systems of la Fleur 2018, appendix A: the property that is valid, the one that is not,
// and all that `whittle lint` asks.
#include <fmt/format.h>

#include <algorithm>

#include "bench/spacer.h"
#include "bench/survey_texts.h"
#include "driver/lint.h"

namespace whittle::bench {

namespace {

std::function<std::shared_ptr<Network>()> model_of(const SurveyText& system) {
  return [system] { return loaded({{system.name + ".sts", system.text}}); };
}

Measurement linted(const std::shared_ptr<Network>& network, Deadline deadline) {
  LoadedModels models;
  models.models.push_back({"benchmark", network});
  OptionSet options;
  options.add<DecideOptions>().engine.set("auto");
  options.add<DecideOptions>().check_bounded.set(
      CheckBounded::Off);  // engines are measured, not checks
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, deadline, CancelToken(), log, progress};
  const double begun = processor_seconds();
  std::size_t issues = 0;
  const std::vector<Question> questions = lint_questions(models);
  for (const Question& question : questions) {
    const PropertyResult result = decide("benchmark", question.network, question.property, context);
    if (!result.verdict.known()) return {};
    issues += met(result) == false ? 1 : 0;
  }
  return {processor_seconds() - begun, fmt::format("{} of {}", issues, questions.size())};
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const SurveyText& system : survey_texts()) {
    std::string name = system.name;
    std::replace(name.begin(), name.end(), '_', '-');
    for (const std::uint32_t property : {0U, 1U}) {
      Case one{fmt::format("{}:{}", name, property == 0 ? "valid" : "invalid"), 1, 1, {}};
      for (const char* engine : {"auto", "rsc", "kinduction", "pdr", "bmc"}) {
        one.alternatives.push_back(verdict_only(deciding(
            engine, model_of(system),
            [engine](OptionSet& options) { options.add<DecideOptions>().engine.set(engine); },
            PropertyId(property))));
      }
      one.alternatives.push_back(spacer(model_of(system), PropertyId(property)));
      result.push_back(std::move(one));
    }
    result.push_back({name + ":lint", 1, 1, {{"auto", [load = model_of(system)](Deadline deadline) {
                                                return linted(load(), deadline);
                                              }}}});
  }
  return result;
}

}  // namespace

extern const Benchmark kIngSurvey;
const Benchmark kIngSurvey = {"ing-survey", "eight small banking systems, and all lint checks", "",
                              cases};

}  // namespace whittle::bench
