// SPDX-License-Identifier: Apache-2.0
// Bottom-up over the subformulas. Past operators look back, so position 3 of the loop can have
// another history in the first round than in the second: the loop is unrolled until the past
// operators leave a round as they entered it. Each is a monotone function of its own value one
// position earlier once its arguments repeat, hence settles after one round. Then `Until` is a
// least and `Release` a greatest fixpoint over the positions (Biere, Heljanko, Junttila, Latvala,
// Schuppan: Linear encodings of bounded LTL model checking, LMCS 2006, section 2).
#include "ir/ltl_word.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace whittle {

namespace {

class WordEvaluation {
 public:
  WordEvaluation(const LtlPool& ltl, LtlFormula f, const LassoWord& word, const LetterOf& letter)
      : ltl_(ltl), letter_(letter), formulas_(ltl.subformulas(f)) {
    WHITTLE_REQUIRE(word.loop < word.length, "the loop begins inside the word");
    values_.resize(formulas_.size());
    unroll(word);
    for (std::size_t g = 0; g < formulas_.size(); ++g) {
      if (!looks_back_[g]) look_ahead(g);
    }
  }

  [[nodiscard]] bool at_start() const { return values_.back().front(); }

 private:
  [[nodiscard]] std::size_t index(LtlFormula g) const {
    return static_cast<std::size_t>(std::lower_bound(formulas_.begin(), formulas_.end(), g) -
                                    formulas_.begin());
  }
  [[nodiscard]] const std::vector<bool>& child(std::size_t g, std::size_t i) const {
    return values_[index(ltl_.child(formulas_[g], i))];
  }
  [[nodiscard]] bool is_past(std::size_t g) const {
    const LtlOp op = ltl_.op(formulas_[g]);
    return op == LtlOp::Since || op == LtlOp::Trigger;
  }

  // Which formulas can be evaluated from the past and the present alone.
  void find_past() {
    looks_back_.assign(formulas_.size(), false);
    for (std::size_t g = 0; g < formulas_.size(); ++g) {
      const LtlOp op = ltl_.op(formulas_[g]);
      const bool future = op == LtlOp::Next || op == LtlOp::Until || op == LtlOp::Release;
      const auto children = ltl_.children(formulas_[g]);
      looks_back_[g] = !future && std::all_of(children.begin(), children.end(),
                                              [&](LtlFormula c) { return looks_back_[index(c)]; });
      WHITTLE_REQUIRE(looks_back_[g] || !is_past(g), "a future operator below a past one");
    }
  }

  void unroll(const LassoWord& word) {
    find_past();
    for (std::size_t i = 0; i < word.loop; ++i) append(i);
    std::vector<bool> before = memory();
    while (true) {
      loop_ = positions_;
      for (std::size_t i = word.loop; i < word.length; ++i) append(i);
      std::vector<bool> after = memory();
      if (after == before && loop_ > 0) return;
      if (after.empty()) return;  // nothing remembers anything
      before = std::move(after);
    }
  }

  // What the past operators remember at the end of the word so far.
  [[nodiscard]] std::vector<bool> memory() const {
    std::vector<bool> bits;
    for (std::size_t g = 0; g < formulas_.size(); ++g) {
      if (is_past(g)) bits.push_back(positions_ > 0 && values_[g].back());
    }
    return bits;
  }

  // One more position, for the formulas that need no future.
  void append(std::size_t position) {
    for (std::size_t g = 0; g < formulas_.size(); ++g) {
      if (looks_back_[g]) values_[g].push_back(now(g, position));
    }
    ++positions_;
  }

  [[nodiscard]] bool now(std::size_t g, std::size_t position) const {
    const LtlFormula f = formulas_[g];
    const auto value = [&](LtlFormula c) { return bool{values_[index(c)].back()}; };
    const auto children = ltl_.children(f);
    switch (ltl_.op(f)) {
      case LtlOp::True:
        return true;
      case LtlOp::Atom:
        return letter_(ltl_.condition(f), position);
      case LtlOp::Not:
        return !value(children[0]);
      case LtlOp::And:
        return std::all_of(children.begin(), children.end(), value);
      case LtlOp::Or:
        return std::any_of(children.begin(), children.end(), value);
      case LtlOp::Since:
        return value(children[1]) || (value(children[0]) && positions_ > 0 && values_[g].back());
      case LtlOp::Trigger:
        return value(children[1]) && (value(children[0]) || positions_ == 0 || values_[g].back());
      case LtlOp::False:
      case LtlOp::Next:
      case LtlOp::Until:
      case LtlOp::Release:
        break;
    }
    return false;
  }

  [[nodiscard]] std::size_t successor(std::size_t i) const {
    return i + 1 < positions_ ? i + 1 : loop_;
  }

  // All positions of a formula with future, its children being done.
  void look_ahead(std::size_t g) {
    const LtlFormula f = formulas_[g];
    std::vector<bool>& value = values_[g];
    const LtlOp op = ltl_.op(f);
    value.assign(positions_, op == LtlOp::Release);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = positions_; i-- > 0;) {
        const bool v = ahead(g, i);
        changed |= v != value[i];
        value[i] = v;
      }
    }
  }

  [[nodiscard]] bool ahead(std::size_t g, std::size_t i) const {
    const LtlFormula f = formulas_[g];
    const auto at = [&](LtlFormula c) { return bool{values_[index(c)][i]}; };
    const auto children = ltl_.children(f);
    const bool later = values_[g][successor(i)];
    switch (ltl_.op(f)) {
      case LtlOp::Not:
        return !at(children[0]);
      case LtlOp::And:
        return std::all_of(children.begin(), children.end(), at);
      case LtlOp::Or:
        return std::any_of(children.begin(), children.end(), at);
      case LtlOp::Next:
        return child(g, 0)[successor(i)];
      case LtlOp::Until:
        return at(children[1]) || (at(children[0]) && later);
      case LtlOp::Release:
        return at(children[1]) && (at(children[0]) || later);
      default:
        break;
    }
    throw InternalError("a formula without future has been evaluated already");
  }

  const LtlPool& ltl_;
  const LetterOf& letter_;
  std::vector<LtlFormula> formulas_;
  std::vector<bool> looks_back_;           // per formula
  std::vector<std::vector<bool>> values_;  // per formula and position of the unrolled word
  std::size_t positions_ = 0;
  std::size_t loop_ = 0;  // behind the last position comes this one
};

}  // namespace

bool holds_on(const LtlPool& ltl, LtlFormula f, const LassoWord& word, const LetterOf& letter) {
  return WordEvaluation(ltl, f, word, letter).at_start();
}

}  // namespace whittle
