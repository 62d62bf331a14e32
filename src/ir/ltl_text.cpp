// SPDX-License-Identifier: Apache-2.0
// Operator precedence with two stacks; nothing recurses.
#include "ir/ltl_text.h"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace whittle {

namespace {

struct Operator {
  std::string_view text;
  int strength;
  bool unary;
  LtlFormula (*build)(LtlPool& ltl, LtlFormula a, LtlFormula b);  // unary: of a
};

// Longer texts before their beginnings.
constexpr std::array kOperators = {
    Operator{"<->", 1, false,
             [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.equivalent(a, b); }},
    Operator{"->", 2, false,
             [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.implies(a, b); }},
    Operator{"||", 3, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.either(a, b); }},
    Operator{"|", 3, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.either(a, b); }},
    Operator{"&&", 4, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.both(a, b); }},
    Operator{"&", 4, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.both(a, b); }},
    Operator{"U", 5, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.until(a, b); }},
    Operator{"W", 5, false,
             [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.weak_until(a, b); }},
    Operator{"R", 5, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.release(a, b); }},
    Operator{"S", 5, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.since(a, b); }},
    Operator{"T", 5, false, [](LtlPool& l, LtlFormula a, LtlFormula b) { return l.trigger(a, b); }},
    Operator{"!", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.negation(a); }},
    Operator{"X", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.next(a); }},
    Operator{"[]", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.always(a); }},
    Operator{"G", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.always(a); }},
    Operator{"<>", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.eventually(a); }},
    Operator{"F", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.eventually(a); }},
    Operator{"O", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.once(a); }},
    Operator{"H", 6, true, [](LtlPool& l, LtlFormula a, LtlFormula) { return l.historically(a); }},
};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

class Reading {
 public:
  Reading(LtlPool& ltl, std::string_view text, const LtlNames& names)
      : ltl_(ltl), text_(text), names_(names) {}

  LtlFormula operator()() {
    skip_blanks();
    while (at_ < text_.size()) {
      if (wants_operand_) {
        operand();
      } else {
        operation();
      }
      skip_blanks();
    }
    require(!wants_operand_);
    reduce(0);
    require(operators_.empty() && operands_.size() == 1);
    return operands_.back();
  }

 private:
  void require(bool condition) const {
    if (!condition) throw InternalError(fmt::format("no formula: '{}' (at {})", text_, at_));
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  const Operator* match(bool unary) {
    for (const Operator& candidate : kOperators) {
      if (candidate.unary != unary || !text_.substr(at_).starts_with(candidate.text)) continue;
      at_ += candidate.text.size();
      return &candidate;
    }
    return nullptr;
  }

  void operand() {
    if (text_[at_] == '(') {
      ++at_;
      operators_.push_back(nullptr);
      return;
    }
    if (const Operator* prefix = match(true)) {
      operators_.push_back(prefix);
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    require(!name.empty());
    if (name == "1" || name == "true") {
      operands_.push_back(ltl_.constant(true));
    } else if (name == "0" || name == "false") {
      operands_.push_back(ltl_.constant(false));
    } else {
      operands_.push_back(names_(name));
    }
    wants_operand_ = false;
  }

  void operation() {
    if (text_[at_] == ')') {
      ++at_;
      reduce(0);
      require(!operators_.empty());
      operators_.pop_back();
      return;
    }
    const Operator* infix = match(false);
    require(infix != nullptr);
    const bool right = infix->strength == 2 || infix->strength == 5;
    reduce(infix->strength + (right ? 1 : 0));
    operators_.push_back(infix);
    wants_operand_ = true;
  }

  // Builds what is at least that strong, back to the open parenthesis.
  void reduce(int strength) {
    while (!operators_.empty() && operators_.back() != nullptr &&
           operators_.back()->strength >= strength) {
      const Operator& op = *operators_.back();
      operators_.pop_back();
      const LtlFormula b = operands_.back();
      if (!op.unary) operands_.pop_back();
      const LtlFormula a = operands_.back();
      operands_.back() = op.build(ltl_, a, b);
    }
  }

  LtlPool& ltl_;
  std::string_view text_;
  const LtlNames& names_;
  std::size_t at_ = 0;
  bool wants_operand_ = true;
  std::vector<const Operator*> operators_;  // null: an open parenthesis
  std::vector<LtlFormula> operands_;
};

// A piece of text and how strong its outermost operator is.
struct Printed {
  std::string text;
  int strength = 7;
};

class Printing {
 public:
  Printing(const LtlPool& ltl, const LtlConditionText& condition)
      : ltl_(ltl), condition_(condition) {}

  std::string operator()(LtlFormula f) {
    for (LtlFormula g : ltl_.subformulas(f)) done_[g] = print(g);
    return done_.at(f).text;
  }

 private:
  [[nodiscard]] std::string inside(LtlFormula f, int strength) const {
    const Printed& part = done_.at(f);
    return part.strength >= strength ? part.text : '(' + part.text + ')';
  }
  [[nodiscard]] Printed prefix(std::string_view op, LtlFormula f) const {
    const std::string blank = op == "X" || op.size() > 2 ? " " : "";
    return {fmt::format("{}{}{}", op, blank, inside(f, 6)), 6};
  }
  [[nodiscard]] Printed infix(std::string_view op, LtlFormula f, int strength) const {
    std::string text;
    for (LtlFormula child : ltl_.children(f))
      text += (text.empty() ? "" : fmt::format(" {} ", op)) + inside(child, strength + 1);
    return {text, strength};
  }

  [[nodiscard]] Printed print(LtlFormula f) const {
    switch (ltl_.op(f)) {
      case LtlOp::True:
        return {"true"};
      case LtlOp::False:
        return {"false"};
      case LtlOp::Atom:
        return {condition_(ltl_.condition(f))};
      case LtlOp::Not:
        return prefix("!", ltl_.child(f, 0));
      case LtlOp::And:
        return infix("&&", f, 4);
      case LtlOp::Or:
        return infix("||", f, 3);
      case LtlOp::Next:
        return prefix("X", ltl_.child(f, 0));
      case LtlOp::Until:
        return ltl_.is_eventually(f) ? prefix("<>", ltl_.child(f, 1)) : infix("U", f, 5);
      case LtlOp::Release:
        return ltl_.is_always(f) ? prefix("[]", ltl_.child(f, 1)) : infix("R", f, 5);
      case LtlOp::Since:
        return ltl_.is_true(ltl_.child(f, 0)) ? prefix("O", ltl_.child(f, 1)) : infix("S", f, 5);
      case LtlOp::Trigger:
        return ltl_.is_false(ltl_.child(f, 0)) ? prefix("H", ltl_.child(f, 1)) : infix("T", f, 5);
    }
    return {};
  }

  const LtlPool& ltl_;
  const LtlConditionText& condition_;
  std::unordered_map<LtlFormula, Printed> done_;
};

}  // namespace

LtlFormula read_ltl(LtlPool& ltl, std::string_view text, const LtlNames& names) {
  return Reading(ltl, text, names)();
}

std::string print_ltl(const LtlPool& ltl, LtlFormula f, const LtlConditionText& condition) {
  return Printing(ltl, condition)(f);
}

}  // namespace whittle
