// SPDX-License-Identifier: Apache-2.0
#include "driver/lint.h"

#include "cli/deciding.h"
#include "report/findings.h"

namespace whittle::cli {

extern const CommandInfo kLint;
const CommandInfo kLint = {
    "lint",
    "FILE...",
    "look for dead transitions, sinkholes, and conditions that nothing satisfies",
    "Checks every element of the models, without a property of yours being needed:\n"
    "\n"
    "  transition T   some run takes it; otherwise it is dead\n"
    "  node N         from every state there, some step is possible; otherwise it is a sinkhole.\n"
    "                 Among several machines, whoever is there moves again in some continuation\n"
    "  start N        some state satisfies it\n"
    "  relation of T  wherever the guard holds, there is a state after the step: its relation\n"
    "                 has a solution, and what it assigns has a value\n"
    "\n"
    "and the safety properties and constraints of the files. Shown is what is wrong, with the run\n"
    "that leads there, and what is undecided; the rest is counted, and -v lists it. Exit code 1\n"
    "means that something was found. A specification of Rebel is looked at among two of each one\n"
    "that it refers to (--instances).\n"
    "\n"
    "  whittle lint account.sts                   everything\n"
    "  whittle lint account.sts -p 'node Open'    one check\n",
    1,
    kAnyNumber,
    [] { return deciding_command(lint_files, make_findings_writer); },
};

}  // namespace whittle::cli
