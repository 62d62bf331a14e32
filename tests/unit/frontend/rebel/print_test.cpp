// SPDX-License-Identifier: Apache-2.0
// Printed networks load again and mean the same.
#include "frontend/rebel/print.h"

#include <algorithm>

#include "bench/models/rebel.h"
#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

std::vector<std::pair<std::string, std::string>> texts(const std::vector<PrintedFile>& files) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const PrintedFile& file : files) result.emplace_back(file.path, file.text);
  return result;
}

// Names and sizes of everything, to compare networks.
std::vector<std::string> inventory(const Network& network) {
  std::vector<std::string> result;
  for (const Machine& machine : network.machines()) {
    for (VariableId v : machine.variables) {
      result.push_back(machine.name + "." + network.variable(v).name);
    }
    for (LocationId l : machine.locations) {
      result.push_back(machine.name + "@" + network.location(l).name);
    }
    for (EventId e : machine.events) {
      const Event& event = network.event(e);
      result.push_back(
          machine.name + "." + event.name + "/" + std::to_string(event.parameters.size()) + "/" +
          std::to_string(event.guards.size()) + "/" + std::to_string(event.effects.size()) + "/" +
          std::to_string(event.syncs.size()) + "/" + std::to_string(event.arcs.size()));
    }
  }
  for (const Property& property : network.properties()) {
    result.push_back(property.name + ": " + network.universe(property.universe).description);
  }
  std::sort(result.begin(), result.end());
  return result;
}

const char* const kBank =
    "module Bank\n"
    "// What people have.\n"
    "specification Account {\n  fields {\n    number: IBAN @key\n    balance: Money\n    note: "
    "String\n  }\n"
    "  events {\n    open[least = EUR 10.00]\n    withdraw[]\n    rename[]\n  }\n"
    "  invariants { fine }\n"
    "  lifeCycle {\n    initial init -> opened: open\n    opened -> opened: withdraw, rename\n"
    "      -> shut: rename\n    final shut\n  }\n}\n"
    "specification Slip {\n  fields {\n    id: Integer @key\n    from: IBAN @ref=Account\n  }\n"
    "  events {\n    use[]\n  }\n  lifeCycle {\n    initial fresh -> used: use\n  }\n}\n"
    "event open[least: Money = EUR 0.00](first: Money, note: String) {\n  preconditions {\n"
    "    // Enough to begin with.\n    first >= least;\n  }\n  postconditions {\n"
    "    new this.balance == half(first) + half(first);\n    new this.note == note;\n  }\n}\n"
    "event withdraw(amount: Money) {\n  preconditions {\n    @doc{not too much}\n"
    "    amount <= this.balance;\n  }\n"
    "  postconditions {\n    new this.balance == this.balance - amount;\n  }\n}\n"
    "event rename(to: String) {\n  postconditions {\n    new this.note == to;\n  }\n}\n"
    "event use(amount: Money) {\n  postconditions { new this.from == this.from; }\n"
    "  sync {\n    Account[this.from].withdraw(amount);\n  }\n}\n"
    "function half(m: Money): Money = m / 2;\n"
    "invariant fine { this.balance >= EUR 0.00; }\n";

TEST(RebelPrint, RoundTrip) {
  const Model first({{"Bank.ebl", std::string(kBank)}});
  ASSERT_TRUE(first.network) << first.messages();
  const auto printed = print(*first.network, first.sources);
  ASSERT_FALSE(printed.empty());
  const Model second(texts(printed));
  ASSERT_TRUE(second.network) << second.messages() << printed[0].text;
  std::vector<std::string> whole = inventory(*first.network);
  // The second file is only there if it is asked about or imported.
  std::vector<std::string> account;
  for (const std::string& line : whole) {
    if (line.starts_with("Account")) account.push_back(line);
  }
  std::vector<std::string> again;
  for (const std::string& line : inventory(*second.network)) {
    if (line.starts_with("Account")) again.push_back(line);
  }
  EXPECT_EQ(again, account) << printed[0].text;
  EXPECT_NE(printed[0].text.find("// Enough to begin with."), std::string::npos);
  EXPECT_NE(printed[0].text.find("@doc{not too much}"), std::string::npos);
}

TEST(RebelPrint, TestModulesRoundTrip) {
  for (const auto& files : {deep_search(3, 4), model_size(2)}) {
    const Model first(texts(files));
    ASSERT_TRUE(first.network) << first.messages();
    const auto printed = print(*first.network, first.sources);
    ASSERT_EQ(printed[0].path, files[0].path);
    const Model second(texts(printed));
    ASSERT_TRUE(second.network) << second.messages();
    EXPECT_EQ(inventory(*second.network), inventory(*first.network));
    const Property& p = first.network->properties()[0];
    const Property& q = second.network->properties()[0];
    EXPECT_EQ(p.bound, q.bound);
  }
}

}  // namespace
}  // namespace whittle::rebel
