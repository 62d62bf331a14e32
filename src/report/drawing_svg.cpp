// SPDX-License-Identifier: Apache-2.0
#include "report/drawing_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace whittle {

namespace {

using Form = Drawing::Form;

constexpr double kMargin = 20;
constexpr std::size_t kMostLetters = 120;  // of a label
constexpr std::string_view kRed = "#c4262e";

std::string escaped_xml(std::string_view text) {
  std::string result;
  for (const char c : safe_text(text)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

// In lines of about so many letters.
std::vector<std::string> lines_of(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines;
  std::string line;
  std::string word;
  const auto end_word = [&] {
    if (!line.empty() && line.size() + word.size() + 1 > letters) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
    word.clear();
  };
  for (const char c : ellipsized(text, kMostLetters)) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
      end_word();
    else
      word += c;
  }
  end_word();
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

class DrawingSvg {
 public:
  DrawingSvg(const Drawing& drawing, const std::function<std::uint64_t(VariableId)>& count_of)
      : drawing_(drawing), count_of_(count_of) {}

  std::string run() {
    bounds();
    const double width = right_ - left_ + 2 * kMargin;
    const double height = bottom_ - top_ + 2 * kMargin;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0f} {:.0f} {:.0f} {:.0f}\" "
        "width=\"{:.0f}\" height=\"{:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" "
        "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker></defs>\n"
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"white\"/>\n",
        left_ - kMargin, top_ - kMargin, width, height, width, height, left_ - kMargin,
        top_ - kMargin, width, height);
    for (const bool frames : {true, false})
      for (const Drawing::Shape& shape : drawing_.shapes)
        if ((shape.form == Form::Frame) == frames) draw(shape);
    for (const Drawing::Line& line : drawing_.lines) draw(line);
    for (const Drawing::Line& line : drawing_.lines) tokens(line);
    return out_ + "</svg>\n";
  }

 private:
  void grow(double x, double y) {
    left_ = std::min(left_, x);
    right_ = std::max(right_, x);
    top_ = std::min(top_, y);
    bottom_ = std::max(bottom_, y);
  }

  void bounds() {
    bool first = true;
    const auto add = [&](double x, double y) {
      if (first) left_ = right_ = x, top_ = bottom_ = y;
      first = false;
      grow(x, y);
    };
    for (const Drawing::Shape& shape : drawing_.shapes) {
      add(shape.x, shape.y);
      add(shape.x + shape.width, shape.y + shape.height + (outside(shape) ? 30 : 0));
    }
    for (const Drawing::Line& line : drawing_.lines)
      for (const Drawing::Point& point : line.points) add(point.x, point.y);
  }

  // Its label stands below it.
  static bool outside(const Drawing::Shape& shape) {
    return shape.form == Form::Circle || shape.form == Form::RingCircle ||
           shape.form == Form::ThickCircle || shape.form == Form::Diamond;
  }

  [[nodiscard]] std::uint64_t count(VariableId variable) const {
    return variable.valid() && count_of_ ? count_of_(variable) : 0;
  }

  // A token waits before it.
  [[nodiscard]] bool waits(const Drawing::Shape& shape) const {
    return count(shape.active) > 0 ||
           std::any_of(shape.incoming.begin(), shape.incoming.end(),
                       [&](std::size_t line) { return count(drawing_.lines[line].tokens) > 0; });
  }

  void draw(const Drawing::Shape& shape) {
    const bool marked = waits(shape);
    const std::string style =
        fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
                    marked ? "#fde8e8" : (shape.form == Form::Frame ? "none" : "#ffffff"),
                    marked ? kRed : (shape.form == Form::Note ? "#999999" : "#222222"),
                    (shape.form == Form::ThickCircle ? 3 : 1) + (marked ? 1.5 : 0));
    const double x = shape.x + shape.width / 2;
    const double y = shape.y + shape.height / 2;
    out_ += marked ? "<g class=\"waiting\">" : "<g>";
    switch (shape.form) {
      case Form::Circle:
      case Form::ThickCircle:
      case Form::RingCircle:
        out_ += fmt::format("<ellipse cx=\"{:.1f}\" cy=\"{:.1f}\" rx=\"{:.1f}\" ry=\"{:.1f}\" {}/>",
                            x, y, shape.width / 2, shape.height / 2, style);
        if (shape.form == Form::RingCircle && shape.width > 8 && shape.height > 8)
          out_ += fmt::format(
              "<ellipse cx=\"{:.1f}\" cy=\"{:.1f}\" rx=\"{:.1f}\" ry=\"{:.1f}\" fill=\"none\" "
              "stroke=\"#222222\"/>",
              x, y, shape.width / 2 - 3, shape.height / 2 - 3);
        break;
      case Form::Diamond:
        out_ += fmt::format(
            "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\" {}/>", x,
            shape.y, shape.x + shape.width, y, x, shape.y + shape.height, shape.x, y, style);
        break;
      case Form::Frame:
      case Form::Note:
      case Form::Box:
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" {}/>",
            shape.x, shape.y, shape.width, shape.height, shape.form == Form::Box ? 8 : 0, style);
        break;
    }
    if (!shape.sign.empty())
      out_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-size=\"18\">{}</text>", x,
          y + 6, escaped_xml(shape.sign));
    label(shape, x, y);
    out_ += "</g>\n";
  }

  void label(const Drawing::Shape& shape, double x, double y) {
    if (shape.label.empty()) return;
    if (shape.form == Form::Frame) {
      const bool wide = shape.width >= shape.height;
      const double at = shape.x + 16;
      out_ +=
          fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", at, wide ? y : shape.y + 16,
                      wide ? fmt::format(" text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} "
                                         "{:.1f})\"",
                                         at, y)
                           : "",
                      escaped_xml(ellipsized(shape.label, 60)));
      return;
    }
    const bool below = outside(shape);
    const auto letters =
        static_cast<std::size_t>(std::max(12.0, (below ? 100 : shape.width) / 6.5));
    const std::vector<std::string> lines = lines_of(shape.label, letters);
    // Around a sub-process there is more inside; its name stands at the top.
    const bool around = shape.height > 120;
    double line = below
                      ? shape.y + shape.height + 14
                      : (around ? shape.y + 16 : y + 4 - 7 * static_cast<double>(lines.size() - 1));
    for (const std::string& text : lines) {
      out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x,
                          line, escaped_xml(text));
      line += 14;
    }
  }

  void draw(const Drawing::Line& line) {
    std::string path;
    for (const Drawing::Point& point : line.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", point.x, point.y);
    const bool marked = count(line.tokens) > 0;
    out_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} "
        "marker-end=\"url(#tip)\"/>",
        path, marked ? kRed : "#222222", marked ? 2 : 1,
        line.dashed ? " stroke-dasharray=\"5 4\"" : "");
    if (!line.label.empty()) {
      const Drawing::Point at = middle(line);
      out_ += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#555555\">"
          "{}</text>",
          at.x, at.y - 6, escaped_xml(ellipsized(line.label, 40)));
    }
    out_ += '\n';
  }

  // Half-way along it.
  static Drawing::Point middle(const Drawing::Line& line) {
    const auto length = [&](std::size_t i) {
      return std::hypot(line.points[i].x - line.points[i - 1].x,
                        line.points[i].y - line.points[i - 1].y);
    };
    double rest = 0;
    for (std::size_t i = 1; i < line.points.size(); ++i) rest += length(i);
    rest /= 2;
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const double piece = length(i);
      if (piece >= rest && piece > 0) {
        const double part = rest / piece;
        return {line.points[i - 1].x + part * (line.points[i].x - line.points[i - 1].x),
                line.points[i - 1].y + part * (line.points[i].y - line.points[i - 1].y)};
      }
      rest -= piece;
    }
    return line.points.back();
  }

  void tokens(const Drawing::Line& line) {
    const std::uint64_t number = count(line.tokens);
    if (number == 0 || line.points.empty()) return;
    const Drawing::Point at = middle(line);
    out_ += fmt::format(
        "<g class=\"token\"><circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"9\" fill=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\" fill=\"white\" "
        "font-weight=\"bold\">{4}</text></g>\n",
        at.x, at.y, kRed, at.y + 4, number);
  }

  const Drawing& drawing_;
  const std::function<std::uint64_t(VariableId)>& count_of_;
  std::string out_;
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
};

}  // namespace

std::string drawing_svg(const Drawing& drawing,
                        const std::function<std::uint64_t(VariableId)>& count_of) {
  return DrawingSvg(drawing, count_of).run();
}

}  // namespace whittle
