// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/c.h"

#include <optional>

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

LoadedModel load(Sources& sources, FileId file, const LoadOptions& options) {
  const COptions& own = options.own.get<COptions>();
  std::vector<Remark> remarks;
  return frontend::load_text(
      options,
      [&](Diagnostics& diagnostics) { return tokenize(sources, file, diagnostics, remarks); },
      [&](const std::vector<Token>& tokens, LoadedModel& model) -> std::shared_ptr<Network> {
        Unit unit(own.model.value());
        parse_unit(tokens, unit, model.diagnostics, model.symbols);
        if (model.diagnostics.has_errors()) return nullptr;
        const Specification specification = specification_of(sources, options, model.diagnostics);
        auto network =
            Translator(unit, sources, file, own, specification, model.diagnostics).run();
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
