// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/checkpoint.h"
#include "frontend/c/translator.h"

namespace whittle::c {

// ----- what is collected for the step at hand

void Translator::fault(Fault fault, Expr condition) {
  Expr reached = condition;
  if (!guards_.empty()) reached = pool_->conj(pool_->conj(guards_), reached);
  const Expr ends = reached;
  if (!no_fault_.empty()) reached = pool_->conj(pool_->conj(no_fault_), reached);
  if (pool_->is_false(reached)) return;
  const bool overflow = fault == Fault::Overflow || fault == Fault::Quotient;
  const PropertyKind kind = overflow                   ? PropertyKind::Overflow
                            : fault == Fault::Division ? PropertyKind::Division
                                                       : PropertyKind::Shift;
  const auto id = failure(std::string(to_string(kind)), kind, site_.origin);
  const bool goes_on = fault == Fault::Overflow && options_.overflow.value() == Overflow::Wrap &&
                       specification_.kind != Specification::Kind::Overflow;
  pending_hazards_.push_back({reached, id, goes_on});
  if (!goes_on) no_fault_.push_back(pool_->negate(ends));
}

program::Action Translator::take_action() {
  program::Action result;
  result.inputs = std::exchange(pending_inputs_, {});
  result.assumptions = std::exchange(pending_assumptions_, {});
  result.hazards = std::exchange(pending_hazards_, {});
  for (const auto& [variable, value] : pending_values_)
    if (value != pool_->symbol(network_->variable(variable).current))
      result.values.emplace_back(variable, value);
  pending_values_.clear();
  no_fault_.clear();
  return result;
}

void Translator::flush() {
  program::Action action = take_action();
  if (!action.empty()) code_->step(site_, std::move(action));
}

void Translator::test(Expr condition, Code::Place otherwise) {
  if (pool_->is_true(condition)) return flush();
  if (pool_->is_false(condition)) {
    flush();
    return code_->jump(otherwise);
  }
  code_->branch(site_, condition, otherwise, take_action());
}

// A value that is still needed behind a step.
Number Translator::kept(const Number& value, ExpressionId id) {
  if (pool_->is_const(value.term)) {
    flush();
    return value;
  }
  if (is_recursive(frame_->function)) {
    const VariableId stack = stacked_temporary(id, value.type, value.bits);
    const VariableId level = single_copy(frame_->function).level;
    const Type element = pool_->info(network_->variable(stack).type).element;
    set(stack, pool_->store(now(stack), now(level), stored_as(element, value)));
    flush();
    return arithmetic_.value(pool_->select(now(stack), now(level)), value.type);
  }
  const VariableId variable = temporary(id, value.type, value.bits);
  set(variable, stored(variable, value));
  flush();
  return arithmetic_.value(now(variable), value.type);
}

// ----- what expressions do, without translating them

namespace {

constexpr std::uint8_t kKnown = 1;
constexpr std::uint8_t kActs = 2;
constexpr std::uint8_t kFlows = 4;

}  // namespace

bool Translator::acts(ExpressionId id) {
  if (const auto found = activity_.find(id); found != activity_.end())
    return (found->second & kActs) != 0;
  const Expression& e = unit_.expressions[id];
  std::uint8_t result = kKnown;
  for (const ExpressionId child : {e.a, e.b, e.c}) {
    if (child == kNone) continue;
    if (acts(child)) result |= kActs;
    if (flows(child)) result |= kFlows;
  }
  for (const ExpressionId child : e.list) {
    if (acts(child)) result |= kActs;
    if (flows(child)) result |= kFlows;
  }
  switch (e.kind) {
    case ExpressionKind::Assign:
    case ExpressionKind::Compound:
    case ExpressionKind::Step:
      result |= kActs;
      break;
    case ExpressionKind::Call: {
      result |= kActs;
      const Expression& callee = unit_.expressions[e.a];
      if (callee.kind != ExpressionKind::Function || unit_.functions[callee.ref].defined ||
          e.type == kVoid)
        result |= kFlows;
      break;
    }
    case ExpressionKind::Block:
      result |= kActs | kFlows;
      break;
    case ExpressionKind::And:
    case ExpressionKind::Or:
    case ExpressionKind::Conditional:
      if (flows_itself(id)) result |= kFlows;
      break;
    default:
      break;
  }
  activity_.emplace(id, result);
  return (result & kActs) != 0;
}

bool Translator::flows(ExpressionId id) {
  static_cast<void>(acts(id));
  return (activity_.at(id) & kFlows) != 0;
}

// What compilers compute without a jump: `x > y ? x : y`, `c ? 1 : 0`, `1 ? x : y`.
bool Translator::chooses(const Expression& e) const {
  const auto plain = [&](ExpressionId id) -> const Expression& {
    const Expression* inner = &unit_.expressions[id];
    while (inner->kind == ExpressionKind::Cast && inner->implicit)
      inner = &unit_.expressions[inner->a];
    return *inner;
  };
  if (constants_.value(e.a)) return true;
  if (e.b == kNone) return false;
  const Expression& yes = plain(e.b);
  const Expression& no = plain(e.c);
  const auto is = [](const Expression& x, std::uint64_t value) {
    return x.kind == ExpressionKind::Constant && x.value == value;
  };
  if ((is(yes, 1) && is(no, 0)) || (is(yes, 0) && is(no, 1))) return true;
  const Expression& test = plain(e.a);
  if (test.kind != ExpressionKind::Binary || test.op < Operator::Lt) return false;
  const auto same = [](const Expression& x, const Expression& y) {
    if (x.kind != y.kind) return false;
    return x.kind == ExpressionKind::Object     ? x.ref == y.ref
           : x.kind == ExpressionKind::Constant ? x.value == y.value
                                                : false;
  };
  const Expression& left = plain(test.a);
  const Expression& right = plain(test.b);
  return (same(left, yes) && same(right, no)) || (same(left, no) && same(right, yes));
}

// Is `&&`, `||` or `?:` control flow, or a term?
bool Translator::flows_itself(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  if ((e.b != kNone && acts(e.b)) || (e.c != kNone && acts(e.c))) return true;
  return in_parts() && (e.kind != ExpressionKind::Conditional || !chooses(e));
}

// Of plain variables; about elements of arrays nobody can say whether they are the same.
void Translator::uses(ExpressionId id, Uses& result, bool writing) const {
  const Expression& e = unit_.expressions[id];
  switch (e.kind) {
    case ExpressionKind::Object:
      if (writing)
        result.writes.insert(e.ref);
      else if (unit_.types.is_integer(e.type))
        result.reads.insert(e.ref);
      return;
    case ExpressionKind::Assign:
      uses(e.a, result, true);
      uses(e.b, result);
      return;
    case ExpressionKind::Compound:
    case ExpressionKind::Step:
      uses(e.a, result, true);
      uses(e.a, result);
      if (e.b != kNone) uses(e.b, result);
      return;
    case ExpressionKind::Member:
    case ExpressionKind::Block:
      return;
    default:
      break;
  }
  for (const ExpressionId child : {e.a, e.b, e.c})
    if (child != kNone) uses(child, result);
  for (const ExpressionId child : e.list) uses(child, result);
}

void Translator::check_sequence(const Expression& e, ExpressionId a, ExpressionId b) {
  if (!acts(a) && !acts(b)) return;
  Uses left;
  Uses right;
  uses(a, left);
  uses(b, right);
  const auto meet = [&](const std::set<ObjectId>& x, const std::set<ObjectId>& y) {
    for (const ObjectId object : x)
      if (y.contains(object)) {
        refuse(Refusal::Unsequenced, e.span, unit_.objects[object].name);
        return true;
      }
    return false;
  };
  if (meet(left.writes, right.writes) || meet(left.writes, right.reads)) return;
  meet(right.writes, left.reads);
}

// ----- values

Number Translator::nothing(TypeId type) const {
  return arithmetic_.constant(0, unit_.types.is_integer(type) ? type : static_cast<TypeId>(kInt));
}

Number Translator::refused(Refusal refusal, const Expression& e, std::string_view detail) {
  refuse(refusal, e.span, detail);
  return nothing(e.type);
}

Expr Translator::condition(ExpressionId id) { return arithmetic_.condition(evaluate(id)); }

void Translator::discard(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  const TypeKind kind = unit_.types[e.type].kind;
  if (kind == TypeKind::Integer || kind == TypeKind::Void || acts(id)) evaluate(id);
}

Number Translator::evaluate(ExpressionId id) {
  checkpoint();
  const Expression& e = unit_.expressions[id];
  switch (e.kind) {
    case ExpressionKind::Constant:
      return arithmetic_.constant(value_of(unit_.types, e), e.type);
    case ExpressionKind::String:
      return refused(Refusal::String, e);
    case ExpressionKind::Float:
      return refused(Refusal::Float, e);
    case ExpressionKind::Function:
      return refused(Refusal::FunctionPointer, e);
    case ExpressionKind::Other:
      return refused(static_cast<Refusal>(e.ref), e);
    case ExpressionKind::Literal:
      return refused(Refusal::Struct, e);
    case ExpressionKind::Address:
      return refused(Refusal::Pointer, e);
    case ExpressionKind::Object:
    case ExpressionKind::Member:
    case ExpressionKind::Index:
    case ExpressionKind::Dereference: {
      const auto from = place(id);
      return from ? read(*from, e.span) : nothing(e.type);
    }
    case ExpressionKind::Unary: {
      const Number a = evaluate(e.a);
      if (!unit_.types.is_integer(e.type)) return refused(Refusal::Float, e);
      return arithmetic_.unary(e.op, a, e.type);
    }
    case ExpressionKind::Binary:
      return binary(e);
    case ExpressionKind::And:
    case ExpressionKind::Or:
    case ExpressionKind::Conditional:
      return lazy(id);
    case ExpressionKind::Comma:
      discard(e.a);
      return evaluate(e.b);
    case ExpressionKind::Assign:
      return assignment(e);
    case ExpressionKind::Compound:
      return compound(e);
    case ExpressionKind::Step:
      return step(e);
    case ExpressionKind::Cast:
      return conversion(e);
    case ExpressionKind::Call:
      return call(e, id);
    case ExpressionKind::Block:
      return block(e);
  }
  return nothing(e.type);
}

// Of `(void *)0` and the like: the integer that was made a pointer, if it is as wide as one.
std::optional<ExpressionId> Translator::address_number(ExpressionId id) const {
  const Expression* e = &unit_.expressions[id];
  while (e->kind == ExpressionKind::Cast && unit_.types.is(e->type, TypeKind::Pointer)) {
    const Expression& inner = unit_.expressions[e->a];
    if (unit_.types.is_integer(inner.type)) {
      const auto value = constants_.value(e->a);
      const bool same = unit_.types.width(inner.type) == unit_.types.width(unit_.types.size_type());
      return same || (value && value->sign() >= 0) ? std::optional(e->a) : std::nullopt;
    }
    e = &inner;
  }
  return std::nullopt;
}

Number Translator::conversion(const Expression& e) {
  if (e.type == kVoid) {
    discard(e.a);
    return nothing(kInt);
  }
  const TypeKind from = unit_.types[unit_.expressions[e.a].type].kind;
  const TypeKind to = unit_.types[e.type].kind;
  if (from == TypeKind::Float || to == TypeKind::Float) return refused(Refusal::Float, e);
  if (from != TypeKind::Integer || to != TypeKind::Integer) {
    const ExpressionKind inner = unit_.expressions[e.a].kind;
    if (inner == ExpressionKind::Call || inner == ExpressionKind::String ||
        inner == ExpressionKind::Function)
      return evaluate(e.a);  // which says what is wrong
    if (const auto address = address_number(e.a); address && to == TypeKind::Integer)
      return arithmetic_.convert(evaluate(*address), e.type);
    return refused(Refusal::Pointer, e);
  }
  return arithmetic_.convert(evaluate(e.a), e.type);
}

Number Translator::binary(const Expression& e) {
  const TypeId left = unit_.expressions[e.a].type;
  const TypeId right = unit_.expressions[e.b].type;
  if (!unit_.types.is_integer(left) || !unit_.types.is_integer(right)) {
    const bool real =
        unit_.types.is(left, TypeKind::Float) || unit_.types.is(right, TypeKind::Float);
    return refused(real ? Refusal::Float : Refusal::Pointer, e);
  }
  check_sequence(e, e.a, e.b);
  Number a = evaluate(e.a);
  if (flows(e.b)) a = kept(a, e.a);
  const Number b = evaluate(e.b);
  return arithmetic_.binary(e.op, a, b, e.type);
}

Number Translator::lazy(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  if (flows_itself(id) || !unit_.types.is_integer(e.type)) return lazy_flow(id);
  if (e.kind == ExpressionKind::Conditional && e.b == kNone) {
    const Number a = evaluate(e.a);
    const Expr holds = arithmetic_.condition(a);
    guards_.push_back(pool_->negate(holds));
    const Number other = evaluate(e.c);
    guards_.pop_back();
    return arithmetic_.choose(holds, arithmetic_.convert(a, e.type), other);
  }
  const Expr first = condition(e.a);
  const auto under = [&](Expr guard, ExpressionId inner) {
    guards_.push_back(guard);
    Number result = evaluate(inner);
    guards_.pop_back();
    return result;
  };
  if (e.kind == ExpressionKind::Conditional) {
    const Number yes = under(first, e.b);
    const Number no = under(pool_->negate(first), e.c);
    return arithmetic_.choose(first, yes, no);
  }
  if (e.kind == ExpressionKind::And)
    return arithmetic_.truth(pool_->conj(first, arithmetic_.condition(under(first, e.b))));
  return arithmetic_.truth(
      pool_->disj(first, arithmetic_.condition(under(pool_->negate(first), e.b))));
}

// With steps of its own, as the program's control flow.
Number Translator::lazy_flow(ExpressionId id) {
  const Expression& e = unit_.expressions[id];
  const Code::Place otherwise = code_->place();
  const Code::Place behind = code_->place();
  if (e.kind != ExpressionKind::Conditional) {
    const VariableId result = temporary(id, kInt, false);
    branch(id, otherwise);
    set(result, pool_->integer(1));
    flush();
    code_->jump(behind);
    code_->put(otherwise);
    set(result, pool_->integer(0));
    flush();
    code_->put(behind);
    return arithmetic_.truth(pool_->eq(now(result), pool_->integer(1)));
  }
  std::optional<VariableId> result;
  const auto side = [&](ExpressionId inner) {
    if (!unit_.types.is_integer(e.type)) {
      discard(inner);
    } else {
      const Number value = arithmetic_.convert(evaluate(inner), e.type);
      if (!result) result = temporary(id, e.type, value.bits);
      set(*result, stored(*result, value));
    }
    flush();
  };
  if (e.b == kNone) {
    const Number value = kept(evaluate(e.a), e.a);
    test(arithmetic_.condition(value), otherwise);
    result = temporary(id, e.type, value.bits);
    set(*result, stored(*result, arithmetic_.convert(value, e.type)));
    flush();
  } else {
    branch(e.a, otherwise);
    side(e.b);
  }
  code_->jump(behind);
  code_->put(otherwise);
  side(e.c);
  code_->put(behind);
  return result ? arithmetic_.value(now(*result), e.type) : nothing(e.type);
}

// What decides a condition: not a conversion of a truth value, nor `!= 0` behind one.
ExpressionId Translator::decisive(ExpressionId id) const {
  const auto is_truth = [&](ExpressionId inner) {
    const Expression& e = unit_.expressions[inner];
    return e.kind == ExpressionKind::And || e.kind == ExpressionKind::Or ||
           (e.kind == ExpressionKind::Unary && e.op == Operator::Not) ||
           (e.kind == ExpressionKind::Binary && e.op >= Operator::Eq) ||
           (e.kind == ExpressionKind::Cast && e.type == kBool);
  };
  while (in_parts()) {
    const Expression& e = unit_.expressions[id];
    const bool zero = e.kind == ExpressionKind::Binary && e.op == Operator::Ne &&
                      constants_.value(e.b) == std::optional<Integer>(0);
    const bool cast = e.kind == ExpressionKind::Cast && unit_.types.is_integer(e.type) &&
                      unit_.types.is_integer(unit_.expressions[e.a].type);
    ExpressionId inner = e.a;
    while (zero && unit_.expressions[inner].kind == ExpressionKind::Cast &&
           unit_.expressions[inner].implicit)
      inner = unit_.expressions[inner].a;
    if (!(zero || cast) || !is_truth(inner)) break;
    id = inner;
  }
  return id;
}

void Translator::branch(ExpressionId id, Code::Place otherwise) {
  id = decisive(id);
  const Expression& e = unit_.expressions[id];
  if (e.kind == ExpressionKind::And && flows_itself(id)) {
    branch(e.a, otherwise);
    branch(e.b, otherwise);
  } else if (e.kind == ExpressionKind::Or && flows_itself(id)) {
    const Code::Place yes = code_->place();
    branch_negated(e.a, yes);
    branch(e.b, otherwise);
    code_->put(yes);
  } else if (e.kind == ExpressionKind::Unary && e.op == Operator::Not) {
    branch_negated(e.a, otherwise);
  } else {
    const Expr holds = condition(id);
    test_of(id, holds, otherwise);
  }
}

// Goes on where it is false.
void Translator::branch_negated(ExpressionId id, Code::Place otherwise) {
  id = decisive(id);
  const Expression& e = unit_.expressions[id];
  if (e.kind == ExpressionKind::And && flows_itself(id)) {
    const Code::Place no = code_->place();
    branch(e.a, no);
    branch_negated(e.b, otherwise);
    code_->put(no);
  } else if (e.kind == ExpressionKind::Or && flows_itself(id)) {
    branch_negated(e.a, otherwise);
    branch_negated(e.b, otherwise);
  } else if (e.kind == ExpressionKind::Unary && e.op == Operator::Not) {
    branch(e.a, otherwise);
  } else {
    const Expr fails = pool_->negate(condition(id));
    test_of(id, fails, otherwise, true);
  }
}

// Where each part is a step, it stands where it is written.
void Translator::test_of(ExpressionId id, Expr condition, Code::Place otherwise, bool negated) {
  const Site outer = site_;
  if (in_parts()) site_ = site(unit_.expressions[id].span);
  if (in_parts() && negated) site_.text = "!(" + site_.text + ")";
  test(condition, otherwise);
  site_ = outer;
}

// ----- assignments

// A pointer that stands for nothing: wherever its value matters, the program is refused.
bool Translator::unfollowed(ExpressionId id) const {
  const Expression& e = unit_.expressions[id];
  return e.kind == ExpressionKind::Object && unit_.types.is(e.type, TypeKind::Pointer) &&
         !unit_.objects[e.ref].is_volatile && !frame_->bound.contains(e.ref);
}

Number Translator::assignment(const Expression& e) {
  check_sequence(e, e.a, e.b);
  if (acts(e.b) && unit_.expressions[e.a].kind == ExpressionKind::Object) {
    Uses inside;
    uses(e.b, inside);
    if (inside.writes.contains(unit_.expressions[e.a].ref))
      refuse(Refusal::Unsequenced, e.span, unit_.objects[unit_.expressions[e.a].ref].name);
  }
  if (unit_.types.is(e.type, TypeKind::Struct)) {
    const auto to = place(e.a);
    const auto from = to ? place(e.b) : std::nullopt;
    if (from) copy(*to, *from, e.span);
    return nothing(e.type);
  }
  if (!unit_.types.is_integer(e.type)) {
    if (acts(e.b)) discard(e.b);
    if (unfollowed(e.a)) return nothing(e.type);
    if (const auto to = place(e.a)) static_cast<void>(read(*to, e.span));
    return nothing(e.type);
  }
  auto to = place(e.a);
  if (to && flows(e.b))
    for (Expr& index : to->indices)
      if (!pool_->is_const(index))
        index = arithmetic_.as_int(
            kept({index, kLongLong, unit_.types.least(kLongLong), unit_.types.greatest(kLongLong)},
                 e.a));
  const bool outer = std::exchange(want_bits_, to && bits_->bits(to->object) && e.type != kBool);
  Number value = arithmetic_.settled(evaluate(e.b));
  want_bits_ = outer;
  if (!to) return value;
  write(*to, value, e.span);
  return read(*to, e.span);
}

Number Translator::compound(const Expression& e) {
  check_sequence(e, e.a, e.b);
  if (!unit_.types.is_integer(e.type) || !unit_.types.is_integer(unit_.expressions[e.b].type))
    return refused(unit_.types.is(e.type, TypeKind::Pointer) ? Refusal::Pointer : Refusal::Float,
                   e);
  const auto to = place(e.a);
  if (!to) return nothing(e.type);
  // As compilers do it: a call on the right comes first.
  const auto constant = [&](Expr index) { return pool_->is_const(index); };
  if (flows(e.b) && !std::all_of(to->indices.begin(), to->indices.end(), constant))
    return refused(Refusal::Unsequenced, e);
  const bool outer = std::exchange(want_bits_, bits_->bits(to->object) && e.type != kBool);
  const Number value = evaluate(e.b);
  want_bits_ = outer;
  const Number old = arithmetic_.convert(read(*to, e.span), e.other);
  const Number result = arithmetic_.settled(
      arithmetic_.convert(arithmetic_.binary(e.op, old, value, e.other), e.type));
  write(*to, result, e.span);
  return read(*to, e.span);
}

Number Translator::step(const Expression& e) {
  if (!unit_.types.is_integer(e.type))
    return refused(unit_.types.is(e.type, TypeKind::Pointer) ? Refusal::Pointer : Refusal::Float,
                   e);
  const auto to = place(e.a);
  if (!to) return nothing(e.type);
  const Number old = read(*to, e.span);
  const Number result = arithmetic_.settled(
      arithmetic_.convert(arithmetic_.binary(e.op, arithmetic_.convert(old, e.other),
                                             arithmetic_.constant(1, e.other), e.other),
                          e.type));
  write(*to, result, e.span);
  return e.prefix ? read(*to, e.span) : old;
}

// A statement expression: the value of its last statement.
Number Translator::block(const Expression& e) {
  flush();
  const Statement& s = unit_.statements[e.ref];
  const Site outer = site_;
  Number result = nothing(e.type);
  for (std::size_t i = 0; i < s.list.size(); ++i) {
    const Statement& inner = unit_.statements[s.list[i]];
    const bool last = i + 1 == s.list.size() && inner.kind == StatementKind::Expression;
    if (last && unit_.types.is_integer(e.type))
      result = evaluate(inner.expression);
    else
      statement(s.list[i]);
  }
  site_ = outer;
  return result;
}

}  // namespace whittle::c
