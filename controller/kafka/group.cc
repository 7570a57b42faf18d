#include "controller/kafka/group.h"

#include <algorithm>

namespace eos::kafka {

Millis GroupView::pending_delay() const {
  Millis largest{0};
  for (const Member& member : members) largest = std::max(largest, member.delay.value_or(Millis{0}));
  return largest;
}

}  // namespace eos::kafka
