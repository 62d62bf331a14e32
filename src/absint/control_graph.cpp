// SPDX-License-Identifier: Apache-2.0
#include "absint/control_graph.h"

#include <algorithm>

namespace whittle::absint {

namespace {

constexpr std::size_t kMaxPlaces = 2'000;  // where several machines are somewhere

}  // namespace

ControlGraph::ControlGraph(const TransitionSystem& system) : system_(system), pool_(*system.pool) {
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    if (system.variables[v].is_location && pool_.kind(system.variables[v].type) == TypeKind::Enum) {
      variables_.push_back(v);
    }
  }
  if (!build()) {
    variables_.clear();
    nodes_.clear();
    edges_.clear();
    out_.clear();
    build();
  }
  in_.resize(size());
  for (std::uint32_t e = 0; e < edges_.size(); ++e) in_[edges_[e].to].push_back(e);
  sort_nodes();
}

// False: too many places, or a location that is set to something else than a constant.
bool ControlGraph::build() {
  if (single()) {
    node_by_value_.assign(pool_.info(system_.variables[variables_[0]].type).values.size(), 0);
  }
  from_.assign(variables_.size(), {});
  from_anywhere_.clear();
  node_by_place_.clear();
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    from_[i].resize(pool_.info(system_.variables[variables_[i]].type).values.size());
  }
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    bool placed = false;
    if (!variables_.empty()) {
      for (Expr part : conjuncts(pool_, system_.transitions[t].guard)) {
        if (pool_.op(part) != Op::Eq || !pool_.is_const(pool_.child(part, 1))) continue;
        for (std::size_t i = 0; i < variables_.size() && !placed; ++i) {
          if (pool_.child(part, 0) != pool_.symbol(system_.variables[variables_[i]].current)) {
            continue;
          }
          from_[i][pool_.value(pool_.child(part, 1)).as_enum().index].push_back(t);
          placed = true;
        }
        if (placed) break;
      }
    }
    if (!placed) from_anywhere_.push_back(t);
  }
  if (!add_starts()) return false;
  starts_ = size();
  for (std::uint32_t n = 0; n < size(); ++n) {
    if (!expand(n)) return false;
    if (!single() && size() > kMaxPlaces) return false;
  }
  return true;
}

bool ControlGraph::add_starts() {
  std::vector<std::vector<std::uint32_t>> values;
  std::size_t product = 1;
  for (std::uint32_t v : variables_) {
    const Expr symbol = pool_.symbol(system_.variables[v].current);
    std::vector<std::uint32_t> possible;
    for (Expr part : conjuncts(pool_, system_.init)) {
      if (pool_.op(part) == Op::Eq && pool_.child(part, 0) == symbol &&
          pool_.is_const(pool_.child(part, 1))) {
        possible = {pool_.value(pool_.child(part, 1)).as_enum().index};
      }
    }
    if (possible.empty()) {
      const std::size_t count = pool_.info(system_.variables[v].type).values.size();
      for (std::uint32_t i = 0; i < count; ++i) possible.push_back(i);
    }
    product *= possible.size();
    if (variables_.size() > 1 && product > kMaxPlaces) return false;
    values.push_back(std::move(possible));
  }
  Place place(variables_.size());
  for (std::size_t n = 0; n < product; ++n) {
    std::size_t rest = n;
    Substitution here(pool_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      place[i] = values[i][rest % values[i].size()];
      rest /= values[i].size();
      const StateVariable& variable = system_.variables[variables_[i]];
      here.set(variable.current, pool_.constant(Value(EnumValue{place[i]}), variable.type));
    }
    if (!pool_.is_false(here(system_.init))) node(place);
  }
  return true;
}

std::uint32_t ControlGraph::node(const Place& place) {
  const auto fresh = static_cast<std::uint32_t>(size());
  if (single()) {
    std::uint32_t& known = node_by_value_[place[0]];
    if (known != 0) return known - 1;
    known = fresh + 1;
  } else {
    const auto [known, added] = node_by_place_.try_emplace(place, fresh);
    if (!added) return known->second;
  }
  nodes_.push_back(place);
  out_.emplace_back();
  return fresh;
}

bool ControlGraph::expand(std::uint32_t n) {
  bool plain = true;
  const Place place = nodes_[n];
  for (std::size_t i = 0; i < variables_.size(); ++i) follow(n, from_[i][place[i]], plain);
  follow(n, from_anywhere_, plain);
  return plain;
}

void ControlGraph::follow(std::uint32_t n, const std::vector<std::uint32_t>& candidates,
                          bool& plain) {
  if (candidates.empty()) return;
  Substitution here = locations(n);
  for (std::uint32_t t : candidates) {
    const Transition& transition = system_.transitions[t];
    const Expr guard = here(transition.guard);
    if (pool_.is_false(guard)) continue;
    Place target = nodes_[n];
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      for (std::uint32_t open : transition.open) plain = plain && open != variables_[i];
      for (const Update& update : transition.updates) {
        if (update.variable != variables_[i]) continue;
        const Expr value = here(update.value);
        if (!pool_.is_const(value)) {
          plain = false;
          return;
        }
        target[i] = pool_.value(value).as_enum().index;
      }
    }
    const std::uint32_t to = node(target);
    out_[n].push_back(static_cast<std::uint32_t>(edges_.size()));
    edges_.push_back({t, n, to, guard});
  }
}

Substitution ControlGraph::locations(std::uint32_t n) const {
  Substitution result(pool_);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const StateVariable& variable = system_.variables[variables_[i]];
    result.set(variable.current, pool_.constant(Value(EnumValue{nodes_[n][i]}), variable.type));
  }
  return result;
}

Expr ControlGraph::is_at(std::uint32_t n) const {
  std::vector<Expr> parts;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const StateVariable& variable = system_.variables[variables_[i]];
    parts.push_back(pool_.eq(pool_.symbol(variable.current),
                             pool_.constant(Value(EnumValue{nodes_[n][i]}), variable.type)));
  }
  return pool_.conj(parts);
}

std::vector<Expr> ControlGraph::never_there() const {
  std::vector<Expr> result;
  if (!single()) return result;
  const StateVariable& variable = system_.variables[variables_[0]];
  for (std::uint32_t l = 0; l < node_by_value_.size(); ++l) {
    if (node_by_value_[l] != 0) continue;
    result.push_back(pool_.eq(pool_.symbol(variable.current),
                              pool_.constant(Value(EnumValue{l}), variable.type)));
  }
  return result;
}

// Tarjan's algorithm without recursion: components come out last first, nodes in postorder.
void ControlGraph::sort_nodes() {
  const std::size_t count = size();
  constexpr std::uint32_t kNew = UINT32_MAX;
  std::vector<std::uint32_t> index(count, kNew), low(count, 0), post(count, 0), component(count, 0);
  std::vector<char> open(count, 0);
  std::vector<std::uint32_t> stack;
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
  std::uint32_t next_index = 0, next_post = 0, components = 0;
  heads_.assign(count, 0);
  cyclic_.assign(count, 0);
  for (std::uint32_t root = 0; root < count; ++root) {
    if (index[root] != kNew) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [n, position] = path.back();
      if (position == 0) {
        index[n] = low[n] = next_index++;
        stack.push_back(n);
        open[n] = 1;
      }
      if (position < out_[n].size()) {
        const std::uint32_t to = edges_[out_[n][position++]].to;
        if (index[to] == kNew) {
          path.emplace_back(to, 0);
        } else if (open[to] != 0) {
          low[n] = std::min(low[n], index[to]);
        }
        continue;
      }
      const std::uint32_t done = n;
      post[done] = next_post++;
      if (low[done] == index[done]) {
        std::uint32_t member = 0;
        do {
          member = stack.back();
          stack.pop_back();
          open[member] = 0;
          component[member] = components;
        } while (member != done);
        ++components;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
    }
  }
  order_.resize(count);
  for (std::uint32_t n = 0; n < count; ++n) order_[n] = n;
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return component[a] != component[b] ? component[a] > component[b] : post[a] > post[b];
  });
  component_of_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t c = components - 1 - component[order_[i]];
    if (c == component_begin_.size()) component_begin_.push_back(i);
    component_of_[order_[i]] = c;
  }
  component_begin_.push_back(static_cast<std::uint32_t>(count));
  for (const ControlEdge& edge : edges_) {
    if (component[edge.from] != component[edge.to]) continue;
    cyclic_[edge.from] = cyclic_[edge.to] = 1;
    if (post[edge.from] <= post[edge.to]) heads_[edge.to] = 1;
  }
}

}  // namespace whittle::absint
