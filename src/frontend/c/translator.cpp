// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/translator.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/c/notation.h"
#include "ir/ltl.h"

namespace whittle::c {

namespace {

std::string name_of_file(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find_last_of('.')));
}

// An overflow has no defined behaviour. Whether a program comes to its end is asked of what is
// defined, unless somebody says what an overflow does.
bool traps(const COptions& options, const Specification& specification) {
  using Kind = Specification::Kind;
  if (specification.kind == Kind::Terminates && !options.overflow.given()) return true;
  return specification.kind == Kind::Overflow || options.overflow.value() == Overflow::Trap;
}

}  // namespace

Translator::Translator(const Unit& unit, const Sources& sources, FileId file,
                       const COptions& options, const Specification& specification,
                       Diagnostics& diagnostics, Calls calls)
    : unit_(unit),
      source_(sources.file(file)),
      file_(file),
      options_(options),
      specification_(specification),
      diagnostics_(diagnostics),
      pool_(std::make_shared<ExprPool>()),
      network_(std::make_shared<Network>(pool_)),
      constants_(unit),
      arithmetic_(*pool_, unit.types, traps(options, specification),
                  options.check.value() == Checks::Overflow),
      types_of_symbols_(std::make_shared<std::unordered_map<std::uint32_t, TypeId>>()),
      outside_(std::make_shared<std::map<std::string, std::string>>()),
      sharing_(calls) {
  network_->name = name_of_file(source_.path());
  network_->language = "c";
  network_->notation = make_notation(unit.types, types_of_symbols_, outside_);
  universe_ = network_->add_universe("the program");
  arithmetic_.report_to([this](Fault f, Expr condition) { fault(f, condition); });
}

std::shared_ptr<Network> Translator::run() {
  main_ = network_->add_machine("main", {file_, 0, 0});
  network_->add_instance(universe_, main_, Value(), "main");
  const auto found = unit_.function_names.find("main");
  const bool defined =
      found != unit_.function_names.end() && unit_.functions[found->second].defined;
  if (!defined) {
    if (!diagnostics_.has_errors())
      diagnostics_.report("c-009", {file_, 0, 0}, "there is no function `main`",
                          "a program begins with it");
    return nullptr;
  }
  bits_.emplace(unit_, found->second, options_.numbers.value());
  choose_copies(found->second);
  start(found->second);
  ask();
  return diagnostics_.has_errors() ? nullptr : network_;
}

void Translator::start(FunctionId main) {
  Code code(*network_, main_, failures_);
  Frame frame;
  frame.function = main;
  frame.exit = code.place();
  code_ = &code;
  frame_ = &frame;
  calls_.push_back(main);
  const Function& function = unit_.functions[main];
  site_ = site(function.span);
  initialize_globals();
  for (const ObjectId parameter : function.parameters) {
    Place place;
    place.object = parameter;
    place.type = unit_.objects[parameter].type;
    if (unit_.types.is_integer(place.type)) forget(place, function.span);
  }
  body(main);
  code.put(frame.exit);
  const std::uint32_t end = function.whole.end == 0 ? 0 : function.whole.end - 1;
  if (!to_translate_.empty()) {
    code.end(site({file_, end, end + 1}));
    translate_single_copies();
  }
  instructions_ = code.size();
  const auto ends = code.finish({file_, end, end + 1});
  network_->machine(main_).starts.push_back(
      {"start", ends.entry, pool_->conj(first_), {file_, 0, 0}});
}

// Those that the program uses get their values when they are used first: here they are only read
// from the text.
void Translator::initialize_globals() {
  for (ObjectId id = 0; id < unit_.objects.size(); ++id) {
    const Object& object = unit_.objects[id];
    if (!object.keeps || object.initializer == kNone || object.is_volatile) continue;
    Place place;
    place.object = id;
    place.type = object.type;
    // What has no value that we know is refused where it is used.
    bool known = true;
    each_leaf(place, [&](const Place& leaf) { known &= unit_.types.is_integer(leaf.type); });
    if (!known) continue;
    if (!unit_.types.is_integer(place.type)) clear(place, object.span);
    initialize(place, object.initializer, true);
  }
  const program::Action action = take_action();
  for (const auto& [variable, value] : action.values) network_->variable(variable).initial = value;
}

// ----- questions

std::uint32_t Translator::line_of(Span span) const { return source_.position(span.begin).line; }

program::Site Translator::site(Span span) const {
  const std::string_view text = source_.text().substr(span.begin, span.end - span.begin);
  return {span, fmt::format("{}:{}", unit_.functions[frame_->function].name, line_of(span)),
          std::string(text)};
}

program::FailureId Translator::failure(std::string name, PropertyKind kind, Span origin) {
  const auto found = failed_.find(name);
  if (found != failed_.end()) return found->second;
  const program::FailureId id = failures_.add(name, kind, origin);
  failed_.emplace(name, id);
  asked_.push_back({id, std::move(name), kind, origin});
  return id;
}

program::FailureId Translator::failure_at(std::string_view what, Span origin, bool error) {
  const program::FailureId id =
      failure(fmt::format("{} at line {}", what, line_of(origin)), PropertyKind::Assert, origin);
  for (Asked& asked : asked_)
    if (asked.failure == id) asked.error |= error;
  return id;
}

// A run for which there is no room ends at a place of its own, which is a part of every goal: where
// it is reached, the question has no answer.
void Translator::ask_for(std::vector<program::FailureId> which, std::string name, PropertyKind kind,
                         Span origin) {
  if (too_deep_.valid()) which.push_back(too_deep_);
  failures_.ask_together(*network_, universe_, which, std::move(name), kind, origin);
}

void Translator::ask() {
  using Kind = Specification::Kind;
  std::stable_sort(asked_.begin(), asked_.end(),
                   [](const Asked& a, const Asked& b) { return a.origin.begin < b.origin.begin; });
  const auto together = [&](std::string name, PropertyKind kind, auto wanted) {
    std::vector<program::FailureId> which;
    Span origin{file_, 0, 0};
    for (const Asked& asked : asked_) {
      if (!wanted(asked)) continue;
      if (which.empty()) origin = asked.origin;
      which.push_back(asked.failure);
    }
    ask_for(std::move(which), std::move(name), kind, origin);
  };
  switch (specification_.kind) {
    case Kind::Everything:
      for (const Asked& asked : asked_) {
        if (asked.kind == PropertyKind::Overflow && options_.check.value() != Checks::Overflow)
          continue;
        ask_for({asked.failure}, asked.name, asked.kind, asked.origin);
      }
      break;
    case Kind::Calls:
      together(fmt::format("no call of {}", specification_.name), PropertyKind::Assert,
               [](const Asked& asked) { return asked.error; });
      break;
    case Kind::Label:
      together(fmt::format("label {} is not reached", specification_.name), PropertyKind::Assert,
               [](const Asked& asked) { return asked.error; });
      break;
    case Kind::Overflow:
      together("no overflow", PropertyKind::Overflow,
               [](const Asked& asked) { return asked.kind == PropertyKind::Overflow; });
      break;
    case Kind::Terminates:
      ask_whether_runs_end();
      break;
  }
}

// A run ends at the end of the program, with an error, and where an assumption fails.
void Translator::ask_whether_runs_end() {
  LtlPool& ltl = network_->ltl();
  RunGoal goal;
  goal.formula = ltl.eventually(ltl.atom(pool_->symbol(network_->halt())));
  goal.text = "<>halt";
  Property property;
  property.name = "every run ends";
  property.kind = PropertyKind::Ltl;
  property.universe = universe_;
  property.origin = {file_, 0, 0};
  property.goal = std::move(goal);
  // A run for which there is no room ends, too, and its end shows nothing.
  if (too_deep_.valid())
    property.incomplete = fmt::format("calls nested deeper than {} are left out", depth());
  network_->add_property(std::move(property));
}

// ----- what is not read

std::string Translator::path_from_main() const {
  std::string result;
  for (const FunctionId id : calls_) {
    if (!result.empty()) result += " -> ";
    result += unit_.functions[id].name;
  }
  return result;
}

void Translator::refuse(Refusal refusal, Span span, std::string_view detail) {
  const FunctionId function = calls_.empty() ? kNone : calls_.back();
  if (!refused_.emplace(refusal, function).second) return;
  const RefusalInfo& entry = info(refusal);
  std::string message(entry.what);
  if (!detail.empty()) message += fmt::format(": `{}`", detail);
  if (function != kNone)
    message += fmt::format(", in `{}` ({})", unit_.functions[function].name, path_from_main());
  diagnostics_.report(entry.id, span.valid() ? span : site_.origin, std::move(message),
                      std::string(entry.help));
}

void Translator::warn(std::string_view id, Span span, std::string message, std::string hint) {
  if (warned_.emplace(std::string(id) + message, 0).second)
    diagnostics_.report(id, span, std::move(message), std::move(hint));
}

}  // namespace whittle::c
