// SPDX-License-Identifier: Apache-2.0
#include "cli/application.h"

int main(int argc, char** argv) {
  std::vector<std::string> arguments = {"bench"};
  if (argc > 1) arguments.insert(arguments.end(), argv + 1, argv + argc);
  return whittle::cli::run_application(std::move(arguments));
}
