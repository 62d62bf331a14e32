// SPDX-License-Identifier: Apache-2.0
// A transformation of a flat system returns the new system and its inverse: for runs, and for
// conditions on states (invariants). It also maps conditions forward, so that hints, and later
// goals and predicates, go with the system. A pipeline is a list of transformations; their inverses
// are applied in reverse.
//
//   FlatPipeline pipeline(system, {locations, array_cells()});
//   EngineResult found = engine(pipeline.system());
//   pipeline.trace(found.trace)          // a run of `system`
//   pipeline.condition(found.invariant)  // an invariant of `system`, or invalid
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/expected.h"
#include "base/reason.h"
#include "ir/transition_system.h"

namespace whittle {

// What an answer about the result says about the input.
enum class FlatPrecision : std::uint8_t {
  Exact,             // the goal of one is reachable exactly if that of the other is
  OverApproximates,  // unreachability only: runs of the result mean nothing
};

// How steps correspond, and with them bounds, depths and lengths of runs.
enum class FlatSteps : std::uint8_t {
  OneToOne,   // a run of n steps stands for one of n steps
  OneToMany,  // one step can stand for several: depths of the result mean nothing
};

// Owns whatever it needs: neither the input nor the result has to live as long.
class FlatBackTranslation {
 public:
  virtual ~FlatBackTranslation() = default;
  // A run of the result to its goal as one of the input; or why there is none. requires: exact.
  [[nodiscard]] virtual Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const = 0;
  // An inductive invariant of the result as one of the input; invalid where it cannot be said
  // there.
  [[nodiscard]] virtual Expr condition(Expr condition) const = 0;
  // A condition on states of the input as one on states of the result that holds where that does in
  // the state it stands for; invalid where it cannot be said there.
  [[nodiscard]] virtual Expr forward(Expr condition) const = 0;
};

// ensures of whoever makes one: the goal is forward(goal of the input). Hints are left as they are;
// the pipeline carries them forward.
struct FlatTransformed {
  TransitionSystem system;
  std::shared_ptr<const FlatBackTranslation> back;
  FlatPrecision precision = FlatPrecision::Exact;
  FlatSteps steps = FlatSteps::OneToOne;
};

// Empty: it has nothing to offer for this system.
using FlatTransformation = std::function<std::optional<FlatTransformed>(const TransitionSystem&)>;

class FlatPipeline {
 public:
  // requires: the system outlives this and stays where it is. Stages that offer nothing are left
  // out.
  explicit FlatPipeline(const TransitionSystem& system,
                        const std::vector<FlatTransformation>& stages = {});

  // One more at the end; false: it has nothing to offer.
  bool apply(const FlatTransformation& stage);

  [[nodiscard]] const TransitionSystem& system() const {
    return stages_.empty() ? *original_ : stages_.back().system;
  }
  [[nodiscard]] bool changed() const { return !stages_.empty(); }
  [[nodiscard]] FlatPrecision precision() const;
  [[nodiscard]] FlatSteps steps() const;

  // As of FlatBackTranslation, from one end to the other. A run of a pipeline that
  // over-approximates has no trace.
  [[nodiscard]] Expected<FlatTrace, Reason> trace(const FlatTrace& trace) const;
  [[nodiscard]] Expr condition(Expr condition) const;
  [[nodiscard]] Expr forward(Expr condition) const;
  // A term over the result's current symbols, of any type, as one of the input, where the inverse
  // for conditions only replaces parts of them; invalid: it does more.
  [[nodiscard]] Expr term(Expr term) const;

 private:
  [[nodiscard]] bool lift(FlatRegion& region) const;

  const TransitionSystem* original_;
  std::vector<FlatTransformed> stages_;
};

}  // namespace whittle
