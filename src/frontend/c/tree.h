// SPDX-License-Identifier: Apache-2.0
// A translation unit of C with names resolved and types worked out: every conversion that C makes
// by itself is a Cast in it. Nodes stand in vectors and refer to each other by position.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "frontend/c/types.h"

namespace whittle::c {

using ExpressionId = std::uint32_t;
using StatementId = std::uint32_t;
using ObjectId = std::uint32_t;
using FunctionId = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

enum class ExpressionKind : std::uint8_t {
  Constant,     // value
  String,       // text
  Float,        // a constant
  Object,       // a variable or parameter: ref
  Function,     // ref
  Unary,        // op, a
  Binary,       // op, a, b: operands have their common type (shifts: promoted ones)
  And,          // a, b
  Or,           // a, b
  Conditional,  // a ? b : c; without b: GNU's `a ?: c`
  Comma,        // a, b
  Assign,       // a = b
  Compound,     // a op= b, computed in the type `other`
  Step,         // ++ or --: op; `prefix`
  Cast,         // a
  Call,         // a: the function; list
  Index,        // a[b]
  Dereference,  // *a
  Address,      // &a
  Member,       // a.member, of number ref
  Literal,      // a compound literal
  Block,        // a GNU statement expression: ref is the statement
  Other         // something that no program we read may reach; text: what it is
};

enum class Operator : std::uint8_t {
  None,
  Plus,
  Minus,
  BitNot,
  Not,
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge
};

struct Expression {
  ExpressionKind kind = ExpressionKind::Constant;
  Operator op = Operator::None;
  bool prefix = false;
  bool implicit = false;  // Cast: nobody wrote it
  TypeId type = kInt;
  TypeId other = kInt;
  ExpressionId a = kNone;
  ExpressionId b = kNone;
  ExpressionId c = kNone;
  std::uint32_t ref = kNone;
  std::uint64_t value = 0;  // Constant: its bits, sign extended
  std::string_view text;
  std::vector<ExpressionId> list;
  Span span;
};

// `{1, 2}`, `{.x = 1, [3] = 2}` or an expression.
struct Initializer {
  struct Entry {
    std::optional<std::uint64_t> index;
    std::string_view member;
    std::uint32_t value = 0;  // an initializer
  };
  ExpressionId expression = kNone;
  std::vector<Entry> entries;
  Span span;
};

struct Object {
  std::string name;
  TypeId type = kInt;
  Span span;                    // of its name
  FunctionId function = kNone;  // none: it is global
  bool keeps = false;           // global or `static`: initialized once
  bool is_volatile = false;
  bool parameter = false;
  std::uint32_t initializer = kNone;
};

enum class StatementKind : std::uint8_t {
  Empty,
  Expression,
  Declaration,  // objects
  Compound,     // list
  If,           // expression, body, otherwise
  While,        // expression, body
  DoWhile,      // expression, body
  For,          // first (a statement), expression, step, body
  Switch,       // expression, body
  Case,         // low, high; body
  Default,      // body
  Label,        // name, body
  Goto,         // name
  Break,
  Continue,
  Return,  // expression
  Other    // as with expressions
};

struct Statement {
  StatementKind kind = StatementKind::Empty;
  ExpressionId expression = kNone;
  ExpressionId step = kNone;
  StatementId first = kNone;
  StatementId body = kNone;
  StatementId otherwise = kNone;
  std::vector<StatementId> list;
  std::vector<ObjectId> objects;
  Integer low;
  Integer high;
  std::string_view name;
  Span span;  // of what happens: of loops and branches up to the condition
  Span whole;
};

struct Function {
  std::string name;
  TypeId type = kInt;
  Span span;
  bool defined = false;
  bool in_header = false;  // declared by a header that we know
  std::vector<ObjectId> parameters;
  StatementId body = kNone;
  Span whole;
};

struct Unit {
  explicit Unit(DataModel model) : types(model) {}

  Types types;
  std::vector<Expression> expressions;
  std::vector<Statement> statements;
  std::vector<Initializer> initializers;
  std::deque<Object> objects;
  std::deque<Function> functions;
  std::unordered_map<std::string_view, FunctionId> function_names;
  std::deque<std::string> texts;  // strings that are put together of several
};

}  // namespace whittle::c
