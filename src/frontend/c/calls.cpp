// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/c/translator.h"

namespace whittle::c {

namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_error(std::string_view name) { return name == "__VERIFIER_error" || name == "reach_error"; }

constexpr std::array<std::string_view, 6> kEnds = {
    "abort", "exit", "_exit", "_Exit", "__builtin_trap", "__builtin_unreachable"};
constexpr std::array<std::string_view, 9> kPrints = {
    "printf", "puts", "putchar", "fprintf", "fflush", "perror", "fputs", "vprintf", "putc"};
constexpr std::array<std::string_view, 8> kHeap = {
    "malloc", "calloc", "realloc", "alloca", "free", "memcpy", "__builtin_alloca", "kmalloc"};
constexpr std::array<std::string_view, 4> kAtomic = {
    "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "srand", "__VERIFIER_silent"};
constexpr std::array<std::string_view, 2> kAssumes = {"__VERIFIER_assume", "assume_abort_if_not"};

bool is_nondeterministic(std::string_view name) {
  return name.starts_with("__VERIFIER_nondet") || name.starts_with("nondet");
}

bool is_thread(std::string_view name) {
  return name.starts_with("pthread_") || name.starts_with("sem_");
}

}  // namespace

Number Translator::call(const Expression& e, ExpressionId) {
  const Expression& callee = unit_.expressions[e.a];
  if (callee.kind != ExpressionKind::Function) {
    for (const ExpressionId argument : e.list) discard(argument);
    return refused(Refusal::FunctionPointer, e);
  }
  const Function& function = unit_.functions[callee.ref];
  for (std::size_t i = 0; i < e.list.size(); ++i)
    for (std::size_t j = i + 1; j < e.list.size(); ++j) check_sequence(e, e.list[i], e.list[j]);
  if (auto known = built_in(function, e)) return *known;
  if (function.defined) return enter(callee.ref, e);
  return external(function, e);
}

void Translator::evaluate_arguments(const Expression& e) {
  for (const ExpressionId argument : e.list)
    if (acts(argument)) discard(argument);
}

// What has a meaning of its own, wherever it is defined.
std::optional<Number> Translator::built_in(const Function& function, const Expression& e) {
  const std::string_view name = function.name;
  using Kind = Specification::Kind;
  if (is_error(name) || (specification_.kind == Kind::Calls && name == specification_.name)) {
    evaluate_arguments(e);
    flush();
    code_->fail(site_, failure_at("error", e.span, true));
    return nothing(e.type);
  }
  const bool assumes = is_one_of(name, kAssumes) && !e.list.empty();
  const bool asserts = (name == "assert" || name == "__VERIFIER_assert") && !e.list.empty();
  if (assumes && (!function.defined || name == "__VERIFIER_assume")) {
    const Expr c = condition(e.list[0]);
    code_->assume(site_, c, take_action());
    return nothing(e.type);
  }
  if (function.defined) return std::nullopt;
  // What a header declares has the place of its `#include`; there it is a macro with a branch.
  if (asserts && in_parts() && source_.text().substr(function.span.begin, 1) == "#") {
    const Code::Place wrong = code_->place();
    const Code::Place behind = code_->place();
    branch(e.list[0], wrong);
    code_->jump(behind);
    code_->put(wrong);
    code_->fail(site_, failure_at("assert", e.span, false));
    code_->put(behind);
    return nothing(e.type);
  }
  if (asserts) {
    const Expr c = condition(e.list[0]);
    Expr wrong = pool_->negate(c);
    if (!no_fault_.empty()) wrong = pool_->conj(pool_->conj(no_fault_), wrong);
    pending_hazards_.push_back({wrong, failure_at("assert", e.span, false)});
    code_->assume(site_, c, take_action());
    return nothing(e.type);
  }
  if (name == "__assert_fail" || name == "__assert") {
    flush();
    code_->fail(site_, failure_at("assert", e.span, false));
    return nothing(e.type);
  }
  if (is_one_of(name, kEnds)) {
    evaluate_arguments(e);
    flush();
    code_->end(site_);
    return nothing(e.type);
  }
  if (name == "__builtin_expect" && !e.list.empty()) return evaluate(e.list[0]);
  if (is_one_of(name, kAtomic)) {
    evaluate_arguments(e);
    return nothing(e.type);
  }
  if (is_one_of(name, kPrints)) {
    evaluate_arguments(e);
    return e.type == kVoid ? nothing(e.type) : input(kInt, "printed");
  }
  if (is_one_of(name, kHeap)) return refused(Refusal::Heap, e, name);
  if (is_thread(name)) return refused(Refusal::Thread, e, name);
  return std::nullopt;
}

// Some value of the type.
Number Translator::input(TypeId type, std::string name) {
  const bool bits = want_bits_ && type != kBool;
  const Type t = bits ? pool_->bit_vector_type(unit_.types.width(type)) : Type::integer();
  program::Action::Input result{pool_->declare("value", t), t, {}, {}, std::move(name)};
  if (!bits) {
    result.least = pool_->integer(unit_.types.least(type));
    result.greatest = pool_->integer(unit_.types.greatest(type));
  }
  pending_inputs_.push_back(result);
  return arithmetic_.value(pool_->symbol(result.symbol), type);
}

// A function that we only know the declaration of may give anything and changes nothing here.
Number Translator::external(const Function& function, const Expression& e) {
  for (const ExpressionId argument : e.list)
    if (!unit_.types.is_integer(unit_.expressions[argument].type))
      return refused(unit_.types.is(unit_.expressions[argument].type, TypeKind::Float)
                         ? Refusal::Float
                         : Refusal::External,
                     e, function.name);
  evaluate_arguments(e);
  const bool nondeterministic = is_nondeterministic(function.name);
  if (e.type != kVoid && !unit_.types.is_integer(e.type))
    return refused(unit_.types.is(e.type, TypeKind::Float) ? Refusal::Float : Refusal::External, e,
                   function.name);
  if (!nondeterministic)
    warn("c-020", e.span,
         fmt::format("`{}` is not defined: it changes nothing here and may return anything",
                     function.name),
         "define it if that is not what it does");
  outside_->insert_or_assign(function.name, e.type == kVoid ? "void" : unit_.types.text(e.type));
  return e.type == kVoid ? nothing(e.type) : input(e.type);
}

// ----- functions of the program

// Is it clear which variable or array the pointer points to?
bool Translator::bindable(ExpressionId argument) const {
  const Expression& e = unit_.expressions[argument];
  switch (e.kind) {
    case ExpressionKind::Cast:
      return e.implicit && unit_.types.is(unit_.expressions[e.a].type, TypeKind::Array) &&
             unit_.expressions[e.a].kind != ExpressionKind::String;
    case ExpressionKind::Address:
      return unit_.expressions[e.a].kind != ExpressionKind::Function;
    case ExpressionKind::Object:
      return frame_->bound.contains(e.ref);
    default:
      return false;
  }
}

void Translator::bind(Frame& inner, ObjectId parameter, ExpressionId argument) {
  if (!bindable(argument)) {
    if (acts(argument)) discard(argument);
    return;  // refused where it is used
  }
  const Expression& e = unit_.expressions[argument];
  if (e.kind == ExpressionKind::Object) {
    inner.bound[parameter] = frame_->bound.at(e.ref);
    return;
  }
  bool whole_array = false;
  auto target = target_of(argument, whole_array);
  if (!target) return;
  for (Expr& index : target->indices) {
    if (pool_->is_const(index)) continue;
    index = arithmetic_.as_int(
        kept({index, kLongLong, unit_.types.least(kLongLong), unit_.types.greatest(kLongLong)},
             argument));
  }
  inner.bound[parameter] = std::move(*target);
}

Number Translator::enter(FunctionId id, const Expression& e) {
  const Function& function = unit_.functions[id];
  const TypeId type = unit_.types[function.type].target;
  const auto again = std::find(calls_.begin(), calls_.end(), id);
  const bool single = has_single_copy(id);
  if ((again != calls_.end() && !single) || calls_.size() >= kMaxCalls)
    return refused(Refusal::Recursion, e, function.name);
  if (unit_.types[function.type].variadic) return refused(Refusal::Variadic, e, function.name);
  Frame inner;
  inner.function = id;
  std::vector<std::pair<ObjectId, Number>> values;
  for (std::size_t i = 0; i < e.list.size(); ++i) {
    if (i >= function.parameters.size()) {
      discard(e.list[i]);
      continue;
    }
    const ObjectId parameter = function.parameters[i];
    const TypeId wanted = unit_.objects[parameter].type;
    if (unit_.types.is(wanted, TypeKind::Pointer)) {
      if (!single)
        bind(inner, parameter, e.list[i]);
      else if (acts(e.list[i]))
        discard(e.list[i]);
      continue;
    }
    if (!unit_.types.is_integer(wanted) ||
        !unit_.types.is_integer(unit_.expressions[e.list[i]].type)) {
      refuse(unit_.types.is(wanted, TypeKind::Float) ? Refusal::Float : Refusal::Struct, e.span);
      continue;
    }
    const bool outer = std::exchange(want_bits_, bits_->bits(parameter));
    Number value = arithmetic_.settled(arithmetic_.convert(evaluate(e.list[i]), wanted));
    want_bits_ = outer;
    const bool more = std::any_of(e.list.begin() + static_cast<std::ptrdiff_t>(i) + 1, e.list.end(),
                                  [&](ExpressionId a) { return flows(a); });
    if (more) value = kept(value, e.list[i]);
    values.emplace_back(parameter, value);
  }
  if (single) return enter_single_copy(id, e, values);
  const Site outer_site = site_;
  Site call_site = site(e.span);
  for (const auto& [parameter, value] : values) {
    Place place;
    place.object = parameter;
    place.type = unit_.objects[parameter].type;
    write(place, value, e.span);
  }
  site_ = std::move(call_site);
  flush();
  inner.exit = code_->place();
  Frame* outer = std::exchange(frame_, &inner);
  calls_.push_back(id);
  body(id);
  calls_.pop_back();
  frame_ = outer;
  site_ = outer_site;
  code_->put(inner.exit);
  if (!unit_.types.is_integer(type)) {
    if (type != kVoid && !unit_.types.is(type, TypeKind::Void))
      return refused(unit_.types.is(type, TypeKind::Float) ? Refusal::Float : Refusal::Pointer, e);
    return nothing(kInt);
  }
  return arithmetic_.value(now(result_variable(id)), type);
}

void Translator::body(FunctionId id) {
  const Function& function = unit_.functions[id];
  collect_labels(function.body);
  frame_->in_loop = !frame_->labels.empty() || id != calls_.front() || calls_.size() > 1;
  statement(function.body);
}

}  // namespace whittle::c
