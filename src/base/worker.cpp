// SPDX-License-Identifier: Apache-2.0
#include "base/worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/memory.h"

namespace whittle {

namespace {

// A message is a letter, the number of its bytes, and these.
constexpr char kReport = 'S';  // how far it is
constexpr char kDone = 'D';    // the work was finished: its result
constexpr char kFailed = 'F';  // it threw: why
constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);

std::string message(char kind, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string text(kHead, kind);
  std::memcpy(text.data() + 1, &size, sizeof size);
  return text += bytes;
}

void write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the parent has closed its end
    done += static_cast<std::size_t>(n);
  }
}

// Processes by slot, without a lock: a process that is forked could inherit one that is held.
// Negative: ended for memory.
std::array<std::atomic<pid_t>, 256> slots = {};

void enter(pid_t process) {
  for (std::atomic<pid_t>& slot : slots) {
    pid_t free = 0;
    if (slot.compare_exchange_strong(free, process)) return;
  }
}

// True: it was ended for memory.
bool leave(pid_t process) {
  for (std::atomic<pid_t>& slot : slots) {
    pid_t entered = process;
    if (slot.compare_exchange_strong(entered, 0)) return false;
    if (entered == -process && slot.compare_exchange_strong(entered, 0)) return true;
  }
  return false;
}

// What the child does; never returns.
[[noreturn]] void be_worker(int descriptor, pid_t parent, const WorkerWork& work,
                            const WorkerLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (std::atomic<pid_t>& slot : slots) slot = 0;  // those are its siblings
  if (getppid() != parent) _exit(1);                // the parent was quicker to end
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  // A Ctrl-C reaches the whole group; the parent decides what it means.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  forbid_core_files();
  if (limits.memory_mb) limit_address_space(*limits.memory_mb * 1024 * 1024);
  const ProgressSink report = [descriptor](std::string_view text) {
    write_all(descriptor, message(kReport, text));
  };
  std::string last;
  try {
    last = message(kDone, work(report));
  } catch (const std::bad_alloc&) {
    last = message(kFailed, "memory");
  } catch (const std::exception& problem) {
    last = message(kFailed, problem.what());
  } catch (...) {  // Z3's own, which come through where memory runs out
    last = message(kFailed, "memory, or another limit of the solver");
  }
  write_all(descriptor, last);
  _exit(0);
}

}  // namespace

Worker::Worker(std::string name, const WorkerWork& work, const WorkerLimits& limits)
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
    be_worker(ends[1], parent, work, limits);  // never returns
  }
  close(ends[1]);
  pipe_ = ends[0];
  enter(process_);
}

Worker::Worker(Worker&& other) noexcept
    : name_(std::move(other.name_)),
      process_(std::exchange(other.process_, -1)),
      pipe_(std::exchange(other.pipe_, -1)),
      received_(std::move(other.received_)),
      report_(std::move(other.report_)),
      done_(std::move(other.done_)),
      failed_(std::move(other.failed_)) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(received_, other.received_);
  std::swap(report_, other.report_);
  std::swap(done_, other.done_);
  std::swap(failed_, other.failed_);
  return *this;
}

Worker::~Worker() {
  if (pipe_ >= 0) close(pipe_);
  if (process_ <= 0) return;
  leave(process_);
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
  std::size_t at = 0;
  while (received_.size() - at >= kHead) {
    std::uint64_t size = 0;
    std::memcpy(&size, received_.data() + at + 1, sizeof size);
    if (received_.size() - at - kHead < size) break;
    std::string bytes = received_.substr(at + kHead, size);
    switch (received_[at]) {
      case kReport:
        report_ = std::move(bytes);
        break;
      case kDone:
        done_ = std::move(bytes);
        break;
      default:
        failed_ = std::move(bytes);
        break;
    }
    at += kHead + size;
  }
  received_.erase(0, at);
  return true;
}

std::optional<std::string> Worker::take_report() { return std::exchange(report_, std::nullopt); }

void Worker::stop() const {
  if (process_ > 0) kill(process_, SIGSTOP);
}

void Worker::resume() const {
  if (process_ > 0) kill(process_, SIGCONT);
}

std::chrono::nanoseconds Worker::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (process_ <= 0 || clock_getcpuclockid(process_, &clock) != 0 ||
      clock_gettime(clock, &used) != 0)
    return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

Worker::Outcome Worker::finish() {
  int status = 0;
  rusage used{};
  const bool out_of_memory = leave(process_);
  while (wait4(process_, &status, 0, &used) < 0 && errno == EINTR) {
  }
  process_ = -1;
  Outcome outcome;
  outcome.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;  // Linux: kilobytes
  if (done_) {
    outcome.bytes = std::move(done_);
  } else if (failed_) {
    outcome.exit_reason = *failed_;
  } else if (out_of_memory) {
    outcome.exit_reason = "used too much memory";
  } else if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    outcome.exit_reason = fmt::format("was ended by signal {} ({})", number, strsignal(number));
    outcome.killed = true;
    outcome.crashed = number != SIGKILL && number != SIGTERM && number != SIGHUP;
  } else {
    outcome.exit_reason = fmt::format("ended with code {} and no result", WEXITSTATUS(status));
    outcome.killed = outcome.crashed = true;
  }
  return outcome;
}

std::vector<pid_t> worker_processes() {
  std::vector<pid_t> result;
  for (const std::atomic<pid_t>& slot : slots) {
    if (const pid_t process = slot; process > 0) result.push_back(process);
  }
  return result;
}

void end_worker_for_memory(pid_t process) {
  for (std::atomic<pid_t>& slot : slots) {
    pid_t entered = process;
    // Only while it is there: the number could belong to another process later.
    if (slot.compare_exchange_strong(entered, -process)) kill(process, SIGKILL);
  }
}

std::vector<std::size_t> wait_for(std::span<const Worker* const> workers, int milliseconds) {
  std::vector<pollfd> places;
  for (const Worker* w : workers) places.push_back({w->descriptor(), POLLIN, 0});
  std::vector<std::size_t> ready;
  if (poll(places.data(), places.size(), milliseconds) <= 0) return ready;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].revents != 0) ready.push_back(i);
  return ready;
}

}  // namespace whittle
