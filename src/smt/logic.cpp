// SPDX-License-Identifier: Apache-2.0
#include "smt/logic.h"

#include <algorithm>
#include <array>

namespace whittle::smt {

bool Logic::includes(const Logic& other) const { return join(other) == *this; }

Logic Logic::join(const Logic& other) const {
  Logic result = *this;
  result.arrays |= other.arrays;
  result.sets |= other.sets;
  result.functions |= other.functions;
  result.bit_vectors |= other.bit_vectors;
  result.strings |= other.strings;
  result.integers |= other.integers;
  result.reals |= other.reals;
  result.nonlinear |= other.nonlinear;
  result.division |= other.division;
  result.few_hard_checks |= other.few_hard_checks;
  result.datatypes.insert(other.datatypes.begin(), other.datatypes.end());
  return result;
}

std::string Logic::name() const {
  if (strings || sets || !datatypes.empty()) return "ALL";
  std::string name = "QF_";
  if (arrays) name += "A";
  if (functions) name += "UF";
  if (bit_vectors) name += "BV";
  if (integers || reals) {
    name += nonlinear ? "N" : "L";
    if (integers) name += "I";
    if (reals) name += "R";
    name += "A";
  }
  if (name == "QF_") return "QF_UF";
  if (name == "QF_A") return "QF_AX";
  static constexpr std::array kNames{
      "QF_LIA",     "QF_LRA",    "QF_LIRA",   "QF_NIA",   "QF_NRA",   "QF_NIRA",  "QF_UF",
      "QF_UFLIA",   "QF_UFLRA",  "QF_UFLIRA", "QF_UFNIA", "QF_UFNRA", "QF_ALIA",  "QF_AUFLIA",
      "QF_AUFLIRA", "QF_AUFNIA", "QF_BV",     "QF_ABV",   "QF_UFBV",  "QF_AUFBV", "QF_AX"};
  bool known = std::find(kNames.begin(), kNames.end(), name) != kNames.end();
  return known ? name : "ALL";
}

bool LogicScanner::add(Expr term) {
  if (seen_[term]) return false;
  Logic before = logic_;
  std::vector<Expr> stack{term};
  seen_[term] = true;
  while (!stack.empty()) {
    Expr e = stack.back();
    stack.pop_back();
    look(e);
    for (Expr child : pool_.children(e)) {
      if (!std::exchange(seen_[child], true)) stack.push_back(child);
    }
  }
  return !(logic_ == before);
}

void LogicScanner::look(Expr e) {
  look(pool_.type(e), false);
  auto children = pool_.children(e);
  auto varies = [&](Expr child) { return !pool_.is_const(child); };
  switch (pool_.op(e)) {
    case Op::Apply:
      if (!children.empty()) {
        logic_.functions = true;
        look(pool_.type(e), true);
        for (Expr child : children) look(pool_.type(child), true);
      }
      break;
    case Op::Mul:
      if (std::count_if(children.begin(), children.end(), varies) > 1) logic_.nonlinear = true;
      break;
    case Op::IDiv:
    case Op::Mod:
      logic_.division = true;
      [[fallthrough]];
    case Op::Div:
      if (varies(children[1])) logic_.nonlinear = true;
      break;
    default:
      break;
  }
}

void LogicScanner::look(Type type, bool inside) {
  if (type.id() >= types_.size()) types_.resize(type.id() + 1);
  std::uint8_t mark = inside ? 2 : 1;
  if ((types_[type.id()] & mark) != 0) return;
  types_[type.id()] = static_cast<std::uint8_t>(types_[type.id()] | mark);
  const TypeInfo& info = pool_.info(type);
  switch (info.kind) {
    case TypeKind::Bool:
      break;
    case TypeKind::Int:
      logic_.integers = true;
      break;
    case TypeKind::Real:
      logic_.reals = true;
      break;
    case TypeKind::String:
      logic_.strings = true;
      break;
    case TypeKind::Enum:
      if (inside)
        logic_.datatypes.insert(type);
      else
        logic_.integers = true;
      break;
    case TypeKind::Array:
      logic_.arrays = true;
      look(info.index, true);
      look(info.element, true);
      break;
    case TypeKind::Set:
      logic_.sets = true;
      look(info.element, true);
      break;
    case TypeKind::BitVector:
      logic_.bit_vectors = true;
      break;
  }
}

Logic logic_of(const ExprPool& pool, std::span<const Expr> terms) {
  LogicScanner scanner(pool);
  for (Expr term : terms) scanner.add(term);
  return scanner.logic();
}

}  // namespace whittle::smt
