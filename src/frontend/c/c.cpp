// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/c.h"

#include <algorithm>
#include <optional>

#include "frontend/c/lengths.h"
#include "frontend/c/options.h"
#include "frontend/c/parser.h"
#include "frontend/c/specification.h"
#include "frontend/c/token.h"
#include "frontend/c/translator.h"
#include "frontend/load_text.h"

namespace whittle::c {

namespace {

constexpr std::string_view kExtensions[] = {".c", ".i"};

Specification specification_of(Sources& sources, const LoadOptions& options,
                               Diagnostics& diagnostics) {
  const std::string& path = options.own.get<COptions>().spec.value();
  if (path.empty() || !options.read) return {};
  const auto file = options.read(path);
  if (!file) {
    diagnostics.add(file.error());
    return {};
  }
  return read_specification(sources.file(*file).text(), {*file, 0, 0}, diagnostics);
}

// What the lexer cannot do is left to a preprocessor, where there is one.
std::vector<Token> tokens_of(Sources& sources, FileId file, const LoadOptions& options,
                             Diagnostics& diagnostics, std::vector<Remark>& remarks) {
  Diagnostics own;
  std::vector<Token> tokens = tokenize(sources, file, own, remarks);
  const auto left = [](const Diagnostic& d) { return d.id == "c-preprocess"; };
  const auto& all = own.all();
  if (options.preprocess && std::any_of(all.begin(), all.end(), left)) {
    const std::string path = sources.file(file).path();
    const bool narrow = options.own.get<COptions>().model.value() == DataModel::Ilp32;
    auto text = options.preprocess(path, {narrow ? "-m32" : "-m64"});
    if (!text) text = options.preprocess(path, {});
    if (text) {
      const FileId preprocessed = sources.add(path + " (preprocessed)", std::move(*text));
      return tokenize_preprocessed(sources, preprocessed, file, diagnostics);
    }
  }
  diagnostics.append(std::move(own));
  return tokens;
}

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  const COptions& own = options.own.get<COptions>();
  std::vector<Remark> remarks;
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) {
        return tokens_of(sources, file, options, diagnostics, remarks);
      },
      [&](const std::vector<Token>& tokens, LoadedModel& model) -> std::shared_ptr<Network> {
        Unit unit(own.model.value());
        parse_unit(tokens, unit, model.diagnostics, model.symbols);
        if (model.diagnostics.has_errors()) return nullptr;
        settle_lengths(unit);
        const Specification specification = specification_of(sources, options, model.diagnostics);
        Diagnostics copied;
        Translator translator(unit, sources, file, own, specification, copied);
        std::shared_ptr<Network> network = translator.run();
        if (translator.is_large()) {
          copied = Diagnostics();
          network =
              Translator(unit, sources, file, own, specification, copied, Translator::Calls::Shared)
                  .run();
        }
        model.diagnostics.append(std::move(copied));
        if (network)
          expect(remarks, sources.file(file), specification.kind == Specification::Kind::Everything,
                 *network, model.diagnostics);
        return network;
      });
}

}  // namespace

Language language() {
  Language result;
  result.id = "c";
  result.extensions = kExtensions;
  result.summary = "C programs with errors to reach and assertions to prove, over exact integers";
  result.example = "examples/c/leap_year.c";
  result.load = &load;
  result.declare = [](OptionSet& options) { options.add<COptions>(); };
  return result;
}

}  // namespace whittle::c
