// SPDX-License-Identifier: Apache-2.0
#include "absint/component_runner.h"

#include <algorithm>
#include <memory>
#include <sstream>

#include "base/deadline.h"
#include "base/error.h"
#include "base/worker.h"

namespace whittle::absint {

ReadyComponents::ReadyComponents(const ControlGraph& graph)
    : graph_(graph), edges_left_(graph.component_count(), 0) {
  for (const ControlEdge& edge : graph.edges()) {
    const std::uint32_t to = graph.component_of(edge.to);
    if (graph.component_of(edge.from) != to) ++edges_left_[to];
  }
  for (std::uint32_t c = 0; c < edges_left_.size(); ++c) {
    if (edges_left_[c] == 0) put_back(c);
  }
}

std::optional<std::uint32_t> ReadyComponents::take(bool on_cycle) {
  std::set<std::uint32_t>& from = on_cycle ? on_cycles_ : others_;
  if (from.empty()) return std::nullopt;
  return from.extract(from.begin()).value();
}

void ReadyComponents::put_back(std::uint32_t component) {
  const bool on_cycle = graph_.on_cycle(graph_.component(component).front());
  (on_cycle ? on_cycles_ : others_).insert(component);
}

void ReadyComponents::done(std::uint32_t component) {
  for (std::uint32_t node : graph_.component(component)) {
    for (std::uint32_t e : graph_.out()[node]) {
      const std::uint32_t to = graph_.component_of(graph_.edges()[e].to);
      if (to != component && --edges_left_[to] == 0) put_back(to);
    }
  }
}

namespace {

constexpr int kPollMilliseconds = 20;

class Runner {
 public:
  Runner(const ControlGraph& graph, const ComponentWork& work, const Parallelism& parallelism,
         const std::function<bool()>& stop)
      : work_(work),
        parallelism_(parallelism),
        stop_(stop),
        ready_(graph),
        processes_(parallelism.processes) {}

  bool run() {
    for (;;) {
      if (stop_()) return false;
      if (const auto plain = ready_.take(false)) {
        if (!work_.run(*plain, stop_)) return false;
        ready_.done(*plain);
        continue;
      }
      hand_over();
      if (!batches_.empty() && (ready_.on_cycles() == 0 || worth_a_process())) {
        collect();
      } else if (const auto cyclic = ready_.take(true)) {
        if (!run_here(*cyclic)) return false;
      } else {
        return true;
      }
    }
  }

 private:
  struct Batch {
    Worker worker;
    std::vector<std::uint32_t> components;
  };

  // False: stopped.
  bool run_here(std::uint32_t component) {
    const Clock::time_point begun = Clock::now();
    const bool others =
        batches_.size() < processes_ && ready_.on_cycles() + batches_.size() > 0 && processes_ > 1;
    bool stopped = false;
    const bool finished = work_.run(component, [&] {
      stopped = stop_();
      return stopped || (others && Clock::now() - begun > parallelism_.patience);
    });
    spent_ += Clock::now() - begun;
    if (stopped || (!finished && stop_())) return false;
    if (!finished) {
      start({component});
      return true;
    }
    ++finished_;
    ready_.done(component);
    return true;
  }

  // Going by what was seen so far.
  [[nodiscard]] bool worth_a_process() const {
    const auto components = static_cast<Clock::rep>(ready_.on_cycles());
    return processes_ > 1 && (components > 1 || !batches_.empty()) &&
           components * spent_ > parallelism_.patience * (finished_ + 1);
  }

  // What is ready, evenly to the places that are free, and not more than a slice of time at once.
  void hand_over() {
    while (ready_.on_cycles() > 0 && batches_.size() < processes_ && worth_a_process()) {
      const std::size_t places = processes_ - batches_.size();
      const auto in_slice = static_cast<std::size_t>(parallelism_.slice * finished_ / spent_);
      const std::size_t share =
          std::clamp<std::size_t>(in_slice, 1, (ready_.on_cycles() + places - 1) / places);
      std::vector<std::uint32_t> components;
      while (components.size() < share) components.push_back(*ready_.take(true));
      start(components);
    }
  }

  void start(const std::vector<std::uint32_t>& components) {
    WorkerLimits limits;
    limits.memory_mb = parallelism_.memory_mb;
    const WorkerWork work = [&](const ProgressSink&) { return run_there(components); };
    try {
      batches_.push_back(
          std::make_unique<Batch>(Batch{Worker("components", work, limits), components}));
    } catch (const ResourceError&) {
      do_without(components);
    }
  }

  // In the worker. At least one component, unless it is stopped.
  [[nodiscard]] std::string run_there(const std::vector<std::uint32_t>& components) const {
    const Clock::time_point begun = Clock::now();
    std::ostringstream out;
    for (std::uint32_t component : components) {
      if (!work_.run(component, stop_)) break;
      out << component << '\n';
      work_.write(component, out);
      if (Clock::now() - begun > parallelism_.slice) break;
    }
    return std::to_string((Clock::now() - begun).count()) + '\n' + std::move(out).str();
  }

  void collect() {
    std::vector<const Worker*> workers;
    for (const auto& batch : batches_) workers.push_back(&batch->worker);
    const std::vector<std::size_t> spoke = wait_for(workers, kPollMilliseconds);
    for (auto i = spoke.rbegin(); i != spoke.rend(); ++i) {
      if (batches_[*i]->worker.read_some()) continue;
      const std::unique_ptr<Batch> ended = std::move(batches_[*i]);
      batches_.erase(batches_.begin() + static_cast<std::ptrdiff_t>(*i));
      take_results(*ended);
    }
  }

  void take_results(Batch& batch) {
    const Worker::Outcome outcome = batch.worker.finish();
    if (!outcome.bytes) return do_without(batch.components);
    std::istringstream in(*outcome.bytes);
    Clock::rep time = 0;
    in >> time;
    spent_ += Clock::duration(time);
    std::size_t count = 0;
    for (std::uint32_t component = 0; in >> component; ++count) {
      work_.read(component, in);
      ready_.done(component);
    }
    finished_ += static_cast<Clock::rep>(count);
    const std::vector<std::uint32_t> left(
        batch.components.begin() + static_cast<std::ptrdiff_t>(count), batch.components.end());
    if (count == 0) return do_without(left);
    for (std::uint32_t component : left) ready_.put_back(component);
  }

  // There are no processes, or they die: what is left is this one.
  void do_without(const std::vector<std::uint32_t>& components) {
    processes_ = 1;
    for (std::uint32_t component : components) ready_.put_back(component);
  }

  const ComponentWork& work_;
  const Parallelism& parallelism_;
  const std::function<bool()>& stop_;
  ReadyComponents ready_;
  std::size_t processes_;
  std::vector<std::unique_ptr<Batch>> batches_;
  Clock::duration spent_{};  // on components that are on cycles
  Clock::rep finished_ = 0;  // of those
};

}  // namespace

bool for_each_component(const ControlGraph& graph, const ComponentWork& work,
                        const Parallelism& parallelism, const std::function<bool()>& stop) {
  return Runner(graph, work, parallelism, stop).run();
}

}  // namespace whittle::absint
