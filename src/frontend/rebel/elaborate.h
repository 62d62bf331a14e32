// SPDX-License-Identifier: Apache-2.0
// From expressions as written to typed terms over the symbols of a network. Typing and encoding are
// one pass: an event of a library has no meaning of its own before it is known which specification
// uses it and how it is configured.
//
// elaborate.cpp: literals and names; elaborate_instance.cpp: instances and their fields;
// elaborate_runs.cpp: steps of runs; elaborate_function.cpp: calls; operators.cpp: arithmetic,
// comparison, logic; collections.cpp: sets, maps, quantifiers.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/rebel/currencies.h"
#include "frontend/rebel/encode.h"
#include "frontend/rebel/program.h"
#include "ir/network.h"

namespace whittle::rebel {

// What a network has for a specification.
struct SpecNet {
  MachineId machine;                          // invalid: external
  std::vector<std::vector<VariableId>> vars;  // by field, in the order of Layout
  std::vector<LocationId> states;             // by state
  std::vector<EventId> events;                // by use; invalid: never happens
  VariableId started;                         // external: which keys are initialised
};

struct ConfigValue {
  Name name = kNoName;
  TypedTerm value;
  bool is_function = false;
  Decl function;
  Span declared;
};

// Where an expression stands.
struct Scope {
  std::uint32_t module = 0;
  bool has_this = false;
  std::uint32_t self = kNone;  // specification of `this`; kNone: not known (unused library event)
  InstanceId instance;         // valid: `this` is that instance (goals, invariants)
  bool next_allowed = false;   // `new` has a meaning here
  bool goal = false;           // fields have values in initialised instances only
  UniverseId runs;             // valid: a state of a run of it, with the step that leaves the state
  const char* place = "here";  // "in a function": for messages
  struct Local {
    Name name = kNoName;
    TypedTerm value;
    Span declared;
  };
  std::vector<Local> locals;
  const std::vector<ConfigValue>* config = nullptr;
};

// What an expression was seen to use.
struct Seen {
  std::vector<std::uint32_t> written;  // fields of `this` under `new`, in order, with repetitions
  std::vector<std::uint32_t> read;     // fields of `this` read before the step
  bool next = false;                   // anything after the step
  void clear() { *this = Seen(); }
};

// The number of entries that encode a variable of a collection type, by type.
using Capacities = std::map<std::uint32_t, std::size_t>;

class Elaborator {
 public:
  Elaborator(Program& program, Network& network, Encoder& encoder, std::vector<SpecNet>& nets,
             Capacities capacities);

  TypedTerm value(const Scope& scope, ExprRef e);
  // The value as a condition: its definedness and itself. Invalid: reported.
  Expr condition(const Scope& scope, ExprRef e);
  // Definedness and value of a statement, apart.
  TypedTerm statement(const Scope& scope, const StmtAst& stmt);
  // The value, if it has this type; otherwise Unknown, reported with `what`.
  TypedTerm typed(const Scope& scope, ExprRef e, RType expected, const std::string& what);
  // A constant number, for bounds.
  std::optional<Integer> constant_integer(const Scope& scope, ExprRef e);
  // Checks the definition of a function once, calls or not.
  void check_function(Decl function);

  Seen& seen() { return seen_; }
  // Which event the expressions are in, for `money_pairs`; invalid: none.
  void set_event(EventId event) { event_ = event; }
  [[nodiscard]] const std::vector<MoneyPair>& money_pairs() const { return money_pairs_; }
  // Fields of `this` that were read before the step, each with the first place where nothing like
  // `initialized this && ...` guards it.
  std::map<std::uint32_t, Span>& unguarded() { return unguarded_; }
  [[nodiscard]] bool now_used() const { return now_used_; }
  [[nodiscard]] Span now_place() const { return now_place_; }
  // The shared variables of `now`; made on first use.
  std::pair<VariableId, VariableId> now_variables();
  // The one time it is in every configuration.
  void fix_now(Integer date, Integer time) { fixed_now_ = {std::move(date), std::move(time)}; }
  // True once some collection may be larger than its capacity.
  [[nodiscard]] bool inexact() const { return inexact_; }
  void set_inexact() { inexact_ = true; }
  // Whose expressions these are, for `referred`.
  void set_user(std::uint32_t spec) { user_ = spec; }
  // Pairs of specifications of which the first speaks about instances of the second.
  [[nodiscard]] const std::set<std::pair<std::uint32_t, std::uint32_t>>& referred() const {
    return referred_;
  }
  [[nodiscard]] bool mentions_next(Expr e) const;

  // ----- layouts
  // Types of the parts of a value in their order; collections: entry after entry, each with its
  // presence first.
  [[nodiscard]] std::vector<std::pair<std::string, Type>> layout(RType type) const;
  // A value from terms in layout order.
  TypedTerm assembled(RType type, std::span<const Expr> parts);
  // The terms of a value in layout order; collections are fitted into their capacity. `overflow`
  // (invalid: impossible) says when they do not fit.
  std::vector<Expr> flattened(RType type, const TypedTerm& val, Expr& overflow);
  // What a variable of the type must satisfy; invalid: nothing.
  Expr domain(RType type, std::span<const Expr> parts);
  [[nodiscard]] RType key_type(std::uint32_t spec) const;

  // ----- values
  Expr equal(const TypedTerm& a, const TypedTerm& b);
  Expr conj(Expr a, Expr b);  // either may be invalid: true
  // `m` with the entry for `key` replaced or added; `there`: it is known to have one.
  TypedTerm updated(const TypedTerm& map, const TypedTerm& key, const TypedTerm& value,
                    bool there = false);
  Expr count(const TypedTerm& set);
  // Entries that a variable of a set or map type can hold.
  [[nodiscard]] std::size_t capacity(RType type) const;
  // Whether that is enough for every value of the type.
  [[nodiscard]] bool whole(RType type) const;
  // That the elements of a variable are among these, if the clauses hold.
  struct Inclusion {
    std::vector<Expr> clauses;
    TypedTerm in;
  };
  // By the first entry of the variable.
  [[nodiscard]] std::span<const Inclusion> inclusions(Expr first) const;
  Expr has_key(const TypedTerm& map, const TypedTerm& key) { return member(key, map); }
  bool fits(TypedTerm& val, RType expected);

 private:
  struct Ref {
    enum class How : std::uint8_t { None, Bad, Own, Keyed, Single, Instance, External };
    How how = How::None;
    std::uint32_t spec = kNone;
    Expr key;
    Expr def;
    bool next = false;
  };

  // ----- elaborate*.cpp
  const ModuleAst& ast(const Scope& scope) const { return program_.module(scope.module).ast; }
  TypedTerm unknown() const { return {}; }
  TypedTerm simple(Kind kind, Expr a, Expr def = {});
  TypedTerm boolean(Expr a, Expr def = {}) { return simple(Kind::Boolean, a, def); }
  Diagnostic& error(const Scope& scope, ExprRef e, std::string_view id, std::string message,
                    std::string hint = "");
  TypedTerm literal(const Scope& scope, ExprRef e);
  TypedTerm now();
  TypedTerm word(const Scope& scope, ExprRef e, bool next);
  std::optional<TypedTerm> builtin_word(std::string_view text);
  TypedTerm unknown_word(const Scope& scope, ExprRef e);
  Span declare_bound(const Scope& scope, ExprRef e);
  TypedTerm chain(const Scope& scope, ExprRef e, bool next);
  TypedTerm accessor(const Scope& scope, ExprRef e, const TypedTerm& object, bool next);
  TypedTerm call(const Scope& scope, ExprRef e);
  TypedTerm taken(const Scope& scope, ExprRef e);
  TypedTerm equivalence(const Scope& scope, ExprRef e);
  TypedTerm apply_function(const Scope& scope, ExprRef e, Decl function,
                           const std::vector<TypedTerm>& args);
  TypedTerm body_value(const Scope& scope, const StmtAst& stmt);
  bool is_local(const Scope& scope, Name name) const;
  bool qualified(const Scope& scope, ExprRef e, QName& name) const;
  Ref reference(const Scope& scope, ExprRef e, bool next);
  Ref reference_of(const TypedTerm& val, bool next);
  TypedTerm field(const Scope& scope, const Ref& ref, Name name, Extent at);
  TypedTerm field_value(const Ref& ref, std::uint32_t field, InstanceId instance);
  TypedTerm key_value(const Scope& scope, const Ref& ref);
  TypedTerm state_predicate(const Scope& scope, ExprRef e);
  Expr at_state(const Scope& scope, const Ref& ref, std::uint32_t state);
  Expr exists(const Ref& ref);
  VariableId external_field(std::uint32_t spec, std::uint32_t field, std::size_t part);

  // ----- operators.cpp
  TypedTerm unary(const Scope& scope, ExprRef e);
  TypedTerm binary_chain(const Scope& scope, ExprRef e);
  TypedTerm binary(const Scope& scope, ExprRef e, TypedTerm a, TypedTerm b);
  TypedTerm logic(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b);
  TypedTerm add(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b, bool minus);
  TypedTerm multiply(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b);
  TypedTerm divide(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b);
  TypedTerm compare(const Scope& scope, ExprRef e, TypedTerm a, TypedTerm b);
  TypedTerm conditional(const Scope& scope, ExprRef e);
  TypedTerm implications(const Scope& scope, ExprRef e);
  TypedTerm mismatch(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b,
                     const char* op);
  bool unify(TypedTerm& a, TypedTerm& b);
  Expr less(const TypedTerm& a, const TypedTerm& b, bool or_equal);
  Expr number(long n) { return pool_.integer(Integer(n)); }

  // ----- collections.cpp
  TypedTerm set_literal(const Scope& scope, ExprRef e);
  TypedTerm map_literal(const Scope& scope, ExprRef e);
  TypedTerm interval(const Scope& scope, ExprRef e);
  TypedTerm comprehension(const Scope& scope, ExprRef e);
  TypedTerm quantified(const Scope& scope, ExprRef e);
  TypedTerm cardinality(const Scope& scope, ExprRef e);
  TypedTerm membership(const Scope& scope, ExprRef e);
  TypedTerm lookup(const Scope& scope, ExprRef e, const TypedTerm& map, const TypedTerm& key);
  TypedTerm combined(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b,
                     bool minus);
  TypedTerm chosen(Expr condition, const TypedTerm& a, const TypedTerm& b);
  Expr member(const TypedTerm& element, const TypedTerm& collection);
  Expr subset(const TypedTerm& a, const TypedTerm& b);
  Expr same_collection(const TypedTerm& a, const TypedTerm& b);
  TypedTerm collection(RType type, std::vector<Entry> entries, Expr def);
  std::vector<Expr> fitted(RType type, const TypedTerm& val, Expr& overflow);

  void meet(const Scope& scope, ExprRef e, const TypedTerm& a, const TypedTerm& b, bool sum);

  Program& program_;
  Network& network_;
  Encoder& encoder_;
  ExprPool& pool_;
  std::vector<SpecNet>& nets_;
  Capacities capacities_;
  std::unordered_map<Expr, std::vector<Inclusion>> inclusions_;
  Seen seen_;
  std::map<std::uint32_t, Span> unguarded_;
  int initialised_ = 0;  // conditions `initialized this` around what is being read

  // Takes back what guard_by() said.
  class Initialised {
   public:
    explicit Initialised(Elaborator& elaborator)
        : elaborator_(elaborator), before_(elaborator.initialised_) {}
    Initialised(const Initialised&) = delete;
    Initialised& operator=(const Initialised&) = delete;
    ~Initialised() { end(); }
    void end() const { elaborator_.initialised_ = before_; }

   private:
    Elaborator& elaborator_;
    int before_;
  };
  // What follows is looked at only where the condition holds.
  void guard_by(const Scope& scope, ExprRef condition);
  bool now_used_ = false;
  Span now_place_;
  VariableId now_date_, now_time_;
  std::optional<std::pair<Integer, Integer>> fixed_now_;
  bool inexact_ = false;
  std::uint32_t user_ = kNone;
  EventId event_;
  std::vector<MoneyPair> money_pairs_;  // compared or added, where the currencies can differ
  std::set<std::pair<std::uint32_t, std::uint32_t>> referred_;
  std::vector<Decl> active_;                                 // functions being applied
  std::map<std::vector<std::uint32_t>, TypedTerm> results_;  // of functions, by arguments
  std::map<std::array<std::uint32_t, 3>, VariableId> external_;
};

}  // namespace whittle::rebel
