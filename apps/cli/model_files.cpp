// SPDX-License-Identifier: Apache-2.0
#include "cli/model_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "driver/lists.h"

namespace whittle::cli {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<std::string> files_below(const std::string& folder, Diagnostics& diagnostics) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error);
  while (!error && entry != fs::recursive_directory_iterator()) {
    std::error_code vanished;
    if (entry->is_directory(vanished) && is_hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (language_of_path(entry->path().string()) != nullptr &&
               entry->is_regular_file(vanished)) {
      found.push_back(entry->path().string());
    }
    entry.increment(error);
  }
  if (error) {
    diagnostics.report("file-008", {},
                       fmt::format("'{}' cannot be searched: {}", folder, error.message()));
  } else if (found.empty()) {
    diagnostics.report("file-011", {}, fmt::format("there is no model in '{}'", folder),
                       fmt::format("models end in {}", known_extensions()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::string> model_files(const std::vector<std::string>& arguments,
                                     Diagnostics& diagnostics) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code ignored;
    if (fs::is_directory(argument, ignored)) {
      const auto found = files_below(argument, diagnostics);
      files.insert(files.end(), found.begin(), found.end());
    } else {
      files.push_back(argument);
    }
  }
  return files;
}

}  // namespace whittle::cli
