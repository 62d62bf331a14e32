// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"

namespace whittle {
namespace {

// A known prefix, a dash, and three digits or a word for what is not supported.
bool is_well_formed(std::string_view id) {
  constexpr std::array kPrefixes = {"file",  "cli",  "lex", "parse", "type", "sts",
                                    "rebel", "proc", "vmt", "cfa",   "fcl",  "ltl",
                                    "bpmn",  "owls", "c",   "check"};
  const std::size_t dash = id.find('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view rest = id.substr(dash + 1);
  const bool number =
      rest.size() == 3 && rest.find_first_not_of("0123456789") == std::string_view::npos;
  const bool word = rest.size() >= 3 &&
                    rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
  return std::find(kPrefixes.begin(), kPrefixes.end(), id.substr(0, dash)) != kPrefixes.end() &&
         (number || word);
}

TEST(Diagnostics, ListIsWellFormed) {
  std::set<std::string_view> ids;
  for (const DiagnosticInfo& info : all_diagnostics()) {
    EXPECT_TRUE(ids.insert(info.id).second) << info.id << " is listed twice";
    EXPECT_TRUE(is_well_formed(info.id)) << info.id;
    EXPECT_FALSE(info.summary.empty()) << info.id;
  }
}

TEST(Diagnostics, IdDecidesSeverity) {
  Diagnostics diagnostics;
  EXPECT_EQ(diagnostics.report("check-002", {}, "nothing to do").severity, Severity::Warning);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.report("file-001", {}, "gone").severity, Severity::Error);
  EXPECT_EQ(diagnostics.errors(), 1U);
  EXPECT_THROW(diagnostics.report("file-999", {}, "?"), InternalError);
}

TEST(Diagnostics, SortsAndDropsRepetitions) {
  Diagnostics diagnostics;
  const FileId a(0);
  const FileId b(1);
  diagnostics.report("lex-001", {}, "nowhere");
  diagnostics.report("lex-001", {b, 1, 2}, "x");
  diagnostics.report("lex-001", {a, 9, 10}, "y");
  Diagnostics more;
  more.report("lex-001", {a, 3, 4}, "z");
  more.report("lex-001", {a, 9, 10}, "y");
  diagnostics.append(std::move(more));
  EXPECT_EQ(diagnostics.errors(), 5U);
  diagnostics.sort();
  ASSERT_EQ(diagnostics.all().size(), 4U);
  EXPECT_EQ(diagnostics.errors(), 4U);
  EXPECT_EQ(diagnostics.all()[0].message, "z");
  EXPECT_EQ(diagnostics.all()[1].message, "y");
  EXPECT_EQ(diagnostics.all()[2].message, "x");
  EXPECT_EQ(diagnostics.all()[3].message, "nowhere");
}

class Render : public testing::Test {
 protected:
  std::string rendered(std::string text, std::uint32_t begin, std::uint32_t end,
                       Color color = Color::Off) {
    const FileId file = sources.add("a.sts", std::move(text));
    return render(make_diagnostic("lex-001", {file, begin, end}, "bad"), sources, color);
  }
  Sources sources;
};

TEST_F(Render, PlaceLineCaretHintAndRelated) {
  const FileId file = sources.add("a.sts", "var balance: Real\nwhen balanse > 0\n");
  Diagnostic diagnostic =
      make_diagnostic("lex-001", {file, 23, 30}, "no 'balanse'", "did you mean 'balance'?");
  diagnostic.related.push_back({{file, 4, 11}, "declared here"});
  EXPECT_EQ(render(diagnostic, sources, Color::Off),
            "a.sts:2:6: error[lex-001]: no 'balanse'\n"
            "    2 | when balanse > 0\n"
            "      |      ^~~~~~~\n"
            "hint: did you mean 'balance'?\n"
            "a.sts:1:5: note: declared here\n"
            "    1 | var balance: Real\n"
            "      |     ^~~~~~~\n");
}

TEST_F(Render, WithoutPlace) {
  EXPECT_EQ(render(make_diagnostic("file-001", {}, "'x' does not exist"), sources, Color::Off),
            "error[file-001]: 'x' does not exist\n");
}

TEST_F(Render, TabsDoNotShiftTheCaret) {
  EXPECT_EQ(rendered("\ta\tbb", 3, 5),
            "a.sts:1:4: error[lex-001]: bad\n"
            "    1 |     a   bb\n"
            "      |         ^~\n");
}

TEST_F(Render, EndOfFileAndEmptySpan) {
  EXPECT_EQ(rendered("abc", 3, 3),
            "a.sts:1:4: error[lex-001]: bad\n"
            "    1 | abc\n"
            "      |    ^\n");
  EXPECT_EQ(rendered("", 0, 0),
            "a.sts:1:1: error[lex-001]: bad\n"
            "    1 |\n"
            "      | ^\n");
}

TEST_F(Render, SpanOverSeveralLinesIsMarkedOnTheFirst) {
  EXPECT_EQ(rendered("ab(cd\nef)", 2, 9),
            "a.sts:1:3: error[lex-001]: bad\n"
            "    1 | ab(cd\n"
            "      |   ^~~\n");
}

TEST_F(Render, ControlCharactersAreHarmless) {
  EXPECT_EQ(rendered("a\x1b[31mb", 1, 2),
            "a.sts:1:2: error[lex-001]: bad\n"
            "    1 | a\\x1b[31mb\n"
            "      |  ^~~~\n");
}

TEST_F(Render, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(rendered("\xE4\xB8\xAD x", 4, 5),
            "a.sts:1:3: error[lex-001]: bad\n"
            "    1 | \xE4\xB8\xAD x\n"
            "      |    ^\n");
}

TEST_F(Render, LongLinesAreCutAroundTheCaret) {
  const std::string text = std::string(5000, 'a') + "!" + std::string(5000, 'b');
  const std::string out = rendered(text, 5000, 5001);
  const std::size_t line = out.find('\n') + 1;
  const std::size_t marks = out.find('\n', line) + 1;
  const std::string shown = out.substr(line, marks - line - 1);
  const std::string under = out.substr(marks, out.size() - marks - 1);
  EXPECT_LT(shown.size(), 150U);
  EXPECT_EQ(shown.find('!'), under.find('^'));
  EXPECT_NE(shown.find("... a"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("b ..."));
}

TEST_F(Render, CaretOfACutLineIsRightEverywhere) {
  for (std::uint32_t at = 0; at < 3000; at += 7) {
    std::string text(3000, 'a');
    text[at] = '!';
    const std::string out = rendered(text, at, at + 1);
    const std::size_t line = out.find('\n') + 1;
    const std::size_t marks = out.find('\n', line) + 1;
    ASSERT_EQ(out.find('!', line) - line, out.find('^', marks) - marks) << out;
  }
}

TEST_F(Render, ColourOnRequest) {
  EXPECT_EQ(rendered("abc", 0, 1).find('\x1b'), std::string::npos);
  EXPECT_NE(rendered("abc", 0, 1, Color::On).find("\x1b[1;31merror[lex-001]:\x1b[0m"),
            std::string::npos);
}

}  // namespace
}  // namespace whittle
