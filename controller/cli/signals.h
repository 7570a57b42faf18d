#pragma once

#include "controller/fleet/agent_client.h"

namespace eos::cli {

// From the first SIGINT or SIGTERM on `stop` is set; the second one ends the program at once with 130. Call
// before the first thread is made; `stop` must live as long as the program.
void StopOnSignal(fleet::StopFlag& stop);

}  // namespace eos::cli
