// SPDX-License-Identifier: Apache-2.0
#include "driver/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/memory.h"
#include "driver/pipelines.h"
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

// `--bound N` replaces what the model says, also where it begins: "in exactly 7 steps" becomes "in
// at most N".
void apply_bound(const DecideOptions& options, LoadedModels& loaded) {
  if (!options.bound.given()) return;
  std::uint64_t bound = 0;
  const std::string& text = *options.bound;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), bound);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || text.empty()) {
    loaded.diagnostics.report("cli-004", {}, fmt::format("'{}' is not a number of steps", text),
                              "write for example --bound 20");
    return;
  }
  for (const Model& model : loaded.models) {
    for (std::size_t p = 0; p < model.network->properties().size(); ++p) {
      StepBound& own = model.network->property(PropertyId(p)).bound;
      own = {0, bound};
    }
  }
}

}  // namespace

void declare_check_options(OptionSet& options) {
  options.add<CheckGroup>();
  options.add<LoadGroup>();
  options.add<DecideOptions>();
  for (const Stage& stage : check_pipeline()) {
    if (stage.declare != nullptr) stage.declare(options);
  }
  for (const EngineInfo* engine : engines()) {
    if (engine->declare != nullptr) engine->declare(options);
  }
}

ExitCode exit_code_of(std::span<const PropertyResult> results) {
  bool undecided = false;
  for (const PropertyResult& result : results) {
    if (met(result) == false) return ExitCode::NotMet;
    undecided = undecided || result.verdict.kind == VerdictKind::Unknown;
  }
  return undecided ? ExitCode::Undecided : ExitCode::Success;
}

CheckReport check_files(const std::vector<std::string>& paths, DecideContext& context,
                        const CheckListener& listener) {
  return decide_files(paths, context, listener, [&](LoadedModels& loaded) {
    return chosen_questions(context.options.get<CheckGroup>().property.value(), loaded);
  });
}

CheckReport decide_files(const std::vector<std::string>& paths, DecideContext& context,
                         const CheckListener& listener,
                         const std::function<std::vector<Question>(LoadedModels&)>& choose) {
  CheckReport report;
  const CheckGroup& options = context.options.get<CheckGroup>();
  const DecideOptions& decide_options = context.options.get<DecideOptions>();
  if (*options.total_timeout > 0) {
    const auto time =
        std::chrono::milliseconds(static_cast<std::int64_t>(*options.total_timeout * 1000));
    context.deadline = context.deadline.earlier(Deadline::after(time));
  }
  if (*decide_options.memory > 0) {
    // Solvers keep the limit themselves, and workers exactly. This process gets room beside it:
    // cvc5 ends the process where an allocation fails while it tidies up.
    limit_address_space((static_cast<std::uint64_t>(*decide_options.memory) + 512) << 20U);
  }
  report.loaded = load_models(paths, context.options.get<LoadGroup>());
  Diagnostics& diagnostics = report.loaded.diagnostics;
  check_engine(decide_options, diagnostics);
  apply_bound(decide_options, report.loaded);
  std::vector<Question> questions;
  if (!diagnostics.has_errors()) questions = choose(report.loaded);
  if (listener.on_diagnostics) listener.on_diagnostics(diagnostics, *report.loaded.sources);
  if (diagnostics.has_errors()) {
    report.exit = ExitCode::BadInput;
    return report;
  }
  decide_all(report.loaded, questions, context, [&](PropertyResult result) {
    report.results.push_back(std::move(result));
    if (listener.on_result) listener.on_result(report.results.back());
  });
  report.exit = exit_code_of(report.results);
  return report;
}

}  // namespace whittle
