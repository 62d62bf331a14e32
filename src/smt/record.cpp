// SPDX-License-Identifier: Apache-2.0
#include "smt/record.h"

#include <fmt/format.h>

#include <fstream>

#include "base/error.h"
#include "smt/decorator.h"
#include "smt/elimination/expand.h"
#include "smt/smtlib.h"
#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

class RecordingSolver final : public SolverDecorator {
 public:
  RecordingSolver(std::unique_ptr<Solver> solver, ExprPool& pool, const std::string& path)
      : SolverDecorator(std::move(solver)),
        path_(path),
        file_(path),
        expander_(pool),
        writer_(pool, text_, [this](const std::string& fact) { assert_fact(fact); }) {
    text_ = fmt::format(
        "; asked of {}; read by `z3` and `cvc5 --incremental`\n"
        "(set-option :global-declarations true)\n(set-logic ALL)\n",
        name());
    write();
  }

  ~RecordingSolver() override {
    file_ << text_ << "(exit)\n";  // a full disk is no reason to fail now
  }

  void require(Expr condition) override {
    SolverDecorator::require(condition);
    say(condition);
  }

  void push() override {
    SolverDecorator::push();
    text_ += "(push 1)\n";
  }

  void pop(unsigned levels) override {
    SolverDecorator::pop(levels);
    text_ += fmt::format("(pop {})\n", levels);
    standing_.popped_to(scopes(),
                        [this](const std::string& fact) { text_ += "(assert " + fact + ")\n"; });
  }

  CheckResult check_assuming(std::span<const Expr> assumptions) override {
    std::string assumed;
    for (Expr assumption : assumptions) {
      if (auto term = plain(assumption)) assumed += "(assert " + *term + ")\n";
    }
    if (assumptions.empty())
      text_ += "(check-sat)\n";
    else
      text_ += "(push 1)\n" + assumed + "(check-sat)\n";
    write();
    auto begin = Clock::now();
    CheckResult result = SolverDecorator::check_assuming(assumptions);
    std::chrono::duration<double> time = Clock::now() - begin;
    text_ += fmt::format("; {}{}{}, {:.3f} s\n", to_string(result.answer),
                         result.answer == Answer::Unknown ? ": " : "",
                         result.answer == Answer::Unknown ? one_line(result.reason.text()) : "",
                         time.count());
    if (!assumptions.empty()) text_ += "(pop 1)\n";
    return result;
  }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r') c = ' ';
    return text;
  }

  std::optional<std::string> plain(Expr term) {
    try {
      return writer_.term(expander_(term));
    } catch (const Unsupported& problem) {
      text_ += fmt::format("; a condition that SMT-LIB cannot say: {}\n", one_line(problem.what()));
      return std::nullopt;
    }
  }

  void say(Expr condition) {
    if (auto term = plain(condition)) text_ += "(assert " + *term + ")\n";
  }

  void assert_fact(const std::string& fact) {
    standing_.add(fact, scopes());
    text_ += "(assert " + fact + ")\n";
  }

  void write() {
    file_ << text_ << std::flush;
    text_.clear();
    if (!file_) throw ResourceError("cannot write " + path_);
  }

  std::string path_;
  std::ofstream file_;
  std::string text_;  // not yet written
  Expander expander_;
  StandingAssertions<std::string> standing_;
  SmtLibWriter writer_;
};

}  // namespace

std::unique_ptr<Solver> recorded(std::unique_ptr<Solver> solver, ExprPool& pool,
                                 const std::string& path) {
  return std::make_unique<RecordingSolver>(std::move(solver), pool, path);
}

}  // namespace whittle::smt
