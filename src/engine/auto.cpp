// SPDX-License-Identifier: Apache-2.0
// The engine for those who do not want to choose one. First bounded model checking alone, for a
// fraction of a second: most questions are small, and starting processes costs more than answering
// them. Then a race: the engines that can decide the question, each in a worker process, as many at
// a time as there are processors, in turns; the first answer whose witness is plausible wins and
// the others are ended. A worker that dies costs its engine's turn; the reason is kept and said if
// nobody answers.
//
//   bounded question      accelerate, bmc with one solver, bmc with the other
//   unbounded question    rsc, kinduction, pdr, and these
//
// Traces are checked here against the flat system; invariants, like all witnesses, are checked by
// whoever called, on the model as it was written.
#include "engine/auto.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "base/error.h"
#include "engine/bmc.h"
#include "engine/engines.h"
#include "engine/result_codec.h"
#include "engine/worker.h"

namespace whittle {

namespace {

constexpr int kPollMilliseconds = 20;
constexpr std::chrono::milliseconds kTurn{2000};

// Who takes part in a race.
struct Runner {
  const EngineInfo* engine = nullptr;
  smt::SolverId solver = smt::SolverId::Z3;
  std::chrono::milliseconds turn = kTurn;  // while others wait; doubled each time it is used up
  [[nodiscard]] std::string name() const {
    return fmt::format("{} with {}", engine->id, smt::info(solver).name);
  }
};

class Auto {
 public:
  Auto(const TransitionSystem& system, Env& env)
      : system_(system), env_(env), options_(env.options.get<AutoOptions>()) {}

  EngineResult run() {
    EngineResult result = alone();
    if (decided(result) || !env_.stop_reason().empty()) return finished(std::move(result));
    return finished(race(std::move(result)));
  }

 private:
  static bool decided(const EngineResult& r) { return r.outcome != Outcome::Unknown; }

  EngineResult alone() {
    const auto time = std::chrono::milliseconds(static_cast<long>(*options_.alone * 1000));
    Env env = env_with(env_.solvers.settings().id, Deadline::after(time));
    EngineResult result = kBmcInfo.run(system_, env);
    result.engine = kBmcInfo.id;
    calls_ += result.solver_calls;
    return result;
  }

  Env env_with(smt::SolverId solver, Deadline deadline) {
    smt::Limits limits = env_.solvers.settings().limits;
    limits.deadline = limits.deadline.earlier(deadline);
    Env env = env_;
    env.solvers = env_.solvers.with(solver).with(limits);
    env.deadline = env_.deadline.earlier(deadline);
    return env;
  }

  std::deque<Runner> runners() {
    const smt::SolverId first = env_.solvers.settings().id;
    std::deque<Runner> list;
    auto add = [&](std::string_view id, smt::SolverId solver) {
      if (const EngineInfo* engine = find_engine(id)) list.push_back({engine, solver, kTurn});
    };
    add("accelerate", first);
    if (!system_.bound.max) {
      add("rsc", first);
      add("kinduction", first);
      add("pdr", smt::SolverId::Z3);
    }
    add("bmc", first);
    add("bmc", smt::other(first));
    return list;
  }

  EngineResult race(EngineResult best) {
    std::deque<Runner> waiting = runners();
    std::vector<Worker> workers;
    std::vector<Turn> turns;  // by worker
    const std::size_t places =
        *options_.jobs > 0 ? *options_.jobs : std::max(1U, std::thread::hardware_concurrency());
    const PoolMark common = mark(*system_.pool);
    while (!waiting.empty() || !workers.empty()) {
      while (!waiting.empty() && workers.size() < places) {
        start(waiting.front(), common, workers);
        turns.push_back({waiting.front(), Clock::now()});
        waiting.pop_front();
      }
      make_room(waiting, workers, turns);
      if (auto reason = env_.stop_reason(); !reason.empty()) {
        best.reason = std::string(reason);
        return best;
      }
      std::vector<std::size_t> ready = wait_for(workers, kPollMilliseconds);
      for (auto i = ready.rbegin(); i != ready.rend(); ++i) {
        if (workers[*i].read_some()) continue;
        Worker ended = std::move(workers[*i]);
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(*i));
        turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(*i));
        std::optional<EngineResult> result = result_of(ended);
        if (!result) continue;
        if (decided(*result)) return std::move(*result);
        keep_better(best, std::move(*result));
      }
    }
    return best;
  }

  struct Turn {
    Runner runner;
    Clock::time_point begun;
  };

  // Those who used up their turn while others wait go to the end of the line. They begin anew then,
  // with twice the time, so at most half of all work is lost.
  void make_room(std::deque<Runner>& waiting, std::vector<Worker>& workers,
                 std::vector<Turn>& turns) {
    for (std::size_t i = turns.size(); i-- > 0;) {
      if (waiting.empty()) return;
      Turn& turn = turns[i];
      if (Clock::now() - turn.begun < turn.runner.turn) continue;
      Runner again = turn.runner;
      again.turn *= 2;
      env_.log.debug("auto: {} has to wait", again.name());
      waiting.push_back(again);
      workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
      turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void start(const Runner& runner, PoolMark common, std::vector<Worker>& workers) {
    WorkerLimits limits;
    if (auto memory = env_.solvers.settings().limits.memory_mb) limits.memory_mb = *memory;
    env_.log.debug("auto: {} starts", runner.name());
    workers.emplace_back(
        runner.name(),
        [&, runner, common] {
          Env env = env_with(runner.solver, Deadline::never());
          EngineResult result = runner.engine->run(system_, env);
          if (result.engine.empty()) result.engine = runner.engine->id;
          return encoded(result, *system_.pool, common);
        },
        limits);
  }

  // Empty: the worker died, or its answer does not hold up.
  std::optional<EngineResult> result_of(Worker& worker) {
    Worker::Outcome outcome = worker.finish();
    if (!outcome.bytes) {
      note(fmt::format("{} {}", worker.name(), outcome.death));
      return std::nullopt;
    }
    EngineResult result = decoded(*outcome.bytes, *system_.pool);
    calls_ += result.solver_calls;
    if (result.outcome == Outcome::Reached) {
      auto problem = result.trace ? flat_trace_problem(system_, *result.trace)
                                  : std::optional<std::string>("it has no trace");
      if (problem) {
        note(fmt::format("{} gave a trace that is none: {}", worker.name(), *problem));
        return std::nullopt;
      }
    }
    if (result.outcome == Outcome::Unknown)
      env_.log.debug("auto: {} gives up: {}", worker.name(), result.reason);
    return result;
  }

  void note(const std::string& what) {
    env_.log.warning("{}", what);
    if (!deaths_.empty()) deaths_ += "; ";
    deaths_ += what;
  }

  // Of two that know nothing, the one who has looked further.
  static void keep_better(EngineResult& best, EngineResult other) {
    if (!other.clear_to) {
      if (best.reason.empty() || best.reason == "timeout") best.reason = other.reason;
      return;
    }
    if (!best.clear_to || *other.clear_to > *best.clear_to) best = std::move(other);
  }

  EngineResult finished(EngineResult result) {
    result.solver_calls = calls_;
    if (!decided(result)) {
      result.engine = "auto";
      if (!deaths_.empty()) result.reason += "; " + deaths_;
    }
    return result;
  }

  const TransitionSystem& system_;
  Env& env_;
  const AutoOptions& options_;
  std::uint64_t calls_ = 0;
  std::string deaths_;  // of workers, for people
};

void declare(OptionSet& options) { options.add<AutoOptions>(); }

EngineResult run(const TransitionSystem& system, Env& env) { return Auto(system, env).run(); }

}  // namespace

const EngineInfo kAutoInfo = {
    "auto",
    "Races the engines that can decide the question and takes the first checked answer.",
    "everything that one of the other engines decides",
    declare,
    run,
};

}  // namespace whittle
