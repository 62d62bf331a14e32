// SPDX-License-Identifier: Apache-2.0
#include "driver/certificate/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/write_file.h"
#include "engine/engines.h"
#include "smt/unsupported.h"

namespace whittle {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestName = 60;

// For a folder, on any file system and without quotes in the script.
std::string file_name(const std::string& name) {
  std::string result = name.substr(0, kLongestName);
  std::replace_if(
      result.begin(), result.end(),
      [](unsigned char c) { return c > 127 || (std::isalnum(c) == 0 && c != '-'); }, '_');
  return result;
}

// A proof for any number of steps that came without an invariant.
bool lacks_invariant(const Verdict& verdict) {
  return verdict.no_trace() != nullptr && !verdict.invariant().valid() && !verdict.bound();
}

PropertyResult with_invariant(const PropertyResult& result, DecideContext& context) {
  for (const char* id : {"kinduction", "pdr", "rsc"}) {
    DecideContext other = context;
    other.engine = find_engine(id);
    PropertyResult again = decide(result.file, result.network, result.property, other);
    if (again.verdict.kind() == result.verdict.kind() && again.verdict.invariant().valid())
      return again;
  }
  return result;
}

constexpr std::string_view kScript = R"sh(#!/bin/sh
# Checks the certificates beside this file with any solver that reads SMT-LIB 2.6 and prints its
# answer:
#
#   sh check.sh z3
#   sh check.sh z3 -T:60                  with a time limit for each obligation, in seconds
#   sh check.sh cvc5 --tlimit=60000       the same in milliseconds
#
# Every obligation has to begin with the model of its verdict (and its invariant, where there is
# one) as it stands in model.vmt and invariant.smt2, and the solver's whole answer has to be the
# expected one. Exit code: 0 all pass, 1 some fail, 2 usage, 3 a verdict has no certificate.
if [ $# -eq 0 ]; then
  echo "usage: sh check.sh SOLVER [ARGUMENT...]" >&2
  exit 2
fi
if ! command -v "$1" >/dev/null 2>&1; then
  echo "check.sh: there is no program '$1'" >&2
  exit 2
fi
cd "$(dirname "$0")" || exit 2
passed=0
failed=0
missing=0
begins_with_model() {
  model=${1%/*}/model.vmt
  invariant=${1%/*}/invariant.smt2
  if [ ! -f "$invariant" ]; then invariant=/dev/null; fi
  lines=$(cat "$model" "$invariant" | wc -l)
  before=$(cat "$model" "$invariant" | cksum)
  [ "$(tail -n +4 "$1" | head -n "$lines" | cksum)" = "$before" ]
}
while read -r expected file; do
  if [ "$expected" = none ]; then
    missing=$((missing + 1))
    echo "NONE $file"
    continue
  fi
  if ! begins_with_model "$file"; then
    failed=$((failed + 1))
    echo "FAIL $file: it does not begin with its model"
    continue
  fi
  answer=$("$@" "$file" 2>/dev/null </dev/null)
  if [ "$answer" = "$expected" ]; then
    passed=$((passed + 1))
    echo "pass $file"
  else
    failed=$((failed + 1))
    echo "FAIL $file: expected $expected, got '$answer'"
  fi
done <<'END'
)sh";

constexpr std::string_view kScriptEnd = R"sh(END
echo "$passed passed, $failed failed, $missing verdicts without certificate"
if [ "$failed" -gt 0 ]; then exit 1; fi
if [ "$missing" -gt 0 ]; then exit 3; fi
exit 0
)sh";

constexpr std::string_view kReadme = R"md(# Certificates

`sh check.sh z3` (or `cvc5`, or any solver that reads SMT-LIB 2.6) checks the verdicts listed in `manifest.json`
without the program that found them ({}).

Each verdict has a folder:

- `model.vmt`: the model as a transition system in VMT-LIB, with functions `init`, `step!i` (one for each
  transition) and `goal` of states. The goal is what the question looks for: a violation of a demand, the configuration of a reachability question.
- `invariant.smt2`: the function `invariant`, where the verdict rests on one.
- `*.smt2`: the obligations. Each begins with the model (and the invariant) as it stands, which the script verifies,
  and ends with a few lines that say what is asked. The expected answer stands in its second line and in the manifest.

| certificate | obligations | answer |
|---|---|---|
| `trace` | the values in `trace.smt2` satisfy `init`, each step and the goal | `sat` |
| `invariant` | `initiation`, `consecution`, `safety` | `unsat` |
| `k-induction` | `base-0` to `base-(k-1)`, `step` (k states in a row and the next), `safety` | `unsat` |
| `unrollings` | `depth-n`: no run of n steps ends in the goal, for each n that the question asks about | `unsat` |
| all | `elimination-n-enough`, `-necessary`: a formula without quantifiers means what the quantified one means | `unsat` |

What is left to trust: the solver, and that `model.vmt` says what the input file says (reading the language, putting the
machines together into one system). The goal of a deadlock, a sinkhole or an impossible relation is put together from
formulas "this step is possible" whose quantifiers were eliminated; the eliminations have obligations, the putting
together has not.
)md";

}  // namespace

CertificateFolder::CertificateFolder(std::string folder, std::string_view version)
    : folder_(std::move(folder)), version_(version) {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (!fs::is_directory(folder_, problem))
    throw CannotWrite(fmt::format("'{}' cannot be made", folder_));
  if (!fs::is_empty(folder_, problem)) throw CannotWrite(fmt::format("'{}' is not empty", folder_));
}

void CertificateFolder::write(const std::string& path, const std::string& text) {
  write_file(fs::path(folder_) / path, text);
}

std::string CertificateFolder::add(const PropertyResult& original, DecideContext& context) {
  const Property& question = original.question();
  Entry entry;
  entry.file = original.file;
  entry.property = question.name;
  entry.kind = to_string(question.kind);
  entry.verdict = to_string(original.verdict.kind());
  entry.claims = original.verdict.known();
  if (entry.claims) {
    const PropertyResult found =
        lacks_invariant(original.verdict) ? with_invariant(original, context) : original;
    entry.bound = found.verdict.bound();
    if (const auto* proof = found.verdict.because<Inductive>()) entry.induction = proof->k;
    smt::Limits limits;
    limits.deadline = context.deadline;
    limits.cancel = context.cancel;
    try {
      certificate::Certificate made = certificate::certificate_of(found, limits);
      entry.folder = fmt::format("{:03}-{}", entries_.size() + 1, file_name(question.name));
      write(entry.folder + "/model.vmt", made.model);
      if (!made.invariant.empty()) write(entry.folder + "/invariant.smt2", made.invariant);
      for (certificate::Obligation& obligation : made.obligations) {
        write(entry.folder + "/" + obligation.file, obligation.text);
        obligation.text.clear();
      }
      made.model.clear();
      entry.about = std::move(made);
    } catch (const ResourceError& error) {
      entry.reason = error.what();
    }
  } else {
    entry.reason = "the verdict is unknown";
  }
  entries_.push_back(std::move(entry));
  return entries_.back().reason;
}

void CertificateFolder::finish() {
  write("manifest.json", manifest());
  write("check.sh", script());
  write("README.md", readme());
}

std::string CertificateFolder::manifest() const {
  Json verdicts = Json::array();
  for (const Entry& entry : entries_) {
    Json shown;
    shown["file"] = entry.file;
    shown["property"] = entry.property;
    shown["kind"] = entry.kind;
    shown["verdict"] = entry.verdict;
    shown["bound"] = entry.bound ? Json(*entry.bound) : Json(nullptr);
    if (entry.folder.empty()) {
      shown["certificate"] = nullptr;
      shown["reason"] = entry.reason;
      verdicts.push_back(std::move(shown));
      continue;
    }
    shown["certificate"] = entry.about.kind;
    if (entry.about.kind == "trace") shown["steps"] = entry.about.steps;
    if (entry.about.kind == "k-induction") shown["k"] = entry.induction;
    shown["folder"] = entry.folder;
    shown["logic"] = entry.about.logic;
    shown["model"] = entry.folder + "/model.vmt";
    if (!entry.about.invariant.empty()) shown["invariant"] = entry.folder + "/invariant.smt2";
    Json obligations = Json::array();
    for (const certificate::Obligation& obligation : entry.about.obligations)
      obligations.push_back(Json{{"file", entry.folder + "/" + obligation.file},
                                 {"expected", obligation.expected},
                                 {"says", obligation.says}});
    shown["obligations"] = std::move(obligations);
    shown["not covered"] = "that model.vmt says what the input file says";
    verdicts.push_back(std::move(shown));
  }
  const Json all{{"program", "whittle " + version_}, {"format", 1}, {"verdicts", verdicts}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string CertificateFolder::script() const {
  std::string list;
  for (const Entry& entry : entries_) {
    if (entry.folder.empty() && entry.claims)
      list += fmt::format("none {}: {}\n", file_name(entry.property), entry.reason);
    for (const certificate::Obligation& obligation : entry.about.obligations)
      list += fmt::format("{} {}/{}\n", obligation.expected, entry.folder, obligation.file);
  }
  return std::string(kScript) + list + std::string(kScriptEnd);
}

std::string CertificateFolder::readme() const {
  return fmt::format(fmt::runtime(kReadme), "whittle " + version_);
}

}  // namespace whittle
