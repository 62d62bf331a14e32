// SPDX-License-Identifier: Apache-2.0
// Suites of C programs as files: a harness that defines what the program does not, and the exchange
// format of the Test-Comp competition (version 1.1).
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "base/sha256.h"
#include "report/test_suite.h"

namespace whittle {

namespace {

std::string file_name_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string input_text(const Value& value) {
  return value.is_bit_vector() ? value.as_bit_vector().bits.to_string()
                               : value.as_integer().to_string();
}

// As bits: every value of a type of C fits.
std::string table_entry(const Value& value) {
  Integer number = value.is_bit_vector() ? value.as_bit_vector().bits : value.as_integer();
  if (number < Integer(0)) number = number + pow(Integer(2), 64);
  return number.to_string() + "ULL";
}

// What the harness ends with.
constexpr int kReached = 107;
constexpr int kAborted = 106;
constexpr int kNoMore = 105;
constexpr int kAssumed = 104;

int expected_code(const SuiteTest& test) {
  switch (test.end) {
    case SuiteTest::End::Error:
      return kReached;
    case SuiteTest::End::Inputs:
      return kNoMore;
    case SuiteTest::End::Assumption:
      return kAssumed;
    default:
      return -1;  // whatever the program returns
  }
}

std::string comment_text(std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos; at += 3)
    text.replace(at, 2, "* /");
  return text;
}

std::string tables(const TestSuite& suite) {
  std::string text;
  for (std::size_t i = 0; i < suite.tests.size(); ++i) {
    text += fmt::format("/* {} */\nstatic const unsigned long long test_{}[] = {{",
                        comment_text(suite.tests[i].about), i + 1);
    for (const Value& value : suite.tests[i].inputs) text += table_entry(value) + ", ";
    text += "0};\n";
  }
  text +=
      "static const struct { const unsigned long long *values; unsigned long count; } tests[] = "
      "{\n";
  for (std::size_t i = 0; i < suite.tests.size(); ++i)
    text += fmt::format("    {{test_{}, {}}},\n", i + 1, suite.tests[i].inputs.size());
  return text + "    {0, 0}};\n";
}

std::string harness(const TestSuite& suite) {
  std::string text = fmt::format(
      "/* Inputs for {}: WHITTLE_TEST=N chooses the test, 1 to {}.\n"
      "   Ends with {} at an error, {} at abort, {} where it asks for more inputs than the test\n"
      "   has, {} where an assumption does not hold. */\n"
      "extern void exit(int) __attribute__((noreturn));\n"
      "extern char *getenv(const char *);\n\n",
      comment_text(file_name_of(suite.file)), suite.tests.size(), kReached, kAborted, kNoMore,
      kAssumed);
  text += tables(suite);
  text += fmt::format(
      "\nstatic unsigned long long next(void) {{\n"
      "    static unsigned long at;\n"
      "    unsigned long test = 0;\n"
      "    const char *name = getenv(\"WHITTLE_TEST\");\n"
      "    for (; name && *name; name++) test = 10 * test + (unsigned long)(*name - '0');\n"
      "    if (test < 1 || test > {} || at >= tests[test - 1].count) exit({});\n"
      "    return tests[test - 1].values[at++];\n"
      "}}\n\n",
      suite.tests.size(), kNoMore);
  const auto weak = [&](std::string_view declaration, std::string_view body) {
    text += fmt::format("__attribute__((weak)) {} {{ {} }}\n", declaration, body);
  };
  weak("void reach_error(void)", fmt::format("exit({});", kReached));
  weak("void __VERIFIER_error(void)", fmt::format("exit({});", kReached));
  weak("void __VERIFIER_assume(int holds)", fmt::format("if (!holds) exit({});", kAssumed));
  weak("void assume_abort_if_not(int holds)", fmt::format("if (!holds) exit({});", kAssumed));
  weak("void __VERIFIER_assert(int holds)", fmt::format("if (!holds) exit({});", kReached));
  weak("void assert(int holds)", fmt::format("if (!holds) exit({});", kReached));
  text += fmt::format(
      "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {{ exit({}); "
      "}}\n"
      "void abort(void) {{ exit({}); }}\n",
      kReached, kAborted);
  for (const CallsOutside::Function& function : suite.outside()) {
    text += function.type == "void" ? fmt::format("void {}() {{ }}\n", function.name)
                                    : fmt::format("{0} {1}() {{ return ({0})next(); }}\n",
                                                  function.type, function.name);
  }
  return text;
}

// Compiles, runs every test, and compares how it ends.
std::string script(const TestSuite& suite, const std::string& program) {
  std::string expected;
  for (const SuiteTest& test : suite.tests)
    expected += fmt::format("{}{}", expected.empty() ? "" : " ", expected_code(test));
  return fmt::format(
      "#!/bin/sh\n"
      "# Compiles {0} with the harness and runs all tests; with gcov, it says what they cover.\n"
      "cd \"$(dirname \"$0\")\" || exit 2\n"
      "flags=\"-x c -std=gnu11 -w -O0 -fwrapv ${{CFLAGS}}\"\n"
      "rm -f program.gcda\n"
      "${{CC:-gcc}} $flags --coverage -c {0} -o program.o || exit 2\n"
      "${{CC:-gcc}} $flags -fno-builtin -c harness.c -o harness.o || exit 2\n"
      "${{CC:-gcc}} ${{CFLAGS}} --coverage program.o harness.o -o program || exit 2\n"
      "n=0; wrong=0\n"
      "for expected in {1}; do\n"
      "  n=$((n + 1))\n"
      "  WHITTLE_TEST=$n timeout 10 ./program > /dev/null; code=$?\n"
      "  [ \"$expected\" = -1 ] || [ \"$expected\" = \"$code\" ] || "
      "{{ echo \"test $n ends with $code, not $expected\"; wrong=1; }}\n"
      "done\n"
      "gcov -b program.o 2> /dev/null | sed -n '/^File/,/^$/p' || true\n"
      "[ $wrong = 0 ] && echo \"$n tests end as they should\"\n"
      "exit $wrong\n",
      program, expected);
}

std::string xml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

std::string header(std::string_view root) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
      "<!DOCTYPE {0} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {0} 1.1//EN\" "
      "\"https://sosy-lab.org/test-format/{0}-1.1.dtd\">\n",
      root);
}

std::string metadata(const TestSuite& suite, std::string_view text, std::string_view version,
                     bool ilp32) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  const std::string goals = suite.cover == "errors" ? "@CALL(reach_error)" : "@DECISIONEDGE";
  const std::string time =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1,
                  utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  std::string result = header("test-metadata") + "<test-metadata>\n";
  const auto put = [&](std::string_view name, std::string_view value) {
    result += fmt::format("  <{0}>{1}</{0}>\n", name, xml(value));
  };
  put("sourcecodelang", "C");
  put("producer", fmt::format("whittle {}", version));
  put("specification", fmt::format("COVER( init(main()), FQL(COVER EDGES({})) )", goals));
  put("programfile", file_name_of(suite.file));
  put("programhash", sha256(text));
  put("entryfunction", "main");
  put("architecture", ilp32 ? "32bit" : "64bit");
  put("creationtime", time);
  return result + "</test-metadata>\n";
}

}  // namespace

std::vector<SuiteFile> suite_as_c(const TestSuite& suite, std::string_view text) {
  return {{"program.c", std::string(text)},
          {"harness.c", harness(suite)},
          {"run.sh", script(suite, "program.c")}};
}

std::vector<SuiteFile> suite_as_testcomp(const TestSuite& suite, std::string_view text,
                                         std::string_view version, bool ilp32) {
  std::vector<SuiteFile> files = {{"metadata.xml", metadata(suite, text, version, ilp32)}};
  for (std::size_t i = 0; i < suite.tests.size(); ++i) {
    std::string test = header("testcase");
    test += suite.tests[i].end == SuiteTest::End::Error ? "<testcase coversError=\"true\">\n"
                                                        : "<testcase>\n";
    for (const Value& value : suite.tests[i].inputs)
      test += fmt::format("  <input>{}</input>\n", input_text(value));
    files.push_back({fmt::format("testcase-{}.xml", i + 1), test + "</testcase>\n"});
  }
  return files;
}

}  // namespace whittle
