// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparison and logic. There are no implicit conversions, with these exceptions: a
// DateTime compares with a Date by its date, a reference with a key, and `n * 90%` is an Integer.
// Sums and differences of money are defined only for one currency; comparisons of different
// currencies are false (all but `!=`).
#include "frontend/rebel/elaborate.h"

namespace whittle::rebel {

namespace {

const char* symbol(ExprKind kind) {
  switch (kind) {
    case ExprKind::Mul:
      return "*";
    case ExprKind::Div:
      return "/";
    case ExprKind::Mod:
      return "%";
    case ExprKind::Add:
      return "+";
    case ExprKind::Sub:
      return "-";
    case ExprKind::Lt:
      return "<";
    case ExprKind::Le:
      return "<=";
    case ExprKind::Gt:
      return ">";
    case ExprKind::Ge:
      return ">=";
    case ExprKind::Eq:
      return "==";
    case ExprKind::Ne:
      return "!=";
    case ExprKind::And:
      return "&&";
    case ExprKind::Or:
      return "||";
    case ExprKind::Implies:
      return "->";
    default:
      return "?";
  }
}

bool left_associative(ExprKind kind) {
  return kind == ExprKind::Mul || kind == ExprKind::Div || kind == ExprKind::Mod ||
         kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::And ||
         kind == ExprKind::Or;
}

}  // namespace

TypedTerm Elaborator::unary(const Scope& scope, ExprRef e) {
  const ExprNode n = ast(scope).expr(e);
  TypedTerm val = value(scope, n.a);
  if (val.type == RType(Kind::Unknown)) return val;
  if (n.kind == ExprKind::Not) {
    if (val.type != RType(Kind::Boolean)) {
      error(scope, n.a, "rebel-051",
            "'not' needs a Boolean, but this is " + program_.types().to_string(val.type));
      return unknown();
    }
    return boolean(pool_.negate(val.a), val.def);
  }
  switch (program_.types().kind(val.type)) {
    case Kind::Integer:
    case Kind::Percentage:
    case Kind::Term:
      val.a = pool_.minus(val.a);
      val.as_integer = Expr();
      return val;
    case Kind::Money:
      val.b = pool_.minus(val.b);
      return val;
    default:
      error(scope, n.a, "rebel-051",
            "'-' needs an Integer, Money or Percentage, but this is " +
                program_.types().to_string(val.type));
      return unknown();
  }
}

void Elaborator::guard_by(const Scope& scope, ExprRef condition) {
  const ModuleAst& module = ast(scope);
  std::vector<ExprRef> conjuncts{condition};
  while (!conjuncts.empty()) {
    const ExprNode& n = module.expr(conjuncts.back());
    conjuncts.pop_back();
    if (n.kind == ExprKind::And) {
      conjuncts.push_back(n.a);
      conjuncts.push_back(n.b);
    } else if (n.kind == ExprKind::Initialized && module.expr(n.a).kind == ExprKind::This) {
      ++initialised_;
    }
  }
}

// Left-associative operators can be chained a hundred thousand times, so their spine is walked
// without recursion.
TypedTerm Elaborator::binary_chain(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  std::vector<ExprRef> spine{e};
  while (left_associative(module.expr(spine.back()).kind) &&
         left_associative(module.expr(module.expr(spine.back()).a).kind)) {
    spine.push_back(module.expr(spine.back()).a);
  }
  const Initialised guarded(*this);
  TypedTerm left = value(scope, module.expr(spine.back()).a);
  if (module.expr(spine.back()).kind == ExprKind::And) guard_by(scope, module.expr(spine.back()).a);
  for (std::size_t i = spine.size(); i-- > 0;) {
    const bool both = module.expr(spine[i]).kind == ExprKind::And;
    if (!both) guarded.end();
    TypedTerm right = value(scope, module.expr(spine[i]).b);
    if (both) guard_by(scope, module.expr(spine[i]).b);
    left = binary(scope, spine[i], std::move(left), std::move(right));
  }
  return left;
}

TypedTerm Elaborator::binary(const Scope& scope, ExprRef e, TypedTerm a, TypedTerm b) {
  if (a.type == RType(Kind::Unknown) || b.type == RType(Kind::Unknown)) {
    return unknown();
  }
  switch (ast(scope).expr(e).kind) {
    case ExprKind::And:
    case ExprKind::Or:
      return logic(scope, e, a, b);
    case ExprKind::Add:
      return add(scope, e, a, b, false);
    case ExprKind::Sub:
      return add(scope, e, a, b, true);
    case ExprKind::Mul:
      return multiply(scope, e, a, b);
    case ExprKind::Div:
    case ExprKind::Mod:
      return divide(scope, e, a, b);
    default:
      return compare(scope, e, std::move(a), std::move(b));
  }
}

TypedTerm Elaborator::mismatch(const Scope& scope, ExprRef e, const TypedTerm& a,
                               const TypedTerm& b, const char* op) {
  std::string hint;
  const Kind ka = program_.types().kind(a.type);
  const Kind kb = program_.types().kind(b.type);
  if ((ka == Kind::Money && kb == Kind::Integer) || (ka == Kind::Integer && kb == Kind::Money)) {
    hint = "write amounts with their currency (EUR 10.00), or compare '.amount'";
  } else if ((ka == Kind::Percentage && kb == Kind::Integer) ||
             (ka == Kind::Integer && kb == Kind::Percentage)) {
    hint = "write percentages with their sign (10%)";
  } else if ((ka == Kind::Date || ka == Kind::DateTime) && kb == Kind::Integer) {
    const bool sum = std::string_view(op) == "+" || std::string_view(op) == "-";
    hint = sum ? "say how many of what: 1 Day, 2 Month" : "dates are written '26 Sep 2016'";
  } else if (ka == Kind::Integer && (kb == Kind::Date || kb == Kind::DateTime)) {
    hint = "dates are written '26 Sep 2016', terms '2 Month'";
  }
  error(scope, e, "rebel-051",
        std::string("'") + op + "' does not go with " + program_.types().to_string(a.type) +
            " and " + program_.types().to_string(b.type),
        hint);
  return unknown();
}

// `&&` and `||` are lazy: the left side can guard the definedness of the right.
TypedTerm Elaborator::logic(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b) {
  const ExprKind kind = ast(scope).expr(e).kind;
  const ExprNode& n = ast(scope).expr(e);
  for (const auto& [val, at] : {std::pair(&a, n.a), std::pair(&b, n.b)}) {
    if (val->type == RType(Kind::Boolean)) continue;
    error(scope, at, "rebel-051",
          std::string("'") + symbol(kind) + "' needs Booleans, but this is " +
              program_.types().to_string(val->type));
    return unknown();
  }
  Expr def = a.def;
  if (b.def.valid()) {
    const Expr reached = kind == ExprKind::Or ? pool_.negate(a.a) : a.a;
    def = conj(def, pool_.implies(reached, b.def));
  }
  const Expr result = kind == ExprKind::And  ? pool_.conj(a.a, b.a)
                      : kind == ExprKind::Or ? pool_.disj(a.a, b.a)
                                             : pool_.implies(a.a, b.a);
  return boolean(result, def);
}

TypedTerm Elaborator::implications(const Scope& scope, ExprRef e) {
  const ModuleAst& module = ast(scope);
  std::vector<ExprRef> spine{e};
  while (module.expr(module.expr(spine.back()).b).kind == ExprKind::Implies &&
         !module.expr(module.expr(spine.back()).b).flag) {
    spine.push_back(module.expr(spine.back()).b);
  }
  const Initialised guarded(*this);
  std::vector<TypedTerm> left;
  for (ExprRef one : spine) {
    left.push_back(value(scope, module.expr(one).a));
    guard_by(scope, module.expr(one).a);
  }
  TypedTerm result = value(scope, module.expr(spine.back()).b);
  for (std::size_t i = spine.size(); i-- > 0;) {
    if (left[i].type == RType(Kind::Unknown) || result.type == RType(Kind::Unknown)) {
      return unknown();
    }
    result = logic(scope, spine[i], left[i], result);
  }
  return result;
}

TypedTerm Elaborator::add(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b,
                          bool minus) {
  const char* op = minus ? "-" : "+";
  const Kind ka = program_.types().kind(a.type);
  const Kind kb = program_.types().kind(b.type);
  auto combine = [&](Expr x, Expr y) { return minus ? pool_.sub(x, y) : pool_.add(x, y); };
  TypedTerm result = a;
  result.as_integer = Expr();
  result.def = conj(a.def, b.def);
  if (program_.types().is_collection(a.type)) return combined(scope, e, a, b, minus);
  if (ka == Kind::Percentage && kb == Kind::Integer && a.as_integer.valid()) {
    result = simple(Kind::Integer, combine(a.as_integer, b.a), result.def);
    return result;
  }
  if (ka == Kind::Integer && kb == Kind::Percentage && b.as_integer.valid()) {
    result.a = combine(a.a, b.as_integer);
    return result;
  }
  if ((ka == Kind::Integer || ka == Kind::Percentage) && ka == kb) {
    result.a = combine(a.a, b.a);
    return result;
  }
  if (ka == Kind::Money && kb == Kind::Money) {
    const Expr same = pool_.eq(a.a, b.a);
    if (!pool_.is_true(same)) result.def = conj(result.def, same);
    meet(scope, e, a, b, true);
    result.b = combine(a.b, b.b);
    return result;
  }
  if (ka == Kind::Term && kb == Kind::Term) {
    const Expr same = pool_.eq(a.b, b.b);
    if (!pool_.is_true(same)) result.def = conj(result.def, same);
    result.a = combine(a.a, b.a);
    return result;
  }
  if ((ka == Kind::Date || ka == Kind::DateTime) && kb == Kind::Term) {
    result.a = encoder_.plus_term(a.a, minus ? pool_.minus(b.a) : b.a, b.b);
    return result;
  }
  if (!minus && ka == Kind::Term && (kb == Kind::Date || kb == Kind::DateTime)) {
    return add(scope, e, b, a, false);
  }
  if (minus && ka == Kind::Date && kb == Kind::Date) {
    result.type = Kind::Term;
    result.a = pool_.sub(a.a, b.a);
    result.b = encoder_.enum_constant(Kind::Period, 0);
    return result;
  }
  if (!minus && ka == Kind::String && kb == Kind::String) {
    if (pool_.is_const(a.a) && pool_.is_const(b.a)) {
      result.a = pool_.integer(encoder_.string(encoder_.text_of(pool_.value(a.a).as_integer()) +
                                               encoder_.text_of(pool_.value(b.a).as_integer())));
      return result;
    }
    error(scope, e, "rebel-065", "joining strings is not supported, except for literals",
          "strings can be compared with '==' and '!='");
    return unknown();
  }
  return mismatch(scope, e, a, b, op);
}

// Remembers money whose currencies are not equal terms (currencies.h).
void Elaborator::meet(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b,
                      bool sum) {
  const RType money(Kind::Money);
  if (a.type != money || b.type != money || a.a == b.a) return;
  money_pairs_.push_back({a.a, b.a, ast(scope).span(ast(scope).expr(e).at), sum, event_});
}

TypedTerm Elaborator::multiply(const Scope& scope, ExprRef e, const TypedTerm& a,
                               const TypedTerm& b) {
  const Kind ka = program_.types().kind(a.type);
  const Kind kb = program_.types().kind(b.type);
  const Expr def = conj(a.def, b.def);
  auto percent_of = [&](Expr x, Expr y) {
    return pool_.make(Op::IDiv, {pool_.mul(x, y), number(100)});
  };
  if (ka == Kind::Integer && kb == Kind::Integer) {
    return simple(Kind::Integer, pool_.mul(a.a, b.a), def);
  }
  if (ka == Kind::Money && (kb == Kind::Integer || kb == Kind::Percentage)) {
    TypedTerm result = a;
    result.b = kb == Kind::Integer ? pool_.mul(a.b, b.a) : percent_of(a.b, b.a);
    result.def = def;
    return result;
  }
  if (kb == Kind::Money && (ka == Kind::Integer || ka == Kind::Percentage)) {
    TypedTerm result = b;
    result.b = ka == Kind::Integer ? pool_.mul(a.a, b.b) : percent_of(a.a, b.b);
    result.def = def;
    return result;
  }
  if (ka == Kind::Percentage && kb == Kind::Percentage) {
    return simple(Kind::Percentage, percent_of(a.a, b.a), def);
  }
  if (ka == Kind::Integer && kb == Kind::Percentage) {
    return simple(Kind::Integer, percent_of(a.a, b.a), def);
  }
  if (ka == Kind::Percentage && kb == Kind::Integer) {
    // `10% * 3` is 30%; where an Integer is wanted, `90% * n` is as good as `n * 90%`.
    TypedTerm result = simple(Kind::Percentage, pool_.mul(a.a, b.a), def);
    result.as_integer = percent_of(a.a, b.a);
    return result;
  }
  if ((ka == Kind::Integer && kb == Kind::Period) || (ka == Kind::Period && kb == Kind::Integer)) {
    TypedTerm result = simple(Kind::Term, ka == Kind::Integer ? a.a : b.a, def);
    result.b = ka == Kind::Period ? a.a : b.a;
    return result;
  }
  if ((ka == Kind::Term && kb == Kind::Integer) || (ka == Kind::Integer && kb == Kind::Term)) {
    TypedTerm result = ka == Kind::Term ? a : b;
    result.a = pool_.mul(a.a, b.a);
    result.def = def;
    return result;
  }
  return mismatch(scope, e, a, b, "*");
}

TypedTerm Elaborator::divide(const Scope& scope, ExprRef e, const TypedTerm& a,
                             const TypedTerm& b) {
  const bool mod = ast(scope).expr(e).kind == ExprKind::Mod;
  const Kind ka = program_.types().kind(a.type);
  if (program_.types().kind(b.type) != Kind::Integer ||
      (ka != Kind::Integer && (mod || (ka != Kind::Money && ka != Kind::Percentage)))) {
    return mismatch(scope, e, a, b, mod ? "%" : "/");
  }
  if (pool_.is_const(b.a) && pool_.value(b.a).as_integer().is_zero()) {
    program_.diagnostics().report("rebel-066", ast(scope).span(ast(scope).expr(e).at),
                                  "this divides by zero, so it never has a value");
  }
  TypedTerm result = a;
  result.as_integer = Expr();
  Expr& part = ka == Kind::Money ? result.b : result.a;
  part = pool_.make(mod ? Op::Mod : Op::IDiv, {part, b.a});
  result.def = conj(a.def, b.def);
  return result;
}

// Makes both sides of one type where the language allows it.
bool Elaborator::unify(TypedTerm& a, TypedTerm& b) {
  if (a.type == b.type) return true;
  const Kind ka = program_.types().kind(a.type);
  const Kind kb = program_.types().kind(b.type);
  auto one_way = [&](TypedTerm& x, Kind kx, TypedTerm& y, Kind ky) {
    if (kx == Kind::DateTime && ky == Kind::Date) {
      x.type = Kind::Date;
      return true;
    }
    if (kx == Kind::Spec && ky != Kind::Spec &&
        key_type(program_.types().spec_of(x.type)) == y.type) {
      x.type = y.type;
      return true;
    }
    if (kx == Kind::EmptySet && ky == Kind::Set) {
      x.type = y.type;
      return true;
    }
    if (kx == Kind::EmptyMap && ky == Kind::Map) {
      x.type = y.type;
      return true;
    }
    if (kx == Kind::Percentage && x.as_integer.valid() && ky == Kind::Integer) {
      x = simple(Kind::Integer, x.as_integer, x.def);
      return true;
    }
    return false;
  };
  return one_way(a, ka, b, kb) || one_way(b, kb, a, ka);
}

// The same where one side is fixed: arguments, assignments, results.
bool Elaborator::fits(TypedTerm& val, RType expected) {
  if (val.type == expected) return true;
  const Kind kind = program_.types().kind(val.type);
  const Kind wanted = program_.types().kind(expected);
  if ((kind == Kind::EmptySet && wanted == Kind::Set) ||
      (kind == Kind::EmptyMap && wanted == Kind::Map)) {
    val.type = expected;
    return true;
  }
  if (kind == Kind::Spec && wanted != Kind::Spec &&
      key_type(program_.types().spec_of(val.type)) == expected) {
    val.type = expected;
    return true;
  }
  if (wanted == Kind::Spec && kind != Kind::Spec &&
      key_type(program_.types().spec_of(expected)) == val.type) {
    val.type = expected;
    return true;
  }
  if (kind == Kind::Percentage && val.as_integer.valid() && wanted == Kind::Integer) {
    val = simple(Kind::Integer, val.as_integer, val.def);
    return true;
  }
  return false;
}

// requires: one type
Expr Elaborator::equal(const TypedTerm& a, const TypedTerm& b) {
  if (program_.types().is_collection(a.type)) return same_collection(a, b);
  const Expr first = pool_.eq(a.a, b.a);
  if (!a.b.valid() || !b.b.valid() || program_.types().kind(a.type) == Kind::Date) return first;
  return pool_.conj(first, pool_.eq(a.b, b.b));
}

Expr Elaborator::less(const TypedTerm& a, const TypedTerm& b, bool or_equal) {
  auto cmp = [&](Expr x, Expr y) { return or_equal ? pool_.le(x, y) : pool_.lt(x, y); };
  switch (program_.types().kind(a.type)) {
    case Kind::Money:
      return pool_.conj(pool_.eq(a.a, b.a), cmp(a.b, b.b));
    case Kind::Term:
      return pool_.conj(pool_.eq(a.b, b.b), cmp(a.a, b.a));
    case Kind::DateTime:
      return pool_.disj(pool_.lt(a.a, b.a), pool_.conj(pool_.eq(a.a, b.a), cmp(a.b, b.b)));
    default:
      return cmp(a.a, b.a);
  }
}

TypedTerm Elaborator::compare(const Scope& scope, ExprRef e, TypedTerm a, TypedTerm b) {
  const ExprKind kind = ast(scope).expr(e).kind;
  if (!unify(a, b)) return mismatch(scope, e, a, b, symbol(kind));
  const Expr def = conj(a.def, b.def);
  meet(scope, e, a, b, false);
  if (kind == ExprKind::Eq) return boolean(equal(a, b), def);
  if (kind == ExprKind::Ne) return boolean(pool_.negate(equal(a, b)), def);
  switch (program_.types().kind(a.type)) {
    case Kind::Integer:
    case Kind::Percentage:
    case Kind::Money:
    case Kind::Date:
    case Kind::Time:
    case Kind::DateTime:
    case Kind::Term:
      break;
    default:
      error(scope, e, "rebel-051",
            "values of type " + program_.types().to_string(a.type) +
                " have no order; only '==' and '!=' go with them");
      return unknown();
  }
  switch (kind) {
    case ExprKind::Lt:
      return boolean(less(a, b, false), def);
    case ExprKind::Le:
      return boolean(less(a, b, true), def);
    case ExprKind::Gt:
      return boolean(less(b, a, false), def);
    default:
      return boolean(less(b, a, true), def);
  }
}

TypedTerm Elaborator::chosen(Expr condition, const TypedTerm& a, const TypedTerm& b) {
  TypedTerm result = a;
  if (a.entries || b.entries) {
    std::vector<Entry> entries;
    for (const Entry& entry : *a.entries) {
      entries.push_back(entry);
      entries.back().present = pool_.conj(condition, entry.present);
    }
    const Expr otherwise = pool_.negate(condition);
    for (const Entry& entry : *b.entries) {
      entries.push_back(entry);
      entries.back().present = pool_.conj(otherwise, entry.present);
    }
    result = collection(a.type, std::move(entries), Expr());
  } else {
    result.a = pool_.ite(condition, a.a, b.a);
    if (a.b.valid() && b.b.valid()) result.b = pool_.ite(condition, a.b, b.b);
  }
  result.as_integer = Expr();
  result.def = Expr();
  if (a.def.valid() || b.def.valid()) {
    const Expr yes = pool_.boolean(true);
    result.def = pool_.ite(condition, a.def.valid() ? a.def : yes, b.def.valid() ? b.def : yes);
  }
  return result;
}

TypedTerm Elaborator::conditional(const Scope& scope, ExprRef e) {
  const ExprNode n = ast(scope).expr(e);
  const TypedTerm condition = typed(scope, n.a, Kind::Boolean, "the condition before '?'");
  const Initialised guarded(*this);
  guard_by(scope, n.a);
  TypedTerm yes = value(scope, n.b);
  guarded.end();
  TypedTerm no = value(scope, n.c);
  if (condition.type == RType(Kind::Unknown) || yes.type == RType(Kind::Unknown) ||
      no.type == RType(Kind::Unknown)) {
    return unknown();
  }
  if (!unify(yes, no)) {
    error(scope, e, "rebel-051",
          "the branches of a conditional have different types: " +
              program_.types().to_string(yes.type) + " and " + program_.types().to_string(no.type));
    return unknown();
  }
  TypedTerm result = chosen(condition.a, yes, no);
  result.def = conj(condition.def, result.def);
  return result;
}

}  // namespace whittle::rebel
