// SPDX-License-Identifier: Apache-2.0
#include "report/sequence_drawing.h"

#include <gtest/gtest.h>

#include "report/markup.h"
#include "report/mermaid_label.h"
#include "support/violated_system.h"

namespace whittle {
namespace {

using SequenceDrawing = test::ViolatedSystem;

TEST_F(SequenceDrawing, AnArrowPerEventAndANotePerChange) {
  load("x < 5");
  EXPECT_EQ(sequence_mermaid(result_),
            "sequenceDiagram\n  participant w as world\n  participant i0 as S\n"
            "  Note over i0: at A, x #61; 1, y #61; 2\n"
            "  w->>i0: go#40;n #61; 7#41;\n"
            "  Note over i0: at #60;B#62;, x #61; 7\n");
}

TEST_F(SequenceDrawing, NamesAreNoMarkup) {
  load("x < 5");
  const std::string svg = sequence_svg(result_);
  EXPECT_NE(svg.find(">at &lt;B&gt;, x = 7</text>"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("<B>"), std::string::npos);
  EXPECT_EQ(svg.find(" #"), std::string::npos) << "a colour outside of an attribute";
  EXPECT_NE(svg.find(">go(n = 7)</text>"), std::string::npos);
}

TEST(Markup, NothingEndsATextOrAnAttribute) {
  EXPECT_EQ(escaped_markup("a<b>&\"'\x01"), "a&lt;b&gt;&amp;&quot;&#39;\\x01");
  EXPECT_EQ(mermaid_label("a: b;\"c\""), "a#58; b#59;#34;c#34;");
}

}  // namespace
}  // namespace whittle
