// SPDX-License-Identifier: Apache-2.0
// Functions that call themselves have one copy. Their variables are arrays with a value for each
// activation, `f::level` says which one is at work, and `f::caller` where each returns to. There is
// room for --c-recursion activations; a run that needs more ends, and shows nothing.
//
// In programs that would become too large, functions that are called from several places have one
// copy, too. Of these only one activation at a time has values.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/c/call_graph.h"
#include "frontend/c/translator.h"

namespace whittle::c {

// `main` has an activation of its own. What a pointer parameter stands for differs from call to
// call.
void Translator::choose_copies(FunctionId main) {
  copies_.assign(unit_.functions.size(), Copies::PerCall);
  const std::vector<char> recursive = recursive_functions(unit_, main);
  const std::vector<unsigned> sites = call_sites(unit_, main);
  for (FunctionId id = 0; id < unit_.functions.size(); ++id) {
    if (id == main) continue;
    const auto& parameters = unit_.functions[id].parameters;
    const bool plain = std::none_of(parameters.begin(), parameters.end(), [&](ObjectId p) {
      return unit_.types.is(unit_.objects[p].type, TypeKind::Pointer);
    });
    if (recursive[id] != 0 && depth() > 0)
      copies_[id] = Copies::Recursive;
    else if (recursive[id] == 0 && sharing_ == Calls::Shared && plain && sites[id] > 1)
      copies_[id] = Copies::Shared;
  }
}

std::optional<Expr> Translator::level_of(const Object& object) {
  if (object.function == kNone || object.keeps || !is_recursive(object.function))
    return std::nullopt;
  return now(single_copy(object.function).level);
}

Translator::SingleCopy& Translator::single_copy(FunctionId id) {
  const auto [entry, fresh] = single_copies_.try_emplace(id);
  SingleCopy& result = entry->second;
  if (!fresh) return result;
  to_translate_.push_back(id);
  const Function& function = unit_.functions[id];
  result.entry = code_->place();
  result.exit = code_->place();
  const Type callers = is_recursive(id)
                           ? pool_->array_type(Type::integer(), Type::integer(), depth())
                           : Type::integer();
  result.caller = network_->add_variable(fmt::format("{}::caller", function.name), callers, main_,
                                         function.span);
  network_->variable(result.caller).initial =
      is_recursive(id) ? pool_->const_array(callers, pool_->integer(0)) : pool_->integer(0);
  if (!is_recursive(id)) return result;
  result.level = network_->add_variable(fmt::format("{}::level", function.name), Type::integer(),
                                        main_, function.span);
  network_->variable(result.level).initial = pool_->integer(-1);
  const Expr level = pool_->symbol(
      network_->of_instance(network_->instances_of(universe_, main_).front(), result.level));
  auto& believed = network_->universe(universe_).believed;
  believed.push_back(pool_->le(pool_->integer(-1), level));
  believed.push_back(pool_->lt(level, pool_->integer(static_cast<unsigned long>(depth()))));
  return result;
}

// The number of the next activation; a run for which there is no room ends.
Expr Translator::next_level(const SingleCopy& copy, Span span) {
  const Expr next = pool_->add(now(copy.level), pool_->integer(1));
  if (!too_deep_.valid())
    too_deep_ = failures_.add(
        program::no_room_name(fmt::format(
            "calls are nested deeper than {}; --c-recursion says how deep they may be", depth())),
        PropertyKind::Assert, span);
  const Expr deep = pool_->le(pool_->integer(static_cast<unsigned long>(depth())), next);
  pending_hazards_.push_back(
      {no_fault_.empty() ? deep : pool_->conj(pool_->conj(no_fault_), deep), too_deep_, false});
  no_fault_.push_back(pool_->negate(deep));
  return next;
}

// A call: the next activation begins, with these values of its parameters.
Number Translator::enter_single_copy(FunctionId id, const Expression& e,
                                     const std::vector<std::pair<ObjectId, Number>>& values) {
  const Function& function = unit_.functions[id];
  const TypeId type = unit_.types[function.type].target;
  const Site outer_site = site_;
  Site call_site = site(e.span);
  SingleCopy& copy = single_copy(id);
  const Expr number = pool_->integer(static_cast<unsigned long>(copy.returns.size()));
  Expr next;
  if (is_recursive(id)) next = next_level(copy, function.span);
  for (const auto& [parameter, value] : values) {
    Place place;
    place.object = parameter;
    place.type = unit_.objects[parameter].type;
    if (next.valid()) {
      place.indices = {next};
      place.lengths = {depth()};
    }
    write(place, value, e.span);
  }
  if (next.valid()) set(copy.level, next);
  set(copy.caller, next.valid() ? pool_->store(now(copy.caller), next, number) : number);
  site_ = std::move(call_site);
  flush();
  const Code::Place back = code_->place();
  copy.returns.push_back(back);
  code_->jump(copy.entry);
  code_->put(back);
  site_ = outer_site;
  if (!unit_.types.is_integer(type)) {
    if (type != kVoid && !unit_.types.is(type, TypeKind::Void))
      return refused(unit_.types.is(type, TypeKind::Float) ? Refusal::Float : Refusal::Pointer, e);
    return nothing(kInt);
  }
  return arithmetic_.value(now(result_variable(id)), type);
}

// Behind `main`: the bodies, which may call further ones, and then where they return to.
void Translator::translate_single_copies() {
  const std::vector<FunctionId> outer_calls = calls_;
  Frame* outer = frame_;
  std::size_t next = 0;
  while (next < to_translate_.size()) {  // which becomes longer on the way
    const FunctionId id = to_translate_[next++];
    Frame frame;
    frame.function = id;
    frame.exit = single_copy(id).exit;
    frame_ = &frame;
    calls_.push_back(id);
    code_->put(single_copy(id).entry);
    body(id);
    code_->jump(frame.exit);
    frame_ = outer;
    calls_ = outer_calls;
  }
  for (const FunctionId id : to_translate_) return_from(id);
}

// To where the activation was called.
void Translator::return_from(FunctionId id) {
  const SingleCopy& copy = single_copy(id);
  Frame frame;
  frame.function = id;
  Frame* outer = std::exchange(frame_, &frame);
  const Function& function = unit_.functions[id];
  const std::uint32_t end = function.whole.end == 0 ? 0 : function.whole.end - 1;
  code_->put(copy.exit);
  Expr caller = now(copy.caller);
  if (is_recursive(id)) {
    caller = pool_->select(caller, now(copy.level));
    set(copy.level, pool_->sub(now(copy.level), pool_->integer(1)));
  }
  std::vector<Code::Way> ways;
  for (std::size_t n = 0; n < copy.returns.size(); ++n) {
    const Expr here = pool_->eq(caller, pool_->integer(static_cast<unsigned long>(n)));
    ways.push_back({copy.returns[n], fmt::format(" to call {}", n + 1),
                    copy.returns.size() == 1 ? Expr() : here});
  }
  Site back = site({file_, end, end + 1});
  back.text = fmt::format("{} returns", function.name);
  code_->select(std::move(back), std::move(ways), take_action());
  frame_ = outer;
}

}  // namespace whittle::c
