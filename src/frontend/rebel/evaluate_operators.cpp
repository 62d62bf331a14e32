// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparison, sets and maps of values. Everything but logic is strict: it has a value
// only where all its operands have one.
#include "frontend/rebel/evaluate.h"

namespace whittle::rebel {

namespace {

using Sort = Datum::Sort;

constexpr long kLargestRange = 100'000;

Datum undefined() { return {}; }

// Minor units of a product with a percentage: rounded down.
Integer hundredth(const Integer& a, const Integer& b) {
  return Rational(a * b, Integer(100)).floor();
}

// The quotient that leaves a remainder that is not negative.
Integer rounded(const Integer& a, const Integer& b) {
  const Integer down = Rational(a, b).floor();
  return b.sign() < 0 && a - b * down != Integer(0) ? down + Integer(1) : down;
}

// -1, 0, 1; empty where the two cannot be compared.
std::optional<int> order(const Datum& a, const Datum& b) {
  const auto sign = [](const Integer& x, const Integer& y) { return (x - y).sign(); };
  switch (a.sort) {
    case Sort::Integer:
    case Sort::Percentage:
    case Sort::Time:
      return sign(a.number, b.number);
    case Sort::Money:
    case Sort::Term:
      if (a.text != b.text) return std::nullopt;
      return sign(a.number, b.number);
    case Sort::Date:
      return sign(ordinal(a.date), ordinal(b.date));
    case Sort::DateTime: {
      const int days = sign(ordinal(a.date), ordinal(b.date));
      return days != 0 ? days : sign(a.number, b.number);
    }
    default:
      throw Gap{"an order that does not exist"};
  }
}

}  // namespace

Date later(const Date& date, const Integer& count, std::string_view unit) {
  if (unit == "Day") return date_of_ordinal(ordinal(date) + count);
  if (unit == "Week") return date_of_ordinal(ordinal(date) + Integer(7) * count);
  if (unit == "Month") return months_later(date, count);
  if (unit == "Quarter") return months_later(date, Integer(3) * count);
  return months_later(date, Integer(12) * count);
}

Datum Evaluator::binary(ExprKind kind, Datum a, Datum b) const {
  if (!a.defined() || !b.defined()) return undefined();
  switch (kind) {
    case ExprKind::Add:
      return sum(std::move(a), std::move(b), false);
    case ExprKind::Sub:
      return sum(std::move(a), std::move(b), true);
    case ExprKind::Mul:
      return product(a, b);
    case ExprKind::Div:
      return quotient(std::move(a), b, false);
    case ExprKind::Mod:
      return quotient(std::move(a), b, true);
    default:
      return comparison(kind, std::move(a), std::move(b));
  }
}

Datum Evaluator::sum(Datum a, Datum b, bool minus) const {
  if (a.is_collection()) return united(a, b, minus);
  const auto combined = [&](const Integer& x, const Integer& y) { return minus ? x - y : x + y; };
  if (a.sort == Sort::Integer && b.as_integer) b = Datum::integer(*b.as_integer);
  if (b.sort == Sort::Integer && a.as_integer) a = Datum::integer(*a.as_integer);
  if (!minus && a.sort == Sort::Term && (b.sort == Sort::Date || b.sort == Sort::DateTime)) {
    std::swap(a, b);
  }
  if ((a.sort == Sort::Date || a.sort == Sort::DateTime) && b.sort == Sort::Term) {
    a.date = later(a.date, minus ? -b.number : b.number, b.text);
    return a;
  }
  if (a.sort != b.sort) throw Gap{"a sum of values of two types"};
  switch (a.sort) {
    case Sort::Integer:
    case Sort::Percentage:
      return Datum::of(a.sort, combined(a.number, b.number));
    case Sort::Money:  // of one currency
    case Sort::Term:   // of one unit
      if (a.text != b.text) return undefined();
      return Datum::of(a.sort, combined(a.number, b.number), a.text);
    case Sort::Date:
      if (!minus) break;
      return Datum::of(Sort::Term, ordinal(a.date) - ordinal(b.date), "Day");
    case Sort::String:
      if (minus) break;
      return Datum::of(Sort::String, Integer(0), a.text + b.text);
    default:
      break;
  }
  throw Gap{"a sum that has no meaning"};
}

Datum Evaluator::product(const Datum& a, const Datum& b) const {
  // The factor that is a number without unit stands on the right from here on.
  const bool plain = a.sort == Sort::Integer || a.sort == Sort::Percentage;
  const bool quantity = b.sort == Sort::Money || b.sort == Sort::Term || b.sort == Sort::Word;
  if (plain && quantity) return product(b, a);
  const bool share = b.sort == Sort::Percentage;
  switch (a.sort) {
    case Sort::Integer:
      return Datum::integer(share ? hundredth(a.number, b.number) : a.number * b.number);
    case Sort::Percentage: {
      if (share) return Datum::of(Sort::Percentage, hundredth(a.number, b.number));
      Datum result = Datum::of(Sort::Percentage, a.number * b.number);
      result.as_integer = hundredth(a.number, b.number);
      return result;
    }
    case Sort::Money:
      return Datum::of(Sort::Money, share ? hundredth(a.number, b.number) : a.number * b.number,
                       a.text);
    case Sort::Term:
      return Datum::of(Sort::Term, a.number * b.number, a.text);
    case Sort::Word:  // 2 * Month
      return Datum::of(Sort::Term, b.number, a.text);
    default:
      throw Gap{"a product that has no meaning"};
  }
}

Datum Evaluator::quotient(Datum a, const Datum& b, bool mod) const {
  const bool number =
      a.sort == Sort::Integer || a.sort == Sort::Percentage || a.sort == Sort::Money;
  if (!number || b.sort != Sort::Integer) throw Gap{"a quotient that has no meaning"};
  if (b.number.is_zero()) return undefined();
  const Integer whole = rounded(a.number, b.number);
  a.number = mod ? a.number - b.number * whole : whole;
  a.as_integer.reset();
  return a;
}

Datum Evaluator::comparison(ExprKind kind, Datum a, Datum b) const {
  if (!a.defined() || !b.defined()) return undefined();
  if (a.sort == Sort::Integer && b.as_integer) b = Datum::integer(*b.as_integer);
  if (b.sort == Sort::Integer && a.as_integer) a = Datum::integer(*a.as_integer);
  // A DateTime compares with a Date by its date.
  if (a.sort == Sort::DateTime && b.sort == Sort::Date) a = Datum::of_date(a.date);
  if (b.sort == Sort::DateTime && a.sort == Sort::Date) b = Datum::of_date(b.date);
  if (a.sort != b.sort) throw Gap{"a comparison of values of two types"};
  if (kind == ExprKind::Eq) return Datum::boolean(same(a, b));
  if (kind == ExprKind::Ne) return Datum::boolean(!same(a, b));
  const std::optional<int> sign = order(a, b);
  if (!sign) return Datum::boolean(false);
  switch (kind) {
    case ExprKind::Lt:
      return Datum::boolean(*sign < 0);
    case ExprKind::Le:
      return Datum::boolean(*sign <= 0);
    case ExprKind::Gt:
      return Datum::boolean(*sign > 0);
    default:
      return Datum::boolean(*sign >= 0);
  }
}

// ----- sets and maps

// `+` and `-` with a set or map on the left.
Datum Evaluator::united(const Datum& a, const Datum& b, bool minus) const {
  Elements elements = *a.elements;
  if (minus) {
    if (b.is_collection()) {
      for (const auto& [element, value] : *b.elements) elements.erase(element);
    } else {
      elements.erase(b);
    }
  } else if (b.is_collection()) {
    for (const auto& [element, value] : *b.elements) elements.insert_or_assign(element, value);
  } else {
    elements.emplace(b, Datum());
  }
  return a.sort == Sort::Map ? Datum::map(std::move(elements)) : Datum::set(std::move(elements));
}

Datum Evaluator::set_of(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  Elements elements;
  bool defined = true;
  std::optional<Datum> first;
  for (std::uint32_t i = 0; i < module.list_size(n.a); ++i) {
    Datum element = value(place, module.list(n.a)[i]);
    defined = defined && element.defined();
    if (!first) first = element;
    if (first->sort == Sort::Integer && element.as_integer) {
      element = Datum::integer(*element.as_integer);
    }
    elements.emplace(std::move(element), Datum());
  }
  return defined ? Datum::set(std::move(elements)) : undefined();
}

Datum Evaluator::map_of(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  Elements elements;
  bool defined = true;
  for (std::uint32_t i = 0; i + 1 < module.list_size(n.a); i += 2) {
    const Datum key = value(place, module.list(n.a)[i]);
    Datum mapped = value(place, module.list(n.a)[i + 1]);
    defined = defined && key.defined() && mapped.defined();
    elements.insert_or_assign(key, std::move(mapped));
  }
  return defined ? Datum::map(std::move(elements)) : undefined();
}

Datum Evaluator::range(const Place& place, ExprRef e) {
  const ExprNode n = ast(place).expr(e);
  const Datum low = value(place, n.a);
  const Datum high = value(place, n.b);
  if (!low.defined() || !high.defined()) return undefined();
  if (high.number - low.number > Integer(kLargestRange)) throw Gap{"a range that is too large"};
  Elements elements;
  for (Integer i = low.number; i <= high.number; i += Integer(1)) {
    elements.emplace(Datum::integer(i), Datum());
  }
  return Datum::set(std::move(elements));
}

Datum Evaluator::membership(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  Datum element = value(place, n.a);
  const ExprNode& right = module.expr(n.b);
  if (right.kind == ExprKind::Interval) {
    const Datum low = value(place, right.a);
    const Datum high = value(place, right.b);
    if (!element.defined() || !low.defined() || !high.defined()) return undefined();
    if (element.as_integer) element = Datum::integer(*element.as_integer);
    if (element.sort == Sort::Integer) {
      return Datum::boolean(low.number <= element.number && element.number <= high.number);
    }
  }
  const Datum collection = value(place, n.b);
  if (!element.defined() || !collection.defined()) return undefined();
  if (!collection.is_collection()) throw Gap{"'in' something that is no set"};
  if (element.is_collection()) {  // a subset
    for (const auto& [one, value] : *element.elements) {
      if (!collection.elements->contains(one)) return Datum::boolean(false);
    }
    return Datum::boolean(true);
  }
  const bool numbers =
      !collection.elements->empty() && collection.elements->begin()->first.sort == Sort::Integer;
  if (numbers && element.as_integer) element = Datum::integer(*element.as_integer);
  return Datum::boolean(collection.elements->contains(element));
}

// Conditions of one element are lazy, from left to right; all elements must have an answer.
Datum Evaluator::quantified(const Place& place, ExprRef e) {
  const ModuleAst& module = ast(place);
  const ExprNode n = module.expr(e);
  const Datum set = value(place, n.b);
  if (!set.defined()) return undefined();
  if (!set.is_collection()) throw Gap{"a quantifier over something that is no set"};
  Elements kept;
  for (const auto& [element, mapped] : *set.elements) {
    Place inner = place;
    inner.locals.emplace_back(n.a, element);
    bool holds = true;
    for (std::uint32_t i = 0; holds && i < module.list_size(n.c); ++i) {
      const Datum condition = value(inner, module.list(n.c)[i]);
      if (!condition.defined()) return undefined();
      holds = condition.truth;
    }
    if (holds) kept.emplace(element, Datum());
  }
  if (n.kind == ExprKind::Comprehension) return Datum::set(std::move(kept));
  return Datum::boolean(n.kind == ExprKind::Forall ? kept.size() == set.elements->size()
                                                   : !kept.empty());
}

Datum Evaluator::lookup(const Datum& map, const Datum& key) {
  if (!map.defined() || !key.defined()) return undefined();
  if (map.sort != Sort::Map) throw Gap{"an index of something that is no map"};
  const auto it = map.elements->find(key);
  return it == map.elements->end() ? undefined() : it->second;
}

}  // namespace whittle::rebel
