// SPDX-License-Identifier: Apache-2.0
#include "bench/models/rebel.h"

#include <fmt/format.h>

#include <string>

namespace whittle::rebel {

std::vector<PrintedFile> deep_search(std::uint32_t fields, std::uint32_t start) {
  std::string spec =
      "module DeepSearch\n\nspecification DeepSearch {\n  fields {\n    id: Integer @key\n";
  std::string events = "    initialize[startAmount = " + std::to_string(start) + "]\n";
  std::string loops;
  std::string library;
  std::string initialize = "event initialize[startAmount: Integer = 0]() {\n  postconditions {\n";
  for (std::uint32_t i = 1; i <= fields; ++i) {
    spec += fmt::format("    v{}: Integer\n", i);
    events += fmt::format("    decrementV{}[]\n", i);
    loops += fmt::format("{}decrementV{}", i == 1 ? "" : ", ", i);
    initialize += fmt::format("    new this.v{} == startAmount;\n", i);
    library += fmt::format(
        "\nevent decrementV{0}() {{\n  postconditions {{\n    new this.v{0} == this.v{0} - 1;\n"
        "  }}\n}}\n",
        i);
  }
  spec += "  }\n\n  events {\n" + events +
          "  }\n\n  lifeCycle {\n    initial s1 -> s2: initialize\n    s2 -> s2: " + loops +
          "\n  }\n}\n\n" + initialize + "  }\n}\n" + library;
  const std::string test =
      "module DeepSearchTest\n\nimport DeepSearch\n\nstate negativeV1 {\n  s2 DeepSearch with v1 < "
      "0;\n}\n\ncheck negativeV1 reachable in max " +
      std::to_string(start + 2U) + " steps;\n";
  return {{"DeepSearchTest.tebl", test}, {"DeepSearch.ebl", spec}};
}

std::vector<PrintedFile> model_size(std::uint32_t copies) {
  std::string fields, events, cycle, library;
  const std::size_t each = 1400;
  library.reserve(copies * each);
  for (std::uint32_t c = 0; c <= copies; ++c) {
    const std::string n = c == 0 ? "" : std::to_string(c);
    fields += fmt::format("    accountNumber{0}: IBAN{1}\n    balance{0}: Money\n", n,
                          c == 0 ? " @key" : "");
    events += fmt::format("    openAccount{}[minimalDeposit = EUR 50.00]\n", n);
    for (const char* event : {"withdraw", "deposit", "interest", "block", "unblock", "close"}) {
      events += fmt::format("    {}{}[]\n", event, n);
    }
    cycle += c == 0 ? "    initial init -> opened: openAccount\n"
                    : fmt::format("    init -> opened{0}: openAccount{0}\n", n);
    cycle += fmt::format(
        "    opened{0} -> opened{0}: withdraw{0}, deposit{0}, interest{0}\n"
        "      -> blocked{0}: block{0}\n      -> closed{0}: close{0}\n"
        "    blocked{0} -> opened{0}: unblock{0}\n    final closed{0}\n",
        n);
    library += fmt::format(
        "event openAccount{0}[minimalDeposit: Money = EUR 0.00](initialDeposit: Money) {{\n"
        "  preconditions {{\n    initialDeposit >= minimalDeposit;\n  }}\n"
        "  postconditions {{\n    new this.balance{0} == initialDeposit;\n",
        n);
    if (c != 0) library += fmt::format("    new this.accountNumber{} == this.accountNumber;\n", n);
    library += fmt::format(
        "  }}\n}}\n\nevent withdraw{0}(amount: Money) {{\n"
        "  preconditions {{\n    amount > EUR 0.00;\n    {1} - amount >= EUR 0.00;\n  }}\n"
        "  postconditions {{\n    new {1} == {1} - amount;\n  }}\n}}\n\n"
        "event deposit{0}(amount: Money) {{\n  preconditions {{\n    amount > EUR 0.00;\n  }}\n"
        "  postconditions {{\n    new {1} == {1} + amount;\n  }}\n}}\n\n"
        "event interest{0}[maxInterest: Percentage = 10%](currentInterest: Percentage) {{\n"
        "  preconditions {{\n    currentInterest <= maxInterest;\n  }}\n"
        "  postconditions {{\n    new {1} == {1} + {1} * currentInterest;\n  }}\n}}\n\n"
        "event block{0}() {{}}\n\nevent unblock{0}() {{}}\n\n"
        "event close{0}() {{\n  preconditions {{\n    {1} == EUR 0.00;\n  }}\n}}\n\n",
        n, "this.balance" + n);
  }
  const std::string spec =
      "module Account\n\nimport AccountLibrary\n\nspecification Account {\n"
      "  fields {\n" +
      fields + "  }\n\n  events {\n" + events + "  }\n\n  lifeCycle {\n" + cycle + "  }\n}\n";
  const std::string test =
      "module AccountTest\n\nimport Account\n\nstate negativeBalance {\n  opened Account with "
      "balance < EUR 0.00;\n}\n\ncheck negativeBalance reachable in max 2 steps;\n";
  return {{"AccountTest.tebl", test},
          {"Account.ebl", spec},
          {"AccountLibrary.ebl", "module AccountLibrary\n\n" + library}};
}

}  // namespace whittle::rebel
