// SPDX-License-Identifier: Apache-2.0
// What a front end is: a function from text to a Network, and one back. It reports everything that
// is wrong with the text, gives what it understood nevertheless, and never runs anything. The list
// of all of them is in languages.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/expected.h"
#include "base/option_set.h"
#include "base/source.h"
#include "frontend/symbol_index.h"
#include "ir/network.h"

namespace whittle {

// Puts a further file of the model (an import) into the Sources. The path is what the caller can
// open, normally made from the path of the importing file; a path that was read before gives the
// same id again. Absent: the language has one file per model, or imports are not wanted.
using FileReader = std::function<Expected<FileId, Diagnostic>(const std::string& path)>;

// What a C preprocessor makes of the file, with these options; none: no preprocessor is installed,
// or it has given up. Absent: other programs are not wanted.
using Preprocessor = std::function<std::optional<std::string>(
    const std::string& path, const std::vector<std::string>& options)>;

// What the user said about the model on the command line.
struct LoadOptions {
  std::vector<std::pair<std::string, std::uint64_t>> instances;  // --instances Account=2
  bool structure = false;  // for questions about every element: who is there besides (Rebel)
  bool symbols = false;    // also fill the index of names, for editors
  OptionSet own;           // the groups that languages declared
  FileReader read;
  Preprocessor preprocess;
};

// What was understood of one file with what it imports, and everything that is wrong with it.
struct LoadedModel {
  // Well-formed. Of a model with errors: what was understood, which lacks what they are about;
  // null: nothing that would make sense.
  std::shared_ptr<Network> network;
  Diagnostics diagnostics;     // sorted
  SymbolIndex symbols{false};  // filled if it was asked for

  // Nothing is missing: questions about it have answers.
  [[nodiscard]] bool complete() const { return network != nullptr && !diagnostics.has_errors(); }
};

using LoadFunction = LoadedModel (*)(Sources& sources, FileId file, const LoadOptions& options);

// A file of a printed model; `path` is relative and has the language's ending.
struct PrintedFile {
  std::string path;
  std::string text;
};

// The network in its language, such that loading the first file gives the same network again
// (names, terms, properties; not the spans). Also for what transformations leave of a network. The
// sources are those the network was loaded from, for languages that print by copying.
using PrintFunction = std::vector<PrintedFile> (*)(const Network& network, const Sources& sources);

struct Language {
  std::string_view id;                           // "sts": also the folder and Network::language
  std::span<const std::string_view> extensions;  // ".sts", with the dot
  std::string_view summary;                      // one line for people
  std::string_view example;                      // a file to start with, from the repository's top
  LoadFunction load = nullptr;
  PrintFunction print = nullptr;    // null: the language cannot be printed (yet)
  std::string_view comment = "//";  // begins one that ends with the line
  // Printing writes the terms of the network, so that it can also print what was simplified.
  // Otherwise it takes away from the text.
  bool prints_terms = false;
  // Adds the options that only this language has (LoadOptions::own); null: it has none.
  void (*declare)(OptionSet& options) = nullptr;
};

}  // namespace whittle
