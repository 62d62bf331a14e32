// SPDX-License-Identifier: Apache-2.0
#include "engine/portfolio/result_codec.h"

#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

class Writer {
 public:
  void number(std::uint64_t n) {
    char bytes[8];
    std::memcpy(bytes, &n, 8);
    text_.append(bytes, 8);
  }
  void string(std::string_view s) {
    number(s.size());
    text_.append(s);
  }
  void optional(const std::optional<std::uint64_t>& n) {
    number(n ? 1 : 0);
    if (n) number(*n);
  }
  void value(const Value& v) {
    if (v.is_bool()) {
      number(0), number(v.as_bool() ? 1 : 0);
    } else if (v.is_integer()) {
      number(1), string(v.as_integer().to_string());
    } else if (v.is_real()) {
      number(2), string(v.as_real().numerator().to_string());
      string(v.as_real().denominator().to_string());
    } else if (v.is_enum()) {
      number(3), number(v.as_enum().index);
    } else if (v.is_bit_vector()) {
      number(4), string(v.as_bit_vector().bits.to_string());
      number(v.as_bit_vector().width);
    } else if (v.is_string()) {
      number(5), string(v.as_string());
    } else if (v.is_array()) {
      number(6), value(v.as_array().otherwise);
      number(v.as_array().entries.size());
      for (const auto& [index, element] : v.as_array().entries) value(index), value(element);
    } else {
      number(7), number(v.as_set().elements.size());
      for (const Value& element : v.as_set().elements) value(element);
    }
  }
  void values(const std::vector<Value>& list) {
    number(list.size());
    for (const Value& v : list) value(v);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  std::uint64_t number() {
    std::uint64_t n = 0;
    std::memcpy(&n, bytes(8).data(), 8);
    return n;
  }
  std::string string() { return std::string(bytes(number())); }
  std::optional<std::uint64_t> optional() {
    return number() != 0 ? std::optional<std::uint64_t>(number()) : std::nullopt;
  }
  Integer integer() {
    auto n = Integer::parse(string());
    WHITTLE_REQUIRE(n.has_value(), "a number in a worker's result");
    return std::move(*n);
  }
  Value value() {
    switch (number()) {
      case 0:
        return Value(number() != 0);
      case 1:
        return Value(integer());
      case 2: {
        Integer top = integer();
        return Value(Rational(std::move(top), integer()));
      }
      case 3:
        return Value(EnumValue{static_cast<std::uint32_t>(number())});
      case 4: {
        Integer bits = integer();
        return Value(BitVectorValue{std::move(bits), static_cast<std::uint32_t>(number())});
      }
      case 5:
        return Value::string(string());
      case 6: {
        ArrayValue array;
        array.otherwise = value();
        for (std::uint64_t n = number(); n > 0; --n) {
          Value index = value();
          array.put(index, value());
        }
        return Value::array(std::move(array));
      }
      case 7: {
        SetValue set;
        for (std::uint64_t n = number(); n > 0; --n) set.elements.insert(value());
        return Value::set(std::move(set));
      }
      default:
        throw InternalError("a worker's result has a value of no kind");
    }
  }
  std::vector<Value> values() {
    std::vector<Value> list;
    for (std::uint64_t n = number(); n > 0; --n) list.push_back(value());
    return list;
  }

 private:
  std::string_view bytes(std::uint64_t count) {
    if (count > text_.size() - at_) throw InternalError("a worker's result ends too early");
    at_ += count;
    return text_.substr(at_ - count, count);
  }
  std::string_view text_;
  std::size_t at_ = 0;
};

// Operators that are determined neither by their arguments nor by numbers.
bool needs_more(Op op) { return op == Op::ConstArray || op == Op::SetOf; }

// Operators with numbers beside their arguments.
bool has_indices(Op op) {
  switch (op) {
    case Op::BvExtract:
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
    case Op::IntToBv:
      return true;
    default:
      return false;
  }
}

// What a node is. Bit vectors say their width: the worker may have made types that its parent does
// not know.
constexpr std::uint64_t kShared = 0;
constexpr std::uint64_t kConst = 1;
constexpr std::uint64_t kBits = 2;
constexpr std::uint64_t kSymbol = 3;
constexpr std::uint64_t kOperator = 4;
constexpr std::uint64_t kIndexed = 5;

// The term's nodes, children first; each is known by its place in the list.
void write_term(Writer& out, Expr root, const ExprPool& pool, PoolMark mark) {
  std::unordered_map<Expr, std::uint64_t> place;
  std::vector<Expr> order;
  // What lies below a shared node does not cross.
  std::vector<std::pair<Expr, bool>> stack{{root, false}};
  while (!stack.empty()) {
    auto [e, done] = stack.back();
    stack.pop_back();
    if (place.contains(e)) continue;
    const bool shared = e.id() < mark.terms;
    if (!shared && !done) {
      stack.emplace_back(e, true);
      for (Expr child : pool.children(e)) stack.emplace_back(child, false);
      continue;
    }
    place[e] = order.size();
    order.push_back(e);
  }
  out.number(order.size());
  for (Expr e : order) {
    if (e.id() < mark.terms) {
      out.number(kShared), out.number(e.id());
    } else if (pool.is_const(e) && pool.value(e).is_bit_vector()) {
      out.number(kBits), out.value(pool.value(e));
    } else if (pool.is_const(e)) {
      out.number(kConst), out.number(pool.type(e).id());
      out.value(pool.value(e));
    } else if (pool.op(e) == Op::Apply) {
      const SymbolId symbol = pool.symbol_of(e);
      if (symbol.index() >= mark.symbols)
        throw ResourceError("an invariant over symbols that only the worker knows");
      out.number(kSymbol), out.number(symbol.index());
      out.number(pool.children(e).size());
      for (Expr child : pool.children(e)) out.number(place.at(child));
    } else if (has_indices(pool.op(e))) {
      const auto [first, second] = pool.op(e) == Op::IntToBv
                                       ? std::pair(pool.info(pool.type(e)).width, 0U)
                                       : pool.indices(e);
      out.number(kIndexed), out.number(static_cast<std::uint64_t>(pool.op(e)));
      out.number(first), out.number(second);
      out.number(place.at(pool.child(e, 0)));
    } else if (needs_more(pool.op(e))) {
      throw ResourceError("an invariant with an operator that does not cross processes");
    } else {
      out.number(kOperator), out.number(static_cast<std::uint64_t>(pool.op(e)));
      out.number(pool.children(e).size());
      for (Expr child : pool.children(e)) out.number(place.at(child));
    }
  }
}

Expr read_term(Reader& in, ExprPool& pool) {
  std::vector<Expr> terms;
  auto children = [&] {
    std::vector<Expr> list;
    for (std::uint64_t n = in.number(); n > 0; --n) list.push_back(terms.at(in.number()));
    return list;
  };
  for (std::uint64_t n = in.number(); n > 0; --n) {
    switch (in.number()) {
      case kShared:
        terms.emplace_back(static_cast<std::uint32_t>(in.number()));
        break;
      case kConst: {
        const Type type(static_cast<std::uint32_t>(in.number()));
        terms.push_back(pool.constant(in.value(), type));
        break;
      }
      case kBits: {
        const Value value = in.value();
        terms.push_back(pool.constant(value, pool.bit_vector_type(value.as_bit_vector().width)));
        break;
      }
      case kIndexed: {
        const Op op = static_cast<Op>(in.number());
        const auto first = static_cast<std::uint32_t>(in.number());
        const auto second = static_cast<std::uint32_t>(in.number());
        const Expr e = terms.at(in.number());
        terms.push_back(op == Op::BvExtract ? pool.bv_extract(e, first, second)
                        : op == Op::IntToBv ? pool.int_to_bv(e, first)
                                            : pool.bv_extend(op, e, first));
        break;
      }
      case kSymbol: {
        const SymbolId symbol(static_cast<std::uint32_t>(in.number()));
        terms.push_back(pool.apply(symbol, children()));
        break;
      }
      case kOperator: {
        const Op op = static_cast<Op>(in.number());
        terms.push_back(pool.make(op, children()));
        break;
      }
      default:
        throw InternalError("a worker's result has a term of no kind");
    }
  }
  return terms.empty() ? Expr() : terms.back();
}

// Any of them may be invalid.
void write_terms(Writer& out, const std::vector<Expr>& terms, const ExprPool& pool, PoolMark mark) {
  out.number(terms.size());
  for (const Expr term : terms) {
    out.number(term.valid() ? 1 : 0);
    if (term.valid()) write_term(out, term, pool, mark);
  }
}

std::vector<Expr> read_terms(Reader& in, ExprPool& pool) {
  std::vector<Expr> terms;
  for (std::uint64_t n = in.number(); n > 0; --n)
    terms.push_back(in.number() != 0 ? read_term(in, pool) : Expr());
  return terms;
}

void write_trace(Writer& out, const FlatTrace& trace, const ExprPool& pool, PoolMark mark) {
  out.values(trace.initial);
  out.number(trace.steps.size());
  for (const FlatStep& step : trace.steps) {
    out.number(step.transition);
    out.number(step.times);
    out.values(step.inputs);
    out.number(step.open.size());
    for (const auto& [variable, value] : step.open) out.number(variable), out.value(value);
  }
  out.values(trace.goal_inputs);
  out.optional(trace.loop);
  out.number(trace.region ? 1 : 0);
  if (!trace.region) return;
  write_terms(out, {trace.region->condition}, pool, mark);
  out.number(trace.region->steps.size());
  for (const FlatRegion::Step& step : trace.region->steps) {
    write_terms(out, step.inputs, pool, mark);
    write_terms(out, step.open, pool, mark);
  }
}

FlatTrace read_trace(Reader& in, ExprPool& pool) {
  FlatTrace trace;
  trace.initial = in.values();
  for (std::uint64_t n = in.number(); n > 0; --n) {
    FlatStep step;
    step.transition = static_cast<std::uint32_t>(in.number());
    step.times = in.number();
    step.inputs = in.values();
    for (std::uint64_t open = in.number(); open > 0; --open) {
      const auto variable = static_cast<std::uint32_t>(in.number());
      step.open.emplace_back(variable, in.value());
    }
    trace.steps.push_back(std::move(step));
  }
  trace.goal_inputs = in.values();
  trace.loop = in.optional();
  if (in.number() == 0) return trace;
  trace.region.emplace();
  trace.region->condition = read_terms(in, pool).at(0);
  for (std::uint64_t n = in.number(); n > 0; --n) {
    FlatRegion::Step step;
    step.inputs = read_terms(in, pool);
    step.open = read_terms(in, pool);
    trace.region->steps.push_back(std::move(step));
  }
  return trace;
}

void write_numbers(Writer& out, const std::vector<std::uint32_t>& numbers) {
  out.number(numbers.size());
  for (std::uint32_t number : numbers) out.number(number);
}

std::vector<std::uint32_t> read_numbers(Reader& in) {
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t n = in.number(); n > 0; --n)
    numbers.push_back(static_cast<std::uint32_t>(in.number()));
  return numbers;
}

void write_reduction(Writer& out, const StateReduction& reduction) {
  out.number(reduction.dead.size());
  for (const DeadValue& dead : reduction.dead) {
    out.number(dead.variable);
    out.number(dead.at.thread);
    write_numbers(out, dead.at.locations);
  }
  out.number(reduction.ample.size());
  for (const AmpleLocation& ample : reduction.ample) {
    out.number(ample.thread);
    out.number(ample.location);
    out.number(ample.unless.size());
    for (const ThreadLocations& at : ample.unless) {
      out.number(at.thread);
      write_numbers(out, at.locations);
    }
  }
}

StateReduction read_reduction(Reader& in) {
  const auto small = [&] { return static_cast<std::uint32_t>(in.number()); };
  const auto locations = [&] {
    ThreadLocations at;
    at.thread = small();
    at.locations = read_numbers(in);
    return at;
  };
  StateReduction reduction;
  for (std::uint64_t n = in.number(); n > 0; --n) {
    DeadValue& dead = reduction.dead.emplace_back();
    dead.variable = small();
    dead.at = locations();
  }
  for (std::uint64_t n = in.number(); n > 0; --n) {
    AmpleLocation& ample = reduction.ample.emplace_back();
    ample.thread = small();
    ample.location = small();
    for (std::uint64_t k = in.number(); k > 0; --k) ample.unless.push_back(locations());
  }
  return reduction;
}

void write_why(Writer& out, const WhyUnreachable& why, const ExprPool& pool, PoolMark mark) {
  out.number(why.index());
  std::visit(Overloaded{
                 [](const UpToBound&) {},
                 [&](const Inductive& proof) {
                   write_term(out, proof.invariant, pool, mark);
                   out.number(proof.k);
                 },
                 [&](const AllStates& states) {
                   out.number(states.count);
                   write_reduction(out, states.reduction);
                 },
                 [&](const AllRunsShort& runs) {
                   out.number(runs.longest);
                   out.number(static_cast<std::uint64_t>(runs.of));
                 },
                 [&](const RangesSettled& ranges) { out.number(ranges.depth); },
                 [&](const KLiveness& bound) {
                   write_terms(out, bound.stages, pool, mark);
                   out.number(bound.k);
                 },
                 [&](const Ranking& ranking) {
                   write_terms(out, {ranking.invariant}, pool, mark);
                   write_terms(out, ranking.places, pool, mark);
                   out.number(ranking.levels.size());
                   for (const auto& level : ranking.levels) write_terms(out, level, pool, mark);
                 },
             },
             why);
}

WhyUnreachable read_why(Reader& in, ExprPool& pool) {
  switch (in.number()) {
    case 0:
      return UpToBound{};
    case 1: {
      const Expr invariant = read_term(in, pool);
      return Inductive{invariant, in.number()};
    }
    case 2: {
      const std::uint64_t count = in.number();
      return AllStates{count, read_reduction(in)};
    }
    case 3: {
      const std::uint64_t longest = in.number();
      return AllRunsShort{longest, static_cast<AllRunsShort::Of>(in.number())};
    }
    case 4:
      return RangesSettled{in.number()};
    case 5: {
      KLiveness bound{read_terms(in, pool)};
      bound.k = in.number();
      return bound;
    }
    case 6: {
      Ranking ranking{read_terms(in, pool).at(0), read_terms(in, pool), {}};
      for (std::uint64_t n = in.number(); n > 0; --n)
        ranking.levels.push_back(read_terms(in, pool));
      return ranking;
    }
    default:
      throw InternalError("a worker's result has a proof of no kind");
  }
}

void write_statistics(Writer& out, const Statistics& statistics) {
  const std::map<std::string, Statistics::Value> figures = statistics.values();
  out.number(figures.size());
  for (const auto& [name, figure] : figures) {
    out.string(name);
    out.number(figure.index());
    const auto* count = std::get_if<std::uint64_t>(&figure);
    out.number(count != nullptr ? *count : std::bit_cast<std::uint64_t>(std::get<double>(figure)));
  }
}

std::map<std::string, Statistics::Value> read_statistics(Reader& in) {
  std::map<std::string, Statistics::Value> figures;
  for (std::uint64_t left = in.number(); left > 0; --left) {
    const std::string name = in.string();
    const bool count = in.number() == 0;
    const std::uint64_t bits = in.number();
    figures[name] =
        count ? Statistics::Value(bits) : Statistics::Value(std::bit_cast<double>(bits));
  }
  return figures;
}

}  // namespace

PoolMark mark(const ExprPool& pool) {
  return {static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(pool.symbol_count())};
}

std::string encoded(const EngineResult& result, const Statistics& statistics, const ExprPool& pool,
                    PoolMark mark) {
  Writer out;
  out.number(result.outcome.index());
  std::visit(
      Overloaded{
          [&](const Unknown& unknown) {
            out.number(static_cast<std::uint64_t>(unknown.reason.kind));
            out.string(unknown.reason.detail);
            out.optional(unknown.clear_to);
          },
          [&](const Reached& reached) {
            write_trace(out, reached.trace, pool, mark);
            out.number(reached.shortest ? 1 : 0);
          },
          [&](const Unreachable& unreachable) { write_why(out, unreachable.why, pool, mark); },
      },
      result.outcome);
  for (const std::uint64_t figure :
       {result.calls.solvers, result.calls.sat, result.calls.unsat, result.calls.unknown,
        static_cast<std::uint64_t>(result.calls.time.count())})
    out.number(figure);
  out.string(result.engine);
  out.number(result.solver ? 1 + static_cast<std::uint64_t>(*result.solver) : 0);
  write_statistics(out, statistics);
  return out.take();
}

EngineResult decoded(std::string_view bytes, ExprPool& pool, Statistics& statistics) {
  Reader in(bytes);
  EngineResult result;
  switch (in.number()) {
    case 0: {
      Unknown unknown;
      unknown.reason.kind = static_cast<Reason::Kind>(in.number());
      unknown.reason.detail = in.string();
      unknown.clear_to = in.optional();
      result.outcome = std::move(unknown);
      break;
    }
    case 1: {
      Reached reached{read_trace(in, pool)};
      reached.shortest = in.number() != 0;
      result.outcome = std::move(reached);
      break;
    }
    case 2:
      result.outcome = Unreachable{read_why(in, pool)};
      break;
    default:
      throw InternalError("a worker's result of no kind");
  }
  result.calls.solvers = in.number();
  result.calls.sat = in.number();
  result.calls.unsat = in.number();
  result.calls.unknown = in.number();
  result.calls.checks = result.calls.sat + result.calls.unsat + result.calls.unknown;
  result.calls.time = std::chrono::nanoseconds(in.number());
  result.engine = in.string();
  if (const std::uint64_t solver = in.number(); solver != 0)
    result.solver = static_cast<smt::SolverId>(solver - 1);
  statistics.add(read_statistics(in));
  return result;
}

}  // namespace whittle
