// SPDX-License-Identifier: Apache-2.0
// With the goal in negation normal form, the distance d of a state is
//
//   d(a and b) = d(a) + d(b)          d(a or b) = min(d(a), d(b))
//   d(x == y)  = bits of |x - y|      d(x <= y) = bits of max(0, x - y)      for numbers
//   d(P at l)  = arcs from where P is to l in the control-flow graph of P
//   d(other)   = 0 where it holds, otherwise 1
//
// Numbers count by their logarithm, so that a large one does not outweigh all processes. For a
// deadlock, where the goal says of every transition that it is not enabled, this is the number of
// transitions that are (the "active processes" of Edelkamp et al.).
#include "engine/concrete/goal_distance.h"

#include <algorithm>
#include <bit>
#include <deque>

#include "expr/traverse.h"

namespace whittle {

namespace {

constexpr std::size_t kMaxOperations = 20'000;
constexpr std::size_t kMaxGoalChoices = 8;
constexpr std::uint32_t kNoWay = 32;  // for locations without a way to the target

// Bits of a - b, none where it is not positive.
std::uint32_t excess(std::int64_t a, std::int64_t b) {
  if (a <= b) return 0;
  return static_cast<std::uint32_t>(
      std::bit_width(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)));
}

}  // namespace

GoalDistance::GoalDistance(const TransitionSystem& system, WordSystem& words)
    : system_(system), pool_(*system.pool), words_(words) {
  build(system.goal.condition);
}

void GoalDistance::build(Expr goal) {
  struct Task {
    Expr term;  // invalid: an operation on what is there
    bool negated = false;
    Operation::Kind kind = Operation::Kind::Sum;
    std::uint32_t count = 0;
  };
  std::vector<Task> tasks = {{goal}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    if (program_.size() + tasks.size() > kMaxOperations) return;
    if (!task.term.valid()) {
      program_.push_back({task.kind, task.count, {}, {}, 0, {}});
      continue;
    }
    const auto found = pool_.children(task.term);
    const std::vector<Expr> children(found.begin(), found.end());  // the pool may grow
    auto join = [&](Operation::Kind kind, std::initializer_list<std::pair<Expr, bool>> parts) {
      tasks.push_back({{}, false, kind, static_cast<std::uint32_t>(parts.size())});
      for (const auto& [term, negated] : parts) tasks.push_back({term, negated});
    };
    switch (pool_.op(task.term)) {
      case Op::Not:
        tasks.push_back({children[0], !task.negated});
        continue;
      case Op::And:
      case Op::Or: {
        const bool all = (pool_.op(task.term) == Op::And) != task.negated;
        tasks.push_back({{},
                         false,
                         all ? Operation::Kind::Sum : Operation::Kind::Least,
                         static_cast<std::uint32_t>(children.size())});
        for (Expr child : children) tasks.push_back({child, task.negated});
        continue;
      }
      case Op::Implies:
        join(task.negated ? Operation::Kind::Sum : Operation::Kind::Least,
             {{children[0], !task.negated}, {children[1], task.negated}});
        continue;
      default:
        if (!leaf(task.term, task.negated)) return;
    }
  }
  known_ = true;
}

bool GoalDistance::leaf(Expr term, bool negated) {
  const Op op = pool_.op(term);
  const bool compares = op == Op::Eq || op == Op::Lt || op == Op::Le;
  if (compares && !(op == Op::Eq && negated)) {
    Expr left = pool_.child(term, 0);
    Expr right = pool_.child(term, 1);
    if (op == Op::Eq && location(left, right)) return true;
    if (pool_.type(left) == Type::integer()) {
      Operation operation;
      operation.kind = op == Op::Eq ? Operation::Kind::Equal : Operation::Kind::AtMost;
      // a < b is a + 1 <= b; not (a < b) is b <= a
      if (negated) std::swap(left, right);
      if ((op == Op::Lt) != negated && op != Op::Eq)
        left = pool_.add(left, pool_.integer(Integer(1)));
      if (!words_.machine().compile(left, operation.left) ||
          !words_.machine().compile(right, operation.right))
        return false;
      program_.push_back(std::move(operation));
      return true;
    }
  }
  Operation operation;
  if (!words_.machine().compile(negated ? pool_.negate(term) : term, operation.left)) return false;
  program_.push_back(std::move(operation));
  return true;
}

bool GoalDistance::location(Expr left, Expr right) {
  if (pool_.is_const(left)) std::swap(left, right);
  if (!pool_.is_variable(left) || !pool_.is_const(right)) return false;
  const auto& variables = system_.variables;
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const StateVariable& v) {
    return v.current == pool_.symbol_of(left);
  });
  if (found == variables.end() || !found->is_location || !pool_.value(right).is_enum())
    return false;
  const auto variable = static_cast<std::uint32_t>(found - variables.begin());
  Operation operation;
  operation.kind = Operation::Kind::Location;
  operation.place = words_.place(variable);
  operation.steps = steps_to(variable, pool_.value(right).as_enum().index);
  program_.push_back(std::move(operation));
  return true;
}

// Breadth first, against the arcs.
std::vector<std::uint32_t> GoalDistance::steps_to(std::uint32_t variable, std::uint32_t target) {
  const SymbolId symbol = system_.variables[variable].current;
  const std::size_t count = pool_.info(system_.variables[variable].type).values.size();
  std::vector<std::vector<std::uint32_t>> before(count);  // by location
  for (const Transition& transition : system_.transitions) {
    std::optional<std::uint32_t> to;
    for (const Update& update : transition.updates) {
      if (update.variable == variable && pool_.is_const(update.value))
        to = pool_.value(update.value).as_enum().index;
    }
    if (!to) continue;
    for (Expr conjunct : conjuncts(pool_, transition.guard)) {
      if (pool_.op(conjunct) != Op::Eq) continue;
      Expr place = pool_.child(conjunct, 0);
      Expr value = pool_.child(conjunct, 1);
      if (pool_.is_const(place)) std::swap(place, value);
      if (pool_.is_variable(place) && pool_.symbol_of(place) == symbol && pool_.is_const(value))
        before[*to].push_back(pool_.value(value).as_enum().index);
    }
  }
  std::vector<std::uint32_t> steps(count, kNoWay);
  steps[target] = 0;
  std::deque<std::uint32_t> open = {target};
  while (!open.empty()) {
    const std::uint32_t at = open.front();
    open.pop_front();
    for (std::uint32_t from : before[at]) {
      if (steps[from] != kNoWay || steps[at] + 1 >= kNoWay) continue;
      steps[from] = steps[at] + 1;
      open.push_back(from);
    }
  }
  return steps;
}

std::uint32_t GoalDistance::operator()() {
  std::uint32_t least = kMaxDistance;
  for (std::size_t c = 0; c < std::min(kMaxGoalChoices, words_.goal_choices()); ++c)
    least = std::min(least, evaluate(words_.next_with_goal_choice(c)));
  return least;
}

std::uint32_t GoalDistance::evaluate(const std::int64_t* words) {
  WordMachine& machine = words_.machine();
  stack_.clear();
  for (const Operation& operation : program_) {
    using Kind = Operation::Kind;
    switch (operation.kind) {
      case Kind::Condition:
        stack_.push_back(machine.run(operation.left, words) != 0 ? 0 : 1);
        break;
      case Kind::Equal: {
        const std::int64_t left = machine.run(operation.left, words);
        const std::int64_t right = machine.run(operation.right, words);
        stack_.push_back(std::max(excess(left, right), excess(right, left)));
        break;
      }
      case Kind::AtMost: {
        const std::int64_t left = machine.run(operation.left, words);
        stack_.push_back(excess(left, machine.run(operation.right, words)));
        break;
      }
      case Kind::Location:
        stack_.push_back(operation.steps[static_cast<std::size_t>(words[operation.place])]);
        break;
      case Kind::Sum:
      case Kind::Least: {
        const auto begin = stack_.end() - operation.count;
        std::uint32_t joined = operation.kind == Kind::Sum ? 0 : kMaxDistance;
        for (auto it = begin; it != stack_.end(); ++it) {
          joined = operation.kind == Kind::Sum ? std::min(joined + *it, kMaxDistance)
                                               : std::min(joined, *it);
        }
        stack_.erase(begin, stack_.end());
        stack_.push_back(joined);
        break;
      }
    }
  }
  (void)machine.overflowed();  // an estimate only
  return stack_.back();
}

}  // namespace whittle
