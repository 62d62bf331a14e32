// SPDX-License-Identifier: Apache-2.0
// Random PROC programs, seeded and the same on every machine: few small values, so that explicit
// search decides every question. The text always loads; what it means is left to chance.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace whittle::test {

class RandomProc {
 public:
  explicit RandomProc(std::uint64_t seed) : random_(seed) {}

  std::string operator()() {
    out_ = "program random\n";
    const unsigned numbers = 1 + pick(3);
    for (unsigned i = 0; i < numbers; ++i) shared("x" + std::to_string(i), false);
    const unsigned flags = 1 + pick(2);
    for (unsigned i = 0; i < flags; ++i) shared("f" + std::to_string(i), true);
    if (chance(70)) {
      length_ = 2 + pick(2);
      array_ = "a";
      out_ += "shared a: Int[" + std::to_string(length_) + "] = " + digit() + "\n";
    }
    if (chance(40)) {
      locks_ = "m";
      out_ += "shared m: Bool[2] = false\n";
    }
    const unsigned processes = 2 + pick(2);
    for (unsigned i = 0; i < processes;) i += process(i, processes - i);
    const unsigned properties = 1 + pick(3);
    for (unsigned i = 0; i < properties; ++i) property(i);
    return out_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  std::string digit() { return std::to_string(pick(3)); }
  const std::string& one_of(const std::vector<std::string>& names) {
    return names[pick(static_cast<unsigned>(names.size()))];
  }

  void shared(const std::string& name, bool flag) {
    out_ += "shared " + name + (flag ? ": Bool" : ": Int");
    if (!flag || chance(80)) out_ += flag ? " = false" : " = " + digit();
    out_ += "\n";
    (flag ? flags_ : numbers_).push_back(name);
  }

  // Some processes are families of two.
  unsigned process(unsigned number, unsigned left) {
    const bool family = left >= 2 && chance(30);
    const std::string name = "P" + std::to_string(number);
    const std::size_t numbers = numbers_.size();
    const std::size_t flags = flags_.size();
    out_ += "process " + name + (family ? "[t: 0..1]" : "") + " {\n";
    if (chance(60)) {
      out_ += "  var n: Int = " + digit() + ";\n";
      numbers_.emplace_back("n");
    }
    if (chance(40)) {
      out_ += "  var b: Bool = false;\n";
      flags_.emplace_back("b");
    }
    family_ = family;
    labels_.clear();
    block(2 + pick(4), 2, false);
    for (const char* instance : {"[0]", "[1]"}) {
      const std::string who = name + (family ? instance : "");
      if (numbers_.size() > numbers) state_numbers_.push_back(who + ".n");
      if (flags_.size() > flags) state_flags_.push_back(who + ".b");
      for (const std::string& label : labels_) state_flags_.push_back(who + "@" + label);
      if (!family) break;
    }
    numbers_.resize(numbers);
    flags_.resize(flags);
    out_ += "}\n";
    return family ? 2 : 1;
  }

  // `waits`: the first statement of an atomic block may wait.
  void block(unsigned count, unsigned depth, bool atomic, bool waits = false) {
    for (unsigned i = 0; i < count; ++i) statement(depth, atomic, waits && i == 0);
  }

  void statement(unsigned depth, bool atomic, bool waits) {
    out_ += "  ";
    if (!atomic && chance(20)) {
      labels_.push_back("l" + std::to_string(labels_.size()));
      out_ += labels_.back() + ": ";
    }
    const unsigned kind = pick(100);
    if (kind < 30) {
      out_ += number_place() + " := (" + number() + ") % 3;\n";
    } else if (kind < 42) {
      out_ += flag_place() + " := " + (chance(20) ? "*" : flag()) + ";\n";
    } else if (kind < 50) {
      out_ +=
          flag_place() + " := cas(" + number_place() + ", " + number() + ", " + digit() + ");\n";
    } else if (kind < 58) {
      if (atomic && !waits)
        out_ += "skip;\n";
      else
        out_ += (chance(50) ? "lock " : "unlock ") + lock() + ";\n";
    } else if (kind < 63) {
      out_ += "assert " + flag() + ";\n";
    } else if (kind < 70) {
      out_ += (atomic && !waits ? "skip" : "assume " + flag()) + ";\n";
    } else if (kind < 88 && depth > 0) {
      const bool loop = !atomic && chance(35);
      out_ += std::string(loop ? "while" : "if") + " (" + (chance(15) ? "*" : flag()) + ") {\n";
      block(1 + pick(2), depth - 1, atomic);
      out_ += "  }";
      if (!loop && chance(40)) {
        out_ += " else {\n";
        block(1 + pick(2), depth - 1, atomic);
        out_ += "  }";
      }
      out_ += "\n";
    } else if (kind < 95 && !atomic) {
      out_ += "atomic {\n";
      block(1 + pick(3), 1, true, true);
      out_ += "  }\n";
    } else if (!atomic && chance(50)) {
      out_ += "return;\n";
    } else {
      out_ += "skip;\n";
    }
  }

  // Mostly within the array.
  std::string index() {
    if (chance(40)) return std::to_string(pick(length_));
    if (family_ && chance(40)) return "t";
    if (chance(8)) return one_of(numbers_);
    return one_of(numbers_) + " % " + std::to_string(length_);
  }
  std::string number_place() {
    return !array_.empty() && chance(40) ? "a[" + index() + "]" : one_of(numbers_);
  }
  std::string flag_place() {
    return !locks_.empty() && chance(15) ? "m[" + std::to_string(pick(2)) + "]" : one_of(flags_);
  }
  std::string lock() {
    if (!locks_.empty() && chance(60))
      return "m[" + (chance(50) ? one_of(numbers_) + " % 2" : digit_below_two()) + "]";
    return chance(70) ? one_of(flags_) : one_of(numbers_);
  }
  std::string digit_below_two() { return std::to_string(pick(2)); }

  std::string number() {
    switch (pick(7)) {
      case 0:
      case 1:
        return digit();
      case 2:
        return number_place() + " + " + digit();
      case 3:
        return number_place() + " - " + one_of(numbers_);
      case 4:
        return chance(30) ? "2 / " + one_of(numbers_) : number_place();
      default:
        return number_place();
    }
  }
  std::string flag() {
    switch (pick(6)) {
      case 0:
        return number_place() + " == " + digit();
      case 1:
        return number_place() + " < " + number();
      case 2:
        return "!" + flag_place();
      case 3:
        return flag_place() + " || " + number_place() + " != " + digit();
      default:
        return flag_place();
    }
  }

  // Over shared variables, locals and labels.
  std::string condition() {
    switch (pick(5)) {
      case 0:
        if (!state_flags_.empty()) return one_of(state_flags_);
        break;
      case 1:
        if (!state_numbers_.empty()) return one_of(state_numbers_) + " == " + digit();
        break;
      case 2:
        if (!array_.empty()) return "a[" + std::to_string(pick(length_)) + "] == " + digit();
        break;
      case 3:
        return one_of(flags_);
      default:
        break;
    }
    return one_of(numbers_) + " == " + digit();
  }

  void property(unsigned number) {
    out_ += "property p" + std::to_string(number);
    if (chance(60)) out_ += " @depth " + std::to_string(1 + pick(8));
    // What violates it is one conjunction, or one of two.
    out_ += ": " + excluded();
    if (chance(40)) out_ += " && " + excluded();
    out_ += "\n";
  }

  std::string excluded() {
    std::string result = "!(" + condition();
    const unsigned more = pick(3);
    for (unsigned i = 0; i < more; ++i) result += " && " + condition();
    return result + ")";
  }

  std::mt19937_64 random_;
  std::string out_;
  std::vector<std::string> numbers_, flags_, labels_;
  std::vector<std::string> state_numbers_, state_flags_;  // as properties name them
  std::string array_, locks_;                             // empty: there is none
  unsigned length_ = 0;
  bool family_ = false;
};

}  // namespace whittle::test
