// SPDX-License-Identifier: Apache-2.0
#include "bench/deciding.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <charconv>

#include "base/error.h"
#include "base/memory.h"
#include "base/worker.h"

namespace whittle::bench {

double processor_seconds() {
  auto used = [](int whose) {
    rusage usage{};
    getrusage(whose, &usage);
    auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  return used(RUSAGE_SELF) + used(RUSAGE_CHILDREN);
}

Measurement timed(const std::function<void()>& work) {
  const double begun = processor_seconds();
  work();
  return {processor_seconds() - begun, "done"};
}

Measurement measured_alone(const std::string& name, const std::function<Measurement()>& work) {
  Worker worker(name,
                [&](const ProgressSink&) {
                  const Measurement inner = work();
                  return fmt::format("{} {} {}", inner.seconds, inner.units, peak_resident_bytes());
                },
                {});
  while (worker.read_some()) {
  }
  const Worker::Outcome outcome = worker.finish();
  Measurement result;
  if (!outcome.bytes) return result;
  const char* at = outcome.bytes->data();
  const char* end = at + outcome.bytes->size();
  at = std::from_chars(at, end, result.seconds).ptr;
  at = std::from_chars(at + 1, end, result.units).ptr;
  std::from_chars(at + 1, end, result.bytes);
  result.label = "done";
  return result;
}

Alternative verdict_only(Alternative alternative) {
  auto run = [inner = std::move(alternative.run)](Deadline deadline) {
    Measurement measured = inner(deadline);
    measured.label = measured.label.substr(0, measured.label.find('@'));
    return measured;
  };
  return {std::move(alternative.name), std::move(run)};
}

Alternative deciding(std::string name, std::function<std::shared_ptr<Network>()> network,
                     std::function<void(OptionSet&)> configure, PropertyId property) {
  auto run = [network = std::move(network), configure = std::move(configure),
              property](Deadline deadline) -> Measurement {
    OptionSet options;
    options.add<DecideOptions>().engine.set("bmc");
    options.add<DecideOptions>().check_bounded.set(
        CheckBounded::Off);  // engines are measured, not checks
    configure(options);
    Logger log;
    IgnoreProgress progress;
    const std::shared_ptr<Network> model = network();
    DecideContext context{options, deadline, CancelToken(), log, progress};
    const double begun = processor_seconds();
    const PropertyResult result = decide("benchmark", model, property, context);
    const Verdict& verdict = result.verdict;
    Measurement measured;
    measured.seconds = processor_seconds() - begun;
    measured.calls = verdict.solver_calls;
    const auto building = verdict.statistics.find("bmc.encoding");
    if (building != verdict.statistics.end()) measured.building = building->second;
    if (!verdict.known()) return measured;
    measured.label = to_string(verdict.kind());
    if (verdict.trace() != nullptr) measured.label += fmt::format("@{}", verdict.trace()->length());
    return measured;
  };
  return {std::move(name), std::move(run)};
}

}  // namespace whittle::bench
