// SPDX-License-Identifier: Apache-2.0
#include "frontend/fcl/residual.h"

#include <algorithm>
#include <optional>

namespace whittle::fcl {

namespace {

class Residual {
 public:
  Residual(const File& file, const Remaining& remaining) : file_(file), remaining_(remaining) {
    for (std::size_t b = 0; b < file.blocks.size(); ++b)
      labels_.emplace(file.blocks[b].label.text, b);
  }

  std::vector<ResidualBlock> run() {
    for (std::size_t b = 0; b < file_.blocks.size(); ++b) block(b);
    if (diverges_) add_diverging();
    chain();
    return reachable();
  }

 private:
  [[nodiscard]] Stays stays(StatementAt at) const {
    const auto found = remaining_.statements.find(at);
    return found == remaining_.statements.end() ? Stays::Gone : found->second;
  }

  void block(std::size_t b) {
    const Block& from = file_.blocks[b];
    ResidualBlock result{from.label.text, {}};
    for (std::size_t i = 0; i < from.statements.size(); ++i) {
      const Statement& s = from.statements[i];
      const Stays kept = stays({b, i});
      ResidualStatement out{{b, i}, s.kind, s.target.text, s.otherwise.text, s.number};
      if (s.kind == StatementKind::Assign || s.kind == StatementKind::Skip) {
        if (kept == Stays::Gone) continue;
        if (kept == Stays::Idle) out.kind = StatementKind::Skip;
      } else if (s.kind == StatementKind::If && kept != Stays::Acts) {
        decided(out);
      }
      result.statements.push_back(std::move(out));
    }
    blocks_.push_back(std::move(result));
  }

  // Where a run gets to from a test that decides nothing.
  void decided(ResidualStatement& test) {
    const Statement& s = file_.blocks[test.of.first].statements[test.of.second];
    std::set<std::size_t> met;
    bool ends = false;
    for (const Name* label : {&s.target, &s.otherwise}) meet(label->text, met, ends);
    const bool end_counts = ends && remaining_.halt;
    if (met.size() + (end_counts ? 1 : 0) > 1) return;  // it does decide something after all
    test.otherwise.clear();
    if (met.size() == 1) {
      test.kind = StatementKind::Goto;
      test.target = file_.blocks[*met.begin()].label.text;
    } else if (end_counts || !remaining_.halt) {
      test.kind = StatementKind::Return;
      test.target.clear();
    } else {
      test.kind = StatementKind::Goto;
      test.target = diverging();
      diverges_ = true;
    }
  }

  // The blocks in which statements that stay are met first.
  void meet(const std::string& label, std::set<std::size_t>& met, bool& ends) const {
    std::vector<std::string> open{label};
    std::set<std::size_t> seen;
    while (!open.empty()) {
      const auto found = labels_.find(open.back());
      open.pop_back();
      if (found == labels_.end() || !seen.insert(found->second).second) continue;
      const std::size_t b = found->second;
      const auto& statements = file_.blocks[b].statements;
      const auto kept = [&](std::size_t i) { return stays({b, i}) != Stays::Gone; };
      bool stopped = false;
      for (std::size_t i = 0; i < statements.size() && !stopped; ++i) stopped = kept(i);
      if (stopped) {
        met.insert(b);
        continue;
      }
      const Statement& jump = statements.back();
      if (jump.kind == StatementKind::Return) ends = true;
      if (!jump.target.text.empty()) open.push_back(jump.target.text);
      if (!jump.otherwise.text.empty()) open.push_back(jump.otherwise.text);
    }
  }

  [[nodiscard]] std::string diverging() const {
    std::string name = "diverge";
    while (labels_.contains(name)) name += "-on";
    return name;
  }

  void add_diverging() {
    ResidualStatement loop;
    loop.of = {SIZE_MAX, 0};
    loop.kind = StatementKind::Goto;
    loop.target = diverging();
    loop.number = 1;
    blocks_.push_back({diverging(), {loop}});
  }

  // A block that is just a jump, which nobody asks about.
  [[nodiscard]] bool trivial(const ResidualBlock& block) const {
    if (block.label == file_.start.text || block.statements.size() != 1) return false;
    const ResidualStatement& only = block.statements.front();
    if (only.kind != StatementKind::Goto || only.of.first == SIZE_MAX) return false;
    return stays(only.of) == Stays::Gone;
  }

  void chain() {
    std::map<std::string, std::string> onwards;
    for (const ResidualBlock& block : blocks_)
      if (trivial(block)) onwards[block.label] = block.statements.front().target;
    const auto last = [&](std::string label) {
      std::set<std::string> passed;
      for (auto next = onwards.find(label); next != onwards.end(); next = onwards.find(label)) {
        if (!passed.insert(label).second) break;  // round and round
        label = next->second;
      }
      return label;
    };
    for (ResidualBlock& block : blocks_)
      for (ResidualStatement& s : block.statements) {
        if (!s.target.empty()) s.target = last(s.target);
        if (!s.otherwise.empty()) s.otherwise = last(s.otherwise);
      }
  }

  std::vector<ResidualBlock> reachable() {
    std::map<std::string, const ResidualBlock*> by_label;
    for (const ResidualBlock& block : blocks_) by_label.emplace(block.label, &block);
    std::set<std::string> reached;
    std::vector<std::string> open{file_.start.text};
    while (!open.empty()) {
      const auto found = by_label.find(open.back());
      open.pop_back();
      if (found == by_label.end() || !reached.insert(found->first).second) continue;
      for (const ResidualStatement& s : found->second->statements) {
        if (!s.target.empty() && s.kind != StatementKind::Assign) open.push_back(s.target);
        if (!s.otherwise.empty()) open.push_back(s.otherwise);
      }
    }
    std::vector<ResidualBlock> result;
    for (ResidualBlock& block : blocks_) {
      if (reached.contains(block.label)) {
        result.push_back(std::move(block));
      } else if (remaining_.asked.contains(block.label)) {
        result.push_back(unreached(labels_.at(block.label)));
      }
    }
    return result;
  }

  // Conditions speak of a block to which nothing leads any more: its statements do nothing.
  [[nodiscard]] ResidualBlock unreached(std::size_t b) const {
    const Block& from = file_.blocks[b];
    ResidualBlock result{from.label.text, {}};
    for (std::size_t i = 0; i < from.statements.size(); ++i) {
      const bool last = i + 1 == from.statements.size();
      ResidualStatement s{{b, i},
                          last ? StatementKind::Return : StatementKind::Skip,
                          "",
                          "",
                          from.statements[i].number};
      result.statements.push_back(std::move(s));
    }
    return result;
  }

  const File& file_;
  const Remaining& remaining_;
  std::map<std::string, std::size_t> labels_;
  std::vector<ResidualBlock> blocks_;
  bool diverges_ = false;
};

}  // namespace

std::vector<ResidualBlock> residual(const File& file, const Remaining& remaining) {
  return Residual(file, remaining).run();
}

}  // namespace whittle::fcl
