// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "driver/load.h"
#include "driver/trace_file.h"
#include "report/drawing_svg.h"
#include "report/machine_drawing.h"

namespace whittle::cli {

namespace {

enum class DrawingFormat { Svg, Dot, Mermaid };

struct DrawOptions : OptionGroup {
  DrawOptions() : OptionGroup("Output") {}
  Option<DrawingFormat> format{*this,
                               "format",
                               DrawingFormat::Svg,
                               {{"svg", DrawingFormat::Svg},
                                {"dot", DrawingFormat::Dot},
                                {"mermaid", DrawingFormat::Mermaid}},
                               "svg needs the program dot (Graphviz); mermaid is for Markdown"};
  Option<std::string> output{*this, "output|o", "", "FILE", "write to a file"};
  Option<std::string> trace{*this, "trace", "", "FILE",
                            "mark where tokens are at the end of the trace in this report of "
                            "'check --json'; - reads it from the standard input"};
  Option<std::string> property{*this, "property", "", "NAME",
                               "the trace of the property of this name"};
};

// How many tokens there are at the end of the trace, by the names that reports use.
class LastState {
 public:
  LastState(const Network& network, const TraceFile& trace) : network_(network) {
    values_ = trace.initial;
    for (const TraceFile::Step& step : trace.steps)
      for (const auto& [name, value] : step.changes) values_[name] = value;
  }

  [[nodiscard]] std::uint64_t count(VariableId id) const {
    const Variable& variable = network_.variable(id);
    auto found = values_.find(variable.name);
    if (found == values_.end() && variable.machine.valid())
      found = values_.find(network_.machine(variable.machine).name + "." + variable.name);
    std::uint64_t number = 0;
    if (found != values_.end())
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
    return number;
  }

 private:
  const Network& network_;
  TraceFile::Values values_;
};

// Empty when Graphviz's `dot` does not work.
std::string svg_of(const std::string& dot) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "model.dot";
  write_file(file, dot);
  return output_of({"dot", "-Tsvg", file.string()}).value_or("");
}

class Draw final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(options_);
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) return ExitCode::BadInput;
    const Network& network = *loaded.models.at(0).network;
    const bool own = network.drawing != nullptr && *options_.format == DrawingFormat::Svg;
    if (!own && !options_.trace.value().empty())
      return refused(session, "--trace needs a model with a drawing of its own, and --format svg");
    std::string drawing;
    if (own) {
      const auto of_file = own_drawing(network);
      if (!of_file) return refused(session, of_file.error());
      drawing = *of_file;
    } else {
      drawing = of_machines(network);
    }
    if (drawing.empty()) {
      Diagnostics diagnostics;
      diagnostics.report("cli-008", {}, "the program dot could not make a drawing",
                         "install the Debian package graphviz, or use --format mermaid");
      session.show(diagnostics, Sources());
      return ExitCode::BadInput;
    }
    if (options_.output.value().empty())
      session.out.write(drawing);
    else
      write_file(*options_.output, drawing);
    return ExitCode::Success;
  }

 private:
  static ExitCode refused(Session& session, const std::string& why) {
    Diagnostics diagnostics;
    diagnostics.report("cli-004", {}, why, "see 'whittle help draw'");
    session.show(diagnostics, Sources());
    return ExitCode::BadInput;
  }

  [[nodiscard]] std::string of_machines(const Network& network) const {
    switch (*options_.format) {
      case DrawingFormat::Svg:
        return svg_of(machines_dot(network));
      case DrawingFormat::Dot:
        return machines_dot(network);
      case DrawingFormat::Mermaid:
        return machines_mermaid(network);
    }
    return {};
  }

  [[nodiscard]] Expected<std::string, std::string> own_drawing(const Network& network) const {
    if (options_.trace.value().empty()) return drawing_svg(*network.drawing, {});
    std::stringstream text;
    if (*options_.trace == "-") {
      text << std::cin.rdbuf();
    } else {
      const std::ifstream in(*options_.trace);
      text << in.rdbuf();
      if (!in) return Unexpected{"'" + *options_.trace + "' cannot be read"};
    }
    const auto trace = read_trace_file(text.str(), *options_.property);
    if (!trace) return Unexpected{*options_.trace + ": " + trace.error()};
    const LastState last(network, *trace);
    return drawing_svg(*network.drawing, [&](VariableId id) { return last.count(id); });
  }

  DrawOptions options_;
  OptionSet load_;
};

}  // namespace

extern const CommandInfo kDraw;
const CommandInfo kDraw = {
    "draw",
    "FILE",
    "draw the machines of a model",
    "Draws states and the events between them: as a picture, for Graphviz, or as Mermaid's text,\n"
    "which code hosts show in Markdown. 'whittle slice --dot' draws what a question needs,\n"
    "'whittle check --html' the way of a trace. A BPMN diagram is drawn as its file has it; with\n"
    "a trace, tokens and the gateways at which they wait are marked.\n"
    "\n"
    "  whittle draw account.sts -o account.svg\n"
    "  whittle draw account.sts --format mermaid\n"
    "  whittle check order.bpmn --json | whittle draw order.bpmn --trace - -o order.svg\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Draw>()); },
};

}  // namespace whittle::cli
