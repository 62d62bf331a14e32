// SPDX-License-Identifier: Apache-2.0
// Formulas and words over a few atoms, and what an automaton says about a word. Atom i is the
// condition Expr(i): nobody looks inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ir/automaton.h"
#include "ir/ltl.h"
#include "ir/ltl_text.h"
#include "ir/ltl_word.h"

namespace whittle::test {

// Letters are sets of atoms, as bits; behind the last comes the one at `loop`.
struct Word {
  std::vector<std::uint32_t> letters;
  std::size_t loop = 0;
};

inline bool holds(const LtlPool& ltl, LtlFormula f, const Word& word) {
  return holds_on(ltl, f, {word.letters.size(), word.loop}, [&](Expr atom, std::size_t position) {
    return ((word.letters[position] >> atom.id()) & 1U) != 0;
  });
}

inline std::string to_string(const Word& word) {
  std::string text;
  for (std::size_t i = 0; i < word.letters.size(); ++i)
    text += (i == word.loop ? "(" : " ") + std::to_string(word.letters[i]);
  return text + ")";
}

// Calls `visit` with every word of at most `length` positions over so many atoms.
inline void for_each_word(unsigned atoms, std::size_t length,
                          const std::function<void(const Word&)>& visit) {
  const std::uint32_t letters = 1U << atoms;
  for (std::size_t n = 1; n <= length; ++n) {
    Word word{std::vector<std::uint32_t>(n, 0), 0};
    while (true) {
      for (word.loop = 0; word.loop < n; ++word.loop) visit(word);
      std::size_t i = 0;
      while (i < n && ++word.letters[i] == letters) word.letters[i++] = 0;
      if (i == n) break;
    }
  }
}

class RandomLtl {
 public:
  RandomLtl(LtlPool& ltl, unsigned seed, unsigned atoms)
      : ltl_(ltl), random_(seed), atoms_(atoms) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  // With about so many operators.
  LtlFormula formula(unsigned size, bool past = false) {
    if (size == 0) return ltl_.atom(Expr(below(atoms_)));
    const unsigned left = below(size);
    const unsigned right = size - 1 - left;
    switch (below(past ? 13 : 9)) {
      case 0:
        return ltl_.negation(formula(size - 1, past));
      case 1:
        return ltl_.both(formula(left, past), formula(right, past));
      case 2:
        return ltl_.either(formula(left, past), formula(right, past));
      case 3:
        return ltl_.next(formula(size - 1, past));
      case 4:
        return ltl_.eventually(formula(size - 1, past));
      case 5:
        return ltl_.always(formula(size - 1, past));
      case 6:
        return ltl_.until(formula(left, past), formula(right, past));
      case 7:
        return ltl_.release(formula(left, past), formula(right, past));
      case 8:
        return ltl_.weak_until(formula(left, past), formula(right, past));
      default:
        return past_formula(size);
    }
  }

  // Of the past and the present.
  LtlFormula past_formula(unsigned size) {
    if (size == 0) return ltl_.atom(Expr(below(atoms_)));
    const unsigned left = below(size);
    const unsigned right = size - 1 - left;
    switch (below(7)) {
      case 0:
        return ltl_.negation(past_formula(size - 1));
      case 1:
        return ltl_.both(past_formula(left), past_formula(right));
      case 2:
        return ltl_.either(past_formula(left), past_formula(right));
      case 3:
        return ltl_.once(past_formula(size - 1));
      case 4:
        return ltl_.historically(past_formula(size - 1));
      case 5:
        return ltl_.trigger(past_formula(left), past_formula(right));
      default:
        return ltl_.since(past_formula(left), past_formula(right));
    }
  }

  Word word(std::size_t length) {
    Word result;
    const std::size_t n = 1 + below(static_cast<unsigned>(length));
    for (std::size_t i = 0; i < n; ++i) result.letters.push_back(below(1U << atoms_));
    result.loop = below(static_cast<unsigned>(n));
    return result;
  }

 private:
  LtlPool& ltl_;
  std::mt19937 random_;
  unsigned atoms_;
};

// Names a, b, c, ... are the atoms 0, 1, 2, ...
inline LtlFormula read(LtlPool& ltl, std::string_view text) {
  return read_ltl(ltl, text, [&](std::string_view name) {
    return ltl.atom(Expr(static_cast<std::uint32_t>(name.front() - 'a')));
  });
}

inline std::string print(const LtlPool& ltl, LtlFormula f) {
  return print_ltl(ltl, f, [](Expr e) { return std::string(1, static_cast<char>('a' + e.id())); });
}

// Does the automaton accept the word? Straight from the definition: in the graph of automaton
// states and positions, some reachable position lies on a closed walk through all acceptance sets.
// Such a walk can stay among the nodes that reach each other.
class WordAcceptance {
 public:
  explicit WordAcceptance(const Automaton& automaton) : automaton_(automaton) {}

  bool operator()(const Word& word) {
    const std::size_t length = word.letters.size();
    const std::size_t nodes = automaton_.size() * length;
    std::vector<std::vector<Arc>> arcs(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t at = node % length;
      const std::size_t after = at + 1 < length ? at + 1 : word.loop;
      for (const Automaton::Edge& edge : automaton_.edges[node / length]) {
        if (allowed(edge.cube, word.letters[at]))
          arcs[node].push_back({edge.target * length + after, &edge});
      }
    }
    const std::vector<bool> reached = reachable(arcs, automaton_.initial * length);
    for (std::size_t node = 0; node < nodes; ++node) {
      if (reached[node] && node % length == word.loop && recurs(arcs, node)) return true;
    }
    return false;
  }

 private:
  struct Arc {
    std::size_t target;
    const Automaton::Edge* edge;
  };
  using Arcs = std::vector<std::vector<Arc>>;

  [[nodiscard]] bool allowed(const Cube& cube, std::uint32_t letter) const {
    for (std::uint32_t literal : cube) {
      const bool holds = ((letter >> automaton_.atoms[literal / 2].id()) & 1U) != 0;
      if (holds == (literal % 2 != 0)) return false;
    }
    return true;
  }

  static std::vector<bool> reachable(const Arcs& arcs, std::size_t from) {
    std::vector<bool> seen(arcs.size(), false);
    std::vector<std::size_t> open{from};
    seen[from] = true;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      for (const Arc& arc : arcs[node]) {
        if (seen[arc.target]) continue;
        seen[arc.target] = true;
        open.push_back(arc.target);
      }
    }
    return seen;
  }

  [[nodiscard]] bool recurs(const Arcs& arcs, std::size_t root) const {
    const std::vector<bool> seen = reachable(arcs, root);
    Arcs back(arcs.size());
    for (std::size_t node = 0; node < arcs.size(); ++node) {
      for (const Arc& arc : arcs[node]) back[arc.target].push_back({node, arc.edge});
    }
    const std::vector<bool> returns = reachable(back, root);
    std::vector<bool> met(automaton_.acceptance, false);
    bool cyclic = false;
    for (std::size_t node = 0; node < arcs.size(); ++node) {
      if (!seen[node] || !returns[node]) continue;
      for (const Arc& arc : arcs[node]) {
        if (!returns[arc.target]) continue;
        cyclic = true;
        for (std::uint32_t mark : arc.edge->marks) met[mark] = true;
      }
    }
    return cyclic && std::find(met.begin(), met.end(), false) == met.end();
  }

  const Automaton& automaton_;
};

}  // namespace whittle::test
