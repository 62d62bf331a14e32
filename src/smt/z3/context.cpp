// SPDX-License-Identifier: Apache-2.0
#include "smt/z3/context.h"

#include <fmt/format.h>

#include <mutex>

namespace whittle::smt {

Z3Context::Z3Context() {
  // Compact models have lambda terms where plain ones list the elements of an array.
  static std::once_flag once;
  std::call_once(once, [] { Z3_global_param_set("model.compact", "false"); });
  Z3_config config = Z3_mk_config();
  raw_ = Z3_mk_context_rc(config);
  Z3_del_config(config);
  if (raw_ == nullptr)
    throw ResourceError(Reason{Reason::Kind::Memory});  // of all contexts together
  Z3_set_error_handler(raw_, nullptr);  // errors stay codes; nothing is thrown through C
}

Z3Context::~Z3Context() {
  for (auto ast = kept_.rbegin(); ast != kept_.rend(); ++ast) Z3_dec_ref(raw_, *ast);
  Z3_del_context(raw_);
}

std::string Z3Context::error_text() const {
  return Z3_get_error_msg(raw_, Z3_get_error_code(raw_));
}

void Z3Context::fail() const {
  if (Z3_get_error_code(raw_) == Z3_MEMOUT_FAIL) throw ResourceError(Reason{Reason::Kind::Memory});
  throw ResourceError(z3_reason(error_text()));
}

Reason z3_reason(const std::string& text) {
  auto mentions = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (mentions("memory")) return {Reason::Kind::Memory};
  if (mentions("cancel") || mentions("interrupt")) return {Reason::Kind::Interrupted};
  if (mentions("timeout")) return {Reason::Kind::Timeout};
  return {Reason::Kind::Incomplete, text.empty() ? "" : "incomplete: " + text};
}

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}", major, minor, build);
}

}  // namespace whittle::smt
