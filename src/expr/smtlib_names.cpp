// SPDX-License-Identifier: Apache-2.0
#include "expr/smtlib_names.h"

namespace whittle {

const char* smtlib_name(Op op) {
  switch (op) {
    case Op::Not:
      return "not";
    case Op::And:
      return "and";
    case Op::Or:
      return "or";
    case Op::Implies:
      return "=>";
    case Op::Ite:
      return "ite";
    case Op::Eq:
      return "=";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Neg:
    case Op::Sub:
      return "-";
    case Op::Add:
      return "+";
    case Op::Mul:
      return "*";
    case Op::Div:
      return "/";
    case Op::IDiv:
      return "div";
    case Op::Mod:
      return "mod";
    case Op::ToReal:
      return "to_real";
    case Op::ToInt:
      return "to_int";
    case Op::Concat:
      return "str.++";
    case Op::Select:
      return "select";
    case Op::Store:
      return "store";
    case Op::BvNot:
      return "bvnot";
    case Op::BvNeg:
      return "bvneg";
    case Op::BvAnd:
      return "bvand";
    case Op::BvOr:
      return "bvor";
    case Op::BvXor:
      return "bvxor";
    case Op::BvAdd:
      return "bvadd";
    case Op::BvSub:
      return "bvsub";
    case Op::BvMul:
      return "bvmul";
    case Op::BvUDiv:
      return "bvudiv";
    case Op::BvURem:
      return "bvurem";
    case Op::BvSDiv:
      return "bvsdiv";
    case Op::BvSRem:
      return "bvsrem";
    case Op::BvSMod:
      return "bvsmod";
    case Op::BvShl:
      return "bvshl";
    case Op::BvLShr:
      return "bvlshr";
    case Op::BvAShr:
      return "bvashr";
    case Op::BvULt:
      return "bvult";
    case Op::BvULe:
      return "bvule";
    case Op::BvSLt:
      return "bvslt";
    case Op::BvSLe:
      return "bvsle";
    case Op::BvConcat:
      return "concat";
    case Op::BvToNat:
      return "bv2nat";
    default:
      return nullptr;
  }
}

}  // namespace whittle
