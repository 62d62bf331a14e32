// SPDX-License-Identifier: Apache-2.0
#include "driver/questions.h"

#include <fmt/format.h>

#include <set>

#include "base/nearest.h"

namespace whittle {

namespace {

// Without the clause at its end, be it counted or not.
std::string_view without_expectation(std::string_view text) {
  constexpr std::string_view kClause = "expect ";
  const std::size_t at = text.rfind(kClause);
  if (at == std::string_view::npos || at == 0 ||
      !expectation_of_words(text.substr(at + kClause.size())))
    return text;
  const std::size_t last = text.find_last_not_of(" \t\r\n", at - 1);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

PropertyResult undecided_result(const LoadedModels& loaded, const Question& question) {
  PropertyResult result;
  result.file = loaded.models[question.model].path;
  result.network = question.network;
  result.property = question.property;
  result.asked = question.asked;
  result.verdict.asked = question.what().kind;
  note_place(result, *loaded.sources);
  return result;
}

void note_place(PropertyResult& result, const Sources& sources) {
  const Span span = result.question().origin;
  if (!span.valid()) return;
  const SourceFile& file = sources.file(span.file);
  result.line = file.position(span.begin).line;
  const std::string_view text = file.text().substr(span.begin, span.end - span.begin);
  const std::size_t last = text.find_last_not_of(" \t\r\n;");
  result.text = without_expectation(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

std::vector<Question> with_bound(const std::vector<Question>& questions, const LoadedModels& loaded,
                                 std::uint64_t bound) {
  std::vector<std::shared_ptr<Network>> copies(loaded.models.size());
  std::vector<Question> result = questions;
  for (Question& question : result) {
    std::shared_ptr<Network>& copy = copies[question.model];
    if (!copy) {
      copy = std::make_shared<Network>(*question.network);
      const std::size_t own = loaded.models[question.model].network->properties().size();
      for (std::size_t p = 0; p < own; ++p) copy->property(PropertyId(p)).bound = {0, bound};
    }
    const Network& model = *loaded.models[question.model].network;
    if (question.property.index() < model.properties().size())
      question.asked = model.property(question.property).bound;
    question.network = copy;
  }
  return result;
}

void require_questions(const std::vector<Question>& questions, LoadedModels& loaded) {
  if (!questions.empty() || loaded.diagnostics.has_errors()) return;
  loaded.diagnostics.report("check-008", {}, "nothing is asked, so nothing was decided",
                            "a model asks with properties; 'whittle lint' looks at it without");
}

std::vector<Question> chosen_questions(const std::vector<std::string>& names,
                                       LoadedModels& loaded) {
  std::vector<Question> result;
  const std::set<std::string> wanted(names.begin(), names.end());
  std::set<std::string> missing = wanted;
  for (std::size_t m = 0; m < loaded.models.size(); ++m) {
    const Network& network = *loaded.models[m].network;
    for (std::size_t p = 0; p < network.properties().size(); ++p) {
      const std::string& name = network.properties()[p].name;
      missing.erase(name);
      if (wanted.empty() || wanted.contains(name))
        result.push_back({m, loaded.models[m].network, PropertyId(p)});
    }
    // A part of other models need not ask anything itself.
    if (network.properties().empty() && !loaded.models[m].imported) {
      loaded.diagnostics.report("check-002", {},
                                fmt::format("'{}' has no properties", loaded.models[m].path));
    }
  }
  // A name that is missing may stand in a file that could not be read.
  if (loaded.diagnostics.has_errors()) missing.clear();
  for (const std::string& name : missing) {
    NearestName meant(name);
    for (const Model& model : loaded.models) {
      for (const Property& property : model.network->properties()) meant.offer(property.name);
    }
    loaded.diagnostics.report(
        "check-001", {}, fmt::format("there is no property '{}'", name),
        meant.result() ? fmt::format("did you mean '{}'?", *meant.result()) : "");
  }
  return result;
}

}  // namespace whittle
