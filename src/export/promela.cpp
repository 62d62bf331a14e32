// SPDX-License-Identifier: Apache-2.0
// Promela, the language of SPIN: a process per program counter (and one for what has none), each
// transition an atomic alternative of its loop, and a monitor with an assertion that fails in the
// goal. A question with a bound counts steps, and no step is taken beyond it; that is exact but
// makes states differ that did not before.
//
// SPIN's numbers have 32 bits and its variables fixed first values. What has no first value, or
// gets an arbitrary one, must be a Bool or an enumeration; other models are refused.
//
// A formula of temporal logic is an `ltl` block. It is about the states from the first one of the
// model on, and a step of the model is one step of SPIN. SPIN as it is built everywhere has no
// `next`. Where the first state is chosen, the formula begins when that has happened, which makes
// it much harder for SPIN to translate.
//
//   spin -a model.pml && cc -O2 -DNOREDUCE -o pan pan.c && ./pan -a -m1000000   errors: 1 =
//   violated
//
//   whittle export model.proc --format promela > model.pml
//   spin -a model.pml && cc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000     errors: 1 = reached
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "engine/reduction/accesses.h"
#include "export/export.h"
#include "export/live.h"
#include "expr/expr_map.h"
#include "expr/traverse.h"
#include "ir/ltl.h"

namespace whittle {

namespace {

constexpr std::size_t kLongest = 50'000'000;  // characters of one expression
constexpr std::size_t kMaxCases = 4096;       // values of the inputs of one transition

[[noreturn]] void refuse(const std::string& why) {
  throw Inexpressible("Promela cannot express this model: " + why);
}

class Promela {
 public:
  Promela(const TransitionSystem& system, const std::string& name, const LiveExport* live)
      : system_(system), pool_(*system.pool), name_(name), live_(live), accesses_(system) {
    for (std::uint32_t v = 0; v < system.variables.size(); ++v) {
      const StateVariable& variable = system.variables[v];
      names_[variable.current.index()] = fmt::format("v{}_{}", v, plain(variable.name));
    }
  }

  std::string run() {
    if (system_.bound.min > 0) refuse("the question asks for at least so many steps");
    out_ = live_ == nullptr ? "// " + name_ + ": the assertion fails if the goal is reached\n"
                            : "// " + name_ + ": pan -a finds a run that violates the formula\n";
    variables();
    // A formula can be about the state in which everything begins, if that is the first one.
    begins_ = live_ == nullptr || !first_.empty() || !conditions_.empty();
    if (live_ != nullptr && begins_) out_ += "bool started = false;\n";
    if (system_.bound.max) out_ += "int steps = 0;\n";
    std::map<std::uint32_t, std::vector<std::uint32_t>> threads;
    for (std::uint32_t t = 0; t < system_.transitions.size(); ++t)
      threads[accesses_.thread_of(t)].push_back(t);
    unsigned number = 0;
    for (const auto& [thread, transitions] : threads) {
      out_ +=
          fmt::format("\n{}proctype p{}() {{\nend:\n  do\n", begins_ ? "" : "active ", number++);
      for (std::uint32_t t : transitions) transition(system_.transitions[t]);
      out_ += "  od\n}\n";
    }
    if (live_ != nullptr) {
      if (begins_) start(number);
      formula();
      return std::move(out_);
    }
    out_ += "\nproctype monitor() {\nend:\n  do\n";
    for_each_value(system_.goal.inputs, [&](Substitution& values) {
      out_ += fmt::format("  :: atomic {{ {} -> assert(false) }}\n",
                          text(values(system_.goal.condition)));
    });
    out_ += "  od\n}\n";
    start(number);
    return std::move(out_);
  }

 private:
  // A first value that is known, by variable or by variable and cell.
  struct Known {
    std::optional<Value> value;
    std::map<Value, Value> cells;
  };

  static std::string plain(const std::string& name) {
    std::string result;
    for (char c : name) {
      const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      result += fine ? c : '_';
    }
    return result;
  }

  static std::string constant(const Value& value) {
    if (value.is_bool()) return value.as_bool() ? "true" : "false";
    if (value.is_enum()) return std::to_string(value.as_enum().index);
    if (!value.is_integer()) refuse("it has values that are neither numbers nor truth values");
    const auto small = value.as_integer().to_int64();
    if (!small || *small > INT32_MAX || *small < -INT32_MAX)
      refuse("the number " + value.as_integer().to_string() + " is too large");
    return *small < 0 ? fmt::format("({})", *small) : std::to_string(*small);
  }

  [[nodiscard]] std::string type_name(Type type) const {
    switch (pool_.kind(type)) {
      case TypeKind::Bool:
        return "bool";
      case TypeKind::Int:
      case TypeKind::Enum:
        return "int";
      default:
        refuse("there is no type for " + pool_.to_string(type));
    }
  }

  // ----- variables and first values

  void variables() {
    read_init();
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v) {
      const StateVariable& variable = system_.variables[v];
      const TypeInfo& info = pool_.info(variable.type);
      const std::string& name = names_.at(variable.current.index());
      if (info.kind != TypeKind::Array) {
        out_ += fmt::format("{} {}", type_name(variable.type), name);
        if (known_[v].value)
          out_ += " = " + constant(*known_[v].value);
        else
          choose(name, variable.type, variable.name);
        out_ += ";\n";
        continue;
      }
      if (!info.length || pool_.kind(info.element) == TypeKind::Array)
        refuse("the array " + variable.name + " has no fixed length");
      out_ += fmt::format("{} {}[{}];\n", type_name(info.element), name, *info.length);
      for (std::uint64_t i = 0; i < *info.length; ++i) first_cell(v, i, name);
    }
  }

  void first_cell(std::uint32_t v, std::uint64_t i, const std::string& name) {
    const StateVariable& variable = system_.variables[v];
    const Value index(Integer(static_cast<unsigned long>(i)));
    const std::string cell = fmt::format("{}[{}]", name, i);
    const auto one = known_[v].cells.find(index);
    if (one != known_[v].cells.end()) {
      first_ += fmt::format("    {} = {};\n", cell, constant(one->second));
    } else if (known_[v].value) {
      const Value& value = known_[v].value->as_array().at(index);
      const bool zero = value == pool_.default_value(pool_.info(variable.type).element);
      if (!zero) first_ += fmt::format("    {} = {};\n", cell, constant(value));
    } else {
      choose(cell, pool_.info(variable.type).element, variable.name);
    }
  }

  void choose(const std::string& place, Type type, const std::string& name) {
    const std::vector<Value> values = values_of(type, "the first value of " + name);
    first_ += "    if";
    for (const Value& value : values) first_ += fmt::format(" :: {} = {}", place, constant(value));
    first_ += " fi;\n";
  }

  std::vector<Value> values_of(Type type, const std::string& what) const {
    std::vector<Value> result;
    const TypeInfo& info = pool_.info(type);
    if (info.kind == TypeKind::Bool) return {Value(false), Value(true)};
    if (info.kind != TypeKind::Enum) refuse(what + " can be any number");
    for (std::uint32_t i = 0; i < info.values.size(); ++i) result.emplace_back(EnumValue{i});
    return result;
  }

  // Equations with constants give first values; the rest is a condition.
  void read_init() {
    known_.resize(system_.variables.size());
    std::map<std::size_t, std::uint32_t> of_symbol;
    for (std::uint32_t v = 0; v < system_.variables.size(); ++v)
      of_symbol[system_.variables[v].current.index()] = v;
    auto variable = [&](Expr e) -> Known* {
      if (!pool_.is_variable(e)) return nullptr;
      const auto found = of_symbol.find(pool_.symbol_of(e).index());
      return found == of_symbol.end() ? nullptr : &known_[found->second];
    };
    for (Expr part : conjuncts(pool_, system_.init)) {
      const bool negated = pool_.op(part) == Op::Not;
      const Expr inner = negated ? pool_.child(part, 0) : part;
      Known* flag = variable(inner);
      if (flag != nullptr && !flag->value) {
        flag->value = Value(!negated);
        continue;
      }
      if (!negated && pool_.op(inner) == Op::Eq && equation(inner, variable)) continue;
      conditions_.push_back(part);
    }
  }

  template <class Find>
  bool equation(Expr e, const Find& variable) {
    for (const std::size_t side : {0U, 1U}) {
      const Expr place = pool_.child(e, side);
      const Expr value = pool_.child(e, 1 - side);
      if (!pool_.is_const(value)) continue;
      if (Known* known = variable(place); known != nullptr && !known->value) {
        known->value = pool_.value(value);
        return true;
      }
      if (pool_.op(place) != Op::Select || !pool_.is_const(pool_.child(place, 1))) continue;
      if (Known* known = variable(pool_.child(place, 0)); known != nullptr && !known->value) {
        return known->cells.emplace(pool_.value(pool_.child(place, 1)), pool_.value(value)).second;
      }
    }
    return false;
  }

  void start(unsigned processes) {
    out_ += "\ninit {\n  atomic {\n" + first_;
    for (Expr condition : conditions_) out_ += fmt::format("    {};\n", text(condition));
    for (unsigned p = 0; p < processes; ++p) out_ += fmt::format("    run p{}();\n", p);
    // The process stays, since its end would be a step.
    out_ += live_ == nullptr ? "    run monitor()\n  }\n}\n"
                             : "    started = true\n  };\nend:\n  false\n}\n";
  }

  // The states before the first one of the model do not count.
  void formula() {
    std::map<Expr, std::string> known;
    const auto atom = [&](Expr condition) {
      const auto [it, fresh] = known.try_emplace(condition, fmt::format("atom{}", known.size()));
      if (fresh) out_ += fmt::format("#define {} ({})\n", it->second, text(plain_cases(condition)));
      return it->second;
    };
    const LtlSyntax syntax{"!", "&&", "||", "",    "<>",   "[]",   "U",
                           "V", "",   "",   false, "true", "false"};
    out_ += "\n";
    const std::string asked = formula_text(*live_->ltl, live_->formula, syntax, atom);
    out_ += begins_
                ? fmt::format("ltl asked {{ ([] !started) || ((!started) U (started && ({}))) }}\n",
                              asked)
                : fmt::format("ltl asked {{ {} }}\n", asked);
  }
  // In formulas `->` is an implication, so there is no conditional.
  Expr plain_cases(Expr condition) {
    Rewriter rewriter(pool_, [this](Expr e, std::span<const Expr> arguments) {
      if (pool_.op(e) != Op::Ite) return Expr();
      if (pool_.type(e) != Type::boolean()) refuse("a condition of the formula has cases");
      return pool_.disj(pool_.conj(arguments[0], arguments[1]),
                        pool_.conj(pool_.negate(arguments[0]), arguments[2]));
    });
    return rewriter(condition);
  }

  // ----- steps

  template <class Use>
  void for_each_value(const std::vector<SymbolId>& inputs, const Use& use) {
    std::vector<std::vector<Value>> values;
    std::size_t count = 1;
    for (SymbolId input : inputs) {
      values.push_back(values_of(pool_.info(input).type, "an argument of a step"));
      count *= values.back().size();
      if (count > kMaxCases) refuse("a step has too many arguments");
    }
    for (std::size_t n = 0; n < count; ++n) {
      Substitution substitution(pool_);
      std::size_t rest = n;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Value& value = values[i][rest % values[i].size()];
        rest /= values[i].size();
        substitution.set(inputs[i], pool_.constant(value, pool_.info(inputs[i]).type));
      }
      use(substitution);
    }
  }

  struct Assignment {
    std::string place;
    Expr value;
    Expr index;  // invalid: no array
    std::uint32_t variable;
  };

  void transition(const Transition& t) {
    if (!t.open.empty()) refuse("a step leaves a value open");
    for_each_value(t.inputs, [&](Substitution& values) {
      std::vector<Assignment> assignments;
      for (const Update& update : t.updates)
        assign(update.variable, values(update.value), assignments);
      const Expr guard = values(t.guard);
      if (pool_.is_false(guard)) return;
      out_ += fmt::format("  :: {} {{ {}", live_ == nullptr ? "atomic" : "d_step", text(guard));
      if (system_.bound.max) out_ += fmt::format(" && steps < {}", *system_.bound.max);
      out_ += " ->";
      write(assignments);
      if (system_.bound.max) out_ += " steps = steps + 1;";
      out_ += " skip }\n";
    });
  }

  // A chain of stores into the array itself is an assignment to each of the cells, first to last.
  void assign(std::uint32_t v, Expr value, std::vector<Assignment>& out) {
    const StateVariable& variable = system_.variables[v];
    const std::string& name = names_.at(variable.current.index());
    if (pool_.kind(variable.type) != TypeKind::Array) {
      out.push_back({name, value, {}, v});
      return;
    }
    std::vector<Assignment> cells;
    for (; pool_.op(value) == Op::Store; value = pool_.child(value, 0))
      cells.push_back({name, pool_.child(value, 2), pool_.child(value, 1), v});
    if (!pool_.is_variable(value) || pool_.symbol_of(value) != variable.current)
      refuse("a step assigns a whole array");
    out.insert(out.end(), cells.rbegin(), cells.rend());
  }

  // All values are those before the step: where that matters, they are kept aside first.
  void write(const std::vector<Assignment>& assignments) {
    bool aside = false;
    for (const Assignment& a : assignments) {
      for (const Assignment& b : assignments) {
        if (&a == &b) continue;
        std::vector<Expr> terms = {b.value};
        if (b.index.valid()) terms.push_back(b.index);
        for (SymbolId symbol : symbols(pool_, terms))
          aside |= symbol == system_.variables[a.variable].current;
      }
    }
    std::string before, after;
    for (std::size_t i = 0; i < assignments.size(); ++i) {
      const Assignment& a = assignments[i];
      auto kept = [&](Expr e, const char* what) {
        if (!aside || pool_.is_const(e)) return text(e);
        std::string name = fmt::format("{}{}", what, i);
        if (!declared_[name]) {
          declared_[name] = true;
          out_.insert(out_.find('\n') + 1, fmt::format("hidden int {};\n", name));
        }
        before += fmt::format(" {} = {};", name, text(e));
        return name;
      };
      const std::string value = kept(a.value, "value");
      const std::string place =
          a.index.valid() ? fmt::format("{}[{}]", a.place, kept(a.index, "cell")) : a.place;
      after += fmt::format(" {} = {};", place, value);
    }
    out_ += before + after;
  }

  // ----- terms

  // store(a, i, x)[j] is  i == j ? x : a[j]
  Expr read(Expr array, Expr index) {
    std::vector<std::pair<Expr, Expr>> stores;
    for (; pool_.op(array) == Op::Store; array = pool_.child(array, 0))
      stores.emplace_back(pool_.child(array, 1), pool_.child(array, 2));
    Expr result = initial_cell(array, index);
    for (auto store = stores.rbegin(); store != stores.rend(); ++store)
      result = pool_.ite(pool_.eq(store->first, index), store->second, result);
    return result;
  }

  // A constant array has no name: its cells are distinguished.
  Expr initial_cell(Expr array, Expr index) {
    if (pool_.op(array) == Op::ConstArray) return pool_.child(array, 0);
    if (!pool_.is_const(array)) return pool_.select(array, index);
    const TypeInfo info = pool_.info(pool_.type(array));
    const ArrayValue& value = pool_.value(array).as_array();
    Expr result = pool_.constant(value.otherwise, info.element);
    for (const auto& [at, cell] : value.entries)
      result = pool_.ite(pool_.eq(index, pool_.constant(at, info.index)),
                         pool_.constant(cell, info.element), result);
    return result;
  }

  std::string text(Expr whole) {
    Rewriter reads(pool_, [this](Expr e, std::span<const Expr> arguments) {
      return pool_.op(e) == Op::Select ? read(arguments[0], arguments[1]) : Expr();
    });
    const Expr root = reads(whole);
    ExprMap<std::string> done;
    for_each_subterm(pool_, root, [&](Expr e) {
      std::string written = node(e, done);
      if (written.size() > kLongest) refuse("an expression is too long");
      done.insert(e, std::move(written));
    });
    return *done.find(root);
  }

  std::string node(Expr e, ExprMap<std::string>& done) {
    if (pool_.is_const(e)) {
      if (pool_.kind(pool_.type(e)) == TypeKind::Array) return "";  // used by nobody who is printed
      return constant(pool_.value(e));
    }
    if (pool_.is_variable(e)) {
      const auto found = names_.find(pool_.symbol_of(e).index());
      if (found == names_.end()) refuse("a term speaks of something unknown");
      return found->second;
    }
    std::vector<std::string> parts;
    for (Expr child : pool_.children(e)) parts.push_back(*done.find(child));
    auto joined = [&](std::string_view op) {
      std::string result = "(" + parts[0];
      for (std::size_t i = 1; i < parts.size(); ++i) result += fmt::format(" {} {}", op, parts[i]);
      return result + ")";
    };
    switch (pool_.op(e)) {
      case Op::Not:
        return "!(" + parts[0] + ")";
      case Op::And:
        return joined("&&");
      case Op::Or:
        return joined("||");
      case Op::Implies:
        return fmt::format("(!({}) || {})", parts[0], parts[1]);
      case Op::Ite:
        return fmt::format("({} -> {} : {})", parts[0], parts[1], parts[2]);
      case Op::Eq:
        if (pool_.kind(pool_.type(pool_.child(e, 0))) == TypeKind::Array)
          refuse("arrays are compared");
        return joined("==");
      case Op::Lt:
        return joined("<");
      case Op::Le:
        return joined("<=");
      case Op::Neg:
        return "(-(" + parts[0] + "))";
      case Op::Add:
        return joined("+");
      case Op::Sub:
        return joined("-");
      case Op::Mul:
        return joined("*");
      case Op::Mod:
        if (const Expr by = pool_.child(e, 1); pool_.is_const(by) && parts[1].front() != '(')
          return fmt::format("((({0}) % {1} + {1}) % {1})", parts[0], parts[1]);
        return remainder(parts[0], parts[1]);
      case Op::IDiv:
        return fmt::format("((({}) - {}) / ({}))", parts[0], remainder(parts[0], parts[1]),
                           parts[1]);
      case Op::Select:
        return fmt::format("{}[{}]", parts[0], parts[1]);
      default:
        refuse(fmt::format("there is nothing for `{}`", to_string_of(e)));
    }
  }

  // Never negative, whatever the signs are.
  static std::string remainder(const std::string& a, const std::string& b) {
    const std::string size = fmt::format("(({0}) < 0 -> -({0}) : ({0}))", b);
    return fmt::format("(((({0}) % {1}) + {1}) % {1})", a, size);
  }

  [[nodiscard]] std::string to_string_of(Expr e) const { return pool_.to_string(pool_.type(e)); }

  const TransitionSystem& system_;
  ExprPool& pool_;
  const std::string& name_;
  const LiveExport* live_;  // null: the goal is asked for
  bool begins_ = true;      // a process makes the first state
  Accesses accesses_;
  std::map<std::size_t, std::string> names_;  // by symbol
  std::vector<Known> known_;                  // by variable
  std::vector<Expr> conditions_;              // on first states
  std::string first_;                         // statements that set first values
  std::map<std::string, bool> declared_;      // variables for what is kept aside
  std::string out_;
};

}  // namespace

std::string export_promela(const TransitionSystem& system, const std::string& name,
                           const ExportOptions& options) {
  return Promela(system, name, options.live).run();
}

}  // namespace whittle
