// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace whittle::cli {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

bool wants_color(int descriptor) {
  // https://no-color.org: set to anything but the empty string.
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != '\0') return false;
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || *kind == '\0' || std::string_view(kind) == "dumb";
  return !dumb && is_terminal(descriptor);
}

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kDefault = 100;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return std::max<std::size_t>(kLeast, size.ws_col);
}

}  // namespace whittle::cli
