// SPDX-License-Identifier: Apache-2.0
// Files that a command writes beside its report.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace whittle {

// A file or folder that was asked for cannot be made: the call is to blame, or the disk is full.
class CannotWrite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  explicit CannotWrite(const std::filesystem::path& path)
      : std::runtime_error("'" + path.string() + "' cannot be written") {}
};

// Makes the folders above it, too. Throws CannotWrite.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace whittle
