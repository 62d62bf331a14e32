// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/backend.h"

#include <unordered_map>
#include <unordered_set>

#include "smt/z3/check_strategy.h"
#include "smt/z3/context.h"
#include "smt/z3/solver.h"
#include "smt/z3/terms.h"

namespace whittle::smt {

namespace {

class Z3Backend final : public Backend {
 public:
  Z3Backend(ExprPool& pool, const Needs& needs)
      : pool_(pool),
        needs_(limited(needs)),
        solver_(z3_, needs),
        strategy_(check_strategy(solver_, needs.logic)),
        terms_(pool, z3_, needs.logic.datatypes, [this](Z3_ast a) { require_standing(a); }) {}

  [[nodiscard]] bool covers(const Needs& needs) const override {
    return needs_.logic.includes(needs.logic);
  }

  void push() override { solver_.push(); }

  void pop(unsigned levels) override {
    solver_.pop(levels);
    standing_.popped_to(solver_.level(), [this](Z3_ast a) { solver_.require(a); });
  }

  void add(Expr condition) override {
    Z3_ast term = terms_(condition);
    solver_.require(term);
    z3_.check();
  }

  CheckResult check(std::span<const Expr> assumptions) override {
    literals_.clear();
    for (Expr assumption : assumptions) literals_.push_back(literal(assumption));
    solver_.prepare_check();
    return strategy_->check(literals_);
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
      result = Z3_model_get_const_interp(z3_, solver_.model(), terms_.declaration(symbol));
    if (result == nullptr && !Z3_model_eval(z3_, solver_.model(), application, true, &result))
      throw NoValue("term that the model does not evaluate");
    return terms_.value(z3_.keep(result), info.type, solver_.model());
  }

  std::vector<std::size_t> core() override {
    std::vector<std::size_t> positions;
    std::unordered_set<Z3_ast> used;
    if (solver_.core_known()) {
      const std::vector<Z3_ast> core = solver_.core();
      used.insert(core.begin(), core.end());
    } else {
      used.insert(literals_.begin(), literals_.end());
    }
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      // The same assumption twice: once is enough.
      if (used.erase(literals_[i]) != 0) positions.push_back(i);
    }
    return positions;
  }

  void interrupt() override { solver_.interrupt(); }

  [[nodiscard]] std::map<std::string, double> statistics() const override {
    return solver_.statistics();
  }

 private:
  // Of the whole process, before anything is made.
  static const Needs& limited(const Needs& needs) {
    if (needs.memory_mb)
      Z3_global_param_set("memory_max_size", std::to_string(*needs.memory_mb).c_str());
    return needs;
  }

  void require_standing(Z3_ast condition) {
    standing_.add(condition, solver_.level());
    solver_.require(condition);
  }

  // Z3 takes literals only; any other assumption gets a Bool constant that implies it.
  Z3_ast literal(Expr assumption) {
    Expr atom = pool_.op(assumption) == Op::Not ? pool_.child(assumption, 0) : assumption;
    if (pool_.is_variable(atom)) return terms_(assumption);
    Z3_ast& proxy = proxies_[assumption];
    if (proxy == nullptr) {
      Z3_ast term = terms_(assumption);
      Z3_ast fresh = terms_.fresh("assume", terms_.sort(Type::boolean()));
      require_standing(z3_.keep(Z3_mk_implies(z3_, fresh, term)));
      proxy = fresh;
    }
    return proxy;
  }

  ExprPool& pool_;
  Z3Context z3_;
  Needs needs_;
  Z3Solver solver_;
  std::unique_ptr<CheckStrategy> strategy_;
  StandingAssertions<Z3_ast> standing_;
  Z3Terms terms_;
  std::unordered_map<Expr, Z3_ast> proxies_;
  std::vector<Z3_ast> literals_;  // of the last check
};

}  // namespace

std::unique_ptr<Backend> make_z3_backend(ExprPool& pool, const Needs& needs) {
  return std::make_unique<Z3Backend>(pool, needs);
}

}  // namespace whittle::smt
