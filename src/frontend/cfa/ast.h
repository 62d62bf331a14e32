// SPDX-License-Identifier: Apache-2.0
// A CFA file as written. Expressions are nodes of the file's SyntaxTree; statements stand in one
// vector and refer to each other by position.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/expression/syntax_tree.h"
#include "frontend/expression/token_reader.h"
#include "ir/expectation.h"

namespace whittle::cfa {

using frontend::Name;
using frontend::SyntaxId;
using StatementId = std::uint32_t;

enum class StatementKind : std::uint8_t {
  Assign,   // name = value
  Input,    // name = *
  Call,     // name(arguments)
  If,       // no value: `*`
  While,    // likewise
  DoWhile,  // likewise
  Error,    // with a text
  Assert,
  Assume,
  Skip,  // also `;`
  Return,
  Goto,      // name
  Block,     // in braces
  Choice,    // one of the blocks
  Parallel,  // all blocks, interleaved
  AnyOrder,  // all blocks, one after the other
};

struct Statement {
  StatementKind kind = StatementKind::Skip;
  std::vector<Name> labels;
  Name name;                      // Assign, Input, Call, Goto
  std::optional<SyntaxId> value;  // Assign, Assert, Assume; If, While, DoWhile: the condition
  std::vector<SyntaxId> arguments;
  std::string text;                              // Error
  std::vector<std::vector<StatementId>> blocks;  // If: two; loops: one; Choice, ...: all
  Span span;  // of what happens: of If and While up to the condition, of DoWhile the condition
  std::optional<Expectation> expected;  // Error, Assert
  Span whole;                           // with its labels and blocks
};

struct VariableDeclaration {
  Name name;
  bool boolean = false;
  std::optional<SyntaxId> initial;
  Span span;
};

struct Procedure {
  struct Parameter {
    Name name;
    bool boolean = false;
  };
  Name name;
  std::vector<Parameter> parameters;
  std::vector<StatementId> body;
  Span span;
};

struct File {
  std::vector<VariableDeclaration> variables;
  std::vector<Procedure> procedures;
  std::vector<StatementId> body;
  std::vector<Statement> statements;
};

}  // namespace whittle::cfa
