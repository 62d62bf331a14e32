// SPDX-License-Identifier: Apache-2.0
// Prints by taking away: the text of the file with what the network no longer has replaced. Lines
// keep their numbers, so that errors keep their names, and comments stay.
//
//   a statement                        is printed as
//   that still does something          itself
//   that runs pass without effect      `;`
//   that no run gets to any more       `assume(false);`
//   an error that is not asked about   `assume(false);`
//   an `assert` that is not            `assume`
//   a condition that decides nothing   `*`
#include "frontend/cfa/printer.h"

#include <optional>

#include "frontend/cfa/network_builder.h"
#include "frontend/cfa/parser.h"
#include "frontend/expression/lexer.h"
#include "frontend/load_text.h"
#include "frontend/program/remains.h"
#include "frontend/program/text_edits.h"

namespace whittle::cfa {

namespace {

using program::Remains;

class Printer {
 public:
  Printer(const Network& network, const Sources& sources, FileId id)
      : tree_(sources.file(id).text(), id, frontend::tokenize(sources, id, diagnostics_)),
        file_(parse_file(tree_, diagnostics_)),
        whole_(build_network(file_, tree_, sources, diagnostics_, symbols_)),
        remains_(*whole_, network),
        edits_(sources.file(id).text()) {}

  std::string run() {
    for (const Procedure& procedure : file_.procedures) block(procedure.body);
    block(file_.body);
    return edits_.result();
  }

 private:
  // Behind a statement that no run gets to there is nothing, up to a label.
  void block(const std::vector<StatementId>& list) {
    bool stopped = false;
    for (const StatementId id : list) {
      const Statement& s = file_.statements[id];
      if (needed(s)) stopped = false;
      if (stopped)
        edits_.replace(s.whole, "");
      else
        statement(s);
      stopped = stopped || (remains_.of(s.span) == Remains::Gone && s.blocks.empty()) ||
                (s.kind == StatementKind::If && unreachable(s));
    }
  }

  // A label may be jumped to, and an error that is asked about must be there.
  [[nodiscard]] bool needed(const Statement& statement) const {
    std::vector<const Statement*> open{&statement};
    while (!open.empty()) {
      const Statement& s = *open.back();
      open.pop_back();
      const bool can_fail = s.kind == StatementKind::Error || s.kind == StatementKind::Assert;
      if (!s.labels.empty() || (can_fail && remains_.asked(s.span))) return true;
      for (const auto& inner : s.blocks)
        for (const StatementId id : inner) open.push_back(&file_.statements[id]);
    }
    return false;
  }
  [[nodiscard]] bool unreachable(const Statement& s) const {
    return remains_.of(s.span) == Remains::Gone && !needed(s);
  }

  void statement(const Statement& s) {
    if (s.kind == StatementKind::If && unreachable(s))
      return edits_.replace(s.whole, "assume(false);");
    for (const auto& inner : s.blocks) block(inner);
    switch (s.kind) {
      case StatementKind::Block:
        return;
      case StatementKind::If:
      case StatementKind::While:
      case StatementKind::DoWhile:
        return test(s);
      case StatementKind::Error:
        if (remains_.of(s.span) != Remains::Unreached && !remains_.asked(s.span)) stop(s);
        return;
      case StatementKind::Assert:
        return assertion(s);
      default:
        return simple(s);
    }
  }

  void stop(const Statement& s) { edits_.replace(s.span, "assume(false);"); }

  void simple(const Statement& s) {
    const bool jumps = s.kind == StatementKind::Goto || s.kind == StatementKind::Return;
    switch (remains_.of(s.span)) {
      case Remains::Gone:
        // Of a block statement the blocks are gone, too.
        if (s.blocks.empty()) stop(s);
        return;
      case Remains::Idle:
        if (!jumps && s.blocks.empty() && s.kind != StatementKind::Call)
          edits_.replace(s.span, ";");
        return;
      case Remains::Unreached:
      case Remains::Stays:
        return;
    }
  }

  void assertion(const Statement& s) {
    if (remains_.asked(s.span)) return;
    switch (remains_.of(s.span)) {
      case Remains::Gone:
        return stop(s);
      case Remains::Idle:
        return edits_.replace(s.span, ";");
      case Remains::Stays:
        if (s.expected) edits_.replace(s.expected->origin, "");
        return edits_.replace(
            {s.span.file, s.span.begin, static_cast<std::uint32_t>(s.span.begin + 6)}, "assume");
      case Remains::Unreached:
        return;
    }
  }

  void test(const Statement& s) {
    if (s.value && remains_.undecided(s.span)) edits_.replace(tree_.span(*s.value), "*");
    // Somebody may jump to the labels inside, so the blocks stay.
    if (remains_.of(s.span) == Remains::Gone && s.kind != StatementKind::DoWhile)
      edits_.insert(s.span.begin, "assume(false); ");
  }

  Diagnostics diagnostics_;
  SymbolIndex symbols_{false};
  frontend::SyntaxTree tree_;
  File file_;
  std::shared_ptr<Network> whole_;
  program::RemainsOfText remains_;
  program::TextEdits edits_;
};

}  // namespace

std::vector<PrintedFile> print(const Network& network, const Sources& sources) {
  const std::string path = frontend::file_name(network, ".cfa");
  for (const Machine& machine : network.machines())
    if (machine.origin.valid())
      return {{path, Printer(network, sources, machine.origin.file).run()}};
  for (const Property& property : network.properties())
    if (property.origin.valid())
      return {{path, Printer(network, sources, property.origin.file).run()}};
  return {{path, "skip;\n"}};
}

}  // namespace whittle::cfa
