// SPDX-License-Identifier: Apache-2.0
// What we tell users about their input: a stable id, a severity, a place, what is wrong in the
// user's words and, where we know it, how to repair it. Every stage collects all it finds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace whittle {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  std::string id;  // "sts-003"; listed in base/diagnostics.def and docs/diagnostics.md
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::string hint;  // may be empty

  struct Related {
    Span span;
    std::string message;
  };
  std::vector<Related> related;  // "first declared here"
};

class Diagnostics {
 public:
  // The id decides the severity and must stand in base/diagnostics.def. Returns the entry so that
  // `related` can be filled in.
  Diagnostic& report(std::string_view id, Span span, std::string message, std::string hint = "");

  [[nodiscard]] const std::vector<Diagnostic>& all() const { return entries_; }
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t errors() const { return errors_; }
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
[[nodiscard]] std::string render(const Diagnostics& diagnostics, const Sources& sources, Color color);

// The candidate nearest to `name` in edit distance, if one is near enough to be meant.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& candidates);

}  // namespace whittle
