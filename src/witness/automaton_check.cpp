// SPDX-License-Identifier: Apache-2.0
#include "witness/automaton_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "ir/ltl_rules.h"

namespace whittle {

namespace {

// ----- Boolean functions as ordered decision diagrams (Bryant 1986): equal functions are equal
// nodes. 0 is false, 1 is true.
class DecisionDiagrams {
 public:
  using Function = std::uint32_t;

  DecisionDiagrams() : nodes_{{UINT32_MAX, 0, 0}, {UINT32_MAX, 1, 1}} {}

  Function variable(std::uint32_t v) { return node({v, 0, 1}); }
  Function negation(Function f) { return choice(f, 0, 1); }
  Function both(Function a, Function b) { return choice(a, b, 0); }
  Function either(Function a, Function b) { return choice(a, 1, b); }

  // As deep as there are variables.
  Function choice(Function condition, Function then, Function otherwise) {
    if (condition == 1 || then == otherwise) return then;
    if (condition == 0) return otherwise;
    const std::array<Function, 3> key{condition, then, otherwise};
    const auto known = done_.find(key);
    if (known != done_.end()) return known->second;
    checkpoint();
    const std::uint32_t top =
        std::min({nodes_[condition][0], nodes_[then][0], nodes_[otherwise][0]});
    const auto part = [&](Function f, std::size_t side) {
      return nodes_[f][0] == top ? nodes_[f][side] : f;
    };
    const Function low = choice(part(condition, 1), part(then, 1), part(otherwise, 1));
    const Function high = choice(part(condition, 2), part(then, 2), part(otherwise, 2));
    const Function result = low == high ? low : node({top, low, high});
    done_.emplace(key, result);
    return result;
  }

 private:
  using Node = std::array<std::uint32_t, 3>;  // variable, low, high

  Function node(const Node& parts) {
    const auto [place, added] = index_.emplace(parts, static_cast<Function>(nodes_.size()));
    if (added) nodes_.push_back(parts);
    return place->second;
  }

  std::vector<Node> nodes_;
  std::map<Node, Function> index_;
  std::map<std::array<Function, 3>, Function> done_;
};

// ----- (R) and (E)
class TableauCheck {
 public:
  TableauCheck(LtlPool& ltl, const AutomatonCertificate& certificate)
      : ltl_(ltl), certificate_(certificate), tableau_(certificate.tableau) {}

  std::optional<std::string> operator()() {
    if (auto problem = shape_problem()) return problem;
    if (auto problem = rewriting_problem()) return problem;
    for (std::uint32_t state = 0; state < tableau_.states.size(); ++state) {
      if (auto problem = state_problem(state)) return problem;
    }
    return std::nullopt;
  }

 private:
  using Function = DecisionDiagrams::Function;
  enum class Kind : std::uint8_t { Atom, Next, Promise };

  [[nodiscard]] std::optional<std::string> shape_problem() const {
    const std::size_t states = tableau_.states.size();
    if (tableau_.edges.size() != states || tableau_.initial >= states)
      return "the tableau is not complete";
    for (LtlFormula u : tableau_.untils) {
      if (ltl_.op(u) != LtlOp::Until) return "an acceptance set belongs to no until";
    }
    for (const auto& edges : tableau_.edges) {
      for (const Tableau::Edge& edge : edges) {
        if (edge.target >= states) return "an edge leads nowhere";
        if (!edge.cube.empty() && edge.cube.back() / 2 >= tableau_.atoms.size())
          return "a literal without atom";
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> rewriting_problem() {
    LtlFormula f = certificate_.formula;
    if (ltl_.mentions(f, {LtlOp::Since, LtlOp::Trigger})) return "the formula speaks of the past";
    if (negation_normal_form(ltl_, f) != f) return "the formula is not in negation normal form";
    for (const LtlReplacement& step : certificate_.rewriting) {
      if (step.rule >= ltl_rules().size()) return "no such rule";
      const auto both = instance(ltl_, ltl_rules()[step.rule], step.arguments);
      if (!both || both->from != step.from) return "a step of rewriting is no instance of its rule";
      f = replaced(ltl_, f, both->from, both->to);
    }
    std::vector<LtlFormula> first = tableau_.states[tableau_.initial];
    if (ltl_.conjunction(first) != f) return "the tableau begins with another formula";
    return std::nullopt;
  }

  std::optional<std::string> state_problem(std::uint32_t state) {
    Function whole = 1;
    for (LtlFormula f : tableau_.states[state]) whole = diagrams_.both(whole, expanded(f));
    Function edges = 0;
    for (const Tableau::Edge& edge : tableau_.edges[state]) {
      const auto& target = tableau_.states[edge.target];
      Function one = 1;
      for (std::uint32_t literal : edge.cube) one = diagrams_.both(one, this->literal(literal));
      for (LtlFormula f : target) one = diagrams_.both(one, next(f));
      for (LtlFormula u : edge.postponed) {
        if (std::find(target.begin(), target.end(), u) == target.end())
          return fmt::format("state {}: a promise is forgotten", state);
        if (std::find(tableau_.untils.begin(), tableau_.untils.end(), u) == tableau_.untils.end())
          return fmt::format("state {}: a promise without acceptance set", state);
        one = diagrams_.both(one, variable(Kind::Promise, u.index()));
      }
      edges = diagrams_.either(edges, one);
    }
    if (whole != edges) return fmt::format("state {}: its edges are not its formulas", state);
    return std::nullopt;
  }

  Function variable(Kind kind, std::uint32_t id) {
    const auto number = static_cast<std::uint32_t>(variables_.size());
    const auto place = variables_.emplace(std::pair(kind, id), number).first;
    return diagrams_.variable(place->second);
  }

  Function literal(std::uint32_t literal) {
    const Function atom = variable(Kind::Atom, tableau_.atoms[literal / 2].id());
    return literal % 2 == 0 ? atom : diagrams_.negation(atom);
  }

  // X f; X passes through conjunctions and disjunctions.
  Function next(LtlFormula f) {
    std::unordered_map<LtlFormula, Function> of;
    for (LtlFormula g : ltl_.subformulas(f)) {
      const LtlOp op = ltl_.op(g);
      if (op != LtlOp::And && op != LtlOp::Or) {
        const bool constant = op == LtlOp::True || op == LtlOp::False;
        of[g] = constant ? Function{op == LtlOp::True} : variable(Kind::Next, g.index());
        continue;
      }
      of[g] = junction(g, of);
    }
    return of.at(f);
  }

  Function junction(LtlFormula g, const std::unordered_map<LtlFormula, Function>& of) {
    const bool conjunction = ltl_.op(g) == LtlOp::And;
    Function result = conjunction ? 1 : 0;
    for (LtlFormula child : ltl_.children(g)) {
      result = conjunction ? diagrams_.both(result, of.at(child))
                           : diagrams_.either(result, of.at(child));
    }
    return result;
  }

  // xnf(f)
  Function expanded(LtlFormula f) {
    for (LtlFormula g : ltl_.subformulas(f)) {
      if (!expanded_.contains(g)) expanded_.emplace(g, expansion(g));
    }
    return expanded_.at(f);
  }

  Function expansion(LtlFormula g) {
    const auto of = [&](std::size_t i) { return expanded_.at(ltl_.child(g, i)); };
    switch (ltl_.op(g)) {
      case LtlOp::True:
        return 1;
      case LtlOp::False:
        return 0;
      case LtlOp::Atom:
        return variable(Kind::Atom, ltl_.condition(g).id());
      case LtlOp::Not:
        return diagrams_.negation(of(0));
      case LtlOp::And:
      case LtlOp::Or:
        return junction(g, expanded_);
      case LtlOp::Next:
        return next(ltl_.child(g, 0));
      case LtlOp::Until: {
        const Function later =
            diagrams_.both(variable(Kind::Next, g.index()), variable(Kind::Promise, g.index()));
        return diagrams_.either(of(1), diagrams_.both(of(0), later));
      }
      case LtlOp::Release:
        return diagrams_.both(of(1), diagrams_.either(of(0), variable(Kind::Next, g.index())));
      case LtlOp::Since:
      case LtlOp::Trigger:
        break;
    }
    throw InternalError("past in a tableau");
  }

  LtlPool& ltl_;
  const AutomatonCertificate& certificate_;
  const Tableau& tableau_;
  DecisionDiagrams diagrams_;
  std::map<std::pair<Kind, std::uint32_t>, std::uint32_t> variables_;
  std::unordered_map<LtlFormula, Function> expanded_;
};

// ----- (H)
using Successors = std::vector<std::vector<std::uint32_t>>;

// Which states each one reaches in one or more steps.
std::vector<std::vector<bool>> reachability(const Successors& next) {
  std::vector<std::vector<bool>> reaches(next.size(), std::vector<bool>(next.size(), false));
  for (std::uint32_t from = 0; from < next.size(); ++from) {
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      checkpoint();
      const std::uint32_t state = open.back();
      open.pop_back();
      for (std::uint32_t target : next[state]) {
        if (reaches[from][target]) continue;
        reaches[from][target] = true;
        open.push_back(target);
      }
    }
  }
  return reaches;
}

class SimulationCheck {
 public:
  SimulationCheck(const Automaton& automaton, const AutomatonCertificate& certificate)
      : automaton_(automaton), tableau_(certificate.tableau), sets_(certificate.sets) {
    pairs_.insert(certificate.pairs.begin(), certificate.pairs.end());
  }

  std::optional<std::string> operator()() {
    if (auto problem = shape_problem()) return problem;
    find_components();
    const std::uint32_t first = tableau_.initial;
    if (productive_[first] && !pairs_.contains({first, automaton_.initial}))
      return "the initial states are not related";
    for (const auto& [p, q] : pairs_) {
      for (const Tableau::Edge& edge : tableau_.edges[p]) {
        const auto& answers = automaton_.edges[q];
        const bool answered = !productive_[edge.target] ||
                              std::any_of(answers.begin(), answers.end(),
                                          [&, p = p, q = q](const Automaton::Edge& answer) {
                                            return pairs_.contains({edge.target, answer.target}) &&
                                                   includes(edge.cube, answer.cube) &&
                                                   marks_agree(p, edge, q, answer);
                                          });
        if (!answered) return fmt::format("states {} and {}: an edge has no partner", p, q);
      }
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<std::string> shape_problem() const {
    if (automaton_.atoms != tableau_.atoms) return "the automaton has other atoms";
    if (automaton_.initial >= automaton_.size()) return "the automaton has no initial state";
    if (sets_.size() != automaton_.acceptance) return "an acceptance set without until";
    for (std::uint32_t set : sets_) {
      if (set >= tableau_.untils.size()) return "an acceptance set without until";
    }
    for (const auto& edges : automaton_.edges) {
      for (const Automaton::Edge& edge : edges)
        if (edge.target >= automaton_.size()) return "an edge leads nowhere";
    }
    for (const auto& [p, q] : pairs_) {
      if (p >= tableau_.states.size() || q >= automaton_.size()) return "a pair of no states";
    }
    return std::nullopt;
  }

  template <class Edges>
  static Successors successors(const Edges& edges) {
    Successors next;
    for (const auto& of : edges) {
      next.emplace_back();
      for (const auto& edge : of) next.back().push_back(edge.target);
    }
    return next;
  }

  // A state is accepting if the edges of its component leave no until postponed for ever: for each
  // one some edge does not postpone it.
  void find_components() {
    reaches_ = reachability(successors(tableau_.edges));
    automaton_reaches_ = reachability(successors(automaton_.edges));
    const std::size_t states = tableau_.states.size();
    accepting_.assign(states, false);
    for (std::uint32_t p = 0; p < states; ++p) {
      if (reaches_[p][p]) accepting_[p] = component_accepts(p);
    }
    productive_ = accepting_;
    for (std::uint32_t p = 0; p < states; ++p) {
      for (std::uint32_t q = 0; q < states; ++q)
        if (reaches_[p][q] && accepting_[q]) productive_[p] = true;
    }
  }

  [[nodiscard]] bool component_accepts(std::uint32_t p) const {
    std::set<LtlFormula> open(tableau_.untils.begin(), tableau_.untils.end());
    for (std::uint32_t q = 0; q < tableau_.states.size(); ++q) {
      if (!reaches_[p][q] || !reaches_[q][p]) continue;
      for (const Tableau::Edge& edge : tableau_.edges[q]) {
        if (!reaches_[edge.target][p]) continue;
        std::erase_if(open, [&](LtlFormula u) { return !postpones(edge, u); });
      }
    }
    return open.empty();
  }

  [[nodiscard]] static bool postpones(const Tableau::Edge& edge, LtlFormula u) {
    return std::find(edge.postponed.begin(), edge.postponed.end(), u) != edge.postponed.end();
  }

  [[nodiscard]] bool marks_agree(std::uint32_t p, const Tableau::Edge& edge, std::uint32_t q,
                                 const Automaton::Edge& answer) const {
    if (!accepting_[p] || !reaches_[edge.target][p]) return true;
    if (!automaton_reaches_[answer.target][q]) return true;
    for (std::uint32_t i = 0; i < sets_.size(); ++i) {
      const bool marked = std::binary_search(answer.marks.begin(), answer.marks.end(), i);
      if (!marked && !postpones(edge, tableau_.untils[sets_[i]])) return false;
    }
    return true;
  }

  const Automaton& automaton_;
  const Tableau& tableau_;
  const std::vector<std::uint32_t>& sets_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<std::vector<bool>> reaches_;  // tableau states, in one or more steps
  std::vector<std::vector<bool>> automaton_reaches_;
  std::vector<bool> accepting_;   // tableau states in an accepting component
  std::vector<bool> productive_;  // tableau states that reach one
};

}  // namespace

std::optional<std::string> automaton_problem(LtlPool& ltl, const Automaton& automaton,
                                             const AutomatonCertificate& certificate) {
  if (auto problem = TableauCheck(ltl, certificate)()) return problem;
  return SimulationCheck(automaton, certificate)();
}

}  // namespace whittle
