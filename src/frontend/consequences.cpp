// SPDX-License-Identifier: Apache-2.0
#include "frontend/consequences.h"

#include <optional>

namespace whittle::frontend {

namespace {

using Nature = Diagnostic::Nature;

bool about_syntax(const Diagnostic& d) { return d.id.starts_with("parse-"); }

// Some declaration may be missing because of it.
bool leaves_text_unread(const Diagnostic& d) {
  if (d.severity != Severity::Error || d.nature == Nature::Confined) return false;
  return d.nature == Nature::Unread || about_syntax(d) || d.id.starts_with("lex-");
}

// A string or a comment without end: nothing can be said about the syntax behind it.
bool unclosed(const Diagnostic& d) { return d.id == "lex-002" || d.id == "lex-003"; }

}  // namespace

Diagnostics without_consequences(Diagnostics all) {
  std::optional<Span> open;
  bool unread = false;
  for (const Diagnostic& d : all.all()) {
    unread = unread || leaves_text_unread(d);
    if (unclosed(d) && !open) open = d.span;
  }
  if (!unread) return all;
  Diagnostics kept;
  for (const Diagnostic& d : all.all()) {
    if (d.nature == Nature::Absence && d.suggestion.empty()) continue;
    if (open && about_syntax(d) && d.span.file == open->file && d.span.begin > open->begin) {
      continue;
    }
    kept.add(d);
  }
  return kept;
}

}  // namespace whittle::frontend
