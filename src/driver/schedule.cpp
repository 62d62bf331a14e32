// SPDX-License-Identifier: Apache-2.0
// One thread per question that is being decided, as many as there are places; only the one that has
// the turn works (engine/portfolio/jobs.h), the others wait for their worker processes.
#include "driver/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <thread>
#include <vector>

#include "base/checkpoint.h"
#include "driver/check_options.h"
#include "driver/recovery.h"
#include "driver/stuck.h"
#include "driver/unfair_loop.h"
#include "driver/vacuity.h"
#include "engine/auto.h"
#include "ir/notation.h"

namespace whittle {

namespace {

bool wants_vacuity(const CheckGroup& options, const PropertyResult& result) {
  const std::vector<std::string>& waived = *options.vacuous;
  return *options.vacuity == Vacuity::On &&
         std::find(waived.begin(), waived.end(), result.question().name) == waived.end();
}

// Says how many questions are decided, too.
class CountedProgress final : public ProgressListener {
 public:
  CountedProgress(ProgressListener& outer, std::size_t all) : outer_(outer), all_(all) {}
  void on_progress(const ProgressEvent& event) override {
    if (all_ < 2) return outer_.on_progress(event);
    ProgressEvent counted = event;
    const std::string property = fmt::format("{} of {} decided  {}", done_, all_, event.property);
    counted.property = property;
    outer_.on_progress(counted);
  }
  void one_more() { ++done_; }

 private:
  ProgressListener& outer_;
  std::size_t all_;
  std::size_t done_ = 0;
};

// What a question looks like before anything is known about it.
std::uint64_t expected_work(const Question& question) {
  constexpr std::uint64_t kUnbounded = 10'000;
  const Network& network = *question.network;
  const Property& property = question.what();
  const std::uint64_t steps = std::min(property.bound.max.value_or(kUnbounded), kUnbounded);
  std::uint64_t instances = 1;
  if (property.universe.valid())
    instances = std::max<std::uint64_t>(1, network.universe(property.universe).instances.size());
  return (steps + 1) * instances * (network.events().size() + 1);
}

auto decider(const Question& question) {
  if (asks_for_recovery(*question.network, question.property)) return decide_recovery;
  return asks_for_stuck_instances(*question.network, question.property) ? decide_stuck : decide;
}

class Schedule {
 public:
  Schedule(const LoadedModels& loaded, std::span<const Question> questions, DecideContext& context,
           const Handlers& handlers)
      : loaded_(loaded),
        questions_(questions),
        context_(context),
        handlers_(handlers),
        grace_(grace_of(context.options)),
        jobs_(*context.options.get<AutoOptions>().jobs),
        progress_(context.progress, questions.size()),
        results_(questions.size()),
        proved_(loaded.models.size()) {
    order_.resize(questions.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    order();
  }

  void run() {
    const std::size_t threads = std::min<std::size_t>(jobs_.places(), questions_.size());
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // What helps with other questions first, then what takes longest.
  void order() {
    std::vector<char> helps;
    std::vector<std::uint64_t> works;
    for (const Question& question : questions_) {
      helps.push_back(question.what().kind == PropertyKind::Constraint);
      // With a single place there is nothing to gain from another order.
      works.push_back(jobs_.places() == 1 ? 0 : expected_work(question));
    }
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return helps[a] != helps[b] ? helps[a] > helps[b] : works[a] > works[b];
    });
  }

  // The invariant of a constraint that was proved is known from then on.
  void learn(const Question& question, const PropertyResult& result) {
    if (question.what().kind != PropertyKind::Constraint) return;
    const Verdict& verdict = result.verdict;
    const auto* proof = verdict.because<Inductive>();
    if (proof != nullptr && proof->k == 1) proved_[question.model].push_back(proof->invariant);
  }

  void work() {
    const Jobs::Turn turn(jobs_);
    while (begun_ < order_.size() && !failure_) {
      const bool first = begun_ == 0;
      const std::size_t i = order_[begun_++];
      try {
        const Deadline end = first ? context_.first_deadline : question_deadline();
        const CancelToken cancel = CancelToken::within(context_.cancel);
        const Watchdog::Guard guard(context_.watchdog, end.plus(grace_.process), cancel);
        answer(i, end, cancel);
        progress_.one_more();
        const LimitScope scope(end.plus(grace_.report), cancel);
        hand_over();
      } catch (...) {
        if (!failure_) failure_ = std::current_exception();
      }
    }
  }

  [[nodiscard]] Deadline question_deadline() const {
    const double seconds = *context_.options.get<DecideOptions>().timeout;
    if (seconds <= 0) return context_.deadline;
    return context_.deadline.earlier(
        Deadline::after(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000))));
  }

  void answer(std::size_t i, Deadline end, const CancelToken& cancel) {
    const Question& question = questions_[i];
    DecideContext context{context_.options, end,    cancel,          context_.log,
                          progress_,        &jobs_, context_.engine, loaded_.sources.get()};
    context.hints = proved_[question.model];
    const auto decided = decider(question);
    const LimitScope scope(end.plus(grace_.work), cancel);
    try {
      results_[i] = decided(loaded_.models[question.model].path, question.network,
                            question.property, context);
      results_[i]->asked = question.asked;
      note_place(*results_[i], *loaded_.sources);
      if (wants_vacuity(context_.options.get<CheckGroup>(), *results_[i]))
        results_[i]->notes = vacuity(*results_[i], context);
      add_remarks(*results_[i]);
      for (std::string& note : neglected(*results_[i], context))
        results_[i]->notes.push_back(std::move(note));
      learn(question, *results_[i]);
    } catch (const LimitReached& limit) {
      results_[i] = undecided_result(loaded_, question);
      results_[i]->verdict.found = Undecided{limit.reason()};
    }
    handlers_.on_decided(i, *results_[i]);
  }

  // What the language says about the last state of the trace.
  static void add_remarks(PropertyResult& result) {
    const Network& network = *result.network;
    if (result.verdict.trace() == nullptr || !result.replay || !network.notation) return;
    const StateLayout layout(network, result.question().universe);
    const State& last = result.replay->final();
    const auto value_of = [&](InstanceId instance, VariableId variable) {
      const InstanceId any = instance.valid() ? instance : layout.instance(0);
      return last.values[layout.slot(any, variable)];
    };
    for (std::string& line : network.notation->remarks(result.question().kind, value_of))
      result.notes.push_back(std::move(line));
  }

  void hand_over() {
    for (; handed_ < results_.size() && results_[handed_]; ++handed_) {
      handlers_.on_result(std::move(*results_[handed_]));
    }
  }

  const LoadedModels& loaded_;
  std::span<const Question> questions_;
  DecideContext& context_;
  const Handlers& handlers_;
  const Grace grace_;
  Jobs jobs_;
  CountedProgress progress_;
  std::vector<std::size_t> order_;
  std::size_t begun_ = 0;
  std::vector<std::optional<PropertyResult>> results_;
  std::vector<std::vector<Expr>> proved_;  // by model: invariants of constraints
  std::size_t handed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void decide_all(const LoadedModels& loaded, std::span<const Question> questions,
                DecideContext& context, const Handlers& handlers) {
  Schedule(loaded, questions, context, handlers).run();
}

}  // namespace whittle
