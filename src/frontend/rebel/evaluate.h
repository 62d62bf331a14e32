// SPDX-License-Identifier: Apache-2.0
// The meaning of Rebel's expressions, straight from the syntax: a big-step evaluator over states in
// which instances have fields with values that users know (datum.h). It shares the parser and the
// tables of declarations with the translation into networks, and nothing else, so that a mistake of
// the translation shows when a trace is evaluated here.
//
// evaluate.cpp: names, instances, logic; evaluate_operators.cpp: arithmetic, comparison, sets,
// maps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/rebel/datum.h"
#include "frontend/rebel/program.h"

namespace whittle::rebel {

// Thrown where the text says something that this evaluator does not know the value of. It must
// never be taken for a difference.
struct Gap {
  std::string what;
};

// Where the instances are and what their fields hold, at one moment.
struct Snapshot {
  std::vector<std::uint32_t> states;       // by instance: index in Spec::states
  std::vector<std::vector<Datum>> fields;  // by instance and field
};

struct World {
  struct Entity {
    std::uint32_t spec = kNone;
    Datum key;  // 0 for specifications without key
  };
  std::vector<Entity> instances;
  Datum now;  // undefined: the trace does not tell

  [[nodiscard]] std::uint32_t find(std::uint32_t spec, const Datum& key) const;  // kNone: none
};

struct Configured {
  Name name = kNoName;
  Datum value;
  bool is_function = false;
  Decl function;
};

// Where an expression is evaluated.
struct Place {
  std::uint32_t module = 0;
  std::uint32_t self = kNone;        // instance
  const Snapshot* before = nullptr;  // null: no instances can be seen (functions)
  const Snapshot* after = nullptr;   // null: there is only one state
  bool goal = false;                 // fields have values in initialised instances only
  std::vector<std::pair<Name, Datum>> locals;
  const std::vector<Configured>* config = nullptr;
};

class Evaluator {
 public:
  Evaluator(Program& program, const World& world) : program_(program), world_(world) {}

  // Undefined where the language says so; throws Gap.
  Datum value(const Place& place, ExprRef e);
  // A statement of an event or invariant: a condition or a `case`.
  Datum statement(const Place& place, const StmtAst& stmt);
  // What a value becomes where the type is wanted: a key a reference, 90% * 3 an Integer.
  [[nodiscard]] Datum wanted(Datum datum, RType type) const;

 private:
  struct Reference {
    std::uint32_t spec = kNone;
    Datum key;
    bool own = false;  // `this`
    bool next = false;
  };
  class Depth {
   public:
    explicit Depth(Evaluator& evaluator);
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --evaluator_.depth_; }

   private:
    Evaluator& evaluator_;
  };

  const ModuleAst& ast(const Place& place) const { return program_.module(place.module).ast; }
  [[nodiscard]] std::string_view text(const Place& place, Extent at) const {
    return program_.sources().text(ast(place).span(at));
  }
  [[nodiscard]] const Spec& spec_of_self(const Place& place) const {
    return program_.specs()[world_.instances[place.self].spec];
  }

  // ----- evaluate.cpp
  Datum literal(const Place& place, ExprRef e);
  Datum date(const Place& place, const ExprNode& n) const;
  [[nodiscard]] const Datum& now() const;
  Datum chain(const Place& place, ExprRef e, bool next);
  std::optional<Datum> named(const Place& place, Name name, bool next);
  [[nodiscard]] static std::optional<Datum> builtin(std::string_view word);
  std::optional<Reference> reference(const Place& place, ExprRef e, bool next);
  [[nodiscard]] bool is_local(const Place& place, Name name) const;
  bool qualified(const Place& place, ExprRef e, QName& name);
  Datum as_value(const Reference& reference) const;
  Datum field(const Place& place, const Reference& reference, Name name);
  Datum part(const Datum& object, std::string_view name) const;
  Datum life_cycle(const Place& place, ExprRef e);
  Datum call(const Place& place, ExprRef e);
  Datum body(const Place& place, const StmtAst& stmt);
  Datum logic(const Place& place, ExprRef e);

  // ----- evaluate_operators.cpp
  Datum binary(ExprKind kind, Datum a, Datum b) const;
  Datum sum(Datum a, Datum b, bool minus) const;
  Datum product(const Datum& a, const Datum& b) const;
  Datum quotient(Datum a, const Datum& b, bool mod) const;
  Datum comparison(ExprKind kind, Datum a, Datum b) const;
  Datum united(const Datum& a, const Datum& b, bool minus) const;
  Datum set_of(const Place& place, ExprRef e);
  Datum map_of(const Place& place, ExprRef e);
  Datum range(const Place& place, ExprRef e);
  Datum quantified(const Place& place, ExprRef e);
  Datum membership(const Place& place, ExprRef e);
  static Datum lookup(const Datum& map, const Datum& key);

  Program& program_;
  const World& world_;
  int depth_ = 0;
};

// A date so many units later (earlier if negative).
[[nodiscard]] Date later(const Date& date, const Integer& count, std::string_view unit);

}  // namespace whittle::rebel
