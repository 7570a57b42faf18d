// A unit of systemd, over D-Bus (org.freedesktop.systemd1(5)); nothing is forked.
#pragma once

#include <memory>
#include <string>

#include "agent/service/service_manager.h"

namespace eos::service {

struct SystemdSettings {
  std::string unit;         // "kafka-connect.service"
  std::string bus_address;  // empty: the system bus
};

std::unique_ptr<ServiceManager> NewSystemdManager(SystemdSettings settings);

}  // namespace eos::service
