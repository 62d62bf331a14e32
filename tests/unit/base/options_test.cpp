// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <gtest/gtest.h>

#include "base/option_table.h"

namespace whittle {
namespace {

enum class Mode { Off, Coarse, Fine };

struct SampleOptions : OptionGroup {
  SampleOptions() : OptionGroup("Sample") {}
  Option<bool> json{*this, "json", "print JSON"};
  Option<unsigned> depth{*this, "depth|d", 10, {1, 100}, "how deep"};
  Option<int> offset{*this, "offset", 0, {-5, 5}, "shifted by"};
  Option<double> timeout{*this, "timeout", 60, {0.001, 86400}, "time for everything"};
  Option<Mode> mode{*this,
                    "mode",
                    Mode::Fine,
                    {{"off", Mode::Off}, {"coarse", Mode::Coarse}, {"fine", Mode::Fine}},
                    "how much is cut away"};
  Option<std::string> engine{*this, "engine", "auto", "ID", "which engine"};
  Option<std::vector<std::string>> property{*this, "property", "NAME", "only this one"};
  Option<std::string> output{*this, "output|o", "", "FILE", "where to write"};
};

struct OptionsTest : testing::Test {
  OptionsTest() { table.add(options); }
  std::vector<std::string> parse(const std::vector<std::string>& arguments) {
    return table.parse(arguments, diagnostics);
  }
  // The only complaint, as "id message [hint]".
  std::string complaint(const std::vector<std::string>& arguments) {
    diagnostics = {};
    parse(arguments);
    if (diagnostics.all().size() != 1) return std::to_string(diagnostics.all().size());
    const Diagnostic& d = diagnostics.all().front();
    return d.id + " " + d.message + (d.hint.empty() ? "" : " [" + d.hint + "]");
  }
  SampleOptions options;
  OptionTable table;
  Diagnostics diagnostics;
};

TEST_F(OptionsTest, ParsesEveryType) {
  const auto rest = parse({"a.sts", "--json", "--depth", "7", "--offset=-3", "--timeout", "2.5s",
                           "--mode=coarse", "b.sts", "--engine", "bmc", "--property", "p",
                           "--property=q", "-o", "out.txt", "--", "--json"});
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(rest, (std::vector<std::string>{"a.sts", "b.sts", "--json"}));
  EXPECT_TRUE(*options.json);
  EXPECT_EQ(*options.depth, 7U);
  EXPECT_EQ(*options.offset, -3);
  EXPECT_EQ(*options.timeout, 2.5);
  EXPECT_EQ(*options.mode, Mode::Coarse);
  EXPECT_EQ(*options.engine, "bmc");
  EXPECT_EQ(*options.property, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(*options.output, "out.txt");
  EXPECT_TRUE(options.depth.given());
}

TEST_F(OptionsTest, OtherSpellings) {
  parse({"--json", "--no-json", "-d9", "--offset", "-2"});
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_FALSE(*options.json);
  EXPECT_EQ(*options.depth, 9U);
  EXPECT_EQ(*options.offset, -2);
  parse({"--json=on", "-d=8", "-"});
  EXPECT_TRUE(*options.json);
  EXPECT_EQ(*options.depth, 8U);
}

TEST_F(OptionsTest, DefaultsHoldWithoutArguments) {
  EXPECT_TRUE(parse({}).empty());
  EXPECT_EQ(*options.depth, 10U);
  EXPECT_FALSE(options.depth.given());
  EXPECT_EQ(table.non_defaults(), std::vector<std::string>{});
}

TEST_F(OptionsTest, ErrorsNameOptionValueAndRange) {
  EXPECT_EQ(complaint({"--depth", "101"}), "cli-004 --depth: 101 is not in 1..100");
  EXPECT_EQ(complaint({"--depth", "-1"}), "cli-004 --depth: -1 is not in 1..100");
  EXPECT_EQ(complaint({"--depth=99999999999999999999999"}),
            "cli-004 --depth: 99999999999999999999999 is not in 1..100");
  EXPECT_EQ(complaint({"--depth=ten"}), "cli-004 --depth: 'ten' is not a whole number");
  EXPECT_EQ(complaint({"--depth=5x"}), "cli-004 --depth: '5x' is not a whole number");
  EXPECT_EQ(complaint({"--depth="}), "cli-004 --depth: '' is not a whole number");
  EXPECT_EQ(complaint({"--offset=6"}), "cli-004 --offset: 6 is not in -5..5");
  EXPECT_EQ(complaint({"--timeout=soon"}), "cli-004 --timeout: 'soon' is not a number of seconds");
  EXPECT_EQ(complaint({"--timeout=nan"}), "cli-004 --timeout: 'nan' is not a number of seconds");
  EXPECT_EQ(complaint({"--timeout=-1"}), "cli-004 --timeout: -1 is not in 0.001..86400");
  EXPECT_EQ(complaint({"--mode=fin"}),
            "cli-004 --mode: 'fin' is none of off, coarse, fine [did you mean 'fine'?]");
  EXPECT_EQ(complaint({"--json=maybe"}), "cli-004 --json: 'maybe' is neither 'on' nor 'off'");
  EXPECT_EQ(complaint({"--depth"}), "cli-003 --depth needs a value [write --depth N]");
  EXPECT_EQ(complaint({"--depth", "--json"}), "cli-003 --depth needs a value [write --depth N]");
  EXPECT_EQ(complaint({"--dept", "5"}),
            "cli-002 there is no option '--dept' [did you mean '--depth'?]");
  EXPECT_EQ(complaint({"--zzzzzz"}),
            "cli-002 there is no option '--zzzzzz' ['--help' lists the options]");
  EXPECT_EQ(complaint({"-x"}), "cli-002 there is no option '-x' ['--help' lists the options]");
  EXPECT_EQ(complaint({"--no-depth"}).substr(0, 7), "cli-002");
  EXPECT_EQ(complaint({"--dept", "1", "--mode=x"}), "2");
}

TEST_F(OptionsTest, RefusedValuesChangeNothing) {
  parse({"--depth", "101", "--mode=x"});
  EXPECT_EQ(*options.depth, 10U);
  EXPECT_EQ(*options.mode, Mode::Fine);
  EXPECT_FALSE(options.depth.given());
}

TEST_F(OptionsTest, NonDefaultsGiveTheSameAgain) {
  parse({"--json", "--depth", "7", "--property", "p", "--property", "q", "--mode=off"});
  const auto again = table.non_defaults();
  EXPECT_EQ(again, (std::vector<std::string>{"--json", "--depth=7", "--mode=off", "--property=p",
                                             "--property=q"}));
  SampleOptions other;
  OptionTable other_table;
  other_table.add(other);
  Diagnostics none;
  other_table.parse(again, none);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(other_table.non_defaults(), again);
}

TEST_F(OptionsTest, CopiesAreIndependent) {
  parse({"--depth", "7"});
  SampleOptions copy = options;
  copy.depth.set(3);
  EXPECT_EQ(*options.depth, 7U);
  OptionTable copied;
  copied.add(copy);
  copied.parse({"--mode=off"}, diagnostics);
  EXPECT_EQ(*copy.mode, Mode::Off);
  EXPECT_EQ(*options.mode, Mode::Fine);
  EXPECT_EQ(copied.non_defaults(), (std::vector<std::string>{"--depth=3", "--mode=off"}));
}

TEST_F(OptionsTest, HelpAndMarkdown) {
  const std::string help = table.help();
  EXPECT_NE(help.find("Sample:\n  --json                    print JSON\n"), std::string::npos)
      << help;
  EXPECT_NE(help.find("  -d, --depth N             how deep (1..100, default 10)\n"),
            std::string::npos)
      << help;
  EXPECT_NE(help.find("  --mode off|coarse|fine    how much is cut away (default fine)\n"),
            std::string::npos)
      << help;
  EXPECT_NE(help.find("(may be repeated)"), std::string::npos);
  const std::string markdown = table.markdown();
  EXPECT_NE(markdown.find("| `--depth` | 1..100 | 10 | how deep |\n"), std::string::npos)
      << markdown;
}

TEST_F(OptionsTest, MistakesOfOursAreInternalErrors) {
  SampleOptions again;
  EXPECT_THROW(table.add(again), InternalError);
  EXPECT_THROW(options.depth.set(1000), InternalError);
  struct Wrong : OptionGroup {
    Wrong() : OptionGroup("Wrong") {}
    Option<unsigned> x{*this, "x", 7, {0, 5}, "default outside its range"};
  };
  EXPECT_THROW(Wrong(), InternalError);
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(wrapped("unbreakable", 2, 5), "unbreakable");
  EXPECT_EQ(wrapped("", 2, 5), "");
}

}  // namespace
}  // namespace whittle
