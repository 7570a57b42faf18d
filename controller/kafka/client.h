// A librdkafka client from the user's properties: for this folder only.
#pragma once

#include <librdkafka/rdkafka.h>

#include <map>
#include <memory>
#include <string>

#include "common/base/error.h"

namespace eos::kafka {

// unique_ptr for a C type with a destroy function of its own.
template <typename T, void (*Destroy)(T*)>
struct Deleter {
  void operator()(T* object) const { Destroy(object); }
};
template <typename T, void (*Destroy)(T*)>
using Owned = std::unique_ptr<T, Deleter<T, Destroy>>;

using Client = Owned<rd_kafka_t, rd_kafka_destroy>;

// `ours` override the user's `properties` (librdkafka's names). kUsage for one that librdkafka refuses;
// values, which may be passwords, get into no message and no log.
StatusOr<Client> NewClient(rd_kafka_type_t type, const std::map<std::string, std::string>& properties,
                           const std::map<std::string, std::string>& ours = {});

}  // namespace eos::kafka
