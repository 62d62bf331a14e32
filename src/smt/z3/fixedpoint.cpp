// SPDX-License-Identifier: Apache-2.0
// Spacer behind smt/fixedpoint.h.
//
// What Z3 4.8.12 gives: for a derivable query the names of the rules along the trace, from the
// query back to a fact (we find the values along it ourselves); for one that is not, a cover of
// each relation at infinity, whose numbered variables are the relation's arguments.
#include "smt/fixedpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "expr/traverse.h"
#include "smt/elimination/expand.h"
#include "smt/solvers.h"
#include "smt/unsupported.h"
#include "smt/watch.h"
#include "smt/z3/context.h"
#include "smt/z3/reader.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

namespace {

constexpr std::string_view kRulePrefix = "rule!";

struct Relation {
  std::string name;
  std::vector<SymbolId> formals;
  Z3_func_decl decl = nullptr;
};

// The interface promises ResourceError for what cannot be translated.
template <class Action>
auto guarded(Action&& action) {
  try {
    return action();
  } catch (const Unsupported& problem) {
    throw ResourceError(std::string("unsupported: ") + problem.what());
  }
}

class Z3Fixedpoint final : public Fixedpoint {
 public:
  Z3Fixedpoint(ExprPool& pool, const Limits& limits, const FixedpointOptions& options)
      : pool_(pool),
        limits_(limits),
        options_(options),
        expander_(pool),
        terms_(pool, z3_, {}, [](Z3_ast) {}) {
    // Ranges of enumerations are said in each rule; names of deep subterms have no place here.
    terms_.refuse_deep_terms();
    horn_ = Z3_mk_fixedpoint(z3_);
    z3_.check();
    Z3_fixedpoint_inc_ref(z3_, horn_);
    set_parameters();
  }

  ~Z3Fixedpoint() override { Z3_fixedpoint_dec_ref(z3_, horn_); }

  RelationId relation(std::string name, std::vector<SymbolId> formals) override {
    return guarded([&] {
      std::vector<Z3_sort> domain;
      domain.reserve(formals.size());
      for (SymbolId formal : formals) domain.push_back(terms_.sort(pool_.info(formal).type));
      // The number makes names unique and keeps them apart from rules and queries.
      std::string unique = fmt::format("{}!{}", name, relations_.size());
      Relation relation{std::move(name), std::move(formals), declare(unique, domain)};
      relations_.push_back(std::move(relation));
      return RelationId(relations_.size() - 1);
    });
  }

  std::size_t rule(HornRule rule) override {
    return guarded([&] {
      std::size_t number = rules_.size();
      add(rule.body, rule.constraint, atom(rule.head), rule.head.arguments,
          fmt::format("{}{}", kRulePrefix, number));
      rules_.push_back(std::move(rule));
      return number;
    });
  }

  FixedpointResult query(std::vector<RelationAtom> atoms, Expr constraint) override {
    FixedpointResult result;
    try {
      std::string name = fmt::format("query!{}", queries_++);
      Z3_func_decl goal = declare(name, {});
      add(atoms, constraint, z3_.keep(Z3_mk_app(z3_, goal, 0, nullptr)), {}, name);
      ask(goal, HornRule{name, {}, std::move(atoms), constraint}, result);
    } catch (const Unsupported& problem) {
      result.reason = {Reason::Kind::Unsupported, std::string("unsupported: ") + problem.what()};
    } catch (const ResourceError& problem) {
      result.reason = problem.reason();
    } catch (const std::bad_alloc&) {
      result.reason = {Reason::Kind::Memory};
    }
    return result;
  }

  void interrupt() override { interrupted_ = true; }

 private:
  void set_parameters() {
    Z3_params params = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, params);
    auto flag = [&](const char* name, bool value) {
      Z3_params_set_bool(z3_, params, Z3_mk_string_symbol(z3_, name), value);
    };
    Z3_params_set_symbol(z3_, params, Z3_mk_string_symbol(z3_, "engine"),
                         Z3_mk_string_symbol(z3_, "spacer"));
    flag("ctrl_c", false);
    if (!options_.preprocess) {
      flag("xform.slice", false);
      flag("xform.inline_linear", false);
      flag("xform.inline_eager", false);
    }
    if (limits_.seed != 0)
      Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, "spacer.random_seed"), limits_.seed);
    Z3_fixedpoint_set_params(z3_, horn_, params);
    Z3_params_dec_ref(z3_, params);
    z3_.check();
  }

  Z3_func_decl declare(const std::string& name, const std::vector<Z3_sort>& domain) {
    Z3_func_decl decl = z3_.keep_as(Z3_mk_func_decl(z3_, Z3_mk_string_symbol(z3_, name.c_str()),
                                                    static_cast<unsigned>(domain.size()),
                                                    domain.data(), terms_.sort(Type::boolean())));
    Z3_fixedpoint_register_relation(z3_, horn_, decl);
    z3_.check();
    return decl;
  }

  Z3_ast atom(const RelationAtom& atom) {
    const Relation& relation = relations_.at(atom.relation.index());
    WHITTLE_REQUIRE(atom.arguments.size() == relation.formals.size(),
                    "a relation has as many arguments as formals");
    std::vector<Z3_ast> arguments;
    for (Expr argument : atom.arguments) arguments.push_back(terms_(expander_(argument)));
    return z3_.keep(
        Z3_mk_app(z3_, relation.decl, static_cast<unsigned>(arguments.size()), arguments.data()));
  }

  // forall variables. body and constraint => head
  void add(const std::vector<RelationAtom>& body, Expr constraint, Z3_ast head,
           const std::vector<Expr>& head_arguments, const std::string& name) {
    std::vector<Z3_ast> parts;
    std::vector<Expr> roots;
    for (const RelationAtom& premise : body) {
      parts.push_back(atom(premise));
      for (Expr argument : premise.arguments) roots.push_back(expander_(argument));
    }
    for (Expr argument : head_arguments) roots.push_back(expander_(argument));
    if (constraint.valid()) {
      Expr plain = expander_(constraint);
      parts.push_back(terms_(plain));
      roots.push_back(plain);
    }
    std::vector<Z3_app> variables;
    for (SymbolId symbol : symbols(pool_, roots)) {
      if (!pool_.info(symbol).params.empty()) throw Unsupported("a function in a Horn clause");
      Z3_ast variable = z3_.keep(Z3_mk_app(z3_, terms_.declaration(symbol), 0, nullptr));
      variables.push_back(Z3_to_app(z3_, variable));
      if (Z3_ast range = terms_.range(variable, pool_.info(symbol).type)) parts.push_back(range);
    }
    Z3_ast premise = z3_.keep(Z3_mk_and(z3_, static_cast<unsigned>(parts.size()), parts.data()));
    Z3_ast clause = z3_.keep(Z3_mk_implies(z3_, premise, head));
    if (!variables.empty())
      clause = z3_.keep(Z3_mk_forall_const(z3_, 0, static_cast<unsigned>(variables.size()),
                                           variables.data(), 0, nullptr, clause));
    Z3_fixedpoint_add_rule(z3_, horn_, clause, Z3_mk_string_symbol(z3_, name.c_str()));
    z3_.check();
  }

  static Answer counted_as(Z3_lbool answer) {
    if (answer == Z3_L_UNDEF) return Answer::Unknown;
    return answer == Z3_L_TRUE ? Answer::Sat : Answer::Unsat;
  }

  void ask(Z3_func_decl goal, const HornRule& query, FixedpointResult& result) {
    Deadline deadline = limits_.deadline;
    if (limits_.time_per_check)
      deadline = deadline.earlier(Deadline::after(*limits_.time_per_check));
    if (limits_.cancel.cancelled()) {
      result.reason = {limits_.cancel.reason()};
      return;
    }
    interrupted_ = false;
    Z3_lbool answer = Z3_L_UNDEF;
    Watch::Cause cause = Watch::Cause::None;
    {
      Watch watch(deadline, limits_.cancel, &interrupted_, [this] { Z3_interrupt(z3_); });
      const Clock::time_point begun = Clock::now();
      answer = Z3_fixedpoint_query_relations(z3_, horn_, 1, &goal);
      cause = watch.cause();
      if (limits_.counter) limits_.counter->add_check(counted_as(answer), Clock::now() - begun);
    }
    if (Z3_get_error_code(z3_) != Z3_OK || answer == Z3_L_UNDEF) {
      // A canceled query is an error to Z3, not an answer.
      result.reason = Z3_get_error_code(z3_) != Z3_OK
                          ? z3_reason(z3_.error_text())
                          : z3_reason(Z3_fixedpoint_get_reason_unknown(z3_, horn_));
      if (cause == Watch::Cause::Timeout) result.reason = {Reason::Kind::Timeout};
      if (cause == Watch::Cause::Interrupted) {
        result.reason = {limits_.cancel.cancelled() ? limits_.cancel.reason()
                                                    : Reason::Kind::Interrupted};
      }
      return;
    }
    if (answer == Z3_L_TRUE) {
      result.answer = Derivability::Derivable;
      result.derivation = derivation(query);
    } else {
      result.answer = Derivability::NotDerivable;
      result.invariants = invariants();
    }
  }

  // ----- derivable: which rules, with which facts

  std::vector<DerivationStep> derivation(const HornRule& query) {
    std::vector<std::optional<std::size_t>> applied = rules_along_trace();
    if (applied.empty()) return {};
    std::vector<DerivationStep> steps;
    for (std::optional<std::size_t> rule : applied) {
      DerivationStep step;
      step.rule = rule;
      // A trace is a path: each step needs the one before it.
      if (!steps.empty()) step.premises.push_back(steps.size() - 1);
      steps.push_back(std::move(step));
    }
    if (options_.ground_derivation) add_facts(steps, query);
    return steps;
  }

  // First applied first; the query, which is none of the caller's rules, is empty.
  std::vector<std::optional<std::size_t>> rules_along_trace() {
    std::vector<std::optional<std::size_t>> applied;
    Z3_symbol names = Z3_fixedpoint_get_rule_names_along_trace(z3_, horn_);
    if (Z3_get_error_code(z3_) != Z3_OK || names == nullptr) return applied;
    std::string text = Z3_get_symbol_string(z3_, names);
    std::size_t begin = 0;
    while (begin <= text.size()) {
      std::size_t end = std::min(text.find(';', begin), text.size());
      std::string_view name = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      if (name.starts_with("query!")) {
        applied.emplace_back();
      } else if (name.starts_with(kRulePrefix)) {
        std::size_t number = 0;
        std::string_view digits = name.substr(kRulePrefix.size());
        auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc() || number >= rules_.size()) return {};
        applied.emplace_back(number);
      }
    }
    if (!applied.empty() && !applied.front()) std::reverse(applied.begin(), applied.end());
    return applied;
  }

  // The trace as a formula: each rule with variables of its own, its premise being the fact before
  // it. A solver gives the values. (Z3's own ground answer is `false` on most systems.)
  void add_facts(std::vector<DerivationStep>& steps, const HornRule& query) {
    std::vector<RelationAtom> facts;
    auto solver = make_solver(SolverId::Z3, pool_, limits_);
    for (const DerivationStep& step : steps) {
      const HornRule& rule = step.rule ? rules_[*step.rule] : query;
      if (rule.body.size() > 1 || rule.body.empty() != facts.empty()) return;
      Substitution renaming = renamed(rule);
      if (rule.constraint.valid()) solver->require(renaming(rule.constraint));
      if (!facts.empty()) {
        const RelationAtom& premise = rule.body[0];
        if (premise.relation != facts.back().relation) return;
        for (std::size_t i = 0; i < premise.arguments.size(); ++i)
          solver->require(pool_.eq(renaming(premise.arguments[i]), facts.back().arguments[i]));
      }
      RelationAtom fact = rule.head;
      for (Expr& argument : fact.arguments) argument = renaming(argument);
      facts.push_back(std::move(fact));
    }
    if (solver->check().answer != Answer::Sat) return;
    std::vector<std::vector<Value>> values;
    try {
      for (const RelationAtom& fact : facts) {
        values.emplace_back();
        for (Expr argument : fact.arguments) values.back().push_back(solver->value(argument));
      }
    } catch (const NoValue&) {
      return;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].arguments = std::move(values[i]);
  }

  Substitution renamed(const HornRule& rule) {
    std::vector<Expr> roots = rule.head.arguments;
    for (const RelationAtom& premise : rule.body)
      roots.insert(roots.end(), premise.arguments.begin(), premise.arguments.end());
    if (rule.constraint.valid()) roots.push_back(rule.constraint);
    Substitution renaming(pool_);
    for (SymbolId symbol : symbols(pool_, roots)) {
      SymbolInfo info = pool_.info(symbol);
      renaming.set(symbol, pool_.symbol(pool_.declare(info.name, info.type)));
    }
    return renaming;
  }

  // ----- not derivable: a solution

  // Relations with a fact. Z3 takes the others, and the rules that need them, away beforehand, and
  // then says `true` of them; also where a rule can never be applied, which is asked about for
  // rules to `doubtful` relations.
  std::vector<char> derivable(const std::vector<char>& doubtful) {
    std::vector<char> known(relations_.size(), 0);
    std::vector<std::vector<std::size_t>> users(relations_.size());  // rules that wait for it
    std::vector<std::size_t> missing(rules_.size(), 0);
    std::vector<std::size_t> work;
    auto apply = [&](std::size_t r) {
      const std::size_t head = rules_[r].head.relation.index();
      if (known[head] == 0) work.push_back(head);
      known[head] = 1;
    };
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      const HornRule& rule = rules_[r];
      if (rule.constraint.valid() && pool_.is_false(rule.constraint)) continue;
      const bool ask = doubtful[rule.head.relation.index()] != 0;
      if (ask && !rule.body.empty() && !satisfiable(rule.constraint)) continue;
      for (const RelationAtom& premise : rule.body) {
        users[premise.relation.index()].push_back(r);
        ++missing[r];
      }
      if (rule.body.empty() && satisfiable(rule.constraint)) apply(r);
    }
    while (!work.empty()) {
      const std::size_t relation = work.back();
      work.pop_back();
      for (std::size_t r : users[relation]) {
        if (--missing[r] == 0) apply(r);
      }
    }
    return known;
  }

  bool satisfiable(Expr constraint) {
    if (!constraint.valid()) return true;
    auto solver = make_solver(SolverId::Z3, pool_, limits_);
    solver->require(constraint);
    return solver->check().answer != Answer::Unsat;
  }

  std::vector<Expr> invariants() {
    std::vector<Expr> result;
    Z3Reader reader(pool_, z3_, terms_);
    std::vector<char> doubtful(relations_.size(), 0);
    for (const Relation& relation : relations_) {
      std::vector<Expr> formals;
      for (SymbolId formal : relation.formals) formals.push_back(pool_.symbol(formal));
      reader.bind(formals);
      Z3_ast cover = Z3_fixedpoint_get_cover_delta(z3_, horn_, -1, relation.decl);
      Expr invariant;
      if (Z3_get_error_code(z3_) == Z3_OK && cover != nullptr)
        invariant = reader.formula(z3_.keep(cover)).value_or(Expr());
      if (!invariant.valid() || pool_.is_true(invariant)) doubtful[result.size()] = 1;
      result.push_back(invariant);
    }
    const std::vector<char> known = derivable(doubtful);
    for (std::size_t r = 0; r < result.size(); ++r)
      if (known[r] == 0) result[r] = pool_.boolean(false);
    return result;
  }

  ExprPool& pool_;
  Limits limits_;
  FixedpointOptions options_;
  Expander expander_;
  Z3Context z3_;
  Z3Terms terms_;
  Z3_fixedpoint horn_ = nullptr;
  std::vector<Relation> relations_;
  std::vector<HornRule> rules_;
  std::size_t queries_ = 0;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace

std::unique_ptr<Fixedpoint> make_fixedpoint(ExprPool& pool, const Limits& limits,
                                            const FixedpointOptions& options) {
  return std::make_unique<Z3Fixedpoint>(pool, limits, options);
}

}  // namespace whittle::smt
