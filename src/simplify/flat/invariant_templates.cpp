// SPDX-License-Identifier: Apache-2.0
#include "simplify/flat/invariant_templates.h"

#include <map>
#include <set>
#include <unordered_set>

#include "expr/traverse.h"

namespace whittle::simplify {

namespace {

class Templates {
 public:
  Templates(const TransitionSystem& system, const std::vector<Expr>& sources, std::size_t limit)
      : pool_(*system.pool), limit_(limit) {
    for (Expr source : sources) bounds(source);
    for (const StateVariable& variable : system.variables) {
      const Expr symbol = pool_.symbol(variable.current);
      if (variable.is_location) {
        places_.push_back(places(symbol));
      } else if (variable.type == Type::boolean()) {
        bools_.push_back(symbol);
      }
    }
  }

  std::vector<Expr> run() {
    const auto each_place = [&](const auto& use) {
      for (const auto& of_machine : places_) {
        for (Expr place : of_machine) use(place);
      }
    };
    for (Expr bound : bounds_) add(bound);
    each_place([&](Expr place) { add(pool_.negate(place)); });
    each_place([&](Expr place) {
      for (Expr b : bools_) {
        add(pool_.implies(place, b));
        add(pool_.implies(place, pool_.negate(b)));
      }
    });
    for (std::size_t m = 0; m < places_.size(); ++m) {
      for (std::size_t other = m + 1; other < places_.size(); ++other) {
        for (Expr place : places_[m]) {
          for (Expr excluded : places_[other]) add(pool_.negate(pool_.conj(place, excluded)));
        }
      }
    }
    for (Expr b : bools_) {
      for (Expr bound : bounds_) {
        add(pool_.implies(b, bound));
        add(pool_.disj(b, bound));
      }
    }
    each_place([&](Expr place) {
      for (Expr bound : bounds_) add(pool_.implies(place, bound));
    });
    return std::move(result_);
  }

 private:
  std::vector<Expr> places(Expr variable) {
    std::vector<Expr> result;
    const Type type = pool_.type(variable);
    for (std::uint32_t i = 0; i < pool_.info(type).values.size(); ++i)
      result.push_back(pool_.eq(variable, pool_.constant(EnumValue{i}, type)));
    return result;
  }

  // Of `x < 2`: that x is at most and at least 1, 2 or 3; with integers 1 is what is meant by it.
  void bounds(Expr source) {
    std::set<std::pair<Expr, Expr>> compared;
    for_each_subterm(pool_, source, [&](Expr e) {
      if (pool_.op(e) != Op::Lt && pool_.op(e) != Op::Le && pool_.op(e) != Op::Eq) return;
      for (const std::size_t side : {0, 1}) {
        const Expr variable = pool_.child(e, side), number = pool_.child(e, 1 - side);
        const Type type = pool_.type(variable);
        if (type != Type::integer() && type != Type::real()) continue;
        if (pool_.is_variable(variable) && pool_.is_const(number))
          compared.emplace(variable, number);
      }
    });
    for (const auto& [variable, number] : compared) {
      std::vector<Expr> near = {number};
      if (pool_.type(variable) == Type::integer()) {
        for (const int by : {-1, 1}) near.push_back(pool_.add(number, pool_.integer(by)));
      }
      for (Expr limit : near) {
        for (Expr bound : {pool_.le(variable, limit), pool_.ge(variable, limit)}) {
          if (seen_bounds_.insert(bound).second) bounds_.push_back(bound);
        }
      }
    }
  }

  void add(Expr e) {
    if (result_.size() < limit_ && !pool_.is_const(e) && seen_.insert(e).second)
      result_.push_back(e);
  }

  ExprPool& pool_;
  std::size_t limit_;
  std::vector<std::vector<Expr>> places_;  // by location variable: that it is there
  std::vector<Expr> bools_;
  std::vector<Expr> bounds_;
  std::unordered_set<Expr> seen_bounds_, seen_;
  std::vector<Expr> result_;
};

}  // namespace

std::vector<Expr> invariant_templates(const TransitionSystem& system,
                                      const std::vector<Expr>& sources, std::size_t limit) {
  return Templates(system, sources, limit).run();
}

}  // namespace whittle::simplify
