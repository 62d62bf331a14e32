// SPDX-License-Identifier: Apache-2.0
// The working memory of a step and what symbols mean while it is taken (parts of stepper.cpp).
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "expr/evaluate.h"
#include "ir/run/equations.h"
#include "ir/run/occurrence.h"
#include "ir/run/repetition.h"
#include "ir/trace.h"

namespace whittle::stepping {

constexpr std::size_t kNoPosition = SIZE_MAX;

struct Failure {
  Refusal::Kind kind = Refusal::Kind::Malformed;
  InstanceId instance;
  EventId event;
  Span origin;
  Expr condition;
  std::string detail;
};

// What is worth knowing about an event before it happens a million times.
struct EventSummary {
  bool ready = false;
  std::vector<Arc> arcs;                  // by from, then to; no two alike
  std::vector<Equation> equations;        // of its relations
  std::vector<VariableId> next_mentions;  // variables whose next value a relation looks at
  bool next_location = false;             // a relation looks at a location after the step
};

// An instance that takes part in a step.
struct Participant {
  Occurrence occurrence;
  std::size_t position = 0;
  std::vector<LocationId> targets;  // where its arcs lead from where it is
  LocationId target;
};

// A sparse map from dense indices that is emptied in constant time.
template <class T>
class Scratch {
 public:
  void reset(std::size_t size) {
    if (stamps_.size() < size) {
      stamps_.resize(size, 0);
      values_.resize(size);
    }
    if (++now_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0);
      now_ = 1;
    }
  }
  [[nodiscard]] const T* find(std::size_t i) const {
    return stamps_[i] == now_ ? &values_[i] : nullptr;
  }
  T& put(std::size_t i, T value) {
    stamps_[i] = now_;
    values_[i] = std::move(value);
    return values_[i];
  }
  void erase(std::size_t i) { stamps_[i] = 0; }

 private:
  std::vector<std::uint32_t> stamps_;
  std::vector<T> values_;
  std::uint32_t now_ = 0;
};

// The working memory of one attempt.
struct Trial {
  std::vector<Participant> participants;
  std::size_t count = 0;               // participants in use; the others keep their memory
  Scratch<std::uint32_t> at_position;  // participant by position
  Scratch<Value> next;                 // next values by slot
  Scratch<std::uint8_t> open;          // slots that an effect writes without saying what
  std::vector<std::uint32_t> written;  // slots with a next value
  std::vector<std::uint32_t> open_slots;
  std::vector<Occurrence> pending;  // to be visited, last first
};

// What symbols mean: a state, and the instance whose term is evaluated.
struct EvaluationContext {
  const State* state = nullptr;
  const Participant* self = nullptr;   // null: no event
  std::size_t position = kNoPosition;  // of the instance; kNoPosition: a term of the network
  const Trial* trial = nullptr;        // next values
};

// Evaluates terms of the network in a state and a context.
class StateEvaluator {
 public:
  StateEvaluator(const Network& n, UniverseId u);
  StateEvaluator(const StateEvaluator&) = delete;
  StateEvaluator& operator=(const StateEvaluator&) = delete;

  void set_context(EvaluationContext context) { context_ = context; }
  Expected<Value, Undefined> value(Expr e);
  // Writes down what is evaluated from now on; null: no more.
  void observe(Observations* into) { observations_ = into; }

 protected:
  const Network& network;
  UniverseId universe;
  StateLayout layout;

 private:
  std::optional<Value> value_of(SymbolId symbol, std::span<const Value> arguments) const;
  [[nodiscard]] std::optional<Value> current(std::size_t position, VariableId variable) const;
  [[nodiscard]] std::optional<Value> next(std::size_t position, VariableId variable) const;
  [[nodiscard]] LocationId next_location(std::size_t position) const;
  [[nodiscard]] std::size_t remote(MachineId machine, std::span<const Value> arguments) const;

  Evaluator evaluator_;
  Evaluator::Lookup lookup_;
  EvaluationContext context_;
  Observations* observations_ = nullptr;
};

[[nodiscard]] EventSummary event_summary(const Network& network, EventId event);

// Why a state is no first state of the universe.
[[nodiscard]] std::optional<std::string> initial_problem(StateEvaluator& evaluator,
                                                         const Network& network,
                                                         const StateLayout& layout,
                                                         const State& state);

// ----- words

[[nodiscard]] std::string slot_name(const Network& network, const StateLayout& layout,
                                    std::size_t slot);
[[nodiscard]] std::string event_name(const Network& network, InstanceId instance, EventId event);
// With its arguments.
[[nodiscard]] std::string described(const Network& network, const Occurrence& occurrence);
[[nodiscard]] std::string message(const Network& network, const Failure& failure);

}  // namespace whittle::stepping
