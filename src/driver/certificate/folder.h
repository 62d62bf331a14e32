// SPDX-License-Identifier: Apache-2.0
// `--certificate FOLDER`: what somebody else needs to check the verdicts of a run, with any solver
// that reads SMT-LIB and without whittle.
//
//   README.md       what is in the folder, and what is left to trust
//   manifest.json   every verdict, with its obligations and their expected answers
//   check.sh        runs a solver on all of them:  sh check.sh z3
//   001-NAME/       per verdict: model.vmt, invariant.smt2 where there is one, the obligations
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/certificate/obligations.h"
#include "driver/decide.h"
#include "report/report.h"

namespace whittle {

class CertificateFolder {
 public:
  // Makes the folder. Throws CannotWrite where that cannot be done or where it is not empty: what
  // was there would look like part of the certificate.
  CertificateFolder(std::string folder, std::string_view version);

  // Writes the certificate of a verdict; or the reason why there is none, which is returned. Where
  // a proof came without an invariant, other engines are asked for one, with the options of the
  // run.
  std::string add(const PropertyResult& result, DecideContext& context);
  // The files that are about all of them.
  void finish();

 private:
  struct Entry {
    std::string file, property, kind, verdict;
    std::optional<std::uint64_t> bound;
    std::uint64_t induction = 1;
    std::string folder;              // empty: there is none
    std::string reason;              // why there is none
    bool claims = false;             // the verdict is not "unknown"
    certificate::Certificate about;  // without the texts
  };
  void write(const std::string& path, const std::string& text);
  [[nodiscard]] std::string manifest() const;
  [[nodiscard]] std::string script() const;
  [[nodiscard]] std::string readme() const;

  std::string folder_;
  std::string version_;
  std::vector<Entry> entries_;
};

}  // namespace whittle
