// SPDX-License-Identifier: Apache-2.0
// A demand that is not met is a failure, an undecided property an error, and so is every diagnostic
// of severity Error. Answered questions and met demands pass.
#include "report/junit.h"
#include "report/verdict_text.h"

#include <fmt/format.h>

#include <map>

#include "report/trace_table.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
      case '\t':
        result += c;
        break;
      default:
        // Other control characters cannot stand in XML at all.
        result += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return result;
}

struct Suite {
  std::string cases;
  unsigned tests = 0;
  unsigned failures = 0;
  unsigned errors = 0;
  double seconds = 0;
};

class JunitWriter final : public ReportWriter {
 public:
  explicit JunitWriter(ReportStyle style) : style_(std::move(style)) { style_.color = Color::Off; }

  std::string result(const PropertyResult&) override { return ""; }

  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override {
    std::map<std::string, Suite> suites;
    for (const PropertyResult& r : results) add(r, suites[r.file]);
    for (const Diagnostic& d : diagnostics.all()) {
      if (d.severity != Severity::Error) continue;
      add(d, sources, suites[d.span.valid() ? sources.file(d.span.file).path() : "whittle"]);
    }
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const auto& [file, suite] : suites)
      text += fmt::format(
          "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n"
          "{}  </testsuite>\n",
          escaped(file), suite.tests, suite.failures, suite.errors, suite.seconds, suite.cases);
    return text + "</testsuites>\n";
  }

 private:
  void add(const PropertyResult& r, Suite& suite) {
    ++suite.tests;
    suite.seconds += r.verdict.seconds;
    suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                               escaped(r.file), escaped(r.question().name), r.verdict.seconds);
    const std::string verdict = std::string(verdict_word(r)) + steps_covered(r);
    const std::string table = r.replay ? trace_table(r, style_, 0) : "";
    if (as_wanted(r) == false) {
      ++suite.failures;
      suite.cases += fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                                 verdict, escaped(table));
    } else if (undecided(r)) {
      ++suite.errors;
      suite.cases += fmt::format(">\n      <error message=\"{}: {}\"/>\n    </testcase>\n", verdict,
                                 escaped(reason(r)));
    } else {
      suite.cases += fmt::format(">\n      <system-out>{}\n{}</system-out>\n    </testcase>\n",
                                 verdict, escaped(table));
    }
  }

  static void add(const Diagnostic& d, const Sources& sources, Suite& suite) {
    ++suite.tests;
    ++suite.errors;
    std::uint32_t line = 0;
    if (d.span.valid()) line = sources.file(d.span.file).position(d.span.begin).line;
    suite.cases += fmt::format(
        "    <testcase classname=\"diagnostics\" name=\"{} at line {}\" time=\"0\">\n"
        "      <error message=\"{}\">{}</error>\n    </testcase>\n",
        escaped(d.id), line, escaped(d.message), escaped(d.hint));
  }

  ReportStyle style_;
};

}  // namespace

std::unique_ptr<ReportWriter> make_junit_writer(const ReportStyle& style) {
  return std::make_unique<JunitWriter>(style);
}

}  // namespace whittle
