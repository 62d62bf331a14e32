// SPDX-License-Identifier: Apache-2.0
#include "report/sequence_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/markup.h"
#include "report/mermaid_label.h"
#include "report/shown.h"
#include "report/verdict_text.h"

namespace whittle {

namespace {

constexpr std::size_t kFirstSteps = 24;  // of a long run
constexpr std::size_t kLastSteps = 12;
constexpr std::size_t kWidestLabel = 44;  // columns
constexpr std::size_t kWidestNote = 34;
constexpr std::size_t kMostNoteLines = 6;

// One thing after another, from top to bottom.
struct Item {
  enum class Kind : std::uint8_t { Message, Note, Gap } kind = Kind::Message;
  std::optional<std::size_t> from;  // lane; none: the world outside
  std::size_t to = 0;
  std::string text;                // of a message or a gap
  std::vector<std::string> lines;  // of a note
};

std::vector<std::string> wrapped(const std::vector<std::string>& pieces) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::string piece = ellipsized(pieces[i], kWidestNote);
    if (i + 1 < pieces.size()) piece += ",";
    if (!lines.empty() && columns(lines.back()) + 1 + columns(piece) <= kWidestNote)
      lines.back() += " " + piece;
    else
      lines.push_back(std::move(piece));
  }
  if (lines.size() > kMostNoteLines) {
    lines.resize(kMostNoteLines - 1);
    lines.emplace_back("…");
  }
  return lines;
}

// What both writers draw.
class Sequence {
 public:
  explicit Sequence(const PropertyResult& result)
      : trace_(*result.verdict.trace()),
        replay_(*result.replay),
        model_(*result.network, trace_.universe),
        title_(fmt::format("{} {}{}", safe_text(result.question().name), verdict_word(result),
                           steps_covered(result))),
        outside_(!traits_of(*result.network).programs) {
    const std::vector<InstanceId>& all = result.network->universe(trace_.universe).instances;
    for (const InstanceId instance : all)
      if (all.size() <= 2 || takes_part(instance)) add_lane(instance);
    if (names_.empty())
      for (const InstanceId instance : all) add_lane(instance);
    add_notes(model_.state(replay_.initial), 0);
    add_steps();
    if (trace_.loop)
      items_.push_back({Item::Kind::Gap,
                        {},
                        0,
                        *trace_.loop >= trace_.steps.size() ? "then nothing happens any more"
                                                            : "and so on, for ever",
                        {}});
  }

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<std::string>& lanes() const { return names_; }
  [[nodiscard]] const std::vector<Item>& items() const { return items_; }
  [[nodiscard]] bool outside() const { return outside_; }

 private:
  [[nodiscard]] bool takes_part(InstanceId instance) const {
    return std::any_of(replay_.steps.begin(), replay_.steps.end(), [&](const ReplayedStep& step) {
      return std::any_of(step.occurrences.begin(), step.occurrences.end(),
                         [&](const Occurrence& one) { return one.instance == instance; });
    });
  }

  void add_lane(InstanceId instance) {
    lane_.emplace(instance, names_.size());
    names_.push_back(safe_text(model_.instance(instance)));
  }

  // Shared values stand with the lane of the step.
  void add_notes(const std::vector<ShownValue>& values, std::size_t shared_lane) {
    std::map<std::size_t, std::vector<std::string>> by_lane;
    for (const ShownValue& value : values) {
      const auto own = lane_.find(value.instance);
      if (value.instance.valid() && own == lane_.end()) continue;
      by_lane[own == lane_.end() ? shared_lane : own->second].push_back(
          value.name.empty() ? "at " + safe_text(value.value)
                             : fmt::format("{} = {}", value.name, safe_text(value.value)));
    }
    for (const auto& [lane, pieces] : by_lane)
      items_.push_back({Item::Kind::Note, {}, lane, {}, wrapped(pieces)});
  }

  void add_steps() {
    const std::size_t count = trace_.steps.size();
    const bool cut = count > kFirstSteps + kLastSteps + 1;
    std::uint64_t left_out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (cut && i >= kFirstSteps && i < count - kLastSteps) {
        left_out += trace_.steps[i].times;
        if (i + 1 == count - kLastSteps)
          items_.push_back(
              {Item::Kind::Gap, {}, 0, fmt::format("{} steps are left out", left_out), {}});
        continue;
      }
      add_step(i);
    }
  }

  void add_step(std::size_t index) {
    std::vector<std::size_t> callers;  // lanes by depth
    std::size_t root = 0;
    for (const ShownEvent& event : model_.events(replay_.steps[index])) {
      const auto own = lane_.find(event.instance);
      const std::size_t to = own == lane_.end() ? 0 : own->second;
      std::string text = safe_text(event.event);
      std::vector<std::string> arguments;
      for (const Shown& argument : event.arguments)
        arguments.push_back(fmt::format("{} = {}", argument.name, safe_text(argument.value)));
      if (!arguments.empty()) text += fmt::format("({})", fmt::join(arguments, ", "));
      text = ellipsized(text, kWidestLabel);
      std::optional<std::size_t> from;
      if (event.depth > 0 && event.depth <= callers.size())
        from = callers[event.depth - 1];
      else if (!outside_)
        from = to;
      if (event.depth == 0) root = to;
      if (event.depth == 0 && trace_.steps[index].times > 1)
        text += fmt::format(" × {}", trace_.steps[index].times);
      callers.resize(std::min<std::size_t>(event.depth, callers.size()));
      callers.push_back(to);
      items_.push_back({Item::Kind::Message, from, to, std::move(text), {}});
    }
    add_notes(model_.changes(replay_.steps[index]), root);
  }

  const Trace& trace_;
  const Replay& replay_;
  ModelShown model_;
  std::string title_;
  bool outside_;
  std::map<InstanceId, std::size_t> lane_;
  std::vector<std::string> names_;
  std::vector<Item> items_;
};

// Pixels. Text is measured by columns: no font is at hand.
constexpr int kColumnWidth = 7;
constexpr int kLineHeight = 16;
constexpr int kArrowHeight = 30;
constexpr int kTop = 64;
constexpr std::string_view kPlain = "fill=\"#1b1f24\"";
constexpr std::string_view kBold = "fill=\"#1b1f24\" font-weight=\"bold\"";
constexpr std::string_view kSoft = "fill=\"#5c6670\" font-style=\"italic\"";

class SequencePicture {
 public:
  explicit SequencePicture(const Sequence& sequence) : sequence_(sequence) {
    int widest = 0;
    for (const Item& item : sequence.items())
      if (item.kind == Item::Kind::Message) widest = std::max(widest, width_of(item.text));
    for (const std::string& lane : sequence.lanes()) widest = std::max(widest, width_of(lane));
    spacing_ = std::clamp(widest + 40, 170, 380);
    margin_ = sequence.outside() ? spacing_ : 130;
    width_ = margin_ +
             spacing_ * static_cast<int>(std::max<std::size_t>(sequence.lanes().size(), 1)) +
             (sequence.outside() ? 0 : 60);
  }

  std::string svg() {
    int y = kTop;
    for (const Item& item : sequence_.items()) y = drawn(item, y);
    const int height = y + 24;
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
        "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" "
        "fill=\"#0b68cb\"/></marker></defs>\n",
        width_, height);
    text += label(12, 20, sequence_.title(), "start", kBold);
    for (std::size_t lane = 0; lane < sequence_.lanes().size(); ++lane) {
      text += fmt::format(
          "<line x1=\"{0}\" y1=\"54\" x2=\"{0}\" y2=\"{1}\" stroke=\"#b0b8c0\" "
          "stroke-dasharray=\"4 3\"/>\n",
          x(lane), height - 8);
      const int half = width_of(sequence_.lanes()[lane]) / 2 + 10;
      text += box(x(lane) - half, 32, 2 * half, 24, "#f5f7f9", "#5c6670");
      text += label(x(lane), 48, sequence_.lanes()[lane], "middle");
    }
    return text + body_ + "</svg>\n";
  }

 private:
  static int width_of(std::string_view text) {
    return static_cast<int>(columns(text)) * kColumnWidth;
  }
  [[nodiscard]] int x(std::size_t lane) const {
    return margin_ + spacing_ * static_cast<int>(lane);
  }
  static std::string label(int x, int y, std::string_view text, std::string_view anchor,
                           std::string_view style = kPlain) {
    return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor,
                       style, escaped_markup(text));
  }
  static std::string box(int x, int y, int width, int height, std::string_view fill,
                         std::string_view line) {
    return fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"{}\" "
        "stroke=\"{}\"/>\n",
        x, y, width, height, fill, line);
  }

  // Adds the item below `y`; returns where the next one begins.
  int drawn(const Item& item, int y) {
    switch (item.kind) {
      case Item::Kind::Message:
        return message(item, y);
      case Item::Kind::Note:
        return note(item, y);
      case Item::Kind::Gap:
        body_ += label(12, y + 18, item.text, "start", kSoft);
        return y + kArrowHeight;
    }
    return y;
  }

  int message(const Item& item, int y) {
    const int to = x(item.to);
    const int line = y + kArrowHeight - 8;
    if (item.from == item.to) {
      body_ += fmt::format(
          "<path d=\"M{0} {1} h28 v10 h-26\" fill=\"none\" stroke=\"#0b68cb\" "
          "marker-end=\"url(#tip)\"/>\n",
          to, line - 8);
      body_ += label(to + 34, line, item.text, "start");
      return y + kArrowHeight;
    }
    const int from = item.from ? x(*item.from) : 12;
    body_ += fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#0b68cb\" "
        "marker-end=\"url(#tip)\"/>\n",
        from, line, to, line);
    // Beside the lane where the arrow begins, so that a long arrow is not read through others.
    const bool right = to > from;
    body_ += label(right ? from + 8 : from - 8, line - 5, item.text, right ? "start" : "end");
    return y + kArrowHeight;
  }

  int note(const Item& item, int y) {
    int widest = 0;
    for (const std::string& one : item.lines) widest = std::max(widest, width_of(one));
    const int height = static_cast<int>(item.lines.size()) * kLineHeight + 6;
    body_ += box(x(item.to) - widest / 2 - 8, y + 4, widest + 16, height, "#fffbe6", "#d9c97a");
    for (std::size_t i = 0; i < item.lines.size(); ++i)
      body_ +=
          label(x(item.to), y + 18 + static_cast<int>(i) * kLineHeight, item.lines[i], "middle");
    return y + height + 8;
  }

  const Sequence& sequence_;
  int spacing_ = 0;
  int margin_ = 0;
  int width_ = 0;
  std::string body_;
};

}  // namespace

std::string sequence_svg(const PropertyResult& result) {
  const Sequence sequence(result);
  return SequencePicture(sequence).svg();
}

std::string sequence_mermaid(const PropertyResult& result) {
  const Sequence sequence(result);
  std::string text = "sequenceDiagram\n";
  if (sequence.outside()) text += "  participant w as world\n";
  for (std::size_t lane = 0; lane < sequence.lanes().size(); ++lane)
    text += fmt::format("  participant i{} as {}\n", lane, mermaid_label(sequence.lanes()[lane]));
  for (const Item& item : sequence.items()) {
    switch (item.kind) {
      case Item::Kind::Message:
        text += fmt::format("  {}->>i{}: {}\n", item.from ? fmt::format("i{}", *item.from) : "w",
                            item.to, mermaid_label(item.text));
        break;
      case Item::Kind::Note: {
        std::vector<std::string> lines;
        for (const std::string& line : item.lines) lines.push_back(mermaid_label(line));
        text += fmt::format("  Note over i{}: {}\n", item.to, fmt::join(lines, "<br/>"));
        break;
      }
      case Item::Kind::Gap:
        text += fmt::format("  Note over i0: {}\n", mermaid_label(item.text));
        break;
    }
  }
  return text;
}

}  // namespace whittle
