// SPDX-License-Identifier: Apache-2.0
// Operator precedence parsing with an explicit stack (Dijkstra's shunting yard). The tree wants its
// nodes in the order of computation, and that is the order in which this algorithm finishes them.
// The stack holds what still waits for operands: operators, open brackets, quantifiers,
// conditionals.
#include "frontend/expression/expression_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "frontend/expression/operator_table.h"

namespace whittle::frontend {

namespace {

bool chains(SyntaxKind kind) {
  return kind == SyntaxKind::And || kind == SyntaxKind::Or || kind == SyntaxKind::Add ||
         kind == SyntaxKind::Multiply || kind == SyntaxKind::Concat;
}

class ExpressionParser {
 public:
  ExpressionParser(TokenReader& reader, StopsExpression stops, const FormulaGrammar* formula)
      : reader_(reader), tree_(reader.tree()), stops_(stops), formula_(formula) {}

  std::optional<SyntaxId> run() {
    for (;;) {
      if (!operand()) return std::nullopt;
      while (postfix()) {
      }
      if (failed_) return std::nullopt;
      if (!operator_or_end()) break;
    }
    if (failed_ || !close_all()) return std::nullopt;
    return last();
  }

 private:
  enum class Waiting : std::uint8_t {
    Prefix,
    Binary,
    Paren,
    Index,
    Taken,  // the parenthesis behind `taken`
    RangeLow,
    RangeHigh,
    Body,  // of a quantifier
    If,    // the condition of a conditional, then its two values
    Then,
    Else,
  };

  struct Entry {
    Waiting waiting;
    SyntaxKind kind;          // of the node to make
    int strength;             // 0: brackets, quantifiers, conditionals: no operator closes them
    std::uint32_t token;      // the operator, bracket, quantifier or `if`
    std::uint32_t begin = 0;  // where its text begins
    std::uint32_t bound = 0;  // quantifiers: the name; in a Body: the Bind node
  };

  [[nodiscard]] SyntaxId last() const { return static_cast<SyntaxId>(tree_.size() - 1); }

  bool push(Entry entry) {
    if (stack_.size() >= kMaxNesting) {
      reader_.diagnostics().report(
          "parse-003", reader_.span(),
          fmt::format("this expression is nested more than {} levels deep", kMaxNesting),
          "split it, or remove parentheses that are not needed");
      return false;
    }
    stack_.push_back(entry);
    return true;
  }

  // ----- where an operand is expected: prefix operators and brackets, then a leaf
  bool operand() {
    for (;;) {
      const Token token = reader_.peek();
      const std::uint32_t index = reader_.index();
      if (formula_ != nullptr) {
        const Found found = formula_operand();
        if (found == Found::Prefix) continue;
        if (found != Found::Nothing) return found == Found::Leaf;
      }
      switch (token.kind) {
        case TokenKind::OpenParen:
          if (!push({Waiting::Paren, {}, 0, index, token.begin})) return false;
          reader_.skip();
          continue;
        case TokenKind::Minus:
          if (!push({Waiting::Prefix, SyntaxKind::Negate, kNegateStrength, index, token.begin}))
            return false;
          reader_.skip();
          continue;
        case TokenKind::Not:
          if (!push({Waiting::Prefix, SyntaxKind::Not, kNotStrength, index, token.begin}))
            return false;
          reader_.skip();
          continue;
        case TokenKind::Integer:
          return leaf(SyntaxKind::Integer);
        case TokenKind::Decimal:
          return leaf(SyntaxKind::Decimal);
        case TokenKind::Text:
          return leaf(SyntaxKind::Text);
        case TokenKind::At:
          return at_node();
        case TokenKind::Bad:
          return false;  // the lexer has reported it
        case TokenKind::Word:
          break;
        default:
          if (!refuse_temporal()) {
            reader_.report_expected("an expression", hint_for_missing_operand());
          }
          return false;
      }
      const std::string_view word = reader_.text();
      if ((word == "forall" || word == "exists") && reader_.is(TokenKind::Word, 1)) {
        if (!quantifier(word == "forall" ? SyntaxKind::Forall : SyntaxKind::Exists)) return false;
        continue;
      }
      if (word == "if") {
        if (!push({Waiting::If, SyntaxKind::Conditional, 0, index, token.begin})) return false;
        reader_.skip();
        continue;
      }
      return word_operand(word);
    }
  }

  // What only formulas have where an operand is expected.
  enum class Found : std::uint8_t { Nothing, Prefix, Leaf, Failure };

  Found formula_operand() {
    const std::uint32_t begin = reader_.peek().begin;
    if (const auto prefix = prefix_of_formula(reader_, formula_->names)) {
      if (!push({Waiting::Prefix, prefix->kind, prefix->strength, reader_.index(), begin})) {
        return Found::Failure;
      }
      for (std::size_t i = 0; i < prefix->tokens; ++i) reader_.skip();
      return Found::Prefix;
    }
    if (reader_.is_word("halt")) {
      leaf(SyntaxKind::Halt);
      return Found::Leaf;
    }
    if (!reader_.is_word("taken") || !reader_.is(TokenKind::OpenParen, 1)) return Found::Nothing;
    if (reader_.is_name(2) && reader_.is(TokenKind::CloseParen, 3)) {
      reader_.skip();
      reader_.skip();
      leaf(SyntaxKind::TakenName);
      tree_.edit(last()).begin = begin;
      tree_.edit(last()).end = reader_.peek().end;
      reader_.skip();
      return Found::Leaf;
    }
    if (!push({Waiting::Taken, SyntaxKind::Taken, 0, reader_.index() + 1, begin})) {
      return Found::Failure;
    }
    reader_.skip();
    reader_.skip();
    return Found::Prefix;
  }

  // At an operator of temporal logic outside of formulas, which is reported then.
  bool refuse_temporal() {
    if (!prefix_of_formula(reader_, "") || formula_ != nullptr) return false;
    reader_.diagnostics().report(
        "ltl-002", reader_.span(),
        fmt::format("{} is an operator of temporal logic; here a condition is needed",
                    shown(tree_, reader_.peek())),
        "properties of runs are written `ltl name: formula`");
    return true;
  }

  // A letter that would be an operator, if the model did not declare it.
  void warn_of_letter() {
    if (formula_ == nullptr || warned_ || reader_.text().size() != 1 ||
        formula_->names.find(reader_.text()) == std::string::npos) {
      return;
    }
    const auto meant = temporal_word(reader_.text());
    if (!meant) return;
    warned_ = true;
    reader_.diagnostics().report(
        "ltl-004", reader_.span(),
        fmt::format("`{}` is a name of the model here, not an operator", reader_.text()),
        fmt::format("the operator is also written `{}`", operator_text(*meant)));
  }

  [[nodiscard]] std::string_view hint_for_missing_operand() const {
    if (reader_.is(TokenKind::Plus)) return "there is no unary `+`";
    if (reader_.is(TokenKind::Star)) return "a factor is missing before `*`";
    return "something is missing here: a number, a name or `(`";
  }

  bool word_operand(std::string_view word) {
    if (word == "true") return leaf(SyntaxKind::True);
    if (word == "false") return leaf(SyntaxKind::False);
    if (word == "any" && reader_.is(TokenKind::Word, 1) && !stops_(reader_, 1)) {
      const std::uint32_t begin = reader_.peek().begin;
      reader_.skip();
      leaf(SyntaxKind::Any);
      tree_.edit(last()).begin = begin;
      return true;
    }
    if (stops_(reader_, 0)) {
      reader_.report_expected("an expression", hint_for_missing_operand());
      return false;
    }
    if (word.size() > 1 && temporal_word(word) && begins_operand(reader_, stops_) &&
        refuse_temporal()) {
      return false;
    }
    if (begins_operand(reader_, stops_)) warn_of_letter();
    if (word == "not" && reader_.is(TokenKind::Word, 1)) {
      reader_.report_expected("an expression", "negation is written `!`");
      return false;
    }
    return leaf(SyntaxKind::Name);
  }

  bool leaf(SyntaxKind kind) {
    const Token token = reader_.peek();
    SyntaxNode node{kind, false, token.begin, token.end, 0, reader_.index(), 0};
    node.first = static_cast<std::uint32_t>(tree_.size());
    tree_.add(node);
    reader_.skip();
    return true;
  }

  bool at_node() {
    const std::uint32_t begin = reader_.peek().begin;
    reader_.skip();
    if (!reader_.is_name()) {
      reader_.report_expected("the name of a node after `@`", "as in `@Open`");
      return false;
    }
    leaf(SyntaxKind::AtNode);
    tree_.edit(last()).begin = begin;
    return true;
  }

  // `forall i in`, and for an enumeration also its name and the colon.
  bool quantifier(SyntaxKind kind) {
    Entry entry{Waiting::RangeLow, kind, 0, reader_.index(), reader_.peek().begin};
    reader_.skip();
    entry.bound = reader_.index();
    reader_.skip();
    if (!reader_.expect_word("in", "as in `forall i in 1..10: ...`")) return false;
    if (reader_.is(TokenKind::Word) && reader_.is(TokenKind::Colon, 1)) {
      const Token name = tree_.token(entry.bound);
      SyntaxNode bind{SyntaxKind::BindEnum, false, name.begin, name.end, 0, entry.bound, 0};
      bind.first = static_cast<std::uint32_t>(tree_.size());
      reader_.skip();
      reader_.skip();
      entry.waiting = Waiting::Body;
      entry.bound = tree_.add(bind);
    }
    return push(entry);
  }

  // ----- directly after an operand
  bool postfix() {
    switch (reader_.peek().kind) {
      case TokenKind::Prime:
        return prime();
      case TokenKind::OpenBracket: {
        if (!push({Waiting::Index, SyntaxKind::Index, 0, reader_.index(),
                   tree_.node(last()).begin})) {
          failed_ = true;
          return false;
        }
        reader_.skip();
        if (!operand()) {
          failed_ = true;
          return false;
        }
        return true;
      }
      case TokenKind::Dot:
        return named_postfix(SyntaxKind::Member, "a name after `.`");
      case TokenKind::At:
        return named_postfix(SyntaxKind::AtLabel, "a label after `@`");
      default:
        return false;
    }
  }

  bool prime() {
    SyntaxNode& node = tree_.edit(last());
    if (node.kind != SyntaxKind::Name || node.end != reader_.peek().begin) {
      reader_.diagnostics().report("parse-001", reader_.span(), "`'` must follow a variable",
                                   "the next value of `x` is written `x'`");
      failed_ = true;
      return false;
    }
    node.kind = SyntaxKind::Primed;
    node.end = reader_.peek().end;
    reader_.skip();
    return true;
  }

  bool named_postfix(SyntaxKind kind, std::string_view what) {
    reader_.skip();
    // A program point that has no label is named by its line: P@"line 12".
    const bool quoted = kind == SyntaxKind::AtLabel && reader_.is(TokenKind::Text);
    if (!quoted && !reader_.is(TokenKind::Word)) {
      reader_.report_expected(what, "write a name there");
      failed_ = true;
      return false;
    }
    const SyntaxNode& base = tree_.node(last());
    SyntaxNode node{kind, false, base.begin, reader_.peek().end, base.first, reader_.index(), 0};
    reader_.skip();
    tree_.add(node);
    return true;
  }

  // ----- where an operator is expected; false: the expression ends here (or failed)
  bool operator_or_end() {
    for (;;) {
      switch (reader_.peek().kind) {
        case TokenKind::CloseParen:
          if (!close(Waiting::Paren)) return false;
          break;
        case TokenKind::CloseBracket:
          if (!close(Waiting::Index)) return false;
          break;
        case TokenKind::DotDot:
          return range_low_done();
        case TokenKind::Colon:
          return range_done();
        case TokenKind::Word:
          if (reader_.text() == "then" && branch_follows(Waiting::If)) return true;
          if (reader_.text() == "else" && branch_follows(Waiting::Then)) return true;
          return binary_operator();
        default:
          return binary_operator();
      }
      while (postfix()) {
      }
      if (failed_) return false;
    }
  }

  // At `then` or `else` of a conditional whose part before it is open inside the innermost bracket.
  // Otherwise the word is not ours: in STS `then` also begins a clause.
  bool branch_follows(Waiting before) {
    std::size_t open = stack_.size();
    while (open > 0 && stack_[open - 1].waiting != before) {
      const Entry& entry = stack_[open - 1];
      const bool ends =
          entry.strength > 0 || entry.waiting == Waiting::Body || entry.waiting == Waiting::Else;
      if (!ends) return false;
      --open;
    }
    if (open == 0) return false;
    reduce_to_bracket();
    stack_.back().waiting = before == Waiting::If ? Waiting::Then : Waiting::Else;
    reader_.skip();
    return true;
  }

  bool binary_operator() {
    std::optional<OperatorInfo> info = formula_ != nullptr
                                           ? infix_of_formula(reader_, formula_->names)
                                           : infix_operator(reader_.peek().kind);
    if (info && ends_argument(*info)) return false;
    if (!info) {
      warn_of_letter();
      const auto meant = meant_operator(reader_);
      if (!meant) return false;
      reader_.diagnostics().report(
          "parse-001", reader_.span(),
          fmt::format("{} is no operator here", shown(tree_, reader_.peek())),
          fmt::format("write `{}`", meant->second));
      info = infix_operator(meant->first);
    }
    reduce_while(info->right ? info->strength + 1 : info->strength);
    if (!push({Waiting::Binary, info->kind, info->strength, reader_.index()})) {
      failed_ = true;
      return false;
    }
    for (std::size_t i = 0; i < info->tokens; ++i) reader_.skip();
    return true;
  }

  // An argument of a pattern ends before an operator that joins formulas, outside of brackets.
  [[nodiscard]] bool ends_argument(const OperatorInfo& info) const {
    return formula_ != nullptr && formula_->argument && info.strength < kConditionStrength &&
           std::all_of(stack_.begin(), stack_.end(),
                       [](const Entry& entry) { return entry.strength > 0; });
  }

  // Finishes the operators on top of the stack that bind at least so strongly.
  void reduce_while(int strength) {
    while (!stack_.empty() && stack_.back().strength >= strength && stack_.back().strength > 0) {
      reduce();
    }
  }

  void reduce() {
    const Entry entry = stack_.back();
    stack_.pop_back();
    const SyntaxId right = last();
    SyntaxNode node{entry.kind,  false, entry.begin, tree_.node(right).end, tree_.node(right).first,
                    entry.token, 0};
    if (entry.waiting == Waiting::Binary) {
      const SyntaxId left = tree_.node(right).first - 1;
      node.begin = tree_.node(left).begin;
      node.first = tree_.node(left).first;
      if (chains(entry.kind) && tree_.node(left).kind == entry.kind)
        tree_.edit(left).chained = true;
    }
    tree_.add(node);
  }

  // Everything back to the innermost open bracket, range or first part of a conditional; bodies of
  // quantifiers and last parts of conditionals end here too.
  void reduce_to_bracket() {
    while (!stack_.empty()) {
      const Entry& top = stack_.back();
      if (top.waiting == Waiting::Body) {
        finish_body();
      } else if (top.waiting == Waiting::Else) {
        finish_conditional();
      } else if (top.strength > 0) {
        reduce();
      } else {
        return;
      }
    }
  }

  void finish_body() {
    const Entry entry = stack_.back();
    stack_.pop_back();
    const SyntaxId body = last();
    const SyntaxId bind = entry.bound;
    const SyntaxId id = tree_.add({entry.kind, false, entry.begin, tree_.node(body).end,
                                   tree_.node(bind).first, entry.token, 0});
    tree_.edit(bind).link = id;
  }

  void finish_conditional() {
    const Entry entry = stack_.back();
    stack_.pop_back();
    const SyntaxId otherwise = last();
    const SyntaxId value = tree_.node(otherwise).first - 1;
    const SyntaxId condition = tree_.node(value).first - 1;
    tree_.add({entry.kind, false, entry.begin, tree_.node(otherwise).end,
               tree_.node(condition).first, entry.token, 0});
  }

  bool close(Waiting bracket) {
    reduce_to_bracket();
    if (stack_.empty()) return false;  // not ours
    const Entry entry = stack_.back();
    const bool taken = entry.waiting == Waiting::Taken && bracket == Waiting::Paren;
    if (entry.waiting != bracket && !taken) {
      report_open(entry);
      return false;
    }
    stack_.pop_back();
    if (taken) close_taken(entry);
    if (bracket == Waiting::Index) {
      const SyntaxId index = last();
      const SyntaxId base = tree_.node(index).first - 1;
      tree_.add({SyntaxKind::Index, false, entry.begin, reader_.peek().end, tree_.node(base).first,
                 entry.token, 0});
    }
    reader_.skip();
    return true;
  }

  void close_taken(const Entry& entry) {
    SyntaxNode& argument = tree_.edit(last());
    const std::uint32_t end = reader_.peek().end;
    if (argument.kind == SyntaxKind::AtLabel) {
      argument.kind = SyntaxKind::TakenLabel;
      argument.begin = entry.begin;
      argument.end = end;
      return;
    }
    tree_.add({SyntaxKind::Taken, false, entry.begin, end, argument.first, entry.token, 0});
  }

  bool range_low_done() {
    reduce_to_bracket();
    if (stack_.empty()) return false;
    if (stack_.back().waiting != Waiting::RangeLow) {
      report_open(stack_.back());
      return false;
    }
    stack_.back().waiting = Waiting::RangeHigh;
    reader_.skip();
    return true;
  }

  bool range_done() {
    reduce_to_bracket();
    if (stack_.empty()) return false;
    Entry& entry = stack_.back();
    if (entry.waiting != Waiting::RangeHigh) {
      report_open(entry);
      return false;
    }
    const SyntaxId high = last();
    const SyntaxId low = tree_.node(high).first - 1;
    const Token name = tree_.token(entry.bound);
    const SyntaxNode bind{SyntaxKind::BindRange, false,       name.begin, name.end,
                          tree_.node(low).first, entry.bound, 0};
    entry.bound = tree_.add(bind);
    entry.waiting = Waiting::Body;
    reader_.skip();
    return true;
  }

  // The token at hand does not fit what is still open.
  void report_open(const Entry& entry) {
    failed_ = true;
    const Span opened = tree_.span_of(tree_.token(entry.token));
    const std::string found = shown(tree_, reader_.peek());
    if (reader_.is(TokenKind::Bad)) return;
    switch (entry.waiting) {
      case Waiting::Paren:
      case Waiting::Taken:
      case Waiting::Index: {
        const std::string_view closing = entry.waiting == Waiting::Index ? "`]`" : "`)`";
        reader_.diagnostics()
            .report("parse-005", reader_.span(),
                    fmt::format("expected {} or an operator, found {}", closing, found),
                    fmt::format("close the bracket with {}", closing))
            .related.push_back({opened, "the bracket opens here"});
        return;
      }
      case Waiting::If:
        reader_.report_expected("`then` or an operator", "a conditional is `if c then a else b`");
        return;
      case Waiting::Then:
        reader_.report_expected("`else` or an operator",
                                "a conditional has two values: `if c then a else b`");
        return;
      case Waiting::RangeLow:
        reader_.report_expected("`..`", "a quantifier ranges over `low..high` or an enumeration");
        return;
      default:
        reader_.report_expected("`:`", "the body of a quantifier follows a colon");
        return;
    }
  }

  bool close_all() {
    reduce_to_bracket();
    if (stack_.empty()) return true;
    report_open(stack_.back());
    return false;
  }

  TokenReader& reader_;
  SyntaxTree& tree_;
  StopsExpression stops_;
  const FormulaGrammar* formula_;  // null: no formula
  bool warned_ = false;            // of a letter
  std::vector<Entry> stack_;
  bool failed_ = false;
};

}  // namespace

std::optional<SyntaxId> parse_expression(TokenReader& reader, StopsExpression stops) {
  return ExpressionParser(reader, stops, nullptr).run();
}

std::optional<SyntaxId> parse_formula(TokenReader& reader, StopsExpression stops,
                                      const FormulaGrammar& grammar) {
  return ExpressionParser(reader, stops, &grammar).run();
}

}  // namespace whittle::frontend
