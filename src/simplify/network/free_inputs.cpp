// SPDX-License-Identifier: Apache-2.0
// Per event: the inputs that no effect, key or argument reads, in groups that conditions connect.
// For a group with the conditions D(state, inputs) the event gets  exists inputs. D  in their
// place, without a quantifier; that is the same relation between states. `true` is the best case.
#include "simplify/network/free_inputs.h"

#include <algorithm>
#include <unordered_map>

#include "expr/evaluate.h"
#include "expr/traverse.h"
#include "ir/run/stepper.h"
#include "simplify/network/carry_over.h"

namespace whittle::simplify {

namespace {

// How much larger than the conditions that went the new one may be, in subterms.
constexpr std::size_t kGrowth = 8;

std::size_t size_of(const ExprPool& pool, std::span<const Expr> terms) {
  std::size_t size = 0;
  for_each_subterm(pool, terms, [&](Expr) { ++size; });
  return size;
}

// Inputs of one event that went together.
struct Group {
  std::vector<std::uint32_t> parameters;  // of the original
  std::vector<Expr> conditions;           // what their values must satisfy
  bool reads_state = false;
};

class EventInputs {
 public:
  EventInputs(const Network& network, const Event& event, Queries& queries)
      : network_(network), pool_(network.pool()), event_(event), queries_(queries) {
    for (std::uint32_t p = 0; p < event.parameters.size(); ++p) {
      index_.emplace(event.parameters[p].symbol, p);
      leader_.push_back(p);
    }
    read_elsewhere_.assign(event.parameters.size(), 0);
  }

  // The groups that went; `guards` are those that the event has then.
  std::vector<Group> run(std::vector<Guard>& guards) {
    mark_reads();
    for (const Guard& g : event_.guards)
      for (Expr part : conjuncts(pool_, g.condition)) parts_.push_back({part, g.origin});
    connect();
    std::vector<Group> gone;
    for (std::uint32_t p = 0; p < leader_.size(); ++p)
      if (leader(p) == p) eliminate(p, gone);
    if (!gone.empty())
      for (const Part& part : parts_)
        if (part.condition.valid()) guards.push_back({part.condition, part.origin});
    return gone;
  }

 private:
  struct Part {
    Expr condition;  // invalid: it went
    Span origin;
  };

  void mark_reads() {
    auto read = [&](Expr e) {
      if (!e.valid()) return;
      for (SymbolId s : symbols(pool_, e))
        if (auto found = index_.find(s); found != index_.end()) read_elsewhere_[found->second] = 1;
    };
    for (const Effect& f : event_.effects) read(f.expr);
    for (const Sync& s : event_.syncs) {
      read(s.key);
      for (Expr argument : s.arguments) read(argument);
    }
  }

  [[nodiscard]] std::uint32_t leader(std::uint32_t p) const {
    while (leader_[p] != p) p = leader_[p];
    return p;
  }

  [[nodiscard]] std::vector<std::uint32_t> inputs_of(Expr e) const {
    std::vector<std::uint32_t> result;
    for (SymbolId s : symbols(pool_, e))
      if (auto found = index_.find(s); found != index_.end()) result.push_back(found->second);
    return result;
  }

  // Conditions over several inputs make one group of them. One that is read elsewhere stands for
  // itself: to the others it is as given as the state is.
  void connect() {
    for (const Part& part : parts_) {
      std::optional<std::uint32_t> first;
      for (std::uint32_t p : inputs_of(part.condition)) {
        if (read_elsewhere_[p]) continue;
        if (first) leader_[leader(p)] = leader(*first);
        first = p;
      }
    }
  }

  [[nodiscard]] bool plain(Expr e) const {
    for (SymbolId s : symbols(pool_, e)) {
      const RoleKind kind = network_.role(s).kind;
      if (kind != RoleKind::Current && kind != RoleKind::Input && kind != RoleKind::At)
        return false;
    }
    return true;
  }

  void eliminate(std::uint32_t p, std::vector<Group>& gone) {
    if (read_elsewhere_[p]) return;
    Group group;
    std::vector<SymbolId> wanted;
    for (std::uint32_t q = 0; q < leader_.size(); ++q) {
      if (read_elsewhere_[q] || leader(q) != p) continue;
      group.parameters.push_back(q);
      wanted.push_back(event_.parameters[q].symbol);
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!parts_[i].condition.valid()) continue;
      const auto inputs = inputs_of(parts_[i].condition);
      if (std::none_of(inputs.begin(), inputs.end(),
                       [&](std::uint32_t q) { return !read_elsewhere_[q] && leader(q) == p; }))
        continue;
      if (!plain(parts_[i].condition)) return;
      places.push_back(i);
      group.conditions.push_back(parts_[i].condition);
    }
    Expr rest = pool_.boolean(true);
    if (!places.empty()) {
      const auto found = without(group.conditions, wanted);
      if (!found) return;
      rest = *found;
    }
    for (Expr c : group.conditions)
      for (SymbolId s : symbols(pool_, c))
        group.reads_state |= network_.role(s).kind != RoleKind::Input;
    const Span origin = places.empty() ? Span{} : parts_[places.front()].origin;
    for (std::size_t i : places) parts_[i].condition = Expr();
    if (!pool_.is_true(rest))
      for (Expr part : conjuncts(pool_, rest)) parts_.push_back({part, origin});
    gone.push_back(std::move(group));
  }

  // exists wanted. conditions
  std::optional<Expr> without(std::span<const Expr> conditions, std::span<const SymbolId> wanted) {
    std::vector<Expr> parts(conditions.begin(), conditions.end());
    std::vector<SymbolId> left(wanted.begin(), wanted.end());
    // One symbol after the other, as long as the shapes allow it.
    for (bool progress = true; progress && !left.empty();) {
      progress = false;
      for (std::size_t i = 0; i < left.size() && !progress; ++i) {
        std::vector<Expr> about;
        std::vector<Expr> others;
        for (Expr part : parts) {
          const auto all = symbols(pool_, part);
          (std::find(all.begin(), all.end(), left[i]) != all.end() ? about : others)
              .push_back(part);
        }
        auto solved = solvable(pool_, about, left[i]);
        if (!solved) continue;
        if (!pool_.is_true(*solved))
          for (Expr part : conjuncts(pool_, *solved)) others.push_back(part);
        parts = std::move(others);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
        progress = true;
      }
    }
    Expr result = pool_.conj(parts);
    if (!left.empty()) {
      std::vector<Expr> defined;
      defined.reserve(parts.size());
      for (Expr part : parts) defined.push_back(pool_.conj(definedness(pool_, part), part));
      auto found = queries_.eliminated(pool_.conj(defined), left);
      if (!found) return std::nullopt;
      result = *found;
    }
    if (!pool_.total(result)) return std::nullopt;
    const Expr one[] = {result};
    if (size_of(pool_, one) > size_of(pool_, conditions) + kGrowth) return std::nullopt;
    return result;
  }

  const Network& network_;
  ExprPool& pool_;
  const Event& event_;
  Queries& queries_;
  std::unordered_map<SymbolId, std::uint32_t> index_;
  std::vector<std::uint32_t> leader_;
  std::vector<char> read_elsewhere_;
  std::vector<Part> parts_;
};

// A trace that does not lift costs the whole question again: patience pays, also on a busy machine.
constexpr Queries::Budget kForTraces = {0, std::chrono::seconds(10), std::chrono::seconds(60)};

// Finds values for the inputs again.
class InputBackTranslation final : public BackTranslation {
 public:
  InputBackTranslation(std::shared_ptr<Network> original, std::shared_ptr<Network> result,
                       std::unordered_map<EventId, std::vector<Group>> gone,
                       smt::SolverFactory solvers)
      : original_(std::move(original)),
        result_(std::move(result)),
        gone_(std::move(gone)),
        solvers_(std::move(solvers)) {
    for (const auto& [event, groups] : gone_)
      for (const Group& group : groups) reads_state_ |= group.reads_state;
  }

  Expected<Trace, std::string> trace(const Trace& trace) const override;
  Expr invariant(Expr invariant) const override {
    return translated(*result_, *original_, invariant);
  }

 private:
  struct Walk {
    Walk(const InputBackTranslation& back, const Trace& trace)
        : stepper(*back.original_, trace.universe),
          state(trace.initial),
          evaluate(back.original_->pool()),
          queries(back.original_->pool(), back.solvers_, kForTraces) {}
    Stepper stepper;
    State state;
    Evaluator evaluate;
    Queries queries;
    std::unordered_map<EventId, std::vector<Value>> last;  // arguments of the event
  };

  // False: no values were found for the step in this state.
  bool complete(Walk& walk, TraceStep& step) const;
  [[nodiscard]] bool satisfied(Walk& walk, const Group& group, const TraceStep& step) const;
  [[nodiscard]] std::optional<std::vector<Value>> solved(Walk& walk, const Group& group,
                                                         const TraceStep& step) const;

  std::shared_ptr<Network> original_, result_;
  std::unordered_map<EventId, std::vector<Group>> gone_;
  smt::SolverFactory solvers_;
  bool reads_state_ = false;
};

Expected<Trace, std::string> InputBackTranslation::trace(const Trace& trace) const {
  Walk walk(*this, trace);
  Trace result;
  result.universe = trace.universe;
  result.initial = trace.initial;
  for (const TraceStep& step : trace.steps) {
    const auto missing = gone_.find(step.event);
    for (std::uint64_t i = 0; i < step.times; ++i) {
      TraceStep next = step;
      // Without conditions on the state, what is right once is right every time.
      next.times = reads_state_ ? 1 : step.times;
      if (missing != gone_.end() && !complete(walk, next))
        return Unexpected{std::string("no values were found for inputs that had been eliminated")};
      if (reads_state_ && !walk.stepper.advance(walk.state, next))
        return Unexpected{"a step with inputs that were found again is refused: " +
                          walk.stepper.refusal().message};
      append(result, std::move(next));
      if (!reads_state_) break;
    }
  }
  return result;
}

bool InputBackTranslation::complete(Walk& walk, TraceStep& step) const {
  const Event& event = original_->event(step.event);
  const std::vector<Group>& groups = gone_.at(step.event);
  auto [last, fresh] = walk.last.try_emplace(step.event);
  if (fresh)
    for (const Parameter& p : event.parameters)
      last->second.push_back(original_->pool().default_value(p.type));
  // The arguments that the result still has, between those that it has not.
  std::vector<char> given(event.parameters.size(), 1);
  for (const Group& group : groups)
    for (std::uint32_t p : group.parameters) given[p] = 0;
  std::vector<Value> arguments = last->second;
  std::size_t next = 0;
  for (std::size_t p = 0; p < given.size(); ++p)
    if (given[p]) arguments[p] = step.arguments[next++];
  step.arguments = std::move(arguments);
  for (const Group& group : groups) {
    if (satisfied(walk, group, step)) continue;
    const auto values = solved(walk, group, step);
    if (!values) return false;
    for (std::size_t i = 0; i < values->size(); ++i)
      step.arguments[group.parameters[i]] = (*values)[i];
    if (!satisfied(walk, group, step)) return false;
  }
  last->second = step.arguments;
  return true;
}

bool InputBackTranslation::satisfied(Walk& walk, const Group& group, const TraceStep& step) const {
  const Event& event = original_->event(step.event);
  const StateLayout& layout = walk.stepper.layout();
  const Evaluator::Lookup lookup = [&](SymbolId s, std::span<const Value>) -> std::optional<Value> {
    const Role role = original_->role(s);
    if (role.kind == RoleKind::Current)
      return walk.state.values[layout.slot(step.instance, VariableId(role.id))];
    if (role.kind == RoleKind::At)
      return Value(walk.state.locations[layout.position(step.instance)] == LocationId(role.id));
    for (std::size_t p = 0; p < event.parameters.size(); ++p)
      if (event.parameters[p].symbol == s) return step.arguments[p];
    return std::nullopt;
  };
  return std::all_of(group.conditions.begin(), group.conditions.end(), [&](Expr condition) {
    auto value = walk.evaluate(condition, lookup);
    return value && value->as_bool();
  });
}

std::optional<std::vector<Value>> InputBackTranslation::solved(Walk& walk, const Group& group,
                                                               const TraceStep& step) const {
  ExprPool& pool = original_->pool();
  const Event& event = original_->event(step.event);
  const StateLayout& layout = walk.stepper.layout();
  Substitution now(pool);
  std::vector<SymbolId> wanted;
  for (std::uint32_t p : group.parameters) wanted.push_back(event.parameters[p].symbol);
  for (SymbolId s : symbols(pool, group.conditions)) {
    const Role role = original_->role(s);
    const Type type = pool.info(s).type;
    if (role.kind == RoleKind::Current) {
      const std::size_t slot = layout.slot(step.instance, VariableId(role.id));
      now.set(s, pool.constant(walk.state.values[slot], type));
    } else if (role.kind == RoleKind::At) {
      now.set(s, pool.boolean(walk.state.locations[layout.position(step.instance)] ==
                              LocationId(role.id)));
    } else if (std::find(wanted.begin(), wanted.end(), s) == wanted.end()) {
      for (std::size_t p = 0; p < event.parameters.size(); ++p)
        if (event.parameters[p].symbol == s) now.set(s, pool.constant(step.arguments[p], type));
    }
  }
  std::vector<Expr> conditions;
  for (Expr condition : group.conditions) {
    const Expr here = now(condition);
    conditions.push_back(pool.conj(definedness(pool, here), here));
  }
  return walk.queries.solution(conditions, wanted);
}

}  // namespace

std::optional<Transformed> free_inputs_eliminated(const std::shared_ptr<Network>& network,
                                                  PropertyId property, Queries& queries,
                                                  RefineCounts& counts) {
  const std::vector<char> called = called_events(*network);
  std::shared_ptr<Network> result;
  std::unordered_map<EventId, std::vector<Group>> gone;
  for (std::uint32_t e = 0; e < network->events().size(); ++e) {
    const Event& event = network->events()[e];
    // The arguments of a synchronised event are its caller's business.
    if (event.parameters.empty() || event.arcs.empty() || called[e] || !event.root) continue;
    std::vector<Guard> guards;
    std::vector<Group> groups = EventInputs(*network, event, queries).run(guards);
    if (groups.empty()) continue;
    if (!result) result = std::make_shared<Network>(*network);
    std::vector<char> goes(event.parameters.size(), 0);
    for (const Group& group : groups)
      for (std::uint32_t p : group.parameters) goes[p] = 1;
    Event& copy = result->event(EventId(e));
    copy.guards = std::move(guards);
    std::vector<Parameter> parameters;
    for (std::size_t p = 0; p < goes.size(); ++p) {
      if (goes[p])
        ++counts.inputs;
      else
        parameters.push_back(event.parameters[p]);
    }
    copy.parameters = std::move(parameters);
    gone.emplace(EventId(e), std::move(groups));
  }
  if (!result) return std::nullopt;
  auto back =
      std::make_shared<InputBackTranslation>(network, result, std::move(gone), queries.solvers());
  return Transformed{std::move(result), property, std::move(back)};
}

}  // namespace whittle::simplify
