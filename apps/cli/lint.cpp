// SPDX-License-Identifier: Apache-2.0
#include "driver/lint.h"

#include "cli/deciding.h"

namespace whittle::cli {

extern const CommandInfo kLint;
const CommandInfo kLint = {
    "lint",
    "FILE...",
    "look for dead transitions, sinkholes, and conditions that nothing satisfies",
    "Checks every element of the models, without a property of yours being needed:\n"
    "\n"
    "  transition T   some run takes it; otherwise it is dead\n"
    "  node N         from every state there, some step is possible; otherwise it is a sinkhole\n"
    "  start N        some state satisfies it\n"
    "  relation of T  wherever the guard holds, there is a state after the step\n"
    "\n"
    "and the safety properties and constraints of the files. Each check is met or not, with a\n"
    "trace or with an invariant as witness, or undecided with a reason.\n"
    "\n"
    "  whittle lint account.sts                   everything\n"
    "  whittle lint account.sts -p 'node Open'    one check\n",
    1,
    kAnyNumber,
    [] { return deciding_command(lint_files); },
};

}  // namespace whittle::cli
