// SPDX-License-Identifier: Apache-2.0
#include "witness/live_proof_check.h"

#include "witness/invariant_check.h"
#include "witness/live_states_check.h"
#include "witness/ranking_check.h"
#include "witness/states_check.h"

namespace whittle {

namespace {

class LiveProofCheck {
 public:
  LiveProofCheck(const TransitionSystem& product, const smt::SolverFactory& solvers)
      : product_(product), solvers_(solvers) {}

  Problem operator()(const Inductive& proof) const {
    if (product_.acceptance)
      return Unexpected{RejectedWitness{"an invariant says nothing about infinite runs"}};
    if (!proof.invariant.valid())
      return WitnessCheck::unchecked(
          {"", "", {Reason::Kind::Incomplete, "the invariant cannot be said of the product"}});
    return check_flat_invariant(product_, proof.invariant, proof.k, solvers_);
  }
  Problem operator()(const AllStates& states) const {
    return product_.acceptance ? check_no_accepting_run(product_, states.count, solvers_)
                               : check_states(product_, states.count, solvers_, states.reduction);
  }
  Problem operator()(const UpToBound&) const { return std::nullopt; }
  Problem operator()(const AllRunsShort&) const { return std::nullopt; }
  Problem operator()(const RangesSettled&) const { return std::nullopt; }
  // Strong fairness leaves less runs; what is proved of all of them is proved of these.
  Problem operator()(const KLiveness& bound) const {
    if (!product_.acceptance) return not_about_this();
    return check_kliveness(product_, bound, solvers_);
  }
  Problem operator()(const Ranking& ranking) const {
    if (!product_.acceptance) return not_about_this();
    return check_ranking(product_, ranking, solvers_);
  }

 private:
  static Problem not_about_this() {
    return Unexpected{RejectedWitness{"an argument about infinite runs, of which none is asked"}};
  }

  const TransitionSystem& product_;
  const smt::SolverFactory& solvers_;
};

}  // namespace

Problem check_live_proof(const TransitionSystem& product, const WhyUnreachable& why,
                         const smt::SolverFactory& solvers) {
  return std::visit(LiveProofCheck(product, solvers), why);
}

}  // namespace whittle
