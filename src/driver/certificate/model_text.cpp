// SPDX-License-Identifier: Apache-2.0
#include "driver/certificate/model_text.h"

#include <fmt/format.h>

#include "base/error.h"
#include "export/export.h"

namespace whittle::certificate {

namespace {

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

// As it stood before it was put in bars.
std::string bare(const std::string& symbol) {
  return symbol.front() == '|' ? symbol.substr(1, symbol.size() - 2) : symbol;
}

void join(std::vector<SymbolId>& all, std::unordered_set<SymbolId>& seen,
          const std::vector<SymbolId>& more) {
  for (SymbolId s : more)
    if (seen.insert(s).second) all.push_back(s);
}

}  // namespace

ModelText::ModelText(const TransitionSystem& system, const std::string& title)
    : system_(system), pool_(*system.pool), sorts_(pool_, scratch_), expand_(pool_), logic_(pool_) {
  for (const char* name : {"init", "goal", "invariant", "property"})
    static_cast<void>(sorts_.unique(name));
  for (std::size_t t = 0; t < system.transitions.size(); ++t)
    static_cast<void>(sorts_.unique(fmt::format("step!{}", t)));
  std::string declarations;
  auto declare = [&](SymbolId symbol) {
    const SymbolInfo& info = pool_.info(symbol);
    const std::string name = sorts_.unique(info.name);
    names_[symbol] = name;
    declared_.insert(symbol);
    logic_.add(pool_.symbol(symbol));
    declarations += fmt::format("(declare-fun {} () {})\n", name, sorts_.sort(info.type));
  };
  std::string annotations;
  for (const StateVariable& v : system.variables) {
    declare(v.current);
    declare(v.next);
    current_.push_back(v.current);
    next_.push_back(v.next);
    annotations += annotation(fmt::format("sv!{}", current_.size() - 1), sorts_.sort(v.type),
                              fmt::format("{} :next {}", names_[v.current], names_[v.next]));
  }
  std::unordered_set<SymbolId> seen;
  std::vector<SymbolId> every_input;
  for (const Transition& t : system.transitions) join(inputs_, seen, t.inputs);
  every_input = inputs_;
  join(every_input, seen, system.goal.inputs);
  for (SymbolId s : every_input) declare(s);

  text_ = fmt::format("; {}\n", one_line(title)) + declarations;
  text_ += function("init", current_, term(system.init));
  auto named = [&](std::span<const SymbolId> symbols) {
    Names names;
    for (SymbolId s : symbols) names.push_back(name_of(s));
    return names;
  };
  for (std::uint32_t t = 0; t < system.transitions.size(); ++t) {
    const Transition& transition = system.transitions[t];
    std::vector<SymbolId> all = current_;
    all.insert(all.end(), transition.inputs.begin(), transition.inputs.end());
    all.insert(all.end(), next_.begin(), next_.end());
    text_ += fmt::format("; {}\n", one_line(transition.name));
    text_ += function(fmt::format("step!{}", t), all,
                      term(transition_relation(system, transition, NextSums::Inequalities)));
  }
  std::vector<SymbolId> all = current_;
  all.insert(all.end(), system.goal.inputs.begin(), system.goal.inputs.end());
  text_ += function("goal", all, term(system.goal.condition));
  goal_inputs_ = named(system.goal.inputs);
  text_ += annotations;
  text_ += annotation("vmt!init", "Bool", init(named(current_)) + " :init true");
  text_ += annotation("vmt!trans", "Bool",
                      trans(named(current_), named(inputs_), named(next_)) + " :trans true");
  text_ +=
      annotation("vmt!property", "Bool",
                 fmt::format("(not {}) :invar-property 0", goal(named(current_), goal_inputs_)));
}

std::string ModelText::logic() const { return logic_.logic().name_in_text(); }

std::string ModelText::annotation(const std::string& wanted, const std::string& sort,
                                  const std::string& body) {
  return fmt::format("(define-fun {} () {} (! {}))\n", sorts_.unique(wanted), sort, body);
}

std::string ModelText::name_of(SymbolId symbol) {
  const auto known = names_.find(symbol);
  if (known == names_.end())
    throw ResourceError(
        fmt::format("'{}' is no part of the state, and a certificate has no word "
                    "for it",
                    pool_.info(symbol).name));
  return known->second;
}

std::string ModelText::term(Expr e) {
  const Expr plain = expand_(e);
  logic_.add(plain);
  std::string declared;
  smt::SmtLibWriter writer(pool_, declared);
  std::vector<std::pair<std::string, std::string>> lets;
  writer.collect_lets(lets);
  for (SymbolId s : symbols(pool_, plain)) writer.set_name(s, bare(name_of(s)), true);
  std::string text = writer.term(plain);
  if (!declared.empty() || !scratch_.empty())
    throw ResourceError("enumerations inside arrays or sets cannot be written to certificates");
  std::string opening;
  for (const auto& [name, bound] : lets) opening += fmt::format("(let (({} {})) ", name, bound);
  return opening + text + std::string(lets.size(), ')');
}

std::string ModelText::parameters(std::span<const SymbolId> symbols) {
  std::string result;
  for (SymbolId s : symbols)
    result += fmt::format("{}({} {})", result.empty() ? "" : " ", name_of(s),
                          sorts_.sort(pool_.info(s).type));
  return result;
}

std::string ModelText::function(const std::string& name, std::span<const SymbolId> symbols,
                                const std::string& body) {
  return fmt::format("(define-fun {} ({}) Bool {})\n", name, parameters(symbols), body);
}

std::string ModelText::state_function(const std::string& name, Expr condition) {
  return function(name, current_, term(condition));
}

std::string ModelText::apply(const std::string& function, std::initializer_list<Names> arguments) {
  std::string text;
  for (const Names& names : arguments)
    for (const std::string& name : names) text += " " + name;
  return text.empty() ? function : "(" + function + text + ")";
}

std::string ModelText::step(std::uint32_t transition, const Names& state, const Names& inputs,
                            const Names& next) {
  return apply(fmt::format("step!{}", transition), {state, inputs, next});
}

std::string ModelText::trans(const Names& state, const Names& inputs, const Names& next) const {
  std::unordered_map<SymbolId, std::string> given;
  for (std::size_t i = 0; i < inputs_.size(); ++i) given[inputs_[i]] = inputs[i];
  std::string alternatives;
  for (std::uint32_t t = 0; t < system_.transitions.size(); ++t) {
    Names own;
    for (SymbolId s : system_.transitions[t].inputs) own.push_back(given.at(s));
    alternatives += " " + step(t, state, own, next);
  }
  if (system_.transitions.empty()) return "false";
  return system_.transitions.size() == 1 ? alternatives.substr(1) : "(or" + alternatives + ")";
}

// ----- copies

std::string ModelText::state_name(std::uint32_t variable, std::uint64_t time) {
  std::string& name = copies_[{variable, time}];
  if (name.empty())
    name = sorts_.unique(fmt::format("{}@{}", system_.variables[variable].name, time));
  return name;
}

const Names& ModelText::state_at(std::uint64_t time) {
  const auto [it, fresh] = states_.try_emplace(time);
  if (fresh) {
    for (std::uint32_t v = 0; v < current_.size(); ++v) it->second.push_back(state_name(v, time));
  }
  return it->second;
}

const Names& ModelText::inputs_at(std::uint64_t time) {
  const auto [it, fresh] = inputs_by_time_.try_emplace(time);
  if (fresh) {
    for (SymbolId s : inputs_)
      it->second.push_back(sorts_.unique(fmt::format("{}@{}", pool_.info(s).name, time)));
  }
  return it->second;
}

std::string ModelText::declare_state(std::uint64_t time) {
  std::string text;
  const Names& names = state_at(time);
  for (std::size_t v = 0; v < names.size(); ++v)
    text +=
        fmt::format("(declare-fun {} () {})\n", names[v], sorts_.sort(system_.variables[v].type));
  return text;
}

std::string ModelText::declare_inputs(std::uint64_t time) {
  std::string text;
  const Names& names = inputs_at(time);
  for (std::size_t i = 0; i < names.size(); ++i)
    text +=
        fmt::format("(declare-fun {} () {})\n", names[i], sorts_.sort(pool_.info(inputs_[i]).type));
  return text;
}

std::string ModelText::value(const Value& value, Type type) { return sorts_.value(value, type); }

// ----- eliminations

ModelText::Directions ModelText::elimination(Expr body, std::span<const SymbolId> bound,
                                             Expr result) {
  for (SymbolId s : bound) {
    // Parameters of steps have names already; next values and parameters of synchronised events
    // need one.
    if (!names_.contains(s)) names_[s] = sorts_.unique(pool_.info(s).name);
  }
  Directions directions;
  for (SymbolId s : bound) {
    // Bound where it is quantified, a constant where it is free.
    if (!declared_.contains(s))
      directions.enough +=
          fmt::format("(declare-fun {} () {})\n", names_[s], sorts_.sort(pool_.info(s).type));
  }
  const std::string all = term(body);
  const std::string found = term(result);
  directions.enough += fmt::format("(assert {})\n(assert (not {}))\n", all, found);
  directions.necessary =
      fmt::format("(assert {})\n(assert (forall ({}) (not {})))\n", found, parameters(bound), all);
  return directions;
}

}  // namespace whittle::certificate
