// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <cstdlib>
#include <string>

#include "base/error.h"

namespace whittle {

TemporaryFolder::TemporaryFolder() {
  std::error_code problem;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
  // mkdtemp wants six letters X at the end, for which it puts others.
  std::string name = (parent / "whittle-").string() + std::string(6, 'X');
  if (problem || mkdtemp(name.data()) == nullptr)
    throw ResourceError("no temporary folder can be made");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace whittle
