// SPDX-License-Identifier: Apache-2.0
// A stack of work: pieces of text and terms still to print.
//
// What makes the text come back as the same term: constants were folded when the term was built, so
// `x + -1` may be written `x - 1`; a sum whose first operand is itself a sum (too long to be
// flattened by the builder) would be read as one long sum and is led in by `0 +`, which the builder
// drops; likewise `1 *`, `true &&`, `false ||`. A widened operand that no neighbour shows to be
// Real is written `(0.0 + x)`.
#include "frontend/expression/expression_printer.h"

#include <algorithm>
#include <vector>

#include "expr/print.h"
#include "frontend/expression/lexer.h"

namespace whittle::frontend {

namespace {

Strength stronger(Strength s) { return static_cast<Strength>(static_cast<int>(s) + 1); }

struct Piece {
  Expr e;  // invalid: text
  PrintPlace place;
  std::string text;
};

std::string_view symbol_of(Op op) {
  switch (op) {
    case Op::And:
      return " && ";
    case Op::Or:
      return " || ";
    case Op::Implies:
      return " -> ";
    case Op::Add:
      return " + ";
    case Op::Sub:
      return " - ";
    case Op::Mul:
      return " * ";
    case Op::Div:
    case Op::IDiv:
      return " / ";
    case Op::Mod:
      return " % ";
    case Op::Concat:
      return " ++ ";
    default:
      return "?";
  }
}

class Printer {
 public:
  Printer(const ExprPool& pool, const SymbolWriter& symbol, PrintMode mode)
      : pool_(pool), symbol_(symbol), mode_(mode) {}

  std::string run(Expr e, PrintPlace place) {
    work_.push_back({e, place, {}});
    while (!work_.empty()) {
      Piece piece = std::move(work_.back());
      work_.pop_back();
      if (!piece.e.valid()) {
        out_ += piece.text;
        continue;
      }
      term(piece.e, piece.place);
      work_.insert(work_.end(), std::make_move_iterator(pieces_.rbegin()),
                   std::make_move_iterator(pieces_.rend()));
      pieces_.clear();
    }
    return std::move(out_);
  }

 private:
  void text(std::string_view t) { pieces_.push_back({{}, {}, std::string(t)}); }
  void sub(Expr e, Strength needs, bool widened = false) {
    pieces_.push_back({e, {needs, widened}, {}});
  }

  // Whether the text of the term shows that it is a Real.
  [[nodiscard]] bool shows_real(Expr e) const {
    return pool_.type(e) == Type::real() && pool_.op(e) != Op::ToReal;
  }

  // Operands of one operator: bare widenings are fine next to something that shows Real; when
  // nothing does, the first one is made to.
  [[nodiscard]] bool widened(std::span<const Expr> operands, std::size_t i) const {
    if (pool_.type(operands[i]) != Type::real()) return false;
    return i > 0 ||
           std::any_of(operands.begin(), operands.end(), [&](Expr e) { return shows_real(e); });
  }

  void term(Expr e, PrintPlace place) {
    if (pool_.op(e) == Op::ToReal) {
      if (place.widened) return sub(pool_.child(e, 0), place.needs);
      text("(0.0 + ");
      right(pool_.child(e, 0), Strength::Product);
      return text(")");
    }
    const bool parentheses = strength(e) < place.needs;
    if (parentheses) text("(");
    plain(e);
    if (parentheses) text(")");
  }

  [[nodiscard]] Strength strength(Expr e) const {
    switch (pool_.op(e)) {
      case Op::Const:
        return constant_strength(pool_.value(e));
      case Op::Not:
        if (pool_.op(pool_.child(e, 0)) == Op::Eq) return Strength::Equality;
        return mode_ == PrintMode::Formula ? Strength::Unary : Strength::Not;
      case Op::And:
        return Strength::And;
      case Op::Or:
        return Strength::Or;
      case Op::Implies:
        return Strength::Implies;
      case Op::Ite:
        return Strength::Weakest;
      case Op::Eq:
        return Strength::Equality;
      case Op::Lt:
      case Op::Le:
        return Strength::Comparison;
      case Op::Neg:
        return Strength::Sign;
      case Op::Add:
      case Op::Sub:
      case Op::Concat:
        return Strength::Sum;
      case Op::Mul:
      case Op::Div:
      case Op::IDiv:
      case Op::Mod:
        return Strength::Product;
      case Op::Pow:
        return Strength::Power;
      default:
        return Strength::Atom;
    }
  }

  static Strength constant_strength(const Value& value) {
    if (value.is_integer() && value.as_integer().sign() < 0) return Strength::Sign;
    if (!value.is_real()) return Strength::Atom;
    if (value.as_real().to_string().find('/') != std::string::npos) return Strength::Product;
    return value.as_real().sign() < 0 ? Strength::Sign : Strength::Atom;
  }

  void plain(Expr e) {
    const Op op = pool_.op(e);
    const auto a = pool_.children(e);
    switch (op) {
      case Op::Const:
        return text(print_value(pool_, pool_.value(e), pool_.type(e), true));
      case Op::Apply:
        if (a.empty()) return text(symbol_(pool_.symbol_of(e)));
        break;
      case Op::Not:
        if (pool_.op(a[0]) == Op::Eq) return comparison(" != ", a[0], Strength::Equality);
        text("!");
        return sub(a[0], Strength::Not);
      case Op::Neg:
        text("-");
        return sub(a[0], Strength::Atom);
      case Op::Eq:
        return comparison(" == ", e, Strength::Equality);
      case Op::Lt:
      case Op::Le:
        return order(e);
      case Op::Implies:
        sub(a[0], Strength::Or);
        text(symbol_of(op));
        return sub(a[1], Strength::Implies);
      case Op::Ite:
        text("if ");
        sub(a[0], Strength::Weakest);
        text(" then ");
        sub(a[1], Strength::Weakest, widened(a.subspan(1), 0));
        text(" else ");
        return sub(a[2], Strength::Weakest, widened(a.subspan(1), 1));
      case Op::And:
        return chain(e, Strength::And, "true");
      case Op::Or:
        return chain(e, Strength::Or, "false");
      case Op::Add:
        return chain(e, Strength::Sum, pool_.type(e) == Type::real() ? "0.0" : "0");
      case Op::Mul:
        return chain(e, Strength::Product, pool_.type(e) == Type::real() ? "1.0" : "1");
      case Op::Concat:
        return chain(e, Strength::Sum, "\"\"");
      case Op::Sub:
      case Op::Div:
      case Op::IDiv:
      case Op::Mod: {
        const Strength own = strength(e);
        sub(a[0], own, widened(a, 0));
        text(symbol_of(op));
        return right(a[1], stronger(own), widened(a, 1));
      }
      case Op::Pow:
        sub(a[0], Strength::Atom);
        text(" ^ ");
        return sub(a[1], Strength::Power);
      default:
        break;
    }
    foreign(e);
  }

  // `a - -1` is legal but hard to read.
  void right(Expr e, Strength needs, bool is_widened = false) {
    const bool sign =
        pool_.op(e) == Op::Neg || (pool_.is_const(e) && strength(e) == Strength::Sign);
    sub(e, sign ? Strength::Atom : needs, is_widened);
  }

  void comparison(std::string_view op, Expr e, Strength own) {
    const auto a = pool_.children(e);
    compared(a, 0, stronger(own));
    text(op);
    compared(a, 1, stronger(own));
  }

  void compared(std::span<const Expr> sides, std::size_t i, Strength needs) {
    const Expr e = sides[i];
    if (mode_ == PrintMode::ForPeople && pool_.is_const(e) && pool_.value(e).is_real() &&
        pool_.value(e).as_real().is_integer()) {
      return text(print_value(pool_, pool_.value(e), pool_.type(e), false));
    }
    sub(e, needs, widened(sides, i));
  }

  // `0 < x` reads better as `x > 0`, and means the same term.
  void order(Expr e) {
    const auto a = pool_.children(e);
    const bool strict = pool_.op(e) == Op::Lt;
    if (!pool_.is_const(a[0]) || pool_.is_const(a[1])) {
      return comparison(strict ? " < " : " <= ", e, Strength::Comparison);
    }
    const Expr turned[] = {a[1], a[0]};
    compared(turned, 0, Strength::Not);
    text(strict ? " > " : " >= ");
    compared(turned, 1, Strength::Not);
  }

  void chain(Expr e, Strength own, std::string_view neutral) {
    const Op op = pool_.op(e);
    const auto a = pool_.children(e);
    const Expr first = pool_.op(a[0]) == Op::ToReal ? pool_.child(a[0], 0) : a[0];
    const bool lead = pool_.op(first) == op;
    if (lead) {
      text(neutral);
      text(symbol_of(op));
    }
    // `i + j - 2.5` would be read as a sum of Ints, from which a Real is subtracted.
    const bool may_subtract = op == Op::Add && (pool_.type(e) == Type::integer() || a.size() == 2 ||
                                                lead || shows_real(a[0]) || shows_real(a[1]));
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i > 0 && may_subtract && pool_.is_const(a[i]) && strength(a[i]) == Strength::Sign) {
        text(" - ");
        const Value& v = pool_.value(a[i]);
        text(print_value(pool_, v.is_integer() ? Value(-v.as_integer()) : Value(-v.as_real()),
                         pool_.type(a[i]), true));
        continue;
      }
      if (i > 0) text(symbol_of(op));
      const bool is_widened = lead || widened(a, i);
      if (i == 0 && !lead) {
        sub(a[i], own, is_widened);
      } else {
        right(a[i], stronger(own), is_widened);
      }
    }
  }

  // Not part of the small languages: for people only.
  void foreign(Expr e) {
    PrintStyle style;
    style.symbol = [this](SymbolId symbol, std::span<const std::string> arguments) {
      std::string result = symbol_(symbol);
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        result += (i == 0 ? "(" : ", ") + arguments[i];
      }
      return arguments.empty() ? result : result + ")";
    };
    text(to_string(pool_, e, style));
  }

  const ExprPool& pool_;
  const SymbolWriter& symbol_;
  PrintMode mode_;
  std::string out_;
  std::vector<Piece> work_;
  std::vector<Piece> pieces_;
};

std::string real_text(const Rational& value, bool exact) {
  std::string text = value.to_string();
  if (!exact) return text;
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    return text.substr(0, slash) + ".0 / " + text.substr(slash + 1) + ".0";
  }
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string print_expression(const ExprPool& pool, Expr e, const SymbolWriter& symbol,
                             PrintPlace place, PrintMode mode) {
  return Printer(pool, symbol, mode).run(e, place);
}

std::string print_value(const ExprPool& pool, const Value& value, Type type, bool exact) {
  if (type == Type::real()) return real_text(value.as_real(), exact);
  if (type == Type::string()) return in_quotes(value.as_string());
  return to_string(pool, value, type);
}

}  // namespace whittle::frontend
