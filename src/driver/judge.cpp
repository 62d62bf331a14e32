// SPDX-License-Identifier: Apache-2.0
#include "driver/judge.h"

#include <type_traits>

#include "base/checkpoint.h"
#include "driver/judge_live.h"
#include "driver/proof.h"
#include "frontend/program/failures.h"
#include "witness/invariant_check.h"
#include "witness/plain_values.h"
#include "witness/states_check.h"
#include "witness/trace_check.h"

namespace whittle {

namespace {

template <class Finding>
Verdict decided(Finding finding, const EngineResult& found, const Prepared& prepared) {
  Verdict verdict;
  verdict.asked = prepared.question().kind;
  verdict.found = std::move(finding);
  verdict.engine = found.engine;
  if (found.solver) verdict.solver = smt::info(*found.solver).name;
  verdict.slice = prepared.slice();
  return verdict;
}

Judgement judge_trace(const EngineResult& found, const Prepared& prepared,
                      const smt::SolverFactory& checker, const Sources* sources) {
  const Reached& reached = *found.reached();
  auto lifted = prepared.trace(reached.trace);
  if (!lifted) {
    if (prepared.pipeline() != Pipeline::All)
      return Rejected{"a trace of an exact transformation does not lift"};
    return NotLifted{Pipeline::ExactOnly, lifted.error()};
  }
  auto checked = check_trace(prepared.network(), prepared.property(), *lifted, checker);
  if (!checked) return Rejected{checked.error().reason};
  for (const LocationId at : checked->replay.final().locations)
    if (auto reason = program::no_room(prepared.network(), at)) return NotShown{*reason};
  // What is shown is what was checked. An answer is not lost where there is no time for this.
  try {
    Trace plain = with_plain_values(prepared.network(), prepared.property(), *lifted);
    if (auto again = check_trace(prepared.network(), prepared.property(), plain, checker)) {
      lifted = std::move(plain);
      checked = std::move(again);
    }
  } catch (const LimitReached&) {
  }
  const auto& text = prepared.network().as_written;
  if (text && sources != nullptr) {
    const TextReplay written =
        text->replay(prepared.network(), prepared.property(), *lifted, *sources);
    if (written.outcome == TextReplay::Outcome::Differs) {
      return Rejected{"the text does not allow the trace: " + written.reason};
    }
    if (checked->check.checked && written.outcome == TextReplay::Outcome::Agrees) {
      checked->check.by.emplace_back("evaluation of the text");
    } else {
      checked->check.text_gap = written.reason;
    }
  }
  const bool shortest = reached.shortest || lifted->length() == 0;
  Accepted accepted{decided(TraceFound{std::move(*lifted), shortest}, found, prepared),
                    std::move(checked->replay)};
  accepted.verdict.witness = checked->check;
  return accepted;
}

Accepted proved(const Inductive& proof, const WitnessCheck& check, const EngineResult& found,
                const Prepared& prepared) {
  Accepted accepted{decided(NoTrace{proof}, found, prepared), std::nullopt};
  accepted.verdict.witness = check;
  return accepted;
}

Judgement judge_invariant(const Inductive& proof, const EngineResult& found,
                          const Prepared& prepared, const smt::SolverFactory& checker) {
  if (proof.k == 1) {
    // What the proof does not need is left out first, so that what is shown is what was checked.
    const Expr smaller = minimised(prepared.network(), prepared.property(), proof.invariant,
                                   checker.with(smt::other(checker.settings().id)));
    const auto checked =
        check_invariant(prepared.network(), prepared.property(), {smaller, 1}, checker);
    if (checked && checked->checked) return proved({smaller, 1}, *checked, found, prepared);
  }
  const auto checked =
      check_invariant(prepared.network(), prepared.property(), {proof.invariant, proof.k}, checker);
  if (checked) return proved(proof, *checked, found, prepared);
  // Steps that slicing took away come between the k states of k-induction.
  if (prepared.changed() && proof.k > 1)
    return NotLifted{Pipeline::Nothing, checked.error().reason};
  return Rejected{checked.error().reason};
}

// Without the invariant, which is not one of the network as parsed.
NoTrace none_found(const EngineResult& found, std::optional<std::uint64_t> bound) {
  NoTrace none{UpToBound{}, bound};
  if (found.unreachable_by<Inductive>() == nullptr)
    std::visit(
        [&](const auto& why) {
          if constexpr (std::is_constructible_v<NoTrace::Why, decltype(why)>) none.why = why;
        },
        found.unreachable()->why);
  return none;
}

Judgement judge_unreached(const EngineResult& found, const Prepared& prepared,
                          const smt::SolverFactory& checker) {
  const bool bounded = prepared.question().bound.max.has_value();
  if (const auto* proof = found.unreachable_by<Inductive>()) {
    const Expr invariant = prepared.invariant(proof->invariant);
    if (invariant.valid()) return judge_invariant({invariant, proof->k}, found, prepared, checker);
    if (!bounded && prepared.pipeline() != Pipeline::Nothing) {
      return NotLifted{Pipeline::Nothing, "the invariant of the slice cannot be said of the model"};
    }
  }
  Accepted accepted{decided(none_found(found, prepared.question().bound.max), found, prepared),
                    std::nullopt};
  if (const auto* states = found.unreachable_by<AllStates>()) {
    auto checked = check_states(prepared.system(), states->count, checker, states->reduction);
    if (!checked) return Rejected{checked.error().reason};
    accepted.verdict.witness = *checked;
    accepted.verdict.witness.on = prepared.checked_on();
  }
  return accepted;
}

// A property of temporal logic.
Judgement judge_live(const EngineResult& found, const Prepared& prepared,
                     const smt::SolverFactory& checker) {
  Judgement judged = found.reached() != nullptr ? judge_run(found, prepared, checker)
                                                : judge_no_run(found, prepared, checker);
  if (auto* accepted = std::get_if<Accepted>(&judged)) {
    Verdict verdict = decided(std::move(accepted->verdict.found), found, prepared);
    verdict.witness = std::move(accepted->verdict.witness);
    verdict.live = live_facts(prepared);
    accepted->verdict = std::move(verdict);
  }
  return judged;
}

}  // namespace

Judgement judge(const EngineResult& found, const Prepared& prepared,
                const smt::SolverFactory& checker, const Sources* sources) {
  if (prepared.live() != nullptr) return judge_live(found, prepared, checker);
  return found.reached() != nullptr ? judge_trace(found, prepared, checker, sources)
                                    : judge_unreached(found, prepared, checker);
}

}  // namespace whittle
