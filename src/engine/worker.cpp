// SPDX-License-Identifier: Apache-2.0
#include "engine/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/memory.h"

namespace whittle {

namespace {

constexpr char kDone = 'D';    // the work was finished, its bytes follow
constexpr char kFailed = 'F';  // it threw, the message follows

void write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // nobody listens any more
    done += static_cast<std::size_t>(n);
  }
}

// What the child does; never returns.
[[noreturn]] void be_worker(int descriptor, pid_t parent, const std::function<std::string()>& work,
                            const WorkerLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent was quicker to end
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  // A Ctrl-C reaches the whole group; the parent decides what it means.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  forbid_core_files();
  if (limits.memory_mb) limit_address_space(*limits.memory_mb * 1024 * 1024);
  std::string message;
  try {
    message = kDone + work();
  } catch (const std::bad_alloc&) {
    message = std::string(1, kFailed) + "memory";
  } catch (const std::exception& problem) {
    message = std::string(1, kFailed) + problem.what();
  }
  write_all(descriptor, message);
  _exit(0);
}

}  // namespace

Worker::Worker(std::string name, const std::function<std::string()>& work,
               const WorkerLimits& limits)
    : name_(std::move(name)) {
  int ends[2];
  if (pipe(ends) != 0) throw ResourceError("no pipe for a worker process");
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) {
    close(ends[0]);
    close(ends[1]);
    throw ResourceError("the system gives no worker process");
  }
  if (process_ == 0) {
    close(ends[0]);
    be_worker(ends[1], parent, work, limits);
  }
  close(ends[1]);
  pipe_ = ends[0];
}

Worker::Worker(Worker&& other) noexcept
    : name_(std::move(other.name_)),
      process_(std::exchange(other.process_, -1)),
      pipe_(std::exchange(other.pipe_, -1)),
      received_(std::move(other.received_)) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(received_, other.received_);
  return *this;
}

Worker::~Worker() {
  if (pipe_ >= 0) close(pipe_);
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Worker::read_some() {
  char buffer[65536];
  const ssize_t n = read(pipe_, buffer, sizeof buffer);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  received_.append(buffer, static_cast<std::size_t>(n));
  return true;
}

Worker::Outcome Worker::finish() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (!received_.empty() && received_[0] == kDone) return {received_.substr(1), ""};
  if (!received_.empty() && received_[0] == kFailed) return {std::nullopt, received_.substr(1)};
  if (WIFSIGNALED(status))
    return {std::nullopt, fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                                      strsignal(WTERMSIG(status)))};
  return {std::nullopt, fmt::format("ended with code {} and no result", WEXITSTATUS(status))};
}

std::vector<std::size_t> wait_for(const std::vector<Worker>& workers, int milliseconds) {
  std::vector<pollfd> places;
  for (const Worker& w : workers) places.push_back({w.descriptor(), POLLIN, 0});
  std::vector<std::size_t> ready;
  if (poll(places.data(), places.size(), milliseconds) <= 0) return ready;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].revents != 0) ready.push_back(i);
  return ready;
}

}  // namespace whittle
