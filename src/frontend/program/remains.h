// SPDX-License-Identifier: Apache-2.0
// What a transformation left of the pieces of a program's text: compares the network of the whole
// text with what remains of it. A piece is known by its place.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "ir/network.h"

namespace whittle::program {

// Of one piece of the text, over all its copies.
enum class Remains : std::uint8_t {
  Unreached,  // no run ever got there, in the whole text neither
  Gone,       // no run gets there any more
  Idle,       // runs pass it, and nothing happens
  Stays,
};

class RemainsOfText {
 public:
  RemainsOfText(const Network& whole, const Network& left);

  [[nodiscard]] Remains of(Span piece) const;
  // Of a test: it is passed, but does not decide any more.
  [[nodiscard]] bool undecided(Span piece) const;
  // A property is about this piece.
  [[nodiscard]] bool asked(Span piece) const { return asked_.contains(key(piece)); }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  struct Piece {
    bool events = false;
    bool guards = false;
    bool acts = false;  // effects, synchronisations, failures
  };
  static Key key(Span span) { return {span.begin, span.end}; }
  static std::map<Key, Piece> pieces(const Network& network);

  std::map<Key, Piece> whole_;
  std::map<Key, Piece> left_;
  std::set<Key> asked_;
};

}  // namespace whittle::program
