// SPDX-License-Identifier: Apache-2.0
// With which states a search by states can do. There are two reductions, each with conditions on
// the terms of the system that can be checked without the search. A thread is a location variable
// (a program counter); a transition is of every thread whose location variable occurs in it.
//
// Dead values. The value of a variable is dead while a thread is at one of some locations if it is
// overwritten before it is read. States that differ in dead values only are one state; the value
// is set to the default of its type. Conditions, for each of the locations:
//   - only transitions of the thread read or write the variable;
//   - a transition from there does not read the variable, except to compute its own next value, and
//     ends at one of the locations again or overwrites the variable with something else;
//   - the goal, with the thread there, does not speak of the variable.
//
// Ample sets (partial-order reduction). Where a thread is at an ample location and can take a step,
// only its steps are taken. Conditions, with T the transitions of the thread from there:
//   - no transition that is not of the thread writes what one of T reads, or reads or writes what
//     one of T writes. One that does is allowed from a location of another thread, if `unless`
//     names it and every location from which that thread can come there; the ample set is then used
//     only where no thread is at such a location;
//   - the goal is false with the thread there; or the goal is the same after every one of T, none
//   of
//     T moves another thread that has ample locations, and no cycle of transitions of the thread
//     leads through ample locations of this second kind only.
//
// Theorem. If a goal can be reached, then one is among the states of the reduced search.
// Proof. Take a state s of the search and a run w from s to a goal, T ample in s, and a step of T
// possible in s. Until w takes a transition of the thread, no step of it has to do with T, so steps
// of T are neither made possible nor impossible nor changed, and change nothing of the others. (1)
// If w has a step of the thread, the first one is of T and possible in s, and can be taken first:
// the search takes it, and the rest of w is shorter. (2) Otherwise the goal is true with the thread
// where it is, so it is of the second kind; any step of T, taken first, leads to a run as long as
// w, to a goal, and the thread is further on a way without cycles, the others where they were. By
// induction on the length of w, then on the sum of the lengths of such ways of all threads.  []
#pragma once

#include <cstdint>
#include <vector>

namespace whittle {

// A thread, named by its location variable, and some of its locations, ascending.
struct ThreadLocations {
  std::uint32_t thread = 0;  // index of a state variable
  std::vector<std::uint32_t> locations;
};

struct DeadValue {
  std::uint32_t variable = 0;
  ThreadLocations at;
};

struct AmpleLocation {
  std::uint32_t thread = 0;
  std::uint32_t location = 0;
  std::vector<ThreadLocations> unless;  // of other threads
};

struct StateReduction {
  std::vector<DeadValue> dead;
  std::vector<AmpleLocation> ample;  // the first that can be used in a state is used
  [[nodiscard]] bool empty() const { return dead.empty() && ample.empty(); }
};

}  // namespace whittle
