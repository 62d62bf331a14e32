// SPDX-License-Identifier: Apache-2.0
#include "ltl/translate.h"

#include <algorithm>
#include <utility>

#include "ltl/components.h"
#include "ltl/reduce.h"
#include "ltl/rewrite.h"
#include "ltl/tableau.h"

namespace whittle::ltl {

namespace {

// Does some cube hold whatever the letter is? Shannon's expansion over the literals that occur.
bool cover_everything(const std::vector<Cube>& cubes) {
  std::vector<std::vector<Cube>> open{cubes};
  while (!open.empty()) {
    const std::vector<Cube> rest = std::move(open.back());
    open.pop_back();
    const bool covered =
        std::any_of(rest.begin(), rest.end(), [](const Cube& cube) { return cube.empty(); });
    if (covered) continue;
    if (rest.empty()) return false;
    const std::uint32_t atom = rest.front().front() / 2;
    for (const std::uint32_t literal : {2 * atom, 2 * atom + 1}) {
      std::vector<Cube> half;
      for (Cube cube : rest) {
        if (std::binary_search(cube.begin(), cube.end(), literal ^ 1U)) continue;
        std::erase(cube, literal);
        half.push_back(std::move(cube));
      }
      open.push_back(std::move(half));
    }
  }
  return true;
}

}  // namespace

AutomatonStrength strength(const Automaton& automaton) {
  const Components parts = components(automaton);
  bool terminal = true;
  for (std::uint32_t state = 0; state < automaton.size(); ++state) {
    if (!parts.accepting[parts.of[state]]) continue;
    std::vector<Cube> staying;
    for (const Automaton::Edge& edge : automaton.edges[state]) {
      if (parts.of[edge.target] != parts.of[state]) continue;
      if (edge.marks.size() != automaton.acceptance) return AutomatonStrength::General;
      staying.push_back(edge.cube);
    }
    terminal = terminal && cover_everything(staying);
  }
  return terminal ? AutomatonStrength::Terminal : AutomatonStrength::Weak;
}

Translation translated(LtlPool& ltl, LtlFormula f, std::size_t most) {
  Translation result;
  AutomatonCertificate& certificate = result.certificate;
  certificate.formula = f;
  Rewritten smaller = rewritten(ltl, f);
  certificate.rewriting = std::move(smaller.steps);
  certificate.tableau = tableau(ltl, smaller.formula, most);
  const Automaton whole = automaton_of(certificate.tableau);
  Reduced small = reduced(whole);
  auto pairs = simulation(whole, small.automaton, small.sets);
  if (!pairs) {
    // The reduction is right and yet cannot be shown in this way: the tableau itself will do.
    small = {whole, {}};
    for (std::uint32_t i = 0; i < whole.acceptance; ++i) small.sets.push_back(i);
    pairs.emplace();
    for (std::uint32_t state = 0; state < whole.size(); ++state) pairs->emplace_back(state, state);
  }
  result.automaton = std::move(small.automaton);
  certificate.sets = std::move(small.sets);
  certificate.pairs = std::move(*pairs);
  result.strength = strength(result.automaton);
  return result;
}

PropertyClass property_class(LtlPool& ltl, LtlFormula f) {
  const LtlFormula opposite = negation_normal_form(ltl, f, false);
  if (translated(ltl, opposite).strength == AutomatonStrength::Terminal)
    return PropertyClass::Safety;
  if (translated(ltl, f).strength == AutomatonStrength::Terminal) return PropertyClass::Guarantee;
  return PropertyClass::General;
}

}  // namespace whittle::ltl
