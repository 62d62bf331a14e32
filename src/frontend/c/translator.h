// SPDX-License-Identifier: Apache-2.0
// From a translation unit to a network: one machine, functions copied to where they are called.
//
// The steps of a program. What an expression does (assignments, inputs) is collected while it is
// translated, over the values before the step, and becomes one step at the end of the statement or
// where control flow begins inside of the expression. What may go wrong on the way becomes a hazard
// of that step. There is no recursion, so that at most one activation of a function has values: its
// variables are the same in all copies.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"
#include "frontend/c/arithmetic.h"
#include "frontend/c/constants.h"
#include "frontend/c/options.h"
#include "frontend/c/refusal.h"
#include "frontend/c/representation.h"
#include "frontend/c/specification.h"
#include "frontend/c/tree.h"
#include "frontend/program/code.h"
#include "ir/network.h"

namespace whittle::c {

class Translator {
 public:
  // Functions that are called from several places are copied to each of them, or shared.
  enum class Calls : std::uint8_t { Copied, Shared };
  Translator(const Unit& unit, const Sources& sources, FileId file, const COptions& options,
             const Specification& specification, Diagnostics& diagnostics,
             Calls calls = Calls::Copied);
  std::shared_ptr<Network> run();
  // After run(): copies have made the program very large.
  [[nodiscard]] bool is_large() const { return instructions_ > kManyInstructions; }

 private:
  using Code = program::Code;
  using Site = program::Site;
  static constexpr std::size_t kMaxInstructions = 60'000;
  static constexpr std::size_t kManyInstructions = 12'000;
  static constexpr std::size_t kMaxCalls = 200;  // inside each other

  // A variable, a member of one, or an element: `object.path[index][index]`.
  struct Place {
    ObjectId object = kNone;
    std::string path;
    std::vector<Expr> indices;           // each within its length
    std::vector<std::uint64_t> lengths;  // of the arrays on the way
    TypeId type = kInt;
  };
  // An activation of a function, while it is translated.
  struct Frame {
    FunctionId function = kNone;
    std::unordered_map<std::string_view, Code::Place> labels;
    std::map<ObjectId, Place> bound;  // parameters that stand for variables of the caller
    Code::Place exit = 0;
    Code::Place breaks = 0;
    Code::Place continues = 0;
    bool in_loop = false;  // what is declared may be declared several times
    std::unordered_map<StatementId, Code::Place> cases;
  };
  struct Storage {
    VariableId variable;
    bool array = false;
    bool unset = false;  // an array of numbers whose elements may never have been set
  };

  // ----- translator.cpp: the program as a whole
  void start(FunctionId main);
  void initialize_globals();
  void ask();
  void ask_for(std::vector<program::FailureId> which, std::string name, PropertyKind kind,
               Span origin);
  void ask_whether_runs_end();
  void refuse(Refusal refusal, Span span, std::string_view detail = {});
  void warn(std::string_view id, Span span, std::string message, std::string hint);
  [[nodiscard]] std::string path_from_main() const;
  [[nodiscard]] std::uint32_t line_of(Span span) const;
  [[nodiscard]] Site site(Span span) const;
  program::FailureId failure(std::string name, PropertyKind kind, Span origin);
  program::FailureId failure_at(std::string_view what, Span origin, bool error);

  // ----- storage.cpp: variables and places
  [[nodiscard]] std::optional<Place> place(ExpressionId id);
  [[nodiscard]] Place whole_of(ObjectId id);
  std::optional<Place> element(const Expression& e);
  std::optional<Place> target_of(ExpressionId pointer, bool& whole_array);
  std::optional<Place> indexed(Place array, ExpressionId index, Span span);
  Storage storage(const Place& place, Span span);
  [[nodiscard]] std::string storage_name(const Place& place) const;
  [[nodiscard]] Expr position(const Place& place);
  [[nodiscard]] Number read(const Place& place, Span span);
  void write(const Place& place, const Number& value, Span span);
  [[nodiscard]] Expr stored(VariableId variable, const Number& value);
  [[nodiscard]] Expr stored_as(Type type, const Number& value);
  [[nodiscard]] Expr now(VariableId variable) const;
  void set(VariableId variable, Expr value) { pending_values_[variable] = value; }
  VariableId temporary(ExpressionId id, TypeId type, bool bits);
  VariableId stacked_temporary(ExpressionId id, TypeId type, bool bits);
  VariableId result_variable(FunctionId function);
  void declare_type(VariableId variable, TypeId type);
  // Any value: at the start, or as a step.
  void forget(const Place& place, Span span);
  void initialize(const Place& place, std::uint32_t initializer, bool constant);
  void initialize_array(const Place& place, const Initializer& value, bool constant);
  void initialize_whole(const Place& place, const Initializer& value, bool constant);
  [[nodiscard]] Place element_of(const Place& array, std::uint64_t index) const;
  void copy(const Place& to, const Place& from, Span span);
  void clear(const Place& place, Span span);
  [[nodiscard]] Expr zero_array(VariableId variable, TypeId element);
  void each_leaf(const Place& place, const std::function<void(const Place&)>& visit);

  // ----- expressions.cpp
  Number evaluate(ExpressionId id);
  Expr condition(ExpressionId id);
  void discard(ExpressionId id);
  Number assignment(const Expression& e);
  Number compound(const Expression& e);
  Number step(const Expression& e);
  Number conversion(const Expression& e);
  [[nodiscard]] std::optional<ExpressionId> address_number(ExpressionId id) const;
  [[nodiscard]] bool unfollowed(ExpressionId id) const;
  Number binary(const Expression& e);
  Number lazy(ExpressionId id);
  Number lazy_flow(ExpressionId id);
  Number block(const Expression& e);
  Number refused(Refusal refusal, const Expression& e, std::string_view detail = {});
  [[nodiscard]] Number nothing(TypeId type) const;
  // Goes on where the expression is true, else to the place.
  void branch(ExpressionId id, Code::Place otherwise);
  void branch_negated(ExpressionId id, Code::Place otherwise);
  void test(Expr condition, Code::Place otherwise);
  void test_of(ExpressionId id, Expr condition, Code::Place otherwise, bool negated = false);
  [[nodiscard]] ExpressionId decisive(ExpressionId id) const;
  [[nodiscard]] bool in_parts() const { return options_.conditions.value() == Conditions::Parts; }
  [[nodiscard]] bool chooses(const Expression& e) const;
  [[nodiscard]] bool flows_itself(ExpressionId id);
  Number kept(const Number& value, ExpressionId id);
  [[nodiscard]] bool acts(ExpressionId id);   // changes something, or takes an input
  [[nodiscard]] bool flows(ExpressionId id);  // makes steps of its own
  struct Uses {
    std::set<ObjectId> reads;
    std::set<ObjectId> writes;
  };
  void uses(ExpressionId id, Uses& result, bool writing = false) const;
  void check_sequence(const Expression& e, ExpressionId a, ExpressionId b);
  void fault(Fault fault, Expr condition);
  program::Action take_action();
  void flush();

  // ----- calls.cpp
  Number call(const Expression& e, ExpressionId id);
  Number enter(FunctionId id, const Expression& e);
  Number input(TypeId type, std::string name = {});
  std::optional<Number> built_in(const Function& function, const Expression& e);
  Number external(const Function& function, const Expression& e);
  [[nodiscard]] bool bindable(ExpressionId argument) const;
  void bind(Frame& inner, ObjectId parameter, ExpressionId argument);
  void body(FunctionId id);
  void evaluate_arguments(const Expression& e);

  // ----- recursion.cpp
  struct SingleCopy {
    VariableId level;   // number of the activation at work, from 0; invalid: there is only one
    VariableId caller;  // the call it returns to, by activation
    Code::Place entry = 0;
    Code::Place exit = 0;
    std::vector<Code::Place> returns;  // by call
  };
  enum class Copies : std::uint8_t { PerCall, Shared, Recursive };
  [[nodiscard]] bool is_recursive(FunctionId id) const { return copies_[id] == Copies::Recursive; }
  [[nodiscard]] bool has_single_copy(FunctionId id) const { return copies_[id] != Copies::PerCall; }
  [[nodiscard]] std::uint64_t depth() const { return *options_.recursion; }
  void choose_copies(FunctionId main);
  SingleCopy& single_copy(FunctionId id);
  Expr next_level(const SingleCopy& copy, Span span);
  // Which values of the variable count now; none: it has one.
  [[nodiscard]] std::optional<Expr> level_of(const Object& object);
  Number enter_single_copy(FunctionId id, const Expression& e,
                           const std::vector<std::pair<ObjectId, Number>>& values);
  void translate_single_copies();
  void return_from(FunctionId id);

  // ----- statements.cpp
  void statement(StatementId id);
  void statements(const std::vector<StatementId>& list);
  void collect_labels(StatementId id);
  void declaration(const Statement& s);
  void if_statement(const Statement& s);
  void while_loop(const Statement& s);
  void do_loop(const Statement& s);
  void for_loop(const Statement& s);
  [[nodiscard]] std::vector<std::string> case_names(const std::vector<StatementId>& cases) const;
  void switch_statement(const Statement& s);
  void collect_cases(StatementId id, std::vector<StatementId>& cases) const;
  void labelled(const Statement& s, StatementId id);
  void return_statement(const Statement& s);
  void go_to(const Statement& s);
  void loop_body(StatementId id, Code::Place breaks, Code::Place continues);

  const Unit& unit_;
  const SourceFile& source_;
  FileId file_;
  const COptions& options_;
  const Specification& specification_;
  Diagnostics& diagnostics_;
  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Network> network_;
  Constants constants_;
  std::optional<Representation> bits_;
  Arithmetic arithmetic_;
  UniverseId universe_;
  MachineId main_;
  program::Failures failures_;
  Code* code_ = nullptr;
  Frame* frame_ = nullptr;
  Site site_;
  std::vector<FunctionId> calls_;
  std::vector<Copies> copies_;  // by function
  std::map<FunctionId, SingleCopy> single_copies_;
  std::vector<FunctionId> to_translate_;  // those, in the order in which they were called first
  program::FailureId too_deep_;           // invalid: nothing is recursive
  std::map<std::string, unsigned> names_;
  std::map<std::pair<ObjectId, std::string>, Storage> storages_;
  std::unordered_map<ExpressionId, VariableId> temporaries_;
  std::unordered_map<ExpressionId, VariableId> stacked_temporaries_;  // by activation
  std::unordered_map<FunctionId, VariableId> results_;
  std::shared_ptr<std::unordered_map<std::uint32_t, TypeId>> types_of_symbols_;
  std::shared_ptr<std::map<std::string, std::string>> outside_;  // functions: what they return
  std::map<std::string, program::FailureId> failed_;
  struct Asked {
    program::FailureId failure;
    std::string name;
    PropertyKind kind = PropertyKind::Assert;
    Span origin;
    bool error = false;  // an error call or label
  };
  std::vector<Asked> asked_;
  std::vector<Expr> first_;  // conditions on the first state
  bool want_bits_ = false;   // inputs are bits
  std::set<std::tuple<Refusal, FunctionId>> refused_;
  std::set<std::pair<std::string, std::uint32_t>> warned_;
  std::unordered_map<ExpressionId, std::uint8_t> activity_;  // 1: known, 2: acts, 4: flows
  bool too_large_ = false;
  Calls sharing_;
  std::size_t instructions_ = 0;

  // What the step at hand does.
  std::map<VariableId, Expr> pending_values_;
  std::vector<program::Action::Input> pending_inputs_;
  std::vector<program::Hazard> pending_hazards_;
  std::vector<Expr> pending_assumptions_;
  std::vector<Expr> no_fault_;  // of those hazards that end the run
  std::vector<Expr> guards_;    // under which the expression at hand is evaluated
};

}  // namespace whittle::c
