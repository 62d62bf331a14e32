// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/terms.h"

#include <fmt/format.h>

#include "base/text.h"
#include "expr/gmp_number.h"
#include "expr/traverse.h"
#include "frontend/vmt/theories.h"

namespace whittle::vmt {

namespace {

constexpr int kMaxSortDepth = 200;

std::string quoted(std::string_view name) {
  return fmt::format("`{}`", ellipsized(safe_text(name), 60));
}

}  // namespace

// ----- messages

void TermReader::unknown(NodeId id, std::string_view what, bool functions) {
  const std::string_view name = tree_.name(id);
  NearestName nearest(name);
  for (const auto& entry : globals_) nearest.offer(entry.first);
  for (const auto& entry : locals_) nearest.offer(entry.first);
  if (functions) {
    for (const std::string_view known : theory_functions()) nearest.offer(known);
  }
  diagnostics_.report("vmt-002", tree_.span(id),
                      fmt::format("there is no {} {}", what, quoted(name)),
                      nearest.result() ? fmt::format("did you mean {}?", quoted(*nearest.result()))
                                       : "declare it before it is used");
}

void TermReader::unsupported(NodeId id, std::string_view what, std::string hint) {
  diagnostics_.report("vmt-005", tree_.head_span(id), fmt::format("{} not supported", what),
                      std::move(hint));
}

void TermReader::malformed(NodeId id, std::string message, std::string hint) {
  diagnostics_.report("vmt-006", tree_.head_span(id), std::move(message), std::move(hint));
}

// ----- names

bool TermReader::declare(NodeId name, Global global) {
  global.span = tree_.span(name);
  const std::string_view text = tree_.name(name);
  if (is_core_name(text)) {
    diagnostics_.report("vmt-001", global.span,
                        fmt::format("{} has a fixed meaning and cannot be declared", quoted(text)),
                        "choose another name");
    return false;
  }
  const auto [it, fresh] = globals_.try_emplace(text, global);
  if (fresh) {
    const bool constant = global.kind == Global::Kind::Constant;
    const bool function = global.kind == Global::Kind::Uninterpreted || !global.parameters.empty();
    symbols_.declare(constant   ? SymbolKind::Variable
                     : function ? SymbolKind::Function
                                : SymbolKind::Constant,
                     text, global.span);
    return true;
  }
  diagnostics_
      .report("vmt-001", global.span, fmt::format("{} is declared twice", quoted(text)),
              "give one of them another name")
      .related.push_back({it->second.span, "first declared here"});
  return false;
}

bool TermReader::define_sort(NodeId name, SortMacro macro) {
  macro.span = tree_.span(name);
  const std::string_view text = tree_.name(name);
  const bool builtin =
      text == "Bool" || text == "Int" || text == "Real" || text == "String" || text == "Array";
  const auto [it, fresh] = sorts_.try_emplace(text, std::move(macro));
  if (fresh && !builtin) {
    symbols_.declare(SymbolKind::Type, text, it->second.span);
    return true;
  }
  auto& entry = diagnostics_.report("vmt-001", tree_.span(name),
                                    fmt::format("the sort {} is defined twice", quoted(text)),
                                    "give one of them another name");
  if (!builtin) entry.related.push_back({it->second.span, "first defined here"});
  return false;
}

const Global* TermReader::global(std::string_view name) const {
  const auto it = globals_.find(name);
  return it == globals_.end() ? nullptr : &it->second;
}

void TermReader::bind(NodeId id, SymbolKind kind, Expr e) {
  const std::string_view name = tree_.name(id);
  symbols_.declare(kind, name, tree_.span(id));
  const Local local{e, id};
  const auto [it, fresh] = locals_.try_emplace(name, local);
  if (fresh) {
    undo_.emplace_back(name, std::nullopt);
  } else {
    undo_.emplace_back(name, it->second);
    it->second = local;
  }
}

void TermReader::unbind_all() {
  // Not by clear(), whose cost depends on how large the table once was.
  for (const auto& entry : undo_) locals_.erase(entry.first);
  undo_.clear();
}

Span TermReader::place(Expr e) const {
  const Span* found = places_.find(e);
  return found == nullptr ? Span{} : *found;
}

// ----- sorts

std::optional<Type> TermReader::sort(NodeId id) { return sort(id, {}, 0); }

std::optional<Type> TermReader::sort(NodeId id, const Sorts& names, int depth) {
  if (depth > kMaxSortDepth) {
    diagnostics_.report("parse-003", tree_.head_span(id), "this sort is nested too deeply");
    return std::nullopt;
  }
  if (tree_.is_list(id)) return sort_list(id, names, depth);
  if (!tree_.is_symbol(id)) {
    diagnostics_.report("parse-001", tree_.span(id), "expected a sort",
                        "sorts are Bool, Int, Real, (_ BitVec 8), (Array Int Int)");
    return std::nullopt;
  }
  const std::string_view name = tree_.name(id);
  if (const auto it = names.find(name); it != names.end()) return it->second;
  if (name == "Bool") return Type::boolean();
  if (name == "Int") return Type::integer();
  if (name == "Real") return Type::real();
  if (name == "String") return Type::string();
  if (const auto it = sorts_.find(name); it != sorts_.end()) {
    symbols_.use(it->second.span, tree_.span(id));
    if (it->second.body == kNoNode) return std::nullopt;  // reported where it is declared
    if (it->second.parameters.empty()) return sort(it->second.body, {}, depth + 1);
    malformed(id, fmt::format("the sort {} needs {} arguments", quoted(name),
                              it->second.parameters.size()));
    return std::nullopt;
  }
  NearestName nearest(name);
  for (const std::string_view known : {"Bool", "Int", "Real", "String"}) nearest.offer(known);
  for (const auto& entry : sorts_) nearest.offer(entry.first);
  diagnostics_.report("vmt-004", tree_.span(id), fmt::format("there is no sort {}", quoted(name)),
                      nearest.result()
                          ? fmt::format("did you mean {}?", quoted(*nearest.result()))
                          : "sorts are Bool, Int, Real, (_ BitVec 8), (Array Int Int)");
  return std::nullopt;
}

std::optional<Type> TermReader::sort_list(NodeId id, const Sorts& names, int depth) {
  const NodeId head = tree_.node(id).first;
  if (tree_.is_symbol(head, "_")) {
    const NodeId word = tree_.node(head).next;
    const NodeId width = word == kNoNode ? kNoNode : tree_.node(word).next;
    if (!tree_.is_symbol(word, "BitVec") || width == kNoNode || tree_.size(id) != 3 ||
        tree_.node(width).kind != NodeKind::Numeral) {
      malformed(id, "not a sort", "sorts of bit vectors are written like (_ BitVec 8)");
      return std::nullopt;
    }
    const auto bits = Integer::parse(tree_.text(width))->to_int64();
    if (!bits || *bits < 1 || *bits > kMaxWidth) {
      diagnostics_.report("parse-004", tree_.span(width),
                          fmt::format("bit vectors have 1 to {} bits", kMaxWidth));
      return std::nullopt;
    }
    return pool_.bit_vector_type(static_cast<std::uint32_t>(*bits));
  }
  if (!tree_.is_symbol(head)) {
    malformed(id, "expected a sort", "sorts are Bool, Int, Real, (_ BitVec 8), (Array Int Int)");
    return std::nullopt;
  }
  const std::string_view name = tree_.name(head);
  const auto macro = sorts_.find(name);
  if (name != "Array" && macro == sorts_.end()) {
    diagnostics_.report("vmt-004", tree_.span(head),
                        fmt::format("there is no sort {} with arguments", quoted(name)),
                        "sorts are Bool, Int, Real, (_ BitVec 8), (Array Int Int)");
    return std::nullopt;
  }
  if (macro != sorts_.end()) symbols_.use(macro->second.span, tree_.span(head));
  std::vector<Type> arguments;
  for (NodeId at = tree_.node(head).next; at != kNoNode; at = tree_.node(at).next) {
    const auto type = sort(at, names, depth + 1);
    if (!type) return std::nullopt;
    arguments.push_back(*type);
  }
  const std::size_t needed = name == "Array" ? 2 : macro->second.parameters.size();
  if (arguments.size() != needed) {
    malformed(id, fmt::format("the sort {} needs {} arguments, but there are {}", quoted(name),
                              needed, arguments.size()));
    return std::nullopt;
  }
  if (name == "Array") return pool_.array_type(arguments[0], arguments[1]);
  if (macro->second.body == kNoNode) return std::nullopt;
  Sorts inner;
  for (std::size_t i = 0; i < needed; ++i) inner[macro->second.parameters[i]] = arguments[i];
  return sort(macro->second.body, inner, depth + 1);
}

// ----- terms

Expr TermReader::term(NodeId id) {
  stack_.clear();
  values_.clear();
  push(id);
  while (!stack_.empty()) step();
  return values_.back();
}

Expr TermReader::of_type(Expr e, Type type, NodeId id, std::string_view what) {
  if (!e.valid() || pool_.type(e) == type) return e;
  if (type == Type::real() && pool_.type(e) == Type::integer()) return as_real(pool_, e);
  diagnostics_.report("vmt-003", tree_.head_span(id),
                      fmt::format("{} must be {}, but this is {}", what, pool_.to_string(type),
                                  pool_.to_string(pool_.type(e))));
  return {};
}

void TermReader::finish(Expr e) { values_.push_back(e); }

void TermReader::push(NodeId id) {
  if (tree_.is_list(id)) {
    push_list(id);
  } else {
    finish(atom(id));
  }
}

void TermReader::push_list(NodeId id) {
  const NodeId head = tree_.node(id).first;
  if (head == kNoNode) {
    malformed(id, "an empty term");
    return finish({});
  }
  if (tree_.is_symbol(head) && tree_.text(head).front() != '|') {
    const std::string_view name = tree_.name(head);
    if (name == "let") return begin_let(id);
    if (name == "!") {
      const NodeId inner = tree_.node(head).next;
      if (inner == kNoNode) {
        malformed(id, "an annotation without a term", "write (! term :key value)");
        return finish({});
      }
      stack_.push_back({FrameKind::Annotated, id, inner, values_.size(), 0});
      return;
    }
    if (name == "_") return finish(indexed_constant(id));
    if (name == "forall" || name == "exists") {
      unsupported(id, "quantifiers are");
      return finish({});
    }
    if (name == "match" || name == "lambda" || name == "as" || name == "choice") {
      unsupported(id, fmt::format("`{}` is", name));
      return finish({});
    }
  }
  stack_.push_back({FrameKind::Apply, id, tree_.node(head).next, values_.size(), 0});
}

void TermReader::step() {
  Frame& frame = stack_.back();
  switch (frame.kind) {
    case FrameKind::Apply: {
      if (frame.next != kNoNode) {
        const NodeId child = frame.next;
        frame.next = tree_.node(child).next;
        return push(child);
      }
      const Frame done = frame;
      stack_.pop_back();
      std::vector<Expr> arguments(values_.begin() + static_cast<std::ptrdiff_t>(done.values),
                                  values_.end());
      values_.resize(done.values);
      const Expr e = apply(done.node, std::move(arguments));
      if (e.valid() && pool_.type(e) == Type::boolean()) places_.insert(e, tree_.span(done.node));
      return finish(e);
    }
    case FrameKind::Let: {
      if (frame.next != kNoNode) {
        const NodeId binding = frame.next;
        frame.next = tree_.node(binding).next;
        return push(tree_.child(binding, 1));
      }
      const std::size_t undo = undo_.size();
      bind_let(frame);
      values_.resize(frame.values);
      frame.kind = FrameKind::LetBody;
      frame.undo = undo;
      return push(tree_.child(frame.node, 2));
    }
    case FrameKind::LetBody:
      while (undo_.size() > frame.undo) {
        auto& [name, before] = undo_.back();
        if (before) {
          locals_[name] = *before;
        } else {
          locals_.erase(name);
        }
        undo_.pop_back();
      }
      stack_.pop_back();
      return;  // the value of the body is that of the let
    case FrameKind::Annotated: {
      if (frame.next != kNoNode) {
        const NodeId child = frame.next;
        frame.next = kNoNode;
        return push(child);
      }
      const NodeId node = frame.node;
      stack_.pop_back();
      return attributes(node, values_.back());
    }
  }
}

// (let ((x t) (y u)) body); the bindings do not see each other.
void TermReader::begin_let(NodeId id) {
  const NodeId bindings = tree_.child(id, 1);
  bool good = tree_.size(id) == 3 && tree_.is_list(bindings);
  if (good) {
    for (NodeId at = tree_.node(bindings).first; at != kNoNode; at = tree_.node(at).next) {
      good =
          good && tree_.is_list(at) && tree_.is_symbol(tree_.node(at).first) && tree_.size(at) == 2;
    }
  }
  if (!good) {
    malformed(id, "not a `let`", "write (let ((name term) ...) term)");
    return finish({});
  }
  stack_.push_back({FrameKind::Let, id, tree_.node(bindings).first, values_.size(), 0});
}

void TermReader::bind_let(const Frame& frame) {
  std::size_t value = frame.values;
  const NodeId bindings = tree_.child(frame.node, 1);
  for (NodeId at = tree_.node(bindings).first; at != kNoNode; at = tree_.node(at).next) {
    bind(tree_.node(at).first, SymbolKind::Bound, values_[value++]);
  }
}

// (! term :key value :key ...), values are optional.
void TermReader::attributes(NodeId id, Expr e) {
  NodeId at = tree_.node(tree_.child(id, 1)).next;
  if (at == kNoNode) malformed(id, "an annotation without a key", "write (! term :key value)");
  while (at != kNoNode) {
    if (tree_.node(at).kind != NodeKind::Keyword) {
      diagnostics_.report("parse-001", tree_.span(at), "expected a key of an annotation",
                          "keys are written like `:next`");
      return;
    }
    const NodeId after = tree_.node(at).next;
    const bool valued = after != kNoNode && tree_.node(after).kind != NodeKind::Keyword;
    on_attribute_(e, id, at, valued ? after : kNoNode);
    at = valued ? tree_.node(after).next : after;
  }
}

Expr TermReader::atom(NodeId id) {
  switch (tree_.node(id).kind) {
    case NodeKind::Numeral: {
      const Integer value = *Integer::parse(tree_.text(id));
      return real_numerals_ ? pool_.real(Rational(value)) : pool_.integer(value);
    }
    case NodeKind::Decimal:
      return pool_.real(*Rational::parse(tree_.text(id)));
    case NodeKind::Hex:
    case NodeKind::Binary:
      return bits(id);
    case NodeKind::String:
      return pool_.string(tree_.string(id));
    case NodeKind::Symbol:
      return named(id);
    case NodeKind::Keyword:
    case NodeKind::List:
      break;
  }
  diagnostics_.report("parse-001", tree_.span(id), "expected a term");
  return {};
}

Expr TermReader::bits(NodeId id) {
  const bool hex = tree_.node(id).kind == NodeKind::Hex;
  const std::string digits(tree_.text(id).substr(2));
  const std::size_t width = digits.size() * (hex ? 4 : 1);
  if (width > kMaxWidth) {
    diagnostics_.report("parse-004", tree_.span(id),
                        fmt::format("bit vectors have at most {} bits", kMaxWidth));
    return {};
  }
  const auto bit_count = static_cast<std::uint32_t>(width);
  return pool_.constant(Value(BitVectorValue{from_mpz(mpz_class(digits, hex ? 16 : 2)), bit_count}),
                        pool_.bit_vector_type(bit_count));
}

Expr TermReader::named(NodeId id) {
  const std::string_view name = tree_.name(id);
  if (!locals_.empty()) {
    if (const auto it = locals_.find(name); it != locals_.end()) {
      symbols_.use(tree_.span(it->second.name), tree_.span(id));
      return it->second.term;
    }
  }
  const Global* found = global(name);
  if (found == nullptr) {
    if (name == "true") return pool_.boolean(true);
    if (name == "false") return pool_.boolean(false);
    if (is_theory_function(name)) {
      malformed(id, fmt::format("the function {} without its arguments", quoted(name)));
    } else {
      unknown(id, "name", false);
    }
    return {};
  }
  symbols_.use(found->span, tree_.span(id));
  switch (found->kind) {
    case Global::Kind::Constant:
      return found->term;
    case Global::Kind::Defined:
      if (found->parameters.empty()) return found->term;
      malformed(id, fmt::format("the function {} needs {} arguments", quoted(name),
                                found->parameters.size()));
      return {};
    case Global::Kind::Uninterpreted:
      unsupported(id, fmt::format("the function {} has no definition; that is", quoted(name)));
      return {};
    case Global::Kind::Broken:
      return {};
  }
  return {};
}

// (_ bv5 8)
Expr TermReader::indexed_constant(NodeId id) {
  const NodeId word = tree_.child(id, 1);
  const NodeId width = tree_.child(id, 2);
  const bool shape = tree_.size(id) == 3 && tree_.is_symbol(word) &&
                     tree_.node(width).kind == NodeKind::Numeral &&
                     tree_.name(word).starts_with("bv");
  const auto value = shape ? Integer::parse(tree_.name(word).substr(2)) : std::nullopt;
  if (!value || value->sign() < 0) {
    malformed(id, "not a constant", "constants of bits are written like (_ bv5 8), #x05 or #b0101");
    return {};
  }
  const auto bits = Integer::parse(tree_.text(width))->to_int64();
  if (!bits || *bits < 1 || *bits > kMaxWidth) {
    diagnostics_.report("parse-004", tree_.span(width),
                        fmt::format("bit vectors have 1 to {} bits", kMaxWidth));
    return {};
  }
  const auto count = static_cast<std::uint32_t>(*bits);
  return pool_.constant(Value(BitVectorValue{euclidean_mod(*value, pow(Integer(2), count)), count}),
                        pool_.bit_vector_type(count));
}

std::optional<std::vector<Integer>> TermReader::indices(NodeId first) {
  std::vector<Integer> result;
  for (NodeId at = first; at != kNoNode; at = tree_.node(at).next) {
    if (tree_.node(at).kind != NodeKind::Numeral) {
      diagnostics_.report("parse-001", tree_.span(at), "expected a number as index");
      return std::nullopt;
    }
    result.push_back(*Integer::parse(tree_.text(at)));
  }
  return result;
}

Expr TermReader::apply(NodeId id, std::vector<Expr> arguments) {
  const NodeId head = tree_.node(id).first;
  if (tree_.is_symbol(head)) return apply_named(id, head, std::move(arguments));
  if (tree_.is_list(head)) {
    const NodeId word = tree_.node(head).first;
    const NodeId name = word == kNoNode ? kNoNode : tree_.node(word).next;
    if (tree_.is_symbol(word, "_") && tree_.is_symbol(name)) {
      if (!is_theory_function(tree_.name(name))) {
        unknown(name, "function with indices", true);
        return {};
      }
      const auto numbers = indices(tree_.node(name).next);
      if (!numbers) return {};
      return apply_function(id, tree_.name(name), *numbers, std::move(arguments));
    }
    if (tree_.is_symbol(word, "as") && tree_.is_symbol(name, "const") && tree_.size(head) == 3) {
      return const_array(head, arguments);
    }
  }
  malformed(id, "a term begins with the name of a function",
            "write (function argument ...), ((_ extract 7 0) x) or ((as const (Array Int Int)) 0)");
  return {};
}

Expr TermReader::apply_named(NodeId id, NodeId head, std::vector<Expr> arguments) {
  const std::string_view name = tree_.name(head);
  if (const Global* found = global(name)) {
    symbols_.use(found->span, tree_.span(head));
    if (found->kind == Global::Kind::Broken) return {};
    if (found->kind == Global::Kind::Uninterpreted) {
      unsupported(head, fmt::format("the function {} has no definition; that is", quoted(name)),
                  "give it a body with define-fun");
      return {};
    }
    return apply_defined(id, head, *found, std::move(arguments));
  }
  if (TemporalOperators::arity(name) > 0) return apply_temporal(id, head, std::move(arguments));
  if (!is_theory_function(name)) {
    unknown(head, "function", true);
    return {};
  }
  return apply_function(id, name, {}, std::move(arguments));
}

Expr TermReader::apply_temporal(NodeId id, NodeId head, std::vector<Expr> arguments) {
  const std::string_view name = tree_.name(head);
  const std::size_t arity = TemporalOperators::arity(name);
  if (arguments.size() != arity) {
    malformed(id, fmt::format("{} needs {} argument{}, but there are {}", quoted(name), arity,
                              arity == 1 ? "" : "s", arguments.size()));
    return {};
  }
  NodeId at = tree_.node(head).next;
  for (Expr& e : arguments) {
    e = of_type(e, Type::boolean(), at, fmt::format("what {} speaks of", quoted(name)));
    if (!e.valid()) return {};
    at = tree_.node(at).next;
  }
  return temporal_.apply(pool_, name, arguments);
}

Expr TermReader::apply_defined(NodeId id, NodeId head, const Global& function,
                               std::vector<Expr> arguments) {
  const std::string_view name = tree_.name(head);
  if (function.parameters.size() != arguments.size() || arguments.empty()) {
    malformed(id, function.parameters.empty()
                      ? fmt::format("{} is no function", quoted(name))
                      : fmt::format("the function {} needs {} arguments, but there are {}",
                                    quoted(name), function.parameters.size(), arguments.size()));
    return {};
  }
  Substitution put(pool_);
  NodeId at = tree_.node(head).next;
  bool good = true;
  for (std::size_t i = 0; i < arguments.size(); ++i, at = tree_.node(at).next) {
    const Type type = pool_.info(function.parameters[i]).type;
    const Expr e =
        of_type(arguments[i], type, at, fmt::format("argument {} of {}", i + 1, quoted(name)));
    good = good && e.valid();
    if (good) put.set(function.parameters[i], e);
  }
  return good ? put(function.term) : Expr();
}

Expr TermReader::apply_function(NodeId id, std::string_view name, std::span<const Integer> indices,
                                std::vector<Expr> arguments) {
  for (const Expr e : arguments)
    if (!e.valid()) return {};
  Applied applied = apply_theory(pool_, name, indices, std::move(arguments));
  if (!applied.term.valid()) {
    diagnostics_.report("vmt-003", tree_.head_span(id), std::move(applied.problem));
  }
  return applied.term;
}

Expr TermReader::const_array(NodeId head, const std::vector<Expr>& arguments) {
  const auto type = sort(tree_.child(head, 2));
  if (!type) return {};
  if (pool_.kind(*type) != TypeKind::Array || arguments.size() != 1) {
    malformed(head, "not a constant array", "write ((as const (Array Int Int)) 0)");
    return {};
  }
  const Type element = pool_.info(*type).element;
  const Expr e = of_type(arguments[0], element, head, "the element of this array");
  return e.valid() ? pool_.const_array(*type, e) : Expr();
}

}  // namespace whittle::vmt
