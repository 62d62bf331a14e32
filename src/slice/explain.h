// SPDX-License-Identifier: Apache-2.0
// Why something is in a slice, in the user's words: the chain of dependences from the question to
// it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "slice/closure.h"

namespace whittle::slice {

// An element of the model that users have a name for.
struct Element {
  enum class Kind : std::uint8_t { Machine, Location, Variable, Event, Parameter };
  Kind kind = Kind::Machine;
  std::uint32_t id = 0;     // machine, location, variable or event
  std::uint32_t index = 0;  // Parameter: which of the event's
};

class Explainer {
 public:
  // All three must outlive the explainer.
  Explainer(const Network& network, const Closure& closure, const Sources& sources)
      : network_(network), closure_(closure), sources_(sources) {}

  // The elements that a user may mean: `balance`, `Account.balance`, `Account.withdraw.amount`.
  // Parts of one value that a front end has split have one name.
  [[nodiscard]] std::vector<Element> find(std::string_view name) const;
  // All names that `find` knows, for "did you mean".
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string name(const Element& element) const;

  // The entry of the closure through which the element came in first; none: it is not in the slice.
  [[nodiscard]] std::optional<std::uint32_t> entry_of(const Element& element) const;
  // From the question to the entry, one sentence per dependence.
  [[nodiscard]] std::vector<std::string> chain(std::uint32_t entry) const;
  // The last of those sentences.
  [[nodiscard]] std::string reason(std::uint32_t entry) const;

 private:
  [[nodiscard]] std::string shown(const Instance& instance) const;
  [[nodiscard]] std::string sentence_of(std::uint32_t entry) const;
  [[nodiscard]] std::string written(const std::string& name, Span origin) const;
  [[nodiscard]] std::string quoted(Span origin) const;
  [[nodiscard]] std::string event_name(std::uint32_t event) const;
  [[nodiscard]] std::string variable_name(std::uint32_t variable) const;
  [[nodiscard]] std::string location_name(std::uint32_t location) const;

  const Network& network_;
  const Closure& closure_;
  const Sources& sources_;
};

}  // namespace whittle::slice
