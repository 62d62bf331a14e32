// SPDX-License-Identifier: Apache-2.0
// The fixed parts of the page, made from the files in html/ by the build.
#pragma once

#include <string_view>

namespace whittle {

extern const std::string_view kPageScript;
extern const std::string_view kPageStyle;

}  // namespace whittle
