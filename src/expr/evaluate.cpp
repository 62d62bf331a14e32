// SPDX-License-Identifier: Apache-2.0
// A stack machine over compiled terms. A term becomes a slot with the slots of its arguments, so
// that running needs no hash table; a stamp per slot says whether its value belongs to this call.
// Nothing catches undefinedness, so the first undefined subterm ends the call.
//
// A loop (quantifier, filter) puts an element into the slot of its bound symbol, forgets the
// values of the subterms that mention the symbol, and evaluates the body again.
#include "expr/evaluate.h"

#include <algorithm>

#include "base/error.h"

namespace whittle {

Evaluator::Slot Evaluator::compile(Expr root) {
  if (const Slot* slot = slots_.find(root)) return *slot;
  std::vector<std::pair<Expr, std::uint32_t>> work{{root, 0}};
  while (!work.empty()) {
    Expr e = work.back().first;
    auto children = pool_.children(e);
    std::uint32_t next = work.back().second;
    while (next < children.size() && slots_.contains(children[next])) ++next;
    if (next < children.size()) {
      work.back().second = next + 1;
      work.emplace_back(children[next], 0);
      continue;
    }
    work.pop_back();
    if (slots_.contains(e)) continue;
    Code code;
    code.operation = operation(pool_, e);
    code.total = pool_.total(e);
    code.first = static_cast<std::uint32_t>(arguments_.size());
    code.count = static_cast<std::uint32_t>(children.size());
    code.term = e;
    for (Expr child : children) arguments_.push_back(*slots_.find(child));
    slots_.insert(e, static_cast<Slot>(code_.size()));
    code_.push_back(code);
    bool constant = code.operation.op == Op::Const;
    memo_.push_back(constant ? pool_.value(e) : Value());
    stamp_.push_back(constant ? kAlways : 0);
  }
  return *slots_.find(root);
}

Expected<Value, Undefined> Evaluator::operator()(Expr e, const Lookup& lookup) {
  WHITTLE_REQUIRE(lookup_ == nullptr, "the lookup must not call its evaluator");
  Slot root = compile(e);
  if (++call_ == kAlways) {
    for (std::uint32_t& stamp : stamp_) stamp = stamp == kAlways ? kAlways : 0;
    call_ = 1;
  }
  lookup_ = &lookup;
  struct Reset {  // also when the lookup throws
    Evaluator& self;
    ~Reset() {
      self.lookup_ = nullptr;
      self.stack_.clear();
      self.loops_.clear();
      self.undefined_.reset();
    }
  } reset{*this};
  if (!known(root)) stack_.push_back({root, 0});
  while (!stack_.empty() && !undefined_) step();
  if (undefined_) return Unexpected<Undefined>{std::move(*undefined_)};
  return memo_[root];
}

void Evaluator::fail(Slot s, std::string reason) {
  undefined_ = Undefined{code_[s].term, std::move(reason)};
}

void Evaluator::step() {
  Frame& frame = stack_.back();
  const Code& code = code_[frame.slot];
  switch (code.operation.op) {
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return step_lazy(frame, code);
    case Op::Ite:
      return step_ite(frame, code);
    case Op::Forall:
    case Op::Exists:
    case Op::Filter:
      return step_loop(frame, code);
    default:
      return step_strict(frame, code);
  }
}

// The value of a symbol whose arguments are known.
bool Evaluator::look_up(Slot s) {
  const Code& code = code_[s];
  std::vector<Value> arguments;
  if (code.count > 0) {
    arguments.reserve(code.count);
    for (std::uint32_t i = 0; i < code.count; ++i) {
      arguments.push_back(memo_[arguments_[code.first + i]]);
    }
  }
  SymbolId symbol = pool_.symbol_of(code.term);
  auto value = (*lookup_)(symbol, arguments);
  if (!value) {
    fail(s, code.count > 0 ? "a reference to nothing" : "a symbol without a value");
    return false;
  }
  // Callers take arrays from anywhere; comparing them needs the normal form.
  bool plain = !value->is_array() && !value->is_set();
  set(s, plain ? std::move(*value) : pool_.normalized(std::move(*value), code.operation.type));
  return true;
}

void Evaluator::step_strict(Frame& frame, const Code& code) {
  for (; frame.next < code.count; ++frame.next) {
    Slot argument = arguments_[code.first + frame.next];
    if (known(argument)) continue;
    const Code& inner = code_[argument];
    if (inner.operation.op == Op::Apply && inner.count == 0) {
      if (!look_up(argument)) return;
      continue;
    }
    ++frame.next;
    stack_.push_back({argument, 0});
    return;
  }
  Slot slot = frame.slot;
  if (code.operation.op == Op::Apply) {
    if (look_up(slot)) stack_.pop_back();
    return;
  }
  constexpr std::size_t kFew = 8;
  const Value* few[kFew];
  std::vector<const Value*> many;
  std::span<const Value*> pointers(few, std::min<std::size_t>(code.count, kFew));
  if (code.count > kFew) {
    many.resize(code.count);
    pointers = many;
  }
  for (std::uint32_t i = 0; i < code.count; ++i) {
    pointers[i] = &memo_[arguments_[code.first + i]];
  }
  std::string why;
  auto value = apply_operator(pool_, code.operation, pointers, &why);
  if (!value) return fail(slot, std::move(why));
  set(slot, std::move(*value));
  stack_.pop_back();
}

void Evaluator::step_lazy(Frame& frame, const Code& code) {
  // The value of an argument that decides, and what it decides.
  bool implies = code.operation.op == Op::Implies;
  for (;;) {
    if (frame.next > 0) {
      bool value = memo_[arguments_[code.first + frame.next - 1]].as_bool();
      bool last = frame.next == code.count;
      if (implies && !last) value = !value;
      bool stop = code.operation.op == Op::And ? !value : value;
      if (stop || last) {
        set(frame.slot, Value(value));
        stack_.pop_back();
        return;
      }
    }
    Slot argument = arguments_[code.first + frame.next++];
    if (known(argument)) continue;
    stack_.push_back({argument, 0});
    return;
  }
}

void Evaluator::step_ite(Frame& frame, const Code& code) {
  for (;;) {
    if (frame.next == 4) {  // a branch is known
      Slot chosen = arguments_[code.first + (memo_[arguments_[code.first]].as_bool() ? 1 : 2)];
      set(frame.slot, memo_[chosen]);
      stack_.pop_back();
      return;
    }
    Slot wanted = arguments_[code.first];
    if (frame.next == 0) {
      frame.next = 1;
    } else {
      wanted = arguments_[code.first + (memo_[wanted].as_bool() ? 1 : 2)];
      frame.next = 4;
    }
    if (known(wanted)) continue;
    stack_.push_back({wanted, 0});
    return;
  }
}

// next: 0 = evaluate the set, 1 = begin the loop, 2 = the body is evaluated for an element.
void Evaluator::step_loop(Frame& frame, const Code& code) {
  Slot bound = arguments_[code.first];
  Slot set_slot = arguments_[code.first + 1];
  Slot body = arguments_[code.first + 2];
  if (frame.next == 0) {
    frame.next = 1;
    if (!known(set_slot)) {
      stack_.push_back({set_slot, 0});
      return;
    }
  }
  if (frame.next == 1) {
    frame.next = 2;
    Loop loop;
    const auto& elements = memo_[set_slot].as_set().elements;
    loop.elements.assign(elements.begin(), elements.end());
    loop.outer_value = memo_[bound];
    loop.outer_stamp = stamp_[bound];
    loops_.push_back(std::move(loop));
  } else {
    Loop& loop = loops_.back();
    bool holds = memo_[body].as_bool();
    if (code.operation.op == Op::Filter) {
      if (holds) loop.kept.push_back(loop.elements[loop.at]);
    } else if (holds == (code.operation.op == Op::Exists)) {
      loop.decided = true;
    }
    ++loop.at;
  }
  Loop& loop = loops_.back();
  // A body that can be undefined must be looked at for every element.
  bool done = loop.at == loop.elements.size() || (loop.decided && code_[body].total);
  for (Slot s : dependents(code)) {
    if (stamp_[s] != kAlways) stamp_[s] = 0;
  }
  if (done) return finish_loop(code, frame.slot);
  set(bound, loop.elements[loop.at]);
  if (known(body)) return;  // it does not mention the symbol: the next step takes its value
  stack_.push_back({body, 0});
}

void Evaluator::finish_loop(const Code& code, Slot slot) {
  Loop loop = std::move(loops_.back());
  loops_.pop_back();
  Slot bound = arguments_[code.first];
  memo_[bound] = std::move(loop.outer_value);
  stamp_[bound] = loop.outer_stamp;
  if (code.operation.op == Op::Filter) {
    SetValue kept;
    kept.elements.insert(loop.kept.begin(), loop.kept.end());
    set(slot, Value::set(std::move(kept)));
  } else {
    set(slot, Value(loop.decided == (code.operation.op == Op::Exists)));
  }
  stack_.pop_back();
}

const std::vector<Evaluator::Slot>& Evaluator::dependents(const Code& code) {
  auto [entry, is_new] = dependents_.try_emplace(code.term);
  if (!is_new) return entry->second;
  // Arguments have smaller slots than the term, so one pass in the order of slots finds all.
  std::vector<Slot> below;
  ExprMap<bool> seen;
  std::vector<Slot> work{arguments_[code.first], arguments_[code.first + 2]};
  while (!work.empty()) {
    Slot s = work.back();
    work.pop_back();
    if (!seen.insert(code_[s].term, true)) continue;
    below.push_back(s);
    for (std::uint32_t i = 0; i < code_[s].count; ++i)
      work.push_back(arguments_[code_[s].first + i]);
  }
  std::sort(below.begin(), below.end());
  ExprMap<bool> mentions;
  mentions.insert(code_[arguments_[code.first]].term, true);
  for (Slot s : below) {
    const Code& c = code_[s];
    bool found = mentions.contains(c.term);
    for (std::uint32_t i = 0; i < c.count && !found; ++i) {
      found = mentions.contains(code_[arguments_[c.first + i]].term);
    }
    if (!found) continue;
    mentions.insert(c.term, true);
    entry->second.push_back(s);
  }
  return entry->second;
}

}  // namespace whittle
