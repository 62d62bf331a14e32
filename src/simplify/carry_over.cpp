// SPDX-License-Identifier: Apache-2.0
#include "simplify/carry_over.h"

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

class SameSteps final : public BackTranslation {
 public:
  SameSteps(std::shared_ptr<Network> original, std::shared_ptr<Network> result)
      : original_(std::move(original)), result_(std::move(result)) {}

  Expected<Trace, std::string> trace(const Trace& trace) const override { return trace; }
  Expr invariant(Expr invariant) const override { return said_of(*result_, *original_, invariant); }

 private:
  std::shared_ptr<Network> original_, result_;
};

}  // namespace

Expr said_of(const Network& from, Network& to, Expr condition) {
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
  return std::make_shared<SameSteps>(std::move(original), std::move(result));
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

}  // namespace whittle::simplify
