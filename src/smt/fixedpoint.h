// SPDX-License-Identifier: Apache-2.0
// Constrained Horn clauses, decided by Z3's Spacer. Relations are the least ones closed under the
// rules; the query asks whether something bad can be derived.
//
//   auto horn = make_fixedpoint(pool, limits);
//   RelationId inv = horn->relation("inv", {x});
//   horn->rule({"init", {inv, {x0}}, {}, pool.eq(x0, zero)});
//   horn->rule({"step", {inv, {x1}}, {{inv, {x0}}}, pool.eq(x1, pool.add(x0, one))});
//   horn->query({{inv, {x0}}}, pool.lt(x0, zero));   // NotDerivable, with an invariant for inv
//
// Bool, Int, Real, Enum and Array terms; arrays are taken but Spacer rarely decides them.
// Results are candidates: invariants and derivations come from the solver unchecked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "smt/solver.h"

namespace whittle::smt {

using RelationId = StrongId<struct RelationTag>;

// A relation applied to terms.
struct RelationAtom {
  RelationId relation;
  std::vector<Expr> arguments;
};

// All symbols without parameters in a rule are universally quantified: the head holds wherever
// the body atoms and the constraint do.
struct HornRule {
  std::string name;
  RelationAtom head;
  std::vector<RelationAtom> body;
  Expr constraint;  // invalid: true
};

enum class Derivability : std::uint8_t { Derivable, NotDerivable, Unknown };

struct DerivationStep {
  // Which rule was applied: its position in the order of adding; the query itself is none.
  std::optional<std::size_t> rule;
  // The fact derived, by its relation's arguments; empty for the query and where the solver gives
  // only the rule.
  std::vector<Value> arguments;
  std::vector<std::size_t> premises;  // steps, all before this one, where known
};

struct FixedpointResult {
  Derivability answer = Derivability::Unknown;
  Reason reason = {};  // why Unknown
  // Derivable: facts before what follows from them, the query last. May be empty: Spacer does not
  // always explain itself.
  std::vector<DerivationStep> derivation;
  // NotDerivable: per relation a solution over the relation's formals; invalid where the solver
  // gives none that our terms can express.
  std::vector<Expr> invariants;
};

class Fixedpoint {
 public:
  virtual ~Fixedpoint() = default;

  // The formals give the types of the arguments and the symbols in which invariants are written.
  virtual RelationId relation(std::string name, std::vector<SymbolId> formals) = 0;
  // Returns the rule's position. Throws ResourceError for terms that cannot be translated.
  virtual std::size_t rule(HornRule rule) = 0;
  // May something satisfy all these atoms and the constraint?
  virtual FixedpointResult query(std::vector<RelationAtom> atoms, Expr constraint) = 0;
  virtual void interrupt() = 0;  // from any thread
};

struct FixedpointOptions {
  // Pre-processing (inlining, slicing of arguments) is quick but makes derivations skip rules.
  bool preprocess = false;
  bool ground_derivation = true;
};

[[nodiscard]] std::unique_ptr<Fixedpoint> make_fixedpoint(ExprPool& pool, const Limits& limits,
                                                          const FixedpointOptions& options = {});

}  // namespace whittle::smt
