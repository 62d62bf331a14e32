// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/writers.h"

#include <fmt/format.h>

namespace whittle::owls {

void Writers::written_in(std::size_t resource, std::set<std::string>& written,
                         std::set<std::size_t>& seen) const {
  if (resource == kNoResource || !seen.insert(resource).second) return;
  const auto kind = document_.construct(resource);
  if (kind == Construct::Produce || kind == Construct::Set)
    for (const Binding& binding : document_.bindings(resource)) written.insert(binding.to);
  if (!kind || kind == Construct::Perform) return;
  for (const std::size_t part : document_.components(resource)) written_in(part, written, seen);
  for (const char* link : {"then", "else", "whileProcess", "untilProcess", "iterateBody"})
    written_in(document_.graph().object(resource, link), written, seen);
}

Writers::Shared Writers::of(std::size_t split, const std::string& name) {
  std::map<std::string, unsigned> writers;
  for (const std::size_t part : document_.components(split)) {
    std::set<std::string> written;
    std::set<std::size_t> seen;
    written_in(part, written, seen);
    for (const std::string& uri : written) ++writers[uri];
  }
  Shared result;
  ExprPool& pool = network_.pool();
  const Span span = document_.span(split);
  for (const auto& [uri, count] : writers) {
    if (count < 2) continue;
    const std::string what(local_name(uri));
    result[uri] = {processes_.own(fmt::format("{}: writer of {}", name, what), Type::integer(),
                                  pool.integer(0), span),
                   failures_.add(fmt::format("only one branch of `{}` writes `{}`", name, what),
                                 PropertyKind::Assert, span)};
  }
  return result;
}

void Writers::note(const std::string& uri, program::Action& action) const {
  ExprPool& pool = network_.pool();
  for (const Branch& branch : branches_) {
    const auto found = branch.shared->find(uri);
    if (found == branch.shared->end()) continue;
    const Expr writer = pool.symbol(network_.variable(found->second.writer).current);
    const Expr own = pool.integer(static_cast<std::int64_t>(branch.number));
    const Expr fine = pool.disj(pool.eq(writer, pool.integer(0)), pool.eq(writer, own));
    action.hazards.push_back({pool.negate(fine), found->second.failure});
    action.values.emplace_back(found->second.writer, own);
  }
}

}  // namespace whittle::owls
