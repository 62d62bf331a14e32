// SPDX-License-Identifier: Apache-2.0
// Reconnection on the machine of figure 9 of Eilers 2018 and on small graphs of our own.
#include "slice/reconnect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace whittle::slice {
namespace {

class Graph {
 public:
  Graph() : network(std::make_shared<ExprPool>()), machine(network.add_machine("M", {})) {}

  LocationId loc(const std::string& name) {
    for (LocationId l : network.machine(machine).locations)
      if (network.location(l).name == name) return l;
    return network.add_location(name, machine, {});
  }
  Graph& arc(const std::string& event, const std::string& from, const std::string& to) {
    EventId e = network.add_event(event, machine, {});
    network.event(e).arcs.push_back({loc(from), loc(to), {}});
    return *this;
  }
  std::vector<char> marks(const std::vector<std::string>& names) {
    std::vector<char> in(network.locations().size(), 0);
    for (const std::string& n : names) in[loc(n).index()] = 1;
    return in;
  }
  // Names of the events that come back, sorted.
  std::vector<std::string> missing(const std::vector<std::string>& names) {
    ControlFlow flow(network);
    std::vector<std::string> result;
    for (const MissingArc& m : missing_arcs(flow, machine, marks(names)))
      result.push_back(network.event(m.arc.event).name);
    std::sort(result.begin(), result.end());
    return result;
  }

  Network network;
  MachineId machine;
};

using Names = std::vector<std::string>;

// s1 -t1-> s2, s2 -t2-> s3, s2 -t3-> s4, s4 -t4-> s3, and a detour t5.
Graph figure_9() {
  Graph g;
  g.arc("t1", "s1", "s2").arc("t2", "s2", "s3").arc("t3", "s2", "s4").arc("t4", "s4", "s3");
  g.arc("t5", "s2", "s2");
  return g;
}

TEST(MissingArcs, Figure10) {
  EXPECT_EQ(figure_9().missing({"s1", "s3", "s4"}), (Names{"t1", "t2", "t3", "t4"}));
}

TEST(Shortcuts, Figure11) {
  Graph g = figure_9();
  ControlFlow flow(g.network);
  std::vector<char> kept(flow.arc_count(), 0);
  kept[3] = 1;  // t4 is in the slice
  auto found = shortcuts(flow, g.machine, g.marks({"s1", "s3", "s4"}), kept, 1000);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 2U);
  for (const Shortcut& s : *found) {
    EXPECT_EQ(g.network.location(s.from).name, "s1");
    EXPECT_EQ(s.length, 2U);
  }
  EXPECT_EQ(g.network.location((*found)[0].to).name, "s3");
  EXPECT_EQ(g.network.location((*found)[1].to).name, "s4");
}

TEST(Shortcuts, GiveUpWithinTheirLimit) {
  Graph g = figure_9();
  ControlFlow flow(g.network);
  std::vector<char> kept(flow.arc_count(), 0);
  EXPECT_FALSE(shortcuts(flow, g.machine, g.marks({"s1", "s3"}), kept, 2).has_value());
}

TEST(MissingArcs, DetourStaysOut) {
  Graph g;
  g.arc("go", "a", "b").arc("leave", "b", "x").arc("wander", "x", "y").arc("back", "y", "b");
  EXPECT_EQ(g.missing({"a", "b"}), (Names{"go"}));
}

TEST(MissingArcs, DeadEndStaysOut) {
  Graph g;
  g.arc("go", "a", "b").arc("die", "a", "x").arc("die2", "b", "x");
  EXPECT_EQ(g.missing({"a", "b"}), (Names{"go"}));
}

TEST(MissingArcs, DetourThatTouchesTwoLocationsComesBack) {
  Graph g;
  g.arc("go", "a", "b").arc("leave", "b", "x").arc("home", "x", "a").arc("back", "x", "b");
  // b -> x -> b alone would be a detour, but x also leads from b to a.
  EXPECT_EQ(g.missing({"a", "b"}), (Names{"go", "home", "leave"}));
  // Once x is in the slice, its other arcs connect different locations as well.
  EXPECT_EQ(g.missing({"a", "b", "x"}), (Names{"back", "go", "home", "leave"}));
}

TEST(MissingArcs, OneLocationNeedsNothing) {
  EXPECT_TRUE(figure_9().missing({"s1"}).empty());
  EXPECT_TRUE(figure_9().missing({}).empty());
}

TEST(Region, SaysWhereTheMachineWasLast) {
  Graph g;
  g.arc("go", "a", "b").arc("off", "b", "x").arc("back", "x", "b");
  g.arc("end1", "a", "end").arc("end2", "x", "end");
  ControlFlow flow(g.network);
  auto in = g.marks({"a", "b"});
  Region r = region(flow, g.machine, in, 8);
  ASSERT_TRUE(r.complete);
  const auto& locations = g.network.machine(g.machine).locations;
  auto sources = [&](const std::string& name) {
    auto at = std::find(locations.begin(), locations.end(), g.loc(name));
    std::vector<std::string> names;
    for (LocationId l : r.sources[static_cast<std::size_t>(at - locations.begin())])
      names.push_back(g.network.location(l).name);
    std::sort(names.begin(), names.end());
    return names;
  };
  EXPECT_EQ(sources("x"), (Names{"b"}));
  EXPECT_EQ(sources("end"), (Names{"a", "b"}));
  EXPECT_FALSE(region(flow, g.machine, in, 1).complete);
}

}  // namespace
}  // namespace whittle::slice
