// SPDX-License-Identifier: Apache-2.0
#include "frontend/owls/rdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "base/checkpoint.h"
#include "base/text.h"
#include "frontend/owls/entities.h"

namespace whittle::owls {

namespace {

constexpr std::string_view kRdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
constexpr std::string_view kXml = "http://www.w3.org/XML/1998/namespace";
constexpr std::size_t kMaxDepth = 200;  // elements inside each other

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

class Rdf {
 public:
  Rdf(const Sources& sources, FileId file, Graph& graph, Diagnostics& diagnostics)
      : size_(sources.file(file).text().size()),
        file_(file),
        expanded_(expand_entities(sources.file(file).text())),
        graph_(graph),
        diagnostics_(diagnostics) {
    base_ = sources.file(file).path();
  }

  void run() {
    if (expanded_.too_large) {
      diagnostics_.report("owls-003", {file_, 0, 0},
                          "the entities of the document stand for too much text, or for themselves",
                          "an entity is meant to be the first part of a URI");
      return;
    }
    const std::string& text = expanded_.text;
    const pugi::xml_parse_result parsed =
        document_.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed) {
      const Span at = span_at(parsed.offset);
      diagnostics_.report("owls-001", at, fmt::format("this is no XML: {}", parsed.description()),
                          "an OWL-S document is RDF, written as XML");
      return;
    }
    const Xml root = document_.document_element();
    Context context{base_, {}, 0};
    context = inside(root, context);
    if (name_of(root.name(), context, true) != std::string(kRdf) + "RDF") {
      diagnostics_.report(
          "owls-001", span_of(root), "this is no RDF/XML",
          fmt::format("the outermost element of it is `RDF` of the namespace {}", kRdf));
      return;
    }
    for (const Xml child : root.children())
      if (child.type() == pugi::node_element) node(child, context);
  }

 private:
  using Xml = pugi::xml_node;

  // What holds for everything inside an element.
  struct Context {
    std::string base;
    std::vector<std::pair<std::string, std::string>> prefixes;  // the last one counts
    std::size_t depth = 0;
  };

  [[nodiscard]] Span span_at(std::ptrdiff_t offset) const {
    if (offset < 0) return {file_, 0, 0};
    const std::uint32_t begin = std::min(expanded_.origin(static_cast<std::uint32_t>(offset)),
                                         static_cast<std::uint32_t>(size_));
    return {file_, begin, begin};
  }
  [[nodiscard]] Span span_of(Xml element) const {
    Span span = span_at(element.offset_debug());
    const std::size_t length = std::string_view(element.name()).size();
    span.end = std::min(static_cast<std::uint32_t>(span.begin + length),
                        static_cast<std::uint32_t>(size_));
    return span;
  }

  static Context inside(Xml element, Context context) {
    ++context.depth;
    for (const pugi::xml_attribute attribute : element.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "xmlns")
        context.prefixes.emplace_back("", attribute.value());
      else if (name.starts_with("xmlns:"))
        context.prefixes.emplace_back(name.substr(6), attribute.value());
      else if (name == "xml:base")
        context.base = without_fragment(attribute.value());
    }
    return context;
  }

  static std::string without_fragment(std::string_view uri) {
    return std::string(uri.substr(0, uri.find('#')));
  }

  // The URI of a name with a prefix. Attributes without one have no namespace.
  static std::string name_of(std::string_view name, const Context& context, bool element) {
    const std::size_t colon = name.find(':');
    const std::string_view prefix = colon == std::string_view::npos ? "" : name.substr(0, colon);
    if (prefix == "xml") return std::string(kXml) + std::string(name.substr(colon + 1));
    if (colon == std::string_view::npos && !element) return std::string(name);
    for (auto it = context.prefixes.rbegin(); it != context.prefixes.rend(); ++it)
      if (it->first == prefix)
        return it->second +
               std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
    return std::string(name);
  }

  // An attribute of RDF itself, with its prefix or, as in old documents, without.
  static std::optional<std::string> own(Xml element, const Context& context,
                                        std::string_view which) {
    for (const pugi::xml_attribute attribute : element.attributes()) {
      const std::string name = name_of(attribute.name(), context, false);
      if (name == which || name == std::string(kRdf) + std::string(which))
        return std::string(attribute.value());
    }
    return std::nullopt;
  }

  static std::string resolved(const std::string& reference, const Context& context) {
    if (reference.empty()) return context.base;
    if (reference[0] == '#') return context.base + reference;
    const std::size_t stop = reference.find_first_of(":/#?");
    if (stop != std::string::npos && reference[stop] == ':') return reference;
    const std::size_t slash = context.base.find_last_of('/');
    return slash == std::string::npos ? reference : context.base.substr(0, slash + 1) + reference;
  }

  [[nodiscard]] std::string blank(const std::string& name) const {
    return fmt::format("_:{}:{}", file_.index(), name);
  }
  std::size_t fresh(Span span) { return graph_.named(blank(fmt::format("#{}", ++blanks_)), span); }

  bool too_deep(Xml element, const Context& context) {
    if (context.depth < kMaxDepth) return false;
    if (!too_deep_)
      diagnostics_.report("owls-003", span_of(element), "elements stand too deep inside each other",
                          "refer to them with rdf:resource");
    too_deep_ = true;
    return true;
  }

  // The resource that a node element is about.
  std::size_t node(Xml element, const Context& outer) {
    checkpoint();
    const Span span = span_of(element);
    if (too_deep(element, outer)) return fresh(span);
    const Context context = inside(element, outer);
    std::size_t subject = kNoResource;
    if (const auto about = own(element, context, "about"))
      subject = graph_.named(resolved(*about, context), span);
    else if (const auto id = own(element, context, "ID"))
      subject = graph_.named(context.base + "#" + *id, span);
    else if (const auto name = own(element, context, "nodeID"))
      subject = graph_.named(blank(*name), span);
    else
      subject = fresh(span);
    const std::string type = name_of(element.name(), context, true);
    if (type != std::string(kRdf) + "Description") {
      graph_.edit(subject).types.push_back(type);
      graph_.edit(subject).span = span;
    }
    attributes(element, context, subject);
    for (const Xml child : element.children())
      if (child.type() == pugi::node_element) property(child, context, subject);
    return subject;
  }

  void attributes(Xml element, const Context& context, std::size_t subject) {
    for (const pugi::xml_attribute attribute : element.attributes()) {
      const std::string_view written = attribute.name();
      if (written.starts_with("xmlns") || written.find(':') == std::string_view::npos) continue;
      const std::string name = name_of(written, context, false);
      if (name.starts_with(kXml)) continue;
      if (name == std::string(kRdf) + "type")
        graph_.edit(subject).types.push_back(resolved(attribute.value(), context));
      else if (!name.starts_with(kRdf))
        add(subject, {name, kNoResource, trimmed(attribute.value()), {}, span_of(element)});
    }
  }

  void add(std::size_t subject, Statement statement) {
    graph_.edit(subject).statements.push_back(std::move(statement));
  }

  void property(Xml element, const Context& outer, std::size_t subject) {
    checkpoint();
    const Span span = span_of(element);
    if (too_deep(element, outer)) return;
    const Context context = inside(element, outer);
    Statement statement{name_of(element.name(), context, true)};
    statement.span = span;
    statement.object = object(element, context, span);
    if (statement.predicate == std::string(kRdf) + "type" && !statement.literal()) {
      graph_.edit(subject).types.push_back(graph_.at(statement.object).uri);
      return;
    }
    if (statement.literal()) {
      statement.text = trimmed(element.child_value());
      if (const auto type = own(element, context, "datatype"))
        statement.datatype = resolved(*type, context);
    }
    add(subject, std::move(statement));
  }

  // Of a property element; kNoResource: a literal.
  std::size_t object(Xml element, const Context& context, Span span) {
    if (const auto resource = own(element, context, "resource")) {
      const std::size_t found = graph_.named(resolved(*resource, context), span);
      attributes(element, context, found);
      return found;
    }
    if (const auto name = own(element, context, "nodeID")) return graph_.named(blank(*name), span);
    const std::string kind = own(element, context, "parseType").value_or("");
    if (kind == "Resource") {
      const std::size_t inner = fresh(span);
      for (const Xml child : element.children())
        if (child.type() == pugi::node_element) property(child, context, inner);
      return inner;
    }
    if (kind == "Collection") return collection(element, context, span);
    for (const Xml child : element.children())
      if (child.type() == pugi::node_element) return node(child, context);
    return kNoResource;
  }

  std::size_t collection(Xml element, const Context& context, Span span) {
    const std::string first = std::string(kRdf) + "first";
    const std::string rest = std::string(kRdf) + "rest";
    std::vector<std::size_t> members;
    for (const Xml child : element.children())
      if (child.type() == pugi::node_element) members.push_back(node(child, context));
    std::size_t list = graph_.named(std::string(kRdf) + "nil", span);
    for (auto it = members.rbegin(); it != members.rend(); ++it) {
      const std::size_t cell = fresh(span);
      add(cell, {first, *it, {}, {}, span});
      add(cell, {rest, list, {}, {}, span});
      list = cell;
    }
    return list;
  }

  std::size_t size_;
  FileId file_;
  Expanded expanded_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  std::string base_;
  pugi::xml_document document_;
  std::size_t blanks_ = 0;
  bool too_deep_ = false;
};

}  // namespace

std::string_view local_name(std::string_view uri) {
  const std::size_t at = uri.find_last_of("#/");
  return at == std::string_view::npos ? uri : uri.substr(at + 1);
}

std::optional<std::size_t> Graph::find(const std::string& uri) const {
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return std::nullopt;
  return found->second;
}

std::size_t Graph::named(const std::string& uri, Span span) {
  const auto [it, fresh] = by_uri_.emplace(uri, resources_.size());
  if (fresh) resources_.push_back({uri, {}, {}, span});
  return it->second;
}

const Statement* Graph::first(std::size_t resource, std::string_view predicate) const {
  if (resource == kNoResource) return nullptr;
  for (const Statement& statement : resources_[resource].statements)
    if (local_name(statement.predicate) == predicate) return &statement;
  return nullptr;
}

std::vector<const Statement*> Graph::all(std::size_t resource, std::string_view predicate) const {
  std::vector<const Statement*> result;
  if (resource == kNoResource) return result;
  for (const Statement& statement : resources_[resource].statements)
    if (local_name(statement.predicate) == predicate) result.push_back(&statement);
  return result;
}

std::size_t Graph::object(std::size_t resource, std::string_view predicate) const {
  const Statement* statement = first(resource, predicate);
  return statement == nullptr ? kNoResource : statement->object;
}

bool Graph::is(std::size_t resource, std::string_view type) const {
  if (resource == kNoResource) return false;
  const auto& types = resources_[resource].types;
  return std::any_of(types.begin(), types.end(),
                     [&](const std::string& uri) { return local_name(uri) == type; });
}

void read_rdf(const Sources& sources, FileId file, Graph& graph, Diagnostics& diagnostics) {
  Rdf(sources, file, graph, diagnostics).run();
}

}  // namespace whittle::owls
