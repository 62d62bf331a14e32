// SPDX-License-Identifier: Apache-2.0
#include "driver/tests/paths.h"

#include <algorithm>
#include <map>

#include "base/checkpoint.h"
#include "base/text.h"

namespace whittle::tests {

namespace {

constexpr std::size_t kMostQuestions = 2'000;
constexpr std::size_t kMostSteps = 5'000;  // of one path

class PathSearch {
 public:
  PathSearch(const std::shared_ptr<Network>& network, UniverseId universe, unsigned turns,
             Asking& asking)
      : network_(network),
        turns_(turns),
        asking_(asking),
        instance_(network->universe(universe).instances.front()),
        machine_(network->instance(instance_).machine) {
    for (const EventId event : network->machine(machine_).events)
      for (const auto& arc : network->event(event).arcs)
        if (network->event(event).root) leaving_[arc.from].emplace_back(event, arc.to);
  }

  PathsFound run() {
    for (const Start& start : network_->machine(machine_).starts) {
      start_ = start.location;
      passed_[start_] = 1;
      extend(start_);
      passed_.clear();
      events_.clear();
    }
    return std::move(result_);
  }

 private:
  struct Level {
    LocationId at;
    std::size_t next = 0;  // way to try
  };

  // Depth first, with a stack of its own: paths are long.
  void extend(LocationId begin) {
    std::vector<Level> stack = {{begin}};
    while (!stack.empty() && result_.complete) {
      checkpoint();
      Level& level = stack.back();
      const auto found = leaving_.find(level.at);
      const std::size_t ways = found == leaving_.end() ? 0 : found->second.size();
      if (level.next >= ways) {
        if (ways == 0 && !events_.empty()) add();
        leave(stack);
        continue;
      }
      const auto [event, to] = found->second[level.next++];
      if (passed_[to] > turns_ || events_.size() >= kMostSteps) continue;
      events_.push_back(event);
      if (ways > 1 && !feasible()) {
        events_.pop_back();
        continue;
      }
      ++passed_[to];
      stack.push_back({to});
    }
  }

  void leave(std::vector<Level>& stack) {
    --passed_[stack.back().at];
    stack.pop_back();
    if (!stack.empty()) events_.pop_back();
  }

  bool feasible() {
    Answer answer = ask();
    if (answer.trace) return true;
    if (answer.dead) result_.paths.push_back({name(), events_, std::move(answer)});
    return !answer.dead;
  }

  void add() {
    Answer answer = ask();
    result_.paths.push_back({name(), events_, std::move(answer)});
  }

  // A network that can do nothing but take the path.
  Answer ask() {
    if (++asked_ > kMostQuestions) {
      result_.complete = false;
      return {};
    }
    const auto copy = std::make_shared<Network>(*network_);
    for (const EventId event : copy->machine(machine_).events) copy->event(event).arcs.clear();
    std::vector<LocationId> points;
    for (std::size_t i = 0; i <= events_.size(); ++i)
      points.push_back(copy->add_location("path " + std::to_string(i), machine_, {}));
    for (std::size_t i = 0; i < events_.size(); ++i)
      copy->event(events_[i]).arcs.push_back({points[i], points[i + 1], {}});
    auto& starts = copy->machine(machine_).starts;
    std::erase_if(starts, [&](const Start& start) { return start.location != start_; });
    for (Start& start : starts) start.location = points[0];
    Property question = asking_.question(name(), PropertyKind::Reach, StateGoal{});
    question.set_condition(copy->pool().symbol(copy->at_instance(instance_, points.back())));
    question.bound = {0, events_.size()};
    const PropertyId property = copy->add_property(std::move(question));
    Answer answer = asking_.about(copy, property);
    if (answer.trace) answer.trace = of_parsed(*answer.trace);
    return answer;
  }

  [[nodiscard]] Trace of_parsed(Trace trace) const {
    std::fill(trace.initial.locations.begin(), trace.initial.locations.end(), start_);
    for (TraceStep& step : trace.steps) step.targets.clear();
    return trace;
  }

  [[nodiscard]] std::string name() const {
    std::string result;
    LocationId at = start_;
    for (const EventId event : events_) {
      const auto& ways = leaving_.at(at);
      if (ways.size() > 1) result += (result.empty() ? "" : "; ") + network_->event(event).name;
      for (const auto& [way, to] : ways)
        if (way == event) at = to;
    }
    return result.empty() ? "straight on" : ellipsized(result, 200);
  }

  std::shared_ptr<Network> network_;
  unsigned turns_;
  Asking& asking_;
  InstanceId instance_;
  MachineId machine_;
  std::map<LocationId, std::vector<std::pair<EventId, LocationId>>> leaving_;
  LocationId start_;
  std::vector<EventId> events_;
  std::map<LocationId, unsigned> passed_;
  std::size_t asked_ = 0;
  PathsFound result_;
};

}  // namespace

bool has_paths(const Network& network, UniverseId universe) {
  const auto& instances = network.universe(universe).instances;
  if (instances.size() != 1) return false;
  const auto& events = network.machine(network.instance(instances.front()).machine).events;
  return std::all_of(events.begin(), events.end(), [&](EventId id) {
    return network.event(id).arcs.size() == 1 && network.event(id).syncs.empty();
  });
}

PathsFound paths(const std::shared_ptr<Network>& network, UniverseId universe, unsigned turns,
                 Asking& asking) {
  return PathSearch(network, universe, turns, asking).run();
}

}  // namespace whittle::tests
