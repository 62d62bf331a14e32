// SPDX-License-Identifier: Apache-2.0
// Standard output that notices when nobody can read what is written: a closed pipe, a full disk.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace whittle::cli {

class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  // Throw OutputError when the text cannot be delivered; all later calls then do nothing.
  void write(std::string_view text);
  void flush();

 private:
  int descriptor_;
  std::string buffer_;
  bool broken_ = false;
};

}  // namespace whittle::cli
