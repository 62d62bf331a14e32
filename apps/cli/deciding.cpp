// SPDX-License-Identifier: Apache-2.0
#include "cli/deciding.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/watchdog.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/format_option.h"
#include "cli/last_report.h"
#include "cli/model_files.h"
#include "cli/progress_line.h"
#include "driver/certificate/folder.h"
#include "driver/decide.h"
#include "driver/drawn_slice.h"
#include "driver/lists.h"
#include "driver/prepare.h"
#include "driver/record.h"
#include "driver/slicing.h"
#include "report/html.h"

namespace whittle::cli {

namespace {

enum class TraceDetail { Changes, Essential, Full };

struct ReportOptions : OptionGroup {
  ReportOptions() : OptionGroup("Output") {}
  Option<bool> json{*this, "json", "the same as --format json"};
  Option<FormatIndex> format{*this, "format", FormatIndex(0), format_choices(report_formats()),
                             "how results are written"};
  Option<std::string> html{*this, "html", "", "FILE", "also write a report for a browser"};
  Option<TraceDetail> trace{*this,
                            "trace",
                            TraceDetail::Changes,
                            {{"changes", TraceDetail::Changes},
                             {"essential", TraceDetail::Essential},
                             {"full", TraceDetail::Full}},
                            "what of a trace is shown: what changes in every step, only what "
                            "matters to the property, or every step however long it is"};
  Option<bool> full_trace{*this, "full-trace", "the same as --trace full"};
  Option<bool> invariant{*this, "invariant", "show every line of a proof, however long it is"};
};

class Deciding final : public Command {
 public:
  Deciding(DecideFiles decide, MakeWriter for_people) : decide_(decide), for_people_(for_people) {
    declare_check_options(options_);
  }

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
    const auto files = model_files(arguments, diagnostics);
    const bool own = format->for_people && for_people_ != nullptr && !session.verbose;
    ReportStyle style = this->style(session);
    style.files = files.size();
    const auto writer = own ? for_people_(style) : format->make(style);
    ProgressLine progress(session.show_progress);
    LastReport last(session.out, *writer);
    CheckListener listener;
    const Sources* sources_read = nullptr;
    listener.before = diagnostics;
    listener.on_diagnostics = [&](const Diagnostics& found, const Sources& sources) {
      progress.clear();
      last.loaded(found, sources);
      sources_read = &sources;
      if (format->for_people) session.show(found, sources);
    };
    std::optional<Record> record;
    std::optional<Logger> recorded;
    std::optional<CertificateFolder> certificate;
    try {
      if (const std::string& folder = *options_.get<CheckGroup>().certificate; !folder.empty())
        certificate.emplace(folder, WHITTLE_VERSION);
      if (const std::string& folder = *options_.get<DecideOptions>().record; !folder.empty()) {
        record.emplace(folder, session.command_line, WHITTLE_VERSION);
        recorded.emplace(LogLevel::Debug, record->sink(session.log));
      }
    } catch (const CannotWrite& error) {
      diagnostics.report("cli-009", {}, error.what(),
                         "is the folder writable, and is there room on the disk?");
      if (format->for_people) session.show(diagnostics, Sources());
      session.out.write(writer->finish({}, diagnostics, Sources()));
      return ExitCode::BadInput;
    }
    std::optional<HtmlReport> html;
    if (!report_.html.value().empty()) html.emplace(style);
    DecideContext context{options_, Deadline::never(), session.cancel,
                          recorded ? *recorded : session.log, progress};
    listener.on_questions = [&](std::span<const PropertyResult> undecided) {
      last.asked(undecided);
    };
    listener.on_decided = [&](std::size_t index, const PropertyResult& result) {
      last.decided(index, result);
    };
    listener.on_result = [&](const PropertyResult& result) {
      progress.clear();
      std::string text;
      try {
        text = writer->result(result);
      } catch (const LimitReached&) {  // a witness that takes too long to write
        text = writer->result(without_witness(result));
      }
      last.write(text);
      context.sources = sources_read;
      if (html) add_to_page(*html, result, context);
      if (!certificate) return;
      std::string missing;
      try {
        missing = certificate->add(result, context);
      } catch (const LimitReached& limit) {
        missing = limit.what();
      }
      if (!missing.empty())
        session.log.warning("no certificate for '{}': {}", result.question().name, missing);
    };
    std::optional<std::uint64_t> memory;
    if (const unsigned megabytes = *options_.get<DecideOptions>().memory; megabytes > 0)
      memory = static_cast<std::uint64_t>(megabytes) << 20U;
    Watchdog watchdog(memory, [&](Reason::Kind reason) { last.write_and_exit(reason); });
    context.watchdog = &watchdog;
    const CheckReport report = decide_(files, context, listener);
    if (certificate) certificate->finish();
    if (html) write_file(*report_.html, html->document(*report.loaded.sources));
    progress.clear();
    last.finish(writer->finish(report.results, report.loaded.diagnostics, *report.loaded.sources),
                report.exit);
    return report.exit;
  }

 private:
  // With the slice of its question, where that can be had in time.
  static void add_to_page(HtmlReport& html, const PropertyResult& result, DecideContext& context) {
    std::vector<SourceMark> marks;
    DrawnSlice drawn;
    try {
      if (context.sources != nullptr) {
        const Preparation shown = prepared_to_show(result.network, result.property, context.options,
                                                   context.log, context.cancel);
        for (MarkedLine& line : marked_lines(shown, *context.sources))
          marks.push_back({line.file, line.line, line.sign, std::move(line.reason)});
        drawn = drawn_slice(shown, *result.network);
      }
      html.add(result, marks, drawn);
    } catch (const LimitReached&) {
      html.add(without_witness(result), {}, {});
    }
  }

  // Null, with a diagnostic, if the options contradict each other.
  const ReportFormat* chosen_format(Diagnostics& diagnostics) const {
    const std::string_view id = report_.format.name_of(*report_.format);
    if (*report_.json && report_.format.given() && id != "json") {
      diagnostics.report("cli-007", {},
                         fmt::format("--json and --format {} contradict each other", id));
      return nullptr;
    }
    if (*report_.json) return find_report_format("json");
    return &chosen(report_formats(), report_.format);
  }

  [[nodiscard]] ReportStyle style(const Session& session) const {
    ReportStyle style;
    style.version = WHITTLE_VERSION;
    style.color = session.out_color;
    style.width = terminal_width(STDOUT_FILENO);
    style.full_trace = *report_.full_trace || *report_.trace == TraceDetail::Full;
    style.essential_trace = *report_.trace == TraceDetail::Essential;
    style.full_invariant = *report_.invariant;
    style.quiet = session.quiet;
    style.verbose = session.verbose;
    return style;
  }

  DecideFiles decide_;
  MakeWriter for_people_;
  OptionSet options_;
  ReportOptions report_;
};

}  // namespace

std::unique_ptr<Command> deciding_command(DecideFiles decide, MakeWriter for_people) {
  return std::make_unique<Deciding>(decide, for_people);
}

}  // namespace whittle::cli
