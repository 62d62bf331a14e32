// SPDX-License-Identifier: Apache-2.0
// Proofs for any number of steps (seed 002, sections 5.5, 5.6, 5.8): chains that grow, the
// Fibonacci sequence followed past a number, a cycle that has to be gone through many times. Each
// engine alone and the default, side by side; `pdr` is Z3's Spacer on the Horn clauses of the
// system by way of the library, `z3 spacer` the program on the exported clauses.
#include <fmt/format.h>

#include "bench/models/sts.h"
#include "bench/spacer.h"

namespace whittle::bench {

namespace {

// The text as a model, decided by each of the engines.
std::vector<Alternative> by_engines(const std::string& text,
                                    std::initializer_list<const char*> engines) {
  std::vector<Alternative> result;
  for (const char* engine : engines) {
    result.push_back(verdict_only(deciding(
        engine,
        [text] {
          return loaded({{"model.sts", text}});
        },
        [engine](OptionSet& options) { options.add<DecideOptions>().engine.set(engine); })));
  }
  result.push_back(spacer([text] { return loaded({{"model.sts", text}}); }, PropertyId(0)));
  return result;
}

// One property of a chain, so that it is the first.
std::string chain_text(std::uint64_t nodes, sts::ChainKind kind, bool upper) {
  std::string text = sts::chain(nodes, kind, Integer(10) * Integer(nodes));
  const std::string begin = upper ? "safety positive:" : "safety small:";
  const std::size_t at = text.find(begin);
  return text.erase(at, text.find('\n', at) - at + 1);
}

std::vector<Case> chains() {
  std::vector<Case> result;
  for (const bool upper : {false, true}) {
    for (const auto kind : {sts::ChainKind::Set, sts::ChainKind::Add}) {
      for (const std::uint64_t nodes : {10U, 100U, 1'000U, 10'000U, 100'000U}) {
        const std::string name =
            fmt::format("{} {} m={}", kind == sts::ChainKind::Set ? "set" : "add",
                        upper ? "i<=10m" : "i>=0", nodes);
        result.push_back(
            {name, nodes, static_cast<double>(nodes),
             by_engines(chain_text(nodes, kind, upper), {"auto", "rsc", "kinduction", "pdr"})});
      }
    }
  }
  return result;
}

std::vector<Case> fibonacci() {
  std::vector<Case> result;
  Integer number(10);
  for (std::uint64_t digits = 1; digits <= 9; ++digits, number *= Integer(10)) {
    result.push_back({fmt::format("a != 10^{}", digits), digits, 1,
                      by_engines(sts::fibonacci(number), {"auto", "kinduction", "pdr"})});
  }
  return result;
}

std::vector<Case> cycle_unfolding() {
  std::vector<Case> result;
  Integer limit(1'000);
  for (std::uint64_t digits = 3; digits <= 9; ++digits, limit *= Integer(10)) {
    result.push_back({fmt::format("balance < 10^{}", digits), digits, 1,
                      by_engines(sts::cycle_unfolding(limit), {"auto", "accelerate", "pdr"})});
  }
  return result;
}

}  // namespace

extern const Benchmark kChains;
const Benchmark kChains = {"chains", "nodes in a row, one number that is set or raised", "node",
                           chains};

extern const Benchmark kFibonacci;
const Benchmark kFibonacci = {"fibonacci", "a number that the Fibonacci sequence passes by", "",
                              fibonacci};

extern const Benchmark kCycleUnfolding;
const Benchmark kCycleUnfolding = {
    "cycle-unfolding", "deposits of at most 50 until a limit is reached", "", cycle_unfolding};

}  // namespace whittle::bench
