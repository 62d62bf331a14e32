// SPDX-License-Identifier: Apache-2.0
// From programs to machines: paths through a step, the names of locations, and the locations
// between which the statements of a structured program lead.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "expr/print.h"
#include "frontend/program/checks.h"
#include "frontend/program/control_flow.h"
#include "frontend/program/program_points.h"
#include "frontend/program/step_events.h"

namespace whittle::program {
namespace {

struct Machine2 {
  Machine2() {
    machine = network.add_machine("P", {});
    x = network.add_variable("x", Type::integer(), machine, {});
    a = network.add_variable("a", network.pool().array_type(Type::integer(), Type::integer(), 4),
                             machine, {});
  }
  [[nodiscard]] std::string text(Expr e) { return to_string(network.pool(), e); }
  ExprPool& pool() { return network.pool(); }

  Network network{std::make_shared<ExprPool>()};
  MachineId machine;
  VariableId x, a;
};

TEST(ProgramPath, EvaluatesAfterWhatItAssigned) {
  Machine2 m;
  Path path(m.network);
  const Expr x = path.read(m.x);
  path.assign(m.x, m.pool().add(x, m.pool().integer(1)));
  EXPECT_EQ(path.now(x), path.read(m.x));
  path.assign(m.x, path.now(m.pool().add(x, m.pool().integer(1))));
  EXPECT_EQ(path.read(m.x),
            m.pool().add(m.pool().add(x, m.pool().integer(1)), m.pool().integer(1)));
  path.assign(m.a, m.pool().integer(0), path.read(m.x));
  EXPECT_EQ(path.read(m.a, m.pool().integer(0)),
            m.pool().select(path.read(m.a), m.pool().integer(0)));
  const Path failing = path.failing(m.pool().lt(x, m.pool().integer(0)), {});
  EXPECT_TRUE(failing.values().empty());
  EXPECT_EQ(failing.guards().size(), 1U);
  EXPECT_FALSE(failing.impossible());
  EXPECT_TRUE(path.failing(m.pool().boolean(false), {}).impossible());
}

TEST(ProgramSteps, HaveAnEventForEachPath) {
  Machine2 m;
  ProgramPoints points(m.network, m.machine);
  const LocationId from = points.add("line 1", {});
  const LocationId to = points.add_final("end", {});
  StepEvents events(m.network, m.machine, step_name("  x :=  *\n + 1 ;"), {});
  Path path(m.network);
  path.assign(m.x, path.input(Type::integer()));
  Path other = path;
  path.assume(m.pool().lt(path.read(m.x), m.pool().integer(3)), {});
  other.assume(m.pool().boolean(false), {});
  EXPECT_TRUE(events.emit(from, to, path, ""));
  EXPECT_TRUE(events.emit(from, to, other, " else"));  // impossible
  EXPECT_TRUE(events.emit(from, to, path.failing(m.pool().boolean(true), {}), " fails"));
  ASSERT_EQ(m.network.events().size(), 2U);
  const Event& first = m.network.events()[0];
  EXPECT_EQ(first.name, "x := * + 1");
  EXPECT_EQ(m.network.events()[1].name, "x := * + 1 fails");
  EXPECT_EQ(first.parameters.size(), 1U);
  EXPECT_EQ(first.guards.size(), 1U);
  EXPECT_EQ(first.effects.size(), 1U);
  EXPECT_EQ(m.network.events()[1].effects.size(), 0U);
  // The input of one event is not that of the other.
  EXPECT_NE(first.parameters[0].symbol, m.network.events()[1].parameters[0].symbol);
}

TEST(ProgramSteps, AreNotTooMany) {
  Machine2 m;
  ProgramPoints points(m.network, m.machine);
  const LocationId here = points.add("here", {});
  StepEvents events(m.network, m.machine, "step", {});
  const Path path(m.network);
  int reports = 0;
  for (std::size_t i = 0; i < StepEvents::kMaxEvents + 10; ++i)
    if (!events.emit(here, here, path, "")) ++reports;
  EXPECT_EQ(reports, 1);
  EXPECT_TRUE(events.full());
  EXPECT_EQ(m.network.events().size(), StepEvents::kMaxEvents - 1);
}

TEST(ProgramPoints, HaveNamesOfTheirOwn) {
  Machine2 m;
  ProgramPoints points(m.network, m.machine);
  const LocationId first = points.add("line 1", {});
  const LocationId second = points.add("line 1", {});
  const LocationId error = points.add_error("division by zero");
  EXPECT_EQ(m.network.location(first).name, "line 1");
  EXPECT_EQ(m.network.location(second).name, "line 1.2");
  EXPECT_TRUE(m.network.location(error).error);
  EXPECT_TRUE(m.network.location(error).final);
  EXPECT_EQ(points.errors(), std::vector<LocationId>{error});
}

// ----- structured programs

struct Node {
  FlowKind kind = FlowKind::Step;
  std::string name;
  std::vector<int> body = {};
  std::vector<int> otherwise = {};
  std::string target = {};
};

class Flow final : public ControlFlow<int> {
 public:
  Flow(Machine2& m, std::vector<Node> nodes)
      : m_(m), points_(m.network, m.machine), nodes_(std::move(nodes)) {
    for (const Node& node : nodes_) locations_.push_back(points_.add(node.name, {}));
    end_ = points_.add_final("end", {});
  }
  std::string run(const std::vector<int>& list) {
    const LocationId entry = block(list, {end_, end_, {}, {}});
    return "entry " + name(entry) + "\n" + steps_;
  }

 protected:
  FlowKind kind(int s) const override { return node(s).kind; }
  std::span<const int> body(int s) const override { return node(s).body; }
  std::span<const int> otherwise(int s) const override { return node(s).otherwise; }
  LocationId location(int s) override { return locations_[static_cast<std::size_t>(s)]; }
  LocationId target(int s) const override {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].name == node(s).target) return locations_[i];
    return {};
  }
  void step(int, LocationId from, LocationId to) override {
    steps_ += name(from) + " -> " + name(to) + "\n";
  }
  void test(int, LocationId from, LocationId yes, LocationId no) override {
    steps_ += name(from) + " ? " + name(yes) + " : " + name(no) + "\n";
  }

 private:
  const Node& node(int s) const { return nodes_[static_cast<std::size_t>(s)]; }
  std::string name(LocationId l) const { return m_.network.location(l).name; }

  Machine2& m_;
  ProgramPoints points_;
  std::vector<Node> nodes_;
  std::vector<LocationId> locations_;
  LocationId end_;
  std::string steps_;
};

TEST(ControlFlow, BranchesAndLoops) {
  Machine2 m;
  // a; if b { c } else { d; return }; while e { f }
  Flow flow(m, {{FlowKind::Step, "a"},
                {FlowKind::Branch, "b", {2}, {3, 4}},
                {FlowKind::Step, "c"},
                {FlowKind::Step, "d"},
                {FlowKind::Return, "return"},
                {FlowKind::Loop, "e", {6}},
                {FlowKind::Step, "f"}});
  EXPECT_EQ(flow.run({0, 1, 5}),
            "entry a\n"
            "f -> e\n"
            "e ? f : end\n"
            "c -> e\n"
            "return -> end\n"
            "d -> return\n"
            "b ? c : d\n"
            "a -> b\n");
}

TEST(ControlFlow, BreakContinueAndJumps) {
  Machine2 m;
  // while a { if b { break } else { continue }; c }; goto a; an empty block goes on where it ends
  Flow flow(m, {{FlowKind::Loop, "a", {1, 4}},
                {FlowKind::Branch, "b", {2}, {3}},
                {FlowKind::Break, "break"},
                {FlowKind::Continue, "continue"},
                {FlowKind::Branch, "c", {}, {}},
                {FlowKind::Jump, "goto", {}, {}, "a"}});
  EXPECT_EQ(flow.run({0, 5}),
            "entry a\n"
            "goto -> a\n"
            "c ? a : a\n"
            "break -> goto\n"
            "continue -> a\n"
            "b ? break : continue\n"
            "a ? b : goto\n");
}

TEST(ProgramChecks, ComeInTheOrderOfEvaluation) {
  Machine2 m;
  const Expr x = m.pool().symbol(m.network.variable(m.x).current);
  const Expr a = m.pool().symbol(m.network.variable(m.a).current);
  // x != 0 && a[6 div x] == 0: the division is evaluated only where x != 0, the index after it.
  const Expr quotient = m.pool().make(Op::IDiv, {m.pool().integer(6), x});
  const Expr guarded = m.pool().ne(x, m.pool().integer(0));
  const Expr e =
      m.pool().conj(guarded, m.pool().eq(m.pool().select(a, quotient), m.pool().integer(0)));
  const std::vector<Check> checks = checks_of(m.pool(), e);
  ASSERT_GE(checks.size(), 1U);
  EXPECT_EQ(checks.back().kind, Check::Kind::Bounds);
  EXPECT_TRUE(m.pool().is_false(first_failure(m.pool(), {}, Check::Kind::Division)));
}

}  // namespace
}  // namespace whittle::program
