// SPDX-License-Identifier: Apache-2.0
// An FCL file as written. Expressions stand in one vector in the order in which they would be
// computed, so that each is a contiguous range that ends with its root.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/value.h"
#include "frontend/expression/token_reader.h"
#include "frontend/ltl_parser.h"
#include "ir/expectation.h"

namespace whittle::fcl {

using frontend::Name;
using ExprId = std::uint32_t;

enum class Operator : std::uint8_t {
  Integer,  // a number
  Name,     // a variable, or a value of an enumeration
  Any,      // `?`
  Choice,   // `?(a b)`
  Place,    // `[l.i]`, `[halt]`
  Negate,
  Multiply,
  Divide,
  Remainder,
  Add,
  Subtract,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Not,
  And,
  Or,
  IsNull,
  Car,
  Cdr,
  Cons,
  Even,
  Odd,
  // Formulas of temporal logic; the two connectives also in their conditions.
  Implies,
  Iff,
  Always,
  Eventually,
  NextState,
  Once,
  Historically,
  Until,
  WeakUntil,
  Release,
  Since,
};

// Does the operator speak of more than one state?
[[nodiscard]] constexpr bool is_temporal(Operator op) { return op >= Operator::Always; }

struct Expression {
  Operator op = Operator::Integer;
  Integer number;                // Integer; Place: the number of the statement
  std::string name;              // Name; Place: the label, `halt`
  std::vector<ExprId> operands;  // from left to right
  ExprId first = 0;              // where the range of the whole begins
  Span span;
};

enum class StatementKind : std::uint8_t { Assign, Skip, Goto, Return, If };

struct Statement {
  StatementKind kind = StatementKind::Skip;
  Name target;                  // Assign: the variable; Goto: the label; If: where it holds
  Name otherwise;               // If
  std::optional<ExprId> value;  // Assign, If
  std::uint64_t number = 0;     // in its block
  Span span;                    // with the semicolon, without the number
};

struct Block {
  Name label;
  std::vector<Statement> statements;  // the last one is a jump
};

struct Range {
  Integer low, high;
};

struct InputDeclaration {
  enum class Kind : std::uint8_t { Number, List, Stream };
  Name name;
  Kind kind = Kind::Number;
  std::optional<Range> range;  // of the number, or of the elements
  Span span;
};

struct EnumDeclaration {
  Name name;
  std::vector<Name> values;
};

struct VariableDeclaration {
  Name name;
  Name type;                   // of an enumeration
  std::optional<Range> range;  // or this
};

struct ConditionDeclaration {
  enum class Kind : std::uint8_t { Init, Safety, Reach, Recoverable, Ltl };
  Kind kind = Kind::Init;
  Name name;
  ExprId condition = 0;                          // not of Ltl
  std::optional<frontend::LtlDeclaration> runs;  // Ltl
  std::optional<std::uint64_t> within;           // Reach
  std::optional<Expectation> expected;           // not of Init
  Span span;
};

struct File {
  std::vector<Name> parameters;
  Name start;
  std::vector<Block> blocks;
  std::vector<InputDeclaration> inputs;
  std::vector<EnumDeclaration> enums;
  std::vector<VariableDeclaration> variables;
  std::vector<ConditionDeclaration> conditions;
  std::vector<Expression> expressions;
  std::vector<Span> numbers;  // of statements, where they stand
  Span span;                  // from the parameters to the last block
  bool hurt = false;          // something could not be read
};

}  // namespace whittle::fcl
