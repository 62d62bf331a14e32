// SPDX-License-Identifier: Apache-2.0
#include "frontend/bpmn/picture.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "base/checkpoint.h"

namespace whittle::bpmn {

namespace {

constexpr double kFarthest = 100'000;  // what is drawn farther away is a mistake
constexpr std::size_t kMostDepth = 100;

std::string_view local(pugi::xml_node element) {
  const std::string_view name = element.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string reference(pugi::xml_node element) {
  const std::string text = element.attribute("bpmnElement").value();
  const std::size_t colon = text.find(':');
  return colon == std::string::npos ? text : text.substr(colon + 1);
}

double number(pugi::xml_node element, const char* name) {
  const double value = element.attribute(name).as_double();
  return std::isfinite(value) ? std::clamp(value, -kFarthest, kFarthest) : 0;
}

class PictureReader {
 public:
  Picture run(pugi::xml_node definitions) {
    names(definitions);
    for (const pugi::xml_node child : definitions.children())
      if (local(child) == "BPMNDiagram")
        for (const pugi::xml_node plane : child.children())
          for (const pugi::xml_node element : plane.children()) drawn(element);
    return std::move(picture_);
  }

 private:
  struct Other {
    std::string name;
    bool frame = false;
  };

  // Of pools, lanes and texts.
  void names(pugi::xml_node definitions) {
    std::vector<std::pair<pugi::xml_node, std::size_t>> open{{definitions, 0}};
    while (!open.empty()) {
      checkpoint();
      const auto [outer, depth] = open.back();
      open.pop_back();
      for (const pugi::xml_node child : outer.children()) {
        if (child.type() != pugi::node_element) continue;
        const std::string_view name = local(child);
        const bool frame = name == "participant" || name == "lane" || name == "group";
        const bool note = name == "textAnnotation" || name.starts_with("data");
        if (frame || note) {
          Other other{child.attribute("name").value(), frame};
          for (const pugi::xml_node text : child.children())
            if (name == "textAnnotation" && local(text) == "text") other.name = text.child_value();
          others_.emplace(child.attribute("id").value(), std::move(other));
        }
        if (depth < kMostDepth) open.emplace_back(child, depth + 1);
      }
    }
  }

  void drawn(pugi::xml_node element) {
    checkpoint();
    const std::string_view kind = local(element);
    if (kind == "BPMNShape") {
      Picture::Shape shape;
      shape.element = reference(element);
      if (const auto other = others_.find(shape.element); other != others_.end()) {
        shape.name = other->second.name;
        shape.frame = other->second.frame;
      }
      for (const pugi::xml_node part : element.children())
        if (local(part) == "Bounds") {
          shape.corner = {number(part, "x"), number(part, "y")};
          shape.size = {number(part, "width"), number(part, "height")};
        }
      picture_.shapes.push_back(std::move(shape));
    } else if (kind == "BPMNEdge") {
      Picture::Edge edge;
      edge.element = reference(element);
      for (const pugi::xml_node part : element.children())
        if (local(part) == "waypoint")
          edge.points.push_back({number(part, "x"), number(part, "y")});
      if (edge.points.size() >= 2) picture_.edges.push_back(std::move(edge));
    }
  }

  std::unordered_map<std::string, Other> others_;
  Picture picture_;
};

}  // namespace

Picture read_picture(pugi::xml_node definitions) { return PictureReader().run(definitions); }

}  // namespace whittle::bpmn
