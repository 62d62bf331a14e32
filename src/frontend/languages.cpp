// SPDX-License-Identifier: Apache-2.0
#include "frontend/languages.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "frontend/bpmn/bpmn.h"
#include "frontend/c/c.h"
#include "frontend/cfa/cfa.h"
#include "frontend/fcl/fcl.h"
#include "frontend/owls/owls.h"
#include "frontend/proc/proc.h"
#include "frontend/rebel/rebel.h"
#include "frontend/sts/sts.h"
#include "frontend/vmt/vmt.h"

namespace whittle {

namespace {

const Language kLanguages[] = {
    bpmn::language(), c::language(),     cfa::language(), fcl::language(), owls::language(),
    proc::language(), rebel::language(), sts::language(), vmt::language(),
};

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  text.remove_prefix(text.size() - ending.size());
  return std::equal(text.begin(), text.end(), ending.begin(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* find_language(std::string_view id) {
  for (const Language& language : kLanguages) {
    if (language.id == id) return &language;
  }
  return nullptr;
}

const Language* language_of_path(std::string_view path) {
  for (const Language& language : kLanguages) {
    for (std::string_view extension : language.extensions) {
      if (ends_with_ignoring_case(path, extension)) return &language;
    }
  }
  return nullptr;
}

std::string known_extensions() {
  std::vector<std::string_view> all;
  for (const Language& language : kLanguages) {
    all.insert(all.end(), language.extensions.begin(), language.extensions.end());
  }
  std::sort(all.begin(), all.end());
  std::string result;
  for (std::string_view extension : all) {
    if (!result.empty()) result += ", ";
    result += extension;
  }
  return result;
}

}  // namespace whittle
