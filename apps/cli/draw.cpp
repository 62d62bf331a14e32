// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "driver/check.h"
#include "driver/decide_options.h"
#include "driver/drawn_slice.h"
#include "driver/load.h"
#include "driver/prepare.h"
#include "report/drawing_svg.h"
#include "report/machine_drawing.h"
#include "report/sequence_drawing.h"
#include "report/verdict_text.h"

namespace whittle::cli {

namespace {

enum class DrawingFormat { Svg, Dot, Mermaid };

struct DrawOptions : OptionGroup {
  DrawOptions() : OptionGroup("Output") {}
  PropertyOption property{*this, "grey what the property of this name does not need"};
  Option<bool> trace{*this, "trace", "decide the property and draw its run, a lane per instance"};
  Option<DrawingFormat> format{*this,
                               "format",
                               DrawingFormat::Svg,
                               {{"svg", DrawingFormat::Svg},
                                {"dot", DrawingFormat::Dot},
                                {"mermaid", DrawingFormat::Mermaid}},
                               "svg needs the program dot (Graphviz), but for runs; mermaid is for "
                               "Markdown"};
  Option<std::string> output{*this, "output|o", "", "FILE", "write to a file"};
};

// Empty when Graphviz's `dot` does not work.
std::string svg_of(const std::string& dot) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "model.dot";
  write_file(file, dot);
  return output_of({"dot", "-Tsvg", file.string()}).value_or("");
}

// How many tokens there are at the end of the run.
class LastState {
 public:
  explicit LastState(const PropertyResult& result)
      : layout_(*result.network, result.verdict.trace()->universe), state_(result.replay->final()) {
    for (std::size_t slot = 0; slot < layout_.value_count(); ++slot) {
      const VariableId id = layout_.at(slot).second;
      const Value& value = state_.values[slot];
      if (result.network->variable(id).type != Type::integer()) continue;
      if (const auto small = value.as_integer().to_int64(); small && *small > 0)
        counts_[id.index()] += static_cast<std::uint64_t>(*small);
    }
  }
  [[nodiscard]] std::uint64_t count(VariableId id) const {
    const auto found = counts_.find(id.index());
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  StateLayout layout_;
  const State& state_;
  std::map<std::size_t, std::uint64_t> counts_;
};

class Draw final : public Command {
 public:
  Draw() { declare_check_options(options_); }

  void declare(OptionTable& table) override {
    table.add(draw_);
    // Of the options of `check` those that a drawing may depend on.
    for (OptionGroup* group : options_.groups())
      if (!is<CheckGroup>(group)) table.add(*group);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    std::string drawing;
    const ExitCode code = *draw_.trace ? draw_run(arguments, session, drawing)
                                       : draw_machines(arguments, session, drawing);
    if (drawing.empty()) return code;
    if (draw_.output.value().empty())
      session.out.write(drawing);
    else
      write_file(*draw_.output, drawing);
    return code;
  }

 private:
  template <class Group>
  [[nodiscard]] bool is(const OptionGroup* group) const {
    return group == &options_.get<Group>();
  }

  static ExitCode refused(Session& session, std::string_view id, std::string message,
                          std::string hint) {
    Diagnostics diagnostics;
    diagnostics.report(id, {}, std::move(message), std::move(hint));
    session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  // What stays empty has been explained on stderr.
  ExitCode draw_machines(const std::vector<std::string>& arguments, Session& session,
                         std::string& drawing) {
    LoadedModels loaded = load_models(arguments, options_);
    std::vector<Question> questions;
    if (!loaded.diagnostics.has_errors() && !draw_.property.value().empty())
      questions = the_one(loaded);
    session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) return ExitCode::BadInput;
    std::shared_ptr<Network> network = loaded.models.at(0).network;
    DrawnSlice slice;
    if (!questions.empty()) {
      network = questions[0].network;
      slice = drawn_slice(
          prepared_to_show(network, questions[0].property, options_, session.log, session.cancel),
          *network);
    }
    if (network->drawing != nullptr && *draw_.format == DrawingFormat::Svg) {
      drawing = drawing_svg(*network->drawing, {});
      return ExitCode::Success;
    }
    if (*draw_.format == DrawingFormat::Mermaid) {
      drawing = machines_mermaid(*network, slice);
      return ExitCode::Success;
    }
    drawing = machines_dot(*network, slice, *loaded.sources);
    if (*draw_.format == DrawingFormat::Dot) return ExitCode::Success;
    drawing = svg_of(drawing);
    if (!drawing.empty()) return ExitCode::Success;
    return refused(session, "cli-008", "the program dot could not make a drawing",
                   "install the Debian package graphviz, or use --format mermaid");
  }

  // A drawing is about one question.
  [[nodiscard]] std::vector<Question> the_one(LoadedModels& loaded) const {
    std::vector<Question> questions = chosen_questions(*draw_.property, loaded);
    if (questions.size() < 2) return questions;
    std::vector<std::string> names;
    for (const Question& question : questions) names.push_back("'" + question.what().name + "'");
    loaded.diagnostics.report("check-004", {}, "a drawing is about one property",
                              fmt::format("choose with -p: {}", fmt::join(names, ", ")));
    return {};
  }

  ExitCode draw_run(const std::vector<std::string>& arguments, Session& session,
                    std::string& drawing) {
    if (*draw_.format == DrawingFormat::Dot)
      return refused(session, "cli-007", "a run is not drawn by Graphviz",
                     "--format svg or --format mermaid");
    IgnoreProgress progress;
    DecideContext context{options_, Deadline::never(), session.cancel, session.log, progress};
    CheckListener listener;
    listener.on_diagnostics = [&](const Diagnostics& found, const Sources& sources) {
      session.show(found, sources);
    };
    const CheckReport report = decide_files(arguments, context, listener,
                                            [&](LoadedModels& loaded) { return the_one(loaded); });
    if (report.results.empty()) return report.exit;
    const PropertyResult& result = report.results[0];
    if (result.verdict.trace() == nullptr || !result.replay)
      return refused(
          session, "check-012",
          fmt::format("'{}' has no run to draw: {}", result.question().name, verdict_word(result)),
          "without --trace its machines are drawn");
    if (result.network->drawing != nullptr && *draw_.format == DrawingFormat::Svg) {
      const LastState last(result);
      drawing =
          drawing_svg(*result.network->drawing, [&](VariableId id) { return last.count(id); });
      return ExitCode::Success;
    }
    drawing =
        *draw_.format == DrawingFormat::Mermaid ? sequence_mermaid(result) : sequence_svg(result);
    return ExitCode::Success;
  }

  DrawOptions draw_;
  OptionSet options_;
};

}  // namespace

extern const CommandInfo kDraw;
const CommandInfo kDraw = {
    "draw",
    "FILE",
    "draw the machines of a model, or a run of them",
    "Draws states and the events between them, with conditions and effects in short form: as a\n"
    "picture, for Graphviz, or (names only) as Mermaid's text, which code hosts show in Markdown.\n"
    "Dashed lines are events that one machine calls in another. With a property, what it does not\n"
    "need is grey. With --trace its run is drawn, a lane per instance. A BPMN diagram is drawn as\n"
    "its file has it; with --trace tokens and the gateways at which they wait are marked.\n"
    "\n"
    "  whittle draw account.sts -o account.svg\n"
    "  whittle draw account.sts -p nonNegative -o slice.svg\n"
    "  whittle draw test.tebl -p broke --trace -o run.svg\n"
    "  whittle draw account.sts --format mermaid\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Draw>()); },
};

}  // namespace whittle::cli
