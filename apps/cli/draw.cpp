// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "base/write_file.h"
#include "cli/command.h"
#include "driver/load.h"
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
    std::string drawing;
    switch (*options_.format) {
      case DrawingFormat::Svg:
        drawing = svg_of(machines_dot(network));
        break;
      case DrawingFormat::Dot:
        drawing = machines_dot(network);
        break;
      case DrawingFormat::Mermaid:
        drawing = machines_mermaid(network);
        break;
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
    "'whittle check --html' the way of a trace.\n"
    "\n"
    "  whittle draw account.sts -o account.svg\n"
    "  whittle draw account.sts --format mermaid\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Draw>()); },
};

}  // namespace whittle::cli
