// SPDX-License-Identifier: Apache-2.0
// Random CFA programs: every error is reachable or not for `lazy` in each configuration, step by
// step and in large blocks, and for `pdr`, exactly if it is for explicit search, or, where there
// are inputs, for `pdr` step by step. Witnesses are checked on the program (decide throws when one
// is rejected), and the tree of `lazy` proves itself.
#include <gtest/gtest.h>

#include "base/error.h"
#include "driver/decide.h"
#include "driver/slice_stage.h"
#include "engine/blocks_options.h"
#include "engine/lazy.h"
#include "support/effort.h"
#include "support/load.h"
#include "support/random_cfa.h"

namespace whittle {
namespace {

struct Configuration {
  const char* name;
  const char* engine = "lazy";
  LazyConfig config = LazyConfig::Slicing;
  simplify::Blocks blocks = simplify::Blocks::Single;
  LazyPost post = LazyPost::Cartesian;
  LazyPick pick = LazyPick::Connected;
  slice::Granularity slice = slice::Granularity::Off;
};

std::vector<Configuration> configurations() {
  using enum LazyConfig;
  using enum simplify::Blocks;
  return {
      {"slicing", "lazy", Slicing, Single},
      {"slicing, large blocks", "lazy", Slicing, Large},
      {"slicing, core, of a slice", "lazy", Slicing, Large, LazyPost::Cartesian, LazyPick::Core,
       slice::Granularity::Fine},
      {"abstraction", "lazy", Abstraction, Single},
      {"minimum", "lazy", Minimum, Large},
      {"craig", "lazy", Craig, Single},
      {"craig, chains only", "lazy", Craig, Large, LazyPost::None},
      {"pdr, large blocks", "pdr", Slicing, Large},
  };
}

VerdictKind decided(const std::shared_ptr<Network>& network, PropertyId property,
                    const Configuration& with) {
  OptionSet options;
  auto& deciding = options.add<DecideOptions>();
  deciding.engine.set(with.engine);
  deciding.timeout.set(2);
  options.add<SlicingOptions>().granularity.set(with.slice);
  options.add<BlocksOptions>().blocks.set(with.blocks);
  auto& lazy = options.add<LazyOptions>();
  lazy.config.set(with.config);
  lazy.post.set(with.post);
  lazy.pick.set(with.pick);
  lazy.check.set(true);
  Logger log;
  IgnoreProgress progress;
  DecideContext context{options, Deadline::never(), {}, log, progress};
  return decide("random", network, property, context).verdict.kind();
}

class RandomPrograms : public ::testing::TestWithParam<Configuration> {
 protected:
  void compare(const std::string& text, const Configuration& reference) {
    const std::shared_ptr<Network> network = test::load("cfa", text).network;
    ASSERT_NE(network, nullptr) << text;
    for (std::uint32_t p = 0; p < network->properties().size() && !HasFailure(); ++p) {
      const VerdictKind expected = decided(network, PropertyId(p), reference);
      if (expected == VerdictKind::Unknown) continue;
      ++asked_;
      try {
        const VerdictKind found = decided(network, PropertyId(p), GetParam());
        if (found == VerdictKind::Unknown) continue;
        ++answered_;
        EXPECT_EQ(found, expected) << network->property(PropertyId(p)).name << "\n" << text;
      } catch (const InternalError& rejected) {
        ADD_FAILURE() << network->property(PropertyId(p)).name << ": " << rejected.what() << "\n"
                      << text;
      }
    }
  }

  void rounds(int count, test::CfaShape shape, const Configuration& reference) {
    for (int seed = 1; seed <= count * test::effort() && !HasFailure(); ++seed) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed);
      compare(test::RandomCfa(static_cast<std::uint64_t>(seed) + test::seed_offset(), shape)(),
              reference);
    }
    EXPECT_GT(answered_ * 3, asked_);
    RecordProperty("asked", asked_);
    RecordProperty("answered", answered_);
  }

  int asked_ = 0;
  int answered_ = 0;
};

TEST_P(RandomPrograms, AgreeWithExplicitSearch) { rounds(8, {}, {"explicit", "explicit"}); }

TEST_P(RandomPrograms, AgreeWithSpacerOnInputs) {
  rounds(5, {.inputs = true}, {"pdr step by step", "pdr"});
}

TEST_P(RandomPrograms, AgreeWithExplicitSearchSideBySide) {
  rounds(4, {.parallel = true}, {"explicit", "explicit"});
}

std::string test_name(const ::testing::TestParamInfo<Configuration>& instance) {
  std::string result;
  for (const char c : std::string(instance.param.name))
    result += std::isalpha(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return result;
}

INSTANTIATE_TEST_SUITE_P(Cfa, RandomPrograms, ::testing::ValuesIn(configurations()), test_name);

}  // namespace
}  // namespace whittle
