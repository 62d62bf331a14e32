// SPDX-License-Identifier: Apache-2.0
#include "ir/lowering/live_steps.h"

#include "base/error.h"

namespace whittle::lowering {

namespace {

class LiveSteps {
 public:
  LiveSteps(const Network& network, const LiveMeaning& meaning, TransitionSystem& system)
      : network_(network), pool_(*system.pool), meaning_(meaning), system_(system) {
    for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
      try {
        enabled_.push_back(meaning.enabled(t));
      } catch (const ResourceError& error) {
        enabled_.emplace_back();
        note(error.what());
      }
    }
  }

  std::string operator()(UniverseId universe) {
    add_stay();
    system_.acceptance.emplace();
    for (const Fairness& fairness : network_.fairness) {
      for (InstanceId instance : network_.instances_of(universe, fairness.machine))
        add_unit(fairness, instance);
    }
    return more_runs_;
  }

 private:
  void note(const std::string& why) {
    if (more_runs_.empty()) more_runs_ = why;
  }

  // Where it is not known whether something is possible, staying is allowed, too.
  void add_stay() {
    std::vector<Expr> none;
    for (Expr e : enabled_) {
      if (e.valid()) none.push_back(pool_.negate(e));
    }
    Transition stay;
    stay.name = "stay";
    stay.guard = pool_.conj(none);
    stay.relation = pool_.boolean(true);
    system_.transitions.push_back(std::move(stay));
  }

  void add_unit(const Fairness& fairness, InstanceId instance) {
    std::vector<std::uint32_t> steps;
    std::vector<Expr> possible;
    for (std::uint32_t t = 0; t < enabled_.size(); ++t) {
      if (!meaning_.takes_part(t, instance, fairness.events)) continue;
      if (!enabled_[t].valid()) return;  // left out, as was noted
      steps.push_back(t);
      possible.push_back(enabled_[t]);
    }
    if (steps.empty()) return;
    const Expr enabled = pool_.disj(possible);
    const std::string name =
        network_.instances_of(network_.instance(instance).universe, fairness.machine).size() > 1
            ? fairness.name + " of " + network_.instance(instance).name
            : fairness.name;
    if (fairness.kind == Fairness::Kind::Strong) {
      system_.strong.push_back({enabled, std::move(steps), "strong fair " + name});
    } else {
      system_.acceptance->push_back({pool_.negate(enabled), std::move(steps), "fair " + name});
    }
  }

  const Network& network_;
  ExprPool& pool_;
  const LiveMeaning& meaning_;
  TransitionSystem& system_;
  std::vector<Expr> enabled_;  // by transition; invalid: not known
  std::string more_runs_;
};

}  // namespace

std::string add_live_steps(const Network& network, UniverseId universe, const LiveMeaning& meaning,
                           TransitionSystem& system) {
  return LiveSteps(network, meaning, system)(universe);
}

}  // namespace whittle::lowering
