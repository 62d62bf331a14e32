// SPDX-License-Identifier: Apache-2.0
// The distance of a cube is the larger of
//   - the steps that its locations need at least: each machine has to get there by its own
//     transitions, whatever the others do, so these add up where every transition moves one machine
//     only;
//   - the first depth at which ranges of values allow all literals of the cube together.
//
// Questions about any number of steps are answered with an invariant. Ranges by depth are none, so
// there they only say what to look at first; what is never looked at is excluded by ranges that
// hold at all depths.
#include "engine/preimage/start_distance.h"

#include <algorithm>
#include <bit>

#include "absint/interval/depth_bounds.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxRanges = 500'000;  // of transitions and variables, over all depths

constexpr std::uint64_t kMostCells = 256;  // of an array whose range is said cell by cell

// A transition, as far as one machine is concerned.
struct Move {
  std::vector<std::uint32_t> from;  // empty: anywhere
  std::optional<std::uint32_t> to;  // empty: anywhere
};

// The values that a condition leaves to a location; empty: all.
std::vector<std::uint32_t> values_under(const ExprPool& pool, Expr guard, Expr location) {
  for (Expr part : conjuncts(pool, guard)) {
    std::vector<std::uint32_t> values;
    const std::vector<Expr> choices = disjuncts(pool, part);
    for (Expr choice : choices) {
      if (pool.op(choice) != Op::Eq) break;
      const std::size_t constant = pool.child(choice, 0) == location ? 1 : 0;
      if (pool.child(choice, 1 - constant) != location) break;
      if (!pool.is_const(pool.child(choice, constant))) break;
      values.push_back(pool.value(pool.child(choice, constant)).as_enum().index);
    }
    if (values.size() == choices.size()) return values;
  }
  return {};
}

// Breadth first.
std::vector<std::uint64_t> least_steps(std::size_t locations, std::span<const Move> moves,
                                       const std::optional<Value>& start) {
  const bool jumps =
      std::any_of(moves.begin(), moves.end(), [](const Move& move) { return !move.to; });
  std::vector<std::uint64_t> steps(locations, jumps ? 1 : StartDistance::kNever);
  if (start)
    steps[start->as_enum().index] = 0;
  else
    steps.assign(locations, 0);
  std::vector<std::uint32_t> queue;
  for (const std::uint64_t distance : {0U, 1U}) {
    for (std::uint32_t i = 0; i < locations; ++i) {
      if (steps[i] == distance) queue.push_back(i);
    }
    if (distance > 0) break;
    for (const Move& move : moves) {
      if (move.from.empty() && move.to && steps[*move.to] > 1) steps[*move.to] = 1;
    }
  }
  std::vector<std::vector<std::uint32_t>> after(locations);
  for (const Move& move : moves) {
    for (std::uint32_t from : move.from) {
      if (move.to) after[from].push_back(*move.to);
    }
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (std::uint32_t to : after[queue[next]]) {
      if (steps[to] != StartDistance::kNever) continue;
      steps[to] = steps[queue[next]] + 1;
      queue.push_back(to);
    }
  }
  return steps;
}

}  // namespace

LocationSteps::LocationSteps(const TransitionSystem& system, const FirstStates& first)
    : steps_(system.variables.size()) {
  ExprPool& pool = *system.pool;
  std::vector<std::vector<Move>> moves(system.variables.size());
  for (const Transition& transition : system.transitions) {
    unsigned moved = 0;
    for (const Update& update : transition.updates) {
      const StateVariable& variable = system.variables[update.variable];
      if (!variable.is_location) continue;
      ++moved;
      Move move{values_under(pool, transition.guard, pool.symbol(variable.current)), {}};
      if (pool.is_const(update.value)) move.to = pool.value(update.value).as_enum().index;
      moves[update.variable].push_back(std::move(move));
    }
    for (std::uint32_t v : transition.open) {
      if (!system.variables[v].is_location) continue;
      ++moved;
      moves[v].emplace_back();
    }
    one_by_one_ = one_by_one_ && moved <= 1;
  }
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    if (!variable.is_location) continue;
    steps_[v] = least_steps(pool.info(variable.type).values.size(), moves[v], first.values()[v]);
  }
}

std::uint64_t LocationSteps::to(std::uint32_t variable, std::int64_t low, std::int64_t high) const {
  const std::vector<std::uint64_t>& steps = steps_[variable];
  if (steps.empty()) return 0;
  return *std::min_element(steps.begin() + low, steps.begin() + high + 1);
}

DepthRanges::DepthRanges(const TransitionSystem& system, const SymbolVariables& variables,
                         const DistanceSettings& settings)
    : pool_(*system.pool),
      variables_(variables),
      nothing_starts_(system.pool->is_false(system.init)) {
  if (!settings.ranges) return;
  const std::size_t each = system.transitions.size() + system.variables.size() + 1;
  const std::size_t depths = std::min(kDepths, kMaxRanges / each + 1);
  auto ranges_of = [&](const DepthBounds& bounds) {
    std::vector<ValueRange> ranges;
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) ranges.push_back(bounds.range(v));
    return ranges;
  };
  DepthBounds bounds(system);
  nothing_starts_ = nothing_starts_ || bounds.empty();
  for (; !settled_ && ranges_.size() < depths; bounds.advance()) {
    dead_ = bounds.empty();
    if (dead_ || (settings.most && ranges_.size() > *settings.most)) break;
    ranges_.push_back(ranges_of(bounds));
    settled_ = bounds.fixpoint();
  }
  if (settings.most) return;
  DepthBounds growing(system, DepthBounds::Which::Growing);
  for (std::size_t k = 0; k < depths && !growing.fixpoint(); ++k) growing.advance();
  if (growing.fixpoint() && !growing.empty()) always_ = ranges_of(growing);
}

bool DepthRanges::Numbers::allow(const BoundLiteral& literal) const {
  if (mask == ~0ULL) return literal.low <= high && low <= literal.high;
  for (std::int64_t i = literal.low; i <= literal.high; ++i) {
    if ((mask >> static_cast<unsigned>(i) & 1U) != 0) return true;
  }
  return false;
}

DepthRanges::Numbers DepthRanges::evaluated(Expr root,
                                            const std::vector<ValueRange>& ranges) const {
  ExprMap<ValueRange> values;
  for_each_subterm(pool_, root, [&](Expr e) {
    ValueRange range = ValueRange::all(pool_, pool_.type(e));
    if (pool_.is_const(e)) {
      range = ValueRange::only(pool_, pool_.value(e), pool_.type(e));
    } else if (const std::uint32_t v = variables_.of(pool_, e); v != SymbolVariables::kNone) {
      range = ranges[v];
    } else if (!pool_.children(e).empty()) {
      std::vector<ValueRange> arguments;
      for (Expr child : pool_.children(e)) arguments.push_back(*values.find(child));
      range = applied(pool_, pool_.op(e), pool_.type(e), arguments);
    }
    values.insert(e, std::move(range));
  });
  const ValueRange& range = *values.find(root);
  Numbers result;
  if (range.kind == ValueRange::Kind::Finite) result.mask = range.mask;
  if (range.low) result.low = range.low->floor().to_int64().value_or(CubeBuilder::kLeast);
  if (range.high) result.high = range.high->floor().to_int64().value_or(CubeBuilder::kMost);
  return result;
}

const std::vector<DepthRanges::Numbers>& DepthRanges::numbers(std::uint32_t number, Expr term) {
  if (number >= numbers_.size()) numbers_.resize(number + 1);
  std::vector<Numbers>& result = numbers_[number];
  if (!result.empty()) return result;
  for (const std::vector<ValueRange>& ranges : ranges_) result.push_back(evaluated(term, ranges));
  result.push_back(always_.empty() ? Numbers() : evaluated(term, always_));
  return result;
}

std::uint64_t DepthRanges::possible(const BoundLiteral& literal, Expr term) {
  const std::vector<Numbers>& by_depth = numbers(literal.term, term);
  std::uint64_t result = 0;
  for (std::size_t k = 0; k < ranges_.size(); ++k) {
    if (by_depth[k].allow(literal)) result |= 1ULL << k;
  }
  // Beyond what was looked at: as at the last depth if nothing changes any more, else anything.
  const bool last = !ranges_.empty() && (result >> (ranges_.size() - 1) & 1U) != 0;
  if (dead_ || (settled_ && !last)) return result;
  for (std::size_t k = std::min(ranges_.size(), kDepths - 1); k < kDepths; ++k) result |= 1ULL << k;
  return result;
}

bool DepthRanges::ever_possible(const BoundLiteral& literal, Expr term) {
  return numbers(literal.term, term).back().allow(literal);
}

StartDistance::StartDistance(const TransitionSystem& system, const SymbolVariables& variables,
                             const FirstStates& first, const CubeBuilder& builder,
                             const DistanceSettings& settings)
    : system_(system),
      variables_(variables),
      builder_(builder),
      bounded_(settings.most.has_value()),
      ranges_(system, variables, settings),
      locations_(system, first),
      used_(system.variables.size(), 0) {}

const StartDistance::Known& StartDistance::known(LiteralId id) {
  for (auto next = static_cast<LiteralId>(known_.size()); next <= id; ++next) {
    const BoundLiteral& literal = builder_.literal(next);
    const LiteralTerm& term = builder_.term(next);
    Known& info = known_.emplace_back();
    info.depths = ranges_.possible(literal, term.expr);
    const std::uint32_t v = term.variable ? variables_[term.symbols[0]] : SymbolVariables::kNone;
    if (v != SymbolVariables::kNone) info.steps = locations_.to(v, literal.low, literal.high);
    if (bounded_) continue;
    if (info.steps == kNever) info.steps = DepthRanges::kDepths;
    if (ranges_.ever_possible(literal, term.expr)) continue;
    if (!std::all_of(term.symbols.begin(), term.symbols.end(),
                     [&](SymbolId symbol) { return can_be_said(symbol); }))
      continue;
    info.steps = kNever;
    for (SymbolId symbol : term.symbols) {
      if (variables_[symbol] != SymbolVariables::kNone) used_[variables_[symbol]] = 1;
    }
  }
  return known_[id];
}

// A range of all cells of an array without end cannot be.
bool StartDistance::can_be_said(SymbolId symbol) const {
  const ExprPool& pool = *system_.pool;
  const TypeInfo& type = pool.info(pool.info(symbol).type);
  return type.kind != TypeKind::Array ||
         (type.length && *type.length <= kMostCells && pool.kind(type.element) != TypeKind::Array);
}

std::uint64_t StartDistance::operator()(const Cube& cube, std::uint64_t least) {
  std::uint64_t depths = ~0ULL;
  std::uint64_t steps = 0;
  for (LiteralId id : cube) {
    const Known& info = known(id);
    if (info.steps == kNever) return kNever;
    depths &= info.depths;
    steps = locations_.one_by_one() ? steps + info.steps : std::max(steps, info.steps);
  }
  steps = std::max(steps, least);
  // The last bit stands for all depths from there on.
  const std::uint64_t first = std::min<std::uint64_t>(steps, DepthRanges::kDepths - 1);
  const std::uint64_t rest = depths >> first;
  if (rest != 0) return std::max(steps, first + static_cast<std::uint64_t>(std::countr_zero(rest)));
  return bounded_ ? kNever : std::max<std::uint64_t>(steps, DepthRanges::kDepths);
}

// The variables whose ranges were used, and those that keep them there: what a transition that
// writes one reads.
std::vector<char> StartDistance::kept_by() const {
  std::vector<std::vector<std::uint32_t>> writers(used_.size());
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    for (const Update& update : system_.transitions[t].updates)
      writers[update.variable].push_back(t);
    for (std::uint32_t v : system_.transitions[t].open) writers[v].push_back(t);
  }
  std::vector<char> result = used_;
  std::vector<std::uint32_t> work;
  for (std::uint32_t v = 0; v < used_.size(); ++v) {
    if (used_[v] != 0) work.push_back(v);
  }
  std::vector<char> seen(system_.transitions.size(), 0);
  while (!work.empty()) {
    const std::uint32_t written = work.back();
    work.pop_back();
    for (std::uint32_t t : writers[written]) {
      if (seen[t] != 0) continue;
      seen[t] = 1;
      const Transition& transition = system_.transitions[t];
      std::vector<Expr> terms = {transition.guard};
      for (const Update& update : transition.updates) terms.push_back(update.value);
      for (SymbolId symbol : symbols(*system_.pool, terms)) {
        const std::uint32_t v = variables_[symbol];
        if (v == SymbolVariables::kNone || result[v] != 0) continue;
        result[v] = 1;
        work.push_back(v);
      }
    }
  }
  return result;
}

std::optional<std::vector<Expr>> StartDistance::invariant() const {
  ExprPool& pool = *system_.pool;
  std::vector<Expr> result;
  const std::vector<char> said = kept_by();
  for (std::uint32_t v = 0; v < said.size(); ++v) {
    if (said[v] == 0) continue;
    const StateVariable& variable = system_.variables[v];
    if (!can_be_said(variable.current)) return std::nullopt;
    const Expr symbol = pool.symbol(variable.current);
    const ValueRange& range = ranges_.always()[v];
    const TypeInfo& type = pool.info(variable.type);
    if (type.kind != TypeKind::Array) {
      result.push_back(in_range(pool, symbol, range));
      continue;
    }
    for (std::uint64_t i = 0; i < *type.length; ++i)
      result.push_back(in_range(pool, pool.select(symbol, pool.integer(Integer(i))), range));
  }
  return result;
}

}  // namespace whittle
