// SPDX-License-Identifier: Apache-2.0
// Steps between the nodes of a control graph as linear constraints, for arguments about how numbers
// change. What is not linear is a dimension of its own, with what is known about it: products are
// bounded by the bounds of their factors, quotients by what they are defined by. Comparisons of
// integers are tightened.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absint/control_graph.h"
#include "absint/linear_form.h"
#include "smt/solver.h"

namespace whittle::live {

using absint::LinearForm;

// One way of taking an edge of the graph. Dimensions below the number of `LinearSteps::measures`
// are these before the step; the others are inputs, open values and what stands for nonlinear
// terms.
struct LinearStep {
  std::uint32_t edge = 0;
  std::vector<LinearForm> not_negative, zero;
  std::vector<LinearForm> after;  // by measure
};

class LinearSteps {
 public:
  // `solver` says which ways are possible at all; nothing is required in it afterwards.
  LinearSteps(const TransitionSystem& system, const absint::ControlGraph& graph,
              smt::Solver& solver);

  // State variables that are numbers, and nonlinear terms over them that conditions mention, by
  // dimension.
  [[nodiscard]] const std::vector<Expr>& measures() const { return measures_; }
  // The ways of taking an edge from where the condition, over current symbols without locations,
  // holds. None: it cannot be taken.
  [[nodiscard]] std::vector<LinearStep> of(std::uint32_t edge, Expr condition);
  // Guard, relation and condition of an edge, over current symbols, inputs and next symbols of open
  // variables.
  [[nodiscard]] Expr taken(std::uint32_t edge, Expr condition) const;
  // A form over measures as a term; all factors integers where they are Ints.
  [[nodiscard]] Expr term(const LinearForm& form) const;

 private:
  struct Way {
    std::vector<Expr> conditions, values;  // values: by measure, after the step
  };
  void find_measures();
  [[nodiscard]] std::vector<Expr> division_facts(const std::vector<Expr>& terms) const;
  void split_choices(Way way, std::vector<Way>& ways) const;
  void add_condition(Expr condition, absint::Dimensions& dimensions, LinearStep& step) const;
  void add(LinearForm form, bool strict, const absint::Dimensions& dimensions,
           std::vector<LinearForm>& to) const;
  void add_nonlinear(absint::Dimensions& dimensions, LinearStep& step);
  void add_corners(const absint::ProductDimension& product, LinearStep& step);
  [[nodiscard]] std::optional<Rational> bound(const LinearForm& form, int sign);
  [[nodiscard]] Expr over_reals(const LinearForm& form);
  [[nodiscard]] bool possible(Expr condition);

  const TransitionSystem& system_;
  ExprPool& pool_;
  const absint::ControlGraph& graph_;
  smt::Solver& solver_;
  std::vector<Expr> measures_;
  std::vector<Expr> reals_;  // by dimension, in questions about forms
};

}  // namespace whittle::live
