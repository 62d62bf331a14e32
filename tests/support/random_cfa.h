// SPDX-License-Identifier: Apache-2.0
// Random CFA programs, seeded and the same on every machine: variables stay within 0 to 3, so that
// explicit search decides every question, unless a program has inputs. The text always loads.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace whittle::test {

struct CfaShape {
  bool inputs = false;    // values from outside, assumed to be within the range
  bool parallel = false;  // blocks side by side
};

class RandomCfa {
 public:
  RandomCfa(std::uint64_t seed, CfaShape shape) : random_(seed), shape_(shape) {}

  std::string operator()() {
    variables_ = 2 + pick(3);
    for (unsigned v = 0; v < variables_; ++v) line("int " + name(v) + " = " + digit() + ";");
    block(4 + pick(6), 0);
    failure();
    return out_;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  std::string digit() { return std::to_string(pick(4)); }
  std::string name(unsigned v) const { return std::string(1, static_cast<char>('a' + v)); }
  std::string variable() { return name(pick(variables_)); }
  void line(const std::string& text) { out_ += std::string(2 * depth_, ' ') + text + "\n"; }

  std::string comparison() {
    static constexpr const char* kOperators[] = {" == ", " != ", " < ", " <= ", " > "};
    return variable() + kOperators[pick(5)] + (chance(60) ? digit() : variable());
  }

  std::string condition() {
    if (chance(15)) return "*";
    if (chance(75)) return comparison();
    return comparison() + (chance(50) ? " && " : " || ") + comparison();
  }

  // Of `if` and `error`, which take no `*` here.
  std::string plain_condition() {
    std::string result = condition();
    while (result == "*") result = condition();
    return result;
  }

  void block(unsigned statements, unsigned nesting) {
    ++depth_;
    for (unsigned i = 0; i < statements; ++i) statement(nesting);
    --depth_;
  }

  void braces(const std::string& head, unsigned statements, unsigned nesting) {
    line(head + " {");
    block(statements, nesting + 1);
    line("}");
  }

  void assignment() {
    const std::string x = variable();
    switch (pick(shape_.inputs ? 6 : 5)) {
      case 0:
        return line(x + " = " + digit() + ";");
      case 1:
        return line(x + " = " + variable() + ";");
      case 2:
        return line("if (" + x + " < 3) " + x + " = " + x + " + 1;");
      case 3:
        return line("if (" + x + " > 0) " + x + " = " + x + " - 1;");
      case 4:
        return line(x + " = 3 - " + variable() + ";");
      default:
        line(x + " = *;");
        return line("assume(" + x + " >= 0 && " + x + " <= 3);");
    }
  }

  void failure() { line("if (" + plain_condition() + ") error;"); }

  void statement(unsigned nesting) {
    const unsigned kind = pick(100);
    if (nesting >= 3 || kind < 45) return assignment();
    if (kind < 55) return failure();
    if (kind < 60) return line("assume(" + plain_condition() + ");");
    if (kind < 75) {
      braces("if (" + condition() + ")", 1 + pick(2), nesting);
      if (chance(50)) braces("else", 1 + pick(2), nesting);
      return;
    }
    if (kind < 90) return braces("while (" + condition() + ")", 1 + pick(3), nesting);
    if (kind < 95) {
      braces("choice", 1 + pick(2), nesting);
      return braces("or", 1 + pick(2), nesting);
    }
    if (!shape_.parallel || parallels_++ > 0) return assignment();
    braces(chance(70) ? "parallel" : "any_order", 1 + pick(2), nesting + 1);
    braces("and", 1 + pick(2), nesting + 1);
  }

  std::mt19937_64 random_;
  CfaShape shape_;
  std::string out_;
  unsigned variables_ = 0;
  unsigned depth_ = 0;
  unsigned parallels_ = 0;
};

}  // namespace whittle::test
