// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/backend.h"

#include <fmt/format.h>

#include <atomic>
#include <climits>

#include "smt/watch.h"
#include "smt/z3/context.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

namespace {

constexpr unsigned kFirstEffort = 2'000'000;  // about a second
constexpr unsigned kMostEffort = 500'000'000;
constexpr unsigned kPerMillisecond = 2'000;
constexpr unsigned kMostFailures = 3;
constexpr unsigned kEasyConflicts = 2'000;  // about 0.2 s
constexpr unsigned kTrialConflicts = 5 * kEasyConflicts;
constexpr unsigned kAllConflicts = UINT_MAX;

struct Effort {
  unsigned steps = 0;  // 0: as many as it takes
  unsigned conflicts = kAllConflicts;
};

struct Required {
  Z3_ast condition;  // kept alive by the context
  unsigned level;    // number of scopes around it
};

class Z3Backend final : public Backend {
 public:
  Z3Backend(ExprPool& pool, const Needs& needs)
      : pool_(pool),
        needs_(needs),
        terms_(pool, z3_, needs.logic.datatypes, [this](Z3_ast fact) { assert_fact(fact); }) {
    if (needs.memory_mb)
      Z3_global_param_set("memory_max_size", std::to_string(*needs.memory_mb).c_str());
    begin_solver();
  }

  ~Z3Backend() override {
    drop_model();
    Z3_solver_dec_ref(z3_, solver_);
  }

  [[nodiscard]] bool covers(const Needs& needs) const override {
    return needs_.logic.includes(needs.logic);
  }

  void push() override {
    Z3_solver_push(z3_, solver_);
    z3_.check();
    ++level_;
  }

  void pop(unsigned levels) override {
    Z3_solver_pop(z3_, solver_, levels);
    z3_.check();
    level_ -= levels;
    while (!required_.empty() && required_.back().level > level_) required_.pop_back();
    facts_.popped_to(level_, [this](Z3_ast fact) { assert_here(fact); });
  }

  void add(Expr condition) override {
    Z3_ast term = terms_(condition);
    assert_here(term);
    z3_.check();
  }

  CheckResult check(std::span<const Expr> assumptions) override {
    drop_model();
    literals_.clear();
    for (Expr assumption : assumptions) literals_.push_back(literal(assumption));
    interrupted_ = false;
    core_known_ = true;
    if (needs_.logic.name() == "QF_BV") return check_bits();
    if (divides()) return check_with_restarts();
    return multiplies() && failures_ < kMostFailures ? check_in_turns() : check_incrementally();
  }

  Value value(SymbolId symbol, std::span<const Value> arguments) override {
    const SymbolInfo& info = pool_.info(symbol);
    if (!terms_.knows(symbol)) return pool_.default_value(info.type);
    std::vector<Z3_ast> constants;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      constants.push_back(z3_.keep(terms_.constant(arguments[i], info.params[i])));
    Z3_ast application =
        z3_.keep(Z3_mk_app(z3_, terms_.declaration(symbol), static_cast<unsigned>(constants.size()),
                           constants.data()));
    Z3_ast result = nullptr;
    // An array comes back as written in the model; evaluated it may have become a lambda term.
    TypeKind kind = pool_.kind(info.type);
    if (arguments.empty() && (kind == TypeKind::Array || kind == TypeKind::Set))
      result = Z3_model_get_const_interp(z3_, model_, terms_.declaration(symbol));
    if (result == nullptr && !Z3_model_eval(z3_, model_, application, true, &result))
      throw NoValue("term that the model does not evaluate");
    return terms_.value(z3_.keep(result), info.type, model_);
  }

  std::vector<std::size_t> core() override {
    std::vector<std::size_t> positions;
    if (!core_known_) {
      for (std::size_t i = 0; i < literals_.size(); ++i) positions.push_back(i);
      return positions;
    }
    Z3_ast_vector core = Z3_solver_get_unsat_core(z3_, solver_);
    z3_.check();
    Z3_ast_vector_inc_ref(z3_, core);
    std::unordered_map<Z3_ast, bool> used;
    for (unsigned i = 0; i < Z3_ast_vector_size(z3_, core); ++i)
      used[Z3_ast_vector_get(z3_, core, i)] = true;
    Z3_ast_vector_dec_ref(z3_, core);
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      auto found = used.find(literals_[i]);
      if (found == used.end() || !found->second) continue;
      found->second = false;  // the same assumption twice: once is enough
      positions.push_back(i);
    }
    return positions;
  }

  void interrupt() override {
    interrupted_ = true;
    Z3_interrupt(z3_);
  }

  [[nodiscard]] std::map<std::string, double> statistics() const override {
    return statistics(solver_);
  }

 private:
  [[nodiscard]] std::map<std::string, double> statistics(Z3_solver solver) const {
    std::map<std::string, double> result;
    Z3_stats stats = Z3_solver_get_statistics(z3_, solver);
    if (stats == nullptr) return result;
    Z3_stats_inc_ref(z3_, stats);
    for (unsigned i = 0; i < Z3_stats_size(z3_, stats); ++i) {
      result[Z3_stats_get_key(z3_, stats, i)] = Z3_stats_is_uint(z3_, stats, i)
                                                    ? Z3_stats_get_uint_value(z3_, stats, i)
                                                    : Z3_stats_get_double_value(z3_, stats, i);
    }
    Z3_stats_dec_ref(z3_, stats);
    return result;
  }

  // Linear but for quotients and remainders by constants.
  [[nodiscard]] bool divides() const { return needs_.logic.division && !needs_.logic.nonlinear; }

  // Products of integers, and nothing that the procedures for them refuse.
  [[nodiscard]] bool multiplies() const {
    const Logic& logic = needs_.logic;
    return logic.nonlinear && logic.integers && logic.name() == "QF_NIA";
  }

  CheckResult check_with(Z3_solver solver) {
    const Z3_lbool answer = Z3_solver_check_assumptions(
        z3_, solver, static_cast<unsigned>(literals_.size()), literals_.data());
    if (Z3_get_error_code(z3_) != Z3_OK) return {Answer::Unknown, z3_reason(z3_.error_text())};
    switch (answer) {
      case Z3_L_TRUE:
        model_ = Z3_solver_get_model(z3_, solver);
        if (model_ == nullptr)
          return {Answer::Unknown, {Reason::Kind::Incomplete, "incomplete: no model"}};
        Z3_model_inc_ref(z3_, model_);
        return {Answer::Sat};
      case Z3_L_FALSE:
        return {Answer::Unsat};
      case Z3_L_UNDEF:
        break;
    }
    return {Answer::Unknown, z3_reason(Z3_solver_get_reason_unknown(z3_, solver))};
  }

  template <class Check>
  CheckResult check_for(std::chrono::milliseconds time, const Check& check) {
    const Watch watch(Deadline::after(time), CancelToken(), nullptr, [this] { Z3_interrupt(z3_); });
    CheckResult result = check();
    if (result.answer == Answer::Sat && watch.cause() != Watch::Cause::None) {
      drop_model();  // see Session::run_backend
      result = {Answer::Unknown, {Reason::Kind::Timeout}};
    }
    return result;
  }

  // What is easy is so with what earlier checks have learned. What is not may be better simplified
  // as a whole, assumptions included (random programs of 5 processes, depth 15: 3.2 s against
  // 6.3 s; but philosophers: 3.6 s against 0.4 s). So that is tried once, for a few times as long,
  // and what has won then does all that is hard, and whatever follows a hard check.
  CheckResult check_bits() {
    if (!needs_.logic.few_hard_checks) return check_incrementally();
    if (hard_anew_.value_or(false) && last_was_hard_) return check_anew("qfbv");
    CheckResult result = check_incrementally(kEasyConflicts);
    if (interrupted_ || !out_of_conflicts(result)) return result;
    if (!hard_anew_) {
      result = check_anew("qfbv", {.conflicts = kTrialConflicts});
      if (interrupted_) return result;
      hard_anew_ = result.answer != Answer::Unknown;
      if (*hard_anew_) return result;
    }
    return *hard_anew_ ? check_anew("qfbv") : check_incrementally();
  }

  CheckResult check_incrementally(unsigned conflicts = kAllConflicts) {
    if (spoiled_) renew_solver();
    if (needs_.logic.few_hard_checks) limit_conflicts(conflicts);
    CheckResult result = check_with(solver_);
    spoiled_ = result.answer == Answer::Unknown && spoils(result);
    return result;
  }

  // How long a check with quotients takes depends on luck with the order of decisions; most of
  // those that take long are short with another seed (Gomes, Selman, Kautz 1998). One with a
  // calendar and sets, unsliced, in a race: more than 20 s in 6 of 6 runs, 1.5 s with one restart.
  // Learned clauses are lost, so the limit grows, and what a check needed the next one gets from
  // the start.
  CheckResult check_with_restarts() {
    for (;; restart_steps_ = std::min(restart_steps_ * 4, kMostEffort)) {
      limit_steps(restart_steps_ < kMostEffort ? restart_steps_ : 0);
      CheckResult result = check_incrementally();
      if (result.answer != Answer::Unknown || interrupted_ || !ran_out(result)) return result;
      ++seed_offset_;
      spoiled_ = true;
    }
  }

  // 0: no limit.
  void limit_steps(unsigned most) {
    if (spoiled_) renew_solver();
    Z3_params params = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, params);
    Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, "rlimit"), most);
    Z3_solver_set_params(z3_, solver_, params);
    Z3_params_dec_ref(z3_, params);
    z3_.check();
  }

  // Z3 does not always remember what is required when a check has come to nothing. Without scopes
  // and assumptions it goes on with what its procedures had made of the formulas so far, which may
  // have fewer models, or ones that need to be translated back. Its incremental SAT solver loses
  // parts when it is interrupted while it takes them in. (Limits by conflicts leave what it has
  // learned in good order, and every run of the program does the same.)
  [[nodiscard]] bool spoils(const CheckResult& unknown) const {
    if (level_ == 0 && literals_.empty()) return true;
    return needs_.logic.name() == "QF_BV" && !out_of_conflicts(unknown);
  }

  void renew_solver() {
    Z3_solver_dec_ref(z3_, solver_);
    begin_solver();
    unsigned level = 0;
    auto rise_to = [&](unsigned next) {
      for (; level < next; ++level) Z3_solver_push(z3_, solver_);
    };
    for (const Required& required : required_) {
      rise_to(required.level);
      Z3_solver_assert(z3_, solver_, required.condition);
    }
    rise_to(level_);
    z3_.check();
    spoiled_ = false;
  }

  void limit_conflicts(unsigned most) {
    Z3_params params = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, params);
    Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, "max_conflicts"), most);
    Z3_solver_set_params(z3_, solver_, params);
    Z3_params_dec_ref(z3_, params);
    z3_.check();
  }

  [[nodiscard]] static bool out_of_conflicts(const CheckResult& result) {
    return result.reason.detail.find("max.conflicts") != std::string::npos;
  }

  // Of products of integers one procedure may see at once what another one seeks for ever: in
  // turns, with more effort each time.
  CheckResult check_in_turns() {
    for (unsigned effort = kFirstEffort;; effort *= 4) {
      // Steps of the one procedure cost a thousand times as much as those of the other.
      CheckResult result = check_for(std::chrono::milliseconds(effort / kPerMillisecond),
                                     [this] { return check_incrementally(); });
      if (result.answer != Answer::Unknown || interrupted_) return result;
      // Numbers as words of bits, more and more of them, and cylinders over the reals.
      CheckResult other = check_anew("qfnia", {.steps = effort});
      if (other.answer != Answer::Unknown) return other;
      if (interrupted_ || (!ran_out(result) && !ran_out(other))) return result;
      if (ran_out(other) && effort < kMostEffort) continue;
      ++failures_;
      return check_incrementally();
    }
  }

  [[nodiscard]] static bool ran_out(const CheckResult& result) {
    return result.reason.kind == Reason::Kind::Interrupted ||
           result.reason.kind == Reason::Kind::Timeout ||
           result.reason.detail.find("resource") != std::string::npos;
  }

  // All that is required at the moment, once more, for one of Z3's collections of procedures.
  CheckResult check_anew(const char* procedures, Effort effort = {}) {
    Z3_tactic whole = Z3_mk_tactic(z3_, procedures);
    Z3_tactic_inc_ref(z3_, whole);
    Z3_solver other = Z3_mk_solver_from_tactic(z3_, whole);
    Z3_solver_inc_ref(z3_, other);
    Z3_params params = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, params);
    Z3_params_set_bool(z3_, params, Z3_mk_string_symbol(z3_, "ctrl_c"), false);
    auto set = [&](const char* name, unsigned value) {
      Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, name), value);
    };
    if (effort.steps != 0) set("rlimit", effort.steps);
    if (effort.conflicts != kAllConflicts) set("max_conflicts", effort.conflicts);
    Z3_solver_set_params(z3_, other, params);
    Z3_params_dec_ref(z3_, params);
    for (const Required& required : required_) Z3_solver_assert(z3_, other, required.condition);
    for (Z3_ast literal : literals_) Z3_solver_assert(z3_, other, literal);
    std::vector<Z3_ast> assumed;
    assumed.swap(literals_);  // they are required, which these procedures prefer
    CheckResult result = check_with(other);
    assumed.swap(literals_);
    last_was_hard_ = statistics(other)["sat conflicts"] >= kEasyConflicts;
    Z3_solver_dec_ref(z3_, other);
    Z3_tactic_dec_ref(z3_, whole);
    core_known_ = result.answer == Answer::Unknown;
    return result;
  }

  void begin_solver() {
    const std::string logic = needs_.logic.name();
    // Without a name Z3 looks at the problem itself, which takes longer and chooses worse. But what
    // it does for linear arithmetic by name splits on terms that do not matter, and quotients,
    // remainders and the tables of a calendar are full of these.
    if (divides()) {
      solver_ = Z3_mk_simple_solver(z3_);
    } else if (logic == "ALL") {
      solver_ = Z3_mk_solver(z3_);
    } else {
      solver_ = Z3_mk_solver_for_logic(z3_, Z3_mk_string_symbol(z3_, logic.c_str()));
    }
    z3_.check();
    Z3_solver_inc_ref(z3_, solver_);
    set_parameters(needs_.seed + seed_offset_);
  }

  void set_parameters(unsigned seed) {
    Z3_params params = Z3_mk_params(z3_);
    Z3_params_inc_ref(z3_, params);
    // Signals belong to the program: otherwise Z3 takes SIGINT for itself during a check.
    Z3_params_set_bool(z3_, params, Z3_mk_string_symbol(z3_, "ctrl_c"), false);
    if (seed != 0) Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, "random_seed"), seed);
    // On linear arithmetic the older of Z3's two solvers is the faster one (bounded model checking
    // of 8 numbers counted down, depth 100: 0.22 s against 1.09 s).
    if (!needs_.logic.nonlinear && (needs_.logic.integers || needs_.logic.reals)) {
      Z3_params_set_uint(z3_, params, Z3_mk_string_symbol(z3_, "arith.solver"), 2);
    }
    if (divides()) {
      Z3_params_set_bool(z3_, params, Z3_mk_string_symbol(z3_, "auto_config"), false);
    }
    Z3_solver_set_params(z3_, solver_, params);
    Z3_params_dec_ref(z3_, params);
    z3_.check();
  }

  void assert_fact(Z3_ast fact) {
    facts_.add(fact, level_);
    assert_here(fact);
  }

  void assert_here(Z3_ast condition) {
    required_.push_back({condition, level_});
    Z3_solver_assert(z3_, solver_, condition);
  }

  // Z3 takes literals only; any other assumption gets a Bool constant that implies it.
  Z3_ast literal(Expr assumption) {
    Expr atom = pool_.op(assumption) == Op::Not ? pool_.child(assumption, 0) : assumption;
    if (pool_.is_variable(atom)) return terms_(assumption);
    Z3_ast& proxy = proxies_[assumption];
    if (proxy == nullptr) {
      Z3_ast term = terms_(assumption);
      Z3_ast fresh = terms_.fresh("assume", terms_.sort(Type::boolean()));
      assert_fact(z3_.keep(Z3_mk_implies(z3_, fresh, term)));
      proxy = fresh;
    }
    return proxy;
  }

  void drop_model() {
    if (model_ != nullptr) Z3_model_dec_ref(z3_, model_);
    model_ = nullptr;
  }

  ExprPool& pool_;
  Needs needs_;
  Z3Context z3_;
  Z3_solver solver_ = nullptr;
  bool spoiled_ = false;           // must not be asked again, see spoils()
  std::optional<bool> hard_anew_;  // hard checks of bits begin anew; empty: none so far
  bool last_was_hard_ = false;     // of the checks that began anew
  Z3_model model_ = nullptr;       // of the last Sat
  unsigned level_ = 0;
  std::vector<Required> required_;  // at the moment; levels never decrease along it
  Facts<Z3_ast> facts_;
  Z3Terms terms_;
  std::unordered_map<Expr, Z3_ast> proxies_;
  std::vector<Z3_ast> literals_;           // of the last check
  bool core_known_ = true;                 // of the last Unsat; otherwise it is all of them
  std::atomic<bool> interrupted_ = false;  // during the last check
  unsigned failures_ = 0;                  // of check_in_turns()
  unsigned restart_steps_ = kFirstEffort;  // of check_with_restarts(): limit until the next restart
  unsigned seed_offset_ = 0;               // restarts so far
};

}  // namespace

std::unique_ptr<Backend> make_z3_backend(ExprPool& pool, const Needs& needs) {
  return std::make_unique<Z3Backend>(pool, needs);
}

}  // namespace whittle::smt
