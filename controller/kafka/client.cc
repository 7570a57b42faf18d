#include "controller/kafka/client.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include "common/base/words.h"

namespace eos::kafka {
namespace {

void Log(const rd_kafka_t*, int, const char* facility, const char* text) {
  spdlog::debug("librdkafka {}: {}", facility, Printable(text, 1000));
}

}  // namespace

StatusOr<Client> NewClient(rd_kafka_type_t type, const std::map<std::string, std::string>& properties,
                           const std::map<std::string, std::string>& ours) {
  Owned<rd_kafka_conf_t, rd_kafka_conf_destroy> conf(rd_kafka_conf_new());
  rd_kafka_conf_set_log_cb(conf.get(), Log);
  std::map<std::string, std::string> all = properties;
  for (const auto& [name, value] : ours) all[name] = value;
  char why[512];
  for (const auto& [name, value] : all) {
    // librdkafka's own text may quote the value.
    if (rd_kafka_conf_set(conf.get(), name.c_str(), value.c_str(), why, sizeof(why)) != RD_KAFKA_CONF_OK) {
      return Err(Reason::kUsage,
                 fmt::format("reading \"kafka\" of fleet.yaml: librdkafka refuses the property \"{}\" or "
                             "its value",
                             Printable(name)),
                 "use librdkafka's names (its CONFIGURATION.md), not the Java client's");
    }
  }
  rd_kafka_t* client = rd_kafka_new(type, conf.get(), why, sizeof(why));
  if (!client) {
    return Err(Reason::kUsage, "making a Kafka client from \"kafka\" of fleet.yaml: librdkafka refuses it: " +
                                   Printable(why));
  }
  static_cast<void>(conf.release());  // the client owns it now
  return Client(client);
}

}  // namespace eos::kafka
