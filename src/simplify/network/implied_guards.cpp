// SPDX-License-Identifier: Apache-2.0
// A condition g goes if  others && !(g && defined(g))  has no solution: a condition without a value
// disables its event just like one that is false. The relation between states stays the same, so
// steps and invariants do, too.
//
// Not every condition is worth a question: those are asked about that speak only of what other
// conditions of the event speak of, or that are made of operators with results of limited range.
#include "simplify/network/implied_guards.h"

#include <algorithm>
#include <unordered_map>

#include "expr/traverse.h"
#include "simplify/network/carry_over.h"

namespace whittle::simplify {

namespace {

// Values of references have no value where the instance is absent; the solver does not know.
bool reads_references(const Network& network, Expr e) {
  for (SymbolId s : symbols(network.pool(), e)) {
    const RoleKind kind = network.role(s).kind;
    if (kind == RoleKind::RemoteCurrent || kind == RoleKind::RemoteNext) return true;
  }
  return false;
}

bool limited_range(const ExprPool& pool, Expr e) {
  bool found = false;
  for_each_subterm(pool, e, [&](Expr t) {
    const Op op = pool.op(t);
    found |= op == Op::Mul || op == Op::Mod || op == Op::Card || op == Op::Ite || op == Op::Or;
  });
  return found;
}

struct Part {
  Expr condition;
  Expr holds;  // and is defined
  Span origin;
  bool references = false;
  std::vector<SymbolId> symbols;
};

class EventGuards {
 public:
  EventGuards(const Network& network, const Event& event, Queries& queries)
      : pool_(network.pool()), queries_(queries) {
    for (const Guard& g : event.guards)
      for (Expr part : conjuncts(pool_, g.condition)) {
        Part p{part, pool_.conj(definedness(pool_, part), part), g.origin,
               reads_references(network, part), whittle::symbols(pool_, part)};
        for (SymbolId s : p.symbols) ++readers_[s];
        parts_.push_back(std::move(p));
      }
  }

  // Conditions that went.
  std::uint64_t reduce() {
    std::uint64_t gone = 0;
    for (std::size_t i = 0; i < parts_.size();) {
      if (worth_asking(parts_[i]) && implied(i)) {
        for (SymbolId s : parts_[i].symbols) --readers_[s];
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
        ++gone;
      } else {
        ++i;
      }
    }
    return gone;
  }

  [[nodiscard]] bool contradictory() {
    const bool connected = std::any_of(readers_.begin(), readers_.end(),
                                       [](const auto& entry) { return entry.second > 1; });
    if (!connected) return false;
    std::vector<Expr> all;
    for (const Part& p : parts_) all.push_back(p.holds);
    return queries_.unsatisfiable(all);
  }

  [[nodiscard]] std::vector<Guard> guards() const {
    std::vector<Guard> result;
    for (const Part& p : parts_) result.push_back({p.condition, p.origin});
    return result;
  }

 private:
  [[nodiscard]] bool worth_asking(const Part& p) const {
    if (p.references) return false;
    const bool shared = std::all_of(p.symbols.begin(), p.symbols.end(),
                                    [&](SymbolId s) { return readers_.at(s) > 1; });
    return shared || limited_range(pool_, p.condition);
  }

  [[nodiscard]] bool implied(std::size_t i) {
    std::vector<Expr> query;
    for (std::size_t j = 0; j < parts_.size(); ++j)
      query.push_back(j == i ? pool_.negate(parts_[j].holds) : parts_[j].holds);
    return queries_.unsatisfiable(query);
  }

  ExprPool& pool_;
  Queries& queries_;
  std::vector<Part> parts_;
  std::unordered_map<SymbolId, std::uint32_t> readers_;
};

}  // namespace

std::optional<Transformed> implied_guards_removed(const std::shared_ptr<Network>& network,
                                                  PropertyId property, Queries& queries,
                                                  RefineCounts& counts) {
  std::shared_ptr<Network> result;
  for (std::uint32_t e = 0; e < network->events().size(); ++e) {
    const Event& event = network->events()[e];
    if (event.guards.empty() || event.arcs.empty()) continue;
    EventGuards guards(*network, event, queries);
    const bool never = guards.contradictory();
    const std::uint64_t gone = never ? 0 : guards.reduce();
    if (!never && gone == 0) continue;
    if (!result) result = std::make_shared<Network>(*network);
    if (never) {
      forbid(result->event(EventId(e)));
      ++counts.impossible;
    } else {
      result->event(EventId(e)).guards = guards.guards();
      counts.guards += gone;
    }
  }
  if (!result) return std::nullopt;
  auto back = same_steps(network, result);
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
