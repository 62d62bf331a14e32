// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/rebel.h"

#include <optional>

#include "base/error.h"
#include "frontend/rebel/print.h"
#include "frontend/rebel/program.h"
#include "frontend/rebel/text_replay.h"
#include "frontend/rebel/translate.h"

namespace whittle::rebel {

namespace {

constexpr std::string_view kExtensions[] = {".ebl", ".tebl"};

// Within a statement, or with a block that was read as what it was meant to be: every declaration
// is there.
bool harmless(const Diagnostic& d) {
  return d.id == "parse-001" &&
         (d.message.starts_with("expected ';' ") || d.message.starts_with("the '}' that closes ") ||
          d.message.ends_with(" are not separated") ||
          (d.hint.starts_with("did you mean '") && d.message.find(" or ") == std::string::npos));
}

// What could not be read may be what declares a name, so a missing name is worth a message beside
// a syntax error only where another name is meant. Behind a string or comment that is not closed
// nothing can be said about the syntax either.
Diagnostics without_consequences(Diagnostics all) {
  std::optional<Span> unclosed;
  bool unread = false;
  for (const Diagnostic& d : all.all()) {
    if (d.severity != Severity::Error) continue;
    unread = unread || (d.id.starts_with("parse-") && !harmless(d)) || d.id.starts_with("lex-") ||
             d.id == "rebel-022";
    if ((d.id == "lex-002" || d.id == "lex-003") && !unclosed) unclosed = d.span;
  }
  if (!unread) return all;
  Diagnostics kept;
  for (const Diagnostic& d : all.all()) {
    const bool missing = d.id == "rebel-027" || d.id == "rebel-034" || d.id == "rebel-038" ||
                         d.id == "rebel-054" || d.id == "rebel-057" || d.id == "rebel-061" ||
                         d.id == "rebel-062" || d.id == "rebel-077" || d.id == "rebel-085";
    if (missing && !d.hint.starts_with("did you mean")) continue;
    if (d.severity != Severity::Error && (d.id == "rebel-071" || d.id == "rebel-073")) continue;
    if (unclosed && d.id.starts_with("parse-") && d.span.file == unclosed->file &&
        d.span.begin > unclosed->begin) {
      continue;
    }
    kept.add(d);
  }
  return kept;
}

}  // namespace

LoadResult load(Sources& sources, FileId file, const LoadOptions& options) {
  Diagnostics diagnostics;
  Program program(sources, options, diagnostics);
  program.load(file);
  // Names and types are looked at in any case, so that one run shows all problems; only a file that
  // is mostly unreadable would drown its first problems in consequences.
  std::shared_ptr<Network> network;
  if (!diagnostics.saturated()) {
    Translator first(program, {});
    network = first.run();
    // What it says about sets and maps tells how much room they need.
    if (first.collections() && !diagnostics.has_errors()) {
      network = Translator(program, first.rooms()).run();
    }
  }
  diagnostics.sort();
  if (diagnostics.has_errors()) {
    return Unexpected{without_consequences(std::move(diagnostics))};
  }
  const auto problems = well_formedness_problems(*network);
  WHITTLE_REQUIRE(problems.empty(), "the Rebel front end made a malformed network: " + problems[0]);
  network->as_written = std::make_shared<RebelText>(file);
  return LoadedModel{std::move(network), std::move(diagnostics)};
}

Language language() {
  Language result;
  result.id = "rebel";
  result.extensions = kExtensions;
  result.summary = "business entities with life cycles, events and synchronisation";
  result.example = "examples/rebel/account/AccountTest.tebl";
  result.load = load;
  result.print = print;
  return result;
}

}  // namespace whittle::rebel
