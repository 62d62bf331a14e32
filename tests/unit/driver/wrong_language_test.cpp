// SPDX-License-Identifier: Apache-2.0
#include "driver/wrong_language.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

TEST(WrongLanguage, TextsAreKnownByHowTheyBegin) {
  EXPECT_EQ(looks_like("// a remark\nsystem Account\n"), "sts");
  EXPECT_EQ(looks_like("/* two\nlines */ program p\n"), "proc");
  EXPECT_EQ(looks_like("module bank.Account\n"), "rebel");
  EXPECT_EQ(looks_like("; a remark\n(declare-fun x () Int)"), "vmt");
  EXPECT_EQ(looks_like(";; a remark\n(m n) (init)\n"), "fcl");
  EXPECT_EQ(looks_like("#include <assert.h>\nint main(void) {}"), "c");
  EXPECT_EQ(looks_like("int x = 0;\nint main(void) { return x; }"), "c");
  EXPECT_EQ(looks_like("order = *;\nif (order < 0) error;"), "cfa");
  EXPECT_EQ(looks_like("<a xmlns=\"http://www.omg.org/spec/BPMN/20100524/MODEL\"/>"), "bpmn");
  EXPECT_EQ(looks_like("<r xmlns:p=\"http://www.daml.org/services/owl-s/1.2/Process.owl#\"/>"),
            "owls");
}

TEST(WrongLanguage, NobodyGuessesWithoutReason) {
  for (const char* text : {"", "   ", "// only a remark", "/* open", "hello", "system", "<html>",
                           "(", "()", "x = 1;", "program = 3;"})
    EXPECT_EQ(looks_like(text), "") << text;
}

TEST(WrongLanguage, TheMessageStandsAtTheFirstWord) {
  Sources sources;
  const FileId id = sources.add("a.sts", "// x\nprogram p\n");
  const auto found = wrong_language(sources.file(id), id, "sts");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->message, "this is PROC, not STS");
  EXPECT_EQ(sources.text(found->span), "program");
  EXPECT_FALSE(wrong_language(sources.file(id), id, "proc").has_value());
}

}  // namespace
}  // namespace whittle
