// SPDX-License-Identifier: Apache-2.0
// The picture of a model where its file has one (the diagram interchange of BPMN): shapes and lines
// with their places, and what of the network they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/property.h"

namespace whittle {

struct Drawing {
  enum class Form : std::uint8_t {
    Frame,        // a pool, a lane or a group: its name stands at the border
    Box,          // an activity
    Circle,       // something begins
    RingCircle,   // something in between
    ThickCircle,  // something ends
    Diamond,      // a gateway
    Note,         // data and text, of no importance
  };
  struct Point {
    double x = 0;
    double y = 0;
  };
  struct Shape {
    Form form = Form::Box;
    std::string label;
    std::string sign;  // in its middle; may be empty
    double x = 0;      // of its left upper corner
    double y = 0;
    double width = 0;
    double height = 0;
    std::vector<std::size_t> incoming = {};  // lines
    VariableId active = {};                  // counts how often it is going on; invalid: not at all
  };
  struct Line {
    std::vector<Point> points;
    std::string label;
    bool dashed = false;
    VariableId tokens = {};  // counts them; invalid: it has none
  };
  std::vector<Shape> shapes;  // what is around others before them
  std::vector<Line> lines;
};

}  // namespace whittle
