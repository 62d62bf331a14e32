// SPDX-License-Identifier: Apache-2.0
// A conjunct `a || b -> c && d` is taken apart into pieces that speak of one process of an array or
// of two: `a -> c`, `b -> c && d`. Written with `t` and `u` in place of the indices, pieces of
// different processes that mean the same have the same text. Where all pieces of a conjunct are
// there for all processes, quantified ones take its place.
#include "frontend/proc/alike_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "expr/traverse.h"
#include "frontend/proc/symbol_writer.h"

namespace whittle::proc {

namespace {

using Processes = std::vector<InstanceId>;  // of one array, in order

struct Piece {
  std::string array;             // `P`
  std::vector<std::size_t> who;  // positions in the array: one, or two in order
  std::string text;              // `P[t]@enter -> m`
};

class AlikeProcesses {
 public:
  AlikeProcesses(const Network& network, Expr condition)
      : network_(network), pool_(network.pool()), parts_(conjuncts(network.pool(), condition)) {
    for (SymbolId symbol : symbols(pool_, condition)) {
      const Role role = network.role(symbol);
      if (role.kind == RoleKind::InstanceCurrent || role.kind == RoleKind::InstanceAt) {
        find_array(role.instance);
      } else {
        taken_.insert(pool_.info(symbol).name);
      }
    }
  }

  std::vector<std::string> run() {
    std::vector<std::vector<Piece>> pieces;
    std::map<std::pair<std::string, std::string>, std::set<std::vector<std::size_t>>> said;
    for (Expr part : parts_) {
      pieces.push_back(pieces_of(part));
      for (const Piece& piece : pieces.back()) said[{piece.array, piece.text}].insert(piece.who);
    }
    const auto for_all = [&](const Piece& piece) {
      const std::size_t n = arrays_.at(piece.array).size();
      const std::size_t all = piece.who.size() == 1 ? n : n * (n - 1) / 2;
      return said.at({piece.array, piece.text}).size() == all && (piece.who.size() == 1 || n > 2);
    };
    std::vector<std::string> result;
    std::set<std::pair<std::string, std::string>> written;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (pieces[i].empty() || !std::all_of(pieces[i].begin(), pieces[i].end(), for_all)) {
        result.push_back(plain(parts_[i]));
        continue;
      }
      for (const Piece& piece : pieces[i]) {
        if (written.insert({piece.array, piece.text}).second) result.push_back(quantified(piece));
      }
    }
    return result;
  }

 private:
  // The number in `P[2]`.
  [[nodiscard]] static std::optional<long> index_of(const std::string& name) {
    const std::size_t open = name.find('[');
    if (open == std::string::npos || name.back() != ']') return std::nullopt;
    return std::stol(name.substr(open + 1));
  }

  [[nodiscard]] std::string array_of(InstanceId instance) const {
    const std::string& name = network_.instance(instance).name;
    return name.substr(0, name.find('['));
  }

  // Each process of an array can be a machine of its own.
  void find_array(InstanceId instance) {
    const std::string array = array_of(instance);
    if (arrays_.contains(array)) return;
    Processes all;
    for (InstanceId other : network_.universe(network_.instance(instance).universe).instances) {
      if (array_of(other) == array) all.push_back(other);
    }
    bool in_order = all.size() > 1;
    for (std::size_t i = 0; i < all.size() && in_order; ++i) {
      const auto index = index_of(network_.instance(all[i]).name);
      const auto first = index_of(network_.instance(all[0]).name);
      in_order = index && first && *index == *first + static_cast<long>(i);
    }
    arrays_[array] = in_order ? all : Processes();
  }

  // Processes of arrays that the term mentions.
  [[nodiscard]] std::set<InstanceId> mentioned(Expr e) const {
    std::set<InstanceId> result;
    for (SymbolId symbol : symbols(pool_, e)) {
      const Role role = network_.role(symbol);
      if (role.kind != RoleKind::InstanceCurrent && role.kind != RoleKind::InstanceAt) continue;
      result.insert(role.instance);
    }
    return result;
  }

  [[nodiscard]] std::string plain(Expr e) const {
    return frontend::print_expression(pool_, e, symbol_writer(network_));
  }
  // With the variables of quantifiers in place of the indices.
  [[nodiscard]] std::string with_variables(Expr e, const std::vector<InstanceId>& who) const {
    const frontend::SymbolWriter write = symbol_writer(network_);
    return frontend::print_expression(pool_, e, [&](SymbolId symbol) {
      std::string text = write(symbol);
      const Role role = network_.role(symbol);
      if (role.kind != RoleKind::InstanceCurrent && role.kind != RoleKind::InstanceAt) return text;
      for (std::size_t i = 0; i < who.size(); ++i) {
        if (role.instance != who[i]) continue;
        const std::size_t open = text.find('['), close = text.find(']');
        text.replace(open + 1, close - open - 1, variable(i));
      }
      return text;
    });
  }

  // A name that means nothing else.
  [[nodiscard]] std::string variable(std::size_t i) const {
    std::string name(1, static_cast<char>('t' + i));
    while (taken_.contains(name)) name += name[0];
    return name;
  }

  // Binds as strongly as a disjunct, or a conjunct, has to.
  [[nodiscard]] bool simple(Expr e) const {
    const Op op = pool_.op(e);
    return op == Op::Apply || op == Op::Not || op == Op::Eq || op == Op::Lt || op == Op::Le;
  }

  // Empty: they are not about one or two processes of an array each.
  [[nodiscard]] std::vector<Piece> pieces_of(Expr part) const {
    const bool implication = pool_.op(part) == Op::Implies;
    std::vector<Expr> when, then;
    if (implication) when = disjuncts(pool_, pool_.child(part, 0));
    then = implication ? conjuncts(pool_, pool_.child(part, 1)) : std::vector<Expr>{part};
    const auto fits = [&](Expr e) { return simple(e) || (!implication && then.size() == 1); };
    if (!std::all_of(when.begin(), when.end(),
                     [&](Expr e) { return simple(e) || pool_.op(e) == Op::And; }) ||
        !std::all_of(then.begin(), then.end(), fits))
      return {};
    struct Sides {
      std::vector<Expr> when, then;
    };
    std::map<std::vector<InstanceId>, Sides> by_who;
    const std::vector<Expr> nothing = {Expr()};
    for (Expr condition : when.empty() ? nothing : when) {
      for (Expr conclusion : then) {
        std::set<InstanceId> who = mentioned(conclusion);
        if (condition.valid()) who.merge(mentioned(condition));
        Sides& sides = by_who[{who.begin(), who.end()}];
        const auto add = [](std::vector<Expr>& to, Expr e) {
          if (std::find(to.begin(), to.end(), e) == to.end()) to.push_back(e);
        };
        if (condition.valid()) add(sides.when, condition);
        add(sides.then, conclusion);
      }
    }
    // Each condition beside each conclusion, nothing else.
    std::size_t pairs = 0;
    for (const auto& entry : by_who)
      pairs += std::max<std::size_t>(1, entry.second.when.size()) * entry.second.then.size();
    if (pairs != std::max<std::size_t>(1, when.size()) * then.size()) return {};
    std::vector<Piece> result;
    for (const auto& [who, sides] : by_who) {
      auto piece = piece_of(who, sides.when, sides.then);
      if (!piece) return {};
      result.push_back(std::move(*piece));
    }
    return result;
  }

  [[nodiscard]] std::optional<Piece> piece_of(const std::vector<InstanceId>& who,
                                              const std::vector<Expr>& when,
                                              const std::vector<Expr>& then) const {
    if (who.empty() || who.size() > 2) return std::nullopt;
    Piece piece;
    piece.array = array_of(who[0]);
    const Processes& all = arrays_.at(piece.array);
    for (InstanceId one : who) {
      const auto place = std::find(all.begin(), all.end(), one);
      if (place == all.end()) return std::nullopt;
      piece.who.push_back(static_cast<std::size_t>(place - all.begin()));
    }
    const auto texts = [&](const std::vector<Expr>& parts, std::string_view op) {
      std::set<std::string> sorted;
      for (Expr e : parts) sorted.insert(with_variables(e, who));
      return fmt::format("{}", fmt::join(sorted, op));
    };
    const std::string conditions = texts(when, " || ");
    if (who.size() == 2) {
      piece.text = variable(0) + " < " + variable(1);
      if (!when.empty())
        piece.text += when.size() > 1 ? " && (" + conditions + ")" : " && " + conditions;
      piece.text += " -> ";
    } else if (!when.empty()) {
      piece.text = conditions + " -> ";
    }
    piece.text += texts(then, " && ");
    return piece;
  }

  [[nodiscard]] std::string quantified(const Piece& piece) const {
    const Processes& all = arrays_.at(piece.array);
    const long first = *index_of(network_.instance(all.front()).name);
    std::string text;
    for (std::size_t i = 0; i < piece.who.size(); ++i) {
      text += fmt::format("forall {} in {}..{}: ", variable(i), first,
                          first + static_cast<long>(all.size()) - 1);
    }
    return text + piece.text;
  }

  const Network& network_;
  const ExprPool& pool_;
  std::vector<Expr> parts_;
  std::map<std::string, Processes> arrays_;  // empty: no array
  std::set<std::string> taken_;
};

}  // namespace

std::vector<std::string> conjunct_texts(const Network& network, Expr condition) {
  return AlikeProcesses(network, condition).run();
}

}  // namespace whittle::proc
