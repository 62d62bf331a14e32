// SPDX-License-Identifier: Apache-2.0
// Printing with a stack of work: pieces of text and terms still to print. Parentheses follow from
// the precedence that the place of a term needs and the one its notation has.
#include "expr/print.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "expr/expr_map.h"
#include "expr/operators.h"
#include "expr/print_value.h"
#include "expr/traverse.h"

namespace whittle {

namespace {

using P = Precedence;

P stronger(P p) { return static_cast<P>(static_cast<int>(p) + 1); }

class Printer {
 public:
  Printer(const ExprPool& pool, const PrintStyle& style)
      : pool_(pool), style_(style), write_value_(pool, style) {}

  // Names to print instead of terms, for shared printing.
  ExprMap<std::string> names;

  std::string operator()(Expr e) {
    out_.clear();
    work_.push_back({Item::Kind::Term, P::Weakest, e, {}});
    while (!work_.empty()) {
      Item item = std::move(work_.back());
      work_.pop_back();
      switch (item.kind) {
        case Item::Kind::Text:
          out_ += item.text;
          break;
        case Item::Kind::Term:
          term(item.e, item.needs);
          break;
        case Item::Kind::Mark:
          marks_.push_back(out_.size());
          break;
        case Item::Kind::Apply:
          styled_symbol(item.e);
          break;
      }
    }
    return std::move(out_);
  }

 private:
  struct Item {
    enum class Kind : std::uint8_t {
      Text,
      Term,
      Mark,   // remember where the text of an argument begins
      Apply,  // the arguments are printed: let the style join them
    };
    Kind kind;
    P needs;
    Expr e;
    std::string text;
  };

  // Pieces of the current term in the order of the text; they go to the stack reversed.
  void text(std::string_view t) {
    pieces_.push_back({Item::Kind::Text, P::Atom, {}, std::string(t)});
  }
  void sub(Expr e, P needs) { pieces_.push_back({Item::Kind::Term, needs, e, {}}); }
  void flush() {
    work_.insert(work_.end(), std::make_move_iterator(pieces_.rbegin()),
                 std::make_move_iterator(pieces_.rend()));
    pieces_.clear();
  }

  void term(Expr e, P needs);
  void notation(Expr e);
  P precedence(Expr e) const;
  void infix(std::string_view symbol, P left, P right, Expr a, Expr b);
  void chain(Expr e);
  void sum(Expr e);
  void comparison(Expr e);
  void call(std::string_view name, std::span<const Expr> arguments);
  void special(Expr e);
  void symbol(Expr e);
  void styled_symbol(Expr e);
  void loop(Expr e);
  void range(Expr set);
  void right_operand(Expr e, P needs);
  [[nodiscard]] bool negative(Expr e) const;
  [[nodiscard]] std::string without_sign(Expr constant) const;
  [[nodiscard]] bool reads_as_fraction(Expr e) const;

  const ExprPool& pool_;
  const PrintStyle& style_;
  ValueWriter write_value_;
  std::string out_;
  std::vector<Item> work_;
  std::vector<Item> pieces_;
  std::vector<std::size_t> marks_;
};

bool Printer::negative(Expr e) const {
  if (!pool_.is_const(e)) return false;
  const Value& v = pool_.value(e);
  return (v.is_integer() && v.as_integer().sign() < 0) || (v.is_real() && v.as_real().sign() < 0);
}

bool Printer::reads_as_fraction(Expr e) const {
  const Value& v = pool_.value(e);
  return v.is_real() && v.as_real().to_string().find('/') != std::string::npos;
}

P Printer::precedence(Expr e) const {
  if (names.contains(e)) return P::Atom;
  switch (pool_.op(e)) {
    case Op::Const:
      if (reads_as_fraction(e)) return P::Product;
      return negative(e) ? P::Sign : P::Atom;
    case Op::Not:
      if (pool_.op(pool_.child(e, 0)) == Op::Eq && !names.contains(pool_.child(e, 0))) {
        return P::Equality;
      }
      return P::Not;
    default:
      return facts(pool_.op(e)).precedence;
  }
}

void Printer::term(Expr e, P needs) {
  bool parentheses = precedence(e) < needs;
  if (parentheses) text("(");
  notation(e);
  if (parentheses) text(")");
  flush();
}

void Printer::notation(Expr e) {
  if (const std::string* name = names.find(e)) return text(*name);
  Op op = pool_.op(e);
  auto a = pool_.children(e);
  const OperatorFacts& f = facts(op);
  switch (op) {
    case Op::Not:
      if (pool_.op(a[0]) == Op::Eq && !names.contains(a[0])) {
        auto sides = pool_.children(a[0]);
        return infix(" != ", P::Comparison, P::Comparison, sides[0], sides[1]);
      }
      text("!");
      return sub(a[0], P::Not);
    case Op::Neg:
      text("-");
      return sub(a[0], P::Atom);
    case Op::Eq:
      return infix(" == ", P::Comparison, P::Comparison, a[0], a[1]);
    case Op::Lt:
    case Op::Le:
      return comparison(e);
    case Op::Implies:
      return infix(" -> ", P::Or, P::Implies, a[0], a[1]);
    case Op::Add:
      return sum(e);
    case Op::Sub:
      sub(a[0], P::Sum);
      text(" - ");
      return right_operand(a[1], P::Product);
    case Op::Div:
    case Op::IDiv:
    case Op::Mod:
      sub(a[0], P::Product);
      text(op == Op::Mod ? " % " : " / ");
      return right_operand(a[1], P::Power);
    case Op::Pow:
      sub(a[0], P::Atom);
      text(" ^ ");
      return right_operand(a[1], P::Power);
    case Op::Member:
      return infix(" in ", P::Not, P::Not, a[0], a[1]);
    case Op::And:
    case Op::Or:
    case Op::Mul:
    case Op::Concat:
      return chain(e);
    default:
      break;
  }
  if (f.notation == OperatorNotation::Call) return call(f.symbol, a);
  special(e);
}

void Printer::infix(std::string_view symbol, P left, P right, Expr a, Expr b) {
  sub(a, left);
  text(symbol);
  sub(b, right);
}

// `a - -1` and `2 * -x` are legal but hard to read.
void Printer::right_operand(Expr e, P needs) {
  bool sign = !names.contains(e) && (negative(e) || pool_.op(e) == Op::Neg);
  sub(e, sign ? P::Atom : needs);
}

void Printer::chain(Expr e) {
  Op op = pool_.op(e);
  P level = facts(op).precedence;
  std::string_view symbol = op == Op::And   ? " && "
                            : op == Op::Or  ? " || "
                            : op == Op::Mul ? " * "
                                            : " ++ ";
  auto a = pool_.children(e);
  // A nested operator of the same kind needs no parentheses where grouping means nothing.
  bool associative = op == Op::And || op == Op::Or;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i > 0) text(symbol);
    bool same = associative && pool_.op(a[i]) == op;
    if (i == 0 || same) {
      sub(a[i], level);
    } else {
      right_operand(a[i], stronger(level));
    }
  }
}

// What begins with a sign is subtracted: x - 1, x - y, x - 2 * y.
void Printer::sum(Expr e) {
  auto a = pool_.children(e);
  sub(a[0], P::Sum);
  for (Expr part : a.subspan(1)) {
    bool named = names.contains(part);
    auto inner = pool_.children(part);
    if (!named && negative(part)) {
      text(" - ");
      text(without_sign(part));
    } else if (!named && pool_.op(part) == Op::Neg) {
      text(" - ");
      right_operand(inner[0], P::Product);
    } else if (!named && pool_.op(part) == Op::Mul && negative(inner[0])) {
      text(" - ");
      text(without_sign(inner[0]));
      for (Expr factor : inner.subspan(1)) {
        text(" * ");
        right_operand(factor, P::Power);
      }
    } else {
      text(" + ");
      right_operand(part, P::Product);
    }
  }
}

std::string Printer::without_sign(Expr constant) const {
  const Value& v = pool_.value(constant);
  Value positive = v.is_integer() ? Value(-v.as_integer()) : Value(-v.as_real());
  return write_value_(positive, pool_.type(constant));
}

// `0 < x` reads better as `x > 0`.
void Printer::comparison(Expr e) {
  auto a = pool_.children(e);
  bool strict = pool_.op(e) == Op::Lt;
  if (pool_.is_const(a[0]) && !pool_.is_const(a[1])) {
    return infix(strict ? " > " : " >= ", P::Not, P::Not, a[1], a[0]);
  }
  infix(strict ? " < " : " <= ", P::Not, P::Not, a[0], a[1]);
}

void Printer::call(std::string_view name, std::span<const Expr> arguments) {
  text(name);
  text("(");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) text(", ");
    sub(arguments[i], P::Weakest);
  }
  text(")");
}

void Printer::special(Expr e) {
  auto a = pool_.children(e);
  switch (pool_.op(e)) {
    case Op::Const:
      return text(write_value_(pool_.value(e), pool_.type(e)));
    case Op::Apply:
      return symbol(e);
    case Op::Ite:
      sub(a[0], P::Implies);
      text(" ? ");
      sub(a[1], P::Implies);
      text(" : ");
      return sub(a[2], P::Weakest);
    case Op::Select:
      sub(a[0], P::Atom);
      text("[");
      sub(a[1], P::Weakest);
      return text("]");
    case Op::Store:
      sub(a[0], P::Atom);
      text("[");
      sub(a[1], P::Weakest);
      text(" := ");
      sub(a[2], P::Weakest);
      return text("]");
    case Op::SetOf:
      text("{");
      for (std::size_t i = 0; i < a.size(); ++i) {
        if (i > 0) text(", ");
        sub(a[i], P::Weakest);
      }
      return text("}");
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return loop(e);
    case Op::BvExtract: {
      auto [high, low] = pool_.indices(e);
      sub(a[0], P::Atom);
      return text("[" + std::to_string(high) + ":" + std::to_string(low) + "]");
    }
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      text(std::string(facts(pool_.op(e)).symbol) + "(");
      sub(a[0], P::Weakest);
      return text(", " + std::to_string(pool_.indices(e).first) + ")");
    case Op::IntToBv:
      text("int2bv(");
      sub(a[0], P::Weakest);
      return text(", " + std::to_string(pool_.info(pool_.type(e)).width) + ")");
    default:
      break;
  }
  WHITTLE_REQUIRE(false, std::string("no notation for ") + facts(pool_.op(e)).name);
}

void Printer::symbol(Expr e) {
  auto a = pool_.children(e);
  SymbolId s = pool_.symbol_of(e);
  if (!style_.symbol) {
    if (a.empty()) return text(pool_.info(s).name);
    return call(pool_.info(s).name, a);
  }
  if (a.empty()) return text(style_.symbol(s, {}));
  for (Expr argument : a) {
    pieces_.push_back({Item::Kind::Mark, P::Atom, {}, {}});
    sub(argument, P::Weakest);
  }
  pieces_.push_back({Item::Kind::Apply, P::Atom, e, {}});
}

void Printer::styled_symbol(Expr e) {
  std::size_t n = pool_.children(e).size();
  std::vector<std::string> arguments(n);
  for (std::size_t i = n; i-- > 0;) {
    arguments[i] = out_.substr(marks_.back());
    out_.resize(marks_.back());
    marks_.pop_back();
  }
  out_ += style_.symbol(pool_.symbol_of(e), arguments);
}

// forall i in 0..3: body, forall s in Status: body, {x in set | body}
void Printer::loop(Expr e) {
  auto a = pool_.children(e);
  bool filter = pool_.op(e) == Op::Filter;
  text(filter ? "{" : pool_.op(e) == Op::Forall ? "forall " : "exists ");
  sub(a[0], P::Weakest);
  text(" in ");
  range(a[1]);
  text(filter ? " | " : ": ");
  sub(a[2], P::Weakest);
  if (filter) text("}");
}

// Sets that quantifiers range over: an interval, an enumeration's name, or any set.
void Printer::range(Expr set) {
  if (pool_.is_const(set) && !pool_.value(set).as_set().elements.empty()) {
    const auto& elements = pool_.value(set).as_set().elements;
    const TypeInfo& element = pool_.info(pool_.info(pool_.type(set)).element);
    if (element.kind == TypeKind::Enum && elements.size() == element.values.size()) {
      return text(element.name);
    }
    if (element.kind == TypeKind::Int) {
      const Integer& first = elements.begin()->as_integer();
      const Integer& last = elements.rbegin()->as_integer();
      if (last - first == Integer(elements.size()) - 1) {
        return text(first.to_string() + ".." + last.to_string());
      }
    }
  }
  sub(set, P::Not);
}

// Terms below the root that occur more than once and whose text is not short, children first.
std::vector<Expr> worth_naming(const ExprPool& pool, Expr root) {
  constexpr std::uint32_t kShort = 4;  // symbols, constants and operators
  ExprMap<std::uint32_t> uses;
  ExprMap<std::uint32_t> size;  // of the text, up to kShort + 1
  std::vector<Expr> order;
  for_each_subterm(pool, root, [&](Expr e) {
    std::uint32_t total = 1;
    for (Expr child : pool.children(e)) {
      ++uses[child];
      total = std::min(kShort + 1, total + *size.find(child));
    }
    size.insert(e, total);
    order.push_back(e);
  });
  std::erase_if(order, [&](Expr e) {
    const std::uint32_t* n = uses.find(e);
    return !n || *n < 2 || *size.find(e) <= kShort;
  });
  return order;
}

// Bound symbols must not leave their quantifier: names are only for terms that mention none.
std::vector<Expr> without_bound(const ExprPool& pool, Expr root, std::vector<Expr> terms) {
  ExprMap<bool> open;
  for_each_subterm(pool, root, [&](Expr e) {
    Op op = pool.op(e);
    if (op == Op::Forall || op == Op::Exists || op == Op::Filter)
      open.insert(pool.child(e, 0), true);
  });
  if (open.size() == 0) return terms;
  for_each_subterm(pool, root, [&](Expr e) {
    auto children = pool.children(e);
    if (std::any_of(children.begin(), children.end(), [&](Expr c) { return open.contains(c); })) {
      open.insert(e, true);
    }
  });
  std::erase_if(terms, [&](Expr e) { return open.contains(e); });
  return terms;
}

}  // namespace

std::string to_string(const ExprPool& pool, Expr e, const PrintStyle& style) {
  return Printer(pool, style)(e);
}

std::string to_string_shared(const ExprPool& pool, Expr e, const PrintStyle& style) {
  Printer printer(pool, style);
  std::string lets;
  std::size_t count = 0;
  for (Expr shared : without_bound(pool, e, worth_naming(pool, e))) {
    std::string name = "$" + std::to_string(++count);
    lets += "let " + name + " = " + printer(shared) + " in\n";
    printer.names.insert(shared, name);
  }
  return lets + printer(e);
}

}  // namespace whittle
