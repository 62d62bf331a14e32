// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/checkpoint.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "cli/progress_line.h"
#include "driver/check_options.h"
#include "driver/load.h"
#include "driver/tests/suite.h"
#include "engine/engines.h"
#include "frontend/c/options.h"
#include "report/test_suite.h"

namespace whittle::cli {

namespace {

enum class SuiteFormat { Json, TestComp, C };
enum class Negative { Off, On };

struct TestsOptions : OptionGroup {
  TestsOptions() : OptionGroup("Tests") {}
  Option<std::string> cover{*this, "cover", "branches", "WHAT",
                            "what the tests cover: locations, branches, conditions, errors, or "
                            "paths:K with at most K turns of each loop"};
  Option<Negative> borders{*this,
                           "borders",
                           Negative::Off,
                           {{"off", Negative::Off}, {"on", Negative::On}},
                           "also tests on the borders of conditions and just beside them"};
  Option<std::string> out{*this, "out|o", "", "FOLDER", "write the suite there"};
  Option<SuiteFormat> format{
      *this,
      "format",
      SuiteFormat::Json,
      {{"json", SuiteFormat::Json}, {"testcomp", SuiteFormat::TestComp}, {"c", SuiteFormat::C}},
      "json; for C programs also the exchange format of Test-Comp, and a "
      "harness that gcc compiles"};
};

std::optional<SuiteOptions> read_cover(const std::string& text) {
  SuiteOptions result;
  result.words = text;
  if (text == "locations") {
    result.cover = tests::Cover::Locations;
  } else if (text == "branches") {
    result.cover = tests::Cover::Branches;
  } else if (text == "conditions") {
    result.cover = tests::Cover::Conditions;
  } else if (text == "errors") {
    result.cover = tests::Cover::Errors;
  } else if (text.starts_with("paths:")) {
    result.cover = tests::Cover::Paths;
    const auto read = std::from_chars(text.data() + 6, text.data() + text.size(), result.turns);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || result.turns > 1000)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  return result;
}

class Tests final : public Command {
 public:
  Tests() { declare_check_options(options_); }

  void declare(OptionTable& table) override {
    table.add(own_);
    for (OptionGroup* group : options_.groups()) table.add(*group);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    Diagnostics wrong;
    auto wanted = read_cover(*own_.cover);
    if (!wanted)
      wrong.report("cli-004", {}, fmt::format("'{}' is nothing to cover", *own_.cover),
                   "locations, branches, conditions, errors, or as in paths:2");
    if (find_engine(*options_.get<DecideOptions>().engine) == nullptr)
      wrong.report("cli-004", {},
                   fmt::format("there is no engine '{}'", *options_.get<DecideOptions>().engine),
                   "'whittle engines' lists them");
    if (*own_.format != SuiteFormat::Json && own_.out.value().empty())
      wrong.report("cli-007", {}, "these files need a folder", "give one with --out");
    if (wrong.has_errors()) return refused(wrong, Sources(), session);
    wanted->borders = *own_.borders == Negative::On;
    // As compilers count branches, unless the user says otherwise.
    auto& c = options_.add<c::COptions>();
    if (!c.conditions.given()) c.conditions.set(c::Conditions::Parts);
    return make(arguments, *wanted, session);
  }

 private:
  static ExitCode refused(const Diagnostics& diagnostics, const Sources& sources,
                          Session& session) {
    session.show(diagnostics, sources);
    return ExitCode::BadInput;
  }

  ExitCode make(const std::vector<std::string>& files, const SuiteOptions& wanted,
                Session& session) {
    const double seconds = *options_.get<CheckGroup>().total_timeout;
    const Deadline end =
        seconds > 0 ? Deadline::after(std::chrono::milliseconds(static_cast<long>(seconds * 1000)))
                    : Deadline::never();
    LoadedModels loaded;
    try {
      const LimitScope scope(end, session.cancel);
      loaded = load_models(files, options_);
    } catch (const LimitReached& limit) {
      Diagnostics diagnostics;
      diagnostics.report("cli-010", {}, fmt::format("{} while the model was loaded", limit.what()),
                         "raise the limit");
      session.show(diagnostics, Sources());
      return ExitCode::Undecided;
    }
    if (loaded.diagnostics.has_errors())
      return refused(loaded.diagnostics, *loaded.sources, session);
    session.show(loaded.diagnostics, *loaded.sources);
    Diagnostics wrong;
    const Model& model = loaded.models.at(0);
    if (*own_.format != SuiteFormat::Json && model.network->language != "c")
      wrong.report("cli-007", {}, "this format is for C programs", "--format json is for all");
    const UniverseId universe = universe_of(*model.network, wrong);
    if (wrong.has_errors()) return refused(wrong, *loaded.sources, session);
    ProgressLine progress(session.show_progress);
    DecideContext context{options_, end, session.cancel, session.log, progress};
    context.sources = loaded.sources.get();
    const TestSuite suite = test_suite(model, universe, wanted, context);
    progress.clear();
    return written(suite, loaded, session);
  }

  // That of the chosen property, or the first.
  UniverseId universe_of(const Network& network, Diagnostics& wrong) const {
    const auto& names = *options_.get<CheckGroup>().property;
    for (const Property& property : network.properties())
      if (property.universe.valid() && (names.empty() || property.name == names.front()))
        return property.universe;
    if (!names.empty())
      wrong.report("check-001", {}, fmt::format("there is no property '{}'", names.front()));
    else if (network.universes().empty())
      wrong.report("check-010", {}, "there is no instance to say anything about",
                   "a specification has instances where something is asked about it");
    return UniverseId(0);
  }

  ExitCode written(const TestSuite& suite, const LoadedModels& loaded, Session& session) {
    const auto document = [&] {
      return suite_document({suite}, WHITTLE_VERSION, loaded.diagnostics, *loaded.sources);
    };
    const ExitCode code =
        suite.count(TestGoal::Status::Unknown) > 0 ? ExitCode::Undecided : ExitCode::Success;
    if (own_.out.value().empty()) {
      session.out.write(own_.format.given() ? document() : suite_text(suite, *loaded.sources));
      return code;
    }
    const std::string_view text = loaded.sources->file(FileId(0)).text();
    std::vector<SuiteFile> files;
    switch (*own_.format) {
      case SuiteFormat::Json:
        files = {{"suite.json", document()}};
        break;
      case SuiteFormat::TestComp:
        files = suite_as_testcomp(suite, text, WHITTLE_VERSION,
                                  *options_.get<c::COptions>().model == c::DataModel::Ilp32);
        break;
      case SuiteFormat::C:
        files = suite_as_c(suite, text);
        files.push_back({"suite.json", document()});
        break;
    }
    const std::filesystem::path folder = *own_.out;
    try {
      for (const SuiteFile& file : files) write_file(folder / file.path, file.text);
    } catch (const CannotWrite& error) {
      Diagnostics diagnostics;
      diagnostics.report("cli-009", {}, error.what(),
                         "is the folder writable, and is there room on the disk?");
      session.show(diagnostics, Sources());
      return ExitCode::BadInput;
    }
    session.out.write(suite_text(suite, *loaded.sources));
    return code;
  }

  TestsOptions own_;
  OptionSet options_;
};

}  // namespace

extern const CommandInfo kTests;
const CommandInfo kTests = {
    "tests",
    "FILE",
    "runs that cover a model, and proofs of what no run gets to",
    "Makes a test suite: for each part of the model a run that comes there, as few runs as a "
    "greedy\n"
    "choice leaves. What a run covers is what the interpreter saw on the model as it is written.\n"
    "Parts that no run gets to are dead: a proof is given. For C programs a part is a branch as\n"
    "compilers see it, and the suite can be compiled and measured with gcov.\n"
    "\n"
    "  whittle tests ring_buffer.c                       figures, and what is dead\n"
    "  whittle tests ring_buffer.c --format c -o suite   'sh suite/run.sh' runs and measures it\n"
    "  whittle tests order.cfa --cover paths:2           every path, two turns of each loop\n"
    "  whittle tests account.sts --borders on            also on and beside borders of "
    "conditions\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Tests>()); },
};

}  // namespace whittle::cli
