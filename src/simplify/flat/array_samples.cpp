// SPDX-License-Identifier: Apache-2.0
// Writes and reads of arrays become conditions on indices:
//
//   cell(store(a, i, v), t)   if i == t then v else cell(a, t)
//   store(a, i, v)[j]         if j == i then v else a[j]
//   a[j]                      if j == t then cell(a, t) else any value, the same one for the same j
//   a == b                    only where all looked-at cells are equal, and not even then for sure
//
// "Any value" is an input of the transition, or of the goal; a condition on the first states that
// would need one is left out.
#include "simplify/flat/array_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "expr/print.h"
#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

constexpr std::size_t kMaxIndices = 6;  // looked at, of one type
constexpr int kMaxNesting = 40;         // of choices among arrays

// A cell of an array that has a variable.
struct Cell {
  SymbolId symbol;  // its current value
  Expr place;       // select(array, index)
};

class SamplesBack final : public FlatBackTranslation {
 public:
  SamplesBack(std::shared_ptr<ExprPool> pool, std::vector<Cell> cells)
      : pool_(std::move(pool)), cells_(std::move(cells)) {}

  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace&) const override {
    return Unexpected{Reason{Reason::Kind::Incomplete, "a run through cells with any value"}};
  }

  [[nodiscard]] Expr condition(Expr condition) const override {
    Substitution back(*pool_);
    for (const Cell& cell : cells_) back.set(cell.symbol, cell.place);
    return back(condition);
  }

  // Only where no other cell is looked at.
  [[nodiscard]] Expr forward(Expr condition) const override {
    Rewriter sampled(*pool_, [&](Expr e, std::span<const Expr>) -> Expr {
      for (const Cell& cell : cells_)
        if (cell.place == e) return pool_->symbol(cell.symbol);
      return {};
    });
    const Expr result = sampled(condition);
    const std::vector<SymbolId> used = symbols(*pool_, result);
    const bool left = std::any_of(used.begin(), used.end(), [&](SymbolId symbol) {
      const TypeInfo& info = pool_->info(pool_->info(symbol).type);
      return info.kind == TypeKind::Array && !info.length;
    });
    return left ? Expr() : result;
  }

 private:
  std::shared_ptr<ExprPool> pool_;
  std::vector<Cell> cells_;
};

class ArraySampler {
 public:
  explicit ArraySampler(const TransitionSystem& system) : system_(system), pool_(*system.pool) {}

  std::optional<FlatTransformed> run() {
    const bool some = std::any_of(system_.variables.begin(), system_.variables.end(),
                                  [&](const StateVariable& v) { return sampled(v.type); });
    if (!some) return std::nullopt;
    find_indices();
    make_variables();
    result_.system.alike.clear();
    result_.system.init = first_states();
    for (std::size_t t = 0; t < system_.transitions.size(); ++t) transition(t);
    begin_part();
    result_.system.goal.condition = rewritten(system_.goal.condition);
    end_part(result_.system.goal.inputs);
    result_.back = std::make_shared<SamplesBack>(system_.pool, std::move(cells_looked_at_));
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool sampled(Type type) const {
    const TypeInfo& info = pool_.info(type);
    return info.kind == TypeKind::Array && !info.length &&
           pool_.kind(info.element) != TypeKind::Array;
  }
  [[nodiscard]] bool sampled(Expr e) const { return sampled(pool_.type(e)); }

  // ----- which cells
  void find_indices() {
    std::unordered_set<SymbolId> constant;
    for (const StateVariable& v : system_.variables) constant.insert(v.current);
    for (const Transition& t : system_.transitions) {
      for (const std::uint32_t v : t.open) constant.erase(system_.variables[v].current);
      for (const Update& u : t.updates) {
        const SymbolId current = system_.variables[u.variable].current;
        if (u.value != pool_.symbol(current)) constant.erase(current);
      }
    }
    // The goal first: it says what matters.
    std::vector<Expr> roots{system_.goal.condition, system_.init};
    for (const Transition& t : system_.transitions) {
      roots.push_back(t.guard);
      if (t.relation.valid()) roots.push_back(t.relation);
      for (const Update& u : t.updates) roots.push_back(u.value);
    }
    for_each_subterm(pool_, roots, [&](Expr e) {
      const Op op = pool_.op(e);
      if (op != Op::Select && op != Op::Store) return;
      if (!sampled(pool_.child(e, 0))) return;
      const Expr index = pool_.child(e, 1);
      std::vector<Expr>& known = indices_[pool_.type(index).id()];
      if (known.size() >= kMaxIndices || std::count(known.begin(), known.end(), index) != 0) return;
      bool good = true;
      for_each_subterm(pool_, index, [&](Expr part) {
        if (pool_.kind(pool_.type(part)) == TypeKind::Array) good = false;
        if (pool_.is_variable(part) && !constant.contains(pool_.symbol_of(part))) good = false;
      });
      if (good) known.push_back(index);
    });
  }

  [[nodiscard]] const std::vector<Expr>& indices(Type array) {
    return indices_[pool_.info(array).index.id()];
  }

  // ----- state
  void make_variables() {
    result_.system = system_;
    result_.system.variables.clear();
    for (const StateVariable& variable : system_.variables) {
      first_.push_back(static_cast<std::uint32_t>(result_.system.variables.size()));
      if (!sampled(variable.type)) {
        result_.system.variables.push_back(variable);
        continue;
      }
      const Type element = pool_.info(variable.type).element;
      for (const Expr index : indices(variable.type)) {
        const std::string name = fmt::format("{}[{}]", variable.name, to_string(pool_, index));
        StateVariable cell{name, element, pool_.declare(name, element),
                           pool_.declare(name + "'", element), false};
        cells_[variable.current].push_back(pool_.symbol(cell.current));
        cells_[variable.next].push_back(pool_.symbol(cell.next));
        cells_looked_at_.push_back(
            {cell.current, pool_.select(pool_.symbol(variable.current), index)});
        result_.system.variables.push_back(std::move(cell));
      }
    }
  }

  Expr first_states() {
    std::vector<Expr> parts;
    for (const Expr part : conjuncts(pool_, system_.init)) {
      begin_part();
      if (pool_.op(part) == Op::Eq && sampled(pool_.child(part, 0))) {
        parts.push_back(
            equal_cells(rewritten(pool_.child(part, 0)), rewritten(pool_.child(part, 1))));
      } else {
        parts.push_back(rewritten(part));
      }
      if (!any_.empty()) parts.pop_back();
    }
    return pool_.conj(parts);
  }

  // ----- steps
  void transition(std::size_t t) {
    const Transition& from = system_.transitions[t];
    Transition& to = result_.system.transitions[t];
    begin_part();
    to.guard = rewritten(from.guard);
    if (from.relation.valid()) to.relation = rewritten(from.relation);
    to.open.clear();
    for (const std::uint32_t v : from.open) {
      for (std::uint32_t i = 0; i < width(v); ++i) to.open.push_back(first_[v] + i);
    }
    to.updates.clear();
    for (const Update& u : from.updates) {
      const Expr value = rewritten(u.value);
      if (!sampled(system_.variables[u.variable].type)) {
        to.updates.push_back({first_[u.variable], value});
        continue;
      }
      const std::vector<Expr>& places = indices(system_.variables[u.variable].type);
      for (std::uint32_t i = 0; i < places.size(); ++i)
        to.updates.push_back({first_[u.variable] + i, read(value, places[i], 0)});
    }
    std::erase_if(to.inputs, [&](SymbolId s) { return sampled(pool_.info(s).type); });
    end_part(to.inputs);
  }

  [[nodiscard]] std::uint32_t width(std::uint32_t v) {
    const Type type = system_.variables[v].type;
    return sampled(type) ? static_cast<std::uint32_t>(indices(type).size()) : 1;
  }

  // ----- terms
  // The unknown values of one transition, or of one condition.
  void begin_part() {
    any_.clear();
    reads_.clear();
    rewriter_.emplace(pool_, [this](Expr e, std::span<const Expr> arguments) -> Expr {
      if (pool_.op(e) == Op::Select && sampled(arguments[0])) {
        return read(arguments[0], arguments[1], 0);
      }
      if (pool_.op(e) == Op::Eq && sampled(arguments[0])) {
        if (arguments[0] == arguments[1]) return pool_.boolean(true);
        return pool_.conj(equal_cells(arguments[0], arguments[1]), any(Type::boolean()));
      }
      return {};
    });
  }
  void end_part(std::vector<SymbolId>& inputs) {
    inputs.insert(inputs.end(), any_.begin(), any_.end());
  }
  Expr rewritten(Expr e) { return (*rewriter_)(e); }

  Expr any(Type type) {
    any_.push_back(pool_.declare("any", type));
    return pool_.symbol(any_.back());
  }

  Expr equal_cells(Expr a, Expr b) {
    std::vector<Expr> parts;
    for (const Expr index : indices(pool_.type(a)))
      parts.push_back(pool_.eq(read(a, index, 0), read(b, index, 0)));
    return pool_.conj(parts);
  }

  // Of an array whose scalar parts are rewritten already.
  Expr read(Expr array, Expr index, int nesting) {
    const auto key = std::make_pair(array, index);
    if (const auto it = reads_.find(key); it != reads_.end()) return it->second;
    std::vector<Expr> stores;
    Expr base = array;
    for (; pool_.op(base) == Op::Store; base = pool_.child(base, 0)) stores.push_back(base);
    Expr value = read_base(base, index, nesting);
    for (auto store = stores.rbegin(); store != stores.rend(); ++store)
      value = pool_.ite(pool_.eq(index, pool_.child(*store, 1)), pool_.child(*store, 2), value);
    reads_.emplace(key, value);
    return value;
  }

  Expr read_base(Expr base, Expr index, int nesting) {
    if (pool_.op(base) == Op::ConstArray) return pool_.child(base, 0);
    if (pool_.is_const(base)) return pool_.select(base, index);
    const Type element = pool_.info(pool_.type(base)).element;
    if (pool_.op(base) == Op::Ite && nesting < kMaxNesting) {
      const Expr yes = pool_.child(base, 1);
      const Expr no = pool_.child(base, 2);
      return pool_.ite(pool_.child(base, 0), read(yes, index, nesting + 1),
                       read(no, index, nesting + 1));
    }
    if (!pool_.is_variable(base)) return any(element);
    const auto key = std::make_pair(base, index);
    if (const auto it = reads_.find(key); it != reads_.end()) return it->second;
    const auto cells = cells_.find(pool_.symbol_of(base));
    const std::vector<Expr>& known = indices(pool_.type(base));
    if (cells == cells_.end()) {
      const Expr value = any(element);  // an input
      reads_.emplace(key, value);
      return value;
    }
    const auto exact = std::find(known.begin(), known.end(), index);
    if (exact != known.end()) {
      return cells->second[static_cast<std::size_t>(exact - known.begin())];
    }
    Expr value = any(element);
    for (std::size_t i = known.size(); i-- > 0;)
      value = pool_.ite(pool_.eq(index, known[i]), cells->second[i], value);
    reads_.emplace(key, value);
    return value;
  }

  struct PairHash {
    std::size_t operator()(const std::pair<Expr, Expr>& pair) const {
      return static_cast<std::size_t>(pair.first.id()) * 0x9E3779B97F4A7C15ULL + pair.second.id();
    }
  };

  const TransitionSystem& system_;
  ExprPool& pool_;
  FlatTransformed result_{{}, nullptr, FlatPrecision::OverApproximates};
  std::vector<Cell> cells_looked_at_;
  std::unordered_map<std::uint32_t, std::vector<Expr>> indices_;  // looked at, by type
  std::unordered_map<SymbolId, std::vector<Expr>> cells_;         // by symbol of an array, by index
  std::vector<std::uint32_t> first_;                              // by variable: its new position
  std::vector<SymbolId> any_;                                     // of the part at hand
  std::unordered_map<std::pair<Expr, Expr>, Expr, PairHash> reads_;  // array, index
  std::optional<Rewriter> rewriter_;
};

}  // namespace

std::optional<FlatTransformed> sample_arrays(const TransitionSystem& system) {
  return ArraySampler(system).run();
}

}  // namespace whittle::simplify
