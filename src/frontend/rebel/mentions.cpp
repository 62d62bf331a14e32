// SPDX-License-Identifier: Apache-2.0
#include "frontend/rebel/mentions.h"

#include <algorithm>

namespace whittle::rebel {

namespace {

void visit_all(const ModuleAst& module, ExprRef first, std::vector<Name> names,
               const ExprVisitor& visit) {
  struct Open {
    ExprRef e;
    std::vector<Name> bound;
  };
  std::vector<Open> stack{{first, std::move(names)}};
  while (!stack.empty()) {
    const Open open = std::move(stack.back());
    stack.pop_back();
    visit(open.e, open.bound);
    const ExprNode& n = module.expr(open.e);
    std::vector<Name> inner = open.bound;
    const bool binds = n.kind == ExprKind::Comprehension || n.kind == ExprKind::Forall ||
                       n.kind == ExprKind::Exists;
    if (binds) inner.push_back(n.a);
    module.each_operand(n, [&](ExprRef e) {
      stack.push_back({e, binds && e == n.b ? open.bound : inner});
    });
  }
}

class Postconditions {
 public:
  Postconditions(const Program& program, std::uint32_t module, const Spec& spec,
                 const std::set<Name>& parameters)
      : program_(program),
        module_(program.module(module).ast),
        spec_(spec),
        parameters_(parameters) {}

  void add(const StmtAst& stmt) {
    if (stmt.is_case) {
      std::set<std::uint32_t> fields;
      each_expression(module_, stmt, [&](ExprRef e, const std::vector<Name>& bound) {
        const std::uint32_t field = changed_field(e, bound);
        if (field != kNone) fields.insert(field);
      });
      relation(fields);
      return;
    }
    std::vector<ExprRef> stack{stmt.expr};
    while (!stack.empty()) {
      const ExprNode& n = module_.expr(stack.back());
      if (n.kind == ExprKind::And) {
        stack.back() = n.b;
        stack.push_back(n.a);
        continue;
      }
      conjunct(stack.back());
      stack.pop_back();
    }
  }
  [[nodiscard]] std::map<std::uint32_t, FieldChange>& fields() { return fields_; }
  [[nodiscard]] bool relations() const { return relations_; }

 private:
  // The own field that `new e` is about; kNone: another instance's, or none.
  std::uint32_t changed_field(ExprRef e, const std::vector<Name>& bound) const {
    if (module_.expr(e).kind != ExprKind::New) return kNone;
    std::vector<ExprRef> path;  // outermost first
    ExprRef at = module_.expr(e).a;
    while (module_.expr(at).kind == ExprKind::Field || module_.expr(at).kind == ExprKind::Index ||
           module_.expr(at).kind == ExprKind::New) {
      path.push_back(at);
      at = module_.expr(at).a;
    }
    Name name = kNoName;
    const ExprNode& base = module_.expr(at);
    if (base.kind == ExprKind::This && !path.empty() &&
        module_.expr(path.back()).kind == ExprKind::Field) {
      name = module_.expr(path.back()).b;
      path.pop_back();
    } else if (base.kind == ExprKind::Word && !parameters_.contains(base.a) &&
               std::find(bound.begin(), bound.end(), base.a) == bound.end()) {
      name = base.a;
    }
    const auto it = spec_.field_index.find(name);
    if (it == spec_.field_index.end()) return kNone;
    // `new this.owner.name` is about the owner, which is read before the step.
    const TypeTable& types = program_.types();
    RType type = spec_.fields[it->second].type;
    for (std::size_t i = path.size(); i-- > 0;) {
      const ExprKind kind = module_.expr(path[i]).kind;
      if (kind == ExprKind::Field && types.kind(type) == Kind::Spec) return kNone;
      if (kind == ExprKind::Index && types.kind(type) == Kind::Map) type = types.value(type);
    }
    return it->second;
  }

  void conjunct(ExprRef e) {
    std::set<std::uint32_t> fields;
    each_expression(module_, e, [&](ExprRef one, const std::vector<Name>& bound) {
      const std::uint32_t field = changed_field(one, bound);
      if (field != kNone) fields.insert(field);
    });
    const ExprNode& n = module_.expr(e);
    if (n.kind == ExprKind::Eq) {
      for (const auto& [side, other] : {std::pair(n.a, n.b), std::pair(n.b, n.a)}) {
        const std::uint32_t field = changed_field(side, {});
        if (field == kNone || field == spec_.key || mentions_new(module_, other)) continue;
        const ExprRef inner = module_.expr(side).a;
        const bool is_map = program_.types().kind(spec_.fields[field].type) == Kind::Map;
        if (module_.expr(inner).kind == ExprKind::Index) {
          const bool entry = is_map && whole_field(module_.expr(inner).a);
          if (!entry || mentions_new(module_, module_.expr(inner).b)) break;
          ++fields_[field].conjuncts;
          fields_[field].updates.push_back({module_.expr(inner).b, other});
          return;
        }
        if (!whole_field(inner)) break;
        ++fields_[field].conjuncts;
        fields_[field].only_updates = false;
        fields_[field].assigned = other;
        return;
      }
    }
    relation(fields);
  }

  [[nodiscard]] bool whole_field(ExprRef e) const {
    const ExprNode& n = module_.expr(e);
    return n.kind == ExprKind::Word ||
           (n.kind == ExprKind::Field && module_.expr(n.a).kind == ExprKind::This);
  }

  void relation(const std::set<std::uint32_t>& fields) {
    relations_ = true;
    for (const std::uint32_t field : fields) {
      ++fields_[field].conjuncts;
      fields_[field].only_updates = false;
    }
  }

  const Program& program_;
  const ModuleAst& module_;
  const Spec& spec_;
  const std::set<Name>& parameters_;
  std::map<std::uint32_t, FieldChange> fields_;
  bool relations_ = false;
};

Postconditions of_event(const Program& program, std::uint32_t module, const EventAst& event,
                        const Spec& spec, const std::set<Name>& parameters) {
  Postconditions all(program, module, spec, parameters);
  for (std::uint32_t i = 0; i < event.post.count; ++i) {
    all.add(program.module(module).ast.stmts[event.post.first + i]);
  }
  return all;
}

}  // namespace

void each_expression(const ModuleAst& module, ExprRef e, const ExprVisitor& visit) {
  visit_all(module, e, {}, visit);
}

void each_expression(const ModuleAst& module, const StmtAst& stmt, const ExprVisitor& visit) {
  each_expression(module, stmt.expr, visit);
  if (!stmt.is_case) return;
  for (std::uint32_t i = 0; i < stmt.cases.count; ++i) {
    const CaseAst& one = module.cases[stmt.cases.first + i];
    each_expression(module, one.literal, visit);
    each_expression(module, module.stmts[one.then], visit);
  }
}

bool mentions_new(const ModuleAst& module, ExprRef e) {
  bool found = false;
  each_expression(module, e, [&](ExprRef one, const std::vector<Name>&) {
    found = found || module.expr(one).kind == ExprKind::New;
  });
  return found;
}

bool mentions_new(const ModuleAst& module, const StmtAst& stmt) {
  bool found = false;
  each_expression(module, stmt, [&](ExprRef one, const std::vector<Name>&) {
    found = found || module.expr(one).kind == ExprKind::New;
  });
  return found;
}

std::map<std::uint32_t, FieldChange> changes(const Program& program, std::uint32_t module,
                                             const EventAst& event, const Spec& spec,
                                             const std::set<Name>& parameters) {
  return std::move(of_event(program, module, event, spec, parameters).fields());
}

bool only_assigns(const Program& program, std::uint32_t module, const EventAst& event,
                  const Spec& spec, const std::set<Name>& parameters) {
  Postconditions all = of_event(program, module, event, spec, parameters);
  if (all.relations()) return false;
  for (const auto& [field, change] : all.fields()) {
    // Two entries may be one; two values for a field may differ.
    if (change.conjuncts > 1) return false;
  }
  return true;
}

bool reads_own_fields(const ModuleAst& module, ExprRef e, const Spec& spec) {
  bool found = false;
  each_expression(module, e, [&](ExprRef one, const std::vector<Name>& bound) {
    const ExprNode& n = module.expr(one);
    Name name = kNoName;
    if (n.kind == ExprKind::Field && module.expr(n.a).kind == ExprKind::This) name = n.b;
    if (n.kind == ExprKind::Word && std::find(bound.begin(), bound.end(), n.a) == bound.end())
      name = n.a;
    const auto it = spec.field_index.find(name);
    found = found || (it != spec.field_index.end() && it->second != spec.key);
  });
  return found;
}

}  // namespace whittle::rebel
