// SPDX-License-Identifier: Apache-2.0
// A folder for files that other programs read; it goes with the object, and so does what is in it.
#pragma once

#include <filesystem>

namespace whittle {

class TemporaryFolder {
 public:
  TemporaryFolder();  // throws ResourceError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace whittle
