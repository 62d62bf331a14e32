// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"
#include "report/verdict_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/trace_table.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

using Json = nlohmann::ordered_json;

Json location(Span span, const Sources& sources) {
  const SourceFile& file = sources.file(span.file);
  const LineColumn begin = file.position(span.begin);
  const LineColumn end = file.position(span.end);
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", file.path()}}},
            {"region",
             {{"startLine", begin.line},
              {"startColumn", begin.column},
              {"endLine", end.line},
              {"endColumn", end.column}}}}}};
}

class SarifWriter final : public ReportWriter {
 public:
  explicit SarifWriter(ReportStyle style) : style_(std::move(style)) { style_.color = Color::Off; }

  std::string result(const PropertyResult&) override { return ""; }

  std::string finish(std::span<const PropertyResult> results, const Diagnostics& diagnostics,
                     const Sources& sources) override {
    Json found = Json::array();
    std::set<std::string> rules;
    auto add = [&](const std::string& rule, std::string_view severity, const std::string& text,
                   Span span) {
      rules.insert(rule);
      Json entry = {{"ruleId", rule}, {"level", severity}, {"message", {{"text", text}}}};
      if (span.valid()) entry["locations"] = Json::array({location(span, sources)});
      found.push_back(std::move(entry));
    };
    for (const PropertyResult& r : results) {
      const bool unmet = as_wanted(r) == false;
      if (!unmet && !undecided(r)) continue;
      std::string text =
          fmt::format("{}: {}{}", r.question().name, verdict_word(r), steps_covered(r));
      if (const std::string why = reason(r); !why.empty()) text += ": " + why;
      if (r.replay) text += "\n" + trace_table(r, style_, 0);
      add(std::string(to_string(r.question().kind)), unmet ? "error" : "warning", text,
          r.question().origin);
    }
    // Our severities have the names of its levels.
    for (const Diagnostic& d : diagnostics.all())
      add(d.id, to_string(d.severity), d.hint.empty() ? d.message : d.message + "\nhint: " + d.hint,
          d.span);
    Json described = Json::array();
    for (const std::string& rule : rules) described.push_back({{"id", rule}});
    const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({{{"tool",
                                              {{"driver",
                                                {{"name", "whittle"},
                                                 {"version", style_.version},
                                                 {"rules", std::move(described)}}}}},
                                             {"results", std::move(found)}}})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  ReportStyle style_;
};

}  // namespace

std::unique_ptr<ReportWriter> make_sarif_writer(const ReportStyle& style) {
  return std::make_unique<SarifWriter>(style);
}

}  // namespace whittle
