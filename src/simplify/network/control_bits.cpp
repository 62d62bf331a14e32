// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/control_bits.h"

#include <algorithm>
#include <deque>
#include <set>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxPlaces = 128;
constexpr std::size_t kMaxFollowing = 8;  // places that follow on one
constexpr std::size_t kMaxEdges = 400;
constexpr std::chrono::milliseconds kTimePerQuery{1000};
constexpr std::chrono::milliseconds kTime{3000};

using Place = std::vector<bool>;  // one truth value per bit

class Enumeration {
 public:
  Enumeration(const Network& network, EventId event, const Parts& relation,
              const smt::SolverFactory& solvers)
      : network_(network),
        pool_(network.pool()),
        machine_(network.machine(network.event(event).machine)),
        relation_(relation) {
    for (const VariableId id : machine_.variables) {
      const Variable& variable = network.variable(id);
      if (variable.type != Type::boolean()) continue;
      current_.push_back(variable.current);
      next_.push_back(variable.next);
    }
    if (current_.empty()) return;
    smt::Limits limits = solvers.settings().limits;
    limits.time_per_check = kTimePerQuery;
    limits.deadline = limits.deadline.earlier(Deadline::after(kTime));
    solver_ = solvers.with(limits).make(pool_, "places");
  }

  std::optional<std::vector<Parts>> run() {
    if (current_.empty() || current_.size() == machine_.variables.size() || !list()) return {};
    std::vector<Parts> result;
    for (const auto& [from, to] : edges_) result.push_back(edge(from, to));
    return result;
  }

 private:
  // All places and edges. False: too many, or the solver does not know.
  bool list() {
    std::vector<Expr> starts;
    for (const auto& start : machine_.starts) starts.push_back(start.condition);
    std::deque<Place> open;
    {
      smt::Scope scope(*solver_);
      solver_->require(pool_.disj(starts));
      const auto first = those_possible(current_);
      if (!first) return false;
      open.assign(first->begin(), first->end());
      places_.insert(first->begin(), first->end());
    }
    for (const Part& part : relation_) solver_->require(part.term);
    while (!open.empty()) {
      const Place from = std::move(open.front());
      open.pop_front();
      smt::Scope scope(*solver_);
      for (std::size_t i = 0; i < from.size(); ++i) solver_->require(literal(current_[i], from[i]));
      const auto following = those_possible(next_);
      if (!following) return false;
      for (const Place& to : *following) {
        edges_.emplace(from, to);
        if (places_.insert(to).second) open.push_back(to);
      }
      if (places_.size() > kMaxPlaces || edges_.size() > kMaxEdges) return false;
    }
    return places_.size() > 1;
  }

  // The combinations of these symbols that what is required of them allows.
  std::optional<std::vector<Place>> those_possible(const std::vector<SymbolId>& bits) {
    std::vector<Place> result;
    while (true) {
      switch (solver_->check().answer) {
        case smt::Answer::Unknown:
          return std::nullopt;
        case smt::Answer::Unsat:
          return result;
        case smt::Answer::Sat:
          break;
      }
      if (result.size() == kMaxFollowing) return std::nullopt;
      Place place;
      std::vector<Expr> another;
      for (const SymbolId bit : bits) place.push_back(solver_->value(pool_.symbol(bit)).as_bool());
      for (std::size_t i = 0; i < bits.size(); ++i) another.push_back(literal(bits[i], !place[i]));
      solver_->require(pool_.disj(another));
      result.push_back(std::move(place));
    }
  }

  Expr literal(SymbolId bit, bool truth) {
    return truth ? pool_.symbol(bit) : pool_.negate(pool_.symbol(bit));
  }

  Parts edge(const Place& from, const Place& to) {
    Substitution known(pool_);
    Parts parts;
    for (std::size_t i = 0; i < from.size(); ++i) {
      known.set(current_[i], pool_.boolean(from[i]));
      known.set(next_[i], pool_.boolean(to[i]));
      parts.push_back({literal(current_[i], from[i]), {}, false});
      const bool stays = from[i] == to[i];
      const Expr after = stays ? pool_.eq(pool_.symbol(next_[i]), pool_.symbol(current_[i]))
                               : literal(next_[i], to[i]);
      parts.push_back({after, {}, false});
    }
    for (const Part& part : relation_)
      flatten(pool_, {known(part.term), part.span, part.common}, parts);
    return parts;
  }

  const Network& network_;
  ExprPool& pool_;
  const Machine& machine_;
  const Parts& relation_;
  std::vector<SymbolId> current_, next_;  // the bits
  std::unique_ptr<smt::Solver> solver_;
  std::set<Place> places_;
  std::set<std::pair<Place, Place>> edges_;
};

// Nobody else writes the variables of the machine.
bool alone(const Network& network, EventId event) {
  return network.machines().size() == 1 && network.events().size() == 1 &&
         network.shared_variables().empty() && network.locations().size() == 1 &&
         network.universes().size() == 1 && network.universes()[0].init.empty() &&
         network.event(event).arcs.size() == 1;
}

}  // namespace

std::optional<std::vector<Parts>> control_cases(const Network& network, EventId event,
                                                const Parts& relation,
                                                const smt::SolverFactory& solvers) {
  if (!alone(network, event)) return std::nullopt;
  for (const Variable& variable : network.variables()) {
    if (variable.initial.valid()) return std::nullopt;
  }
  return Enumeration(network, event, relation, solvers).run();
}

}  // namespace whittle::simplify
