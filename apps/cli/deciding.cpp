// SPDX-License-Identifier: Apache-2.0
#include "cli/deciding.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/model_files.h"
#include "cli/progress_line.h"
#include "driver/decide.h"
#include "driver/lists.h"
#include "driver/record.h"

namespace whittle::cli {

namespace {

// An index in the list of formats: so the option has them as its choices.
enum class FormatIndex : std::size_t {};

std::vector<Option<FormatIndex>::Choice> format_choices() {
  std::vector<Option<FormatIndex>::Choice> choices;
  for (const ReportFormat& format : report_formats()) {
    choices.push_back({format.id, FormatIndex(choices.size())});
  }
  return choices;
}

struct ReportOptions : OptionGroup {
  ReportOptions() : OptionGroup("Output") {}
  Option<bool> json{*this, "json", "the same as --format json"};
  Option<FormatIndex> format{*this, "format", FormatIndex(0), format_choices(),
                             "how results are written"};
  Option<bool> full_trace{*this, "full-trace", "show every step, however long the trace is"};
};

class Deciding final : public Command {
 public:
  explicit Deciding(DecideFiles decide) : decide_(decide) { declare_check_options(options_); }

  void declare(OptionTable& table) override {
    for (OptionGroup* group : options_.groups()) table.add(*group);
    table.add(report_);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    Diagnostics diagnostics;
    const ReportFormat* format = chosen_format(diagnostics);
    if (format == nullptr) {
      session.show(diagnostics, Sources());
      return ExitCode::BadInput;
    }
    const auto writer = format->make(style(session));
    const auto files = model_files(arguments, diagnostics);
    if (diagnostics.has_errors()) {
      if (format->for_people) session.show(diagnostics, Sources());
      session.out.write(writer->finish({}, diagnostics, Sources()));
      return ExitCode::BadInput;
    }

    ProgressLine progress(session.show_progress);
    CheckListener listener;
    listener.on_diagnostics = [&](const Diagnostics& found, const Sources& sources) {
      progress.clear();
      if (format->for_people) session.show(found, sources);
    };
    listener.on_result = [&](const PropertyResult& result) {
      progress.clear();
      session.out.write(writer->result(result));
      session.out.flush();
    };
    std::optional<Record> record;
    std::optional<Logger> recorded;
    if (const std::string& folder = *options_.get<DecideOptions>().record; !folder.empty()) {
      try {
        record.emplace(folder, session.command_line, WHITTLE_VERSION);
      } catch (const ResourceError& error) {
        diagnostics.report("cli-009", {}, error.what(),
                           "is the folder writable, and is there room on the disk?");
        if (format->for_people) session.show(diagnostics, Sources());
        session.out.write(writer->finish({}, diagnostics, Sources()));
        return ExitCode::BadInput;
      }
      recorded.emplace(LogLevel::Debug, record->sink(session.log));
    }
    DecideContext context{options_, Deadline::never(), session.cancel,
                          recorded ? *recorded : session.log, progress};
    const CheckReport report = decide_(files, context, listener);
    progress.clear();
    session.out.write(
        writer->finish(report.results, report.loaded.diagnostics, *report.loaded.sources));
    return report.exit;
  }

 private:
  // Null, with a diagnostic, if the options contradict each other.
  const ReportFormat* chosen_format(Diagnostics& diagnostics) const {
    const std::string_view id = report_.format.name_of(*report_.format);
    if (*report_.json && report_.format.given() && id != "json") {
      diagnostics.report("cli-007", {},
                         fmt::format("--json and --format {} contradict each other", id));
      return nullptr;
    }
    if (*report_.json) return find_report_format("json");
    return &report_formats()[static_cast<std::size_t>(*report_.format)];
  }

  [[nodiscard]] ReportStyle style(const Session& session) const {
    ReportStyle style;
    style.version = WHITTLE_VERSION;
    style.color = session.out_color;
    style.width = terminal_width(STDOUT_FILENO);
    style.full_trace = *report_.full_trace;
    style.quiet = session.quiet;
    style.verbose = session.verbose;
    return style;
  }

  DecideFiles decide_;
  OptionSet options_;
  ReportOptions report_;
};

}  // namespace

std::unique_ptr<Command> deciding_command(DecideFiles decide) {
  return std::make_unique<Deciding>(decide);
}

}  // namespace whittle::cli
