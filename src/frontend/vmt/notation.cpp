// SPDX-License-Identifier: Apache-2.0
#include "frontend/vmt/notation.h"

#include <fmt/format.h>

#include <algorithm>

#include "expr/traverse.h"
#include "frontend/expression/plain_notation.h"
#include "frontend/vmt/sexpr.h"
#include "frontend/vmt/term_writer.h"

namespace whittle::vmt {

namespace {

// Numbers as people write them, the rest as the file would have it.
std::string shown(const ExprPool& pool, const Value& value, Type type) {
  if (value.is_integer()) return value.as_integer().to_string();
  if (value.is_real()) return value.as_real().to_string();
  return value_text(pool, value, type);
}

class VmtNotation final : public frontend::PlainNotation {
 public:
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override {
    const ExprPool& pool = network.pool();
    std::size_t count = 0;
    TermWriter writer(
        pool,
        [&](SymbolId symbol) {
          const Role role = network.role(symbol);
          const bool variable =
              role.kind == RoleKind::InstanceCurrent || role.kind == RoleKind::RemoteCurrent;
          return written(variable ? network.variable(VariableId(role.id)).name
                                  : pool.info(symbol).name);
        },
        [&] { return fmt::format(".{}", ++count); });
    if (!small(pool, condition)) writer.prepare(std::span<const Expr>(&condition, 1));
    std::string result = writer(condition);
    std::string lets;
    std::string closing;
    for (const TermWriter::Definition& d : writer.take_definitions()) {
      lets += fmt::format("(let (({} {})) ", d.name, d.text);
      closing += ')';
    }
    return lets + result + closing;
  }
  [[nodiscard]] LanguageTraits traits() const override {
    LanguageTraits traits;
    traits.one_relation = true;
    return traits;
  }

 private:
  [[nodiscard]] std::string text_of(const ExprPool& pool, const Value& value,
                                    Type type) const override {
    return shown(pool, value, type);
  }

  // Written out in full it is still readable.
  static bool small(const ExprPool& pool, Expr e) {
    std::size_t count = 0;
    std::vector<Expr> open{e};
    while (!open.empty()) {
      const Expr part = open.back();
      open.pop_back();
      if (++count > 60) return false;
      const auto children = pool.children(part);
      open.insert(open.end(), children.begin(), children.end());
    }
    return true;
  }
};

}  // namespace

std::shared_ptr<const Notation> make_notation() { return std::make_shared<VmtNotation>(); }

}  // namespace whittle::vmt
