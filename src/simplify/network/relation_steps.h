// SPDX-License-Identifier: Apache-2.0
// From one relation between states to events. VMT-LIB has one formula for all steps; slicing and
// the engines are far better off with functions:
//
//   (and (= x.next (+ x in)) (= y.next (+ x.next 1)) (> in 0))
//
// is the event `step(in)` with the guard in > 0 and the assignments x := x + in, y := x + in + 1. A
// disjunction whose parts say what the next values are becomes one event per part. A next value
// that no equation determines but something restricts is a parameter of the event; one that nothing
// mentions is free. Inputs that equations determine are gone.
//
// States stay as they are, and every step is one of the original: its inputs get the values that
// the equations give them, and next values become those of the state it leads to.
#pragma once

#include <optional>

#include "ir/transformation.h"
#include "smt/solvers.h"

namespace whittle::simplify {

// Takes every event apart that has relations and that nobody synchronises with. Empty: there is
// none, or the question is about single events. With `solvers` a program counter in binary is told
// from other truth values (control_bits.h), and there are events for each of its values.
[[nodiscard]] std::optional<Transformed> relations_taken_apart(
    const std::shared_ptr<Network>& network, PropertyId property,
    const smt::SolverFactory* solvers = nullptr);

}  // namespace whittle::simplify
