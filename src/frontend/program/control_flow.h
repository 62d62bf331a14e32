// SPDX-License-Identifier: Apache-2.0
// From a structured program to locations and the steps between them. Every statement has the
// location before it; there are no jump steps, so a block is compiled from its last statement to
// its first, each knowing where it continues.
//
//   class Flow final : public program::ControlFlow<StatementId> { ... };
//   const LocationId entry = flow.block(body, {.next = end, .end = end});
//
// Recursive in the nesting of blocks, which parsers bound.
#pragma once

#include <span>

#include "ir/network.h"

namespace whittle::program {

enum class FlowKind : std::uint8_t {
  Step,      // one step to where the block continues
  Branch,    // a test, then `body` or `otherwise`
  Loop,      // a test, then `body` and the test again, or what follows
  Return,    // one step to the end of the program
  Break,     // one step behind the loop around it
  Continue,  // one step to the test of the loop around it
  Jump,      // one step to the location of a label
};

// Where a block continues. Outside of loops there is no `after` and no `again`.
struct FlowTargets {
  LocationId next;   // behind the block
  LocationId end;    // of the program
  LocationId after;  // behind the loop around the block
  LocationId again;  // the test of that loop
};

template <class Statement>
class ControlFlow {
 public:
  virtual ~ControlFlow() = default;

  // The location before the first statement of the block.
  LocationId block(std::span<const Statement> statements, FlowTargets targets) {
    for (auto it = statements.rbegin(); it != statements.rend(); ++it)
      targets.next = statement(*it, targets);
    return targets.next;
  }

 protected:
  [[nodiscard]] virtual FlowKind kind(Statement s) const = 0;
  [[nodiscard]] virtual std::span<const Statement> body(Statement s) const = 0;
  [[nodiscard]] virtual std::span<const Statement> otherwise(Statement s) const = 0;
  // The location before the statement: that of its label, or a new one.
  virtual LocationId location(Statement s) = 0;
  // Where a Jump goes.
  [[nodiscard]] virtual LocationId target(Statement) const { return {}; }
  // Adds the events of a step, and of a test.
  virtual void step(Statement s, LocationId from, LocationId to) = 0;
  virtual void test(Statement s, LocationId from, LocationId yes, LocationId no) = 0;

 private:
  LocationId statement(Statement s, const FlowTargets& targets) {
    const LocationId here = location(s);
    switch (kind(s)) {
      case FlowKind::Step:
        step(s, here, targets.next);
        break;
      case FlowKind::Branch: {
        const LocationId yes = block(body(s), targets);
        const LocationId no = block(otherwise(s), targets);
        test(s, here, yes, no);
        break;
      }
      case FlowKind::Loop:
        test(s, here, block(body(s), {here, targets.end, targets.next, here}), targets.next);
        break;
      case FlowKind::Return:
        step(s, here, targets.end);
        break;
      case FlowKind::Break:
        step(s, here, targets.after);
        break;
      case FlowKind::Continue:
        step(s, here, targets.again);
        break;
      case FlowKind::Jump:
        step(s, here, target(s));
        break;
    }
    return here;
  }
};

}  // namespace whittle::program
