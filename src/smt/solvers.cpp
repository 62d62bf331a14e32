// SPDX-License-Identifier: Apache-2.0
#include "smt/solvers.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/error.h"
#include "smt/cvc5/backend.h"
#include "smt/record.h"
#include "smt/session.h"
#include "smt/z3/backend.h"

namespace whittle::smt {

namespace {

constexpr std::array kSolvers{
    SolverInfo{SolverId::Z3, "z3", z3_version,
               [](ExprPool& pool, const Logic& logic, const Limits& limits) {
                 return std::unique_ptr<Solver>(
                     std::make_unique<Session>("z3", make_z3_backend, pool, logic, limits));
               }},
    SolverInfo{SolverId::Cvc5, "cvc5", cvc5_version,
               [](ExprPool& pool, const Logic& logic, const Limits& limits) {
                 return std::unique_ptr<Solver>(
                     std::make_unique<Session>("cvc5", make_cvc5_backend, pool, logic, limits));
               }},
};

// What may stand in a file name.
std::string plain_name(std::string_view text) {
  std::string name;
  for (char c : text) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    name += plain ? c : '-';
  }
  return name.substr(0, 60);
}

}  // namespace

std::span<const SolverInfo> solvers() { return kSolvers; }

const SolverInfo& info(SolverId id) {
  for (const SolverInfo& solver : kSolvers)
    if (solver.id == id) return solver;
  throw InternalError("a solver that is not in the list");
}

std::optional<SolverId> solver_named(std::string_view name) {
  for (const SolverInfo& solver : kSolvers)
    if (solver.name == name) return solver.id;
  return std::nullopt;
}

SolverId other(SolverId id) { return id == SolverId::Z3 ? SolverId::Cvc5 : SolverId::Z3; }

std::unique_ptr<Solver> make_solver(SolverId id, ExprPool& pool, const Limits& limits,
                                    const Logic& logic) {
  auto solver = info(id).make(pool, logic, limits);
  return limits.counter ? counted(std::move(solver), limits.counter) : std::move(solver);
}

SolverFactory::SolverFactory(Settings settings)
    : settings_(std::move(settings)), recordings_(std::make_shared<std::atomic<unsigned>>(0)) {
  settings_.limits.counter = std::make_shared<CallCounter>();
}

std::unique_ptr<Solver> SolverFactory::make(ExprPool& pool, std::string_view purpose,
                                            const Logic& logic) const {
  return make(settings_.id, pool, purpose, logic);
}

std::unique_ptr<Solver> SolverFactory::make(SolverId id, ExprPool& pool, std::string_view purpose,
                                            const Logic& logic) const {
  auto solver = make_solver(id, pool, settings_.limits, logic);
  if (settings_.record.empty()) return solver;
  std::error_code problem;  // shows when the file is opened
  std::filesystem::create_directories(settings_.record, problem);
  std::string name = fmt::format("{:04}-{}{}{}.smt2", ++*recordings_, info(id).name,
                                 purpose.empty() ? "" : "-", plain_name(purpose));
  return recorded(std::move(solver), pool,
                  (std::filesystem::path(settings_.record) / name).string());
}

SolverFactory SolverFactory::with(SolverId id) const {
  SolverFactory result = *this;
  result.settings_.id = id;
  return result;
}

SolverFactory SolverFactory::with(const Limits& limits) const {
  SolverFactory result = *this;
  result.settings_.limits = limits;
  result.settings_.limits.counter = settings_.limits.counter;
  return result;
}

}  // namespace whittle::smt
