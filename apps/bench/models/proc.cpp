// SPDX-License-Identifier: Apache-2.0
#include "bench/models/proc.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "base/error.h"

namespace whittle::proc {

namespace {

std::string at_depth(std::uint64_t depth) {
  return depth == 0 ? std::string() : fmt::format(" @depth {}", depth);
}

// One instruction of a litmus test: `target := source + change`, or under `if (source < change)`.
struct LitmusStep {
  bool test = false;    // skips the next instruction where it fails
  unsigned target = 0;  // shared variables first, then the process's two locals
  unsigned source = 0;
  int change = 0;
};

class Litmus {
 public:
  Litmus(unsigned processes, std::uint64_t seed)
      : processes_(processes), shared_(processes), random_(seed) {
    for (unsigned p = 0; p < processes; ++p) {
      auto& body = bodies_.emplace_back();
      for (unsigned i = 0; i < kInstructions; ++i) body.push_back(instruction(i));
    }
  }

  std::string text(std::uint64_t depth, unsigned above) {
    std::string result = fmt::format("program litmus{}\n\n", processes_);
    for (unsigned v = 0; v < shared_; ++v) result += fmt::format("shared x{}: Int = 0\n", v);
    for (unsigned p = 0; p < processes_; ++p) {
      result += fmt::format("\nprocess P{} {{\n  var a: Int = 0;\n  var b: Int = 0;\n", p);
      for (unsigned i = 0; i < kInstructions; ++i) {
        const LitmusStep& step = bodies_[p][i];
        if (step.test) {
          result += fmt::format("  if ({} < {}) {{ {} }}\n", name(step.source), step.change,
                                assignment(bodies_[p][i + 1]));
          ++i;
        } else {
          result += fmt::format("  {}\n", assignment(step));
        }
      }
      result += "}\n";
    }
    // Every assignment adds something, so a high value has a long history.
    unsigned highest = 0;
    long value = 0;
    for (unsigned n = 0; n < kRuns; ++n) {
      const std::vector<long> end = run_at_random();
      for (unsigned v = 0; v < shared_; ++v) {
        if (end[v] <= value) continue;
        highest = v;
        value = end[v];
      }
    }
    result +=
        fmt::format("\nproperty never{}: x{} != {}\n", at_depth(depth), highest, value + above);
    return result;
  }

 private:
  static constexpr unsigned kInstructions = 6;
  static constexpr unsigned kRuns = 2000;
  static constexpr unsigned kSteps = 20;  // of a random run

  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

  LitmusStep instruction(unsigned place) {
    LitmusStep step;
    // A test is never the last instruction and never guards another test.
    step.test = place % 3 == 1 && below(2) == 0;
    step.source = below(shared_ + 2);
    step.target = below(3) == 0 ? shared_ + below(2) : below(shared_);
    step.change = static_cast<int>(1 + below(4));
    return step;
  }

  [[nodiscard]] std::string name(unsigned variable) const {
    if (variable < shared_) return fmt::format("x{}", variable);
    return variable == shared_ ? "a" : "b";
  }

  [[nodiscard]] std::string assignment(const LitmusStep& step) const {
    return fmt::format("{} := {} + {};", name(step.target), name(step.source), step.change);
  }

  // The values of the shared variables after a random run.
  std::vector<long> run_at_random() {
    std::vector<long> values(shared_, 0);
    std::vector<std::vector<long>> locals(processes_, {0, 0});
    std::vector<unsigned> place(processes_, 0);
    for (unsigned n = 0; n < kSteps; ++n) {
      std::vector<unsigned> ready;
      for (unsigned p = 0; p < processes_; ++p)
        if (place[p] < kInstructions) ready.push_back(p);
      if (ready.empty()) break;
      const unsigned p = ready[below(static_cast<unsigned>(ready.size()))];
      const LitmusStep& step = bodies_[p][place[p]++];
      auto cell = [&](unsigned v) -> long& {
        return v < shared_ ? values[v] : locals[p][v - shared_];
      };
      if (!step.test)
        cell(step.target) = cell(step.source) + step.change;
      else if (cell(step.source) >= step.change)
        ++place[p];
    }
    return values;
  }

  unsigned processes_;
  unsigned shared_;
  std::mt19937_64 random_;
  std::vector<std::vector<LitmusStep>> bodies_;
};

// `each(0) && each(1) && ...`
template <class Each>
std::string for_all(unsigned count, const Each& each) {
  std::string result;
  for (unsigned i = 0; i < count; ++i) result += (i == 0 ? "" : " && ") + each(i);
  return result;
}

}  // namespace

std::string litmus(unsigned processes, std::uint64_t seed, std::uint64_t depth, unsigned above) {
  WHITTLE_REQUIRE(processes >= 2, "two processes at least");
  return Litmus(processes, seed).text(depth, above);
}

std::string indexer(unsigned processes, std::uint64_t depth) {
  return fmt::format(
      R"(program indexer{}

const SIZE = 128
const MESSAGES = 4

shared table: Int[SIZE] = 0

process P[t: 0..{}] {{
  var m: Int = 0;
  var w: Int = 0;
  var h: Int = 0;
  var stored: Bool = false;
  var collided: Bool = false;
  while (m < MESSAGES) {{
    atomic {{ m := m + 1; w := m * 11 + t; }}
    h := w * 7 % SIZE;
    stored := cas(table[h], 0, w);
    while (!stored) {{
      collided := true;
      h := (h + 1) % SIZE;
      stored := cas(table[h], 0, w);
    }}
  }}
}}

property noCollision{}: {}
)",
      processes, processes - 1, at_depth(depth),
      for_all(processes, [](unsigned i) { return fmt::format("!P[{}].collided", i); }));
}

std::string file_system(unsigned processes, std::uint64_t depth) {
  return fmt::format(
      R"(program filesystem{}

const INODES = 32
const BLOCKS = 26

shared inode: Int[INODES] = 0
shared busy: Bool[BLOCKS] = false
shared inodeLock: Bool[INODES] = false
shared blockLock: Bool[BLOCKS] = false

process P[t: 0..{}] {{
  var i: Int = 0;
  var b: Int = 0;
  var done: Bool = false;
  i := t % INODES;
  lock inodeLock[i];
  if (inode[i] == 0) {{
    b := i * 2 % BLOCKS;
    while (!done) {{
      lock blockLock[b];
      if (!busy[b]) {{
        busy[b] := true;
        inode[i] := b + 1;
        unlock blockLock[b];
        done := true;
      }} else {{
        unlock blockLock[b];
        b := (b + 1) % BLOCKS;
      }}
    }}
  }}
  unlock inodeLock[i];
}}

property blocksExist{}: forall i in 0..INODES - 1: inode[i] <= BLOCKS
)",
      processes, processes - 1, at_depth(depth));
}

std::string philosophers(unsigned processes, std::uint64_t depth, bool careless) {
  WHITTLE_REQUIRE(processes >= 2, "two philosophers at least");
  const std::string_view early = careless ? "      unlock m;\n" : "";
  const std::string_view late = careless ? "" : "      unlock m;\n";
  return fmt::format(
      R"(program philosophers{0}

const N = {0}

shared m: Bool = false
shared taken: Bool[N] = false

process P[t: 0..N - 1] {{
  var eating: Bool = false;
  while (true) {{
    lock m;
    if (!taken[t] && !taken[(t + 1) % N]) {{
{1}      atomic {{ taken[t] := true; taken[(t + 1) % N] := true; eating := true; }}
{2}      atomic {{ taken[t] := false; taken[(t + 1) % N] := false; eating := false; }}
    }} else {{
      unlock m;
    }}
  }}
}}

property neighbours{3}: {4}
)",
      processes, early, late, at_depth(depth), for_all(processes, [&](unsigned i) {
        return fmt::format("!(P[{}].eating && P[{}].eating)", i, (i + 1) % processes);
      }));
}

}  // namespace whittle::proc
