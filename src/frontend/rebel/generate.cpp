// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/generate.h"

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
    const std::string n = std::to_string(i);
    spec += "    v" + n + ": Integer\n";
    events += "    decrementV" + n + "[]\n";
    loops += (i == 1 ? "" : ", ") + ("decrementV" + n);
    initialize += "    new this.v" + n + " == startAmount;\n";
    library += "\nevent decrementV" + n + "() {\n  postconditions {\n    new this.v" + n +
               " == this.v" + n + " - 1;\n  }\n}\n";
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
    fields += "    accountNumber" + n + ": IBAN" + (c == 0 ? " @key" : "") + "\n    balance" + n +
              ": Money\n";
    events += "    openAccount" + n + "[minimalDeposit = EUR 50.00]\n";
    for (const char* event : {"withdraw", "deposit", "interest", "block", "unblock", "close"}) {
      events += std::string("    ") + event + n + "[]\n";
    }
    cycle += (c == 0 ? "    initial init -> opened: openAccount\n"
                     : "    init -> opened" + n + ": openAccount" + n + "\n");
    cycle += "    opened" + n + " -> opened" + n + ": withdraw" + n + ", deposit" + n +
             ", interest" + n + "\n      -> blocked" + n + ": block" + n + "\n      -> closed" + n +
             ": close" + n + "\n    blocked" + n + " -> opened" + n + ": unblock" + n +
             "\n    final closed" + n + "\n";
    const std::string balance = "this.balance" + n;
    library += "event openAccount" + n +
               "[minimalDeposit: Money = EUR 0.00](initialDeposit: Money) {\n  preconditions {\n"
               "    initialDeposit >= minimalDeposit;\n  }\n  postconditions {\n    new " +
               balance + " == initialDeposit;\n";
    if (c != 0) library += "    new this.accountNumber" + n + " == this.accountNumber;\n";
    library += "  }\n}\n\nevent withdraw" + n +
               "(amount: Money) {\n  preconditions {\n    amount > EUR 0.00;\n    " + balance +
               " - amount >= EUR 0.00;\n  }\n  postconditions {\n    new " + balance +
               " == " + balance + " - amount;\n  }\n}\n\nevent deposit" + n +
               "(amount: Money) {\n  preconditions {\n    amount > EUR 0.00;\n  }\n"
               "  postconditions {\n    new " +
               balance + " == " + balance + " + amount;\n  }\n}\n\nevent interest" + n +
               "[maxInterest: Percentage = 10%](currentInterest: Percentage) {\n"
               "  preconditions {\n    currentInterest <= maxInterest;\n  }\n"
               "  postconditions {\n    new " +
               balance + " == " + balance + " + " + balance +
               " * currentInterest;\n  }\n}\n\nevent block" + n + "() {}\n\nevent unblock" + n +
               "() {}\n\nevent close" + n + "() {\n  preconditions {\n    " + balance +
               " == EUR 0.00;\n  }\n}\n\n";
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
