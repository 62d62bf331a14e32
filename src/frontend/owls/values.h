// SPDX-License-Identifier: Apache-2.0
// Conditions, effects and values of a document as terms: SWRL atoms, constants, and expressions in
// our own language (urn:whittle). What is not read is left open.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "frontend/expression/expression_typer.h"
#include "frontend/expression/token_reader.h"
#include "frontend/owls/facts.h"
#include "frontend/owls/instance.h"

namespace whittle::owls {

// A condition: what is read of it, and whether there is more.
struct Reading {
  Expr known;
  bool partial = false;
};

// A variable gets a value.
struct Given {
  VariableId to;
  Expr value;          // invalid: any
  std::string source;  // of its facts, as in Facts::Copy
};

// Names in our own expressions: parameters of the process and of those around it; performs of the
// process (`Pay.receipt`, `Pay@done`).
class TextScope final : public frontend::Scope {
 public:
  // `main`: whose variables a property means; invalid: the expression is part of an event.
  TextScope(Network& network, const Document& document, const Instance& at, InstanceId main,
            Diagnostics& diagnostics)
      : frontend::Scope(diagnostics),
        network_(network),
        document_(document),
        at_(at),
        main_(main) {}

  std::optional<frontend::Operand> name(std::string_view name, Span span) override;
  std::optional<Type> enum_type(std::string_view name, Span span) override;
  bool declares(std::string_view) override { return false; }
  std::optional<frontend::Operand> member(const frontend::Operand& base, std::string_view name,
                                          Span span) override;
  std::optional<frontend::Operand> label(const frontend::Operand& base, std::string_view name,
                                         Span span) override;
  // The variable that an effect changes.
  [[nodiscard]] std::optional<VariableId> target(std::string_view name, Span span);
  // Performs whose values were named.
  [[nodiscard]] const std::vector<VariableId>& needs() const { return needs_; }

 private:
  [[nodiscard]] std::optional<VariableId> variable(std::string_view name) const;
  [[nodiscard]] frontend::Operand operand(VariableId variable) const;

  Network& network_;
  const Document& document_;
  const Instance& at_;
  InstanceId main_;
  std::vector<const Instance*> performs_;  // by entity
  std::vector<VariableId> needs_;
};

class Values {
 public:
  Values(Network& network, const Document& document, Facts& facts, Sources& sources,
         Diagnostics& diagnostics, SymbolIndex& symbols)
      : network_(network),
        pool_(network.pool()),
        document_(document),
        facts_(facts),
        sources_(sources),
        diagnostics_(diagnostics),
        symbols_(symbols) {}

  [[nodiscard]] Type type_of(Sort sort) const;
  // Of an expression that something refers to.
  [[nodiscard]] Reading condition(const Statement& statement, const Instance& at);
  // All conditions of that name.
  [[nodiscard]] Reading conditions(std::size_t resource, std::string_view name, const Instance& at);
  // What an effect gives; facts that become true are given, too.
  void effect(const Statement& statement, const Instance& at, std::vector<Given>& gives);
  // The constant, individual or expression of a binding; invalid: it is not read.
  [[nodiscard]] Expr value(const Binding& binding, Type type, const Instance& at);
  [[nodiscard]] Expr individual(const std::string& uri);
  [[nodiscard]] Expr now(VariableId variable) const {
    return pool_.symbol(network_.variable(variable).current);
  }
  // The value as one of the type; invalid: it is none.
  [[nodiscard]] Expr as(Expr value, Type type);
  void left_open(Span span, std::string_view what);
  // Performs (whether they are done) whose values were used since the last call.
  [[nodiscard]] std::vector<VariableId> take_needs() { return std::exchange(needs_, {}); }

 private:
  struct Term {
    Expr value;        // invalid: not read
    std::string fact;  // its name in facts; empty: it has none
    const Parameter* parameter = nullptr;
    VariableId variable;
  };

  [[nodiscard]] Term term(const Statement& statement, const Instance& at);
  [[nodiscard]] Term variable_term(const std::string& uri, const Instance& at);
  [[nodiscard]] Reading atom(std::size_t resource, const Instance& at);
  [[nodiscard]] Reading builtin(std::size_t resource, const Instance& at);
  [[nodiscard]] std::vector<Term> arguments(std::size_t resource, const Instance& at);
  [[nodiscard]] Expr arithmetic(std::string_view name, std::span<const Term> arguments);
  [[nodiscard]] std::optional<Fact> fact(std::size_t resource, const Instance& at);
  [[nodiscard]] bool known_fact(std::size_t resource, const Instance& at);
  [[nodiscard]] Expr constant(const std::string& text, Type type);
  // The atoms of an expression; the text of one in our language.
  struct Body {
    std::vector<std::size_t> atoms;
    const Statement* text = nullptr;
    bool always = false;
  };
  [[nodiscard]] std::optional<Body> body(const Statement& statement);
  [[nodiscard]] FileId file_of(const Statement& text);
  [[nodiscard]] Expr typed(const Statement& text, Type type, const Instance& at);
  void assignments(const Statement& text, const Instance& at, std::vector<Given>& gives);

  Network& network_;
  ExprPool& pool_;
  const Document& document_;
  Facts& facts_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  std::map<std::string, std::string> individuals_;  // local names to URIs
  std::vector<VariableId> needs_;
};

// Expressions end with their text, `property` or `;`.
[[nodiscard]] bool ends_expression(const frontend::TokenReader& reader, std::size_t ahead);

}  // namespace whittle::owls
