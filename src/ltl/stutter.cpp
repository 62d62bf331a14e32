// SPDX-License-Identifier: Apache-2.0
// Michaud, Duret-Lutz, Practical stutter-invariance checks for omega-regular languages, SPIN 2015.
// If a formula tells two stutter equivalent words apart, then one of them can be told apart from a
// word with more repetitions that both have in common. So nothing is told apart if no word of f
// with repetitions added satisfies !f, and the other way round: two products without a run.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "ltl/components.h"
#include "ltl/translate.h"

namespace whittle::ltl {

namespace {

constexpr std::size_t kMostStates = 200'000;

bool allows(const Cube& cube, std::uint32_t letter) {
  return std::all_of(cube.begin(), cube.end(), [&](std::uint32_t literal) {
    return ((letter >> (literal / 2)) & 1U) != (literal & 1U);
  });
}

// The product of `repeating`, which may read any letter again before it goes on, and `plain`. A
// state is a state of each and the letter that may be repeated, or kFresh.
class StutterProduct {
 public:
  StutterProduct(const Automaton& repeating, const Automaton& plain, std::uint32_t letters)
      : repeating_(repeating), plain_(plain), letters_(letters) {
    product_.acceptance = repeating.acceptance + plain.acceptance;
    product_.initial = state({repeating.initial, plain.initial, kFresh});
    for (std::size_t s = 0; s < states_.size() && !too_large(); ++s) {
      for (std::uint32_t letter = 0; letter < letters_; ++letter) step(s, letter);
    }
  }

  [[nodiscard]] bool too_large() const { return states_.size() > kMostStates; }
  [[nodiscard]] bool empty() const {
    const Components parts = components(product_);
    return !parts.productive[parts.of[product_.initial]];
  }

 private:
  static constexpr std::uint32_t kFresh = UINT32_MAX;
  struct State {
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t letter;

    auto operator<=>(const State&) const = default;
  };

  std::uint32_t state(const State& s) {
    const auto [place, added] = numbers_.emplace(s, static_cast<std::uint32_t>(states_.size()));
    if (added) {
      states_.push_back(s);
      product_.edges.emplace_back();
    }
    return place->second;
  }

  void step(std::size_t from, std::uint32_t letter) {
    checkpoint();
    const State here = states_[from];
    for (const Automaton::Edge& right : plain_.edges[here.right]) {
      if (!allows(right.cube, letter)) continue;
      NumberSet marks;
      for (std::uint32_t mark : right.marks) marks.push_back(repeating_.acceptance + mark);
      if (here.letter == letter) add(from, {here.left, right.target, letter}, marks);
      for (const Automaton::Edge& left : repeating_.edges[here.left]) {
        if (allows(left.cube, letter))
          add(from, {left.target, right.target, letter}, united(left.marks, marks));
      }
    }
  }

  void add(std::size_t from, const State& to, NumberSet marks) {
    const std::uint32_t target = state(to);
    product_.edges[from].push_back({target, {}, std::move(marks)});
  }

  const Automaton& repeating_;
  const Automaton& plain_;
  std::uint32_t letters_;
  Automaton product_;
  std::vector<State> states_;
  std::map<State, std::uint32_t> numbers_;
};

// The literals of the automaton as those of the list of atoms.
Automaton over(Automaton automaton, const std::vector<Expr>& atoms) {
  for (auto& edges : automaton.edges) {
    for (Automaton::Edge& edge : edges) {
      for (std::uint32_t& literal : edge.cube) {
        const auto place = std::find(atoms.begin(), atoms.end(), automaton.atoms[literal / 2]);
        literal = 2 * static_cast<std::uint32_t>(place - atoms.begin()) + literal % 2;
      }
      std::sort(edge.cube.begin(), edge.cube.end());
    }
  }
  automaton.atoms = atoms;
  return automaton;
}

}  // namespace

std::optional<bool> stutter_invariant(LtlPool& ltl, LtlFormula f, std::size_t most_atoms) {
  if (!ltl.mentions(f, {LtlOp::Next})) return true;
  const std::vector<Expr> atoms = ltl.atoms(f);
  if (atoms.size() > most_atoms) return std::nullopt;
  const auto letters = std::uint32_t{1} << atoms.size();
  const Automaton yes = over(translated(ltl, f).automaton, atoms);
  const Automaton no = over(translated(ltl, negation_normal_form(ltl, f, false)).automaton, atoms);
  for (const auto& [repeating, plain] : {std::pair(&yes, &no), std::pair(&no, &yes)}) {
    const StutterProduct product(*repeating, *plain, letters);
    if (product.too_large()) return std::nullopt;
    if (!product.empty()) return false;
  }
  return true;
}

}  // namespace whittle::ltl
