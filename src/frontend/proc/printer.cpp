// SPDX-License-Identifier: Apache-2.0
// Prints by taking away: the text of the file with what the network no longer has replaced. Lines
// keep their numbers, so that program points and assertions keep their names, and comments stay. A
// network from which nothing was taken is printed as it was written.
//
//   an instruction                     is printed as
//   that still changes something       itself
//   that changes nothing any more      `skip`
//   that cannot be executed any more   `assume false`, and what follows in its block goes
//   an `assert` that is not asked      `assume`
//
// A family has one text for all its processes: what one of them needs stays for all. Blocks that
// are atomic stay whole. Both make the printed program a little larger than the slice, never
// smaller.
#include "frontend/proc/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "frontend/expression/expectation_clause.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/expression/lexer.h"
#include "frontend/proc/ast.h"
#include "frontend/proc/parser.h"

namespace whittle::proc {

namespace {

class Printer {
 public:
  Printer(const Network& network, const Sources& sources, FileId id)
      : network_(network),
        text_(sources.file(id).text()),
        tree_(text_, id, frontend::tokenize(sources, id, diagnostics_)),
        file_(parse_file(tree_, diagnostics_)) {}

  std::string run() {
    for (const Property& property : network_.properties())
      if (property.kind == PropertyKind::Assert)
        asserted_.insert({property.origin.begin, property.origin.end});
    for (const ProcessDeclaration& declaration : file_.processes) process(declaration);
    properties();
    if (network_.universes().empty() || network_.universes().front().init.empty())
      for (const InitDeclaration& init : file_.inits) replace(init.span, "");
    variables();
    return edited() + trivial_questions();
  }

 private:
  struct Edit {
    std::uint32_t begin, end;
    std::string text;
  };

  // ----- processes

  void process(const ProcessDeclaration& declaration) {
    events_.clear();
    passed_.clear();
    std::vector<std::string> present;
    for (const Machine& machine : network_.machines()) {
      if (machine.origin != declaration.name.span) continue;
      present.push_back(machine.name);
      for (EventId id : machine.events) {
        const Event& event = network_.event(id);
        if (event.origin.valid()) {
          events_[{event.origin.begin, event.origin.end}].push_back(&event);
          continue;
        }
        for (const Arc& arc : event.arcs)  // of a shortcut
          if (arc.origin.valid()) passed_.insert({arc.origin.begin, arc.origin.end});
      }
    }
    if (present.empty() && !asked_in(declaration.body)) {
      replace(declaration.span, "");
      return;
    }
    if (declaration.identity && !present.empty()) range(declaration, present);
    block(declaration.body);
  }

  // The members that are left, from the first to the last.
  void range(const ProcessDeclaration& declaration, const std::vector<std::string>& present) {
    std::vector<Integer> members;
    for (const std::string& name : present) {
      const std::size_t open = name.find('[');
      if (open == std::string::npos) continue;
      if (auto number = Integer::parse(name.substr(open + 1, name.size() - open - 2)))
        members.push_back(*number);
    }
    if (members.empty()) return;
    const auto [low, high] = std::minmax_element(members.begin(), members.end());
    // As it is written where nobody is missing; an upper end that is an expression is believed.
    const std::string_view first = text_of(tree_.span(declaration.low));
    const auto last = Integer::parse(std::string(text_of(tree_.span(declaration.high))));
    const Integer count = *high - *low + Integer(1);
    const bool gaps = count != Integer(static_cast<unsigned long>(members.size()));
    if (!gaps && first == low->to_string() && (!last || *last == *high)) return;
    replace(join(tree_.span(declaration.low), tree_.span(declaration.high)),
            fmt::format("{}..{}", low->to_string(), high->to_string()));
  }

  // Behind a statement that cannot be executed nothing is; only an assertion that is asked about
  // has to be there.
  void block(const std::vector<StatementId>& list) {
    bool stopped = false;
    for (StatementId id : list) {
      const Statement& s = file_.statements[id];
      const bool asked = asked_in({id});
      if (!stopped && statement(s)) continue;
      const std::string label = s.label ? std::string(text_of(s.label->span)) + ": " : "";
      if (asked && !stopped)
        insert(s.whole.begin, "assume false; ");
      else if (!asked)
        replace(s.whole, stopped ? "" : label + "assume false;");
      stopped = true;
    }
  }

  // Is an assertion that is asked about among these statements, or inside one?
  [[nodiscard]] bool asked_in(const std::vector<StatementId>& list) const {
    std::vector<StatementId> open = list;
    while (!open.empty()) {
      const Statement& s = file_.statements[open.back()];
      open.pop_back();
      if (asserted_.contains({s.span.begin, s.span.end})) return true;
      open.insert(open.end(), s.body.begin(), s.body.end());
      open.insert(open.end(), s.otherwise.begin(), s.otherwise.end());
    }
    return false;
  }

  // A step of a shortcut: of the statement only the step is left.
  bool passed(const Statement& s) {
    if (!passed_.contains({s.span.begin, s.span.end})) return false;
    const bool branches = s.kind == StatementKind::If || s.kind == StatementKind::While;
    if (branches) {
      block(s.body);
      block(s.otherwise);
    } else if (s.kind != StatementKind::Return) {
      replace(s.span, "skip;");
    }
    return true;
  }

  // False: it cannot be executed.
  bool statement(const Statement& s) {
    const auto found = events_.find({s.span.begin, s.span.end});
    if (found == events_.end()) return passed(s);
    bool changes = false;
    bool waits = false;
    bool fails = false;
    bool no = passed_.contains({s.span.begin, s.span.end});
    for (const Event* event : found->second) {
      changes |= !event->effects.empty();
      waits |= !event->guards.empty();
      fails |= std::any_of(event->arcs.begin(), event->arcs.end(),
                           [&](const Arc& arc) { return network_.location(arc.to).error; });
      no |= event->name.ends_with(" else");
    }
    switch (s.kind) {
      case StatementKind::If:
        block(s.body);
        block(s.otherwise);
        if (!no && s.otherwise.empty()) insert(s.whole.end, " else { assume false; }");
        break;
      case StatementKind::While:
        block(s.body);
        break;
      case StatementKind::Skip:
      case StatementKind::Return:
        break;
      case StatementKind::Assert:
        if (!fails && waits)
          replace(s.span,
                  "assume" +
                      frontend::without_expectation(text_of(s.span), s.span, s.expected).substr(6));
        else if (!fails)
          replace(s.span, "skip;");
        break;
      default:
        if (!changes && !waits && !fails) replace(s.span, "skip;");
        break;
    }
    return true;
  }

  // ----- declarations

  // Questions that a program has by itself have the depth of the properties: one must stay.
  void properties() {
    const auto& all = network_.properties();
    std::string depth;
    for (const Property& property : all)
      if (property.bound.max)
        depth = fmt::format("property steps @depth {}: true", *property.bound.max);
    for (const PropertyDeclaration& declaration : file_.properties) {
      const bool asked = std::any_of(all.begin(), all.end(), [&](const Property& property) {
        return property.origin == declaration.span;
      });
      if (asked) depth.clear();
    }
    for (const PropertyDeclaration& declaration : file_.properties) {
      const bool asked = std::any_of(all.begin(), all.end(), [&](const Property& property) {
        return property.origin == declaration.span;
      });
      if (asked) continue;
      replace(declaration.span, depth);
      depth.clear();
    }
  }

  // A program asks about indices and divisors only where it has some. Where none is left the
  // answer is plain, and the question is asked by its name.
  [[nodiscard]] std::string trivial_questions() const {
    std::string result;
    for (const Property& property : network_.properties()) {
      const bool bounds = property.kind == PropertyKind::Bounds;
      if ((!bounds && property.kind != PropertyKind::Division) || asks_about(edited(), bounds))
        continue;
      WHITTLE_REQUIRE(network_.pool().is_true(property.condition()),
                      "what can fail is a part of the slice");
      result += fmt::format("property {}", property.name);
      if (property.bound.max) result += fmt::format(" @depth {}", *property.bound.max);
      result += ": true\n";
    }
    return result;
  }

  // Does the program have indices, or else divisors?
  static bool asks_about(const std::string& text, bool bounds) {
    Sources sources;
    Diagnostics ignored;
    const FileId id = sources.add("printed", text);
    frontend::SyntaxTree tree(text, id, frontend::tokenize(sources, id, ignored));
    const File file = parse_file(tree, ignored);
    std::unordered_set<std::string> families;
    for (const ProcessDeclaration& process : file.processes)
      if (process.identity) families.insert(process.name.text);
    for (frontend::SyntaxId node = 0; node < tree.size(); ++node) {
      const frontend::SyntaxKind kind = tree.node(node).kind;
      const bool index = kind == frontend::SyntaxKind::Index &&
                         !families.contains(frontend::name_of(tree, tree.left(node)));
      const bool divides =
          kind == frontend::SyntaxKind::Divide || kind == frontend::SyntaxKind::Remainder;
      if (bounds ? index : divides) return true;
    }
    return false;
  }

  // Those that the network has, and those that the text still speaks of.
  void variables() {
    std::unordered_set<std::string> needed;
    for (const Variable& variable : network_.variables()) needed.insert(variable.name);
    const std::unordered_map<std::string, unsigned> counts = words(edited());
    auto check = [&](const VariableDeclaration& declaration, unsigned declarations) {
      const auto found = counts.find(declaration.name.text);
      const bool spoken_of = found != counts.end() && found->second > declarations;
      if (!needed.contains(declaration.name.text) && !spoken_of) replace(declaration.span, "");
    };
    std::unordered_map<std::string, unsigned> locals;
    for (const ProcessDeclaration& process : file_.processes)
      for (const VariableDeclaration& local : process.locals)
        if (!inside_edit(local.span)) ++locals[local.name.text];
    for (const VariableDeclaration& shared : file_.shared) check(shared, 1);
    for (const ProcessDeclaration& process : file_.processes)
      for (const VariableDeclaration& local : process.locals)
        if (!inside_edit(local.span)) check(local, locals[local.name.text]);
  }

  static std::unordered_map<std::string, unsigned> words(const std::string& text) {
    Sources sources;
    Diagnostics ignored;
    const FileId id = sources.add("printed", text);
    std::unordered_map<std::string, unsigned> result;
    for (const frontend::Token& token : frontend::tokenize(sources, id, ignored)) {
      if (token.kind != frontend::TokenKind::Word) continue;
      ++result[text.substr(token.begin, token.end - token.begin)];
    }
    return result;
  }

  // ----- text

  [[nodiscard]] std::string_view text_of(Span span) const {
    return text_.substr(span.begin, span.end - span.begin);
  }
  [[nodiscard]] bool inside_edit(Span span) const {
    return std::any_of(edits_.begin(), edits_.end(), [&](const Edit& edit) {
      return edit.begin <= span.begin && span.end <= edit.end;
    });
  }
  void insert(std::uint32_t at, std::string text) { edits_.push_back({at, at, std::move(text)}); }
  // Line breaks stay.
  void replace(Span span, std::string text) {
    for (const char c : text_of(span))
      if (c == '\n') text += '\n';
    edits_.push_back({span.begin, span.end, std::move(text)});
  }

  // Edits do not overlap, except that one may contain others; then it alone counts.
  [[nodiscard]] std::string edited() const {
    std::vector<const Edit*> order;
    for (const Edit& edit : edits_) order.push_back(&edit);
    std::stable_sort(order.begin(), order.end(), [](const Edit* a, const Edit* b) {
      return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
    });
    std::string result;
    std::uint32_t at = 0;
    for (const Edit* edit : order) {
      if (edit->begin < at) continue;
      result += text_.substr(at, edit->begin - at);
      result += edit->text;
      at = edit->end;
    }
    result += text_.substr(at);
    return result;
  }

  const Network& network_;
  std::string_view text_;
  Diagnostics diagnostics_;
  frontend::SyntaxTree tree_;
  File file_;
  // Of the process at hand, by the span of their statement.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const Event*>> events_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> passed_;    // by steps of shortcuts
  std::set<std::pair<std::uint32_t, std::uint32_t>> asserted_;  // asked about
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<PrintedFile> print(const Network& network, const Sources& sources) {
  const std::string path = network.name + ".proc";
  Span somewhere;
  for (const Machine& machine : network.machines())
    if (machine.origin.valid()) somewhere = machine.origin;
  for (const Property& property : network.properties())
    if (property.origin.valid()) somewhere = property.origin;
  if (!somewhere.valid()) return {{path, "program " + network.name + "\n"}};
  return {{path, Printer(network, sources, somewhere.file).run()}};
}

}  // namespace whittle::proc
