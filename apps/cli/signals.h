// SPDX-License-Identifier: Apache-2.0
// Signals: the first SIGINT, SIGTERM or SIGHUP asks the run to stop, so that it can report what it
// has; the second ends the program at once with 128 + number. A closed pipe is an error of write(2)
// and not the end of the program. A crash says that it is our fault and exits with 4.
#pragma once

#include "base/deadline.h"

namespace whittle::cli {

// Once per program.
void install_signal_handlers(CancelToken cancel);

}  // namespace whittle::cli
