// SPDX-License-Identifier: Apache-2.0
#include "support/random_flat.h"

#include <string>
#include <utility>

#include "ir/run/enabled.h"

namespace whittle::test {

namespace {

constexpr int kGreatest = 3;   // value of an Int
constexpr int kMostSteps = 8;  // of Counting, and so of what is summed up in them
constexpr int kCells = 2;      // of an array
constexpr std::size_t kMany = 100'000;

class FlatGenerator {
 public:
  FlatGenerator(std::uint64_t seed, FlatShape shape)
      : dice_(seed), shape_(shape), pool_(std::make_shared<ExprPool>()) {
    system_.pool = pool_;
  }

  RandomFlat run() {
    declare();
    first_states();
    const int count = shape_ == FlatShape::Counter ? number(4, 6) : number(2, 4);
    for (int t = 0; t < count; ++t) transition(t);
    system_.goal.condition = goal();
    for (int i = 0; i < 3; ++i) system_.hints.push_back(atom());
    RandomFlat result;
    for (int i = 0; i < 4; ++i) result.atoms.push_back(atom());
    if (shape_ == FlatShape::Counting) {
      system_.bound.max = static_cast<std::uint64_t>(number(4, kMostSteps));
    }
    result.system = std::move(system_);
    result.candidates = candidates();
    return result;
  }

 private:
  int number(int least, int most) { return std::uniform_int_distribution<>(least, most)(dice_); }
  bool often(int of) { return number(1, of) > 1; }
  Expr integer(int i) { return pool_->integer(i); }

  Expr variable(const std::string& name, Type type) {
    system_.variables.push_back(
        {name, type, pool_->declare(name, type), pool_->declare(name + "'", type), false});
    return pool_->symbol(system_.variables.back().current);
  }

  void declare() {
    if (shape_ == FlatShape::Counter) counter_ = variable("pc", Type::integer());
    x_ = variable("x", Type::integer());
    y_ = variable("y", Type::integer());
    if (shape_ == FlatShape::Arrays || shape_ == FlatShape::OpenArrays) {
      const bool open = shape_ == FlatShape::OpenArrays;
      const auto length = open ? std::nullopt : std::optional<std::uint64_t>(kCells);
      array_ = variable("a", pool_->array_type(Type::integer(), Type::integer(), length));
      if (open) constant_ = variable("z", Type::integer());
    }
  }

  void first_states() {
    std::vector<Expr> parts;
    if (counter_.valid()) parts.push_back(pool_->eq(counter_, integer(0)));
    parts.push_back(pool_->eq(x_, integer(shape_ == FlatShape::Counting ? 0 : number(0, 2))));
    parts.push_back(pool_->le(integer(0), y_));
    parts.push_back(pool_->le(y_, integer(number(0, 1))));
    if (array_.valid() && often(2)) parts.push_back(pool_->eq(read(), integer(number(0, 1))));
    if (constant_.valid()) parts.push_back(pool_->le(constant_, integer(number(1, 2))));
    system_.init = pool_->conj(parts);
  }

  void transition(int t) {
    Transition made;
    made.name = "t" + std::to_string(t);
    std::vector<Expr> guards;
    if (counter_.valid()) guards.push_back(pool_->eq(counter_, integer(number(0, 2))));
    if (shape_ == FlatShape::Phases) {
      guards.push_back(splitter(t));
    } else if (often(3)) {
      guards.push_back(atom());
    }
    Expr input;
    if (!often(3)) {
      made.inputs.push_back(pool_->declare("i", Type::integer()));
      input = pool_->symbol(made.inputs.back());
      guards.push_back(pool_->le(integer(0), input));
      guards.push_back(pool_->le(input, integer(shape_ == FlatShape::Counting ? 1 : kGreatest)));
    }
    if (counter_.valid()) made.updates.push_back({0, next_place()});
    const std::uint32_t x = counter_.valid() ? 1 : 0;
    if (often(4)) made.updates.push_back({x, update(x_, input, guards)});
    if (often(2)) made.updates.push_back({x + 1, update(y_, input, guards)});
    if (array_.valid() && often(3)) {
      const Expr written = pool_->store(array_, index(guards), value(input));
      made.updates.push_back(
          {x + 2, often(3) ? written : pool_->store(written, integer(number(0, 1)), value(input))});
    }
    made.guard = pool_->conj(guards);
    system_.transitions.push_back(std::move(made));
  }

  // Every second transition asks for the contrary of the one before.
  Expr splitter(int t) {
    if (t % 2 == 0) splitter_ = pool_->lt(often(2) ? x_ : y_, integer(number(1, kGreatest)));
    return t % 2 == 0 ? splitter_ : pool_->negate(splitter_);
  }

  Expr next_place() {
    const Expr there = integer(number(0, 2));
    return often(3) ? there : pool_->ite(atom(), integer(number(0, 2)), there);
  }

  Expr value(Expr input) {
    if (input.valid() && often(2)) return input;
    return often(2) ? integer(number(0, kGreatest)) : (often(2) ? x_ : y_);
  }

  // Values stay within 0..3, or within 0..8 where bounded runs count.
  Expr update(Expr own, Expr input, std::vector<Expr>& guards) {
    if (shape_ == FlatShape::Counting) {
      const Expr step = input.valid() && often(2) ? input : integer(number(1, 2));
      if (!often(5)) return integer(number(0, 1));
      guards.push_back(pool_->le(own, integer(number(3, 6))));
      return pool_->add(own, step);
    }
    switch (number(0, 3)) {
      case 0:
        guards.push_back(pool_->lt(own, integer(kGreatest)));
        return pool_->add(own, integer(1));
      case 1:
        guards.push_back(pool_->lt(integer(0), own));
        return pool_->sub(own, integer(1));
      case 2:
        return pool_->ite(atom(), value(input), own);
      default:
        return array_.valid() ? read() : value(input);
    }
  }

  Expr index(std::vector<Expr>& guards) {
    if (constant_.valid()) return often(2) ? constant_ : x_;
    if (often(3)) return integer(number(0, kCells - 1));
    guards.push_back(pool_->lt(x_, integer(kCells)));
    return x_;
  }

  // Of a cell that is there.
  Expr read() {
    if (!constant_.valid()) return pool_->select(array_, integer(number(0, kCells - 1)));
    return pool_->select(array_, often(4) ? constant_ : y_);
  }

  Expr atom() {
    const Expr left = array_.valid() && often(2) ? read() : (often(2) ? x_ : y_);
    const Expr right = often(3) ? integer(number(0, kGreatest)) : y_;
    switch (number(0, 3)) {
      case 0:
        return pool_->eq(left, right);
      case 1:
        return pool_->lt(left, right);
      case 2:
        return pool_->negate(pool_->eq(left, right));
      default:
        return pool_->le(right, left);
    }
  }

  Expr goal() {
    if (shape_ == FlatShape::Counting)
      return pool_->conj(pool_->eq(x_, integer(number(3, 8))), atom());
    Expr result = pool_->conj(atom(), atom());
    if (counter_.valid()) result = pool_->conj(result, pool_->eq(counter_, integer(number(1, 2))));
    return result;
  }

  [[nodiscard]] Candidates candidates() const {
    const int greatest = shape_ == FlatShape::Counting ? kMostSteps : kGreatest;
    const ExprPool* pool = pool_.get();
    return [pool, greatest](Type type, SymbolId) -> std::optional<std::vector<Value>> {
      std::vector<Value> result;
      switch (pool->kind(type)) {
        case TypeKind::Bool:
          return std::vector<Value>{Value(false), Value(true)};
        case TypeKind::Int:
          for (int i = 0; i <= greatest; ++i) result.emplace_back(i);
          return result;
        case TypeKind::Enum:
          for (std::uint32_t i = 0; i < pool->info(type).values.size(); ++i)
            result.emplace_back(EnumValue{i});
          return result;
        case TypeKind::Array:
          for (int i = 0; i <= kGreatest; ++i) {
            for (int j = 0; j <= kGreatest; ++j) {
              ArrayValue array;
              array.otherwise = Value(0);
              array.put(Value(0), Value(i));
              array.put(Value(1), Value(j));
              result.push_back(pool->normalized(Value::array(std::move(array)), type));
            }
          }
          return result;
        default:
          return std::nullopt;
      }
    };
  }

  std::mt19937_64 dice_;
  FlatShape shape_;
  std::shared_ptr<ExprPool> pool_;
  TransitionSystem system_;
  Expr counter_, x_, y_, array_, constant_, splitter_;
};

}  // namespace

RandomFlat random_flat(std::uint64_t seed, FlatShape shape) {
  return FlatGenerator(seed, shape).run();
}

std::vector<FlatState> states_where(const TransitionSystem& system, Expr condition,
                                    const Candidates& candidates) {
  std::vector<SymbolId> symbols;
  for (const StateVariable& v : system.variables) symbols.push_back(v.current);
  FlatRun run(system);
  std::vector<FlatState> result;
  for (const FlatState& state : tuples(*system.pool, symbols, candidates, kMany).all)
    if (run.holds(condition, state)) result.push_back(state);
  return result;
}

std::set<FlatState> reachable_states(const TransitionSystem& system,
                                     const std::vector<FlatState>& first,
                                     const Candidates& candidates, std::size_t limit) {
  FlatRun run(system);
  std::set<FlatState> seen(first.begin(), first.end());
  std::vector<FlatState> open(seen.begin(), seen.end());
  while (!open.empty()) {
    const FlatState state = open.back();
    open.pop_back();
    each_flat_step(system, run, state, candidates, [&](const FlatStep&, const FlatState& after) {
      if (seen.insert(after).second) open.push_back(after);
    });
    if (seen.size() > limit) return {};
  }
  return seen;
}

Expr one_of(const TransitionSystem& system, const std::set<FlatState>& states) {
  ExprPool& pool = *system.pool;
  std::vector<Expr> any;
  for (const FlatState& state : states) {
    std::vector<Expr> all;
    for (std::size_t v = 0; v < state.size(); ++v) {
      const StateVariable& variable = system.variables[v];
      all.push_back(pool.eq(pool.symbol(variable.current), pool.constant(state[v], variable.type)));
    }
    any.push_back(pool.conj(all));
  }
  return pool.disj(any);
}

}  // namespace whittle::test
