// SPDX-License-Identifier: Apache-2.0
// Random Rebel programs with small domains: parameters are 0..3 (amounts 0.00 to 0.03), fields are
// read only in states in which they have a value.
#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace whittle::test {

class RandomRebel {
 public:
  explicit RandomRebel(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    specs_ = chance(40) ? 1 : chance(60) ? 2 : 3;
    based_ = chance(30);
    for (const char* field : {"b", "m", "s", "r", "d", "k"}) {
      if (chance(45)) fields_.insert(field);
    }
    std::string text;
    if (based_) {
      text += "abstract specification Base {\n  fields {\n" + declarations() + "  }\n}\n";
    }
    for (int s = 0; s < specs_; ++s) text += specification(s);
    text += library_;
    text +=
        "function twice(x: Integer): Integer = x * 2;\n"
        "function half(x: Integer): Integer = case x % 2 {\n  0 => x / 2;\n  1 => twice(x) - "
        "x;\n};\n";
    text += "state goal {\n";
    for (int s = 0; s < specs_; ++s) text += "  " + description(name_of(s)) + ";\n";
    text += "}\ncheck goal reachable ";
    text += pick({"in max 3", "in max 4", "in exactly 3", "between 2 and 4", "in max 2 + 1"}) +
            " steps;\n";
    return text;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string pick(const std::vector<std::string>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(choices.size())))];
  }
  std::string number() { return std::to_string(below(4)); }
  [[nodiscard]] bool has(const char* field) const { return fields_.contains(field); }
  static std::string name_of(int s) { return std::string(1, static_cast<char>('A' + s)); }
  static std::string lower(int s) { return std::string(1, static_cast<char>('a' + s)); }
  std::string day() { return std::to_string(29 + below(3)) + " Jan 2021"; }

  [[nodiscard]] std::string declarations() const {
    std::string text = "    id: Integer @key\n    n: Integer\n";
    if (has("b")) text += "    b: Boolean\n";
    if (has("m")) text += "    m: Money\n";
    if (has("s")) text += "    s: set[Integer]\n";
    if (has("r")) text += "    r: Percentage\n";
    if (has("d")) text += "    d: Date\n";
    if (has("k")) text += "    k: map[Integer : Integer]\n";
    return text;
  }

  std::string description(const std::string& spec) {
    const std::string where = pick({"", "s1 ", "s2 ", "{s1, s2} ", "", "s1 "});
    const int count = below(3) == 0 ? 2 : 1;
    std::string text = (count == 2 || chance(30) ? std::to_string(count) + " " : "") + where + spec;
    if (chance(15)) return text + " - one with " + constraint();
    if (chance(60)) text += " with " + constraint();
    if (chance(10)) return "uninitialized " + spec;
    return text;
  }

  // About one instance, over its bare fields.
  std::string constraint() {
    std::vector<std::string> all = {"n == " + number(), "n > " + number(),
                                    "n != " + number() + " and n < 3", "half(n) == " + number()};
    if (has("b")) all.insert(all.end(), {"b", "not b", "n == " + number() + " and b"});
    if (has("m")) all.insert(all.end(), {"m > EUR 0.01", "m == USD 0.0" + number()});
    if (has("s")) {
      all.insert(all.end(), {"|s| == " + number(), number() + " in s",
                             "forall x : s | x < " + number(), "s == {1, " + number() + "}"});
    }
    if (has("r")) all.insert(all.end(), {"r == " + number() + "%", "r * 50% >= 1%"});
    if (has("d")) all.insert(all.end(), {"d.month == 2", "d > " + day(), "d == 28 Feb 2021"});
    if (has("k")) all.insert(all.end(), {"|k| == 2", number() + " in k", "k[1] == " + number()});
    return pick(all);
  }

  // An integer over the state before; `p` is a parameter.
  std::string integer(int depth) {
    if (depth == 0 || chance(30)) {
      std::vector<std::string> all = {"this.n", "p", number(), "this.id", "half(p)"};
      if (has("m")) all.emplace_back("this.m.amount");
      if (has("d")) all.emplace_back("this.d.day");
      if (has("s")) all.emplace_back("|this.s|");
      if (has("r")) all.emplace_back("(this.n * 150%)");
      return pick(all);
    }
    return "(" + integer(depth - 1) + pick({" + ", " - ", " * ", " / ", " % "}) +
           integer(depth - 1) + ")";
  }

  std::string condition(int depth) {
    if (depth > 0 && chance(55)) {
      const std::string a = condition(depth - 1);
      switch (below(5)) {
        case 0:
          return "(" + a + " && " + condition(depth - 1) + ")";
        case 1:
          return "(" + a + " || " + condition(depth - 1) + ")";
        case 2:
          return "(" + a + " -> " + condition(depth - 1) + ")";
        case 3:
          return "not " + a;
        default:
          return "((" + a + ") ? (" + condition(depth - 1) + ") : (" + condition(depth - 1) + "))";
      }
    }
    const std::string t = name_of(below(specs_)) + "[" + pick({"1", "2", "p", "this.n"}) + "]";
    std::vector<std::string> all = {
        integer(1) + pick({" < ", " <= ", " == ", " != ", " > "}) + integer(1),
        "initialized " + t,
        "finalized " + t,
        t + " instate " + pick({"s0", "s1", "{s1, s2}"}),
        "(initialized " + t + " && " + t + ".n " + pick({"==", "<"}) + " " + number() + ")",
        "p in {0, " + number() + "}"};
    if (has("b")) all.emplace_back("this.b");
    if (has("s")) {
      all.insert(all.end(), {integer(0) + " in this.s", "|this.s| < " + number(),
                             pick({"exists", "forall"}) + " x : this.s | x " + pick({"<", "=="}) +
                                 " " + number(),
                             "{x : this.s | x > 1} in this.s"});
    }
    if (has("m")) {
      all.push_back("this.m " + pick({"<", ">=", "==", "!="}) + " " + pick({"q", "EUR 0.01"}));
    }
    if (has("r")) all.push_back("this.r " + pick({"<", ">=", "=="}) + " " + number() + "%");
    if (has("d")) {
      all.insert(all.end(), {"this.d " + pick({"<", ">=", "=="}) + " " + day(),
                             "this.d + 1 Month < 28 Feb 2021", "this.d.day > 29"});
    }
    if (has("k")) {
      all.insert(all.end(), {"p in this.k", "this.k[p] == " + number(), "|this.k| < 2",
                             "(p in this.k -> this.k[p] > 0)"});
    }
    return pick(all);
  }

  std::string assignment(const std::string& field) {
    if (field == "n") {
      if (chance(20)) {
        return "    new this.n in {0..3};\n    new this.n " + pick({">", "!=", "<"}) + " this.n;\n";
      }
      if (chance(15)) {
        return "    case p {\n      0 => new this.n == 1;\n      " + pick({"1", "3"}) +
               " => new this.n == this.n;\n      2 => new this.n == " + number() + ";\n    };\n";
      }
      return "    new this.n == " + integer(2) + " % 4;\n";
    }
    if (field == "b") return "    new this.b == (" + condition(1) + ");\n";
    if (field == "m") {
      return "    new this.m == " +
             pick({"q", "this.m + q", "this.m - EUR 0.01", "this.m * 50%", "2 * this.m"}) + ";\n";
    }
    if (field == "r") {
      return "    new this.r == " + pick({"this.r + 1%", "50% * 3", "this.r * 200%", "1%"}) + ";\n";
    }
    if (field == "d") {
      return "    new this.d == " +
             pick({"this.d + 1 Month", "this.d - 1 Day", "this.d + 1 Day", day()}) + ";\n";
    }
    if (field == "k") {
      return pick({"    new this.k[p] == this.n;\n", "    new this.k == this.k - p;\n",
                   "    new this.k == (p : 1);\n",
                   "    new this.k[p] == 1;\n    new this.k[this.n] == 2;\n"});
    }
    return "    new this.s == " +
           pick({"this.s + p", "{x : this.s | x != p}", "{p, 1}", "this.s - this.n", "{}",
                 "this.s + {0, p}", "((p == 1) ? this.s : (this.s + p))"}) +
           ";\n";
  }

  std::string specification(int index) {
    const std::string name = name_of(index);
    std::string events = "start" + name + "[]";
    std::string cycle = "initial s0 -> s1: start" + name + "\n    s1 -> s2: " + lower(index) + "0";
    library_ += "event start" + name +
                "(p: Integer) {\n  preconditions { p in {0..3}; }\n  postconditions {\n"
                "    new this.n == p;\n";
    if (has("b")) library_ += "    new this.b == (p > 1);\n";
    if (has("m")) library_ += "    new this.m == EUR 0.01 * p;\n";
    if (has("s")) library_ += "    new this.s == {p};\n";
    if (has("r")) library_ += "    new this.r == 100% * p;\n";
    if (has("d")) library_ += "    new this.d == 30 Jan 2021;\n";
    if (has("k")) library_ += "    new this.k == (1 : p);\n";
    library_ += "  }\n}\n";
    const int count = 2 + below(2);
    for (int e = 0; e < count; ++e) {
      const std::string event = lower(index) + std::to_string(e);
      const bool configured = chance(30);
      events += " " + event + (configured ? "[c = " + number() + "]" : "[]");
      cycle += "\n    " + pick({"s1 -> s1: ", "s1 -> s2: ", "s2 -> s1: ", "s2 -> s2: "}) + event;
      library_ += "event " + event + (configured ? "[c: Integer = 1]" : "") + "(p: Integer" +
                  (has("m") ? ", q: Money" : "") + ") {\n  preconditions {\n    p in {0..3};";
      if (has("m")) {
        library_ += " q.amount in {0..3}; q.currency == EUR || q.currency == USD;";
      }
      library_ += configured ? " p >= c || this.n > c;\n" : "\n";
      for (int i = below(3); i > 0; --i) library_ += "    " + condition(2) + ";\n";
      library_ += "  }\n  postconditions {\n";
      for (const char* field : {"n", "b", "m", "s", "r", "d", "k"}) {
        if ((field == std::string("n") || has(field)) && chance(35)) library_ += assignment(field);
      }
      library_ += "  }\n";
      // Only to later specifications, so that there are no circles.
      if (index + 1 < specs_ && chance(45)) {
        const int target = index + 1 + below(specs_ - index - 1);
        library_ += "  sync {\n    " + std::string(chance(25) ? "not " : "") + name_of(target) +
                    "[" + pick({"1", "p", "this.n"}) + "]." + lower(target) +
                    std::to_string(below(2)) + "(" + integer(0) + " % 4" + (has("m") ? ", q" : "") +
                    ");\n  }\n";
      }
      library_ += "}\n";
    }
    return "specification " + name + (based_ ? " extends Base" : "") + " {\n" +
           (based_ ? "" : "  fields {\n" + declarations() + "  }\n") + "  events { " + events +
           " }\n  lifeCycle {\n    " + cycle + "\n    " + (chance(30) ? "final s2" : "") +
           "\n  }\n}\n";
  }

  std::mt19937 random_;
  int specs_ = 1;
  bool based_ = false;
  std::set<std::string> fields_;  // besides id and n
  std::string library_;
};

}  // namespace whittle::test
