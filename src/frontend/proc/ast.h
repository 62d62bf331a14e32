// SPDX-License-Identifier: Apache-2.0
// A PROC file as written. Expressions are nodes of the file's SyntaxTree; statements stand in one
// vector and refer to each other by position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/expression/syntax_tree.h"
#include "frontend/expression/token_reader.h"
#include "frontend/ltl_parser.h"
#include "ir/expectation.h"
#include "ir/network.h"

namespace whittle::proc {

using frontend::Name;
using frontend::SyntaxId;
using StatementId = std::uint32_t;

struct TypeSyntax {
  bool boolean = false;
  std::optional<SyntaxId> length;  // of an array
  Span span;
};

enum class StatementKind : std::uint8_t {
  Assign,  // place := value
  Choose,  // place := *
  Cas,     // place := cas(target, value, replacement)
  If,
  While,
  Skip,
  Assume,
  Assert,
  Lock,
  Unlock,
  Return,
  Atomic,
};

struct Statement {
  StatementKind kind = StatementKind::Skip;
  std::optional<Name> label;
  std::optional<SyntaxId> place;        // Assign, Choose, Cas, Lock, Unlock
  std::optional<SyntaxId> value;        // Assign, Cas (old); Assume, Assert, If, While: condition
                                        // (none: `*`)
  std::optional<SyntaxId> target;       // Cas
  std::optional<SyntaxId> replacement;  // Cas
  std::vector<StatementId> body;        // If, While, Atomic
  std::vector<StatementId> otherwise;   // If
  Span span;                            // of If and While: up to the condition
  Span whole;                           // with its label and blocks
  std::optional<Expectation> expected;  // Assert
};

struct VariableDeclaration {
  Name name;
  TypeSyntax type;
  std::optional<SyntaxId> initial;
  Span span;
};

struct ProcessDeclaration {
  Name name;
  std::optional<Name> identity;  // of a family, with its range
  SyntaxId low = 0;
  SyntaxId high = 0;
  std::vector<VariableDeclaration> locals;
  std::vector<StatementId> body;
  std::optional<Fairness::Kind> fairness;
  Span span;
};

struct ConstDeclaration {
  Name name;
  SyntaxId value = 0;
};

struct InitDeclaration {
  SyntaxId condition = 0;
  Span span;
};

struct PropertyDeclaration {
  Name name;
  std::optional<std::uint64_t> depth;
  bool reach = false;        // asks whether the condition can be, as in STS
  bool recoverable = false;  // demands that a state with the condition stays reachable
  SyntaxId condition = 0;    // not of a property of runs
  std::optional<frontend::LtlDeclaration> runs;  // a property of runs
  Span span;
  std::optional<Expectation> expected;
};

struct File {
  Name name;
  std::vector<ConstDeclaration> constants;
  std::vector<VariableDeclaration> shared;
  std::vector<ProcessDeclaration> processes;
  std::vector<InitDeclaration> inits;
  std::vector<PropertyDeclaration> properties;
  std::vector<Statement> statements;

  // Is something asked that has to know how runs go on behind a failing step?
  [[nodiscard]] bool asks_about_runs() const;
};

}  // namespace whittle::proc
