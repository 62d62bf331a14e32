// SPDX-License-Identifier: Apache-2.0
#include "slice/compress.h"

#include <algorithm>
#include <functional>

#include "base/checkpoint.h"
#include "base/error.h"
#include "expr/traverse.h"
#include "ir/ltl.h"
#include "slice/dependence.h"
#include "slice/flow_graph.h"

namespace whittle::slice {

namespace {

// Kept locations times arcs: what control dependence costs at most.
constexpr std::uint64_t kMostWork = 50'000'000;

std::vector<Expr> atoms_of(const Network& network, PropertyId property) {
  std::vector<Expr> result;
  const auto* asked = std::get_if<RunGoal>(&network.property(property).goal);
  if (asked == nullptr) return result;
  for (const LtlFormula f : {asked->formula, asked->assumption}) {
    if (!f.valid()) continue;
    const std::vector<Expr> atoms = network.ltl().atoms(f);
    result.insert(result.end(), atoms.begin(), atoms.end());
  }
  return result;
}

// Which locations of the only machine lead where, by location of the network.
class Program {
 public:
  explicit Program(const ControlFlow& flow)
      : flow_(flow), network_(flow.network()), graph_(network_.locations().size()) {
    for (std::uint32_t e = 0; e < network_.events().size(); ++e)
      for (const Arc& arc : network_.event(EventId(e)).arcs)
        graph_.connect(arc.from.index(), arc.to.index());
    for (std::uint32_t l = 0; l < network_.locations().size(); ++l)
      graph_.may_end[l] = !flow.leaving(LocationId(l)).empty() && may_block(LocationId(l)) ? 1 : 0;
  }

  [[nodiscard]] const FlowGraph& graph() const { return graph_; }

 private:
  // Nothing may be possible there: no event is without conditions, and no two have opposite ones.
  [[nodiscard]] bool may_block(LocationId l) const {
    ExprPool& pool = network_.pool();
    std::vector<Expr> guards;
    for (const ArcRef ref : flow_.leaving(l)) {
      const Event& event = network_.event(ref.event);
      const std::vector<char> blocks = slice::may_block(network_, event);
      if (std::find(blocks.begin(), blocks.end(), 1) != blocks.end()) continue;
      std::vector<Expr> parts;
      for (const Guard& g : event.guards) parts.push_back(g.condition);
      const Expr guard = pool.conj(parts);
      if (!pool.total(guard)) continue;
      if (pool.is_true(guard)) return false;
      const bool inputs =
          std::any_of(event.parameters.begin(), event.parameters.end(), [&](const Parameter& p) {
            const std::vector<SymbolId> all = symbols(pool, guard);
            return std::find(all.begin(), all.end(), p.symbol) != all.end();
          });
      if (inputs) continue;
      const Expr opposite = pool.negate(guard);
      if (std::find(guards.begin(), guards.end(), opposite) != guards.end()) return false;
      guards.push_back(guard);
    }
    return true;
  }

  const ControlFlow& flow_;
  const Network& network_;
  FlowGraph graph_;
};

class Compressor {
 public:
  Compressor(const ControlFlow& flow, const InitConditions& init, PropertyId property)
      : flow_(flow),
        network_(flow.network()),
        property_(network_.property(property)),
        init_(init),
        dependences_(flow, init, {false, false, false}),
        program_(flow),
        kept_(network_.locations().size(), 0),
        acts_(network_.locations().size(), 0),
        named_(network_.locations().size(), 0) {}

  void ask(const std::vector<Expr>& atoms) {
    for (std::uint32_t m = 0; m < network_.machines().size(); ++m)
      add(machine(MachineId(m)), Closure::kNoParent, DependenceKind::Criterion, property_.origin);
    for (const InitCondition& c : init_.all()) {
      if (!c.removable) dependences_.start_condition(c, from_nobody());
    }
    for (const Expr atom : atoms) {
      dependences_.of_condition(atom, DependenceKind::Criterion, property_.origin, from_nobody());
      for (const SymbolId s : symbols(network_.pool(), atom))
        if (network_.role(s).kind == RoleKind::Halt) {
          asks_end_ = true;
          name_ends();
        }
    }
    std::vector<char> defines = definitions();
    separate(defines);
  }

  void ask(const std::vector<CriterionPair>& criterion) {
    for (const CriterionPair& pair : criterion) {
      add(location(pair.location), Closure::kNoParent, DependenceKind::Criterion, property_.origin);
      for (const VariableId v : pair.variables)
        add(value(v), Closure::kNoParent, DependenceKind::Criterion, property_.origin);
    }
  }

  Compressed run() {
    do close();
    while (control() || order());
    return {std::move(closure_), compression()};
  }

 private:
  [[nodiscard]] const FlowGraph& graph() const { return program_.graph(); }

  // ----- the closure

  Dependences::Report from_nobody() {
    return [this](Instance target, DependenceKind kind, Span origin) {
      add(target, Closure::kNoParent, kind, origin);
    };
  }

  void add(Instance target, std::uint32_t parent, DependenceKind kind, Span origin) {
    // That a place is asked for from anywhere makes it one of N.
    if (target.part == Part::LocationRead) {
      name(LocationId(target.id), parent, kind, origin);
      return;
    }
    if (!closure_.add(target, parent, kind, origin)) return;
    if (target.part == Part::Location) kept_[target.id] = 1;
    if (target.part == Part::Arc)
      act(flow_.arc({EventId(target.id), target.with}).from,
          static_cast<std::uint32_t>(closure_.size() - 1), kind, origin);
  }

  void name(LocationId l, std::uint32_t parent, DependenceKind kind, Span origin) {
    add(location(l), parent, kind, origin);
    if (named_[l.index()]) return;
    named_[l.index()] = 1;
    const std::uint32_t entry = closure_.find(location(l)).value_or(Closure::kNoParent);
    for (const std::uint32_t next : graph().successors[l.index()])
      add(location(LocationId(next)), entry, DependenceKind::Neighbour, origin);
  }

  // The ends of runs are seen.
  void name_ends() {
    for (std::uint32_t l = 0; l < network_.locations().size(); ++l)
      if (graph().successors[l].empty())
        name(LocationId(l), Closure::kNoParent, DependenceKind::Criterion, property_.origin);
  }

  // All that can happen at a location stays, and so does what decides which of it happens.
  void act(LocationId l, std::uint32_t parent, DependenceKind kind, Span origin) {
    add(location(l), parent, DependenceKind::EnterLocation, origin);
    if (acts_[l.index()]) return;
    acts_[l.index()] = 1;
    for (const ArcRef ref : flow_.leaving(l)) add(arc(ref.event, ref.arc), parent, kind, origin);
  }

  void close() {
    for (; done_ < closure_.size(); ++done_) {
      const Instance instance = closure_.entries()[done_].instance;
      const auto parent = static_cast<std::uint32_t>(done_);
      if (instance.part == Part::Location) continue;
      dependences_.of(instance, closure_, [&](Instance target, DependenceKind kind, Span origin) {
        if (kind == DependenceKind::EnterLocation) return;  // act() did that
        add(target, parent, kind, origin);
      });
    }
  }

  // ----- N and Sep

  // Locations in whose steps the variables of the formula are written.
  std::vector<char> definitions() {
    std::vector<char> result(kept_.size(), 0);
    const std::size_t asked = closure_.size();
    for (std::size_t i = 0; i < asked; ++i) {
      const Instance instance = closure_.entries()[i].instance;
      if (instance.part != Part::Value) continue;
      for (const EffectRef writer : flow_.writers(VariableId(instance.id)))
        for (const Arc& arc : network_.event(writer.event).arcs) result[arc.from.index()] = 1;
    }
    return result;
  }

  void separate(const std::vector<char>& defines) {
    std::vector<char> behind = named_;  // N and what comes next
    for (std::uint32_t l = 0; l < named_.size(); ++l)
      if (named_[l])
        for (const std::uint32_t next : graph().successors[l]) behind[next] = 1;
    std::vector<char> seen(kept_.size(), 0);
    std::vector<std::uint32_t> work;
    const auto go = [&](std::uint32_t l) {
      if (behind[l] || seen[l]) return;
      seen[l] = 1;
      work.push_back(l);
    };
    for (const Machine& m : network_.machines())
      for (const Start& start : m.starts) go(start.location.index());
    for (std::uint32_t l = 0; l < defines.size(); ++l)
      if (defines[l])
        for (const std::uint32_t next : graph().successors[l]) go(next);
    while (!work.empty()) {
      const std::uint32_t l = work.back();
      work.pop_back();
      for (const std::uint32_t next : graph().successors[l]) go(next);
    }
    for (std::uint32_t n = 0; n < named_.size(); ++n) {
      if (!named_[n]) continue;
      const std::uint32_t entry =
          closure_.find(location(LocationId(n))).value_or(Closure::kNoParent);
      for (const std::uint32_t p : graph().predecessors[n])
        if (seen[p] && !defines[p])
          add(location(LocationId(p)), entry, DependenceKind::Separator, property_.origin);
    }
  }

  // ----- control

  // Branches on which what is kept depends. True: some were missing.
  bool control() {
    bool found = false;
    for (; asked_ < closure_.size(); ++asked_) {
      const Instance instance = closure_.entries()[asked_].instance;
      if (instance.part != Part::Location) continue;
      charge();
      std::vector<char> target(kept_.size(), 0);
      target[instance.id] = 1;
      const std::vector<char> meets = always_meets(graph(), target);
      for (const std::uint32_t p : deciders(graph(), meets)) {
        if (acts_[p]) continue;
        const auto kind =
            decides(p, instance.id) ? DependenceKind::Decides : DependenceKind::Divergence;
        branch(p, static_cast<std::uint32_t>(asked_), kind);
        found = true;
      }
    }
    return found;
  }

  // Some successor cannot come to the target any more.
  [[nodiscard]] bool decides(std::uint32_t p, std::uint32_t target) {
    charge();
    std::vector<char> reaches(kept_.size(), 0);
    std::vector<std::uint32_t> work{target};
    reaches[target] = 1;
    while (!work.empty()) {
      const std::uint32_t n = work.back();
      work.pop_back();
      for (const std::uint32_t q : graph().predecessors[n]) {
        if (reaches[q]) continue;
        reaches[q] = 1;
        work.push_back(q);
      }
    }
    const auto& next = graph().successors[p];
    return std::any_of(next.begin(), next.end(), [&](std::uint32_t s) { return !reaches[s]; });
  }

  void branch(std::uint32_t p, std::uint32_t parent, DependenceKind kind) {
    add(location(LocationId(p)), parent, kind, network_.location(LocationId(p)).origin);
    if (acts_[p]) return;
    acts_[p] = 1;
    for (const ArcRef ref : flow_.leaving(LocationId(p)))
      add(arc(ref.event, ref.arc), parent, kind, flow_.arc(ref).origin);
  }

  void charge() {
    checkpoint();
    work_ += flow_.arc_count() + 1;
    if (work_ > kMostWork)
      throw ResourceError("control dependence in a program of this size takes too long");
  }

  // Branches from which different locations can be met first. True: some were missing.
  bool order() {
    const std::vector<std::uint32_t> first = first_met(graph(), kept_);
    const auto met = [&](std::uint32_t s) { return kept_[s] ? s : first[s]; };
    std::vector<std::uint32_t> certain, others;
    for (std::uint32_t p = 0; p < kept_.size(); ++p) {
      if (acts_[p]) continue;
      const auto& next = graph().successors[p];
      if (next.size() < 2) continue;
      std::vector<std::uint32_t> all;
      for (const std::uint32_t s : next) all.push_back(met(s));
      const bool several = std::find(all.begin(), all.end(), FirstMet::kSeveral) != all.end();
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      const bool nothing = all.back() == FirstMet::kNothing;
      const std::size_t different = all.size() - (nothing ? 1 : 0) - (several ? 1 : 0);
      if (different > 1)
        certain.push_back(p);
      else if (several)
        others.push_back(p);
    }
    const std::vector<std::uint32_t>& missing = certain.empty() ? others : certain;
    for (const std::uint32_t p : missing) {
      const std::uint32_t seen = met(graph().successors[p].front());
      const auto parent =
          seen < kept_.size() ? closure_.find(location(LocationId(seen))) : std::nullopt;
      branch(p, parent.value_or(Closure::kNoParent), DependenceKind::NextObservable);
    }
    return !missing.empty();
  }

  // ----- what becomes of each location

  [[nodiscard]] Compression compression() const {
    const std::size_t n = kept_.size();
    Compression result;
    result.way.assign(n, Compression::Way::Rests);
    result.next.assign(n, LocationId());
    result.passes.assign(n, 0);
    result.idles.assign(n, 0);
    result.ranks.assign(n, 0);
    const std::vector<std::uint32_t> first = first_met(graph(), kept_);
    const std::vector<std::uint32_t> longest = longest_before(graph(), kept_);
    for (std::uint32_t l = 0; l < n; ++l) {
      if (kept_[l]) {
        result.way[l] = Compression::Way::Stays;
        result.passes[l] = !acts_[l] && !graph().successors[l].empty() ? 1 : 0;
        continue;
      }
      if (longest[l] != UINT32_MAX) result.ranks[l] = longest[l];
      // Only `halt` tells a run that goes on from one that rests.
      result.idles[l] = asks_end_ && longest[l] == UINT32_MAX ? 1 : 0;
      if (first[l] >= n) continue;
      result.next[l] = LocationId(first[l]);
      result.way[l] = named_[first[l]] ? Compression::Way::Waits : Compression::Way::Joins;
    }
    return result;
  }

  const ControlFlow& flow_;
  const Network& network_;
  const Property& property_;
  const InitConditions& init_;
  Dependences dependences_;
  Program program_;
  Closure closure_;
  std::size_t done_ = 0;   // entries that were followed
  std::size_t asked_ = 0;  // entries whose control dependences are known
  std::uint64_t work_ = 0;
  bool asks_end_ = false;
  std::vector<char> kept_, acts_, named_;  // by location
};

}  // namespace

std::string no_compression(const Network& network, PropertyId id) {
  const Property& property = network.property(id);
  if (!std::holds_alternative<RunGoal>(property.goal)) return "it is not about infinite runs";
  if (network.language != "fcl" && network.language != "sts")
    return "models in this language keep their steps";
  if (network.machines().size() != 1 || network.universe(property.universe).instances.size() != 1)
    return "several machines take turns";
  if (!network.fairness.empty()) return "fairness speaks of single steps";
  if (property.bound.max) return "states are counted";
  const auto& asked = property.as<RunGoal>();
  for (const LtlFormula f : {asked.formula, asked.assumption})
    if (f.valid() && network.ltl().mentions(f, {LtlOp::Next})) return "`next` counts steps";
  for (const Expr atom : atoms_of(network, id))
    for (const SymbolId s : symbols(network.pool(), atom)) {
      const RoleKind kind = network.role(s).kind;
      if (kind == RoleKind::InstanceTaken) return "`taken` speaks of single steps";
      if (kind == RoleKind::Halt && network.language != "fcl")
        return "`halt` depends on every condition";
    }
  const auto has_syncs = [](const Event& e) { return !e.syncs.empty(); };
  if (std::any_of(network.events().begin(), network.events().end(), has_syncs))
    return "events happen together";
  return "";
}

Compressed compressed(const ControlFlow& flow, const InitConditions& init, PropertyId property,
                      const std::vector<CriterionPair>& criterion) {
  Compressor compressor(flow, init, property);
  if (criterion.empty())
    compressor.ask(atoms_of(flow.network(), property));
  else
    compressor.ask(criterion);
  return compressor.run();
}

}  // namespace whittle::slice
