// SPDX-License-Identifier: Apache-2.0
#include "witness/plain_values.h"

#include <algorithm>
#include <vector>

#include "base/checkpoint.h"
#include "ir/notation.h"
#include "ir/property_kinds.h"
#include "ir/run/interpreter.h"

namespace whittle {

namespace {

constexpr std::uint64_t kLongest = 200;    // steps of a trace that is worth the time
constexpr std::size_t kMostPlaces = 60;    // values that are looked at
constexpr std::size_t kMostReplays = 400;  // of all tries together

// Candidates, the plainest first; all before the value that there is.
constexpr int kPlain[] = {0, 1, 2, 3, 5, 10, 20, 50, 100, -1, -2, -10};

class PlainValues {
 public:
  PlainValues(const Network& network, const Property& property, Trace trace)
      : network_(network), property_(property), trace_(std::move(trace)) {}

  Trace run() {
    find_places();
    if (places_.empty() || places_.size() > kMostPlaces || !good()) return std::move(trace_);
    // Equal numbers often depend on each other: all at once, then one by one.
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::vector<Value*> alike;
      for (Value* place : places_)
        if (*place == *places_[i]) alike.push_back(place);
      if (alike.size() > 1) simplify(alike);
    }
    for (Value* place : places_) simplify({place});
    return std::move(trace_);
  }

 private:
  void find_places() {
    for (Value& value : trace_.initial.values) add(value);
    for (TraceStep& step : trace_.steps)
      for (Value& value : step.arguments) add(value);
  }
  void add(Value& value) {
    if (value.is_integer() || value.is_real()) places_.push_back(&value);
  }

  // The first candidate with which the run still reaches its goal stays.
  void simplify(const std::vector<Value*>& places) {
    const Value old = *places[0];
    for (const int plain : kPlain) {
      const Value candidate = old.is_integer() ? Value(Integer(plain)) : Value(Rational(plain));
      if (candidate == old) return;
      if (++replays_ > kMostReplays) return;
      for (Value* place : places) *place = candidate;
      if (good()) return;
      for (Value* place : places) *place = old;
    }
  }

  // It is a run, and its last state is what the property is about.
  [[nodiscard]] bool good() {
    checkpoint();
    const auto followed = follow(network_, trace_);
    if (!followed) return false;
    Interpreter interpreter(network_, trace_.universe);
    const auto value = interpreter.evaluate(property_.condition(), followed->final);
    const bool holds = value && value->as_bool();
    return goal_of(property_.kind) == GoalKind::ConditionHolds ? holds : !holds;
  }

  const Network& network_;
  const Property& property_;
  Trace trace_;
  std::vector<Value*> places_;
  std::size_t replays_ = 0;
};

}  // namespace

Trace with_plain_values(const Network& network, PropertyId property, const Trace& trace) {
  const Property& question = network.property(property);
  if (!is_state_property(question.kind) || traits_of(network).encodes_values || trace.loop ||
      trace.length() > kLongest)
    return trace;
  return PlainValues(network, question, trace).run();
}

}  // namespace whittle
