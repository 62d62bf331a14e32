// SPDX-License-Identifier: Apache-2.0
#include "cli/deciding.h"

namespace whittle::cli {

extern const CommandInfo kCheck;
const CommandInfo kCheck = {
    "check",
    "FILE...",
    "decide every property in the files",
    "Decides every question and every demand in the files; a folder means all models below it.\n"
    "A question ('reach' in STS) has no good or bad answer. A demand ('safety') is met or not,\n"
    "which the exit code tells ('whittle help exit-codes'). A file may say what it expects\n"
    "('safety p: x < 5 expect violated'). '-' is standard input. Every trace that is shown has "
    "been\n"
    "replayed on the model as it is written.\n"
    "\n"
    "  whittle check account.sts                  all properties\n"
    "  whittle check account.sts -p nonNegative   one of them\n"
    "  whittle check account.sts --bound 20       only runs of at most 20 steps\n"
    "  whittle check models/ --timeout 10 --json  a folder, ten seconds for each property\n"
    "  whittle check account.sts --html page.html a report for a browser\n"
    "  whittle check account.sts --certificate C  and 'sh C/check.sh z3' checks it without us\n",
    1,
    kAnyNumber,
    [] { return deciding_command(check_files); },
};

}  // namespace whittle::cli
