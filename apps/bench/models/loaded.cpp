// SPDX-License-Identifier: Apache-2.0
#include "bench/models/loaded.h"

#include <map>
#include <string>

#include "base/error.h"
#include "frontend/languages.h"

namespace whittle::bench {

std::shared_ptr<Network> loaded(const std::vector<PrintedFile>& files) {
  struct Holder {
    Sources sources;
    std::shared_ptr<Network> network;
  };
  auto holder = std::make_shared<Holder>();  // spans of the network point into the sources
  std::map<std::string, FileId> ids;
  for (const PrintedFile& file : files) ids[file.path] = holder->sources.add(file.path, file.text);
  LoadOptions options;
  options.read = [&](const std::string& path) -> Expected<FileId, Diagnostic> {
    // Imports may be asked for with a path that leads through a folder.
    const std::size_t slash = path.rfind('/');
    auto found = ids.find(path);
    if (found == ids.end() && slash != std::string::npos) found = ids.find(path.substr(slash + 1));
    if (found != ids.end()) return found->second;
    return Unexpected{make_diagnostic("file-001", {}, "'" + path + "' was not generated")};
  };
  const Language* language = language_of_path(files.at(0).path);
  const LoadedModel result = language->load(holder->sources, ids.at(files[0].path), options);
  if (!result.complete()) {
    throw InternalError("a generated model does not load: " +
                        render(result.diagnostics, holder->sources, Color::Off));
  }
  holder->network = result.network;
  return {holder, holder->network.get()};
}

}  // namespace whittle::bench
