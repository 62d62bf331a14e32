// SPDX-License-Identifier: Apache-2.0
// The models of examples/sts/survey, as part of the program.
#pragma once

#include <string>
#include <vector>

namespace whittle::bench {

struct SurveyText {
  std::string name;
  std::string text;
};

[[nodiscard]] std::vector<SurveyText> survey_texts();

}  // namespace whittle::bench
