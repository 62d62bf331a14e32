// SPDX-License-Identifier: Apache-2.0
// An OWL-S document: what its resources say as processes. Terms of the ontology are known by their
// local names, since documents point to copies of it at many places.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.h"
#include "frontend/owls/rdf.h"

namespace whittle::owls {

// What `parameterType` means for values.
enum class Sort : std::uint8_t { Integer, Number, Truth, Text, Object };

struct Parameter {
  std::size_t resource = kNoResource;
  std::string uri;
  std::string name;  // local
  std::string type;  // URI; may be empty
  Sort sort = Sort::Object;
  bool output = false;
  bool local = false;
  bool existential = false;
  bool of_result = false;  // bound by the condition of a result
};

// `toParam` gets the value.
struct Binding {
  std::string to;                            // URI of the parameter
  std::size_t value_of = kNoResource;        // ValueOf
  const Statement* data = nullptr;           // a constant
  std::size_t object = kNoResource;          // an individual
  std::size_t function = kNoResource;        // an expression
  const Statement* function_text = nullptr;  // an expression in our language
  Span span;
};

enum class Construct : std::uint8_t {
  Sequence,
  Split,
  SplitJoin,
  AnyOrder,
  Choice,
  IfThenElse,
  RepeatWhile,
  RepeatUntil,
  ForEach,
  Perform,
  Produce,
  Set,
};

class Document {
 public:
  explicit Document(Graph graph) : graph_(std::move(graph)) {}

  [[nodiscard]] const Graph& graph() const { return graph_; }
  // Composite processes that no other one performs.
  [[nodiscard]] std::vector<std::size_t> outermost() const;
  [[nodiscard]] std::vector<Parameter> parameters(std::size_t process) const;
  [[nodiscard]] std::optional<Construct> construct(std::size_t resource) const;
  // The members of a list, whichever of the vocabularies it uses.
  [[nodiscard]] std::vector<const Statement*> members(std::size_t list) const;
  // The parts of a control construct, `components` of any form.
  [[nodiscard]] std::vector<std::size_t> components(std::size_t construct) const;
  // The bindings of a Perform, a Produce or a Set.
  [[nodiscard]] std::vector<Binding> bindings(std::size_t resource) const;
  // What one resource says as a binding.
  [[nodiscard]] Binding binding(std::size_t resource) const;
  // "Pay" of "http://...#Pay"; of what has no name, that of its process or its kind.
  [[nodiscard]] std::string name(std::size_t resource) const;
  // "Sequence", or that of anything else.
  [[nodiscard]] std::string kind(std::size_t resource) const {
    const auto& types = graph_.at(resource).types;
    return types.empty() ? name(resource) : std::string(local_name(types[0]));
  }
  [[nodiscard]] Span span(std::size_t resource) const { return graph_.at(resource).span; }
  // An object of that class is also one of the other: the same, or a subclass as the text says.
  [[nodiscard]] bool is_subclass(const std::string& type, const std::string& of) const;
  [[nodiscard]] static Sort sort_of(std::string_view type);

 private:
  void add_parameters(std::size_t resource, std::vector<Parameter>& to) const;

  Graph graph_;
};

// The language that expressions of our own are written in.
inline constexpr std::string_view kOurLanguage = "urn:whittle";

// Reads the file, and what it imports from files beside it.
[[nodiscard]] Graph read_documents(Sources& sources, FileId file, const FileReader& read,
                                   Diagnostics& diagnostics);

}  // namespace whittle::owls
