// SPDX-License-Identifier: Apache-2.0
// S-expressions as SMT-LIB 2 writes them. The tree is an array of nodes in the order of the text;
// nothing recurses, so lists may be nested as deeply as memory allows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"

namespace whittle::vmt {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

enum class NodeKind : std::uint8_t {
  List,
  Symbol,   // plain or in bars
  Keyword,  // :next
  Numeral,  // 12
  Decimal,  // 1.5
  Hex,      // #x1f
  Binary,   // #b01
  String,   // "a ""quoted"" word"
};

struct Node {
  NodeKind kind = NodeKind::List;
  bool closed = true;  // List: its closing parenthesis was there
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  NodeId next = kNoNode;   // the sibling after it
  NodeId first = kNoNode;  // List: the first child
};

class SexprTree {
 public:
  // Reads the whole text and reports what is wrong with it. What cannot be read is left out.
  SexprTree(std::string_view text, FileId file, Diagnostics& diagnostics);

  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  // The first of the expressions that stand at the top; kNoNode: there are none.
  [[nodiscard]] NodeId top() const { return top_; }
  [[nodiscard]] Span span(NodeId id) const { return {file_, nodes_[id].begin, nodes_[id].end}; }
  // For messages about a list: its opening parenthesis and its head.
  [[nodiscard]] Span head_span(NodeId id) const;
  // As it stands in the text.
  [[nodiscard]] std::string_view text(NodeId id) const {
    return text_.substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
  }
  // The name of a symbol, without its bars.
  [[nodiscard]] std::string_view name(NodeId id) const;
  [[nodiscard]] bool is_symbol(NodeId id) const {
    return id != kNoNode && nodes_[id].kind == NodeKind::Symbol;
  }
  [[nodiscard]] bool is_symbol(NodeId id, std::string_view name) const {
    return is_symbol(id) && this->name(id) == name;
  }
  [[nodiscard]] bool is_list(NodeId id) const {
    return id != kNoNode && nodes_[id].kind == NodeKind::List;
  }
  [[nodiscard]] NodeId child(NodeId list, std::uint32_t index) const;
  [[nodiscard]] std::uint32_t size(NodeId list) const;
  // The content of a string literal, `""` as `"`.
  [[nodiscard]] std::string string(NodeId id) const;

 private:
  std::string_view text_;
  FileId file_;
  std::vector<Node> nodes_;
  NodeId top_ = kNoNode;
};

// Whether SMT-LIB takes the name without bars.
[[nodiscard]] bool is_plain_symbol(std::string_view name);
// As a symbol of SMT-LIB, in bars where it must be.
[[nodiscard]] std::string written(std::string_view name);

}  // namespace whittle::vmt
