// SPDX-License-Identifier: Apache-2.0
// Options that only BPMN has.
#pragma once

#include <cstdint>

#include "base/options.h"

namespace whittle::bpmn {

// In which order messages arrive (Chevrou, Hurault, Queinnec 2016).
enum class Communication : std::uint8_t { Bag, FifoPair, Causal, Inbox, Outbox, Fifo, Rsc };

struct BpmnOptions : OptionGroup {
  BpmnOptions() : OptionGroup("Language BPMN") {}
  Option<Communication> network{
      *this,
      "bpmn-network",
      Communication::Bag,
      {{"bag", Communication::Bag},
       {"fifo-pair", Communication::FifoPair},
       {"causal", Communication::Causal},
       {"inbox", Communication::Inbox},
       {"outbox", Communication::Outbox},
       {"fifo", Communication::Fifo},
       {"rsc", Communication::Rsc}},
      "in which order messages arrive: any; as sent between two pools; never before one that it "
      "depends on; as sent to one receiver, by one sender, at all; each before the next is sent"};
  Option<unsigned> messages{
      *this,
      "bpmn-messages",
      6,
      {1, 12},
      "messages in transit in one ordered channel, where nothing bounds them"};
};

}  // namespace whittle::bpmn
