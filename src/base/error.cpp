// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <fmt/format.h>

namespace whittle {

void fail_contract(const char* condition, const char* file, int line, const std::string& message) {
  throw InternalError(fmt::format("{} ({}:{}: {} does not hold)", message, file, line, condition));
}

}  // namespace whittle
