// SPDX-License-Identifier: Apache-2.0
// Nothing here treats the marks of edges outside components as a wildcard: merged states close new
// cycles, and then such edges lie on them.
#include "ltl/reduce.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/checkpoint.h"
#include "ltl/components.h"

namespace whittle::ltl {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
// Direct simulation takes the square of the states; above this it is left out.
constexpr std::size_t kMostForSimulation = 1'000;

// The states that are reached and reach an accepting component, in the order of a breadth-first
// search, with marks only inside accepting components. An empty automaton keeps its initial state.
Automaton trimmed(const Automaton& a) {
  const Components parts = components(a);
  Automaton result{a.atoms, a.acceptance, 0, {}};
  std::vector<std::uint32_t> number(a.size(), kNone);
  std::deque<std::uint32_t> open{a.initial};
  std::uint32_t count = 0;
  number[a.initial] = count++;
  result.edges.emplace_back();
  while (!open.empty()) {
    const std::uint32_t state = open.front();
    open.pop_front();
    for (const Automaton::Edge& edge : a.edges[state]) {
      if (!parts.productive[parts.of[edge.target]]) continue;
      if (number[edge.target] == kNone) {
        number[edge.target] = count++;
        result.edges.emplace_back();
        open.push_back(edge.target);
      }
      Automaton::Edge copy{number[edge.target], edge.cube, {}};
      if (parts.inside_accepting(state, edge.target)) copy.marks = edge.marks;
      result.edges[number[state]].push_back(std::move(copy));
    }
  }
  return result;
}

// Leaves out every set that is implied: each edge of another one inside accepting components
// belongs to it, too. `sets` follows.
void drop_implied_sets(Automaton& a, std::vector<std::uint32_t>& sets) {
  const Components parts = components(a);
  // implies[i][j]: no edge inside an accepting component is in i and not in j.
  std::vector<std::vector<bool>> implies(a.acceptance, std::vector<bool>(a.acceptance, true));
  for (std::uint32_t state = 0; state < a.size(); ++state) {
    for (const Automaton::Edge& edge : a.edges[state]) {
      if (!parts.inside_accepting(state, edge.target)) continue;
      for (std::uint32_t i : edge.marks) {
        for (std::uint32_t j = 0; j < a.acceptance; ++j) {
          if (!std::binary_search(edge.marks.begin(), edge.marks.end(), j)) implies[i][j] = false;
        }
      }
    }
  }
  std::vector<std::uint32_t> number(a.acceptance, kNone);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t j = 0; j < a.acceptance; ++j) {
    bool implied = false;
    for (std::uint32_t i = 0; i < a.acceptance && !implied; ++i)
      implied = i != j && implies[i][j] && (!implies[j][i] || i < j);
    if (implied) continue;
    number[j] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(sets[j]);
  }
  for (auto& edges : a.edges) {
    for (Automaton::Edge& edge : edges) {
      NumberSet marks;
      for (std::uint32_t j : edge.marks)
        if (number[j] != kNone) marks.push_back(number[j]);
      edge.marks = std::move(marks);
    }
  }
  a.acceptance = static_cast<std::uint32_t>(kept.size());
  sets = std::move(kept);
}

using Relation = std::vector<std::vector<bool>>;

// The greatest relation R with: if p R q then each edge of p that `matters` has an edge of q that
// `matches` it, with related targets.
template <class Matters, class Matches>
Relation greatest_simulation(const Automaton& first, const Automaton& second,
                             const Matters& matters, const Matches& matches) {
  Relation related(first.size(), std::vector<bool>(second.size(), true));
  const auto simulates = [&](std::uint32_t p, std::uint32_t q) {
    const auto& answers = second.edges[q];
    return std::all_of(
        first.edges[p].begin(), first.edges[p].end(), [&](const Automaton::Edge& edge) {
          return !matters(p, edge) ||
                 std::any_of(answers.begin(), answers.end(), [&](const auto& answer) {
                   return related[edge.target][answer.target] && matches(p, edge, q, answer);
                 });
        });
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t p = 0; p < first.size(); ++p) {
      checkpoint();
      for (std::uint32_t q = 0; q < second.size(); ++q) {
        if (!related[p][q] || simulates(p, q)) continue;
        related[p][q] = false;
        changed = true;
      }
    }
  }
  return related;
}

Relation direct_simulation(const Automaton& a) {
  return greatest_simulation(
      a, a, [](std::uint32_t, const Automaton::Edge&) { return true; },
      [](std::uint32_t, const Automaton::Edge& edge, std::uint32_t, const Automaton::Edge& answer) {
        return includes(edge.cube, answer.cube) && includes(answer.marks, edge.marks);
      });
}

// Without the edges that another one of the same state dominates.
std::vector<Automaton::Edge> undominated(std::vector<Automaton::Edge> edges,
                                         const Relation& related) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto dominates = [&](const Automaton::Edge& a, const Automaton::Edge& b) {
    return includes(b.cube, a.cube) && includes(a.marks, b.marks) && related[b.target][a.target];
  };
  std::vector<Automaton::Edge> kept;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < edges.size() && !dominated; ++j) {
      dominated =
          j != i && dominates(edges[j], edges[i]) && (!dominates(edges[i], edges[j]) || j < i);
    }
    if (!dominated) kept.push_back(edges[i]);
  }
  return kept;
}

// Merges states that simulate each other and drops dominated edges.
Automaton merged(const Automaton& a) {
  const Relation related = direct_simulation(a);
  std::vector<std::uint32_t> leader(a.size());
  for (std::uint32_t p = 0; p < a.size(); ++p) {
    leader[p] = p;
    for (std::uint32_t q = 0; q < p; ++q) {
      if (related[p][q] && related[q][p]) {
        leader[p] = q;
        break;
      }
    }
  }
  Automaton result{a.atoms, a.acceptance, leader[a.initial], {}};
  result.edges.resize(a.size());
  for (std::uint32_t p = 0; p < a.size(); ++p) {
    if (leader[p] != p) continue;
    std::vector<Automaton::Edge> edges = a.edges[p];
    for (Automaton::Edge& edge : edges) edge.target = leader[edge.target];
    result.edges[p] = undominated(std::move(edges), related);
  }
  return result;
}

bool same(const Automaton& a, const Automaton& b) {
  return a.edges == b.edges && a.acceptance == b.acceptance;
}

}  // namespace

Reduced reduced(const Automaton& automaton) {
  Reduced result{trimmed(automaton), {}};
  for (std::uint32_t i = 0; i < automaton.acceptance; ++i) result.sets.push_back(i);
  while (true) {
    drop_implied_sets(result.automaton, result.sets);
    if (result.automaton.size() > kMostForSimulation) return result;
    Automaton next = trimmed(merged(result.automaton));
    if (same(next, result.automaton)) return result;
    result.automaton = std::move(next);
  }
}

std::optional<SimulationPairs> simulation(const Automaton& first, const Automaton& second,
                                          const std::vector<std::uint32_t>& sets) {
  const Components of_first = components(first);
  const Components of_second = components(second);
  const auto productive = [&](std::uint32_t state) {
    return of_first.productive[of_first.of[state]];
  };
  const Relation related = greatest_simulation(
      first, second,
      [&](std::uint32_t, const Automaton::Edge& edge) { return productive(edge.target); },
      [&](std::uint32_t p, const Automaton::Edge& edge, std::uint32_t q,
          const Automaton::Edge& answer) {
        if (!includes(edge.cube, answer.cube)) return false;
        if (!of_first.inside_accepting(p, edge.target)) return true;
        if (of_second.of[q] != of_second.of[answer.target]) return true;  // crossed only once
        for (std::uint32_t i = 0; i < sets.size(); ++i) {
          if (std::binary_search(edge.marks.begin(), edge.marks.end(), sets[i]) &&
              !std::binary_search(answer.marks.begin(), answer.marks.end(), i))
            return false;
        }
        return true;
      });
  if (productive(first.initial) && !related[first.initial][second.initial]) return std::nullopt;
  SimulationPairs pairs;
  for (std::uint32_t p = 0; p < first.size(); ++p) {
    for (std::uint32_t q = 0; q < second.size(); ++q)
      if (productive(p) && related[p][q]) pairs.emplace_back(p, q);
  }
  return pairs;
}

}  // namespace whittle::ltl
