// SPDX-License-Identifier: Apache-2.0
// An STS file as written. Expressions are nodes of the file's SyntaxTree.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "expr/number.h"
#include "frontend/expression/syntax_tree.h"
#include "frontend/expression/token_reader.h"
#include "frontend/ltl_parser.h"
#include "ir/expectation.h"
#include "ir/network.h"

namespace whittle::sts {

using frontend::Name;
using frontend::SyntaxId;

struct ConstDeclaration {
  Name name;
  SyntaxId value;
};

struct EnumDeclaration {
  Name name;
  std::vector<Name> values;
};

struct VarDeclaration {
  Name name;
  Name type;
};

struct NodeDeclaration {
  Name name;
  bool final = false;
};

// A condition that could not be read is missing; the rest of its declaration is still looked at.
struct StartDeclaration {
  Name node;
  std::optional<SyntaxId> condition;
  Span span;
};

struct TransitionDeclaration {
  Name name;
  std::vector<Name> from;  // at least one
  Name to;
  std::vector<VarDeclaration> parameters;
  std::optional<SyntaxId> when;
  std::optional<SyntaxId> then;
  std::optional<Fairness::Kind> fairness;
  Span span;
};

struct ConstraintDeclaration {
  Name node;
  std::optional<SyntaxId> condition;
  Span span;
  std::optional<Expectation> expected;
};

struct SafetyDeclaration {
  Name name;
  std::optional<Name> node;
  std::optional<SyntaxId> condition;
  Span span;
  std::optional<Expectation> expected;
};

struct ReachDeclaration {
  Name name;
  std::optional<SyntaxId> condition;
  std::optional<std::uint64_t> within;
  Span span;
  std::optional<Expectation> expected;
};

struct RecoverableDeclaration {
  Name name;
  std::optional<SyntaxId> condition;
  Span span;
  std::optional<Expectation> expected;
};

// Where a property stands among the others: they are reported in the order of the file.
struct PropertyPlace {
  enum class Kind { Constraint, Safety, Reach, Ltl, Recoverable };
  Kind kind;
  std::size_t index;
};

struct File {
  Name name;
  std::vector<ConstDeclaration> constants;
  std::vector<EnumDeclaration> enums;
  std::vector<VarDeclaration> variables;
  std::vector<NodeDeclaration> nodes;
  std::vector<StartDeclaration> starts;
  std::vector<TransitionDeclaration> transitions;
  std::vector<ConstraintDeclaration> constraints;
  std::vector<SafetyDeclaration> safeties;
  std::vector<ReachDeclaration> reaches;
  std::vector<frontend::LtlDeclaration> formulas;
  std::vector<RecoverableDeclaration> recoverables;
  std::vector<PropertyPlace> properties;
  // Words of declarations that could not be read: perhaps they declare what others refer to, so
  // nobody complains that these are unknown.
  std::unordered_set<std::string> unread;
};

}  // namespace whittle::sts
