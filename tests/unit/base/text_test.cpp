// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace whittle {
namespace {

TEST(Text, DecodesUtf8) {
  EXPECT_EQ(decode_utf8("a").code, U'a');
  EXPECT_EQ(decode_utf8("\xC3\xBC").code, U'\u00FC');
  EXPECT_EQ(decode_utf8("\xE2\x82\xAC").bytes, 3U);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80").code, U'\U0001F600');
  EXPECT_FALSE(decode_utf8("\xC3").valid);              // cut off
  EXPECT_FALSE(decode_utf8("\xC0\x80").valid);          // overlong
  EXPECT_FALSE(decode_utf8("\xE0\x80\x80").valid);      // overlong
  EXPECT_FALSE(decode_utf8("\xED\xA0\x80").valid);      // surrogate
  EXPECT_FALSE(decode_utf8("\xF4\x90\x80\x80").valid);  // above U+10FFFF
  EXPECT_FALSE(decode_utf8("\x80").valid);
}

TEST(Text, FindsInvalidBytes) {
  EXPECT_EQ(find_invalid_utf8("plain f\xC3\xBCr"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("f\xFCr"), 1U);
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
}

TEST(Text, ShowsControlCharactersSafely) {
  EXPECT_EQ(safe_text("a\x1b[31mb\tc\n"), "a\\x1b[31mb c\\x0a");
  EXPECT_EQ(safe_text("a\nb", true), "a\nb");
  EXPECT_EQ(safe_text("\xFF"), "\\xff");
  EXPECT_EQ(safe_text("x\xE2\x80\xAEy"), "x\\u{202e}y");  // right-to-left override
  EXPECT_EQ(safe_text("f\xC3\xBCr \xE2\x82\xAC 5"), "f\xC3\xBCr \xE2\x82\xAC 5");
}

TEST(Text, CutsToColumns) {
  EXPECT_EQ(ellipsized("short", 5), "short");
  EXPECT_EQ(ellipsized("longer", 5), "long…");
  EXPECT_EQ(ellipsized("\xE4\xB8\xAD\xE4\xB8\xAD\xE4\xB8\xAD", 4), "\xE4\xB8\xAD…");
}

}  // namespace
}  // namespace whittle
