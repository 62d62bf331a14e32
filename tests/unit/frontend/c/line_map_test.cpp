// SPDX-License-Identifier: Apache-2.0
// Tokens of a preprocessed text are where they were written.
#include "frontend/c/line_map.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "frontend/c/token.h"

namespace whittle::c {
namespace {

struct Preprocessed {
  Sources sources;
  FileId written;
  std::vector<Token> tokens;

  Preprocessed(std::string text, std::string result) {
    written = sources.add("x.c", std::move(text));
    const FileId file = sources.add("x.c (preprocessed)", std::move(result));
    Diagnostics diagnostics;
    tokens = tokenize_preprocessed(sources, file, written, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
  }
  [[nodiscard]] std::string text(std::string_view token) const {
    for (const Token& t : tokens)
      if (t.text == token) return std::string(sources.text(t.span));
    return "no such token";
  }
  [[nodiscard]] LineColumn place(std::string_view token) const {
    for (const Token& t : tokens)
      if (t.text == token) return sources.file(written).position(t.span.begin);
    return {};
  }
};

TEST(LineMap, TextThatStayedIsWhereItWas) {
  const Preprocessed file("#define TWO 2\nint a;\n  int b = TWO;\n",
                          "# 1 \"x.c\"\n\nint a;\n  int b = 2;\n");
  EXPECT_EQ(file.place("a").line, 2U);
  EXPECT_EQ(file.place("a").column, 5U);
  EXPECT_EQ(file.text("b"), "b");
  EXPECT_EQ(file.place("b").line, 3U);
}

TEST(LineMap, WhatAMacroMadeIsItsLine) {
  const Preprocessed file("#define TWO 2\n  int b = TWO;\n", "# 1 \"x.c\"\n\n  int b = 2;\n");
  EXPECT_EQ(file.text("2"), "int b = TWO;");
}

TEST(LineMap, MarkersSayWhichLineComesNext) {
  const Preprocessed file("#if 0\nint unused;\n#endif\nint a;\n",
                          "# 1 \"x.c\"\n# 1 \"<built-in>\"\n# 1 \"x.c\"\n# 4 \"x.c\"\nint a;\n");
  EXPECT_EQ(file.place("a").line, 4U);
}

TEST(LineMap, OtherFilesAreTheLineThatNamesThem) {
  const Preprocessed file("int first;\n#include \"y.h\"\nint last;\n",
                          "# 1 \"x.c\"\nint first;\n# 1 \"y.h\" 1\nint other;\n# 3 \"x.c\" 2\n"
                          "int last;\n");
  EXPECT_EQ(file.place("other").line, 2U);
  EXPECT_EQ(file.place("last").line, 3U);
}

}  // namespace
}  // namespace whittle::c
