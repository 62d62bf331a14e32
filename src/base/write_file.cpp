// SPDX-License-Identifier: Apache-2.0
#include "base/write_file.h"

#include <fstream>
#include <system_error>

namespace whittle {

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code problem;  // shows when the file is opened
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), problem);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw CannotWrite(path);
}

}  // namespace whittle
