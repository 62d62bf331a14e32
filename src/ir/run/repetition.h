// SPDX-License-Identifier: Apache-2.0
// A step that is taken very often, judged without taking it every time, and yet with certainty.
//
// Let the numbers of the state lie on a line: after t repetitions a slot has the value a + t d. The
// step is taken at the first and at the last of n states on that line, and what it evaluates is
// observed. If every evaluated term is linear in t, then so is every value it computes; a
// comparison of two such values that comes out alike at both ends comes out alike everywhere
// between; so the step does the same at every t, and its results lie on the line as well: by
// induction, n steps end at the last state's successor. A term that is not linear, or a comparison
// that changes on the way, is an answer "no": then the steps have to be taken one by one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "expr/evaluate.h"

namespace whittle {

// One evaluation, with the symbols that it looked up.
struct Observation {
  struct Looked {
    SymbolId symbol;
    std::vector<Value> arguments;
    std::optional<Value> value;
    bool operator==(const Looked&) const = default;
  };
  Expr term;
  std::vector<Looked> looked;
  std::optional<Value> result;
};
using Observations = std::vector<Observation>;

// Evaluates and writes down, if there is something to write in.
[[nodiscard]] Expected<Value, Undefined> observed(Evaluator& evaluator, Expr term,
                                                  const Evaluator::Lookup& lookup,
                                                  Observations* into);

// What was observed at the first and at the last of states on a line: is it linear between them,
// with every condition constant?
// requires: values that were looked up are linear in the number of the state, and what is no number
// is constant.
[[nodiscard]] bool linear_between(const ExprPool& pool, std::span<const Observation> first,
                                  std::span<const Observation> last);

// v + n (w - v) for numbers; for everything else v, if v and w are equal. Empty: they are not.
[[nodiscard]] std::optional<Value> on_line(const Value& v, const Value& w, const Integer& n);

}  // namespace whittle
