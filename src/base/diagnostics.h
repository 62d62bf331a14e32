// SPDX-License-Identifier: Apache-2.0
// What we tell users about their input: a stable id, a severity, a place, what is wrong in the
// user's words and, where we know it, how to repair it. Every stage collects all it finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/source.h"

namespace whittle {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  std::string id;  // "sts-003"; listed in base/diagnostics/sts.def and docs/diagnostics.md
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::string hint;  // may be empty

  struct Related {
    Span span;
    std::string message;
  };
  std::vector<Related> related;  // "first declared here"

  // How the problem relates to others, for stages that leave out what only follows from another one
  // (frontend/consequences.h).
  enum class Nature : std::uint8_t {
    Plain,
    Unread,    // a part of the model could not be read; it may declare anything
    Confined,  // a syntax error within a statement: every declaration was read
    Absence,   // something is not there (a declaration, a use); it may be in what was not read
  };
  Nature nature = Nature::Plain;
  std::string suggestion;  // the known name that is probably meant; empty: none
};

// One line of base/diagnostics/*.def.
struct DiagnosticInfo {
  std::string_view id;
  Severity severity;
  std::string_view summary;  // for the documentation
};

// Every diagnostic there is, grouped by prefix in the order of the lists.
[[nodiscard]] std::span<const DiagnosticInfo> all_diagnostics();
// The entry of an id; one that is not listed is an InternalError.
[[nodiscard]] const DiagnosticInfo& diagnostic_info(std::string_view id);
// "error", "warning" or "note", as printed and as written to JSON.
[[nodiscard]] std::string_view to_string(Severity severity);

// A diagnostic as a value, for functions that can only fail in one way (read_file, say).
[[nodiscard]] Diagnostic make_diagnostic(std::string_view id, Span span, std::string message,
                                         std::string hint = "");

class Diagnostics {
 public:
  // The id decides the severity and must stand in base/diagnostics/<prefix>.def. Returns the entry
  // so that `related` can be filled in; the reference lives until the next report.
  Diagnostic& report(std::string_view id, Span span, std::string message, std::string hint = "");

  Diagnostic& add(Diagnostic diagnostic);

  [[nodiscard]] const std::vector<Diagnostic>& all() const { return entries_; }
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  void append(Diagnostics other);
  // Sorts by file and offset and drops exact repetitions.
  void sort();
  // True once so many errors were reported that a stage may stop (a binary file, say).
  [[nodiscard]] bool saturated() const { return errors_ >= kMaxErrors; }

  static constexpr std::size_t kMaxErrors = 100;

 private:
  std::vector<Diagnostic> entries_;
  std::size_t errors_ = 0;
};

enum class Color { Off, On };

// The text for people: place, message, the line with a caret under it, hint, related places.
[[nodiscard]] std::string render(const Diagnostic& diagnostic, const Sources& sources, Color color);
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const Sources& sources,
                                 Color color);

}  // namespace whittle
