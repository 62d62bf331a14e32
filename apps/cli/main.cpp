// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "cli/application.h"

namespace {

// Tables of a large model grow by doubling. Left to itself the allocator gives each outgrown table
// back to the system and gets the next one from there page by page: a fifth of the time that
// loading a model of 100 MB takes. A process that ends with its answer rather keeps them.
void keep_outgrown_tables() {
  constexpr int kMegabyte = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);
  ::mallopt(M_TRIM_THRESHOLD, 1024 * kMegabyte);
  ::mallopt(M_TOP_PAD, 4 * kMegabyte);
}

}  // namespace

int main(int argc, char** argv) {
  keep_outgrown_tables();
  return whittle::cli::run_application({argv + (argc > 0 ? 1 : 0), argv + argc});
}
