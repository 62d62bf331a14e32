// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

extern char** environ;

namespace whittle {

namespace {

constexpr std::chrono::milliseconds kLongestWait{1000};

// The reading end of a pipe; closed with it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// A group of its own, so that all it starts can be ended with it.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Its id; none: it cannot be started.
std::optional<pid_t> spawned(const std::vector<std::string>& command, const ProcessOptions& options,
                             int out) {
  FileActions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), out, STDOUT_FILENO);
  if (options.errors_too)
    posix_spawn_file_actions_adddup2(actions.get(), out, STDERR_FILENO);
  else
    posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!options.folder.empty())
    posix_spawn_file_actions_addchdir_np(actions.get(), options.folder.c_str());
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Attributes attributes;
  pid_t process = -1;
  const int problem = posix_spawnp(&process, arguments[0], actions.get(), attributes.get(),
                                   arguments.data(), environ);
  return problem == 0 ? std::optional(process) : std::nullopt;
}

// False: the deadline came first.
bool read_all(int descriptor, Deadline deadline, std::string& text) {
  std::array<char, 65536> buffer{};
  for (;;) {
    if (deadline.passed()) return false;
    std::chrono::milliseconds wait = kLongestWait;
    if (const auto left = deadline.remaining())
      wait = std::min(wait, std::chrono::duration_cast<std::chrono::milliseconds>(*left) +
                                std::chrono::milliseconds(1));
    pollfd ready{descriptor, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(wait.count()));
    if (found == 0 || (found < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& command,
                                     const ProcessOptions& options) {
  std::array<int, 2> ends{};
  if (command.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const std::optional<pid_t> process = spawned(command, options, out.number());
  out.close();
  if (!process) return std::nullopt;
  std::string text;
  const bool in_time = read_all(in.number(), options.deadline, text);
  if (!in_time) kill(-*process, SIGKILL);
  int status = 0;
  while (waitpid(*process, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

}  // namespace whittle
