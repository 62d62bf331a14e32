// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/text_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "frontend/rebel/mentions.h"
#include "frontend/rebel/text_goal.h"

namespace whittle::rebel {

namespace {

class Follower {
 public:
  Follower(Program& program, const TextTrace& trace)
      : program_(program), trace_(trace), evaluator_(program, trace.world) {}

  void follow() {
    start();
    const Snapshot* before = &trace_.initial;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      number_ = i + 1;
      step(*before, trace_.steps[i]);
      before = &trace_.steps[i].after;
    }
  }
  [[nodiscard]] const std::string& gap() const { return gap_; }

 private:
  using Taking = TextOccurrence;  // an instance takes an event with arguments

  // A gap in one condition does not keep the others from being evaluated.
  template <class Function>
  void examine(const Function& function) {
    try {
      function();
    } catch (const Gap& gap) {
      if (gap_.empty()) gap_ = gap.what;
    }
  }
  [[noreturn]] void differ(const std::string& what) const {
    throw Difference{number_ == 0 ? "at the start: " + what
                                  : fmt::format("in step {}: {}", number_, what)};
  }

  [[nodiscard]] const Spec& spec_of(std::uint32_t instance) const {
    return program_.specs()[trace_.world.instances[instance].spec];
  }
  [[nodiscard]] std::string name_of(std::uint32_t instance) const {
    const Spec& spec = spec_of(instance);
    std::string name = program_.text(spec.name);
    if (spec.key != kNone) name += "[" + to_string(trace_.world.instances[instance].key) + "]";
    return name;
  }
  [[nodiscard]] std::string name_of(const Taking& taking) const {
    return name_of(taking.instance) + "." +
           program_.text(spec_of(taking.instance).uses[taking.use].name);
  }

  void start() {
    for (std::uint32_t i = 0; i < trace_.world.instances.size(); ++i) {
      const Spec& spec = spec_of(i);
      if (trace_.initial.states[i] != spec.initial) {
        differ(name_of(i) + " is not in its initial state");
      }
      for (std::size_t f = 0; f < spec.fields.size(); ++f) {
        const Datum& datum = trace_.initial.fields[i][f];
        if (datum.is_collection() && !datum.elements->empty()) {
          differ(name_of(i) + "." + program_.text(spec.fields[f].name) + " is not empty");
        }
      }
      if (trace_.world.find(trace_.world.instances[i].spec, trace_.world.instances[i].key) != i) {
        differ("two instances have the key of " + name_of(i));
      }
    }
  }

  // Keeps what a Place points to.
  struct Standing {
    std::vector<Configured> config;
    Place place;
  };

  Standing standing(const Taking& taking, const Snapshot& before, const Snapshot* after) {
    const Spec& spec = spec_of(taking.instance);
    const EventText text = event_text(program_, spec, taking.use);
    const ModuleAst& module = program_.module(text.module).ast;
    Standing result;
    result.place.module = text.module;
    result.place.self = taking.instance;
    result.place.before = &before;
    result.config = configuration(spec.uses[taking.use], *text.event, result.place);
    result.place.after = after;
    for (std::uint32_t p = 0; p < text.event->params.count; ++p) {
      const ParamAst& param = module.params[text.event->params.first + p];
      const RType type = program_.resolve_type(text.module, param.type);
      result.place.locals.emplace_back(param.name, evaluator_.wanted(taking.arguments[p], type));
    }
    return result;
  }

  // The specification's value, else the default.
  std::vector<Configured> configuration(const EventUse& use, const EventAst& event,
                                        const Place& where) {
    const ModuleAst& module = program_.module(use.definition.module).ast;
    std::vector<Configured> result;
    for (std::uint32_t p = 0; p < event.config.count; ++p) {
      const ParamAst& param = module.params[event.config.first + p];
      Place place = where;
      place.module = use.definition.module;
      ExprRef given = param.init;
      if (use.ref.found()) {
        const ModuleAst& ref_module = program_.module(use.ref.module).ast;
        const Range arguments = ref_module.event_refs[use.ref.index].arguments;
        for (std::uint32_t i = 0; i < arguments.count; ++i) {
          const ConfigArgAst& argument = ref_module.config_args[arguments.first + i];
          if (argument.name != param.name) continue;
          given = argument.value;
          place.module = use.ref.module;
        }
      }
      if (given == kNone) throw Gap{"a configuration without value"};
      Configured one;
      one.name = param.name;
      const RType type = program_.resolve_type(use.definition.module, param.type);
      if (program_.types().kind(type) == Kind::Function) {
        const ExprNode& n = program_.module(place.module).ast.expr(given);
        QName name;
        name.simple = name.full = n.a;
        one.is_function = true;
        one.function = program_.resolve(DeclKind::Function, place.module, name, true);
      } else {
        one.value = evaluator_.wanted(evaluator_.value(place, given), type);
      }
      result.push_back(std::move(one));
    }
    return result;
  }

  // ----- one step

  void step(const Snapshot& before, const TextStep& step) {
    if (step.occurrences.empty()) differ("nothing happens");
    examine([&] { together(before, step); });
    std::vector<bool> takes_part(trace_.world.instances.size(), false);
    for (const Taking& taking : step.occurrences) {
      takes_part[taking.instance] = true;
      event(taking, before, step.after);
    }
    for (std::uint32_t i = 0; i < takes_part.size(); ++i) {
      if (takes_part[i]) continue;
      if (before.states[i] != step.after.states[i]) differ(name_of(i) + " moves by itself");
      for (std::size_t f = 0; f < before.fields[i].size(); ++f) keeps(i, f, before, step.after);
    }
  }

  void keeps(std::uint32_t i, std::size_t f, const Snapshot& before, const Snapshot& after) const {
    if (same(before.fields[i][f], after.fields[i][f])) return;
    differ(fmt::format("{}.{} changes from {} to {}, and nothing says so", name_of(i),
                       program_.text(spec_of(i).fields[f].name), to_string(before.fields[i][f]),
                       to_string(after.fields[i][f])));
  }

  // What happens is the root with everything it synchronises with, and nothing else.
  void together(const Snapshot& before, const TextStep& step) {
    std::vector<Taking> demanded;
    enlist(demanded, before, step.occurrences.front());
    for (const Taking& taking : demanded) {
      if (!contains(step.occurrences, taking)) {
        differ(name_of(taking) + " must happen as well, with other arguments or at all");
      }
    }
    for (const Taking& taking : step.occurrences) {
      if (!contains(demanded, taking)) differ(name_of(taking) + " happens without a reason");
    }
  }

  static bool equal(const Taking& a, const Taking& b) {
    return a.instance == b.instance && a.use == b.use &&
           std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                      b.arguments.end(), [](const Datum& x, const Datum& y) { return same(x, y); });
  }
  static bool contains(const std::vector<Taking>& all, const Taking& one) {
    return std::any_of(all.begin(), all.end(), [&](const Taking& t) { return equal(t, one); });
  }

  void enlist(std::vector<Taking>& all, const Snapshot& before, const Taking& taking) {
    for (const Taking& other : all) {
      if (other.instance != taking.instance) continue;
      if (equal(other, taking)) return;
      differ(name_of(other) + " and " + name_of(taking) + " cannot happen together");
    }
    all.push_back(taking);
    const EventText text = event_text(program_, spec_of(taking.instance), taking.use);
    const ModuleAst& module = program_.module(text.module).ast;
    for (std::uint32_t i = 0; i < text.event->sync.count; ++i) {
      const SyncAst& sync = module.syncs[text.event->sync.first + i];
      bool external = false;
      const auto partner = called(taking, sync, before, external);
      if (external && !sync.negated) continue;
      if (!partner && !external) {
        differ(
            fmt::format("'{}' of {} calls nobody", written(text.module, sync.at), name_of(taking)));
      }
      if (!sync.negated) {
        enlist(all, before, *partner);
      } else if (external || possible(*partner, before)) {
        differ(
            fmt::format("'{}' of {} is possible", written(text.module, sync.at), name_of(taking)));
      }
    }
  }

  // Who is called with which arguments; empty: nobody, since one of them has no value or the
  // instance does not exist.
  std::optional<Taking> called(const Taking& caller, const SyncAst& sync, const Snapshot& before,
                               bool& external) {
    Standing here = standing(caller, before, nullptr);
    here.place.config = &here.config;
    const ModuleAst& module = program_.module(here.place.module).ast;
    const std::uint32_t s = program_.resolve_spec(here.place.module, sync.spec, true);
    if (s == kNone) throw Gap{"a synchronisation with an unknown specification"};
    const Spec& spec = program_.specs()[s];
    Taking partner;
    Datum key = Datum::integer(Integer(0));
    if (spec.key != kNone) {
      key = evaluator_.wanted(evaluator_.value(here.place, sync.key), spec.fields[spec.key].type);
    }
    const auto use = spec.use_index.find(sync.event);
    if (use == spec.use_index.end()) throw Gap{"a synchronisation with an unknown event"};
    partner.use = use->second;
    const Decl from = spec.uses[partner.use].interface ? spec.uses[partner.use].ref
                                                       : spec.uses[partner.use].definition;
    if (!from.found()) throw Gap{"a synchronisation with an event without definition"};
    const ModuleAst& target = program_.module(from.module).ast;
    const Range params = spec.uses[partner.use].interface ? target.event_refs[from.index].params
                                                          : target.events[from.index].params;
    bool defined = key.defined();
    for (std::uint32_t i = 0; i < params.count; ++i) {
      const RType type = program_.resolve_type(from.module, target.params[params.first + i].type);
      partner.arguments.push_back(
          evaluator_.wanted(evaluator_.value(here.place, module.list(sync.arguments)[i]), type));
      defined = defined && partner.arguments.back().defined();
    }
    if (!defined) return std::nullopt;
    external = spec.modifier == SpecModifier::External;
    if (external) return std::nullopt;
    partner.instance = trace_.world.find(s, key);
    if (partner.instance == kNone) return std::nullopt;
    return partner;
  }

  // Could the event happen now? Throws Gap where that needs a search.
  bool possible(const Taking& taking, const Snapshot& before) {
    const Spec& spec = spec_of(taking.instance);
    const std::uint32_t at = before.states[taking.instance];
    if (std::none_of(spec.arcs.begin(), spec.arcs.end(),
                     [&](const LifeArc& arc) { return arc.from == at && arc.use == taking.use; })) {
      return false;
    }
    Standing here = standing(taking, before, nullptr);
    here.place.config = &here.config;
    const EventText text = event_text(program_, spec, taking.use);
    const ModuleAst& module = program_.module(text.module).ast;
    bool certain = true;
    for (std::uint32_t i = 0; i < text.event->pre.count; ++i) {
      const StmtAst& stmt = module.stmts[text.event->pre.first + i];
      if (mentions_new(module, stmt)) {
        certain = false;
      } else if (!evaluator_.statement(here.place, stmt).is_true()) {
        return false;
      }
    }
    const std::set<Name> hidden = names_in(here);
    for (const auto& [field, change] : changes(program_, text.module, *text.event, spec, hidden)) {
      const auto has_value = [&](ExprRef e) {
        return e == kNone || evaluator_.value(here.place, e).defined();
      };
      if (!has_value(change.assigned)) return false;
      for (const EntryUpdate& update : change.updates) {
        if (!has_value(update.key) || !has_value(update.value)) return false;
      }
    }
    certain = certain && only_assigns(program_, text.module, *text.event, spec, hidden);
    for (std::uint32_t i = 0; i < text.event->sync.count; ++i) {
      const SyncAst& sync = module.syncs[text.event->sync.first + i];
      bool external = false;
      const auto partner = called(taking, sync, before, external);
      if (!partner && !external) return false;
      if (external ? sync.negated : possible(*partner, before) == sync.negated) return false;
      // Whether several of them go together is another question.
      certain = certain && (external || text.event->sync.count == 1);
    }
    if (!certain) throw Gap{"whether " + name_of(taking) + " is possible"};
    return true;
  }

  [[nodiscard]] static std::set<Name> names_in(const Standing& here) {
    std::set<Name> result;
    for (const auto& local : here.place.locals) result.insert(local.first);
    for (const Configured& one : here.config) result.insert(one.name);
    return result;
  }

  // ----- one event

  void event(const Taking& taking, const Snapshot& before, const Snapshot& after) {
    const Spec& spec = spec_of(taking.instance);
    const std::uint32_t from = before.states[taking.instance];
    const std::uint32_t to = after.states[taking.instance];
    if (std::none_of(spec.arcs.begin(), spec.arcs.end(), [&](const LifeArc& arc) {
          return arc.from == from && arc.to == to && arc.use == taking.use;
        })) {
      differ(fmt::format("{} does not lead from {} to {}", name_of(taking),
                         program_.text(spec.states[from].name),
                         program_.text(spec.states[to].name)));
    }
    examine([&] {
      Standing here = standing(taking, before, &after);
      here.place.config = &here.config;
      const EventText text = event_text(program_, spec, taking.use);
      for (const Range& block : {text.event->pre, text.event->post}) {
        for (std::uint32_t i = 0; i < block.count; ++i) {
          examine([&] { demand(taking, here.place, block.first + i); });
        }
      }
      frame(taking, here, text, before, after);
    });
  }

  void demand(const Taking& taking, const Place& place, StmtRef s) {
    const ModuleAst& module = program_.module(place.module).ast;
    const StmtAst& stmt = module.stmts[s];
    const Datum value = evaluator_.statement(place, stmt);
    if (value.is_true()) return;
    differ(fmt::format("'{}' of {} is {}", written(place.module, stmt.at), name_of(taking),
                       value.defined() ? "false" : "undefined"));
  }

  // Fields that no postcondition mentions under `new` keep their values; so do the entries of a map
  // of which only some are set.
  void frame(const Taking& taking, const Standing& here, const EventText& text,
             const Snapshot& before, const Snapshot& after) {
    const std::uint32_t i = taking.instance;
    const Spec& spec = spec_of(i);
    const auto changed = changes(program_, text.module, *text.event, spec, names_in(here));
    for (std::uint32_t f = 0; f < spec.fields.size(); ++f) {
      const auto change = changed.find(f);
      if (change == changed.end() || f == spec.key) {
        keeps(i, f, before, after);
        continue;
      }
      if (!change->second.only_updates) continue;
      examine([&] {
        Elements expected = *before.fields[i][f].elements;
        for (const EntryUpdate& update : change->second.updates) {
          const RType type = spec.fields[f].type;
          Datum value = evaluator_.wanted(evaluator_.value(here.place, update.value),
                                          program_.types().value(type));
          expected.insert_or_assign(evaluator_.value(here.place, update.key), std::move(value));
        }
        if (same(Datum::map(expected), after.fields[i][f])) return;
        differ(fmt::format("other entries of {}.{} change", name_of(i),
                           program_.text(spec.fields[f].name)));
      });
    }
  }

  [[nodiscard]] std::string written(std::uint32_t module, Extent at) const {
    return std::string(program_.sources().text(program_.module(module).ast.span(at)));
  }

  Program& program_;
  const TextTrace& trace_;
  Evaluator evaluator_;
  std::size_t number_ = 0;
  std::string gap_;
};

}  // namespace

TextReplay replay_on_text(Program& program, const TextTrace& trace, const Network& network,
                          PropertyId property) {
  using Outcome = TextReplay::Outcome;
  try {
    Follower follower(program, trace);
    follower.follow();
    std::string gap = follower.gap();
    try {
      check_goal(program, trace, network, property);
    } catch (const Gap& goal) {
      if (gap.empty()) gap = goal.what;
    }
    if (gap.empty()) return {Outcome::Agrees, ""};
    return {Outcome::NotCovered, gap};
  } catch (const Difference& difference) {
    return {Outcome::Differs, difference.what};
  }
}

// ----- reading the files again

struct RebelText::Parsed {
  Diagnostics diagnostics;  // nobody looks at them: the files were loaded without errors
  LoadOptions options;
  std::unique_ptr<Program> program;
};

Program& RebelText::program(const Sources& sources) const {
  if (parsed_) return *parsed_->program;
  parsed_ = std::make_shared<Parsed>();
  const auto canonical = [](const std::string& path) {
    std::error_code ignored;
    std::string key = std::filesystem::weakly_canonical(path, ignored).string();
    return key.empty() ? path : key;
  };
  std::unordered_map<std::string, FileId> files;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    files.emplace(canonical(sources.file(FileId(i)).path()), FileId(i));
  }
  parsed_->options.read = [&](const std::string& path) -> Expected<FileId, Diagnostic> {
    const auto it = files.find(canonical(path));
    if (it != files.end()) return it->second;
    Diagnostic missing;
    missing.message = "not read when the model was loaded";
    return Unexpected{missing};
  };
  parsed_->program = std::make_unique<Program>(sources, parsed_->options, parsed_->diagnostics);
  parsed_->program->load(root_);
  parsed_->options.read = {};
  return *parsed_->program;
}

TextReplay RebelText::replay(const Network& network, PropertyId property, const Trace& trace,
                             const Sources& sources) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  try {
    Program& text = program(sources);
    if (parsed_->diagnostics.has_errors()) throw Gap{"the text, which has errors"};
    TextTrace written = text_trace(text, network, trace);
    // A time that is the same in every configuration is no variable of the network.
    if (!written.world.now.defined()) {
      written.world.now = written_now(text, network.property(property));
    }
    return replay_on_text(text, written, network, property);
  } catch (const Gap& gap) {
    return {TextReplay::Outcome::NotCovered, gap.what};
  }
}

}  // namespace whittle::rebel
