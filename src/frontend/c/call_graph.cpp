// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/call_graph.h"

#include <map>
#include <set>

#include "base/checkpoint.h"

namespace whittle::c {

namespace {

class CallGraph {
 public:
  explicit CallGraph(const Unit& unit) : unit_(unit), calls_(unit.functions.size()) {}

  std::vector<unsigned> sites(FunctionId main) {
    std::vector<unsigned> result(unit_.functions.size(), 0);
    for (const FunctionId f : reached(main, true))
      for (const auto& [callee, count] : calls_of(f)) result[callee] += count;
    return result;
  }

  std::vector<char> recursive(FunctionId main) {
    std::vector<char> result(unit_.functions.size(), 0);
    for (const FunctionId f : reached(main, true))
      if (reached(f, false).contains(f)) result[f] = 1;
    return result;
  }

 private:
  // Where calls lead from there, by one call or more; with the function itself if that is asked.
  std::set<FunctionId> reached(FunctionId from, bool itself) {
    std::set<FunctionId> result;
    if (itself) result.insert(from);
    std::vector<FunctionId> work{from};
    while (!work.empty()) {
      checkpoint();
      const FunctionId f = work.back();
      work.pop_back();
      for (const auto& entry : calls_of(f))
        if (result.insert(entry.first).second) work.push_back(entry.first);
    }
    return result;
  }

  // Callees, and how many calls of each there are.
  using Callees = std::map<FunctionId, unsigned>;

  const Callees& calls_of(FunctionId f) {
    if (!calls_[f].known) {
      calls_[f].known = true;
      if (unit_.functions[f].body != kNone) collect(unit_.functions[f].body, calls_[f].callees);
    }
    return calls_[f].callees;
  }

  void collect(StatementId body, Callees& callees) {
    std::vector<StatementId> statements{body};
    std::vector<ExpressionId> expressions;
    while (!statements.empty() || !expressions.empty()) {
      checkpoint();
      if (expressions.empty()) {
        const Statement& s = unit_.statements[statements.back()];
        statements.pop_back();
        for (const ExpressionId e : {s.expression, s.step})
          if (e != kNone) expressions.push_back(e);
        for (const ObjectId object : s.objects)
          initial_values(unit_.objects[object].initializer, expressions);
        if (s.kind == StatementKind::Other) continue;
        for (const StatementId inner : {s.first, s.body, s.otherwise})
          if (inner != kNone) statements.push_back(inner);
        statements.insert(statements.end(), s.list.begin(), s.list.end());
        continue;
      }
      const Expression& e = unit_.expressions[expressions.back()];
      expressions.pop_back();
      if (e.kind == ExpressionKind::Block) statements.push_back(e.ref);
      if (e.kind == ExpressionKind::Call) {
        const Expression& callee = unit_.expressions[e.a];
        if (callee.kind == ExpressionKind::Function && unit_.functions[callee.ref].defined)
          ++callees[callee.ref];
      }
      for (const ExpressionId child : {e.a, e.b, e.c})
        if (child != kNone) expressions.push_back(child);
      expressions.insert(expressions.end(), e.list.begin(), e.list.end());
    }
  }

  void initial_values(std::uint32_t initializer, std::vector<ExpressionId>& expressions) {
    if (initializer == kNone) return;
    const Initializer& value = unit_.initializers[initializer];
    if (value.expression != kNone) expressions.push_back(value.expression);
    for (const Initializer::Entry& entry : value.entries) initial_values(entry.value, expressions);
  }

  struct Calls {
    bool known = false;
    Callees callees;
  };
  const Unit& unit_;
  std::vector<Calls> calls_;
};

}  // namespace

std::vector<char> recursive_functions(const Unit& unit, FunctionId main) {
  return CallGraph(unit).recursive(main);
}

std::vector<unsigned> call_sites(const Unit& unit, FunctionId main) {
  return CallGraph(unit).sites(main);
}

}  // namespace whittle::c
