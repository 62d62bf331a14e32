// SPDX-License-Identifier: Apache-2.0
// Random STS files, seeded and the same on every machine. `finite`: few small values, every next
// value bounded, so that explicit search decides every question; otherwise all types and operators,
// for reading and printing. The text always loads; what it means is left to chance.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace whittle::test {

class RandomSts {
 public:
  struct Options {
    bool finite = true;
    unsigned variables = 3;  // at most
    unsigned nodes = 4;
    unsigned transitions = 6;
    unsigned properties = 3;
    unsigned depth = 3;  // of expressions
    unsigned range = 4;  // finite: Int variables stay within 0..range-1
  };

  RandomSts(std::uint64_t seed, Options options) : random_(seed), options_(options) {}

  std::string operator()() {
    out_ = "system Random\n";
    if (pick(2) == 0 || !options_.finite) {
      out_ += "enum Color { RED, GREEN, BLUE }\n";
      enums_ = true;
    }
    if (!options_.finite) out_ += "const LOW = 2 - 3\nconst HIGH = LOW + 4\n";
    variables();
    nodes();
    const unsigned starts = 1 + pick(2);
    for (unsigned i = 0; i < starts; ++i) start();
    const unsigned transitions = 1 + pick(options_.transitions);
    for (unsigned i = 0; i < transitions; ++i) transition(i);
    const unsigned properties = 1 + pick(options_.properties);
    for (unsigned i = 0; i < properties; ++i) property(i);
    return out_;
  }

 private:
  enum class Type { Bool, Int, Real, String, Color };
  struct Variable {
    std::string name;
    Type type;
  };

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }

  static const char* name(Type type) {
    switch (type) {
      case Type::Bool:
        return "Bool";
      case Type::Int:
        return "Int";
      case Type::Real:
        return "Real";
      case Type::String:
        return "String";
      default:
        return "Color";
    }
  }

  Type random_type() {
    if (options_.finite) {
      const unsigned k = pick(enums_ ? 3 : 2);
      return k == 0 ? Type::Bool : k == 1 ? Type::Int : Type::Color;
    }
    return static_cast<Type>(pick(5));
  }

  void variables() {
    const unsigned count = 1 + pick(options_.variables);
    for (unsigned i = 0; i < count; ++i) {
      variables_.push_back({"v" + std::to_string(i), i == 0 ? Type::Int : random_type()});
      out_ += "var " + variables_.back().name + ": " + name(variables_.back().type) + "\n";
    }
  }

  void nodes() {
    const unsigned count = 1 + pick(options_.nodes);
    for (unsigned i = 0; i < count; ++i) {
      nodes_.push_back(chance(20) ? "\"node " + std::to_string(i) + "\"" : "N" + std::to_string(i));
      out_ += (chance(30) ? "final node " : "node ") + nodes_.back() + "\n";
    }
  }

  std::string node() { return nodes_[pick(static_cast<unsigned>(nodes_.size()))]; }

  // In finite systems every variable is fixed or bounded at the start.
  void start() {
    out_ += "start " + node() + ": ";
    if (!options_.finite) {
      out_ += expression(Type::Bool, options_.depth) + "\n";
      return;
    }
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (i > 0) out_ += " && ";
      const Variable& v = variables_[i];
      if (v.type == Type::Int && chance(30)) {
        out_ += bounded(v.name);
      } else {
        out_ += v.name + " == " + literal(v.type);
      }
    }
    out_ += "\n";
  }

  std::string bounded(const std::string& term) {
    return "0 <= " + term + " && " + term + " < " + std::to_string(options_.range);
  }

  void transition(unsigned number) {
    out_ += "transition t" + std::to_string(number) + ": " + node() + " -> " + node();
    parameters_.clear();
    if (chance(40)) {
      parameters_.push_back({"p" + std::to_string(number), random_type()});
      out_ += " (" + parameters_[0].name + ": " + name(parameters_[0].type) + ")";
    }
    std::string guard;
    if (chance(70)) guard = expression(Type::Bool, options_.depth);
    if (options_.finite && !parameters_.empty() && parameters_[0].type == Type::Int) {
      guard = bounded(parameters_[0].name) + (guard.empty() ? "" : " && (" + guard + ")");
    }
    if (!guard.empty()) out_ += " when " + guard;
    std::string effect;
    const auto add = [&](const std::string& part) {
      effect += (effect.empty() ? "" : " && ") + part;
    };
    for (const Variable& v : variables_) {
      if (chance(50)) continue;
      for (const std::string& part : effects(v)) add(part);
    }
    if (!effect.empty()) out_ += " then " + effect;
    out_ += "\n";
    parameters_.clear();
  }

  std::vector<std::string> effects(const Variable& v) {
    const std::string next = v.name + "'";
    if (options_.finite && v.type == Type::Int) {
      const std::string limit = std::to_string(options_.range);
      switch (pick(4)) {
        case 0:
          return {next + " == " + literal(Type::Int)};
        case 1:  // any next value in range that satisfies a condition
          return {bounded(next), next + (chance(50) ? " > " : " <= ") + expression(Type::Int, 1)};
        default:
          return {next + " == (" + expression(Type::Int, 2) + ") % " + limit};
      }
    }
    switch (pick(options_.finite ? 3 : 5)) {
      case 0:
        return {"any " + v.name};
      case 1:
        return {next + " == " + parenthesised(expression(v.type, 1))};
      case 2:
        return {next + (chance(50) ? " == " : " != ") + parenthesised(expression(v.type, 1))};
      case 3:
        return {parenthesised(expression(v.type, 2)) + " == " + next};
      default:
        return {"(" + expression(Type::Bool, 2) + " -> " + next +
                " == " + parenthesised(expression(v.type, 1)) + ")"};
    }
  }

  static std::string parenthesised(const std::string& text) { return "(" + text + ")"; }

  void property(unsigned number) {
    in_property_ = true;
    const std::string condition = expression(Type::Bool, options_.depth);
    in_property_ = false;
    switch (pick(4)) {
      case 0:
        out_ += "reach q" + std::to_string(number) + ": " + condition;
        if (chance(50)) out_ += " within " + std::to_string(pick(5));
        out_ += "\n";
        return;
      case 1:
        out_ += "safety q" + std::to_string(number) + " @" + node() + ": " + condition + "\n";
        return;
      case 2:
        out_ += "constraint " + node() + ": " + expression(Type::Bool, options_.depth) + "\n";
        return;
      default:
        out_ += "safety q" + std::to_string(number) + ": " + condition + "\n";
    }
  }

  // ----- expressions
  std::string literal(Type type) {
    switch (type) {
      case Type::Bool:
        return chance(50) ? "true" : "false";
      case Type::Int:
        if (options_.finite) return std::to_string(pick(options_.range));
        return chance(20) ? (chance(50) ? "LOW" : "HIGH") : std::to_string(pick(10));
      case Type::Real:
        return std::to_string(pick(10)) + (chance(50) ? ".0" : ".25");
      case Type::String:
        return chance(50) ? "\"a\"" : "\"b \\\"c\\\"\"";
      default: {
        const char* const values[] = {"RED", "GREEN", "BLUE"};
        return values[pick(3)];
      }
    }
  }

  std::string leaf(Type type) {
    std::vector<std::string> names;
    for (const Variable& v : variables_) {
      if (v.type == type) names.push_back(v.name);
    }
    for (const Variable& p : parameters_) {
      if (p.type == type) names.push_back(p.name);
    }
    if (in_property_ && type == Type::Bool && chance(40)) return "@" + node();
    if (names.empty() || chance(30)) return literal(type);
    return names[pick(static_cast<unsigned>(names.size()))];
  }

  std::string expression(Type type, unsigned depth) {
    if (depth == 0 || chance(15)) return leaf(type);
    const auto sub = [&](Type t) { return parenthesised(expression(t, depth - 1)); };
    // Without parentheses now and then: precedence decides.
    const auto loose = [&](Type t) { return chance(50) ? expression(t, depth - 1) : sub(t); };
    if (chance(6)) {
      return parenthesised("if " + loose(Type::Bool) + " then " + loose(type) + " else " +
                           loose(type));
    }
    switch (type) {
      case Type::Bool:
        return boolean(depth);
      case Type::Int:
      case Type::Real: {
        const Type other = type == Type::Real && chance(30) ? Type::Int : type;
        const char* const operators[] = {" + ", " - ", " * ", " / "};
        const unsigned k = pick(type == Type::Int ? 6 : 5);
        if (k == 5) return sub(type) + " % " + sub(Type::Int);
        if (k == 4) return "-" + sub(type);
        if (!options_.finite && k == 3 && chance(30)) {
          return sub(type) + " ^ " + std::to_string(pick(4));
        }
        return loose(type) + operators[k] + (k == 0 && chance(50) ? loose(other) : sub(other));
      }
      case Type::String:
        return loose(type) + " ++ " + loose(type);
      default:
        return leaf(type);
    }
  }

  std::string boolean(unsigned depth) {
    const auto sub = [&](Type t) { return parenthesised(expression(t, depth - 1)); };
    switch (pick(9)) {
      case 0:
        return "!" + sub(Type::Bool);
      case 1:
        return sub(Type::Bool) + " -> " + sub(Type::Bool);
      case 2:
        return sub(Type::Bool) + " || " + sub(Type::Bool);
      case 3:
        return sub(Type::Bool) + " && " + sub(Type::Bool);
      case 4: {
        const Type type = random_type();
        return sub(type) + (chance(50) ? " == " : " != ") + sub(type);
      }
      case 5:
        if (!options_.finite && chance(50)) {
          return parenthesised("forall k in 0..2: k + " + sub(Type::Int) + " != 3");
        }
        if (enums_ && chance(50)) {
          return parenthesised("exists c in Color: c == " + sub(Type::Color));
        }
        [[fallthrough]];
      default: {
        const Type type = options_.finite || chance(50) ? Type::Int : Type::Real;
        const Type other = !options_.finite && chance(30) ? Type::Int : type;
        const char* const operators[] = {" < ", " <= ", " > ", " >= "};
        return sub(type) + operators[pick(4)] + sub(other);
      }
    }
  }

  std::mt19937_64 random_;
  Options options_;
  std::string out_;
  bool enums_ = false;
  bool in_property_ = false;
  std::vector<Variable> variables_;
  std::vector<Variable> parameters_;
  std::vector<std::string> nodes_;
};

}  // namespace whittle::test
