// SPDX-License-Identifier: Apache-2.0
// Declarations, then definitions of shared terms, then the annotated formulas. A step is the
// conjunction of its guards, of an equation for every assignment and of one for every variable
// that stays; conjuncts that all events share stand before the disjunction.
#include "frontend/vmt/printer.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "expr/traverse.h"
#include "frontend/vmt/sexpr.h"
#include "frontend/vmt/temporal.h"
#include "frontend/vmt/term_writer.h"
#include "ir/ltl.h"

namespace whittle::vmt {

namespace {

class Printer {
 public:
  explicit Printer(const Network& network)
      : network_(network),
        pool_(network.pool()),
        temporal_(pool_),
        writer_(
            pool_, [this](SymbolId s) { return written(name(s)); },
            [this] { return unique(fmt::format(".t{}", ++terms_)); }) {
    WHITTLE_REQUIRE(network.machines().size() <= 1, "a VMT-LIB system has one machine");
  }

  std::string run() {
    out_ = fmt::format("; {}\n", network_.name);
    for (char& c : out_)
      if (c == '\r' || (c == '\n' && &c != &out_.back())) c = ' ';
    variables();
    inputs();
    std::vector<Expr> starts;
    for (const Start& start : machine().starts) starts.push_back(start.condition);
    // Of a slice without a machine nothing is left that could go wrong or on.
    const Expr init = sliced_away() ? pool_.boolean(true) : pool_.disj(starts);
    const Expr trans = sliced_away() ? pool_.boolean(true) : step();
    std::vector<Expr> roots{init, trans};
    for (const Property& p : network_.properties())
      if (printed(p)) roots.push_back(term_of(p));
    writer_.prepare(roots);
    annotated(unique(".init"), init, ":init true");
    annotated(unique(".trans"), trans, ":trans true");
    std::size_t number = 0;
    for (const Property& p : network_.properties()) {
      if (!printed(p)) continue;
      const std::string_view key =
          p.kind == PropertyKind::Ltl ? ":ltl-property" : ":invar-property";
      annotated(unique(p.name), term_of(p), fmt::format("{} {}{}", key, number++, expectation(p)));
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool sliced_away() const { return network_.machines().empty(); }
  [[nodiscard]] const Machine& machine() const {
    static const Machine kNone;
    return sliced_away() ? kNone : network_.machines()[0];
  }

  static std::string expectation(const Property& p) {
    return p.expected ? fmt::format(" :expect |{}|", to_string(*p.expected)) : "";
  }

  // Structural checks are asked for on the command line.
  static bool printed(const Property& p) {
    return p.kind == PropertyKind::Ltl ||
           (p.kind == PropertyKind::Invariant && p.condition().valid());
  }
  // That runs are infinite goes without saying.
  [[nodiscard]] Expr term_of(const Property& p) const {
    if (p.kind != PropertyKind::Ltl) return p.condition();
    return temporal_.term(network_.ltl(), pool_, p.as<RunGoal>().formula);
  }

  std::string unique(std::string wanted) {
    while (!names_.insert(wanted).second) wanted += "'";
    return wanted;
  }

  [[nodiscard]] std::string name(SymbolId symbol) const {
    const Role role = network_.role(symbol);
    if (role.kind == RoleKind::InstanceCurrent || role.kind == RoleKind::RemoteCurrent) {
      return network_.variable(VariableId(role.id)).name;
    }
    const auto it = parameter_names_.find(symbol);
    return it == parameter_names_.end() ? pool_.info(symbol).name : it->second;
  }

  void declare(const std::string& constant, Type type) {
    out_ += fmt::format("(declare-fun {} () {})\n", written(constant), sort_text(pool_, type));
  }

  void variables() {
    for (const VariableId id : machine().variables) {
      const Variable& v = network_.variable(id);
      names_.insert(v.name);
      names_.insert(pool_.info(v.next).name);
      nexts_.insert(pool_.info(v.next).name);
    }
    std::size_t number = 0;
    for (const VariableId id : machine().variables) {
      const Variable& v = network_.variable(id);
      const std::string next = pool_.info(v.next).name;
      declare(v.name, v.type);
      declare(next, v.type);
      out_ += fmt::format("(define-fun {} () {} (! {} :next {}))\n",
                          written(unique(fmt::format(".sv{}", number++))), sort_text(pool_, v.type),
                          written(v.name), written(next));
    }
  }

  // Parameters that are next values become these again; the others are inputs, one for all events
  // that use the name.
  void inputs() {
    std::unordered_map<std::string, Type> declared;
    for (const EventId id : machine().events) {
      const Event& event = network_.event(id);
      std::unordered_set<SymbolId> chosen;
      for (const Effect& effect : event.effects) {
        if (const auto symbol = chosen_next(effect)) chosen.insert(*symbol);
      }
      for (const Parameter& p : event.parameters) {
        if (chosen.contains(p.symbol)) {
          parameter_names_[p.symbol] = p.name;
          continue;
        }
        std::string input = p.name;
        while (nexts_.contains(input) ||
               (declared.contains(input) && declared.at(input) != p.type)) {
          input += "'";
        }
        parameter_names_[p.symbol] = input;
        if (!declared.emplace(input, p.type).second) continue;
        names_.insert(input);
        declare(input, p.type);
      }
    }
  }

  // `x := p` where p stands for the next value of x.
  [[nodiscard]] std::optional<SymbolId> chosen_next(const Effect& effect) const {
    if (effect.kind != EffectKind::Assign || !pool_.is_variable(effect.expr)) return std::nullopt;
    const SymbolId symbol = pool_.symbol_of(effect.expr);
    if (network_.role(symbol).kind != RoleKind::Input) return std::nullopt;
    const Variable& v = network_.variable(effect.writes[0]);
    if (pool_.info(symbol).name != pool_.info(v.next).name) return std::nullopt;
    return symbol;
  }

  std::vector<Expr> conjuncts_of(const Event& event) {
    std::vector<Expr> result;
    for (const Guard& guard : event.guards) result.push_back(guard.condition);
    std::unordered_set<VariableId> changed;
    for (const Effect& effect : event.effects) {
      changed.insert(effect.writes.begin(), effect.writes.end());
      switch (effect.kind) {
        case EffectKind::Assign:
          if (chosen_next(effect)) break;
          result.push_back(
              pool_.eq(pool_.symbol(network_.variable(effect.writes[0]).next), effect.expr));
          break;
        case EffectKind::Relation:
          result.push_back(effect.expr);
          break;
        case EffectKind::Free:
          break;
      }
    }
    for (const VariableId id : machine().variables) {
      if (changed.contains(id)) continue;
      const Variable& v = network_.variable(id);
      result.push_back(pool_.eq(pool_.symbol(v.next), pool_.symbol(v.current)));
    }
    return result;
  }

  Expr step() {
    std::vector<std::vector<Expr>> events;
    std::unordered_map<Expr, std::size_t> count;
    for (const EventId id : machine().events) {
      if (network_.event(id).arcs.empty()) continue;
      events.push_back(conjuncts_of(network_.event(id)));
      const std::unordered_set<Expr> distinct(events.back().begin(), events.back().end());
      for (const Expr e : distinct) ++count[e];
    }
    if (events.empty()) return pool_.boolean(false);
    std::vector<Expr> common;
    std::vector<Expr> alternatives;
    for (const Expr e : events.front())
      if (count[e] == events.size()) common.push_back(e);
    for (const std::vector<Expr>& event : events) {
      std::vector<Expr> own;
      for (const Expr e : event)
        if (count[e] != events.size()) own.push_back(e);
      alternatives.push_back(pool_.conj(own));
    }
    if (events.size() > 1) common.push_back(pool_.disj(alternatives));
    return pool_.conj(common);
  }

  void annotated(const std::string& name, Expr e, const std::string& annotation) {
    const std::string term = writer_(e);
    for (const TermWriter::Definition& d : writer_.take_definitions()) {
      out_ += fmt::format("(define-fun {} () {} {})\n", d.name, d.sort, d.text);
    }
    out_ += fmt::format("(define-fun {} () Bool (! {} {}))\n", written(name), term, annotation);
  }

  const Network& network_;
  ExprPool& pool_;
  TemporalOperators temporal_;
  TermWriter writer_;
  std::string out_;
  std::size_t terms_ = 0;
  std::unordered_set<std::string> names_;
  std::unordered_set<std::string> nexts_;
  std::unordered_map<SymbolId, std::string> parameter_names_;
};

}  // namespace

std::string print_network(const Network& network) { return Printer(network).run(); }

}  // namespace whittle::vmt
