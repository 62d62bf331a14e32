// SPDX-License-Identifier: Apache-2.0
// Sorts and terms of SMT-LIB 2 as our types and terms, with the names that are in scope. Works with
// a stack of its own: terms may be nested as deeply as memory allows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "expr/expr.h"
#include "expr/expr_map.h"
#include "frontend/symbol_index.h"
#include "frontend/vmt/sexpr.h"
#include "frontend/vmt/temporal.h"

namespace whittle::vmt {

// What a name at the top of the file stands for.
struct Global {
  enum class Kind : std::uint8_t {
    Constant,       // declared: a symbol
    Defined,        // a term over `parameters`
    Uninterpreted,  // a function that is only declared
    Broken,         // its declaration is wrong, which was reported
  };
  Kind kind = Kind::Broken;
  Expr term;                         // Constant, Defined
  std::vector<SymbolId> parameters;  // Defined
  Span span;
};

struct SortMacro {
  std::vector<std::string_view> parameters;
  NodeId body = kNoNode;
  Span span;
};

class TermReader {
 public:
  // Called for every attribute of `(! term :key value ...)`; `value` may be kNoNode.
  using OnAttribute = std::function<void(Expr term, NodeId annotated, NodeId key, NodeId value)>;

  TermReader(ExprPool& pool, const SexprTree& tree, Diagnostics& diagnostics, SymbolIndex& symbols,
             OnAttribute on_attribute)
      : pool_(pool),
        tree_(tree),
        diagnostics_(diagnostics),
        symbols_(symbols),
        on_attribute_(std::move(on_attribute)),
        temporal_(pool) {}

  // Invalid (none): something is wrong and was reported.
  [[nodiscard]] std::optional<Type> sort(NodeId id);
  [[nodiscard]] Expr term(NodeId id);
  // The term as one of this type (an integer becomes a real); otherwise reported.
  [[nodiscard]] Expr of_type(Expr e, Type type, NodeId id, std::string_view what);

  // A name for the term at hand; `unbind_all` forgets all of them.
  void bind(NodeId name, SymbolKind kind, Expr e);
  void unbind_all();
  [[nodiscard]] bool has_parameters() const { return parameters_; }
  void set_parameters(bool present) { parameters_ = present; }
  void set_real_numerals(bool real) { real_numerals_ = real; }

  // False: the name is taken, which is reported.
  bool declare(NodeId name, Global global);
  bool define_sort(NodeId name, SortMacro macro);
  [[nodiscard]] const Global* global(std::string_view name) const;
  [[nodiscard]] const TemporalOperators& temporal() const { return temporal_; }
  // Where a Boolean term stands in the text; invalid if it does not.
  [[nodiscard]] Span place(Expr e) const;

 private:
  enum class FrameKind : std::uint8_t { Apply, Let, LetBody, Annotated };
  struct Frame {
    FrameKind kind;
    NodeId node;
    NodeId next;         // what to read next: an argument, a binding
    std::size_t values;  // how many there were before
    std::size_t undo;    // LetBody
  };
  using Sorts = std::unordered_map<std::string_view, Type>;
  struct Local {
    Expr term;  // invalid: reported
    NodeId name = kNoNode;
  };

  void push(NodeId id);
  void push_list(NodeId id);
  void step();
  void finish(Expr e);
  void begin_let(NodeId id);
  void bind_let(const Frame& frame);
  void attributes(NodeId id, Expr e);
  [[nodiscard]] Expr atom(NodeId id);
  [[nodiscard]] Expr named(NodeId id);
  [[nodiscard]] Expr bits(NodeId id);
  [[nodiscard]] Expr indexed_constant(NodeId id);
  [[nodiscard]] Expr apply(NodeId id, std::vector<Expr> arguments);
  [[nodiscard]] Expr apply_named(NodeId id, NodeId head, std::vector<Expr> arguments);
  [[nodiscard]] Expr apply_defined(NodeId id, NodeId head, const Global& function,
                                   std::vector<Expr> arguments);
  [[nodiscard]] Expr apply_temporal(NodeId id, NodeId head, std::vector<Expr> arguments);
  [[nodiscard]] Expr apply_function(NodeId id, std::string_view name,
                                    std::span<const Integer> indices, std::vector<Expr> arguments);
  [[nodiscard]] Expr const_array(NodeId head, const std::vector<Expr>& arguments);
  [[nodiscard]] std::optional<std::vector<Integer>> indices(NodeId first);
  [[nodiscard]] std::optional<Type> sort(NodeId id, const Sorts& names, int depth);
  [[nodiscard]] std::optional<Type> sort_list(NodeId id, const Sorts& names, int depth);
  void unknown(NodeId id, std::string_view what, bool functions);
  void unsupported(NodeId id, std::string_view what, std::string hint = "");
  void malformed(NodeId id, std::string message, std::string hint = "");

  ExprPool& pool_;
  const SexprTree& tree_;
  Diagnostics& diagnostics_;
  SymbolIndex& symbols_;
  OnAttribute on_attribute_;
  TemporalOperators temporal_;
  std::unordered_map<std::string_view, Global> globals_;
  std::unordered_map<std::string_view, SortMacro> sorts_;
  std::unordered_map<std::string_view, Local> locals_;
  std::vector<std::pair<std::string_view, std::optional<Local>>> undo_;
  ExprMap<Span> places_;
  bool parameters_ = false;  // of a function are among the locals
  bool real_numerals_ = false;

  std::vector<Frame> stack_;
  std::vector<Expr> values_;
};

}  // namespace whittle::vmt
