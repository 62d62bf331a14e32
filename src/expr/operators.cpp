// SPDX-License-Identifier: Apache-2.0
#include "expr/operators.h"

#include <array>

namespace whittle {

namespace {

using P = Precedence;
constexpr OperatorNotation kInfix = OperatorNotation::Infix;
constexpr OperatorNotation kPrefix = OperatorNotation::Prefix;
constexpr OperatorNotation kCall = OperatorNotation::Call;
constexpr OperatorNotation kSpecial = OperatorNotation::Special;

// In the order of `Op`.
// clang-format off
constexpr std::array<OperatorFacts, kOpCount> kFacts = {{
    {Op::Const,        "Const",        "constant",     0, 0,         kSpecial, P::Atom},
    {Op::Apply,        "Apply",        "application",  0, kAnyArity, kSpecial, P::Atom},
    {Op::Not,          "Not",          "!",            1, 1,         kPrefix,  P::Not},
    {Op::And,          "And",          "&&",           2, kAnyArity, kInfix,   P::And},
    {Op::Or,           "Or",           "||",           2, kAnyArity, kInfix,   P::Or},
    {Op::Implies,      "Implies",      "->",           2, 2,         kInfix,   P::Implies},
    {Op::Ite,          "Ite",          "? :",          3, 3,         kSpecial, P::Weakest},
    {Op::Eq,           "Eq",           "==",           2, 2,         kInfix,   P::Equality},
    {Op::Lt,           "Lt",           "<",            2, 2,         kInfix,   P::Comparison},
    {Op::Le,           "Le",           "<=",           2, 2,         kInfix,   P::Comparison},
    {Op::Neg,          "Neg",          "-",            1, 1,         kPrefix,  P::Sign},
    {Op::Add,          "Add",          "+",            2, kAnyArity, kInfix,   P::Sum},
    {Op::Sub,          "Sub",          "-",            2, 2,         kInfix,   P::Sum},
    {Op::Mul,          "Mul",          "*",            2, kAnyArity, kInfix,   P::Product},
    {Op::Div,          "Div",          "/",            2, 2,         kInfix,   P::Product},
    {Op::IDiv,         "IDiv",         "/",            2, 2,         kInfix,   P::Product},
    {Op::Mod,          "Mod",          "%",            2, 2,         kInfix,   P::Product},
    {Op::Pow,          "Pow",          "^",            2, 2,         kInfix,   P::Power},
    {Op::ToReal,       "ToReal",       "real",         1, 1,         kCall,    P::Atom},
    {Op::ToInt,        "ToInt",        "floor",        1, 1,         kCall,    P::Atom},
    {Op::Concat,       "Concat",       "++",           2, kAnyArity, kInfix,   P::Sum},
    {Op::Select,       "Select",       "[]",           2, 2,         kSpecial, P::Atom},
    {Op::Store,        "Store",        "[:=]",         3, 3,         kSpecial, P::Atom},
    {Op::ConstArray,   "ConstArray",   "array",        1, 1,         kCall,    P::Atom},
    {Op::SetOf,        "SetOf",        "{}",           0, kAnyArity, kSpecial, P::Atom},
    {Op::Member,       "Member",       "in",           2, 2,         kInfix,   P::Comparison},
    {Op::Union,        "Union",        "union",        2, 2,         kCall,    P::Atom},
    {Op::Intersection, "Intersection", "intersection", 2, 2,         kCall,    P::Atom},
    {Op::Difference,   "Difference",   "difference",   2, 2,         kCall,    P::Atom},
    {Op::Subset,       "Subset",       "subset",       2, 2,         kCall,    P::Atom},
    {Op::Card,         "Card",         "card",         1, 1,         kCall,    P::Atom},
    {Op::Forall,       "Forall",       "forall",       3, 3,         kSpecial, P::Weakest},
    {Op::Exists,       "Exists",       "exists",       3, 3,         kSpecial, P::Weakest},
    {Op::Filter,       "Filter",       "filter",       3, 3,         kSpecial, P::Atom},
    {Op::BvNot,        "BvNot",        "bvnot",        1, 1,         kCall,    P::Atom},
    {Op::BvNeg,        "BvNeg",        "bvneg",        1, 1,         kCall,    P::Atom},
    {Op::BvAnd,        "BvAnd",        "bvand",        2, 2,         kCall,    P::Atom},
    {Op::BvOr,         "BvOr",         "bvor",         2, 2,         kCall,    P::Atom},
    {Op::BvXor,        "BvXor",        "bvxor",        2, 2,         kCall,    P::Atom},
    {Op::BvAdd,        "BvAdd",        "bvadd",        2, 2,         kCall,    P::Atom},
    {Op::BvSub,        "BvSub",        "bvsub",        2, 2,         kCall,    P::Atom},
    {Op::BvMul,        "BvMul",        "bvmul",        2, 2,         kCall,    P::Atom},
    {Op::BvUDiv,       "BvUDiv",       "bvudiv",       2, 2,         kCall,    P::Atom},
    {Op::BvURem,       "BvURem",       "bvurem",       2, 2,         kCall,    P::Atom},
    {Op::BvSDiv,       "BvSDiv",       "bvsdiv",       2, 2,         kCall,    P::Atom},
    {Op::BvSRem,       "BvSRem",       "bvsrem",       2, 2,         kCall,    P::Atom},
    {Op::BvSMod,       "BvSMod",       "bvsmod",       2, 2,         kCall,    P::Atom},
    {Op::BvShl,        "BvShl",        "bvshl",        2, 2,         kCall,    P::Atom},
    {Op::BvLShr,       "BvLShr",       "bvlshr",       2, 2,         kCall,    P::Atom},
    {Op::BvAShr,       "BvAShr",       "bvashr",       2, 2,         kCall,    P::Atom},
    {Op::BvULt,        "BvULt",        "bvult",        2, 2,         kCall,    P::Atom},
    {Op::BvULe,        "BvULe",        "bvule",        2, 2,         kCall,    P::Atom},
    {Op::BvSLt,        "BvSLt",        "bvslt",        2, 2,         kCall,    P::Atom},
    {Op::BvSLe,        "BvSLe",        "bvsle",        2, 2,         kCall,    P::Atom},
    {Op::BvConcat,     "BvConcat",     "concat",       2, 2,         kCall,    P::Atom},
    {Op::BvExtract,    "BvExtract",    "[:]",          1, 1,         kSpecial, P::Atom},
    {Op::BvZeroExtend, "BvZeroExtend", "zero_extend",  1, 1,         kSpecial, P::Atom},
    {Op::BvSignExtend, "BvSignExtend", "sign_extend",  1, 1,         kSpecial, P::Atom},
    {Op::BvToNat,      "BvToNat",      "bv2nat",       1, 1,         kCall,    P::Atom},
    {Op::IntToBv,      "IntToBv",      "int2bv",       1, 1,         kSpecial, P::Atom},
}};
// clang-format on

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    if (static_cast<std::size_t>(kFacts[i].op) != i) return false;
  }
  return true;
}
static_assert(in_order(), "the table must list the operators in their order");

}  // namespace

const OperatorFacts& facts(Op op) { return kFacts[static_cast<std::size_t>(op)]; }

}  // namespace whittle
