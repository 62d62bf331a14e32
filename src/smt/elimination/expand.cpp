// SPDX-License-Identifier: Apache-2.0
#include "smt/elimination/expand.h"

#include <algorithm>
#include <unordered_set>

#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

constexpr std::size_t kMaxTypeValues = 4096;  // element types up to this size are enumerated
constexpr std::size_t kMaxPairs = 4'000'000;  // bound on quadratic expansions
constexpr std::int64_t kMaxExponent = 100'000;
constexpr std::int64_t kFlatExponent = 16;  // up to here x * x * ... in one product

}  // namespace

Expander::Expander(ExprPool& pool)
    : pool_(pool), rewriter_(pool, [this](Expr original, std::span<const Expr> arguments) {
        return step(original, arguments);
      }) {}

Expr Expander::operator()(Expr e) { return state(e) == State::Plain ? e : rewriter_(e); }

Expander::State Expander::state(Expr root) {
  if (states_[root] != State::Unseen) return states_[root];
  std::vector<std::pair<Expr, std::uint32_t>> stack{{root, 0}};
  while (!stack.empty()) {
    auto [e, next] = stack.back();
    auto children = pool_.children(e);
    while (next < children.size() && states_[children[next]] != State::Unseen) ++next;
    if (next < children.size()) {
      stack.back().second = next + 1;
      stack.emplace_back(children[next], 0);
      continue;
    }
    stack.pop_back();
    bool expandable = false;
    switch (pool_.op(e)) {
      case Op::Pow:
      case Op::Forall:
      case Op::Exists:
      case Op::Filter:
      case Op::Card:
      case Op::Subset:
        expandable = true;
        break;
      case Op::Member:
        // Membership in a symbol is plain; in anything else it is taken apart.
        expandable = pool_.op(children[1]) != Op::Apply && pool_.op(children[1]) != Op::Select;
        break;
      case Op::Eq:
        expandable = pool_.kind(pool_.type(children[0])) == TypeKind::Set;
        break;
      default:
        break;
    }
    for (Expr child : children) expandable |= states_[child] == State::Expandable;
    states_[e] = expandable ? State::Expandable : State::Plain;
  }
  return states_[root];
}

Expr Expander::step(Expr original, std::span<const Expr> arguments) {
  switch (pool_.op(original)) {
    case Op::Pow:
      return power(arguments[0], arguments[1]);
    case Op::Member:
      return member(arguments[0], arguments[1]);
    case Op::Forall:
    case Op::Exists:
      return quantified(pool_.op(original), arguments[0], arguments[1], arguments[2]);
    case Op::Filter:
      return filtered(pool_.type(original), arguments[0], arguments[1], arguments[2]);
    case Op::Card:
      return cardinality(arguments[0]);
    case Op::Subset:
      return subset(arguments[0], arguments[1]);
    case Op::Eq:
      if (pool_.kind(pool_.type(arguments[0])) == TypeKind::Set)
        return set_equality(arguments[0], arguments[1]);
      return Expr();
    default:
      return Expr();
  }
}

Expr Expander::power(Expr base, Expr exponent) {
  auto n = pool_.value(exponent).as_integer().to_int64();
  if (!n || *n > kMaxExponent) throw Unsupported("exponent too large");
  if (*n == 0)
    return pool_.type(base) == Type::real() ? pool_.real(Rational(Integer(1))) : pool_.integer(1);
  if (*n <= kFlatExponent) {
    if (*n == 1) return base;
    std::vector<Expr> factors(static_cast<std::size_t>(*n), base);
    return pool_.make(Op::Mul, factors);
  }
  // Square and multiply: logarithmic size, as a shared term.
  Expr result;
  for (std::int64_t bits = *n; bits > 0; bits /= 2) {
    if (bits % 2 == 1) result = result.valid() ? pool_.mul(result, base) : base;
    if (bits > 1) base = pool_.mul(base, base);
  }
  return result;
}

// element ∈ set, taken apart along the set operators; iterative, since unions may be long chains.
Expr Expander::member(Expr element, Expr set) {
  std::unordered_map<Expr, Expr> done;
  std::vector<Expr> stack{set};
  while (!stack.empty()) {
    Expr s = stack.back();
    if (done.contains(s)) {
      stack.pop_back();
      continue;
    }
    Op op = pool_.op(s);
    // A copy: building terms below moves the pool's memory.
    std::vector<Expr> children(pool_.children(s).begin(), pool_.children(s).end());
    std::size_t first_set = op == Op::Ite ? 1 : 0;
    bool structural =
        op == Op::Union || op == Op::Intersection || op == Op::Difference || op == Op::Ite;
    bool ready = true;
    if (structural) {
      for (Expr child : std::span(children).subspan(first_set)) {
        if (!done.contains(child)) {
          stack.push_back(child);
          ready = false;
        }
      }
    }
    if (!ready) continue;
    stack.pop_back();
    std::vector<Expr> parts;
    switch (op) {
      case Op::Const:
        for (const Value& v : pool_.value(s).as_set().elements)
          parts.push_back(pool_.constant(v, pool_.type(element)));
        for (Expr& part : parts) part = pool_.eq(element, part);
        done[s] = pool_.disj(parts);
        break;
      case Op::SetOf:
        parts.assign(children.begin(), children.end());
        for (Expr& part : parts) part = pool_.eq(element, part);
        done[s] = pool_.disj(parts);
        break;
      case Op::Union:
        done[s] = pool_.disj(done[children[0]], done[children[1]]);
        break;
      case Op::Intersection:
        done[s] = pool_.conj(done[children[0]], done[children[1]]);
        break;
      case Op::Difference:
        done[s] = pool_.conj(done[children[0]], pool_.negate(done[children[1]]));
        break;
      case Op::Ite:
        done[s] = pool_.ite(children[0], done[children[1]], done[children[2]]);
        break;
      default:
        done[s] = pool_.make(Op::Member, {element, s});
    }
  }
  return done[set];
}

std::optional<std::vector<Expr>> Expander::values_of(Type type) {
  const TypeInfo& info = pool_.info(type);
  std::vector<Expr> values;
  if (info.kind == TypeKind::Bool)
    return std::vector<Expr>{pool_.boolean(false), pool_.boolean(true)};
  if (info.kind == TypeKind::Enum && info.values.size() <= kMaxTypeValues) {
    auto count = static_cast<std::uint32_t>(info.values.size());
    for (std::uint32_t i = 0; i < count; ++i)
      values.push_back(pool_.constant(Value(EnumValue{i}), type));
    return values;
  }
  if (info.kind == TypeKind::BitVector && info.width <= 12) {
    std::uint32_t width = info.width;
    for (std::uint32_t i = 0; i < (1U << width); ++i)
      values.push_back(pool_.constant(Value(BitVectorValue{Integer(i), width}), type));
    return values;
  }
  return std::nullopt;
}

std::optional<std::vector<Expr>> Expander::candidates(Expr set) {
  std::vector<Expr> result;
  std::unordered_set<Expr> listed;
  std::unordered_set<Expr> seen;
  std::vector<Expr> stack{set};
  Type element = pool_.info(pool_.type(set)).element;
  while (!stack.empty()) {
    Expr s = stack.back();
    stack.pop_back();
    if (!seen.insert(s).second) continue;
    auto list = [&](Expr e) {
      if (listed.insert(e).second) result.push_back(e);
    };
    switch (pool_.op(s)) {
      case Op::Const: {
        std::vector<Value> values(pool_.value(s).as_set().elements.begin(),
                                  pool_.value(s).as_set().elements.end());
        for (const Value& v : values) list(pool_.constant(v, element));
        break;
      }
      case Op::SetOf:
        for (Expr e : pool_.children(s)) list(e);
        break;
      case Op::Union:
        stack.push_back(pool_.child(s, 1));
        stack.push_back(pool_.child(s, 0));
        break;
      case Op::Intersection:
      case Op::Difference:
        stack.push_back(pool_.child(s, 0));
        break;
      case Op::Ite:
        stack.push_back(pool_.child(s, 2));
        stack.push_back(pool_.child(s, 1));
        break;
      default:
        return values_of(element);
    }
  }
  return result;
}

std::vector<Expr> Expander::known_candidates(Expr set, const char* what) {
  auto found = candidates(set);
  if (!found) throw Unsupported(std::string(what) + " a set of unknown elements");
  return *std::move(found);
}

bool Expander::all_candidates_belong(Expr set) const {
  return pool_.op(set) == Op::Const || pool_.op(set) == Op::SetOf;
}

Expr Expander::quantified(Op op, Expr bound, Expr set, Expr body) {
  std::vector<Expr> parts;
  bool guarded = !all_candidates_belong(set);
  for (Expr candidate : known_candidates(set, "quantifier over")) {
    Substitution substitution(pool_);
    substitution.set(pool_.symbol_of(bound), candidate);
    Expr instance = substitution(body);
    if (guarded) {
      Expr belongs = member(candidate, set);
      instance =
          op == Op::Forall ? pool_.implies(belongs, instance) : pool_.conj(belongs, instance);
    }
    parts.push_back(instance);
  }
  return op == Op::Forall ? pool_.conj(parts) : pool_.disj(parts);
}

Expr Expander::filtered(Type type, Expr bound, Expr set, Expr body) {
  Expr empty = pool_.set_of(type, {});
  Expr result = empty;
  bool guarded = !all_candidates_belong(set);
  for (Expr candidate : known_candidates(set, "comprehension over")) {
    Substitution substitution(pool_);
    substitution.set(pool_.symbol_of(bound), candidate);
    Expr condition = substitution(body);
    if (guarded) condition = pool_.conj(member(candidate, set), condition);
    Expr single = pool_.set_of(type, std::span<const Expr>(&candidate, 1));
    result = pool_.make(Op::Union, {result, pool_.ite(condition, single, empty)});
  }
  return result;
}

// The number of candidates that belong and differ from all that were counted before.
Expr Expander::cardinality(Expr set) {
  std::vector<Expr> all = known_candidates(set, "size of");
  bool distinct = std::all_of(all.begin(), all.end(), [&](Expr e) { return pool_.is_const(e); });
  if (!distinct && all.size() * all.size() > kMaxPairs)
    throw Unsupported("size of a set with too many elements");
  bool guarded = !all_candidates_belong(set);
  std::vector<Expr> terms{pool_.integer(0)};
  std::vector<Expr> belongs;
  belongs.reserve(all.size());
  for (Expr candidate : all)
    belongs.push_back(guarded ? member(candidate, set) : pool_.boolean(true));
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Expr> condition{belongs[i]};
    // Different constants are different elements. An equal candidate belongs too, so that it
    // alone decides who of the two is counted.
    for (std::size_t j = 0; j < i && !distinct; ++j) condition.push_back(pool_.ne(all[i], all[j]));
    terms.push_back(pool_.ite(pool_.conj(condition), pool_.integer(1), pool_.integer(0)));
  }
  return terms.size() == 1 ? terms[0] : pool_.make(Op::Add, terms);
}

Expr Expander::subset(Expr a, Expr b) {
  auto all = candidates(a);
  if (!all) {
    // a ⊆ b exactly if a ∪ b = b, which both solvers know.
    return pool_.eq(pool_.make(Op::Union, {a, b}), b);
  }
  std::vector<Expr> parts;
  bool guarded = !all_candidates_belong(a);
  for (Expr candidate : *all) {
    Expr inside = member(candidate, b);
    parts.push_back(guarded ? pool_.implies(member(candidate, a), inside) : inside);
  }
  return pool_.conj(parts);
}

Expr Expander::set_equality(Expr a, Expr b) {
  if (auto all = values_of(pool_.info(pool_.type(a)).element)) {
    std::vector<Expr> parts;
    for (Expr value : *all) parts.push_back(pool_.eq(member(value, a), member(value, b)));
    return pool_.conj(parts);
  }
  if (candidates(a) && candidates(b)) return pool_.conj(subset(a, b), subset(b, a));
  return pool_.eq(a, b);
}

}  // namespace whittle::smt
