// SPDX-License-Identifier: Apache-2.0
// Depth first over "uses", with a stack of its own: a chain of constants may be long.
#include "frontend/sts/constants.h"

#include <fmt/format.h>

#include "frontend/sts/scopes.h"

namespace whittle::sts {

namespace {

class Constants {
 public:
  Constants(const File& file, const frontend::SyntaxTree& tree, ExprPool& pool, Symbols& symbols,
            Diagnostics& diagnostics)
      : file_(file),
        tree_(tree),
        pool_(pool),
        symbols_(symbols),
        diagnostics_(diagnostics),
        scope_(symbols, diagnostics),
        typer_(pool, tree, diagnostics, *symbols.index),
        states_(file.constants.size(), State::Untouched) {}

  void run() {
    for (std::uint32_t i = 0; i < file_.constants.size() && !diagnostics_.saturated(); ++i) {
      // A second declaration of one name was reported and is not evaluated.
      if (symbol(i) != nullptr) visit(i);
    }
  }

 private:
  enum class State : std::uint8_t { Untouched, Open, Done };
  struct Frame {
    std::uint32_t constant;
    SyntaxId next;  // the next node of its expression to look at
  };

  [[nodiscard]] Symbol* symbol(std::uint32_t constant) {
    const auto it = symbols_.values.find(file_.constants[constant].name.text);
    if (it == symbols_.values.end()) return nullptr;
    Symbol& found = it->second;
    const bool this_one = found.kind == Symbol::Kind::Constant && found.index == constant;
    return this_one ? &found : nullptr;
  }

  void visit(std::uint32_t root) {
    if (states_[root] != State::Untouched) return;
    open(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const SyntaxId last = file_.constants[frame.constant].value;
      if (frame.next > last) {
        close(frame.constant);
        frames_.pop_back();
        continue;
      }
      const SyntaxId node = frame.next++;
      if (tree_.node(node).kind != frontend::SyntaxKind::Name) continue;
      const auto it = symbols_.values.find(tree_.text(tree_.token_of(node)));
      if (it == symbols_.values.end() || it->second.kind != Symbol::Kind::Constant) continue;
      const std::uint32_t used = it->second.index;
      if (states_[used] == State::Untouched) {
        open(used);
      } else if (states_[used] == State::Open) {
        diagnostics_
            .report(
                "sts-006", tree_.span(node),
                fmt::format("the value of `{}` depends on itself", file_.constants[used].name.text),
                "define one of the constants of the circle by numbers only")
            .related.push_back({file_.constants[used].name.span, "declared here"});
        states_[used] = State::Done;  // once is enough
      }
    }
  }

  void open(std::uint32_t constant) {
    states_[constant] = State::Open;
    frames_.push_back({constant, tree_.node(file_.constants[constant].value).first});
  }

  void close(std::uint32_t constant) {
    if (states_[constant] == State::Done) return;  // part of a circle
    states_[constant] = State::Done;
    const SyntaxId value = file_.constants[constant].value;
    const Expr e = typer_(value, scope_);
    if (!e.valid()) return;
    if (!pool_.is_const(e)) {
      const Span span = tree_.span(value);
      if (pool_.total(e)) {
        diagnostics_.report("type-004", span, "this constant is too large",
                            "use smaller numbers or shorter texts");
      } else {
        diagnostics_.report("type-014", span, "this constant divides by zero", "it has no value");
      }
      return;
    }
    if (Symbol* found = symbol(constant)) found->expr = e;
  }

  const File& file_;
  const frontend::SyntaxTree& tree_;
  ExprPool& pool_;
  Symbols& symbols_;
  Diagnostics& diagnostics_;
  ConstantScope scope_;
  frontend::ExpressionTyper typer_;
  std::vector<State> states_;
  std::vector<Frame> frames_;
};

}  // namespace

void evaluate_constants(const File& file, const frontend::SyntaxTree& tree, ExprPool& pool,
                        Symbols& symbols, Diagnostics& diagnostics) {
  Constants(file, tree, pool, symbols, diagnostics).run();
}

}  // namespace whittle::sts
