// SPDX-License-Identifier: Apache-2.0
// cvc5 1.0.3 has no memory limit, and its interface no way to end a check from another thread.
// Inside it has one, which its own time limit uses; interrupt() below reaches for that.
#include "smt/cvc5/backend.h"

#include <dlfcn.h>

#include "base/error.h"
#include "smt/cvc5/terms.h"

namespace whittle::smt {

namespace {

// A pointer to a private member may be named in an explicit instantiation; the friend hands it on.
// It is the engine behind a solver, an incomplete type to us.
template <auto Member>
struct EngineAccess {
  friend void* engine_of(cvc5::Solver& solver) { return (solver.*Member).get(); }
};
void* engine_of(cvc5::Solver& solver);
template struct EngineAccess<&cvc5::Solver::d_slv>;

using Interrupt = void (*)(void*);

// Null where the library does not have it: then a check ends only by itself, and limits are kept
// by whoever runs the process.
Interrupt interrupt_function() {
  static const auto function = reinterpret_cast<Interrupt>(
      dlsym(RTLD_DEFAULT, "_ZN4cvc58internal12SolverEngine9interruptEv"));
  return function;
}

// cvc5 understands more combinations than SMT-LIB has names.
std::string logic_name(const Logic& logic) {
  std::string name = "QF_";
  if (logic.arrays) name += "A";
  if (logic.functions) name += "UF";
  if (logic.bit_vectors) name += "BV";
  if (!logic.datatypes.empty()) name += "DT";
  if (logic.strings) name += "S";
  // Strings and sets bring integers with them (lengths, sizes).
  bool integers = logic.integers || logic.strings || logic.sets;
  if (integers || logic.reals) {
    name += logic.nonlinear ? "N" : "L";
    if (integers) name += "I";
    if (logic.reals) name += "R";
    name += "A";
  }
  if (logic.sets) name += "FS";
  return name == "QF_" ? "QF_UF" : name == "QF_A" ? "QF_AX" : name;
}

Reason reason_of(const cvc5::Result& result) {
  switch (result.getUnknownExplanation()) {
    case cvc5::TIMEOUT:
      return {Reason::Kind::Timeout};
    case cvc5::INTERRUPTED:
      return {Reason::Kind::Interrupted};
    case cvc5::MEMOUT:
      return {Reason::Kind::Memory};
    case cvc5::RESOURCEOUT:
      return {Reason::Kind::Incomplete, "resources"};
    case cvc5::UNSUPPORTED:
      return {Reason::Kind::Unsupported, "incomplete: unsupported by cvc5"};
    default:
      return {};
  }
}

class Cvc5Backend final : public Backend {
 public:
  Cvc5Backend(ExprPool& pool, const Needs& needs)
      : pool_(pool),
        needs_(needs),
        terms_(pool, cvc5_, needs.logic.datatypes,
               [this](const cvc5::Term& fact) { assert_fact(fact); }) {
    guarded([&] {
      cvc5_.setOption("incremental", "true");
      cvc5_.setOption("produce-models", "true");
      // Cores keep cvc5 from some simplification, so only those pay who need them.
      if (needs.assumptions) cvc5_.setOption("produce-unsat-assumptions", "true");
      if (needs.logic.arrays) cvc5_.setOption("arrays-exp", "true");
      if (needs.seed != 0) {
        cvc5_.setOption("seed", std::to_string(needs.seed));
        cvc5_.setOption("sat-random-seed", std::to_string(needs.seed));
      }
      cvc5_.setLogic(logic_name(needs.logic));
    });
  }

  [[nodiscard]] bool covers(const Needs& needs) const override {
    return needs_.logic.includes(needs.logic) && (needs_.assumptions || !needs.assumptions);
  }

  void push() override {
    guarded([&] { cvc5_.push(); });
    ++level_;
  }

  void pop(unsigned levels) override {
    guarded([&] {
      cvc5_.pop(levels);
      level_ -= levels;
      standing_.popped_to(level_, [this](const cvc5::Term& fact) { cvc5_.assertFormula(fact); });
    });
  }

  void add(Expr condition) override {
    guarded([&] { cvc5_.assertFormula(terms_(condition)); });
  }

  CheckResult check(std::span<const Expr> assumptions) override {
    CheckResult answer;
    guarded([&] {
      assumptions_.clear();
      for (Expr assumption : assumptions) assumptions_.push_back(terms_(assumption));
      cvc5::Result result =
          assumptions_.empty() ? cvc5_.checkSat() : cvc5_.checkSatAssuming(assumptions_);
      if (result.isSat())
        answer = {Answer::Sat};
      else if (result.isUnsat())
        answer = {Answer::Unsat};
      else
        answer = {Answer::Unknown, reason_of(result)};
    });
    return answer;
  }

  Value value(SymbolId symbol, std::span<const Value> arguments) override {
    const SymbolInfo& info = pool_.info(symbol);
    if (!terms_.knows(symbol)) return pool_.default_value(info.type);
    try {
      cvc5::Term term = terms_.symbol(symbol);
      if (!arguments.empty()) {
        std::vector<cvc5::Term> parts{term};
        for (std::size_t i = 0; i < arguments.size(); ++i)
          parts.push_back(terms_.constant(arguments[i], info.params[i]));
        term = cvc5_.mkTerm(cvc5::APPLY_UF, parts);
      }
      return terms_.value(cvc5_.getValue(term), info.type);
    } catch (const cvc5::CVC5ApiException& problem) {
      throw NoValue(problem.getMessage());
    }
  }

  std::vector<std::size_t> core() override {
    std::vector<std::size_t> positions;
    guarded([&] {
      std::unordered_map<cvc5::Term, bool> used;
      for (const cvc5::Term& term : cvc5_.getUnsatAssumptions()) used[term] = true;
      for (std::size_t i = 0; i < assumptions_.size(); ++i) {
        auto found = used.find(assumptions_[i]);
        if (found == used.end() || !found->second) continue;
        found->second = false;  // the same assumption twice: once is enough
        positions.push_back(i);
      }
    });
    return positions;
  }

  void interrupt() override {
    if (Interrupt function = interrupt_function()) function(engine_of(cvc5_));
  }

  [[nodiscard]] std::map<std::string, double> statistics() const override {
    std::map<std::string, double> result;
    cvc5::Statistics statistics = cvc5_.getStatistics();
    for (auto it = statistics.begin(true, false); it != statistics.end(); ++it) {
      const auto& [name, stat] = *it;
      if (stat.isInt()) result[name] = static_cast<double>(stat.getInt());
      if (stat.isDouble()) result[name] = stat.getDouble();
    }
    return result;
  }

 private:
  // cvc5's exceptions as ours. A solver that threw is not used again (Session starts a new one).
  template <class Action>
  void guarded(Action&& action) {
    try {
      action();
    } catch (const cvc5::CVC5ApiException& problem) {
      throw ResourceError("incomplete: " + problem.getMessage());
    }
  }

  void assert_fact(const cvc5::Term& fact) {
    standing_.add(fact, level_);
    cvc5_.assertFormula(fact);
  }

  ExprPool& pool_;
  Needs needs_;
  cvc5::Solver cvc5_;
  unsigned level_ = 0;
  StandingAssertions<cvc5::Term> standing_;
  Cvc5Terms terms_;
  std::vector<cvc5::Term> assumptions_;  // of the last check
};

}  // namespace

std::unique_ptr<Backend> make_cvc5_backend(ExprPool& pool, const Needs& needs) {
  return std::make_unique<Cvc5Backend>(pool, needs);
}

std::string cvc5_version() {
  cvc5::Solver solver;
  std::string version = solver.getInfo("version");
  std::erase(version, '"');
  return version;
}

}  // namespace whittle::smt
