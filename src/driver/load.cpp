// SPDX-License-Identifier: Apache-2.0
#include "driver/load.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "base/process.h"
#include "base/read_file.h"
#include "driver/run_options.h"
#include "driver/wrong_language.h"
#include "frontend/languages.h"

namespace whittle {

namespace {

constexpr std::string_view kStandardInput = "-";

// Files by the path they really have, so that an import and the command line mean the same file.
class Files {
 public:
  explicit Files(Sources& sources) : sources_(sources) {}

  Expected<FileId, Diagnostic> read(const std::string& path) {
    std::error_code ignored;
    std::string key = std::filesystem::weakly_canonical(path, ignored).string();
    if (key.empty() || path == kStandardInput) key = path;
    if (auto known = files_.find(key); known != files_.end()) return known->second;
    auto text = path == kStandardInput ? read_standard_input() : read_file(path);
    if (!text) return Unexpected{text.error()};
    const FileId file = sources_.add(path, std::move(*text));
    files_.emplace(std::move(key), file);
    return file;
  }

 private:
  Sources& sources_;
  std::unordered_map<std::string, FileId> files_;
};

void read_instances(const LoadGroup& options, LoadOptions& result, Diagnostics& diagnostics) {
  for (const std::string& text : *options.instances) {
    const std::size_t equals = text.find('=');
    std::uint64_t count = 0;
    const char* end = text.data() + text.size();
    bool good = equals != std::string::npos && equals > 0 && equals + 1 < text.size();
    if (good) {
      const auto parsed = std::from_chars(text.data() + equals + 1, end, count);
      good = parsed.ec == std::errc() && parsed.ptr == end;
    }
    if (good) {
      result.instances.emplace_back(text.substr(0, equals), count);
    } else {
      diagnostics.report("cli-004", {},
                         fmt::format("'{}' does not say how many instances there are", text),
                         "write for example --instances Account=2");
    }
  }
}

const Language* language_for(const std::string& path, const LoadGroup& options,
                             Diagnostics& diagnostics) {
  if (options.language.given()) {
    if (const Language* language = find_language(*options.language)) return language;
    NearestName meant(*options.language);
    std::string ids;
    for (const Language& language : languages()) {
      meant.offer(language.id);
      ids += (ids.empty() ? "" : ", ") + std::string(language.id);
    }
    diagnostics.report("cli-004", {}, fmt::format("there is no language '{}'", *options.language),
                       meant.result() ? fmt::format("did you mean '{}'?", *meant.result())
                                      : "the languages are: " + ids);
    return nullptr;
  }
  if (const Language* language = language_of_path(path)) return language;
  if (path == kStandardInput) {
    diagnostics.report("file-009", {}, "the language of standard input is not known",
                       "give --language, for example --language sts");
    return nullptr;
  }
  diagnostics.report("file-009", {}, fmt::format("no language is known for '{}'", path),
                     "known endings: " + known_extensions() + "; or give --language");
  return nullptr;
}

constexpr std::chrono::seconds kPreprocessing{20};

// By the first of the usual preprocessors that is installed and does it.
std::optional<std::string> preprocessed(const std::string& path,
                                        const std::vector<std::string>& options) {
  if (path == kStandardInput) return std::nullopt;
  ProcessOptions limits;
  limits.deadline = Deadline::after(kPreprocessing);
  // A name that begins like an option is a file all the same.
  const std::string file = path.starts_with('-') ? "./" + path : path;
  for (std::vector<std::string> command :
       {std::vector<std::string>{"cc", "-E"}, {"gcc", "-E"}, {"cpp"}}) {
    command.insert(command.end(), options.begin(), options.end());
    command.push_back(file);
    if (auto text = output_of(command, limits)) return text;
  }
  return std::nullopt;
}

}  // namespace

void declare_load_options(OptionSet& options) {
  options.add<LoadGroup>();
  options.add<RunsGroup>();
  for (const Language& language : languages()) {
    if (language.declare != nullptr) language.declare(options);
  }
}

void declare_load_options(OptionSet& options, OptionTable& table) {
  declare_load_options(options);
  for (OptionGroup* group : options.groups()) table.add(*group);
}

LoadedModels load_models(const std::vector<std::string>& paths, const OptionSet& option_set,
                         bool structure) {
  const LoadGroup& options = option_set.get<LoadGroup>();
  LoadedModels result;
  Files files(*result.sources);
  LoadOptions load_options;
  load_options.own = option_set;
  load_options.structure = structure;
  std::set<FileId> imported;
  std::vector<FileId> own;  // by model
  load_options.read = [&](const std::string& path) {
    auto file = files.read(path);
    if (file) imported.insert(*file);
    return file;
  };
  load_options.preprocess = preprocessed;
  read_instances(options, load_options, result.diagnostics);
  if (result.diagnostics.has_errors()) return result;
  for (const std::string& path : paths) {
    // What the file is comes first: a directory has no language.
    auto file = files.read(path);
    if (!file) {
      result.diagnostics.add(file.error());
      continue;
    }
    const Language* language = language_for(path, options, result.diagnostics);
    if (language == nullptr) continue;
    LoadedModel loaded = language->load(*result.sources, *file, load_options);
    if (!loaded.complete()) {
      // What follows from the wrong language says nothing.
      if (auto wrong = wrong_language(result.sources->file(*file), *file, language->id))
        result.diagnostics.add(std::move(*wrong));
      else
        result.diagnostics.append(std::move(loaded.diagnostics));
      continue;
    }
    result.diagnostics.append(std::move(loaded.diagnostics));
    apply(option_set.get<RunsGroup>(), *loaded.network);
    result.models.push_back({path, std::move(loaded.network)});
    own.push_back(*file);
  }
  for (std::size_t m = 0; m < own.size(); ++m) {
    result.models[m].imported = imported.contains(own[m]);
  }
  result.diagnostics.sort();  // what several files import is warned about once
  return result;
}

}  // namespace whittle
