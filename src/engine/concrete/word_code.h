// SPDX-License-Identifier: Apache-2.0
// Terms over Bool, Int, enumerations and arrays of known length as code for a small stack machine,
// whose values are machine words: thousands of states in the time that one solver call takes.
//
//   WordMachine machine(pool);
//   machine.place(x, 0);  machine.place(a, 1);       // a has 4 cells: words 1 to 4
//   WordCode code;
//   if (machine.compile(term, code)) value = machine.run(code, words);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/expr.h"

namespace whittle {

struct WordInstruction {
  enum class Do : std::uint8_t {
    Push,    // number
    Load,    // the word at `place`
    Cell,    // index -> word of the array of `number` cells from `place` on; 0 outside
    Not,     // a -> !a
    Negate,  // a -> -a
    Equal,   // a b -> a == b
    Less,    // ... and so on
    AtMost,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Jump,         // to `place`
    JumpIfFalse,  // a -> ; to `place` if it was false
    AndThen,      // false: to `place`, keeping it; true: drops it
    OrElse,       // true: to `place`, keeping it; false: drops it
  };
  Do what = Do::Push;
  std::uint32_t place = 0;
  std::int64_t number = 0;
};

using WordCode = std::vector<WordInstruction>;

class WordMachine {
 public:
  explicit WordMachine(ExprPool& pool) : pool_(pool) {}

  // How many words a value of the type takes; 0: it has none.
  [[nodiscard]] std::size_t words_of(Type type) const;
  void place(SymbolId symbol, std::size_t first);

  // False: `problem` says why the term has no code. `code` gets more instructions at its end.
  [[nodiscard]] bool compile(Expr term, WordCode& code);
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] std::int64_t run(const WordCode& code, const std::int64_t* words);
  // Some result since the last call of this did not fit a word.
  [[nodiscard]] bool overflowed() {
    const bool result = overflow_;
    overflow_ = false;
    return result;
  }

 private:
  // What is left to do, in reverse order.
  struct Task {
    enum class Kind : std::uint8_t { Term, Emit, Label } kind = Kind::Term;
    Expr term;
    WordInstruction instruction;
    std::uint32_t label = 0;
  };
  void plan(Expr term);
  void plan_select(Expr array, Expr index);
  void plan_array_equality(Expr left, Expr right);
  void plan_chain(std::span<const Expr> terms, WordInstruction::Do what);
  void plan_lazy(std::span<const Expr> terms, WordInstruction::Do what);
  void then(Expr term) { plan_.push_back({Task::Kind::Term, term, {}, 0}); }
  void then(WordInstruction instruction) {
    plan_.push_back({Task::Kind::Emit, {}, instruction, 0});
  }
  void then_label(std::uint32_t label) { plan_.push_back({Task::Kind::Label, {}, {}, label}); }
  void give_up(std::string reason) {
    if (problem_.empty()) problem_ = std::move(reason);
  }

  static constexpr std::uint32_t kNowhere = UINT32_MAX;
  ExprPool& pool_;
  std::vector<std::uint32_t> places_;  // by symbol
  std::vector<Task> plan_;
  std::vector<std::uint32_t> labels_;  // of the term at hand: instruction
  std::string problem_;
  std::vector<std::int64_t> stack_;
  bool overflow_ = false;
};

}  // namespace whittle
