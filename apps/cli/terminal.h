// SPDX-License-Identifier: Apache-2.0
// What the program is connected to.
#pragma once

#include <cstddef>

namespace whittle::cli {

[[nodiscard]] bool is_terminal(int descriptor);
// Whether colours are welcome there: a terminal that has some, and no NO_COLOR.
[[nodiscard]] bool wants_color(int descriptor);
// Columns of the terminal; where there is none, $COLUMNS, or 80.
[[nodiscard]] std::size_t terminal_width(int descriptor);

}  // namespace whittle::cli
