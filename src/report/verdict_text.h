// SPDX-License-Identifier: Apache-2.0
// Verdicts in words.
#pragma once

#include <string>
#include <string_view>

#include "ir/property_result.h"

namespace whittle {

// `holds`, `violated`, ..., or `bounded` where only so much is known.
[[nodiscard]] std::string_view verdict_word(const PropertyResult& result);

// How many steps the verdict is about, to stand after it: " in 3 steps", " within 10 steps", " in
// exactly 7 steps", " between 2 and 4 steps"; empty: any number.
[[nodiscard]] std::string steps_covered(const PropertyResult& result);

// Why it is undecided and the strongest thing known, what a bound leaves open, or why the verdict
// is right where a witness does not say it; empty: that is all there is to say.
[[nodiscard]] std::string reason(const PropertyResult& result);

// "checked", "checked on the slice", "unchecked".
[[nodiscard]] std::string_view status(const WitnessCheck& check);
// "replay and z3"; what the check lacks; empty: nobody has looked at it.
[[nodiscard]] std::string checked_by(const WitnessCheck& check);

}  // namespace whittle
