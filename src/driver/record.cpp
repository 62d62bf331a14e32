// SPDX-License-Identifier: Apache-2.0
#include "driver/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/write_file.h"
#include "frontend/languages.h"
#include "smt/solvers.h"

namespace whittle {

namespace {

// For a shell, whatever is in it.
std::string quoted(const std::string& argument) {
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

Record::Record(const std::string& folder, const std::vector<std::string>& command,
               std::string_view version) {
  const std::filesystem::path path(folder);
  std::string line = "whittle";
  for (const std::string& argument : command) line += " " + quoted(argument);
  std::error_code ignored;
  write_file(
      path / "command.txt",
      fmt::format("cd {}\n{}\n", quoted(std::filesystem::current_path(ignored).string()), line));
  std::string versions = fmt::format("whittle {}\n", version);
  for (const smt::SolverInfo& solver : smt::solvers())
    versions += fmt::format("{} {}\n", solver.name, solver.version());
  write_file(path / "versions.txt", versions);
  log_.open(path / "log.txt");
  if (!log_) throw CannotWrite(path / "log.txt");
}

Logger::Sink Record::sink(Logger& outer) {
  return [this, &outer](LogLevel level, std::string_view text) {
    log_ << text << std::endl;  // workers write to the same file: nothing may stay in memory
    switch (level) {
      case LogLevel::Warning:
        return outer.warning("{}", text);
      case LogLevel::Info:
        return outer.info("{}", text);
      default:
        return outer.debug("{}", text);
    }
  };
}

std::string record_folder(const std::string& folder, const std::string& file,
                          const std::string& property) {
  std::string name = file + "." + property;
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-'; }, '_');
  return (std::filesystem::path(folder) / name).string();
}

void record_slice(const std::string& folder, const Network& network, const Sources& sources) {
  const Language* language = find_language(network.language);
  if (language == nullptr || language->print == nullptr) return;
  for (const PrintedFile& file : language->print(network, sources))
    write_file(
        std::filesystem::path(folder) / "slice" / std::filesystem::path(file.path).filename(),
        file.text);
}

}  // namespace whittle
