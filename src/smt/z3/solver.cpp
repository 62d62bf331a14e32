// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/solver.h"

#include "smt/watch.h"

namespace whittle::smt {

namespace {

// Parameters of a solver, set at the end.
class Parameters {
 public:
  explicit Parameters(Z3Context& z3)
      : z3_(z3), params_(z3, Z3_mk_params(z3), Z3_params_inc_ref, Z3_params_dec_ref) {}

  void set(const char* name, bool value) {
    Z3_params_set_bool(z3_, params_.get(), Z3_mk_string_symbol(z3_, name), value);
  }
  void set(const char* name, unsigned value) {
    Z3_params_set_uint(z3_, params_.get(), Z3_mk_string_symbol(z3_, name), value);
  }
  void give_to(Z3_solver solver) { Z3_solver_set_params(z3_, solver, params_.get()); }

 private:
  Z3Context& z3_;
  Z3Ref<Z3_params> params_;
};

std::map<std::string, double> statistics_of(Z3Context& z3, Z3_solver solver) {
  std::map<std::string, double> result;
  Z3_stats raw = Z3_solver_get_statistics(z3, solver);
  if (raw == nullptr) return result;
  const Z3Ref<Z3_stats> stats(z3, raw, Z3_stats_inc_ref, Z3_stats_dec_ref);
  for (unsigned i = 0; i < Z3_stats_size(z3, raw); ++i) {
    result[Z3_stats_get_key(z3, raw, i)] = Z3_stats_is_uint(z3, raw, i)
                                               ? Z3_stats_get_uint_value(z3, raw, i)
                                               : Z3_stats_get_double_value(z3, raw, i);
  }
  return result;
}

}  // namespace

bool divides(const Logic& logic) { return logic.division && !logic.nonlinear; }

Z3Solver::Z3Solver(Z3Context& z3, const Needs& needs) : z3_(z3), needs_(needs), raw_(made()) {}

Z3Ref<Z3_solver> Z3Solver::made() const {
  const Logic& logic = needs_.logic;
  const std::string name = logic.name();
  // Without a name Z3 looks at the problem itself, which takes longer and chooses worse. But what
  // it does for linear arithmetic by name splits on terms that do not matter, and quotients,
  // remainders and the tables of a calendar are full of these.
  Z3_solver raw = nullptr;
  if (divides(logic)) {
    raw = Z3_mk_simple_solver(z3_);
  } else if (name == "ALL") {
    raw = Z3_mk_solver(z3_);
  } else {
    raw = Z3_mk_solver_for_logic(z3_, Z3_mk_string_symbol(z3_, name.c_str()));
  }
  z3_.check();
  Z3Ref<Z3_solver> result(z3_, raw, Z3_solver_inc_ref, Z3_solver_dec_ref);
  Parameters parameters(z3_);
  // Signals belong to the program: otherwise Z3 takes SIGINT for itself during a check.
  parameters.set("ctrl_c", false);
  const unsigned seed = needs_.seed + seed_offset_;
  if (seed != 0) parameters.set("random_seed", seed);
  // On linear arithmetic the older of Z3's two solvers is the faster one (bounded model checking
  // of 8 numbers counted down, depth 100: 0.22 s against 1.09 s).
  if (!logic.nonlinear && (logic.integers || logic.reals)) parameters.set("arith.solver", 2U);
  if (divides(logic)) parameters.set("auto_config", false);
  parameters.give_to(raw);
  z3_.check();
  return result;
}

void Z3Solver::push() {
  Z3_solver_push(z3_, raw_.get());
  z3_.check();
  ++level_;
}

void Z3Solver::pop(unsigned levels) {
  Z3_solver_pop(z3_, raw_.get(), levels);
  z3_.check();
  level_ -= levels;
  while (!required_.empty() && required_.back().level > level_) required_.pop_back();
}

void Z3Solver::require(Z3_ast condition) {
  required_.push_back({condition, level_});
  Z3_solver_assert(z3_, raw_.get(), condition);
}

// ----- checks

void Z3Solver::prepare_check() {
  drop_model();
  interrupted_ = false;
  core_known_ = true;
}

CheckResult Z3Solver::ask(Z3_solver solver, std::span<const Z3_ast> literals) {
  const Z3_lbool answer = Z3_solver_check_assumptions(
      z3_, solver, static_cast<unsigned>(literals.size()), literals.data());
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

CheckResult Z3Solver::check(std::span<const Z3_ast> literals, unsigned conflicts) {
  if (spoiled_) renew();
  if (needs_.logic.few_hard_checks) limit_conflicts(conflicts);
  CheckResult result = ask(raw_.get(), literals);
  spoiled_ = result.answer == Answer::Unknown && spoils(result, literals);
  return result;
}

CheckResult Z3Solver::check_for(std::span<const Z3_ast> literals, std::chrono::milliseconds time) {
  const Watch watch(Deadline::after(time), CancelToken(), nullptr, [this] { Z3_interrupt(z3_); });
  CheckResult result = check(literals);
  if (result.answer == Answer::Sat && watch.cause() != Watch::Cause::None) {
    drop_model();  // see Session::run_backend
    result = {Answer::Unknown, {Reason::Kind::Timeout}};
  }
  return result;
}

// Z3 does not always remember what is required when a check has come to nothing. Without scopes
// and assumptions it goes on with what its procedures had made of the formulas so far, which may
// have fewer models, or ones that need to be translated back. Its incremental SAT solver loses
// parts when it is interrupted while it takes them in. (Limits by conflicts leave what it has
// learned in good order, and every run of the program does the same.)
bool Z3Solver::spoils(const CheckResult& unknown, std::span<const Z3_ast> literals) const {
  if (level_ == 0 && literals.empty()) return true;
  return needs_.logic.name() == "QF_BV" && !out_of_conflicts(unknown);
}

void Z3Solver::renew() {
  raw_ = made();
  unsigned level = 0;
  auto rise_to = [&](unsigned next) {
    for (; level < next; ++level) Z3_solver_push(z3_, raw_.get());
  };
  for (const Required& required : required_) {
    rise_to(required.level);
    Z3_solver_assert(z3_, raw_.get(), required.condition);
  }
  rise_to(level_);
  z3_.check();
  spoiled_ = false;
}

void Z3Solver::limit_conflicts(unsigned most) {
  Parameters parameters(z3_);
  parameters.set("max_conflicts", most);
  parameters.give_to(raw_.get());
  z3_.check();
}

void Z3Solver::limit_steps(unsigned most) {
  if (spoiled_) renew();
  Parameters parameters(z3_);
  parameters.set("rlimit", most);
  parameters.give_to(raw_.get());
  z3_.check();
}

void Z3Solver::restart() {
  ++seed_offset_;
  spoiled_ = true;
}

CheckResult Z3Solver::check_anew(std::span<const Z3_ast> literals, const char* procedures,
                                 Effort effort) {
  const Z3Ref<Z3_tactic> whole(z3_, Z3_mk_tactic(z3_, procedures), Z3_tactic_inc_ref,
                               Z3_tactic_dec_ref);
  const Z3Ref<Z3_solver> other(z3_, Z3_mk_solver_from_tactic(z3_, whole.get()), Z3_solver_inc_ref,
                               Z3_solver_dec_ref);
  Parameters parameters(z3_);
  parameters.set("ctrl_c", false);
  if (effort.steps != 0) parameters.set("rlimit", effort.steps);
  if (effort.conflicts != kAllConflicts) parameters.set("max_conflicts", effort.conflicts);
  parameters.give_to(other.get());
  for (const Required& required : required_) Z3_solver_assert(z3_, other.get(), required.condition);
  // These procedures prefer what is required to assumptions.
  for (Z3_ast literal : literals) Z3_solver_assert(z3_, other.get(), literal);
  CheckResult result = ask(other.get(), {});
  conflicts_anew_ = statistics_of(z3_, other.get())["sat conflicts"];
  core_known_ = result.answer == Answer::Unknown;
  return result;
}

// ----- after a check

std::vector<Z3_ast> Z3Solver::core() const {
  Z3_ast_vector raw = Z3_solver_get_unsat_core(z3_, raw_.get());
  z3_.check();
  const Z3Ref<Z3_ast_vector> core(z3_, raw, Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref);
  std::vector<Z3_ast> result;
  for (unsigned i = 0; i < Z3_ast_vector_size(z3_, raw); ++i)
    result.push_back(Z3_ast_vector_get(z3_, raw, i));
  return result;
}

std::map<std::string, double> Z3Solver::statistics() const {
  return statistics_of(z3_, raw_.get());
}

void Z3Solver::drop_model() {
  if (model_ != nullptr) Z3_model_dec_ref(z3_, model_);
  model_ = nullptr;
}

void Z3Solver::interrupt() {
  interrupted_ = true;
  Z3_interrupt(z3_);
}

bool out_of_conflicts(const CheckResult& result) {
  return result.reason.detail.find("max.conflicts") != std::string::npos;
}

}  // namespace whittle::smt
