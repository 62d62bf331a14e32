// SPDX-License-Identifier: Apache-2.0
#include "base/source.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace whittle {
namespace {

TEST(Source, PositionsCountLinesAndCharacters) {
  const SourceFile file("a.sts", "one\ntwo\r\n\nf\xC3\xBCnf x");
  EXPECT_EQ(file.line_count(), 4U);
  EXPECT_EQ(file.line(2), "two");
  EXPECT_EQ(file.line(3), "");
  EXPECT_EQ(file.line_start(4), 10U);
  EXPECT_EQ(file.position(0).line, 1U);
  EXPECT_EQ(file.position(0).column, 1U);
  EXPECT_EQ(file.position(4).line, 2U);
  EXPECT_EQ(file.position(16).line, 4U);
  EXPECT_EQ(file.position(16).column, 6U);  // the u with dots is one character
  EXPECT_EQ(file.position(4000).line, 4U);
}

TEST(Source, EmptyFileHasOneLine) {
  const SourceFile file("empty", "");
  EXPECT_EQ(file.line_count(), 1U);
  EXPECT_EQ(file.line(1), "");
  EXPECT_EQ(file.position(0).column, 1U);
  EXPECT_THROW((void)file.line(2), InternalError);
}

TEST(Source, TableGivesTextOfSpans) {
  Sources sources;
  const FileId a = sources.add("a", "hello world");
  const FileId b = sources.add("b", "other");
  EXPECT_EQ(sources.file(b).path(), "b");
  EXPECT_EQ(sources.text({a, 6, 11}), "world");
  EXPECT_EQ(sources.text({}), "");
  EXPECT_EQ(join({a, 6, 11}, {a, 0, 5}), (Span{a, 0, 11}));
  EXPECT_EQ(join({}, {a, 0, 5}), (Span{a, 0, 5}));
  EXPECT_THROW((void)join({a, 0, 1}, {b, 0, 1}), InternalError);
  EXPECT_THROW((void)sources.file(FileId(7)), InternalError);
}

TEST(Source, IdsRefuseWhatDoesNotFit) {
  EXPECT_EQ(FileId(3).index(), 3U);
  EXPECT_EQ(FileId(std::size_t{3}), FileId(3));
  EXPECT_FALSE(FileId().valid());
  EXPECT_THROW(FileId(-1), InternalError);
  EXPECT_THROW(FileId(1ULL << 32U), InternalError);
}

}  // namespace
}  // namespace whittle
