// SPDX-License-Identifier: Apache-2.0
// An array can be split if it occurs only as `a[i]`, as the base of `a' = store(a, i, x)`, and in
// comparisons with a constant. Indices outside the array do not matter: accesses are guarded.
#include "simplify/flat/array_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint64_t kMaxForward = 64;  // cells that a condition given later chooses among

// Which arrays can be split.
class SplitCandidates {
 public:
  SplitCandidates(const TransitionSystem& system, const CellOptions& options)
      : system_(system), options_(options), pool_(*system.pool) {}

  // False: none.
  bool find() {
    arrays_.resize(system_.variables.size(), 0);
    bool some = false;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      const StateVariable& variable = system_.variables[v];
      remember(variable.current, v);
      remember(variable.next, v);
      const TypeInfo& info = pool_.info(variable.type);
      arrays_[v] = info.kind == TypeKind::Array && info.length && *info.length > 0 &&
                   *info.length <= options_.max_cells && pool_.kind(info.index) == TypeKind::Int;
      some |= arrays_[v] != 0;
    }
    if (!some) return false;
    inspect(system_.init);
    inspect(system_.goal.condition);
    for (const Transition& t : system_.transitions) {
      inspect(t.guard);
      if (t.relation.valid()) inspect(t.relation);
      for (std::uint32_t v : t.open) arrays_[v] = 0;
      for (const Update& u : t.updates) inspect_update(u);
    }
    for (char array : arrays_)
      if (array != 0) return true;
    return false;
  }

  [[nodiscard]] bool splits(std::uint32_t v) const { return arrays_[v] != 0; }

 private:
  [[nodiscard]] std::uint64_t length(std::uint32_t v) const {
    return *pool_.info(system_.variables[v].type).length;
  }

  // The array whose symbol the term is.
  [[nodiscard]] std::uint32_t array_of(Expr e) const {
    if (!pool_.is_variable(e)) return kNone;
    const std::size_t symbol = pool_.symbol_of(e).index();
    if (symbol >= owners_.size()) return kNone;
    const std::uint32_t v = owners_[symbol];
    return v != kNone && arrays_[v] != 0 ? v : kNone;
  }

  void remember(SymbolId symbol, std::uint32_t v) {
    if (symbol.index() >= owners_.size()) owners_.resize(symbol.index() + 1, kNone);
    owners_[symbol.index()] = v;
  }

  [[nodiscard]] bool good_index(std::uint32_t v, Expr index) const {
    if (pool_.is_const(index)) return true;
    return length(v) <= options_.max_chosen;
  }

  void inspect(Expr root) {
    exclude(root);
    for_each_subterm(pool_, root, [&](Expr e) {
      const auto children = pool_.children(e);
      const Op op = pool_.op(e);
      for (std::size_t i = 0; i < children.size(); ++i) {
        const std::uint32_t v = array_of(children[i]);
        if (v == kNone) continue;
        const bool read = op == Op::Select && i == 0 && good_index(v, children[1]);
        const bool compared = op == Op::Eq && pool_.is_const(children[1 - i]);
        if (!read && !compared) arrays_[v] = 0;
      }
    });
  }

  void exclude(Expr e) {
    if (const std::uint32_t v = array_of(e); v != kNone) arrays_[v] = 0;
  }

  void inspect_update(const Update& update) {
    if (arrays_[update.variable] == 0) {
      inspect(update.value);
      return;
    }
    Expr base = update.value;
    for (; pool_.op(base) == Op::Store; base = pool_.child(base, 0)) {
      if (!good_index(update.variable, pool_.child(base, 1))) arrays_[update.variable] = 0;
      inspect(pool_.child(base, 1));
      inspect(pool_.child(base, 2));
    }
    const bool own = pool_.is_variable(base) &&
                     pool_.symbol_of(base) == system_.variables[update.variable].current;
    if (own) return;
    arrays_[update.variable] = 0;
    inspect(base);
  }

  const TransitionSystem& system_;
  const CellOptions& options_;
  const ExprPool& pool_;
  std::vector<std::uint32_t> owners_;  // by symbol: variable
  std::vector<char> arrays_;           // by variable
};

Integer integer(std::uint64_t i) { return Integer(static_cast<unsigned long>(i)); }

// The variables of both systems, and terms over arrays as terms over cells.
class Cells {
 public:
  Cells(const TransitionSystem& system, const SplitCandidates& candidates)
      : pool_(system.pool), arrays_(system.variables) {
    for (std::uint32_t v = 0; v < arrays_.size(); ++v) {
      const StateVariable& variable = arrays_[v];
      first_.push_back(static_cast<std::uint32_t>(cells_.size()));
      if (!candidates.splits(v)) {
        cells_.push_back(variable);
        origins_.push_back({v, std::nullopt});
        continue;
      }
      split_.emplace(variable.current, v);
      const Type element = pool_->info(variable.type).element;
      for (std::uint64_t i = 0; i < length(v); ++i) {
        const std::string name = fmt::format("{}[{}]", variable.name, i);
        cells_.push_back({name, element, pool_->declare(name, element),
                          pool_->declare(name + "'", element), false});
        origins_.push_back({v, i});
      }
    }
  }

  struct Origin {
    std::uint32_t variable;             // of the system with arrays
    std::optional<std::uint64_t> cell;  // empty: the variable itself
  };

  [[nodiscard]] ExprPool& pool() const { return *pool_; }
  [[nodiscard]] const std::vector<StateVariable>& with_arrays() const { return arrays_; }
  [[nodiscard]] const std::vector<StateVariable>& with_cells() const { return cells_; }
  [[nodiscard]] const std::vector<Origin>& origins() const { return origins_; }
  [[nodiscard]] bool splits(std::uint32_t v) const { return split_.contains(arrays_[v].current); }
  [[nodiscard]] std::uint64_t length(std::uint32_t v) const {
    return *pool_->info(arrays_[v].type).length;
  }
  // The new position of a variable, or of the first cell of an array.
  [[nodiscard]] std::uint32_t first(std::uint32_t v) const { return first_[v]; }
  [[nodiscard]] Expr cell(std::uint32_t v, std::uint64_t i) const {
    return pool_->symbol(cells_[first_[v] + i].current);
  }

  [[nodiscard]] Rewriter rewriter() const {
    return Rewriter(*pool_, [this](Expr e, std::span<const Expr> arguments) -> Expr {
      if (pool_->op(e) == Op::Select) {
        const std::uint32_t v = array_of(pool_->child(e, 0));
        return v == kNone ? Expr() : chosen(v, arguments[1]);
      }
      if (pool_->op(e) != Op::Eq) return {};
      for (const std::size_t side : {0U, 1U}) {
        const std::uint32_t v = array_of(pool_->child(e, side));
        if (v != kNone && pool_->is_const(pool_->child(e, 1 - side)))
          return equal(v, pool_->value(pool_->child(e, 1 - side)).as_array());
      }
      return {};
    });
  }

  // A condition that had no say in which arrays are split; invalid: it is not made of cells.
  [[nodiscard]] Expr rewritten(Expr condition) const {
    bool too_wide = false;
    for_each_subterm(*pool_, condition, [&](Expr e) {
      if (pool_->op(e) != Op::Select || pool_->is_const(pool_->child(e, 1))) return;
      const std::uint32_t v = array_of(pool_->child(e, 0));
      too_wide |= v != kNone && length(v) > kMaxForward;
    });
    if (too_wide) return {};
    const Expr result = rewriter()(condition);
    const std::vector<SymbolId> used = symbols(*pool_, result);
    const bool left = std::any_of(used.begin(), used.end(),
                                  [&](SymbolId symbol) { return split_.contains(symbol); });
    return left ? Expr() : result;
  }

 private:
  [[nodiscard]] std::uint32_t array_of(Expr e) const {
    if (!pool_->is_variable(e)) return kNone;
    const auto found = split_.find(pool_->symbol_of(e));
    return found == split_.end() ? kNone : found->second;
  }

  // a[index]
  [[nodiscard]] Expr chosen(std::uint32_t v, Expr index) const {
    if (pool_->is_const(index)) {
      const auto i = pool_->value(index).as_integer().to_int64();
      const bool inside = i && *i >= 0 && static_cast<std::uint64_t>(*i) < length(v);
      return cell(v, inside ? static_cast<std::uint64_t>(*i) : 0);  // outside: guarded
    }
    Expr value = cell(v, length(v) - 1);
    for (std::uint64_t i = length(v) - 1; i-- > 0;)
      value = pool_->ite(pool_->eq(index, pool_->integer(integer(i))), cell(v, i), value);
    return value;
  }

  [[nodiscard]] Expr equal(std::uint32_t v, const ArrayValue& value) const {
    std::vector<Expr> parts;
    for (std::uint64_t i = 0; i < length(v); ++i) {
      const Value& element = value.at(Value(integer(i)));
      parts.push_back(pool_->eq(cell(v, i), pool_->constant(element, cells_[first_[v] + i].type)));
    }
    return pool_->conj(parts);
  }

  std::shared_ptr<ExprPool> pool_;
  std::vector<StateVariable> arrays_;                  // the variables with arrays
  std::vector<StateVariable> cells_;                   // and with cells instead
  std::vector<std::uint32_t> first_;                   // by variable with arrays
  std::vector<Origin> origins_;                        // by variable with cells
  std::unordered_map<SymbolId, std::uint32_t> split_;  // variable, by current symbol
};

// The updates and formulas of the system with cells.
class ArraySplit {
 public:
  explicit ArraySplit(const Cells& cells)
      : cells_(cells), pool_(cells.pool()), rewrite_(cells.rewriter()) {}

  TransitionSystem of(const TransitionSystem& system) {
    TransitionSystem result = system;
    result.variables = cells_.with_cells();
    result.init = rewrite_(system.init);
    result.goal.condition = rewrite_(system.goal.condition);
    for (Transition& t : result.transitions) transition(t);
    return result;
  }

 private:
  void transition(Transition& t) {
    t.guard = rewrite_(t.guard);
    if (t.relation.valid()) t.relation = rewrite_(t.relation);
    for (std::uint32_t& v : t.open) v = cells_.first(v);
    std::vector<Update> updates;
    for (const Update& update : t.updates) {
      if (cells_.splits(update.variable)) {
        add_stores(update, updates);
      } else {
        updates.push_back({cells_.first(update.variable), rewrite_(update.value)});
      }
    }
    t.updates = std::move(updates);
  }

  // a' = store(store(a, i, x), j, y): from the innermost store to the last one.
  void add_stores(const Update& update, std::vector<Update>& updates) {
    std::vector<Expr> stores;
    for (Expr e = update.value; pool_.op(e) == Op::Store; e = pool_.child(e, 0))
      stores.push_back(e);
    std::vector<Expr> values(cells_.length(update.variable));  // by cell; invalid: not written
    for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
      const Expr index = rewrite_(pool_.child(*store, 1));
      const Expr value = rewrite_(pool_.child(*store, 2));
      for (std::uint64_t i = 0; i < values.size(); ++i) {
        const Expr here = pool_.eq(index, pool_.integer(integer(i)));
        if (pool_.is_false(here)) continue;
        const Expr before = values[i].valid() ? values[i] : cells_.cell(update.variable, i);
        values[i] = pool_.ite(here, value, before);
      }
    }
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      if (values[i].valid())
        updates.push_back(
            {cells_.first(update.variable) + static_cast<std::uint32_t>(i), values[i]});
    }
  }

  const Cells& cells_;
  ExprPool& pool_;
  Rewriter rewrite_;
};

class CellsBack final : public FlatBackTranslation {
 public:
  explicit CellsBack(std::shared_ptr<const Cells> cells) : cells_(std::move(cells)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const override {
    FlatTrace result = trace;
    result.initial = arrays_of(trace.initial);
    for (FlatStep& step : result.steps)
      for (auto& [variable, value] : step.open) variable = cells_->origins()[variable].variable;
    return result;
  }

  [[nodiscard]] Expr condition(Expr condition) const override {
    ExprPool& pool = cells_->pool();
    Substitution substitution(pool);
    for (std::size_t i = 0; i < cells_->origins().size(); ++i) {
      const Cells::Origin& origin = cells_->origins()[i];
      if (!origin.cell) continue;
      const Expr array = pool.symbol(cells_->with_arrays()[origin.variable].current);
      const Expr index = pool.integer(integer(*origin.cell));
      substitution.set(cells_->with_cells()[i].current, pool.select(array, index));
    }
    return substitution(condition);
  }

  [[nodiscard]] Expr forward(Expr condition) const override { return cells_->rewritten(condition); }

 private:
  [[nodiscard]] std::vector<Value> arrays_of(const std::vector<Value>& values) const {
    const std::vector<StateVariable>& variables = cells_->with_arrays();
    const ExprPool& pool = cells_->pool();
    std::vector<Value> result(variables.size());
    std::vector<ArrayValue> arrays(variables.size());
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (cells_->splits(v))
        arrays[v].otherwise = pool.default_value(pool.info(variables[v].type).element);
    }
    for (std::size_t i = 0; i < cells_->origins().size(); ++i) {
      const auto& [variable, cell] = cells_->origins()[i];
      if (cell) {
        arrays[variable].put(Value(integer(*cell)), values[i]);
      } else {
        result[variable] = values[i];
      }
    }
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (cells_->splits(v))
        result[v] = pool.normalized(Value::array(std::move(arrays[v])), variables[v].type);
    }
    return result;
  }

  std::shared_ptr<const Cells> cells_;
};

}  // namespace

std::optional<FlatTransformed> split_arrays(const TransitionSystem& system,
                                            const CellOptions& options) {
  SplitCandidates candidates(system, options);
  if (!candidates.find()) return std::nullopt;
  const auto cells = std::make_shared<const Cells>(system, candidates);
  return FlatTransformed{ArraySplit(*cells).of(system), std::make_shared<CellsBack>(cells)};
}

}  // namespace whittle::simplify
