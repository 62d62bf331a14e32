// SPDX-License-Identifier: Apache-2.0
// States and arguments as Rebel writes them: `EUR 50.00`, `NL10INGB0000001`, `26 Sep 2016, 16:42`.
// Keeps what it needs by symbol, so that it also serves networks that a transformation made.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/rebel/condition_text.h"
#include "frontend/rebel/encode.h"
#include "ir/network.h"
#include "ir/notation.h"
#include "ir/reading.h"

namespace whittle::rebel {

class RebelNotation : public Notation, public ReadsArguments {
 public:
  RebelNotation(std::shared_ptr<ExprPool> pool, std::shared_ptr<Encoder> encoder)
      : pool_(std::move(pool)), encoder_(std::move(encoder)) {}

  // What users see as one thing: a field or a parameter. `kinds` are those of a key or element and,
  // for maps, of a value.
  enum class Shape : std::uint8_t { Simple, Set, Map };
  struct Group {
    std::string name;
    Shape shape = Shape::Simple;
    Kind key = Kind::Integer;
    Kind value = Kind::Integer;
    std::uint32_t key_parts = 1;
    std::uint32_t value_parts = 0;
  };
  std::uint32_t add_group(Group group);
  void add_part(std::uint32_t group, std::uint32_t part, SymbolId symbol);
  [[nodiscard]] std::string show(Kind kind, const Value& value) const {
    return encoder_->show(kind, value, nullptr);
  }

  [[nodiscard]] std::vector<Shown> state(const Network& network, MachineId machine,
                                         const std::function<Value(VariableId)>& value_of,
                                         const std::vector<VariableId>& only) const override;
  [[nodiscard]] std::vector<Shown> arguments(const Network& network, EventId event,
                                             const std::vector<Value>& values) const override;
  [[nodiscard]] std::string condition(const Network& network, Expr condition) const override;
  [[nodiscard]] std::vector<std::string> conditions(const Network& network,
                                                    Expr condition) const override;
  [[nodiscard]] LanguageTraits traits() const override;
  [[nodiscard]] std::optional<Positions> read(const Network& network, EventId event,
                                              const std::string& name, const std::string& text,
                                              std::string& expected) const override;

 private:
  [[nodiscard]] std::optional<PartOfField> part_of(SymbolId symbol) const;
  struct Place {
    std::uint32_t group = 0;
    std::uint32_t part = 0;
  };
  // Values by part; null where a transformation took the part away.
  [[nodiscard]] std::string text(const Group& group, const std::vector<const Value*>& parts) const;
  [[nodiscard]] std::string simple(Kind kind, const Value* a, const Value* b) const;

  std::shared_ptr<ExprPool> pool_;
  std::shared_ptr<Encoder> encoder_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint32_t, Place> places_;  // by symbol
};

}  // namespace whittle::rebel
