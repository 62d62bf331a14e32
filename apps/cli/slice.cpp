// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "cli/command.h"
#include "driver/criterion.h"
#include "driver/lists.h"
#include "driver/prepare.h"
#include "driver/questions.h"
#include "driver/refine_stage.h"
#include "driver/slice_stage.h"
#include "driver/slicing.h"
#include "slice/draw.h"

namespace whittle::cli {

namespace {

struct SliceOutput : OptionGroup {
  SliceOutput() : OptionGroup("Output") {}
  PropertyOption property{*this, "slice for the properties of this name only"};
  Option<std::string> output{*this, "output|o", "", "FOLDER",
                             "write the slice as files into this folder"};
  Option<bool> write{*this, "write", "write the slice into a folder 'slices' beside the model"};
  Option<bool> explain{
      *this, "explain",
      "show the original: what stays (+) and why, what goes (-), both on a line (~)"};
  Option<bool> dot{*this, "dot", "draw the machines for Graphviz, with the slice highlighted"};
  Option<bool> svg{*this, "svg", "the same drawing as SVG (needs Graphviz)"};
  CriterionOption criterion{
      *this, "criterion", "", "PAIRS",
      "slice for what is at places of a program, instead of its properties: '([loop.2],{n})'"};
  Option<bool> json{*this, "json", "figures, names and the slices as one JSON document"};
};

// The drawing through Graphviz's `dot`; empty when that does not work.
std::string drawn(const std::string& dot) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "slice.dot";
  std::ofstream(file) << dot;
  return output_of({"dot", "-Tsvg", file.string()}).value_or("");
}

class Slice final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(output_);
    table.add(options_.add<SlicingOptions>());
    table.add(options_.add<RefineOptions>());
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    if (output_.criterion.given()) return for_criterion(loaded, session);
    // What is wrong with a file does not concern the others.
    const std::vector<Question> questions = chosen_questions(*output_.property, loaded);
    require_questions(questions, loaded);
    const ExitCode code = loaded.diagnostics.has_errors() ? ExitCode::BadInput : ExitCode::Success;
    if (*output_.json) {
      auto entries = nlohmann::ordered_json::array();
      for (const Question& question : questions) {
        const Model& model = loaded.models[question.model];
        entries.push_back(
            slice_json(model, question.property, prepared(question, session), *loaded.sources));
      }
      session.out.write(
          json_document(WHITTLE_VERSION, "slices", entries, loaded.diagnostics, *loaded.sources));
      return code;
    }
    session.show(loaded.diagnostics, *loaded.sources);
    for (const Question& question : questions) {
      const ExitCode failed = show(question, loaded, session);
      if (failed != ExitCode::Success) return failed;
    }
    return code;
  }

 private:
  [[nodiscard]] Preparation prepared(const Question& question, const Session& session) const {
    return prepared_to_show(question.network, question.property, options_, session.log,
                            session.cancel);
  }

  ExitCode for_criterion(LoadedModels& loaded, Session& session) {
    const std::vector<NamedPair> pairs = output_.criterion.pairs();
    std::vector<std::pair<const Model*, Preparation>> slices;
    for (const Model& model : loaded.models) {
      auto slice = sliced_for(model.network, pairs, loaded.diagnostics);
      if (slice) slices.emplace_back(&model, std::move(*slice));
    }
    const ExitCode code = loaded.diagnostics.has_errors() ? ExitCode::BadInput : ExitCode::Success;
    if (*output_.json) {
      auto entries = nlohmann::ordered_json::array();
      for (const auto& [model, slice] : slices) {
        const Model asking{model->path, slice.sliced_from, model->imported};
        entries.push_back(slice_json(asking, asked(slice), slice, *loaded.sources));
      }
      session.out.write(
          json_document(WHITTLE_VERSION, "slices", entries, loaded.diagnostics, *loaded.sources));
      return code;
    }
    session.show(loaded.diagnostics, *loaded.sources);
    for (const auto& [model, slice] : slices) {
      const Model asking{model->path, slice.sliced_from, model->imported};
      const ExitCode failed =
          show(asking, asked(slice), slice, *output_.criterion, loaded, session);
      if (failed != ExitCode::Success) return failed;
    }
    return code;
  }

  // The question that was made for a criterion.
  static PropertyId asked(const Preparation& slice) {
    return PropertyId(static_cast<std::uint32_t>(slice.sliced_from->properties().size() - 1));
  }

  ExitCode show(const Question& question, const LoadedModels& loaded, Session& session) {
    return show(loaded.models[question.model], question.property, prepared(question, session),
                question.what().name, loaded, session);
  }

  ExitCode show(const Model& model, PropertyId property, const Preparation& shown,
                const std::string& name, const LoadedModels& loaded, Session& session) {
    if (*output_.dot || *output_.svg) return draw(shown, session);
    session.log.info("{}: {}", name, slice_summary(shown));
    if (*output_.explain) {
      session.out.write(
          fmt::format("slice for {}\n{}{}", name, slice_summary(shown), machine_summary(shown)));
      session.out.write(annotated_slice(shown, *loaded.sources, session.out_color));
      return ExitCode::Success;
    }
    const std::vector<PrintedFile> files = printed_slice(model, property, shown, *loaded.sources);
    if (*output_.write || !output_.output.value().empty())
      return write(files, model, name, session);
    const Language* language = find_language(model.network->language);
    const std::string_view comment = language == nullptr ? "//" : language->comment;
    session.out.write(fmt::format("{} slice of {} for {}\n", comment, model.path, name));
    std::istringstream summary(slice_summary(shown));
    for (std::string line; std::getline(summary, line);)
      session.out.write(fmt::format("{} {}\n", comment, line));
    for (const PrintedFile& file : files) {
      if (files.size() > 1) session.out.write(fmt::format("{} file {}\n", comment, file.path));
      session.out.write(file.text);
      if (!file.text.empty() && file.text.back() != '\n') session.out.write("\n");
    }
    return ExitCode::Success;
  }

  ExitCode draw(const Preparation& shown, Session& session) {
    const std::string dot = slice::to_dot(*shown.sliced_from, shown.slice);
    if (!*output_.svg) {
      session.out.write(dot);
      return ExitCode::Success;
    }
    const std::string svg = drawn(dot);
    if (svg.empty()) {
      Diagnostics diagnostics;
      diagnostics.report("cli-008", {}, "Graphviz's program `dot` does not work here",
                         "install the package graphviz, or use --dot");
      session.show(diagnostics, Sources());
      return ExitCode::BadInput;
    }
    session.out.write(svg);
    return ExitCode::Success;
  }

  ExitCode write(const std::vector<PrintedFile>& files, const Model& model,
                 const std::string& property, Session& session) {
    std::filesystem::path folder = *output_.output;
    if (folder.empty()) folder = std::filesystem::path(model.path).parent_path() / "slices";
    if (output_.property.value().empty() && model.network->properties().size() > 1)
      folder /= safe_folder(property);
    for (const PrintedFile& file : files) {
      const std::filesystem::path path = folder / file.path;
      std::error_code problem;
      std::filesystem::create_directories(path.parent_path(), problem);
      std::ofstream out(path, std::ios::binary);
      out << file.text;
      out.close();
      if (problem || !out) {
        Diagnostics diagnostics;
        diagnostics.report("cli-009", {}, fmt::format("'{}' cannot be written", path.string()),
                           "is the folder writable, and is there room on the disk?");
        session.show(diagnostics, Sources());
        return ExitCode::BadInput;
      }
      session.out.write(path.string() + "\n");
    }
    return ExitCode::Success;
  }

  // A property's name as the name of a folder.
  static std::string safe_folder(std::string name) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
  }

  SliceOutput output_;
  OptionSet options_;
  OptionSet load_;
};

}  // namespace

extern const CommandInfo kSlice;
const CommandInfo kSlice = {
    "slice",
    "FILE...",
    "cut models down to what their questions need, and show what is left",
    "Prints the slice of the model for each of its properties, in the model's own language: a\n"
    "model that loads and checks like any other, with the same names and the same answers.\n"
    "\n"
    "  whittle slice account.sts -p nonNegative    the slice for one property\n"
    "  whittle slice account.sts --explain         the original: what stays, why, and what goes\n"
    "  whittle slice account.sts --slice coi       cut more coarsely\n"
    "  whittle slice test.tebl --write             as files in a folder 'slices' beside the model\n"
    "  whittle slice test.tebl --svg > slice.svg   the life cycles, with the slice highlighted\n",
    1,
    kAnyNumber,
    [] { return std::unique_ptr<Command>(std::make_unique<Slice>()); },
};

}  // namespace whittle::cli
