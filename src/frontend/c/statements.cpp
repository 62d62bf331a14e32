// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/checkpoint.h"
#include "frontend/c/translator.h"

namespace whittle::c {

void Translator::collect_labels(StatementId id) {
  const Statement& s = unit_.statements[id];
  if (s.kind == StatementKind::Label && !frame_->labels.emplace(s.name, code_->place()).second)
    diagnostics_.report("c-001", s.span, fmt::format("the label `{}` stands twice", s.name),
                        "give one of them another name");
  if (s.kind == StatementKind::Other) return;
  for (const StatementId inner : {s.first, s.body, s.otherwise})
    if (inner != kNone) collect_labels(inner);
  for (const StatementId inner : s.list) collect_labels(inner);
}

void Translator::statement(StatementId id) {
  checkpoint();
  if (code_->size() > kMaxInstructions) {
    if (!too_large_)
      diagnostics_.report("c-007", unit_.statements[id].span, "the program is too large",
                          fmt::format("functions are copied to where they are called; together "
                                      "there may be {} instructions",
                                      kMaxInstructions));
    too_large_ = true;
    return;
  }
  const Statement& s = unit_.statements[id];
  site_ = site(s.span);
  switch (s.kind) {
    case StatementKind::Empty:
      return;
    case StatementKind::Expression:
      discard(s.expression);
      return flush();
    case StatementKind::Declaration:
      return declaration(s);
    case StatementKind::Compound:
      for (const StatementId inner : s.list) statement(inner);
      return;
    case StatementKind::If:
      return if_statement(s);
    case StatementKind::While:
      return while_loop(s);
    case StatementKind::DoWhile:
      return do_loop(s);
    case StatementKind::For:
      return for_loop(s);
    case StatementKind::Switch:
      return switch_statement(s);
    case StatementKind::Case:
    case StatementKind::Default:
    case StatementKind::Label:
      return labelled(s, id);
    case StatementKind::Goto:
      return go_to(s);
    case StatementKind::Break:
      return code_->jump(frame_->breaks);
    case StatementKind::Continue:
      return code_->jump(frame_->continues);
    case StatementKind::Return:
      return return_statement(s);
    case StatementKind::Other:
      return refuse(static_cast<Refusal>(s.otherwise), s.span);
  }
}

void Translator::labelled(const Statement& s, StatementId id) {
  if (s.kind == StatementKind::Label) {
    code_->put(frame_->labels.at(s.name));
    if (specification_.kind == Specification::Kind::Label && s.name == specification_.name)
      code_->fail(site_, failure_at("error", s.span, true));
  } else if (const auto found = frame_->cases.find(id); found != frame_->cases.end()) {
    code_->put(found->second);
  } else {
    diagnostics_.report("c-004", s.span, "this label does not stand inside of a `switch`");
  }
  statement(s.body);
}

void Translator::declaration(const Statement& s) {
  for (const ObjectId id : s.objects) {
    const Object& object = unit_.objects[id];
    const TypeEntry& entry = unit_.types[object.type];
    Place whole = whole_of(id);
    if (!whole.lengths.empty() && entry.kind == TypeKind::Array) {
      refuse(Refusal::Array, object.span, object.name);
      continue;
    }
    if (object.initializer != kNone) {
      const bool outer = std::exchange(want_bits_, bits_->bits(id));
      if (entry.kind == TypeKind::Array || entry.kind == TypeKind::Struct) clear(whole, s.span);
      initialize(whole, object.initializer, false);
      want_bits_ = outer;
      flush();
      continue;
    }
    if (entry.variable) {
      refuse(Refusal::Vla, object.span, object.name);
      continue;
    }
    if (frame_->in_loop) {
      forget(whole, object.span);
      flush();
      continue;
    }
    each_leaf(whole, [&](const Place& leaf) {
      const Storage storage_of = storage(leaf, object.span);
      Variable& variable = network_->variable(storage_of.variable);
      variable.initial = {};
      if (variable.type != Type::integer()) return;
      const Expr value = pool_->symbol(variable.current);
      first_.push_back(pool_->le(pool_->integer(unit_.types.least(leaf.type)), value));
      first_.push_back(pool_->le(value, pool_->integer(unit_.types.greatest(leaf.type))));
    });
  }
}

void Translator::if_statement(const Statement& s) {
  const Code::Place otherwise = code_->place();
  branch(s.expression, otherwise);
  statement(s.body);
  if (s.otherwise == kNone) return code_->put(otherwise);
  const Code::Place behind = code_->place();
  code_->jump(behind);
  code_->put(otherwise);
  statement(s.otherwise);
  code_->put(behind);
}

void Translator::loop_body(StatementId id, Code::Place breaks, Code::Place continues) {
  const bool outer = std::exchange(frame_->in_loop, true);
  const Code::Place outer_breaks = std::exchange(frame_->breaks, breaks);
  const Code::Place outer_continues = std::exchange(frame_->continues, continues);
  statement(id);
  frame_->in_loop = outer;
  frame_->breaks = outer_breaks;
  frame_->continues = outer_continues;
}

void Translator::while_loop(const Statement& s) {
  const Code::Place head = code_->place();
  const Code::Place behind = code_->place();
  code_->put(head);
  branch(s.expression, behind);
  loop_body(s.body, behind, head);
  code_->jump(head);
  code_->put(behind);
}

void Translator::do_loop(const Statement& s) {
  const Code::Place head = code_->place();
  const Code::Place test_place = code_->place();
  const Code::Place behind = code_->place();
  code_->put(head);
  loop_body(s.body, behind, test_place);
  code_->put(test_place);
  site_ = site(s.span);
  branch(s.expression, behind);
  code_->jump(head);
  code_->put(behind);
}

void Translator::for_loop(const Statement& s) {
  const Code::Place head = code_->place();
  const Code::Place next = code_->place();
  const Code::Place behind = code_->place();
  if (s.first != kNone) statement(s.first);
  code_->put(head);
  if (s.expression != kNone) {
    site_ = site(unit_.expressions[s.expression].span);
    branch(s.expression, behind);
  }
  loop_body(s.body, behind, next);
  code_->put(next);
  if (s.step != kNone) {
    site_ = site(unit_.expressions[s.step].span);
    discard(s.step);
    flush();
  }
  code_->jump(head);
  code_->put(behind);
}

void Translator::collect_cases(StatementId id, std::vector<StatementId>& cases) const {
  const Statement& s = unit_.statements[id];
  if (s.kind == StatementKind::Case || s.kind == StatementKind::Default) cases.push_back(id);
  if (s.kind == StatementKind::Other) return;
  for (const StatementId inner : {s.first, s.body, s.otherwise})
    if (inner != kNone && unit_.statements[inner].kind != StatementKind::Switch)
      collect_cases(inner, cases);
  for (const StatementId inner : s.list)
    if (unit_.statements[inner].kind != StatementKind::Switch) collect_cases(inner, cases);
}

// Labels side by side lead the same way: where each part of a condition is a step, they have one
// name.
std::vector<std::string> Translator::case_names(const std::vector<StatementId>& cases) const {
  std::vector<std::string> names;
  for (const StatementId id : cases) {
    const Statement& label = unit_.statements[id];
    names.push_back(label.kind == StatementKind::Default
                        ? " default"
                        : fmt::format(" case {}", label.low.to_string()));
  }
  if (!in_parts()) return names;
  for (std::size_t begin = 0, end = 0; begin < cases.size(); begin = end) {
    bool has_default = names[begin] == " default";
    for (end = begin + 1; end < cases.size() && unit_.statements[cases[end - 1]].body == cases[end];
         ++end)
      has_default |= names[end] == " default";
    const std::string name = has_default ? " default" : names[begin];
    for (std::size_t i = begin; i < end; ++i) names[i] = name;
  }
  return names;
}

void Translator::switch_statement(const Statement& s) {
  const Code::Place behind = code_->place();
  std::vector<StatementId> cases;
  collect_cases(s.body, cases);
  const Number value = arithmetic_.settled(evaluate(s.expression));
  const TypeId type = unit_.expressions[s.expression].type;
  std::vector<Code::Way> ways;
  std::vector<Expr> others;
  Code::Place otherwise = behind;
  const std::vector<std::string> names = case_names(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const StatementId id = cases[i];
    const Statement& label = unit_.statements[id];
    const Code::Place to = code_->place();
    frame_->cases[id] = to;
    if (label.kind == StatementKind::Default) {
      otherwise = to;
      continue;
    }
    const Number low = arithmetic_.constant(label.low, type);
    const Number high = arithmetic_.constant(label.high, type);
    const Expr here =
        label.low == label.high
            ? arithmetic_.condition(arithmetic_.binary(Operator::Eq, value, low, type))
            : pool_->conj(
                  arithmetic_.condition(arithmetic_.binary(Operator::Le, low, value, type)),
                  arithmetic_.condition(arithmetic_.binary(Operator::Le, value, high, type)));
    ways.push_back({to, names[i], here});
    others.push_back(pool_->negate(here));
  }
  ways.push_back({otherwise, " default", pool_->conj(others)});
  code_->select(site_, std::move(ways), take_action());
  const Code::Place outer = std::exchange(frame_->breaks, behind);
  statement(s.body);
  frame_->breaks = outer;
  code_->put(behind);
}

void Translator::return_statement(const Statement& s) {
  if (s.expression != kNone) {
    const TypeId type = unit_.types[unit_.functions[frame_->function].type].target;
    const bool used = calls_.size() > 1 && unit_.types.is_integer(type) &&
                      unit_.types.is_integer(unit_.expressions[s.expression].type);
    if (used) {
      const VariableId result = result_variable(frame_->function);
      const bool outer = std::exchange(want_bits_, bits_->result_bits(frame_->function));
      set(result, stored(result, arithmetic_.convert(evaluate(s.expression), type)));
      want_bits_ = outer;
    } else {
      discard(s.expression);
    }
    flush();
  }
  code_->jump(frame_->exit);
}

void Translator::go_to(const Statement& s) {
  const auto found = frame_->labels.find(s.name);
  if (found == frame_->labels.end()) {
    diagnostics_.report("c-003", s.span, fmt::format("there is no label `{}` here", s.name),
                        "labels belong to their function");
    return;
  }
  code_->jump(found->second);
}

}  // namespace whittle::c
