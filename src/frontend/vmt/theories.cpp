// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/theories.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "expr/traverse.h"

namespace whittle::vmt {

namespace {

enum class Shape : std::uint8_t {
  Plain,     // the operator as it is
  Left,      // two or more, grouped from the left
  Right,     // two or more, grouped from the right
  Chain,     // a < b < c: every two neighbours
  Swapped,   // a chain with the sides exchanged: `>` by `<`
  Negated,   // two, and the result inverted: `bvnand`
  Junction,  // one or more
  Xor,       // Bool
  Distinct,  // every two
  Minus,     // `(- a)` or a difference
  Abs,
  IsInt,
  BvCompare,   // one bit: whether they are equal
  Extract,     // indices: high, low
  Extend,      // index: number of bits
  RotateLeft,  // index: by how many
  RotateRight,
  Repeat,  // index: how often
  ToBits,  // index: width
  SignedValue,
  Divisible,  // index: the divisor
};

struct Function {
  std::string_view name;
  Shape shape;
  Op op;
  std::uint8_t indices = 0;
};

constexpr Function kFunctions[] = {
    {"not", Shape::Plain, Op::Not},
    {"and", Shape::Junction, Op::And},
    {"or", Shape::Junction, Op::Or},
    {"=>", Shape::Right, Op::Implies},
    {"xor", Shape::Xor, Op::Eq},
    {"=", Shape::Chain, Op::Eq},
    {"distinct", Shape::Distinct, Op::Eq},
    {"ite", Shape::Plain, Op::Ite},
    {"+", Shape::Junction, Op::Add},
    {"-", Shape::Minus, Op::Sub},
    {"*", Shape::Junction, Op::Mul},
    {"/", Shape::Left, Op::Div},
    {"div", Shape::Left, Op::IDiv},
    {"mod", Shape::Plain, Op::Mod},
    {"abs", Shape::Abs, Op::Neg},
    {"<", Shape::Chain, Op::Lt},
    {"<=", Shape::Chain, Op::Le},
    {">", Shape::Swapped, Op::Lt},
    {">=", Shape::Swapped, Op::Le},
    {"to_real", Shape::Plain, Op::ToReal},
    {"to_int", Shape::Plain, Op::ToInt},
    {"is_int", Shape::IsInt, Op::ToInt},
    {"divisible", Shape::Divisible, Op::Mod, 1},
    {"select", Shape::Plain, Op::Select},
    {"store", Shape::Plain, Op::Store},
    {"str.++", Shape::Junction, Op::Concat},
    {"concat", Shape::Left, Op::BvConcat},
    {"extract", Shape::Extract, Op::BvExtract, 2},
    {"zero_extend", Shape::Extend, Op::BvZeroExtend, 1},
    {"sign_extend", Shape::Extend, Op::BvSignExtend, 1},
    {"rotate_left", Shape::RotateLeft, Op::BvExtract, 1},
    {"rotate_right", Shape::RotateRight, Op::BvExtract, 1},
    {"repeat", Shape::Repeat, Op::BvConcat, 1},
    {"int2bv", Shape::ToBits, Op::IntToBv, 1},
    {"int_to_bv", Shape::ToBits, Op::IntToBv, 1},
    {"nat2bv", Shape::ToBits, Op::IntToBv, 1},
    {"bv2nat", Shape::Plain, Op::BvToNat},
    {"ubv_to_int", Shape::Plain, Op::BvToNat},
    {"sbv_to_int", Shape::SignedValue, Op::BvToNat},
    {"bvnot", Shape::Plain, Op::BvNot},
    {"bvneg", Shape::Plain, Op::BvNeg},
    {"bvand", Shape::Left, Op::BvAnd},
    {"bvor", Shape::Left, Op::BvOr},
    {"bvxor", Shape::Left, Op::BvXor},
    {"bvnand", Shape::Negated, Op::BvAnd},
    {"bvnor", Shape::Negated, Op::BvOr},
    {"bvxnor", Shape::Negated, Op::BvXor},
    {"bvcomp", Shape::BvCompare, Op::Eq},
    {"bvadd", Shape::Left, Op::BvAdd},
    {"bvsub", Shape::Left, Op::BvSub},
    {"bvmul", Shape::Left, Op::BvMul},
    {"bvudiv", Shape::Plain, Op::BvUDiv},
    {"bvurem", Shape::Plain, Op::BvURem},
    {"bvsdiv", Shape::Plain, Op::BvSDiv},
    {"bvsrem", Shape::Plain, Op::BvSRem},
    {"bvsmod", Shape::Plain, Op::BvSMod},
    {"bvshl", Shape::Plain, Op::BvShl},
    {"bvlshr", Shape::Plain, Op::BvLShr},
    {"bvashr", Shape::Plain, Op::BvAShr},
    {"bvult", Shape::Chain, Op::BvULt},
    {"bvule", Shape::Chain, Op::BvULe},
    {"bvugt", Shape::Swapped, Op::BvULt},
    {"bvuge", Shape::Swapped, Op::BvULe},
    {"bvslt", Shape::Chain, Op::BvSLt},
    {"bvsle", Shape::Chain, Op::BvSLe},
    {"bvsgt", Shape::Swapped, Op::BvSLt},
    {"bvsge", Shape::Swapped, Op::BvSLe},
};

// More arguments of `distinct` are a mistake, or would be too many pairs.
constexpr std::size_t kMaxDistinct = 1000;

const Function* find(std::string_view name) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const Function*> result;
    for (const Function& f : kFunctions) result.emplace(f.name, &f);
    return result;
  }();
  const auto it = table.find(name);
  return it == table.end() ? nullptr : it->second;
}

class Application {
 public:
  Application(ExprPool& pool, const Function& function, std::span<const Integer> indices,
              std::vector<Expr> arguments)
      : pool_(pool), function_(function), indices_(indices), arguments_(std::move(arguments)) {}

  Applied run() {
    if (indices_.size() != function_.indices) {
      fail(function_.indices == 0
               ? fmt::format("`{}` takes no indices", function_.name)
               : fmt::format("`{0}` needs {1} {2}: ((_ {0}{3}) ...)", function_.name,
                             function_.indices, function_.indices == 1 ? "index" : "indices",
                             function_.indices == 1 ? " 1" : " 7 0"));
      return result_;
    }
    if (arguments_.empty()) {
      fail(fmt::format("`{}` needs arguments", function_.name));
      return result_;
    }
    to_reals();
    apply();
    return result_;
  }

 private:
  void fail(std::string problem) {
    if (result_.problem.empty()) result_.problem = std::move(problem);
    result_.term = Expr();
  }

  // Of the operator, or a message in terms of the function as it was written.
  Expr make(Op op, std::initializer_list<Expr> arguments) {
    return make(op, std::span<const Expr>(arguments.begin(), arguments.size()));
  }
  Expr make(Op op, std::span<const Expr> arguments) {
    for (const Expr e : arguments)
      if (!e.valid()) return {};
    if (auto problem = pool_.type_problem(op, arguments)) {
      const std::size_t quote = problem->find('\'', 1);
      fail(fmt::format("`{}`{}", function_.name,
                       quote == std::string::npos ? ": " + *problem : problem->substr(quote + 1)));
      return {};
    }
    if (op == Op::BvConcat) {
      const auto bits = [&](Expr e) { return pool_.info(pool_.type(e)).width; };
      if (bits(arguments[0]) + bits(arguments[1]) > kMaxWidth) {
        fail(fmt::format("bit vectors wider than {} bits are not supported", kMaxWidth));
        return {};
      }
    }
    return pool_.make(op, arguments);
  }

  [[nodiscard]] TypeKind kind(std::size_t i) const { return pool_.kind(pool_.type(arguments_[i])); }
  [[nodiscard]] std::uint32_t width() const { return pool_.info(pool_.type(arguments_[0])).width; }

  // Logics of reals write numerals for reals, and integers mix with reals in some.
  void to_reals() {
    switch (function_.op) {
      case Op::Eq:
      case Op::Lt:
      case Op::Le:
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
      case Op::Ite:
        break;
      case Op::Div:
      case Op::ToInt:
        for (std::size_t i = 0; i < arguments_.size(); ++i) to_real(i);
        return;
      case Op::ToReal:
        if (arguments_.size() == 1) to_real(0);
        return;
      case Op::Select:
      case Op::Store:
        to_elements();
        return;
      default:
        return;
    }
    bool real = false;
    for (std::size_t i = 0; i < arguments_.size(); ++i) real = real || kind(i) == TypeKind::Real;
    if (!real) return;
    for (std::size_t i = function_.op == Op::Ite ? 1 : 0; i < arguments_.size(); ++i) to_real(i);
  }

  void to_real(std::size_t i) {
    if (kind(i) == TypeKind::Int) arguments_[i] = as_real(pool_, arguments_[i]);
  }

  void to_elements() {
    if (kind(0) != TypeKind::Array) return;
    const TypeInfo info = pool_.info(pool_.type(arguments_[0]));
    if (arguments_.size() > 1 && info.index == Type::real()) to_real(1);
    if (arguments_.size() > 2 && info.element == Type::real()) to_real(2);
  }

  // Left, Right, Chain...
  bool enough(std::size_t least) {
    if (arguments_.size() >= least) return true;
    fail(fmt::format("`{}` needs at least {} arguments, but there is {}", function_.name, least,
                     arguments_.size()));
    return false;
  }

  bool exactly(std::size_t count) {
    if (arguments_.size() == count) return true;
    fail(fmt::format("`{}` needs {} {}, but there are {}", function_.name, count,
                     count == 1 ? "argument" : "arguments", arguments_.size()));
    return false;
  }

  bool bits(std::size_t count) {
    if (!exactly(count)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (kind(i) == TypeKind::BitVector) continue;
      fail(fmt::format("`{}` needs bit vectors, but {} is {}", function_.name,
                       count == 1 ? "its argument" : fmt::format("argument {}", i + 1),
                       pool_.to_string(pool_.type(arguments_[i]))));
      return false;
    }
    return true;
  }

  // An index as a machine number, at most `max`.
  std::optional<std::uint32_t> index(std::size_t i, std::uint64_t max) {
    const auto value = indices_[i].to_int64();
    if (value && *value >= 0 && static_cast<std::uint64_t>(*value) <= max) {
      return static_cast<std::uint32_t>(*value);
    }
    fail(fmt::format("the index {} of `{}` is too large here: at most {}", indices_[i].to_string(),
                     function_.name, max));
    return std::nullopt;
  }

  void apply() {
    switch (function_.shape) {
      case Shape::Plain:
        if (function_.op == Op::ToReal && kind(0) == TypeKind::Real && exactly(1)) {
          result_.term = arguments_[0];
        } else if (function_.op == Op::BvToNat && !bits(1)) {
          return;
        } else {
          result_.term = make(function_.op, arguments_);
        }
        return;
      case Shape::Junction:
        result_.term = arguments_.size() == 1 ? single() : make(function_.op, arguments_);
        return;
      case Shape::Left:
        left();
        return;
      case Shape::Right:
        right();
        return;
      case Shape::Chain:
      case Shape::Swapped:
        chain();
        return;
      case Shape::Negated:
        if (exactly(2)) result_.term = make(Op::BvNot, {make(function_.op, arguments_)});
        return;
      case Shape::Xor:
        exclusive_or();
        return;
      case Shape::Distinct:
        distinct();
        return;
      case Shape::Minus:
        if (arguments_.size() == 1) {
          result_.term = make(Op::Neg, arguments_);
        } else {
          left();
        }
        return;
      case Shape::Abs:
        if (exactly(1)) absolute();
        return;
      case Shape::IsInt:
        if (exactly(1) && make(Op::ToInt, arguments_).valid()) {
          result_.term = pool_.eq(arguments_[0], pool_.to_real(pool_.make(Op::ToInt, arguments_)));
        }
        return;
      case Shape::Divisible:
        if (exactly(1)) divisible();
        return;
      case Shape::BvCompare:
        if (bits(2)) {
          const Expr equal = make(Op::Eq, arguments_);
          if (equal.valid()) result_.term = pool_.ite(equal, bit(1), bit(0));
        }
        return;
      case Shape::SignedValue:
        if (bits(1)) signed_value();
        return;
      case Shape::Extract:
      case Shape::Extend:
      case Shape::RotateLeft:
      case Shape::RotateRight:
      case Shape::Repeat:
        if (bits(1)) indexed();
        return;
      case Shape::ToBits:
        to_bits();
        return;
    }
  }

  // `(and a)`: some tools write it.
  Expr single() {
    const Expr e = arguments_[0];
    const Expr twice[] = {e, e};
    if (!make(function_.op, twice).valid()) return {};
    return e;
  }

  void left() {
    if (!enough(2)) return;
    Expr e = arguments_[0];
    for (std::size_t i = 1; i < arguments_.size() && e.valid(); ++i) {
      e = make(function_.op, {e, arguments_[i]});
    }
    result_.term = e;
  }

  void right() {
    if (!enough(2)) return;
    Expr e = arguments_.back();
    for (std::size_t i = arguments_.size() - 1; i-- > 0 && e.valid();) {
      e = make(function_.op, {arguments_[i], e});
    }
    result_.term = e;
  }

  void chain() {
    if (!enough(2)) return;
    std::vector<Expr> parts;
    for (std::size_t i = 0; i + 1 < arguments_.size(); ++i) {
      const Expr a = arguments_[i];
      const Expr b = arguments_[i + 1];
      Expr part = make(function_.op, {a, b});  // complains about the sides as they are written
      if (!part.valid()) return;
      if (function_.shape == Shape::Swapped) part = make(function_.op, {b, a});
      parts.push_back(part);
    }
    result_.term = pool_.conj(parts);
  }

  void exclusive_or() {
    if (!enough(2)) return;
    Expr e = arguments_[0];
    for (std::size_t i = 1; i < arguments_.size(); ++i) {
      if (kind(0) != TypeKind::Bool || kind(i) != TypeKind::Bool) {
        return fail(fmt::format(
            "`xor` needs Bools, but argument {} is {}", kind(0) != TypeKind::Bool ? 1 : i + 1,
            pool_.to_string(pool_.type(arguments_[kind(0) != TypeKind::Bool ? 0 : i]))));
      }
      e = pool_.ne(e, arguments_[i]);
    }
    result_.term = e;
  }

  void distinct() {
    if (!enough(2)) return;
    if (arguments_.size() > kMaxDistinct) {
      return fail(fmt::format("`distinct` of more than {} terms is not supported", kMaxDistinct));
    }
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      for (std::size_t j = i + 1; j < arguments_.size(); ++j) {
        const Expr equal = make(Op::Eq, {arguments_[i], arguments_[j]});
        if (!equal.valid()) return;
        parts.push_back(pool_.negate(equal));
      }
    }
    result_.term = pool_.conj(parts);
  }

  void absolute() {
    const Expr e = arguments_[0];
    const Expr minus = make(Op::Neg, arguments_);
    if (!minus.valid()) return;
    const Expr zero =
        kind(0) == TypeKind::Int ? pool_.integer(0) : pool_.real(Rational(Integer(0)));
    result_.term = pool_.ite(pool_.lt(e, zero), minus, e);
  }

  void divisible() {
    if (indices_[0].sign() <= 0) return fail("`divisible` needs a positive index");
    const Expr rest = make(Op::Mod, {arguments_[0], pool_.integer(indices_[0])});
    if (rest.valid()) result_.term = pool_.eq(rest, pool_.integer(0));
  }

  Expr bit(int value) {
    return pool_.constant(Value(BitVectorValue{Integer(value), 1}), pool_.bit_vector_type(1));
  }

  void signed_value() {
    const std::uint32_t bits = width();
    const Expr sign = pool_.eq(pool_.bv_extract(arguments_[0], bits - 1, bits - 1), bit(1));
    const Expr value = pool_.make(Op::BvToNat, arguments_);
    result_.term = pool_.ite(sign, pool_.sub(value, pool_.integer(pow(Integer(2), bits))), value);
  }

  void indexed() {
    const Expr e = arguments_[0];
    switch (function_.shape) {
      case Shape::Extract: {
        const auto high = index(0, width() - 1);
        if (!high) return;
        const auto low = index(1, *high);
        if (low) result_.term = pool_.bv_extract(e, *high, *low);
        return;
      }
      case Shape::Extend: {
        const auto more = index(0, kMaxWidth - width());
        if (more) result_.term = *more == 0 ? e : pool_.bv_extend(function_.op, e, *more);
        return;
      }
      case Shape::RotateLeft:
      case Shape::RotateRight: {
        const auto by = euclidean_mod(indices_[0], Integer(width())).to_int64();
        const auto right = static_cast<std::uint32_t>(
            function_.shape == Shape::RotateRight ? *by : (width() - *by) % width());
        // The low `right` bits go to the top.
        result_.term = right == 0
                           ? e
                           : pool_.make(Op::BvConcat, {pool_.bv_extract(e, right - 1, 0),
                                                       pool_.bv_extract(e, width() - 1, right)});
        return;
      }
      case Shape::Repeat: {
        const auto times = index(0, kMaxWidth / width());
        if (!times) return;
        if (*times == 0) return fail("`repeat` needs a positive index");
        Expr all = e;
        for (std::uint32_t i = 1; i < *times; ++i) all = pool_.make(Op::BvConcat, {all, e});
        result_.term = all;
        return;
      }
      default:
        return;
    }
  }

  void to_bits() {
    if (!exactly(1)) return;
    if (kind(0) != TypeKind::Int) {
      return fail(fmt::format("`{}` needs an Int, but its argument is {}", function_.name,
                              pool_.to_string(pool_.type(arguments_[0]))));
    }
    const auto bits = index(0, kMaxWidth);
    if (!bits) return;
    if (*bits == 0) return fail("a bit vector has at least one bit");
    result_.term = pool_.int_to_bv(arguments_[0], *bits);
  }

  ExprPool& pool_;
  const Function& function_;
  std::span<const Integer> indices_;
  std::vector<Expr> arguments_;
  Applied result_;
};

}  // namespace

Expr as_real(ExprPool& pool, Expr e) {
  if (pool.type(e) != Type::integer() || pool.is_const(e)) return pool.to_real(e);
  // Down to numerals through arithmetic and `ite`, in small terms only.
  constexpr std::size_t kSmall = 1000;
  std::size_t count = 0;
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr part = open.back();
    open.pop_back();
    if (++count > kSmall) return pool.to_real(e);
    const auto children = pool.children(part);
    switch (pool.op(part)) {
      case Op::Const:
        break;
      case Op::Ite:
        open.push_back(children[1]);
        open.push_back(children[2]);
        break;
      case Op::Neg:
      case Op::Add:
      case Op::Sub:
      case Op::Mul:
        open.insert(open.end(), children.begin(), children.end());
        break;
      default:
        return pool.to_real(e);
    }
  }
  Rewriter rewrite(pool, [&](Expr part, std::span<const Expr> arguments) -> Expr {
    if (pool.type(part) != Type::integer()) return part;  // a condition: stays as it is
    if (pool.is_const(part)) return pool.to_real(part);
    if (pool.op(part) != Op::Ite) {
      for (const Expr argument : arguments)
        if (pool.type(argument) != Type::real()) return part;  // of a condition
      return pool.make(pool.op(part), arguments);
    }
    if (pool.type(arguments[1]) != Type::real() || pool.type(arguments[2]) != Type::real()) {
      return part;
    }
    return pool.make(Op::Ite, arguments);
  });
  const Expr result = rewrite(e);
  return pool.type(result) == Type::real() ? result : pool.to_real(e);
}

bool is_core_name(std::string_view name) {
  constexpr std::string_view kWords[] = {"true", "false",    "not", "and",    "or",
                                         "xor",  "distinct", "ite", "forall", "exists",
                                         "let",  "as",       "_",   "!",      "par"};
  if (std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords)) return true;
  return is_theory_function(name) && name.find_first_not_of("=<>+-*/") == name.npos;
}

bool is_theory_function(std::string_view name) { return find(name) != nullptr; }

std::span<const std::string_view> theory_functions() {
  static const auto names = [] {
    std::vector<std::string_view> result;
    for (const Function& f : kFunctions) result.push_back(f.name);
    return result;
  }();
  return names;
}

Applied apply_theory(ExprPool& pool, std::string_view name, std::span<const Integer> indices,
                     std::vector<Expr> arguments) {
  Applied result = Application(pool, *find(name), indices, std::move(arguments)).run();
  if (!result.problem.empty()) result.term = Expr();
  return result;
}

}  // namespace whittle::vmt
