// SPDX-License-Identifier: Apache-2.0
// Partial-order reduction between neighbouring steps: of two orders of steps that do not influence
// each other, only one is looked at. What and why stands in partial_order.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/path/step_encoding.h"
#include "engine/path/unroller.h"
#include "engine/reduction/accesses.h"

namespace whittle {

class PartialOrder {
 public:
  // `late`: steps that only their own thread notices stand where projections want them.
  PartialOrder(const TransitionSystem& system, const Accesses& accesses, Unroller& unroller,
               const StepEncoder& steps, bool late);

  // Adds what step k, encoded already, has to do with the step before it.
  void encode(std::uint64_t k, std::vector<Expr>& out);

 private:
  // How a transition uses a variable that several groups use and some write.
  struct Use {
    std::uint32_t transition;
    bool writes;
    bool reads;
    Expr index;  // the one cell; invalid: all of it, or several
  };
  struct Shared {
    std::uint32_t variable;
    bool cells;  // some use is of one cell only
    std::vector<Use> uses;
  };

  void find_groups();
  [[nodiscard]] bool some_commute() const;
  void find_shared();
  void place_in_order(std::uint64_t k, std::vector<Expr>& out);
  void name_cells(std::uint64_t k, std::vector<Expr>& out);
  [[nodiscard]] Expr conflict(std::uint64_t k, std::size_t shared, bool write_first,
                              std::vector<Expr>& out);
  [[nodiscard]] std::uint32_t group_of(const StepEncoder::Selected& selected) const {
    return selected.transition == StepEncoder::kWait ? groups_ - 1 : group_[selected.transition];
  }

  const TransitionSystem& system_;
  const Accesses& accesses_;
  ExprPool& pool_;
  Unroller& unroller_;
  const StepEncoder& steps_;
  bool late_;
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> group_;            // by transition
  std::vector<Shared> shared_;                  // only variables of several groups
  std::vector<Expr> before_, now_;              // by group h: the step is of group h or a later one
  std::vector<Expr> cells_before_, cells_now_;  // by shared variable: the cell that is used
};

}  // namespace whittle
