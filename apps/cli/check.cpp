// SPDX-License-Identifier: Apache-2.0
#include "driver/check.h"

#include "cli/command.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "report/report.h"

#include <fmt/format.h>
#include <unistd.h>

namespace whittle::cli {

namespace {

struct ReportOptions : OptionGroup {
  ReportOptions() : OptionGroup("Output") {}
  Option<std::string> format{*this, "format", "text", "ID",
                             "how results are written: text, json"};
  Option<bool> json{*this, "json", "short for --format=json"};
  Option<bool> full_trace{*this, "full-trace", "show long traces in full"};
};

class Check final : public Command {
public:
  void declare(OptionTable &table) override {
    declare_check_options(options_);
    for (OptionGroup *group : options_.groups())
      table.add(*group);
    table.add(report_);
  }

  ExitCode run(const std::vector<std::string> &paths,
               Session &session) override;

private:
  [[nodiscard]] const ReportFormat *format(Session &session) const;

  OptionSet options_;
  ReportOptions report_;
};

const ReportFormat *Check::format(Session &session) const {
  const std::string id = *report_.json ? "json" : *report_.format;
  if (const ReportFormat *found = find_report_format(id))
    return found;
  Diagnostics diagnostics;
  NearestName meant(id);
  for (const ReportFormat &known : report_formats())
    meant.offer(known.id);
  diagnostics.report(
      "cli-004", {}, fmt::format("there is no format '{}'", id),
      meant.result() ? fmt::format("did you mean '{}'?", *meant.result()) : "");
  session.show(diagnostics, Sources());
  return nullptr;
}

ExitCode Check::run(const std::vector<std::string> &paths, Session &session) {
  const ReportFormat *chosen = format(session);
  if (chosen == nullptr)
    return ExitCode::BadInput;
  ReportStyle style;
  style.version = WHITTLE_VERSION;
  style.color = session.out_color;
  style.width = terminal_width(STDOUT_FILENO);
  style.full_trace = *report_.full_trace;
  style.quiet = session.quiet;
  style.verbose = session.log.enabled(LogLevel::Debug);
  const std::unique_ptr<ReportWriter> writer = chosen->make(style);

  ProgressLine progress(session.show_progress);
  DecideContext context{options_, Deadline::never(), session.cancel,
                        session.log, progress};
  CheckListener listener;
  listener.on_diagnostics = [&](const Diagnostics &diagnostics,
                                const Sources &sources) {
    if (chosen->for_people)
      session.show(diagnostics, sources);
  };
  listener.on_result = [&](const PropertyResult &result) {
    progress.clear();
    session.out.write(writer->result(result));
    session.out.flush();
  };
  const CheckReport report = check_files(paths, context, listener);
  progress.clear();
  session.out.write(writer->finish(report.results, report.loaded.diagnostics,
                                   *report.loaded.sources));
  return report.exit;
}

} // namespace

extern const CommandInfo kCheck;
const CommandInfo kCheck = {
    "check",
    "FILE...",
    "decide every property in the files",
    "Decides the properties of models and shows what proves each answer: a run "
    "that leads there,\n"
    "or an invariant that excludes it. Every run is replayed on the model as "
    "written, every\n"
    "invariant is proved by a second solver.\n"
    "\n"
    "  whittle check examples/sts/bank_account.sts\n"
    "  whittle check model.sts --property broke --json\n",
    1,
    kAnyNumber,
    [] { return std::unique_ptr<Command>(std::make_unique<Check>()); },
};

} // namespace whittle::cli
