// SPDX-License-Identifier: Apache-2.0
#include "smt/session.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "smt/unsupported.h"
#include "smt/watch.h"

namespace whittle::smt {

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::Sat:
      return "sat";
    case Answer::Unsat:
      return "unsat";
    case Answer::Unknown:
      return "unknown";
  }
  return "unknown";
}

Session::Session(std::string name, MakeBackend make, ExprPool& pool, const Logic& logic,
                 const Limits& limits)
    : name_(std::move(name)),
      make_(make),
      pool_(pool),
      limits_(limits),
      expander_(pool),
      scanner_(pool),
      evaluator_(pool) {
  scanner_.expect(logic);
  needs_.seed = limits.seed;
  needs_.memory_mb = limits.memory_mb;
}

Session::~Session() = default;

// ----- what is required

void Session::require(Expr condition) {
  WHITTLE_REQUIRE(condition.valid() && pool_.type(condition) == Type::boolean(),
                  "only Bool terms can be required");
  assertions_.push_back(condition);
}

void Session::push() { scopes_.push_back(assertions_.size()); }

void Session::pop(unsigned levels) {
  WHITTLE_REQUIRE(levels <= scopes_.size(), "pop without push");
  if (levels == 0) return;
  std::size_t left = scopes_.size() - levels;
  assertions_.resize(scopes_[left]);
  scopes_.resize(left);
  scanned_ = std::min(scanned_, assertions_.size());
  plain_.resize(scanned_);
  while (!missing_.empty() && missing_.back().assertion >= assertions_.size()) missing_.pop_back();
  sent_ = std::min(sent_, assertions_.size());
  common_scopes_ = std::min(common_scopes_, left);
}

std::optional<Expr> Session::plain(Expr term, std::string& reason) {
  try {
    Expr expanded = expander_(term);
    scanner_.add(expanded);
    return expanded;
  } catch (const Unsupported& problem) {
    reason = std::string("unsupported: ") + problem.what();
    return std::nullopt;
  }
}

void Session::forget_backend() {
  backend_.reset();
  sent_ = backend_scopes_ = common_scopes_ = 0;
}

void Session::prepare() {
  needs_.logic = scanner_.logic();
  if (backend_ && backend_->covers(needs_)) return;
  forget_backend();
  auto fresh = make_(pool_, needs_);
  backend_ = std::move(fresh);
}

bool Session::flush(Deadline deadline) {
  if (backend_scopes_ > common_scopes_) {
    backend_->pop(static_cast<unsigned>(backend_scopes_ - common_scopes_));
    backend_scopes_ = common_scopes_;
  }
  for (;;) {
    std::size_t end =
        backend_scopes_ < scopes_.size() ? scopes_[backend_scopes_] : assertions_.size();
    for (; sent_ < end; ++sent_) {
      if (deadline.passed() || limits_.cancel.cancelled()) return false;
      if (!plain_[sent_].valid()) continue;
      try {
        backend_->add(plain_[sent_]);
      } catch (const Unsupported& problem) {
        plain_[sent_] = Expr();
        missing_.push_back({sent_, std::string("unsupported: ") + problem.what()});
        std::sort(missing_.begin(), missing_.end(),
                  [](const Missing& a, const Missing& b) { return a.assertion < b.assertion; });
      }
    }
    if (backend_scopes_ == scopes_.size()) break;
    backend_->push();
    common_scopes_ = ++backend_scopes_;
  }
  common_scopes_ = backend_scopes_;
  return true;
}

// ----- checks

CheckResult Session::check_assuming(std::span<const Expr> assumptions) {
  auto begin = Clock::now();
  CheckResult result;
  last_ = Answer::Unknown;
  values_.clear();
  // Whatever a solver library throws: the answer is Unknown, and the next check starts afresh.
  try {
    result = run(assumptions);
  } catch (const std::bad_alloc&) {
    result = {Answer::Unknown, {Reason::Kind::Memory}};
    forget_backend();
  } catch (const ResourceError& problem) {
    result = {Answer::Unknown, problem.reason()};
    forget_backend();
  } catch (const Unsupported& problem) {  // by an assumption
    result = {Answer::Unknown,
              {Reason::Kind::Unsupported, std::string("unsupported: ") + problem.what()}};
  } catch (const std::logic_error&) {
    throw;  // a defect of ours
  } catch (const std::exception& problem) {
    result = {Answer::Unknown,
              {Reason::Kind::Incomplete, std::string("incomplete: ") + problem.what()}};
    forget_backend();
  }
  last_ = result.answer;
  ++statistics_.checks;
  statistics_.time += Clock::now() - begin;
  switch (result.answer) {
    case Answer::Sat:
      ++statistics_.sat;
      break;
    case Answer::Unsat:
      ++statistics_.unsat;
      break;
    case Answer::Unknown:
      ++statistics_.unknown;
      break;
  }
  return result;
}

CheckResult Session::run(std::span<const Expr> assumptions) {
  if (limits_.cancel.cancelled()) return {Answer::Unknown, {limits_.cancel.reason()}};
  Deadline deadline = limits_.deadline;
  if (limits_.time_per_check) deadline = deadline.earlier(Deadline::after(*limits_.time_per_check));
  if (deadline.passed()) return {Answer::Unknown, {Reason::Kind::Timeout}};

  std::string reason;
  for (; scanned_ < assertions_.size(); ++scanned_) {
    auto term = plain(assertions_[scanned_], reason);
    if (!term) missing_.push_back({scanned_, reason});
    plain_.push_back(term.value_or(Expr()));
  }
  std::vector<Expr> plain_assumptions;
  last_assumptions_.clear();
  std::string missing_assumption;
  for (Expr assumption : assumptions) {
    WHITTLE_REQUIRE(pool_.type(assumption) == Type::boolean(), "only Bool terms can be assumed");
    if (auto term = plain(assumption, missing_assumption)) {
      plain_assumptions.push_back(*term);
      last_assumptions_.push_back(assumption);
    }
  }
  if (!plain_assumptions.empty()) needs_.assumptions = true;
  prepare();
  if (!flush(deadline))
    return {Answer::Unknown,
            {limits_.cancel.cancelled() ? limits_.cancel.reason() : Reason::Kind::Timeout}};
  CheckResult result = run_backend(plain_assumptions, deadline);
  if (result.answer == Answer::Sat && !missing_.empty())
    return {Answer::Unknown, {Reason::Kind::Unsupported, missing_.front().reason}};
  if (result.answer == Answer::Sat && !missing_assumption.empty())
    return {Answer::Unknown, {Reason::Kind::Unsupported, missing_assumption}};
  return result;
}

CheckResult Session::run_backend(std::span<const Expr> plain, Deadline deadline) {
  interrupt_requested_ = false;
  running_ = true;
  CheckResult result;
  Watch::Cause cause = Watch::Cause::None;
  {
    Watch watch(deadline, limits_.cancel, &interrupt_requested_,
                [backend = backend_.get()] { backend->interrupt(); });
    try {
      result = backend_->check(plain);
    } catch (...) {
      running_ = false;
      throw;
    }
    cause = watch.cause();
  }
  running_ = false;
  // What Z3 has of a model when it is interrupted at the end of its search may be no model.
  if (result.answer == Answer::Sat && cause != Watch::Cause::None) result = {};
  if (result.answer == Answer::Unknown) {
    if (cause == Watch::Cause::Timeout) result.reason = {Reason::Kind::Timeout};
    if (cause == Watch::Cause::Interrupted)
      result.reason = {limits_.cancel.cancelled() ? limits_.cancel.reason()
                                                  : Reason::Kind::Interrupted};
  }
  return result;
}

void Session::interrupt() {
  if (running_) interrupt_requested_ = true;
}

// ----- answers

Value Session::value(Expr term) {
  WHITTLE_REQUIRE(last_ == Answer::Sat, "a value without a model");
  auto find = [&](SymbolId symbol, std::span<const Value> arguments) -> std::optional<Value> {
    return lookup(symbol, arguments);
  };
  auto result = evaluator_(term, find);
  if (!result) throw NoValue(result.error().reason);
  return std::move(result.value());
}

const Value& Session::lookup(SymbolId symbol, std::span<const Value> arguments) {
  std::pair key(symbol, std::vector<Value>(arguments.begin(), arguments.end()));
  auto place = values_.find(key);
  if (place != values_.end()) return place->second;
  try {
    return values_.emplace(std::move(key), backend_->value(symbol, arguments)).first->second;
  } catch (const ResourceError& problem) {
    throw NoValue(problem.what());
  } catch (const Unsupported& problem) {
    throw NoValue(problem.what());
  }
}

std::vector<Expr> Session::unsat_core() {
  WHITTLE_REQUIRE(last_ == Answer::Unsat, "a core without Unsat");
  std::vector<Expr> result;
  if (last_assumptions_.empty()) return result;
  try {
    for (std::size_t position : backend_->core()) result.push_back(last_assumptions_[position]);
  } catch (const ResourceError&) {
    return last_assumptions_;  // which suffice, too
  }
  return result;
}

void Session::set_time_per_check(std::optional<std::chrono::milliseconds> time) {
  limits_.time_per_check = time;
}

SolverStatistics Session::statistics() const {
  SolverStatistics result = statistics_;
  if (backend_) result.native = backend_->statistics();
  return result;
}

}  // namespace whittle::smt
