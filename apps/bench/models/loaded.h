// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "frontend/frontend.h"
#include "ir/network.h"

namespace whittle::bench {

// A generated model in the language of its file's ending, with its first file loaded.
[[nodiscard]] std::shared_ptr<Network> loaded(const std::vector<PrintedFile>& files);

}  // namespace whittle::bench
