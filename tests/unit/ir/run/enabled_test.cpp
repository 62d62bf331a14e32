// SPDX-License-Identifier: Apache-2.0
#include "ir/run/enabled.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "ir/run/explicit_search.h"
#include "ir/run/interpreter.h"
#include "support/systems.h"

namespace whittle {
namespace {

const EventStatus& status_of(const std::vector<EventStatus>& all, InstanceId instance,
                             EventId event) {
  for (const EventStatus& status : all) {
    if (status.instance == instance && status.event == event) return status;
  }
  throw InternalError("no such event");
}

TEST(Enabled, SaysWhatIsPossibleAndWhyTheRestIsNot) {
  auto s = test::bank_system(2, 1);
  Stepper stepper(*s.network, s.universe);
  EnabledOptions options;
  options.candidates = [](Type, SymbolId) {
    return std::vector<Value>{Value(0), Value(1), Value(2)};
  };
  State state;
  state.locations = {s.opened, s.created, s.started};
  state.values = {Value(1), Value(1), Value(2), Value(0), Value(1), Value(1), Value(2), Value(1)};
  const auto all = event_statuses(stepper, state, options);
  // withdraw(1), but neither 0 nor 2
  const EventStatus& withdraw = status_of(all, s.accounts[0], s.withdraw);
  ASSERT_EQ(withdraw.steps.size(), 1U);
  EXPECT_EQ(withdraw.steps[0].arguments, std::vector<Value>{Value(1)});
  EXPECT_FALSE(withdraw.refusal);
  const EventStatus& close = status_of(all, s.accounts[0], s.close);
  ASSERT_TRUE(close.refusal);
  EXPECT_EQ(close.refusal->message, "Account[1].close: balance == 0 does not hold");
  const EventStatus& book = status_of(all, s.transactions[0], s.book);
  ASSERT_TRUE(book.refusal);
  EXPECT_EQ(book.refusal->message, "Account[2].deposit cannot happen at created");
  const EventStatus& start = status_of(all, s.transactions[0], s.start);
  EXPECT_TRUE(start.steps.empty());
  EXPECT_EQ(start.refusal->kind, Refusal::Kind::Location);
}

TEST(Enabled, SuggestionsComeFromTheModel) {
  auto s = test::counter_system(5);
  const Candidates suggested = suggested_candidates(*s.network, s.universe);
  const auto values = suggested(Type::integer(), s.by);
  ASSERT_TRUE(values);
  for (int expected : {0, 1, 2, 3, 4, 5, 6}) {
    EXPECT_NE(std::find(values->begin(), values->end(), Value(expected)), values->end())
        << expected;
  }
  EXPECT_EQ(suggested(Type::boolean(), s.by)->size(), 2U);
}

TEST(Enabled, TuplesStopAtTheLimit) {
  ExprPool pool;
  const std::vector<SymbolId> symbols{pool.declare("a", Type::boolean()),
                                      pool.declare("b", Type::boolean())};
  EXPECT_EQ(tuples(pool, symbols, finite_candidates(pool), 10).all.size(), 4U);
  const Tuples cut = tuples(pool, symbols, finite_candidates(pool), 3);
  EXPECT_EQ(cut.all.size(), 3U);
  EXPECT_FALSE(cut.complete);
}

TEST(ExplicitSearch, FindsShortestTracesAndExhaustsStates) {
  auto s = test::counter_system(7);
  SearchOptions options;
  options.candidates = [](Type, SymbolId) {
    return std::vector<Value>{Value(0), Value(1), Value(2), Value(3)};
  };
  const Network& n = *s.network;
  const Expr goal = n.property(s.reach_limit).condition();
  const SearchResult found = explicit_search(n, s.universe, goal, {}, options);
  ASSERT_TRUE(found.trace);
  EXPECT_EQ(found.trace->length(), 3U);
  EXPECT_TRUE(follow(n, *found.trace));
  // Too few steps.
  const SearchResult few = explicit_search(n, s.universe, goal, {0, 2}, options);
  EXPECT_FALSE(few.trace);
  EXPECT_TRUE(few.clear);
  EXPECT_EQ(few.clear_to, 2U);
  EXPECT_FALSE(few.exhausted);
  // Exactly four steps: not the shortest way.
  const SearchResult four = explicit_search(n, s.universe, goal, {4, 4}, options);
  ASSERT_TRUE(four.trace);
  EXPECT_EQ(four.trace->length(), 4U);
  // Never.
  ExprPool& pool = n.pool();
  const Expr never = pool.negate(n.property(s.below_or_at).condition());
  const SearchResult none = explicit_search(n, s.universe, never, {}, options);
  EXPECT_FALSE(none.trace);
  EXPECT_TRUE(none.exhausted);
  EXPECT_EQ(none.states, 8U);
}

}  // namespace
}  // namespace whittle
