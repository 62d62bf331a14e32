// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace whittle::cli {

namespace {

constexpr std::size_t kBufferBytes = 1U << 16U;

std::string reason(int error) {
  switch (error) {
    case EPIPE:
      return "the program that reads the output has ended";
    case ENOSPC:
    case EDQUOT:
      return "the disk is full";
    default:
      return std::generic_category().message(error);
  }
}

}  // namespace

void Output::write(std::string_view text) {
  if (broken_) return;
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void Output::flush() {
  std::string_view left = buffer_;
  while (!left.empty() && !broken_) {
    const ssize_t done = ::write(descriptor_, left.data(), left.size());
    if (done >= 0) {
      left.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      // Somebody else made the descriptor non-blocking.
      pollfd wait{descriptor_, POLLOUT, 0};
      ::poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      broken_ = true;
      buffer_.clear();
      throw OutputError(fmt::format("the output cannot be written: {}", reason(errno)));
    }
  }
  buffer_.clear();
}

}  // namespace whittle::cli
