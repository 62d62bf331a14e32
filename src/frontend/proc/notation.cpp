// SPDX-License-Identifier: Apache-2.0
#include "frontend/proc/notation.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/expression/plain_notation.h"
#include "frontend/proc/alike_processes.h"
#include "frontend/proc/symbol_writer.h"

namespace whittle::proc {

namespace {

// `[10, 11, 0, 0]` for arrays; long ones only up to what differs.
std::string shown_value(const ExprPool& pool, const Value& value, Type type) {
  const TypeInfo& info = pool.info(type);
  if (info.kind != TypeKind::Array) return frontend::print_value(pool, value, type, false);
  constexpr std::uint64_t kShown = 32;
  const std::uint64_t length = info.length.value_or(0);
  std::string text = "[";
  for (std::uint64_t i = 0; i < std::min(length, kShown); ++i) {
    if (i > 0) text += ", ";
    const Value& element = value.as_array().at(Value(Integer(static_cast<unsigned long>(i))));
    text += frontend::print_value(pool, element, info.element, false);
  }
  return text + (length > kShown ? ", ...]" : "]");
}

class ProcNotation final : public frontend::PlainNotation {
 public:
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    return frontend::print_expression(network.pool(), condition, symbol_writer(network));
  }
  [[nodiscard]] std::vector<std::string> conditions(const Network& network,
                                                    Expr condition) const override {
    return conjunct_texts(network, condition);
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.programs = true;
    traits.instances = "processes";
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return shown_value(pool, value, type);
  }
};

}  // namespace

std::shared_ptr<const Notation> make_notation() { return std::make_shared<ProcNotation>(); }

}  // namespace whittle::proc
