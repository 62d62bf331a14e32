// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/checkpoint.h"

namespace whittle::owls {

namespace {

constexpr std::size_t kMaxImports = 50;

constexpr std::pair<std::string_view, Construct> kConstructs[] = {
    {"Sequence", Construct::Sequence},
    {"Split", Construct::Split},
    {"Split-Join", Construct::SplitJoin},
    {"Any-Order", Construct::AnyOrder},
    {"Unordered", Construct::AnyOrder},
    {"Choice", Construct::Choice},
    {"If-Then-Else", Construct::IfThenElse},
    {"Repeat-While", Construct::RepeatWhile},
    {"Repeat-Until", Construct::RepeatUntil},
    {"For-Each", Construct::ForEach},
    {"Perform", Construct::Perform},
    {"Produce", Construct::Produce},
    {"Set", Construct::Set},
};

// The ontology itself, which documents import.
constexpr std::string_view kOntology[] = {
    "Service.owl",    "Process.owl",    "Profile.owl", "Grounding.owl",
    "Expression.owl", "ObjectList.owl", "swrl.owl",    "swrlb.owl",
};

}  // namespace

Graph read_documents(Sources& sources, FileId file, const FileReader& read,
                     Diagnostics& diagnostics) {
  Graph graph;
  read_rdf(sources, file, graph, diagnostics);
  if (!read) return graph;
  const std::string path = sources.file(file).path();
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  std::set<std::string> known{path};
  for (std::size_t r = 0; r < graph.size() && known.size() <= kMaxImports; ++r) {
    std::vector<std::string> imports;
    for (const Statement* statement : graph.all(r, "imports"))
      if (!statement->literal()) imports.push_back(graph.at(statement->object).uri);
    for (std::string uri : imports) {
      uri = uri.substr(0, uri.find('#'));
      const std::string name(local_name(uri));
      if (name.empty() ||
          std::find(std::begin(kOntology), std::end(kOntology), name) != std::end(kOntology))
        continue;
      // Only from beside the document: what is not there is not followed.
      if (!known.insert(folder + name).second) continue;
      if (const auto found = read(folder + name)) {
        read_rdf(sources, *found, graph, diagnostics);
        r = 0;
        break;
      }
    }
  }
  return graph;
}

std::vector<std::size_t> Document::outermost() const {
  std::set<std::size_t> performed;
  for (std::size_t r = 0; r < graph_.size(); ++r)
    if (graph_.is(r, "Perform")) performed.insert(graph_.object(r, "process"));
  std::vector<std::size_t> all;
  std::vector<std::size_t> result;
  for (std::size_t r = 0; r < graph_.size(); ++r) {
    if (!graph_.is(r, "CompositeProcess") && graph_.object(r, "composedOf") == kNoResource)
      continue;
    all.push_back(r);
    if (!performed.contains(r)) result.push_back(r);
  }
  return result.empty() ? all : result;
}

std::vector<Parameter> Document::parameters(std::size_t process) const {
  std::vector<Parameter> result;
  add_parameters(process, result);
  for (const Statement* statement : graph_.all(process, "hasResult"))
    if (!statement->literal()) add_parameters(statement->object, result);
  return result;
}

void Document::add_parameters(std::size_t resource, std::vector<Parameter>& to) const {
  for (const Statement& statement : graph_.at(resource).statements) {
    const std::string_view role = local_name(statement.predicate);
    const bool output = role == "hasOutput";
    const bool local = role == "hasLocal" || role == "hasLoc" || role == "hasResultVar";
    const bool existential = role == "hasExistential";
    if (statement.literal() || !(output || local || existential || role == "hasInput" ||
                                 role == "hasParameter" || role == "hasVar"))
      continue;
    Parameter parameter;
    parameter.resource = statement.object;
    parameter.uri = graph_.at(statement.object).uri;
    const bool twice = std::any_of(
        to.begin(), to.end(), [&](const Parameter& other) { return other.uri == parameter.uri; });
    if (twice) continue;
    parameter.name = name(statement.object);
    if (const Statement* type = graph_.first(statement.object, "parameterType"))
      parameter.type = type->literal() ? type->text : graph_.at(type->object).uri;
    parameter.sort = sort_of(parameter.type);
    parameter.output = output;
    parameter.local = local;
    parameter.existential = existential;
    parameter.of_result = role == "hasResultVar";
    to.push_back(std::move(parameter));
  }
}

Sort Document::sort_of(std::string_view type) {
  if (type.find("XMLSchema") == std::string_view::npos) return Sort::Object;
  const std::string_view name = local_name(type);
  if (name == "boolean") return Sort::Truth;
  if (name == "float" || name == "double" || name == "decimal") return Sort::Number;
  constexpr std::string_view integers[] = {"int",
                                           "integer",
                                           "long",
                                           "short",
                                           "byte",
                                           "unsignedInt",
                                           "unsignedLong",
                                           "unsignedShort",
                                           "unsignedByte",
                                           "positiveInteger",
                                           "negativeInteger",
                                           "nonNegativeInteger",
                                           "nonPositiveInteger"};
  if (std::find(std::begin(integers), std::end(integers), name) != std::end(integers))
    return Sort::Integer;
  return Sort::Text;
}

std::optional<Construct> Document::construct(std::size_t resource) const {
  if (resource == kNoResource) return std::nullopt;
  for (const auto& [name, kind] : kConstructs)
    if (graph_.is(resource, name)) return kind;
  return std::nullopt;
}

std::vector<const Statement*> Document::members(std::size_t list) const {
  std::vector<const Statement*> result;
  std::set<std::size_t> seen;
  while (list != kNoResource && local_name(graph_.at(list).uri) != "nil" &&
         seen.insert(list).second) {
    checkpoint();
    if (const Statement* first = graph_.first(list, "first")) result.push_back(first);
    list = graph_.object(list, "rest");
  }
  return result;
}

std::vector<std::size_t> Document::components(std::size_t construct) const {
  std::vector<std::size_t> result;
  for (const Statement* statement : graph_.all(construct, "components")) {
    if (statement->literal()) continue;
    if (this->construct(statement->object)) {
      result.push_back(statement->object);
      continue;
    }
    for (const Statement* member : members(statement->object))
      if (!member->literal()) result.push_back(member->object);
  }
  return result;
}

Binding Document::binding(std::size_t resource) const {
  Binding result;
  result.span = span(resource);
  for (const Statement& statement : graph_.at(resource).statements) {
    const std::string_view what = local_name(statement.predicate);
    if (what == "toParam" || what == "toVar" || what == "toLoc" || what == "theParam")
      result.to = statement.literal() ? statement.text : graph_.at(statement.object).uri;
    else if (what == "valueSource" && !statement.literal())
      result.value_of = statement.object;
    else if (what == "valueData" || what == "valueSpecifier")
      result.data = &statement;
    else if (what == "valueObject" && !statement.literal())
      result.object = statement.object;
    else if (what == "valueFunction" && statement.literal())
      result.function_text = &statement;
    else if (what == "valueFunction")
      result.function = statement.object;
  }
  return result;
}

std::vector<Binding> Document::bindings(std::size_t resource) const {
  std::vector<Binding> result;
  for (const Statement& statement : graph_.at(resource).statements) {
    if (statement.literal()) continue;
    Binding found = binding(statement.object);
    if (!found.to.empty()) result.push_back(std::move(found));
  }
  return result;
}

std::string Document::name(std::size_t resource) const {
  const Resource& it = graph_.at(resource);
  if (!it.uri.starts_with("_:")) {
    const std::string_view name = local_name(it.uri);
    return std::string(name.empty() ? std::string_view(it.uri) : name);
  }
  if (const std::size_t process = graph_.object(resource, "process"); process != kNoResource)
    return name(process);
  return it.types.empty() ? "something" : std::string(local_name(it.types[0]));
}

bool Document::is_subclass(const std::string& type, const std::string& of) const {
  std::vector<std::string> open{type};
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    if (at == of) return true;
    const auto resource = graph_.find(at);
    if (!seen.insert(at).second || !resource) continue;
    for (const Statement* above : graph_.all(*resource, "subClassOf"))
      if (!above->literal()) open.push_back(graph_.at(above->object).uri);
  }
  return false;
}

}  // namespace whittle::owls
