// SPDX-License-Identifier: Apache-2.0
#include "engine/portfolio/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <memory>

#include "base/error.h"
#include "base/worker.h"
#include "engine/portfolio/jobs.h"
#include "engine/portfolio/processor_limit.h"
#include "engine/portfolio/result_codec.h"

namespace whittle {

namespace {

constexpr int kPollMilliseconds = 20;
// Turns are of processor time, so that who answers first does not depend on how busy the machine
// is. Whoever waits for something else has had its turn after so many times as long.
constexpr int kIdleShare = 10;
constexpr std::chrono::milliseconds kLongestTurn{2000};    // of pinned racers
constexpr unsigned kMostDeaths = 3;                        // of one racer
constexpr std::uint64_t kSmall = std::uint64_t{1} << 30U;  // bytes: not killed for its size

// In the worker: progress goes to the parent, a few times a second.
class ReportProgress final : public ProgressListener {
 public:
  explicit ReportProgress(const ProgressSink& report) : report_(report) {}
  void on_progress(const ProgressEvent& event) override {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    report_(fmt::format("{} {}", event.depth.value_or(0), event.engine));
  }

 private:
  const ProgressSink& report_;
  Clock::time_point next_;
};

class Race {
 public:
  Race(const TransitionSystem& system, Env& env)
      : system_(system),
        env_(env),
        own_jobs_(*env.options.get<AutoOptions>().jobs),
        share_(env.jobs != nullptr ? *env.jobs : own_jobs_) {}

  EngineResult run(std::span<const Racer> racers) {
    for (const Racer& racer : racers) waiting_.push_back({racer, nullptr, racer.turn, {}, {}, 0});
    racers_ = static_cast<unsigned>(racers.size());
    common_ = mark(*system_.pool);
    while (!waiting_.empty() || !running_.empty()) {
      fill_places();
      if (auto stop = env_.stopped()) {
        best_.unknown()->reason = *stop;
        return finished(std::move(best_));
      }
      for (Entry& ended : collect_finished()) {
        if (auto winner = result_of(ended)) return finished(std::move(*winner));
      }
    }
    if (auto winner = without_workers()) return finished(std::move(*winner));
    return finished(std::move(best_));
  }

 private:
  struct Entry {
    Racer racer;
    std::unique_ptr<Worker> worker;  // null: not started; in waiting_: stopped
    std::chrono::milliseconds turn;  // doubled each time it is used up
    Clock::time_point begun;
    std::chrono::nanoseconds used_before;  // processor time, when its turn began
    unsigned deaths = 0;
    [[nodiscard]] bool turn_is_over() const {
      return worker->processor_time() - used_before >= turn ||
             Clock::now() - begun >= kIdleShare * turn;
    }
  };

  // Those who used up their turn while others wait stop where they are and go to the end of the
  // line.
  void fill_places() {
    for (std::size_t i = running_.size(); i-- > 0 && !waiting_.empty();) {
      Entry& entry = running_[i];
      if (!entry.turn_is_over()) continue;
      if (entry.racer.pinned && share_.places() > 1 && next_in_line(true) == waiting_.end())
        continue;
      entry.worker->stop();
      entry.turn *= 2;
      if (entry.racer.pinned) entry.turn = std::min(entry.turn, kLongestTurn);
      waiting_.push_back(std::move(entry));
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    while (!waiting_.empty() && running_.size() < share_.places()) {
      const auto next = next_in_line();
      Entry entry = std::move(*next);
      waiting_.erase(next);
      entry.begun = Clock::now();
      entry.used_before = entry.worker ? entry.worker->processor_time() : Clock::duration(0);
      pinned_was_last_ = entry.racer.pinned;
      if (entry.worker) {
        entry.worker->resume();
      } else if (!start(entry)) {
        in_process_.push_back(entry.racer);
        continue;
      }
      running_.push_back(std::move(entry));
    }
  }

  // Pinned racers have all places but one, the others what these leave; of one place, every other
  // turn.
  std::deque<Entry>::iterator next_in_line() {
    const auto staying = std::count_if(running_.begin(), running_.end(),
                                       [](const Entry& e) { return e.racer.pinned; });
    const bool pinned = share_.places() == 1
                            ? !pinned_was_last_
                            : static_cast<std::size_t>(staying) + 1 < share_.places();
    const auto found = next_in_line(pinned);
    return found == waiting_.end() ? waiting_.begin() : found;
  }
  std::deque<Entry>::iterator next_in_line(bool pinned) {
    return std::find_if(waiting_.begin(), waiting_.end(),
                        [&](const Entry& e) { return e.racer.pinned == pinned; });
  }

  // Another process cannot share counters: its recordings go to a folder of their own.
  [[nodiscard]] smt::SolverFactory solvers_in_worker(smt::SolverId id, unsigned number) const {
    smt::SolverFactory::Settings settings = env_.solvers.settings();
    settings.id = id;
    if (!settings.record.empty()) settings.record += fmt::format("/worker-{}", number);
    return smt::SolverFactory(settings);
  }

  [[nodiscard]] const TransitionSystem& of(const Racer& racer) const {
    return racer.as_parsed ? *env_.as_parsed : system_;
  }

  // False: the system gives no process.
  bool start(Entry& entry) {
    WorkerLimits limits;
    if (auto memory = env_.solvers.settings().limits.memory_mb) limits.memory_mb = *memory;
    env_.log.debug("race: {} starts", entry.racer.name());
    const Racer racer = entry.racer;
    const unsigned number = ++started_;
    try {
      entry.worker = std::make_unique<Worker>(
          racer.name(),
          [&, racer, number](const ProgressSink& report) {
            ReportProgress progress(report);
            Statistics statistics;
            Env env{env_.options,  solvers_in_worker(racer.solver, number),
                    env_.deadline, env_.cancel,
                    statistics,    env_.log,
                    progress,      env_.property,
                    env_.begun};
            Jobs own(std::max(1U, share_.places() / racers_));
            const Jobs::Turn turn(own);
            // Where there are several places for each, none of them is ever stopped.
            if (own.places() > 1) env.jobs = &own;
            const EngineResult result = run_engine(*racer.engine, of(racer), env);
            return encoded(result, statistics, *system_.pool, common_);
          },
          limits);
    } catch (const ResourceError& problem) {
      note(fmt::format("{}: {}", racer.name(), problem.what()));
      return false;
    }
    return true;
  }

  std::vector<Entry> collect_finished() {
    std::vector<const Worker*> workers;
    for (const Entry& entry : running_) workers.push_back(entry.worker.get());
    std::vector<std::size_t> ready;
    {
      const Jobs::Pause pause(env_.jobs);
      ready = wait_for(workers, kPollMilliseconds);
    }
    std::vector<Entry> ended;
    for (auto i = ready.rbegin(); i != ready.rend(); ++i) {
      Worker& worker = *running_[*i].worker;
      const bool more = worker.read_some();
      if (auto text = worker.take_report()) pass_on(*text);
      if (more) continue;
      ended.push_back(std::move(running_[*i]));
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(*i));
    }
    return ended;
  }

  // "23 bmc"
  void pass_on(const std::string& text) {
    std::uint64_t depth = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), depth).ptr;
    env_.report_depth(
        text.substr(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1)), depth);
  }

  // The winner's; empty: it died, does not know, or its answer does not hold up.
  std::optional<EngineResult> result_of(Entry& entry) {
    Worker::Outcome outcome = entry.worker->finish();
    entry.worker.reset();
    if (!outcome.bytes) {
      note(fmt::format("{} {}", entry.racer.name(), outcome.exit_reason));
      after_death(entry, outcome);
      return std::nullopt;
    }
    try {
      EngineResult result = decoded(*outcome.bytes, *system_.pool, env_.statistics);
      env_.solvers.counter().add(result.calls);
      return judged(std::move(result), entry.racer);
    } catch (const InternalError& problem) {  // bytes of no result
      note(fmt::format("{}: {}", entry.racer.name(), problem.what()));
      return std::nullopt;
    }
  }

  std::optional<EngineResult> judged(EngineResult result, const Racer& racer) {
    result.as_parsed = racer.as_parsed;
    if (result.unknown() != nullptr) {
      env_.log.debug("race: {} gives up: {}", racer.name(), reason_text(result));
      keep_better(best_, std::move(result));
      return std::nullopt;
    }
    if (auto problem = witness_problem(of(racer), env_, result)) {
      note(fmt::format("the answer of {} was rejected: {}", racer.name(), *problem));
      return std::nullopt;
    }
    return result;
  }

  void after_death(const Entry& entry, const Worker::Outcome& outcome) {
    if (!outcome.killed) return;
    if (entry.deaths + 1 < kMostDeaths) {
      waiting_.push_front({entry.racer, nullptr, entry.turn, {}, {}, entry.deaths + 1});
    } else if (!outcome.crashed && outcome.peak_bytes < kSmall) {
      in_process_.push_back(entry.racer);
    }
  }

  // Workers are killed from outside, or there are no processes: what is left is this one.
  std::optional<EngineResult> without_workers() {
    for (auto turn = Racer().turn; !in_process_.empty() && !env_.stopped(); turn *= 2) {
      std::vector<Racer> again;
      for (const Racer& racer : in_process_) {
        env_.log.debug("race: {} without a worker", racer.name());
        ProcessorLimit limit(turn, env_.cancel);
        Env env = limit.applied(env_);
        env.solvers = env.solvers.with(racer.solver);
        EngineResult result = run_engine(*racer.engine, of(racer), env);
        const bool out_of_time = result.unknown() != nullptr && limit.reached();
        if (auto winner = judged(std::move(result), racer)) return winner;
        if (out_of_time) again.push_back(racer);
      }
      in_process_ = std::move(again);
    }
    return std::nullopt;
  }

  void note(const std::string& what) {
    env_.log.warning("{}", what);
    if (!problems_.empty()) problems_ += "; ";
    problems_ += what;
  }

  EngineResult finished(EngineResult result) {
    if (Unknown* unknown = result.unknown(); unknown != nullptr && !problems_.empty()) {
      std::string& detail = unknown->reason.detail;
      detail = is_limit(unknown->reason.kind) && detail.empty() ? "(" + problems_ + ")"
               : detail.empty()                                 ? problems_
                                                                : detail + "; " + problems_;
    }
    return result;
  }

  const TransitionSystem& system_;
  Env& env_;
  Jobs own_jobs_;
  Jobs::Share share_;
  PoolMark common_;
  std::deque<Entry> waiting_;
  std::vector<Entry> running_;
  std::vector<Racer> in_process_;
  EngineResult best_;
  unsigned racers_ = 1;
  unsigned started_ = 0;
  bool pinned_was_last_ = false;  // of those that were given a place
  std::string problems_;          // for people
};

}  // namespace

std::string Racer::name() const {
  return fmt::format("{} with {}{}", engine->id, smt::info(solver).name,
                     as_parsed ? " on the model as parsed" : "");
}

std::optional<std::string> witness_problem(const TransitionSystem& system, const Env& env,
                                           const EngineResult& result) {
  if (result.unknown() != nullptr) return std::nullopt;
  if (env.accept) return env.accept(result);
  const Reached* reached = result.reached();
  return reached != nullptr ? flat_trace_problem(system, reached->trace) : std::nullopt;
}

void keep_better(EngineResult& best, EngineResult other) {
  Unknown& known = *best.unknown();
  const Unknown& more = *other.unknown();
  if (!more.clear_to) {
    // Why a method gave up says more than that time ran out.
    const bool says_little =
        known.reason.kind == Reason::Kind::Timeout ||
        (known.reason.kind == Reason::Kind::Incomplete && known.reason.detail.empty());
    if (says_little) known.reason = more.reason;
    return;
  }
  if (!known.clear_to || *more.clear_to > *known.clear_to) best = std::move(other);
}

EngineResult race(const TransitionSystem& system, Env& env, std::span<const Racer> racers) {
  return Race(system, env).run(racers);
}

}  // namespace whittle
