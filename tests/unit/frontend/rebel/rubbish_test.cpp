// SPDX-License-Identifier: Apache-2.0
// Damaged programs: whatever is cut out, doubled or swapped, the front end answers with messages
// (or a network), never with a crash.
#include <random>

#include "unit/frontend/rebel/model.h"

namespace whittle::rebel {
namespace {

const std::string kWhole = R"(module t
@doc{Everything the language has.}
abstract specification P { fields { id: Integer @key m: Money s: set[Integer] q: map[String : Date] r: T
    d: Date t: Time dt: DateTime te: Term f: Frequency i: IBAN b: Boolean p: Percentage c: Currency x: String }
  events { e[k = 3, g = twice] h[] } invariants { good } lifeCycle { initial a -> b: e -> c: h b -> b: h, e final c } }
specification T extends P { events { e[k = 4, g = twice] } lifeCycle { c -> a: h } }
external specification X { fields { id: Integer @key } events { call(n: Integer) } }
function twice(n: Integer): Integer = n + n;
function pick(n: Integer): Money = case n { 1 => EUR 1.00; 2 => USD 2.00; };
event e[k: Integer = 2, g: Integer -> Integer](amount: Money, other: IBAN) {
  preconditions { amount > EUR 0.00 && not (this.b -> False); this.d + 2 Month <= now.date;
    initialized T[k]; T[1] instate {a, b}; finalized this || other.countryCode == "NL";
    forall z : {1..3} | z > 0, z < 4; |{z : this.s | z != k}| >= 0; g(k) == 8 ? True : this.t < 12:30; }
  postconditions { new this.m == this.m * 10% + amount; new this.s == this.s + {k, 2} - 1;
    new this.q["a"] == 26 Sep 2016; new this.r == 1; case k { 1 => new this.b == True; 4 => new this.b; };
    new this.te == 3 Week; new this.dt == (26 Sep 2016, 16:42:07); }
  sync { T[this.r].h(1); not T[2].h(k); X[3].call(2); } }
event h(n: Integer) { postconditions { new this.p == 5%; new this.c == CUR_ABC; new this.x == "y"; } }
invariant good { this.m >= EUR 0.00; }
state one { now is 26 Sep 2016, 16:42; 2 b T with m > EUR 1.00 and |s| == 2 - 1, x != "z"; T - one with id == 7; }
check one reachable in max 2 + 1 steps;
assert one unreachable between 1 and 3 steps;
)";

TEST(RebelRubbish, TheWholeIsFine) {
  const Model model({{"t.tebl", kWhole}});
  EXPECT_TRUE(model.network) << model.messages();
}

TEST(RebelRubbish, DamagedTextsNeverCrash) {
  std::mt19937 random(20240615);
  auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  static const std::vector<std::string> kPieces = {
      "{",  "}",    "(",   ")",     "[",       "]",    ";",    ",",    ":", ".",
      "..", "->",   "==",  "new ",  "this",    "T[1]", "EUR ", "1.",   "|", "\"",
      "@",  "not ", "in ", "case ", "forall ", "//",   "/*",   "\xff", "0", "%"};
  for (int round = 0; round < 1500; ++round) {
    std::string text = kWhole;
    for (std::size_t change = below(4) + 1; change-- > 0;) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(text.size() - at, below(12) + 1);
      switch (below(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, kPieces[below(kPieces.size())]);
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        default:
          text[at] = static_cast<char>(below(128));
      }
    }
    const Model model({{"t.tebl", text}});
    EXPECT_TRUE(model.network != nullptr || model.diagnostics.has_errors());
  }
}

TEST(RebelRubbish, EveryPrefix) {
  for (std::size_t length = 0; length < kWhole.size(); length += 7) {
    const Model model({{"t.tebl", kWhole.substr(0, length)}});
    EXPECT_TRUE(model.network != nullptr || model.diagnostics.has_errors()) << length;
  }
}

}  // namespace
}  // namespace whittle::rebel
