// SPDX-License-Identifier: Apache-2.0
// All questions of a run, several at a time.
#pragma once

#include <functional>
#include <span>

#include "driver/decide.h"
#include "driver/questions.h"

namespace whittle {

struct Handlers {
  // By the index of the question, as soon as it is decided.
  std::function<void(std::size_t index, const PropertyResult&)> on_decided;
  // In the order of the questions, each as soon as all before it are there.
  std::function<void(PropertyResult)> on_result;
};

// Those that look like the most work begin first, so that they do not end last. What `decide`
// throws is thrown here.
void decide_all(const LoadedModels& loaded, std::span<const Question> questions,
                DecideContext& context, const Handlers& handlers);

}  // namespace whittle
