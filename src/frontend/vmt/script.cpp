// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "expr/traverse.h"
#include "frontend/vmt/terms.h"
#include "ir/property_kinds.h"

namespace whittle::vmt {

namespace {

// Commands of SMT-LIB that say nothing about the system.
constexpr std::string_view kIgnored[] = {
    "set-logic", "set-info", "set-option",     "check-sat", "check-sat-assuming", "get-model",
    "get-value", "get-info", "get-option",     "get-proof", "get-unsat-core",     "push",
    "pop",       "echo",     "get-assertions", "reset",     "reset-assertions",   "get-assignment"};
constexpr std::string_view kKnown[] = {"declare-fun", "declare-const", "define-fun", "define-const",
                                       "define-sort", "assert",        "exit"};
constexpr std::string_view kAnnotations[] = {":next",         ":init",           ":trans",
                                             ":invar",        ":invar-property", ":live-property",
                                             ":ltl-property", ":expect"};
// Of timed systems: a system without them is another one.
constexpr std::string_view kTimed[] = {":nextclock", ":urgent"};

std::string quoted(std::string_view name) {
  return fmt::format("`{}`", ellipsized(safe_text(name), 60));
}

class ScriptReader {
 public:
  ScriptReader(const SexprTree& tree, Diagnostics& diagnostics, SymbolIndex& symbols)
      : tree_(tree),
        diagnostics_(diagnostics),
        symbols_(symbols),
        pool_(std::make_shared<ExprPool>()),
        terms_(*pool_, tree, diagnostics, symbols,
               [this](Expr e, NodeId annotated, NodeId key, NodeId value) {
                 attribute(e, annotated, key, value);
               }) {
    script_.pool = pool_;
  }

  Script run() {
    for (NodeId at = tree_.top(); at != kNoNode && !done_; at = tree_.node(at).next) {
      if (diagnostics_.saturated()) break;
      command(at);
    }
    resolve_nexts();
    check_scopes();
    hold_everywhere();
    check_present();
    note_places();
    script_.temporal = terms_.temporal();
    return std::move(script_);
  }

 private:
  void malformed(NodeId id, std::string_view form) {
    diagnostics_.report("vmt-006", tree_.head_span(id), "not the form of this command",
                        fmt::format("write {}", form));
  }

  // ----- commands
  void command(NodeId id) {
    if (!tree_.node(id).closed) return;  // which was reported
    const NodeId head = tree_.is_list(id) ? tree_.node(id).first : kNoNode;
    if (!tree_.is_symbol(head)) {
      diagnostics_.report("parse-001", tree_.head_span(id), "expected a command",
                          "commands are written like (declare-fun x () Int)");
      return;
    }
    const std::string_view name = tree_.name(head);
    if (name == "declare-fun" || name == "declare-const") return declare(id, name);
    if (name == "define-fun" || name == "define-const") return define(id, name);
    if (name == "define-sort") return define_sort(id);
    if (name == "assert") return assertion(id);
    if (name == "set-logic") return logic(id);
    if (name == "exit") {
      done_ = true;
      return;
    }
    if (std::find(std::begin(kIgnored), std::end(kIgnored), name) != std::end(kIgnored)) return;
    if (name == "declare-sort" || name == "declare-datatype" || name == "declare-datatypes" ||
        name == "define-fun-rec" || name == "define-funs-rec") {
      diagnostics_.report("vmt-005", tree_.head_span(id),
                          fmt::format("`{}` is not supported", name),
                          name == "declare-sort" || name.starts_with("declare-data")
                              ? "sorts are Bool, Int, Real, (_ BitVec 8), (Array Int Int)"
                              : "");
      declare_broken(id, name);
      return;
    }
    NearestName nearest(name);
    for (const std::string_view known : kKnown) nearest.offer(known);
    for (const std::string_view known : kIgnored) nearest.offer(known);
    diagnostics_.report(
        "vmt-006", tree_.span(head), fmt::format("there is no command {}", quoted(name)),
        nearest.result() ? fmt::format("did you mean {}?", quoted(*nearest.result())) : "");
  }

  // What an unsupported command declares is not complained about again.
  void declare_broken(NodeId id, std::string_view command) {
    const NodeId name = tree_.child(id, 1);
    if (!tree_.is_symbol(name)) return;
    if (command == "define-fun-rec") {
      terms_.declare(name, {});
    } else {
      terms_.define_sort(name, {});
    }
  }

  // In logics of reals alone a numeral is a real.
  void logic(NodeId id) {
    const NodeId name = tree_.child(id, 1);
    if (!tree_.is_symbol(name)) return malformed(id, "(set-logic QF_LIA)");
    const std::string_view text = tree_.name(name);
    const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
    terms_.set_real_numerals((has("LRA") || has("NRA") || has("RDL")) && !has("IRA") &&
                             !has("IA") && !has("IDL"));
  }

  void declare(NodeId id, std::string_view command) {
    const bool fun = command == "declare-fun";
    const NodeId name = tree_.child(id, 1);
    const NodeId arguments = fun ? tree_.child(id, 2) : kNoNode;
    const NodeId sort = tree_.child(id, fun ? 3 : 2);
    if (tree_.size(id) != (fun ? 4U : 3U) || !tree_.is_symbol(name) ||
        (fun && !tree_.is_list(arguments))) {
      return malformed(id, fun ? "(declare-fun name () Sort)" : "(declare-const name Sort)");
    }
    Global global;
    if (fun && tree_.node(arguments).first != kNoNode) {
      global.kind = Global::Kind::Uninterpreted;
      terms_.declare(name, std::move(global));
      return;
    }
    const auto type = terms_.sort(sort);
    if (type) {
      const SymbolId symbol = pool_->declare(std::string(tree_.name(name)), *type);
      global.kind = Global::Kind::Constant;
      global.term = pool_->symbol(symbol);
      if (terms_.declare(name, std::move(global))) {
        script_.constants.push_back({symbol, tree_.span(name)});
        declared_.insert(symbol);
      }
    } else {
      terms_.declare(name, std::move(global));
    }
  }

  void define(NodeId id, std::string_view command) {
    const bool fun = command == "define-fun";
    const NodeId name = tree_.child(id, 1);
    const NodeId parameters = fun ? tree_.child(id, 2) : kNoNode;
    const NodeId sort = tree_.child(id, fun ? 3 : 2);
    const NodeId body = tree_.child(id, fun ? 4 : 3);
    if (tree_.size(id) != (fun ? 5U : 4U) || !tree_.is_symbol(name) ||
        (fun && !tree_.is_list(parameters))) {
      return malformed(id,
                       fun ? "(define-fun name () Sort term)" : "(define-const name Sort term)");
    }
    Global global;
    bool good = !fun || bind_parameters(parameters, global);
    const auto type = terms_.sort(sort);
    definition_ = tree_.name(name);
    terms_.set_parameters(!global.parameters.empty());
    const Expr term = terms_.term(body);
    terms_.set_parameters(false);
    definition_ = {};
    terms_.unbind_all();
    if (good && type) {
      const Expr typed = terms_.of_type(term, *type, body,
                                        fmt::format("the body of {}", quoted(tree_.name(name))));
      if (typed.valid()) {
        global.kind = Global::Kind::Defined;
        global.term = typed;
      }
    }
    terms_.declare(name, std::move(global));
  }

  bool bind_parameters(NodeId list, Global& global) {
    bool good = true;
    std::unordered_map<std::string_view, Span> seen;
    for (NodeId at = tree_.node(list).first; at != kNoNode; at = tree_.node(at).next) {
      const NodeId name = tree_.is_list(at) ? tree_.node(at).first : kNoNode;
      if (!tree_.is_symbol(name) || tree_.size(at) != 2) {
        diagnostics_.report("vmt-006", tree_.head_span(at), "not a parameter", "write (name Sort)");
        good = false;
        continue;
      }
      const auto [it, fresh] = seen.emplace(tree_.name(name), tree_.span(name));
      if (!fresh) {
        diagnostics_
            .report("vmt-001", tree_.span(name),
                    fmt::format("the parameter {} is declared twice", quoted(tree_.name(name))),
                    "give one of them another name")
            .related.push_back({it->second, "first declared here"});
        good = false;
      }
      const auto type = terms_.sort(tree_.node(name).next);
      if (!type) {
        good = false;
        terms_.bind(name, SymbolKind::Parameter, Expr());
        continue;
      }
      const SymbolId symbol = pool_->declare(std::string(tree_.name(name)), *type);
      global.parameters.push_back(symbol);
      terms_.bind(name, SymbolKind::Parameter, pool_->symbol(symbol));
    }
    return good;
  }

  void define_sort(NodeId id) {
    const NodeId name = tree_.child(id, 1);
    const NodeId parameters = tree_.child(id, 2);
    if (tree_.size(id) != 4 || !tree_.is_symbol(name) || !tree_.is_list(parameters)) {
      return malformed(id, "(define-sort Name () Sort)");
    }
    SortMacro macro;
    macro.body = tree_.child(id, 3);
    for (NodeId at = tree_.node(parameters).first; at != kNoNode; at = tree_.node(at).next) {
      if (!tree_.is_symbol(at)) return malformed(id, "(define-sort Name (X Y) Sort)");
      macro.parameters.push_back(tree_.name(at));
    }
    // A sort without parameters is checked here, so that it cannot be defined by itself.
    if (macro.parameters.empty() && !terms_.sort(macro.body)) macro.body = kNoNode;
    terms_.define_sort(name, std::move(macro));
  }

  void assertion(NodeId id) {
    const NodeId body = tree_.child(id, 1);
    if (tree_.size(id) != 2) return malformed(id, "(assert term)");
    const std::size_t before = annotations_;
    const Expr e = terms_.of_type(terms_.term(body), Type::boolean(), body, "what is asserted");
    if (e.valid() && annotations_ == before && !pool_->is_true(e)) {
      diagnostics_.report("vmt-012", tree_.head_span(id),
                          "an assertion says nothing about a transition system and is ignored",
                          "annotate the term with :init or :trans");
    }
  }

  // ----- annotations
  void attribute(Expr e, NodeId annotated, NodeId key, NodeId value) {
    const std::string_view name = tree_.text(key);
    const bool known =
        std::find(std::begin(kAnnotations), std::end(kAnnotations), name) != std::end(kAnnotations);
    if (name == ":named" && tree_.is_symbol(value)) {
      Global global;
      global.kind = e.valid() ? Global::Kind::Defined : Global::Kind::Broken;
      global.term = e;
      terms_.declare(value, std::move(global));
      return;
    }
    if (std::find(std::begin(kTimed), std::end(kTimed), name) != std::end(kTimed)) {
      ++annotations_;
      diagnostics_.report("vmt-005", tree_.span(key),
                          fmt::format("{}: timed systems are not supported", quoted(name)),
                          "say with :trans how time passes");
      return;
    }
    if (!known) {
      if (name != ":predicate") {
        NearestName nearest(name);
        for (const std::string_view candidate : kAnnotations) nearest.offer(candidate);
        diagnostics_.report(
            "vmt-011", tree_.span(key),
            fmt::format("the annotation {} is not known and ignored", quoted(name)),
            nearest.result() ? fmt::format("did you mean {}?", quoted(*nearest.result())) : "");
      }
      return;
    }
    if (name == ":expect") return expectation(annotated, key, value);
    ++annotations_;
    if (!e.valid()) return;
    if (terms_.has_parameters()) {
      diagnostics_.report("vmt-006", tree_.span(key),
                          fmt::format("{} in a function with parameters", quoted(name)),
                          "annotate a term without parameters");
      return;
    }
    if (name == ":next") return next(e, annotated, key, value);
    if (pool_->type(e) != Type::boolean()) {
      diagnostics_.report("vmt-003", tree_.head_span(annotated),
                          fmt::format("what is annotated with {} must be Bool, but this is {}",
                                      quoted(name), pool_->to_string(pool_->type(e))));
      return;
    }
    const Span span = tree_.span(tree_.child(annotated, 1));
    if (name == ":init" || name == ":trans" || name == ":invar") {
      if (tree_.is_symbol(value, "false")) {
        diagnostics_.report("vmt-011", tree_.span(key),
                            fmt::format("{} false: the annotation is ignored", name),
                            fmt::format("write {} true", name));
        return;
      }
      if (name == ":invar") {
        everywhere_.push_back({e, span, ""});
      } else {
        (name == ":init" ? script_.inits : script_.transitions).push_back({e, span, ""});
      }
    } else if (name == ":invar-property") {
      script_.invariants.push_back({e, span, property_name(name, value)});
      script_.order.push_back(false);
      asked_ = annotated;
      expected_ = Asked::Invariant;
    } else {
      live_property(e, name, annotated, value);
    }
  }

  // Several `:live-property` with one index are one property: one of them holds from some step on.
  void live_property(Expr e, std::string_view key, NodeId annotated, NodeId value) {
    const NodeId body = tree_.child(annotated, 1);
    const bool live = key == ":live-property";
    const std::string index = value == kNoNode ? "" : std::string(tree_.text(value));
    asked_ = annotated;
    expected_ = Asked::Live;
    const std::string words = one_line(tree_.text(body));
    for (std::size_t i = 0; i < script_.live.size(); ++i) {
      LiveProperty& known = script_.live[i];
      if (!live || known.kind != LiveProperty::Kind::Live || index.empty() || known.index != index)
        continue;
      known.terms.push_back(e);
      known.text += " || <>[] " + words;
      asked_live_ = i;
      return;
    }
    LiveProperty property;
    property.kind = live ? LiveProperty::Kind::Live : LiveProperty::Kind::Formula;
    property.index = index;
    property.terms.push_back(e);
    property.span = tree_.span(body);
    property.name = property_name(key, value);
    property.text = (live ? "<>[] " : "") + words;
    asked_live_ = script_.live.size();
    script_.live.push_back(std::move(property));
    script_.order.push_back(true);
  }

  // Of a term as long as its file only the beginning.
  static std::string one_line(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 400)) {
      const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!blank || (!result.empty() && result.back() != ' ')) result += blank ? ' ' : c;
    }
    return ellipsized(safe_text(result), 120);
  }

  // `:expect violated` or `:expect |violated in 3|`, of the property that is annotated before it.
  void expectation(NodeId annotated, NodeId key, NodeId value) {
    const std::string_view words = value == kNoNode ? "" : tree_.text(value);
    const std::size_t quotes = !words.empty() && (words[0] == '|' || words[0] == '"') ? 1 : 0;
    const auto expected = expectation_of_words(words.substr(quotes, words.size() - 2 * quotes));
    if (!expected) {
      diagnostics_.report("vmt-006", tree_.span(key), ":expect without a verdict",
                          expectation_hint(words));
    } else if (asked_ != annotated || expected_ == Asked::Nothing) {
      diagnostics_.report("vmt-006", tree_.span(key), ":expect without a property",
                          "it stands behind :invar-property");
    } else if (const std::string why =
                   misfit(expected_ == Asked::Live ? PropertyKind::Ltl : PropertyKind::Invariant,
                          *expected);
               !why.empty()) {
      diagnostics_.report("parse-008", tree_.span(value),
                          fmt::format("a property cannot be {}", to_string(*expected)), why);
    } else {
      auto& slot = expected_ == Asked::Live ? script_.live[asked_live_].expected
                                            : script_.invariants.back().expected;
      slot = expected;
      slot->origin = join(tree_.span(key), tree_.span(value));
    }
  }

  // That of the definition, where it is one; otherwise "invar-property 3".
  std::string property_name(std::string_view key, NodeId value) {
    std::string name = definition_.empty()
                           ? fmt::format("{} {}", key.substr(1),
                                         value == kNoNode ? std::to_string(names_.size())
                                                          : safe_text(tree_.text(value)))
                           : std::string(definition_);
    const std::string first = name;
    for (int i = 2; !names_.insert(name).second; ++i) name = fmt::format("{} #{}", first, i);
    return name;
  }

  struct PendingNext {
    SymbolId current;
    NodeId next;
    Span span;
  };

  void next(Expr e, NodeId annotated, NodeId key, NodeId value) {
    if (!tree_.is_symbol(value)) {
      diagnostics_.report("vmt-007", tree_.span(key), ":next without a name",
                          "write (! x :next x.next)");
      return;
    }
    if (!pool_->is_variable(e) || !declared_.contains(pool_->symbol_of(e))) {
      diagnostics_.report("vmt-007", tree_.head_span(annotated),
                          ":next belongs to a declared constant, not to a term",
                          "write (! x :next x.next)");
      return;
    }
    pending_.push_back({pool_->symbol_of(e), value, tree_.span(value)});
  }

  // MathSAT declares only what its terms use, and so leaves out the next value of what may change
  // as it likes.
  const Global* declared_next(const PendingNext& pending) {
    const std::string name(tree_.name(pending.next));
    const SymbolId symbol = pool_->declare(name, pool_->info(pending.current).type);
    Global global;
    global.kind = Global::Kind::Constant;
    global.term = pool_->symbol(symbol);
    if (terms_.declare(pending.next, std::move(global))) {
      script_.constants.push_back({symbol, pending.span});
      declared_.insert(symbol);
    }
    return terms_.global(tree_.name(pending.next));
  }

  // Only now, because the next one may be declared after the annotation.
  void resolve_nexts() {
    std::unordered_map<SymbolId, Span> as_current;
    std::unordered_map<SymbolId, Span> as_next;
    for (const PendingNext& pending : pending_) {
      const Global* found = terms_.global(tree_.name(pending.next));
      const std::string name = quoted(tree_.name(pending.next));
      if (found == nullptr) found = declared_next(pending);
      if (found == nullptr) continue;  // its name cannot be declared, which was reported
      symbols_.use(found->span, pending.span);
      if (found->kind == Global::Kind::Broken) continue;
      const bool constant = found->kind == Global::Kind::Constant;
      if (!constant) {
        diagnostics_.report("vmt-007", pending.span,
                            fmt::format("{} is not a declared constant", name),
                            "the next value has a constant of its own");
        continue;
      }
      const SymbolId next = pool_->symbol_of(found->term);
      const std::string current = quoted(pool_->info(pending.current).name);
      if (pool_->info(next).type != pool_->info(pending.current).type) {
        diagnostics_.report(
            "vmt-007", pending.span,
            fmt::format("{} is {}, but {} is {}", name, pool_->to_string(pool_->info(next).type),
                        current, pool_->to_string(pool_->info(pending.current).type)),
            "both need the same sort");
        continue;
      }
      if (next == pending.current) {
        diagnostics_.report("vmt-007", pending.span, fmt::format("{} is its own next value", name),
                            "declare another constant for the next value");
        continue;
      }
      const auto [current_it, new_current] = as_current.emplace(pending.current, pending.span);
      const auto [next_it, new_next] = as_next.emplace(next, pending.span);
      if (!new_current && !new_next) continue;  // the same once more
      if (!new_current || !new_next) {
        diagnostics_
            .report("vmt-007", pending.span,
                    new_next ? fmt::format("{} has two next values", current)
                             : fmt::format("{} is the next value of two constants", name),
                    "every state variable has a next value of its own")
            .related.push_back({new_next ? current_it->second : next_it->second, "first here"});
        continue;
      }
      script_.nexts.push_back({pending.current, next, pending.span});
    }
    for (const NextPair& pair : script_.nexts) {
      nexts_.insert(pair.next);
      const auto it = as_next.find(pair.current);
      if (it == as_next.end()) continue;
      diagnostics_
          .report("vmt-007", pair.span,
                  fmt::format("{} is a next value and has one itself",
                              quoted(pool_->info(pair.current).name)),
                  "a step has one state before and one after it")
          .related.push_back({it->second, "here it is a next value"});
    }
  }

  // Next values only in steps.
  void check_scopes() {
    const auto keep = [&](std::vector<Formula>& formulas, std::string_view what) {
      std::erase_if(formulas, [&](const Formula& f) { return !in_scope(f, what); });
    };
    keep(script_.inits, "the first states");
    keep(script_.invariants, "a property");
    keep(everywhere_, "every state");
    for (const auto* formulas :
         {&script_.inits, &script_.transitions, &script_.invariants, &everywhere_}) {
      for (const Formula& f : *formulas) refuse_temporal(f.term, f.span);
    }
    for (const LiveProperty& property : script_.live) {
      for (const Expr term : property.terms) {
        static_cast<void>(in_scope({term, property.span, ""}, "a property"));
        if (property.kind == LiveProperty::Kind::Live) refuse_temporal(term, property.span);
      }
    }
  }

  void refuse_temporal(Expr e, Span span) {
    if (!terms_.temporal().mentioned(*pool_, e)) return;
    diagnostics_.report("ltl-002", span,
                        "an operator of temporal logic where a condition is needed",
                        "formulas stand before :ltl-property");
  }

  // What :invar says holds in the first states and after every step.
  void hold_everywhere() {
    if (everywhere_.empty() || diagnostics_.has_errors()) return;
    Substitution after(*pool_);
    for (const NextPair& pair : script_.nexts) after.set(pair.current, pool_->symbol(pair.next));
    for (const Formula& f : everywhere_) {
      script_.inits.push_back(f);
      script_.transitions.push_back({after(f.term), f.span, ""});
    }
  }

  bool in_scope(const Formula& formula, std::string_view what) {
    for (const SymbolId symbol : symbols(*pool_, formula.term)) {
      if (!nexts_.contains(symbol)) continue;
      diagnostics_.report(
          "vmt-008", formula.span,
          fmt::format("{} speaks of the next value {}", what, quoted(pool_->info(symbol).name)),
          "next values have a meaning only in :trans");
      return false;
    }
    return true;
  }

  void check_present() {
    if (diagnostics_.has_errors()) return;
    const NodeId top = tree_.top();
    const Span start = top == kNoNode ? Span{} : tree_.head_span(top);
    if (annotations_ == 0) {
      diagnostics_.report("vmt-014", start, "there is no annotation: this is not a VMT-LIB system",
                          "annotate terms with :next, :init, :trans and :invar-property");
      return;
    }
    if (script_.inits.empty()) {
      diagnostics_.report("vmt-013", start, "no :init: every state is a first one");
    }
    if (script_.transitions.empty()) {
      diagnostics_.report("vmt-013", start, "no :trans: every state follows every state");
    }
  }

  // Of the terms that become guards and effects.
  void note_places() {
    std::vector<Expr> roots;
    for (const Formula& f : script_.transitions) roots.push_back(f.term);
    for (const Formula& f : script_.inits) roots.push_back(f.term);
    for_each_subterm(*pool_, roots, [&](Expr e) {
      if (pool_->type(e) != Type::boolean()) return;
      const Span span = terms_.place(e);
      if (span.valid()) script_.places.insert(e, span);
    });
  }

  const SexprTree& tree_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::shared_ptr<ExprPool> pool_;
  TermReader terms_;
  Script script_;
  bool done_ = false;
  NodeId asked_ = kNoNode;  // the term that the last property annotates
  enum class Asked : std::uint8_t { Nothing, Invariant, Live } expected_ = Asked::Nothing;
  std::size_t asked_live_ = 0;
  std::size_t annotations_ = 0;
  std::string_view definition_;            // the name that is being defined
  std::unordered_set<std::string> names_;  // of properties
  std::unordered_set<SymbolId> declared_;  // constants
  std::unordered_set<SymbolId> nexts_;
  std::vector<Formula> everywhere_;  // :invar
  std::vector<PendingNext> pending_;
};

}  // namespace

Script read_script(const SexprTree& tree, Diagnostics& diagnostics, SymbolIndex& symbols) {
  return ScriptReader(tree, diagnostics, symbols).run();
}

}  // namespace whittle::vmt
