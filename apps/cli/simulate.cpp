// SPDX-License-Identifier: Apache-2.0
// The simulator's conversation: one command per line, from a terminal or from a script.
#include "driver/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "cli/command.h"
#include "driver/lists.h"
#include "driver/questions.h"
#include "driver/trace_file.h"
#include "ir/notation.h"
#include "ir/reading.h"

namespace whittle::cli {

namespace {

struct SimulateOptions : OptionGroup {
  SimulateOptions() : OptionGroup("Simulating") {}
  PropertyOption property{*this, "in the universe of the property of this name"};
  Option<unsigned> seed{*this, "seed", 1, {0, 1'000'000'000}, "of random walks"};
  Option<std::string> script{*this, "script", "", "FILE",
                             "take the commands from this file, then end"};
  Option<std::string> trace{*this, "trace", "", "FILE",
                            "begin with the trace of this report of 'check --json'"};
  Option<bool> json{*this, "json",
                    "commands, answers and the walk as one JSON document at the end"};
};

constexpr std::string_view kCommands =
    "  state                 where everything stands\n"
    "  events                what is possible now, with arguments that make it so\n"
    "  do N                  take number N of that list\n"
    "  do EVENT [x=V ...]    take an event, with these arguments or with some that are found;\n"
    "                        'with y=W ...' at the end: values afterwards that it leaves open\n"
    "  why EVENT [x=V ...]   why an event is not possible, or not with these arguments\n"
    "  start [x=V ...]       begin anew, in a first state with these values\n"
    "  load FILE             begin anew, with the trace of a report of 'check --json'\n"
    "  loop N                if the steps from N on are repeated for ever: which formulas are\n"
    "                        violated; N behind the last step: if nothing happens any more\n"
    "  undo                  take the last step back\n"
    "  random [N]            N random steps\n"
    "  trace                 the steps so far\n"
    "  save FILE             write the walk as a script\n"
    "  help, quit\n";

Expected<TraceFile, std::string> trace_in(const std::string& path, const std::string& property) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) return Unexpected{fmt::format("'{}' cannot be read", path)};
  auto file = read_trace_file(text.str(), property);
  if (!file) return Unexpected{fmt::format("{}: {}", path, file.error())};
  return file;
}

class Conversation {
 public:
  Conversation(Simulation& simulation, Session& session, unsigned seed)
      : simulation_(simulation), session_(session), random_(seed) {}

  // False: the conversation is over.
  bool command(const std::string& line) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#') return true;
    if (word == "quit" || word == "exit") return false;
    if (word == "help")
      say(std::string(kCommands));
    else if (word == "state")
      say(simulation_.state_text());
    else if (word == "events")
      list_events();
    else if (word == "do")
      take(words);
    else if (word == "why")
      why(words);
    else if (word == "start")
      start(words);
    else if (word == "load")
      load(words);
    else if (word == "undo")
      say(simulation_.undo() ? simulation_.state_text() : "nothing to take back\n");
    else if (word == "loop")
      loop(words);
    else if (word == "random")
      walk(words);
    else if (word == "trace")
      show_trace();
    else if (word == "save")
      save(words);
    else
      complain(fmt::format("there is no command '{}'; 'help' lists them", word));
    session_.out.flush();
    return true;
  }

  [[nodiscard]] bool failed() const { return failed_; }

  // The same as an entry of a document: what was asked, what was answered, and whether it made
  // sense.
  bool recorded(const std::string& line, nlohmann::ordered_json& exchanges) {
    return recorded(line, exchanges, [&] { return command(line); });
  }
  template <class Command>
  bool recorded(const std::string& shown, nlohmann::ordered_json& exchanges, Command&& command) {
    const bool failed = std::exchange(failed_, false);
    std::string answer;
    record_ = &answer;
    const bool goes_on = command();
    record_ = nullptr;
    exchanges.push_back({{"command", shown}, {"done", !failed_}, {"answer", answer}});
    failed_ = failed_ || failed;
    return goes_on;
  }

  // Begins anew and takes the steps of the trace.
  void load_trace(const std::string& path, const std::string& property) {
    const auto file = trace_in(path, property);
    if (!file) return complain(file.error());
    listed_.clear();
    if (!simulation_.restart(file->initial))
      return complain(fmt::format("{}: the model has no such first state", path));
    for (const TraceFile::Step& step : file->steps) {
      for (std::uint64_t i = 0; i < step.times; ++i) {
        if (session_.cancel.cancelled()) return;
        if (!take(step)) {
          return complain(fmt::format("{}: step {}, {}.{}, is not possible", path,
                                      simulation_.trace().steps.size() + 1, step.instance,
                                      step.event));
        }
      }
    }
    show_trace();
    say(simulation_.state_text());
  }

 private:
  void say(const std::string& text) {
    if (record_ != nullptr)
      *record_ += text;
    else
      session_.out.write(text);
  }
  void complain(const std::string& text) {
    failed_ = true;
    say(text + "\n");
  }

  void loop(std::istringstream& words) {
    std::size_t from = 0;
    const std::size_t steps = simulation_.trace().steps.size();
    if (!(words >> from) || from < 1 || from > steps + 1)
      return complain(fmt::format("loop from where? name a step from 1 to {}", steps + 1));
    const std::vector<std::string> lines = simulation_.judged_loop(from);
    if (lines.empty()) return complain("there are no formulas of temporal logic here");
    for (const std::string& line : lines) say("  " + line + "\n");
  }

  void list_events() {
    listed_ = simulation_.choices();
    if (listed_.empty()) say("nothing is possible\n");
    for (std::size_t i = 0; i < listed_.size(); ++i)
      say(fmt::format("  {}  {}\n", i + 1, simulation_.event_text(listed_[i])));
  }

  void done() {
    listed_.clear();
    say(fmt::format("{}\n{}", simulation_.last_step_text(), simulation_.state_text()));
  }

  bool take(const TraceFile::Step& step) {
    std::vector<std::string> given;
    for (const auto& [name, value] : step.arguments) given.push_back(name + "=" + value);
    const std::string name = step.instance.empty() ? step.event : step.instance + "." + step.event;
    for (const auto& [instance, event] : simulation_.named(name)) {
      Simulation::Arguments arguments;
      if (!read_arguments(given, event, arguments).empty()) continue;
      const auto choice = simulation_.find(instance, event, arguments, &step.changes);
      if (!choice) continue;
      simulation_.take(choice->step);
      return true;
    }
    return false;
  }

  void take(std::istringstream& words) {
    std::string name;
    if (!(words >> name)) return complain("do what? 'events' lists what is possible");
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      if (listed_.empty()) listed_ = simulation_.choices();
      const std::size_t number = name.size() > 6 ? 0 : std::stoul(name);
      if (number < 1 || number > listed_.size())
        return complain(fmt::format("there is no number {} in the list", name));
      simulation_.take(listed_[number - 1].step);
      return done();
    }
    const Call call = read_call(name, words);
    if (call.who.empty()) return complain(unknown_event(call.name));
    std::string problem;
    for (const auto& [instance, event] : call.who) {
      Simulation::Arguments arguments;
      problem = read_arguments(call.given, event, arguments);
      if (!problem.empty()) continue;
      const bool with = !call.after.empty();
      if (auto choice =
              simulation_.find(instance, event, arguments, with ? &call.after : nullptr)) {
        simulation_.take(choice->step);
        return done();
      }
      problem = simulation_.why_not(instance, event, arguments);
      if (problem.empty()) problem = "not possible with these arguments";
    }
    complain(problem);
  }

  // `EVENT x=V ... with y=W ...`
  struct Call {
    std::string name;
    std::vector<std::pair<InstanceId, EventId>> who;
    std::vector<std::string> given;
    Simulation::Values after;
  };

  // Names of events may have blanks in them (`P[0].x := x + 1`): the longest that fits is meant.
  Call read_call(const std::string& first, std::istringstream& words) const {
    std::vector<std::string> all = {first};
    for (std::string word; words >> word;) all.push_back(word);
    Call call;
    call.name = first;
    std::size_t used = 1;
    std::string name;
    for (std::size_t i = 0; i < all.size(); ++i) {
      name += (i == 0 ? "" : " ") + all[i];
      auto who = simulation_.named(name);
      if (who.empty()) continue;
      call.name = name;
      call.who = std::move(who);
      used = i + 1;
    }
    const std::vector<std::string> rest(all.begin() + static_cast<std::ptrdiff_t>(used), all.end());
    const auto with = std::find(rest.begin(), rest.end(), "with");
    call.given = joined({rest.begin(), with});
    if (with != rest.end()) call.after = read_values({with + 1, rest.end()});
    return call;
  }

  // `amount=EUR 5.00` is one argument.
  static std::vector<std::string> joined(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    for (const std::string& word : words) {
      if (word.find('=') == std::string::npos && !result.empty()) {
        result.back() += " " + word;
      } else {
        result.push_back(word);
      }
    }
    return result;
  }

  static Simulation::Values read_values(const std::vector<std::string>& words) {
    Simulation::Values values;
    for (const std::string& word : joined(words)) {
      const std::size_t equals = word.find('=');
      if (equals != std::string::npos) values[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return values;
  }

  void start(std::istringstream& words) {
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    listed_.clear();
    if (!simulation_.restart(read_values(all)))
      return complain("there is no first state with these values");
    say(simulation_.state_text());
  }

  void load(std::istringstream& words) {
    std::string path;
    if (!(words >> path)) return complain("load what? name a report of 'check --json'");
    load_trace(path, "");
  }

  // `amount=50`, or in the words of the language `amount=EUR 0.50`: empty, or what is wrong.
  std::string read_arguments(const std::vector<std::string>& given, EventId event,
                             Simulation::Arguments& arguments) {
    const Network& network = simulation_.network();
    const auto& parameters = network.event(event).parameters;
    const auto* reader = dynamic_cast<const ReadsArguments*>(network.notation.get());
    for (const std::string& word : given) {
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const std::string text = equals == std::string::npos ? "" : word.substr(equals + 1);
      const auto at = std::find_if(parameters.begin(), parameters.end(),
                                   [&](const Parameter& p) { return p.name == name; });
      std::string expected;
      if (equals != std::string::npos && at != parameters.end()) {
        if (const auto value = value_from(network.pool(), text, at->type)) {
          arguments[static_cast<std::size_t>(at - parameters.begin())] = *value;
          continue;
        }
        expected = network.pool().to_string(at->type);
      }
      if (reader != nullptr && equals != std::string::npos) {
        std::string example;
        if (const auto values = reader->read(network, event, name, text, example)) {
          for (const auto& [position, value] : *values) arguments[position] = value;
          continue;
        }
        if (!example.empty()) {
          return fmt::format("'{}' is no value for '{}'; write, for example, {}={}", text, name,
                             name, example);
        }
      }
      if (!expected.empty()) return fmt::format("'{}' is no {}", text, expected);
      std::string known;
      std::string last;
      for (const Parameter& p : parameters) {
        // Several parameters may stand for one argument: `amount.currency`, `amount.amount`.
        const std::string shown =
            reader == nullptr ? p.name : p.name.substr(0, p.name.find_first_of(".#"));
        if (shown != last) known += (known.empty() ? "" : ", ") + shown;
        last = shown;
      }
      return fmt::format("'{}' is no argument; write NAME=VALUE with {}", word,
                         known.empty() ? "no name at all: there are no arguments" : known);
    }
    return "";
  }

  void why(std::istringstream& words) {
    std::string name;
    if (!(words >> name)) return complain("why what? name an event");
    const Call call = read_call(name, words);
    if (call.who.empty()) return complain(unknown_event(call.name));
    for (const auto& [instance, event] : call.who) {
      Simulation::Arguments arguments;
      if (const std::string problem = read_arguments(call.given, event, arguments);
          !problem.empty()) {
        complain(problem);
        continue;
      }
      const std::string shown = simulation_.network().instance(instance).name + "." +
                                simulation_.network().event(event).name;
      const std::string reason = simulation_.why_not(instance, event, arguments);
      if (reason.starts_with(shown)) {
        say(fmt::format("  {}\n", reason));
      } else {
        say(fmt::format("  {}: {}\n", shown, reason.empty() ? "is possible" : reason));
      }
    }
  }

  // Perhaps the model has it, but no instance of its machine takes part.
  std::string unknown_event(const std::string& name) const {
    const Network& network = simulation_.network();
    for (const Machine& machine : network.machines()) {
      for (EventId e : machine.events) {
        const std::string& event = network.event(e).name;
        if (name == event || name == machine.name + "." + event)
          return fmt::format(
              "'{}' is an event of {}, of which there is no instance here; --property or "
              "--instances gives others",
              event, machine.name);
      }
    }
    return fmt::format("there is no event '{}'", name);
  }

  void walk(std::istringstream& words) {
    unsigned count = 1;
    if (std::string word; words >> word) {
      const auto read = std::from_chars(word.data(), word.data() + word.size(), count);
      if (read.ec != std::errc() || read.ptr != word.data() + word.size())
        return complain(fmt::format("'{}' is not a number of steps", word));
    }
    for (unsigned i = 0; i < count; ++i) {
      if (session_.cancel.cancelled()) return;
      if (!simulation_.random_step(random_)) return say("nothing is possible\n");
      say(simulation_.last_step_text() + "\n");
    }
    listed_.clear();
    say(simulation_.state_text());
  }

  void show_trace() {
    if (simulation_.trace().steps.empty()) say("no step was taken\n");
    std::size_t number = 0;
    for (const TraceStep& step : simulation_.trace().steps)
      say(fmt::format("  {}  {}\n", ++number,
                      simulation_.event_text({step.instance, step.event, step})));
  }

  void save(std::istringstream& words) {
    std::string path;
    if (!(words >> path)) return complain("save where? name a file");
    std::ofstream out(path);
    out << simulation_.script();
    out.close();
    if (!out) return complain(fmt::format("'{}' cannot be written", path));
    say(fmt::format("{} steps written to {}\n", simulation_.trace().steps.size(), path));
  }

  Simulation& simulation_;
  Session& session_;
  std::mt19937_64 random_;
  std::vector<Simulation::Choice> listed_;
  bool failed_ = false;            // some command made no sense
  std::string* record_ = nullptr;  // where answers go; null: to the terminal
};

class Simulate final : public Command {
 public:
  void declare(OptionTable& table) override {
    table.add(options_);
    declare_load_options(load_, table);
  }

  ExitCode run(const std::vector<std::string>& arguments, Session& session) override {
    LoadedModels loaded = load_models(arguments, load_);
    std::vector<Question> questions;
    std::vector<std::string> asked = *options_.property;
    // The instances are those of the trace.
    if (asked.empty() && !options_.trace.value().empty()) {
      if (const auto file = trace_in(*options_.trace, "")) asked = {file->property};
    }
    if (!loaded.diagnostics.has_errors()) questions = chosen_questions(asked, loaded);
    if (!loaded.diagnostics.has_errors() && questions.empty()) {
      loaded.diagnostics.report(
          "check-006", {}, "there is nothing to simulate",
          "the instances are those of a property, and none of the files has one");
    }
    std::ifstream script;
    if (!options_.script.value().empty()) {
      script.open(*options_.script);
      if (!script)
        loaded.diagnostics.report("file-001", {},
                                  fmt::format("'{}' cannot be opened", *options_.script));
    }
    if (!*options_.json) session.show(loaded.diagnostics, *loaded.sources);
    if (loaded.diagnostics.has_errors()) return refused(loaded, session);
    const Model& model = loaded.models[questions[0].model];
    smt::SolverFactory::Settings settings;
    settings.limits.cancel = session.cancel;
    std::optional<Simulation> begun;
    try {
      begun.emplace(questions[0].network, questions[0].property, smt::SolverFactory(settings));
    } catch (const NoFirstState& none) {
      Diagnostics diagnostics;
      diagnostics.report("check-011", questions[0].what().origin, none.what());
      if (!*options_.json) session.show(diagnostics, *loaded.sources);
      loaded.diagnostics.append(std::move(diagnostics));
      return refused(loaded, session);
    }
    Simulation& simulation = *begun;
    Conversation conversation(simulation, session, *options_.seed);
    std::istream& in = script.is_open() ? static_cast<std::istream&>(script) : std::cin;
    const std::string traced = asked.empty() ? "" : asked.front();
    if (*options_.json) {
      auto entry = json_question(model.path, questions[0].what(), *loaded.sources);
      entry.update(walk(conversation, simulation, traced, in, session.cancel));
      session.out.write(json_document(WHITTLE_VERSION, "walks",
                                      nlohmann::ordered_json::array({std::move(entry)}),
                                      loaded.diagnostics, *loaded.sources));
      return conversation.failed() ? ExitCode::BadInput : ExitCode::Success;
    }
    if (!options_.trace.value().empty()) {
      conversation.load_trace(*options_.trace, traced);
    }
    const bool asks = !script.is_open() && isatty(STDIN_FILENO) == 1;
    if (asks) session.out.write("'help' lists the commands\n");
    session.out.write(simulation.state_text());
    for (std::string line;;) {
      if (asks) {
        session.out.write("> ");
        session.out.flush();
      }
      if (session.cancel.cancelled() || !std::getline(in, line) || !conversation.command(line))
        break;
    }
    return !asks && conversation.failed() ? ExitCode::BadInput : ExitCode::Success;
  }

 private:
  // There is no walk; people have seen why.
  [[nodiscard]] ExitCode refused(const LoadedModels& loaded, Session& session) const {
    if (*options_.json)
      session.out.write(json_document(WHITTLE_VERSION, "walks", nlohmann::ordered_json::array(),
                                      loaded.diagnostics, *loaded.sources));
    return ExitCode::BadInput;
  }

  // All commands, then what they led to.
  [[nodiscard]] nlohmann::ordered_json walk(Conversation& conversation,
                                            const Simulation& simulation, const std::string& traced,
                                            std::istream& in, const CancelToken& cancel) const {
    auto exchanges = nlohmann::ordered_json::array();
    if (!options_.trace.value().empty()) {
      conversation.recorded("load " + *options_.trace, exchanges, [&] {
        conversation.load_trace(*options_.trace, traced);
        return true;
      });
    }
    for (std::string line; !cancel.cancelled() && std::getline(in, line);)
      if (!conversation.recorded(line, exchanges)) break;
    return {{"exchanges", std::move(exchanges)}, {"trace", walked(simulation)}};
  }

  SimulateOptions options_;
  OptionSet load_;
};

}  // namespace

extern const CommandInfo kSimulate;
const CommandInfo kSimulate = {
    "simulate",
    "FILE",
    "step through a model by hand or at random",
    "Shows a state of the model and what can happen in it, and takes the steps you choose. The\n"
    "commands come from the terminal, from a pipe or from a script, one per line:\n"
    "\n"
    "  state, events, do N, do EVENT [x=V ...], why EVENT [x=V ...], start [x=V ...], load FILE,\n"
    "  undo, random [N], trace, save FILE\n"
    "\n"
    "  whittle simulate account.sts\n"
    "  echo 'random 10' | whittle simulate account.sts --seed 7\n"
    "  whittle simulate account.sts --script walk.txt     a walk that 'save' has written\n"
    "  whittle simulate account.sts --trace report.json   a trace that 'check --json' has "
    "written\n",
    1,
    1,
    [] { return std::unique_ptr<Command>(std::make_unique<Simulate>()); },
};

}  // namespace whittle::cli
