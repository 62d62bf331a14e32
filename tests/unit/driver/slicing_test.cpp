// SPDX-License-Identifier: Apache-2.0
// What slices of the generated families keep.
#include <gtest/gtest.h>

#include "bench/models/loaded.h"
#include "bench/models/rebel.h"
#include "slice/slice.h"
#include "support/random_network.h"

namespace whittle {
namespace {

std::string slice_of(const std::vector<PrintedFile>& files) {
  const std::shared_ptr<Network> network = bench::loaded(files);
  return test::described(*slice::slice(network, PropertyId(0), {}).network);
}

TEST(Slicing, CopiesOfTheAccountMakeNoDifference) {
  const std::string alone = slice_of(rebel::model_size(0));
  EXPECT_NE(alone.find("openAccount"), std::string::npos);
  EXPECT_EQ(alone.find("close"), std::string::npos);
  EXPECT_EQ(slice_of(rebel::model_size(1)), alone);
  EXPECT_EQ(slice_of(rebel::model_size(6)), alone);
}

TEST(Slicing, OtherCountersMakeNoDifference) {
  const std::string alone = slice_of(rebel::deep_search(1, 4));
  EXPECT_EQ(slice_of(rebel::deep_search(8, 4)), alone);
}

}  // namespace
}  // namespace whittle
