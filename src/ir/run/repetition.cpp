// SPDX-License-Identifier: Apache-2.0
#include "ir/run/repetition.h"

#include <algorithm>
#include <unordered_map>

#include "expr/number.h"

namespace whittle {

namespace {

bool is_number(const Value& v) { return v.is_integer() || v.is_real(); }

int compared(const Value& a, const Value& b) {
  if (a.is_integer()) return (a.as_integer() - b.as_integer()).sign();
  return (a.as_real() - b.as_real()).sign();
}

// A value at the first and at the last state, and linear between them.
struct Line {
  Value first, last;
  [[nodiscard]] bool constant() const { return first == last; }
};

// Evaluates one observed term along the line, only as much of it as was evaluated.
class LinearRun {
 public:
  LinearRun(const ExprPool& pool, const Observation& first, const Observation& last)
      : pool_(pool), first_(first), last_(last) {}

  bool linear() {
    if (!first_.result || !last_.result) return false;  // undefined
    if (first_.looked == last_.looked) return *first_.result == *last_.result;
    std::vector<Expr> stack{first_.term};
    while (!stack.empty()) {
      const Expr e = stack.back();
      if (known_.contains(e)) {
        stack.pop_back();
        continue;
      }
      missing_ = Expr();
      std::optional<Line> line = evaluate(e);
      if (missing_.valid()) {
        stack.push_back(missing_);
        continue;
      }
      if (!line) return false;
      // What is no number has to be constant.
      if (!line->constant() && !is_number(line->first)) return false;
      known_.emplace(e, std::move(*line));
    }
    const Line& result = known_.at(first_.term);
    return result.first == *first_.result && result.last == *last_.result;
  }

 private:
  // Null, with `missing_` set: not evaluated yet.
  const Line* known(Expr e) {
    auto it = known_.find(e);
    if (it != known_.end()) return &it->second;
    missing_ = e;
    return nullptr;
  }

  std::optional<Line> evaluate(Expr e) {
    const auto children = pool_.children(e);
    switch (pool_.op(e)) {
      case Op::Const:
        return Line{pool_.value(e), pool_.value(e)};
      case Op::Apply:
        return looked_up(e);
      case Op::And:
      case Op::Or:
      case Op::Implies:
        return lazy(e);
      case Op::Ite: {
        const Line* condition = known(children[0]);
        if (condition == nullptr) return std::nullopt;
        const Line* branch = known(children[condition->first.as_bool() ? 1 : 2]);
        return branch == nullptr ? std::nullopt : std::optional<Line>(*branch);
      }
      case Op::Forall:
      case Op::Exists:
      case Op::Filter:
        return std::nullopt;
      default:
        return strict(e);
    }
  }

  std::optional<Line> looked_up(Expr e) {
    std::vector<Value> arguments;
    for (Expr child : pool_.children(e)) {
      const Line* argument = known(child);
      if (argument == nullptr || !argument->constant()) return std::nullopt;
      arguments.push_back(argument->first);
    }
    auto find = [&](const Observation& in) -> std::optional<Value> {
      for (const Observation::Looked& looked : in.looked) {
        if (looked.symbol == pool_.symbol_of(e) && looked.arguments == arguments) {
          return looked.value;
        }
      }
      return std::nullopt;
    };
    auto first = find(first_);
    auto last = find(last_);
    if (!first || !last) return std::nullopt;
    return Line{std::move(*first), std::move(*last)};
  }

  // Conditions are constant, so that it is the same arguments everywhere that matter.
  std::optional<Line> lazy(Expr e) {
    const Op op = pool_.op(e);
    const auto children = pool_.children(e);
    bool value = op == Op::And;
    for (std::size_t i = 0; i < children.size(); ++i) {
      const Line* child = known(children[i]);
      if (child == nullptr) return std::nullopt;
      value = child->first.as_bool();
      if (op == Op::Implies && i == 0) value = !value;
      if (value != (op == Op::And)) break;
    }
    return Line{Value(value), Value(value)};
  }

  std::optional<Line> strict(Expr e) {
    std::vector<Value> first;
    std::vector<Value> last;
    std::size_t varying = 0;
    bool last_varies = false;
    for (Expr child : pool_.children(e)) {
      const Line* argument = known(child);
      if (argument == nullptr) return std::nullopt;
      first.push_back(argument->first);
      last.push_back(argument->last);
      last_varies = !argument->constant();
      varying += last_varies ? 1 : 0;
    }
    auto at_both_ends = [&]() -> std::optional<Line> {
      auto a = apply_operator(pool_, e, first);
      auto b = apply_operator(pool_, e, last);
      if (!a || !b) return std::nullopt;
      return Line{std::move(*a), std::move(*b)};
    };
    if (varying == 0) return at_both_ends();
    switch (pool_.op(e)) {
      case Op::Add:
      case Op::Sub:
      case Op::Neg:
      case Op::ToReal:
        return at_both_ends();
      case Op::Mul:
        return varying == 1 ? at_both_ends() : std::nullopt;
      case Op::Div:
        return last_varies ? std::nullopt : at_both_ends();
      case Op::Lt:
      case Op::Le:
      case Op::Eq: {
        if (!is_number(first[0])) return std::nullopt;
        const int begin = compared(first[0], first[1]);
        const int end = compared(last[0], last[1]);
        auto line = at_both_ends();
        if (!line || !line->constant()) return std::nullopt;
        // Different at both ends, but equal somewhere on the way?
        if (pool_.op(e) == Op::Eq && begin != end) return std::nullopt;
        return line;
      }
      default:
        return std::nullopt;
    }
  }

  const ExprPool& pool_;
  const Observation& first_;
  const Observation& last_;
  std::unordered_map<Expr, Line> known_;
  Expr missing_;
};

}  // namespace

Expected<Value, Undefined> observed(Evaluator& evaluator, Expr term,
                                    const Evaluator::Lookup& lookup, Observations* into) {
  if (into == nullptr) return evaluator(term, lookup);
  Observation observation;
  observation.term = term;
  const Evaluator::Lookup noting = [&](SymbolId symbol, std::span<const Value> arguments) {
    auto value = lookup(symbol, arguments);
    observation.looked.push_back({symbol, {arguments.begin(), arguments.end()}, value});
    return value;
  };
  auto result = evaluator(term, noting);
  if (result) observation.result = *result;
  into->push_back(std::move(observation));
  return result;
}

bool linear_between(const ExprPool& pool, std::span<const Observation> first,
                    std::span<const Observation> last) {
  return std::equal(first.begin(), first.end(), last.begin(), last.end(),
                    [&](const Observation& a, const Observation& b) {
                      return a.term == b.term && LinearRun(pool, a, b).linear();
                    });
}

std::optional<Value> on_line(const Value& v, const Value& w, const Integer& n) {
  if (v == w) return v;
  if (v.is_integer() && w.is_integer()) {
    return Value(v.as_integer() + n * (w.as_integer() - v.as_integer()));
  }
  if (v.is_real() && w.is_real()) {
    return Value(v.as_real() + Rational(n) * (w.as_real() - v.as_real()));
  }
  return std::nullopt;
}

}  // namespace whittle
