// SPDX-License-Identifier: Apache-2.0
// Measuring the way from a network to a checked verdict.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/bench.h"
#include "bench/models/loaded.h"
#include "driver/decide.h"
#include "ir/network.h"

namespace whittle::bench {

// An alternative that decides a property of a network, with these options set. The network is made
// anew for every measurement, outside of what is measured.
[[nodiscard]] Alternative deciding(std::string name,
                                   std::function<std::shared_ptr<Network>()> network,
                                   std::function<void(OptionSet&)> configure,
                                   PropertyId property = PropertyId(0));

// The same without the length of traces, for families in which they differ rightly.
[[nodiscard]] Alternative verdict_only(Alternative alternative);

// Processor seconds of this process and of those that it has started and that have ended: other
// work on the machine does not count.
[[nodiscard]] double processor_seconds();
[[nodiscard]] Measurement timed(const std::function<void()>& work);

// In a process of its own, so that the peak memory is that of this work. Its seconds and units
// count.
[[nodiscard]] Measurement measured_alone(const std::string& name,
                                         const std::function<Measurement()>& work);

}  // namespace whittle::bench
