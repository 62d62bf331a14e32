// SPDX-License-Identifier: Apache-2.0
// The first step of every question: the network as parsed goes through the pipeline of
// transformations, is lowered to a flat system, and goes through those of flat systems. What
// engines are asked, what is printed and what is exported is the same prepared question; it also
// knows the inverse, which brings witnesses back to the network as parsed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/expected.h"
#include "base/log.h"
#include "driver/live.h"
#include "driver/pipelines.h"
#include "engine/env.h"
#include "engine/transformed.h"
#include "ir/flat_transformation.h"
#include "ir/lowering/lower.h"
#include "ir/verdict.h"

namespace whittle {

// How much of the pipeline is used. Less is tried where a witness does not lift.
enum class Pipeline : std::uint8_t {
  All,
  ExactOnly,  // transformations whose traces all lift
  Nothing,    // an invariant of the result cannot be said of the network as parsed
  AsParsed,   // no transformation at all
};

struct PrepareContext {
  const OptionSet& options;
  Logger& log;
  const smt::SolverFactory& solvers;
  Statistics& statistics;
  std::span<const Expr> hints = {};  // what is believed about the network besides its constraints
  // Violations of temporal logic that a finite run shows are asked for as states to reach.
  bool prefixes = true;
};

// Neither copied nor moved: its parts refer to one another.
class Prepared {
 public:
  Prepared(std::shared_ptr<Network> network, PropertyId property, Pipeline pipeline,
           const PrepareContext& context);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  // As parsed.
  [[nodiscard]] Network& network() const { return *network_; }
  [[nodiscard]] PropertyId property() const { return property_; }
  [[nodiscard]] const Property& question() const { return network_->property(property_); }
  [[nodiscard]] Pipeline pipeline() const { return pipeline_; }
  // After the pipeline.
  [[nodiscard]] const TransformedQuestion& transformed() const { return *transformed_; }
  [[nodiscard]] bool changed() const { return &transformed_->network() != network_.get(); }
  [[nodiscard]] const SliceStatistics& slice() const { return slice_; }
  // What a check of the system is a check of.
  [[nodiscard]] WitnessCheck::On checked_on() const {
    return changed() ? WitnessCheck::On::Slice : WitnessCheck::On::Model;
  }
  // Of a question about infinite runs: every transformation says why no run is lost.
  [[nodiscard]] bool same_runs() const {
    return transformed_->stages() == transformed_->step_maps().size();
  }
  // What the engine is asked.
  [[nodiscard]] const TransitionSystem& system() const { return flat_->system(); }
  // Of a property of temporal logic; null: it is none.
  [[nodiscard]] const LiveQuestion* live() const { return live_ ? &*live_ : nullptr; }
  [[nodiscard]] const Lowered& lowered() const { return lowered_; }
  // A condition of the system as one of the system that lowering made (of its product with the
  // formula); invalid: it cannot be said there.
  [[nodiscard]] Expr flat_condition(Expr condition) const { return flat_->condition(condition); }

  // The same of a run.
  [[nodiscard]] Expected<FlatTrace, Reason> flat_trace(const FlatTrace& trace) const {
    return flat_->trace(trace);
  }
  // What an engine answers about the system, about that one.
  [[nodiscard]] EngineResult flat_result(EngineResult result) const {
    return lifted(std::move(result), *flat_);
  }

  // Witnesses of the system, in terms of the network as parsed. A trace is an error only after
  // transformations that are not exact; an invariant that cannot be said there is invalid.
  [[nodiscard]] Expected<Trace, std::string> trace(const FlatTrace& trace) const;
  [[nodiscard]] Expr invariant(Expr invariant) const;

 private:
  std::shared_ptr<Network> network_;
  PropertyId property_;
  Pipeline pipeline_;
  SliceStatistics slice_;
  std::optional<TransformedQuestion> transformed_;
  Lowered lowered_;
  std::optional<LiveQuestion> live_;
  std::optional<FlatTransformed> product_;  // of the lowered system and the formula
  std::optional<FlatPipeline> flat_;        // from the product or the lowered system
};

// The same pipeline for commands that show or export a question. What a weak slice would answer
// wrongly is sliced exactly.
[[nodiscard]] Preparation prepared_to_show(const std::shared_ptr<Network>& network,
                                           PropertyId property, const OptionSet& options,
                                           Logger& log, const CancelToken& cancel);

// The network as parsed as a flat system, without anything clever in between.
[[nodiscard]] Lowered lowered_as_parsed(Network& network, PropertyId property,
                                        const smt::Limits& limits);

}  // namespace whittle
