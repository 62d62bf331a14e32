// SPDX-License-Identifier: Apache-2.0
// An array can be taken apart if it occurs only as `a[i]`, as the base of `a' = store(a, i, x)`,
// and in comparisons with a constant. Indices outside the array do not matter: accesses are
// guarded.
#include "simplify/flat/array_cells.h"

#include <fmt/format.h>

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

class Splitter {
 public:
  Splitter(const TransitionSystem& system, const CellOptions& options)
      : system_(system), options_(options), pool_(*system.pool) {}

  // Which arrays can be taken apart.
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
  [[nodiscard]] std::uint64_t length(std::uint32_t v) const {
    return *pool_.info(system_.variables[v].type).length;
  }

  // The array whose current symbol the term is.
  [[nodiscard]] std::uint32_t array_of(Expr e) const {
    if (!pool_.is_variable(e)) return kNone;
    const std::size_t symbol = pool_.symbol_of(e).index();
    if (symbol >= owners_.size()) return kNone;
    const std::uint32_t v = owners_[symbol];
    return v != kNone && arrays_[v] != 0 ? v : kNone;
  }

 private:
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

}  // namespace

std::optional<ArrayCells> split_arrays(const TransitionSystem& system, const CellOptions& options) {
  Splitter splitter(system, options);
  if (!splitter.find()) return std::nullopt;
  ExprPool& pool = *system.pool;
  ArrayCells result;
  result.system = system;
  result.with_ = system.variables;
  TransitionSystem& flat = result.system;
  flat.variables.clear();
  std::vector<std::uint32_t> first(system.variables.size());  // new position, or of the first cell
  for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
    const StateVariable& variable = system.variables[v];
    first[v] = static_cast<std::uint32_t>(flat.variables.size());
    if (!splitter.splits(v)) {
      flat.variables.push_back(variable);
      result.origins_.push_back({v, std::nullopt});
      continue;
    }
    const Type element = pool.info(variable.type).element;
    for (std::uint64_t i = 0; i < splitter.length(v); ++i) {
      const std::string name = fmt::format("{}[{}]", variable.name, i);
      flat.variables.push_back(
          {name, element, pool.declare(name, element), pool.declare(name + "'", element), false});
      result.origins_.push_back({v, i});
    }
  }
  auto number = [&](std::uint64_t i) {
    return pool.integer(Integer(static_cast<unsigned long>(i)));
  };
  auto cell = [&](std::uint32_t v, std::uint64_t i) {
    return pool.symbol(flat.variables[first[v] + i].current);
  };
  auto chosen = [&](std::uint32_t v, Expr index) {
    const std::uint64_t length = splitter.length(v);
    if (pool.is_const(index)) {
      const auto i = pool.value(index).as_integer().to_int64();
      const bool inside = i && *i >= 0 && static_cast<std::uint64_t>(*i) < length;
      return cell(v, inside ? static_cast<std::uint64_t>(*i) : 0);  // outside: guarded
    }
    Expr value = cell(v, length - 1);
    for (std::uint64_t i = length - 1; i-- > 0;)
      value = pool.ite(pool.eq(index, number(i)), cell(v, i), value);
    return value;
  };
  Rewriter rewrite(pool, [&](Expr e, std::span<const Expr> arguments) -> Expr {
    if (pool.op(e) == Op::Select) {
      const std::uint32_t v = splitter.array_of(pool.child(e, 0));
      return v == kNone ? Expr() : chosen(v, arguments[1]);
    }
    if (pool.op(e) != Op::Eq) return {};
    for (const std::size_t side : {0U, 1U}) {
      const std::uint32_t v = splitter.array_of(pool.child(e, side));
      if (v == kNone) continue;
      const ArrayValue& value = pool.value(pool.child(e, 1 - side)).as_array();
      std::vector<Expr> parts;
      for (std::uint64_t i = 0; i < splitter.length(v); ++i) {
        const Value& element = value.at(Value(Integer(static_cast<unsigned long>(i))));
        parts.push_back(
            pool.eq(cell(v, i), pool.constant(element, flat.variables[first[v] + i].type)));
      }
      return pool.conj(parts);
    }
    return {};
  });
  flat.init = rewrite(system.init);
  flat.goal.condition = rewrite(system.goal.condition);
  for (std::size_t t = 0; t < system.transitions.size(); ++t) {
    const Transition& from = system.transitions[t];
    Transition& to = flat.transitions[t];
    to.guard = rewrite(from.guard);
    if (from.relation.valid()) to.relation = rewrite(from.relation);
    for (std::uint32_t& v : to.open) v = first[v];
    to.updates.clear();
    for (const Update& update : from.updates) {
      if (!splitter.splits(update.variable)) {
        to.updates.push_back({first[update.variable], rewrite(update.value)});
        continue;
      }
      // From the innermost store to the last one.
      std::vector<Expr> stores;
      for (Expr e = update.value; pool.op(e) == Op::Store; e = pool.child(e, 0))
        stores.push_back(e);
      std::vector<Expr> cells(splitter.length(update.variable));
      for (auto it = stores.rbegin(); it != stores.rend(); ++it) {
        const Expr index = rewrite(pool.child(*it, 1));
        const Expr value = rewrite(pool.child(*it, 2));
        for (std::uint64_t i = 0; i < cells.size(); ++i) {
          const Expr here = pool.eq(index, number(i));
          if (pool.is_false(here)) continue;
          const Expr before = cells[i].valid() ? cells[i] : cell(update.variable, i);
          cells[i] = pool.ite(here, value, before);
        }
      }
      for (std::uint64_t i = 0; i < cells.size(); ++i)
        if (cells[i].valid())
          to.updates.push_back({first[update.variable] + static_cast<std::uint32_t>(i), cells[i]});
    }
  }
  return result;
}

FlatTrace ArrayCells::trace(const FlatTrace& cells) const {
  FlatTrace result = cells;
  result.initial.clear();
  std::vector<ArrayValue> arrays(with_.size());
  const ExprPool& pool = *system.pool;
  for (std::size_t v = 0; v < with_.size(); ++v) {
    if (pool.kind(with_[v].type) == TypeKind::Array)
      arrays[v].otherwise = pool.default_value(pool.info(with_[v].type).element);
    result.initial.emplace_back();
  }
  std::vector<char> split(with_.size(), 0);
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    const Origin& origin = origins_[i];
    if (!origin.cell) {
      result.initial[origin.variable] = cells.initial[i];
      continue;
    }
    split[origin.variable] = 1;
    arrays[origin.variable].put(Value(Integer(static_cast<unsigned long>(*origin.cell))),
                                cells.initial[i]);
  }
  for (std::size_t v = 0; v < with_.size(); ++v)
    if (split[v] != 0)
      result.initial[v] = pool.normalized(Value::array(std::move(arrays[v])), with_[v].type);
  for (FlatStep& step : result.steps)
    for (auto& [variable, value] : step.open) variable = origins_[variable].variable;
  return result;
}

Expr ArrayCells::condition(Expr cells) const {
  ExprPool& pool = *system.pool;
  Substitution substitution(pool);
  for (std::size_t i = 0; i < origins_.size(); ++i) {
    const Origin& origin = origins_[i];
    if (!origin.cell) continue;
    const Expr array = pool.symbol(with_[origin.variable].current);
    const Expr index = pool.integer(Integer(static_cast<unsigned long>(*origin.cell)));
    substitution.set(system.variables[i].current, pool.select(array, index));
  }
  return substitution(cells);
}

}  // namespace whittle
