// SPDX-License-Identifier: Apache-2.0
#include "driver/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/checkpoint.h"
#include "driver/questions.h"
#include "driver/schedule.h"
#include "engine/engines.h"

namespace whittle {

namespace {

void check_engine(const DecideOptions& options, Diagnostics& diagnostics) {
  if (find_engine(*options.engine) != nullptr) return;
  NearestName meant(*options.engine);
  for (const EngineInfo* engine : engines()) meant.offer(engine->id);
  diagnostics.report("cli-004", {}, fmt::format("there is no engine '{}'", *options.engine),
                     meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                                    : "'whittle engines' lists them");
}

// Of `--bound N`; none: it is not given, or is not a number.
std::optional<std::uint64_t> bound_of(const DecideOptions& options, Diagnostics& diagnostics) {
  if (!options.bound.given()) return std::nullopt;
  std::uint64_t bound = 0;
  const std::string& text = *options.bound;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), bound);
  if (!text.empty() && parsed.ec == std::errc() && parsed.ptr == text.data() + text.size())
    return bound;
  diagnostics.report("cli-004", {}, fmt::format("'{}' is not a number of steps", text),
                     "write for example --bound 20");
  return std::nullopt;
}

void forget_expectations(const LoadedModels& loaded) {
  for (const Model& model : loaded.models)
    for (std::size_t p = 0; p < model.network->properties().size(); ++p)
      model.network->property(PropertyId(p)).expected.reset();
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace

CheckReport check_files(const std::vector<std::string>& paths, DecideContext& context,
                        const CheckListener& listener) {
  return decide_files(paths, context, listener, [&](LoadedModels& loaded) {
    return chosen_questions(context.options.get<CheckGroup>().property.value(), loaded);
  });
}

CheckReport decide_files(const std::vector<std::string>& paths, DecideContext& context,
                         const CheckListener& listener,
                         const std::function<std::vector<Question>(LoadedModels&)>& choose,
                         bool structure) {
  CheckReport report;
  const CheckGroup& options = context.options.get<CheckGroup>();
  const DecideOptions& decide_options = context.options.get<DecideOptions>();
  if (*options.total_timeout > 0)
    context.deadline =
        context.deadline.earlier(Deadline::after(milliseconds(*options.total_timeout)));
  // Loading counts for the question that is decided first.
  context.first_deadline = context.deadline;
  if (*decide_options.timeout > 0)
    context.first_deadline =
        context.deadline.earlier(Deadline::after(milliseconds(*decide_options.timeout)));
  const Grace grace = grace_of(context.options);
  const CancelToken cancel = CancelToken::within(context.cancel);
  try {
    const Watchdog::Guard guard(context.watchdog, context.first_deadline.plus(grace.process),
                                cancel);
    const LimitScope scope(context.first_deadline.plus(grace.work), cancel);
    report.loaded = load_models(paths, context.options, structure);
  } catch (const LimitReached& limit) {
    report.loaded = LoadedModels();
    report.loaded.diagnostics.report("cli-010", {},
                                     fmt::format("{} while the model was loaded", limit.what()),
                                     "raise the limit");
    if (listener.on_diagnostics)
      listener.on_diagnostics(report.loaded.diagnostics, *report.loaded.sources);
    report.exit = ExitCode::Undecided;
    return report;
  }
  Diagnostics& diagnostics = report.loaded.diagnostics;
  diagnostics.append(listener.before);
  const std::size_t of_files = diagnostics.errors();
  check_engine(decide_options, diagnostics);
  const std::optional<std::uint64_t> bound = bound_of(decide_options, diagnostics);
  if (*options.no_expect) forget_expectations(report.loaded);
  std::vector<Question> questions;
  // What is wrong with a file does not concern the others; a wrong call concerns all of them.
  if (diagnostics.errors() == of_files) questions = choose(report.loaded);
  if (diagnostics.errors() == of_files) require_questions(questions, report.loaded);
  if (listener.on_diagnostics) listener.on_diagnostics(diagnostics, *report.loaded.sources);
  const bool wrong = diagnostics.has_errors();
  if (diagnostics.errors() > of_files) questions.clear();
  if (bound) questions = with_bound(questions, report.loaded, *bound);
  if (listener.on_questions) {
    std::vector<PropertyResult> undecided;
    for (const Question& question : questions)
      undecided.push_back(undecided_result(report.loaded, question));
    listener.on_questions(undecided);
  }
  const Handlers handlers = {[&](std::size_t index, const PropertyResult& result) {
                               if (listener.on_decided) listener.on_decided(index, result);
                             },
                             [&](PropertyResult result) {
                               report.results.push_back(std::move(result));
                               if (listener.on_result) listener.on_result(report.results.back());
                             }};
  decide_all(report.loaded, questions, context, handlers);
  report.exit = wrong ? ExitCode::BadInput : exit_code_of(report.results);
  return report;
}

}  // namespace whittle
