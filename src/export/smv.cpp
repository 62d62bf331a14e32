// SPDX-License-Identifier: Apache-2.0
// The language of nuXmv (la Fleur 2018, section 3.2): state variables are VAR, the parameters of
// transitions IVAR, next values next(x). Shared and long terms without next values are DEFINEs, so
// that the text is linear in the number of distinct subterms.
//
// nuXmv rounds quotients towards zero and leaves quotients by zero and wide shifts of words open;
// the terms written here say which value is meant.
#include <fmt/format.h>

#include <unordered_set>

#include "base/error.h"
#include "export/export.h"
#include "export/live.h"
#include "expr/expr_map.h"
#include "expr/traverse.h"
#include "ir/ltl.h"
#include "smt/elimination/expand.h"

namespace whittle {

namespace {

constexpr std::size_t kShared = 24;  // texts longer than this are not repeated
constexpr std::size_t kLong = 400;   // texts longer than this are not nested

constexpr std::string_view kReserved[] = {"MODULE",     "DEFINE",     "MDEFINE",
                                          "CONSTANTS",  "VAR",        "IVAR",
                                          "FROZENVAR",  "INIT",       "TRANS",
                                          "INVAR",      "SPEC",       "CTLSPEC",
                                          "LTLSPEC",    "PSLSPEC",    "COMPUTE",
                                          "NAME",       "INVARSPEC",  "FAIRNESS",
                                          "JUSTICE",    "COMPASSION", "ISA",
                                          "ASSIGN",     "CONSTRAINT", "SIMPWFF",
                                          "CTLWFF",     "LTLWFF",     "PSLWFF",
                                          "COMPWFF",    "IN",         "MIN",
                                          "MAX",        "MIRROR",     "PRED",
                                          "PREDICATES", "process",    "array",
                                          "of",         "boolean",    "integer",
                                          "real",       "word",       "word1",
                                          "bool",       "signed",     "unsigned",
                                          "extend",     "resize",     "sizeof",
                                          "uwconst",    "swconst",    "EX",
                                          "AX",         "EF",         "AF",
                                          "EG",         "AG",         "E",
                                          "F",          "O",          "G",
                                          "H",          "X",          "Y",
                                          "Z",          "A",          "U",
                                          "S",          "V",          "T",
                                          "BU",         "EBF",        "ABF",
                                          "EBG",        "ABG",        "case",
                                          "esac",       "mod",        "next",
                                          "init",       "union",      "in",
                                          "xor",        "xnor",       "self",
                                          "TRUE",       "FALSE",      "count",
                                          "abs",        "max",        "min",
                                          "toint",      "floor",      "READ",
                                          "WRITE",      "CONSTARRAY", "typeof",
                                          "time",       "clock",      "noncontinuous",
                                          "URGENT",     "bitsel",     "sin",
                                          "cos",        "exp",        "tan",
                                          "ln",         "pi",         "INVARSPEC",
                                          "itype",      "at",         "last"};

class SmvWriter {
 public:
  explicit SmvWriter(const TransitionSystem& system)
      : system_(system), pool_(*system.pool), expand_(pool_) {
    for (const std::string_view word : kReserved) names_.emplace(word);
  }

  std::string run(const std::string& name, const LiveExport* live) {
    std::string head = fmt::format("-- {}\nMODULE main\n", one_line(name));
    head += enumerations();
    for (const StateVariable& v : system_.variables) {
      const std::string variable = declare(v.current, v.name);
      texts_of_[v.next] = fmt::format("next({})", variable);
      nexts_.insert(v.next);
      head += fmt::format("VAR {} : {};\n", variable, sort(v.type));
    }
    // What the goal may choose is chosen in the state.
    for (const SymbolId s : system_.goal.inputs) {
      head +=
          fmt::format("VAR {} : {};\n", declare(s, pool_.info(s).name), sort(pool_.info(s).type));
    }
    for (const Transition& t : system_.transitions) {
      for (const SymbolId s : t.inputs) {
        if (texts_of_.contains(s)) continue;
        head += fmt::format("IVAR {} : {};\n", declare(s, pool_.info(s).name + "_" + t.name),
                            sort(pool_.info(s).type));
      }
    }
    const std::string init = formula(system_.init);
    std::string steps;
    for (const Transition& t : system_.transitions) {
      steps += fmt::format("  {} -- {}\n    ({})\n", steps.empty() ? " " : "|", one_line(t.name),
                           step(t));
    }
    if (steps.empty()) steps = "  FALSE\n";
    const std::string property = specification(live);
    return fmt::format("{}{}INIT {};\nTRANS\n{};\n{};\n", head, defines_, init, steps, property);
  }

 private:
  static std::string one_line(std::string text) {
    for (char& c : text)
      if (c == '\n' || c == '\r') c = ' ';
    return text;
  }

  [[noreturn]] static void unsupported(const std::string& what) {
    throw Inexpressible("nuXmv's language has no " + what);
  }

  std::string unique(std::string_view wanted) {
    std::string name;
    for (const char c : wanted) {
      const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        (c >= '0' && c <= '9' && !name.empty());
      name.push_back(good ? c : '_');
    }
    if (name.empty()) name = "_";
    std::string result = name;
    for (std::size_t i = 2; !names_.insert(result).second; ++i)
      result = fmt::format("{}_{}", name, i);
    return result;
  }

  std::string declare(SymbolId symbol, std::string_view wanted) {
    return texts_of_[symbol] = unique(wanted);
  }

  // Names for the values of the enumerations that occur.
  std::string enumerations() {
    std::vector<Expr> terms{system_.init, system_.goal.condition};
    for (const Transition& t : system_.transitions) {
      terms.push_back(t.guard);
      for (const Update& u : t.updates) terms.push_back(u.value);
      if (t.relation.valid()) terms.push_back(t.relation);
    }
    const auto note = [&](Type type) {
      if (pool_.kind(type) != TypeKind::Enum || values_.contains(type.id())) return;
      auto& names = values_[type.id()];
      for (const std::string& value : pool_.info(type).values) names.push_back(unique(value));
    };
    for (const StateVariable& v : system_.variables) note(v.type);
    for_each_subterm(pool_, terms, [&](Expr e) { note(pool_.type(e)); });
    return "";
  }

  std::string sort(Type type) {
    const TypeInfo& info = pool_.info(type);
    switch (info.kind) {
      case TypeKind::Bool:
        return "boolean";
      case TypeKind::Int:
        return "integer";
      case TypeKind::Real:
        return "real";
      case TypeKind::BitVector:
        return fmt::format("unsigned word[{}]", info.width);
      case TypeKind::Enum: {
        std::string list;
        for (const std::string& value : values_.at(type.id()))
          list += (list.empty() ? "" : ", ") + value;
        return "{" + list + "}";
      }
      case TypeKind::Array: {
        const TypeInfo& index = pool_.info(info.index);
        if (index.kind == TypeKind::Int) return "array integer of " + sort(info.element);
        if (index.kind == TypeKind::BitVector)
          return fmt::format("array word[{}] of {}", index.width, sort(info.element));
        unsupported("arrays over " + pool_.to_string(info.index));
      }
      case TypeKind::String:
        unsupported("strings");
      case TypeKind::Set:
        unsupported("sets");
    }
    return "";
  }

  // guard, updates, relation, and everything else stays
  std::string step(const Transition& t) {
    std::vector<std::string> parts;
    const auto add = [&](Expr e) {
      for (const Expr part : conjuncts(pool_, e))
        if (!pool_.is_true(part)) parts.push_back(formula(part));
    };
    add(t.guard);
    if (t.relation.valid()) add(t.relation);
    std::vector<char> changed(system_.variables.size(), 0);
    for (const Update& u : t.updates) {
      changed[u.variable] = 1;
      parts.push_back(fmt::format("(next({}) = {})",
                                  texts_of_.at(system_.variables[u.variable].current),
                                  formula(u.value)));
    }
    for (const std::uint32_t v : t.open) changed[v] = 1;
    for (std::size_t v = 0; v < changed.size(); ++v) {
      if (changed[v]) continue;
      const std::string& variable = texts_of_.at(system_.variables[v].current);
      parts.push_back(fmt::format("(next({0}) = {0})", variable));
    }
    std::string result;
    for (const std::string& part : parts) result += (result.empty() ? "" : " & ") + part;
    return result.empty() ? "TRUE" : result;
  }

  std::string formula(Expr e) { return written(expand_(e)); }

  std::string specification(const LiveExport* live) {
    if (live == nullptr) return "INVARSPEC " + formula(pool_.negate(system_.goal.condition));
    const LtlSyntax syntax{"!", "&", "|", "X",   "F",    "G",    "U",
                           "V", "S", "T", false, "TRUE", "FALSE"};
    return "LTLSPEC " + formula_text(*live->ltl, live->formula, syntax,
                                     [this](Expr e) { return "(" + formula(e) + ")"; });
  }

  const std::string& written(Expr root) {
    for_each_subterm(pool_, root, [&](Expr e) {
      if (texts_.contains(e)) return;
      for (const Expr child : pool_.children(e)) ++uses_[child];
    });
    const auto known = [&](Expr e) { return texts_.contains(e); };
    for_each_new_subterm(pool_, root, known, [&](Expr done) {
      bool changes = pool_.op(done) == Op::Apply && nexts_.contains(pool_.symbol_of(done));
      for (const Expr child : pool_.children(done)) changes = changes || next_.contains(child);
      if (changes) next_.insert(done, true);
      std::string result = text(done);
      const std::uint32_t* uses = uses_.find(done);
      const bool shared = uses != nullptr && *uses > 1 && result.size() > kShared;
      if (!changes && !pool_.is_const(done) && (shared || result.size() > kLong)) {
        const std::string name = unique(fmt::format("t{}", ++defined_));
        defines_ += fmt::format("DEFINE {} := {};\n", name, result);
        result = name;
      }
      texts_.insert(done, std::move(result));
    });
    return *texts_.find(root);
  }

  std::string rational(const Rational& value) {
    if (value.sign() < 0) return fmt::format("(-{})", rational(-value));
    if (value.is_integer()) return value.numerator().to_string() + ".0";
    return fmt::format("f'{}/{}", value.numerator().to_string(), value.denominator().to_string());
  }

  std::string word(const Integer& bits, std::uint32_t width) {
    return fmt::format("0ud{}_{}", width, bits.to_string());
  }

  std::string constant(Expr e) {
    const Value& value = pool_.value(e);
    const Type type = pool_.type(e);
    if (value.is_bool()) return value.as_bool() ? "TRUE" : "FALSE";
    switch (pool_.kind(type)) {
      case TypeKind::Int: {
        const Integer& number = value.as_integer();
        return number.sign() < 0 ? fmt::format("(-{})", (-number).to_string()) : number.to_string();
      }
      case TypeKind::Real:
        return rational(value.as_real());
      case TypeKind::Enum:
        return values_.at(type.id()).at(value.as_enum().index);
      case TypeKind::BitVector:
        return word(value.as_bit_vector().bits, value.as_bit_vector().width);
      case TypeKind::Array: {
        const TypeInfo info = pool_.info(type);
        std::string result =
            fmt::format("CONSTARRAY({}, {})", sort(type),
                        constant(pool_.constant(value.as_array().otherwise, info.element)));
        for (const auto& [index, element] : value.as_array().entries) {
          result =
              fmt::format("WRITE({}, {}, {})", result, constant(pool_.constant(index, info.index)),
                          constant(pool_.constant(element, info.element)));
        }
        return result;
      }
      default:
        unsupported("values of type " + pool_.to_string(type));
    }
  }

  std::string joined(Expr e, std::string_view sign) {
    std::string result;
    for (const Expr child : pool_.children(e)) {
      if (!result.empty()) result += fmt::format(" {} ", sign);
      result += *texts_.find(child);
    }
    return "(" + result + ")";
  }

  std::string text(Expr e) {
    const auto child = [&](std::size_t i) -> const std::string& {
      return *texts_.find(pool_.child(e, i));
    };
    const auto width = [&] { return pool_.info(pool_.type(pool_.child(e, 0))).width; };
    switch (pool_.op(e)) {
      case Op::Const:
        return constant(e);
      case Op::Apply: {
        const auto it = texts_of_.find(pool_.symbol_of(e));
        WHITTLE_REQUIRE(it != texts_of_.end(), "a symbol of the flat system");
        return it->second;
      }
      case Op::Not:
        return "(!" + child(0) + ")";
      case Op::And:
        return joined(e, "&");
      case Op::Or:
        return joined(e, "|");
      case Op::Implies:
        return joined(e, "->");
      case Op::Ite:
        return fmt::format("({} ? {} : {})", child(0), child(1), child(2));
      case Op::Eq:
        return joined(e, pool_.type(pool_.child(e, 0)) == Type::boolean() ? "<->" : "=");
      case Op::Lt:
        return joined(e, "<");
      case Op::Le:
        return joined(e, "<=");
      case Op::Neg:
        return "(-" + child(0) + ")";
      case Op::Add:
        return joined(e, "+");
      case Op::Sub:
        return joined(e, "-");
      case Op::Mul:
        return joined(e, "*");
      case Op::Div:
        return joined(e, "/");
      case Op::IDiv:
        return fmt::format("(({} - {}) / {})", child(0), remainder(child(0), child(1)), child(1));
      case Op::Mod:
        return remainder(child(0), child(1));
      case Op::Pow:
        return power(e);
      case Op::ToReal:
        return child(0);  // integers count as reals
      case Op::ToInt:
        return "floor(" + child(0) + ")";
      case Op::Select:
        return fmt::format("READ({}, {})", child(0), child(1));
      case Op::Store:
        return fmt::format("WRITE({}, {}, {})", child(0), child(1), child(2));
      case Op::ConstArray:
        return fmt::format("CONSTARRAY({}, {})", sort(pool_.type(e)), child(0));
      case Op::BvNot:
        return "(!" + child(0) + ")";
      case Op::BvNeg:
        return "(-" + child(0) + ")";
      case Op::BvAnd:
        return joined(e, "&");
      case Op::BvOr:
        return joined(e, "|");
      case Op::BvXor:
        return joined(e, "xor");
      case Op::BvAdd:
        return joined(e, "+");
      case Op::BvSub:
        return joined(e, "-");
      case Op::BvMul:
        return joined(e, "*");
      case Op::BvUDiv:
        return by_zero(e, fmt::format("(!{})", word(0, width())), joined(e, "/"));
      case Op::BvURem:
        return by_zero(e, child(0), joined(e, "mod"));
      case Op::BvSDiv:
        return by_zero(e,
                       fmt::format("(signed({}) < signed({}) ? {} : (!{}))", child(0),
                                   word(0, width()), word(1, width()), word(0, width())),
                       fmt::format("unsigned(signed({}) / signed({}))", child(0), child(1)));
      case Op::BvSRem:
        return by_zero(e, child(0),
                       fmt::format("unsigned(signed({}) mod signed({}))", child(0), child(1)));
      case Op::BvSMod:
        return signed_modulo(child(0), child(1), width());
      case Op::BvShl:
        return shifted(e, word(0, width()), joined(e, "<<"));
      case Op::BvLShr:
        return shifted(e, word(0, width()), joined(e, ">>"));
      case Op::BvAShr:
        return shifted(e,
                       fmt::format("(signed({}) < signed({}) ? (!{}) : {})", child(0),
                                   word(0, width()), word(0, width()), word(0, width())),
                       fmt::format("unsigned(signed({}) >> {})", child(0), child(1)));
      case Op::BvULt:
        return joined(e, "<");
      case Op::BvULe:
        return joined(e, "<=");
      case Op::BvSLt:
        return fmt::format("(signed({}) < signed({}))", child(0), child(1));
      case Op::BvSLe:
        return fmt::format("(signed({}) <= signed({}))", child(0), child(1));
      case Op::BvConcat:
        return joined(e, "::");
      case Op::BvExtract: {
        const auto [high, low] = pool_.indices(e);
        return fmt::format("{}[{}:{}]", child(0), high, low);
      }
      case Op::BvZeroExtend:
        return fmt::format("extend({}, {})", child(0), pool_.indices(e).first);
      case Op::BvSignExtend:
        return fmt::format("unsigned(extend(signed({}), {}))", child(0), pool_.indices(e).first);
      case Op::BvToNat:
        return "toint(" + child(0) + ")";
      default:
        unsupported("operator for this term: " + pool_.to_string(pool_.type(e)));
    }
  }

  // SMT-LIB's remainder is never negative.
  static std::string remainder(const std::string& a, const std::string& b) {
    return fmt::format(
        "((({0} mod {1}) < 0) ? (({0} mod {1}) + (({1} < 0) ? (-{1}) : {1})) : ({0} mod {1}))", a,
        b);
  }

  std::string power(Expr e) {
    const auto exponent = pool_.value(pool_.child(e, 1)).as_integer().to_int64();
    std::string result = pool_.type(e) == Type::real() ? "1.0" : "1";
    for (std::int64_t i = 0; i < exponent.value_or(0); ++i)
      result = i == 0 ? *texts_.find(pool_.child(e, 0))
                      : fmt::format("({} * {})", result, *texts_.find(pool_.child(e, 0)));
    return result;
  }

  std::string by_zero(Expr e, const std::string& value, const std::string& otherwise) {
    const std::uint32_t width = pool_.info(pool_.type(e)).width;
    return fmt::format("(({} = {}) ? {} : {})", *texts_.find(pool_.child(e, 1)), word(0, width),
                       value, otherwise);
  }

  // The sign of the divisor, as bvsmod has it.
  std::string signed_modulo(const std::string& a, const std::string& b, std::uint32_t width) {
    const std::string zero = word(0, width);
    const std::string rest = fmt::format("unsigned(signed({}) mod signed({}))", a, b);
    return fmt::format(
        "(({1} = {2}) ? {0} : ((({3} = {2}) | ((signed({3}) < signed({2})) = (signed({1}) < "
        "signed({2})))) ? {3} : ({3} + {1})))",
        a, b, zero, rest);
  }

  std::string shifted(Expr e, const std::string& far, const std::string& otherwise) {
    const std::uint32_t width = pool_.info(pool_.type(e)).width;
    // Shifts below the width fit the word, unless it is of one bit.
    const std::string& by = *texts_.find(pool_.child(e, 1));
    return fmt::format("((toint({}) >= {}) ? {} : {})", by, width, far, otherwise);
  }

  const TransitionSystem& system_;
  ExprPool& pool_;
  smt::Expander expand_;
  std::unordered_set<std::string> names_;
  std::unordered_map<SymbolId, std::string> texts_of_;
  std::unordered_set<SymbolId> nexts_;
  std::unordered_map<std::uint32_t, std::vector<std::string>> values_;  // of enums, by type
  ExprMap<std::uint32_t> uses_;
  ExprMap<std::string> texts_;
  ExprMap<bool> next_;  // terms with next values
  std::string defines_;
  std::size_t defined_ = 0;
};

}  // namespace

std::string export_smv(const TransitionSystem& system, const std::string& name,
                       const ExportOptions& options) {
  return SmvWriter(system).run(name, options.live);
}

}  // namespace whittle
