// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/exit_code.h"

namespace whittle::cli {

namespace {

// A handler gets no argument of ours, so what it needs must stand in variables of the program.
CancelToken* token = nullptr;
volatile std::sig_atomic_t stopping = 0;  // the signal that asked for it

// Something that does not look at the token (a solver in one long step) must not keep the program.
constexpr unsigned kSecondsToStop = 10;

void say(std::string_view text) {
  // Only write(2) is allowed here, and there is nothing to do if it fails.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void on_stop(int number) {
  if (stopping != 0) ::_exit(128 + number);
  stopping = number;
  token->cancel();
  ::alarm(kSecondsToStop);
  if (::isatty(STDERR_FILENO) == 1) say("\nwhittle: stopping; once more to quit at once\n");
}

void on_overdue(int) { ::_exit(128 + static_cast<int>(stopping)); }

#ifndef __SANITIZE_ADDRESS__
void on_crash(int) {
  say("whittle: internal error: the program crashed. This is a defect of whittle, not of your "
      "input; please report it with the command and the files.\n");
  ::_exit(static_cast<int>(ExitCode::Defect));
}

void install_crash_handler() {
  // A stack that overflowed cannot run the handler; it gets one of its own.
  static std::array<char, 1U << 16U> stack;
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    ::sigaction(number, &action, nullptr);
  }
}
#endif

}  // namespace

void install_signal_handlers(CancelToken cancel) {
  static CancelToken kept;
  kept = std::move(cancel);
  token = &kept;

  struct sigaction action {};
  action.sa_handler = on_stop;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    // A signal that was ignored when we were started (nohup) stays ignored.
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGALRM, on_overdue);
  std::signal(SIGPIPE, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__
  install_crash_handler();
#endif
}

}  // namespace whittle::cli
