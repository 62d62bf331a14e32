// SPDX-License-Identifier: Apache-2.0
#include "engine/concrete/word_code.h"

#include <optional>

namespace whittle {

namespace {

using Do = WordInstruction::Do;

constexpr std::size_t kMaxCode = 1'000'000;  // instructions of one term
constexpr std::uint64_t kMaxCells = 4096;

bool is_word(TypeKind kind) {
  return kind == TypeKind::Bool || kind == TypeKind::Int || kind == TypeKind::Enum;
}

std::optional<std::int64_t> word_of(const Value& value) {
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  if (value.is_enum()) return value.as_enum().index;
  if (value.is_integer()) return value.as_integer().to_int64();
  return std::nullopt;
}

}  // namespace

std::size_t WordMachine::words_of(Type type) const {
  const TypeInfo& info = pool_.info(type);
  if (is_word(info.kind)) return 1;
  const bool array = info.kind == TypeKind::Array && info.length && *info.length <= kMaxCells &&
                     pool_.kind(info.index) == TypeKind::Int && is_word(pool_.kind(info.element));
  return array ? static_cast<std::size_t>(*info.length) : 0;
}

void WordMachine::place(SymbolId symbol, std::size_t first) {
  if (symbol.index() >= places_.size()) places_.resize(symbol.index() + 1, kNowhere);
  places_[symbol.index()] = static_cast<std::uint32_t>(first);
}

bool WordMachine::compile(Expr root, WordCode& code) {
  problem_.clear();
  labels_.clear();
  const std::size_t begin = code.size();
  std::vector<Task> work = {{Task::Kind::Term, root, {}, 0}};
  while (!work.empty() && problem_.empty()) {
    const Task task = work.back();
    work.pop_back();
    switch (task.kind) {
      case Task::Kind::Emit:
        code.push_back(task.instruction);
        break;
      case Task::Kind::Label:
        labels_[task.label] = static_cast<std::uint32_t>(code.size());
        break;
      case Task::Kind::Term:
        plan_.clear();
        plan(task.term);
        work.insert(work.end(), plan_.rbegin(), plan_.rend());
        break;
    }
    if (code.size() + work.size() > kMaxCode) give_up("a term is too large for a search by states");
  }
  if (!problem_.empty()) return false;
  for (std::size_t i = begin; i < code.size(); ++i) {
    switch (code[i].what) {
      case Do::Jump:
      case Do::JumpIfFalse:
      case Do::AndThen:
      case Do::OrElse:
        code[i].place = labels_[code[i].place];
        break;
      default:
        break;
    }
  }
  if (code.size() + 1 > stack_.size()) stack_.resize(code.size() + 1);
  return true;
}

void WordMachine::plan(Expr e) {
  const auto found = pool_.children(e);
  const std::vector<Expr> children(found.begin(), found.end());  // the pool may grow
  switch (pool_.op(e)) {
    case Op::Const: {
      const auto word = word_of(pool_.value(e));
      if (!word) return give_up("a constant that is no machine word");
      return then({Do::Push, 0, *word});
    }
    case Op::Apply: {
      const std::size_t symbol = pool_.symbol_of(e).index();
      if (!children.empty() || symbol >= places_.size() || places_[symbol] == kNowhere)
        return give_up(std::string(pool_.info(pool_.symbol_of(e)).name) + " is not known");
      return then({Do::Load, places_[symbol], 0});
    }
    case Op::Not:
      then(children[0]);
      return then({Do::Not, 0, 0});
    case Op::Neg:
      then(children[0]);
      return then({Do::Negate, 0, 0});
    case Op::And:
      return plan_lazy(children, Do::AndThen);
    case Op::Or:
      return plan_lazy(children, Do::OrElse);
    case Op::Implies: {
      const Expr parts[] = {pool_.negate(children[0]), children[1]};
      return plan_lazy(parts, Do::OrElse);
    }
    case Op::Ite: {
      const auto otherwise = static_cast<std::uint32_t>(labels_.size());
      const std::uint32_t end = otherwise + 1;
      labels_.resize(labels_.size() + 2);
      then(children[0]);
      then({Do::JumpIfFalse, otherwise, 0});
      then(children[1]);
      then({Do::Jump, end, 0});
      then_label(otherwise);
      then(children[2]);
      return then_label(end);
    }
    case Op::Eq:
      if (pool_.kind(pool_.type(children[0])) == TypeKind::Array)
        return plan_array_equality(children[0], children[1]);
      return plan_chain(children, Do::Equal);
    case Op::Lt:
      return plan_chain(children, Do::Less);
    case Op::Le:
      return plan_chain(children, Do::AtMost);
    case Op::Add:
      return plan_chain(children, Do::Add);
    case Op::Sub:
      return plan_chain(children, Do::Subtract);
    case Op::Mul:
      return plan_chain(children, Do::Multiply);
    case Op::IDiv:
      return plan_chain(children, Do::Divide);
    case Op::Mod:
      return plan_chain(children, Do::Remainder);
    case Op::Select:
      return plan_select(children[0], children[1]);
    default:
      return give_up("an operator that the search by states does not have");
  }
}

void WordMachine::plan_chain(std::span<const Expr> terms, Do what) {
  if (!is_word(pool_.kind(pool_.type(terms[0]))))
    return give_up("values that are no whole numbers");
  then(terms[0]);
  for (Expr term : terms.subspan(1)) {
    then(term);
    then({what, 0, 0});
  }
}

void WordMachine::plan_lazy(std::span<const Expr> terms, Do what) {
  const auto end = static_cast<std::uint32_t>(labels_.size());
  labels_.push_back(0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i > 0) then({what, end, 0});
    then(terms[i]);
  }
  then_label(end);
}

// store(a, i, x)[j] is  i == j ? x : a[j];  (c ? a : b)[j] is  c ? a[j] : b[j]
void WordMachine::plan_select(Expr array, Expr index) {
  switch (pool_.op(array)) {
    case Op::Store: {
      const Expr rest = pool_.select(pool_.child(array, 0), index);
      return then(pool_.ite(pool_.eq(pool_.child(array, 1), index), pool_.child(array, 2), rest));
    }
    case Op::Ite: {
      const Expr condition = pool_.child(array, 0);
      const Expr yes = pool_.select(pool_.child(array, 1), index);
      const Expr no = pool_.select(pool_.child(array, 2), index);
      return then(pool_.ite(condition, yes, no));
    }
    case Op::ConstArray:
      return then(pool_.child(array, 0));
    case Op::Const: {
      const ArrayValue value = pool_.value(array).as_array();
      const TypeInfo info = pool_.info(pool_.type(array));
      Expr result = pool_.constant(value.otherwise, info.element);
      for (const auto& [place, element] : value.entries) {
        const Expr here = pool_.eq(index, pool_.constant(place, info.index));
        result = pool_.ite(here, pool_.constant(element, info.element), result);
      }
      return then(result);
    }
    case Op::Apply: {
      const SymbolId symbol = pool_.symbol_of(array);
      const std::size_t cells = words_of(pool_.type(array));
      if (cells == 0 || !pool_.children(array).empty() || symbol.index() >= places_.size() ||
          places_[symbol.index()] == kNowhere)
        return give_up(std::string(pool_.info(symbol).name) + " has no known cells");
      then(index);
      return then({Do::Cell, places_[symbol.index()], static_cast<std::int64_t>(cells)});
    }
    default:
      return give_up("an array that the search by states does not have");
  }
}

void WordMachine::plan_array_equality(Expr left, Expr right) {
  const std::size_t cells = words_of(pool_.type(left));
  if (cells == 0) return give_up("an array without a known length");
  std::vector<Expr> all;
  for (std::size_t i = 0; i < cells; ++i) {
    const Expr index = pool_.integer(Integer(static_cast<unsigned long>(i)));
    all.push_back(pool_.eq(pool_.select(left, index), pool_.select(right, index)));
  }
  then(pool_.conj(all));
}

std::int64_t WordMachine::run(const WordCode& code, const std::int64_t* words) {
  std::int64_t* top = stack_.data();  // one above the last
  const WordInstruction* const begin = code.data();
  const WordInstruction* const end = begin + code.size();
  for (const WordInstruction* at = begin; at != end; ++at) {
    switch (at->what) {
      case Do::Push:
        *top++ = at->number;
        break;
      case Do::Load:
        *top++ = words[at->place];
        break;
      case Do::Cell: {
        const std::int64_t index = top[-1];
        top[-1] = index >= 0 && index < at->number ? words[at->place + index] : 0;
        break;
      }
      case Do::Not:
        top[-1] = top[-1] == 0 ? 1 : 0;
        break;
      case Do::Negate:
        overflow_ |= __builtin_sub_overflow(std::int64_t{0}, top[-1], &top[-1]);
        break;
      case Do::Equal:
        --top;
        top[-1] = top[-1] == top[0] ? 1 : 0;
        break;
      case Do::Less:
        --top;
        top[-1] = top[-1] < top[0] ? 1 : 0;
        break;
      case Do::AtMost:
        --top;
        top[-1] = top[-1] <= top[0] ? 1 : 0;
        break;
      case Do::Add:
        --top;
        overflow_ |= __builtin_add_overflow(top[-1], top[0], &top[-1]);
        break;
      case Do::Subtract:
        --top;
        overflow_ |= __builtin_sub_overflow(top[-1], top[0], &top[-1]);
        break;
      case Do::Multiply:
        --top;
        overflow_ |= __builtin_mul_overflow(top[-1], top[0], &top[-1]);
        break;
      case Do::Divide:
      case Do::Remainder: {
        // Euclidean: the remainder is never negative. By zero it does not matter: accesses are
        // guarded.
        --top;
        const std::int64_t a = top[-1];
        const std::int64_t b = top[0];
        if (b == 0 || b == -1) {
          const bool divide = at->what == Do::Divide && b == -1;
          overflow_ |= divide && __builtin_sub_overflow(std::int64_t{0}, a, &top[-1]);
          if (!divide) top[-1] = 0;
          break;
        }
        std::int64_t quotient = a / b;
        std::int64_t rest = a % b;
        if (rest < 0) {
          rest += b > 0 ? b : -b;
          quotient += b > 0 ? -1 : 1;
        }
        top[-1] = at->what == Do::Divide ? quotient : rest;
        break;
      }
      case Do::Jump:
        at = begin + at->place - 1;
        break;
      case Do::JumpIfFalse:
        if (*--top == 0) at = begin + at->place - 1;
        break;
      case Do::AndThen:
        if (top[-1] == 0)
          at = begin + at->place - 1;
        else
          --top;
        break;
      case Do::OrElse:
        if (top[-1] != 0)
          at = begin + at->place - 1;
        else
          --top;
        break;
    }
  }
  return top[-1];
}

}  // namespace whittle
