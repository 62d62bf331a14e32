// SPDX-License-Identifier: Apache-2.0
#include "report/invariant_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "expr/traverse.h"
#include "report/shown.h"

namespace whittle {

namespace {

constexpr std::size_t kLines = 6;   // of an invariant, unless all of it is asked for
constexpr std::size_t kMargin = 2;  // not worth a line that says how much is left out
constexpr std::size_t kHanging = 4;

// Pieces between blanks; what stands in quotation marks is one piece.
std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  char quote = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool end = i == text.size();
    if (!end && quote != 0) {
      if (text[i] == '\\') ++i;
      if (i < text.size() && text[i] == quote) quote = 0;
      continue;
    }
    // VMT-LIB quotes names with bars; `||` is a disjunction.
    const bool bar = !end && text[i] == '|' && (i + 1 == text.size() || text[i + 1] != '|') &&
                     (i == 0 || text[i - 1] != '|');
    if (!end && (text[i] == '"' || (bar && text.find('|', i + 1) != std::string_view::npos))) {
      quote = text[i];
    }
    if (end || text[i] == ' ') {
      if (i > begin) result.push_back(text.substr(begin, std::min(i, text.size()) - begin));
      begin = i + 1;
    }
  }
  return result;
}

// Says only where instances are.
bool about_places(const Network& network, Expr condition) {
  const ExprPool& pool = network.pool();
  for (const SymbolId symbol : symbols(pool, condition)) {
    const RoleKind kind = network.role(symbol).kind;
    if (kind != RoleKind::At && kind != RoleKind::InstanceAt) return false;
  }
  return true;
}

bool connective(std::string_view piece) { return piece == "&&" || piece == "||" || piece == "->"; }

}  // namespace

std::vector<std::string> wrapped_condition(std::string_view text, std::size_t width,
                                           std::size_t hanging) {
  const std::vector<std::string_view> all = pieces(text);
  std::vector<std::string> lines;
  for (std::size_t next = 0; next < all.size();) {
    const std::size_t indent = lines.empty() ? 0 : hanging;
    std::size_t used = indent + columns(all[next]);
    std::size_t end = next + 1;
    std::size_t after_connective = 0;
    for (; end < all.size() && used + 1 + columns(all[end]) <= width; ++end) {
      used += 1 + columns(all[end]);
      // Where a line is at least half full, it ends with a connective if it can.
      if (connective(all[end]) && 2 * used >= width) after_connective = end + 1;
    }
    if (end < all.size() && after_connective != 0) end = after_connective;
    std::string line(indent, ' ');
    for (std::size_t i = next; i < end; ++i) {
      if (i > next) line += ' ';
      line += all[i];
    }
    lines.push_back(std::move(line));
    next = end;
  }
  return lines;
}

std::vector<PlacedConditions> conditions_by_place(const PropertyResult& result) {
  const Network& network = *result.network;
  ExprPool& pool = network.pool();
  const ModelShown model(network, result.question().universe);
  std::vector<Expr> everywhere;
  std::vector<PlacedConditions> placed;
  for (const Expr part : conjuncts(pool, result.verdict.invariant())) {
    if (pool.op(part) == Op::Implies && about_places(network, pool.child(part, 0)))
      placed.push_back(
          {model.condition(pool.child(part, 0)), model.conditions(pool.child(part, 1))});
    else
      everywhere.push_back(part);
  }
  std::vector<PlacedConditions> all;
  if (!everywhere.empty()) all.push_back({"", model.conditions(pool.conj(everywhere))});
  all.insert(all.end(), placed.begin(), placed.end());
  return all;
}

std::string invariant_text(const PropertyResult& result, const ReportStyle& style,
                           std::size_t indent) {
  const ModelShown model(*result.network, result.question().universe);
  const std::vector<std::string> parts = model.conditions(result.verdict.invariant());
  const std::size_t inner = indent + 2;
  const std::size_t width = style.width > inner + 20 ? style.width - inner : 20;
  std::string text = std::string(indent, ' ') + "because in every reachable state";
  if (const auto k = result.verdict.because<Inductive>()->k; k > 1)
    text += fmt::format(", as follows from any {} states in a row", k);
  text += "\n";
  auto add = [&](const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += std::string(inner, ' ') + line + "\n";
  };
  std::size_t used = 0;
  std::size_t left_out = 0;
  std::vector<std::vector<std::string>> wrapped;
  std::size_t total = 0;
  for (const std::string& part : parts) {
    wrapped.push_back(wrapped_condition(safe_text(part), width, kHanging));
    total += wrapped.back().size();
  }
  const bool everything = style.full_invariant || total <= kLines + kMargin;
  for (const std::vector<std::string>& lines : wrapped) {
    if (everything || used + lines.size() <= kLines) {
      add(lines);
      used += lines.size();
      continue;
    }
    ++left_out;
  }
  if (left_out == 0) return text;
  if (used == 0) {
    return text + fmt::format("{:{}}({} long condition{}; --invariant shows {})\n", "", inner,
                              left_out, left_out == 1 ? "" : "s", left_out == 1 ? "it" : "all");
  }
  return text + fmt::format("{:{}}… and {} more; --invariant shows all\n", "", inner, left_out);
}

}  // namespace whittle
