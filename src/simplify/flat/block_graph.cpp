// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/block_graph.h"

#include <algorithm>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMostAlternatives = 12;  // whose conditions are compared
constexpr std::size_t kMostSharing = 50;       // blocks that a location is in, on average

}  // namespace

BlockGraph::BlockGraph(const TransitionSystem& system, std::uint32_t variable)
    : system_(&system),
      pool_(system.pool.get()),
      variable_(variable),
      out_(pool_->info(system.variables[variable].type).values.size()),
      cut_(out_.size(), 0),
      useful_(out_.size(), 0),
      position_(out_.size(), kNowhere) {}

std::optional<BlockGraph> BlockGraph::of(const TransitionSystem& system) {
  std::optional<std::uint32_t> only;
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    if (!system.variables[v].is_location) continue;
    if (only || system.pool->kind(system.variables[v].type) != TypeKind::Enum) return std::nullopt;
    only = v;
  }
  if (!only) return std::nullopt;
  BlockGraph graph(system, *only);
  if (!graph.add_edges()) return std::nullopt;
  graph.find_useful();
  graph.sort_locations();
  graph.cut_shared();
  graph.choose();
  return graph;
}

Expr BlockGraph::at(std::uint32_t location) const {
  const StateVariable& variable = system_->variables[variable_];
  return pool_->eq(pool_->symbol(variable.current),
                   pool_->constant(Value(EnumValue{location}), variable.type));
}

bool BlockGraph::add_edges() {
  for (std::uint32_t t = 0; t < system_->transitions.size(); ++t)
    if (!add_edge(t)) return false;
  return true;
}

bool BlockGraph::add_edge(std::uint32_t t) {
  const Transition& transition = system_->transitions[t];
  ExprPool& pool = *pool_;
  const Expr location = pool.symbol(system_->variables[variable_].current);
  BlockEdge edge;
  edge.transition = t;
  Substitution own(pool);
  const auto copied = [&](SymbolId symbol) {
    const SymbolInfo info = pool.info(symbol);
    edge.inputs.push_back(pool.declare(info.name, info.type));
    own.set(symbol, pool.symbol(edge.inputs.back()));
    return pool.symbol(edge.inputs.back());
  };
  for (const SymbolId input : transition.inputs) copied(input);
  std::vector<Update> open;
  for (const std::uint32_t v : transition.open) {
    if (v == variable_) return false;
    open.push_back({v, copied(system_->variables[v].next)});
  }
  bool placed = false;
  std::vector<Expr> conditions = conjuncts(pool, transition.guard);
  for (const Expr part : conditions) {
    if (placed || pool.op(part) != Op::Eq || pool.child(part, 0) != location ||
        !pool.is_const(pool.child(part, 1)))
      continue;
    edge.from = edge.to = pool.value(pool.child(part, 1)).as_enum().index;
    own.set(system_->variables[variable_].current, pool.child(part, 1));
    placed = true;
  }
  if (!placed) return false;
  if (transition.relation.valid()) conditions.push_back(transition.relation);
  for (const Expr condition : conditions) {
    for (const Expr part : conjuncts(pool, own(condition))) {
      if (pool.is_false(part)) return true;
      if (!pool.is_true(part)) edge.conditions.push_back(part);
    }
  }
  for (const Update& update : transition.updates) {
    const Expr value = own(update.value);
    if (update.variable != variable_) {
      edge.updates.push_back({update.variable, value});
    } else if (pool.is_const(value)) {
      edge.to = pool.value(value).as_enum().index;
    } else {
      return false;
    }
  }
  edge.updates.insert(edge.updates.end(), open.begin(), open.end());
  out_[edge.from].push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back(std::move(edge));
  return true;
}

// From where a goal can be reached; goals are cuts.
void BlockGraph::find_useful() {
  std::vector<std::vector<std::uint32_t>> in(size());
  for (const BlockEdge& edge : edges_) in[edge.to].push_back(edge.from);
  std::vector<std::uint32_t> work;
  for (std::uint32_t l = 0; l < size(); ++l) {
    Substitution here(*pool_);
    const StateVariable& variable = system_->variables[variable_];
    here.set(variable.current, pool_->constant(Value(EnumValue{l}), variable.type));
    if (pool_->is_false(here(system_->goal.condition))) continue;
    cut_[l] = useful_[l] = 1;
    work.push_back(l);
  }
  while (!work.empty()) {
    const std::uint32_t l = work.back();
    work.pop_back();
    for (const std::uint32_t from : in[l]) {
      if (useful_[from] != 0) continue;
      useful_[from] = 1;
      work.push_back(from);
    }
  }
  for (auto& edges : out_)
    std::erase_if(edges, [&](std::uint32_t e) { return useful_[edges_[e].to] == 0; });
}

std::vector<char> BlockGraph::first_locations() const {
  const Expr location = pool_->symbol(system_->variables[variable_].current);
  std::vector<char> first(size(), 1);
  for (const Expr part : conjuncts(*pool_, system_->init)) {
    if (pool_->op(part) != Op::Eq || pool_->child(part, 0) != location ||
        !pool_->is_const(pool_->child(part, 1)))
      continue;
    first.assign(size(), 0);
    first[pool_->value(pool_->child(part, 1)).as_enum().index] = 1;
  }
  return first;
}

// Depth first, without recursion: an edge back to a location that is not finished makes it a cut.
void BlockGraph::sort_locations() {
  const std::vector<char> first = first_locations();
  enum class Seen : std::uint8_t { No, Open, Done };
  std::vector<Seen> seen(size(), Seen::No);
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  for (std::uint32_t root = 0; root < size(); ++root) {
    if (first[root] == 0) continue;
    cut_[root] = 1;
    if (seen[root] != Seen::No) continue;
    seen[root] = Seen::Open;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [l, next] = path.back();
      if (next < out_[l].size()) {
        const std::uint32_t to = edges_[out_[l][next++]].to;
        if (seen[to] == Seen::Open) cut_[to] = 1;
        if (seen[to] != Seen::No) continue;
        seen[to] = Seen::Open;
        path.emplace_back(to, 0);
      } else {
        seen[l] = Seen::Done;
        order_.push_back(l);
        path.pop_back();
      }
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

std::size_t BlockGraph::inner_count() const {
  return static_cast<std::size_t>(std::count_if(
      order_.begin(), order_.end(), [&](std::uint32_t l) { return !is_cut(l) && leads_on(l); }));
}

// A location in very many blocks would be repeated in each.
void BlockGraph::cut_shared() {
  std::size_t visited = 0;
  std::vector<std::uint32_t> mark(size(), kNowhere), work;
  for (const std::uint32_t begin : order_) {
    if (!is_cut(begin)) continue;
    work = {begin};
    while (!work.empty()) {
      const std::uint32_t l = work.back();
      work.pop_back();
      for (const std::uint32_t e : out_[l]) {
        const std::uint32_t to = edges_[e].to;
        ++visited;
        if (is_cut(to) || mark[to] == begin) continue;
        mark[to] = begin;
        work.push_back(to);
      }
    }
    if (visited > kMostSharing * (edges_.size() + 200)) break;
  }
  if (visited <= kMostSharing * (edges_.size() + 200)) return;
  std::vector<std::uint32_t> incoming(size(), 0);
  for (const std::uint32_t l : order_)
    for (const std::uint32_t e : out_[l])
      if (++incoming[edges_[e].to] == 2) cut_[edges_[e].to] = 1;
}

bool BlockGraph::exclude_each_other(const std::vector<std::uint32_t>& edges) const {
  if (edges.size() > kMostAlternatives) return false;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::unordered_set<Expr> denied;
    for (const Expr condition : edges_[edges[i]].conditions)
      denied.insert(pool_->negate(condition));
    for (std::size_t j = i + 1; j < edges.size(); ++j) {
      const std::vector<Expr>& other = edges_[edges[j]].conditions;
      if (std::none_of(other.begin(), other.end(),
                       [&](Expr condition) { return denied.contains(condition); }))
        return false;
    }
  }
  return true;
}

// Where several ways on may be possible at once, symbols say which one is taken.
void BlockGraph::choose() {
  for (const std::uint32_t l : order_) {
    const std::vector<std::uint32_t>& ways = out_[l];
    if (ways.size() < 2 || exclude_each_other(ways)) continue;
    std::vector<std::pair<SymbolId, bool>> passed;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      BlockEdge& edge = edges_[ways[i]];
      edge.chosen = passed;
      if (i + 1 == ways.size()) break;
      const SymbolId choice = pool_->declare("choice", Type::boolean());
      edge.chosen.emplace_back(choice, true);
      passed.emplace_back(choice, false);
    }
  }
}

}  // namespace whittle::simplify
