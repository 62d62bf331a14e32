// SPDX-License-Identifier: Apache-2.0
#include "support/answer.h"

#include "ir/run/interpreter.h"

namespace whittle::test {

namespace {

Expr goal_of(const Network& network, const Property& property) {
  return property.kind == PropertyKind::Reach ? property.condition()
                                              : network.pool().negate(property.condition());
}

}  // namespace

Answer searched(const Network& network, PropertyId id, const Candidates& candidates) {
  const Property& property = network.property(id);
  SearchOptions options;
  options.candidates = candidates;
  options.max_states = 20'000;
  options.max_depth = 60;
  SearchResult r = explicit_search(network, property.universe, goal_of(network, property),
                                   property.bound, options);
  Answer a;
  a.found = r.trace.has_value();
  a.certain = a.found || r.exhausted || r.clear;
  if (a.found) a.depth = r.trace->length();
  a.trace = std::move(r.trace);
  return a;
}

std::string lifting_problem(const Network& network, PropertyId property,
                            const BackTranslation& back, const Answer& found) {
  auto lifted = back.trace(*found.trace);
  if (!lifted) return "the trace does not lift: " + lifted.error();
  auto end = follow(network, *lifted);
  if (!end)
    return "the lifted trace is refused at step " + std::to_string(end.error().step) + ": " +
           end.error().message;
  Interpreter interpreter(network, lifted->universe);
  auto holds = interpreter.evaluate(goal_of(network, network.property(property)), end->final);
  const bool undefined_is_goal = network.property(property).kind != PropertyKind::Reach;
  if (holds ? !holds->as_bool() : !undefined_is_goal) return "the lifted trace misses the goal";
  if (lifted->length() != found.depth) return "the lifted trace has another length";
  return "";
}

std::string why_unknown(const Verdict& verdict) {
  return verdict.known() ? "" : verdict.undecided()->reason.text();
}

}  // namespace whittle::test
