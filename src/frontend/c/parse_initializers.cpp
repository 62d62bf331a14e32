// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "frontend/c/literals.h"
#include "frontend/c/parser_impl.h"

namespace whittle::c {

std::uint32_t Parser::initializer(TypeId type) {
  const Deeper deeper(*this);
  Initializer result;
  result.span = peek().span;
  if (!is("{")) {
    const ExpressionId value = assignment();
    result.expression = unit_.types.is_arithmetic(type) ? build_.converted(value, type) : value;
    result.span = build_.at(value).span;
    unit_.initializers.push_back(std::move(result));
    return static_cast<std::uint32_t>(unit_.initializers.size() - 1);
  }
  skip();
  TypeEntry entry = unit_.types[type];
  std::uint64_t next = 0;
  while (!is("}")) {
    Initializer::Entry item;
    TypeId inner = entry.kind == TypeKind::Array ? entry.target : type;
    while (is("[") || is(".")) {
      if (accept("[")) {
        const auto value = build_.value(conditional());
        if (accept("...")) conditional();
        expect("]");
        item.index = static_cast<std::uint64_t>(value ? value->to_int64().value_or(0) : 0);
        next = *item.index;
      } else {
        skip();
        item.member = name("a member").text;
      }
    }
    accept("=");
    if (entry.kind == TypeKind::Struct || entry.kind == TypeKind::Union) {
      for (std::size_t i = 0; i < entry.members.size(); ++i)
        if (item.member.empty() ? i == next : entry.members[i].name == item.member) {
          inner = entry.members[i].type;
          next = i;
          break;
        }
    }
    if (!item.index) item.index = next;
    ++next;
    item.value = initializer(inner);
    result.entries.push_back(item);
    if (!accept(",")) break;
  }
  expect("}");
  result.span = join(result.span, last());
  unit_.initializers.push_back(std::move(result));
  return static_cast<std::uint32_t>(unit_.initializers.size() - 1);
}

// `int a[] = {1, 2, 3};`
void Parser::complete_length(ObjectId id) {
  Object& object = unit_.objects[id];
  TypeEntry entry = unit_.types[object.type];
  if (entry.kind != TypeKind::Array || entry.length || entry.variable) return;
  const Initializer& value = unit_.initializers[object.initializer];
  std::uint64_t length = 0;
  for (const Initializer::Entry& item : value.entries)
    length = std::max(length, item.index.value_or(0) + 1);
  if (value.expression != kNone) length = string_bytes(build_.at(value.expression).text).size();
  entry.length = length;
  object.type = unit_.types.add(std::move(entry));
}

}  // namespace whittle::c
