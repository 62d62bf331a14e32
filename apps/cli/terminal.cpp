// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

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
  constexpr std::size_t kDefault = 80;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
    return std::max<std::size_t>(kLeast, size.ws_col);
  }
  const char* columns = std::getenv("COLUMNS");
  const std::string_view said = columns == nullptr ? "" : columns;
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), width);
  if (error != std::errc() || end != said.data() + said.size()) return kDefault;
  return std::max<std::size_t>(kLeast, width);
}

}  // namespace whittle::cli
