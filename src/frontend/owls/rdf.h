// SPDX-License-Identifier: Apache-2.0
// RDF/XML as a graph: resources with their types and statements. Read are typed nodes,
// rdf:Description, about, ID, nodeID, resource, property attributes, xml:base, and the parse types
// Resource, Collection and Literal; what stands in a literal is read as RDF, too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"

namespace whittle::owls {

inline constexpr std::size_t kNoResource = SIZE_MAX;

struct Statement {
  std::string predicate;             // URI
  std::size_t object = kNoResource;  // none: a literal
  std::string text = {};             // of a literal, without blanks around it
  std::string datatype = {};         // URI; may be empty
  Span span = {};

  [[nodiscard]] bool literal() const { return object == kNoResource; }
};

struct Resource {
  std::string uri;  // "_:..." where it has no name
  std::vector<std::string> types;
  std::vector<Statement> statements;
  Span span;
};

class Graph {
 public:
  [[nodiscard]] const Resource& at(std::size_t resource) const { return resources_[resource]; }
  [[nodiscard]] std::size_t size() const { return resources_.size(); }
  [[nodiscard]] std::optional<std::size_t> find(const std::string& uri) const;
  // The resource of that URI; a new one where there is none yet.
  std::size_t named(const std::string& uri, Span span);
  Resource& edit(std::size_t resource) { return resources_[resource]; }

  // By the local name of the predicate, whatever its namespace.
  [[nodiscard]] const Statement* first(std::size_t resource, std::string_view predicate) const;
  [[nodiscard]] std::vector<const Statement*> all(std::size_t resource,
                                                  std::string_view predicate) const;
  // The object of the first statement; kNoResource: there is none, or it is a literal.
  [[nodiscard]] std::size_t object(std::size_t resource, std::string_view predicate) const;
  [[nodiscard]] bool is(std::size_t resource, std::string_view type) const;  // by local name

 private:
  std::vector<Resource> resources_;
  std::unordered_map<std::string, std::size_t> by_uri_;
};

// Behind the last # or /.
[[nodiscard]] std::string_view local_name(std::string_view uri);

// Adds what the file says to the graph. The blank nodes of each file are its own.
void read_rdf(const Sources& sources, FileId file, Graph& graph, Diagnostics& diagnostics);

}  // namespace whittle::owls
