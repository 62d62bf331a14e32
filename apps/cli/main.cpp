// SPDX-License-Identifier: Apache-2.0
#include "cli/application.h"

int main(int argc, char** argv) {
  return whittle::cli::run_application({argv + (argc > 0 ? 1 : 0), argv + argc});
}
