// SPDX-License-Identifier: Apache-2.0
#include "smt/smtlib.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "expr/smtlib_names.h"
#include "smt/string_literal.h"
#include "smt/unsupported.h"

namespace whittle::smt {

namespace {

constexpr std::size_t kInline = 100;  // a text up to this length is repeated, a longer one defined

// Words that are not free for symbols: reserved ones, and the functions of theories, which cvc5
// lets nobody declare again. (Commands and operators with other characters never are our names.)
bool is_reserved(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords{"!",
                                                           "_",
                                                           "as",
                                                           "BINARY",
                                                           "DECIMAL",
                                                           "exists",
                                                           "HEXADECIMAL",
                                                           "forall",
                                                           "let",
                                                           "match",
                                                           "NUMERAL",
                                                           "par",
                                                           "STRING",
                                                           "true",
                                                           "false",
                                                           "not",
                                                           "and",
                                                           "or",
                                                           "xor",
                                                           "ite",
                                                           "distinct",
                                                           "select",
                                                           "store",
                                                           "div",
                                                           "mod",
                                                           "abs",
                                                           "to_real",
                                                           "to_int",
                                                           "is_int",
                                                           "const",
                                                           "Int",
                                                           "Real",
                                                           "Bool",
                                                           "Array",
                                                           "String",
                                                           "set",
                                                           "concat",
                                                           "assert",
                                                           "push",
                                                           "pop",
                                                           "exit",
                                                           "reset",
                                                           "echo",
                                                           "is",
                                                           "update",
                                                           "char",
                                                           "sin",
                                                           "cos",
                                                           "tan",
                                                           "csc",
                                                           "sec",
                                                           "cot",
                                                           "arcsin",
                                                           "arccos",
                                                           "arctan",
                                                           "arccsc",
                                                           "arcsec",
                                                           "arccot",
                                                           "exp",
                                                           "sqrt",
                                                           "pi",
                                                           "fp",
                                                           "tuple",
                                                           "bag",
                                                           "sep",
                                                           "pto",
                                                           "wand",
                                                           "iand",
                                                           "divisible",
                                                           "RNE",
                                                           "RNA",
                                                           "RTP",
                                                           "RTN",
                                                           "RTZ",
                                                           "int2bv",
                                                           "lambda",
                                                           "Set",
                                                           "Bag",
                                                           "Tuple",
                                                           "RegLan",
                                                           "if",
                                                           "implies",
                                                           "iff",
                                                           "List",
                                                           "nil",
                                                           "insert",
                                                           "head",
                                                           "tail",
                                                           "default",
                                                           "map",
                                                           "rem",
                                                           "roundTowardZero",
                                                           "roundTowardPositive",
                                                           "roundTowardNegative",
                                                           "roundNearestTiesToEven",
                                                           "roundNearestTiesToAway"};
  return kWords.contains(word) || word.starts_with("bv");
}

const char* operator_name(Op op) {
  const char* name = smtlib_name(op);
  WHITTLE_REQUIRE(name != nullptr, "a term that is not plain reached the SMT-LIB writer");
  return name;
}

std::string application(std::string_view function, std::span<const std::string> arguments) {
  std::string text = "(";
  text += function;
  for (const std::string& argument : arguments) {
    text += ' ';
    text += argument;
  }
  return text + ")";
}

}  // namespace

std::string smtlib_symbol(std::string_view name) {
  auto simple_character = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
  };
  // A leading '@' or '.' belongs to solvers.
  bool simple = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
                name[0] != '@' && name[0] != '.' &&
                std::all_of(name.begin(), name.end(), simple_character) && !is_reserved(name);
  if (simple) return std::string(name);
  std::string text = "|";
  for (char c : name) text += c >= ' ' && c < 0x7F && c != '|' && c != '\\' ? c : '_';
  return text + "|";
}

std::string smtlib_integer(const Integer& value) {
  return value.sign() < 0 ? "(- " + (-value).to_string() + ")" : value.to_string();
}

std::string smtlib_real(const Rational& value) {
  std::string numerator = (value.sign() < 0 ? -value.numerator() : value.numerator()).to_string();
  std::string text = numerator + ".0";
  if (!value.is_integer()) text = "(/ " + text + " " + value.denominator().to_string() + ".0)";
  return value.sign() < 0 ? "(- " + text + ")" : text;
}

SmtLibWriter::SmtLibWriter(const ExprPool& pool, std::string& out, OnFact on_fact)
    : pool_(pool), out_(out), on_fact_(std::move(on_fact)), translator_(pool, *this) {}

// ----- names

std::string SmtLibWriter::unique(std::string_view wanted) {
  std::string base = smtlib_symbol(wanted);
  if (!is_reserved(wanted) && used_.insert(base).second) return base;
  for (std::size_t i = used_.size();; ++i) {
    std::string name = smtlib_symbol(fmt::format("{}!{}", wanted, i));
    if (used_.insert(name).second) return name;
  }
}

void SmtLibWriter::set_name(SymbolId symbol, std::string_view name, bool declared) {
  std::string text = smtlib_symbol(name);
  bool fresh = used_.insert(text).second && !symbols_.contains(symbol);
  WHITTLE_REQUIRE(fresh, "two symbols of one name in SMT-LIB text");
  symbols_[symbol] = text;
  const SymbolInfo& info = pool_.info(symbol);
  if (declared) return;
  std::string domain;
  for (Type param : info.params) domain += (domain.empty() ? "" : " ") + sort(param);
  std::string range = sort(info.type);
  out_ += fmt::format("(declare-fun {} ({}) {})\n", text, domain, range);
}

std::string SmtLibWriter::symbol(SymbolId symbol) {
  auto known = symbols_.find(symbol);
  if (known != symbols_.end()) return known->second;
  const SymbolInfo& info = pool_.info(symbol);
  std::string domain;
  for (Type param : info.params) domain += (domain.empty() ? "" : " ") + sort(param);
  std::string range = sort(info.type);
  std::string name = unique(info.name);
  out_ += fmt::format("(declare-fun {} ({}) {})\n", name, domain, range);
  return symbols_[symbol] = name;
}

std::string SmtLibWriter::sort(Type type) {
  auto known = sorts_.find(type.id());
  if (known != sorts_.end()) return known->second;
  const TypeInfo& info = pool_.info(type);
  std::string text;
  switch (info.kind) {
    case TypeKind::Bool:
      text = "Bool";
      break;
    case TypeKind::Int:
      text = "Int";
      break;
    case TypeKind::Real:
      text = "Real";
      break;
    case TypeKind::String:
      text = "String";
      break;
    case TypeKind::BitVector:
      text = fmt::format("(_ BitVec {})", info.width);
      break;
    case TypeKind::Array:
      text = fmt::format("(Array {} {})", sort(info.index), sort(info.element));
      break;
    case TypeKind::Set:
      text = fmt::format("(Array {} Bool)", sort(info.element));
      break;
    case TypeKind::Enum: {
      if (info.values.empty()) throw Unsupported("an enumeration without values");
      text = unique(info.name);
      std::string constructors;
      for (const std::string& value : info.values) {
        values_[type.id()].push_back(unique(value));
        constructors += (constructors.empty() ? "(" : " (") + values_[type.id()].back() + ")";
      }
      out_ += fmt::format("(declare-datatypes (({} 0)) (({})))\n", text, constructors);
      break;
    }
  }
  return sorts_[type.id()] = text;
}

// ----- terms

std::string SmtLibWriter::value(const Value& value, Type type) {
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      return value.as_bool() ? "true" : "false";
    case TypeKind::Int:
      return smtlib_integer(value.as_integer());
    case TypeKind::Real:
      return smtlib_real(value.as_real());
    case TypeKind::BitVector:
      return fmt::format("(_ bv{} {})", value.as_bit_vector().bits.to_string(), info.width);
    case TypeKind::Enum:
      sort(type);
      return values_.at(type.id())[value.as_enum().index];
    case TypeKind::String: {
      auto text = escaped(value.as_string());
      if (!text) throw Unsupported("a string that is not UTF-8");
      std::string quoted = "\"";
      for (char c : *text) quoted.append(c == '"' ? 2 : 1, c);
      return quoted + "\"";
    }
    case TypeKind::Array: {
      const ArrayValue& array = value.as_array();
      std::string text =
          fmt::format("((as const {}) {})", sort(type), this->value(array.otherwise, info.element));
      std::string end;
      std::string begin;
      for (const auto& [index, element] : array.entries) {
        begin += "(store ";
        end += fmt::format(" {} {})", this->value(index, info.index),
                           this->value(element, info.element));
      }
      return begin + text + end;
    }
    case TypeKind::Set: {
      std::vector<std::string> elements;
      for (const Value& element : value.as_set().elements)
        elements.push_back(this->value(element, info.element));
      return stored(fmt::format("((as const {}) false)", sort(type)), elements, true);
    }
  }
  throw InternalError("a type without SMT-LIB text");
}

std::string SmtLibWriter::stored(const std::string& set, std::span<const std::string> elements,
                                 bool inside) const {
  std::string begin;
  std::string end;
  for (const std::string& element : elements) {
    begin += "(store ";
    end += fmt::format(" {} {})", element, inside);
  }
  return begin + set + end;
}

std::string SmtLibWriter::plain_text(Expr e, std::span<const std::string> children) {
  Op op = pool_.op(e);
  switch (op) {
    case Op::Const:
      return value(pool_.value(e), pool_.type(e));
    case Op::Apply: {
      std::string function = symbol(pool_.symbol_of(e));
      return children.empty() ? function : application(function, children);
    }
    case Op::ConstArray:
      if (!pool_.is_const(pool_.child(e, 0)))
        throw Unsupported("an array that has one variable everywhere (by cvc5)");
      return fmt::format("((as const {}) {})", sort(pool_.type(e)), children[0]);
    case Op::SetOf:
      return stored(fmt::format("((as const {}) false)", sort(pool_.type(e))), children, true);
    case Op::Member:
      return fmt::format("(select {} {})", children[1], children[0]);
    case Op::Union:
    case Op::Difference: {
      // Standard arrays cannot be combined point by point, but single elements can be stored.
      Expr right = pool_.child(e, 1);
      std::vector<std::string> elements;
      if (pool_.op(right) == Op::SetOf) {
        for (Expr element : pool_.children(right)) elements.push_back(translator_.known(element));
      } else if (pool_.op(right) == Op::Const) {
        for (const Value& element : pool_.value(right).as_set().elements)
          elements.push_back(value(element, pool_.info(pool_.type(e)).element));
      } else {
        throw Unsupported("union or difference of unknown sets in SMT-LIB");
      }
      return stored(children[0], elements, op == Op::Union);
    }
    case Op::BvExtract: {
      auto [high, low] = pool_.indices(e);
      return fmt::format("((_ extract {} {}) {})", high, low, children[0]);
    }
    case Op::BvZeroExtend:
      return fmt::format("((_ zero_extend {}) {})", pool_.indices(e).first, children[0]);
    case Op::BvSignExtend:
      return fmt::format("((_ sign_extend {}) {})", pool_.indices(e).first, children[0]);
    case Op::IntToBv:
      return fmt::format("((_ int2bv {}) {})", pool_.info(pool_.type(e)).width, children[0]);
    case Op::Intersection:
      throw Unsupported("intersection of unknown sets in SMT-LIB");
    default:
      return application(operator_name(op), children);
  }
}

std::string SmtLibWriter::build(Expr e, std::span<const std::string> children) {
  std::string text = plain_text(e, children);
  return text.size() > kInline && !pool_.is_variable(e) ? defined(e, text) : text;
}

std::string SmtLibWriter::defined(Expr e, const std::string& text) {
  std::string name = unique(fmt::format("t!{}", definitions_++));
  if (lets_ != nullptr)
    lets_->emplace_back(name, text);
  else
    out_ += fmt::format("(define-fun {} () {} {})\n", name, sort(pool_.type(e)), text);
  return name;
}

std::string SmtLibWriter::name(Expr e, const std::string& text) {
  if (!on_fact_) return text;
  std::string name = unique(fmt::format("deep!{}", definitions_++));
  out_ += fmt::format("(declare-fun {} () {})\n", name, sort(pool_.type(e)));
  // An equation that solvers would solve, and so build the deep term again, is said in two halves.
  switch (pool_.kind(pool_.type(e))) {
    case TypeKind::Bool:
      on_fact_(fmt::format("(and (=> {0} {1}) (=> {1} {0}))", name, text));
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      on_fact_(fmt::format("(and (<= {0} {1}) (<= {1} {0}))", name, text));
      break;
    default:
      on_fact_(fmt::format("(= {} {})", name, text));
  }
  return name;
}

}  // namespace whittle::smt
