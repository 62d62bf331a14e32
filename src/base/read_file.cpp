// SPDX-License-Identifier: Apache-2.0
#include "base/read_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/text.h"

namespace whittle {

namespace {

using Result = Expected<std::string, Diagnostic>;

constexpr std::size_t kSampleBytes = 4096;  // of the beginning, to tell text from rubbish

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

Result failed(std::string_view id, std::string message, std::string hint = "") {
  return Unexpected{make_diagnostic(id, {}, std::move(message), std::move(hint))};
}

Result cannot_open(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return failed("file-001", fmt::format("'{}' does not exist", path));
    case EACCES:
    case EPERM:
      return failed("file-003", fmt::format("'{}' may not be read", path),
                    "check the permissions of the file and of the folders above it");
    default:
      return failed("file-008", fmt::format("'{}' cannot be opened: {}", path,
                                            std::generic_category().message(error)));
  }
}

Result not_regular(const std::string& path, mode_t mode) {
  if (S_ISDIR(mode)) {
    return failed("file-002", fmt::format("'{}' is a directory", path),
                  "name the files in it that you mean");
  }
  const char* kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
  return failed("file-004", fmt::format("'{}' is {}, not a regular file", path, kind),
                "save its content to a file first");
}

}  // namespace

bool looks_binary(std::string_view text) {
  if (text.empty()) return false;
  if (std::memchr(text.data(), '\0', text.size()) != nullptr) return true;
  const std::string_view sample = text.substr(0, kSampleBytes);
  std::size_t strange = 0;
  for (std::size_t at = 0; at < sample.size();) {
    const Character character = decode_utf8(text.substr(at, 4));
    const char c = sample[at];
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' &&
                         c != '\t' && c != '\f' && c != '\v';
    if (!character.valid || control) ++strange;
    at += character.bytes;
  }
  // A Latin-1 text has a few bytes that are not UTF-8 and gets a better message from the lexer.
  return strange * 10 > sample.size();
}

namespace {

Result as_text(const std::string& path, std::string text) {
  if (looks_binary(text)) {
    const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    return failed("file-006", fmt::format("'{}' is a binary file, not text", path),
                  utf16 ? "it looks like UTF-16; save it as UTF-8" : "");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace

Expected<std::string, Diagnostic> read_standard_input(std::uint64_t max_bytes) {
  const std::string name = "standard input";
  std::string text;
  std::string buffer(std::size_t{1} << 16U, '\0');
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return failed("file-007", fmt::format("{} could not be read to its end: {}", name,
                                            std::generic_category().message(errno)));
    }
    if (got == 0) return as_text(name, std::move(text));
    text.append(buffer, 0, static_cast<std::size_t>(got));
    if (text.size() > max_bytes)
      return failed("file-005",
                    fmt::format("{} is too large: at most {} bytes can be read", name, max_bytes));
  }
}

Expected<std::string, Diagnostic> read_file(const std::string& path, std::uint64_t max_bytes) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0) {
    const int error = errno;
    // A socket cannot be opened at all, but can be named.
    if (error == ENXIO && ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
      return not_regular(path, status.st_mode);
    }
    return cannot_open(path, error);
  }
  if (::fstat(file.get(), &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) return not_regular(path, status.st_mode);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) {
    return failed("file-005", fmt::format("'{}' is too large: {} bytes, at most {} can be read",
                                          path, size, max_bytes));
  }

  std::string text(size, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return failed("file-007", fmt::format("'{}' could not be read to its end: {}", path,
                                            std::generic_category().message(errno)));
    }
    if (got == 0) {
      return failed("file-007",
                    fmt::format("'{}' became shorter while it was read ({} of {} bytes)", path,
                                done, text.size()),
                    "run again once nothing writes to it");
    }
    done += static_cast<std::size_t>(got);
  }
  return as_text(path, std::move(text));
}

}  // namespace whittle
