// SPDX-License-Identifier: Apache-2.0
// The list of solvers and how one is made, with or without decorators.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "smt/count.h"
#include "smt/logic.h"
#include "smt/solver.h"

namespace whittle::smt {

enum class SolverId : std::uint8_t { Z3, Cvc5 };

struct SolverInfo {
  SolverId id;
  std::string_view name;
  std::string (*version)();
  std::unique_ptr<Solver> (*make)(ExprPool&, const Logic&, const Limits&);
};

// A new solver is a folder beside z3/ and one line in solvers.cpp.
[[nodiscard]] std::span<const SolverInfo> solvers();
[[nodiscard]] const SolverInfo& info(SolverId id);
[[nodiscard]] std::optional<SolverId> solver_named(std::string_view name);
// The one that checks what `id` found.
[[nodiscard]] SolverId other(SolverId id);

// `logic` is a hint: what the terms will need, so that the solver is right from the start. A
// solver that meets more starts again with what it was told so far; none need be given.
[[nodiscard]] std::unique_ptr<Solver> make_solver(SolverId id, ExprPool& pool,
                                                  const Limits& limits = {},
                                                  const Logic& logic = {});

// What an engine's environment holds: solvers with the run's limits, counted and, if asked for,
// recorded.
class SolverFactory {
 public:
  struct Settings {
    SolverId id = SolverId::Z3;
    Limits limits;
    // Folder for one SMT-LIB 2 file per solver (`0001-z3-purpose.smt2`); empty: none.
    std::string record;
  };

  explicit SolverFactory(Settings settings);

  // `purpose` names the solver in recordings ("base", "step").
  [[nodiscard]] std::unique_ptr<Solver> make(ExprPool& pool, std::string_view purpose = "",
                                             const Logic& logic = {}) const;
  [[nodiscard]] std::unique_ptr<Solver> make(SolverId id, ExprPool& pool,
                                             std::string_view purpose = "",
                                             const Logic& logic = {}) const;
  [[nodiscard]] const Settings& settings() const { return settings_; }
  // The same counter and recordings, other settings of solver and limits.
  [[nodiscard]] SolverFactory with(SolverId id) const;
  [[nodiscard]] SolverFactory with(const Limits& limits) const;
  [[nodiscard]] CallCounts counts() const { return settings_.limits.counter->counts(); }
  [[nodiscard]] CallCounter& counter() const { return *settings_.limits.counter; }

 private:
  Settings settings_;
  std::shared_ptr<std::atomic<unsigned>> recordings_;  // files begun
};

}  // namespace whittle::smt
