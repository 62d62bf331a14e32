// SPDX-License-Identifier: Apache-2.0
#include "simplify/network/carry_over.h"

#include <algorithm>

#include "expr/traverse.h"
#include "ir/run/advance_repeated.h"

namespace whittle::simplify {

namespace {

class StepwiseBackTranslation final : public BackTranslation {
 public:
  StepwiseBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result)
      : original_(std::move(original)), result_(std::move(result)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override { return trace; }
  Expr invariant(Expr invariant) const override {
    return translated(*result_, *original_, invariant);
  }

 private:
  std::shared_ptr<Network> original_, result_;
};

}  // namespace

Expr translated(const Network& from, Network& to, Expr condition) {
  ExprPool& pool = to.pool();
  Rewriter rename(pool, [&](Expr e, std::span<const Expr>) -> Expr {
    if (pool.op(e) != Op::Apply) return Expr();
    const Role role = from.role(pool.symbol_of(e));
    if (role.kind == RoleKind::InstanceCurrent)
      return pool.symbol(to.of_instance(role.instance, VariableId(role.id)));
    if (role.kind == RoleKind::InstanceAt)
      return pool.symbol(to.at_instance(role.instance, LocationId(role.id)));
    return Expr();
  });
  return rename(condition);
}

std::shared_ptr<const BackTranslation> same_steps(std::shared_ptr<Network> original,
                                                  std::shared_ptr<Network> result) {
  return std::make_shared<StepwiseBackTranslation>(std::move(original), std::move(result));
}

std::vector<char> called_events(const Network& network) {
  std::vector<char> called(network.events().size(), 0);
  for (const Event& event : network.events())
    for (const Sync& sync : event.syncs) called[sync.event.index()] = 1;
  return called;
}

void forbid(Event& event) {
  event.arcs.clear();
  event.guards.clear();
  event.effects.clear();
  event.syncs.clear();
}

void append(Trace& trace, TraceStep step) {
  if (!trace.steps.empty()) {
    TraceStep& last = trace.steps.back();
    if (last.instance == step.instance && last.event == step.event &&
        last.arguments == step.arguments && last.targets == step.targets &&
        last.chosen == step.chosen) {
      last.times += step.times;
      return;
    }
  }
  trace.steps.push_back(std::move(step));
}

Expected<Trace, std::string> with_lifted_steps(
    const Trace& trace, Stepper& result, State& state,
    const std::function<Expected<TraceStep, std::string>(const TraceStep&)>& once) {
  constexpr std::uint64_t kWalked = 100'000;
  Trace lifted_trace;
  lifted_trace.universe = trace.universe;
  lifted_trace.initial = trace.initial;
  for (const TraceStep& step : trace.steps) {
    std::uint64_t alike = 0;  // steps so far that are the last one again
    for (std::uint64_t i = 0; i < step.times; ++i) {
      auto lifted = once(step);
      if (!lifted) return Unexpected{lifted.error()};
      const std::size_t before = lifted_trace.steps.size();
      append(lifted_trace, std::move(*lifted));
      alike = lifted_trace.steps.size() == before ? alike + 1 : 0;
      if (step.times <= kWalked || alike < 2) continue;
      const std::uint64_t rest = step.times - i - 1;
      if (!advance_repeated(result, state, step, rest)) continue;
      lifted_trace.steps.back().times += rest;
      break;
    }
  }
  return lifted_trace;
}

void choose(TraceStep& step, const Network& network, const StateLayout& layout, InstanceId instance,
            EventId event, const State& after) {
  for (const Effect& effect : network.event(event).effects) {
    for (const VariableId id : effect.writes) {
      const auto slot = static_cast<std::uint32_t>(layout.slot(instance, id));
      step.chosen.emplace_back(slot, after.values[slot]);
    }
  }
  const auto slot = [](const auto& choice) { return choice.first; };
  std::ranges::stable_sort(step.chosen, {}, slot);
  const auto again = std::ranges::unique(step.chosen, {}, slot);
  step.chosen.erase(again.begin(), again.end());
}

}  // namespace whittle::simplify
