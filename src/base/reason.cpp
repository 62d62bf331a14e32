// SPDX-License-Identifier: Apache-2.0
#include "base/reason.h"

namespace whittle {

std::string_view to_string(Reason::Kind kind) {
  switch (kind) {
    case Reason::Kind::Timeout:
      return "timeout";
    case Reason::Kind::Memory:
      return "memory";
    case Reason::Kind::Interrupted:
      return "interrupted";
    case Reason::Kind::Bound:
      return "bound";
    case Reason::Kind::Unsupported:
      return "unsupported";
    case Reason::Kind::Incomplete:
      return "incomplete";
  }
  return "incomplete";
}

std::string Reason::text() const {
  if (detail.empty()) return std::string(to_string(kind));
  if (!is_limit(kind)) return detail;
  return std::string(to_string(kind)) + " " + detail;
}

}  // namespace whittle
