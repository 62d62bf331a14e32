// SPDX-License-Identifier: Apache-2.0
// `--record FOLDER`: what is needed to repeat a run or to report a defect.
//
//   command.txt     as it was given, and where
//   versions.txt    of whittle and of the solvers
//   log.txt         everything that was logged, more than --verbose shows on a terminal
//   FILE.PROPERTY/  per question: its slice in its own language, every solver query as SMT-LIB
#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/source.h"
#include "ir/network.h"

namespace whittle {

class Record {
 public:
  // Makes the folder and what does not depend on questions. Throws CannotWrite.
  Record(const std::string& folder, const std::vector<std::string>& command,
         std::string_view version);

  // Writes down what is logged and hands it on.
  [[nodiscard]] Logger::Sink sink(Logger& outer);

 private:
  std::ofstream log_;
};

// The folder of a question; not made yet.
[[nodiscard]] std::string record_folder(const std::string& folder, const std::string& file,
                                        const std::string& property);
// The network as text in its language, as far as that can be printed.
void record_slice(const std::string& folder, const Network& network, const Sources& sources);

}  // namespace whittle
