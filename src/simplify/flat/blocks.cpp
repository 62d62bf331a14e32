// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_set>

#include "expr/case_lifting.h"
#include "expr/traverse.h"
#include "simplify/flat/block_graph.h"
#include "simplify/flat/block_inverse.h"

namespace whittle::simplify {

namespace {

// How control got to a location from the beginning of the block: under these conditions, with these
// values of variables.
struct Arrival {
  std::vector<Expr> conditions;
  std::vector<Expr> values;
};

class BlockBuilder {
 public:
  BlockBuilder(const TransitionSystem& system, const BlockGraph& graph, TransitionSystem& result)
      : system_(system), pool_(*system.pool), graph_(graph), result_(result), lifted_(pool_) {
    for (const BlockEdge& edge : graph.edges()) {
      inputs_.insert(edge.inputs.begin(), edge.inputs.end());
      for (const auto& [choice, value] : edge.chosen) inputs_.insert(choice);
    }
  }

  // The blocks that begin at a cut.
  void build(std::uint32_t begin) {
    std::map<std::uint32_t, std::vector<Arrival>> waiting;  // by position: inner locations
    std::map<std::uint32_t, std::vector<Arrival>> ends;     // by location: cuts
    Arrival first;
    for (const StateVariable& variable : system_.variables)
      first.values.push_back(pool_.symbol(variable.current));
    go_on(begin, first, waiting, ends);
    while (!waiting.empty()) {
      auto next = waiting.extract(waiting.begin());
      go_on(graph_.order()[next.key()], joined(std::move(next.mapped())), waiting, ends);
    }
    for (auto& [end, arrivals] : ends) add_block(begin, end, joined(std::move(arrivals)));
  }

 private:
  void go_on(std::uint32_t location, const Arrival& here,
             std::map<std::uint32_t, std::vector<Arrival>>& waiting,
             std::map<std::uint32_t, std::vector<Arrival>>& ends) {
    if (graph_.out(location).empty()) return;
    Substitution now(pool_);
    for (std::size_t v = 0; v < here.values.size(); ++v) {
      const SymbolId symbol = system_.variables[v].current;
      if (here.values[v] != pool_.symbol(symbol)) now.set(symbol, here.values[v]);
    }
    for (const std::uint32_t e : graph_.out(location)) {
      const BlockEdge& edge = graph_.edges()[e];
      Arrival arrival;
      arrival.conditions = here.conditions;
      bool possible = true;
      const auto require = [&](Expr condition) {
        possible = possible && !pool_.is_false(condition);
        if (!pool_.is_true(condition)) arrival.conditions.push_back(condition);
      };
      for (const auto& [choice, value] : edge.chosen)
        require(value ? pool_.symbol(choice) : pool_.negate(pool_.symbol(choice)));
      for (const Expr condition : edge.conditions) require(lifted_(now(condition)));
      if (!possible) continue;
      arrival.values = here.values;
      for (const Update& update : edge.updates) arrival.values[update.variable] = now(update.value);
      if (graph_.is_cut(edge.to)) {
        ends[edge.to].push_back(std::move(arrival));
      } else {
        waiting[graph_.position(edge.to)].push_back(std::move(arrival));
      }
    }
  }

  // `a` and `b` say the same but for their last conditions, which are each other's contrary.
  [[nodiscard]] bool complementary(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return !a.empty() && a.size() == b.size() && pool_.negate(a.back()) == b.back() &&
           std::equal(a.begin(), a.end() - 1, b.begin());
  }

  // Arrivals at one location exclude each other. What all require stays a list of conditions.
  Arrival joined(std::vector<Arrival> arrivals) {
    // The latest branches first: `p, a`, `p, !a, b` and `p, !a, !b` become `p`.
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
      return a.conditions.size() < b.conditions.size();
    });
    while (arrivals.size() > 1) {
      Arrival last = std::move(arrivals.back());
      arrivals.pop_back();
      auto other = arrivals.rbegin();
      while (other != arrivals.rend() && !complementary(other->conditions, last.conditions))
        ++other;
      // None: any, for it is the value of one of them that counts.
      if (other == arrivals.rend()) other = arrivals.rbegin();
      merge(*other, last);
      // It has become shorter, perhaps.
      for (auto at = other.base() - 1; at != arrivals.begin(); --at) {
        if ((at - 1)->conditions.size() <= at->conditions.size()) break;
        std::iter_swap(at - 1, at);
      }
    }
    return std::move(arrivals.front());
  }

  void merge(Arrival& a, const Arrival& b) {
    const auto [end_a, end_b] = std::mismatch(a.conditions.begin(), a.conditions.end(),
                                              b.conditions.begin(), b.conditions.end());
    const Expr only_a = pool_.conj(std::vector<Expr>(end_a, a.conditions.end()));
    const Expr only_b = pool_.conj(std::vector<Expr>(end_b, b.conditions.end()));
    a.conditions.erase(end_a, a.conditions.end());
    const Expr either = pool_.disj(only_a, only_b);
    if (pool_.negate(only_a) != only_b && !pool_.is_true(either)) a.conditions.push_back(either);
    for (std::size_t v = 0; v < a.values.size(); ++v)
      if (a.values[v] != b.values[v]) a.values[v] = pool_.ite(only_a, a.values[v], b.values[v]);
  }

  void add_block(std::uint32_t begin, std::uint32_t end, const Arrival& arrival) {
    Transition block;
    const StateVariable& location = system_.variables[graph_.variable()];
    const std::vector<std::string>& names = pool_.info(location.type).values;
    block.name = fmt::format("{} to {}", names[begin], names[end]);
    std::vector<Expr> parts{graph_.at(begin)};
    parts.insert(parts.end(), arrival.conditions.begin(), arrival.conditions.end());
    block.guard = pool_.conj(parts);
    std::vector<Expr> terms = arrival.conditions;
    for (std::uint32_t v = 0; v < arrival.values.size(); ++v) {
      if (v == graph_.variable()) continue;
      if (arrival.values[v] == pool_.symbol(system_.variables[v].current)) continue;
      block.updates.push_back({v, arrival.values[v]});
      terms.push_back(arrival.values[v]);
    }
    if (begin != end)
      block.updates.push_back(
          {graph_.variable(), pool_.constant(Value(EnumValue{end}), location.type)});
    for (const SymbolId symbol : symbols(pool_, terms))
      if (inputs_.contains(symbol)) block.inputs.push_back(symbol);
    result_.transitions.push_back(std::move(block));
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const BlockGraph& graph_;
  TransitionSystem& result_;
  CaseLifting lifted_;
  std::unordered_set<SymbolId> inputs_;
};

}  // namespace

std::optional<FlatTransformed> large_blocks(const TransitionSystem& system,
                                            const smt::Limits& limits, Blocks blocks) {
  if (blocks == Blocks::Single) return std::nullopt;
  if (system.acceptance || system.bound.max || system.bound.min > 0) return std::nullopt;
  auto original = std::make_shared<TransitionSystem>(system);
  std::optional<BlockGraph> graph = BlockGraph::of(*original);
  if (!graph || graph->inner_count() == 0) return std::nullopt;
  if (blocks == Blocks::Auto && graph->inner_count() * 2 < graph->order().size())
    return std::nullopt;
  TransitionSystem result = system;
  result.transitions.clear();
  result.alike.clear();
  BlockBuilder builder(*original, *graph, result);
  for (const std::uint32_t l : graph->order())
    if (graph->is_cut(l)) builder.build(l);
  std::vector<std::vector<SymbolId>> inputs;
  for (const Transition& block : result.transitions) inputs.push_back(block.inputs);
  auto back = block_inverse(std::move(original), std::move(*graph), std::move(inputs), limits);
  return FlatTransformed{std::move(result), std::move(back), FlatPrecision::Exact,
                         FlatSteps::OneToMany};
}

}  // namespace whittle::simplify
