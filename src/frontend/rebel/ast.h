// SPDX-License-Identifier: Apache-2.0
// The syntax of one Rebel file, in flat tables: a specification of half a million events is a
// handful of vectors. Nodes refer to each other by 32-bit index, lists are ranges of a table, and
// every node knows the offsets of its text, from which messages and printed slices are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "frontend/ltl_parser.h"
#include "frontend/rebel/names.h"
#include "ir/expectation.h"

namespace whittle::rebel {

using ExprRef = std::uint32_t;
using TypeRef = std::uint32_t;
using StmtRef = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Offsets of a text in the module's file.
struct Extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class ExprKind : std::uint8_t {
  Bool,  // a = 0 or 1
  Int,   // text
  Inf,
  Percent,   // text
  Money,     // a = currency, [b, c) = text of the amount
  String,    // text with quotes
  Date,      // a = day, b = month 1..12, c = year or kNone
  Time,      // a = seconds since midnight
  DateTime,  // a = Date node, b = Time node
  Term,      // a = Int node, b = period (0 Day .. 4 Year)
  Now,
  Any,
  Tariff,  // interest tariffs: left out
  Word,    // a = name
  This,
  It,
  Call,           // a = callee (Word or chain of Field), b = list
  Field,          // a = object, b = name
  Index,          // a = object, b = index
  Interval,       // a .. b
  MapOf,          // a = list, keys and values in turn
  Set,            // a = list
  Comprehension,  // a = bound name, b = set, c = list of conditions
  Forall,
  Exists,
  Card,  // a
  New,   // a
  Not,
  Neg,
  Cond,  // a ? b : c
  Mul,
  Div,
  Mod,
  In,
  Add,
  Sub,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  And,
  Or,
  Implies,
  Initialized,  // a
  Finalized,    // a
  Instate,      // a = object, b = list of Word nodes
  // Of formulas of temporal logic.
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
  Bad,  // reported already
};

struct ExprNode {
  ExprKind kind = ExprKind::Bad;
  bool flag = false;  // written in parentheses
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  Extent at;
};

enum class TypeNodeKind : std::uint8_t {
  Named,     // a = name (qualified names: their last part; full name in b)
  Map,       // a, b
  Set,       // a
  Function,  // a -> b
  Tuple,     // a = list of types
};

struct TypeNode {
  TypeNodeKind kind = TypeNodeKind::Named;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  Extent at;
};

// `a.b.Name`; `full` is the whole with dots, equal to `simple` where there is no dot.
struct QName {
  Name simple = kNoName;
  Name full = kNoName;
  Extent at;
  [[nodiscard]] bool given() const { return simple != kNoName; }
  [[nodiscard]] bool qualified() const { return simple != full; }
};

struct ImportAst {
  QName module;
  Extent at;
};

struct FieldAst {
  Name name = kNoName;
  Extent name_at;
  TypeRef type = kNone;
  bool key = false;
  QName ref;  // @ref=T
  Extent at;
};

struct ParamAst {
  Name name = kNoName;
  Extent name_at;
  TypeRef type = kNone;
  ExprRef init = kNone;
  Extent at;
};

struct ConfigArgAst {
  Name name = kNoName;
  Extent name_at;
  ExprRef value = kNone;
};

struct EventRefAst {
  QName event;
  bool interface = false;  // `e(p: T, ..)` of an external or abstract specification
  Range arguments;         // of config_args
  Range params;            // of params, interface events
  Extent at;
};

struct LifeEventAst {
  Name event = kNoName;
  Extent at;
};

struct LifeTargetAst {
  Name state = kNoName;
  Extent state_at;
  Range events;  // of life_events
  Extent at;     // from the arrow to the last event
};

struct LifeStateAst {
  Name state = kNoName;
  Extent state_at;
  bool initial = false;
  bool final = false;
  Range targets;  // of life_targets
  Extent at;
};

enum class SpecModifier : std::uint8_t { None, Abstract, External, Singleton };

struct SpecAst {
  Name name = kNoName;
  Extent name_at;
  SpecModifier modifier = SpecModifier::None;
  QName extends;
  Range fields;
  Range events;      // of event_refs
  Range invariants;  // of invariant_refs
  Range states;      // of life_states
  // Sections from their word to their closing brace; empty where absent.
  Extent fields_at, events_at, invariants_at, lifecycle_at;
  Extent at;  // annotations included
};

struct CaseAst {
  ExprRef literal = kNone;
  StmtRef then = kNone;
};

struct StmtAst {
  bool is_case = false;
  ExprRef expr = kNone;  // the condition, or what the case looks at
  Range cases;
  Extent at;  // annotations and semicolon included
};

struct SyncAst {
  bool negated = false;
  QName spec;
  ExprRef key = kNone;  // kNone: written without brackets
  Name event = kNoName;
  Extent event_at;
  std::uint32_t arguments = 0;  // list
  Extent at;
};

struct EventAst {
  QName name;
  Range config;  // of params
  Range params;  // of params
  Range pre;     // of stmts
  Range post;
  Range sync;                       // of syncs
  Extent pre_at, post_at, sync_at;  // blocks, empty where absent
  Extent params_at;                 // between the parentheses, they included
  Extent config_at;                 // brackets included
  bool broken = false;              // its head could not be read; only the name counts
  Extent at;                        // annotations included
};

struct FunctionAst {
  QName name;
  Range params;
  TypeRef type = kNone;
  StmtRef body = kNone;
  Extent at;
};

struct InvariantAst {
  QName name;
  Range body;  // of stmts
  Extent at;
  std::optional<Expectation> expected;
};

// ----- test modules

struct ConstraintGroupAst {       // `with a and b`, `- one with c`
  std::uint32_t constraints = 0;  // list of expressions
  Extent at;
};

struct SetupStmtAst {
  bool is_now = false;
  ExprRef now = kNone;
  bool counted = false;
  std::uint32_t count = 1;
  bool uninitialized = false;
  Name state = kNoName;
  std::uint32_t states = kNone;  // list of Word nodes where a brace set of states was written
  Extent state_at;
  QName spec;
  bool one_each = false;  // groups are `- one with`; otherwise at most one group, for all
  Range groups;
  Extent at;
};

struct SetupAst {
  Name name = kNoName;
  Extent name_at;
  Range stmts;  // of setup_stmts
  Extent at;
};

enum class BoundKind : std::uint8_t { None, Max, Exactly, Between };

struct CheckAst {
  bool demand = false;  // assert
  bool reachable = true;
  Name setup = kNoName;
  Extent setup_at;
  BoundKind bound = BoundKind::None;
  ExprRef low = kNone;  // Between
  ExprRef high = kNone;
  Extent at;
  std::optional<Expectation> expected;
};

// `ltl paid with two assuming []!halt: []<>...;`, `recoverable closable with two: ...;`
struct RunsAst {
  bool recoverable = false;  // then `runs` has just the condition
  Name name = kNoName;
  Extent name_at;
  Name setup = kNoName;
  Extent setup_at;
  ExprRef first = 0;  // the nodes of its formulas stand from there on
  frontend::LtlDeclaration runs;
  Extent at;
  std::optional<Expectation> expected;
};

struct FairAst {  // `strong fair Account.close;`
  bool strong = false;
  QName spec;
  Name event = kNoName;
  Extent event_at;
  Extent at;
};

struct ModuleAst {
  FileId file;
  bool test = false;            // .tebl
  bool three_decimals = false;  // some amount of money has three
  QName name;                   // as declared; not given: the file has no module line
  Extent name_line;
  std::vector<ImportAst> imports;
  std::vector<SpecAst> specs;
  std::vector<EventAst> events;
  std::vector<FunctionAst> functions;
  std::vector<InvariantAst> invariants;
  std::vector<SetupAst> setups;
  std::vector<CheckAst> checks;
  std::vector<RunsAst> runs;
  std::vector<FairAst> fair;

  std::vector<FieldAst> fields;
  std::vector<ParamAst> params;
  std::vector<ConfigArgAst> config_args;
  std::vector<EventRefAst> event_refs;
  std::vector<QName> invariant_refs;
  std::vector<LifeStateAst> life_states;
  std::vector<LifeTargetAst> life_targets;
  std::vector<LifeEventAst> life_events;
  std::vector<StmtAst> stmts;
  std::vector<CaseAst> cases;
  std::vector<SyncAst> syncs;
  std::vector<SetupStmtAst> setup_stmts;
  std::vector<ConstraintGroupAst> groups;
  std::vector<ExprNode> exprs;
  std::unordered_map<ExprRef, Extent> bound_at;  // of the name that a quantifier binds
  std::vector<TypeNode> types;
  std::vector<std::uint32_t> lists;  // a list is its length, then its elements

  [[nodiscard]] const ExprNode& expr(ExprRef e) const { return exprs[e]; }
  [[nodiscard]] Span span(Extent at) const { return {file, at.begin, at.end}; }
  [[nodiscard]] const std::uint32_t* list(std::uint32_t l) const { return lists.data() + l + 1; }
  [[nodiscard]] std::uint32_t list_size(std::uint32_t l) const { return lists[l]; }
  // The expressions that an expression is made of, in the order of the text: not the name that is
  // called, nor the states of `instate`, nor the parts of literals.
  template <class Use>
  void each_operand(const ExprNode& n, const Use& use) const;
};

template <class Use>
void ModuleAst::each_operand(const ExprNode& n, const Use& use) const {
  const auto each_of = [&](std::uint32_t l) {
    for (std::uint32_t i = 0; i < list_size(l); ++i) use(list(l)[i]);
  };
  switch (n.kind) {
    case ExprKind::Field:
    case ExprKind::Card:
    case ExprKind::New:
    case ExprKind::Not:
    case ExprKind::Neg:
    case ExprKind::Initialized:
    case ExprKind::Finalized:
    case ExprKind::Instate:
    case ExprKind::Always:
    case ExprKind::Eventually:
    case ExprKind::NextState:
    case ExprKind::Once:
    case ExprKind::Historically:
      use(n.a);
      break;
    case ExprKind::Index:
    case ExprKind::Interval:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::In:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Implies:
    case ExprKind::Iff:
    case ExprKind::Until:
    case ExprKind::WeakUntil:
    case ExprKind::Release:
    case ExprKind::Since:
      use(n.a);
      use(n.b);
      break;
    case ExprKind::Cond:
      use(n.a);
      use(n.b);
      use(n.c);
      break;
    case ExprKind::Call:
      each_of(n.b);
      break;
    case ExprKind::MapOf:
    case ExprKind::Set:
      each_of(n.a);
      break;
    case ExprKind::Comprehension:
    case ExprKind::Forall:
    case ExprKind::Exists:
      use(n.b);
      each_of(n.c);
      break;
    case ExprKind::Bool:
    case ExprKind::Int:
    case ExprKind::Inf:
    case ExprKind::Percent:
    case ExprKind::Money:
    case ExprKind::String:
    case ExprKind::Date:
    case ExprKind::Time:
    case ExprKind::DateTime:
    case ExprKind::Term:
    case ExprKind::Now:
    case ExprKind::Any:
    case ExprKind::Tariff:
    case ExprKind::Word:
    case ExprKind::This:
    case ExprKind::It:
    case ExprKind::Bad:
      break;
  }
}

}  // namespace whittle::rebel
