// SPDX-License-Identifier: Apache-2.0
// Prints by taking away: which statements are left, and what they still do, is read off the
// locations and events of the network; expressions are those of the text.
#include "frontend/fcl/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "expr/traverse.h"
#include "frontend/fcl/lexer.h"
#include "frontend/fcl/network_builder.h"
#include "frontend/fcl/parser.h"
#include "frontend/fcl/residual.h"
#include "frontend/load_text.h"
#include "ir/ltl.h"

namespace whittle::fcl {

namespace {

constexpr std::size_t kNumberColumn = 40;

using Key = std::pair<std::uint32_t, std::uint32_t>;
Key key(Span span) { return {span.begin, span.end}; }

class Printer {
 public:
  Printer(const Network& network, const Sources& sources, FileId id)
      : network_(network),
        source_(sources.file(id)),
        tokens_(tokenize(sources, id, diagnostics_)),
        tree_(source_.text(), id, tokens_.tokens),
        file_(parse_file(tree_, tokens_.numbers, diagnostics_)) {}

  std::string run() {
    asked();
    remaining();
    const std::vector<ResidualBlock> blocks = residual(file_, remaining_);
    mentioned(blocks);
    std::string text = "(";
    for (const Name& parameter : file_.parameters)
      if (kept(parameter.text)) text += (text.size() > 1 ? " " : "") + parameter.text;
    text += fmt::format(") ({})\n", file_.start.text);
    lines_of(blocks);
    text += laid_out();
    text += declarations();
    return text;
  }

 private:
  // ----- what is left

  void asked() {
    for (const Property& property : network_.properties()) {
      std::vector<Expr> conditions;
      if (property.condition().valid()) conditions.push_back(property.condition());
      if (const auto* run = std::get_if<RunGoal>(&property.goal))
        for (const LtlFormula f : {run->formula, run->assumption})
          if (f.valid())
            for (const Expr atom : network_.ltl().atoms(f)) conditions.push_back(atom);
      for (const Expr condition : conditions)
        for (const SymbolId symbol : symbols(network_.pool(), condition)) asked(symbol);
      asked_.insert(key(property.origin));
    }
  }

  void asked(SymbolId symbol) {
    const Role role = network_.role(symbol);
    if (role.kind == RoleKind::Halt) remaining_.halt = true;
    if (role.kind == RoleKind::InstanceCurrent)
      read_.insert(program_name(network_.variable(VariableId(role.id)).name));
    if (role.kind != RoleKind::InstanceAt) return;
    const Location& location = network_.location(LocationId(role.id));
    if (location.final) remaining_.halt = true;
    asked_places_.insert(key(location.origin));
  }

  // A statement acts if its events have effects or conditions, or if it has several.
  void remaining() {
    std::map<LocationId, std::pair<unsigned, bool>> leaving;  // how many events, and do they act
    for (const Event& event : network_.events())
      for (const Arc& arc : event.arcs) {
        auto& [count, acts] = leaving[arc.from];
        ++count;
        acts = acts || !event.effects.empty() || !event.guards.empty();
      }
    std::map<Key, Stays> by_place;
    for (std::uint32_t l = 0; l < network_.locations().size(); ++l) {
      const auto found = leaving.find(LocationId(l));
      const bool acts = found != leaving.end() && (found->second.second || found->second.first > 1);
      by_place[key(network_.locations()[l].origin)] = acts ? Stays::Acts : Stays::Idle;
    }
    for (std::size_t b = 0; b < file_.blocks.size(); ++b)
      for (std::size_t i = 0; i < file_.blocks[b].statements.size(); ++i) {
        const Key at = key(file_.blocks[b].statements[i].span);
        if (const auto found = by_place.find(at); found != by_place.end())
          remaining_.statements[{b, i}] = found->second;
        if (asked_places_.contains(at)) remaining_.asked.insert(file_.blocks[b].label.text);
      }
    for (const Variable& variable : network_.variables()) kept_.insert(program_name(variable.name));
  }

  // Lists have several variables in the network, `reqs.length`.
  static std::string program_name(const std::string& name) {
    return name.substr(0, name.find('.'));
  }
  [[nodiscard]] bool kept(const std::string& name) const { return kept_.contains(name); }

  // What the printed program mentions.
  void mentioned(const std::vector<ResidualBlock>& blocks) {
    for (const Name& parameter : file_.parameters)
      if (kept(parameter.text)) mentioned_.insert(parameter.text);
    for (const ResidualBlock& block : blocks)
      for (const ResidualStatement& s : block.statements) {
        if (s.of.first == SIZE_MAX) continue;
        const Statement& original = file_.blocks[s.of.first].statements[s.of.second];
        if (s.kind != StatementKind::Assign && s.kind != StatementKind::If) continue;
        if (s.kind == StatementKind::Assign) mentioned_.insert(original.target.text);
        names(*original.value, mentioned_);
      }
  }

  void names(ExprId root, std::set<std::string>& into) const {
    for (ExprId e = file_.expressions[root].first; e <= root; ++e)
      if (file_.expressions[e].op == Operator::Name) into.insert(file_.expressions[e].name);
  }

  // ----- text

  // What stands there, without comments and numbers, on one line.
  [[nodiscard]] std::string text_of(Span span) const {
    std::string text;
    std::uint32_t end = 0;
    for (const frontend::Token& token : tree_.tokens()) {
      if (token.begin < span.begin || token.end > span.end || token.begin == token.end) continue;
      if (!text.empty() && token.begin > end) text += ' ';
      text += tree_.text(token);
      end = token.end;
    }
    return text;
  }
  // The value of an assignment or a test, with the parentheses around it.
  [[nodiscard]] std::string value_text(const Statement& s) const {
    const std::string whole = text_of(s.span);
    if (s.kind == StatementKind::Assign) {
      const std::size_t begin = whole.find(":=") + 2;
      return whole.substr(begin, whole.rfind(';') - begin);
    }
    const std::size_t then = whole.rfind(" then ");
    return whole.substr(2, then - 2);
  }

  struct Line {
    std::string text;
    std::optional<std::uint64_t> number;
  };

  void lines_of(const std::vector<ResidualBlock>& blocks) {
    for (const ResidualBlock& block : blocks) {
      lines_.push_back({"", {}});
      lines_.push_back({block.label + ":", {}});
      for (const ResidualStatement& s : block.statements) statement(s);
    }
  }

  void statement(const ResidualStatement& s) {
    const Statement* original =
        s.of.first == SIZE_MAX ? nullptr : &file_.blocks[s.of.first].statements[s.of.second];
    switch (s.kind) {
      case StatementKind::Skip:
        lines_.push_back({"  skip;", s.number});
        return;
      case StatementKind::Assign:
        lines_.push_back({"  " + text_of(original->span), s.number});
        return;
      case StatementKind::Goto:
        lines_.push_back({fmt::format("  goto {};", s.target), s.number});
        return;
      case StatementKind::Return:
        lines_.push_back({"  return;", s.number});
        return;
      case StatementKind::If: {
        const auto found = remaining_.statements.find(s.of);
        const bool decides = found != remaining_.statements.end() && found->second == Stays::Acts;
        lines_.push_back({"  if" + (decides ? value_text(*original) : " ?"), s.number});
        lines_.push_back({fmt::format("     then {}", s.target), {}});
        lines_.push_back({fmt::format("     else {};", s.otherwise), {}});
        return;
      }
    }
  }

  [[nodiscard]] std::string laid_out() const {
    std::size_t column = kNumberColumn;
    for (const Line& line : lines_)
      if (line.number) column = std::max(column, line.text.size() + 2);
    std::string text;
    for (const Line& line : lines_) {
      text += line.text;
      if (line.number)
        text += fmt::format("{}[{}]", std::string(column - line.text.size(), ' '), *line.number);
      text += '\n';
    }
    return text;
  }

  // ----- declarations

  [[nodiscard]] bool still_there(const std::set<std::string>& wanted) const {
    return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
      return kept(name) || std::none_of(file_.parameters.begin(), file_.parameters.end(),
                                        [&](const Name& p) { return p.text == name; });
    });
  }

  [[nodiscard]] std::string declarations() const {
    std::string text;
    std::set<std::string> declared;
    for (const EnumDeclaration& e : file_.enums) {
      text += fmt::format("enum {} {{", e.name.text);
      for (const Name& value : e.values) text += " " + value.text;
      text += " }\n";
    }
    for (const VariableDeclaration& v : file_.variables) {
      if (!kept(v.name.text)) continue;
      declared.insert(v.name.text);
      text += v.range ? fmt::format("var {}: {}..{}\n", v.name.text, v.range->low.to_string(),
                                    v.range->high.to_string())
                      : fmt::format("var {}: {}\n", v.name.text, v.type.text);
    }
    for (const std::string& name : read_)
      if (!mentioned_.contains(name) && !declared.contains(name))
        text += fmt::format("var {}: 0..0\n", name);
    for (const InputDeclaration& input : file_.inputs)
      if (kept(input.name.text)) text += text_of(input.span) + "\n";
    for (const ConditionDeclaration& c : file_.conditions) {
      const bool init = c.kind == ConditionDeclaration::Kind::Init;
      std::set<std::string> wanted;
      if (init) names(c.condition, wanted);
      if (init ? still_there(wanted) : asked_.contains(key(c.span))) text += text_of(c.span) + "\n";
    }
    return text.empty() ? text : "\n" + text;
  }

  const Network& network_;
  const SourceFile& source_;
  Diagnostics diagnostics_;
  Tokens tokens_;
  frontend::SyntaxTree tree_;
  File file_;
  Remaining remaining_;
  std::set<Key> asked_;         // declarations of properties
  std::set<Key> asked_places_;  // statements that conditions speak of
  std::set<std::string> kept_;  // variables of the program
  std::set<std::string> read_;  // those that conditions read
  std::set<std::string> mentioned_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<PrintedFile> print(const Network& network, const Sources& sources) {
  const std::string path = frontend::file_name(network, ".fcl");
  for (const Machine& machine : network.machines())
    if (machine.origin.valid())
      return {{path, Printer(network, sources, machine.origin.file).run()}};
  for (const Property& property : network.properties())
    if (property.origin.valid())
      return {{path, Printer(network, sources, property.origin.file).run()}};
  return {{path, "() (start)\n\nstart:\n  return;\n"}};
}

}  // namespace whittle::fcl
